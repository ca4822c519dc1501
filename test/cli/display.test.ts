// What a person sees while ten thousand resources change: on a terminal that is drawn again, of any width, with colours or not.
import { describe, expect, test } from "vitest";
import { openDisplay } from "../../cli/report/display.ts";
import { openTerminal } from "../../cli/report/terminal.ts";
import type { Step } from "../../engine/index.ts";
import { nothing } from "./steps.ts";

/** A terminal that keeps what was written to it. */
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
const spent = () => ({ requests: 7, rejected: 0, used: 7, limit: 500 });
const options = { planned: false, verbose: false, diff: false, showOutputs: true, spent, finding: false };
const result = {
  outcome: "succeeded",
  counts: { create: 10_000 },
  failures: [],
  outputs: {},
  changed: true,
  durationMs: 1,
} as const;

function play(columns: number, env: Readonly<Record<string, string>>, isTTY = true): readonly string[] {
  const { writes, stream } = screen(columns, isTTY);
  const display = openDisplay(openTerminal(stream, env), options);
  for (let index = 0; index < 10_000; index += 1) {
    display.watch({ type: "started", step: step(index) });
    display.watch({ type: "done", step: step(index) });
  }
  display.summary(result, spent(), nothing);
  return writes;
}

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
