// --skip-preview shows no plan, and pulumi asks no provider before deletes: both refuse what a preview refuses.
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { openScene } from "./terminal.ts";

const program = (names: readonly string[]) => `import { JsTag } from "pulumi-shop";
for (const name of ${JSON.stringify(names)}) new JsTag(name, { type: "JsTag::TextTag", content: name.slice(0, 3) });
`;
const sheet = Array.from({ length: 12 }, (_, index) => `${index + 100}`);
const plugged = "plugins: {providers: [{name: shop, path: node_modules/pulumi-shop/plugin}]}\n";

async function opened(names: readonly string[], isPlugin = false) {
  const { world, terminal } = await openScene(program(names), isPlugin ? plugged : "");
  await terminal.done("up", "--skip-preview");
  world.requests();
  // A fake pulumi that records its arguments.
  terminal.write("bin/pulumi", '#!/bin/sh\necho "$@" >> asked.log\n');
  chmodSync(join(terminal.folder, "bin/pulumi"), 0o755);
  terminal.write("asked.log", "");
  terminal.env.PATH = [join(terminal.folder, "bin"), terminal.env.PATH].join(delimiter);
  const writes = () => world.requests().filter((line) => !line.startsWith("GET"));
  return { world, terminal, run: terminal.dev, writes };
}

const ways = { "without a preview": ["--skip-preview"], "with pulumi": ["--yes", "--engine", "pulumi"] };
const rows = Object.entries(ways).flatMap(([way, args]) => [
  { way, args, isPlugin: false, form: "dynamic" },
  { way, args, isPlugin: true, form: "plugin" },
]);

test.each(rows)("an up $way ($form) doesn't make what got another name again", async ({ args, isPlugin }) => {
  const { terminal, run, writes } = await opened(["spring"], isPlugin);
  terminal.write("index.ts", program(["spring2"]));
  const { code, stdout, stderr } = await run("up", ...args);
  expect(code, stdout + stderr).toBe(1);
  expect(stderr).toContain("JsTag spring2 would be created, and");
  expect(writes()).toEqual([]);
  expect(terminal.read("asked.log")).toBe("");
});

test.each(rows)(
  "an up $way ($form) doesn't delete what an empty sheet has no more",
  async ({ args, isPlugin }) => {
    const { terminal, run, writes } = await opened(sheet, isPlugin);
    terminal.write("index.ts", program([]));
    const { code, stdout, stderr } = await run("up", ...args);
    expect(code, stdout + stderr).toBe(1);
    expect(stderr).toContain("12 of 12 JsTag resources would be deleted without a confirmation");
    expect(writes()).toEqual([]);
    expect(terminal.read("asked.log")).toBe("");
  },
);

test("an up without a preview makes what the program makes inside apply(), of a value that only the run knows", async () => {
  const { world, terminal, run } = await opened(["spring"]);
  const inside = `${program(["spring"])}
const made = new JsTag("made", { type: "JsTag::TextTag", content: "made" });
made.id.apply((id) => { new JsTag("inside", { type: "JsTag::TextTag", content: "of " + id }); });
`;
  terminal.write("index.ts", inside);
  const { code, stdout, stderr } = await run("up", "--skip-preview");
  expect(code, stdout + stderr).toBe(0);
  expect(world.rows("js_tag")).toHaveLength(3);
});

test("a destroy without a preview keeps the state of a shop that has nothing of it", async () => {
  const { world, terminal, run } = await opened(["spring", "summer"]);
  const state = () => terminal.read("backend/.pulumi/stacks/user/dev.json");
  const before = state();
  for (const { id } of world.rows("js_tag")) await world.client.jsTags.remove({ id: Number(id) });
  const { code, stdout, stderr } = await run("destroy", "--skip-preview");
  expect(code, stdout).toBe(1);
  expect(stdout + stderr).toContain("the shop has none of the 2 objects in the state");
  expect(state()).toBe(before);
  const gone = await run("destroy", "--skip-preview", "--all-gone");
  expect(gone.code, gone.all).toBe(0);
});

test("a run without a preview shows what was done and not the plan, and counts the requests of both", async () => {
  const { world, terminal, run } = await opened(["spring"]);
  terminal.write("index.ts", program(["spring", "summer"]));
  const { code, stdout, stderr } = await run("up", "--skip-preview");
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/\+ JsTag +summer +created/);
  expect(stdout).not.toMatch(/preview|to create/i);
  expect(stdout).toContain(`API requests: ${world.requests().length};`);
});
