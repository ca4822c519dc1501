/** All kinds. To add one, add a file in this folder and a line here. */

import type { Definition } from "../definition/define.ts";
import { kindOfType } from "../names/types.ts";
import { account } from "./account.ts";
import { applicationCharge } from "./application-charge.ts";
import { asset } from "./asset.ts";
import { collection } from "./collection.ts";
import { coupon } from "./coupon.ts";
import { file } from "./file.ts";
import { jsTag } from "./js-tag.ts";
import { priceKind } from "./price-kind.ts";
import { product } from "./product.ts";
import { recurringCharge } from "./recurring-charge.ts";
import { theme } from "./theme.ts";

/** The client's names of the kinds. Kinds that can be created are resources; the others are data sources. */
export const definitions = {
  account,
  products: product,
  coupons: coupon,
  priceKinds: priceKind,
  applicationCharges: applicationCharge,
  recurringCharge,
  collections: collection,
  themes: theme,
  assets: asset,
  files: file,
  jsTags: jsTag,
};

/** The definitions as a record of one type. */
export const allDefinitions = definitions as Readonly<Record<string, Definition>>;

/** The definition for a class name; undefined if unknown, as in the state of a newer version. */
export function definitionOf(kind: string): Definition | undefined {
  return Object.values(allDefinitions).find((one) => one.kind === kind);
}

/** The definition for a resource's type, dynamic or the plugin's; undefined for a foreign type, even with the same name. */
export function definitionOfType(type: string): Definition | undefined {
  const kind = kindOfType(type);
  return kind === undefined ? undefined : definitionOf(kind);
}

/** Whether resources of a type are a theme's files. */
export const isThemeFile = (type: string): boolean => definitionOfType(type)?.body?.theme === true;

/** The kinds that can be created, with their client's names. */
export const resources: readonly (readonly [string, Definition])[] = Object.entries(allDefinitions).filter(
  ([, { operations }]) => operations.create !== undefined,
);

/** The definition of a kind that can be created. @throws Error if there is none */
export function creatableOf(kind: string): Definition {
  const definition = definitionOf(kind);
  if (definition?.operations.create !== undefined) return definition;
  throw new Error(
    `pulumi-shop has no kind ${kind}; it has ${resources.map(([, one]) => one.kind).join(", ")}. If a newer version wrote the state, upgrade the package`,
  );
}
