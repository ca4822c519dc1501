// The impact of a plan: figures from the roles of fields, in a few lines for any plan.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../engine/index.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { impactLines } from "../../runs/report/impact-lines.ts";
import { campaignTest } from "../support/campaign.ts";
import { stepOf } from "./steps.ts";
import { root } from "./terminal.ts";

const today = "2026-11-21";
const linesOf = (...steps: readonly Step[]) =>
  impactLines(impactOf(steps, today)).map(
    ({ label, text, isLoud }) => `${isLoud ? "! " : ""}${label}: ${text}`,
  );

const priced = (name: string, from: number, to: number, more: Step["olds"] = {}) =>
  stepOf("update", "Product", name, {
    olds: { title: `The ${name}`, variants: [{ id: 1, sku: "S", price: from }], ...more },
    inputs: { title: `The ${name}`, variants: { S: { sku: "S", price: to } } },
  });
const coupon = (
  op: Step["op"],
  name: string,
  olds: Step["olds"] | undefined,
  inputs: Step["inputs"] | undefined,
) =>
  stepOf(op, "Coupon", name, {
    ...(olds && { olds: { code: name.toUpperCase(), typeId: 1, ...olds } }),
    ...(inputs && { inputs: { code: name.toUpperCase(), typeId: 1, ...inputs } }),
  });
const asset = (op: Step["op"], name: string, more: Partial<Step>) =>
  stepOf(op, "Asset", name, {
    ...more,
    olds: { name: `${name}.liquid`, sha256: "before", ...more.olds },
    inputs: { name: `${name}.liquid`, ...more.inputs },
  });

describe("prices", () => {
  test("up and down, each with median and largest by name", () => {
    expect(
      linesOf(
        priced("mug", 100, 110),
        priced("jug", 200, 260),
        priced("cup", 10, 11.5),
        priced("dish", 50, 40),
      ),
    ).toEqual([
      "Prices up: 3, median +15 %, largest +30 % (The jug, S: 200 → 260)",
      "Prices down: The dish, S: 50 → 40, -20 %",
    ]);
  });

  test("another currency is a line of its own, because no number changes", () => {
    const sold = (currencyCode: string) => ({ title: "The mug", currencyCode });
    expect(linesOf(stepOf("update", "Product", "mug", { olds: sold("RUR"), inputs: sold("USD") }))).toEqual([
      "! Currency: 1 (The mug RUR → USD)",
    ]);
  });

  campaignTest("thirteen thousand of them are one line", () => {
    const steps = Array.from({ length: 13_000 }, (_none, index) => priced(`p${index}`, 100, 110));
    expect(linesOf(...steps, priced("far", 1, 3))).toEqual([
      "Prices up: 13,001, median +10 %, largest +200 % (The far, S: 1 → 3)",
    ]);
  });

  test("from nothing, to nothing, and of less than a tenth of a percent", () => {
    expect(linesOf(priced("gift", 0, 10), priced("rest", 10_000, 10_001, { currencyCode: "EUR" }))).toEqual([
      "Prices up: 2, median less than +0.1 %, largest from 0 (The gift, S: 0 → 10)",
    ]);
    const cleared = impactOf([priced("mug", 10, "" as never)], today);
    expect(cleared.prices.down).toMatchObject({ count: 1, median: -100, largest: { to: 0 } });
  });

  test("of what is new, and of items that come beside others", () => {
    const more = stepOf("update", "Product", "mug", {
      olds: { title: "Mug", variants: [{ id: 1, sku: "S", price: 10 }] },
      inputs: { title: "Mug", variants: { S: { sku: "S", price: 10 }, L: { sku: "L", price: 12 } } },
    });
    const made = stepOf("create", "Product", "new", { inputs: { title: "New", variants: [{ price: 3 }] } });
    expect(linesOf(more, made)).toEqual(["New prices: 2 (Mug, New)"]);
  });

  test("below their cost, whichever of the two moved", () => {
    const step = (inputs: Step["inputs"]) =>
      stepOf("update", "Product", "mug", {
        olds: { title: "Mug", variants: [{ id: 1, sku: "S", price: 100, costPrice: 80 }] },
        inputs: { title: "Mug", variants: { S: { sku: "S", ...inputs } } },
      });
    expect(linesOf(step({ price: 79 }))).toEqual([
      "! Below cost: Mug, S: 79, cost 80",
      "Prices down: Mug, S: 100 → 79, -21 %",
    ]);
    expect(linesOf(step({ costPrice: 120 }))).toEqual(["! Below cost: Mug, S: 100, cost 120"]);
    expect(linesOf(step({ price: 90 }))).toEqual(["Prices down: Mug, S: 100 → 90, -10 %"]);
  });

  test("that are secret, or not known yet, are in no figure", () => {
    const step = (price: string) =>
      stepOf("update", "Product", "mug", {
        olds: { title: "[secret]", variants: [{ id: 1, sku: "S", price: 10 }] },
        inputs: { title: "[secret]", variants: { S: { sku: "S", price } } },
      });
    expect(linesOf(step("[secret]"), step("04da6b54-80e4-46f7-96ec-b56ff0331ba9"))).toEqual([]);
  });
});

describe("discounts", () => {
  test("new and changed, the deepest, and those that are active at the same time", () => {
    expect(
      linesOf(
        coupon("create", "spring", undefined, { discount: 10, expiredAt: "2027-05-31" }),
        coupon("update", "vip", { discount: 10 }, { discount: 30 }),
        coupon("same", "old", { discount: 5, expiredAt: "2027-01-31" }, undefined),
        coupon("same", "gone", { discount: 90, expiredAt: "2026-01-31" }, undefined),
        coupon("same", "off", { discount: 80, disabled: true }, undefined),
      ),
    ).toEqual([
      "Discounts: 1 new, 1 changed; deepest 30 % (VIP)",
      "Overlap: 3 active at the same time until 2027-01-31: VIP 30 %, SPRING 10 %, OLD 5 %",
    ]);
  });

  test("of money stand beside the deepest in per cent, which they can't be compared with", () => {
    expect(
      linesOf(
        coupon("create", "gift", undefined, { discount: 5, typeId: 2 }),
        coupon("create", "black", undefined, { discount: 40, expiredAt: "2026-01-31" }),
        coupon("create", "vip", undefined, { discount: 30, expiredAt: "2026-01-31" }),
      ),
    ).toEqual(["Discounts: 3 new; deepest 5 off (GIFT) and 40 % (BLACK)"]);
  });

  test("of money are as deep as the smallest order makes them", () => {
    const step = (inputs: Step["inputs"]) =>
      impactOf([coupon("create", "gift", undefined, { discount: 500, typeId: 2, ...inputs })], today)
        .discounts.deepest;
    expect(step({ minPrice: 2_000 })).toMatchObject({ amount: 500, isPercent: false, depth: 25 });
    expect(step({})).toMatchObject({ depth: 100 });
  });

  test("that nobody can use overlap with nothing; opening one says so", () => {
    const other = coupon("same", "old", { discount: 5 }, undefined);
    expect(linesOf(coupon("create", "late", undefined, { discount: 9, disabled: true }), other)).toEqual([
      "Discounts: 1 new",
    ]);
    expect(
      linesOf(coupon("update", "late", { discount: 9, disabled: true }, { discount: 9, disabled: false })),
    ).toEqual(["Discounts: 1 changed; deepest 9 % (LATE)", "Shown: 1 coupon (LATE) to shoppers"]);
  });
});

test("charges are told with their money", () => {
  expect(
    linesOf(
      stepOf("update", "RecurringCharge", "plan", { olds: { monthly: 500 }, inputs: { monthly: "650" } }),
      stepOf("create", "ApplicationCharge", "setup", { inputs: { name: "Set-up", price: 99.5 } }),
    ),
  ).toEqual(["! Charges: plan: 500 → 650 each month", "! Charges: Set-up: 99.50 once, new"]);
  const ended = stepOf("delete", "RecurringCharge", "plan", { olds: { monthly: 500 } });
  expect(linesOf(ended)).toEqual([
    "! Deleted: 1 monthly charge (plan)",
    "! Charges: plan: 500 each month, ended",
  ]);
});

test("templates are counted, and one that is emptied is told first and loudly", () => {
  const file = (sha256: string, more: object = {}) => ({ path: "a.liquid", size: 10, sha256, ...more });
  const steps = [
    asset("update", "changed", { inputs: { file: file("after") } }),
    asset("update", "renamed", { inputs: { file: file("before") } }),
    asset("update", "blank", { inputs: { file: file("after", { blank: true }) } }),
    asset("update", "empty", { inputs: { content: " \n" } }),
    asset("create", "new", { inputs: { content: "" } }),
  ];
  expect(linesOf(...steps)).toEqual([
    "! Emptied: blank.liquid, empty.liquid: no content is left",
    "Theme files: 1 changed (changed.liquid), 1 new (new.liquid)",
  ]);
});

test("what is lost is told with its name; what stays in the shop isn't lost", () => {
  const gone = (name: string, more: Partial<Step> = {}) =>
    stepOf("delete", "Product", name, { olds: { title: `The ${name}` }, ...more });
  const script = stepOf("replace", "JsTag", "counter", {
    olds: { name: "counter", content: "1" },
    inputs: { name: "counter", content: "2" },
    replaces: ["content"],
  });
  const many = Array.from({ length: 7 }, (_none, index) => gone(`p${index}`));
  expect(linesOf(script, gone("kept", { stays: true }), ...many)).toEqual([
    "! Deleted: 7 products (The p0, The p1, The p2, The p3, The p4 and 2 more)",
    "! Replaced: 1 script (counter): deleted and created again, with a new id",
  ]);
});

test("a name of several lines, or of thousands of letters, stays on one line", () => {
  const called = (title: string) => stepOf("delete", "Product", "mug", { olds: { title } });
  expect(linesOf(called("A mug\r\n\tfor tea"))).toEqual(["! Deleted: 1 product (A mug for tea)"]);
  expect(linesOf(called("x".repeat(70_000)))).toEqual([`! Deleted: 1 product (${"x".repeat(199)}…)`]);
});

test("what is taken over means what changes of it", () => {
  const taken = (price: number) =>
    stepOf("adopt", "Product", "mug", {
      olds: { title: "Mug", isHidden: false, variants: [{ id: 1, sku: "S", price: 10 }] },
      inputs: { title: "Mug", variants: { S: { sku: "S", price } } },
    });
  expect(linesOf(taken(10))).toEqual([]);
  expect(linesOf(taken(20))).toEqual(["Prices up: Mug, S: 10 → 20, +100 %"]);
});

test("the page for the person who decides explains every row of the impact, with its mark", () => {
  const rows = (text: string, row: RegExp) =>
    [...text.matchAll(row)].flatMap(([, mark = "", names = ""]) =>
      names.split(", ").map((name) => `${mark === "" ? "" : "! "}${name}`),
    );
  const page = readFileSync(join(root, "docs/how-to/read-a-plan.md"), "utf8");
  const source = readFileSync(join(root, "runs/report/impact-lines.ts"), "utf8");
  const labels = [...source.matchAll(/\blines\(\s*[`"]([^`"]+)[`"],\s*(true|false)/g)].map(
    ([, label = "", isLoud]) => `${isLoud === "true" ? "! " : ""}${label.replace(/\$\{.*\}/, "Variants")}`,
  );
  expect(labels.length).toBeGreaterThan(15);
  expect(rows(page, /^\| (⚠️ )?([A-Z][^|]*) \|/gm).toSorted()).toEqual([...new Set(labels)].toSorted());
});
