// An older state that was put back: what was made since is in no state, and nothing of it is made a second time unseen.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "../world.ts";
import { openTerminal } from "./terminal.ts";

const program = (version: number) => `import { File, JsTag, Product } from "pulumi-shop";
for (let n = 0; n < ${version + 1}; n += 1) {
  new File("f" + n, { filename: "f" + n + ".txt", content: "version ${version}" });
  new JsTag("t" + n, { type: "JsTag::TextTag", name: "t" + n, content: "v(${version})" });
  new Product("p" + n, { title: "p" + n, permalink: "p" + n, variants: [{ sku: "S" + n, price: ${version} }] });
}
`;

const home = "backend/.pulumi/stacks/user/dev.json";

test.each([
  ["with the preview", []],
  ["without one, which is made all the same", ["--skip-preview"]],
])("is told, and nothing is doubled, %s", async (_how, args) => {
  const world = await openWorld();
  const terminal = openTerminal(program(1), world.env);
  const up = (...more: readonly string[]) => terminal.run("up", "--stack", "dev", "--yes", ...more);
  expect((await up("--skip-preview")).code).toBe(0);
  const first = terminal.read(home);
  for (const version of [2, 3]) {
    terminal.write("index.ts", program(version));
    const ran = await up("--skip-preview");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain("was put back");
  }
  const counts = () => ["file", "js_tag", "product"].map((table) => world.rows(table).length);
  const before = counts();
  writeFileSync(join(terminal.folder, home), first);
  const ran = await up(...args);
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stderr).toContain("an older state of dev was put back");
  expect(ran.stdout).toMatch(/File \d+ was deleted in the shop; run refresh/);
  expect(ran.stdout).toMatch(/with permalink p3 already: set adopt: "key" to take it over/);
  expect(counts()).toEqual(before);
});
