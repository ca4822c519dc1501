// The plugin as engines use it: the protocol's calls with an embedded shop.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { closeShops } from "../../provider/context/open-shop.ts";
import { sampleOf } from "../provider/samples.ts";
import { openWorld, resources } from "../support/world.ts";
import { openPlug, type Plug, secret, unfinished, urn } from "./engine.ts";

const second = {
  urn: urn("Coupon", "second"),
  properties: { code: "SECOND", discount: 10, typeId: 1 },
};
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe.each(resources)("$kind", (definition) => {
  const { kind } = definition;
  test("an object is created, read, compared without a change, and deleted", async () => {
    const world = await openWorld();
    const plug = await openPlug(world);
    const { args } = await sampleOf(definition, world);
    const { inputs, failuresList } = await plug.call("check", { urn: urn(kind), olds: {}, news: args });
    expect(failuresList).toEqual([]);
    const made = await plug.call("create", { urn: urn(kind), properties: inputs });
    const olds = made.properties as Readonly<Record<string, unknown>>;
    const id = made.id as string;
    expect(id).not.toBe("");
    const read = await plug.call("read", { urn: urn(kind), id, properties: olds, inputs });
    // Without arguments, an engine keeps those in the state.
    expect([read.id, read.inputs ?? inputs]).toMatchObject([id, inputs]);
    const diff = { urn: urn(kind), id, olds: read.properties, oldInputs: inputs, news: inputs };
    expect(await plug.call("diff", diff)).toMatchObject({ changes: 1, detailed: [] });
    await plug.call("delete", { urn: urn(kind), id, properties: read.properties });
  });

  test("deleting a resource keeps an object that another resource of the state has adopted", async () => {
    const world = await openWorld();
    vi.stubEnv("PULUMI_BACKEND_URL", `file://${world.folder}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const maker = await openPlug(world);
    const { args } = await sampleOf(definition, world);
    const { inputs } = await maker.call("check", { urn: urn(kind), olds: {}, news: args });
    const { id, properties } = await maker.call("create", { urn: urn(kind), properties: inputs });
    closeShops();
    // Another process adopted it: this one knows only its own state.
    const plug = await openPlug(world);
    const held = (name: string) => {
      const { __shop: own } = properties as { __shop?: string };
      const outputs = { __shop: name === "far" ? "https://far.test#1" : own };
      return { urn: urn(kind, name), type: `shop:index:${kind}`, id, outputs };
    };
    const path = join(world.folder, ".pulumi/stacks/project/dev.json");
    const state = (...names: readonly string[]) =>
      writeFileSync(path, JSON.stringify({ checkpoint: { latest: { resources: names.map(held) } } }));
    // The new resource comes before the one to be deleted.
    state("heir", "one");
    const theirs = { urn: urn(kind), id, properties };
    const kept = await world.during(() => plug.call("delete", theirs));
    expect(kept).toEqual([]);
    // Another shop may have an object with the same id.
    state("far", "one", "heir");
    const deleted = await world.during(() => plug.call("delete", theirs));
    expect(deleted).not.toEqual([]);
  });

  test("an object is imported with a program whose preview is empty", async () => {
    const world = await openWorld();
    const plug = await openPlug(world);
    const { args } = await sampleOf(definition, world);
    // Another application created it.
    const others = world.verbs(definition);
    const { id } = await others.create(await others.checked(args));
    const old = urn(kind, "old");
    const requests = await world.during(async () => {
      const read = await plug.call("read", { urn: old, id });
      expect(read.inputs).not.toHaveProperty("__of");
      const { __imported: isImported, ...news } = read.inputs as Readonly<Record<string, unknown>>;
      expect(isImported).toBe(true);
      const checked = await plug.call("check", { urn: old, olds: read.inputs, news });
      expect(checked).toMatchObject({ failuresList: [] });
      expect(checked.inputs).toEqual(news);
      const diff = await plug.call("diff", {
        urn: old,
        id: read.id,
        olds: read.properties,
        oldInputs: read.inputs,
        news: checked.inputs,
      });
      expect(diff).toMatchObject({ changes: 1 });
    });
    expect(requests.every((line) => line.startsWith("GET "))).toBe(true);
  });

  test("a create is noted beside the stack's state by its URN only", async () => {
    const world = await openWorld();
    vi.stubEnv("PULUMI_BACKEND_URL", `file://${world.folder}`);
    vi.stubEnv("PULUMI_NODEJS_PROJECT", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const plug = await openPlug(world);
    const { args } = await sampleOf(definition, world);
    const { inputs } = await plug.call("check", { urn: urn(kind), olds: {}, news: args });
    const { id } = await plug.call("create", { urn: urn(kind), properties: inputs });
    const notes = readFileSync(join(world.folder, ".pulumi/stacks/project/dev.creates"), "utf8");
    const lines = notes
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ of: `urn:pulumi:dev::project::${kind}::one`, kind }, { id }]);
  });

  test("--replace replaces the object if the stack's state has it", async () => {
    const world = await openWorld();
    vi.stubEnv("PULUMI_BACKEND_URL", `file://${world.folder}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const plug = await openPlug(world);
    const { args } = await sampleOf(definition, world);
    const others = world.verbs(definition);
    const { id } = await others.create(await others.checked(args));
    const resources = [{ urn: urn(kind), type: `shop:index:${kind}`, id }];
    mkdirSync(join(world.folder, ".pulumi/stacks/project"), { recursive: true });
    writeFileSync(
      join(world.folder, ".pulumi/stacks/project/dev.json"),
      JSON.stringify({ version: 3, checkpoint: { latest: { resources } } }),
    );
    // Pulumi calls it without the old state for `--replace` and `state taint`.
    const requests = await world.during(async () => {
      const checked = await plug.call("check", { urn: urn(kind), olds: {}, news: args });
      expect(checked).toMatchObject({ failuresList: [] });
    });
    expect([requests, plug.logged]).toEqual([[], []]);
  });

  test("a missing object has neither id nor properties", async () => {
    const plug = await openPlug(await openWorld());
    const id = kind === "Asset" ? "93238/1" : "1";
    expect(await plug.call("read", { urn: urn(kind), id })).toMatchObject({ id: "" });
  });
});

describe("previews of the plugin", () => {
  test("the preview of a create has the program's arguments, and others are unknown", async () => {
    const plug = await openPlug(await openWorld());
    const properties = { code: "SPRING", discount: 10, typeId: 1 };
    const { id, properties: planned } = await plug.call("create", {
      urn: urn("Coupon"),
      properties,
      preview: true,
    });
    expect(id).toBe("");
    expect(planned).toMatchObject({ ...properties, createdAt: unknown, description: unknown });
  });

  test("the preview of an update keeps arguments that the program doesn't set", async () => {
    const world = await openWorld();
    const plug = await openPlug(world);
    const args = { code: "SPRING", discount: 10, typeId: 1 };
    const made = await plug.call("create", { urn: urn("Coupon"), properties: args });
    const sent = await world.during(async () => {
      const { properties } = await plug.call("update", {
        urn: urn("Coupon"),
        id: made.id,
        olds: made.properties,
        news: { ...args, discount: 12 },
        preview: true,
      });
      expect(properties).toMatchObject({ discount: 12, disabled: false, updatedAt: unknown });
    });
    // It looks for changes by staff.
    expect(sent).toEqual([`GET /admin/discount_codes/${made.id}.xml`]);
  });

  test("what a preview says of new values appears in the preview alone", async () => {
    const plug = await openPlug(await openWorld());
    const at = { urn: urn("Coupon", "spring") };
    const args = { code: "SPRING", discount: 10, typeId: 1, description: "Fish &amp; chips" };
    const doubt = expect.stringMatching(/^spring: spring: description is .*&amp;/);
    const newly = async (olds: object, news: object) => {
      plug.logged.length = 0;
      const { inputs } = await plug.call("check", { ...at, olds, news });
      expect(plug.logged).toEqual([]);
      return inputs;
    };
    const properties = await newly({}, args);
    await plug.call("create", { ...at, properties, preview: true });
    expect(plug.logged).toEqual([doubt]);
    await newly({}, args);
    const { id, properties: olds } = await plug.call("create", { ...at, properties });
    expect(plug.logged).toEqual([]);
    const next = { ...args, description: "Fish &lt; chips" };
    for (const preview of [true, false]) {
      const news = await newly(args, next);
      await plug.call("diff", { ...at, id, olds, oldInputs: args, news });
      await plug.call("update", { ...at, id, olds, news, preview });
      expect(plug.logged).toEqual(preview ? [expect.stringMatching(/&lt;/)] : []);
    }
  });

  test.each([
    ["before any call that tells whether it previews", async () => {}, true],
    [
      "after a preview of another resource",
      (plug: Plug) => plug.call("create", { ...second, preview: true }),
      true,
    ],
    ["not after a create", (plug: Plug) => plug.call("create", second), false],
    [
      "after an invoke in a preview",
      (plug: Plug) => plug.call("invoke", { tok: "shop:index:getThemes", preview: true }),
      true,
    ],
    [
      "not after an invoke in a run",
      (plug: Plug) => plug.call("invoke", { tok: "shop:index:getThemes" }),
      false,
    ],
  ])(
    "what a preview says of a resource without a change is said at once, %s",
    async (_when, before, isSaid) => {
      const world = await openWorld();
      const at = { urn: urn("Coupon", "spring") };
      const rest = { code: "SPRING", discount: 10, typeId: 1 };
      const args = { ...rest, description: "Words" };
      const { id, properties: olds } = await (await openPlug(world)).call("create", {
        ...at,
        properties: args,
      });
      // Another process for the next run.
      await closeShops();
      const plug = await openPlug(world);
      await plug.call("handshake", { invokeWithPreview: true });
      await before(plug);
      plug.logged.length = 0;
      const { inputs: news } = await plug.call("check", { ...at, olds: args, news: rest });
      await plug.call("diff", { ...at, id, olds, oldInputs: args, news });
      const said = [expect.stringContaining("description of spring is no longer set")];
      expect(plug.logged).toEqual(isSaid ? said : []);
    },
  );

  test("an invoke of an engine that doesn't tell in it whether it previews hides nothing", async () => {
    const world = await openWorld();
    const plug = await openPlug(world);
    await plug.call("invoke", { tok: "shop:index:getThemes" });
    const at = { urn: urn("Coupon", "spring") };
    const args = { code: "SPRING", discount: 10, typeId: 1, description: "Fish &amp; chips" };
    const { inputs: properties } = await plug.call("check", { ...at, olds: {}, news: args });
    await plug.call("create", { ...at, properties, preview: true });
    expect(plug.logged).toHaveLength(1);
  });
});

test("the diff of a sheet names its changed settings and rows", async () => {
  const world = await openWorld();
  vi.stubEnv("PULUMI_BACKEND_URL", `file://${world.folder}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 10 }] });
  const plug = await openPlug(world);
  const args = (price: number, until: string) => ({ rows: [{ sku: "CUP", price }], until });
  const checked = async (news: object, olds: object = {}) =>
    (await plug.call("check", { urn: urn("Prices"), olds, news })).inputs as typeof news;
  const olds = await checked(args(8, "2090-01-01T00:00"));
  const made = await plug.call("create", { urn: urn("Prices"), properties: olds });
  for (const [news, paths] of [
    [args(8, "2091-01-01T00:00"), ["until: UPDATE"]],
    [args(7, "2090-01-01T00:00"), ["rows: UPDATE"]],
    [args(7, "2091-01-01T00:00"), ["rows: UPDATE", "until: UPDATE"]],
  ] as const) {
    const diff = { urn: urn("Prices"), id: made.id, olds: made.properties, oldInputs: olds };
    const answer = await plug.call("diff", { ...diff, news: await checked(news, olds) });
    expect(answer.detailed).toEqual(paths);
  }
  // A refresh has read staff's value, and the program adopts it: the object has no rows to compare.
  const [{ variants = [] } = {}] = world.rows("product") as readonly { variants?: readonly object[] }[];
  await world.edit({
    kind: "product",
    where: { title: "Cup" },
    set: { variants: variants.map((one) => ({ ...one, price: "9.0" })) },
  });
  const sheet = { urn: urn("Prices"), id: made.id };
  const read = await plug.call("read", { ...sheet, properties: made.properties, inputs: olds });
  const known = { olds: read.properties, oldInputs: read.inputs };
  const news = await checked(args(9, "2090-01-01T00:00"), olds);
  expect((await plug.call("diff", { ...sheet, ...known, news })).detailed).toEqual(["rows: UPDATE"]);
});

interface KnownSheet {
  readonly id: unknown;
  readonly olds: unknown;
  readonly oldInputs: unknown;
}

/** Runs of a restoring sheet, each with a process of its own, over a product with two variants that cost 10. */
async function openSheet() {
  const world = await openWorld();
  vi.stubEnv("PULUMI_BACKEND_URL", `file://${world.folder}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const variants = ["CUP", "POT"].map((sku) => ({ sku, price: 10 }));
  const { id } = await world.client.products.create({ title: "Cups", variants });
  const shown = async () => (await world.client.products.get({ id })).variants ?? [];
  const sheet = { urn: urn("Prices") };
  const asking = (prices: Readonly<Record<string, number>>, known: KnownSheet | undefined) => {
    const rows = Object.entries(prices).map(([sku, price]) => ({ sku, price }));
    return { olds: known?.oldInputs ?? {}, news: { rows, onRemove: "restore" } };
  };
  return {
    prices: async () => (await shown()).map(({ price }) => price),
    async setPrice(price: number) {
      const [first] = await shown();
      await world.client.products.edit({ id, variants: [{ id: first?.id, price }] } as never);
    },
    /** @returns what the engine's state would have of the sheet */
    async up(prices: Readonly<Record<string, number>>, known?: KnownSheet): Promise<KnownSheet> {
      const plug = await openPlug(world);
      const { inputs: news } = await plug.call("check", { ...sheet, ...asking(prices, known) });
      if (known === undefined) {
        const made = await plug.call("create", { ...sheet, properties: news });
        return { id: made.id, olds: made.properties, oldInputs: news };
      }
      await plug.call("diff", { ...sheet, ...known, news });
      const { properties } = await plug.call("update", { ...sheet, ...known, news });
      return { id: known.id, olds: properties, oldInputs: news };
    },
    async deleteLast() {
      const [{ variants } = { variants: [] }] = world.rows("product") as { variants: object[] }[];
      await world.edit({ kind: "product", id, set: { variants: variants.slice(0, -1) } });
    },
    /** Whether an engine would show an update. */
    async differs(prices: Readonly<Record<string, number>>, known: KnownSheet) {
      const plug = await openPlug(world);
      const { inputs: news } = await plug.call("check", { ...sheet, ...asking(prices, known) });
      return (await plug.call("diff", { ...sheet, ...known, news })).changes === 2;
    },
    async destroy({ id, olds, oldInputs }: KnownSheet) {
      const plug = await openPlug(world);
      await plug.call("delete", { ...sheet, id, properties: olds, oldInputs });
    },
    /** Writes a state with the sheet, and without operations that are under way. */
    save({ id, olds, oldInputs }: KnownSheet) {
      const path = join(world.folder, ".pulumi/stacks/project/dev.json");
      mkdirSync(dirname(path), { recursive: true });
      const resource = {
        ...sheet,
        type: "shop:index:Prices",
        custom: true,
        id,
        inputs: oldInputs,
        outputs: olds,
      };
      writeFileSync(path, JSON.stringify({ version: 3, checkpoint: { latest: { resources: [resource] } } }));
    },
  };
}

test("where no folder has the state, a price that staff set is theirs, also if an earlier run of the sheet had set the same", async () => {
  const { up, setPrice, prices } = await openSheet();
  const known = await up({ CUP: 9 }, await up({ CUP: 8 }));
  await setPrice(8);
  await expect(up({ CUP: 7 }, known)).rejects.toThrow(/price/);
  expect(await prices()).toEqual([8, 10]);
});

test("a sheet gives back every price if its engine ended before it wrote the state of an update", async () => {
  const { up, save, destroy, prices } = await openSheet();
  const known = await up({ CUP: 8 });
  save(known);
  await up({ CUP: 8, POT: 8 }, known);
  await destroy(await up({ CUP: 8, POT: 8 }, known));
  expect(await prices()).toEqual([10, 10]);
});

test("a sheet that an engine replaces gives back the prices from before the first one", async () => {
  const { up, save, destroy, prices } = await openSheet();
  save(await up({ CUP: 8 }));
  // For `state taint` and --replace, an engine creates it as a new one.
  await destroy(await up({ CUP: 9, POT: 9 }));
  expect(await prices()).toEqual([10, 10]);
});

test("a row of an interrupted run is done with if its variant was deleted and the sheet has it no more", async () => {
  const { up, save, deleteLast, differs, prices } = await openSheet();
  const known = await up({ CUP: 8 });
  save(known);
  // Its state is lost.
  await up({ CUP: 8, POT: 8 }, known);
  await deleteLast();
  expect(await differs({ CUP: 8 }, known)).toBe(true);
  const next = await up({ CUP: 8 }, known);
  save(next);
  expect(await differs({ CUP: 8 }, next)).toBe(false);
  expect(await prices()).toEqual([8]);
});

describe("detailed diffs of the plugin", () => {
  const variants = [
    { sku: "MUG-R", price: 7 },
    { sku: "MUG-G", price: 8 },
  ];
  async function openMug() {
    const world = await openWorld();
    const plug = await openPlug(world);
    const args = { title: "Mug", variants };
    const made = await plug.call("create", { urn: urn("Product"), properties: args });
    return (news: object, oldInputs: object = args, more: object = {}) =>
      plug.call("diff", {
        urn: urn("Product"),
        id: made.id,
        olds: made.properties,
        oldInputs,
        news: { title: "Mug", ...news },
        ...more,
      });
  }

  test("an inserted item is the only new one in a diff", async () => {
    const diff = await openMug();
    const [red, green] = variants;
    const answer = await diff({ variants: [red, { sku: "MUG-B", price: 9 }, green] });
    expect(answer).toMatchObject({ changes: 2, replacesList: [], detailed: ["variants[1]: ADD"] });
  });

  test("a diff names items by position in lists, and by key in objects", async () => {
    const diff = await openMug();
    const [red, green] = variants;
    const dear = { sku: "MUG-G", price: 80 };
    expect(await diff({ variants: [red, dear] })).toMatchObject({ detailed: ["variants[1].price: UPDATE"] });
    const byKey = { title: "Mug", variants: { "MUG-R": red, "MUG-G": green } };
    expect(await diff({ variants: { "MUG-R": red, "MUG-G": dear } }, byKey)).toMatchObject({
      detailed: ['variants["MUG-G"].price: UPDATE'],
    });
  });

  test("a diff names a removed item by its old position", async () => {
    const diff = await openMug();
    expect(await diff({ variants: [variants[0]] })).toMatchObject({ detailed: ["variants[1]: DELETE"] });
  });

  test("ignored properties don't differ, regardless of their item's position", async () => {
    const diff = await openMug();
    const swapped = [
      { sku: "MUG-G", price: 7 },
      { sku: "MUG-R", price: 8 },
    ];
    const answer = await diff({ variants: swapped }, undefined, { ignorechangesList: ["variants[*].price"] });
    expect(answer).toMatchObject({ changes: 1, detailed: [] });
    // A position means the item that is there.
    for (const ignored of ["variants[0].price", 'variants["MUG-G"].price', "variants[MUG-G].price"])
      expect(await diff({ variants: swapped }, undefined, { ignorechangesList: [ignored] })).toMatchObject({
        detailed: ["variants[1].price: UPDATE"],
      });
  });

  test("properties that force a replacement are marked", async () => {
    const world = await openWorld();
    const plug = await openPlug(world);
    const args = { content: "a\n", filename: "a.txt" };
    const made = await plug.call("create", { urn: urn("File"), properties: args });
    const answer = await plug.call("diff", {
      urn: urn("File"),
      id: made.id,
      olds: made.properties,
      oldInputs: args,
      news: { ...args, filename: "b.txt" },
    });
    expect(answer).toMatchObject({ replacesList: ["filename"], detailed: ["filename: UPDATE_REPLACE"] });
  });
});

describe("errors of the plugin", () => {
  test("all invalid arguments are reported with their paths", async () => {
    const plug = await openPlug(await openWorld());
    const news = { code: "SPRING", discount: "much", typeId: 3 };
    const { failuresList } = await plug.call("check", { urn: urn("Coupon"), olds: {}, news });
    expect(failuresList).toMatchObject([{ property: "discount" }, { property: "typeId" }]);
  });

  test("an incomplete object is kept with its reasons", async () => {
    // A strict shop accepts only what interface.md shows.
    const plug = await openPlug(await openWorld({ strict: true }));
    const properties = { code: "SPRING", discount: 10, typeId: 1, minPrice: 30 };
    const error = await plug.call("create", { urn: urn("Coupon"), properties }).catch((one: unknown) => one);
    expect(unfinished(error)).toMatchObject({
      properties: { code: "SPRING" },
      reasons: [expect.stringContaining("without taking minPrice")],
    });
  });

  test("a resource of another package is refused by its URN", async () => {
    const plug = await openPlug(await openWorld());
    const other = "urn:pulumi:dev::project::random:index:Pet::one";
    await expect(plug.call("check", { urn: other, olds: {}, news: {} })).rejects.toThrow(
      'random:index:Pet::one" is not a resource of the package shop',
    );
  });
});

test.each([
  [
    "Kupon",
    "12",
    /^2 UNKNOWN: pulumi-shop has no kind Kupon; it has .*Coupon, .*\. If a newer version wrote the state, upgrade the package$/,
  ],
  ["Asset", "12", "12 is not an id of Asset: write <themeId>/<id>, such as 93238/93239"],
  ["Coupon", "1/2", "1/2 is not an id of Coupon: write <id>, such as 93238"],
  [
    "Prices",
    "12",
    "Prices can't be imported, because it is not an object of the shop. Add it to the program and run up",
  ],
])("an import of %s %s is refused without a request", async (kind, id, reason) => {
  const world = await openWorld();
  const plug = await openPlug(world);
  const requests = await world.during(() =>
    expect(plug.call("read", { urn: urn(kind), id })).rejects.toThrow(reason),
  );
  expect(requests).toEqual([]);
});

describe("secrets in the plugin", () => {
  test("secrets stay marked in arguments and outputs and are in no message", async () => {
    const plug = await openPlug(await openWorld());
    const news = { code: "SPRING", discount: 10, typeId: 1, description: secret("only for staff") };
    const { inputs } = await plug.call("check", { urn: urn("Coupon"), olds: {}, news });
    expect(inputs).toEqual(news);
    const { properties } = await plug.call("create", { urn: urn("Coupon"), properties: inputs });
    expect(properties).toMatchObject({ description: secret("only for staff") });
    const wrong = { ...news, description: secret("only for staff\u0001") };
    const { failuresList } = await plug.call("check", { urn: urn("Coupon"), olds: {}, news: wrong });
    expect(JSON.stringify(failuresList)).not.toContain("only for staff");
  });
});

describe("the configuration of the plugin", () => {
  test("secret settings are marked, and unknown ones are errors", async () => {
    const plug = await openPlug(await openWorld());
    const news = { url: "https://shop.example.test", password: "abc", version: "1.0.0", adress: "x" };
    const checked = await plug.call("checkConfig", { urn: "", olds: {}, news });
    expect(checked.inputs).toMatchObject({ url: news.url, password: secret("abc") });
    expect(checked.failuresList).toMatchObject([{ property: "adress" }]);
  });

  test("a changed configuration replaces nothing", async () => {
    const plug = await openPlug(await openWorld());
    const [olds, news] = [{ url: "https://one.example.test" }, { url: "https://two.example.test" }];
    expect(await plug.call("diffConfig", { urn: "", olds, news })).toMatchObject({
      changes: 2,
      replacesList: [],
      diffsList: ["url"],
    });
  });
});

test("data sources are functions of the plugin", async () => {
  const world = await openWorld();
  const plug = await openPlug(world);
  const asked = await world.during(async () => {
    const one = await plug.call("invoke", { tok: "shop:index:getTheme", args: { published: true } });
    expect(one.return).toMatchObject({ isPublished: true });
    const many = await plug.call("invoke", { tok: "shop:index:getThemes", args: {} });
    expect((many.return as { themes: readonly unknown[] }).themes.length).toBe(world.rows("theme").length);
  });
  expect(asked).toEqual(["GET /admin/themes.xml"]);
  await expect(plug.call("invoke", { tok: "shop:index:getTheme", args: { title: "None" } })).rejects.toThrow(
    'there is no Theme with title "None"',
  );
});

test("objects of a kind are listed with ids for an import", async () => {
  const world = await openWorld();
  const plug = await openPlug(world);
  const made = await plug.call("create", { urn: urn("PriceKind"), properties: { title: "Wholesale" } });
  expect(await plug.list("shop:index:PriceKind")).toContainEqual({ id: made.id, name: "Wholesale" });
  const theme = (await world.client.themes.list())[0]?.id;
  const assets = await plug.list("shop:index:Asset", { themeId: theme });
  expect(String(assets[0]?.id)).toMatch(new RegExp(`^${theme}/\\d+$`));
  await expect(plug.list("shop:index:Asset")).rejects.toThrow("a list of Asset objects needs themeId");
  await expect(plug.list("shop:index:RecurringCharge")).rejects.toThrow("can't be listed");
});

test("messages appear with their resource", async () => {
  const world = await openWorld();
  const plug = await openPlug(world);
  const args = { code: "SPRING", discount: 10, typeId: 1 };
  const made = await plug.call("create", { urn: urn("Coupon", "spring"), properties: args });
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  const news = { ...args, description: "for staff" };
  const change = { urn: urn("Coupon", "spring"), id: made.id, olds: made.properties, oldInputs: args, news };
  await plug.call("diff", change);
  expect(plug.logged).toEqual([]);
  await plug.call("update", { ...change, preview: true });
  expect(plug.logged).toEqual([expect.stringMatching(/^spring: .*discount/)]);
});
