// Sources that are written otherwise than a new project's: modules of CommonJS, files with both kinds of line ends or in other encodings, settings that staff saved in one line.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const project = "name: user\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js\n";
const entry = `"use strict";
const shop = require("pulumi-shop");
const { Coupon } = require("pulumi-shop");
const { mug, sized: of, deep: { percent = 3 } } = require("./rates");
const { coupon } = require("./coupons");
const codes = require("./codes.json");

module.exports = async () => {
  const theme = shop.getThemeOutput({ published: true });
  const asset = (name, type) =>
    new shop.Asset(name, { themeId: theme.id, type, name, file: \`theme/\${name}\` });
  asset("page.a.liquid", "Asset::Template");
  asset("own.json", "Asset::Configuration");
  new shop.Product("mug", { title: "Mug", variants: [{ sku: "M1", price: mug }, { sku: "M2", price: of.small }] });
  new shop.Product("jug", { title: "Jug", variants: [{ sku: "J1", price: 9 }, { sku: "J2", price: 12 }] });
  new shop.Product("pot", { title: "Pot", variants: [{ sku: "P1", price: 9 }] });
  new Coupon("json", { code: codes[0].code, discount: { percent: codes[0].percent } });
  new Coupon("deep", { code: "DEEP", discount: { percent } });
  new Coupon("again", { code: "AGAIN", discount: { percent: 10 } });
  coupon("called", 5);
  return {};
};
`;
const menu = ['{ "id": "a", "title": "A" }', '{ "id": "b", "title": "B" }', '{ "id": "c", "title": "C" }'];
const files = {
  "Pulumi.yaml": project,
  "package.json": '{ "name": "user", "type": "commonjs" }',
  "index.js": entry,
  "prices.js":
    "exports.mug = 10; // euros\nmodule.exports.sized = { small: 12 };\nexports.deep = { percent: 10 };\n",
  "rates.js": 'module.exports = require("./prices");\n',
  "coupons.js": `const { Coupon } = require("pulumi-shop");
function coupon(code, percent) {
  return new Coupon(code, { code, discount: { percent } });
}
module.exports = { coupon };
`,
  "codes.json": '[{ "code": "JSON", "percent": 10 }]\n',
  "theme/page.a.liquid": "one\r\ntwo\nthree\r\nfour\n",
  "theme/own.json": `{\n  "color": "red",\n  "menu": [\n    ${menu.join(",\n    ")}\n  ]\n}\n`,
};

test("the values that staff changed come into such sources, nothing else of them changes, and the next preview is empty", async () => {
  const world = await openWorld();
  const terminal = openTerminal("", world.env);
  for (const [path, text] of Object.entries(files)) terminal.write(path, text);
  await terminal.done("up", "--yes", "--skip-preview");
  type Row = { readonly id: number; readonly variants: readonly Record<string, unknown>[] };
  const edits: Readonly<Record<string, object>> = {
    M1: { price: "99.0" },
    M2: { price: "77.0" },
    // Staff swapped two SKUs.
    J1: { sku: "J2" },
    J2: { sku: "J1" },
    // They made another variant and deleted the only one.
    P1: { id: 990001, sku: "P2", price: "6.0" },
  };
  for (const { id, variants } of world.rows("product") as unknown as readonly Row[]) {
    const set = { variants: variants.map((one) => ({ ...one, ...edits[String(one.sku)] })) };
    await world.edit({ kind: "product", id, set });
  }
  for (const [code, discount] of Object.entries({ JSON: "20.0", DEEP: "30.0", called: "6.0" }))
    await world.edit({ kind: "discount_code", where: { code }, set: { discount } });
  for (const [name, content] of Object.entries({
    "page.a.liquid": "one\nTWO\nthree\nfour\n",
    "own.json":
      '{"menu":[{"id":"c","title":"C"},{"id":"d","title":"D"},{"id":"a","title":"A 2"},{"id":"b","title":"B"}],"color":"blue"}',
  }))
    await world.edit({ kind: "asset", where: { name }, set: { content } });
  await world.edit({ kind: "discount_code", where: { code: "AGAIN" }, delete: true });
  const made = "<discount-code><code>AGAIN</code><discount>5</discount><type-id>1</type-id></discount-code>";
  await world.ask("POST", "/admin/discount_codes.xml", made);

  const ran = await terminal.done("accept", "--all", "--yes", "--force");
  expect(ran.stdout).toContain("Wrote 17 edits of staff.");
  expect(ran.stdout).toMatch(/\n? {2}Coupon again: made again by staff, with the id \d+\n/);
  const written = Object.fromEntries(Object.keys(files).map((path) => [path, terminal.read(path)]));
  expect(written).toEqual({
    ...files,
    "index.js": entry
      .replace(
        '{ sku: "J1", price: 9 }, { sku: "J2", price: 12 }',
        '{ sku: "J2", price: 9 }, { sku: "J1", price: 12 }',
      )
      .replace('{ sku: "P1", price: 9 }', '{ sku: "P2", price: 6 }')
      .replace('"AGAIN", discount: { percent: 10 }', '"AGAIN", discount: { percent: 5 }')
      .replace('("called", 5)', '("called", 6)'),
    "prices.js":
      "exports.mug = 99; // euros\nmodule.exports.sized = { small: 77 };\nexports.deep = { percent: 30 };\n",
    "codes.json": '[{ "code": "JSON", "percent": 20 }]\n',
    "theme/page.a.liquid": "one\r\nTWO\nthree\r\nfour\n",
    "theme/own.json": `{\n  "color": "blue",\n  "menu": [\n    ${[
      menu[2],
      '{\n      "id": "d",\n      "title": "D"\n    }',
      menu[0]?.replace('"A"', '"A 2"'),
      menu[1],
    ].join(",\n    ")}\n  ]\n}\n`,
  });
  const adopted = await terminal.done("up", "--yes");
  expect(adopted.stdout).toMatch(/Resources:\n +9 unchanged/);
  await terminal.done("preview", "--expect-no-changes");
});

test("what staff deleted is taken out with the loop or the condition that has nothing else, and the statement behind stays", async () => {
  const world = await openWorld();
  const coupon = (name: string) => `new Coupon(${name}, { code: ${name}, discount: 5, typeId: 1 });`;
  const text = (of: readonly string[]) => `import { Coupon } from "pulumi-shop";
${of.join("")}${coupon('"STAY"')}
export {};
`;
  const looped = `for (const name of ["LOOP"]) ${coupon("name")}\n`;
  const nested = `if (process.env.NOBODY === undefined)\n  for (const name of ["DEEP"]) ${coupon("name")}\n`;
  const either = `if (process.env.NOBODY) ${coupon('"NEVER"')}\nelse ${coupon('"ELSE"')}\n`;
  const terminal = openTerminal(text([looped, nested, either]), world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["LOOP", "DEEP", "ELSE"])
    await world.edit({ kind: "discount_code", where: { code }, delete: true });
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(text([either.replace(coupon('"ELSE"'), "{}")]));
});

// Each number is one coupon's percentage.
const forms = {
  "index.ts": `import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Coupon } from "pulumi-shop";
import imported from "./imported.json" with { type: "json" };

const coupon = (code: string, discount: number) => new Coupon(code, { code, discount, typeId: 1 });
const read = JSON.parse(readFileSync("data/read.json", "utf8"));
coupon("read", read.deep.percent);
for (const { code, percent } of read.list) coupon(code, percent);
coupon("at", JSON.parse(readFileSync(new URL("data/at.json", import.meta.url), "utf8")).percent);
coupon("beside", JSON.parse(readFileSync(join(import.meta.dirname, "data", "beside.json"), "utf8")).percent);
coupon("imported", imported.percent);

class Rates {
  static sale = { percent: 21 };
  static get club() {
    return 22;
  }
  fixed = 23;
  get other() {
    return 24;
  }
}
coupon("static", Rates.sale.percent);
coupon("static-getter", Rates.club);
coupon("property", new Rates().fixed);
coupon("getter", new Rates().other);
const object = {
  get percent() {
    return 25;
  },
};
coupon("own-getter", object.percent);

function byCode(code: string) {
  if (code === "none") return 1;
  switch (code) {
    case "switch":
      return 26;
    default:
      return 27;
  }
}
coupon("switch", byCode("switch"));
coupon("default", byCode("other"));

const map = new Map([["map", 28]]);
coupon("map", map.get("map") ?? 0);
coupon("assigned", Object.assign({}, { percent: 29 }).percent);
coupon("cloned", structuredClone({ percent: 30 }).percent);
const pair: [string, number] = ["spread", 31];
coupon(...pair);
coupon("last", [1, 32].at(-1)!);
coupon("signed", +"33");
coupon("parsed", Number.parseFloat("34"));
coupon("integer", parseInt("37"));
let later: number;
later = 35;
coupon("later", later);
[36].forEach((percent, index) => coupon(\`item\${index + 1}\`, percent));
`,
  "data/read.json": '{ "deep": { "percent": 11 }, "list": [{ "code": "listed", "percent": 12 }] }\n',
  "data/at.json": '{ "percent": 13 }\n',
  "data/beside.json": '{ "percent": 14 }\n',
  "imported.json": '{ "percent": 15 }\n',
};

test("accept writes values of files that the program reads, getters, branches, maps and spread arguments", async () => {
  const world = await openWorld();
  const terminal = openTerminal("", world.env);
  for (const [path, text] of Object.entries(forms)) terminal.write(path, text);
  const up = await terminal.run("up", "--yes", "--skip-preview", "--stack", "dev");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const coupons = world.rows("discount_code");
  for (const { id, discount } of coupons)
    await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
  const accepted = await terminal.run("accept", "--all", "--yes", "--force", "--stack", "dev");
  expect(accepted.code, accepted.stdout + accepted.stderr).toBe(0);
  expect(accepted.stdout).toContain(`Wrote ${coupons.length} edits of staff.`);
  for (const [path, text] of Object.entries(forms)) {
    const edited = text.replaceAll(/\b[123]\d\b/g, (number) => String(Number(number) + 50));
    expect(terminal.read(path)).toBe(edited);
  }
  const after = await terminal.run("preview", "--expect-no-changes", "--stack", "dev");
  expect(after.code, after.stdout + after.stderr).toBe(0);
});

test("an edit that doesn't have its effect is listed with its place, also by --dry-run, which leaves the files as they are", async () => {
  const world = await openWorld();
  const text = `import { Coupon } from "pulumi-shop";
const percent = [10, 11].find((one) => one === 10)!;
new Coupon("a", { code: "A", discount: percent, typeId: 1 });
new Coupon("b", { code: "B", discount: 10, typeId: 1 });
`;
  const terminal = openTerminal(text, world.env);
  expect((await terminal.run("up", "--yes", "--stack", "dev")).code).toBe(0);
  for (const code of ["A", "B"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "20.0" } });
  const listed =
    "\n  index.ts:2  Coupon a: discount: 10 % => 20 % (the program computes something else from it)\n";
  const dry = await terminal.run("accept", "--all", "--dry-run", "--stack", "dev");
  expect([dry.code, dry.stdout]).toEqual([2, expect.stringContaining(listed)]);
  const changed = (sign: string) => dry.stdout.split("\n").filter((line) => line.startsWith(sign));
  expect(["-", "+"].map((sign) => changed(sign).slice(1))).toEqual([
    ['-new Coupon("b", { code: "B", discount: 10, typeId: 1 });'],
    ['+new Coupon("b", { code: "B", discount: 20, typeId: 1 });'],
  ]);
  expect(terminal.read("index.ts")).toBe(text);
  const { code, stdout } = await terminal.run("accept", "--all", "--yes", "--force", "--stack", "dev");
  expect([code, stdout]).toEqual([2, expect.stringContaining(listed)]);
  expect(terminal.read("index.ts")).toBe(text.replace('"B", discount: 10', '"B", discount: 20'));
});

test("a cell of a sheet keeps its quotation marks, and the sheet its mark, its ends of lines and its separator", async () => {
  const sheets: Readonly<Record<string, readonly [before: string, after: string]>> = {
    "bom.csv": ["\ufeffsku,price\r\nA,1\r\nB,2\r\n", "\ufeffsku,price\r\nA,11\r\nB,12\r\n"],
    "marks.csv": ['"sku","price"\n"C","3"\n"D","4"\n', '"sku","price"\n"C","13"\n"D","14"\n'],
    "semicolons.csv": ['sku;price;note\nE;"5,00";"a;""b"""\n', 'sku;price;note\nE;"15,00";"a;""b"""\n'],
    "tabs.csv": ["sku\tprice\nF\t6\nG\t7", "sku\tprice\nF\t16\nG\t17"],
  };
  const loop = (path: string) =>
    `for (const { sku, price } of table("${path}", { key: "sku" })) make(sku, price);\n`;
  const program = `import { Product, table } from "pulumi-shop";
const [tabs, by] = ["tabs.csv", { "key": "sku" }] as const;
const make = (sku: string, price: string) =>
  new Product(sku, { title: sku, variants: [{ sku, price: Number(price.replace(",", ".")) }] });
${Object.keys(sheets).map(loop).join("").replace('"tabs.csv", { key: "sku" }', "tabs, by")}`;
  const world = await openWorld();
  const terminal = openTerminal(program, world.env);
  for (const [path, [before]] of Object.entries(sheets)) terminal.write(path, before);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id, variants } of world.rows("product")) {
    const raised = (variants as readonly { price: string }[]).map((one) => ({
      ...one,
      price: String(Number(one.price) + 10),
    }));
    await world.edit({ kind: "product", id, set: { variants: raised } });
  }
  await terminal.done("accept", "--all", "--yes", "--force");
  for (const [path, [, after]] of Object.entries(sheets)) expect(terminal.read(path)).toBe(after);
  expect(terminal.read("index.ts")).toBe(program);
  await terminal.done("preview", "--expect-no-changes");
});

test("what staff deleted takes its own comments out of a program, and leaves the ones that others share", async () => {
  const world = await openWorld();
  const coupon = (code: string) => `new Coupon("${code}", { code: "${code}", discount: { percent: 5 } });\n`;
  const program = [
    'import { Coupon } from "pulumi-shop";\n\n',
    `// All coupons.\n\n// For two seasons.\n${coupon("spring")}${coupon("autumn")}`,
    `/** Only winter. */\n${coupon("winter")}${coupon("ice")}`,
    `// The last one.\n// It ends soon.\n${coupon("last")}\n`,
    'for (const code of [\n  // one\n  "a",\n  "b",\n  // more\n  "c",\n])\n',
    `  ${coupon("").replaceAll('"", { code: ""', "code, { code")}`,
  ].join("");
  const terminal = openTerminal(program, world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["spring", "winter", "last", "a", "c"])
    await world.edit({ kind: "discount_code", where: { code }, delete: true });
  const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(
    program
      .replace(coupon("spring"), "")
      .replace(`/** Only winter. */\n${coupon("winter")}`, "")
      .replace(`// The last one.\n// It ends soon.\n${coupon("last")}`, "")
      .replace('  // one\n  "a",\n', "")
      .replace('  // more\n  "c",\n', ""),
  );
  for (const [code, line] of Object.entries({ spring: 6, winter: 9, last: 13, a: 17, c: 20 }))
    expect(stdout).toContain(`  Coupon ${code}: deleted by staff  (index.ts:${line})\n`);
  await terminal.done("preview", "--expect-no-changes");
});

test("a text that is a number is written as staff wrote it, and an amount with the decimals that it had", async () => {
  const world = await openWorld();
  const program = (
    code: string,
    title: string,
    amounts: string,
  ) => `import { Coupon, Product, table } from "pulumi-shop";
new Coupon("a", { code: "${code}", discount: { percent: 5 } });
new Product("p", { title: "${title}", permalink: "p", variants: [{ sku: "S", ${amounts} }] });
for (const { sku, title, price } of table("rows.csv", { key: "sku" }))
  new Product(sku, { title, permalink: sku, variants: [{ sku, price }] });
`;
  const before = program("1.50", "7", 'price: "1.50", barcode: "4006"');
  const terminal = openTerminal(before, world.env);
  terminal.write("rows.csv", "sku,title,price\nr-1,5.50,1.50\n");
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "1.50" }, set: { code: "2" } });
  for (const [permalink, title, barcode] of [
    ["p", "007", "04006"],
    ["r-1", "6", null],
  ] as const) {
    const { id, variants: [variant] = [] } = world
      .rows("product")
      .find((row) => row.permalink === permalink) as {
      readonly id: number;
      readonly variants?: readonly object[];
    };
    await world.edit({
      kind: "product",
      id,
      set: { title, variants: [{ ...variant, price: "2.0", barcode }] },
    });
  }
  await terminal.done("accept", "--all", "--yes", "--force");
  expect([terminal.read("index.ts"), terminal.read("rows.csv")]).toEqual([
    program("2", "007", 'price: "2.00", barcode: "04006"'),
    "sku,title,price\nr-1,6,2.00\n",
  ]);
  await terminal.done("preview", "--expect-no-changes");
});

test("the patch of accept --dry-run is sorted as git sorts it, and git applies it to links and files with a mark", async () => {
  const world = await openWorld();
  const coupon = (code: string, discount: string) =>
    `new Coupon("${code}", { code: "${code}", discount: { percent: ${discount} } });\n`;
  const files = (rates: Readonly<Record<string, number>>) => ({
    "a.csv": `\uFEFFcode,percent\r\nrow,${rates.row}\r\n`,
    "index.ts": `\uFEFFimport { Coupon, getThemeOutput, table, ThemeFolder } from "pulumi-shop";\r\nimport "./links/z.ts";\r\nnew ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });\r\n${coupon("own", String(rates.own))}${'for (const { code, percent } of table("a.csv", { key: "code" })) '}${coupon("", "Number(percent)").replaceAll('""', "code")}`,
    "real/c.ts": `import { Coupon } from "pulumi-shop";\n${coupon("linked", String(rates.linked))}`,
  });
  const before = files({ row: 5, own: 5, linked: 5 });
  const terminal = openTerminal("", world.env);
  for (const [path, text] of Object.entries(before)) terminal.write(path, text);
  for (const name of ["gone", "kept"]) terminal.write(`theme/templates/page.${name}.liquid`, `${name}\n`);
  mkdirSync(join(terminal.folder, "links"));
  symlinkSync("../real/c.ts", join(terminal.folder, "links/z.ts"));
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["row", "own", "linked"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "7.0" } });
  await world.edit({ kind: "asset", where: { name: "page.gone.liquid" }, delete: true });
  const { stdout } = await terminal.done("accept", "--all", "--dry-run");
  const gone = "theme/templates/page.gone.liquid";
  expect(stdout.match(/(?<=^--- a\/).*/gm)).toEqual(["a.csv", "index.ts", "real/c.ts", gone]);
  terminal.write("edits.patch", stdout);
  const { status, stderr } = spawnSync("git", ["-C", terminal.folder, "apply", "edits.patch"]);
  expect([status, String(stderr)]).toEqual([0, ""]);
  for (const [path, text] of Object.entries(files({ row: 7, own: 7, linked: 7 })))
    expect(terminal.read(path)).toBe(text);
  expect(existsSync(join(terminal.folder, gone))).toBe(false);
});

test("a file that isn't UTF-8 keeps its bytes: what staff changed in it is listed", async () => {
  const world = await openWorld();
  const program = `import { readFileSync } from "node:fs";
import { Coupon } from "pulumi-shop";
for (const { code, percent } of JSON.parse(readFileSync("rates.json", "utf8")) as { code: string; percent: number }[])
  new Coupon(code, { code, discount: { percent } });
new Coupon("own", { code: "own", discount: { percent: 5 } });
`;
  const terminal = openTerminal(program, world.env);
  const rates = Buffer.from('[{ "code": "rate", "percent": 5, "note": "caf\xe9" }]\n', "latin1");
  terminal.write("rates.json", rates);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["rate", "own"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "7.0" } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(ran.stdout).toContain(
    "\n  rates.json:1  Coupon rate: discount: 5 % => 7 % (the file isn't UTF-8: save it as UTF-8)\n",
  );
  expect([ran.code, readFileSync(join(terminal.folder, "rates.json")), terminal.read("index.ts")]).toEqual([
    2,
    rates,
    program.replace("percent: 5 }", "percent: 7 }"),
  ]);
});

test("what staff changed in a text that the program reads from a file is written there, and settings in a literal keep its layout", async () => {
  const world = await openWorld();
  const program = (settings: string) => `import * as fs from "node:fs";
import { readFile } from "node:fs/promises";
import { Asset, Product, getThemeOutput } from "pulumi-shop";
const texts = { mug: fs.readFileSync("texts/mug.html", "utf8"), bowl: await readFile("texts/bowl.html", { encoding: "utf-8" }) };
for (const [name, description] of Object.entries(texts))
  new Product(name, { title: name, permalink: name, description, variants: [{ sku: name, price: 1 }] });
const of = { themeId: getThemeOutput({ published: true }).id, type: "Asset::Template" } as const;
new Asset("page", { ...of, name: "page.own.liquid", content: fs.readFileSync("texts/own.liquid", "utf8") });
new Asset("settings", { ...of, name: "own.json", content: '${settings}' });
`;
  const terminal = openTerminal(program('{ "list": [{"id": 1}, {"id": 2}], "a" : 1 }'), world.env);
  terminal.warnings.push(/the platform shows no page with the template own\.json/);
  terminal.write("texts/mug.html", "<p>one</p>\r\n<p>two</p>\r\n");
  terminal.write("texts/bowl.html", "<p>deep</p>");
  terminal.write("texts/own.liquid", "one\ntwo\n");
  await terminal.done("up", "--yes", "--skip-preview");
  const edit = (
    kind: string,
    where: Readonly<Record<string, string>>,
    set: Readonly<Record<string, string>>,
  ) => world.edit({ kind, where, set });
  await edit("product", { permalink: "mug" }, { description: "<p>one</p>\n<p>2</p>\n<p>3</p>\n" });
  await edit("product", { permalink: "bowl" }, { description: "<p>flat</p>" });
  await edit("asset", { name: "page.own.liquid" }, { content: "one\n2\n" });
  await edit("asset", { name: "own.json" }, { content: '{"list":[{"id":2},{"id":3}],"a":1}' });
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(["mug.html", "bowl.html", "own.liquid"].map((name) => terminal.read(`texts/${name}`))).toEqual([
    "<p>one</p>\r\n<p>2</p>\r\n<p>3</p>\r\n",
    "<p>flat</p>",
    "one\n2\n",
  ]);
  expect(terminal.read("index.ts")).toBe(program('{ "list": [{"id": 2}, {"id":3}], "a" : 1 }'));
  await terminal.done("preview", "--expect-no-changes");
});

test("what staff changed in a compiled file is listed: the next build would write it again", async () => {
  const world = await openWorld();
  const program = 'export { rate } from "./dist/rate.js";\n';
  const built = `import { Coupon } from "pulumi-shop";
new Coupon("rate", { code: "rate", discount: { percent: 5 } });
export const rate = 5;
//# sourceMappingURL=rate.js.map
`;
  const terminal = openTerminal(program, world.env);
  terminal.write("dist/rate.js", built);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "rate" }, set: { discount: "7.0" } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(ran.stdout).toContain(
    "\n  dist/rate.js:2  Coupon rate: discount: 5 % => 7 % (a compiler writes the file: change what it is made from)\n",
  );
  expect([ran.code, terminal.read("dist/rate.js")]).toEqual([2, built]);
});

campaignTest(
  "of two resources whose files are one by a link, no edit of staff is taken for written where the other's is",
  async () => {
    const world = await openWorld();
    const program = `import { Asset, getThemeOutput } from "pulumi-shop";
const of = { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet" } as const;
for (const name of ["own", "linked"]) new Asset(name, { ...of, name: \`\${name}.liquid\`, file: \`\${name}.liquid\` });
`;
    const terminal = openTerminal(program, world.env);
    terminal.write("own.liquid", "one\n");
    symlinkSync("own.liquid", join(terminal.folder, "linked.liquid"));
    await terminal.done("up", "--yes", "--skip-preview");
    const edit = (name: string, content: string) =>
      world.edit({ kind: "asset", where: { name: `${name}.liquid` }, set: { content } });
    await edit("own", "two\n");
    await edit("linked", "three\n");
    const ran = await terminal.dev("accept", "--all", "--yes", "--force");
    const reason = "several resources have the file, and staff changed them in different ways";
    expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining(`(${reason})`)]);
    expect(terminal.read("own.liquid")).toBe("one\n");

    await edit("linked", "two\n");
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("own.liquid")).toBe("two\n");
    await terminal.done("preview", "--expect-no-changes");
  },
);

campaignTest(
  "a module that the program imports by a link is one with its file, and its imports begin there",
  async () => {
    const world = await openWorld();
    const coupon = (code: string, percent: string) =>
      `new Coupon("${code}", { code: "${code}", discount: { percent: ${percent} } });\n`;
    const rates = (linked: number, own: number) =>
      `export const linked = ${linked};\nexport const own = ${own};\n`;
    const program = `import { Coupon } from "pulumi-shop";\nimport { own } from "./rates.ts";\nimport "./made.ts";\n${coupon("own", "own")}`;
    const terminal = openTerminal(program, world.env);
    terminal.write("real/rates.ts", rates(5, 6));
    terminal.write(
      "real/made.ts",
      `import { Coupon } from "pulumi-shop";\nimport { linked } from "./others.ts";\n${coupon("linked", "linked")}`,
    );
    terminal.write("real/others.ts", 'export { linked } from "./rates.ts";\n');
    for (const name of ["rates.ts", "made.ts"]) symlinkSync(join("real", name), join(terminal.folder, name));
    await terminal.done("up", "--yes", "--skip-preview");
    for (const [code, discount] of Object.entries({ own: "16.0", linked: "15.0" }))
      await world.edit({ kind: "discount_code", where: { code }, set: { discount } });
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("real/rates.ts")).toBe(rates(15, 16));
    await terminal.done("preview", "--expect-no-changes");
  },
);
