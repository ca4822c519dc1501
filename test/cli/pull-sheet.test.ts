// Prices pulled as a sheet: the program owns them and nothing else of the products.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sheetAdvice } from "../../cli/pull/price-sheet.ts";
import { coupon } from "../../provider/resources/coupon.ts";
import { product } from "../../provider/resources/product.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal, root } from "./terminal.ts";

test("pull products --as-sheet writes the prices alone, as a sheet that up takes over without a change", async () => {
  const world = await openWorld();
  await world.client.priceKinds.create({ title: "Opt" });
  const cups = [
    { sku: "C-1", price: 1234.5, oldPrice: 1300, prices: { Opt: 9 } },
    { sku: "C-2", price: 10 },
    { price: 1 },
  ];
  await world.client.products.create({ title: 'Cup, "big"', variants: cups });
  await world.client.products.create({
    title: "Jug",
    variants: [
      { sku: "J", price: 1.234 },
      { sku: "C-2", price: 2 },
    ],
  });
  const odd = ["=1+1", "+5", "-3", "@x", "007", " a", "4,5;6", "-"];
  await world.client.products.create({ title: "=1+1", variants: odd.map((sku) => ({ sku, price: 3 })) });
  const terminal = openTerminal("", world.env);
  const folder = join(terminal.folder, "shop");
  mkdirSync(folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const inShop = async (...args: readonly string[]) => {
    world.requests();
    const { code, all } = await terminal.run(...args, "-C", "shop", "--stack", "live");
    return { code, said: all, sent: world.requests().filter((line) => !line.startsWith("GET")) };
  };
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const pulled = await inShop("pull", "products", "--as-sheet");
  expect(pulled.code, pulled.said).toBe(0);
  expect(read("prices.csv")).toBe(
    'sku,product,price,oldPrice,prices[Opt]\nC-1,"Cup, ""big""",1234.5,1300,9\nJ,Jug,1.2340,,\n' +
      "=1+1,'=1+1,3,,\n+5,'=1+1,3,,\n-3,'=1+1,3,,\n@x,'=1+1,3,,\n007,'=1+1,3,,\n\" a\",'=1+1,3,,\n" +
      "\"4,5;6\",'=1+1,3,,\n-,'=1+1,3,,\n",
  );
  expect(pulled.said).toContain(
    "prices.csv: a spreadsheet program reads 6 SKUs as a formula, a number or a date, and would save a different value: =1+1; +5; -3; @x; 007; and 1 more. Import the column sku as text instead of opening the file",
  );
  expect(pulled.said).toMatch(
    /prices\.csv: 3 left out, because they have no unique SKU: .*: no SKU; .*SKU C-2/,
  );
  const taken = await inShop("up", "--yes");
  expect(taken, taken.said).toMatchObject({ code: 0, sent: [] });
  // Staff rename a product, which isn't the program's; the next pull has a changed price.
  const jug = world.rows("product")[1] as unknown as { id: number; variants: { id: number }[] };
  const variants = [{ id: jug.variants[0]?.id as number, price: 7 }];
  await world.client.products.edit({ id: jug.id, title: "Pitcher", variants });
  expect((await inShop("pull", "products", "--as-sheet", "--force")).code).toBe(0);
  expect(read("prices.csv")).toContain("\nJ,Pitcher,7,,\n");
  expect(await inShop("up", "--yes")).toMatchObject({ code: 0, sent: [] });
  const wrong = await inShop("pull", "coupons", "--as-sheet");
  expect([wrong.code, wrong.said]).toEqual([2, expect.stringContaining("--as-sheet is for pull products")]);
});

test("a sheet and a module of the user stay, and a later pull writes the files of the earlier one", async () => {
  const world = await openWorld();
  await world.client.products.create({ title: "Jug", variants: [{ sku: "J", price: 5 }] });
  const own =
    'import { Coupon } from "pulumi-shop";\nnew Coupon("own", { code: "OWN", discount: { percent: 5 } });\n';
  const terminal = openTerminal('import "./prices.ts";\n', world.env, "", ["live"]);
  const { folder, run } = terminal;
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  write("prices.ts", own);
  write("prices.csv", "mine\n");
  for (const args of [[], ["--force"]]) {
    const pulled = await run("pull", "products", "--as-sheet", ...args);
    expect(pulled.code, pulled.all).toBe(0);
    expect([read("prices.ts"), read("prices.csv")]).toEqual([own, "mine\n"]);
    expect(read("prices-2.ts")).toContain('new Prices("prices-2", { file: "prices-2.csv", decimal: "." });');
    expect(read("prices-2.csv")).toContain("\nJ,Jug,5\n");
    expect(read("index.ts")).toBe('import "./prices.ts";\nimport "./prices-2.ts";\n');
    write("prices-2.csv", read("prices-2.csv").replace(",5\n", ",9\n"));
  }
  const added = await run("pull", "products", "--as-sheet", "--new", "--force");
  expect([added.code, added.stderr]).toEqual([2, expect.stringContaining("leave out --new")]);
  expect(read("prices-2.csv")).toContain("\nJ,Jug,9\n");
});

test.each([
  [product, 999, []],
  [coupon, 1_000, []],
  [product, 1_000, [expect.stringMatching(/^all: 1,000 resources.*pull all --as-sheet --cwd FOLDER/)]],
])("pull advises a sheet where a catalogue has a thousand products: %#", (definition, count, advice) => {
  const objects = Array.from({ length: count }, (_, id) => ({ id: String(id), seen: {} }));
  expect(sheetAdvice([{ client: "all", definition, objects }])).toEqual(advice);
});
