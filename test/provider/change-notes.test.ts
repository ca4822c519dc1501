// What a refresh read, as the next run finds it: by a file of lines that may be cut off, or written by somebody else.
import { expect, test } from "vitest";
import { hashOf, type Mark, openChangeNotes } from "../../provider/run/change-notes.ts";

const mark: Mark = { shop: "https://shop.test 1", since: 1_000, aheadMs: -5, wholeAt: 900 };
const later: Mark = { ...mark, since: 2_000 };

/** Notes over a text in memory, and what each line that was written says. */
function opened(text: string | undefined, fails: { now?: string } = {}) {
  const file = { text };
  const said: string[] = [];
  const refuse = () => {
    if (fails.now !== undefined) throw new Error(fails.now);
  };
  const notes = openChangeNotes(
    () => ({
      read: () => file.text,
      async append(lines) {
        refuse();
        file.text = (file.text ?? "") + lines;
      },
      async replace(whole) {
        refuse();
        file.text = whole();
      },
    }),
    (line) => said.push(line),
  );
  return {
    notes,
    said,
    file,
    lines: () =>
      (file.text ?? "")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
}

const lines = (...all: readonly unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join("");

test("without a file nothing is noted", () => {
  const { notes } = opened(undefined);
  expect([notes.of("products"), notes.distrust("products")]).toEqual([undefined, undefined]);
});

test("a list that was read whole starts over; others, and why one isn't trusted, stay", async () => {
  const { notes, lines: written } = opened(undefined);
  await notes.whole("products", mark);
  await notes.object("products", "1", "aaa");
  await notes.whole("pages", mark);
  await notes.object("pages", "7", "ppp");
  await notes.untrusted("pages", "Page 7 changed");
  await notes.untrusted("menus", "Menu 1 changed");
  await notes.whole("products", later);
  expect(notes.of("products")).toEqual({ mark: later, hashes: new Map() });
  expect(notes.of("pages")).toEqual({ mark, hashes: new Map([["7", "ppp"]]) });
  expect(written()).toEqual([
    { list: "products", mark: later, forget: "all" },
    { list: "pages", mark, forget: "all" },
    { list: "pages", id: "7", hash: "ppp" },
    { list: "pages", distrust: "Page 7 changed" },
    { list: "menus", distrust: "Menu 1 changed" },
  ]);
});

test("what the next run reads is what this one had noted, line by line", async () => {
  const first = opened(undefined);
  await first.notes.whole("products", mark);
  for (const [id, hash] of [
    ["1", "aaa"],
    ["2", "bbb"],
    ["3", "ccc"],
    ["1", "ddd"],
  ] as const)
    await first.notes.object("products", id, hash);
  await first.notes.moved("products", later, ["2", "9"]);
  await first.notes.untrusted("products", "Product 3 changed");
  const next = opened(first.file.text).notes;
  for (const notes of [first.notes, next]) {
    expect(notes.of("products")).toEqual({
      mark: later,
      hashes: new Map([
        ["1", "ddd"],
        ["3", "ccc"],
      ]),
    });
    expect(notes.distrust("products")).toBe("Product 3 changed");
  }
});

test("what is noted already isn't written again", async () => {
  const text = lines({ list: "products", mark, forget: "all" }, { list: "products", id: "1", hash: "aaa" });
  const { notes, file } = opened(text);
  await notes.object("products", "1", "aaa");
  expect(file.text).toBe(text);
  await notes.object("products", "1", "bbb");
  await notes.object("products", "2", "aaa");
  expect(file.text).toBe(
    text + lines({ list: "products", id: "1", hash: "bbb" }, { list: "products", id: "2", hash: "aaa" }),
  );
});

test("what was handed out isn't changed by what is noted later", async () => {
  const { notes } = opened(
    lines({ list: "products", mark, forget: "all" }, { list: "products", id: "1", hash: "aaa" }),
  );
  const before = notes.of("products");
  await notes.object("products", "1", "bbb");
  await notes.moved("products", later, []);
  expect(before).toEqual({ mark, hashes: new Map([["1", "aaa"]]) });
});

test.each<readonly [string, unknown]>([
  ["no list", { mark, forget: "all" }],
  ["a list that is no text", { list: 1, mark, forget: "all" }],
  ["no address of the shop", { list: "products", mark: { ...mark, shop: undefined }, forget: "all" }],
  [
    "no time up to which it was read",
    { list: "products", mark: { ...mark, since: undefined }, forget: "all" },
  ],
  ["a time that is a text", { list: "products", mark: { ...mark, since: "1000" }, forget: "all" }],
  ["no difference of clocks", { list: "products", mark: { ...mark, aheadMs: null }, forget: "all" }],
  ["no time when all was read", { list: "products", mark: { ...mark, wholeAt: undefined }, forget: "all" }],
  ["nothing that is forgotten", { list: "products", mark }],
  ["one that is forgotten", { list: "products", mark, forget: "1" }],
  ["no mark", { list: "products", forget: "all" }],
  ["a mark that is nothing", { list: "products", mark: null, forget: "all" }],
  ["a hash without an object", { list: "products", hash: "zzz" }],
  ["an object without a hash", { list: "products", id: "1" }],
  ["an object whose hash is a number", { list: "products", id: "1", hash: 1 }],
  ["an object whose id is a number", { list: "products", id: 1, hash: "zzz" }],
  ["a reason that is no text", { list: "products", distrust: 1 }],
  ["a line that was cut off", "{"],
])("%s: the line counts for nothing, those around it do", (_what, line) => {
  const before = lines(
    { list: "products", mark: later, forget: "all" },
    { list: "products", id: "1", hash: "aaa" },
  );
  const cut = line === "{" ? '{"list":"products","distrust":"x\n' : lines(line);
  const { notes } = opened(`${before}\n${cut}${lines({ list: "products", id: "2", hash: "bbb" })}`);
  expect(notes.of("products")).toEqual({
    mark: later,
    hashes: new Map([
      ["1", "aaa"],
      ["2", "bbb"],
    ]),
  });
  expect(notes.distrust("products")).toBeUndefined();
});

test("what can't be noted is said once, and nothing more is written: notes with a gap would be believed", async () => {
  const fails: { now?: string } = {};
  const { notes, said, file } = opened(lines({ list: "products", mark, forget: "all" }), fails);
  const text = file.text;
  fails.now = "ENOSPC: no space left on device, write";
  await notes.object("products", "0", "aaa");
  const line = `what was read can't be noted, the next refresh reads everything: ${fails.now}`;
  expect(said).toEqual([line]);
  await Promise.all([notes.object("products", "1", "aaa"), notes.object("products", "2", "bbb")]);
  await notes.whole("products", later);
  delete fails.now;
  await notes.object("products", "3", "ccc");
  await notes.whole("products", later);
  expect(said).toEqual([line]);
  expect(file.text).toBe(text);
});

test("two that can't be noted at the same time are said once", async () => {
  const { notes, said } = opened(undefined, { now: "EIO" });
  await Promise.all([notes.object("products", "1", "aaa"), notes.whole("products", mark)]);
  expect(said).toHaveLength(1);
});

test("equal values have one hash, in whatever order their names stand; others have another", () => {
  const one = hashOf({ a: 1, b: { d: [1, { f: 2, e: null }], c: "x" } });
  // Notes that an earlier version wrote are believed.
  expect(one).toBe("4oKdE0cJ77TxR8FBKKPmJqnSSGG");
  expect(hashOf({ b: { c: "x", d: [1, { e: null, f: 2 }], gone: undefined }, a: 1 })).toBe(one);
  for (const other of [
    { a: 1, b: { d: [{ f: 2, e: null }, 1], c: "x" } },
    { a: 1, b: { d: [1, { f: 2 }], c: "x" } },
    { a: 1, b: { d: [1, { f: "2", e: null }], c: "x" } },
    { a: 1, b: { d: { 0: 1, 1: { f: 2, e: null } }, c: "x" } },
  ])
    expect(hashOf(other), JSON.stringify(other)).not.toBe(one);
});
