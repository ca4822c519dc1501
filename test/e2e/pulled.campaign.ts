// A shop that people filled, as code, and then lived with: each everyday edit does what its preview says, and nothing else.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal, root, type Terminal } from "../cli/terminal.ts";
import { awkward, messy } from "../messy.ts";
import { openWorld, type World } from "../world.ts";

const howMany = 400;
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

interface Line {
  readonly run: string;
  readonly type: string;
  readonly step?: {
    readonly op: string;
    readonly type: string;
    readonly name: string;
    readonly partOf?: string;
  };
  /** Sent by the run. */
  readonly requests?: number;
  /** Announced by the preview. */
  readonly cost?: number;
}

const stepsOf = (lines: readonly Line[]) =>
  lines
    .flatMap(({ type, step }) =>
      type !== "done" || step === undefined || step.op === "same" || step.partOf !== undefined
        ? []
        : [`${step.op} ${step.name}`],
    )
    .toSorted();

const snapshot = (world: World): ReadonlyMap<string, string> =>
  new Map(
    tables.flatMap((table) =>
      world.rows(table).map((row) => [`${table}/${row.id}`, JSON.stringify(row)] as const),
    ),
  );

/** Tables in which something is another than before. */
function changedIn(
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

async function opened() {
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
  return { world, terminal, folder, read, change };
}

const isWrite = (request: string) => !request.startsWith("GET ");

/** Requests, each look once: a run of a slow machine looks again before it deletes what it looked at too long ago. */
const costOf = (requests: readonly string[]) =>
  new Set(requests.filter((line) => !isWrite(line))).size + requests.filter(isWrite).length;

/**
 * Runs up, and holds it to its preview: the same steps, the same number of requests.
 * @param own requests of the program itself, which no preview counts
 */
async function up(terminal: Terminal, world: World, own: readonly string[], ...options: readonly string[]) {
  const before = snapshot(world);
  world.requests();
  const ran = await terminal.run("up", "-C", "shop", "--stack", "live", "--yes", "--json", ...options);
  const lines = ran.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
  const summaries = lines.filter(({ type }) => type === "summary");
  expect(ran.code, ran.stderr + JSON.stringify(summaries)).toBe(0);
  const [plan, result] = ["preview", "up"].map((name) => summaries.find(({ run }) => run === name));
  const [planned, done] = ["preview", "up"].map((name) => stepsOf(lines.filter(({ run }) => run === name)));
  expect(done).toEqual(planned);
  const all = world.requests();
  const from = all.length - (result?.requests ?? 0);
  expect(all.slice(0, from).filter(isWrite), "the preview writes nothing").toEqual([]);
  const sent = all.slice(from);
  const requests = plan?.cost ?? 0;
  // What a refresh looks at, before the program begins, is no part of the plan.
  const start = options.includes("--refresh") ? sent.lastIndexOf(own[0] ?? "") : 0;
  if (result !== undefined) expect(costOf(sent.slice(start)) - costOf(own), sent.join("\n")).toBe(requests);
  return { steps: planned, requests, changed: changedIn(before, snapshot(world)) };
}

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

test(`a pulled shop of ${howMany} messy objects: every edit does what its preview says, and nothing else changes`, async () => {
  const { world, terminal, folder, read, change } = await opened();
  const pulled = await terminal.run("pull", "--cwd", "shop");
  expect(pulled, pulled.stderr).toMatchObject({ code: 0 });
  world.requests();
  const first = await terminal.run("up", "-C", "shop", "--stack", "live", "--yes");
  expect(first.code, first.stdout + first.stderr).toBe(0);
  expect(world.requests().filter(isWrite)).toEqual([]);
  // What the program itself asks, in each run: its themes.
  const none = await terminal.run("preview", "-C", "shop", "--stack", "live", "--expect-no-changes");
  expect(none.code, none.stdout + none.stderr).toBe(0);
  const own = world.requests();
  const run = (...options: readonly string[]) => up(terminal, world, own, ...options);

  interface Expected {
    readonly steps: readonly string[];
    readonly requests: number;
    readonly changed: readonly string[];
  }
  const edits: [string, () => void, Expected][] = [];
  edits.push([
    "a file's bytes",
    () => change("files/прайс лист.csv", (text) => `${text}more\n`),
    { steps: ["replace прайс-лист-csv"], requests: 2, changed: ["file gone", "file made"] },
  ]);
  edits.push([
    "an image's bytes",
    () => writeFileSync(join(folder, "assets/main/media/p-0.png"), picture(999)),
    { steps: ["replace p-0-png"], requests: 3, changed: ["asset gone", "asset made"] },
  ]);
  edits.push([
    "a JS tag's text",
    () => change("js-tags.ts", (text) => text.replace("run(1)", "run(1001)")),
    { steps: ["replace sale10-2"], requests: 3, changed: ["js_tag gone", "js_tag made"] },
  ]);
  edits.push([
    "another name of a resource",
    () => {
      // Its id is found by its name.
      const rename = (text: string) => text.replaceAll('"k0"', '"k-null"');
      change("coupons.ts", rename);
      change("adopt.live.json", rename);
    },
    { steps: ["rename k-null"], requests: 1, changed: [] },
  ]);
  edits.push([
    "a resource in a component",
    () => {
      const { rest, args, shared } = takeOut(read("coupons.ts"), "Coupon", "k1");
      writeFileSync(join(folder, "coupons.ts"), rest);
      const values = shared === undefined ? args : `{ ...${shared}, ...${args} }`;
      change(
        "index.ts",
        (text) =>
          'import * as pulumi from "@pulumi/pulumi";\nimport { Coupon } from "pulumi-shop";\nimport { adopt } from "./adopt.ts";\n' +
          `${text}\nconst spring = new pulumi.ComponentResource("my:index:Campaign", "spring");\n` +
          `new Coupon("k1", { ...${values}, adopt: adopt("Coupon", "k1") }, { parent: spring });\n`,
      );
    },
    { steps: ["create spring", "rename k1"], requests: 1, changed: [] },
  ]);
  const text = read("files/прайс лист.csv");
  for (const [what, edit, expected] of edits) {
    edit();
    // What one left undone, the next would announce.
    expect(await run(), what).toEqual(expected);
  }

  // Staff delete one; what the program states comes back, where a run looks.
  const coupon = world.rows("discount_code").find(({ code }) => code === "K0");
  await world.edit({ kind: "discount_code", id: coupon?.id, delete: true });
  expect(await run("--refresh")).toEqual({
    steps: ["create k-null", "delete k-null"],
    // By its number, by its code, and again.
    requests: 3,
    changed: ["discount_code made"],
  });
  // Back to what was pulled, as a revert does it; one that leaves the program comes back by a revert too.
  writeFileSync(join(folder, "files/прайс лист.csv"), text);
  const before = read("coupons.ts");
  writeFileSync(join(folder, "coupons.ts"), takeOut(before, "Coupon", "k-null").rest);
  expect(await run()).toEqual({
    steps: ["delete k-null", "replace прайс-лист-csv"],
    requests: 4,
    changed: ["discount_code gone", "file gone", "file made"],
  });
  writeFileSync(join(folder, "coupons.ts"), before);
  expect(await run()).toEqual({ steps: ["create k-null"], requests: 3, changed: ["discount_code made"] });
  expect(await run()).toEqual({ steps: [], requests: 0, changed: [] });
  rmSync(join(folder, "node_modules"));
});
