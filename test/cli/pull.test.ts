// From an existing shop to a program: pulled objects are adopted as they are, and nothing of others is lost.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { entryOf } from "../../cli/pull/entry.ts";
import type { ServeOptions } from "../../emulator/index.ts";
import { openStack } from "../../engine/index.ts";
import type { Transport } from "../../provider/client/transport.ts";
import type { Definition, Field } from "../../provider/definition/define.ts";
import { readObjects } from "../../provider/inventory/read-objects.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { managedObjects } from "../../runs/stack/managed-objects.ts";
import { programOf } from "../laws/arbitrary.ts";
import { sampleOf } from "../provider/samples.ts";
import { campaignTest } from "../support/campaign.ts";
import { openFront } from "../support/front.ts";
import { begin } from "../support/git.ts";
import { awkward, messy } from "../support/messy.ts";
import { openWorld, resources, type World } from "../support/world.ts";
import { furnish } from "./furnish.ts";
import { openScene, openTerminal, root, type Terminal } from "./terminal.ts";

const tables = [
  "product",
  "variant",
  "discount_code",
  "price_kind",
  "application_charge",
  "recurring_charge",
  "asset",
  "file",
  "js_tag",
  "collection",
  "theme",
];
const everything = (world: World) => JSON.stringify(tables.map((table) => world.rows(table)));

async function opened(options: ServeOptions = {}) {
  const world = await openWorld(options);
  const terminal = openTerminal("", world.env);
  const folder = join(terminal.folder, "shop");
  const install = () => {
    rmSync(join(folder, "node_modules"), { force: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  };
  return {
    world,
    terminal,
    folder,
    install,
    read: (path: string) => readFileSync(join(folder, path), "utf8"),
  };
}

/** An object of a kind, with generated arguments if the shop accepts them, or else the sample's. */
async function make(world: World, definition: Definition, generated: Values): Promise<void> {
  const verbs = world.verbs(definition);
  const { args } = await sampleOf(definition, world);
  const numbers = Object.entries(definition.fields).filter(([, { refersTo }]) => refersTo !== undefined);
  const own = Object.fromEntries(numbers.map(([name]) => [name, args[name]]));
  const required = Object.keys(args).filter((name) => definition.fields[name]?.mode !== "optional");
  const attempts = [
    { ...generated, ...own },
    { ...generated, ...own, ...Object.fromEntries(required.map((name) => [name, args[name]])) },
    args,
  ];
  for (const attempt of attempts) {
    const { inputs, failures } = await verbs.check({}, attempt);
    if (failures.length > 0) continue;
    try {
      await verbs.create(inputs);
      return;
    } catch {
      // Rejected: the next attempt has fewer arguments. An object that exists once is there already.
    }
  }
}

/** The limits of a shop's numbers. */
const limits: Partial<Record<Field["type"], readonly unknown[]>> = {
  integer: [0, -1, 2_147_483_647],
  decimal: [0, 0.01, 9_999_999_999.99, "1234567890123.45"],
};

/** Generated arguments with difficult names and values. */
const programs = (definition: Definition) =>
  fc
    .tuple(
      programOf(definition),
      fc.infiniteStream(fc.option(fc.constantFrom(...awkward), { freq: 2 })),
      fc.infiniteStream(fc.option(fc.nat(), { freq: 2 })),
    )
    .map(([generated, texts, picks]) => {
      const args = Object.fromEntries(
        Object.entries(generated).map(([name, value]) => {
          const field = definition.fields[name];
          const isName = definition.keys?.flat().includes(name) || definition.names?.includes(name);
          const isFixed = field?.values !== undefined || field?.refersTo !== undefined;
          const pool =
            isName || name === "filename" ? messy : isFixed ? [] : (limits[field?.type ?? "text"] ?? []);
          const pick = picks.next().value;
          return [
            name,
            pick === null || pick === undefined || pool.length === 0 ? value : pool[pick % pool.length],
          ];
        }),
      );
      const isFree = (name: string) => {
        const field = definition.fields[name];
        const keyed = definition.keys?.flat().includes(name) || definition.names?.includes(name);
        return field?.type === "text" && field.values === undefined && !keyed && name !== "filename";
      };
      const entries = Object.entries(args).map(([name, value]) => [
        name,
        (isFree(name) ? texts.next().value : undefined) ?? value,
      ]);
      return Object.fromEntries(entries) as Values;
    });

const shops = fc.record(
  Object.fromEntries(
    resources.map((definition) => [
      definition.kind,
      fc.array(programs(definition), { maxLength: definition.singleton === undefined ? 4 : 1 }),
    ]),
  ),
) as fc.Arbitrary<Readonly<Record<string, readonly Values[]>>>;

/** The type checker's output for a folder. */
const typeErrors = (folder: string) =>
  spawnSync(process.execPath, [join(root, "node_modules/typescript-7/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  }).stdout;

/** Pulls, ups, previews. */
async function circle(world: World, terminal: Terminal): Promise<void> {
  const pulled = await terminal.run("pull", "--cwd", "shop");
  expect(pulled, pulled.stderr).toMatchObject({ code: 0 });
  await terminal.done("up", "-C", "shop", "--stack", "live", "--yes", "--skip-preview");
  await terminal.done("preview", "-C", "shop", "--stack", "live", "--expect-no-changes");
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
}

const shopsTried = Number(process.env.PULUMI_SHOP_TRIALS ?? 12);

describe("pull, up, preview", () => {
  campaignTest(
    "of any shop sends no POST and no PUT, shows no change, and leaves the shop as it was",
    async () => {
      let objects = 0;
      let named = 0;
      let checked = false;
      await fc.assert(
        fc.asyncProperty(shops, fc.constantFrom(...messy), async (shop, called) => {
          const { world, terminal, folder, install } = await opened();
          // Two themes with the same title.
          const [, mobile] = world.rows("theme");
          await world.edit({ kind: "theme", id: mobile?.id, set: { title: "main" } });
          for (const definition of resources)
            for (const args of shop[definition.kind] ?? []) await make(world, definition, args);
          // In small shops, one product of each gets a difficult name.
          await world.client.products.create({ title: called, variants: [{ price: 1 }] });
          mkdirSync(folder);
          install();
          const before = everything(world);
          named += tables
            .flatMap((table) => world.rows(table))
            .filter((row) =>
              [row.code, row.title, row.name].some((name) => messy.includes(String(name))),
            ).length;
          objects += tables.reduce((sum, table) => sum + world.rows(table).length, 0);
          world.requests();
          await circle(world, terminal);
          expect(everything(world)).toBe(before);
          // One type check takes as long as all the rest.
          if (!checked) expect(typeErrors(folder)).toBe("");
          checked = true;
        }),
        { numRuns: shopsTried, endOnFailure: true },
      );
      expect(objects).toBeGreaterThan(8 * shopsTried);
      expect(named).toBeGreaterThan(shopsTried / 3);
    },
  );

  test("of the storefront: names from titles, one file a kind, bodies in folders, references by variable", async () => {
    const { world, terminal, folder, install, read } = await opened();
    await terminal.done("up", "-C", root, "--stack", "staging", "--yes", "--skip-preview");
    mkdirSync(folder);
    install();
    world.requests();
    await circle(world, terminal);
    expect(read("index.ts")).toContain('import "./coupons.ts";');
    expect(read("coupons.ts")).toMatch(
      /new Coupon\("welcome", \{\n {2}code: "WELCOME",[^}]* discount: \{ percent: 10 \}/,
    );
    expect(read("products.ts")).toMatch(/options: \{ \w+: "\w+" \}/);
    expect(read("themes.ts")).toContain('const main = getThemeOutput({ title: "Main" });');
    expect(read("themes/main/templates/page.care.liquid")).toBe(
      readFileSync(join(root, "examples/storefront/theme/templates/page.care.liquid"), "utf8"),
    );
    expect(readFileSync(join(folder, "files/workshop.pdf"))).toEqual(
      readFileSync(join(root, "examples/storefront/files/workshop.pdf")),
    );
    // No id of the shop is in the program, only in adopt.STACK.json.
    const [theme] = world.rows("theme");
    expect(read("themes.ts")).not.toContain(String(theme?.id));
    expect(typeErrors(folder)).toBe("");
    expect(read("products.ts")).toMatch(/const shared = \{[^}]*unit: "pce"[^}]*\} as const;/);
    expect(read("products.ts").match(/currencyCode/g)).toHaveLength(1);
    // Right after a pull and its up nothing differs.
    const same = await terminal.run("compare", "live", "program:live", "-C", "shop");
    expect(same.stdout.split("\n")[0], same.stdout).toMatch(/^live and program:live are equal/);
    // Adopted objects are edited like any other, without the state of the stack that created them.
    rmSync(join(terminal.folder, "backend/.pulumi/stacks/storefront/staging.json"));
    writeFileSync(
      join(folder, "products.ts"),
      read("products.ts").replace('"BWL-1100-1", price: 34', '"BWL-1100-1", price: 35'),
    );
    await terminal.done("up", "-C", "shop", "--stack", "live", "--yes", "--skip-preview");
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([
      expect.stringMatching(/^PUT .*products/),
    ]);
    const bowl = world.rows("product").find(({ permalink }) => permalink === "ramen-bowl");
    expect(bowl?.variants).toEqual([
      expect.objectContaining({ sku: "BWL-1100-1", price: "35.0", quantity: 22 }),
    ]);
  });

  campaignTest("of 10,000 products costs the pages of the lists, and nothing more", async () => {
    const world = await openWorld({
      fixture: {
        product: Array.from({ length: 10_000 }, (_, index) => ({
          title: `Tile ${index}`,
          permalink: `tile-${index}`,
          variants: [],
        })),
      },
    });
    const terminal = openTerminal("", world.env);
    const { stdout } = await terminal.run("pull", "products", "--cwd", "shop", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ objects: { products: 10_000 }, requests: 202 });
    // A list of several pages is read twice, because a delete meanwhile would hide an object.
    expect(world.requests()).toHaveLength(202);
    const table = readFileSync(join(terminal.folder, "shop/products.ts"), "utf8");
    expect(table.match(/^ {2}"tile-\d+": \{/gm)).toHaveLength(10_000);
  });
});

describe("what is there already", () => {
  test("is asked about where it isn't committed, and nothing is written; --force overwrites", async () => {
    const { world, terminal, folder, read } = await opened();
    await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
    await terminal.run("pull", "coupons", "--cwd", "shop");
    expect(read("AGENTS.md")).toContain("For coding agents");
    expect(read("README.md")).toContain("npx pulumi-shop preview --stack live  ");
    rmSync(join(folder, "README.md"));
    const mine = `${read("coupons.ts")}// mine\n`;
    writeFileSync(join(folder, "coupons.ts"), mine);
    await world.client.coupons.create({ code: "B", discount: 1, typeId: 1 });
    const before = read("adopt.live.json");
    const refused = await terminal.run("pull", "coupons", "--cwd", "shop");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/coupons\.ts[\s\S]*--force overwrite them; nothing was written/);
    expect([read("coupons.ts"), read("adopt.live.json")]).toEqual([mine, before]);
    expect((await terminal.run("pull", "coupons", "--cwd", "shop", "--force")).code).toBe(0);
    expect(read("coupons.ts")).toContain('code: "B"');
    expect(existsSync(join(folder, "README.md"))).toBe(false);
  });

  test("is overwritten where git has it, and not where it was changed since", async () => {
    const { world, terminal, folder, read } = await opened();
    await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
    await terminal.run("pull", "coupons", "--cwd", "shop");
    begin(folder);
    await world.client.coupons.create({ code: "B", discount: 1, typeId: 1 });
    expect((await terminal.run("pull", "coupons", "--cwd", "shop")).code).toBe(0);
    expect(read("coupons.ts")).toContain('code: "B"');
    // The second pull isn't committed: a third may not overwrite it unasked.
    await world.client.coupons.create({ code: "C", discount: 1, typeId: 1 });
    expect((await terminal.run("pull", "coupons", "--cwd", "shop")).code).toBe(2);
    expect(read("coupons.ts")).not.toContain('code: "C"');
  });

  test("takes all that is there, and names only what is gone, where staff delete while the list is read", async () => {
    const { world, folder, install, read } = await opened();
    for (let at = 0; at < 12; at += 1)
      await world.client.coupons.create({ code: `T${at}`, discount: 1, typeId: 1 });
    const third = Number(world.rows("discount_code")[3]?.id);
    let meanwhile: (() => Promise<void>) | undefined;
    const front = await openFront(world.url, async (path) => {
      if (!path.includes("?page=2&")) return;
      await meanwhile?.();
      meanwhile = undefined;
    });
    const own = openTerminal("", {
      ...world.env,
      SHOP_URL: front,
      SHOP_PER_PAGE: "10",
    });
    const zeroth = Number(world.rows("discount_code")[0]?.id);
    meanwhile = () => world.edit({ kind: "discount_code", id: zeroth, delete: true });
    const first = await own.run("pull", "coupons", "--cwd", folder);
    expect(first.code, first.stderr).toBe(0);
    expect(
      read("coupons.ts")
        .match(/(?<=code: ")T\d+/g)
        ?.toSorted(),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((at) => `T${at}`).toSorted());
    install();
    meanwhile = () => world.edit({ kind: "discount_code", id: third, delete: true });
    const again = await own.run("pull", "coupons", "--new", "--cwd", folder);
    expect(again.code, again.stderr).toBe(0);
    const said = again.all;
    expect(said.match(/\S+ \(\d+\) is gone/g)).toEqual([`t3 (${third}) is gone`]);
    expect(read("coupons.ts")).toContain('code: "T10"');
    expect(existsSync(join(folder, "coupons-2.ts"))).toBe(false);
    expect(again.stdout).not.toContain("npm install");
    expect(again.stdout).toMatch(/^The shop has no objects that the program lacks \(\d+ requests\)$/m);
  });

  campaignTest(
    "stays as it is with --new: what the last pull didn't see comes into files of its own",
    async () => {
      const { world, terminal, folder, install, read } = await opened();
      await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
      await terminal.run("pull", "--cwd", "shop");
      install();
      const edited = `${read("coupons.ts")}// mine\n`;
      writeFileSync(join(folder, "coupons.ts"), edited);
      await world.client.coupons.create({ code: "a", discount: 2, typeId: 1 });
      const { code, stderr } = await terminal.run("pull", "--cwd", "shop", "--new");
      expect(code, stderr).toBe(0);
      expect(read("coupons.ts")).toBe(edited);
      expect(read("coupons-2.ts")).toContain('new Coupon("a-2"');
      expect(existsSync(join(folder, "assets-2.ts"))).toBe(false);
      world.requests();
      await terminal.done("up", "-C", "shop", "--stack", "live", "--yes", "--skip-preview");
      expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
      // A body with a reused name is another file: the old one belongs to the user.
      const upload = (text: string) =>
        world.client.files.create({
          attachment: Buffer.from(text).toString("base64"),
          filename: "note.txt",
        } as never);
      await upload("first");
      await terminal.run("pull", "--cwd", "shop", "--new");
      await upload("second");
      await terminal.run("pull", "--cwd", "shop", "--new");
      expect([read("files/note.txt"), read("files/note-2.txt")]).toEqual(["first", "second"]);
      const again = await terminal.run("pull", "--cwd", "shop", "--new", "--json");
      expect(Object.values(JSON.parse(again.stdout).objects)).toEqual(resources.map(() => 0));
      expect(existsSync(join(folder, "coupons-3.ts"))).toBe(false);
    },
  );
});

describe("what isn't a pull's own", () => {
  const hand =
    'import { Coupon } from "pulumi-shop";\nnew Coupon("own", { code: "OWN", discount: 5, typeId: 1 });\n';

  test("stays: the entry gets a line, what the state holds isn't pulled, and the next plan deletes nothing", async () => {
    const { world, terminal } = await openScene(hand, "", ["live"]);
    const read = (path: string) => readFileSync(join(terminal.folder, path), "utf8");
    await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
    await world.client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
    const pulled = await terminal.run("pull", "coupons");
    expect(pulled.code, pulled.stderr).toBe(0);
    expect(pulled.stdout).toContain(
      "Coupon: 1 skipped, because other files of the program declare them: own",
    );
    expect(read("index.ts")).toBe(`${hand}import "./coupons.ts";\n`);
    expect(read("coupons.ts")).not.toContain("OWN");
    world.requests();
    await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
    await world.client.coupons.create({ code: "LATER", discount: 5, typeId: 1 });
    const { stdout } = await terminal.run("pull", "coupons", "--new", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ objects: { coupons: 1 } });
    expect(read("coupons-2.ts")).toContain('new Coupon("later"');
    expect(read("index.ts")).toBe(`${hand}import "./coupons.ts";\nimport "./coupons-2.ts";\n`);
    // A whole pull merges both files of coupons, and keeps the program's own.
    expect((await terminal.run("pull", "coupons", "--force")).code).toBe(0);
    expect(read("coupons.ts").match(/new Coupon\("(\w+)"/g)).toEqual([
      'new Coupon("staff"',
      'new Coupon("later"',
    ]);
    expect(read("coupons-2.ts")).toContain("export {};");
    const preview = await terminal.run("preview", "--stack", "live", "--json");
    expect(preview.stdout, preview.stderr).toMatch(
      new RegExp(`"op":"adopt"[^\n]*"id":"${world.rows("discount_code")[2]?.id}"`),
    );
    expect(preview.stdout).not.toMatch(/"op":"(delete|replace|update)/);
  });

  test("stays where the program takes it over by its number and no state has it yet", async () => {
    const world = await openWorld();
    const made = await world.client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
    const other = await world.client.coupons.create({ code: "OTHER", discount: 5, typeId: 1 });
    const taking =
      'import { Coupon } from "pulumi-shop";\n' +
      `new Coupon("own", { code: "STAFF", discount: 5, typeId: 1, adopt: "${made.id}" });\n`;
    const terminal = openTerminal(taking, world.env, "", ["live"]);
    const { stdout, stderr } = await terminal.run("pull", "coupons", "--new", "--json");
    expect(JSON.parse(stdout), stderr).toMatchObject({ objects: { coupons: 1 } });
    const adopted = JSON.parse(readFileSync(join(terminal.folder, "adopt.live.json"), "utf8"));
    expect(adopted).toEqual({ Coupon: { other: String(other.id) } });
    const whole = await terminal.run("pull", "coupons", "--force");
    expect(whole.stdout).toContain(
      `Coupon: 1 skipped, because other files of the program declare them: ${made.id}`,
    );
  });

  test("keeps its names, also where it makes them with another name of the class", async () => {
    const aliased =
      'import { Coupon as C } from "pulumi-shop";\nimport * as shop from "pulumi-shop";\nconst Make = shop.PriceKind;\n' +
      'new C("sale", { code: "OWN", discount: { percent: 5 } });\nnew Make("opt", { title: "Own" });\n' +
      'new shop.Product("jug", { title: "Jug", variants: [{ sku: "J", price: 1 }] });\n';
    const { world, terminal } = await openScene(aliased, "", ["live"]);
    const read = (path: string) => readFileSync(join(terminal.folder, path), "utf8");
    await world.client.coupons.create({ code: "SALE", discount: 5, typeId: 1 });
    await world.client.coupons.create({ code: "JUG", discount: 5, typeId: 1 });
    await world.client.priceKinds.create({ title: "Opt" });
    const pulled = await terminal.run("pull", "coupons", "priceKinds");
    expect(pulled.code, pulled.stderr).toBe(0);
    expect(read("coupons.ts").match(/new Coupon\("[^"]+/g)).toEqual([
      'new Coupon("sale-2',
      'new Coupon("jug',
    ]);
    expect(read("price-kinds.ts")).toContain('new PriceKind("opt-2"');
    const preview = await terminal.run("preview", "--stack", "live");
    expect(preview.code, preview.all).toBe(0);
  });

  test("is an entry in CommonJS: the line that is told makes the pulled objects part of the program", async () => {
    const { world, terminal } = await openScene("", "", ["live"]);
    await world.client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
    const program =
      'const { PriceKind } = require("pulumi-shop");\nnew PriceKind("own", { title: "Own" });\n';
    const project = readFileSync(join(terminal.folder, "Pulumi.yaml"), "utf8");
    terminal.write("Pulumi.yaml", project.replace("main: index.ts", "main: index.js"));
    terminal.write("index.js", program);
    terminal.write("package.json", "{}");
    const pulled = await terminal.run("pull", "coupons", "--json");
    expect(JSON.parse(pulled.stdout).notices).toEqual(['index.js: add the line require("./coupons.ts");']);
    terminal.write("index.js", `${program}require("./coupons.ts");\n`);
    terminal.warnings.push(/MODULE_TYPELESS_PACKAGE_JSON|the program has type errors/);
    const { code, all } = await terminal.run("preview", "--stack", "live");
    expect(code, all).toBe(0);
    expect(all).toMatch(/= Coupon +staff +to adopt/);
    expect(all).toMatch(/\+ PriceKind +own +to create/);
  });

  test("an entry that can't take the line is left, and the line is told", () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-entry-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    write("main.js", 'const shop = require("pulumi-shop");\n');
    const of = (stated: string, modules: readonly string[], isCompiled = false) =>
      entryOf({ home: folder, stated, isCompiled, url: "https://a.example" }, modules);
    expect(of("main.js", ["coupons"])).toEqual({
      path: "main.js",
      text: undefined,
      notices: ['main.js: add the line require("./coupons.ts");'],
      isCommonJs: true,
    });
    mkdirSync(join(folder, "lib"));
    write("lib/main.js", 'import "../coupons.ts";\n');
    expect(of("lib/main.js", ["coupons", "files"])).toMatchObject({
      text: undefined,
      notices: ['lib/main.js: add the line import "../files.ts";'],
    });
    write("index.ts", 'import "./coupons";\n// import "./files.ts";\nrun();');
    expect(of(".", ["coupons"]).text).toBeUndefined();
    expect(of(".", ["coupons", "files"]).text).toBe(
      'import "./coupons";\n// import "./files.ts";\nrun();\nimport "./files.ts";\n',
    );
    expect(of(".", ["files"], true)).toMatchObject({
      text: undefined,
      notices: [
        expect.stringContaining("set runtime.options.typescript to false"),
        'index.ts: add the line import "./files.ts";',
      ],
    });
    write("package.json", JSON.stringify({ main: "./main.js" }));
    expect(of(".", []).path).toBe("main.js");
  });

  test("is known from the state without its passphrase", () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-state-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write("Pulumi.yaml", "name: p\nruntime: nodejs\n");
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:a:b",
    };
    const type = "pulumi-nodejs:dynamic/shop:Product";
    const variant = { sku: "M", costPrice: secret };
    const common = { title: "Mug", description: secret };
    // Variants as keyed objects, and as lists in an older state.
    const resources = [
      { id: "8841", inputs: { ...common, variants: { M: variant }, __order: { variants: ["M"] } } },
      { id: "8842", inputs: { ...common, variants: [variant] } },
      { id: "8843", inputs: { ...common, variants: secret } },
    ].map((state) => ({ urn: `urn:pulumi:live::p::${type}::mug${state.id}`, custom: true, type, ...state }));
    write(
      "backend/.pulumi/stacks/p/live.json",
      JSON.stringify({ version: 3, checkpoint: { stack: "live", latest: { resources } } }),
    );
    const stack = openStack({
      folder,
      stack: "live",
      env: { PULUMI_BACKEND_URL: `file://${folder}/backend` },
    });
    expect(managedObjects(stack)).toEqual(
      ["8841", "8842", "8843"].map((id) => ({
        kind: "Product",
        id,
        name: `mug${id}`,
        isElsewhere: false,
        isReplaced: false,
        key: id === "8843" ? undefined : { "variants.sku": ["M"] },
        secretPaths: ["description", id === "8843" ? "variants" : "variants.costPrice"],
      })),
    );
  });

  test("is another stack's: a second shop doesn't come into the program of the first unasked", async () => {
    const { terminal, read } = await opened();
    await terminal.run("pull", "coupons", "--cwd", "shop");
    const before = read("index.ts");
    const refused = await terminal.run("pull", "coupons", "--cwd", "shop", "--stack", "staging");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "this program was pulled from the shop of live, and staging is another stack",
      ),
    });
    expect([read("index.ts"), existsSync(join(terminal.folder, "shop/adopt.staging.json"))]).toEqual([
      before,
      false,
    ]);
  });

  test("a name never moves to another object, nor a file to another body; what is gone is told", async () => {
    const { world, terminal, folder, read } = await opened();
    for (const code of ["SALE10", "sale10", "Sale10"])
      await world.client.coupons.create({ code, discount: 1, typeId: 1 });
    const upload = (text: string) =>
      world.client.files.create({
        attachment: Buffer.from(text).toString("base64"),
        filename: "a.txt",
      } as never);
    for (const text of ["first", "second"]) await upload(text);
    await terminal.run("pull", "coupons", "files", "--cwd", "shop");
    const ids = () => JSON.parse(read("adopt.live.json")) as Record<string, Record<string, string>>;
    const before = ids();
    expect(read("files.ts")).toContain('file: "files/a-2.txt", filename: "a.txt"');
    const [sale] = world.rows("discount_code");
    const [file] = world.rows("file");
    await world.client.coupons.remove({ id: sale?.id as number });
    await world.client.files.remove({ id: file?.id as number });
    await world.client.coupons.create({ code: "SALE10", discount: 7, typeId: 1 });
    await upload("third");
    const again = await terminal.run("pull", "coupons", "files", "--cwd", "shop", "--force");
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toContain(`Coupon sale10 (${sale?.id}) is gone from the shop`);
    for (const kind of ["Coupon", "File"]) expect(ids()[kind]).toMatchObject(before[kind] ?? {});
    expect(read("coupons.ts").match(/(?<=new Coupon\()"[\w-]+"|(?<=code: )"\w+"/g)).toEqual([
      ...['"sale10-2"', '"sale10"'],
      ...['"sale10-3"', '"Sale10"'],
      ...['"sale10-4"', '"SALE10"'],
    ]);
    expect(read("files/a-2.txt")).toBe("second");
    expect(readFileSync(join(folder, "files/a.txt"), "utf8")).toBe("third");
    // A file that no pull wrote belongs to the user.
    writeFileSync(join(folder, "files/b.txt"), "mine");
    await world.client.files.create({ attachment: "aGk=", filename: "b.txt" } as never);
    await terminal.run("pull", "files", "--cwd", "shop", "--force");
    expect([read("files/b.txt"), read("files/b-2.txt")]).toEqual(["mine", "hi"]);
  });

  test("a theme is found by its title, or by a number of the stack's own, never by what staff may move", async () => {
    const { world, terminal, read } = await opened();
    const [main, mobile] = world.rows("theme");
    await terminal.run("pull", "assets", "--cwd", "shop");
    expect(read("themes.ts")).toContain('getThemeOutput({ title: "Main" })');
    await world.edit({ kind: "theme", id: mobile?.id, set: { title: "Main" } });
    const { stdout } = await terminal.run("pull", "assets", "--cwd", "twins");
    expect(stdout).toContain(
      `Theme: can't be looked up by name: ${main?.id} "Main", ${mobile?.id} "Main". The ids are in this stack's file`,
    );
    const twins = (path: string) => readFileSync(join(terminal.folder, "twins", path), "utf8");
    expect(twins("themes.ts")).toContain(`themeId: themeIds.n${mobile?.id},`);
    expect(twins("themes.ts")).not.toContain("getTheme");
    expect(twins("Pulumi.live.yaml")).toContain(`n${main?.id}: ${main?.id}`);
    expect([twins("themes/main/media/theme.css"), twins("themes/main-2/media/theme.css")]).toHaveLength(2);
  });
});

describe("a shop with surprises", () => {
  campaignTest("names that are no names become some, each its own; none leaves its folder", async () => {
    const { world, terminal, folder, install } = await opened();
    for (const title of [
      "...",
      "../../etc/passwd",
      "constructor",
      "default",
      "Оптовая",
      "оптовая!",
      "`$x`",
      "con",
    ])
      await world.client.priceKinds.create({ title });
    for (const name of ["...liquid", "con.liquid", "A.liquid", "a.liquid"]) {
      const [theme] = await world.client.themes.list();
      await world.client.assets.create({
        themeId: theme?.id ?? 0,
        type: "Asset::Snippet",
        name,
        content: "x",
      });
    }
    mkdirSync(folder);
    install();
    world.requests();
    await circle(world, terminal);
  });

  test("a kind that the shop doesn't list is said, and the rest is pulled", async () => {
    const strict = await openWorld({ strict: true });
    const terminal = openTerminal("", strict.env);
    const { code, stdout } = await terminal.run("pull", "--cwd", "shop");
    expect(code).toBe(0);
    expect(stdout).toContain("this shop doesn't list its objects of JsTag; they are not in the program");
  });

  test("a value that can't be read is told by kind, number and field, and the rest is pulled", async () => {
    const { world, terminal, read } = await opened();
    const coupon = await world.client.coupons.create({
      code: "HUGE",
      discount: 1,
      typeId: 1,
      description: "d",
    });
    await world.client.coupons.create({ code: "NEXT", discount: 2, typeId: 1 });
    await world.edit({ kind: "discount_code", id: coupon.id, set: { min_price: "123456789012345678.99" } });
    world.requests();
    const { code, stdout, stderr } = await terminal.run("pull", "coupons", "--cwd", "shop");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`Coupon ${coupon.id}: min-price is left out: .*123456789012345678\\.99`),
    );
    expect(world.requests().map((line) => /page=\d+/.exec(line)?.[0])).toEqual(["page=1", "page=2"]);
    expect(read("coupons.ts")).toMatch(/HUGE[\s\S]*NEXT/);
    expect(read("coupons.ts")).not.toContain("minPrice");
  });

  test("a body that can't be had stays at its address, with a notice", async () => {
    const { world, terminal, read } = await opened();
    const file = await world.client.files.create({
      attachment: Buffer.from([1, 2]).toString("base64"),
      filename: "a.bin",
    } as never);
    await world.edit({
      kind: "file",
      id: file.id,
      set: { absolute_url: "http://elsewhere.example.test:81/a.bin" },
    });
    const { stdout } = await terminal.run("pull", "files", "--cwd", "shop");
    expect(stdout).toMatch(
      /File a-bin: its content is only at its address, which disappears with the object; save it as a file of the project: .*neither https nor the shop's own/,
    );
    expect(read("files.ts")).toContain('src: "http://elsewhere.example.test:81/a.bin"');
  });

  test("what doesn't travel is said once a kind, with counts", async () => {
    const { world, terminal } = await opened();
    const [collection] = world.rows("collection");
    await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
    await world.edit({
      kind: "discount_code",
      where: { code: "A" },
      set: { discount_collections: [{ collection_id: collection?.id }] },
    });
    await world.client.products.create({ title: "Mug", variants: [{ sku: "M", price: 1, quantity: 2 }] });
    await furnish(world, { title: "Cup", collection: "Sale", material: "Clay", category: "Tableware" });
    const { stdout } = await terminal.run("pull", "--cwd", "shop", "--json");
    expect(JSON.parse(stdout).notices).toEqual([
      "Product: the program leaves these as they are in the shop: variants.quantity (2 objects), collectionsIds (1 object), images (1 object), properties (1 object), characteristics (1 object), productFieldValues (1 object)",
      "Product: categoryId can't be looked up by name. The ids are in this stack's file (categoryIds); other stacks need their own",
      "Coupon: the program leaves these as they are in the shop: discountCollections (1 object)",
    ]);
    await world.edit({ kind: "product", where: { title: "Mug" }, delete: true });
    expect(JSON.parse((await terminal.run("pull", "--cwd", "other", "--json")).stdout).notices[0]).toMatch(
      /^Product: the program leaves these .*, productFieldValues \(1 object\), categoryId \(1 object\)$/,
    );
  });

  test("an object on two pages of a list that moves is one resource", async () => {
    const products = Array.from({ length: 12 }, (_, index) => ({ title: `Tile ${index}`, variants: [] }));
    const world = await openWorld({ fixture: { product: products } });
    // After the first page a product is inserted before it: the second page begins with the first's last.
    const transport: Transport = {
      ...world.client.transport,
      send: (request, read) =>
        world.client.transport.send(
          {
            ...request,
            path: /[?&]page=2\b/.test(request.path)
              ? request.path.replace(/per_page=10\b/, "per_page=9")
              : request.path,
          },
          read,
        ),
    };
    const definition = definitions.products as Definition;
    const read: number[] = [];
    const progress = (count: number) => void read.push(count);
    const onBadValue = () => {};
    const asked = { transport, url: world.url, perPage: 10, progress, onBadValue };
    const objects = await readObjects(definition, asked);
    expect(objects.map(({ id }) => id)).toEqual(world.rows("product").map(({ id }) => String(id)));
    const pages = [expect.stringContaining("per_page=10"), expect.stringContaining("per_page=9")];
    expect(world.requests()).toEqual([...pages, ...pages]);
  });

  test("a kind that isn't one is refused with those that are", async () => {
    const { terminal } = await opened();
    expect(await terminal.run("pull", "orders")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no kind orders; the kinds are products, coupons,"),
    });
  });
});
