// Interrupted creates: which object of the shop they made, when nobody can tell, and how long the search takes.
import { describe, expect, test } from "vitest";
import { NoAnswerError } from "../../provider/client/errors.ts";
import type { Note } from "../../provider/context/create-notes.ts";
import {
  create,
  type Definition,
  decimal,
  get,
  integer,
  listing,
  text,
  time,
} from "../../provider/definition/define.ts";
import {
  findCreated,
  fingerprint,
  type SearchOptions,
  UndecidedError,
  waitForCreated,
} from "../../provider/lifecycle/interrupted-creates.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answers, began, notFound, scene } from "./answers.ts";
import { kindOf, shownBody } from "./kind.ts";

const list = listing("/wares");
const ware = kindOf(
  "Ware",
  { name: text(), price: decimal({ mode: "required" }), note: text(), createdAt: time("A") },
  { operations: { list, create: create("/wares") }, keys: [["name"]] },
);
const unique: Definition = { ...ware, unique: true };

const jug = { name: "jug", price: 1 };
const noteOf = (definition: Definition, args: Values, more: Partial<Note> = {}): Omit<Note, "id"> => ({
  of: "dev::jug",
  kind: definition.kind,
  shop: "https://shop.test",
  at: began,
  skewMs: 0,
  above: {},
  print: fingerprint(definition, args, "/nowhere"),
  ...more,
});
const since = "2026-05-01T12:00:01Z";
const before = "2026-05-01T11:00:00Z";
const longBefore = "2026-04-30T11:00:00Z";
const shown = (id: number, { createdAt, ...values }: Values = {}) => ({
  id,
  ...jug,
  ...values,
  ...(createdAt !== undefined && { "created-at": createdAt }),
});
const made = { createdAt: since };

/** What is found: an id, nothing, or why a person must look. */
async function found(
  definition: Definition,
  objects: readonly object[],
  { args = jug, ...how }: SearchOptions & { readonly args?: Values } = {},
): Promise<string> {
  const { shop } = scene(() => objects);
  try {
    const seen = await findCreated({ definition, shop, note: noteOf(definition, args) }, how);
    return seen === undefined ? "none" : String(seen.id);
  } catch (error) {
    expect(error).toBeInstanceOf(UndecidedError);
    expect((error as Error).name).toBe("UndecidedError");
    return (error as Error).message;
  }
}

const cutOff = "a create of Ware (resource jug) was interrupted, and the shop now has";
const sameName = `${cutOff} 7 with the same name and other content: set adopt to its id to adopt it, or delete it`;
const edited =
  `${cutOff} 7, created since then, with the same name and other content: somebody may have edited it. ` +
  "Set adopt to its id to adopt it, delete it, or run again with --resend jug to create another";
const earlier =
  "a create of Ware (resource jug) was interrupted, and the shop has 7 with the same content, dated before the create: " +
  "the shop's clocks may differ. " +
  "Set adopt to its id to adopt it, delete it, or run again with --resend jug to create another";
const unnamed = (ids = "7") =>
  `${cutOff} ${ids}, created since then, with the same content and another name: the shop may have ignored it. ` +
  "Leave it out and set adopt to its id to adopt it, delete it, or run again with --resend jug to create another";

describe("recognition of an interrupted create", () => {
  const names = { same: {}, other: { name: "mug" }, none: { name: undefined }, empty: { name: "" } };
  const contents = { same: {}, other: { price: 2 } };
  const times = {
    since: { createdAt: since },
    before: { createdAt: before },
    "long before": { createdAt: longBefore },
    unknown: {},
  };
  const looks: readonly SearchOptions[] = [
    {},
    { isLast: true },
    { isGivenUp: true },
    { isLast: true, isGivenUp: true },
  ];
  const cases = Object.entries(names).flatMap(([name, named]) =>
    Object.entries(contents).flatMap(([content, filled]) =>
      Object.entries(times).map(
        ([age, stamped]) => [name, content, age, { ...named, ...filled, ...stamped } as Values] as const,
      ),
    ),
  );

  test.each(cases)(
    "an object with %s name and %s content that was made %s",
    async (name, content, age, values) => {
      const objects = [shown(7, values)];
      for (const how of looks) {
        // A person decides where nothing would be looked for again, and hasn't said yet that another may be made.
        const asks = how.isLast === true && how.isGivenUp !== true;
        const isNear = !age.endsWith("before");
        const asksAgain = asks && age === "since";
        const mayBe = asks && age === "before" ? earlier : "none";
        const isIt = name === "same" && content === "same";
        const isNamesake = isNear && name === "same" && content === "other";
        const isUnnamed = isNear && name !== "same" && content === "same";
        const same = isNear ? "7" : mayBe;
        const named = isIt
          ? same
          : isNamesake && asksAgain
            ? edited
            : isUnnamed && asksAgain
              ? unnamed()
              : "none";
        expect(await found(ware, objects, how), JSON.stringify(how)).toBe(named);
        // Of what can have no namesake, one of the name with other content is told at once.
        expect(await found(unique, objects, how), JSON.stringify(how)).toBe(
          isIt ? same : isNamesake ? sameName : "none",
        );
        // Where no name was stated, the content alone says it.
        expect(await found(ware, objects, { ...how, args: { price: 1 } }), JSON.stringify(how)).toBe(
          content === "same" ? same : "none",
        );
      }
    },
  );
});

test.each<readonly [string, readonly object[], string]>([
  [
    "one as asked, one of another name and the same content",
    [shown(7, made), shown(8, { ...made, name: "mug" })],
    "7",
  ],
])("the object of an interrupted create: %s", async (_what, objects, expected) => {
  expect(await found(ware, objects, { isLast: true })).toBe(expected);
});

describe("objects older than the create", () => {
  const seconds = (count: number) => new Date(began + count * 1000).toISOString();

  test.each<readonly [string, noted: number | undefined, known: number | undefined, late: number]>([
    ["the shop's is ahead", 60, 0, 55],
    ["the shop's is behind", -60, undefined, -65],
    ["it was heard only now how far", undefined, 60, 55],
  ])(
    "an object made before the create is another one, by both clocks and their known difference: %s",
    async (_what, noted, known, first) => {
      const ms = (skew: number | undefined) => (skew === undefined ? undefined : skew * 1000);
      for (const [stamp, isIt] of [
        [seconds(first - 1), false],
        [seconds(first), true],
        [seconds(first + 1), true],
      ] as const) {
        const { shop } = scene(() => [shown(7, { createdAt: stamp })], { skewMs: () => ms(known) });
        const note = noteOf(ware, jug, { skewMs: ms(noted) });
        expect((await findCreated({ definition: ware, shop, note }))?.id, stamp).toBe(isIt ? 7 : undefined);
      }
    },
  );
});

describe("where an interrupted create is searched for", () => {
  const looked = async (
    definition: Definition,
    answers: Answers,
    args: Values,
    above: Values = {},
    how: SearchOptions = {},
  ) => {
    const { shop, log } = scene(answers);
    const seen = await findCreated({ definition, shop, note: noteOf(definition, args, { above }) }, how);
    return [seen?.id, log()];
  };
  const room: Definition = {
    ...ware,
    fields: { ...ware.fields, roomId: integer({ mode: "required" }), content: text({ mode: "body" }) },
    operations: { list: listing("/rooms/{roomId}/wares"), get: get("/rooms/{roomId}/wares/{id}") },
  };

  describe("a text that no list shows", () => {
    const page: Definition = { ...room, body: shownBody };
    const args = { ...jug, roomId: 3, content: "one\ntwo" };
    const row = (id: number, more: object = {}) => ({ ...shown(id), "room-id": 3, ...more });

    test.each<
      readonly [
        string,
        Readonly<Record<string, object>>,
        SearchOptions,
        id: unknown,
        asked: readonly string[],
      ]
    >([["one that has gone meanwhile is none", { 7: notFound }, { isLast: true }, undefined, ["7"]]])(
      "a text that no list shows is read at each possible name: %s",
      async (_what, objects, how, id, asked) => {
        const answers: Answers = (line) =>
          line.endsWith("/wares")
            ? Object.entries(objects).map(([own, one]) => {
                const { content: _text, ...listed } = (
                  one instanceof Error ? row(Number(own)) : one
                ) as Record<string, unknown>;
                return listed;
              })
            : objects[line.split("/").at(-1) ?? ""];
        const reads = asked.map((own) => `GET /rooms/3/wares/${own}`);
        expect(await looked(page, answers, args, { roomId: 3 }, how)).toEqual([
          id,
          ["GET /rooms/3/wares", ...reads],
        ]);
      },
    );

    test("another text with the same name may be an edit of somebody else", async () => {
      const young = row(7, { "created-at": since });
      const answers: Answers = (line) => (line.endsWith("/wares") ? [young] : { ...young, content: "two" });
      await expect(looked(page, answers, args, { roomId: 3 }, { isLast: true })).rejects.toThrow(edited);
    });
  });

  describe("an object that a shop has once", () => {
    const fee = kindOf(
      "Fee",
      { monthly: decimal({ mode: "required" }) },
      { operations: { get: get("/fee") }, singleton: "monthly" },
    );

    test.each<readonly [string, object | Error, found: boolean]>([
      ["as it was asked for it is that", { monthly: "5.0" }, true],
      ["with another sum it is another", { monthly: "6.0" }, false],
    ])(
      "an object that a shop has once is searched for at its own address: %s",
      async (_what, answer, isFound) => {
        const { shop, log } = scene(() => answer);
        const seen = await findCreated({ definition: fee, shop, note: noteOf(fee, { monthly: 5 }) });
        expect([seen, log()]).toEqual([isFound ? { monthly: 5 } : undefined, ["GET /fee"]]);
      },
    );
  });

  describe("a list that the shop may not offer", () => {
    const hidden = { ...ware, operations: { list: listing("/wares", { undocumented: true }) } };

    test.each<readonly [string, Definition, Error]>([
      ["no answer", hidden, new NoAnswerError("it hung up", {})],
      ["that a shop surely offers", ware, notFound],
    ])("a list that %s proves nothing", async (_what, definition, error) => {
      const { shop } = scene(() => error);
      for (const isGivenUp of [false, true])
        await expect(
          findCreated({ definition, shop, note: noteOf(definition, jug) }, { isGivenUp }),
        ).rejects.toBe(error);
    });
  });
});

describe("waiting for a late create", () => {
  /** @param at which look shows the object; of none without */
  const patiently = async (
    patienceMs: number,
    ageMs: number,
    {
      at = Number.POSITIVE_INFINITY,
      values = {} as Values,
      sentAt = undefined as number | undefined,
      more = {} as Pick<SearchOptions, "isGivenUp">,
    } = {},
  ) => {
    let looks = 0;
    const { shop, log } = scene(() => (++looks >= at ? [shown(7, values)] : []), { plan: { patienceMs } });
    const note = noteOf(ware, jug, { at: began - ageMs });
    const seen = await waitForCreated(
      { definition: ware, shop, note },
      {
        ...more,
        ...(sentAt !== undefined && { sentAt }),
      },
    ).catch((error: unknown) => (error as Error).message);
    return [
      typeof seen === "object" ? seen.id : seen,
      ...log().map((line) => (line.startsWith("wait ") ? Number(line.slice(5)) : "look")),
    ];
  };
  const pauses = (...all: readonly number[]) => ["look", ...all.flatMap((pause) => [pause, "look"])];

  test.each<readonly [string, readonly [number, number, object?], readonly unknown[]]>([
    ["for the rest of the minute", [60_000, 58_000], [undefined, ...pauses(500, 1000, 500)]],
  ])(
    "the search for an interrupted create repeats with growing pauses until the create is old enough: %s",
    async (_what, [patienceMs, ageMs, how], expected) => {
      expect(await patiently(patienceMs, ageMs, how)).toEqual(expected);
    },
  );
});
