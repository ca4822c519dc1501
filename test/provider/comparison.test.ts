// Two sets of objects side by side: what is paired with what, what differs, and what was not compared.
import { describe, expect, test } from "vitest";
import { text } from "../../provider/definition/define.ts";
import { resource } from "../../provider/definition/definition.ts";
import { type ComparedObject, comparedObject, type Reason } from "../../provider/inventory/comparable.ts";
import { compareSides, type Side } from "../../provider/inventory/comparison.ts";

type Facts = Readonly<Record<string, unknown>>;

const object = (key: string, facts: Facts, more: Partial<ComparedObject> = {}): ComparedObject => ({
  kind: "Thing",
  key,
  looseKey: key,
  keys: [],
  shared: new Set(),
  called: "name",
  fields: new Map(Object.entries(facts)),
  hidden: new Map(),
  ...more,
});
const side = (objects: readonly ComparedObject[], more: Partial<Side> = {}): Side => ({
  objects,
  isPartial: false,
  unlisted: [],
  withoutArgument: new Map(),
  ...more,
});
const compared = (a: readonly ComparedObject[], b: readonly ComparedObject[]) =>
  compareSides(side(a), side(b));
/** `key: path, path` of each difference; of what is on one side only `key: only-in-a`. */
const told = ({ differences }: ReturnType<typeof compareSides>) =>
  differences.map((one) =>
    one.type === "different"
      ? `${one.key}: ${one.changes.map(({ path }) => path).join(", ")}`
      : `${one.key}: ${one.type}`,
  );

describe("pairs of objects", () => {
  test("objects pair if each side has exactly one with the same key without the parent", () => {
    const loose = (key: string, n = 1) => object(key, { n }, { looseKey: "page" });
    expect(told(compared([loose("Light page")], [loose("Dark page", 2)]))).toEqual(["Light page: n"]);
    expect(told(compared([loose("Light page")], [loose("Dark page"), loose("Old page")]))).toEqual([
      "Dark page: only-in-b",
      "Light page: only-in-a",
      "Old page: only-in-b",
    ]);
  });

  test("objects pair by the first natural key that both set, if no other object has it", () => {
    const keyed = (key: string, ...keys: readonly (readonly string[])[]) => object(key, {}, { keys });
    const shop = [keyed("mug", ["mug"], ["R", "B"]), keyed("cup", ["cup"], ["C"])];
    const program = [keyed("B", [], ["B"]), keyed("c", ["c"], ["C"])];
    expect(told(compared(shop, program))).toEqual(["c: only-in-b", "cup: only-in-a"]);
    const twins = [keyed("R", [], ["R"]), keyed("B", [], ["B"])];
    expect(told(compared(shop.slice(0, 1), twins))).toEqual([
      "B: only-in-b",
      "R: only-in-b",
      "mug: only-in-a",
    ]);
  });

  test("texts that nothing else names pair if they are equal except for an address at their beginning", () => {
    const text = (key: string) => object(key, { n: 1 }, { called: "text" });
    expect(told(compared([text("https://a/x")], [text("https://b/x")]))).toEqual([]);
    expect(told(compared([object("https://a/x", { n: 1 })], [text("https://b/x")]))).toEqual([
      "https://a/x: only-in-a",
      "https://b/x: only-in-b",
    ]);
  });

  test("objects with secret keys pair by likeness, and take the name of the other side", () => {
    const secret = object("(not shown)", { n: 1, m: 1 }, { called: "secret" });
    const others = [object("far", { n: 2, m: 2 }), object("near", { n: 1, m: 2 })];
    expect(told(compared([secret], others))).toEqual(["far: only-in-b", "near: m"]);
    expect(told(compared(others, [secret]))).toEqual(["far: only-in-a", "near: m"]);
  });

  test("several objects with one key pair by equality, then by the fewest differences, in any order", () => {
    const twin = (...values: readonly number[]) =>
      object("twin", { a: values[0], b: values[1], c: values[2] });
    const ours = [twin(1, 1, 1), twin(2, 2, 2), twin(3, 3, 3)];
    const theirs = [twin(3, 0, 3), twin(2, 2, 2), twin(0, 0, 1)];
    for (const [a, b] of [
      [ours, theirs],
      [ours.toReversed(), theirs.toReversed()],
    ] as const)
      expect(told(compared(a, b)).toSorted()).toEqual(["twin: a, b", "twin: b"]);
    expect(told(compared(ours, theirs.slice(0, 2)))).toHaveLength(2);
    expect(told(compared(ours.slice(1, 2), theirs))).toEqual(["twin: only-in-b", "twin: only-in-b"]);
  });

  test("above forty thousand candidate pairs, each object is still paired once without trying every pair", () => {
    const twins = (from: number) =>
      Array.from({ length: 201 }, (_none, n) => object("twin", { n: from + n }));
    expect(told(compared(twins(0), twins(1_000)))).toEqual(Array.from({ length: 201 }, () => "twin: n"));
    const more = told(compared([...twins(0), ...twins(500)], twins(1_000)));
    expect([more.length, more.filter((line) => line === "twin: only-in-a").length]).toEqual([402, 201]);
  });
});

describe("differences", () => {
  const changes = (old: Facts, next: Facts, key = "x") => {
    const [first] = compared([object(key, old)], [object(key, next)]).differences;
    return first?.type === "different" ? first.changes : [];
  };

  test("an object is added, deleted or updated, and a missing item is reported once without its fields", () => {
    expect(changes({ a: 1, b: 2, list: [] }, { a: 1, c: 3, list: [] })).toEqual([
      { path: "b", kind: "delete", old: 2 },
      { path: "c", kind: "add", new: 3 },
    ]);
    expect(
      changes({ "items[S]": true, "items[S].price": 1, itemsTold: 1 }, { itemsTold: 2 }).map(
        ({ path }) => path,
      ),
    ).toEqual(["items[S]", "itemsTold"]);
  });

  test("settings differ by value if both sides are settings, else as a text", () => {
    const settings = (content: string, other: string, key = "settings.json") =>
      changes({ content }, { content: other }, key);
    expect(settings('{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1}')).toEqual([]);
    expect(settings('{"a":{"b":1,"gone":0},"l":[1,2]}', '{"a":{"b":2},"l":[1],"new":null}')).toEqual([
      { path: "content.a.b", kind: "update", old: 1, new: 2 },
      { path: "content.a.gone", kind: "delete", old: 0 },
      { path: "content.l", kind: "update", old: [1, 2], new: [1] },
      { path: "content.new", kind: "add", new: null },
    ]);
    expect(settings('{"a":[]}', '{"a":{}}')).toEqual([
      { path: "content.a", kind: "update", old: [], new: {} },
    ]);
    expect(settings('{"toString":1}', "{}")).toEqual([{ path: "content.toString", kind: "delete", old: 1 }]);
    for (const other of ["{", "null", "3"])
      expect(settings('{"a":1}', other)).toEqual([
        { path: "content", kind: "update", old: '{"a":1}', new: other },
      ]);
    expect(settings('{"a":1}', '{"a": 1}', "settings.txt")).toHaveLength(1);
  });
});

describe("objects that were not compared", () => {
  test("a hidden object is reported as not compared with its parts, with the number of objects and the reason", () => {
    const hidden = new Map([["secret", "secret"]] as const);
    const { differences, notCompared } = compared(
      ["x", "y"].map((key) => object(key, { "secret.part": 1, body: 1 }, { hidden })),
      ["x", "y"].map((key) => object(key, { "secret.part": 2, body: 1 })),
    );
    expect(differences).toEqual([]);
    expect(notCompared).toEqual([{ kind: "Thing", path: "secret", objects: 2, reason: "secret" }]);
  });

  test("an argument that the program doesn't set is not compared, but a missing item of a list that it sets is", () => {
    const program = side([object("x", { list: 1, "list[A]": 1 })], { isPartial: true });
    const shop = side([object("x", { list: 1, "list[A]": 1, "list[B]": 1, note: 1, "rest[C]": 1 })], {
      withoutArgument: new Map([["Thing", new Set(["rest"])]]),
    });
    const notCompared = [
      { kind: "Thing", path: "note", objects: 1, reason: "unstated" },
      { kind: "Thing", path: "rest", objects: 1, reason: "stays" },
    ];
    expect(compareSides(program, shop)).toEqual({
      differences: [
        { type: "different", kind: "Thing", key: "x", changes: [{ path: "list[B]", kind: "add", new: 1 }] },
      ],
      notCompared,
    });
    expect(compareSides(shop, program).notCompared).toEqual(notCompared);
    // A whole shop that hasn't it has nothing there.
    expect(told(compareSides({ ...program, isPartial: false }, shop))).toEqual(["x: list[B], note, rest[C]"]);
  });

  test("a kind that one shop can't list is not compared on either side", () => {
    const ours = side([object("x", {}), object("y", {}, { kind: "Other" })]);
    const theirs = side([], { unlisted: ["Thing"] });
    for (const [a, b] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const { differences, notCompared } = compareSides(a, b);
      expect(differences.map(({ key }) => key)).toEqual(["y"]);
      expect(notCompared).toEqual([{ kind: "Thing", path: undefined, objects: 0, reason: "unlisted" }]);
    }
  });
});

describe("names of objects", () => {
  const page = resource({
    kind: "Page",
    section: "-",
    one: "page",
    many: "pages",
    operations: {},
    keys: [["code"], ["shelf", "name"], ["items.sku"]],
    names: ["note"],
    fields: {
      code: text(),
      shelf: text(),
      name: text(),
      note: text(),
      rest: text({ mode: "required" }),
    },
  });
  const called = (args: Facts, secret: readonly string[] = [], title?: string) => {
    const hidden = new Map(secret.map((path): [string, Reason] => [path, "secret"]));
    const {
      key,
      looseKey,
      called: by,
    } = comparedObject({ definition: page, args, body: undefined, hidden, title }, new Map());
    return [by, key, looseKey];
  };

  test("an object is named by its first complete natural key", () => {
    expect(called({ code: "C", shelf: "T", name: "N" })).toEqual(["name", "C", "C"]);
    expect(called({ shelf: "T", name: "N", note: "n" })).toEqual(["name", "T N", "T N"]);
    expect(called({ shelf: "T", note: "n" })).toEqual(["name", "n", "n"]);
  });

  test("an object without its own key is named by its first item's key, unless its items are secret", () => {
    expect(called({ items: [{ sku: "S" }, { sku: "T" }] })).toEqual(["name", "S", "S"]);
    for (const secret of ["items", "items.sku"])
      expect(called({ items: [{ sku: "S" }], rest: "r" }, [secret])[0]).toBe("secret");
  });
});
