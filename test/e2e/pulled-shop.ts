/** A shop that people filled, pulled as code, and what people then do to it: for tests of either engine. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openTerminal, root } from "../cli/terminal.ts";
import { awkward, messy } from "../support/messy.ts";
import { openWorld, type World } from "../support/world.ts";

/** Objects of the shop. */
export const howMany = Number(process.env.PULUMI_SHOP_PULLED ?? 400);
const tables = [
  "product",
  "discount_code",
  "price_kind",
  "asset",
  "file",
  "js_tag",
  "application_charge",
  "recurring_charge",
];

const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;
/** A name that many have, or one that the shop lets nobody have twice. */
const called = (index: number) => pick(messy, index);
const once = (index: number) => (index < messy.length ? called(index) : `${called(index)} ${index}`);
const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString("base64");
/** The bytes of a picture, each its own. */
const picture = (index: number) =>
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, index % 256, index >> 8]);

/** Makes a shop of so many objects as an application and as staff leave it. */
async function fill({ client, rows, edit }: World, count: number): Promise<void> {
  const [theme] = rows("theme");
  const themeId = Number(theme?.id);
  const makers: readonly ((index: number) => Promise<unknown>)[] = [
    (index) =>
      client.products.create({
        title: called(index),
        description: pick(awkward, index),
        variants: Array.from({ length: 1 + (index % 4) }, (_none, at) => ({
          sku: `${index}-${at}`,
          price: at + index / 100,
          quantity: at,
        })),
      }),
    (index) => client.products.create({ title: called(index + 7), variants: [{ price: 1 }] }),
    (index) =>
      client.coupons.create({
        code: once(index),
        discount: 1 + (index % 90),
        typeId: 1,
        description: pick(awkward, index),
      }),
    (index) =>
      client.assets.create({
        themeId,
        type: "Asset::Template",
        name: `page.${index}.liquid`,
        content: `${index}${pick(awkward, index)}`,
      }),
    (index) =>
      client.assets.create({
        themeId,
        type: "Asset::Media",
        name: `p-${index}.png`,
        attachment: base64(picture(index)),
      } as never),
    (index) => client.files.create({ attachment: base64(`${index}\n`), filename: "прайс лист.csv" } as never),
    (index) => client.files.create({ attachment: base64(picture(index)), filename: `${index}.bin` } as never),
    (index) =>
      client.jsTags.create({
        type: "JsTag::TextTag",
        name: called(index),
        content: `run(${index})\n${pick(awkward, index)}`,
      } as never),
    (index) => client.priceKinds.create({ title: called(index) }),
    (index) => client.coupons.create({ code: `K${index}`, discount: 5, typeId: 2, expiredAt: "2030-02-28" }),
  ];
  for (let index = 0; index < count - 2; index += 1)
    await pick(makers, index)(Math.floor(index / makers.length));
  await client.recurringCharge.create({ monthly: 9.5 } as never);
  await client.applicationCharges.create({
    name: called(0),
    price: 1,
    returnUrl: "https://a.example.test/",
  } as never);
  // Staff write by hand what an application wouldn't.
  const [settings] = rows("asset").filter(({ name }) => String(name).endsWith(".json"));
  await edit({ kind: "asset", id: settings?.id, set: { content: '{\r\n "a": 1 }' } });
}

export const snapshot = (world: World): ReadonlyMap<string, string> =>
  new Map(
    tables.flatMap((table) =>
      world.rows(table).map((row) => [`${table}/${row.id}`, JSON.stringify(row)] as const),
    ),
  );

/** Tables in which something is another than before. */
export function changedIn(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .flatMap((key) => {
      if (before.get(key) === after.get(key)) return [];
      const how = !before.has(key) ? "made" : !after.has(key) ? "gone" : "changed";
      return [`${key.split("/")[0]} ${how}`];
    })
    .toSorted();
}

/** The shop as it was pulled; nothing is adopted yet. */
export async function openPulled() {
  const world = await openWorld();
  await fill(world, howMany);
  const terminal = openTerminal("", world.env);
  const folder = join(terminal.folder, "shop");
  mkdirSync(folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const change = (path: string, edit: (text: string) => string) => {
    const before = read(path);
    const after = edit(before);
    expect(after, path).not.toBe(before);
    writeFileSync(join(folder, path), after);
  };
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, path), content);
  const pulled = await terminal.run("pull", "--cwd", "shop");
  expect(pulled, pulled.stderr).toMatchObject({ code: 0 });
  return { world, terminal, folder, read, write, change };
}

export const isWrite = (request: string) => !request.startsWith("GET ");

/** Takes a row of a table, or a statement, out of a module. @returns what is left, its arguments' text, and what rows share */
function takeOut(text: string, kind: string, name: string) {
  const quoted = JSON.stringify(name).replaceAll(/[\\.*+?^${}()|[\]]/g, "\\$&");
  // An object on a line of its own, or from its line to the one that ends it.
  const object = (indent: string) => `(\\{[^\\n]*\\}|\\{\\n.*?\\n${indent}\\})`;
  const row = new RegExp(`^  ${quoted}: ${object("  ")},\\n`, "ms").exec(text);
  const statement = new RegExp(`^new ${kind}\\(${quoted}, ${object("")}\\);\\n\\n?`, "ms").exec(text);
  const found = row ?? statement;
  if (found === null) throw new Error(`${kind} ${name} is not in ${text}`);
  const shared = /^const shared = (\{.*?\}) as const;$/ms.exec(text)?.[1];
  return {
    rest: text.replace(found[0], ""),
    args: found[1] as string,
    shared: row === null ? undefined : shared,
  };
}

/** What a person, or the staff, does, and what a run then does. */
export interface Day {
  readonly what: string;
  readonly edit: () => unknown;
  /** Whether the run looks at the whole shop first. */
  readonly refresh?: boolean;
  /** By the embedded engine, with the requests that it announces. */
  readonly ours: readonly string[];
  readonly requests: number;
  /** By the real engine: what its provider keeps of a delete it learns from the provider only as it does it. */
  readonly theirs: readonly string[];
  /** Rows of the shop, by their table. */
  readonly changed: readonly string[];
}

const replaced = (name: string) => [
  `create-replacement ${name}`,
  `delete-replaced ${name}`,
  `replace ${name}`,
];

/** The days of the shop, one after the other. */
export function daysOf({
  world,
  read,
  write,
  change,
}: Awaited<ReturnType<typeof openPulled>>): readonly Day[] {
  const list = "files/прайс лист.csv";
  const text = read(list);
  let coupons = "";
  const table = (name: string) => [`${name} gone`, `${name} made`];
  return [
    {
      what: "a file's bytes",
      edit: () => change(list, (before) => `${before}more\n`),
      ours: ["replace прайс-лист-csv"],
      // The list's page tells that staff haven't deleted it: then it isn't made again (docs/rules.md, rule 3).
      requests: 3,
      theirs: replaced("прайс-лист-csv"),
      changed: table("file"),
    },
    {
      what: "an image's bytes",
      edit: () => write("themes/main/media/p-0.png", picture(999)),
      ours: ["replace main/media/p-0.png"],
      requests: 3,
      theirs: replaced("main/media/p-0.png"),
      changed: table("asset"),
    },
    {
      what: "a JS tag's text",
      edit: () => change("js-tags.ts", (before) => before.replace("run(1)", "run(1001)")),
      ours: ["replace sale10-2"],
      requests: 3,
      theirs: replaced("sale10-2"),
      changed: table("js_tag"),
    },
    {
      what: "another name of a resource",
      edit() {
        // Its id is found by its name.
        for (const path of ["coupons.ts", "adopt.live.json"])
          change(path, (before) => before.replaceAll('"k0"', '"k-null"'));
      },
      ours: ["rename k-null"],
      requests: 1,
      theirs: ["create k-null", "delete k0"],
      changed: [],
    },
    {
      what: "a resource in a component",
      edit() {
        const { rest, args, shared } = takeOut(read("coupons.ts"), "Coupon", "k1");
        write("coupons.ts", rest);
        const values = shared === undefined ? args : `{ ...${shared}, ...${args} }`;
        change(
          "index.ts",
          (before) =>
            'import * as pulumi from "@pulumi/pulumi";\nimport { Coupon } from "pulumi-shop";\nimport { adopt } from "./adopt.ts";\n' +
            `${before}\nconst spring = new pulumi.ComponentResource("my:index:Campaign", "spring");\n` +
            `new Coupon("k1", { ...${values}, adopt: adopt("Coupon", "k1") }, { parent: spring });\n`,
        );
      },
      ours: ["create spring", "rename k1"],
      requests: 1,
      theirs: ["create k1", "create spring", "delete k1"],
      changed: [],
    },
    {
      what: "staff delete one: what the program states comes back, where a run looks",
      edit() {
        const coupon = world.rows("discount_code").find(({ code }) => code === "K0");
        return world.edit({ kind: "discount_code", id: coupon?.id, delete: true });
      },
      refresh: true,
      ours: ["create k-null", "delete k-null"],
      // By its number, by its code on two pages (a short page ends no list: docs/rules.md, rule 4), and made.
      requests: 4,
      theirs: ["create k-null"],
      changed: ["discount_code made"],
    },
    {
      what: "back to what was pulled, as a revert does it; one leaves the program",
      edit() {
        write(list, text);
        coupons = read("coupons.ts");
        write("coupons.ts", takeOut(coupons, "Coupon", "k-null").rest);
      },
      ours: ["delete k-null", "replace прайс-лист-csv"],
      requests: 5,
      theirs: [...replaced("прайс-лист-csv"), "delete k-null"].toSorted(),
      changed: ["discount_code gone", ...table("file")],
    },
    {
      what: "it comes back by a revert too",
      edit: () => write("coupons.ts", coupons),
      ours: ["create k-null"],
      requests: 4,
      theirs: ["create k-null"],
      changed: ["discount_code made"],
    },
    { what: "nothing", edit: () => undefined, ours: [], requests: 0, theirs: [], changed: [] },
  ];
}
