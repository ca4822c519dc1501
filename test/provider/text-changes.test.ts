// Changes of texts for people: by staff, and by an update.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileFact, sha256 } from "../../provider/body/body.ts";
import { jsonValues, type Leaves, printValueHashes } from "../../provider/body/json.ts";
import { hunks } from "../../provider/change/value-text.ts";
import type { Shop } from "../../provider/context/context.ts";
import { get, text } from "../../provider/definition/define.ts";
import { reportTextDrift, textChange } from "../../provider/lifecycle/text-changes.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answered, scene } from "./answers.ts";
import { kindOf, shownBody } from "./kind.ts";

const page = kindOf(
  "Page",
  {
    name: text(),
    content: text({ mode: "body" }),
    file: text({ mode: "program" }),
    src: text({ mode: "body", writeOnly: true }),
    at: text({ mode: "computed" }),
  },
  { operations: { get: get("/pages/{id}.json") }, body: shownBody },
);

const written = "one\ntwo\nthree\n";
const theirs = "one\nTWO\nthree\n";
const next = "one\n2\nthree\n";

async function folder(content: string | Buffer = written) {
  const path = mkdtempSync(join(tmpdir(), "pulumi-shop-text-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  writeFileSync(join(path, "home.html"), content);
  return { path, file: await fileFact("home.html", path) };
}

describe("what staff did to a text that came of a file", () => {
  const change = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three";
  const whole = `Page 7: the text was changed in the shop:\n${change}`;

  async function drift(olds: Values, seen: Values, project: Partial<Shop>) {
    const { shop, said, notices } = scene(() => undefined, project);
    const hash = sha256(String(seen.content ?? "").replaceAll("\r\n", "\n"));
    await reportTextDrift({ definition: page, shop, id: "7", olds, seen }, hash);
    return { said: said.join("\n"), notices };
  }

  test.each<readonly [string, more: Values, seen: Values, drift: string]>([
    ["is told", {}, { content: theirs }, whole],

    ["isn't told of what is secret", { __secret: "file" }, { content: theirs }, ""],

    ["can't be told of what came of no file", { file: undefined }, { content: theirs }, ""],
  ])("%s", async (_what, more, seen, told) => {
    const { path, file } = await folder();
    const olds = { file, sha256: file.sha256, ...more };
    expect((await drift(olds, seen, { folder: path })).said).toBe(told);
  });

  test("staff's changes are shown against the current file, if it can be read", async () => {
    const { path, file } = await folder();
    const olds = { file, sha256: file.sha256 };
    const said = async (more: Values = {}, from = path, allowOutside = false) =>
      (await drift({ ...olds, ...more }, { content: theirs }, { folder: from, allowOutside })).said;
    expect(await said()).toBe(whole);
    const { path: elsewhere } = await folder();
    expect(await said({ file: { ...file, path: join(path, "home.html") } }, elsewhere)).toBe("");
    expect(await said({ file: { ...file, path: join(path, "home.html") } }, elsewhere, true)).toBe(whole);
    writeFileSync(join(path, "home.html"), next);
    expect(await said()).toBe(
      "Page 7: the text was changed in the shop, and home.html since the last run too; the shop (-) against the file (+):\n@@ -1,3 +1,3 @@\n one\n-TWO\n+2\n three",
    );
    rmSync(join(path, "home.html"));
    expect(await said()).toBe("");
  });

  test("staff's changes of JSON are shown value by value", async () => {
    const { path, file } = await folder('{\n  "a": { "b": 1 },\n  "c": true\n}\n');
    const olds = {
      file,
      sha256: file.sha256,
      __leaves: printValueHashes(jsonValues('{"a":{"b":1},"c":true}') as Leaves),
    };
    const seen = { content: '{"a":{"b":2},"c":true,"d":"new"}' };
    const told = { type: "settings", kind: "Page", id: "7", found: true };
    expect((await drift(olds, seen, { folder: path })).notices).toEqual([
      {
        ...told,
        values: [
          { path: "a.b", old: 1, new: 2 },
          { path: "d", new: "new" },
        ],
      },
    ]);
    writeFileSync(join(path, "home.html"), "{}");
    expect((await drift(olds, seen, { folder: path })).notices).toEqual([
      {
        ...told,
        values: [
          { path: "a.b", new: 2 },
          { path: "d", new: "new" },
        ],
      },
    ]);
  });
});

describe("what an update will do to a text", () => {
  const change = async (
    olds: Values,
    args: Values,
    { definition = page, shown = { content: theirs } as Answered, from = "/nowhere" } = {},
  ) => {
    const { shop, log } = scene(() => (shown instanceof Error ? shown : { id: 7, ...shown }), {
      folder: from,
    });
    return { lines: await textChange({ definition, shop, id: "7", olds, args }), log: log() };
  };
  const asked = ["GET /pages/7"];
  const byStaff = "@@ -1,3 +1,3 @@\n one\n-TWO\n+2\n three";

  test.each<
    readonly [
      string,
      more: Values,
      args: Values,
      shown: Answered,
      lines: string | undefined,
      log: readonly string[],
    ]
  >([
    ["is told where staff changed it since", {}, { content: next }, { content: theirs }, byStaff, asked],

    [
      "isn't told of what is secret",
      {},
      { content: next, __secret: "content" },
      { content: theirs },
      undefined,
      [],
    ],

    ["can't be told where the shop shows none", {}, { content: next }, { at: "/x" }, undefined, asked],
  ])("%s", async (_what, more, args, shown, lines, requests) => {
    const olds = { sha256: sha256(written), ...more };
    expect(await change(olds, args, { shown })).toEqual({ lines, log: requests });
  });

  test("a changed file is always shown as a text", async () => {
    const { path, file } = await folder(next);
    for (const [known, expected] of [
      [theirs, byStaff],
      [written, "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"],
    ] as const) {
      const olds = { sha256: sha256(written) };
      expect(await change(olds, { file }, { from: path, shown: { content: known } })).toEqual({
        lines: expected,
        log: asked,
      });
    }
  });

  test("a changed binary file isn't shown as a text", async () => {
    const { path, file } = await folder(Buffer.from([0, 255]));
    expect((await change({ sha256: "x" }, { file }, { from: path })).lines).toBeUndefined();
  });
});

test("two long texts without common lines are shown one after the other", () => {
  const text = (word: string) => Array.from({ length: 3_000 }, (_none, line) => `${word} ${line}\n`).join("");
  const shown = hunks(text("old"), text("new"));
  expect([shown[0], shown[1], shown[3_001], shown.length]).toEqual([
    "@@ -1,3000 +1,3000 @@",
    "-old 0",
    "+new 0",
    6_001,
  ]);
});
