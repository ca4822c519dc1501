// Text from the shop can't control a terminal or a CI runner, in any output.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReport } from "../../cli/deploy/session.ts";
import { openDisplay } from "../../cli/terminal/display.ts";
import { jsonDisplay } from "../../cli/terminal/json-display.ts";
import { openTerminal } from "../../cli/terminal/terminal.ts";
import type { Event, Step } from "../../engine/index.ts";
import { nothing } from "./steps.ts";

const hostile =
  "\u001b]52;c;cm0gLXJmIH4=\u0007\u009b2J\u202e gone\n::stop-commands::x\n  ::add-mask::y\n##[error]z ##vso[task]";
const step: Step = {
  op: "update",
  urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/shop:Coupon::one",
  type: "pulumi-nodejs:dynamic/shop:Coupon",
  name: hostile,
  parent: undefined,
  custom: true,
  id: "1",
  changes: [{ path: "description", kind: "update", old: hostile, new: `${hostile}\nmore\n` }],
  inputs: { description: hostile },
  olds: {},
  replaces: [],
  found: false,
};
const { urn } = step;
const events: readonly Event[] = [
  { type: "started", step },
  { type: "done", step },
  { type: "done", step: { ...step, op: "create" } },
  { type: "done", step: { ...step, op: "adopt", changes: [{ path: hostile, kind: "update" }] } },
  { type: "failed", step, message: hostile },
  { type: "refused", step, message: hostile },
  { type: "message", severity: "error", text: hostile, urn },
];
const result = {
  outcome: "failed",
  counts: { update: 1 },
  failures: [{ urn, message: hostile }],
  outputs: { address: hostile },
  changed: true,
  places: new Map(),
  formerly: new Map(),
  durationMs: 1,
} as const;
const usage = { requests: 0, writes: 0, rejected: 0, used: 0, limit: 500 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const acts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/;

test.each([false, true])("at a terminal, --diff %s", (diff) => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WritableStream;
  const options = {
    isPreview: false,
    verbose: true,
    diff,
    showOutputs: true,
    usage: () => usage,
    finding: false,
  };
  const display = openDisplay(openTerminal(stream, {}), options);
  for (const event of events) display.watch(event);
  display.summary(result, usage, nothing);
  const text = written.join("");
  expect(text).toContain("stop-commands");
  expect(text).not.toMatch(acts);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/##(vso)?\[/);
});

test("as JSON, which means the same all the same", () => {
  const lines: string[] = [];
  const display = jsonDisplay((line) => lines.push(line), "up");
  for (const event of events) display.watch(event);
  display.summary(result, usage, nothing);
  expect(lines.join("\n")).not.toMatch(acts);
  expect(lines.join("\n")).not.toMatch(/##(vso)?\[/);
  expect(lines.slice(0, -1).map((line) => JSON.parse(line) as Event)).toEqual(
    // Lines don't repeat the old values, which the state has.
    events.map((event) =>
      JSON.parse(
        JSON.stringify({
          run: "up",
          ...event,
          ...("step" in event && { step: { ...event.step, olds: undefined } }),
        }),
      ),
    ),
  );
});

test("as a comment", () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-printed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const report = openReport(join(folder, "plan.md"));
  const refused = [{ step, text: hostile, permit: hostile }];
  report({ title: "Preview", result, ...nothing, refused, finding: false, events });
  const text = readFileSync(join(folder, "plan.md"), "utf8");
  expect(text).toContain("stop-commands");
  expect(text).not.toMatch(acts);
});
