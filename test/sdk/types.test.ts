// The generated interfaces match the types of the definitions.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import type { Arguments, Definition, ValuesOf } from "../../provider/definition/define.ts";
import type { FileArgument } from "../../provider/native.ts";
import type { definitions } from "../../provider/resources/index.ts";
import { fileOf } from "../../scripts/reference.ts";
import type * as sdk from "../../sdk/index.ts";
import { root } from "../cli/terminal.ts";
import { resources } from "../support/world.ts";

/** A value, or an output of it, at every depth. */
type Later<T> = pulumi.Input<
  T extends readonly (infer U)[]
    ? readonly Later<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Later<T[K] | Missing<T, K>> }
      : T
>;
type Args<D extends Definition> = {
  readonly [K in keyof Arguments<D["fields"]>]: K extends FileArgument
    ? pulumi.Input<string | pulumi.asset.FileAsset | undefined>
    : Later<Arguments<D["fields"]>[K] | Missing<Arguments<D["fields"]>, K>>;
} & { readonly adopt?: pulumi.Input<string | undefined> };
type Missing<T, K extends keyof T> = object extends Pick<T, K> ? undefined : never;
type Outputs<D extends Definition> = {
  readonly [K in keyof ValuesOf<D["fields"]>]: pulumi.Output<ValuesOf<D["fields"]>[K]>;
};
/** Outputs without undefined, because a definition can't express in its type that a value always exists. */
type There<T> = {
  readonly [K in keyof T]: T[K] extends pulumi.Output<infer V> ? Whole<V> : T[K];
};
type Whole<V> = V extends readonly (infer I)[]
  ? readonly Whole<I>[]
  : V extends object
    ? { readonly [K in keyof V]: Whole<V[K]> }
    : Exclude<V, undefined>;
/** Arguments without alternative forms, which the definition's types don't have. */
type Plain<A> = Omit<A, "discount" | "typeId" | "variants">;
type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : "less than the definition"
  : "more than the definition";
type Kinds = typeof definitions;

const areArguments: readonly true[] = [
  true satisfies Same<Plain<sdk.ProductArgs>, Plain<Args<Kinds["products"]>>>,
  true satisfies Same<Plain<sdk.CouponArgs>, Plain<Args<Kinds["coupons"]>>>,
  true satisfies Same<sdk.PriceKindArgs, Args<Kinds["priceKinds"]>>,
  true satisfies Same<sdk.AssetArgs, Args<Kinds["assets"]>>,
  true satisfies Same<sdk.FileArgs, Args<Kinds["files"]>>,
  true satisfies Same<sdk.JsTagArgs, Args<Kinds["jsTags"]>>,
  true satisfies Same<sdk.RecurringChargeArgs, Args<Kinds["recurringCharge"]>>,
  true satisfies Same<sdk.ApplicationChargeArgs, Args<Kinds["applicationCharges"]>>,
];
const areTaken: readonly true[] = [
  // Values of the definition's types are accepted, beside alternative forms.
  true satisfies Args<Kinds["products"]> extends sdk.ProductArgs ? true : false,
  true satisfies Args<Kinds["coupons"]> extends sdk.CouponArgs ? true : false,
];
const areOutputs: readonly true[] = [
  true satisfies Same<There<sdk.ProductOutputs>, There<Outputs<Kinds["products"]>>>,
  true satisfies Same<There<sdk.CouponOutputs>, There<Outputs<Kinds["coupons"]>>>,
  true satisfies Same<There<sdk.PriceKindOutputs>, There<Outputs<Kinds["priceKinds"]>>>,
  true satisfies Same<There<sdk.AssetOutputs>, There<Outputs<Kinds["assets"]>>>,
  true satisfies Same<There<sdk.FileOutputs>, There<Outputs<Kinds["files"]>>>,
  true satisfies Same<There<sdk.JsTagOutputs>, There<Outputs<Kinds["jsTags"]>>>,
  true satisfies Same<There<sdk.RecurringChargeOutputs>, There<Outputs<Kinds["recurringCharge"]>>>,
  true satisfies Same<There<sdk.ApplicationChargeOutputs>, There<Outputs<Kinds["applicationCharges"]>>>,
];

test("the arguments and outputs of each kind have the types of its definition", () => {
  expect([...areArguments, ...areTaken, ...areOutputs]).not.toContain(false);
});

test.each(resources)(
  "the recorded answer of a $kind has each output that is never undefined",
  ({ kind, fields }) => {
    const path = join(root, "test/fixtures/decoded", `${fileOf(kind)}.json`);
    const { values } = JSON.parse(readFileSync(path, "utf8")) as { readonly values: object };
    const always = Object.keys(fields).filter((name) => fields[name]?.always === true);
    expect(Object.keys(values)).toEqual(expect.arrayContaining(always));
  },
);

test("a row of a csv has every column, not only its key", () => {
  const titles = (table: typeof sdk.table) =>
    table("prices.csv", { key: "sku" }).map(({ title }) => title as string);
  expect(titles((() => [{ sku: "A", title: "Mug" }]) as unknown as typeof sdk.table)).toEqual(["Mug"]);
});
