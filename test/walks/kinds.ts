/**
 * What a walk knows of each kind: the only place of the walks that must know a new one. Every value that somebody writes
 * is written once in a walk, so that a text that shows it is a text that told of it.
 */

import type { Values } from "../../provider/wire/codec.ts";
import { noon } from "../emulator/in-process.ts";

/** Something that a program and staff may both write. */
export interface Place {
  /** The argument; of an item of a list the list's. */
  readonly argument: string;
  /** The column of the shop's row, or of its item. */
  readonly column: string;
  /** The field inside an item, where it is one. */
  readonly inner?: string;
  /** The argument's value of a number that nobody has used. */
  readonly value: (n: number) => unknown;
  /** The same as the shop keeps it. */
  readonly stored: (n: number) => unknown;
  /** The same as a message shows it. */
  readonly token: (n: number) => string;
  /** A message names it without its value. */
  readonly isBody?: boolean;
}

export interface WalkKind {
  readonly kind: string;
  readonly table: string;
  /** The path of its list, without what stands in it. */
  readonly list: string;
  readonly slots: number;
  readonly args: (slot: number, n: number, theme: number) => Values;
  /** What a program changes. */
  readonly places: readonly Place[];
  /** What staff change; as a program's where left out. */
  readonly staff?: readonly Place[];
  /** The list whose items come and go. */
  readonly items?: { readonly argument: string; readonly key: string; readonly item: (n: number) => Values };
  /** What the one object that a shop has is called. */
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
      // A program that lists some of the variants, and leaves the others to staff.
      ...(slot === 2 && { otherVariants: "keep" }),
      // An address that is stated is looked for before one is created.
      ...(slot === 1 && { permalink: "own-address" }),
      variants: [
        { sku: `S${slot}A`, price: n + 0.25, oldPrice: "", weight: "" },
        { sku: `S${slot}B`, price: n + 0.75, quantity: 4 },
      ],
    }),
    places: [...productPlaces, { ...money("variants", "old_price"), inner: "oldPrice" }],
    // What no program states is the staff's alone, and goes with its object.
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
    // The client pays, or doesn't.
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

/** Prices of goods that no program of a walk has, two in each sheet: it has no object of its own. */
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
/** A row of a sheet. @param n a number that nobody has used */
export const rowOf = (sku: string, n: number): Values => ({ sku, price: n + 0.25, oldPrice: n + 0.375 });
/** What sheets state, and the columns of the shop. */
export const sheetColumns = { price: "price", oldPrice: "old_price" } as const;
/** A moment as a program writes it, so many hours after another one. */
export const momentOf = (hours: number, offsetMs = 0): string =>
  new Date(noon + offsetMs + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
/** The goods' own, or the variant that staff add to whatever product. */
export const skuOf = (slot: number, row: number): string =>
  row % 5 === 4 ? keptSku(slot) : `P${(slot % 2) * 2 + (row % 2)}`;
export const keptSku = (slot: number): string => `KEPT${slot % 2}`;
export const oldPrice: Place = { ...money("variants", "old_price"), inner: "oldPrice" };

export const tables: readonly string[] = [...new Set(walkKinds.map(({ table }) => table))];

export const kindOfTable = (table: string): string =>
  walkKinds.find((one) => one.table === table)?.kind ?? "";
