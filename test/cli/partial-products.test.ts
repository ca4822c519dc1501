// A program that owns a part of an existing product: everything else stays as it is.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms as forms, plugged } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const program = (args: object, opts: object = {}) => `import { Prices, Product } from "pulumi-shop";
new Product("p5", ${JSON.stringify({ adopt: "key", ...args })}, ${JSON.stringify(opts)});
`;
const part = (sku: string, price: number, more: object = {}) =>
  program({ otherVariants: "keep", variants: [{ sku, price }], ...more });

type Variant = { readonly id: number; readonly sku: string; readonly price: unknown };
const potOf = (world: World) =>
  world.rows("product")[0] as {
    readonly id: number;
    readonly title: string;
    readonly variants: readonly Variant[];
  };
const idOf = (world: World, sku: string) =>
  potOf(world).variants.find((one) => one.sku === sku)?.id as number;
/** The title, and each price by SKU. */
const shownIn = (world: World) => {
  const { title, variants } = potOf(world);
  return [title, ...variants.map(({ sku, price }) => `${sku.slice(3)} ${Number(price)}`)].join(", ");
};

async function opened(plugins: string, text: string) {
  const world = await openWorld();
  const variants = ["A", "B", "C"].map((sku) => ({ sku: `P5-${sku}`, price: 15, quantity: 3 }));
  await world.client.products.create({ title: "Pot", variants });
  world.requests();
  const terminal = openTerminal(text, world.env, plugins);
  return { world, terminal };
}

/** An edit of the product in the back office. */
async function staff(world: World, values: object): Promise<void> {
  await world.client.products.edit({ id: potOf(world).id, ...values });
  world.requests();
}

/** A preview, then its run, with the requests. */
async function up(terminal: Terminal, world: World) {
  world.requests();
  const { code, all } = await terminal.dev("up", "--yes", "--skip-preview");
  const sent = world.requests().filter((line) => !line.startsWith("GET"));
  return { code, up: all, sent };
}

async function run(terminal: Terminal, world: World) {
  const { all } = await terminal.dev("preview");
  return { plan: all, ...(await up(terminal, world)) };
}

test.each(forms)(
  "a program owns what it states of a product, and all else stays: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(
      plugins,
      part("P5-A", 77, { variants: [{ sku: "P5-A", price: 77, barcode: "77" }] }),
    );
    const taken = await run(terminal, world);
    expect(taken.plan).toContain("~ variants[P5-A].price: 15 => 77");
    expect(taken.plan).not.toMatch(/title|P5-B|P5-C/);
    expect(taken.code, taken.up).toBe(0);
    expect(shownIn(world)).toBe("Pot, A 77, B 15, C 15");
    // Staff rename the product, add a variant and change another: the program has none of these.
    const variants = [
      { id: idOf(world, "P5-B"), price: 16 },
      { sku: "P5-D", price: 9 },
    ];
    await staff(world, { title: "Big pot", variants });
    const refreshed = await terminal.dev("refresh", "--yes");
    expect(refreshed.stdout).toContain("1 unchanged");
    const nothing = await run(terminal, world);
    expect([nothing.plan.includes("1 unchanged"), nothing.sent]).toEqual([true, []]);
    // A second stack owns other values of the same product.
    terminal.write("index.ts", part("P5-C", 30, { description: "Holds 2 l." }));
    await terminal.done("up", "--stack", "erp", "--yes", "--create");
    expect(shownIn(world)).toBe("Big pot, A 77, B 16, C 30, D 9");
    // Another variant becomes the program's, and the previous one is released.
    terminal.write("index.ts", part("P5-B", 20));
    const moved = await run(terminal, world);
    expect(moved.plan).toContain("variants of p5 (P5-A) are no longer listed: the shop keeps them");
    expect(moved.plan).toContain("Big pot, P5-B: 16 → 20");
    expect(moved.plan).not.toMatch(/- variants|isn't stated/);
    expect(moved.sent).toHaveLength(1);
    expect(shownIn(world)).toBe("Big pot, A 77, B 20, C 30, D 9");
    expect((await run(terminal, world)).plan).toContain("1 unchanged");
    // Edits of staff are kept, or conflicts, like for any product.
    await staff(world, { variants: [{ id: idOf(world, "P5-B"), price: 21 }] });
    terminal.write("index.ts", part("P5-B", 25));
    const clash = await up(terminal, world);
    expect([clash.code, clash.sent]).toEqual([1, []]);
    expect(clash.up).toMatch(/P5-B price: last run 20, in the shop now 21, the program asks for 25/);
    // A program that sets the title owns the product; without it, it doesn't. Neither sends anything.
    for (const more of [{ title: "Big pot" }, {}]) {
      terminal.write("index.ts", part("P5-B", 21, more));
      const { code, up, sent } = await run(terminal, world);
      expect([code, sent], up).toEqual([0, []]);
      const { stdout } = await terminal.dev("destroy", "--preview-only");
      expect(stdout.includes("stays in the shop")).toBe(more.title === undefined);
    }
    // Removing the resource keeps the product.
    terminal.write("index.ts", "export {};\n");
    const ended = await run(terminal, world);
    expect(ended.plan).toContain("to delete, stays in the shop");
    expect(ended.plan).not.toContain("Deleted");
    expect([ended.code, ended.sent]).toEqual([0, []]);
    expect(shownIn(world)).toBe("Big pot, A 77, B 21, C 30, D 9");
  },
);

test.each(forms)("ignoreChanges holds where a product is taken over: %s", async (_how, plugins) => {
  const whole = {
    title: "x",
    variants: ["A", "B", "C"].map((one) => ({ sku: `P5-${one}`, price: 10, oldPrice: 12 })),
  };
  const opts = { ignoreChanges: ["title", "variants[*].price"] };
  const { world, terminal } = await opened(plugins, program(whole, opts));
  const taken = await run(terminal, world);
  expect(taken.plan).not.toMatch(/title:|\.price/);
  expect(taken.up).toContain("+ variants[P5-A].oldPrice: 12");
  expect(shownIn(world)).toBe("Pot, A 15, B 15, C 15");
  for (const price of [16, 17]) {
    await staff(world, { title: `Pot ${price}`, variants: [{ id: idOf(world, "P5-A"), price }] });
    const again = await up(terminal, world);
    expect([again.code, again.sent], again.up).toEqual([0, []]);
    await terminal.dev("refresh", "--yes");
  }
  expect(shownIn(world)).toBe("Pot 17, A 17, B 15, C 15");
  // Without the option, the program owns all variants.
  terminal.write("index.ts", program(whole));
  const owned = await run(terminal, world);
  expect(owned.plan).toContain("variants[P5-A].price");
  expect(shownIn(world)).toBe("x, A 10, B 10, C 10");
});

test.each(forms)(
  "ignoreChanges of one variant's price leaves the others to the program: %s",
  async (_how, plugins) => {
    const whole = (price: number, one: string) =>
      program(
        { title: "Pot", variants: ["A", "B", "C"].map((sku) => ({ sku: `P5-${sku}`, price })) },
        { ignoreChanges: [one] },
      );
    const { world, terminal } = await opened(plugins, whole(10, "variants[P5-B].price"));
    expect((await up(terminal, world)).code).toBe(0);
    expect(shownIn(world)).toBe("Pot, A 10, B 15, C 10");
    for (const [price, one] of [
      [11, "variants[P5-B].price"],
      [12, 'variants["P5-B"].price'],
      [13, "variants[1].price"],
    ] as const) {
      terminal.write("index.ts", whole(price, one));
      expect((await up(terminal, world)).code).toBe(0);
      expect(shownIn(world)).toBe(`Pot, A ${price}, B 15, C ${price}`);
    }
  },
);

test.each(forms)(
  "a program says what becomes of the variants that it doesn't list: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, part("P5-A", 15, { title: "Pot" }));
    expect((await up(terminal, world)).code).toBe(0);
    expect(shownIn(world)).toBe("Pot, A 15, B 15, C 15");
    terminal.write("index.ts", part("P5-A", 15, { title: "Pot", otherVariants: "delete" }));
    const all = await run(terminal, world);
    expect(all.plan).toMatch(/! Variants lost +2 \(P5-B, 3 in stock; P5-C, 3 in stock\)/);
    expect(all.code, all.up).toBe(0);
    expect(shownIn(world)).toBe("Pot, A 15");
    expect((await run(terminal, world)).plan).toContain("1 unchanged");
  },
);

test("a part of a product that the shop doesn't have, or that says too little, is refused in the preview", async () => {
  const { world, terminal } = await opened("", part("P5-Z", 1));
  const shown = async (text: string) => {
    terminal.write("index.ts", text);
    const { code, stdout, stderr } = await terminal.dev("preview");
    return `${code} ${stdout}${stderr}`;
  };
  expect(await shown(part("P5-Z", 1))).toMatch(
    /^1 [\s\S]*title: is required: the shop has no Product with variants\.sku P5-Z, and none can be created without it/,
  );
  expect(await shown(program({ variants: [{ sku: "P5-A", price: 1 }] }))).toMatch(
    /^1 [\s\S]*otherVariants: is required where title is left to the shop: "keep" leaves the variants/,
  );
  expect(await shown(program({ otherVariants: "keep", variants: [{ price: 1 }] }))).toMatch(
    /^1 [\s\S]*variants\[0\]: must set its sku or options or barcode/,
  );
  expect(await shown(part("P5-A", 1, { otherVariants: "keeep" }))).toMatch(
    /^1 [\s\S]*otherVariants: got "keeep", expected "keep" or "delete"/,
  );
  expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
});

campaignTest(
  "a part of a product has saved plans, moves to the plugin, stands beside a sheet and is never replaced",
  async () => {
    const { world, terminal } = await opened("", part("P5-A", 20));
    const up = async (...more: readonly string[]) => {
      world.requests();
      const { code, all } = await terminal.dev("up", "--yes", ...more);
      const sent = world.requests().filter((line) => !line.startsWith("GET")).length;
      return { code, sent, said: all };
    };
    const plan = () => terminal.dev("preview", "--save-plan", "plan.json");
    expect((await up()).code).toBe(0);
    // Values of others may change between plan and run; the plan's may not.
    terminal.write("index.ts", part("P5-A", 21));
    await plan();
    await staff(world, { title: "Big pot", variants: [{ id: idOf(world, "P5-B"), price: 16 }] });
    expect(await up("--plan", "plan.json")).toMatchObject({ code: 0, sent: 1 });
    expect(shownIn(world)).toBe("Big pot, A 21, B 16, C 15");
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
    terminal.write("index.ts", part("P5-C", 22));
    await plan();
    await staff(world, { variants: [{ id: idOf(world, "P5-C"), price: 14 }] });
    const stale = await up("--plan", "plan.json");
    expect(stale).toMatchObject({ code: expect.not.toBeOneOf([0]), sent: 0 });
    expect(stale.said).toContain("variants[P5-C].price in the shop: planned 15, now 14");
    expect(await up()).toMatchObject({ code: 0, sent: 1 });
    // A sheet may own other values; a value in both is refused.
    const beside = (sku: string) =>
      `${part("P5-C", 22)}new Prices("rest", { rows: [{ sku: "P5-A", price: 9 }, { sku: "${sku}", price: 9 }] });`;
    terminal.write("index.ts", beside("P5-B"));
    expect(await up()).toMatchObject({ code: 0, sent: 1 });
    terminal.write("index.ts", beside("P5-C"));
    const twice = await up();
    expect(twice).toMatchObject({ code: 1, sent: 0 });
    expect(twice.said).toContain("price of P5-C is set by Product p5 (variants[P5-C].price) too");
    // An edit of staff is put back or kept, like for any product.
    terminal.write("index.ts", beside("P5-B"));
    await staff(world, { variants: [{ id: idOf(world, "P5-C"), price: 30 }] });
    await terminal.dev("refresh", "--yes");
    expect(await up("--keep", "p5")).toMatchObject({ code: 0, sent: 0 });
    const replaced = await up("--replace", "p5");
    expect(replaced).toMatchObject({ code: 1, sent: 0 });
    expect(replaced.said).toContain(
      "p5 owns a part of an object that others own, too, and would be replaced",
    );
    expect(await up()).toMatchObject({ code: 0, sent: 1 });
    expect(shownIn(world)).toBe("Big pot, A 9, B 9, C 22");
    // A price that moves from a sheet to the product is ours, unless staff changed it, too.
    const moved = (price: object, ...rows: readonly object[]) =>
      `${part("", 0, { variants: [{ sku: "P5-A", ...price }] })}new Prices("rest", ${JSON.stringify({ rows })});`;
    const a9 = { sku: "P5-A", price: 9 };
    terminal.write("index.ts", moved({}, a9));
    expect(await up()).toMatchObject({ code: 0 });
    terminal.write("index.ts", moved({}, { ...a9, price: 10 }));
    expect(await up()).toMatchObject({ code: 0, sent: 1 });
    terminal.write("index.ts", moved({ price: 30 }));
    await staff(world, { variants: [{ id: idOf(world, "P5-A"), price: 8 }] });
    const both = await terminal.dev("preview");
    expect(both.all).toContain("P5-A price: last run 9, in the shop now 8, the program asks for 30");
    await staff(world, { variants: [{ id: idOf(world, "P5-A"), price: 10 }] });
    expect(await up()).toMatchObject({ code: 0, sent: 1 });
    expect(shownIn(world)).toBe("Big pot, A 30, B 9, C 22");
  },
);

test.each(forms)(
  "a variant of others that a program lists is taken as it is, put back by a word, or accepted: %s",
  async (_how, plugins) => {
    const whole = (...prices: readonly number[]) =>
      program({
        title: "Pot",
        otherVariants: "keep",
        variants: prices.map((price, index) => ({ sku: `P5-${"ABC"[index]}`, price })),
      });
    const { world, terminal } = await opened(plugins, whole(15));
    expect((await up(terminal, world)).code).toBe(0);
    // The shop has the values already: nothing is sent or shown, and the program owns them.
    terminal.write("index.ts", whole(15, 15));
    const same = await run(terminal, world);
    expect(same.plan).toMatch(/Done already +1 product[\s\S]*1 unchanged/);
    expect([same.code, same.sent]).toEqual([0, []]);
    await staff(world, { variants: [{ id: idOf(world, "P5-B"), price: 16 }] });
    terminal.write("index.ts", whole(15, 15, 30));
    const stopped = await terminal.dev("preview");
    expect(stopped.all).toMatch(/kept: variants\[P5-B\]\.price: 15 => 16/);
    const config = terminal.read("Pulumi.dev.yaml");
    terminal.write("Pulumi.dev.yaml", config.replace("config: {}", "config:\n  shop:drift: stop"));
    expect((await run(terminal, world)).up).toMatch(
      /P5-C price: in the shop now 15, the program asks for 30\n/,
    );
    terminal.write("Pulumi.dev.yaml", config);
    // A plan for a variant's price is stale after the variant was deleted, and accept writes the shop's variants.
    await terminal.dev("preview", "--save-plan", "plan.json");
    const { variants } = potOf(world);
    const gone = variants.filter(({ sku }) => sku !== "P5-C");
    await world.edit({ kind: "product", id: potOf(world).id, set: { variants: gone } });
    const stale = await terminal.dev("up", "--yes", "--plan", "plan.json");
    expect(stale.all).toContain("variants[P5-C].price in the shop: planned 15, now unset");
    await world.edit({ kind: "product", id: potOf(world).id, set: { variants } });
    // The program has never set the price of C: whose value is right is for a person to say.
    expect((await terminal.dev("accept", "--all", "--yes", "--force")).code).toBe(2);
    await terminal.done("accept", "--all", "--yes", "--force", "--theirs");
    await terminal.done("preview", "--expect-no-changes");
    // With variants of others, the product isn't deleted unseen, and the message names a way that works.
    terminal.write("index.ts", whole(15));
    await terminal.dev("up", "--yes", "--skip-preview");
    terminal.write("index.ts", "export {};\n");
    const ended = await up(terminal, world);
    expect([ended.code, ended.sent]).toEqual([1, []]);
    expect(ended.up).toContain("--overwrite p5 deletes it anyway. To keep it, put it back");
    expect(ended.up).not.toContain("accept p5");
  },
);

test.each(forms)(
  "a plan shows the shop's value beside one that the program sets for the first time: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins, part("P5-A", 15));
    await staff(world, { shortDescription: "theirs" });
    await terminal.done("up", "--yes");
    terminal.write("index.ts", part("P5-A", 15, { shortDescription: "ours", vat: 20 }));
    const { stdout } = await terminal.done("preview");
    expect(stdout).toContain('shortDescription: "theirs" => "ours"');
    expect(stdout).toContain("vat: -1 => 20");
    const { stdout: markdown } = await terminal.done("preview", "--markdown", "-");
    expect(markdown).toMatch(/theirs.*ours/);
    const shown = { adopt: "key", otherVariants: "keep", shortDescription: "ours" };
    terminal.write("index.ts", program(shown, { hideDiffs: ["shortDescription"] }));
    expect((await terminal.done("preview", "--diff")).all).not.toMatch(/theirs|ours/);
  },
);
