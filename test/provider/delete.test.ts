// delete: what it reads, what it deletes, what it keeps, and its message if the shop can't delete the object.
import { describe, expect, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import type { Shop } from "../../provider/context/context.ts";
import type { Plan } from "../../provider/context/plan.ts";
import {
  act,
  type Definition,
  decimal,
  get,
  items,
  remove as removal,
  text,
} from "../../provider/definition/define.ts";
import { canConflict, remove } from "../../provider/lifecycle/delete.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answered, notFound, type Row, scene, table } from "./answers.ts";
import { kindOf, shownBody, wares } from "./kind.ts";

const { create: _made, ...operations } = wares;
const ware = kindOf(
  "Ware",
  {
    name: text(),
    price: decimal(),
    given: text({ writeOnly: true }),
    content: text({ mode: "body" }),
    stamp: text({ mode: "computed" }),
    parts: items({ code: text() }, { element: "part", key: "code" }),
  },
  { operations },
);
const { body: _none, ...rest } = ware;
const page: Definition = { ...rest, body: { ...shownBody, address: "stamp" } };
const upload: Definition = { ...rest, body: { bytes: "attachment", address: "stamp" } };
const bill: Definition = {
  ...ware,
  operations: { get: get("/wares/{id}.json"), decline: act("POST", "/wares/{id}/decline.json", "nothing") },
  cancel: {
    operation: "decline",
    when: { name: "pending" },
    becomes: { name: "declined" },
    otherwise: "it stays in the books",
  },
};

const look = "GET /wares/7";
const gone = "DELETE /wares/7";
const own = { id: 7, name: "jug", price: "1" };
const olds: Values = { name: "jug", price: 1, __stated: "name,price", __of: "dev::jug" };
const unstated: Values = { name: "jug", __of: "dev::jug" };

interface How {
  readonly definition?: Definition;
  readonly rows?: readonly Row[];
  readonly plan?: Partial<Plan>;
  readonly prepare?: (shop: Shop) => unknown;
  /** What comes in place of answers, in turn. */
  readonly instead?: readonly (Answered | "as it is" | "done, and lost")[];
}

const lost = new errors.LostAnswerError("it hung up", {});
const refused = new errors.RefusedError({ status: 200 });

async function ended(
  state: Values,
  { definition = ware, rows = [own], plan = {}, prepare, instead = [] }: How = {},
) {
  const { answers, rows: left } = table("/wares", ...rows);
  const next = [...instead];
  const { shop, log, said, notices } = scene(
    (line, body) => {
      const other = next.shift() ?? "as it is";
      const answered = other === "as it is" || other === "done, and lost" ? answers(line, body) : other;
      return other === "done, and lost" ? lost : answered;
    },
    { plan },
  );
  prepare?.(shop);
  const error = await remove({ definition, shop, id: "7", olds: state }).then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  return { error, log: log(), said, left: [...left.keys()], notices };
}

describe("the read before a delete", () => {
  const conflict =
    "conflict: Ware 7 would be deleted, but was changed in the shop since the last run:\n  price: was 1, is now 2\nIt was not deleted.";

  test.each<readonly [string, Partial<Plan>]>([
    ["where staff changed what is stated", {}],
    ["by a person's word of another object", { overwritten: new Set(["Ware:8"]) }],
  ])("an object isn't deleted %s", async (_what, plan) => {
    const { error, log, left } = await ended(olds, { rows: [{ ...own, price: "2" }], plan });
    expect(error?.message).toContain(conflict);
    expect([log, left]).toEqual([[look], ["7"]]);
  });

  test("a delete under an approved plan is refused if the object changed since the plan", async () => {
    const seal = (words: string) => words;
    const approved = {
      objects: { "Ware:7": [{ ends: true, fields: [{ path: "price", is: 5, asked: null }] }] },
      creates: [],
    };
    const { error, log } = await ended(
      { ...olds, __stated: "price" },
      { plan: { overwritesAll: true, digest: seal, approved } },
    );
    expect(error?.message).toContain("Ware 7 differs from the approved plan: price was 5, is 1");
    expect(log).toEqual([look]);
  });
});

describe("objects that a plan keeps", () => {
  const kept = ["Ware 7: kept, because resource mug has it now"];
  const byMug =
    (where: "taken" | "kept") =>
    ({ memory }: Shop) =>
      void memory.owners[where]("Ware:7", "Ware dev::group::mug");
  const own =
    (where: "taken" | "kept") =>
    ({ memory }: Shop) =>
      void memory.owners[where]("Ware:7", "Ware dev::jug");
  const old: Values = { name: "jug" };

  test.each<readonly [string, Values, (shop: Shop) => void, isKept: boolean]>([
    ["another took it over", unstated, byMug("taken"), true],
    ["another keeps it", unstated, byMug("kept"), true],

    // A state of an older version doesn't say whose it is.
    ["another took over what nobody knows whose it was", old, byMug("taken"), true],
    ["another keeps what nobody knows whose it was", old, byMug("kept"), false],
  ])("an object that the plan keeps is not deleted: %s", async (_what, state, prepare, isKept) => {
    const { said, log, left } = await ended(state, { prepare });
    expect([said, log, left]).toEqual(isKept ? [kept, [], ["7"]] : [[], [gone], []]);
  });

  test("an object that was adopted by its replacement is kept when the engine deletes the replaced resource", async () => {
    const { said, log } = await ended(unstated, { prepare: own("taken") });
    expect([said, log]).toEqual([["Ware 7: kept, because it is its own replacement"], []]);
  });
});

describe("a lost or refused answer to a delete", () => {
  test.each<readonly [string, How["instead"], log: readonly string[], error: Error | undefined]>([
    ["and was", ["done, and lost"], [gone, look], undefined],
    ["and wasn't", [lost], [gone, look, gone], undefined],
    ["twice, and wasn't", [lost, "as it is", lost], [gone, look, gone, look], lost],
    ["though it is there", [refused, "as it is", refused], [gone, look, gone], refused],
    ["for what is gone already", [notFound, notFound], [gone, look], undefined],
  ])("a lost or refused answer to a delete: %s", async (_what, instead, requests, error) => {
    const result = await ended(unstated, { ...(instead !== undefined && { instead }) });
    expect([result.error, result.log]).toEqual([error, requests]);
  });
});

test("a delete whose answer was lost is reported as possibly done if the next read fails too", async () => {
  const { error } = await ended(unstated, { instead: ["done, and lost", new errors.NoAnswerError("x", {})] });
  expect(error?.message).toMatch(
    /^the delete of Ware 7 may have happened: its answer was lost\. After that, .*The next run looks at the shop before/,
  );
  expect(error?.message).not.toContain("othing was changed;");
});

describe("a shop that can't delete", () => {
  const definition: Definition = {
    ...ware,
    operations: { ...operations, remove: removal("/wares/{id}.json", { undocumented: true }) },
  };

  test("a delete that the shop doesn't offer says that the object must be removed by hand", async () => {
    const { error } = await ended(unstated, { definition, instead: [notFound] });
    expect(error?.message).toBe(
      "can't delete Ware 7: this shop doesn't offer it, and the object stays live. " +
        "Remove it in the back office, then run refresh; or set retainOnDelete on the resource to leave it there",
    );
    expect(error?.cause).toBe(notFound);
  });

  test("a delete answered with 404 isn't done while the shop shows the object", async () => {
    const { error, log } = await ended(unstated, { instead: [notFound] });
    expect(error?.message).toContain(
      "can't delete Ware 7: the shop answers 404, not found, and the object stays live. Remove it in the back office",
    );
    expect(log).toEqual([gone, look]);
  });

  test("a delete that the shop doesn't offer succeeds if the object is gone", async () => {
    const { error, log } = await ended(unstated, { definition, rows: [] });
    expect([error, log]).toEqual([undefined, [gone, look]]);
  });
});

describe("kinds that end instead of being deleted", () => {
  const end = "POST /wares/7/decline";
  const pending = { id: 7, name: "pending" };
  const all: Values = { ...olds, name: "pending" };

  test.each<readonly [string, Row | undefined, log: readonly string[], said: readonly string[]]>([
    ["open", pending, [look, end], []],
    ["not open any more", { id: 7, name: "accepted" }, [look], ["Ware 7: it stays in the books"]],
    ["gone", undefined, [look], []],
  ])(
    "a charge that can't be deleted is ended by its own operation while it is open: %s",
    async (_what, row, requests, said) => {
      const {
        shop,
        log,
        said: lines,
      } = scene((line) => (line === look ? (row ?? notFound) : { ...pending, name: "declined" }));
      await remove({ definition: bill, shop, id: "7", olds: all });
      expect([log(), lines]).toEqual([requests, said]);
    },
  );

  test("a charge that ended stays in its list, and a deleted object leaves it", async () => {
    for (const definition of [bill, ware]) {
      const { shop } = scene((line) => (line.startsWith("GET") ? pending : undefined));
      const told: unknown[] = [];
      const reads: Shop["reads"] = {
        ...shop.reads,
        written: (_kind, id, isDeleted) => told.push([id, isDeleted]),
      };
      await remove({ definition, shop: { ...shop, reads }, id: "7", olds: unstated });
      expect(told).toEqual([["7", definition === ware]]);
    }
  });
});

test.each<readonly [string, Definition, Values, boolean]>([
  ["not of what the shop computes", ware, { __stated: "stamp" }, false],

  ["of a text that is shown", page, { __stated: "content" }, true],
  ["not of a body that isn't", upload, { __stated: "content" }, false],
])("an edit before a delete is detected %s", (_what, definition, state, expected) => {
  expect(canConflict(definition, state)).toBe(expected);
});
