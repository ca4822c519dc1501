// The refresh command.
import { expect, test } from "vitest";
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
