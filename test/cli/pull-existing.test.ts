// The program that exists before a pull, in the many ways that people write it: what it declares isn't pulled again, and what only looks like code counts for nothing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openWorld, type World } from "../support/world.ts";
import { openScene, openTerminal, type Terminal } from "./terminal.ts";

const coupons = (world: World, ...codes: readonly string[]) =>
  Promise.all(
    codes.map(async (code) => {
      const { id } = await world.client.coupons.create({ code, discount: 5, typeId: 1 });
      return String(id);
    }),
  );
const pulled = ({ read }: Terminal, path = "coupons.ts") =>
  [...read(path).matchAll(/new \w+\("([^"]+)/g)].map(([, name]) => name);

test.each<[string, (id: string) => Readonly<Record<string, string>>]>([
  [
    "with another name of the class, and of a function in a loop",
    (id) => ({
      "index.ts": `import { Coupon as C } from "pulumi-shop";
function make(name: string, adopt: string) {
  const build = () => new C(name, { code: "OWN", discount: 5, typeId: 1, adopt });
  return build();
}
for (const [name, own] of Object.entries({ own: "${id}" })) make(name, own);
`,
    }),
  ],
  [
    "in a module of its own that the entry imports, by a subclass",
    (id) => ({
      "index.ts": 'import "./deep/own.mts";\n',
      "deep/own.mts": `import * as shop from "pulumi-shop";
class Own extends shop.Coupon {}
new Own(\`own\`, { code: "OWN", discount: 5, typeId: 1, "adopt": \`${id}\` });
`,
    }),
  ],
  [
    "by the option import",
    (id) => ({
      "index.ts": `import { Coupon } from "pulumi-shop";
new Coupon("own", { code: "OWN", discount: 5, typeId: 1 }, { import: "${id}" });
`,
    }),
  ],
  [
    "by its natural key",
    () => ({
      "index.ts": `import { Coupon } from "pulumi-shop";
for (const code of ["OWN"]) new Coupon(code.toLowerCase(), { code, discount: 5, typeId: 1, adopt: "key" });
`,
    }),
  ],
])("an object that the program adopts %s isn't pulled", async (_how, files) => {
  const world = await openWorld();
  const [own = ""] = await coupons(world, "OWN", "OTHER");
  const terminal = openTerminal("", world.env, "", ["live"]);
  for (const [path, text] of Object.entries(files(own))) terminal.write(path, text);
  const { stdout, stderr } = await terminal.run("pull", "coupons", "--json");
  expect(JSON.parse(stdout), stderr).toMatchObject({ objects: { coupons: 1 } });
  expect(pulled(terminal)).toEqual(["other"]);
});

test("a comment or a text that shows such code declares nothing", async () => {
  const world = await openWorld();
  const [own = ""] = await coupons(world, "OWN");
  const shown = `new Coupon("own", { code: "OWN", discount: 5, typeId: 1, adopt: "${own}" });`;
  const program = `// ${shown}
/*
import "./coupons.ts";
*/
export const text = \`${shown}\`;
console.log("./coupons.ts"); // "./coupons.ts"
`;
  const terminal = openTerminal(program, world.env, "", ["live"]);
  const ran = await terminal.run("pull", "coupons");
  expect(ran.code, ran.all).toBe(0);
  expect(pulled(terminal)).toEqual(["own"]);
  expect(terminal.read("index.ts")).toBe(`${program}import "./coupons.ts";\n`);
});

test("a file that isn't pull's own stays, even if a comment of it shows pull's import", async () => {
  const world = await openWorld();
  await coupons(world, "STAFF");
  const terminal = openTerminal('import "./coupons.ts";\n', world.env, "", ["live"]);
  const own = '/* pull writes:\nimport { adopt } from "./adopt.ts";\n*/\nexport const codes = ["A"];\n';
  terminal.write("coupons.ts", own);
  const ran = await terminal.run("pull", "coupons", "--force");
  expect(ran.code, ran.all).toBe(0);
  expect(terminal.read("coupons.ts")).toBe(own);
  expect(pulled(terminal, "coupons-2.ts")).toEqual(["staff"]);
});

test("a resource has the name that declares it, not one that a key or a text of another place happens to have", async () => {
  const program = `import { Coupon } from "pulumi-shop";
export const page = { staff: "staff" };
new Coupon("discount", { code: "OWN", discount: 5, typeId: 1 });
`;
  const { world, terminal } = await openScene(program, "", ["live"]);
  await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
  await coupons(world, "STAFF", "LATER");
  expect((await terminal.run("pull", "coupons")).code).toBe(0);
  expect(pulled(terminal)).toEqual(["staff", "later"]);
  // The module has the key `discount`, the entry has the text "staff".
  terminal.write("coupons.ts", terminal.read("coupons.ts").replace(/new Coupon\("staff"[\s\S]*?\);\n/, ""));
  const again = await terminal.run("pull", "coupons", "--force");
  expect(again.code, again.all).toBe(0);
  expect(pulled(terminal)).toEqual(["staff", "later"]);
  const preview = await terminal.run("preview", "--stack", "live");
  expect(preview.code, preview.all).toBe(0);
});

test("a resource that the program computes or renames with an alias isn't pulled as another one", async () => {
  const program = (name: string) => `import { Coupon } from "pulumi-shop";
const names = [${name}];
for (const one of names) new Coupon(one.trim(), { code: "OWN", discount: 5, typeId: 1 });
`;
  const { world, terminal } = await openScene(program('"own"'), "", ["live"]);
  await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
  await coupons(world, "STAFF");
  terminal.write(
    "index.ts",
    `import { Coupon } from "pulumi-shop";
new Coupon("renamed", { code: "OWN", discount: 5, typeId: 1 }, { aliases: [{ name: "own" }] });
`,
  );
  expect((await terminal.run("pull", "coupons")).code).toBe(0);
  expect(pulled(terminal)).toEqual(["staff"]);
  terminal.write("index.ts", `${program('process.env.NOBODY ?? "own"')}import "./coupons.ts";\n`);
  expect((await terminal.run("pull", "coupons", "--force")).code).toBe(0);
  expect(pulled(terminal)).toEqual(["staff"]);
});

test("the folder of a theme is found in a constant, and a name in a branch of another stack is taken", async () => {
  const program = `import * as pulumi from "@pulumi/pulumi";
import { Coupon, getThemeOutput, ThemeFolder } from "pulumi-shop";
const folder = "./files/";
new ThemeFolder("main", { themeId: getThemeOutput({ title: "Main" }).id, folder, adopt: "key" });
if (pulumi.getStack() === "staging") new Coupon("staff", { code: "X", discount: 5, typeId: 1 });
`;
  const world = await openWorld();
  const theme = world.rows("theme").find(({ title }) => title === "Main")?.id as number;
  await world.client.assets.create({
    ...{ themeId: theme, name: "a.liquid", content: "a", type: "Asset::Snippet" },
  } as never);
  await coupons(world, "STAFF");
  const terminal = openTerminal(program, world.env, "", ["live"]);
  terminal.write("adopt.live.json", JSON.stringify({ ThemeFolder: { main: String(theme) } }));
  const ran = await terminal.run("pull", "assets", "coupons", "--force");
  expect(ran.code, ran.all).toBe(0);
  expect(terminal.read("files/snippets/a.liquid")).toBe("a");
  expect(terminal.read("themes.ts")).not.toContain('ThemeFolder("main"');
  expect(pulled(terminal)).toEqual(["staff-2"]);
});

test("a module with a conflict of git is refused, and the type of a package is its own", async () => {
  const world = await openWorld();
  await coupons(world, "STAFF");
  const terminal = openTerminal("", world.env, "", ["live"]);
  terminal.write("package.json", '{ "repository": { "type": "git" }, "type": "module" }');
  const first = await terminal.run("pull", "coupons", "--json");
  expect(JSON.parse(first.stdout).notices).toEqual([]);
  terminal.write("coupons.ts", `<<<<<<< ours\n${terminal.read("coupons.ts")}=======\n>>>>>>> theirs\n`);
  const before = terminal.read("coupons.ts");
  const ran = await terminal.run("pull", "coupons", "--force");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("coupons.ts can't be read as a program");
  expect(terminal.read("coupons.ts")).toBe(before);
});

test("--new pulls no product that the program adopts by the SKU of one of its variants", async () => {
  const world = await openWorld();
  for (const title of ["Mug", "Cup"])
    await world.client.products.create({
      title,
      variants: [
        { sku: `${title}-1`, price: 5 },
        { sku: title, price: 6 },
      ],
    });
  const program = `import { Product } from "pulumi-shop";
new Product("own", { title: "Mug", variants: [{ sku: "Mug", price: 6 }], adopt: "key" });
`;
  const terminal = openTerminal(program, world.env, "", ["live"]);
  const { stdout, stderr } = await terminal.run("pull", "products", "--new", "--json");
  expect(JSON.parse(stdout), stderr).toMatchObject({ objects: { products: 1 } });
  expect(pulled(terminal, "products.ts")).toEqual(["cup"]);
});

test.each<[string, string, isTaken: boolean]>([
  ["as a constant", "export const adopt = (kind: string, name: string): string => kind + name;\n", true],
  ["in a list of exports", 'const adopt = () => "1";\nexport { adopt };\n', true],
  ["from another file", 'export { adopt } from "./ids.ts";\n', true],
  ["only in a comment", "// export function adopt(kind)\nexport const other = 1;\n", false],
  ["without exporting it", 'function adopt() { return "1"; }\nadopt();\n', false],
])("an adopt.ts that has the function %s", async (_how, text, isTaken) => {
  const world = await openWorld();
  await coupons(world, "OWN");
  const terminal = openTerminal("export {};\n", world.env, "", ["live"]);
  terminal.write("adopt.ts", text);
  terminal.write("ids.ts", 'export const adopt = () => "1";\n');
  const { code, all } = await terminal.run("pull", "coupons", "--json");
  expect(code, all).toBe(isTaken ? 0 : 2);
  if (!isTaken) expect(all).toContain("adopt.ts has no function adopt, which pulled files import from it");
  expect(terminal.read("adopt.ts")).toBe(text);
});

campaignTest(
  "no file of a theme is pulled that the program adopts by its name, of the theme that a data source finds",
  async () => {
    const world = await openWorld();
    const program = `import { Asset, getThemeOutput } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Asset("own", { themeId: theme.id, type: "Asset::Template", name: "page.liquid", file: "own.liquid", adopt: "key" });
`;
    const terminal = openTerminal(program, world.env);
    const page = world.rows("asset").find(({ name }) => name === "page.liquid");
    terminal.write("own.liquid", String(page?.content));
    const { stdout } = await terminal.done("pull", "assets", "--force");
    expect(stdout).toContain("Asset: 1 skipped, because other files of the program declare them: own\n");
    const has = (theme: string) => existsSync(join(terminal.folder, `themes/${theme}/templates/page.liquid`));
    expect([has("main"), has("mobile")]).toEqual([false, true]);
    expect((await terminal.done("preview")).stdout).toMatch(/Resources:\n {3}= 24 to adopt\n/);
  },
);

campaignTest(
  "a program that Pulumi compiles still runs after a pull, before anybody has done what the pull asks for",
  async () => {
    const program = `import { Coupon } from "pulumi-shop";
export const own = new Coupon("own", { code: "OWN", discount: 5, typeId: 1 }).code;
`;
    const { world, terminal } = await openScene(program);
    terminal.write("Pulumi.yaml", "name: user\nruntime: nodejs\nmain: index.ts\n");
    terminal.write("package.json", '{ "name": "user" }');
    await terminal.done("up", "--yes", "--skip-preview");
    await coupons(world, "NEW");
    const { stdout } = await terminal.done("pull", "coupons", "--new");
    expect(stdout).toContain("Pulumi.yaml: set runtime.options.typescript to false");
    expect(pulled(terminal)).toEqual(["new"]);
    expect((await terminal.done("preview")).stdout).toMatch(/Resources:\n +1 unchanged\n/);
  },
);

test("a theme goes into the folder of a ThemeFolder that was written by hand, before the first up and after it", async () => {
  const world = await openWorld();
  const [main] = world.rows("theme");
  for (const theme of ["getThemeOutput({ published: true }).id", String(main?.id)]) {
    const program = `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("own", { themeId: ${theme}, folder: "own/theme", adopt: "key" });
`;
    const terminal = openTerminal(program, world.env);
    terminal.write("own/theme/snippets/ours.liquid", "ours");
    const { stdout } = await terminal.done("pull", "assets", "--force");
    expect(stdout).toContain("  own/theme: kept files that the shop doesn't have: snippets/ours.liquid\n");
    expect(terminal.read("own/theme/templates/page.liquid")).toContain("{{ page.content }}");
    expect(terminal.read("themes.ts").match(/new ThemeFolder\("\w+"/g)).toEqual(['new ThemeFolder("mobile"']);
    expect((await terminal.done("preview")).stdout).toMatch(/\+ 1 to create\n {3}= 24 to adopt\n/);
    await terminal.done("up", "--yes", "--skip-preview");
    await terminal.done("pull", "assets", "--force");
    await terminal.done("preview", "--expect-no-changes");
    await world.edit({ kind: "asset", where: { name: "ours.liquid" }, delete: true });
  }
});
