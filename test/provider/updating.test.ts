// An update: its reads, the values that it sends, and the check that the shop accepted them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileFact, sha256 } from "../../provider/body/body.ts";
import * as errors from "../../provider/client/errors.ts";
import type { Shop } from "../../provider/context/context.ts";
import type { Plan } from "../../provider/context/plan.ts";
import {
  act,
  type Definition,
  edit,
  integer,
  items,
  remove,
  text,
} from "../../provider/definition/define.ts";
import { readForWrite } from "../../provider/lifecycle/observe.ts";
import { applyChange, type UnfinishedError, update, verifyWrite } from "../../provider/lifecycle/update.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answered, notFound, scene } from "./answers.ts";
import { changed } from "./changes.ts";
import { kindOf, shownBody, wares } from "./kind.ts";

const operations = {
  list: wares.list,
  get: wares.get,
  edit: wares.edit,
  rename: act("PUT", "/wares/{id}/rename.json", { name: text({ sent: "new_name" }) }),
  removePart: remove("/wares/{id}/parts/{item}.json"),
};
const part = {
  id: integer({ mode: "computed" }),
  code: text(),
  price: integer(),
  left: integer({ serverManaged: true }),
} as const;
const ware = kindOf(
  "Ware",
  {
    name: text({ updateVia: "rename" }),
    title: text(),
    price: integer(),
    shadow: text({ undocumented: true }),
    given: text({ writeOnly: true }),
    parts: items(part, { element: "parts", key: "code", remove: "removePart" }),
    tags: items({ title: text(), value: text() }, { element: "tags", key: "title" }),
  },
  { operations },
);
const mute: Definition = {
  ...ware,
  operations: { ...operations, edit: edit("/wares/{id}.json", { answers: "nothing" }) },
};

type Part = Readonly<Record<string, unknown>>;
interface Stored {
  [field: string]: unknown;
  parts?: readonly Part[];
}

/** A shop with one object. It gives new parts an id, and changes parts by id. */
function shopWith(object: Stored | undefined, { isMute = false } = {}) {
  const now: Stored = { ...object, id: 7 };
  let next = 100;
  const edited = ({ parts, new_name, ...values }: Stored) => {
    Object.assign(now, values, new_name !== undefined && { name: new_name });
    if (parts === undefined) return;
    next += 1;
    const own = (now.parts ?? []).map((one) => ({
      ...one,
      ...parts.find(({ id }) => String(id) === String(one.id)),
    }));
    now.parts = [
      ...own,
      ...parts.filter(({ id }) => id === undefined).map((one, at) => ({ ...one, id: next + at })),
    ];
  };
  const answers = (line: string, body: Stored): Answered => {
    if (object === undefined) return notFound;
    if (line.startsWith("PUT")) edited(body);
    const removed = /^DELETE .*\/parts\/(\d+)$/.exec(line)?.[1];
    if (removed !== undefined) {
      if (!now.parts?.some(({ id }) => String(id) === removed)) return notFound;
      now.parts = now.parts.filter(({ id }) => String(id) !== removed);
      return undefined;
    }
    return isMute && line.startsWith("PUT") ? undefined : { ...now };
  };
  return { now, answers };
}

type Instead = Answered | "as it is" | "done, and lost" | ((now: Stored) => Answered | "as it is");
interface How {
  readonly definition?: Definition;
  /** The faults for the next requests, in order. */
  readonly instead?: readonly Instead[];
  readonly plan?: Partial<Plan>;
}
const lost = new errors.LostAnswerError("it hung up", {});

/** Staff set these values just before the response. */
const setting =
  (values: Stored): Instead =>
  (now) => {
    Object.assign(now, values);
    return "as it is";
  };

function opened(object: Stored | undefined, { definition = ware, instead = [], plan = {} }: How = {}) {
  const { now, answers } = shopWith(object, { isMute: definition === mute });
  const left = [...instead];
  const sent: string[] = [];
  const { shop, said } = scene(
    (line, body) => {
      sent.push(Object.keys(body).length === 0 ? line : `${line} ${JSON.stringify(body)}`);
      const next = left.shift() ?? "as it is";
      const other = typeof next === "function" ? next(now) : next;
      if (other === "as it is") return answers(line, body);
      if (other !== "done, and lost") return other;
      answers(line, body);
      return lost;
    },
    {
      plan: { patienceMs: 4_000, ...plan },
      wait: async (ms) => void sent.push(`wait ${ms}`),
    },
  );
  const log = () => sent.splice(0).map((line) => line.replace("/wares/7", "").replace("  ", " ").trim());
  return { shop, said, log, now };
}

async function updated(object: Stored | undefined, olds: Values, args: Values, how: How = {}) {
  const { shop, said, log, now } = opened(object, how);
  const result = await update({ definition: how.definition ?? ware, shop, id: "7", olds, args }).then(
    (outs) => ({ outs, error: undefined }),
    (error: unknown) => ({ outs: undefined, error: error as UnfinishedError }),
  );
  return { ...result, log: log(), said, now };
}

const P = { id: 1, code: "P", price: 1 };
const Q = { id: 2, code: "Q", price: 2 };
const p = { code: "P", price: 1 };
const q = { code: "Q", price: 2 };
const base = { name: "jug", title: "Jug", price: 1 };
const olds: Values = { ...base, parts: [P, Q], __stated: "name,title,price,parts,parts.code,parts.price" };
const args: Values = { ...base, parts: [p, q] };
const there: Stored = { ...base, parts: [P, Q] };

describe("the fields that an update sends", () => {
  test.each<readonly [string, args: Values, log: readonly string[]]>([
    ["what has an operation of its own", { name: "pot" }, ["GET", 'PUT /rename {"new_name":"pot"}']],
    [
      "that beside others",
      { name: "pot", price: 2 },
      ["GET", 'PUT {"price":"2"}', 'PUT /rename {"new_name":"pot"}'],
    ],
    [
      "a value of one item",
      { parts: [p, { ...q, price: 3 }] },
      ["GET", 'PUT {"parts":[{"id":"2","price":"3"}]}'],
    ],
    [
      "values of two items",
      {
        parts: [
          { ...p, price: 5 },
          { code: "Q", price: 3 },
        ],
      },
      ["GET", 'PUT {"parts":[{"id":"1","price":"5"},{"id":"2","price":"3"}]}'],
    ],
  ])("%s", async (_what, more, log) => {
    const { shop, said, log: sent, now } = opened(there);
    const outs = await update({ definition: ware, shop, id: "7", olds, args: { ...args, ...more } });
    expect(sent()).toEqual(log);
    expect(said.filter((line) => !/parts\[\w\] (renamed \w|is lost)/.test(line))).toEqual([]);
    // The state and the shop have the program's values; the next run has nothing to do.
    expect(await update({ definition: ware, shop, id: "7", olds: outs, args: { ...args, ...more } })).toEqual(
      outs,
    );
    expect(sent()).toEqual([]);
    expect(outs).toMatchObject(
      Object.fromEntries(Object.entries({ ...args, ...more }).filter(([, value]) => value !== "")),
    );
    if (Array.isArray(outs.parts)) expect(outs.parts).toHaveLength(now.parts?.length ?? 0);
  });

  test.each<readonly [string, args: Values, shop: Stored]>([
    ["a value", { price: 2 }, { ...there, price: 2 }],
  ])("an update sends no field that the shop already has: %s", async (_what, more, object) => {
    const { outs, log } = await updated(object, olds, { ...args, ...more });
    expect(log).toEqual(["GET"]);
    // The state has the shop's values, including those without an argument.
    expect(outs).toMatchObject(object);
  });
});

describe("a shop that answers without the object", () => {
  test.each<readonly [string, args: Values, log: readonly string[]]>([
    ["is read again, because its answer proves nothing", { price: 2 }, ["GET", 'PUT {"price":"2"}', "GET"]],
  ])("%s", async (_what, more, log) => {
    const { outs, log: sent } = await updated(there, olds, { ...args, ...more }, { definition: mute });
    expect(sent).toEqual(log);
    expect(outs).toMatchObject(more);
    // As many requests as announced, plus the read.
    const change = changed(mute, { known: olds, seen: olds, asked: { ...args, ...more } });
    expect(change.sends.requests).toBe(log.length - 1);
  });
});

describe("deleted objects and items", () => {
  const absent =
    "conflict: Ware 7 was deleted in the shop since the last run, and the program changes it:\n  price: 1 => 2\n" +
    "Nothing was sent for it. To create it again: SHOP_OVERWRITE=Ware:7 in the environment, or shop:conflicts set to overwrite, or run refresh, then up. " +
    "To leave it deleted: remove it from the program";

  test.each<
    readonly [
      string,
      object: Stored | undefined,
      instead: readonly Instead[],
      log: readonly string[],
      message: string,
    ]
  >([
    ["before it is looked at", undefined, [], ["GET"], absent],
    [
      "between the look and the write",
      there,
      ["as it is", notFound, notFound],
      ["GET", 'PUT {"price":"2"}', "GET"],
      absent,
    ],
    [
      "not at all, where only the operation isn't there",
      there,
      ["as it is", notFound],
      ["GET", 'PUT {"price":"2"}', "GET"],
      notFound.message,
    ],
    [
      "after its write was lost",
      there,
      ["as it is", lost, notFound],
      ["GET", 'PUT {"price":"2"}', "GET"],
      "Ware 7 was deleted in the shop; run refresh, then up creates it again",
    ],
  ])("%s", async (_what, object, instead, log, message) => {
    const result = await updated(object, olds, { ...args, price: 2 }, { instead });
    expect([result.error?.message, result.log]).toEqual([message, log]);
  });

  test("the conflict of a deleted text shows the lines that the program changes", async () => {
    const text = (end: string) => `one\ntwo\nthree\nfour\n${end}\n`;
    const result = await updated(undefined, { ...olds, title: text("old") }, { ...args, title: text("new") });
    expect(result.error?.message).toContain(
      "  title: changed in the program:\n    @@ -3,3 +3,3 @@\n     three\n     four\n    -old\n    +new\nNothing was sent",
    );
  });

  test("removing an item that is gone succeeds, any other error fails", async () => {
    const gone = await updated(
      there,
      olds,
      { ...args, parts: [p] },
      { instead: ["as it is", setting({ parts: [P] })] },
    );
    expect([gone.error, gone.log]).toEqual([undefined, ["GET", "DELETE /parts/2", "GET"]]);
    const silent = new errors.NoAnswerError("it hung up", {});
    expect(
      (await updated(there, olds, { ...args, parts: [p] }, { instead: ["as it is", silent] })).error,
    ).toBe(silent);
  });
});

describe("a write whose answer was lost", () => {
  const put = 'PUT {"price":"2"}';
  const add = 'PUT {"parts":[{"code":"R","price":"3"}]}';
  const more = { parts: [p, q, { code: "R", price: 3 }] };

  test.each<readonly [string, Values, readonly Instead[], log: readonly string[]]>([
    ["a new item was added", more, ["as it is", "done, and lost"], ["GET", add, "GET"]],
    [
      "a new item wasn't: it is waited for, for a second send would add it twice",
      more,
      ["as it is", lost],
      ["GET", add, "GET", "wait 500", "GET", "wait 1000", "GET", "wait 2000", "GET", "wait 500", "GET", add],
    ],

    [
      "the half was done",
      { price: 2, name: "pot" },
      ["as it is", "as it is", lost],
      ["GET", put, 'PUT /rename {"new_name":"pot"}', "GET", 'PUT /rename {"new_name":"pot"}'],
    ],
  ])("%s", async (_what, change, instead, log) => {
    const { outs, error, log: sent } = await updated(there, olds, { ...args, ...change }, { instead });
    expect([error, sent]).toEqual([undefined, log]);
    expect(outs).toMatchObject({ ...args, ...change });
  });

  test("a new item that appears late is found", async () => {
    const late = setting({ parts: [P, Q, { id: 3, code: "R", price: 3 }] });
    const { log, outs } = await updated(
      there,
      olds,
      { ...args, ...more },
      { instead: ["as it is", lost, "as it is", late] },
    );
    expect([log, outs?.parts]).toEqual([
      ["GET", add, "GET", "wait 500", "GET"],
      [P, Q, { id: 3, code: "R", price: 3 }],
    ]);
  });

  test("staff's earlier changes stay out of the state after a lost response", async () => {
    for (const instead of [[], ["as it is", lost]] as const) {
      const { outs, said, now } = await updated(
        { ...there, title: "Theirs" },
        olds,
        { ...args, price: 2 },
        { instead },
      );
      expect([outs?.title, outs?.price, now.title]).toEqual(["Jug", 2, "Theirs"]);
      expect(said).toEqual([
        'Ware 7: changed in the shop since the last run and kept: title: "Jug" => "Theirs"; refresh takes it into the state',
      ]);
    }
  });

  // K9 for updates.
  test.each([
    ["the look at it", [new errors.UnreachableError("ECONNREFUSED", {})], ["GET", put, "GET"]],
    ["sending it again", ["as it is", new errors.LimitError("429", {})], ["GET", put, "GET", put]],
  ] as const)("a lost write may have happened if %s failed", async (_what, then, requests) => {
    const { error, log } = await updated(
      there,
      olds,
      { ...args, price: 2 },
      { instead: ["as it is", lost, ...then] },
    );
    expect(error?.message).toMatch(
      /^the update of Ware 7 may have happened: its answer was lost\. After that, .*Nothing was changed by it; .*\. The next run looks at the shop before it sends anything$/,
    );
    expect(log).toEqual(requests);
  });

  test("a write that was lost twice is reported", async () => {
    const { error, log } = await updated(
      there,
      olds,
      { ...args, price: 2 },
      { instead: ["as it is", lost, "as it is", lost] },
    );
    expect([error, log]).toEqual([lost, ["GET", put, "GET", put]]);
  });
});

describe("edits of staff", () => {
  test("staff's change since a plan was approved is refused", async () => {
    const fields = [{ path: "price", is: 9, asked: 2 }];
    const approved = { objects: { "Ware:7": [{ ends: false, fields }] }, creates: [] };
    const plan: Partial<Plan> = { digest: (words) => words, approved };
    const { error, log } = await updated(there, olds, { ...args, price: 2 }, { plan });
    expect(error?.message).toContain("price was 9, is 1");
    expect(log).toEqual(["GET"]);
  });

  test("staff's item added during a write stays in the shop and out of the state", async () => {
    const added: Instead = (now) => {
      now.parts = [...(now.parts ?? []), { id: 9, code: "X", price: 9 }, { id: 10, code: "", price: 1 }];
      return "as it is";
    };
    const { outs, said } = await updated(
      there,
      olds,
      { ...args, parts: [p, { ...q, price: 3 }] },
      { instead: ["as it is", added] },
    );
    expect(outs?.parts).toEqual([P, { ...Q, price: 3 }]);
    expect(said).toEqual([
      "Ware 7: changed in the shop since the last run and kept: parts[X] was added; parts[#10] was added; refresh takes it into the state",
    ]);
  });

  test("staff's change of an unsent field during a write is kept", async () => {
    const theirs: Instead = (now) => {
      now.title = "Theirs";
      now.parts = [{ ...P, price: 8 }];
      return "as it is";
    };
    const asked = { ...args, price: 2 };
    const { outs, error, said, now } = await updated(there, olds, asked, { instead: ["as it is", theirs] });
    expect([error, outs?.title, outs?.price, outs?.parts]).toEqual([undefined, "Jug", 2, [P, Q]]);
    expect(said).toEqual([
      'Ware 7: changed in the shop since the last run and kept: title: "Jug" => "Theirs"; parts[P].price: 1 => 8; parts[Q] was removed; refresh takes it into the state',
    ]);
    const again = await updated(now, outs ?? {}, { ...asked, shadow: "more" });
    expect([again.error, again.now.title, again.now.parts]).toEqual([
      undefined,
      "Theirs",
      [{ ...P, price: 8 }],
    ]);
  });

  test("a field that a response leaves out is read before it counts as changed", async () => {
    const partly = { price: 2, parts: there.parts, id: 7 };
    const asked = { ...args, price: 2 };
    const { outs, said } = await updated(there, olds, asked, {
      instead: ["as it is", (now) => Object.assign(now, { price: 2 }) && partly],
    });
    expect([said, outs?.title, outs?.price]).toEqual([[], "Jug", 2]);
  });

  test("staff's item in a list that was empty stays", async () => {
    const { parts: _parts, ...bare } = there;
    const { parts: _olds, ...known } = olds;
    const added: Instead = (now) => {
      now.parts = [{ id: 9, code: "X", price: 9 }];
      return "as it is";
    };
    const { outs } = await updated(bare, known, { ...args, parts: [p] }, { instead: ["as it is", added] });
    expect(outs?.parts).toEqual([{ id: 101, code: "P", price: 1 }]);
  });
});

describe("a shop that answers without applying the write", () => {
  const untaken = (path: string) =>
    `the shop answered without taking ${path}; set a value that it accepts, or leave it out`;
  const ignores: Instead = () => ({ ...there, id: 7 });

  test("a write whose response lacks a value is checked by a read", async () => {
    const { outs, log } = await updated(
      there,
      olds,
      { ...args, price: 2 },
      {
        instead: [
          "as it is",
          (now) => {
            Object.assign(now, { price: 2 });
            return { ...there, id: 7 };
          },
        ],
      },
    );
    expect([log, outs?.price]).toEqual([["GET", 'PUT {"price":"2"}', "GET"], 2]);
  });

  test("an item that the shop didn't add or remove is reported", async () => {
    const kept = await updated(there, olds, { ...args, parts: [p] }, { instead: ["as it is", notFound] });
    expect(kept.error?.reasons).toEqual([expect.stringContaining("parts[Q] is removed")]);
    expect(kept.error?.properties.parts).toEqual([P, Q]);
    const more = { ...args, parts: [p, q, { code: "R", price: 3 }] };
    const missed = await updated(there, olds, more, { instead: ["as it is", ignores] });
    expect(missed.error?.reasons).toEqual([untaken('parts[R]: expected {"code":"R","price":3}, got unset')]);
  });

  test("the state has the program's values after a checked write", async () => {
    const theirs = { ...there, title: "Theirs" };
    const late: Instead = (now) => {
      Object.assign(now, { price: 2 });
      return { ...theirs, id: 7 };
    };
    const { outs } = await updated(
      theirs,
      olds,
      { ...args, price: 2, adopt: "key" },
      { instead: ["as it is", late] },
    );
    expect(outs).toMatchObject({ title: "Jug", price: 2, adopt: "key", __stated: olds.__stated });
  });

  test("a response is believed if the object can't be read", async () => {
    const { error } = await updated(
      there,
      olds,
      { ...args, price: 2 },
      { instead: ["as it is", ignores, notFound] },
    );
    expect(error).toMatchObject({ reasons: [untaken("price: expected 2, got 1")], properties: { price: 1 } });
    // Nobody edited it, so the next preview puts nothing back.
    expect(error?.properties).not.toHaveProperty("__asked");
  });

  test("a create whose response lacks a value is checked by a read", async () => {
    const { shop } = opened({ ...there, parts: [P, Q] });
    const outs = await verifyWrite({
      definition: ware,
      shop,
      id: "7",
      wanted: { parts: [p, q] },
      state: { parts: [P, Q], title: undefined },
      known: (state) => state,
    });
    expect(outs).toEqual({ parts: [P, Q] });
  });
});

describe("the read before an update", () => {
  const looks = async (makesRoom: boolean, afterMs: number, object: Stored | undefined) => {
    let ms = 1_000_000;
    const { shop, log } = opened(object);
    const timed = { ...shop, now: () => ms };
    const seven = { definition: ware, shop: timed, id: "7", olds: { isText: false } };
    const first = makesRoom ? await readForWrite(seven, true) : await readForWrite(seven);
    ms += afterMs;
    const second = await readForWrite(seven);
    expect(second).toEqual(first);
    return log();
  };

  test.each<readonly [string, boolean, number, looks: number]>([
    ["is made again a while later", false, 10_001, 2],
    ["serves for a minute where another is made first", true, 60_000, 1],
  ])("%s", async (_what, makesRoom, afterMs, count) => {
    expect(await looks(makesRoom, afterMs, there)).toHaveLength(count);
  });

  test("each change reads the object again", async () => {
    const { shop, log } = opened(there);
    const outs = await update({ definition: ware, shop, id: "7", olds, args: { ...args, price: 2 } });
    await update({ definition: ware, shop, id: "7", olds: outs, args: { ...args, price: 3 } });
    expect(log()).toEqual(["GET", 'PUT {"price":"2"}', "GET", 'PUT {"price":"3"}']);
  });
});

describe("the body of an update", () => {
  const page = kindOf(
    "Page",
    {
      title: text(),
      content: text({ mode: "body" }),
      file: text({ mode: "program" }),
      at: text({ mode: "computed" }),
    },
    { operations, body: shownBody },
  );
  const known = { title: "Home", sha256: sha256("one"), isText: true, __stated: "title,content" };
  const shown = { title: "Home", content: "one" };

  test.each<readonly [string, Values, log: readonly string[]]>([
    ["isn't sent where it didn't", { title: "Start" }, ["GET", 'PUT {"title":"Start"}']],
  ])("%s", async (_what, more, log) => {
    const asked = { title: "Home", content: "one", ...more };
    const result = await updated(shown, known, asked, { definition: page });
    expect([result.log, result.error]).toEqual([log, undefined]);
    expect(result.outs).toMatchObject({ title: asked.title, sha256: sha256(asked.content) });
  });

  test("a file's body is sent as it is on disk", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-body-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "home.html"), "two");
    const file = await fileFact("home.html", folder);
    const { shop, log } = opened(shown, { definition: page });
    const outs = await update({
      definition: page,
      shop: { ...shop, folder },
      id: "7",
      olds: known,
      args: { title: "Start", file },
    });
    expect(log()).toEqual(["GET", 'PUT {"title":"Start","content":"two"}']);
    expect(outs).toMatchObject({ title: "Start", sha256: sha256("two"), file });
  });
});

test("a changed object isn't taken from a page that was read before", async () => {
  const told: string[] = [];
  const { shop } = opened(there);
  const reads: Shop["reads"] = {
    ...shop.reads,
    ready: async () => void told.push("ready"),
    written: (_definition, id) => void told.push(`written ${id}`),
  };
  await applyChange({
    definition: ware,
    shop: { ...shop, reads },
    id: "7",
    olds,
    seen: olds,
    args: { ...args, price: 2 },
  });
  expect(told).toEqual(["ready", "written 7"]);
});
