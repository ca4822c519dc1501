// Prices of other kinds: a program names them by title, whatever number the shop gave them.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { connectStack, openScene, openTerminal } from "./terminal.ts";

const program = (prices: object, more = "") => `import { PriceKind, Product } from "pulumi-shop";
const wholesale = new PriceKind("wholesale", { title: "Опт 1.5" });
new Product("mug", {
  title: "Mug",
  permalink: "mug",
  variants: [{ sku: "MUG-R", price: 100, prices: wholesale.title.apply(() => (${JSON.stringify(prices)})) }],
});
${more}`;

type Variant = Readonly<Record<string, unknown>>;
const variantOf = (world: World) => {
  const [product] = world.rows("product") as readonly { readonly variants: readonly Variant[] }[];
  return product?.variants[0] as Variant;
};
/** Its prices as numbers. */
const pricesOf = (world: World) => {
  const of = (name: string) => Number(variantOf(world)[name] ?? 0);
  return { price: of("price"), price2: of("price2"), price3: of("price3") };
};

/** A price edit in the back office. */
async function setPrice(world: World, values: object): Promise<void> {
  const [product] = world.rows("product");
  const path = `/admin/products/${product?.id}/variants/${variantOf(world).id}.json`;
  const { status } = await world.ask("PUT", path, JSON.stringify({ variant: values }), {
    "content-type": "application/json",
  });
  expect(status).toBe(200);
}

const needed = (text: string) => Number(/API requests needed: at most (\d+)/.exec(text)?.[1] ?? 0);
const spent = (text: string) => Number(/^API requests: (\d+)/m.exec(text)?.[1] ?? 0);

test.each(storyForms)(
  "a variant's price of a kind is set, kept, limited and in conflict as any price: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(program({ "Опт 1.5": 80 }), plugins);
    const up = async (...more: readonly string[]) => {
      const plan = await terminal.dev("preview", ...more);
      world.requests();
      const ran = await terminal.dev("up", "--yes", "--skip-preview", ...more);
      return { plan: plan.all, ...ran, requests: world.requests() };
    };
    await world.client.priceKinds.create({ title: "Another" });
    const made = await up();
    expect(made.code, made.all).toBe(0);
    expect(made.plan).toContain(
      'mug: the shop has no PriceKind "Опт 1.5", only Another; if the program creates it, name that resource in dependsOn',
    );
    expect(pricesOf(world)).toMatchObject({ price: 100, price3: 80 });
    // The stack's first write asks for the account once.
    expect(made.requests.filter((line) => !line.includes("account")).length).toBe(needed(made.plan) - 1);

    // Without changes nothing is read.
    expect((await up()).requests).toEqual([]);

    // Kinds that the program doesn't name belong to staff, and so do their edits of the others.
    await setPrice(world, { price2: 60, price: 101 });
    terminal.write("index.ts", program({ "Опт 1.5": 90 }));
    const told = await terminal.dev("preview", "--markdown", "plan.md");
    expect(told.stdout).toContain("variants[MUG-R].prices[Опт 1.5]: 80 => 90");
    // Both outputs use the names of the object.
    expect(terminal.read("plan.md")).toMatch(/MUG-R price Опт 1\.5.*80 .*90.*\+12\.5 %/);
    const changed = await up();
    expect(changed.code, changed.all).toBe(0);
    expect(changed.plan).toContain("+12.5 %");
    expect(pricesOf(world)).toMatchObject({ price: 101, price2: 60, price3: 90 });
    // A run without a shown plan makes one first.
    expect(changed.requests).toHaveLength(spent(changed.plan) + needed(changed.plan));

    await setPrice(world, { price3: 95 });
    terminal.write("index.ts", program({ "Опт 1.5": 70 }));
    const clash = await up();
    expect(clash.code).not.toBe(0);
    expect(clash.plan).toContain(
      "MUG-R price Опт 1.5: last run 90, in the shop now 95, the program asks for 70",
    );
    expect(pricesOf(world)).toMatchObject({ price3: 95 });

    const { stdout: refreshed } = await terminal.dev("refresh", "--yes");
    expect(refreshed).toContain("95");
    terminal.write("index.ts", program({ "Опт 1.5": 95 }));
    terminal.write(
      "Pulumi.dev.yaml",
      `${terminal.read("Pulumi.dev.yaml")}`.replace("config: {}", "config:\n  shop:maxPriceChange: 20"),
    );
    expect((await up()).code).toBe(0);
    terminal.write("index.ts", program({ "Опт 1.5": 190 }));
    const limited = await up();
    expect(limited.plan).toContain("would move variants[MUG-R].prices[Опт 1.5] by 100 %, 95 => 190");
    expect(pricesOf(world)).toMatchObject({ price3: 95 });

    // An empty string removes it.
    terminal.write(
      "Pulumi.dev.yaml",
      terminal.read("Pulumi.dev.yaml").replace("  shop:maxPriceChange: 20", "  shop:protected: false"),
    );
    terminal.write("index.ts", program({ "Опт 1.5": "" }));
    const emptied = await up();
    expect(emptied.code, emptied.all).toBe(0);
    expect(variantOf(world).price3).toBeNull();
  },
);

/** Runs commands that succeed. @returns their output */
const rightIn =
  (terminal: ReturnType<typeof openTerminal>) =>
  async (...args: readonly string[]): Promise<string> => {
    const { all } = await terminal.done(...args);
    return all;
  };

campaignTest.each(storyForms)(
  "a price kind is renamed together with the prices under its title, and staff's rename is put back with them: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const named = (title: string, price: number) =>
      program({ [title]: price }).replace('title: "Опт 1.5"', `title: ${JSON.stringify(title)}`);
    const terminal = openTerminal(named("Wholesale", 80), world.env, plugins);
    const right = rightIn(terminal);
    await right("up", "--yes", "--skip-preview");
    terminal.write("index.ts", named("Trade", 90));
    const renamed = await right("up", "--yes");
    expect(renamed).toContain("Prices up  Mug, MUG-R Trade: 80 → 90, +12.5 %");
    expect(renamed).not.toContain("the shop has no PriceKind");
    expect(pricesOf(world)).toMatchObject({ price2: 90 });
    await right("preview", "--refresh", "--expect-no-changes");
    // If only the title changes, no price does.
    for (const title of ["Retail", "Trade"]) {
      terminal.write("index.ts", named(title, 90));
      const alone = await right("up", "--yes");
      expect(alone).not.toContain("New prices");
      expect(alone).toMatch(/~ 1 updated\n +\d+ unchanged/);
    }
    await world.edit({ kind: "price_kind", where: { title: "Trade" }, set: { title: "Staff" } });
    await right("refresh", "--yes");
    terminal.write("index.ts", named("Trade", 95));
    expect(await right("up", "--yes")).toContain("Mug, MUG-R Trade: 90 → 95");
    expect(pricesOf(world)).toMatchObject({ price2: 95 });
  },
);

campaignTest.each(storyForms)(
  "two price kinds swap their titles: each price goes with its title, and nothing is taken for staff's: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const titled = (first: string, second: string, prices: object) =>
      `import { PriceKind, Prices, Product } from "pulumi-shop";
const first = new PriceKind("first", { title: "${first}" });
const second = new PriceKind("second", { title: "${second}" }, { dependsOn: [first] });
new Product("mug", { title: "Mug", variants: [{ sku: "MUG-R", price: 9, prices: ${JSON.stringify(prices)} }] },
  { dependsOn: [second] });
new Prices("sheet", { rows: [{ sku: "CUP", prices: ${JSON.stringify(prices)} }] }, { dependsOn: [second] });\n`;
    await world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 9 }] });
    const priced = () =>
      world.rows("product").map(({ variants }) => {
        const [{ price2, price3 } = {}] = variants as readonly Variant[];
        return [price2, price3];
      });
    const terminal = openTerminal(titled("W", "D", { W: 5, D: 6 }), world.env, plugins);
    const right = rightIn(terminal);
    await right("up", "--yes", "--skip-preview");
    // The program's prices are unchanged; the shop's differ.
    terminal.write("index.ts", titled("D", "W", { W: 5, D: 6 }));
    const swapped = await right("up", "--yes");
    expect(swapped).toContain("Prices up    2, median +20 %, largest +20 % (");
    expect(priced()).toEqual([
      ["6.0", "5.0"],
      ["6.0", "5.0"],
    ]);
    await right("preview", "--refresh", "--expect-no-changes");
    // Prices move with their titles: no product is written.
    terminal.write("index.ts", titled("W", "D", { W: 6, D: 5 }));
    world.requests();
    await right("up", "--yes");
    expect(world.requests().filter((line) => line.startsWith("PUT /admin/products"))).toEqual([]);
    await right("preview", "--refresh", "--expect-no-changes");
    // One is renamed and priced while staff changed the other.
    const [, mug] = world.rows("product");
    const [red] = (mug?.variants ?? []) as readonly Variant[];
    const staff = JSON.stringify({ variant: { price3: 5.5 } });
    await world.ask("PUT", `/admin/products/${mug?.id}/variants/${red?.id}.json`, staff, {
      "content-type": "application/json",
    });
    terminal.write("index.ts", titled("Trade", "D", { Trade: 7, D: 5 }));
    expect(await right("up", "--yes")).toContain("variants[MUG-R].prices[D]: 5 => 5.5; refresh takes it");
    expect(priced()).toEqual([
      ["7.0", "5.0"],
      ["7.0", "5.5"],
    ]);
    await right("refresh", "--yes");
    // Edits that a refresh has read move with the title, too.
    terminal.write("index.ts", titled("Trade", "Dealer", { Trade: 7, Dealer: 5 }));
    expect(await right("preview")).toContain("1 edit of staff: Mug MUG-R price Dealer 5.5 → 5");
  },
);

test("shops that number their price kinds otherwise are equal, and a pull writes the titles", async () => {
  const [staging, live] = [await openWorld(), await openWorld()];
  await staging.client.priceKinds.create({ title: "Retail" });
  await live.client.priceKinds.create({ title: "Опт 1.5" });
  await live.client.priceKinds.create({ title: "Retail" });
  const terminal = openTerminal(
    program({ "Опт 1.5": 80, Retail: 120 }).replace(
      'new PriceKind("wholesale", {',
      'new PriceKind("wholesale", { adopt: "key",',
    ),
  );
  for (const [stack, world] of [
    ["staging", staging],
    ["live", live],
  ] as const) {
    await connectStack(terminal, stack, world);
    await terminal.done("up", "--stack", stack, "--yes", "--skip-preview");
  }
  expect(pricesOf(staging)).toMatchObject({ price2: 120, price3: 80 });
  expect(pricesOf(live)).toMatchObject({ price2: 80, price3: 120 });
  const { stdout } = await terminal.run("compare", "shop:staging", "shop:live");
  expect(stdout).toContain("are equal in what was compared");
  await setPrice(live, { price2: 81 });
  const differ = await terminal.run("compare", "shop:staging", "shop:live");
  expect(differ.stdout).toContain("variants[MUG-R].prices[Опт 1.5]: 80 => 81");
  const other = openTerminal("", live.env);
  const pulled = await other.run("pull", "products", "--cwd", "shop");
  expect(pulled.code, pulled.stderr).toBe(0);
  expect(other.read("shop/products.ts")).toContain('prices: { "Опт 1.5": 81, Retail: 120 }');
});
