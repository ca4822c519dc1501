// What an object is recognised by when nobody knows its id: its natural key, what is required of it, and all that was stated.

import { describe, expect, test } from "vitest";
import { boolean, decimal, integer, items, text } from "../../provider/definition/define.ts";
import {
  fileNameOf,
  fingerprint,
  hasSameContent,
  hasSameKey,
  matchesFingerprint,
} from "../../provider/lifecycle/interrupted-creates.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf, shownBody } from "./kind.ts";

const part = items(
  {
    code: text(),
    price: decimal(),
    left: integer({ serverManaged: true }),
    sizes: items({ title: text(), value: text() }, { element: "size" }),
  },
  { element: "part", key: "code" },
);
const ware = kindOf(
  "Ware",
  {
    slug: text(),
    name: text(),
    room: integer(),
    price: decimal({ mode: "required" }),
    label: text({ mode: "required" }),
    sealed: text({ mode: "required", writeOnly: true }),
    note: text(),
    isOpen: boolean(),
    given: text({ writeOnly: true }),
    stamp: text({ mode: "computed" }),
    parts: part,
  },
  { keys: [["slug"], ["name", "room"], ["parts.code"]] },
);
const page = kindOf(
  "Page",
  { name: text({ mode: "required" }), content: text({ mode: "body" }), at: text({ mode: "computed" }) },
  { body: shownBody },
);
const upload = kindOf(
  "Upload",
  { content: text({ mode: "program" }), at: text({ mode: "computed" }) },
  { body: { bytes: "attachment", name: "filename", address: "at" } },
);
const print = (args: Values, definition = ware, folder = "/nowhere") => fingerprint(definition, args, folder);

describe("recognition by the natural key", () => {
  test.each<readonly [Values, seen: Values, by: readonly string[], isIt: boolean]>([
    // A key that is stated by half is none: any object may be it.
    [{ name: "n" }, { name: "m" }, [], true],
    [{ name: "n", room: "" }, { name: "m" }, [], true],
    [{}, { slug: "a" }, [], true],
  ])("the natural key of %j and the shop's %j: matching %j is %s", (args, seen, by, isIt) => {
    const printed = print(args);
    expect([printed.by, printed.key === undefined, hasSameKey(seen, printed)]).toEqual([
      by,
      by.length === 0,
      isIt,
    ]);
  });
});

describe("recognition by the content", () => {
  test("an empty value is the same as none when an object is recognised", () => {
    expect(hasSameContent(ware, { price: 1 }, print({ price: 1, label: "" }))).toBe(true);
  });
});

describe("recognition by a file's name", () => {
  const fact = (path: string) => ({ path, size: 1, sha256: "x" });

  test("the file's name recognises no object of a kind whose files have another natural key", () => {
    const args = { name: "a", file: fact("img/a.png") };
    expect(hasSameContent(page, { name: "a", at: "/b.png" }, print(args, page))).toBe(true);
    expect([fileNameOf(page, { at: "/b.png" }), fileNameOf(upload, { at: "/b.png" })]).toEqual([
      undefined,
      "b.png",
    ]);
  });
});

describe("recognition by all arguments", () => {
  const args = {
    price: 1,
    label: "l",
    sealed: "s",
    note: "one\ntwo",
    isOpen: false,
    given: "g",
    parts: [
      { code: "P", price: 1, left: 5, sizes: [{ title: "t", value: "v" }] },
      { code: "Q", price: 2, left: 5 },
    ],
  };
  const [first, second] = args.parts as unknown as readonly [Values, Values];
  const seen = { ...args, id: 7, stamp: "now", sealed: undefined, given: undefined };

  test.each<readonly [string, Values, boolean]>([
    ["with another text", { note: "one" }, false],

    ["with an item that is another", { parts: [{ ...first, price: 9 }, second] }, false],
    ["with an item of another name", { parts: [{ ...first, code: "R" }, second] }, false],

    [
      "with an item's list in another spelling",
      { parts: [{ ...first, sizes: [{ value: "v", title: "t" }] }, second] },
      true,
    ],
  ])("recognition by all arguments: %s", (_what, more, isIt) => {
    expect(matchesFingerprint(ware, { ...seen, ...more }, print(args))).toBe(isIt);
  });

  test("a text is part of the comparison, and a value that the shop calls empty is none", () => {
    const printed = print({ name: "a", content: "one" }, page);
    expect(matchesFingerprint(page, { name: "a", content: "one" }, printed)).toBe(true);
    expect(matchesFingerprint(page, { name: "a", content: "two" }, printed)).toBe(false);
    expect(matchesFingerprint(page, { name: "a" }, printed)).toBe(true);
    expect(matchesFingerprint(ware, { ...seen, note: null }, print({ ...args, note: "" }))).toBe(true);
  });

  test("a note of an older version without the arguments recognises nothing", () => {
    const { stated: _stated, whole: _whole, ...old } = print(args);
    expect(matchesFingerprint(ware, seen, old)).toBe(false);
  });
});
