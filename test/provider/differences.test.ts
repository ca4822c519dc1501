// What differs between what a program asks and what the state knows, and which item of a list means which.
import { describe, expect, test } from "vitest";
import { pathText } from "../../engine/pulumi/path.ts";
import { sha256 } from "../../provider/body/body.ts";
import { boolean, decimal, integer, items, text } from "../../provider/definition/define.ts";
import { pairItems, servedName } from "../../provider/values/compare.ts";
import { diff, differences } from "../../provider/values/diff.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { kindOf, shownBody } from "./kind.ts";

const listed = items(
  { id: integer({ mode: "computed" }), code: text(), price: integer() },
  { element: "part", key: "code" },
);
const thing = kindOf(
  "Thing",
  {
    title: text({ updateVia: "rename" } as never),
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

describe("items of a list", () => {
  test("an item with a new key or none is the only similar item of the state, and only its other values differ", () => {
    const told = {
      ...parts,
      identifiers: ["size", "mark"],
      fields: { ...parts.fields, size: text(), mark: text() },
    };
    const known = [
      { code: "a", id: 1, size: "S", mark: "1" },
      { code: "b", id: 2, size: "M" },
      { code: "c", id: 3, mark: "3" },
    ];
    const meant = (...asked: readonly Values[]) =>
      pairItems(told, asked, known).pairs.map(([, old]) => old?.id);
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
  ])("the state %j and the arguments %j have the differences %j", (state, args, paths) => {
    expect(of(state, args)).toEqual(paths);
  });

  test("differences are an update if all can change in place, else a replacement caused by those that can't", () => {
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
        src: text({ mode: "body", writeOnly: true, replaces: true }),
        at: text({ mode: "computed" }),
      },
      { operations: thing.operations, body: { ...shownBody, ...body }, ...more },
    );

  test("another file name is no difference if the shop already serves the file under that name", () => {
    const page = filed({ name: "filename" });
    const served = { sha256: "x", at: "https://a.test/files/cup.png?v=1" };
    expect(of(served, { filename: "cup.png" }, page)).toEqual([]);
    expect(of(served, { filename: "mug.png" }, page)).toEqual(["filename"]);
    expect(of({ ...served, filename: "old.png" }, { filename: "cup.png" }, page)).toEqual(["filename"]);
    expect(servedName(page, {})).toBeUndefined();
    expect(servedName(thing, served)).toBeUndefined();
  });

  test("a replacement that keeps its natural key deletes first, and one with a new key creates first", () => {
    const page = filed({}, { keys: [["theme", "name"]], unique: true });
    const known = { name: "a", theme: 1, sha256: sha256("a"), isText: false };
    const replaced = (args: Values) => diff(page, known, { name: "a", theme: 1, content: "a", ...args });
    expect(replaced({ content: "b" })).toMatchObject({ type: "replace", deleteFirst: true });
    expect(replaced({ content: "b", theme: 2 })).toMatchObject({ type: "replace", deleteFirst: false });
  });
});
