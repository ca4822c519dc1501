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

test.each(storyForms)(
  "a preview names the coupon of staff that has the code which the program gives to its own: %s",
  async (_form, plugins) => {
    const coupon = (code: string) =>
      `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "${code}", discount: 10, typeId: 1 });\n`;
    const { world, terminal } = await openScene(coupon("SPRING"), plugins);
    await terminal.done("up", "--yes");
    const { id } = world.rows("discount_code")[0] as { id: number };
    const may = "<code>MAY</code><discount>5</discount><type-id>1</type-id>";
    await world.ask("POST", "/admin/discount_codes.xml", `<discount-code>${may}</discount-code>`);
    const [, { id: other } = { id: 0 }] = world.rows("discount_code") as { id: number }[];
    terminal.write("index.ts", coupon("MAY"));
    const has = `code: the shop has Coupon ${other} with code MAY already: set another value`;
    const changed = await terminal.dev("preview");
    expect([changed.code, changed.all]).toEqual([1, expect.stringContaining(has)]);
    await world.edit({ kind: "discount_code", id: other, set: { code: "JUNE" } });
    await terminal.done("preview");
    await world.edit({ kind: "discount_code", id, set: { code: "MINE" } });
    await world.edit({ kind: "discount_code", id: other, set: { code: "SPRING" } });
    terminal.write("index.ts", coupon("SPRING"));
    await terminal.done("refresh", "--yes");
    const putBack = await terminal.dev("preview");
    expect(putBack.all).toContain(`code: the shop has Coupon ${other} with code SPRING already: to accept`);
    await terminal.done("preview", "--keep", "spring");
  },
);
