/** The scene of the crash campaign: a shop with objects of every kind, and an edit with every operation. */

import type { Resource } from "./house/types.ts";
import type { House } from "./house.ts";

const on = (kind: string) => (name: string, args: object) => ({ kind, name, args }) as Resource;
const [product, coupon, priceKind, file, tag] = ["Product", "Coupon", "PriceKind", "File", "JsTag"].map(
  on,
) as [
  ReturnType<typeof on>,
  ReturnType<typeof on>,
  ReturnType<typeof on>,
  ReturnType<typeof on>,
  ReturnType<typeof on>,
];
const asset = (themeId: number) => (name: string, args: object) =>
  on("Asset")(name, { themeId, type: "Asset::Snippet", ...args });
const text = (name: string, content: string) => ({ type: "JsTag::TextTag", name, content });
const returnUrl = "https://app.example.test/";

export interface Scene {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  /** Like `after`, with edits of what it creates. */
  readonly edited: readonly Resource[];
  /** Like `after`, without what it creates. */
  readonly without: readonly Resource[];
}

/** The programs of the campaign. Assets go into the shop's first theme. */
export function sceneOf(house: House): Scene {
  const put = asset(Number(house.rows("theme")[0]?.id));
  const before = [
    product("mug", {
      title: "Mug",
      variants: [
        { sku: "M1", price: 1 },
        { sku: "M2", price: 2 },
      ],
    }),
    product("cup", { title: "Cup", variants: [{ sku: "C1", price: 1 }] }),
    coupon("sale", { code: "SALE", discount: 10, typeId: 1 }),
    coupon("gone", { code: "GONE", discount: 10, typeId: 1 }),
    priceKind("trade", { title: "Trade" }),
    file("list", { filename: "list.csv", content: "1" }),
    file("old", { filename: "old.csv", content: "1" }),
    tag("counter", text("counter", "count(1)")),
    tag("former", text("former", "f()")),
    put("header", { name: "crash-header.liquid", content: "one" }),
    put("footer", { name: "crash-footer.liquid", content: "one" }),
  ];
  const kept = [
    product("mug", {
      title: "Large mug",
      variants: [
        { sku: "M1", price: 1 },
        { sku: "MN", price: 3 },
        { sku: "M2", price: 2 },
      ],
    }),
    coupon("sale", { code: "SALE", discount: 15, typeId: 1 }),
    priceKind("trade", { title: "Trade only" }),
    file("list", { filename: "list.csv", content: "2" }),
    tag("counter", text("counter", "count(2)")),
    put("header", { name: "crash-header.liquid", content: "two" }),
    put("footer", { name: "crash-footer.css", content: "b{}", type: "Asset::Media" }),
  ];
  const created = (edit: boolean) => [
    product("bowl", { title: edit ? "Deep bowl" : "Bowl", variants: [{ sku: "B1", price: 1 }] }),
    product("plate", { title: "Plate", variants: [{ price: edit ? 3 : 2 }] }),
    coupon("spring", { code: "SPRING", discount: edit ? 20 : 10, typeId: 1 }),
    priceKind("staff", { title: edit ? "Our staff" : "Staff" }),
    file("sizes", { filename: "sizes.csv", content: edit ? "other" : "s" }),
    file("terms", { filename: "terms.txt", content: "t" }),
    tag("chat", text("chat", edit ? "chat(2)" : "chat(1)")),
    tag("nameless", { type: "JsTag::FileTag", content: "//cdn.example.test/a.js" }),
    put("side", { name: "crash-side.liquid", content: edit ? "second" : "first" }),
    on("ApplicationCharge")("setup", { name: "Setup", price: edit ? 60 : 50, returnUrl }),
    on("RecurringCharge")("monthly", { monthly: edit ? 12 : 10 }),
  ];
  return {
    before,
    after: [...kept, ...created(false)],
    edited: [...kept, ...created(true)],
    without: kept,
  };
}
