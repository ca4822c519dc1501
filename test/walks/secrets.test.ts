// Every argument of every kind, marked as secret, in every failure that quotes values: no text contains the secret.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { comparableArguments } from "../../cli/compare/sides.ts";
import { openReport } from "../../cli/deploy/session.ts";
import { openDisplay } from "../../cli/terminal/display.ts";
import { jsonDisplay } from "../../cli/terminal/json-display.ts";
import { openTerminal } from "../../cli/terminal/terminal.ts";
import type { Definition, Field, Fields } from "../../provider/definition/define.ts";
import { comparedObject } from "../../provider/inventory/comparable.ts";
import { resources } from "../../provider/resources/index.ts";
import { messageEnv } from "../../provider/settings/protocol.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";
import { places } from "../engine/in-process.ts";
import { full } from "../support/size.ts";
import type { Options, Ran, Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";

const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Three = readonly [mine: unknown, theirs: unknown, third: unknown];

const byType: Readonly<Record<string, Three>> = {
  text: ["zqMine7xKv", "zqTheirs9pLw", "zqThird5rTy"],
  integer: [48271, 59382, 60493],
  decimal: [7391.46, 8264.37, 9153.28],
  boolean: [true, false, true],
  date: ["2031-07-19", "2032-08-21", "2033-09-23"],
  amounts: [{ Wholesale: 6391.46 }, { Wholesale: 6264.37 }, { Wholesale: 6153.28 }],
};
const special: Readonly<Record<string, Three>> = {
  vat: [18, 10, 0],
  dimensions: ["31.7x42.8x53.9", "32.7x43.8x54.9", "33.7x44.8x55.9"],
  currencyCode: ["RUR", "USD", "EUR"],
  returnUrl: ["https://zq-mine.example/a", "https://zq-theirs.example/b", "https://zq-third.example/c"],
  content: [
    `first line\n{{ zqMine7xKv }}\n${"zq".repeat(90)} and ${"qx8".repeat(40)}\n`,
    "theirs first\nzqTheirs9pLw of staff\n",
    "third first\nzqThird5rTy of the program\n",
  ],
};
// Numbers of these kinds are part of ids and paths, which aren't hidden.
const unhidden = new Set(["themeId"]);

const threeOf = (name: string, field: Field): Three => {
  if (field.values !== undefined) {
    const keys = Object.keys(field.values).map((key) => (field.type === "integer" ? Number(key) : key));
    return [keys[0], keys[1], keys.at(-1)];
  }
  return special[name] ?? (byType[field.type] as Three);
};

const isStated = ({ mode }: Field) => mode === "required" || mode === "optional";

/** Paths of all arguments of a kind, including list items, with three values each. */
function argumentsOf(definition: Definition): ReadonlyMap<string, Three> {
  const paths = new Map<string, Three>();
  const walk = (fields: Fields, above: string) => {
    for (const [name, field] of Object.entries(fields)) {
      const path = above + name;
      if (!isStated(field) || field.refersTo !== undefined) continue;
      const inner = field.items?.fields;
      if (inner === undefined) {
        if (field.type !== "items") paths.set(path, threeOf(name, field));
        continue;
      }
      if (above === "") walk(inner, `${path}[0].`);
      paths.set(path, [0, 1, 2].map((at) => [itemOf(inner, at)]) as unknown as Three);
    }
  };
  walk(definition.fields, "");
  if (definition.kind === "Asset")
    paths.set("name", ["zqMine7xKv.json", "zqTheirs9pLw.json", "zqThird5rTy.json"]);
  if (definition.body !== undefined) {
    for (const name of ["content", "file", "filename"])
      if (definition.fields[name] !== undefined) paths.set(name, bodyThree(name));
  }
  return paths;
}

const itemOf = (fields: Fields, at: number): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isStated(field)) return [];
      const inner = field.items?.fields;
      return [[name, inner === undefined ? threeOf(name, field)[at] : [itemOf(inner, at)]]];
    }),
  );

function bodyThree(name: string): Three {
  if (name === "content") return special.content as Three;
  if (name === "filename") return ["zqMine7xKv.txt", "zqTheirs9pLw.txt", "zqThird5rTy.txt"];
  return ["zqMine7xKv", "zqTheirs9pLw", "zqThird5rTy"].map((word, at) => {
    const path = join(folder, `${word}.txt`);
    writeFileSync(path, String(special.content?.[at]));
    return path;
  }) as unknown as Three;
}

const plainTypes: Readonly<Record<string, unknown>> = {
  integer: 7,
  decimal: 5.5,
  boolean: true,
  date: "2030-01-01",
  amounts: { Wholesale: 5.5 },
};
const plainTexts: Readonly<Record<string, unknown>> = {
  vat: 20,
  dimensions: "1x2x3",
  currencyCode: "RUR",
  returnUrl: "https://plain.example/",
};
const plainOf = (name: string, field: Field): unknown =>
  field.values !== undefined
    ? threeOf(name, field)[0]
    : (plainTexts[name] ?? plainTypes[field.type] ?? `plain-${name.toLowerCase()}`);

const plainItem = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isStated(field)) return [];
      const inner = field.items?.fields;
      return [[name, inner === undefined ? plainOf(name, field) : [plainItem(inner)]]];
    }),
  );

/** Whole arguments with another value at a path. */
function stated(definition: Definition, house: House, path: string, at: number): Values {
  const args: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!isStated(field) || field.refersTo !== undefined) continue;
    const inner = field.items?.fields;
    if (inner !== undefined) args[name] = [plainItem(inner)];
    else if (field.type !== "items") args[name] = plainOf(name, field);
  }
  if (definition.fields.themeId !== undefined) args.themeId = house.rows("theme")[0]?.id;
  if (definition.kind === "Asset") Object.assign(args, { name: "plain.json", type: "Asset::Configuration" });
  if (definition.kind === "Coupon") args.typeId = 2;
  if (definition.kind === "File" && path !== "file")
    Object.assign(args, { content: "plain text\n", filename: "plain.txt" });
  if (definition.kind === "Asset" && path !== "file") args.content = "plain text\n";
  const value = argumentsOf(definition).get(path)?.[at];
  const [, list = "", inner] = /^(\w+)\[0\]\.(\w+)$/.exec(path) ?? [];
  if (inner !== undefined) {
    const [first] = args[list] as readonly Values[];
    return { ...args, [list]: [{ ...first, [inner]: value }] };
  }
  return { ...args, [path]: value };
}

const leaves = (value: unknown): readonly (string | number)[] => {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return value.split("\n").filter((line) => line !== "");
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
};
// Texts that contain the value for other reasons are no leak.
const isDistinct = (leaf: string | number) => /zq|qx8|\d{4}|\.\d/i.test(String(leaf));

/** Everything that a run wrote or printed. */
function texts(house: House, ran: Ran) {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WritableStream;
  const usage = { requests: 0, writes: 0, rejected: 0, used: null, limit: null } as never;
  const options = { diff: true, verbose: true, showOutputs: true, usage: () => usage, finding: false };
  const json: string[] = [];
  const path = join(folder, "run.md");
  const watchers = [
    openDisplay(openTerminal(stream, {}), { ...options, isPreview: false }),
    openDisplay(openTerminal(stream, {}), { ...options, isPreview: true }),
    jsonDisplay((line) => json.push(line), "up"),
  ];
  for (const event of ran.events) for (const one of watchers) one.watch(event);
  const { result } = ran;
  if (result !== undefined) {
    const steps = ran.events.flatMap((event) => (event.type === "done" ? [event.step] : []));
    const told = {
      steps,
      impact: impactOf(steps, "2026-11-21"),
      refused: [],
      conflicts: [],
      isPreview: false,
      unchanged: false,
      notices: stepNotices([]),
      cost: undefined,
      findings: [],
    };
    for (const one of watchers) one.summary(result, usage, told);
    openReport(path)({ title: "run", result, ...told, finding: false, events: ran.events });
  }
  const asked = ran.events.flatMap((event) => ("step" in event && event.type === "done" ? [event.step] : []));
  const compared = asked.flatMap((step) => {
    const definition = resources
      .map(([, one]) => one as Definition)
      .find(({ kind }) => step.type.endsWith(`:${kind}`));
    if (definition === undefined || Object.keys(step.inputs).length === 0) return [];
    const { args, hidden } = comparableArguments(step.inputs);
    const { fields, ...rest } = comparedObject({ definition, args, hidden, body: undefined }, new Map());
    return [JSON.stringify([rest, [...fields]])];
  });
  const { files } = house.disk();
  const state = [places.state, `${places.state}.bak`, places.journal]
    .filter((one) => files.exists(one))
    .map((one) => files.read(one).toString("utf8"));
  return {
    said: ran.said.join("\n"),
    events: JSON.stringify(ran.events),
    failures: JSON.stringify(ran.result?.failures ?? []),
    error: String(ran.error?.message),
    requests: ran.requests.join("\n"),
    notices: JSON.stringify(ran.notices),
    notes: house.notes(),
    display: written.join(""),
    json: json.join("\n"),
    markdown: result === undefined ? "" : readFileSync(path, "utf8"),
    compare: compared.join("\n"),
    state: state.join("\n"),
  };
}

/** Changes requests between the provider and the shop, or answers them itself. */
type Between = (request: {
  method: string;
  body: string;
}) => string | { readonly status: number; readonly body: string };

function between(house: House, change: Between): () => void {
  const { shop } = house;
  const { handle } = shop;
  shop.handle = async (request) => {
    if (request.method === "GET" || typeof request.body === "function") return handle(request);
    const body = change({ method: request.method, body: Buffer.from(request.body).toString() });
    if (typeof body === "string") return handle({ ...request, body: Buffer.from(body) });
    const headers = { "content-type": "application/xml; charset=utf-8" };
    return { status: body.status, body: Buffer.from(body.body), headers };
  };
  return () => {
    shop.handle = handle;
  };
}

const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tables: Readonly<Record<string, string>> = {
  Coupon: "discount_code",
  RecurringCharge: "recurring_charge",
};

interface Case {
  readonly definition: Definition;
  readonly path: string;
  readonly three: Three;
  readonly house: House;
  /** The resource with the first, second or third value. @param more other arguments */
  readonly at: (index: number, more?: Values) => Resource;
}

const outside: Options = { config: { "shop:allowOutside": "true" } };
const byKey: Options = { config: { "shop:allowOutside": "true", "shop:adopt": "key" } };

/** Staff set the argument to the second value. */
function staff({ definition, path, three, house }: Case): void {
  const table = tables[definition.kind] ?? snake(definition.kind);
  const [row] = house.rows(table).toSorted((a, b) => Number(b.id) - Number(a.id));
  if (row === undefined) return;
  const [, list, inner] = /^(\w+)\[0\]\.(\w+)$/.exec(path) ?? [];
  const value = path === "file" ? special.content?.[1] : three[1];
  // The shop's field for the first other price kind.
  const item = inner === "prices" ? { price2: leaves(value)[0] } : { [snake(inner ?? "")]: value };
  const set = inner !== undefined ? { [list as string]: [item] } : { [snake(path)]: value };
  const rows = path === "variants" ? { variants: [{ sku: "zqTheirs9pLw", price: 8264.37 }] } : set;
  house.shop.edit({
    kind: table,
    id: Number(row.id),
    set: path === "file" ? { content: value as string } : (rows as never),
  });
}

/** A shop that stores another value than it received. */
const takesOther = ({ three, path, house }: Case) =>
  between(house, ({ body }) => {
    const name = snake(path.split(".").at(-1) ?? path);
    if (typeof three[0] === "boolean")
      return body.replace(new RegExp(`(<${name}[^>]*>)[^<]*`), `$1${String(three[1])}`);
    const [mine, theirs] = [leaves(three[0]), leaves(three[1])];
    return mine.reduce<string>(
      (text, leaf, at) => text.replaceAll(xml(String(leaf)), xml(String(theirs[at] ?? "zqTheirs9pLw"))),
      body,
    );
  });

/**
 * A shop that rejects a write and repeats the received value: whole, in words, and at the end of a truncated
 * message.
 */
const echoes = ({ three, house }: Case, index: number) =>
  between(house, ({ body }) => {
    const values = leaves(three[index]).map(String);
    const errors = [
      ...values.map((value) => `«${value}» is not allowed, neither is "${value}"`),
      values.join("\n"),
      ...values.map((value) => `${"x".repeat(495)}${value}`),
      body,
    ];
    const text = errors.map((error) => `<error>${xml(error)}</error>`).join("");
    return { status: 422, body: `<?xml version="1.0" encoding="UTF-8"?><errors>${text}</errors>` };
  });

const failures: Readonly<Record<string, (one: Case) => Promise<readonly Ran[]>>> = {
  async "the shop takes another value"(one) {
    const stop = takesOther(one);
    const made = await one.house.up([one.at(0)], outside);
    const again = await one.house.up([one.at(0)], outside);
    stop();
    return [
      made.planned,
      made,
      again.planned,
      again,
      await one.house.refresh(outside),
      await one.house.destroy(outside),
    ];
  },
  async "a create is refused"(one) {
    const stop = echoes(one, 0);
    const ran = await one.house.up([one.at(0)], outside);
    stop();
    return [ran.planned, ran];
  },
  async "a change is refused"(one) {
    await one.house.up([one.at(0)], outside);
    const stop = echoes(one, 2);
    const ran = await one.house.up([one.at(2)], outside);
    stop();
    return [ran.planned, ran];
  },
  async "nothing is there to adopt"(one) {
    const ran = await one.house.up([one.at(0, { adopt: "key" })], outside);
    return [ran.planned, ran];
  },
  async "what is there is adopted, or in the way"(one) {
    await one.house.up([one.at(0)], outside);
    staff(one);
    one.house.loseState();
    one.house.loseNotes();
    const plain = await one.house.preview([one.at(0)], outside);
    const ran = await one.house.up([one.at(0)], byKey);
    return [plain, ran.planned, ran];
  },
  async "it is adopted by its id"(one) {
    await one.house.up([one.at(0)], outside);
    const [state] = one.house.state();
    staff(one);
    one.house.loseState();
    one.house.loseNotes();
    const ran = await one.house.up([one.at(2, { adopt: String(state?.id) })], outside);
    return [ran.planned, ran];
  },
  async "staff and the program change it"(one) {
    await one.house.up([one.at(0)], outside);
    staff(one);
    const ran = await one.house.up([one.at(2)], outside);
    return [ran.planned, ran, await one.house.go([one.at(2)], outside)];
  },
  async "staff change it, and the program something else"(one) {
    await one.house.up([one.at(0)], outside);
    staff(one);
    const other = Object.entries(one.definition.fields).find(
      ([name, field]) =>
        isStated(field) && field.type === "text" && field.values === undefined && !one.path.startsWith(name),
    );
    const args = other === undefined ? {} : { [other[0]]: "plain text" };
    const ran = await one.house.up([one.at(0, args)], outside);
    return [ran.planned, ran];
  },
  async "staff change what is to be deleted"(one) {
    await one.house.up([one.at(0)], outside);
    staff(one);
    return [await one.house.preview([], outside), await one.house.destroy(outside)];
  },
  async "a refresh finds it changed, texts are shown"(one) {
    vi.stubEnv("SHOP_RUN", messageEnv({}, { diff: "texts" }).SHOP_RUN ?? "");
    await one.house.up([one.at(0)], outside);
    staff(one);
    const shown = await one.house.preview([one.at(2)], outside);
    const found = await one.house.refresh(outside);
    const ran = await one.house.up([one.at(2)], outside);
    vi.unstubAllEnvs();
    return [shown, found, ran.planned, ran];
  },
  async "the stack is protected"(one) {
    const config = { ...outside.config, "shop:protected": "true", "shop:maxPriceChange": "1" };
    await one.house.up([one.at(0)], outside);
    const ran = await one.house.go([one.at(2)], { config });
    return [await one.house.preview([one.at(2)], { config, env: messageEnv({}, { guard: "plan" }) }), ran];
  },
  async "it is of a wrong type"(one) {
    const wrong = (value: unknown) =>
      one.house.preview([{ ...one.at(0), args: wrongly(one, value) }], outside);
    return [
      await wrong("zqMine7xKv wrong"),
      await wrong({ zqMine7xKv: 1 }),
      await wrong(join(folder, "zqMine7xKv", "none")),
    ];
  },
};

function wrongly({ path, at }: Case, value: unknown): Values {
  const { args } = at(0);
  const [, list, inner] = /^(\w+)\[0\]\.(\w+)$/.exec(path) ?? [];
  if (inner === undefined || list === undefined) return { ...args, [path]: value };
  const [first] = args[list] as readonly Values[];
  return { ...args, [list]: [{ ...first, [inner]: value }] };
}

const figures = { arguments: 0, runs: 0, hidden: 0 };
afterAll(() => {
  // Most of these runs mention the secret without showing it; if none did, the campaign would prove nothing.
  expect(figures.hidden).toBeGreaterThan(figures.arguments * (full ? 3 : 1));
});

const cases = resources.flatMap(([, definition]) =>
  [...argumentsOf(definition as Definition).keys()].map((path) => ({
    definition: definition as Definition,
    path,
  })),
);

/** `npm test` runs a sixth of the failures for each argument, another sixth for the next one. */
const failuresOf = (index: number) =>
  Object.entries(failures).filter((_failure, number) => full || number % 6 === index % 6);

test.each(cases.map((one, index) => [one.definition.kind, one.path, { ...one, index }] as const))(
  "%s.%s is in no text when it is secret",
  async (_kind, path, { definition, index }) => {
    if (unhidden.has(path)) return;
    figures.arguments += 1;
    const three = argumentsOf(definition).get(path) as Three;
    const leaked: string[] = [];
    for (const [name, failure] of failuresOf(index)) {
      const house = openHouse();
      onTestFinished(() => house.close());
      if (definition.kind === "Product") house.shop.store.insert("price_kind", { title: "Wholesale" }, 0);
      const at = (index: number, more: Values = {}): Resource => ({
        kind: definition.kind,
        name: "one",
        args: { ...stated(definition, house, path, index), ...more },
        secrets: [path],
      });
      const plain = path === "file" ? [...three, ...(special.content as Three)] : three;
      const secrets = [...new Set(plain.flatMap(leaves))].filter(isDistinct);
      // The old values of an adopted object are no secrets of the program.
      const adopted = name === "it is adopted by its id" ? [] : leaves(three[0]);
      const own = [...adopted, ...leaves(three[2])].filter(isDistinct);
      for (const ran of await failure({ definition, path, three, house, at })) {
        figures.runs += 1;
        const all = texts(house, ran);
        if (/secret/.test(all.said + all.failures + all.events)) figures.hidden += 1;
        for (const [place, text] of Object.entries(all))
          for (const leaf of place === "state" ? own : secrets)
            if (shows(text, leaf)) leaked.push(`${name}: ${place} has ${String(leaf).slice(0, 30)}`);
        const says = new RegExp(
          `\\b${path.split(".").at(-1)}(?::| =>) (?:(?:expected|was) (?!unset)|(?!\\\\*"\\[secret)\\S+ =>)`,
        );
        for (const text of [all.said, all.failures])
          if (says.test(text)) leaked.push(`${name}: says ${text}`);
      }
    }
    expect([...new Set(leaked)]).toEqual([]);
  },
);

function shows(text: string, leaf: string | number): boolean {
  if (typeof leaf === "number")
    return new RegExp(`(?<![\\d.])${String(leaf).replace(".", "\\.")}(?!\\d)`).test(text);
  return text.includes(leaf);
}
