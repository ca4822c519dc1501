// The interfaces that programs name are written out of the definitions, and say the same as the types that follow from them.

import type * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import type { Arguments, Definition, ValuesOf } from "../../provider/definition/define.ts";
import type { FileArgument } from "../../provider/native.ts";
import type { definitions } from "../../provider/resources/index.ts";
import type * as sdk from "../../sdk/index.ts";

/** A value, or one that is known later, at every depth. */
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
type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : "less than the definition"
  : "more than the definition";
type Kinds = typeof definitions;

const areArguments: readonly true[] = [
  true satisfies Same<sdk.ProductArgs, Args<Kinds["products"]>>,
  true satisfies Same<sdk.CouponArgs, Args<Kinds["coupons"]>>,
  true satisfies Same<sdk.PriceKindArgs, Args<Kinds["priceKinds"]>>,
  true satisfies Same<sdk.AssetArgs, Args<Kinds["assets"]>>,
  true satisfies Same<sdk.FileArgs, Args<Kinds["files"]>>,
  true satisfies Same<sdk.JsTagArgs, Args<Kinds["jsTags"]>>,
  true satisfies Same<sdk.RecurringChargeArgs, Args<Kinds["recurringCharge"]>>,
  true satisfies Same<sdk.ApplicationChargeArgs, Args<Kinds["applicationCharges"]>>,
];
const areOutputs: readonly true[] = [
  true satisfies Same<sdk.ProductOutputs, Outputs<Kinds["products"]>>,
  true satisfies Same<sdk.CouponOutputs, Outputs<Kinds["coupons"]>>,
  true satisfies Same<sdk.PriceKindOutputs, Outputs<Kinds["priceKinds"]>>,
  true satisfies Same<sdk.AssetOutputs, Outputs<Kinds["assets"]>>,
  true satisfies Same<sdk.FileOutputs, Outputs<Kinds["files"]>>,
  true satisfies Same<sdk.JsTagOutputs, Outputs<Kinds["jsTags"]>>,
  true satisfies Same<sdk.RecurringChargeOutputs, Outputs<Kinds["recurringCharge"]>>,
  true satisfies Same<sdk.ApplicationChargeOutputs, Outputs<Kinds["applicationCharges"]>>,
];

test("the arguments and outputs of each kind have the types of its definition, which the compiler holds", () => {
  expect([...areArguments, ...areOutputs]).not.toContain(false);
});
