// Bodies in arguments, in the state, and in requests.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bodyForRequest, checkBody } from "../../provider/body/arguments.ts";
import { bodyOf, fileFact, sha256 } from "../../provider/body/body.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { kindOf, shownBody } from "./kind.ts";

const { text: _text, ...bytesAlone } = shownBody;
const none = kindOf("Plain", {});
const shown = kindOf("Text", {}, { body: shownBody });
const named = kindOf("Named", {}, { body: { ...shownBody, name: "called" } });
const bytes = kindOf("Bytes", {}, { body: bytesAlone });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bodies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);

describe("bytes", () => {
  test.each<[what: string, bytes: readonly number[], text: string | undefined]>([
    ["nothing", [], ""],
    ["a text", [0x61, 0x0a], "a\n"],
    ["a text with other line ends", [0x61, 0x0d, 0x0a, 0x62, 0x0d, 0x0a], "a\nb\n"],
    ["a carriage return alone", [0x61, 0x0d, 0x62], "a\rb"],
    ["a text of any script", [...Buffer.from("три 特\u{1F3FA}")], "три 特\u{1F3FA}"],
    ["a mark of its encoding, which stays", [0xef, 0xbb, 0xbf, 0x61], "\uFEFFa"],
    ["bytes that are no text", [0xff, 0xfe, 0x61], undefined],
    ["a text that is cut off", [0xd1], undefined],
    ["a text that XML can't carry", [0x61, 0x00], undefined],
  ])("%s", (_what, given, text) => {
    const body = bodyOf(Buffer.from(given));
    expect(body.text).toBe(text);
    expect([...body.bytes]).toEqual(text === undefined ? given : [...Buffer.from(text)]);
  });
});

describe("of a file is kept", () => {
  const kept = (content: string | Buffer) => {
    write("a.txt", content);
    return fileFact("a.txt", folder);
  };

  test("the state has a file's path, size and hash, equal on every machine", async () => {
    const fact = { path: "a.txt", size: 4, sha256: sha256("a\nb\n") };
    expect(await kept("a\nb\n")).toEqual(fact);
    expect(await kept("a\r\nb\r\n")).toEqual(fact);
    expect(await fileFact(join(folder, "a.txt"), folder)).toEqual(fact);
  });

  test("the state records whether a file is binary or blank", async () => {
    expect(await kept(Buffer.from([0xff]))).toMatchObject({ binary: true });
    expect(await kept(" \n\t")).toMatchObject({ blank: true });
    expect(await kept("")).toMatchObject({ blank: true, size: 0 });
    expect(Object.keys(await kept("a"))).toEqual(["path", "size", "sha256"]);
    expect(Object.keys(await kept(Buffer.from([0xff])))).not.toContain("blank");
  });
});

describe("a request has of a body", () => {
  const one = { path: "a.txt", size: 3, sha256: sha256("one") };
  const inBase64 = (content: string | Buffer) => Buffer.from(content).toString("base64");

  test.each<[what: string, args: Values, sent: readonly Values[]]>([
    ["nothing where none is stated", {}, [{}, {}, {}, {}]],
    ["nothing where the shop fetches it", { src: "https://elsewhere.test/a" }, [{}, {}, {}, {}]],
    [
      "nothing where the shop fetches it, whatever else there is",
      { src: "x", content: "y" },
      [{}, {}, {}, {}],
    ],
    [
      "a text, as text where the kind can",
      { content: "one\r\n" },
      [{}, { content: "one\n" }, { content: "one\n", called: undefined }, { attachment: inBase64("one\n") }],
    ],
    [
      "an empty one too",
      { content: "" },
      [{}, { content: "" }, { content: "", called: undefined }, { attachment: "" }],
    ],
    [
      "a text that XML can't carry, as bytes",
      { content: "a\u0000" },
      [
        {},
        { attachment: inBase64("a\u0000") },
        { attachment: inBase64("a\u0000"), called: undefined },
        { attachment: inBase64("a\u0000") },
      ],
    ],
    [
      "a file, under its own name",
      { file: one },
      [{}, { content: "one" }, { content: "one", called: "a.txt" }, { attachment: inBase64("one") }],
    ],
    [
      "a file, under the name that is stated",
      { file: one, filename: "b.txt" },
      [{}, { content: "one" }, { content: "one", called: "b.txt" }, { attachment: inBase64("one") }],
    ],
  ])("%s", async (_what, args, sent) => {
    write("a.txt", "one");
    const found = await Promise.all(
      [none, shown, named, bytes].map((kind) => bodyForRequest(kind, args, folder)),
    );
    expect(found).toEqual(sent);
  });

  test("a file is sent under the last part of its path", async () => {
    const inner = mkdtempSync(join(folder, "x-"));
    writeFileSync(join(inner, "a.txt"), "one");
    const fact = await fileFact(join(inner, "a.txt"), folder);
    expect(await bodyForRequest(named, { file: fact }, folder)).toEqual({ content: "one", called: "a.txt" });
  });

  test("a file that changed after the check isn't sent", async () => {
    write("a.txt", "two");
    await expect(bodyForRequest(shown, { file: one }, folder)).rejects.toThrow(
      "a.txt changed during the run; run again to preview its new content",
    );
  });
});

describe("a program states a body in one way", () => {
  const checked = async (inputs: Record<string, unknown>, kind = shown) => {
    const wrong = await checkBody(kind, inputs, { folder });
    return wrong.map(({ property, reason }) => `${property}: ${reason}`);
  };

  test.each<[inputs: Record<string, unknown>, wrong: readonly string[]]>([
    [{}, ["content: one of content, file and src is required"]],
    [{ content: "" }, []],
    [{ src: "https://x.example/a" }, []],
    [{ content: "a", src: "x" }, ["src: only one of content and src may be set"]],
    [{ file: unknownValue, src: "x" }, ["src: only one of file and src may be set"]],
  ])("%j: %j", async (inputs, wrong) => {
    expect(await checked(inputs)).toEqual(wrong);
  });

  test("check replaces a path by the file's facts, and keeps an unknown value", async () => {
    write("a.txt", "one");
    const inputs = { file: "a.txt" };
    expect(await checked(inputs)).toEqual([]);
    expect(inputs.file).toEqual(await fileFact("a.txt", folder));
    const later = { file: unknownValue };
    expect(await checked(later)).toEqual([]);
    expect(later.file).toBe(unknownValue);
    // Facts from the state aren't checked again.
    expect(await checked({ file: await fileFact("a.txt", folder) })).toEqual([]);
  });

  test("check reports a file that can't be read", async () => {
    expect(await checked({ file: "gone.txt" })).toEqual([
      "file: can't read gone.txt: there is no such file; write a path relative to the program's folder",
    ]);
  });

  test("content requires filename for kinds that send a name", async () => {
    const required = ["filename: is required with content"];
    expect(await checked({ content: "a" }, named)).toEqual(required);
    expect(await checked({ content: "a", filename: "n" }, named)).toEqual([]);
    expect(await checked({ src: "https://x.example/a" }, named)).toEqual([]);
    expect(await checked({ content: "a" }, shown)).toEqual([]);
    expect(await checked({ content: "a" }, none)).toEqual([]);
  });
});
