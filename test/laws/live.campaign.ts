// Whole stories under the real engine, where `pulumi` is on PATH, in both forms: what its commands and its library do beside `up`.
// Every command that ends well must warn of nothing (Seat.done).
import { expect, test } from "vitest";
import { hasPulumi, openSeat, pulumiWays, type Seat } from "../support/engines.ts";
import { killUp } from "../support/killed.ts";

const typeIn = (form: string, kind: string) =>
  form === "plugin" ? `shop:index:${kind}` : `pulumi-nodejs:dynamic/shop:${kind}`;
const urnIn = (form: string, kind: string, name: string, stack = "dev") =>
  `urn:pulumi:${stack}::user::${typeIn(form, kind)}::${name}`;

const coupons = (percent: number) => `import { Coupon } from "pulumi-shop";
for (const name of ["a", "b", "c", "d"]) new Coupon(name, { code: name.toUpperCase(), discount: { percent: ${percent} } });
`;
const discounts = ({ world }: Seat) =>
  Object.fromEntries(world.rows("discount_code").map(({ code, discount }) => [code, Number(discount)]));
type Variant = Readonly<Record<string, unknown>>;
const pricesOf = ({ world }: Seat) =>
  Object.fromEntries(
    world
      .rows("product")
      .flatMap(({ variants }) => variants as readonly Variant[])
      .map(({ sku, price }) => [sku, Number(price)]),
  );

/** A program that has been applied: nothing differs in the shop, nothing is to do, and nothing is sent. */
async function expectSettled(seat: Seat): Promise<void> {
  const sent = await seat.world.during(async () => {
    await seat.done(["preview", "--expect-no-changes", "--diff"]);
    await seat.done(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });
  expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
}

if (!hasPulumi) test.skip("pulumi is not on PATH: stories under real pulumi are left out", () => {});

test.each(pulumiWays)(
  "a theme's folder is created, edited and merged with the edits of staff ($form)",
  async (way) => {
    const lines = ["one", "two", "three", "four", "five", "six"];
    const text = (changed: Readonly<Record<string, string>>) =>
      `${lines.map((line) => changed[line] ?? line).join("\n")}\n`;
    const seat = await openSeat(
      way,
      `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
`,
    );
    seat.terminal.write("theme/snippets/note.liquid", text({}));
    seat.terminal.write("theme/templates/page.note.liquid", '{% include "note" %}\n');
    await seat.up();
    await expectSettled(seat);
    const note = () => seat.world.rows("asset").find(({ name }) => name === "note.liquid");
    await seat.world.edit({ kind: "asset", id: note()?.id, set: { content: text({ six: "SIX" }) } });
    seat.terminal.write("theme/snippets/note.liquid", text({ one: "ONE" }));
    await seat.done(["preview", "--diff"]);
    expect(await seat.up()).toContain("1 updated");
    expect(note()?.content).toBe(text({ one: "ONE", six: "SIX" }));
    expect(await seat.up()).toMatch(/unchanged/);
    expect(note()?.content).toBe(text({ one: "ONE", six: "SIX" }));
    seat.terminal.write("theme/snippets/note.liquid", text({ one: "ONE", six: "SIX" }));
    await seat.up();
    await expectSettled(seat);
  },
);

test.each(pulumiWays)("natural forms of arguments are created and edited ($form)", async (way) => {
  const program = (percent: number, price: number) => `import { Coupon, Product } from "pulumi-shop";
new Coupon("share", { code: "SHARE", discount: { percent: ${percent} } });
new Coupon("money", { code: "MONEY", discount: { amount: 5 } });
new Product("mug", { title: "Mug", variants: [
  { sku: "MUG-RED", price: ${price}, options: { Colour: "Red" } },
  { sku: "MUG-BLUE", price: 16, options: { Colour: "Blue" } },
] });
`;
  const seat = await openSeat(way, program(10, 15));
  await seat.up();
  await expectSettled(seat);
  expect(discounts(seat)).toEqual({ SHARE: 10, MONEY: 5 });
  seat.program(program(15, 17));
  expect(await seat.up()).toContain("2 updated");
  expect(discounts(seat)).toEqual({ SHARE: 15, MONEY: 5 });
  expect(pricesOf(seat)).toEqual({ "MUG-RED": 17, "MUG-BLUE": 16 });
  await expectSettled(seat);
});

test.each(pulumiWays)(
  "ignoreChanges of one variant leaves the other variants to the program ($form)",
  async (way) => {
    const program = (price: number, path: string) => `import { Product } from "pulumi-shop";
const variants = ["A", "B"].map((sku) => ({ sku, price: ${price} }));
new Product("mug", { title: "Mug", variants }, { ignoreChanges: [${JSON.stringify(path)}] });
`;
    const seat = await openSeat(way, program(10, "variants[B].price"));
    await seat.up();
    for (const [price, path] of [
      [11, "variants[B].price"],
      [12, 'variants["B"].price'],
      [13, "variants[1].price"],
    ] as const) {
      seat.program(program(price, path));
      expect(await seat.up()).toContain("1 updated");
      expect(pricesOf(seat)).toEqual({ A: price, B: 10 });
    }
    await expectSettled(seat);
  },
);

test.each(pulumiWays)(
  "an argument that depends on the time is evaluated again at each run ($form)",
  async (way) => {
    const program = (until: string) => `import { Coupon, Prices } from "pulumi-shop";
new Coupon("now", { code: "NOW", discount: { percent: 10 }, from: "2020-01-01T00:00", until: "${until}" });
new Coupon("later", { code: "LATER", discount: { percent: 10 }, from: "2090-01-01T00:00" });
new Prices("sale", { rows: [{ sku: "CUP", price: 8, oldPrice: 10 }], from: "2020-01-01T00:00", until: "${until}" });
`;
    const seat = await openSeat(way, program("2090-01-01T00:00"));
    await seat.world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 10 }] });
    const disabled = () =>
      Object.fromEntries(seat.world.rows("discount_code").map((row) => [row.code, row.disabled]));
    await seat.up();
    expect([disabled(), pricesOf(seat)]).toEqual([{ NOW: false, LATER: true }, { CUP: 8 }]);
    await expectSettled(seat);
    seat.program(program("2021-01-01T00:00"));
    await seat.up();
    expect([disabled(), pricesOf(seat)]).toEqual([{ NOW: true, LATER: true }, { CUP: 10 }]);
    await expectSettled(seat);
  },
);

test.each(pulumiWays)("a resource moves to another stack with its object ($form)", async (way) => {
  const only = (...names: readonly string[]) => `import { Coupon } from "pulumi-shop";
for (const name of ${JSON.stringify(names)}) new Coupon(name, { code: name.toUpperCase(), discount: { percent: 10 } });
`;
  const seat = await openSeat(way, only("a", "b"));
  await seat.up();
  await seat.done(["stack", "init", "other", "--copy-config-from", "dev"]);
  const move = ["stack", "select", "dev"];
  await seat.done(move);
  const moved = await seat.run([
    "state",
    "move",
    "--source",
    "dev",
    "--dest",
    "other",
    "--yes",
    urnIn(way.form, "Coupon", "b"),
  ]);
  expect(moved.code, moved.output).toBe(0);
  const sent = await seat.world.during(async () => {
    seat.program(only("a"));
    expect(await seat.up()).toMatch(/[23] unchanged/);
    seat.program(only("b"));
    expect(await seat.done(["up", "--yes", "--skip-preview", "--stack", "other"])).not.toMatch(
      /created|updated|replaced/,
    );
  });
  expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  await seat.done(["destroy", "--yes", "--skip-preview"]);
  expect(discounts(seat)).toEqual({ B: 10 });
});

test.each(pulumiWays)(
  "--target applies the named resources, and --exclude leaves them out ($form)",
  async (way) => {
    const seat = await openSeat(way, coupons(10));
    const urn = (name: string) => urnIn(way.form, "Coupon", name);
    await seat.up();
    seat.program(coupons(20));
    await seat.done(["preview", "--target", urn("a")]);
    await seat.up("--target", urn("a"));
    expect(discounts(seat)).toEqual({ A: 20, B: 10, C: 10, D: 10 });
    await seat.done(["preview", "--exclude", urn("b")]);
    await seat.up("--exclude", urn("b"));
    expect(discounts(seat)).toEqual({ A: 20, B: 10, C: 20, D: 20 });
    await seat.world.edit({ kind: "discount_code", where: { code: "A" }, set: { description: "staff" } });
    await seat.done(["refresh", "--yes", "--skip-preview", "--target", urn("b")]);
    await seat.up();
    expect(discounts(seat)).toEqual({ A: 20, B: 20, C: 20, D: 20 });
    await seat.done(["refresh", "--yes", "--skip-preview", "--run-program"]);
    await seat.done(["destroy", "--yes", "--skip-preview", "--target", urn("a")]);
    await seat.done(["destroy", "--yes", "--skip-preview", "--exclude", urn("c")]);
    expect(discounts(seat)).toEqual({ C: 20 });
    await seat.done(["destroy", "--yes", "--skip-preview", "--run-program"]);
    expect(discounts(seat)).toEqual({});
  },
);

test.each(pulumiWays)(
  "the Automation API runs an inline program and one in a folder ($form)",
  async (way) => {
    const seat = await openSeat(way, coupons(10));
    seat.terminal.write(
      "drive.mjs",
      // The folder beside it has the other form: a program of its own takes its work folder's.
      `import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { Coupon } from "pulumi-shop";
const plugins = ${way.form === "plugin" ? "undefined" : '{ providers: [{ name: "shop", path: process.cwd() + "/node_modules/pulumi-shop/plugin" }] }'};
const program = async () => {
  const { urn } = new Coupon("inline", { code: "INLINE", discount: { percent: 10 } });
  return { urn };
};
const said = [];
const onOutput = (text) => said.push(text);
for (const [args, more] of [
  [{ stackName: "inline", projectName: "inline", program }, { workDir: "inline", projectSettings: { name: "inline", runtime: "nodejs", plugins } }],
  [{ stackName: "dev", workDir: "." }, {}],
]) {
  const stack = await LocalWorkspace.createOrSelectStack(args, more);
  const up = await stack.up({ onOutput });
  const again = await stack.up({ onOutput });
  const refreshed = await stack.refresh({ onOutput });
  const preview = await stack.preview({ onOutput });
  console.log(JSON.stringify([up.summary.resourceChanges, again.summary.resourceChanges, refreshed.summary.resourceChanges, preview.changeSummary]));
  if (args.program) {
    console.log(JSON.stringify(up.outputs.urn.value));
    await stack.destroy({ onOutput });
  }
}
console.log(said.join(""));
`,
    );
    seat.terminal.write("inline/package.json", '{ "type": "module" }');
    const { runCommand, freshEnv } = await import("../support/process.ts");
    const env = {
      ...freshEnv(),
      ...seat.world.env,
      ...seat.terminal.env,
      PATH: process.env.PATH ?? "",
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const { code, output } = await runCommand(seat.folder, [process.execPath, "drive.mjs"], env);
    expect(code, output).toBe(0);
    const [inline, urn, local] = output
      .split("\n")
      .slice(0, 3)
      .map((line) => JSON.parse(line) as unknown);
    expect(inline, output).toEqual([{ create: 2 }, { same: 2 }, { same: 2 }, { same: 2 }]);
    expect(urn).toContain(typeIn(way.form === "plugin" ? "dynamic" : "plugin", "Coupon"));
    expect(local, output).toEqual([{ create: 5 }, { same: 5 }, { same: 5 }, { same: 5 }]);
    expect(output).not.toMatch(/warning:/);
    expect(discounts(seat)).toEqual({ A: 10, B: 10, C: 10, D: 10 });
  },
);

test.each(pulumiWays)("a killed run of a price sheet is finished by the next run ($form)", async (way) => {
  const skus = Array.from({ length: 30 }, (_none, index) => `S-${index}`);
  const sheet = (price: number) => `import { Prices } from "pulumi-shop";
new Prices("sheet", { rows: ${JSON.stringify(skus)}.map((sku) => ({ sku, price: ${price} })), onRemove: "restore" });
`;
  const seat = await openSeat(way, sheet(12));
  for (const sku of skus)
    await seat.world.client.products.create({ title: sku, variants: [{ sku, price: 10 }] });
  const all = (price: number) => Object.fromEntries(skus.map((sku) => [sku, price]));
  for (const price of [12, 13]) {
    seat.program(sheet(price));
    const written = () => Object.values(pricesOf(seat)).filter((one) => one === price).length;
    await killUp(seat, "PUT", () => written() >= 2);
    expect(written()).toBeGreaterThan(1);
    expect(written()).toBeLessThan(skus.length);
    await seat.run(["cancel", "--yes"]);
    const next = await seat.run(["up", "--yes", "--skip-preview"]);
    expect(next.code, next.output).toBe(0);
    expect(pricesOf(seat)).toEqual(all(price));
    await seat.run(["refresh", "--yes", "--skip-preview", "--clear-pending-creates"]);
    await expectSettled(seat);
  }
  seat.program("export {};\n");
  await seat.up();
  expect(pricesOf(seat)).toEqual(all(10));
});

test.each(pulumiWays)(
  "a part of a product and a sheet with its other prices don't affect each other ($form)",
  async (way) => {
    const program = (own: number, sheet: number) => `import { Prices, Product } from "pulumi-shop";
const pot = new Product("pot", { adopt: "key", otherVariants: "keep", variants: [{ sku: "P-A", price: ${own} }] });
new Prices("sheet", { rows: [{ sku: "P-B", price: ${sheet} }] }, { dependsOn: pot });
`;
    const seat = await openSeat(way, program(77, 20));
    const variants = ["P-A", "P-B", "P-C"].map((sku) => ({ sku, price: 15, quantity: 3 }));
    await seat.world.client.products.create({ title: "Pot", variants });
    await seat.up();
    expect(pricesOf(seat)).toEqual({ "P-A": 77, "P-B": 20, "P-C": 15 });
    await expectSettled(seat);
    for (const [own, sheet] of [
      [78, 20],
      [78, 21],
      [79, 22],
    ] as const) {
      seat.program(program(own, sheet));
      await seat.done(["preview", "--diff"]);
      await seat.up();
      expect(pricesOf(seat)).toEqual({ "P-A": own, "P-B": sheet, "P-C": 15 });
      await expectSettled(seat);
    }
    await seat.done(["destroy", "--yes", "--skip-preview"]);
    expect(pricesOf(seat)).toEqual({ "P-A": 79, "P-B": 22, "P-C": 15 });
  },
);

const imported = (type: string, name: string, id: unknown) => ({
  type: `shop:index:${type}`,
  name,
  id: String(id),
});

test.each(pulumiWays.filter(({ form }) => form === "plugin"))(
  "pulumi import of each kind writes a program without changes ($form)",
  async (way) => {
    const made = `import { Asset, Coupon, File, getThemeOutput, JsTag, PriceKind, Product, RecurringCharge } from "pulumi-shop";
const { id: themeId } = getThemeOutput({ published: true });
export const ids = {
  Asset: new Asset("text", { themeId, type: "Asset::Snippet", name: "text.liquid", content: "one\\n" }).id,
  Coupon: new Coupon("share", { code: "SHARE", discount: { percent: 10 } }).id,
  File: new File("terms", { content: "a", filename: "terms.txt" }).id,
  JsTag: new JsTag("tag", { type: "JsTag::TextTag", name: "counter", content: "count(1)" }).id,
  PriceKind: new PriceKind("trade", { title: "Trade" }).id,
  Product: new Product("mug", { title: "Mug", variants: [{ sku: "MUG-RED", price: 15, options: { Colour: "Red" } }] }).id,
  RecurringCharge: new RecurringCharge("fee", { monthly: 5 }).id,
};
`;
    const seat = await openSeat(way, made);
    await seat.up();
    const ids = JSON.parse(await seat.done(["stack", "output", "ids", "--json", "--stack", "dev"])) as object;
    const resources = Object.entries(ids).map(([kind, id]) => imported(kind, kind.toLowerCase(), id));
    seat.terminal.write("imports.json", JSON.stringify({ resources }));
    await seat.done(["stack", "init", "other"]);
    const to = ["--yes", "--skip-preview", "--protect=false", "--stack", "other"];
    await seat.done(["import", "--file", "imports.json", "--out", "found.ts", ...to]);
    seat.program(seat.terminal.read("found.ts").replaceAll("pulumi-shop-sdk", "pulumi-shop"));
    await seat.done(["preview", "--expect-no-changes", "--diff", "--stack", "other"]);
  },
);
