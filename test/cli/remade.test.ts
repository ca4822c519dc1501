// An object that staff deleted and created again is the same resource: a pull keeps its name, and up adopts the new
// one.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { plugged, storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

test("a pull keeps the names of objects that staff deleted and made again, and up then changes nothing", async () => {
  const world = await openWorld();
  await world.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
  await world.client.products.create({ title: "Mug", variants: [{ sku: "MUG", price: 5 }] });
  await world.client.priceKinds.create({ title: "Wholesale" });
  const terminal = openTerminal("", world.env);
  const pull = () => terminal.done("pull", "coupons", "products", "price-kinds", "--force");
  await pull();
  await terminal.done("up", "--yes", "--skip-preview");
  const program = terminal.read("coupons.ts");
  for (const { id, code } of world.rows("discount_code")) {
    await world.client.coupons.remove({ id: Number(id) });
    await world.client.coupons.create({ code: String(code), discount: 20, typeId: 1 });
  }
  for (const { id } of world.rows("price_kind")) {
    await world.client.priceKinds.remove({ id: Number(id) });
    for (const title of ["Wholesale", "Wholesale"]) await world.client.priceKinds.create({ title });
  }
  const { all: pulled } = await pull();
  expect(pulled).toContain("Coupon spring was deleted and created again in the shop");
  expect(terminal.read("coupons.ts")).toBe(program.replace("percent: 10", "percent: 20"));
  // If two objects match, the first is taken.
  expect(terminal.read("price-kinds.ts").match(/new PriceKind\("[^"]+"/g)).toEqual([
    'new PriceKind("wholesale"',
    'new PriceKind("wholesale-2"',
  ]);
  world.requests();
  // Without a refresh it is a conflict, and no option creates a second one.
  const refused = await terminal.dev("up", "--yes", "--overwrite", "spring", "--allow", "*");
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stdout).toMatch(/adopt: last run \d+, the program asks for \d+/);
  expect(refused.stdout).toContain("up --refresh adopts the object that adopt names now (spring)");
  const plan = await terminal.done("preview", "--refresh");
  expect(plan.all).toMatch(/= Coupon +spring +to adopt/);
  await terminal.done("up", "--refresh", "--yes");
  expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  await terminal.done("preview", "--refresh", "--expect-no-changes");
});

campaignTest(
  "accept takes what staff deleted and made again into a pulled program: the names, comments and the rest stay, the preview is empty",
  async () => {
    const world = await openWorld();
    const make = async (value: number) => {
      await world.client.coupons.create({ code: "SPRING", discount: value, typeId: 1 });
      await world.client.products.create({
        title: "Mug",
        permalink: "mug",
        variants: [
          { sku: "M", price: value },
          { sku: "N", price: 7 },
        ],
      });
      await world.client.jsTags.create({ type: "JsTag::TextTag", name: "tag", content: String(value) });
      await world.client.priceKinds.create({ title: "Wholesale" });
    };
    await make(10);
    await world.client.coupons.create({ code: "STAY", discount: 5, typeId: 1 });
    const terminal = openTerminal("", world.env);
    await terminal.done("pull", "coupons", "products", "price-kinds", "js-tags", "--force");
    terminal.write("coupons.ts", terminal.read("coupons.ts").replace("new Coupon", "// ours\nnew Coupon"));
    await terminal.done("up", "--yes", "--skip-preview");
    const of = (kind: string) => world.rows(kind).find(({ code }) => code !== "STAY")?.id;
    const kinds = ["discount_code", "product", "js_tag", "price_kind"];
    const before = Object.fromEntries(kinds.map((kind) => [kind, of(kind)]));
    await world.client.coupons.remove({ id: Number(before.discount_code) });
    await world.client.products.remove({ id: Number(before.product) });
    await world.client.jsTags.remove({ id: Number(before.js_tag) });
    await world.client.priceKinds.remove({ id: Number(before.price_kind) });
    await make(20);
    const texts = ["coupons.ts", "products.ts", "js-tags.ts", "price-kinds.ts", "adopt.dev.json"];
    const old = texts.map((path) => terminal.read(path));
    const accepted = await terminal.done("accept", "--all", "--yes", "--force");
    expect(accepted.stdout).toContain("Wrote 7 edits of staff.");
    const rows = world.rows("product").filter(({ archived }) => archived !== true);
    const now: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries(kinds.map((kind) => [kind, of(kind)])),
      product: rows[0]?.id,
    };
    const [coupons = "", products = "", tags = "", priceKinds = "", ids = ""] = old;
    expect(texts.map((path) => terminal.read(path))).toEqual([
      coupons.replace("percent: 10", "percent: 20"),
      products.replace("price: 10", "price: 20"),
      tags.replace('content: "10"', 'content: "20"'),
      priceKinds,
      kinds.reduce((text, kind) => text.replace(`"${before[kind]}"`, `"${now[kind]}"`), ids),
    ]);
    const empty = await terminal.done("preview", "--expect-no-changes");
    expect(empty.stdout).not.toContain("Done already");
    world.requests();
    await terminal.done("up", "--yes");
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  },
);

test("accept deletes nothing of a program whose object an earlier refresh found gone and that the shop has again", async () => {
  const world = await openWorld();
  const program =
    'import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { adopt: "key", code: "S", discount: 10, typeId: 1 });\n';
  const terminal = openTerminal(program, world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.client.coupons.remove({ id: Number(world.rows("discount_code")[0]?.id) });
  await terminal.done("refresh", "--yes");
  await world.client.coupons.create({ code: "S", discount: 20, typeId: 1 });
  const { code, stdout } = await terminal.dev("accept", "--all", "--yes", "--force");
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/Coupon spring: deleted by staff \(made again as \d+ /),
  ]);
  expect(terminal.read("index.ts")).toBe(program);
});

campaignTest(
  "what staff deleted and made again is known under the name that the program gives it now",
  async () => {
    const world = await openWorld();
    const head = 'import { Coupon } from "pulumi-shop";\n';
    const coupon = (name: string, more: string, was?: string) =>
      `new Coupon("${name}", { code: "${name[0]}", typeId: 1, ${more} }${was === undefined ? "" : `, { aliases: [{ name: "${was}" }] }`});\n`;
    const terminal = openTerminal(
      head +
        ["s", "t"].map((name) => coupon(name, 'adopt: "key", discount: 10')).join("") +
        coupon("u", "discount: 10"),
      world.env,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    const remake = async (code: string) => {
      await world.edit({ kind: "discount_code", where: { code }, delete: true });
      await world.client.coupons.create({ code, discount: 20, typeId: 1 });
    };
    await world.edit({ kind: "discount_code", where: { code: "s" }, delete: true });
    await world.edit({ kind: "discount_code", where: { code: "u" }, delete: true });
    await terminal.done("refresh", "--yes");
    await world.client.coupons.create({ code: "s", discount: 20, typeId: 1 });
    await remake("t");
    const program =
      head +
      ["s", "t"].map((name) => coupon(`${name}-now`, 'adopt: "key", discount: 10', name)).join("") +
      coupon("u-now", "discount: 12", "u");
    terminal.write("index.ts", program);
    const { code, stdout } = await terminal.dev("accept", "--all", "--yes", "--force");
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/index.ts:2 {2}Coupon s-now: deleted by staff \(made again as \d+ /),
    ]);
    expect(stdout).toContain("Coupon t-now: made again by staff, with the id ");
    expect(stdout).toContain(
      "index.ts:4  Coupon u-now: deleted by staff (both changed it; --theirs accepts the shop's delete)",
    );
    expect(terminal.read("index.ts")).toBe(program.replace(/(t-now.*discount: )10/, "$120"));
  },
);

test("what staff made again is shown as adopted, with its values, also where the program moves to the other form", async () => {
  const world = await openWorld();
  const program = `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "MUG", price: 5 }] });
`;
  const terminal = openTerminal(program, world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.client.products.remove({ id: Number(world.rows("product")[0]?.id) });
  await world.client.products.create({
    title: "Mug",
    permalink: "mug",
    variants: [{ sku: "MUG", price: 9 }],
  });
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  terminal.write(
    "Pulumi.dev.yaml",
    terminal.read("Pulumi.dev.yaml").replace("config: {}", "config:\n  shop:adopt: key"),
  );
  const { stdout } = await terminal.done("preview", "--refresh");
  expect(stdout).toMatch(/= Product +mug +to adopt/);
  expect(stdout).toContain("variants[MUG].price: 9 => 5");
});

test.each(storyForms)(
  "what staff made again in place of what they deleted is neither doubled nor met by surprise by whoever overwrites: %s",
  async (_how, form) => {
    const world = await openWorld();
    const program = (value: number) => `import { Coupon, JsTag, Product } from "pulumi-shop";
new Coupon("c", { code: "C", discount: ${value}, typeId: 1 });
new JsTag("t", { type: "JsTag::TextTag", name: "t", content: "${value}" });
new Product("p", { title: "P", permalink: "p", variants: [{ sku: "P", price: ${value} }] });
`;
    const terminal = openTerminal(program(1), world.env, form);
    await terminal.done("up", "--yes", "--skip-preview");
    for (const kind of ["discount_code", "js_tag", "product"])
      await world.edit({ kind, id: Number(world.rows(kind)[0]?.id), delete: true });
    await world.client.coupons.create({ code: "C", discount: 3, typeId: 1 });
    await world.client.jsTags.create({ type: "JsTag::TextTag", name: "t", content: "3" });
    await world.client.products.create({ title: "P", permalink: "p", variants: [{ sku: "P", price: 3 }] });
    terminal.write("index.ts", program(2));
    const { code, stdout, all } = await terminal.dev("preview", "--overwrite", "c,p,t");
    const told = all;
    expect(code, stdout).toBe(1);
    expect(told).toMatch(
      /code: the shop has Coupon \d+ with code C already: adopt: "\d+", a refresh and up adopt it/,
    );
    expect(told).toMatch(/permalink: the shop has Product \d+ with permalink p already/);
    expect(told).toMatch(/t: the shop has a JsTag with name t already \(\d+\)/);
  },
);
