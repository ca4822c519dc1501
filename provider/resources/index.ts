/** Every kind there is. A new one is a file beside this and a line here. */

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

/** The client's names of them; what can be created is a resource, what can only be read a data source. */
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

/** The same, for whoever takes each alike. */
export const allDefinitions = definitions as Readonly<Record<string, Definition>>;

/** The definition of a class's name; undefined where there is none, which is what a newer version's state may name. */
export function definitionOf(kind: string): Definition | undefined {
  return Object.values(allDefinitions).find((one) => one.kind === kind);
}

/** The definition of a resource's type, dynamic or the plugin's; undefined for any other type: also a foreign one of the same name. */
export function definitionOfType(type: string): Definition | undefined {
  const kind = kindOfType(type);
  return kind === undefined ? undefined : definitionOf(kind);
}

/** Whether resources of a type are files of themes. */
export const isThemeFile = (type: string): boolean => definitionOfType(type)?.body?.theme === true;

/** The kinds that a program can make, each with the client's name of it. */
export const resources: readonly (readonly [string, Definition])[] = Object.entries(allDefinitions).filter(
  ([, { operations }]) => operations.create !== undefined,
);

/** The definition of a kind that a program can make. @throws Error where there is none */
export function creatableOf(kind: string): Definition {
  const definition = definitionOf(kind);
  if (definition?.operations.create !== undefined) return definition;
  throw new Error(
    `pulumi-shop has no kind ${kind}; it has ${resources.map(([, one]) => one.kind).join(", ")}. If a newer version wrote the state, upgrade the package`,
  );
}
