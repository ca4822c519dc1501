// The file with the approved plan: read as the command wrote it, or nothing is approved.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Approved, printApproved, readApproved } from "../../provider/context/plan.ts";

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-approved-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "approved.json"), text);
  return join(folder, "approved.json");
}

test("an approved plan is read as it was written", () => {
  const approved: Approved = {
    objects: {
      "Thing:7": [{ ends: false, fields: [{ path: "a", is: 1, asked: null, isDone: true }] }, { ends: true }],
    },
    creates: ["Thing spring"],
  };
  expect(readApproved(file(printApproved(approved)))).toEqual(approved);
});

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["no object", "null"],
  ["no objects", '{"creates":[]}'],
  ["objects that are none", '{"objects":null,"creates":[]}'],
  ["no creates", '{"objects":{}}'],
  ["creates that are no list", '{"objects":{},"creates":{}}'],
])("an approved plan that is %s approves nothing", (_what, text) => {
  const path = file(text);
  expect(() => readApproved(path)).toThrow(`the approved plan ${path} can't be read: `);
});

test("an approved plan that is missing approves nothing", () => {
  expect(() => readApproved("/nowhere/approved.json")).toThrow(/can't be read: ENOENT/);
});
