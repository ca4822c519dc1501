// The command's refresh by what changed: the note lies beside the state, and each process continues from it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const program = `import { Product } from "pulumi-shop";
for (let n = 0; n < 12; n += 1) new Product("p" + n, { title: "Product " + n, variants: [{ sku: "S" + n, price: 1 }] });
`;

test("refresh asks for what changed since the last one where the stack says so", async () => {
  const world = await openWorld();
  const terminal = openTerminal(program, { ...world.env, SHOP_REFRESH: "changes", SHOP_PER_PAGE: "10" });
  const night = async () => {
    await world.control("POST", "clock", { advanceSeconds: 86_400 });
    world.requests();
    const { code, stdout, stderr } = await terminal.run("refresh", "--stack", "dev", "--yes");
    expect(code, stdout + stderr).toBe(0);
    return world.requests().map((line) => line.replace(/updated_since=[^&]+/, "updated_since=..."));
  };
  const up = await terminal.run("up", "--stack", "dev", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const note = join(terminal.folder, "backend/.pulumi/stacks/user/dev.changes");
  expect(existsSync(note)).toBe(false);
  expect(await night()).toHaveLength(2);
  expect(existsSync(note)).toBe(true);
  const [live, deleted] = [
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...",
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...&deleted=true",
  ];
  expect(await night()).toEqual([live, deleted]);
  await world.edit({ kind: "product", where: { title: "Product 3" }, set: { title: "Theirs" } });
  const found = await terminal.run("refresh", "--stack", "dev", "--preview-only", "--expect-no-changes");
  expect([found.code, found.stdout], found.stderr).toEqual([7, expect.stringContaining("p3")]);
});

test("a provider that can't be started fails a refresh, which says why and leaves the state as it is", async () => {
  const world = await openWorld();
  const terminal = openTerminal(
    `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n`,
    world.env,
  );
  const up = await terminal.run("up", "--stack", "dev", "--yes");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const state = terminal.read("backend/.pulumi/stacks/user/dev.json");
  const project = terminal.read("Pulumi.yaml").replace("options:", "options:\n    nodeargs: --no-such-flag");
  terminal.write("Pulumi.yaml", project);
  const sent = await world.during(async () => {
    // In processes of its own: the host is what can't be started.
    const refreshed = await terminal.start("refresh", "--stack", "dev", "--yes");
    expect(refreshed.code).toBe(1);
    expect(refreshed.stderr).toContain("the host of dynamic providers exited with code 9");
    expect(refreshed.stderr).toContain("--no-such-flag");
  });
  expect(sent).toEqual([]);
  expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).toBe(state);
});
