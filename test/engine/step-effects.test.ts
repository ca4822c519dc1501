// The effect of each step on its object.
import { expect, test } from "vitest";
import type { Op } from "../../engine/values/events.ts";
import { asks, ends, makes, wholeOf, writes } from "../../engine/values/events.ts";

test.each<[op: Op, does: readonly string[], whole?: Op]>([
  ["same", []],
  ["create", ["makes", "writes", "asks"]],
  ["update", ["writes", "asks"]],
  ["delete", ["ends", "writes"]],
  ["replace", ["makes", "ends", "writes", "asks"]],
  ["create-replacement", ["makes", "writes", "asks"], "replace"],
  ["delete-replaced", ["ends", "writes"], "replace"],
  ["read", []],
  ["refresh", []],
  ["adopt", ["makes", "writes", "asks"]],
  ["rename", ["writes", "asks"]],
  ["import", []],
])("%s: %j", (op, does, whole = op) => {
  const all = Object.entries({ makes, ends, writes, asks });
  expect(all.filter(([, isSo]) => isSo(op)).map(([name]) => name)).toEqual(does);
  expect(wholeOf(op)).toBe(whole);
});
