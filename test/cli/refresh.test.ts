// The refresh command.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

test("a provider that can't be started fails a refresh, which says why and leaves the state as it is", async () => {
  const { world, terminal } = await openScene(
    `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n`,
  );
  await terminal.done("up", "--yes");
  const state = terminal.read("backend/.pulumi/stacks/user/dev.json");
  const project = terminal.read("Pulumi.yaml").replace("options:", "options:\n    nodeargs: --no-such-flag");
  terminal.write("Pulumi.yaml", project);
  const sent = await world.during(async () => {
    // In separate processes: the host can't be started.
    const refreshed = await terminal.start("refresh", "--stack", "dev", "--yes");
    expect(refreshed.code).toBe(1);
    expect(refreshed.stderr).toContain("the host of dynamic providers exited with code 9");
    expect(refreshed.stderr).toContain("--no-such-flag");
  });
  expect(sent).toEqual([]);
  expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).toBe(state);
});

test.each(storyForms)(
  "an up that would put back a code which staff gave to another coupon says which one has it, and the ways on: %s",
  async (_form, plugins) => {
    const coupon = (name: string, code: string) =>
      `new Coupon("${name}", { code: "${code}", discount: 10, typeId: 1 });\n`;
    const { world, terminal } = await openScene(
      `import { Coupon } from "pulumi-shop";\n${coupon("spring", "SPRING")}${coupon("autumn", "AUTUMN")}`,
      plugins,
    );
    await terminal.done("up", "--yes");
    const [one, other] = ["SPRING", "AUTUMN"].map((code) =>
      Number(world.rows("discount_code").find((row) => row.code === code)?.id),
    );
    for (const [id, code] of [
      [one, "MINE"],
      [other, "SPRING"],
      [one, "AUTUMN"],
    ] as const)
      await world.edit({ kind: "discount_code", id: Number(id), set: { code } });
    await terminal.done("refresh", "--yes");
    const { code, all } = await terminal.dev("up", "--yes");
    expect(code).toBe(1);
    expect(all).toContain("Code has already been taken");
    expect(all).toContain(`Coupon ${other} has it: to accept the shop's values`);
    expect(all).toContain("--keep spring");
    await terminal.done("up", "--yes", "--keep", "spring,autumn");
  },
);
