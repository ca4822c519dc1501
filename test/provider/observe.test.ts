// Reads of an object by its id or by its natural key: the requests, and objects that the shop doesn't return.
import { describe, expect, test } from "vitest";
import { type Definition, get, listing, text } from "../../provider/definition/define.ts";
import { findByKey, readObject } from "../../provider/lifecycle/observe.ts";
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

const withOperations = (operations: Definition["operations"]): Definition => ({ ...ware, operations });

describe("observing by pages", () => {
  const paged = withOperations({ list: listing("/wares.json", { perPage: 2 }) });
  const page = (number: number) => `GET /wares?page=${number}&per_page=2`;
  const pagesOf = (...pages: readonly (readonly number[])[]): Answers => {
    const left = [...pages];
    return () => (left.shift() ?? []).map((id) => ({ id }));
  };

  test.each<readonly [string, pages: readonly (readonly number[])[], seen: unknown, log: readonly number[]]>([
    // What is deleted meanwhile moves what is behind it to pages that were read already.
    ["is read back where it isn't on the way there", [[1, 2], [3, 4], [5], [4, 7]], { id: 7 }, [1, 2, 3, 2]],
    ["is read back to its beginning", [[1, 2], [3, 4], [5], [4, 5], [2, 7]], { id: 7 }, [1, 2, 3, 2, 1]],
    ["doesn't show what is gone", [[1, 2], [3, 4], [5], [3, 4], [1, 2]], "gone", [1, 2, 3, 2, 1]],
  ])("%s", async (_what, pages, seen, asked) => {
    const { shop, log } = scene(pagesOf(...pages));
    expect([await readObject(paged, shop, "7"), log()]).toEqual([seen, asked.map(page)]);
  });

  test("a list is read once for all objects without a read of their own, and once more for a missing object", async () => {
    const one = get("/wares/{id}.json", { undocumented: true });
    const definition = withOperations({ ...paged.operations, get: one });
    const answers = pagesOf([5, 6], [7]);
    const { shop, log } = scene((line, body) => (line.includes("?") ? answers(line, body) : notFound));
    const seen = await Promise.all(["5", "7", "9"].map((id) => readObject(definition, shop, id, shop.reads)));
    expect(seen).toEqual([{ id: 5 }, { id: 7 }, "gone"]);
    expect(log().filter((line) => line.includes("?"))).toEqual([page(1), page(2), page(1)]);
  });
});

describe("observing by the natural key", () => {
  const jug = (id: number, more: object = {}) => ({ id, name: "jug", ...more });
  const find = async (definition: Definition, answers: Answers, args: Values) => {
    const { shop, log, notices } = scene(answers);
    const seen = await findByKey({ definition: definition, shop, args }).catch(
      (error: unknown) => (error as Error).message,
    );
    return { seen, log: log(), notices };
  };

  test.each<readonly [string, Values, readonly object[], seen: unknown]>([
    ["the one that has it", { name: "jug" }, [{ id: 6, name: "mug" }, jug(7)], jug(7)],
  ])("%s", async (_what, args, objects, seen) => {
    const found = await find(ware, () => objects, args);
    const isAsked = "name" in args;
    expect([found.seen, found.log]).toEqual([seen, isAsked ? ["GET /wares"] : []]);
    expect(found.notices).toEqual(
      isAsked
        ? [{ type: "lists", kind: "Ware", above: "{}", pages: 1, objects: objects.length, singles: 0 }]
        : [],
    );
  });

  test("a kind without a natural key says so", async () => {
    const { keys: _keys, ...keyless } = ware;
    expect((await find(keyless, () => [], { name: "jug" })).seen).toBe(
      'adopt: "key" finds a Ware by its : set that, or write the id instead of "key"',
    );
  });

  describe("a text that no list shows", () => {
    const page: Definition = { ...ware, body: shownBody };
    const answers: Answers = (line) => (line === "GET /wares" ? [jug(7)] : { ...jug(7), content: "one" });

    test("a text found by its key is read by itself, and counted as one more read", async () => {
      const { seen, log, notices } = await find(page, answers, { name: "jug" });
      expect([seen, log]).toEqual([{ ...jug(7), content: "one" }, ["GET /wares", "GET /wares/7"]]);
      expect(notices).toMatchObject([{ singles: 1 }]);
    });

    test("nothing more is read if no text or several have the key", async () => {
      for (const all of [[], [jug(7), jug(8)]]) {
        const { seen, log, notices } = await find(page, () => all, { name: "jug" });
        expect([typeof seen, log]).toEqual([all.length === 0 ? "undefined" : "string", ["GET /wares"]]);
        expect(notices).toMatchObject([{ singles: 0 }]);
      }
    });
  });
});
