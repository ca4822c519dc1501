// The part of a plan that pictures need: objects before and after, and prices of sheets.
import { expect, test } from "vitest";
import { objectsOf, sheetPricesOf } from "../../cli/pictures/objects.ts";
import { productRow } from "../../cli/pictures/rows.ts";
import type { Step } from "../../engine/index.ts";
import { unknownValue } from "../../provider/inventory/index.ts";
import { type PassResult, stepNotices } from "../../runs/command.ts";

const stepOf = (more: Partial<Step>): Step => ({
  op: "same",
  urn: "urn:pulumi:dev::p::shop:index:Product::mug",
  type: "shop:index:Product",
  name: "mug",
  parent: undefined,
  custom: true,
  id: "7",
  changes: [],
  inputs: {},
  olds: {},
  replaces: [],
  found: false,
  ...more,
});
const planned = (...steps: readonly Step[]) =>
  objectsOf({ events: steps.map((step) => ({ type: "done", step }) as const), declined: [] });

const olds = {
  title: "Mug",
  description: "Good",
  variants: [
    { id: 1, sku: "B", price: 2, quantity: 5 },
    { id: 2, sku: "A", price: 1, quantity: 6 },
  ],
};

test("an update keeps what the program doesn't state, the shop's order of variants, and what only up will know", () => {
  const inputs = {
    title: unknownValue,
    variants: { A: { sku: "A", price: 3 }, B: { sku: "B", price: 2 }, C: { sku: "C", price: 4 } },
  };
  const [one] = planned(stepOf({ op: "update", olds, inputs }));
  expect([one?.before, one?.isTouched]).toEqual([olds, true]);
  expect(one?.after).toMatchObject({
    title: "Mug",
    description: "Good",
    variants: [
      { id: 1, sku: "B", price: 2, quantity: 5 },
      { id: 2, sku: "A", price: 3, quantity: 6 },
      { sku: "C", price: 4 },
    ],
  });
});

test.each([
  ["create", { op: "create", id: undefined, inputs: { title: "New" } }, [[undefined, { title: "New" }]]],
  ["delete", { op: "delete", olds }, [[olds, undefined]]],
  ["delete that only the state does", { op: "delete", olds, stays: true }, [[olds, olds]]],
  [
    "replacement",
    { op: "replace", olds, inputs: { title: "New" } },
    [
      [olds, undefined],
      [undefined, { title: "New" }],
    ],
  ],
  ["part of a replacement", { op: "delete-replaced", olds, partOf: "replace" }, []],
  ["finding of a refresh", { op: "refresh", olds, found: true }, []],
] as const)("a %s is read off its step", (_what, step, expected) => {
  expect(planned(stepOf(step)).map(({ before, after }) => [before, after])).toEqual(expected);
});

test("what the provider declined stays as it is", () => {
  const step = stepOf({ op: "update", olds, inputs: { title: "Jug" } });
  const [one] = objectsOf({ events: [], declined: [{ step, message: "no" }] });
  expect([one?.after, one?.isTouched]).toEqual([olds, false]);
});

test("a sheet's prices are those of the variants with these article numbers", () => {
  const step = stepOf({ op: "update", type: "shop:index:Prices", id: "sheet" });
  const price = {
    type: "price",
    role: "price",
    cost: undefined,
    costBefore: undefined,
    currency: undefined,
  } as const;
  const effects = [
    { ...price, path: "variants[A].price", from: 1, to: 2 },
    { ...price, path: "variants[A].prices[Wholesale]", from: 1, to: 2 },
  ];
  const notices = stepNotices([
    { type: "changes", kind: "Prices", id: "sheet", sends: 1, effects, done: [] },
  ]);
  const staged: Pick<PassResult, "steps" | "notices"> = { steps: [step], notices };
  expect(sheetPricesOf(staged)).toEqual([{ sku: "A", field: "price", from: 1, to: 2 }]);
});

test("a row names options and other prices as the embedded shop keeps them; what is taken away is null, a secret list is empty", () => {
  const row = productRow(
    {
      shortDescription: "",
      images: "[secret]",
      variants: [
        { sku: "A", oldPrice: "", prices: { Wholesale: 8 }, options: [{ title: "Size", value: "L" }] },
      ],
      createdAt: "2026-01-01",
    },
    7,
    new Map([["Wholesale", "price2"]]),
  );
  expect(row).toMatchObject({
    id: 7,
    short_description: null,
    images: [],
    option_names: [{ id: 1, title: "Size" }],
    variants: [{ sku: "A", old_price: null, price2: 8, option_values: [{ option_name_id: 1, title: "L" }] }],
  });
  expect(row).not.toHaveProperty("created_at");
});
