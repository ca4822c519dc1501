// What an object is recognised by when nobody knows its id: its natural key, what is required of it, and all that was stated.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileFact, sha256 } from "../../provider/body/body.ts";
import { boolean, decimal, integer, items, text } from "../../provider/definition/define.ts";
import {
  fingerprint,
  hasPrintedContent,
  hasPrintedKey,
  isAsPrinted,
  nameOf,
} from "../../provider/lifecycle/fingerprint.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf, shownBody } from "./kind.ts";

const part = items(
  {
    code: text(),
    price: decimal(),
    left: integer({ moves: true }),
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
    sealed: text({ mode: "required", unread: true }),
    note: text(),
    isOpen: boolean(),
    given: text({ unread: true }),
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

describe("the natural key", () => {
  test.each<readonly [Values, seen: Values, by: readonly string[], isIt: boolean]>([
    [{ slug: "a" }, { slug: "a" }, ["slug"], true],
    [{ slug: "a" }, { slug: "b" }, ["slug"], false],
    [{ slug: "a" }, { slug: "" }, ["slug"], false],
    [{ slug: "a" }, {}, ["slug"], false],
    [{ slug: "a", name: "n", room: 1 }, { slug: "a", name: "m", room: 2 }, ["slug"], true],
    [{ slug: "", name: "n", room: 1 }, { name: "n", room: 1 }, ["name", "room"], true],
    [{ name: "n", room: 1 }, { name: "n", room: 2 }, ["name", "room"], false],
    [{ name: "n", room: 1 }, { name: "m", room: 1 }, ["name", "room"], false],
    [{ name: "n", room: 0 }, { name: "n", room: 0 }, ["name", "room"], true],
    // A key that is stated by half is none: any object may be it.
    [{ name: "n" }, { name: "m" }, [], true],
    [{ name: "n", room: "" }, { name: "m" }, [], true],
    [{}, { slug: "a" }, [], true],
    [{ parts: [{ code: "P" }, { code: "Q" }] }, { parts: [{ code: "P" }] }, ["parts.code"], true],
    [{ parts: [{ code: "P" }] }, { parts: [{ code: "Q" }] }, ["parts.code"], false],
    [{ parts: [] }, { parts: [{ code: "Q" }] }, [], true],
  ])("of %j, in the shop %j: by %j, it is that: %s", (args, seen, by, isIt) => {
    const printed = print(args);
    expect([printed.by, printed.key === undefined, hasPrintedKey(seen, printed)]).toEqual([
      by,
      by.length === 0,
      isIt,
    ]);
  });

  test("a kind without one has none", () => {
    const printed = print({ name: "n" }, page);
    expect([printed.by, printed.key, hasPrintedKey({ name: "m" }, printed)]).toEqual([[], undefined, true]);
  });
});

describe("the content: all that is required and can be read", () => {
  const args = { price: 1, label: "one\ntwo", sealed: "s", note: "n" };

  test.each<readonly [string, Values, boolean]>([
    ["as it was asked for", {}, true],
    ["with another optional value", { note: "other" }, true],
    ["with what no answer carries", { sealed: undefined }, true],
    ["with line ends of Windows", { label: "one\r\ntwo" }, true],
    ["with another text", { label: "one two" }, false],
    ["with another number", { price: 2 }, false],
    ["with a number as text", { price: "1" }, false],
    ["without a required value", { price: undefined }, false],
  ])("%s", (_what, seen, isIt) => {
    expect(hasPrintedContent(ware, { ...args, ...seen }, print(args))).toBe(isIt);
  });

  test("line ends are those of the program's text too", () => {
    expect(hasPrintedContent(ware, args, print({ ...args, label: "one\r\ntwo" }))).toBe(true);
  });

  test("an empty value and none are one to a shop", () => {
    expect(hasPrintedContent(ware, { price: 1 }, print({ price: 1, label: "" }))).toBe(true);
  });

  test("nothing of one kind is of another", () => {
    expect(hasPrintedContent({ ...ware, kind: "Mug" }, args, print(args))).toBe(false);
  });

  test("two values are not one that reads like them", () => {
    const two = (a: string, b: string) => ({ price: a, label: b });
    expect(hasPrintedContent(ware, two("a", "b"), print(two("a,b", "")))).toBe(false);
    expect(hasPrintedContent(ware, two("b", "a"), print(two("a", "b")))).toBe(false);
  });
});

describe("a text", () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), "pulumi-shop-print-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    writeFileSync(join(path, "home.html"), "one\r\ntwo");
    writeFileSync(join(path, "logo.png"), Buffer.from([0, 255]));
    return path;
  };

  test.each<readonly [string, Values, boolean]>([
    ["as it was asked for", { content: "one\ntwo" }, true],
    ["with line ends of Windows", { content: "one\r\ntwo" }, true],
    ["another", { content: "one" }, false],
    ["an empty one", { content: "" }, false],
    ["that no list shows", {}, true],
  ])("%s", async (_what, seen, isIt) => {
    const here = folder();
    const file = await fileFact("home.html", here);
    for (const args of [{ content: "one\ntwo" }, { file }])
      expect(hasPrintedContent(page, { name: "a", ...seen }, print({ name: "a", ...args }, page, here))).toBe(
        isIt,
      );
  });

  test("of a file that isn't text, or isn't any more what was checked, tells nothing", async () => {
    const here = folder();
    const logo = await fileFact("logo.png", here);
    const home = await fileFact("home.html", here);
    writeFileSync(join(here, "home.html"), "three");
    for (const file of [logo, home]) {
      const printed = print({ name: "a", file }, page, here);
      expect([printed.text, printed.body]).toEqual([undefined, file.sha256]);
      expect(hasPrintedContent(page, { name: "a", content: "other" }, printed)).toBe(true);
    }
  });

  test("is kept as a hash of what is stated, or of the address it comes from", () => {
    const hash = sha256("one");
    expect(print({ name: "a", content: "one" }, page)).toMatchObject({ text: hash, body: hash });
    expect(print({ name: "a", src: "one" }, page)).toMatchObject({ text: undefined, body: hash });
    expect(print({ name: "a" }, page)).toMatchObject({ text: undefined, body: undefined });
    expect(print({ price: 1, content: "one" })).toMatchObject({ text: undefined, body: undefined });
    // A kind that shows no text can't be told by one.
    expect(print({ content: "one" }, upload)).toMatchObject({ text: undefined, body: hash });
  });
});

describe("a file's name", () => {
  const fact = (path: string) => ({ path, size: 1, sha256: "x" });

  test.each<readonly [Values, at: string | undefined, isIt: boolean]>([
    [{ filename: "a.png" }, "https://cdn.test/1/a.png", true],
    [{ filename: "a.png" }, "https://cdn.test/1/b.png", false],
    [{ filename: "a b.png" }, "https://cdn.test/1/a%20b.png?v=2", true],
    [{ file: fact("img/a.png") }, "https://cdn.test/a.png", true],
    [{ file: fact("img/a.png") }, "https://cdn.test/b.png", false],
    [{ src: "https://other.test/x/a.png" }, "https://cdn.test/a.png", true],
    [{ src: "https://other.test/x/a.png" }, "https://cdn.test/b.png", false],
    [{ filename: "a.png" }, undefined, false],
    [{}, undefined, true],
  ])("of %j, served at %s: %s", (args, at, isIt) => {
    expect(hasPrintedContent(upload, { at }, print(args, upload))).toBe(isIt);
  });

  test("of a kind whose files are named by something else tells nothing", () => {
    const args = { name: "a", file: fact("img/a.png") };
    expect(hasPrintedContent(page, { name: "a", at: "/b.png" }, print(args, page))).toBe(true);
    expect([nameOf(page, { at: "/b.png" }), nameOf(upload, { at: "/b.png" })]).toEqual([undefined, "b.png"]);
  });
});

describe("as it was made, in all that was stated", () => {
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
    ["it is", {}, true],
    ["with line ends of Windows", { note: "one\r\ntwo" }, true],
    ["with another text", { note: "one" }, false],
    ["without one", { note: undefined }, false],
    ["with another answer", { isOpen: true }, false],
    ["with a required value that is another", { price: 2 }, false],
    ["with what nobody stated", { slug: "a", stamp: "later" }, true],
    ["with what no answer carries", { given: "other" }, true],
    ["with an item that is another", { parts: [{ ...first, price: 9 }, second] }, false],
    ["with an item of another name", { parts: [{ ...first, code: "R" }, second] }, false],
    ["with items in another order", { parts: [second, first] }, false],
    ["with an item more", { parts: [first, second, { code: "R" }] }, false],
    ["with an item less", { parts: [first] }, false],
    ["without items", { parts: undefined }, false],
    [
      "with the shop's numbers of them",
      {
        parts: [
          { ...first, id: 1 },
          { ...second, id: 2 },
        ],
      },
      true,
    ],
    [
      "with items that have sold",
      {
        parts: [
          { ...first, left: 0 },
          { ...second, left: 1 },
        ],
      },
      true,
    ],
    [
      "with an item's list that is another",
      { parts: [{ ...first, sizes: [{ title: "t", value: "w" }] }, second] },
      false,
    ],
    [
      "with an item's list in another spelling",
      { parts: [{ ...first, sizes: [{ value: "v", title: "t" }] }, second] },
      true,
    ],
  ])("%s", (_what, more, isIt) => {
    expect(isAsPrinted(ware, { ...seen, ...more }, print(args))).toBe(isIt);
  });

  test.each<readonly [string, Values, Values, boolean]>([
    ["a value that was taken away", { note: "" }, {}, true],
    ["a value that was taken away, and is there again", { note: "" }, { note: "n" }, false],
    ["a list that was to be empty", { parts: [] }, { parts: [] }, true],
    ["a list that was to be empty, as none", { parts: [] }, {}, true],
    ["a list that was to be empty and got an item since", { parts: [] }, { parts: [{ code: "R" }] }, false],
    [
      "a list of which only what sells was stated, with an item more",
      { parts: [{ left: 1 }] },
      { parts: [{ left: 1 }, {}] },
      false,
    ],
    ["a list of values", { tags: ["a", "b"] }, { tags: ["a", "b"] }, true],
    ["a list of other values", { tags: ["a", "b"] }, { tags: ["a", "c"] }, false],
    ["a list in another order", { tags: ["a", "b"] }, { tags: ["b", "a"] }, false],
  ])("%s", (_what, stated, shown, isIt) => {
    const tagged = {
      ...ware,
      fields: { ...ware.fields, tags: { ...ware.fields.note, type: "items" as const } },
    };
    const base = { price: 1, label: "l" };
    expect(
      isAsPrinted(tagged as never, { ...base, ...shown }, print({ ...base, ...stated }, tagged as never)),
    ).toBe(isIt);
  });

  test("a text counts for it, and what a shop calls nothing is nothing", () => {
    const printed = print({ name: "a", content: "one" }, page);
    expect(isAsPrinted(page, { name: "a", content: "one" }, printed)).toBe(true);
    expect(isAsPrinted(page, { name: "a", content: "two" }, printed)).toBe(false);
    expect(isAsPrinted(page, { name: "a" }, printed)).toBe(true);
    expect(isAsPrinted(ware, { ...seen, note: null }, print({ ...args, note: "" }))).toBe(true);
  });

  test("a note of an older version, which doesn't say it, tells nothing", () => {
    const { stated: _stated, whole: _whole, ...old } = print(args);
    expect(isAsPrinted(ware, seen, old)).toBe(false);
  });
});

test("no argument can be read from it, and what is another is told by another print", () => {
  const secret = { slug: "hush", price: 1, label: "hush", note: "hush", parts: [{ code: "hush" }] };
  expect(JSON.stringify(print(secret))).not.toContain("hush");
  expect(print(secret)).toEqual(print({ ...secret }));
  expect(print(secret).stated).toBe("slug,price,label,note,parts,parts.code");
  expect(print({ ...secret, note: "other" }).whole).not.toBe(print(secret).whole);
});
