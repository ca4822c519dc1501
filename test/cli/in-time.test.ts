// Resources with `from` and `until`: a sale and its banner begin and end with the time of the run.
import { expect, onTestFinished, test } from "vitest";
import { messageEnv } from "../../provider/settings/protocol.ts";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const program = (times: object) => `import { Asset, Coupon, getThemeOutput, Prices } from "pulumi-shop";
const time = ${JSON.stringify(times)};
new Coupon("extra", { code: "EXTRA", discount: 5, typeId: 1, ...time });
const sale = new Prices("sale", { rows: [{ sku: "C-1", price: 7, oldPrice: 10 }], ...time });
new Asset("banner", {
  themeId: getThemeOutput({ published: true }).id,
  type: "Asset::Snippet",
  name: "banner.liquid",
  content: "<p>Sale!</p>\\n",
  otherwise: "<p>Welcome</p>\\n",
  ...time,
}, { dependsOn: sale });
`;
const times = { from: "2031-11-27T00:00", until: "2031-12-01T09:30" };

async function opened(plugins: string) {
  const world = await openWorld();
  await world.client.products.create({ title: "Cup", variants: [{ sku: "C-1", price: 10, quantity: 5 }] });
  const terminal = openTerminal(program(times), world.env, plugins);
  world.requests();
  return { world, terminal };
}

const at = (terminal: Terminal, moment: string) => {
  Object.assign(terminal.env, messageEnv({}, { at: moment }));
};
const variant = (world: World) => (world.rows("product")[0]?.variants as readonly object[] | undefined)?.[0];
const banner = (world: World) => world.rows("asset").find(({ name }) => name === "banner.liquid")?.content;
const isDisabled = (world: World) => world.rows("discount_code")[0]?.disabled;
const before = { price: "10.0", old_price: null };
const during = { price: "7.0", old_price: "10.0" };

async function up(terminal: Terminal, world: World) {
  world.requests();
  const { stdout } = await terminal.done("up", "--yes");
  return { text: stdout, requests: world.requests() };
}

test.each(storyForms)(
  "a sale and its banner begin and end by the moment of the run: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    at(terminal, "2031-11-20T12:00:00Z");
    await up(terminal, world);
    expect(variant(world)).toMatchObject(before);
    expect(banner(world)).toBe("<p>Welcome</p>\n");
    expect(isDisabled(world)).toBe(true);

    // A time in the shop's zone, three hours ahead of UTC.
    const shown = await terminal.done("preview", "--at", "2031-11-27T00:00");
    expect(shown.stdout).toContain("C-1 (Cup) price: 10 => 7 (-30 %)");
    expect(shown.stdout).toMatch(/Asset +banner +to update/);
    expect((await terminal.dev("preview", "--at", "2031-11-26T23:59")).stdout).toContain("3 unchanged");
    expect((await terminal.dev("preview", "--at", "Friday")).stderr).toContain(
      "--at must be a date and a time of the shop",
    );
    const coming = await terminal.dev("next");
    expect(coming.stdout).toContain("2031-11-27T00:00:00+03:00  in 6 days  Prices sale begins\n");
    expect(coming.stdout).toContain("2031-12-01T09:30:00+03:00  in 10 days  Asset banner ends\n");

    // One minute past midnight in the shop. Prices come first.
    at(terminal, "2031-11-26T21:01:00Z");
    expect((await terminal.dev("next")).stdout).toContain(
      "2031-11-27T00:00:00+03:00  due: run up  Prices sale begins\n",
    );
    const begun = await up(terminal, world);
    const written = begun.requests.filter((line) => /^PUT .*(?:products|assets)/.test(line));
    expect(written.map((line) => line.split("/")[2])).toEqual(["products", "themes"]);
    expect(variant(world)).toMatchObject(during);
    expect(banner(world)).toBe("<p>Sale!</p>\n");
    expect(isDisabled(world)).toBe(false);
    expect((await terminal.dev("next")).stdout).not.toContain("due");
    expect((await up(terminal, world)).text).toContain("3 unchanged");
    await terminal.done("refresh", "--yes");
    expect((await up(terminal, world)).text).toContain("3 unchanged");

    // The end restores the prices; edits of staff during the sale stay.
    const { id } = world.rows("product")[0] ?? {};
    await world.edit({ kind: "product", id, set: { title: "Cup, blue" } });
    at(terminal, "2031-12-01T06:30:00Z");
    const ended = await up(terminal, world);
    expect(ended.text).toContain(
      "C-1: asked from 2031-11-27T00:00:00+03:00 until 2031-12-01T09:30:00+03:00, each gets back",
    );
    expect(variant(world)).toMatchObject(before);
    expect(banner(world)).toBe("<p>Welcome</p>\n");
    expect(isDisabled(world)).toBe(true);
    const over = await up(terminal, world);
    expect(over.text).toContain("3 unchanged");
    expect(over.requests.filter((line) => line.includes("/products"))).toEqual([]);
    expect((await terminal.dev("next")).stderr).toContain(
      "no resource of the stack dev has a start or an end in the future",
    );
  },
);

test("next lists the begin and the end of a sale whose first run was interrupted, which no state has yet", async () => {
  const { world, terminal } = await opened("");
  at(terminal, "2031-11-20T12:00:00Z");
  await up(terminal, world);
  const path = "backend/.pulumi/stacks/user/dev.json";
  const state = JSON.parse(terminal.read(path));
  const { latest } = state.checkpoint;
  const isSale = ({ type }: { readonly type: string }) => type.endsWith("Prices");
  const [{ id: _none, outputs: _nothing, ...begun }] = latest.resources.filter(isSale);
  latest.pending_operations = [{ resource: begun, type: "creating" }];
  const all = latest.resources;
  latest.resources = latest.resources.filter((one: { readonly type: string }) => !isSale(one));
  terminal.write(path, JSON.stringify(state));
  at(terminal, "2031-11-27T12:00:00Z");
  const { stdout } = await terminal.dev("next");
  expect(stdout).toContain("2031-11-27T00:00:00+03:00  due: run up  Prices sale begins\n");
  expect(stdout).toContain("2031-12-01T09:30:00+03:00  in 3 days  Prices sale ends\n");
  // A later run has created it with another end, and its state still has the operation.
  latest.resources = all.map((one: { readonly type: string; readonly inputs: object }) =>
    isSale(one) ? { ...one, inputs: { ...one.inputs, until: "2031-12-05T00:00:00+03:00" } } : one,
  );
  terminal.write(path, JSON.stringify(state));
  const later = await terminal.dev("next");
  expect(later.stdout).toContain("2031-12-05T00:00:00+03:00  in 7 days  Prices sale ends\n");
  expect(later.stdout).not.toContain("2031-12-01T09:30:00+03:00  in 3 days  Prices");
});

test.each(storyForms)(
  "a sale that begins where another ends takes its prices over, and what was there before the first comes back after it: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const sale = (name: string, row: object, from: string, until: string) =>
      `new Prices("${name}", ${JSON.stringify({ rows: [{ sku: "C-1", ...row }], from, until })});\n`;
    const first = sale("first", { price: 7, oldPrice: 10 }, "2031-11-27T00:00", "2031-11-28T00:00");
    const second = sale("second", { price: 8, oldPrice: 11 }, "2031-11-28T00:00", "2031-11-29T00:00");
    terminal.write("index.ts", `import { Prices } from "pulumi-shop";\n${first}${second}`);
    at(terminal, "2031-11-27T00:00:00+03:00");
    await up(terminal, world);
    expect(variant(world)).toMatchObject(during);
    at(terminal, "2031-11-28T00:00:00+03:00");
    const { text, requests } = await up(terminal, world);
    expect(text).toContain("Prices up  second, C-1: 7 → 8, +14.3 %");
    expect(text).not.toContain("10 => nothing");
    expect(requests.filter((line) => line.startsWith("PUT"))).toHaveLength(1);
    expect(variant(world)).toMatchObject({ price: "8.0", old_price: "11.0" });
    at(terminal, "2031-11-29T00:00:00+03:00");
    await up(terminal, world);
    expect(variant(world)).toMatchObject(before);
  },
);

campaignTest.each(storyForms)(
  "the variants of a coming sale are looked for when its rows are new, and not again in each run: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const sale = (sku: string) =>
      `import { Prices } from "pulumi-shop";\nnew Prices("sale", ${JSON.stringify({ rows: [{ sku, price: 7 }], ...times })});\n`;
    const lists = () => world.requests().filter((line) => line.includes("/products"));
    at(terminal, "2031-11-20T12:00:00Z");
    terminal.write("index.ts", sale("C-2"));
    for (const verb of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      expect((await terminal.dev(...verb)).all).toContain(
        'row 1, column sku: "C-2": no variant has this sku',
      );
      expect(lists()).not.toEqual([]);
    }
    terminal.write("index.ts", sale("C-1"));
    await terminal.done("up", "--yes", "--skip-preview");
    expect(lists()).not.toEqual([]);
    const planned = await terminal.done("preview");
    expect(lists()).toEqual([]);
    expect(planned.all).toContain("API requests: 1;");
    terminal.write("index.ts", sale("C-2"));
    expect((await terminal.dev("preview")).code).toBe(1);
    terminal.write("index.ts", sale("C-1"));
    at(terminal, "2031-11-28T12:00:00Z");
    expect((await up(terminal, world)).text).toContain("C-1 (Cup) price: 10 => 7");
  },
);

test.each(storyForms)(
  "a coming sale that overlaps another sheet is refused, also if the two find their rows by different keys: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    await world.client.products.create({
      title: "Jug",
      variants: [{ sku: "J-1", barcode: "111", price: 10 }],
    });
    const sheet = (name: string, args: object) => `new Prices("${name}", ${JSON.stringify(args)});\n`;
    const first = sheet("first", { rows: [{ sku: "J-1", price: 7 }], ...times });
    const barcodes = { key: "barcode", rows: [{ barcode: "111", price: 8 }] };
    const second = (more: object) => sheet("second", { ...barcodes, ...more });
    at(terminal, "2031-11-20T12:00:00Z");
    const refused = /price of (111|J-1) is set by Prices (first|second) \(row 1\) too from 2031-1[12]-\d\dT/;
    for (const sheets of [
      [first, second({ from: "2031-12-01T09:29" })],
      [second({}), first],
      [first, second({})],
    ]) {
      terminal.write("index.ts", `import { Prices } from "pulumi-shop";\n${sheets.join("")}`);
      const { code, all } = await terminal.dev("preview");
      expect(code).toBe(1);
      expect(all).toMatch(refused);
    }
    terminal.write(
      "index.ts",
      `import { Prices } from "pulumi-shop";\n${first}${second({ from: "2031-12-01T09:30" })}`,
    );
    await terminal.done("up", "--yes");
    world.requests();
    await terminal.done("preview", "--expect-no-changes");
    // A product of the program, which doesn't set the key of the sheet.
    const jug = `new Product("jug", { title: "Jug", adopt: "key", variants: [{ sku: "J-1", price: 10 }] });\n`;
    const coming = sheet("third", { ...barcodes, from: "2031-12-01T09:30" });
    for (const text of [jug + coming, coming + jug]) {
      terminal.write("index.ts", `import { Prices, Product } from "pulumi-shop";\n${text}`);
      const { code, all } = await terminal.dev("preview");
      expect(code).toBe(1);
      expect(all).toMatch(/is set by (Product jug \(variants\[J-1\].price\)|Prices third \(row 1\)) too/);
    }
  },
);

test("times that mean nothing are refused by name", async () => {
  const { terminal, world } = await opened("");
  onTestFinished(() => void world.requests());
  const refused = async (wrong: object) => {
    terminal.write("index.ts", program(wrong));
    const { code, all } = await terminal.dev("preview");
    expect(code).toBe(1);
    return all;
  };
  expect(await refused({ from: "2031-11-27" })).toContain("expected a date and a time of the shop");
  expect(await refused({ from: "2031-02-30T00:00" })).toContain("expected a date and a time of the shop");
  expect(await refused({ until: "2031-12-01T00:00+25:00" })).toContain(
    "expected a date and a time of the shop",
  );
  expect(await refused({ from: "2031-11-27T00:00", until: "2031-11-27T00:00" })).toContain(
    "until: must be later than from",
  );
  expect(await refused({})).toContain("otherwise: goes with from or until");
});
