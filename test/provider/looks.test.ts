// Looking at the shop: one object by its id, or the one of a natural key; what each way costs, and what no shop can show.
import { describe, expect, test } from "vitest";
import { NoAnswerError } from "../../provider/client/errors.ts";
import { type Definition, decimal, get, listing, text } from "../../provider/definition/define.ts";
import { findByKey, idsOf, listed, observe, shownKey, whole } from "../../provider/lifecycle/observe.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answers, notFound, scene } from "./answers.ts";
import { kindOf, shownBody } from "./kind.ts";

const fields = {
  name: text(),
  room: text(),
  content: text({ mode: "body" }),
  at: text({ mode: "computed" }),
};
const list = listing("/wares.json");
const one = get("/wares/{id}.json");
const ware = kindOf("Ware", fields, { operations: { list, get: one }, keys: [["name"], ["room", "name"]] });
const silent = new NoAnswerError("it hung up", {});
const withOperations = (operations: Definition["operations"]): Definition => ({ ...ware, operations });

describe("an object by its id", () => {
  const unshown = get("/wares/{id}.json", { unshown: true });
  const hiddenList = listing("/wares.json", { unshown: true });
  const seven = { id: 7, name: "jug" };
  const byList = ["GET /wares/7", "GET /wares"];

  test.each<
    readonly [
      string,
      Definition,
      one: object | undefined | Error,
      all: object | Error,
      seen: unknown,
      log: readonly string[],
    ]
  >([
    ["is there", ware, seven, [], seven, ["GET /wares/7"]],
    ["is gone", ware, notFound, [seven], "gone", ["GET /wares/7"]],
    ["is gone where the answer is empty", ware, undefined, [seven], "gone", ["GET /wares/7"]],
    ["isn't known where no answer comes", ware, silent, [seven], silent, ["GET /wares/7"]],
    [
      "is in its list, where a shop may not offer to read one",
      withOperations({ get: unshown, list }),
      notFound,
      [seven],
      seven,
      byList,
    ],
    [
      "is not in its list either",
      withOperations({ get: unshown, list }),
      notFound,
      [{ id: 8 }],
      "gone",
      byList,
    ],
    [
      "is of a shop without such a list",
      withOperations({ get: unshown, list }),
      notFound,
      notFound,
      "gone",
      byList,
    ],
    [
      "is hidden where a shop may not offer the list either",
      withOperations({ get: unshown, list: hiddenList }),
      notFound,
      notFound,
      "hidden",
      byList,
    ],
    [
      "isn't known where its list isn't answered",
      withOperations({ get: unshown, list: hiddenList }),
      notFound,
      silent,
      silent,
      byList,
    ],
    [
      "is in its list, of a kind that is read by nothing else",
      withOperations({ list }),
      silent,
      [{ id: 8 }, seven],
      seven,
      ["GET /wares"],
    ],
    ["has gone from its list", withOperations({ list }), silent, [], "gone", ["GET /wares"]],
  ])("%s", async (_what, definition, own, all, seen, requests) => {
    const { shop, log } = scene((line) => (line === "GET /wares" ? all : own));
    const found = await observe(definition, shop, "7").catch((error: unknown) => error);
    expect([found, log()]).toEqual([seen, requests]);
  });

  test("stands in what its id says", async () => {
    const inRoom = withOperations({ get: get("/rooms/{room}/wares/{id}.json") });
    const { shop, log } = scene(() => seven);
    expect(await observe(inRoom, shop, "3/7")).toEqual(seven);
    expect(log()).toEqual(["GET /rooms/3/wares/7"]);
  });

  test.each<readonly [string, object | Error, seen: unknown]>([
    ["is there", { monthly: "5" }, { monthly: 5 }],
    ["isn't, without what makes it one", { room: "a" }, "gone"],
    ["isn't", notFound, "gone"],
  ])("that a shop has once %s", async (_what, answer, seen) => {
    const fee = kindOf(
      "Fee",
      { monthly: decimal(), room: text() },
      { operations: { get: get("/fee.json") }, singleton: "monthly" },
    );
    const { shop, log } = scene(() => answer);
    expect([await observe(fee, shop, "fee"), log()]).toEqual([seen, ["GET /fee"]]);
  });
});

describe("a list of pages", () => {
  const paged = withOperations({ list: listing("/wares.json", { perPage: 2 }) });
  const page = (number: number) => `GET /wares?page=${number}&per_page=2`;
  const pagesOf = (...pages: readonly (readonly number[])[]): Answers => {
    const left = [...pages];
    return () => (left.shift() ?? []).map((id) => ({ id }));
  };

  test.each<readonly [string, pages: readonly (readonly number[])[], seen: unknown, log: readonly number[]]>([
    [
      "is read as far as the page that shows it",
      [
        [5, 7],
        [8, 9],
      ],
      { id: 7 },
      [1],
    ],
    ["is read to its end", [[5, 6], [7]], { id: 7 }, [1, 2]],
    ["of one page isn't read again: an empty one tells that it is the only one", [[5]], "gone", [1, 2]],
    // What is deleted meanwhile moves what is behind it to pages that were read already.
    ["is read back where it isn't on the way there", [[1, 2], [3, 4], [5], [4, 7]], { id: 7 }, [1, 2, 3, 2]],
    ["is read back to its beginning", [[1, 2], [3, 4], [5], [4, 5], [2, 7]], { id: 7 }, [1, 2, 3, 2, 1]],
    ["doesn't show what is gone", [[1, 2], [3, 4], [5], [3, 4], [1, 2]], "gone", [1, 2, 3, 2, 1]],
  ])("%s", async (_what, pages, seen, asked) => {
    const { shop, log } = scene(pagesOf(...pages));
    expect([await observe(paged, shop, "7"), log()]).toEqual([seen, asked.map(page)]);
  });

  test("is read once for all that a run looks for by its own address in vain, and once more for what isn't in it", async () => {
    const one = get("/wares/{id}.json", { unshown: true });
    const definition = withOperations({ ...paged.operations, get: one });
    const answers = pagesOf([5, 6], [7]);
    const { shop, log } = scene((line, body) => (line.includes("?") ? answers(line, body) : notFound));
    const seen = await Promise.all(["5", "7", "9"].map((id) => observe(definition, shop, id, shop.reads)));
    expect(seen).toEqual([{ id: 5 }, { id: 7 }, "gone"]);
    expect(log().filter((line) => line.includes("?"))).toEqual([page(1), page(2), page(1)]);
  });
});

describe("by its natural key", () => {
  const jug = (id: number, more: object = {}) => ({ id, name: "jug", ...more });
  const find = async (definition: Definition, answers: Answers, args: Values) => {
    const { shop, log, notices } = scene(answers);
    const seen = await findByKey(definition, shop, args).catch((error: unknown) => (error as Error).message);
    return { seen, log: log(), notices };
  };

  test.each<readonly [string, Values, readonly object[], seen: unknown]>([
    ["the one that has it", { name: "jug" }, [{ id: 6, name: "mug" }, jug(7)], jug(7)],
    ["none where none has it", { name: "jug" }, [{ id: 6, name: "mug" }, { id: 7 }], undefined],
    [
      "of two nobody knows which",
      { name: "jug" },
      [jug(7), jug(8)],
      'adopt: "key" found 2 of Ware with name jug: write the id of one of 7, 8 instead',
    ],
    [
      "without a key, which could be stated",
      { room: "a" },
      [jug(7)],
      'adopt: "key" finds a Ware by its name, or room + name: state that, or write the id instead of "key"',
    ],
  ])("%s", async (_what, args, objects, seen) => {
    const found = await find(ware, () => objects, args);
    const isAsked = "name" in args;
    expect([found.seen, found.log]).toEqual([seen, isAsked ? ["GET /wares"] : []]);
    expect(found.notices).toEqual(
      isAsked ? [{ type: "lists", kind: "Ware", above: "{}", pages: 1, singles: 0 }] : [],
    );
  });

  test("a kind that has none says so", async () => {
    const { keys: _keys, ...keyless } = ware;
    expect((await find(keyless, () => [], { name: "jug" })).seen).toBe(
      'adopt: "key" finds a Ware by its : state that, or write the id instead of "key"',
    );
  });

  test("of two keys the first that is stated whole", async () => {
    const rooms = { ...ware, keys: [["room", "name"], ["name"]] };
    const objects = [jug(7, { room: "a" }), jug(8, { room: "b" })];
    expect((await find(rooms, () => objects, { name: "jug", room: "b" })).seen).toEqual(objects[1]);
    expect((await find(rooms, () => objects, { name: "jug" })).seen).toContain("found 2 of Ware");
  });

  describe("with a text, which no list shows", () => {
    const page: Definition = { ...ware, body: shownBody };
    const answers: Answers = (line) => (line === "GET /wares" ? [jug(7)] : { ...jug(7), content: "one" });

    test("it is read by itself, and told as a look more", async () => {
      const { seen, log, notices } = await find(page, answers, { name: "jug" });
      expect([seen, log]).toEqual([{ ...jug(7), content: "one" }, ["GET /wares", "GET /wares/7"]]);
      expect(notices).toMatchObject([{ singles: 1 }]);
    });

    test("where none, or several, have its key nothing more is read", async () => {
      for (const all of [[], [jug(7), jug(8)]]) {
        const { seen, log, notices } = await find(page, () => all, { name: "jug" });
        expect([typeof seen, log]).toEqual([all.length === 0 ? "undefined" : "string", ["GET /wares"]]);
        expect(notices).toMatchObject([{ singles: 0 }]);
      }
    });

    test("one that has gone meanwhile isn't there", async () => {
      const gone: Answers = (line) => (line === "GET /wares" ? [jug(7)] : notFound);
      expect((await find(page, gone, { name: "jug" })).seen).toBeUndefined();
    });
  });
});

test("a key is shown, but what of it is secret", () => {
  expect(shownKey({}, { room: "a", name: "jug" })).toBe("room a, name jug");
  expect(shownKey({ __secret: "name" }, { room: "a", name: "jug" })).toBe("room a, name [secret]");
});

test("objects are named by their numbers", () => {
  expect(idsOf([{ id: 7 }, { id: 8 }])).toBe("7, 8");
});

test("what a list shows is all of it, but of a text", async () => {
  const { shop, log } = scene(() => ({ id: 7, content: "one" }));
  expect([await whole(ware, shop, { id: 7 }, {}), log()]).toEqual([{ id: 7 }, []]);
  const page = { ...ware, body: shownBody };
  expect([await whole(page, shop, { id: 7 }, {}), log()]).toEqual([
    { id: 7, content: "one" },
    ["GET /wares/7"],
  ]);
});

describe("a look in a list serves where it shows what is looked for", () => {
  const page: Definition = { ...ware, body: shownBody };
  const upload: Definition = { ...ware, body: { bytes: "attachment", address: "at" } };

  test.each<readonly [string, Definition, isText: boolean, isListed: boolean]>([
    ["values", ware, true, true],
    ["bytes of a kind that may have a text", page, false, true],
    ["a text", page, true, false],
    ["a body of a kind that shows no text", upload, true, true],
  ])("%s", async (_what, definition, isText, isListed) => {
    const { shop, log } = scene(() => [{ id: 7 }]);
    const reads = { ...shop.reads, find: async () => ({ id: 7 }) };
    const found = await listed({ definition, shop: { ...shop, reads }, id: "7" }, isText, {
      isPlanned: false,
    });
    expect([found?.id, log()]).toEqual([isListed ? 7 : undefined, []]);
  });
});
