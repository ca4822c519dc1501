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

test("is told and refused, and what a refresh leaves to create is announced where the shop has it", async () => {
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
  for (const args of [[], ["--skip-preview"]]) {
    const ran = await up(...args);
    expect(ran.code, ran.stdout).toBe(1);
    expect(ran.stderr).toContain("an older state of dev was put back");
  }
  expect(counts()).toEqual(before);
  const seen = await terminal.run("preview", "--stack", "dev");
  expect(seen.stderr).toContain("warning: an older state of dev was put back");
  // What it would replace is gone: nothing of it is made again, or said to be.
  expect(seen.stdout).toMatch(/! File +f0 +refused/);
  expect(seen.stdout).toMatch(/! JsTag +t0 +refused/);
  const refreshed = await terminal.run("refresh", "--stack", "dev", "--yes");
  expect(refreshed.code, refreshed.stdout + refreshed.stderr).toBe(0);
  const { stdout, stderr } = await terminal.run("preview", "--stack", "dev");
  expect(stderr).not.toContain("was put back");
  expect(stdout).toContain("f0: the shop has an equal File already");
  expect(stdout).toContain("t0: the shop has a JsTag with name t0 already");
  expect(stderr).toMatch(/with permalink p3 already: set adopt: "key" to take it over/);
  expect(counts()).toEqual(before);
});

test("an older state is refused also after a refresh has taken in one that is older still", async () => {
  const world = await openWorld();
  const terminal = openTerminal("", world.env);
  const up = (...more: readonly string[]) => terminal.run("up", "--stack", "dev", "--yes", ...more);
  const states: string[] = [];
  for (const text of ["", program(1), program(2)]) {
    terminal.write("index.ts", text);
    const ran = await up("--skip-preview");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    states.push(terminal.read(home));
  }
  const put = (text = "") => writeFileSync(join(terminal.folder, home), text);
  put(states[0]);
  const refreshed = await terminal.run("refresh", "--stack", "dev", "--yes");
  expect(refreshed.code, refreshed.stdout + refreshed.stderr).toBe(0);
  put(states[1]);
  const ran = await up();
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stderr).toContain("an older state of dev was put back");
  expect(terminal.read(home)).toBe(states[1]);
});
