// Bodies of files and assets: how a program states one, what a shop shows of it, what the state keeps and what differs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  argumentPath,
  bodyAsArgument,
  bodyDiffers,
  comparableBody,
  fileArgumentValue,
  isBodyPath,
  isFileFact,
  onlyBody,
  sourceArgument,
  sourceIn,
  textOf,
  wantedFileName,
  wantsBlank,
  wantsText,
  withoutBody,
  withText,
} from "../../provider/body/arguments.ts";
import { sha256 } from "../../provider/body/body.ts";
import { bodyInputs, bodyState } from "../../provider/body/state.ts";
import { asset } from "../../provider/resources/asset.ts";
import { file } from "../../provider/resources/file.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { openWorld } from "../support/world.ts";
import { kindOf, shownBody } from "./kind.ts";

const none = kindOf("Plain", {});
const text = kindOf("Text", {}, { body: shownBody, names: ["key"] });
const { text: _shown, ...bytesAlone } = shownBody;
const bytes = kindOf("Bytes", {}, { body: bytesAlone, names: ["key"] });

const fact = (content: string, more: object = {}) => ({
  path: "a/b.txt",
  size: Buffer.byteLength(content),
  sha256: sha256(content),
  ...more,
});

/** The ways in which arguments state a body, and nothing. */
const ways = {
  nothing: {},
  content: { content: "one" },
  blank: { content: " \n" },
  empty: { content: "" },
  file: { file: fact("one") },
  "empty file": { file: fact("") },
  "blank file": { file: fact(" ", { blank: true }) },
  "binary file": { file: fact("\u0000", { binary: true }) },
  src: { src: "https://elsewhere.test/a%20b.png?v=1" },
  "unknown content": { content: unknownValue },
  "unknown src": { src: unknownValue },
  "unknown file": { file: unknownValue },
} satisfies Record<string, Values>;

type Way = keyof typeof ways;
const each = (answer: (args: Values) => unknown) =>
  Object.fromEntries(Object.entries(ways).map(([way, args]) => [way, answer({ other: 1, ...args })]));

/** What each way answers: everything else the same. */
const answers = (otherwise: unknown, said: Partial<Record<Way, unknown>>) =>
  Object.fromEntries(Object.keys(ways).map((way) => [way, way in said ? said[way as Way] : otherwise]));

describe("the arguments of a body", () => {
  test("the arguments say whether a body is text, and whether its changes can be shown", () => {
    expect(each(wantsText)).toEqual(
      answers(true, { nothing: false, "binary file": false, src: false, "unknown src": false }),
    );
    expect(each(wantsBlank)).toEqual(
      answers(false, { blank: true, empty: true, "empty file": true, "blank file": true }),
    );
  });

  test("the name of a body is the argument, else the last part of its path or address", () => {
    const named = {
      file: "b.txt",
      "empty file": "b.txt",
      "blank file": "b.txt",
      "binary file": "b.txt",
      src: "a b.png",
      "unknown src": unknownValue,
    };
    expect(each(wantedFileName)).toEqual(answers(undefined, named));
    expect(each((args) => wantedFileName({ ...args, filename: "own" }))).toEqual(answers("own", {}));
  });

  test("arguments are read without the body, as the body alone, and with another body", () => {
    expect(each(withoutBody)).toEqual(answers({ other: 1 }, {}));
    expect(each((args) => onlyBody(none, args))).toEqual(answers({}, {}));
    expect(each((args) => JSON.stringify(onlyBody(text, args)))).toEqual(
      each(({ other: _, ...body }) => JSON.stringify(body)),
    );
    expect(each((args) => withText(args, "two"))).toEqual(answers({ other: 1, content: "two" }, {}));
    expect([sourceArgument("x"), fileArgumentValue("y")]).toEqual([{ src: "x" }, { file: "y" }]);
    expect(sourceIn(ways.src)).toBe(ways.src.src);
  });
});

describe("changes of a body", () => {
  const differs = (state: Values) => each((args) => bodyDiffers(text, state, args));

  test("a body differs from the state if its hash does", () => {
    expect(differs({ sha256: sha256("one") })).toEqual(
      answers(true, { nothing: false, content: false, file: false }),
    );
    expect(differs({ sha256: sha256("") })).toEqual(
      answers(true, { nothing: false, empty: false, "empty file": false }),
    );
  });
});

describe("the text of a body", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bodies-"));
    mkdirSync(join(folder, "a"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });
  const write = (content: string) => writeFileSync(join(folder, "a/b.txt"), content);

  test("the text of a body is the argument, or the content of the file", () => {
    write("one");
    expect(each((args) => textOf(args, folder))).toEqual(
      answers(undefined, {
        content: "one",
        blank: " \n",
        empty: "",
        file: "one",
        "unknown content": unknownValue,
      }),
    );
  });

  test("the text of a file is the same with the line ends of another system", () => {
    write("one\r\ntwo");
    expect(textOf({ file: fact("one\ntwo") }, folder)).toBe("one\ntwo");
  });

  test("a file that is missing, or that changed since the check, has no text", () => {
    expect(textOf(ways.file, folder)).toBeUndefined();
    write("two");
    expect(textOf(ways.file, folder)).toBeUndefined();
  });

  test("a binary file has no text", () => {
    write("\u0000");
    expect(textOf(ways["binary file"], folder)).toBeUndefined();
  });
});

describe("the body that a shop has", () => {
  test("the shop's body is an argument if it is text, else the address that serves it", () => {
    const url = "https://shop.test/admin/";
    expect(bodyAsArgument(none, url, { content: "one", at: "/x" })).toEqual({});
    expect(bodyAsArgument(text, url, { content: "one\r\n", at: "/x" })).toEqual({ content: "one\n" });
    expect(bodyAsArgument(text, url, { at: "/x" })).toEqual({ src: "https://shop.test/x" });
    expect(bodyAsArgument(text, url, { at: "//cdn.test/x" })).toEqual({ src: "https://cdn.test/x" });
    expect(bodyAsArgument(text, url, {})).toEqual({});
    expect(bodyAsArgument(bytes, url, { content: "one", at: "/x" })).toEqual({ src: "https://shop.test/x" });
  });

  test("the shop's body is compared as text or by the hash of its bytes, and isn't compared if neither is known", () => {
    expect(comparableBody("one")).toEqual([["content", "one"]]);
    expect(comparableBody("")).toEqual([["content", ""]]);
    expect(comparableBody(Buffer.from("one"))).toEqual([["sha256", sha256("one")]]);
    expect(comparableBody(undefined)).toEqual([]);
  });
});

describe("paths of differences", () => {
  test("a difference of a body has the path of its text, and other paths are unchanged", () => {
    const paths = [
      "file",
      "file.path",
      "src",
      "sha256",
      "sha256.x",
      "content",
      "filename",
      "my-file",
      "srcset",
      "a.src",
    ];
    expect(paths.map(argumentPath)).toEqual([
      "content",
      "content",
      "content",
      "content",
      "content",
      "content",
      "filename",
      "my-file",
      "srcset",
      "a.src",
    ]);
    expect(paths.filter(isBodyPath)).toEqual(["file", "file.path", "src", "content"]);
  });
});

test("the state of a file has its path, size and hash", () => {
  const whole = fact("one");
  expect(isFileFact(whole)).toBe(true);
  for (const missing of ["path", "size", "sha256"])
    expect(isFileFact({ ...whole, [missing]: undefined })).toBe(true);
  for (const missing of ["path", "size", "sha256"])
    expect(isFileFact(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing)))).toBe(
      false,
    );
  for (const other of [null, undefined, "a.txt", 1, []]) expect(isFileFact(other)).toBe(false);
});

describe("the state of a body", () => {
  const one = sha256("one");

  test.each<[what: string, args: Values, seen: Values, before: Values, kept: Values]>([
    ["of a file", ways.file, {}, {}, { sha256: one, isText: true }],

    ["and what it was before", ways.src, {}, { sha256: one, isText: true }, { sha256: one, isText: true }],
  ])("the state of a body: %s", (_what, args, seen, before, kept) => {
    const { __lines: _lines, ...rest } = bodyState(text, args, seen, before);
    expect(rest).toEqual(kept);
  });

  test("the state of a text has a hash of each line", () => {
    const kept = (args: Values, seen: Values, before: Values) => bodyState(text, args, seen, before).__lines;
    const lines = kept({ content: "a\nb\n" }, {}, {});
    expect(lines).toMatch(/^.{18}$/);
    expect(kept({}, { content: "a\r\nb\r\n" }, {})).toBe(lines);
    expect(kept({}, {}, { __lines: lines })).toBe(lines);
    // Those of another text would be a wrong base.
    const long = { content: "x\n".repeat(5_000) };
    expect(kept(long, {}, { __lines: lines, sha256: sha256("a\nb\n") })).toBeUndefined();
    expect(kept({ content: "x\n".repeat(5_000) }, {}, {})).toBeUndefined();
    expect(bodyState(bytes, { content: "a" }, {}, {}).__lines).toBeUndefined();
  });

  test("the state of JSON settings has a hash of each value", () => {
    const settings = { content: '{"a":1}' };
    const { __leaves: leaves, ...rest } = bodyState(text, { ...settings, key: "a.json" }, {}, {});
    expect(leaves).toMatch(/^.{11}$/);
    expect(rest).toEqual({ sha256: sha256('{"a":1}'), isText: true });
    const kept = (args: Values, seen: Values, before: Values) => bodyState(text, args, seen, before).__leaves;
    expect(kept(settings, { key: "A.JSON" }, {})).toBe(leaves);
    expect(kept({ key: "a.json" }, settings, {})).toBe(leaves);
    expect(kept({ ...settings, key: "a.json" }, { content: '{"a":2}' }, {})).not.toBe(leaves);
    expect(kept(settings, { key: "a.json.txt" }, {})).toBeUndefined();
    expect(kept(settings, {}, {})).toBeUndefined();
    // What the shop shows as no settings keeps those that were known.
    expect(kept({ key: "a.json" }, {}, { __leaves: leaves })).toBe(leaves);
    expect(kept({ key: "a.json" }, { content: "no settings" }, { __leaves: leaves })).toBe(leaves);
    expect(bodyState(bytes, { ...settings, key: "a.json" }, {}, {}).__leaves).toBeUndefined();
    const nameless = kindOf("Nameless", {}, { body: shownBody });
    expect(bodyState(nameless, { ...settings, key: "a.json" }, {}, {}).__leaves).toBeUndefined();
  });
});

describe("the arguments that a state was made from", () => {
  test.each<[what: string, state: Values, seen: Values, stated: readonly string[], inputs: Values]>([
    [
      "those that were stated",
      { src: "x", filename: "n" },
      {},
      ["src", "filename"],
      { src: "x", filename: "n" },
    ],
    ["and no others", { src: "x", filename: "n" }, { content: "one" }, [], {}],
    ["a text as the shop shows it", {}, { content: "one\r\n" }, ["content"], { content: "one\n" }],

    [
      "a file of which the shop shows nothing",
      { file: fact("one"), sha256: sha256("x") },
      {},
      [],
      { file: fact("one") },
    ],
    [
      "a file that staff have edited, as it would be then",
      { file: fact("one", { blank: true }), sha256: sha256("три") },
      { content: "три" },
      [],
      { file: { path: "a/b.txt", size: 6, sha256: sha256("три") } },
    ],
  ])("the arguments that made a state: %s", (_what, state, seen, stated, inputs) => {
    expect(bodyInputs(text, state, seen, stated)).toEqual(inputs);
  });
});

test("a body in ignoreChanges stays in the shop when the engine's state has none of it after a refresh", async () => {
  const world = await openWorld();
  const [{ id: themeId } = {}] = world.rows("theme");
  const note = { themeId, type: "Asset::Snippet", name: "note.liquid", content: "one\n" };
  for (const [definition, program] of [
    [file, { content: "one\n", filename: "terms.txt" }],
    [asset, note],
  ] as const) {
    const verbs = world.verbs(definition);
    const { id, outs } = await verbs.create(await verbs.checked(program));
    const { content: _left, ...rest } = program;
    for (const __ignored of ["content", "*"]) {
      const args = await verbs.checked({ ...rest, __ignored }, rest);
      expect(await verbs.diff(id, outs, args)).toMatchObject({ type: "none" });
    }
    await expect(verbs.checked({ ...rest, __ignored: "content" })).rejects.toThrow("is required");
    await expect(verbs.checked(rest, rest)).rejects.toThrow("is required");
  }
});
