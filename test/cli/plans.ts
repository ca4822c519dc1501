/** Five plans with the steps that the engine reports. */

import type { Result, Stack, Step } from "../../engine/index.ts";
import { limitRefusals } from "../../runs/plans/limits.ts";
import type { Conflict } from "../../runs/report/conflicts.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { markdownOf } from "../../runs/report/markdown.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";
import type { Refusal } from "../../runs/report/step-words.ts";
import { resultOf, stepOf } from "./steps.ts";

const titles = [
  "Morning mug",
  "Teapot | 1.2 l",
  "Cake <script>alert(1)</script> plate",
  "Чайная пара «Гжель»",
];

const product = (index: number, from: number, to: number): Step =>
  stepOf("update", "Product", `product-${index}`, {
    olds: {
      title: titles[index] ?? `Cup no. ${index}`,
      currencyCode: "EUR",
      variants: [{ id: 1, sku: `P${index}`, price: from }],
    },
    inputs: {
      title: titles[index] ?? `Cup no. ${index}`,
      variants: { [`P${index}`]: { sku: `P${index}`, price: to } },
    },
    changes: [{ path: `variants.P${index}.price`, kind: "update", old: from, new: to }],
  });

/** Ten prices: nine up, one down. */
export const prices: readonly Step[] = Array.from({ length: 10 }, (_none, index) =>
  product(index, 100 + index * 10, index === 4 ? 99 : 110 + index * 12),
);

const file = (path: string, size: number, sha256: string) => ({ path, size, sha256 });

/** A theme: a template with hunks, an inline one with a code fence, a new one. */
export const theme: readonly Step[] = [
  stepOf("update", "Asset", "care", {
    id: "7/1",
    olds: { name: "page.care.liquid", sha256: "a", file: file("care.liquid", 40, "a") },
    inputs: { name: "page.care.liquid", type: "Asset::Template", file: file("care.liquid", 44, "b") },
    changes: [
      { path: "file.sha256", kind: "update", old: "a", new: "b" },
      { path: "file.size", kind: "update", old: 40, new: 44 },
    ],
  }),
  stepOf("update", "Asset", "delivery", {
    id: "7/2",
    olds: { name: "page.delivery.liquid", sha256: "c" },
    inputs: { name: "page.delivery.liquid", content: "<h1>Delivery</h1>\n```\n@everyone\n" },
    changes: [
      {
        path: "content",
        kind: "update",
        old: "<h1>Delivery</h1>\n",
        new: "<h1>Delivery</h1>\n```\n@everyone\n",
      },
    ],
  }),
  stepOf("create", "Asset", "returns", {
    inputs: {
      themeId: 7,
      type: "Asset::Template",
      name: "page.returns.liquid",
      content: "<h1>Returns</h1>\n14 days\n",
    },
  }),
];
export const themeTexts = stepNotices([
  { type: "text", kind: "Asset", id: "7/1", lines: "@@ -3,1 +3,1 @@\n-<p>By hand</p>\n+<p>By machine</p>" },
]);

/** A script that is on every page. */
export const script: readonly Step[] = [
  stepOf("replace", "JsTag", "counter", {
    olds: { name: "counter", content: "count(1);\n" },
    inputs: { name: "counter", content: "count(2);\n" },
    changes: [{ path: "content", kind: "update", old: "count(1);\n", new: "count(2);\n" }],
    replaces: ["content"],
  }),
];

/** Changes beyond every limit. */
export const tooFar: readonly Step[] = [
  product(0, 100, 200),
  stepOf("update", "Product", "product-1", {
    olds: { title: "Evening mug", isHidden: false },
    inputs: { title: "Evening mug", isHidden: true },
    changes: [{ path: "isHidden", kind: "update", old: false, new: true }],
  }),
  stepOf("update", "Coupon", "spring", {
    olds: { code: "SPRING", discount: 10, typeId: 1 },
    inputs: { code: "SPRING", discount: 100, typeId: 1 },
    changes: [{ path: "discount", kind: "update", old: 10, new: 100 }],
  }),
  stepOf("create", "Coupon", "vip", { inputs: { code: "VIP", discount: 90, typeId: 1 } }),
  stepOf("delete", "Coupon", "welcome", {
    olds: { code: "WELCOME", discount: 5, typeId: 1, expiredAt: "2027-01-31" },
  }),
  stepOf("update", "Asset", "layout", {
    olds: { name: "layout.liquid", sha256: "a" },
    inputs: { name: "layout.liquid", content: "" },
    changes: [{ path: "content", kind: "update", old: "<html>\n</html>\n", new: "" }],
  }),
];

/** Five hundred existing objects, two of which change. */
export const adopted: readonly Step[] = Array.from({ length: 500 }, (_none, index) => {
  const code = `CODE-${index}`;
  const discount = index < 2 ? 50 : 5;
  return stepOf("adopt", "Coupon", `code-${index}`, {
    id: String(index),
    olds: { code, discount: 5, typeId: 1 },
    inputs: { code, discount, typeId: 1, adopt: "key" },
    changes: index < 2 ? [{ path: "discount", kind: "update" as const, old: 5, new: 50 }] : [],
  });
});

/** A stack with these settings. */
const stackOf = (config: Readonly<Record<string, string>>, env: Stack["env"] = {}): Stack =>
  ({ name: "live", env, config: { values: config } }) as unknown as Stack;

const strict = {
  "shop:protected": "true",
  "shop:maxPriceChange": "20",
  "shop:maxDiscount": "30",
  "shop:maxDeletes": "0",
  "shop:maxReplacements": "0",
  "shop:belowCost": "refuse",
};

export interface Comment {
  readonly steps: readonly Step[];
  readonly notices?: ReturnType<typeof stepNotices>;
  readonly refused?: readonly Refusal[];
  readonly conflicts?: readonly Conflict[];
  readonly result?: Result;
  readonly said?: readonly string[];
  /** How many such runs share the comment. */
  readonly runs?: number;
}

/** The comment of a plan. */
export function commentOf({
  steps,
  notices = stepNotices([]),
  refused = [],
  conflicts = [],
  result,
  said = [],
  runs = 1,
}: Comment): string {
  const told = {
    title: "Preview: `shop/live`",
    result: result ?? resultOf(steps),
    refused,
    conflicts,
    isPreview: true,
    unchanged: true,
    impact: impactOf(steps, "2026-11-21", undefined, conflicts),
    notices,
    cost: "6 (about 2 s)",
    finding: false,
    events: [
      ...steps.map((step) => ({ type: "done" as const, step })),
      ...said.map((text) => ({ type: "printed" as const, text })),
    ],
  };
  return markdownOf(Array.from({ length: runs }, () => told));
}

/** The steps that a stack's limits refuse. */
export const refusedOf = (
  steps: readonly Step[],
  config: Readonly<Record<string, string>> = strict,
  env: Stack["env"] = {},
) => limitRefusals(stackOf(config, env), steps);
