// Notices from the provider to the command: written, read back, never a reason to fail.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { discreetNotice, type Notice, openNotices, readNotices } from "../../provider/context/notices.ts";
import type { Finding } from "../../provider/theme/finding.ts";

const finding = {
  rule: "missing-snippet",
  severity: "error",
  path: "a",
  line: 1,
  column: 1,
  source: "",
  message: "there is no n",
  fix: "add n",
  lacks: { type: "t", name: "n" },
} as const;

const each: { readonly [Type in Notice["type"]]: Extract<Notice, { type: Type }> } = {
  adopts: { type: "adopts", kind: "Thing", id: "7", of: "dev::a", sends: 1 },
  changes: { type: "changes", kind: "Thing", id: "7", sends: 2, effects: [], done: [] },
  text: { type: "text", kind: "Thing", id: "7", lines: "-one\n+two\n" },
  settings: { type: "settings", kind: "Thing", id: "7", found: true, values: [{ path: "a.b", new: 1 }] },
  doubts: {
    type: "doubts",
    kind: "Thing",
    of: "a",
    doubts: [{ property: "price", given: "-1", reason: "should be at least 0" }],
  },
  unstated: { type: "unstated", kind: "Thing", of: "a", lines: ["price of a"] },
  leaves: { type: "leaves", kind: "Thing", id: "7" },
  looks: { type: "looks", kind: "Thing", id: "7", above: "{}", before: "update" },
  shows: { type: "shows", kind: "Thing", above: "{}", page: 3, ids: ["7"] },
  lists: { type: "lists", kind: "Thing", above: "{}", pages: 2, objects: 1, singles: 1 },
  asks: { type: "asks", shop: "https://a.test", group: "things", requests: 1 },
  lacks: {
    type: "lacks",
    kind: "Thing",
    of: "a",
    finding,
    fails: true,
  },
  finding: { type: "finding", finding },
  sees: { type: "sees", kind: "Thing", id: "7", ends: true, fields: [] },
  conflict: {
    type: "conflict",
    kind: "Thing",
    id: "7",
    name: "a",
    withheld: "update",
    fields: [{ path: "price", was: 1, is: null, asked: 2 }],
    live: { name: "x" },
  },
  "puts-back": {
    type: "puts-back",
    kind: "Thing",
    id: "7",
    name: "a",
    withheld: "update",
    fields: [{ path: "price", was: 1, is: 3, asked: 1 }],
    live: { name: "x" },
  },
  overwrites: {
    type: "overwrites",
    kind: "Thing",
    id: "7",
    name: "a",
    withheld: "update",
    fields: [{ path: "price", was: 1, is: 3, asked: 2 }],
    live: { name: "x" },
  },
};
const all = Object.values(each);

function opened() {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-notices-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const said: string[] = [];
  return { folder, said, say: (line: string) => void said.push(line) };
}

test("notices are read as they were written, and only their owner can read them", () => {
  const { folder, said, say } = opened();
  const path = join(folder, "notices");
  const notify = openNotices(path, say);
  expect(all.map((notice) => notify(notice))).toEqual(all.map(() => true));
  expect(readNotices(readFileSync(path, "utf8"))).toMatchObject(all);
  expect(said).toEqual([]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("notices without a file are dropped", () => {
  const { said, say } = opened();
  expect(openNotices(undefined, say)(each.looks)).toBe(false);
  expect(said).toEqual([]);
  expect(readNotices("")).toEqual([]);
});

test("a notice that can't be written warns once and fails nothing", () => {
  const { folder, said, say } = opened();
  const notify = openNotices(folder, say);
  const line = expect.stringMatching(/^the plan's notices can't be written: EISDIR/);
  for (const notice of [each.looks, each.asks]) {
    expect(notify(notice)).toBe(false);
    expect(said).toEqual([line]);
  }
});

test.each([
  ['{"type":"looks","ki', /^the plan's notices can't be read: .*JSON/],
  ["null", /^the plan's notices can't be read: /],
  ['{"type":"sings"}', /^the plan's notices can't be read: \{"type":"sings"\} is not a notice$/],
  ['{"type":"constructor"}', /^the plan's notices can't be read: \{"type":"constructor"\} is not a notice$/],
  ["{}", /^the plan's notices can't be read: \{\} is not a notice$/],
  ["17", /^the plan's notices can't be read: 17 is not a notice$/],
])("%s among them is an error", (line, message) => {
  expect(() => readNotices(`${JSON.stringify(each.asks)}\n${line}\n`)).toThrow(message);
});

test.each([each.finding, each.lacks])(
  "a notice of type $type contains no secret in its finding",
  (notice) => {
    const [path, source, message, fix] = ["path", "source", "message", "fix"].map((one) => `${one} zq`);
    const secret = { ...finding, path, source, message, fix, lacks: { type: "t", name: "zq" } } as Finding;
    const told = discreetNotice({ ...notice, finding: secret }, (text) => text.replace("zq", "[secret]"));
    expect(JSON.stringify(told)).not.toContain("zq");
    expect(told).toMatchObject({ finding: { rule: "missing-snippet", line: 1, lacks: { type: "t" } } });
  },
);
