// `accept` writes the edits of staff into the program, whatever the program is made of.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest, full } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { begin, commit, git } from "../support/git.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A project in git. */
function project(world: World, files: Readonly<Record<string, string>>, plugins = ""): Terminal {
  const terminal = openTerminal(files["index.ts"] ?? "", world.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
  for (const [path, text] of Object.entries(files)) terminal.write(path, text);
  begin(terminal.folder);
  return terminal;
}

/** The changed lines of a diff. */
const changedLines = (terminal: Terminal, ...args: readonly string[]) =>
  git(terminal.folder, ["diff", "-U0", ...args])
    .split("\n")
    .filter((line) => /^[+-](?![+-])/.test(line));

async function editVariants(
  world: World,
  edit: (sku: string) => Readonly<Record<string, unknown>> | undefined,
) {
  for (const row of world.rows("product") as readonly {
    id: number;
    variants: readonly { sku: string }[];
  }[]) {
    const variants = row.variants.map((one) => ({ ...one, ...edit(one.sku) }));
    if (JSON.stringify(variants) !== JSON.stringify(row.variants))
      await world.edit({ kind: "product", id: row.id, set: { variants } });
  }
}

/** 30 prices, 3 templates and 2 coupons, changed by staff in the live shop. */
async function staffEdits(world: World): Promise<void> {
  await editVariants(world, (sku) => ({ price: `${Number(sku.slice(1)) + 100.5}` }));
  const templates = (world.rows("asset") as readonly { id: number; name: string; content?: string }[]).filter(
    ({ name }) => /^own\d/.test(name),
  );
  expect(templates).toHaveLength(3);
  for (const { id, content } of templates)
    await world.edit({ kind: "asset", id, set: { content: `${content}<p>by staff</p>\n` } });
  for (const code of ["A", "B"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "44.0" } });
}

// The full number in the campaign.
const count = full ? 30 : 5;
const assets = `const themeId = getThemeOutput({ published: true }).id;
for (const n of [0, 1, 2])
  new Asset(\`own\${n}\`, { themeId, type: "Asset::Snippet", name: \`own\${n}.liquid\`, file: \`theme/own\${n}.liquid\` });
`;
const bodies = Object.fromEntries([0, 1, 2].map((n) => [`theme/own${n}.liquid`, `<h1>${n}</h1>\n`]));
const products = Array.from({ length: count }, (_one, n) => n);

const plainProgram = `import { Asset, Coupon, getThemeOutput, Product } from "pulumi-shop";
${products.map((n) => `new Product("p${n}", { title: "P${n}", variants: [{ sku: "S${n}", price: ${n}.25 }] }); // number ${n}`).join("\n")}
new Coupon("a", { code: "A", discount: 10, typeId: 1 });
const half = 20;
new Coupon("b", { code: "B", discount: half, typeId: 1 });
${assets}`;

const sheetProgram = `import { Asset, Coupon, getThemeOutput, Product, table } from "pulumi-shop";
const rows = table("prices.csv", { key: "sku" });
const byTitle = Map.groupBy(rows, ({ title }) => title);
for (const [title, own] of byTitle)
  new Product(title.toLowerCase(), { title, variants: own.map(({ sku, price }) => ({ sku, price: price.replace(",", ".") })) });
for (const { code, percent } of table("coupons.json", { key: "code" }) as unknown as { code: string; percent: number }[])
  new Coupon(code.toLowerCase(), { code, discount: percent, typeId: 1 });
${assets}`;
const sheets = {
  "prices.csv": `sku,title,price,note\r\n${products.map((n) => `S${n},P${n},${n % 2 === 0 ? `${n}.25` : `"${n},25"`},"a ""note"", ${n}"\r\n`).join("")}`,
  "coupons.json": `[\n  { "code": "A", "percent": 10 },\n  { "code": "B",   "percent": 20 }\n]\n`,
};

const loopProgram = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput, Product } from "pulumi-shop";
import { prices } from "./prices.ts";
const coupon = (code: string, discount: number) => new Coupon(code.toLowerCase(), { code, discount, typeId: 1 });
coupon("A", 10);
class Shelf extends pulumi.ComponentResource {
  constructor(name: string, args: { of: readonly [string, number][]; tax: number }) {
    super("user:index:Shelf", name);
    for (const [sku, price] of args.of)
      new Product(sku.toLowerCase(), { title: \`P\${sku.slice(1)}\`, variants: [{ sku, price }] }, { parent: this });
  }
}
new Shelf("all", { of: Object.entries(prices), tax: 7 });
coupon("B", 10 * 2); // computed
${assets}`;
const priceFile = `/** What things cost. */
export const prices = {
${products.map((n) => `  S${n}: ${n}.25, // ${n}`).join("\n")}
} as const;
`;

test.each(storyForms)(
  "prices, templates and coupons of staff's come into a program of literals by one command, with no edit by hand: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = project(world, { "index.ts": plainProgram, ...bodies }, plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    await staffEdits(world);
    const dry = await terminal.done("accept", "--all", "--dry-run");
    expect(dry.stdout).toContain(
      `-new Product("p3", { title: "P3", variants: [{ sku: "S3", price: 3.25 }] }); // number 3`,
    );
    expect(dry.stdout).toContain(
      `+new Product("p3", { title: "P3", variants: [{ sku: "S3", price: 103.5 }] }); // number 3`,
    );
    expect(git(terminal.folder, ["status", "--porcelain"])).toBe("");
    const ran = await terminal.done("accept", "--all", "--yes");
    expect(ran.stdout).toContain(`Wrote ${count + 5} edits of staff.`);
    const lines = changedLines(terminal);
    expect(lines).toContain("-const half = 20;");
    expect(lines).toContain("+const half = 44;");
    expect(lines).toHaveLength(2 * (count + 2) + 3);
    world.requests();
    const after = await terminal.done("preview", "--expect-no-changes");
    expect(after.stdout).not.toContain("Done already");
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
  },
);

test.each(storyForms)(
  "they come into a sheet, a JSON file and the texts that a program reads by table(), cell by cell: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = project(world, { "index.ts": sheetProgram, ...sheets, ...bodies }, plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    await staffEdits(world);
    const ran = await terminal.done("accept", "--all", "--yes");
    expect(ran.stdout).toContain(`Wrote ${count + 5} edits of staff.`);
    expect(terminal.read("prices.csv").split("\r\n").slice(3, 5)).toEqual([
      `S2,P2,102.50,"a ""note"", 2"`,
      `S3,P3,"103,50","a ""note"", 3"`,
    ]);
    expect(terminal.read("coupons.json")).toBe(
      sheets["coupons.json"].replace("10", "44").replace("20", "44"),
    );
    expect(git(terminal.folder, ["diff", "--name-only"]).trim().split("\n")).not.toContain("index.ts");
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("in a program of loops, functions and components all comes in but what is computed, which is listed with its place", async () => {
  const world = await openWorld();
  const terminal = project(world, { "index.ts": loopProgram, "prices.ts": priceFile, ...bodies });
  await terminal.done("up", "--yes", "--skip-preview");
  await staffEdits(world);
  const ran = await terminal.dev("accept", "--all", "--yes");
  expect(ran.code, ran.all).toBe(2);
  expect(ran.stdout).toContain(`Wrote ${count + 4} edits of staff.`);
  expect(ran.stdout).toContain(
    "Not written, 1:\n  index.ts:14  Coupon b: discount: 20 % => 44 % (the program computes it)",
  );
  expect(changedLines(terminal, "prices.ts")).toHaveLength(2 * count);
  expect(changedLines(terminal, "index.ts")).toEqual(['-coupon("A", 10);', '+coupon("A", 44);']);
  const after = await terminal.dev("preview", "--expect-no-changes");
  expect(after.code).toBe(7);
  expect(after.stdout).toContain("puts back: 20 %, staff: 44 %");
  expect(after.stdout.match(/puts back/gi)).toHaveLength(2);
});

test("they come into a program as pull wrote it: those rows and those arguments, and nothing else of its files", async () => {
  const world = await openWorld();
  const seed = project(world, { "index.ts": plainProgram, ...bodies });
  await seed.done("up", "--yes", "--skip-preview");
  const terminal = project(world, { "index.ts": "" });
  await terminal.done("pull", "--force");
  commit(terminal.folder, "Pull");
  await terminal.done("up", "--yes", "--skip-preview");
  await staffEdits(world);
  const made = "<coupon><code>NEW</code><discount>5</discount><type-id>1</type-id></coupon>";
  await world.ask("POST", "/admin/discount_codes.xml", made.replaceAll("coupon>", "discount-code>"));
  const ran = await terminal.done("accept", "--all", "--yes");
  expect(ran.stdout).toContain(`Wrote ${count + 5} edits of staff.`);
  expect(terminal.read("coupons-2.ts")).toContain('code: "NEW"');
  expect(terminal.read("index.ts")).toContain("coupons-2");
  git(terminal.folder, ["checkout", "-q", "index.ts", "adopt.dev.json"]);
  expect(git(terminal.folder, ["diff", "--stat"])).toContain(
    `5 files changed, ${count + 5} insertions(+), ${count + 2} deletions(-)`,
  );
  await terminal.done("preview", "--expect-no-changes");
});

const settings = `{
  "colors": { "link": "#00f", "text": "#111" },
  "sizes": [1, 2, 3],
  "title": "Ours"
}
`;
const mixed = `import { Asset, Coupon, getThemeOutput, Product } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new Asset("settings", { themeId, type: "Asset::Configuration", name: "settings_own.json", file: "theme/settings_own.json" });
new Asset("page", { themeId, type: "Asset::Snippet", name: "own_page.liquid", file: "theme/own_page.liquid" });
new Product("mug", {
  title: "Mug",
  variants: [
    // the red one
    { sku: "R", price: 5 },
    { sku: "G", price: 6 }, // green
  ],
});

// Ends soon.
new Coupon("gone", { code: "GONE", discount: 5, typeId: 1 });

const kept = new Coupon("kept", { code: "KEPT", discount: 5, typeId: 1 });
export const keptId = kept.id;
new Coupon("both", { code: "BOTH", discount: 5, typeId: 1, description: "" });
`;

test("a text on one line stays on one line, computed values are listed before the question, and files outside git need --force", async () => {
  const world = await openWorld();
  const program = `import { Coupon, Product } from "pulumi-shop";
const half = 25 + 25;
new Product("mug", { title: "Mug", description: "<p>One</p>\\n<p>Two</p>", variants: [{ sku: "MUG", price: 10 }] });
new Coupon("half", { code: "HALF", discount: { percent: half } });
`;
  const terminal = project(world, { "index.ts": program });
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({
    kind: "product",
    where: { title: "Mug" },
    set: { description: "<p>One</p>\n<p>2</p>" },
  });
  await world.edit({ kind: "discount_code", where: { code: "HALF" }, set: { discount: "40.0" } });
  const asked = await terminal.dev("accept", "--all");
  expect(asked.code).toBe(2);
  expect(asked.all).toMatch(
    /Product mug: description: .*index\.ts:3\)\nNot written, 1:\n {2}index\.ts:2 {2}Coupon half: .*\n[\s\S]*no terminal to confirm on/,
  );
  rmSync(join(terminal.folder, ".git"), { recursive: true });
  const unguarded = await terminal.dev("accept", "--all", "--yes");
  expect(unguarded.stderr).toContain(
    "these files aren't in a git repository, so you couldn't restore them:\n  index.ts",
  );
  const accepted = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(accepted.code).toBe(2);
  expect(terminal.read("index.ts")).toBe(program.replace("<p>Two</p>", "<p>2</p>"));
});

campaignTest(
  "a program in a folder of a repository takes in edits of files beside its folder, if git has them",
  async () => {
    const world = await openWorld();
    const program = `import { Coupon } from "pulumi-shop";
import { percent } from "../shared/percent.ts";
new Coupon("a", { code: "A", discount: { percent } });
`;
    const terminal = project(world, {
      "shop/index.ts": program,
      "shared/percent.ts": "export const percent = 5;\n",
    });
    for (const name of ["Pulumi.yaml", "Pulumi.dev.yaml"])
      renameSync(join(terminal.folder, name), join(terminal.folder, "shop", name));
    // Git tracks the file, and not what is behind a link to its folder.
    renameSync(join(terminal.folder, "shared"), join(terminal.folder, "common"));
    symlinkSync("common", join(terminal.folder, "shared"));
    commit(terminal.folder, "A monorepo");
    await terminal.done("up", "--yes", "--skip-preview", "--cwd", "shop");
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "9.0" } });
    await terminal.done("accept", "--all", "--yes", "--cwd", "shop");
    expect(changedLines(terminal)).toEqual(["-export const percent = 5;", "+export const percent = 9;"]);

    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "8.0" } });
    const refused = await terminal.dev("accept", "--all", "--yes", "--cwd", "shop");
    expect(refused.all).toContain("these files have uncommitted changes:\n  ../common/percent.ts\n");

    // The folder may have a link to it elsewhere.
    mkdirSync(join(terminal.folder, "links"));
    symlinkSync("../shop", join(terminal.folder, "links/shop"));
    await terminal.done("accept", "--all", "--yes", "--force", "--cwd", "links/shop");
    expect(terminal.read("common/percent.ts")).toBe("export const percent = 8;\n");
  },
);

campaignTest(
  "a price kind's title that staff changed is left to a person where prices stand under it",
  async () => {
    const world = await openWorld();
    await world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 5 }] });
    const program = `import { PriceKind, Prices, Product } from "pulumi-shop";
const kind = new PriceKind("kind", { title: "Wholesale" });
new PriceKind("vip", { title: "VIP" }, { dependsOn: kind });
new Product("mug", { title: "Mug", variants: [{ sku: "MUG", price: 10, prices: { Wholesale: 8 } }] }, { dependsOn: kind });
new Prices("list", { rows: [{ sku: "CUP", prices: { Wholesale: 4 } }] }, { dependsOn: kind });
`;
    const terminal = project(world, { "index.ts": program });
    await terminal.done("up", "--yes", "--skip-preview");
    for (const { id, title } of world.rows("price_kind"))
      await world.edit({ kind: "price_kind", id: Number(id), set: { title: `${title} 2` } });
    const accepted = await terminal.dev("accept", "--all", "--yes", "--force");
    expect(accepted.code).toBe(2);
    expect(accepted.all).toContain(
      'index.ts:2  PriceKind kind: title: "Wholesale" => "Wholesale 2" (write it where Prices list, Product mug name it too)',
    );
    expect(terminal.read("index.ts")).toBe(program.replace('"VIP"', '"VIP 2"'));
    const renamed = terminal.read("index.ts").replace('"Wholesale"', '"Wholesale 2"');
    terminal.write("index.ts", renamed.replaceAll("{ Wholesale:", '{ "Wholesale 2":'));
    const preview = await terminal.done("preview");
    expect(preview.stdout).not.toContain("Puts back");
  },
);

test("what both changed comes together: texts by lines, settings by value, and single values by a person's word", async () => {
  const world = await openWorld();
  const page = "one\ntwo\nthree\nfour\nfive\nsix\n";
  const program = mixed.replace("price: 6", "price: 6, oldPrice: 9");
  const files = { "index.ts": program, "theme/settings_own.json": settings, "theme/own_page.liquid": page };
  const terminal = project(world, files);
  await terminal.done("up", "--yes", "--skip-preview");
  const [asset, json] = ["own_page.liquid", "settings_own.json"].map((name) =>
    (world.rows("asset") as readonly { id: number; name: string }[]).find((one) => one.name === name),
  );
  await world.edit({ kind: "asset", id: asset?.id, set: { content: page.replace("two", "two by staff") } });
  const theirs = settings.replace("#00f", "#f00").replaceAll(/\s/g, "");
  await world.edit({ kind: "asset", id: json?.id, set: { content: theirs } });
  await world.edit({
    kind: "discount_code",
    where: { code: "BOTH" },
    set: { discount: "9.0", description: "sale" },
  });
  await editVariants(world, (sku) => (sku === "G" ? { old_price: "12.0" } : undefined));
  terminal.write("theme/own_page.liquid", page.replace("five", "five by us"));
  terminal.write("theme/settings_own.json", settings.replace("Ours", "Our shop"));
  const ours = program.replace(/ +\{ sku: "G".*\n/, "");
  terminal.write("index.ts", ours.replace('code: "BOTH", discount: 5', 'code: "BOTH", discount: 7'));
  const guarded = await terminal.dev("accept", "--all", "--yes");
  expect(guarded.code).toBe(2);
  expect(guarded.stderr).toContain("these files have uncommitted changes:");
  commit(terminal.folder, "Ours");
  const ran = await terminal.dev("accept", "--all", "--yes");
  expect(ran.code, ran.all).toBe(2);
  expect(ran.stdout).toContain(
    "Coupon both: discount: 7 % => 9 % (both changed it; --theirs accepts the shop's value)",
  );
  expect(ran.stdout).toContain("Product mug: variants[G]: taken out of the program, changed by staff (both");
  expect(terminal.read("theme/own_page.liquid")).toBe(
    page.replace("five", "five by us").replace("two", "two by staff"),
  );
  expect(terminal.read("theme/settings_own.json")).toBe(
    settings.replace("Ours", "Our shop").replace("#00f", "#f00"),
  );
  expect(terminal.read("index.ts")).toContain('discount: 7, typeId: 1, description: "sale"');
  commit(terminal.folder, "Theirs");
  const taken = await terminal.done("accept", "both", "mug", "--theirs", "--yes");
  expect(taken.stdout).toContain("Wrote 2 edits of staff.");
  expect(terminal.read("index.ts")).toContain('{ sku: "G", price: 6, oldPrice: 12 }');
  // Our line is replaced by staff's.
  const up = await terminal.done("up", "--yes");
  expect(up.all).not.toMatch(/puts back|conflict/i);
  const [shown, values] = [asset, json].map((one) =>
    (world.rows("asset") as readonly { id: number; content?: string }[]).find(({ id }) => id === one?.id),
  );
  expect(shown?.content).toBe(terminal.read("theme/own_page.liquid"));
  expect(JSON.parse(values?.content ?? "")).toEqual(JSON.parse(terminal.read("theme/settings_own.json")));
  await terminal.done("preview", "--refresh", "--expect-no-changes");
});

const makers = `import { Coupon, Product, table } from "pulumi-shop";
const sized = (sku: string, prices: Record<string, number>) =>
  Object.entries(prices).map(([size, price]) => ({ sku: \`\${sku}-\${size}\`, price }));
const coupon = (code: string, percent: number) => new Coupon(code, { code, discount: { percent } });
coupon("called", 5);
// The second one.
coupon("stays", 6);
const pairs: [string, number][] = [
  ["tuple", 7], // of two
  ["second", 8],
  ["third", 8] // the last
];
pairs.forEach(([code, of]) => coupon(code, of));
const named = { entry: 9, rest: 10 };
for (const [code, of] of Object.entries(named)) coupon(code, of);
for (const { code, of } of table("coupons.csv", { key: "code" })) coupon(code, Number(of));
new Product("mug", { title: "Mug", variants: sized("MUG", { S: 5, M: 6, L: 7 }) });
const price = 20;
new Product("jug", { title: "Jug", variants: [{ sku: "J1", price }, { sku: "J2", price }, { sku: "J3", price: price }] });
const pots = table("pots.json", { key: "sku" }) as unknown as { sku: string; price: number }[];
new Product("pot", { title: "Pot", variants: pots });
`;

campaignTest(
  "what staff delete or change goes out of the lists, calls, tables and constants that make it, with its comment, and nothing else",
  async () => {
    const world = await openWorld();
    const terminal = project(world, {
      "index.ts": makers.replaceAll("\n", "\r\n"),
      "coupons.csv": "code,of\r\nrow,11\r\nlast,12\r\nend,13",
      "pots.json":
        '[\n  { "sku": "A", "price": 1 },\n  { "sku": "B", "price": 2 },\n  { "sku": "C", "price": 3 }\n]\n',
    });
    await terminal.done("up", "--yes", "--skip-preview");
    for (const code of ["called", "tuple", "second", "third", "entry", "last", "end"])
      await world.edit({ kind: "discount_code", where: { code }, delete: true });
    type Pot = { readonly id: number; readonly variants: readonly { readonly sku: string }[] };
    for (const { id, variants } of world.rows("product") as unknown as readonly Pot[]) {
      const kept = variants.filter(({ sku }) => !["MUG-M", "B", "C"].includes(sku));
      await world.edit({ kind: "product", id, set: { variants: kept } });
    }
    await editVariants(world, (sku) => (sku === "J2" ? { price: "21.0" } : undefined));
    // The history knows what an earlier refresh found.
    await terminal.done("refresh", "--yes");
    // Edits that runs keep in the shop can be accepted, too.
    terminal.env.SHOP_KEEP = "Coupon,Product";
    await terminal.done("accept", "--all", "--yes");
    terminal.env.SHOP_KEEP = "";
    expect(changedLines(terminal).map((line) => line.trimEnd())).toEqual([
      "-last,12",
      "-end,13",
      '-coupon("called", 5);',
      '-  ["tuple", 7], // of two',
      '-  ["second", 8],',
      '-  ["third", 8] // the last',
      "-const named = { entry: 9, rest: 10 };",
      "+const named = { rest: 10 };",
      '-new Product("mug", { title: "Mug", variants: sized("MUG", { S: 5, M: 6, L: 7 }) });',
      '+new Product("mug", { title: "Mug", variants: sized("MUG", { S: 5, L: 7 }) });',
      '-new Product("jug", { title: "Jug", variants: [{ sku: "J1", price }, { sku: "J2", price }, { sku: "J3", price: price }] });',
      '+new Product("jug", { title: "Jug", variants: [{ sku: "J1", price }, { sku: "J2", price: 21 }, { sku: "J3", price: price }] });',
      '-  { "sku": "A", "price": 1 },',
      '-  { "sku": "B", "price": 2 },',
      '-  { "sku": "C", "price": 3 }',
      '+  { "sku": "A", "price": 1 }',
    ]);
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("git applies the patch of a file whose lines end in CRLF, and in blanks", async () => {
  const world = await openWorld();
  const text =
    'import { Coupon } from "pulumi-shop";\nnew Coupon("spring", {\n  code: "SPRING",\n  discount: { percent: 10 },\n\n});\n \n';
  const terminal = project(world, { "index.ts": text.replaceAll("\n", "\r\n") });
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "30.0" } });
  const { stdout } = await terminal.done("accept", "--all", "--dry-run");
  terminal.write("edits.patch", stdout);
  const { status, stderr } = spawnSync("git", ["-C", terminal.folder, "apply", "edits.patch"]);
  expect([status, String(stderr)]).toEqual([0, ""]);
  expect(terminal.read("index.ts")).toBe(text.replaceAll("\n", "\r\n").replace("10", "30"));
});

campaignTest(
  "of two tables with the same keys, only the one that a value is from is changed, or none where both may have it",
  async () => {
    const world = await openWorld();
    const names = (column: string) => `sku,title,${column}\nA,a,10\nB,b,20\n`;
    const terminal = project(world, {
      "index.ts": `import { Product, table } from "pulumi-shop";
const prices = new Map(table("prices.csv", { key: "sku" }).map(({ sku, price }) => [sku, price]));
for (const { sku, title } of table("names.csv", { key: "sku" }))
  new Product(sku, { title, variants: [{ sku, price: prices.get(sku)! }] });
`,
      "prices.csv": "sku,price\nA,10\nB,20\n",
      "names.csv": names("rank"),
    });
    await terminal.done("up", "--yes", "--skip-preview");
    await editVariants(world, (sku) => (sku === "A" ? { price: "11.0" } : undefined));
    await terminal.done("accept", "--all", "--yes");
    expect(changedLines(terminal)).toEqual(["-A,10", "+A,11"]);
    terminal.write("names.csv", names("price"));
    commit(terminal.folder, "Both have a price");
    await editVariants(world, (sku) => (sku === "B" ? { price: "21.0" } : undefined));
    const both = await terminal.dev("accept", "--all", "--yes");
    expect([both.code, both.stdout]).toEqual([
      2,
      expect.stringContaining(
        "index.ts:4  Product B: variants[B].price: 20 => 21 (it may be from prices.csv or names.csv)",
      ),
    ]);
    expect(git(terminal.folder, ["status", "--porcelain"])).toBe("");
  },
);

campaignTest(
  "a setting that staff set to null becomes null in the program's file and text, and is no setting that they removed",
  async () => {
    const world = await openWorld();
    const own = '{\n  "a": 1,\n  "b": null,\n  "c": 2\n}\n';
    const settings = (name: string, body: string) =>
      `new Asset("${name}", { themeId, type: "Asset::Snippet", name: "own_${name}.json", ${body} });\n`;
    const terminal = project(world, {
      "index.ts": `import { Asset, getThemeOutput } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
${settings("file", 'file: "own.json"')}${settings("text", 'content: \'{"a":1,"c":{"d":2}}\'')}`,
      "own.json": own,
    });
    await terminal.done("up", "--yes", "--skip-preview");
    const edit = (name: string, content: string) =>
      world.edit({ kind: "asset", where: { name: `own_${name}.json` }, set: { content } });
    await edit("file", '{"a":null,"b":null,"n":null}');
    await edit("text", '{"a":null,"c":{"d":null}}');
    await terminal.done("accept", "--all", "--yes");
    expect(terminal.read("own.json")).toBe('{\n  "a": null,\n  "b": null,\n  "n": null\n}\n');
    expect(terminal.read("index.ts")).toContain(`content: '{"a":null,"c":{"d":null}}'`);
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("variants that staff added and removed, and objects that they deleted, come into the program and go out of it", async () => {
  const world = await openWorld();
  const terminal = project(world, {
    "index.ts": mixed,
    "theme/settings_own.json": settings,
    "theme/own_page.liquid": "page\n",
  });
  await terminal.done("up", "--yes", "--skip-preview");
  const [row] = world.rows("product") as readonly { id: number; variants: readonly { sku: string }[] }[];
  const variants = [
    ...(row?.variants ?? []).filter(({ sku }) => sku !== "R"),
    { id: 990001, sku: "B", price: "7.5", quantity: 3 },
  ];
  await world.edit({ kind: "product", id: row?.id, set: { variants } });
  for (const code of ["GONE", "KEPT"])
    await world.edit({ kind: "discount_code", where: { code }, delete: true });
  const ran = await terminal.dev("accept", "--yes");
  expect(ran.stdout).toContain(
    "Not written, 1:\n  index.ts:17  Coupon kept: deleted by staff (the program uses it in line 18)",
  );
  expect(changedLines(terminal)).toEqual([
    "-    // the red one",
    '-    { sku: "R", price: 5 },',
    '+    { sku: "B", price: 7.5 },',
    "-// Ends soon.",
    '-new Coupon("gone", { code: "GONE", discount: 5, typeId: 1 });',
    "-",
  ]);
  expect(ran.code).toBe(2);
  const after = await terminal.dev("preview");
  expect(after.stdout).toMatch(/1 to create/);
  expect(after.stdout).not.toMatch(/to update|to delete/);
});

test("variants that staff added come into the rows that a program makes them of, in its own form, and none that its loop would make otherwise", async () => {
  const world = await openWorld();
  const terminal = project(world, {
    "index.ts": `import { Product } from "pulumi-shop";
new Product("shirt", { title: "Shirt", variants: [{ sku: "SH-S", price: 20, options: { Size: "S" } }] });
const sizes = ["S", "M"];
new Product("cap", { title: "Cap", variants: sizes.map((size) => ({ sku: \`CAP-\${size}\`, price: 9, options: { Size: size } })) });
new Product("hat", { title: "Hat", variants: sizes.map((size) => ({ sku: \`HAT-\${size}\`, price: 4 })) });
const prices = { "POT-1": 5 };
new Product("pot", { title: "Pot", variants: Object.entries(prices).map(([sku, price]) => ({ sku, price })) });
const rows = [
  { title: "Jug", sku: "JUG-1", price: 3, note: "a note" },
  { title: "Bowl", sku: "BOWL-1", price: 6, note: "" },
];
for (const [title, own] of Map.groupBy(rows, (row) => row.title))
  new Product(title.toLowerCase(), { title, variants: own.map(({ sku, price }) => ({ sku, price })) });
`,
  });
  await terminal.done("up", "--yes", "--skip-preview");
  type Row = { id: number; title: string; variants: readonly { option_values: readonly object[] }[] };
  const add = async (
    title: string,
    ...added: readonly (readonly [sku: string, price: string, size?: string])[]
  ) => {
    const row = (world.rows("product") as unknown as readonly Row[]).find((one) => one.title === title);
    const more = added.map(([sku, price, size], at) => {
      const values = row?.variants[0]?.option_values.map((one) => ({ ...one, id: 990_100, title: size }));
      return { id: 990_001 + at, sku, price, option_values: values };
    });
    await world.edit({
      kind: "product",
      id: row?.id,
      set: { variants: [...(row?.variants ?? []), ...more] },
    });
  };
  await add("Shirt", ["SH-L", "22.0", "L"]);
  await add("Cap", ["CAP-XL", "11.0", "XL"]);
  await add("Pot", ["POT-2", "8.0"], ["POT-3", "8.5"]);
  await add("Jug", ["JUG-2", "5.5"]);
  const ran = await terminal.dev("accept", "--all", "--yes");
  expect(ran.stdout).toContain(
    "Not written, 1:\n  index.ts:3  Product cap: variants[CAP-XL]: added by staff (the program computes something else from it)",
  );
  expect(ran.code).toBe(2);
  expect(changedLines(terminal)).toEqual([
    '-new Product("shirt", { title: "Shirt", variants: [{ sku: "SH-S", price: 20, options: { Size: "S" } }] });',
    '+new Product("shirt", { title: "Shirt", variants: [{ sku: "SH-S", price: 20, options: { Size: "S" } }, { sku: "SH-L", price: 22, options: { Size: "L" } }] });',
    '-const prices = { "POT-1": 5 };',
    '+const prices = { "POT-1": 5, "POT-2": 8, "POT-3": 8.5 };',
    '+  { title: "Jug", sku: "JUG-2", price: 5.5, note: "a note" },',
  ]);
  const after = await terminal.dev("preview");
  expect(after.stdout).toContain("~ 1 to update");
});
