// What differs between what a program asks and what the state knows, and which item of a list means which.
import { describe, expect, test } from "vitest";
import { sha256 } from "../../provider/body/body.ts";
import { boolean, decimal, integer, items, text } from "../../provider/definition/define.ts";
import { differences, itemName, pair, servedName } from "../../provider/values/diff.ts";
import { diff } from "../../provider/values/verdict.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { pathText } from "../../pulumi/path.ts";
import { kindOf, shownBody } from "./kind.ts";

const listed = items(
  { id: integer({ mode: "computed" }), code: text(), price: integer() },
  { element: "part", key: "code" },
);
const thing = kindOf(
  "Thing",
  {
    title: text({ by: "rename" } as never),
    note: text(),
    kind: integer({ replaces: true }),
    price: decimal(),
    open: boolean(),
    stamp: text({ mode: "computed" }),
    parts: listed,
  },
  {
    operations: {
      get: { method: "GET", path: "/{id}.xml" },
      edit: { method: "PUT", path: "/{id}.xml" },
      rename: { method: "PUT", path: "/{id}/rename.xml" },
    } as never,
  },
);
const parts = listed.items as NonNullable<typeof listed.items>;
const codes = (list: readonly Values[]) => list.map(({ code }) => code);

/** Every list of so many of these at most, each used once at most. */
const lists = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  most === 0
    ? [[]]
    : [
        [],
        ...all.flatMap((one) =>
          lists(
            all.filter((other) => other !== one),
            most - 1,
          ).map((rest) => [one, ...rest]),
        ),
      ];

describe("items of a list", () => {
  test("mean each a known one of their key, in whatever order; none means two, and what nobody means is gone", () => {
    const names = ["a", "b", "c", "d"];
    for (const known of lists(names, 3))
      for (const asked of lists(names, 3)) {
        const [olds, news] = [known.map((code) => ({ code })), asked.map((code) => ({ code }))];
        const { pairs, gone } = pair(parts, news, olds);
        const name = `${asked} of ${known}`;
        expect(
          pairs.map(([entry]) => entry),
          name,
        ).toEqual(news);
        const meant = pairs.flatMap(([, old]) => (old === undefined ? [] : [old]));
        expect(new Set(meant).size, name).toBe(meant.length);
        expect(codes([...meant, ...gone]).toSorted(), name).toEqual(known.toSorted());
        for (const [index, [entry, old]] of pairs.entries()) {
          // By its key where there is such a one; else a change of key in its own place, if the lists are equally long.
          const inPlace =
            known.length === asked.length && !asked.includes(known[index] ?? "") ? known[index] : undefined;
          expect(old?.code, `${name}: ${entry.code}`).toBe(
            known.includes(String(entry.code)) ? entry.code : inPlace,
          );
        }
      }
  });

  test("without a key mean the next one that nobody asks for by key", () => {
    const known = [
      { code: "a", id: 1 },
      { code: "b", id: 2 },
      { code: "c", id: 3 },
    ];
    const meant = (asked: readonly Values[]) => pair(parts, asked, known).pairs.map(([, old]) => old?.id);
    expect(meant([{ price: 1 }, { price: 2 }])).toEqual([1, 2]);
    expect(meant([{ price: 1 }, { code: "a" }])).toEqual([2, 1]);
    expect(meant([{ code: "" }, { code: "c" }, {}, {}])).toEqual([1, 3, 2, undefined]);
  });

  test("mean the one that is alike where their key is new or none, if there is one such alone; what differs is another", () => {
    const told = {
      ...parts,
      tells: ["size", "mark"],
      fields: { ...parts.fields, size: text(), mark: text() },
    };
    const known = [
      { code: "a", id: 1, size: "S", mark: "1" },
      { code: "b", id: 2, size: "M" },
      { code: "c", id: 3, mark: "3" },
    ];
    const meant = (...asked: readonly Values[]) => pair(told, asked, known).pairs.map(([, old]) => old?.id);
    expect(meant({ code: "x", size: "M" })).toEqual([2]);
    expect(meant({ mark: "3" }, { size: "S" })).toEqual([3, 1]);
    expect(meant({ code: "x", mark: "3", size: "L" }, { code: "a" })).toEqual([3, 1]);
    // One of the two says that it is another.
    expect(meant({ code: "x", size: "L", mark: "1" })).toEqual([undefined]);
    // Nobody can tell which of two it is.
    expect(meant({ code: "x", size: "M" }, { code: "y", size: "M" })).toEqual([undefined, undefined]);
    expect(meant({ code: "x", size: unknownValue }, { id: 2 })).toEqual([undefined, 2]);
    // By key first: what is alike to a known one that another means is new.
    expect(meant({ code: "a" }, { code: "x", size: "S" })).toEqual([1, undefined]);
  });

  test("with a number of the shop's mean that one alone", () => {
    const known = [
      { code: "a", id: 1 },
      { code: "b", id: 2 },
    ];
    const meant = (asked: readonly Values[], moment?: "written") =>
      pair(parts, asked, known, moment).pairs.map(([, old]) => old?.id);
    expect(meant([{ id: 2, code: "a" }, { code: "x" }])).toEqual([2, undefined]);
    expect(meant([{ id: 9, code: "a" }])).toEqual([undefined]);
    // What was added with the others has a number once it was written.
    expect(meant([{ id: 2 }, {}], "written")).toEqual([2, 1]);
  });

  test.each<readonly [Values, string]>([[{ code: "", id: 7 }, "#7"]])(
    "are called by their key, the shop's number or their place: %j is %s",
    (item, name) => {
      expect(itemName(parts, item, 3)).toBe(name);
    },
  );
});

describe("differences", () => {
  const of = (state: Values, args: Values, kind = thing) => differences(kind, state, args).map(pathText);

  test.each<readonly [Values, Values, readonly string[]]>([
    [{}, { note: "" }, []],

    [{ price: 1 }, { price: "" }, ["price"]],
    [{}, { price: "" }, []],

    [{}, { open: false }, ["open"]],

    [{ parts: [{ code: "a", price: 1 }] }, { parts: [{ code: "a", price: 2 }] }, ["parts[a].price"]],
    [{ parts: [{ code: "a", price: 1 }] }, { parts: [{ code: "a" }] }, []],

    [{ parts: [] }, { parts: [{ code: "a" }] }, ["parts[a]"]],
    [{ parts: [{ code: "a", id: 1 }] }, { parts: [{ code: "b" }] }, ["parts[b].code"]],
  ])("between %j and %j: %j", (state, args, paths) => {
    expect(of(state, args)).toEqual(paths);
  });

  test("are an update where all can be changed in place, else a replacement because of those that can't", () => {
    expect(diff(thing, { note: "a" }, { note: "a" })).toEqual({ type: "none" });
    expect(diff(thing, { note: "a", title: "x" }, { note: "b", title: "y" })).toEqual({
      type: "update",
      paths: [["title"], ["note"]],
    });
    expect(diff(thing, { note: "a", kind: 1 }, { note: "b", kind: 2 })).toMatchObject({
      type: "replace",
      replaces: [["kind"]],
    });
    const fixed = { ...thing, operations: {} };
    expect(diff(fixed, { note: "a" }, { note: "b" })).toMatchObject({
      type: "replace",
      replaces: [["note"]],
    });
  });

  const filed = (body: object, more: object = {}) =>
    kindOf(
      "Page",
      {
        name: text(),
        theme: integer({ replaces: true }),
        filename: text({ mode: "program" } as never),
        content: text({ mode: "body" }),
        src: text({ mode: "body", unread: true, replaces: true }),
        at: text({ mode: "computed" }),
      },
      { operations: thing.operations, body: { ...shownBody, ...body }, ...more },
    );

  test("of a text are an update, of what isn't text on both sides a replacement", () => {
    const page = filed({});
    const known = { sha256: sha256("a"), isText: true };
    expect(diff(page, known, { content: "a" })).toEqual({ type: "none" });
    expect(diff(page, known, { content: "b" })).toEqual({ type: "update", paths: [["content"]] });
    expect(diff(page, { ...known, isText: false }, { content: "b" })).toMatchObject({ type: "replace" });
    expect(diff(page, known, { src: "https://a.test/b" })).toMatchObject({
      type: "replace",
      replaces: [["src"]],
    });
  });

  test("of a file's name are none where the shop serves it under that name already", () => {
    const page = filed({ name: "filename" });
    const served = { sha256: "x", at: "https://a.test/files/cup.png?v=1" };
    expect(of(served, { filename: "cup.png" }, page)).toEqual([]);
    expect(of(served, { filename: "mug.png" }, page)).toEqual(["filename"]);
    expect(of({ ...served, filename: "old.png" }, { filename: "cup.png" }, page)).toEqual(["filename"]);
    expect(servedName(page, {})).toBeUndefined();
    expect(servedName(thing, served)).toBeUndefined();
  });

  test("that replace what keeps its natural key delete it first; what gets another is made beside it", () => {
    const page = filed({}, { keys: [["theme", "name"]], unique: true });
    const known = { name: "a", theme: 1, sha256: sha256("a"), isText: false };
    const replaced = (args: Values) => diff(page, known, { name: "a", theme: 1, content: "a", ...args });
    expect(replaced({ content: "b" })).toMatchObject({ type: "replace", deleteFirst: true });
    expect(replaced({ content: "b", theme: 2 })).toMatchObject({ type: "replace", deleteFirst: false });
  });
});
