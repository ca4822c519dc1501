/**
 * The facts about each kind that walks need; a new kind is added here only. Every value in a walk is unique, so
 * a text that contains it is about it.
 */

import type { Values } from "../../provider/wire/codec.ts";
import { noon } from "../emulator/in-process.ts";

/** A field that both a program and staff may write. */
export interface Place {
  /** The argument; for a list item, the list's. */
  readonly argument: string;
  /** The column of the shop's row, or of its item. */
  readonly column: string;
  /** The field inside an item. */
  readonly inner?: string;
  /** The argument's value for an unused number. */
  readonly value: (n: number) => unknown;
  /** The shop's form of the value. */
  readonly stored: (n: number) => unknown;
  /** The value in messages. */
  readonly token: (n: number) => string;
  /** Whether messages don't show the value. */
  readonly isBody?: boolean;
}

export interface WalkKind {
  readonly kind: string;
  readonly table: string;
  /** The list's path, without its items. */
  readonly list: string;
  readonly slots: number;
  readonly args: (slot: number, n: number, theme: number) => Values;
  /** The fields that a program changes. */
  readonly places: readonly Place[];
  /** The fields that staff change, by default the same. */
  readonly staff?: readonly Place[];
  /** The list whose items are added and removed. */
  readonly items?: { readonly argument: string; readonly key: string; readonly item: (n: number) => Values };
  /** The name of the shop's only object of this kind. */
  readonly isOne?: string;
}

const text = (argument: string, column = argument): Place => ({
  argument,
  column,
  value: (n) => `w${n}`,
  stored: (n) => `w${n}`,
  token: (n) => `w${n}`,
});
const money = (argument: string, column = argument): Place => ({
  argument,
  column,
  value: (n) => n + 0.25,
  stored: (n) => `${n}.25`,
  token: (n) => `${n}.25`,
});
const body: Place = { ...text("content"), isBody: true };
const settings: Place = {
  ...body,
  value: (n) => JSON.stringify({ color: `w${n}`, size: 1 }),
  stored: (n) => JSON.stringify({ color: `w${n}`, size: 1 }),
};

const productPlaces = [text("title"), text("description"), { ...money("variants", "price"), inner: "price" }];

export const walkKinds: readonly WalkKind[] = [
  {
    kind: "Product",
    table: "product",
    list: "/admin/products",
    slots: 3,
    args: (slot, n) => ({
      title: `w${n}`,
      description: `about w${n}`,
      // A program that lists some of the variants and leaves the others to staff.
      ...(slot === 2 && { otherVariants: "keep" }),
      // An object with the same address is searched for before one is created.
      ...(slot === 1 && { permalink: "own-address" }),
      variants: [
        { sku: `S${slot}A`, price: n + 0.25, oldPrice: "", weight: "" },
        { sku: `S${slot}B`, price: n + 0.75, quantity: 4 },
      ],
    }),
    places: [...productPlaces, { ...money("variants", "old_price"), inner: "oldPrice" }],
    // Only staff write fields that no program sets; they are deleted with their object.
    staff: productPlaces,
    items: { argument: "variants", key: "sku", item: (n) => ({ sku: `N${n}`, price: n + 0.5 }) },
  },
  {
    kind: "Coupon",
    table: "discount_code",
    list: "/admin/discount_codes",
    slots: 2,
    args: (slot, n) => ({ code: `CODE${slot}`, discount: n + 0.25, typeId: 2, description: `w${n}` }),
    places: [money("discount"), text("description")],
  },
  {
    kind: "PriceKind",
    table: "price_kind",
    list: "/admin/price_kinds",
    slots: 2,
    args: (slot, n) => ({ title: `kind${slot} w${n}` }),
    places: [text("title")],
  },
  {
    kind: "Asset",
    table: "asset",
    list: "/assets",
    slots: 2,
    args: (slot, n, themeId) => ({
      themeId,
      type: "Asset::Snippet",
      name: `note${slot}.liquid`,
      content: `w${n}`,
    }),
    places: [body, { ...text("name"), value: (n) => `w${n}.liquid`, stored: (n) => `w${n}.liquid` }],
  },
  {
    kind: "Asset",
    table: "asset",
    list: "/assets",
    slots: 1,
    args: (_slot, n, themeId) => ({
      themeId,
      type: "Asset::Configuration",
      name: "walk.json",
      content: String(settings.value(n)),
    }),
    places: [settings],
  },
  {
    kind: "File",
    table: "file",
    list: "/admin/files",
    slots: 2,
    args: (slot, n) => ({ filename: `f${slot}.csv`, content: `w${n}` }),
    places: [body, { ...text("filename"), value: (n) => `w${n}.csv` }],
    staff: [],
  },
  {
    kind: "JsTag",
    table: "js_tag",
    list: "/admin/js_tags",
    slots: 2,
    args: (slot, n) => ({ type: "JsTag::TextTag", name: `tag${slot}`, content: `w${n}` }),
    places: [{ ...body, isBody: false }, text("name")],
  },
  {
    kind: "RecurringCharge",
    table: "recurring_charge",
    list: "/admin/recurring_application_charge",
    slots: 1,
    args: (_slot, n) => ({ monthly: n + 0.25 }),
    places: [money("monthly")],
    isOne: "recurring-application-charge",
  },
  {
    kind: "ApplicationCharge",
    table: "application_charge",
    list: "/admin/application_charges",
    slots: 2,
    args: (slot, n) => ({ name: `charge${slot}`, price: n + 0.25, returnUrl: "https://a.example.test/" }),
    places: [money("price"), text("name")],
    // The client pays or doesn't.
    staff: [
      {
        ...text("status"),
        value: () => "accepted",
        stored: () => "accepted",
        token: () => "accepted",
      },
    ],
  },
];

/** Prices of products that no program of a walk has, two in each sheet. A sheet is no object of the shop. */
export const sheetKind: WalkKind = {
  kind: "Prices",
  table: "",
  list: "",
  slots: 2,
  args: (slot, n) => ({
    rows: [0, 1].map((row) => rowOf(skuOf(slot, row), n + row / 2)),
    ...(slot === 1 && { onRemove: "restore" }),
  }),
  places: [
    { ...money("rows", "price"), inner: "price" },
    { ...money("rows", "old_price"), inner: "oldPrice" },
  ],
  staff: [],
};
/** A row of a sheet. @param n an unused number */
export const rowOf = (sku: string, n: number): Values => ({ sku, price: n + 0.25, oldPrice: n + 0.375 });
/** The columns of sheets and of the shop. */
export const sheetColumns = { price: "price", oldPrice: "old_price" } as const;
/** A moment in a program's form, so many hours after another one. */
export const momentOf = (hours: number, offsetMs = 0): string =>
  new Date(noon + offsetMs + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
/** The product's own variant, or one that staff add to a product. */
export const skuOf = (slot: number, row: number): string =>
  row % 5 === 4 ? keptSku(slot) : `P${(slot % 2) * 2 + (row % 2)}`;
export const keptSku = (slot: number): string => `KEPT${slot % 2}`;
export const oldPrice: Place = { ...money("variants", "old_price"), inner: "oldPrice" };

export const tables: readonly string[] = [...new Set(walkKinds.map(({ table }) => table))];

export const kindOfTable = (table: string): string =>
  walkKinds.find((one) => one.table === table)?.kind ?? "";
