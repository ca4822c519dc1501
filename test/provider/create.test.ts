// create: what it sends, which objects it adopts or recognises, and the notes that it leaves for the next run.
import { describe, expect, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import type { Shop } from "../../provider/context/context.ts";
import type { Note } from "../../provider/context/create-notes.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { type Definition, decimal, text, time } from "../../provider/definition/define.ts";
import { create } from "../../provider/lifecycle/create.ts";
import { fingerprint } from "../../provider/lifecycle/interrupted-creates.ts";
import type { UnfinishedError } from "../../provider/lifecycle/update.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answered, began, type Row, scene, table } from "./answers.ts";
import { kindOf, shownBody, wares } from "./kind.ts";

const { remove: _ended, ...operations } = wares;
const fields = {
  name: text(),
  price: decimal({ mode: "required" }),
  note: text(),
  shelf: text({ replaces: true }),
  createdAt: time("A"),
};
const ware = kindOf("Ware", fields, { operations, keys: [["name"]] });
const paid: Definition = { ...ware, billable: true };
const jug = { name: "jug", price: 1, __of: "dev::jug" };

const lost = new errors.LostAnswerError("it hung up", {});
const refused = (...messages: readonly string[]) => new errors.ValidationError({ status: 422, messages });

interface Opened {
  readonly objects?: readonly Row[];
  /** What comes in place of the shop's answer: for each POST in turn, whether it was done before or not. */
  readonly posts?: readonly (
    | Error
    | "done, and lost"
    | "done, without its object"
    | { readonly as: number }
    | undefined
  )[];
  readonly plan?: Partial<Plan>;
  readonly instead?: (line: string, looks: number) => Answered | "as it is";
  readonly shop?: Partial<Omit<Shop, "plan" | "transport">>;
}

function opened({ objects = [], posts = [], plan, instead, shop: more }: Opened = {}) {
  const { rows, answers } = table("/wares", ...objects);
  const left = [...posts];
  let looks = 0;
  const shown = scene(
    (line, body) => {
      if (line.startsWith("POST")) {
        const what = left.shift();
        if (what instanceof Error) return what;
        const answered = answers(line, body);
        if (typeof what === "object") return { ...answered, id: what.as };
        return what === undefined ? answered : what === "done, and lost" ? lost : undefined;
      }
      looks += 1;
      const other = instead?.(line, looks) ?? "as it is";
      return other === "as it is" ? answers(line, body) : other;
    },
    { ...more, plan: { patienceMs: 1_500, ...plan } },
  );
  return { ...shown, rows };
}

const noteOf = (definition: Definition, args: Values, more: Partial<Note> = {}): Omit<Note, "id"> => ({
  of: "dev::jug",
  kind: definition.kind,
  shop: "https://shop.test",
  at: began - 3_600_000,
  skewMs: 0,
  above: {},
  print: fingerprint(definition, args, "/nowhere"),
  ...more,
});
const cutOff = async ({ notes }: Shop, note: Omit<Note, "id">, id?: string) => {
  const ending = await notes.begin(note);
  if (id !== undefined) await ending.made(id);
};
const noted = ({ notes }: Shop) => notes.all().map(({ of, id }) => `${of} ${id ?? "?"}`);
const list = "GET /wares";
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

describe("the run after a failed create", () => {
  const about = { status: 400 };
  test.each<readonly [Error, isNoted: boolean]>([
    [new errors.InvalidCallError("x", {}), false],
    [new errors.UnreachableError("x", {}), false],

    [new errors.NoAnswerError("x", about), true],
    [new Error("a value can't be read"), true],
  ])(
    "the next run searches for the object of a failed create, unless nothing can have been made: %s",
    async (error, isNoted) => {
      const { shop, log } = opened({ posts: [error] });
      await expect(create({ definition: ware, shop, args: jug })).rejects.toBe(error);
      expect([log(), noted(shop)]).toEqual([["POST /wares"], isNoted ? ["dev::jug ?"] : []]);
    },
  );
});

describe("the lost answer of a create", () => {
  const looks = [list, "wait 500", list, "wait 1000", list];

  test("the object of a create that was answered without a body is searched for like one of a lost answer, even without a name", async () => {
    const late = opened({
      posts: ["done, without its object"],
      instead: (_line, look) => (look < 2 ? [] : "as it is"),
    });
    expect((await create({ definition: ware, shop: late.shop, args: jug })).id).toBe("101");
    expect(late.log()).toEqual(["POST /wares", list, "wait 500", list]);
    const unnamed = [{ id: 101, price: "1", "created-at": "2026-05-01T12:00:01Z" }];
    const { shop, log } = opened({ posts: ["done, without its object"], instead: () => unnamed });
    await expect(create({ definition: ware, shop, args: jug })).rejects.toThrow(
      "101, created since then, with the same content and another name: the shop may have ignored it",
    );
    expect(log()).toEqual(["POST /wares", ...looks]);
  });
});

describe("a key that another object has", () => {
  const alias = "; if it is this resource under another name, give it aliases: [{ name: ... }]";
  const hint = '. The shop already has one: set adopt: "key" to adopt it';

  test.each<readonly [string, Values, readonly string[], hint: string]>([
    ["the way out is told", jug, ["name has already been taken"], `${hint}${alias}`],
    ["in the shop's words", jug, ["a", "Название УЖЕ занято"], `${hint}${alias}`],
    ["without a name of its resource", { name: "jug", price: 1 }, ["name has already been taken"], hint],
  ])("a key that another object has: %s", async (_what, args, messages, words) => {
    const refusal = refused(...messages);
    const { shop } = opened({ posts: [refusal] });
    const error = (await create({ definition: ware, shop, args }).catch(
      (reason: unknown) => reason,
    )) as Error;
    expect(error.message).toBe(`${refusal.message}${words}`);
    expect(words === "" ? error : error.cause).toBe(refusal);
  });
});

test("a key that is in the way of pulumi's own replacement is reported with deleteBeforeReplace", async () => {
  const { shop } = opened({ posts: [refused("name has already been taken")], plan: { isEmbedded: false } });
  await expect(create({ definition: ware, shop, args: jug })).rejects.toThrow(
    "if pulumi replaces it (--replace, state taint), give it the option deleteBeforeReplace: true, and take out deletedWith",
  );
});

describe("a create after an interrupted run", () => {
  const said = "jug: an earlier run had created Ware 7 already";
  const own = { id: 7, name: "jug", price: "1" };

  test.each<readonly [string, known: boolean, Opened, Values, log: readonly string[], end: string]>([
    ["and its object is found", false, { objects: [own] }, jug, [list], "7"],

    [
      "and staff changed what the program asks as before",
      true,
      { objects: [{ ...own, price: "3" }] },
      jug,
      ["GET /wares/7"],
      "  price: is 3 in the shop, the program asks for 1\n",
    ],
  ])("a create after an interrupted run: %s", async (_what, isKnown, how, args, requests, end) => {
    const { shop, log, said: lines } = opened(how);
    await cutOff(shop, noteOf(ware, jug), isKnown ? "7" : undefined);
    const result = await create({ definition: ware, shop, args }).then(
      ({ id }) => id,
      (error: unknown) => (error as Error).message,
    );
    expect(result).toContain(end);
    expect([log(), lines]).toEqual([requests, end === "101" ? [] : [said]]);
    expect(noted(shop)).toEqual([`dev::jug ${end === "101" ? "101" : "7"}`]);
  });

  test("an interrupted create that costs money is only sent again with --resend in the same run", async () => {
    const message = "and the shop doesn't list it yet. It costs money";
    const first = opened();
    await cutOff(first.shop, noteOf(paid, jug));
    expect(await messageOf(create({ definition: paid, shop: first.shop, args: jug }))).toContain(message);
    expect([first.log(), noted(first.shop)]).toEqual([[list], ["dev::jug ?"]]);
    const { shop, log } = opened({ plan: { resent: new Set(["jug"]) } });
    await cutOff(shop, noteOf(paid, jug));
    expect([(await create({ definition: paid, shop, args: jug })).id, log()]).toEqual([
      "101",
      [list, "POST /wares"],
    ]);
  });

  test("an object that is gone is not searched for again, also if another one was adopted instead", async () => {
    const { shop, log } = opened({ objects: [own] });
    await cutOff(shop, noteOf(ware, jug), "6");
    expect((await create({ definition: ware, shop, args: { ...jug, adopt: "key" } })).id).toBe("7");
    expect([log(), noted(shop)]).toEqual([["GET /wares/6", list], []]);
  });
});

describe("a create of an object that exists", () => {
  const there = { id: 7, name: "jug", price: "2" };

  test.each<readonly [string, Opened, Values, (shop: Shop) => unknown, log: readonly string[], id: string]>([
    ["and isn't any more is created", {}, { ...jug, adopt: "key" }, () => {}, [list, "POST /wares"], "101"],

    [
      "is taken over by a person's word also where a create was interrupted",
      { objects: [there] },
      { ...jug, adopt: "7" },
      (shop) => cutOff(shop, noteOf(ware, jug), "9"),
      ["GET /wares/7", "PUT /wares/7"],
      "7",
    ],
  ])("a create of an object that exists: %s", async (_what, how, args, prepare, requests, id) => {
    const { shop, log } = opened(how);
    await prepare(shop);
    expect([(await create({ definition: ware, shop, args })).id, log()]).toEqual([id, requests]);
    // Of what was taken over nothing is left to be looked for.
    const isNoted = id === "101" || _what.includes("after what was interrupted");
    expect(noted(shop)).toEqual(isNoted ? [`dev::jug ${id}`] : []);
    expect(shop.memory.owners.maker(`Ware:${id}`)).toBe("Ware dev::jug");
    expect(shop.memory.owners.adopter(`Ware:${id}`) !== undefined).toBe(id === "7");
  });
});

describe("the body of an interrupted create", () => {
  const page = kindOf(
    "Page",
    {
      name: text({ mode: "required" }),
      content: text({ mode: "body" }),
      file: text({ mode: "program" }),
      src: text({ mode: "body", writeOnly: true }),
      at: text({ mode: "computed" }),
    },
    { operations, keys: [["name"]], body: shownBody },
  );
  const home = { name: "home", __of: "dev::jug" };

  test.each<
    readonly [string, before: Values, seen: object, after: Values, end: string, log: readonly string[]]
  >([
    [
      "a text that staff changed",
      { content: "one" },
      { content: "three" },
      { content: "two" },
      "content: the text in the shop (-) against the program's (+):\n    @@ -1,1 +1,1 @@\n    -three\n",
      [],
    ],
    [
      "a text that staff changed, for a file that can't be read here",
      { content: "one" },
      { content: "three" },
      { file: { path: "home.html", size: 3, sha256: "x" } },
      "\n  content: the shop has other content than the program asks for\n",
      [],
    ],

    [
      "another address",
      { src: "/a.png" },
      {},
      { src: "/b.png" },
      "with other arguments (src: other content than the program asks for)",
      [],
    ],
  ])("the body of an interrupted create: %s", async (_what, before, seen, after, end, writes) => {
    const { shop, log } = opened({ objects: [{ id: 7, name: "home", at: "/7", ...seen }] });
    await cutOff(shop, noteOf(page, { ...home, ...before }), "7");
    const result = await create({ definition: page, shop, args: { ...home, ...after } }).then(
      ({ id }) => id,
      (error: unknown) => (error as Error).message,
    );
    expect(result).toContain(end);
    expect(log().filter((line) => !line.startsWith("GET"))).toEqual(writes);
  });
});

const { edit: _edit, ...withoutEdit } = operations;
describe("the file of an interrupted create that the shop renamed", () => {
  const upload = kindOf(
    "Upload",
    {
      content: text({ mode: "program" }),
      filename: text({ mode: "body", writeOnly: true }),
      at: text({ mode: "computed" }),
    },
    { operations: withoutEdit, body: { bytes: "attachment", name: "filename", address: "at" } },
  );
  const args = { content: "one", filename: "a.png", __of: "dev::jug" };
  const rerun = async (next: Values) => {
    const { shop } = opened({ objects: [{ id: 7, at: "/files/a-1.png" }] });
    await cutOff(shop, noteOf(upload, args), "7");
    return create({ definition: upload, shop, args: next }).catch(
      (error: unknown) => error as UnfinishedError,
    );
  };

  test("a file that the shop renamed keeps the name that the program set", async () => {
    expect(await rerun(args)).toMatchObject({ id: "7", outs: { filename: "a.png", at: "/files/a-1.png" } });
  });
});

test("a key that the shop refuses and the state has under another name is reported with the alias that keeps the object", async () => {
  const { shop } = opened({
    objects: [{ id: 7, name: "jug", price: 2 }],
    posts: [refused("name has already been taken")],
  });
  Object.assign(shop.notes, {
    inState: () => "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/shop:Coupon::pot",
  });
  Object.assign(shop, { reads: { ...shop.reads, some: async () => [{ id: 7, name: "jug", price: 2 }] } });
  expect(
    await messageOf(
      create({ definition: ware, shop, args: { ...jug, __of: "urn:pulumi:dev::shop::Coupon::jug" } }),
    ),
  ).toContain(
    'The shop already has one: set adopt: "key" to adopt it; the state has it as resource pot: if this is pot, ' +
      'give it aliases: [{ name: "pot" }], or run pulumi-shop state rename pot jug',
  );
});

describe("an answer with the id of another resource", () => {
  const refused =
    "the shop answered the create of Ware (resource jug) with the id 7, which is the object of resource bowl; " +
    "two resources can't manage one object, so nothing was kept. Run again: the run looks for the new object before it sends anything";

  test.each<readonly [string, (shop: Shop) => void]>([
    ["that this run made", ({ memory }) => void memory.owners.made("Ware:7", "Ware dev::bowl")],
    ["that the plan keeps", ({ memory }) => void memory.owners.kept("Ware:7", "Ware dev::bowl")],
  ])(
    "an answer with the id of %s is refused with both names, and the next run finds the new object",
    async (_whose, has) => {
      const { shop, log, rows } = opened({
        objects: [{ id: 7, name: "bowl", price: 2 }],
        posts: [{ as: 7 }],
      });
      has(shop);
      expect(await messageOf(create({ definition: ware, shop, args: jug }))).toBe(refused);
      expect(noted(shop)).toEqual(["dev::jug ?"]);
      log();
      Object.assign(shop.notes, { inState: () => undefined });
      expect(await create({ definition: ware, shop, args: jug })).toMatchObject({ id: "101" });
      expect(log()).not.toContain("POST /wares");
      expect(rows.size).toBe(2);
    },
  );

  test("an answer with the id that the state has under the same name is accepted", async () => {
    const { shop } = opened({ posts: [{ as: 7 }] });
    Object.assign(shop.notes, { inState: () => "urn:pulumi:dev::shop::Ware::jug" });
    expect(await create({ definition: ware, shop, args: jug })).toMatchObject({ id: "7" });
  });
});

test("a failed search after a lost answer never says that nothing was changed", async () => {
  const { shop } = opened({
    posts: ["done, and lost"],
    instead: () => new errors.NoAnswerError("the shop answered 503", { method: "GET", path: "/wares" }),
  });
  expect(await messageOf(create({ definition: ware, shop, args: jug }))).toBe(
    "the create of Ware (resource jug) may have happened: its answer was lost. After that, " +
      "GET /wares got no usable answer: the shop answered 503. Run again later. The next run looks at the shop before it sends anything",
  );
  expect(noted(shop)).toEqual(["dev::jug ?"]);
});
