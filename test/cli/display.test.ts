// The terminal output while ten thousand resources change: live lines, any width, with and without colours.
import { describe, expect, test } from "vitest";
import { openDisplay } from "../../cli/terminal/display.ts";
import { openTerminal } from "../../cli/terminal/terminal.ts";
import type { Event, Result, Step } from "../../engine/index.ts";
import { nothing, resultOf, stepOf } from "./steps.ts";

/** A terminal that records its output. */
function screen(columns: number, isTTY = true) {
  const writes: string[] = [];
  const stream = { isTTY, columns, rows: 24, write: (text: string) => writes.push(text) > 0 };
  return { writes, stream: stream as unknown as NodeJS.WritableStream };
}

const step = (index: number): Step => ({
  op: "create",
  urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/shop:Thing::thing-${index}`,
  type: "pulumi-nodejs:dynamic/shop:Thing",
  name: `thing-${index}-with-quite-a-long-name-${"x".repeat(40)}`,
  parent: undefined,
  custom: true,
  id: undefined,
  changes: [],
  inputs: {},
  olds: {},
  replaces: [],
  found: false,
});
const usage = () => ({ requests: 7, writes: 0, rejected: 0, used: 7, limit: 500 });
const options = { isPreview: false, verbose: false, diff: false, showOutputs: true, usage, finding: false };
const result = {
  outcome: "succeeded",
  counts: { create: 10_000 },
  failures: [],
  outputs: {},
  changed: true,
  places: new Map(),
  formerly: new Map(),
  durationMs: 1,
} as const;

function play(columns: number, env: Readonly<Record<string, string>>, isTTY = true): readonly string[] {
  const { writes, stream } = screen(columns, isTTY);
  const display = openDisplay(openTerminal(stream, env), options);
  for (let index = 0; index < 10_000; index += 1) {
    display.watch({ type: "started", step: step(index) });
    display.watch({ type: "done", step: step(index) });
  }
  display.summary(result, usage(), nothing);
  return writes;
}

test.each([
  [1, "0.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [125_400, "2 min 5 s"],
])("a run of %d ms took %s", (durationMs, text) => {
  const { writes, stream } = screen(200, false);
  openDisplay(openTerminal(stream, {}), options).summary({ ...result, durationMs }, usage(), nothing);
  expect(writes.join("")).toContain(`Duration: ${text}\n`);
});

describe("a replacement", () => {
  const shown = (events: readonly Event[], ended: Result) => {
    const { writes, stream } = screen(200, false);
    const display = openDisplay(openTerminal(stream, {}), options);
    for (const event of events) display.watch(event);
    display.summary(ended, usage(), nothing);
    return writes.join("").split("\n");
  };
  const whole = stepOf("replace", "Thing", "banner", { replaces: ["content"] });
  const part = { ...stepOf("create-replacement", "Thing", "banner"), partOf: "replace" as const };
  const old = { ...stepOf("delete-replaced", "Thing", "banner"), partOf: "replace" as const };

  test("that fails is told once, not once more for its part", () => {
    const failure = { urn: whole.urn, message: "no room" };
    const lines = shown(
      [
        { type: "started", step: whole },
        { type: "started", step: part },
        { type: "failed", step: part, message: "no room" },
        { type: "failed", step: whole, message: "no room" },
      ],
      resultOf([], [failure]),
    );
    expect(lines.filter((line) => /^ x /.test(line))).toEqual([
      expect.stringMatching(/^ x Thing +banner +failed$/),
    ]);
  });

  test("whose old object can't be deleted is done, and that is told as failed", () => {
    const lines = shown(
      [
        { type: "started", step: whole },
        { type: "done", step: whole },
        { type: "started", step: old },
        { type: "failed", step: old, message: "in use" },
      ],
      resultOf([whole], [{ urn: whole.urn, message: "in use" }]),
    );
    expect(lines.filter((line) => /banner|in use/.test(line))).toEqual([
      expect.stringMatching(/^\+- Thing +banner +replaced/),
      expect.stringMatching(/^ x Thing +banner +failed$/),
      '  Thing "banner"',
      "    in use",
    ]);
  });

  test("that an earlier run left half done is counted by what is left of it", () => {
    const left = stepOf("delete-replaced", "Thing", "banner");
    const lines = shown(
      [
        { type: "started", step: left },
        { type: "done", step: left },
      ],
      resultOf([left]),
    );
    expect(lines).toContain("  -- 1 deleted replaced");
  });
});

describe("ten thousand resources", () => {
  test("on a terminal are each a line, and drawn in a few strokes", () => {
    const writes = play(80, { NO_COLOR: "1" });
    const text = writes.join("");
    expect(text.match(/created$/gm)).toHaveLength(10_001);
    expect(text.indexOf("thing-9999")).toBeLessThan(text.indexOf("Resources:"));
    expect(writes.length).toBeLessThan(100);
    expect(text).toContain("10000 created");
  });

  test("where nothing can be drawn again are plain lines, without a code of any terminal", () => {
    const text = play(80, {}, false).join("");
    expect(text).not.toContain("\u001b");
    expect(text.match(/created$/gm)).toHaveLength(10_001);
  });

  test("live lines keep within the width, colours are for terminals that want them", () => {
    const { writes, stream } = screen(40);
    const terminal = openTerminal(stream, { NO_COLOR: "1" });
    terminal.live(["x".repeat(200), "short"]);
    expect(writes.join("").split("\n")).toEqual([`${"x".repeat(38)}…`, "short", ""]);
    expect(openTerminal(stream, {}).paint("red", "x")).toBe("\u001b[31mx\u001b[0m");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      expect(openTerminal(stream, env).paint("red", "x")).toBe("x");
    expect(openTerminal(screen(40, false).stream, {}).paint("red", "x")).toBe("x");
  });
});
