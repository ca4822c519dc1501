// Sources that are written otherwise than a new project's: modules of CommonJS, files with both kinds of line ends, settings that staff saved in one line.
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const project = "name: user\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js\n";
const entry = `"use strict";
const shop = require("pulumi-shop");
const { Coupon } = require("pulumi-shop");
const { mug, sized: of } = require("./prices");
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
  "prices.js": "exports.mug = 10; // euros\nmodule.exports.sized = { small: 12 };\n",
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
  // A process that runs many programs has required their modules once.
  const run = (...args: readonly string[]) => terminal.start(...args, "--stack", "dev");
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
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
  for (const [code, discount] of Object.entries({ JSON: "20.0", called: "6.0" }))
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

  const ran = await run("accept", "--all", "--yes", "--force");
  expect(ran.stdout).toContain("Wrote 14 edits of staff.");
  // One that they made again can't be created beside theirs, and holds up nothing else.
  expect(ran.stdout).toMatch(
    /Not written, 1:\n {2}index\.js:18 {2}Coupon again: deleted by staff \(code: the shop has Coupon \d+ with code AGAIN already: set adopt: "key"/,
  );
  expect(ran.code).toBe(2);
  const written = Object.fromEntries(Object.keys(files).map((path) => [path, terminal.read(path)]));
  expect(written).toEqual({
    ...files,
    "index.js": entry
      .replace(
        '{ sku: "J1", price: 9 }, { sku: "J2", price: 12 }',
        '{ sku: "J2", price: 9 }, { sku: "J1", price: 12 }',
      )
      .replace('{ sku: "P1", price: 9 }', '{ sku: "P2", price: 6 }')
      .replace('("called", 5)', '("called", 6)'),
    "prices.js": "exports.mug = 99; // euros\nmodule.exports.sized = { small: 77 };\n",
    "codes.json": '[{ "code": "JSON", "percent": 20 }]\n',
    "theme/page.a.liquid": "one\r\nTWO\nthree\r\nfour\n",
    "theme/own.json": `{\n  "color": "blue",\n  "menu": [\n    ${[
      menu[2],
      '{\n      "id": "d",\n      "title": "D"\n    }',
      menu[0]?.replace('"A"', '"A 2"'),
      menu[1],
    ].join(",\n    ")}\n  ]\n}\n`,
  });
  terminal.write(
    "index.js",
    terminal
      .read("index.js")
      .replace('"AGAIN",', '"AGAIN", adopt: "key",')
      .replace("10 } });\n  coupon", "5 } });\n  coupon"),
  );
  const adopted = await run("up", "--yes");
  expect(adopted.stdout).toMatch(/1 adopted\n +7 unchanged/);
  const after = await run("preview", "--expect-no-changes");
  expect(after.code, after.stdout + after.stderr).toBe(0);
});
