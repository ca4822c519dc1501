// Prices as a sheet: only its rows are managed, for existing variants of anybody.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms as forms } from "../support/forms.ts";
import { openFront } from "../support/front.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, root, type Terminal } from "./terminal.ts";

const program = (args: object, more = "") => `import { Prices, Product } from "pulumi-shop";
export const { count } = new Prices("spring", ${JSON.stringify({ file: "prices.csv", ...args })});
${more}`;

/** Two products of an ERP with two variants each. */
async function stocked(world: World) {
  for (const [title, skus] of [
    ["Cup", ["C-1", "C-2"]],
    ["Jug", ["J-1", "J-2"]],
  ] as const)
    await world.client.products.create({
      title,
      variants: skus.map((sku) => ({ sku, price: 10, quantity: 5 })),
    });
  world.requests();
}

async function opened(plugins: string, args: object = {}) {
  const world = await openWorld();
  await stocked(world);
  const terminal = openTerminal(program(args), world.env, plugins);
  return { world, terminal };
}

type Variant = Readonly<Record<string, unknown>>;
const variantsOf = (world: World) =>
  world
    .rows("product")
    .flatMap(({ id, variants }) =>
      (variants as readonly Variant[]).map((one) => ({ ...one, product: id }) as Variant),
    );
const variantOf = (world: World, sku: string) => variantsOf(world).find((one) => one.sku === sku) as Variant;
const priceOf = (world: World, sku: string) => Number(variantOf(world, sku).price);

/** An edit of a variant in the back office. */
async function staff(world: World, sku: string, values: object): Promise<void> {
  const { id, product } = variantOf(world, sku);
  const body = JSON.stringify({ variant: values });
  const { status } = await world.ask("PUT", `/admin/products/${product}/variants/${id}.json`, body, {
    "content-type": "application/json",
  });
  expect(status).toBe(200);
  world.requests();
}

/** Staff give the variants of a product other skus, in one edit. */
async function rekey(world: World, skus: Readonly<Record<string, string>>): Promise<void> {
  for (const { id, variants } of world.rows("product")) {
    const all = variants as readonly { readonly sku: string }[];
    if (!all.some(({ sku }) => Object.hasOwn(skus, sku))) continue;
    const set = { variants: all.map((one) => ({ ...one, sku: skus[one.sku] ?? one.sku })) };
    await world.edit({ kind: "product", id, set });
  }
  world.requests();
}

const needed = (text: string) => Number(/API requests needed: at most (\d+)/.exec(text)?.[1] ?? 0);

/** An `up` that is killed once it has written a price, while it waits for the answer about the jugs. */
async function killed(terminal: Terminal, world: World): Promise<void> {
  const before = world.rows("product").map(({ variants }) => JSON.stringify(variants));
  const jug = variantOf(world, "J-1").product;
  const fault = { fault: "slow", method: "PUT", path: `/admin/products/${jug}.xml`, times: 1 };
  await world.fault({ ...fault, delayMs: 60_000 });
  const { code } = await terminal.until(
    /Updating/,
    (pid) => {
      const look = setInterval(() => {
        if (world.rows("product").every(({ variants }, at) => JSON.stringify(variants) !== before[at])) {
          clearInterval(look);
          process.kill(pid, "SIGKILL");
        }
      }, 5);
    },
    "up",
    "--stack",
    "dev",
    "--yes",
    "--skip-preview",
  );
  expect(code).not.toBe(0);
  // The next run reports that this one was interrupted.
  terminal.warnings.push(/an earlier run was interrupted/);
}

/** A run that shows no preview, with its requests. */
async function up(terminal: Terminal, world: World, ...more: readonly string[]) {
  world.requests();
  const ran = await terminal.dev("up", "--yes", "--skip-preview", ...more);
  return { ...ran, requests: world.requests() };
}

/** A preview, then its run, with the requests of each. */
async function run(terminal: Terminal, world: World, ...more: readonly string[]) {
  const plan = await terminal.dev("preview", ...more);
  return {
    looked: world.requests(),
    plan: plan.all,
    ...(await up(terminal, world, ...more)),
  };
}

test.each(forms)(
  "a sheet sets what a product of the same program is made without: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const text = (options: string) => `import { PriceKind, Prices, Product } from "pulumi-shop";
const mug = new Product("mug", { title: "Mug", variants: [{ sku: "M-1", price: 10 }] });
const kind = new PriceKind("wholesale", { title: "Wholesale" });
new Prices("list", { rows: [{ sku: "M-1", oldPrice: 12, prices: { Wholesale: 7.5 } }] }${options});`;
    const terminal = openTerminal(text(", { dependsOn: [mug, kind] }"), world.env, plugins);
    const saved = await terminal.dev("preview", "--save-plan", "plan.json");
    for (const line of [
      "+  M-1 oldPrice: 12",
      "+  M-1 prices[Wholesale]: 7.5",
      "sent once these have created its variants, if its dependsOn names them: Product mug",
    ])
      expect(saved.stdout).toContain(line);
    world.requests();
    // A plan doesn't bind what it couldn't see.
    await terminal.done("up", "--yes", "--plan", "plan.json");
    world.requests();
    expect(variantOf(world, "M-1")).toMatchObject({ old_price: "12.0" });
    await terminal.done("destroy", "--yes");
    world.requests();
    const again = await run(terminal, world);
    expect(again.code, again.all).toBe(0);
    expect(again.requests.length, again.requests.join("\n")).toBeLessThanOrEqual(needed(again.plan));
    await terminal.done("preview", "--expect-no-changes");
    terminal.write(
      "index.ts",
      `${text(", { dependsOn: [mug, kind] }")}
new Product("cup", { title: "Cup", variants: [{ sku: "C-1", price: 10 }] });
new Prices("cups", { rows: [{ sku: "C-1", oldPrice: 12 }], unknown: "report" });`,
    );
    const reported = await up(terminal, world);
    expect(reported.code, reported.all).toBe(0);
    // Either may be first; what was reported is set by the next run.
    expect((await up(terminal, world)).code).toBe(0);
    expect(variantOf(world, "C-1")).toMatchObject({ old_price: "12.0" });
    await terminal.done("preview", "--expect-no-changes");
  },
);

test.each(forms)(
  "a preview knows the rows of a sheet by the skus that the program gives their variants: %s",
  async (_how, plugins) => {
    const text = (skus: readonly string[]) => `import { Prices, Product } from "pulumi-shop";
const variants = ${JSON.stringify(skus)}.map((sku) => ({ sku, price: 10 }));
const mug = new Product("mug", { title: "Mug", variants });
const rows = [{ sku: "${skus[0]}", oldPrice: 12 }, { sku: "${skus[1]}", oldPrice: 15 }];
new Prices("list", { rows, onRemove: "restore" }, { dependsOn: [mug] });`;
    const world = await openWorld();
    const terminal = openTerminal(text(["M-1", "M-2"]), world.env, plugins);
    expect((await up(terminal, world)).code).toBe(0);
    terminal.write("index.ts", text(["M-8", "M-9"]));
    const renamed = await run(terminal, world);
    expect(renamed.plan).toContain("Variants renamed  2");
    expect(renamed.plan).toContain("Prices             list                               to update\n");
    expect(renamed.plan).not.toMatch(/oldPrice|no longer in the rows/);
    expect(renamed.code, renamed.all).toBe(0);
    // The run makes its plan once more.
    expect(renamed.requests.length).toBeLessThanOrEqual(renamed.looked.length + needed(renamed.plan));
    const olds = () => ["M-8", "M-9"].map((sku) => Number(variantOf(world, sku).old_price));
    expect(olds()).toEqual([12, 15]);
    await terminal.done("preview", "--expect-no-changes");
    terminal.write("index.ts", text(["M-8", "M-9"]).replace("12", "13").replace("15", "16"));
    const changed = await run(terminal, world);
    expect(changed.plan).toContain("~  M-8 (Mug) oldPrice: 12 => 13");
    expect(changed.code, changed.all).toBe(0);
    expect(olds()).toEqual([13, 16]);
  },
);

campaignTest.each(forms)(
  "accept takes the row of a variant that staff deleted out of its sheet: %s",
  async (_how, plugins) => {
    const inline = 'new Prices("fixed", { rows: [{ sku: "J-1", price: 8 }, { sku: "J-2", price: 7 }] });\n';
    const world = await openWorld();
    await stocked(world);
    const terminal = openTerminal(program({}, inline), world.env, plugins);
    terminal.write("prices.csv", "sku,price\r\nC-1,12\r\nC-2,11");
    expect(await terminal.dev("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    for (const { id, sku, product } of variantsOf(world))
      if (sku === "C-2" || sku === "J-1")
        await world.client.products.removeVariant({ id: Number(product), item: Number(id) });
    const dry = await terminal.dev("accept", "--all", "--dry-run");
    expect(dry).toMatchObject({ code: 0, all: expect.stringContaining("-C-2,11") });
    expect(dry.all).toContain("+new Prices");
    // A variant that staff made again, in another product, is the same row with another price.
    const { product } = variantOf(world, "J-2");
    await world.client.products.edit({ id: Number(product), variants: [{ sku: "C-2", price: 10 }] });
    expect((await terminal.dev("accept", "--all", "--dry-run")).all).toContain("+C-2,10");
    await world.client.products.removeVariant({
      id: Number(product),
      item: Number(variantOf(world, "C-2").id),
    });
    // A preview after a refresh reports it, and continues.
    expect(await terminal.dev("refresh", "--yes")).toMatchObject({ code: 0 });
    const plan = await terminal.dev("preview");
    expect(plan).toMatchObject({ code: 0, all: expect.stringContaining("C-2: no variant has this sku") });
    terminal.write("prices.csv", "sku,price\r\nC-1,13\r\nC-2,11");
    expect(await terminal.dev("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    expect(priceOf(world, "C-1")).toBe(13);
    // A sheet is found by its kind, too.
    const accepted = await terminal.dev("accept", "Prices", "--yes", "--force");
    expect(accepted.code, accepted.all).toBe(0);
    expect(accepted.all).toContain("Prices spring: rows[C-2]: removed by staff  (prices.csv:3)");
    expect(terminal.read("prices.csv")).toBe("sku,price\r\nC-1,13");
    expect(terminal.read("index.ts")).toContain('{ rows: [{ sku: "J-2", price: 7 }] }');
    world.requests();
    expect(await terminal.dev("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await terminal.dev("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  },
);

campaignTest.each(forms)(
  "an accepted price whose row leaves before any up is marked as such, and is no edit to accept: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
    expect((await up(terminal, world)).code).toBe(0);
    await staff(world, "C-1", { price: 13 });
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("prices.csv")).toBe("sku,price\nC-1,13\nJ-1,9\n");
    terminal.warnings.push(/ reverts edits of staff /);
    const destroyed = await terminal.dev("destroy", "--preview-only");
    expect(destroyed.all).toContain(
      "rows[C-1].price deletes staff's edit: 12 => 13 (accepted, and changed in the program)",
    );
    terminal.write("prices.csv", "sku,price\nJ-1,9\n");
    const nothing = await terminal.dev("accept", "--all", "--yes", "--force");
    expect(nothing.code, nothing.all).toBe(0);
    expect(nothing.stdout).toContain("Nothing was written: staff changed nothing that the program sets.");
    const left = await run(terminal, world);
    expect(left.plan).toContain("rows[C-1].price sets: 10, staff: 13 (accepted, and changed in the program)");
    expect(left.all).toContain("rows[C-1].price: 10 (staff: 13, accepted, and changed in the program)");
    expect(priceOf(world, "C-1")).toBe(10);
  },
);

campaignTest("accept takes the row of a deleted variant out of a file that two sheets read", async () => {
  const { world, terminal } = await opened("");
  const sheet = (name: string, column: string) =>
    `new Prices("${name}", { file: "prices.csv", columns: { sku: "sku", ${column}: "${column}" } });\n`;
  const text = `import { Prices } from "pulumi-shop";\n${sheet("now", "price")}${sheet("old", "oldPrice")}`;
  terminal.write("index.ts", text);
  terminal.write("prices.csv", "sku,price,oldPrice\nC-1,12,15\nC-2,11,15\n");
  expect((await up(terminal, world)).code).toBe(0);
  const { id, product } = variantOf(world, "C-1");
  await world.client.products.removeVariant({ id: Number(product), item: Number(id) });
  const accepted = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(accepted.code, accepted.all).toBe(0);
  for (const name of ["now", "old"])
    expect(accepted.stdout).toContain(`Prices ${name}: rows[C-1]: removed by staff  (prices.csv:2)`);
  expect(terminal.read("prices.csv")).toBe("sku,price,oldPrice\nC-2,11,15\n");
  await terminal.done("preview", "--expect-no-changes");
});

campaignTest(
  "accept writes into a file that a sheet and table() read, also into a cell that both read",
  async () => {
    const { world, terminal } = await opened("");
    const text = `import { Prices, Product, table } from "pulumi-shop";
const variants = table("prices.csv", { key: "sku" }).map(({ sku, price }) => ({ sku, price }));
const mug = new Product("mug", { title: "Mug", variants });
new Prices("old", { file: "prices.csv", columns: { sku: "sku", oldPrice: "old", costPrice: "price" } }, { dependsOn: mug });
`;
    terminal.write("index.ts", text);
    terminal.write("prices.csv", "sku,price,old\nA,10,15\nB,20,25\nC,30,35\n");
    await terminal.done("up", "--yes", "--skip-preview");
    await staff(world, "C", { price: 31, cost_price: 31, old_price: 36 });
    const { id, product } = variantOf(world, "B");
    await world.ask("DELETE", `/admin/products/${product}/variants/${id}.json`);
    const done = await terminal.dev("accept", "--all", "--yes", "--force");
    expect([done.code, terminal.read("prices.csv")], done.all).toEqual([
      0,
      "sku,price,old\nA,10,15\nC,31,36\n",
    ]);
    await terminal.done("preview", "--expect-no-changes");
    // A cell for two values that differ is left to a person.
    await staff(world, "C", { price: 32, cost_price: 33 });
    const both = await terminal.dev("accept", "--all", "--yes", "--force");
    expect([both.code, both.stdout]).toEqual([
      2,
      expect.stringContaining("Not written, 2:\n  prices.csv:3  "),
    ]);
    expect(terminal.read("prices.csv")).toContain("C,31,36");
  },
);

test("a mistake is named by the spreadsheet's row, an accepted price by the file's line", async () => {
  const { world, terminal } = await opened("");
  const sheet = (second: string) => `sku,note,price\nC-1,"red\nand blue",12\nC-2,,${second}\n`;
  terminal.write("prices.csv", sheet("n/a"));
  expect((await terminal.dev("preview")).all).toContain('prices.csv: row 3, column price: "n/a"');
  terminal.write("prices.csv", sheet("12"));
  await terminal.done("up", "--yes", "--skip-preview");
  await staff(world, "C-2", { price: 15 });
  const accepted = await terminal.done("accept", "--all", "--yes", "--force");
  expect(accepted.stdout).toContain("rows[C-2].price: 12 => 15  (prices.csv:4)");
  expect(terminal.read("prices.csv")).toBe(sheet("15"));
});

campaignTest("accept writes into a sheet that has blanks behind its quotation marks", async () => {
  const { world, terminal } = await opened("");
  terminal.write("prices.csv", '"sku" ;"price" ;note\nC-1;"12" ;"a;b"\n"C-2" ;11;\n');
  expect((await up(terminal, world)).code).toBe(0);
  await staff(world, "C-1", { price: 15 });
  await staff(world, "C-2", { price: 16 });
  const accepted = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(accepted.code, accepted.all).toBe(0);
  expect(terminal.read("prices.csv")).toBe('"sku" ;"price" ;note\nC-1;"15";"a;b"\n"C-2" ;16;\n');
  await terminal.done("preview", "--expect-no-changes");
});

campaignTest.each(forms)(
  "a row keeps what was there before it when staff and the sheet give its variant another sku: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
    expect((await up(terminal, world)).code).toBe(0);
    await staff(world, "C-1", { sku: "C-9" });
    terminal.write("prices.csv", "sku,price\nC-1,12\nC-9,11\nJ-1,9\n");
    const both = await run(terminal, world);
    expect(both).toMatchObject({
      code: 1,
      plan: expect.stringContaining(
        "the rows C-1 and C-9 set the price of the same variant; remove one of them",
      ),
    });
    terminal.write("prices.csv", "sku,price\nC-9,11\nJ-1,9\n");
    const renamed = await run(terminal, world);
    expect(renamed.code, renamed.all).toBe(0);
    expect(renamed.plan).toContain("C-9 (Cup) price: 12 => 11 (-8.3 %)");
    expect(renamed.plan).not.toMatch(/C-1|10/);
    expect(priceOf(world, "C-9")).toBe(11);
    await terminal.done("preview", "--expect-no-changes");
    terminal.write("index.ts", "export {};\n");
    expect((await up(terminal, world)).code).toBe(0);
    expect([priceOf(world, "C-9"), priceOf(world, "J-1")]).toEqual([10, 10]);
  },
);

campaignTest.each([
  ["two rows", "C-1,7\nC-2,8\n", "C-1,6\nC-2,8\n", "a run", [8, 6]],
  ["two rows", "C-1,7\nC-2,8\n", "C-1,7\nC-2,8\n", "a refresh", [8, 7]],
  ["two rows", "C-1,7\nC-2,8\n", "C-2,8\n", "a run", [8, 12]],
  ["a row and another variant", "C-1,7\n", "C-1,6\n", "a run", [10, 6]],
  ["a row and another variant", "C-1,7\n", "C-1,7\n", "a refresh", [10, 7]],
] as const)(
  "an earlier price stays the variant's when staff swap the skus of %s: %j, then %j, by %s",
  async (_rows, first, second, how, prices) => {
    const { world, terminal } = await opened("", { onRemove: "restore" });
    await staff(world, "C-2", { price: 12 });
    const ids = ["C-1", "C-2"].map((sku) => variantOf(world, sku).id);
    const now = () => ids.map((id) => Number(variantsOf(world).find((one) => one.id === id)?.price));
    terminal.write("prices.csv", `sku,price\n${first}`);
    await terminal.done("up", "--yes", "--skip-preview");
    await rekey(world, { "C-1": "C-2", "C-2": "C-1" });
    terminal.write("prices.csv", `sku,price\n${second}`);
    if (how === "a refresh") await terminal.done("refresh", "--yes");
    terminal.warnings.push(/ reverts edits of staff /);
    const seen = await run(terminal, world);
    expect([seen.code, now()], seen.plan + seen.all).toEqual([0, prices]);
    await terminal.done("preview", "--expect-no-changes");
    terminal.write("index.ts", "export {};\n");
    await terminal.done("up", "--yes", "--skip-preview");
    expect(now()).toEqual([10, 12]);
  },
);

campaignTest.each(forms)(
  "a sku that staff gave to another product's variant is refused until a refresh has seen it: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    await staff(world, "J-2", { price: 12 });
    const ids = ["C-1", "J-2"].map((sku) => variantOf(world, sku).id);
    const now = () => ids.map((id) => Number(variantsOf(world).find((one) => one.id === id)?.price));
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,9\n");
    await terminal.done("up", "--yes", "--skip-preview");
    await rekey(world, { "C-1": "C-9", "J-2": "C-1" });
    terminal.write("prices.csv", "sku,price\nC-1,6\nJ-1,9\n");
    const refused = "C-1: another variant of the shop has this sku now, in Product ";
    for (const verb of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { code, all } = await terminal.dev(...verb);
      expect([code, all]).toEqual([1, expect.stringContaining(refused)]);
      expect(all).toContain("; run refresh, then up again");
    }
    expect(now()).toEqual([7, 12]);
    const refreshed = await terminal.done("refresh", "--yes");
    expect(refreshed.all).toContain("C-1: another variant has this sku now");
    world.requests();
    const seen = await run(terminal, world);
    expect([seen.code, now()], seen.plan + seen.all).toEqual([0, [10, 6]]);
    // The run makes a plan first.
    expect(seen.requests).toHaveLength(seen.looked.length + needed(seen.plan));
    await terminal.done("preview", "--expect-no-changes");
    await terminal.done("destroy", "--yes");
    expect(now()).toEqual([10, 12]);
  },
);

test.each(forms)("a sheet sets what its rows state and leaves all else alone: %s", async (_how, plugins) => {
  const { world, terminal } = await opened(plugins, { decimal: "," });
  terminal.write("prices.csv", "sku;Price;old price;Note\nC-1;12,50;15;soft\nC-2;;-;\nJ-1;9;;\n");
  const made = await run(terminal, world);
  expect(made.code, made.all).toBe(0);
  expect(made.plan).toContain("spring                             to adopt");
  expect(made.plan).toMatch(
    /~ {2}C-1 \(Cup\) price: 10 => 12\.5 \(\+25 %\)\n.*J-1 \(Jug\) price: 10 => 9 \(-10 %\)/,
  );
  expect(variantOf(world, "C-1")).toMatchObject({ price: "12.5", old_price: "15.0", quantity: 5 });
  expect([priceOf(world, "C-2"), priceOf(world, "J-1"), priceOf(world, "J-2")]).toEqual([10, 9, 10]);
  expect(made.requests.filter((line) => line.startsWith("PUT"))).toHaveLength(2);
  expect(made.requests).toHaveLength(needed(made.plan));
  expect(made.all).toContain("count: 3");

  // Without changes nothing is read, and a row is short in the state.
  expect((await up(terminal, world)).requests).toEqual([]);

  // Edits of staff stay; a change on both sides is a conflict of its row, and the rest is applied.
  await staff(world, "C-1", { price: 13 });
  await staff(world, "J-1", { price: 8 });
  terminal.write("prices.csv", "sku;price;old price\nC-1;12,50;16\nC-2;11;-\nJ-1;9,50;\n");
  const clash = await run(terminal, world);
  expect(clash.code).toBe(1);
  for (const text of [clash.plan, clash.all]) {
    expect(text).toContain("! Prices spring: applied except for these values");
    expect(text).toContain("J-1 price: last run 9, in the shop now 8, the program asks for 9.5");
    expect(text).toContain("Resources (1 conflict):");
    expect(text).toContain(
      "accept spring --theirs writes the shop's values into the program; --overwrite spring",
    );
    expect(text).not.toContain("Failed:");
  }
  expect([priceOf(world, "C-1"), priceOf(world, "C-2"), priceOf(world, "J-1")]).toEqual([13, 11, 8]);
  expect(variantOf(world, "C-1").old_price).toBe("16.0");
  expect(clash.requests.filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  // The run makes a plan first.
  expect(clash.requests).toHaveLength(clash.looked.length + needed(clash.plan));

  // A refresh notes edits of staff; the plan marks those that it puts back.
  terminal.write("prices.csv", "sku;price;old price\nC-1;12,50;16\nC-2;11;-\nJ-1;8;\n");
  const refreshed = await terminal.dev("refresh", "--yes");
  expect(refreshed.stdout.match(/C-1.*: 12.5 => 13/g)).toEqual(["C-1].price: 12.5 => 13"]);
  const back = await run(terminal, world);
  expect(back.plan).toContain("C-1 (Cup) price: 13 => 12.5 (-3.8 %), puts back what staff changed");
  // The state after a refresh has the file's settings, too.
  expect(back.plan).not.toMatch(/[+~-] (columns|decimal)/);
  expect(back.code, back.all).toBe(0);
  expect(back.all).toMatch(/(info: | {5})Prices spring: puts back what staff changed: rows\[C-1\]/);
  expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([12.5, 8]);

  // Removing a row or the sheet leaves the shop as it is.
  terminal.write("prices.csv", "sku;price;old price\nC-1;12,50;16\nJ-1;8;\n");
  const left = await run(terminal, world);
  expect(left.plan).toContain("C-2: no longer in the sheet, each keeps what it has");
  // Also if the sheet restores prices by now, but didn't when it set this one.
  terminal.write("index.ts", program({ decimal: ",", onRemove: "restore" }));
  expect((await up(terminal, world)).code).toBe(0);
  terminal.write("prices.csv", "sku;price;old price\nC-1;12,50;16\n");
  const late = await run(terminal, world);
  expect(late.plan).toContain("J-1: no longer in the sheet, each keeps what it has");
  expect(late.requests.filter((line) => !line.startsWith("GET"))).toEqual([]);
  expect(left.requests.filter((line) => !line.startsWith("GET"))).toEqual([]);
  await terminal.done("destroy", "--yes");
  expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([12.5, 11, 8, 10]);
});

test.each(forms)(
  "the preview of a sheet's end tells what comes back, and what stays as staff and sales have made it: %s",
  async (_how, plugins) => {
    const columns = { sku: "sku", price: "price", quantity: "stock" };
    const { world, terminal } = await opened(plugins, { columns, onRemove: "restore" });
    terminal.write("prices.csv", "sku,price,stock\nC-1,12,7\nC-2,13,\nJ-1,9,3\n");
    expect((await up(terminal, world)).code).toBe(0);
    await staff(world, "C-1", { quantity: 4 });
    await terminal.done("refresh", "--yes");
    await staff(world, "C-1", { quantity: 2 });
    await staff(world, "C-2", { price: 15 });
    terminal.write("index.ts", "");
    const end = await run(terminal, world);
    const told = end.plan.split("\n").flatMap((line) => /^ +(?:~ +)?([CJ]-\d .*)/.exec(line)?.[1] ?? []);
    expect(told.toSorted()).toEqual([
      "C-1 (Cup) price: 12 => 10 (-16.7 %)",
      "C-1 (Cup) quantity was changed in the shop and stays 2",
      "C-2 (Cup) price was changed in the shop and stays 15",
      "J-1 (Jug) price: 9 => 10 (+11.1 %)",
      "J-1 (Jug) quantity: 3 => 5 (+66.7 %)",
    ]);
    expect(end.code, end.all).toBe(0);
    const now = variantsOf(world).map(({ price, quantity }) => [Number(price), quantity]);
    expect(now).toEqual([
      [10, 2],
      [15, 5],
      [10, 5],
      [10, 5],
    ]);
  },
);

test.each(forms)(
  "the comment lists the prices of a sheet, in its first run, in a later one and in a refresh: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const commentOf = async (...words: readonly string[]) => {
      const { code, all } = await terminal.dev(...words, "--markdown", "plan.md");
      expect(code, all).toBe(0);
      return terminal.read("plan.md");
    };
    const was = priceOf(world, "C-1");
    terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
    const first = await commentOf("preview");
    expect(first).toContain("#### 1 price sheet to adopt\n");
    expect(first).toContain(`  ~ C-1 (Cup) price: ${was} → 12 (`);
    expect(first).not.toContain("without changes");
    expect(await commentOf("up", "--yes")).not.toContain("without changes");
    terminal.write("prices.csv", "sku,price\nC-1,13\nJ-1,9\n");
    const move = "  ~ C-1 (Cup) price: 12 → 13 (+8.3 %)\n";
    expect(await commentOf("preview")).toContain(move);
    const done = await commentOf("up", "--skip-preview");
    expect(done).toContain("| **Prices up** | spring, C-1: 12 → 13, +8.3 % |");
    expect(done).toContain(move);
    await staff(world, "J-1", { price: 8 });
    expect(await commentOf("refresh", "--preview-only")).toContain("- **spring**: J-1 price: 9 → **8**");
  },
);

campaignTest.each(forms)(
  "a sheet finds the variants of its dependsOn, also if another sheet has read the list before: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    terminal.write(
      "index.ts",
      `import { Prices, Product } from "pulumi-shop";
const pot = new Product("pot", { title: "Pot", variants: [{ sku: "POT", price: 5 }] });
new Prices("autumn", { rows: [{ sku: "POT", oldPrice: 9 }] }, { dependsOn: [pot] });
new Prices("later", { rows: [{ sku: "C-1", price: 7 }], from: "2040-01-01T00:00", until: "2040-02-01T00:00" });
`,
    );
    const { code, all, plan, requests } = await run(terminal, world);
    expect(code, all).toBe(0);
    expect(Number(variantOf(world, "POT").old_price)).toBe(9);
    expect(requests.length, requests.join("\n")).toBe(needed(plan));
    const more = ["LID", "PAN"].map(
      (
        sku,
      ) => `const ${sku} = new Product("${sku}", { title: "${sku}", variants: [{ sku: "${sku}", price: 5 }] });
new Prices("of-${sku}", { rows: [{ sku: "${sku}", oldPrice: 9 }], onRemove: "restore" }, { dependsOn: [${sku}] });`,
    );
    terminal.write(
      "index.ts",
      `${terminal.read("index.ts").replace("price: 5 }", "price: 5 }, { sku: 'POT-2', price: 6 }").replace('sku: "POT", oldPrice', 'sku: "POT-2", oldPrice')}\n${more.join("\n")}`,
    );
    const next = await run(terminal, world);
    expect(next.code, next.all).toBe(0);
    expect(["LID", "PAN", "POT-2"].map((sku) => Number(variantOf(world, sku).old_price))).toEqual([9, 9, 9]);
    // The run makes its plan once more.
    expect(next.requests.length, next.requests.join("\n")).toBe(next.looked.length + needed(next.plan));
  },
);

test.each(forms)(
  "a row that staff changed too is a conflict like any other, in the comment, in --json and by the exit code: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
    expect((await up(terminal, world)).code).toBe(0);
    await staff(world, "J-1", { price: 8 });
    terminal.write("prices.csv", "sku,price\nC-1,13\nJ-1,9.5\n");
    const shown = await terminal.dev("preview", "--markdown", "plan.md");
    expect(shown.code, shown.all).toBe(1);
    // Stock that has sold changes without staff.
    expect(shown.stdout).toContain(
      "Conflicts: these values changed in the shop, too. Nothing was sent over them.",
    );
    expect(terminal.read("plan.md")).toContain("### ⚠️ 1 conflict: somebody changed spring in the shop");
    expect(terminal.read("plan.md")).toContain("| **spring** J-1 price | 9 | **8** | 9.5: not sent |");
    const ran = await terminal.dev("up", "--yes", "--json");
    expect(ran.code).toBe(1);
    const ends = ran.stdout.split("\n").filter((line) => line.includes('"type":"summary"'));
    const fields = [{ path: "rows[J-1].price", label: "J-1 price", was: 9, is: 8, asked: 9.5 }];
    const conflicts = [{ kind: "Prices", name: "spring", withheld: "update", isRest: true, fields }];
    expect(ends.map((line) => JSON.parse(line))).toMatchObject([
      { run: "preview", conflicts },
      { run: "up", conflicts },
    ]);
    expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([13, 8]);

    // With drift: stop, edits that a refresh has read are conflicts until somebody decides.
    terminal.write("prices.csv", "sku,price\nC-1,13\nJ-1,9\n");
    await terminal.done("refresh", "--yes");
    const file = terminal.read("Pulumi.dev.yaml");
    terminal.write("Pulumi.dev.yaml", file.replace("config: {}", "config:\n  shop:drift: stop"));
    const stopped = await run(terminal, world);
    expect(stopped.code).toBe(1);
    expect(stopped.plan).toContain("J-1 price: last run 9, in the shop now 8, the program asks for 9");
    expect(priceOf(world, "J-1")).toBe(8);
    const over = await up(terminal, world, "--overwrite", "spring");
    expect(over.code, over.all).toBe(0);
    expect(priceOf(world, "J-1")).toBe(9);
  },
);

test.each(forms)(
  "values that a shop rounds are named, and an answer without what it stored is read again: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    let isShort = false;
    terminal.env.SHOP_URL = await openFront(world.url, async (_path, method) =>
      isShort && method === "PUT"
        ? (text: string) => text.replace(/<variants.*<\/variants>/s, "")
        : (text: string) => text.replaceAll("12.3456", "12.35"),
    );
    terminal.write("prices.csv", "sku,price\nC-1,12.3456\nC-2,11\n");
    const rounded = await terminal.dev("up", "--yes", "--skip-preview");
    expect(rounded.code, rounded.all).toBe(1);
    expect(rounded.all).toMatch(
      /Product \d+ \(Cup\) without taking these values; write others, or leave them out:/,
    );
    expect(rounded.all).toContain("C-1 price: 12.3456, the shop has 12.35\n");
    expect(rounded.all).not.toContain("C-2 price: 11");
    terminal.write("prices.csv", "sku,price\nC-1,12.35\nC-2,11\n");
    isShort = true;
    await staff(world, "C-1", { price: 10 });
    await terminal.done("up", "--yes", "--skip-preview");
    expect(priceOf(world, "C-1")).toBe(12.35);
    await terminal.done("preview", "--expect-no-changes");
    world.requests();
  },
);

test.each(forms)("a saved plan binds each row of a sheet: %s", async (_how, plugins) => {
  const { world, terminal } = await opened(plugins);
  terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
  const save = () => terminal.dev("preview", "--save-plan", "plan.json");
  const carryOut = () => terminal.dev("up", "--yes", "--plan", "plan.json");
  expect((await save()).code).toBe(0);
  await staff(world, "J-1", { price: 8 });
  const first = await carryOut();
  expect(first.code).toBe(7);
  expect(first.stderr).toContain("Prices spring: rows[J-1].price in the shop: planned 10, now 8");
  expect((await save()).code).toBe(0);
  const made = await carryOut();
  expect(made.code, made.all).toBe(0);
  terminal.write("prices.csv", "sku,price\nC-1,13\nJ-1,9\n");
  expect((await save()).code).toBe(0);
  // Rows outside the plan may change.
  await staff(world, "J-1", { price: 8.5 });
  const done = await carryOut();
  expect(done.code, done.all).toBe(0);
  expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([13, 8.5]);
});

test.each(forms)(
  "what staff set between the preview and the run of a first run stays, and is told: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    terminal.write("prices.csv", "sku,price\nC-1,12\nJ-1,9\n");
    const { id, product } = variantOf(world, "J-1");
    const { applicationId, password } = world.credentials;
    const authorization = `Basic ${Buffer.from(`${applicationId}:${password}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/json" };
    const body = JSON.stringify({ variant: { price: 8 } });
    const edit = JSON.stringify({ method: "PUT", headers, body });
    const request = `"${world.url}/admin/products/${product}/variants/${id}.json", ${edit}`;
    // The run's program starts after staff changed a price; the preview's has ended by then.
    terminal.write(
      "index.ts",
      `import { runtime } from "@pulumi/pulumi";\nif (!runtime.isDryRun()) await fetch(${request});\n${program({})}`,
    );
    const ran = await terminal.dev("up", "--yes");
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "rows[J-1].price was 10, is 8: it was changed in the shop after the preview",
      ),
    });
    expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([12, 8]);
    terminal.write("index.ts", program({}));
    expect((await up(terminal, world)).code).toBe(0);
    expect(priceOf(world, "J-1")).toBe(9);
  },
);

test.each(forms)(
  "a saved plan is done but for what has moved since, row by row, with --partial: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const coupons = (discount: number) => `import { Coupon } from "pulumi-shop";
for (const code of ["A", "B"]) new Coupon(code, { code, discount: ${discount}, typeId: 1 });
`;
    terminal.write("prices.csv", "sku,price\nC-1,12\nC-2,11\nJ-1,9\n");
    terminal.write("index.ts", program({}, coupons(10)));
    expect((await up(terminal, world)).code).toBe(0);
    terminal.write("prices.csv", "sku,price\nC-1,13\nC-2,11.5\nJ-1,9.5\n");
    terminal.write("index.ts", program({}, coupons(20)));
    await terminal.done("preview", "--save-plan", "plan.json");
    // Two rows of one product: one changed, the other not.
    await staff(world, "C-2", { price: 10.5 });
    await staff(world, "J-1", { price: 8 });
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "15.0" } });
    const carryOut = (...more: readonly string[]) =>
      terminal.dev("up", "--yes", "--plan", "plan.json", ...more);
    expect((await carryOut()).code).toBe(7);
    expect((await terminal.dev("up", "--partial")).stderr).toContain("--partial needs --plan");
    const part = await carryOut("--partial");
    const text = part.all;
    expect(part.code, text).toBe(1);
    expect(text).toContain("Skipped, because these have changed since plan.json was saved:");
    expect(text).toContain("Prices spring: rows[J-1].price in the shop: planned 9, now 8");
    expect(text).toContain("Coupon A: discount in the shop: planned 10 %, now 15 %");
    expect([priceOf(world, "C-1"), priceOf(world, "C-2"), priceOf(world, "J-1")]).toEqual([13, 10.5, 8]);
    // The state still has the last run's value of the changed row.
    terminal.write("prices.csv", "sku,price\nC-1,13\nC-2,11\nJ-1,9\n");
    terminal.write("index.ts", program({}));
    expect((await terminal.dev("preview")).stdout).not.toContain("C-2 (Cup)");
    const discounts = world.rows("discount_code").map(({ code, discount }) => `${code} ${discount}`);
    expect(discounts.sort()).toEqual(["A 15.0", "B 20.0"]);
  },
);

campaignTest.each(forms)(
  "what was there before a sheet comes back, also after a run that was killed: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price,oldPrice\nC-1,7,10\nC-2,7.5,\nJ-1,8,10\nJ-2,9,10\n");
    await killed(terminal, world);
    const done = await up(terminal, world);
    expect(done.code, done.all).toBe(0);
    expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([7, 7.5, 8, 9]);
    // Edits of staff to the sheet's values stay.
    await staff(world, "J-2", { price: 8.5 });
    terminal.write("prices.csv", "sku,price,oldPrice\nC-1,7,10\nJ-2,9,10\n");
    expect((await up(terminal, world)).code).toBe(0);
    expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([7, 10, 10, 8.5]);
    // The same for a single cell without other changes.
    terminal.write("prices.csv", "sku,price,oldPrice\nC-1,7,\nJ-2,,10\n");
    const emptied = await run(terminal, world);
    expect(emptied.plan).toMatch(
      / C-1 oldPrice: no longer in the sheet, each gets back what it had before$/m,
    );
    expect(emptied.plan).toContain("J-2 (Jug) price was changed in the shop and stays 8.5");
    // Also if that is all that changes.
    await staff(world, "C-1", { price: 7.25 });
    terminal.write("prices.csv", "sku,price,oldPrice\nJ-2,,10\n");
    const left = await run(terminal, world);
    expect(left.plan).toMatch(
      /~ Prices +spring +to update\n.*C-1 \(Cup\) price was changed in the shop and stays 7\.25$/m,
    );
    expect(variantOf(world, "C-1")).toMatchObject({ price: "7.25", old_price: null });
    await terminal.done("destroy", "--yes");
    expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([7.25, 10, 10, 8.5]);
    expect(variantsOf(world).map(({ old_price }) => old_price)).toEqual([null, null, null, null]);
    // The next sheet of that name knows nothing of the interrupted run.
    await staff(world, "C-1", { price: 11 });
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    const next = await up(terminal, world);
    expect([next.code, priceOf(world, "C-1")], next.all).toEqual([0, 7]);
    await terminal.done("destroy", "--yes");
    expect(priceOf(world, "C-1")).toBe(11);
  },
);

campaignTest.each(forms)(
  "a sheet that is killed in its first run or in an edit, then renamed without an alias, gives back every price: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    const prices = () => variantsOf(world).map(({ price }) => Number(price));
    terminal.write("prices.csv", "sku,price\nC-1,7\nC-2,7.5\nJ-1,8\n");
    await killed(terminal, world);
    expect(prices()).toEqual([7, 7.5, 8, 10]);
    terminal.write("index.ts", program({ onRemove: "restore" }).replace('"spring"', '"summer"'));
    terminal.write("prices.csv", "sku,price\nC-1,6\nJ-1,8\n");
    const summer = await run(terminal, world);
    expect(summer.plan).toContain("C-1 (Cup) price: 7 => 6");
    expect(summer.plan).toContain("C-2 (Cup) price: 7.5 => 10");
    expect([summer.code, prices()], summer.all).toEqual([0, [6, 10, 8, 10]]);
    terminal.write("prices.csv", "sku,price\nC-1,6\nC-2,5\nJ-1,4\nJ-2,4\n");
    await killed(terminal, world);
    expect(prices()).toEqual([6, 5, 4, 4]);
    terminal.write("index.ts", program({ onRemove: "restore" }).replace('"spring"', '"autumn"'));
    terminal.write("prices.csv", "sku,price\nJ-1,3\n");
    const autumn = await up(terminal, world);
    expect([autumn.code, prices()], autumn.all).toEqual([0, [10, 10, 3, 10]]);
    terminal.write("index.ts", "export {};");
    expect((await up(terminal, world)).code).toBe(0);
    expect(prices()).toEqual([10, 10, 10, 10]);
  },
);

campaignTest(
  "a sheet with the old title of a price kind, or the rows of another stack, is refused with each of them",
  async () => {
    const { world, terminal } = await opened("");
    const kinds = (title: string) => `import { PriceKind, Prices } from "pulumi-shop";
const kind = new PriceKind("dealers", { title: "${title}" });
new Prices("list", { rows: [{ sku: "C-1", price: 9, prices: { Dealers: 7 } }, { sku: "J-1", price: 8 }] }, { dependsOn: [kind] });`;
    terminal.write("index.ts", kinds("Dealers"));
    expect((await up(terminal, world)).code).toBe(0);
    terminal.write("index.ts", kinds("Partners"));
    const renamed = await terminal.dev("preview");
    expect(renamed.code).toBe(1);
    expect(renamed.all).toContain(
      'gives the PriceKind "Dealers" the title "Partners": write that title in the rows too',
    );
    terminal.write("index.ts", program({}));
    terminal.write("prices.csv", "sku,price\nC-1,5\nJ-1,5\n");
    const other = await terminal.run("preview", "--stack", "other", "--create");
    for (const sku of ["C-1", "J-1"])
      expect(other.all).toContain(
        `price of ${sku} is set by Prices list of the stack user/dev (sku ${sku}) too`,
      );
  },
);

campaignTest("a sheet that ends says which earlier prices an archived product can't get back", async () => {
  const { world, terminal } = await opened("", { onRemove: "restore" });
  terminal.write("prices.csv", "sku,price,old price\nC-1,7,\nJ-1,8,12\n");
  expect((await up(terminal, world)).code).toBe(0);
  const { product } = variantOf(world, "J-1");
  await world.ask("DELETE", `/admin/products/${product}.xml`);
  terminal.write("index.ts", "export {};");
  const ended = await up(terminal, world);
  expect([ended.code, priceOf(world, "C-1")], ended.all).toEqual([0, 10]);
  expect(ended.all).toContain(
    `J-1: the shop no longer has this variant; its earlier price 10 can't come back to Product ${product}`,
  );
});

campaignTest.each(["up", "destroy"] as const)(
  "the prices of a sheet that a killed run began, and that the program no longer has, come back: %s",
  async (verb) => {
    const { world, terminal } = await opened("", { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await killed(terminal, world);
    terminal.write("index.ts", "export {};");
    terminal.warnings.push(/interrupted while creating/);
    const ran = await terminal.dev(verb, "--yes");
    expect(ran.stdout).toContain(
      "! Ended      1 price sheet (spring): the shop gets its previous prices back",
    );
    expect(ran.stdout).toContain("~  C-1 (Cup) price: 7 => 10 (+42.9 %)");
    expect(ran.stdout).toContain(
      "this run continues it if the program still asks for it, and deletes it otherwise",
    );
    expect(needed(ran.stdout)).toBe(3);
    expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([10, 10, 10, 10]);
    expect((await up(terminal, world)).all).not.toContain("interrupted");
  },
);

campaignTest.each(forms)(
  "a sheet that is replaced gives back the prices from before the first one: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await terminal.done("up", "--yes", "--skip-preview");
    await terminal.done("up", "--yes", "--skip-preview", "--replace", "spring");
    expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([7, 8]);
    terminal.write("index.ts", "export {};");
    await terminal.done("up", "--yes", "--skip-preview");
    expect(variantsOf(world).map(({ price }) => Number(price))).toEqual([10, 10, 10, 10]);
  },
);

campaignTest.each([
  ["restore", [10, 9]],
  ["keep", [7, 9]],
] as const)(
  "what staff set stays when a sheet is deleted before its replacement, with onRemove: %s",
  async (onRemove, left) => {
    const { world, terminal } = await opened("");
    const args = JSON.stringify({ file: "prices.csv", onRemove });
    terminal.write(
      "index.ts",
      `import { Prices } from "pulumi-shop";\nnew Prices("spring", ${args}, { deleteBeforeReplace: true });\n`,
    );
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await terminal.done("up", "--yes", "--skip-preview");
    await staff(world, "J-1", { price: 9 });
    const now = () => [priceOf(world, "C-1"), priceOf(world, "J-1")];
    await terminal.done("up", "--yes", "--skip-preview", "--replace", "spring");
    expect(now()).toEqual([7, 9]);
    terminal.write("index.ts", "export {};");
    await terminal.done("up", "--yes", "--skip-preview");
    expect(now()).toEqual(left);
  },
);

campaignTest.each(forms)(
  "what a sheet puts back before its replacement is planned, limited and announced: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const sheet = `new Prices("spring", { file: "prices.csv", onRemove: "restore" }, { replaceWith: [c] });`;
    const coupon = `new Coupon("c", { code: "C", discount: 10, typeId: 1 }, { deleteBeforeReplace: true });`;
    terminal.write(
      "index.ts",
      `import { Coupon, Prices } from "pulumi-shop";\nconst c = ${coupon}\n${sheet}\n`,
    );
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await terminal.done("up", "--yes", "--skip-preview");
    terminal.write("prices.csv", "sku,price\nC-1,6\nJ-1,8\n");
    const limited = await terminal.dev("preview", "--replace", "c", "--markdown", "plan.md");
    expect(limited.code).toBe(0);
    for (const line of ["C-1 (Cup) price: 7 => 10 (+42.9 %)", "C-1 (Cup) price: 10 => 6 (-40 %)"])
      expect(limited.stdout).toContain(line);
    expect(limited.stdout).toContain("Prices up    2, median +33.9 %, largest +42.9 % (spring, C-1: 7 → 10)");
    expect(limited.stdout).not.toMatch(/Replaced .*sheet/);
    expect(terminal.read("plan.md")).toContain("C-1 (Cup) price: 10 → 6 (-40 %)");
    terminal.env.SHOP_MAX_PRICE_CHANGE = "41";
    const refused = await terminal.dev("preview", "--replace", "c");
    expect(refused.all).toContain("Prices spring would move variants[C-1].price by 42.9 %, 7 => 10");
    delete terminal.env.SHOP_MAX_PRICE_CHANGE;
    world.requests();
    const ran = await run(terminal, world, "--replace", "c");
    expect(ran.code, ran.all).toBe(0);
    expect(ran.requests.filter((line) => line.startsWith("PUT"))).toHaveLength(4);
    expect(ran.requests).toHaveLength(ran.looked.length + needed(ran.plan));
    expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([6, 8]);
  },
);

test.each(forms)(
  "a sheet that the option retainOnDelete leaves in the shop keeps its prices, and rows can't be ignored: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const sheet = (args: object, options: object) =>
      terminal.write(
        "index.ts",
        `import { Prices } from "pulumi-shop";\nnew Prices("spring", ${JSON.stringify({ ...args, onRemove: "restore" })}, ${JSON.stringify(options)});\n`,
      );
    terminal.write("prices.csv", "sku,price\nC-1,7\n");
    sheet({ file: "prices.csv" }, { retainOnDelete: true });
    await terminal.done("up", "--yes", "--skip-preview");
    for (const path of ["rows", "rows[C-1].price"]) {
      sheet({ file: "prices.csv" }, { ignoreChanges: [path] });
      expect((await terminal.dev("preview")).all).toContain(
        `rows: can't be in ignoreChanges (${path}): leave`,
      );
    }
    terminal.write("index.ts", "export {};\n");
    await terminal.done("preview", "--markdown", "plan.md");
    const plan = terminal.read("plan.md");
    expect(plan).toContain("1 price sheet (spring): the shop keeps its current prices");
    expect(plan).not.toContain("previous prices");
    await terminal.done("up", "--yes", "--skip-preview");
    expect(priceOf(world, "C-1")).toBe(7);
  },
);

campaignTest(
  "a sheet of secret rows that is replaced says that it can't restore what was there before it",
  async () => {
    const { world, terminal } = await opened("");
    const rows = 'pulumi.secret([{ sku: "C-1", price: 7 }])';
    terminal.write(
      "index.ts",
      `import * as pulumi from "@pulumi/pulumi";\nimport { Prices } from "pulumi-shop";\nnew Prices("spring", { rows: ${rows}, onRemove: "restore" });\n`,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    const replaced = await run(terminal, world, "--replace", "spring");
    for (const text of [replaced.plan, replaced.all])
      expect(text).toContain(
        "1 row is secret, and spring is replaced: spring restores their present values at its end, not those from before it",
      );
  },
);

test.each(forms)(
  "a preview after a refresh reads each product once, and tells no end of a sheet that stays: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await terminal.done("up", "--yes", "--skip-preview");
    world.requests();
    await terminal.done("preview", "--refresh");
    expect(world.requests()).toHaveLength(2);
    terminal.write("prices.csv", "sku,price\nC-1,6\nJ-1,8\n");
    const changed = await terminal.done("preview", "--refresh", "--json");
    const texts = changed.stdout.split("\n").filter((line) => line.includes('"type":"text"'));
    expect(texts).toEqual([expect.stringContaining("C-1 (Cup) price: 7 => 6")]);
    // One that the program no longer has ends.
    terminal.write("index.ts", "export {};\n");
    const ended = await terminal.done("preview", "--refresh");
    expect(ended.stdout).toContain("C-1 (Cup) price: 7 => 10");
    const destroyed = await terminal.done("destroy", "--preview-only", "--refresh");
    expect(destroyed.stdout).toContain("C-1 (Cup) price: 7 => 10");
  },
);

test.each(forms)("a preview names the edits of staff that a sheet keeps: %s", async (_how, plugins) => {
  const { world, terminal } = await opened(plugins);
  terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
  await terminal.done("up", "--yes", "--skip-preview");
  await staff(world, "C-1", { price: 9 });
  await terminal.done("refresh", "--yes");
  const { all } = await terminal.done("preview", "--keep", "spring", "--expect-no-changes");
  expect(all).toContain("C-1 price was changed in the shop and stays 9");
  expect((await terminal.done("preview")).all).not.toContain("stays");
});

campaignTest(
  "state rename takes the notes of a killed run along, so that the old name is free for another sheet",
  async () => {
    const { world, terminal } = await opened("", { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,9\nJ-1,9\n");
    await terminal.done("up", "--yes", "--skip-preview");
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await killed(terminal, world);
    await terminal.done("state", "rename", "spring", "summer");
    const sheet = 'new Prices("NAME", { rows: [{ sku: "J-2", price: 6 }], onRemove: "restore" });\n';
    const other = sheet.replace("NAME", "spring");
    terminal.write("index.ts", program({ onRemove: "restore" }, other).replace('"spring"', '"summer"'));
    await terminal.done("up", "--yes", "--skip-preview", "--target", "spring");
    const rest = await terminal.dev("preview");
    expect(rest.stdout).not.toMatch(/Prices +spring/);
    // Removed from the state, it is named as it was last.
    terminal.write("index.ts", `import { Prices } from "pulumi-shop";\n${other}`);
    await terminal.done("state", "remove", "summer");
    terminal.warnings.push(/the program has no such sheet now/);
    const named = await up(terminal, world);
    expect(named.all).toContain("Prices summer: an interrupted run wrote the prices of C-1, J-1");
    terminal.write("index.ts", "export {};\n");
    await terminal.dev("up", "--yes", "--skip-preview");
    expect(priceOf(world, "J-2")).toBe(10);
  },
);

campaignTest(
  "prices that a killed run wrote are named although staff have given the variant's key to another one",
  async () => {
    const { world, terminal } = await opened("", { onRemove: "restore" });
    terminal.write("prices.csv", "sku,price\nC-1,9\nJ-1,9\n");
    await terminal.done("up", "--yes", "--skip-preview");
    terminal.write("prices.csv", "sku,price\nC-1,7\nJ-1,8\n");
    await killed(terminal, world);
    await rekey(world, { "C-1": "C-2", "C-2": "C-1" });
    terminal.write("index.ts", "export {};\n");
    await terminal.done("state", "remove", "spring");
    terminal.warnings.push(/the program has no such sheet now/);
    const named = await up(terminal, world);
    expect(named.all).toContain("Prices spring: an interrupted run wrote the prices of C-1");
  },
);

test.each(forms)(
  "each mistake of a sheet is a line with its row, column, value and what would be right: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const good = Array.from({ length: 60 }, (_none, index) => `X-${index};1,5`);
    await world.client.products.create({
      title: "Lot",
      variants: [...good, ...Array.from({ length: 10 }, (_none, index) => `N-${index}`)].map((line) => ({
        sku: line.split(";")[0] as string,
        price: 1,
      })),
    });
    const bad = Array.from({ length: 10 }, (_none, index) => [
      `X-${index};2`,
      `${["x-59", ...Array.from({ length: 8 }, (_one, at) => `C-1${at}`), "С-1"][index]};3`,
      `;${index}`,
      `N-${index};n/a`,
    ]).flat();
    terminal.write("prices.csv", `sku;price\n${[...good, ...bad, "X-1;n/a"].join("\n")}\n`);
    const { code, stdout, stderr } = await terminal.dev("preview");
    expect(code).toBe(1);
    const lines = (stdout + stderr).split("\n").filter((line) => line.includes("prices.csv: row"));
    // The last row has two.
    expect(lines).toHaveLength(42);
    expect(lines[41]).toContain('row 102, column sku: "X-1" is already in row 3; write each sku once');
    expect(lines[0]).toContain(
      'prices.csv: row 62, column sku: "X-0" is already in row 2; write each sku once',
    );
    expect(lines[1]).toContain('row 63, column sku: "x-59": no variant has this sku, did you mean X-59?');
    expect(lines[5]).toContain('row 67, column sku: "C-10": no variant has this sku, did you mean C-1?');
    expect(lines[37]).toContain(
      '"С-1": no variant has this sku, did you mean C-1 (С in this row is a Cyrillic letter)?',
    );
    expect(lines[2]).toContain(
      "row 64, column sku: it is empty; write the sku of a variant, or remove the row",
    );
    expect(lines[3]).toContain(
      'row 65, column price: "n/a" is not an amount; write a number such as 1234,50, or leave it empty to change nothing',
    );
    // A file from Excel in Western Europe, with an invisible blank.
    const western = Buffer.from(
      "sku;Pr\xe4is\nC-1;12,5 \x80\nC\xa01;2\n17;3\n4,6E+12;4\n03/04/26;5\n",
      "latin1",
    );
    await world.client.products.create({
      title: "Lid",
      variants: ["C 1", "0017"].map((sku) => ({ sku, price: 1 })),
    });
    writeFileSync(join(terminal.folder, "prices.csv"), western);
    for (const [args, said] of [
      [
        { columns: { sku: "sku", price: "Präis" } },
        /was read as windows-1251; the argument encoding[\s\S]*no column "Präis"/,
      ],
      [
        { columns: { sku: "sku", price: "Präis" }, encoding: "windows-1252" },
        /row 3, column sku: "C\u00a01": no variant has this sku, did you mean C 1 \(this row has U\+00A0 in it\)\?[\s\S]*did you mean 0017 \(a spreadsheet drops zeros[\s\S]*the spreadsheet shortened it[\s\S]*took it for a date or a time; format the column as text/,
      ],
    ] as const) {
      terminal.write("index.ts", program(args));
      const { stdout: out, stderr: err } = await terminal.dev("preview");
      expect(out + err).toMatch(said);
    }
  },
);

test.each<[args: string, refused: string]>([
  ["{ rows: [null] }", "rows: got a list, expected a list of rows, each an object such as { sku, price }"],
  ["{ rows: [1] }", "rows: got a list, expected a list of rows, each an object such as { sku, price }"],
  [
    '{ rows: [{ sku: "", price: 5 }] }',
    "rows: row 1, column sku: it is empty; write the sku of a variant, or remove the row",
  ],
  [
    '{ file: "prices.csv", columns: { prices: "price" } }',
    "expected an object: headings by what they are of, in prices by the titles of price kinds",
  ],
  [
    "{ rows: [{ sku: '=\"C-1\"', price: 5 }] }",
    "no variant has this sku, did you mean C-1?; write the sku of one variant of the shop",
  ],
  ['{ file: "prices.csv", rows: [] }', "rows: goes without file: set one of the two"],
])("a sheet with %s is refused by name", async (args, refused) => {
  const { world, terminal } = await opened("");
  terminal.write("prices.csv", "sku,price\nC-1,12\n");
  terminal.write(
    "index.ts",
    `import { Prices } from "pulumi-shop";\nnew Prices("spring", ${args} as never);\n`,
  );
  const { code, all } = await terminal.dev("preview");
  expect([code, all]).toEqual([1, expect.stringContaining(refused)]);
  world.requests();
});

test.each(forms)(
  "two that state one price are refused by name, with both places: %s",
  async (_how, plugins) => {
    const { terminal, world } = await opened(plugins);
    terminal.write("prices.csv", "sku,price\nC-1,12\nC-2,13\n");
    terminal.write("index.ts", program({}, 'new Prices("summer", { rows: [{ sku: "C-2", price: 14 }] });\n'));
    const sheets = await terminal.dev("preview");
    expect(sheets.code).toBe(1);
    expect(sheets.all).toMatch(
      /row [13]: price of C-2 is set by Prices (spring \(row 3 of prices.csv\)|summer \(row 1\)) too/,
    );
    terminal.write(
      "index.ts",
      program(
        {},
        'new Product("mug", { title: "Mug", variants: [{ sku: "C-1", price: 9, oldPrice: 12 }] });\n',
      ),
    );
    const product = await terminal.dev("preview");
    expect(product.code).toBe(1);
    expect(product.all).toMatch(
      /price.* is set by (Prices spring \(row 2 of prices.csv\)|Product mug \(variants\[C-1\].price\)) too/,
    );
    // The same variants by another key.
    await staff(world, "C-1", { barcode: "4600001" });
    const rows = JSON.stringify([{ barcode: "4600001", price: 14 }]);
    terminal.write("index.ts", program({}, `new Prices("summer", { key: "barcode", rows: ${rows} });\n`));
    const keys = await terminal.dev("preview");
    expect(keys.code).toBe(1);
    expect(keys.all).toMatch(
      /price of (C-1|4600001) is set by Prices (spring \(sku C-1\)|summer \(barcode 4600001\)) too/,
    );
    // A future sale at the same price, and a past one.
    const sale = (until: string) =>
      `new Prices("sale", ${JSON.stringify({ rows: [{ sku: "C-1", price: 8 }], from: "2031-11-27T00:00", until })});\n`;
    terminal.write("index.ts", program({}, sale("2031-12-01T00:00")));
    const later = await terminal.dev("preview");
    expect(later.code).toBe(1);
    expect(later.all).toMatch(
      /price of C-1 is set by Prices \w+ \(row [12][^)]*\) too from 2031-11-27T00:00:00\+03:00 on; remove it from one of the two/,
    );
    await terminal.done("preview", "--at", "2031-12-01T00:00");
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  },
);

campaignTest.each(forms)(
  "an unchanged file is parsed again where its arguments, its owners or the shop may change what it sets: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const preview = (...more: readonly string[]) => terminal.dev("preview", ...more);
    const nothing = async () => expect(await preview("--expect-no-changes")).toMatchObject({ code: 0 });
    terminal.write("prices.csv", "sku;price;name\nJ-1;1,250;Jug\nC-1;12,5;Cup\n");
    terminal.write("index.ts", program({ decimal: "," }));
    expect((await up(terminal, world)).code).toBe(0);
    await nothing();
    expect(world.requests()).toEqual([]);
    // Another column, which nobody reads.
    terminal.write("prices.csv", "sku;price;name\nJ-1;1,250;Big jug\nC-1;12,5;Cup\n");
    await nothing();
    // How it is read.
    terminal.write("index.ts", program({ decimal: "." }));
    expect((await preview()).all).toContain("J-1 (Jug) price: 1.25 => 1250");
    terminal.write("index.ts", program({ decimal: "," }));
    // Who else sets its values: by the key, and by the variant's number.
    terminal.write(
      "index.ts",
      program({ decimal: "," }, 'new Prices("other", { rows: [{ sku: "C-1", price: 3 }] });'),
    );
    const twice = await preview();
    expect(twice.code, twice.all).not.toBe(0);
    expect(twice.all).toMatch(
      /Prices spring \(sku C-1 of prices\.csv\) too|price of C-1 is set by Prices other \(row 1\) too/,
    );
    terminal.write("index.ts", program({ decimal: "," }));
    // What staff changed, once a refresh has read it.
    await staff(world, "C-1", { price: 11 });
    await nothing();
    await terminal.done("refresh", "--yes");
    expect((await preview()).all).toContain(
      "C-1 (Cup) price: 11 => 12.5 (+13.6 %), puts back what staff changed",
    );
    expect((await up(terminal, world)).code).toBe(0);
    await nothing();
    expect([priceOf(world, "C-1"), priceOf(world, "J-1")]).toEqual([12.5, 1.25]);
  },
);

campaignTest(
  "quotes in a kind's title and a line end in a sku survive the state, and prices are put back",
  async () => {
    const sku = 'C-1\n"blue" ';
    const rows = [{ sku, prices: { 'VIP "gold"': 6, Wholesale: 7 } }];
    const { world, terminal } = await opened("", { file: undefined, onRemove: "restore", rows });
    await world.client.priceKinds.create({ title: 'VIP "gold"' });
    await world.client.priceKinds.create({ title: "Wholesale" });
    await world.client.products.create({
      title: "Pen",
      variants: [{ sku, price: 10, prices: { 'VIP "gold"': 8, Wholesale: 9 } }],
    });
    const before = variantOf(world, sku);
    expect((await up(terminal, world)).code).toBe(0);
    const asked = variantOf(world, sku);
    expect([asked.price2, asked.price3].toSorted()).toEqual(["6.0", "7.0"]);
    expect((await up(terminal, world)).requests).toEqual([]);
    const kept = ["C-2", "J-2"].map(
      (own) => `new Prices("${own}", { rows: [{ sku: "${own}", price: 9 }] });\n`,
    );
    terminal.write("index.ts", program({ file: undefined, onRemove: "restore", rows }, kept.join("")));
    expect((await up(terminal, world)).code).toBe(0);
    // Nothing is deleted in the shop, so no limit applies; the impact is shown.
    terminal.write("Pulumi.dev.yaml", "config:\n  shop:maxDeletes: 0\n");
    terminal.write("index.ts", "");
    const end = await terminal.done("preview", "--markdown", "plan.md");
    expect(end.stdout).toMatch(
      /! Ended +1 price sheet \(spring\): the shop gets its previous prices back, except where staff changed them\n/,
    );
    expect(end.stdout).toMatch(
      /! Ended +2 price sheets \((C-2, J-2|J-2, C-2)\): the shop keeps its current prices\n/,
    );
    expect(end.stdout).toMatch(/Prices up +2, median \+31 %/);
    expect(end.stdout).not.toContain("Deleted");
    const comment = terminal.read("plan.md");
    expect(comment).toContain("3 price sheets to delete");
    expect(comment).toContain("- **C-2**, the shop keeps its current prices");
    expect(comment).not.toContain("🗑");
    await terminal.done("destroy", "--yes");
    expect(variantOf(world, sku)).toMatchObject({ price2: before.price2, price3: before.price3 });
  },
);

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const cyrillic = (text: string) =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 128 ? code : code - 0x410 + 0xc0;
    }),
  );

test.each<[how: string, file: string, bytes: () => Buffer, after: (() => Buffer) | string, args: object]>([
  [
    "windows-1251 with decimal commas",
    "a.csv",
    () => cyrillic("Артикул;Цена;Цвет\r\nC-2;1,5;Я\r\nC-1;1 234,50 р;\r\n"),
    () => cyrillic("Артикул;Цена;Цвет\r\nC-2;1,5;Я\r\nC-1;2 500,00 р;\r\n"),
    { columns: { sku: "Артикул", price: "Цена" } },
  ],
  [
    "UTF-16 with tabs, without a mark",
    "a.tsv",
    () => utf16("sku\tprice\r\nC-1\t$1,234.50\r\n").subarray(2),
    () => utf16("sku\tprice\r\nC-1\t$2,500.00\r\n").subarray(2),
    {},
  ],
  [
    "UTF-8 with a mark, quotes, and lines that end in two ways",
    "a.csv",
    () => Buffer.from('\ufeffsep=,\r\n\n"sku","price"\r\n"C-1","1.234,50"\nC-2,\r\n'),
    () => Buffer.from('\ufeffsep=,\r\n\n"sku","price"\r\n"C-1","2.500,00"\nC-2,\r\n'),
    {},
  ],
  [
    "a workbook",
    "a.xlsx",
    () => readFileSync(join(root, "test/fixtures/prices.xlsx")),
    "change the workbook by hand: sheet Spring, cell B2",
    { sheet: "Spring" },
  ],
])(
  "a sheet is read as its spreadsheet wrote it, and what staff changed is written so: %s",
  async (_how, file, bytes, after, args) => {
    const { world, terminal } = await opened("");
    terminal.write("index.ts", program({ file, ...args }));
    writeFileSync(join(terminal.folder, file), bytes());
    const made = await up(terminal, world);
    expect(made.code, made.all).toBe(0);
    expect(priceOf(world, "C-1")).toBe(1234.5);

    await staff(world, "C-1", { price: 2500 });
    const taken = await terminal.dev("accept", "--all", "--yes", "--force");
    expect(taken.all).toContain("rows[C-1].price: 1234.5 => 2500");
    expect(taken.code, taken.all).toBe(typeof after === "string" ? 2 : 0);
    if (typeof after === "string") expect(taken.stdout).toContain(after);
    const now = readFileSync(join(terminal.folder, file));
    expect(now.equals(typeof after === "string" ? bytes() : after()), String(now)).toBe(true);
    if (typeof after === "string") return;
    const { code, stdout } = await terminal.dev("preview", "--expect-no-changes");
    expect(code, stdout).toBe(0);
  },
);

test.each(forms)(
  "what both changed of a sheet is taken from the shop by its cell, and no other cell is touched: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    await world.client.priceKinds.create({ title: "Wholesale" });
    const rows = `[
  // The cups.
  { sku: "C-1", price: "12.50", prices: { Wholesale: 7 } },
  { sku: "C-2", price: 11 }, // as it was
]`;
    const sheet = (at: string) => `sku;price;old price\nJ-1;${at};-\nJ-2;"9,00";\n`;
    const code = (own: string) =>
      program(
        {},
        `new Prices("inline", { rows: ${own} });\nnew Prices("more", { rows: table("more.csv", { key: "sku" }).map(({ sku, cost }) => ({ sku, costPrice: cost })) });`,
      ).replace("{ Prices, Product }", "{ Prices, table }");
    terminal.write("index.ts", code(rows));
    terminal.write("prices.csv", sheet("9,50"));
    terminal.write("more.csv", 'sku,what,cost\nC-1,"a, b",3.10\nC-2,,2\n');
    expect((await up(terminal, world)).code).toBe(0);
    await staff(world, "C-1", { price: 13, price2: 8, cost_price: 3.2 });
    await staff(world, "J-1", { price: 8, old_price: 20 });
    await staff(world, "J-2", { price: 10 });
    terminal.write("prices.csv", sheet("9,75"));

    const asked = await terminal.dev("accept", "--all", "--yes", "--force");
    expect([asked.code, asked.stdout]).toEqual([
      2,
      expect.stringContaining(
        "rows[J-1].price: 9.75 => 8 (both changed it; --theirs accepts the shop's value)",
      ),
    ]);
    expect(terminal.read("index.ts")).toBe(
      code(rows.replace('"12.50"', '"13.00"').replace("Wholesale: 7", "Wholesale: 8")),
    );
    expect(terminal.read("more.csv")).toBe('sku,what,cost\nC-1,"a, b",3.20\nC-2,,2\n');
    expect(terminal.read("prices.csv")).toBe('sku;price;old price\nJ-1;9,75;20\nJ-2;"10,00";\n');
    await terminal.done("accept", "spring", "--theirs", "--yes", "--force");
    expect(terminal.read("prices.csv")).toBe('sku;price;old price\nJ-1;8,00;20\nJ-2;"10,00";\n');
    const { code: none, stdout } = await terminal.dev("preview", "--expect-no-changes");
    expect(none, stdout).toBe(0);
  },
);

campaignTest(
  "a conflict about the price of a kind that staff have renamed says that the shop has no such kind",
  async () => {
    const rows = [{ sku: "C-1", prices: { Wholesale: 6 } }];
    const { world, terminal } = await opened("", { file: undefined, rows });
    const { id } = await world.client.priceKinds.create({ title: "Wholesale" });
    expect((await up(terminal, world)).code).toBe(0);
    await world.edit({ kind: "price_kind", id, set: { title: "Trade" } });
    terminal.write("index.ts", terminal.read("index.ts").replace("6", "7"));
    const { code, all } = await terminal.dev("preview");
    expect([code, all]).toEqual([1, expect.stringMatching(/the shop has no PriceKind .*Wholesale.*Trade/)]);
  },
);

campaignTest.each(forms)(
  "the end of a sheet puts back the prices of a kind that staff have renamed, and names one that they have deleted: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    for (const title of ["Opt", "Dealer"]) await world.client.priceKinds.create({ title });
    await staff(world, "C-1", { price2: 9, price3: 8 });
    const sheet = (rows: readonly object[]) =>
      terminal.write("index.ts", program({ file: undefined, rows, onRemove: "restore" }));
    const prices = { Opt: 6, Dealer: 5 };
    sheet([
      { sku: "C-1", prices },
      { sku: "C-2", prices },
      { sku: "J-1", prices },
    ]);
    await terminal.done("up", "--yes", "--skip-preview");
    const [opt, dealer] = world.rows("price_kind").map(({ id }) => id);
    await world.edit({ kind: "price_kind", id: opt, set: { title: "Wholesale" } });
    const now = () =>
      variantsOf(world).map(({ price2, price3 }) => [price2, price3].map((one) => Number(one ?? 0)));
    const announced = async () => {
      world.requests();
      await terminal.done("preview");
      const looked = world.requests().length;
      const { stdout } = await terminal.done("up", "--yes");
      expect(world.requests()).toHaveLength(looked + needed(stdout));
      return stdout;
    };
    // Staff's title in the sheet, too: its price stays, the other one comes back.
    const renamed = { Wholesale: 6, Dealer: 5 };
    sheet([
      { sku: "C-1", prices: renamed },
      { sku: "C-2", prices: renamed },
    ]);
    expect(await announced()).toContain("J-1 (Jug) prices[Wholesale]: 6 => nothing");
    expect(now()).toEqual([
      [6, 5],
      [6, 5],
      [0, 0],
      [0, 0],
    ]);
    await terminal.done("preview", "--expect-no-changes");
    await world.edit({ kind: "price_kind", id: dealer, delete: true });
    await world.edit({ kind: "price_kind", id: opt, set: { title: "Partners" } });
    terminal.write("index.ts", "export {};\n");
    const ended = await announced();
    const lost =
      'the shop no longer has the price kind "Dealer": no earlier price of it comes back (C-1, C-2)';
    expect(ended.split(lost)).toHaveLength(3);
    expect(ended).toContain("C-1 (Cup) prices[Partners]: 6 => 9 (+50 %)");
    expect(now()).toEqual([
      [9, 5],
      [0, 5],
      [0, 0],
      [0, 0],
    ]);
  },
);

test("a plan's limits and prices of kinds hold for a sheet as for any price", async () => {
  const { world, terminal } = await opened("", {
    file: undefined,
    onRemove: "restore",
    rows: [{ sku: "C-1", price: 15, prices: { Wholesale: 6 } }],
  });
  await world.client.priceKinds.create({ title: "Wholesale" });
  terminal.write(
    "Pulumi.dev.yaml",
    terminal.read("Pulumi.dev.yaml").replace("config: {}", "config:\n  shop:maxPriceChange: 20"),
  );
  const refused = await run(terminal, world);
  expect(refused.plan).toContain("would move variants[C-1].price by 50 %, 10 => 15");
  expect(priceOf(world, "C-1")).toBe(10);
  for (const others of ["spring[J-*]", "Coupon", "autumn*"])
    expect((await up(terminal, world, "--allow", others)).code, others).not.toBe(0);
  const allowed = await run(terminal, world, "--allow", "spring[C-*]");
  expect(allowed.code, allowed.all).toBe(0);
  expect(variantOf(world, "C-1")).toMatchObject({ price: "15.0", price2: "6.0" });
  expect(allowed.requests).toHaveLength(allowed.looked.length + needed(allowed.plan));
  terminal.write("index.ts", terminal.read("index.ts").replace("6", '"-"'));
  const taken = await terminal.dev("preview");
  const limit = "would take away variants[C-1].prices[Wholesale], 6, and shop:maxPriceChange is 20 %";
  expect([taken.code, taken.all]).toEqual([1, expect.stringContaining(limit)]);
  expect(taken.all).toContain("Prices removed  1 (spring, C-1 Wholesale: 6)");
  expect(taken.all).not.toContain("-100 %");
  expect((await up(terminal, world, "--allow", "spring[C-1]")).code).toBe(0);
  expect(variantOf(world, "C-1")).toMatchObject({ price: "15.0", price2: null });
  // The end changes the price, too.
  terminal.write("index.ts", "");
  const end = await terminal.dev("preview");
  expect([end.code, end.all]).toEqual([
    1,
    expect.stringContaining("Prices spring would move variants[C-1].price by 33.3 %, 15 => 10"),
  ]);
  const gone = await terminal.dev("destroy", "--yes", "--allow", "spring[C-1]");
  expect([gone.code, priceOf(world, "C-1")]).toEqual([0, 10]);
});

test.each(forms)(
  "the prices of secret rows are in no message and not readable in the state: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const secret = (price: string) => `import * as pulumi from "@pulumi/pulumi";
import { Prices } from "pulumi-shop";
const rows = pulumi.secret([{ sku: "C-1", price: ${price} }]);
new Prices("spring", { rows, onRemove: "restore" });
`;
    terminal.write("index.ts", secret("7.31"));
    const first = await run(terminal, world);
    expect(first.code, first.all).toBe(0);
    expect(first.plan).toContain("C-1 (Cup) price: [secret] => [secret]");
    terminal.write("index.ts", secret("6.42"));
    const second = await run(terminal, world);
    await staff(world, "C-1", { price: 5.53 });
    const refreshed = await terminal.dev("refresh", "--yes");
    const back = await run(terminal, world);
    expect(priceOf(world, "C-1")).toBe(6.42);
    const state = terminal.read("backend/.pulumi/stacks/user/dev.json");
    const all = [
      first.plan,
      first.all,
      second.plan,
      second.all,
      refreshed.stdout,
      back.plan,
      back.all,
      state,
    ];
    expect(all.join("\n")).not.toMatch(/\b(7\.31|6\.42|5\.53)/);
    // A hash of so few prices can be guessed.
    expect(state).not.toMatch(/__source|digest/);
    terminal.write("index.ts", "export {};\n");
    await up(terminal, world);
    expect(priceOf(world, "C-1")).toBe(10);
  },
);
