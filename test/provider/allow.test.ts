import { expect, test } from "vitest";
import { permits, permitsItem, wholeOf } from "../../provider/context/limits.ts";

test.each([
  ["mug", "mug", true],
  ["mug", "mugs", false],
  ["mug-*", "mug-red", true],
  ["m*g", "mag.", false],
  ["*", "anything", true],
  ["Coupon", "Coupon:8841", true],
  ["Coupon", "Coupon", true],
  ["Coupon:88*", "Coupon:8841", true],
  ["coupon", "coupon:8841", false],
  ["a.c", "abc", false],
  ["sale[A-*]", "sale", false],
])("--allow %s permits %s: %s", (allowed, name, isMeant) => {
  expect(permits(new Set([allowed]), [name])).toBe(isMeant);
});

test("--allow with the key of an item permits that item and no other", () => {
  const allowed = new Set(["sale[A-*]", "Prices:spring[C-1]"]);
  expect(permitsItem(allowed, ["Prices:sale", "sale"], "A-7")).toBe(true);
  expect(permitsItem(allowed, ["Prices:sale", "sale"], "B-7")).toBe(false);
  expect(permitsItem(allowed, ["Prices:spring"], "C-1")).toBe(true);
  expect(permitsItem(allowed, ["Prices:other", "other"], "A-7")).toBe(false);
  const everySheet = new Set(["Prices[C-*]"]);
  expect(permitsItem(everySheet, ["Prices:other", "other"], "C-1")).toBe(true);
  expect(permitsItem(everySheet, ["Prices:other", "other"], "A-1")).toBe(false);
  expect(permitsItem(everySheet, ["Product:7", "mug"], "C-1")).toBe(false);
  // The name of a resource may have a colon, too.
  expect(permitsItem(allowed, ["Prices:other", "sale:2027"], "A-7")).toBe(false);
  expect(["sale[A-*]", "sale", "[x]"].map(wholeOf)).toEqual(["sale", "sale", "[x]"]);
});
