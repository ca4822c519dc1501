/** All resources of the shop: each has a file in this folder and a line here. */
import type { Kind, Resource, Route } from "../routing.ts";
import { account } from "./account.ts";
import { applicationCharges } from "./application-charges.ts";
import { assets } from "./assets.ts";
import { categories } from "./categories.ts";
import { collections } from "./collections.ts";
import { collects } from "./collects.ts";
import { coupons } from "./coupons.ts";
import { files } from "./files.ts";
import { images } from "./images.ts";
import { jsTags } from "./js-tags.ts";
import { optionNames } from "./option-names.ts";
import { optionValues } from "./option-values.ts";
import { pages } from "./pages.ts";
import { priceKinds } from "./price-kinds.ts";
import { productFieldValues } from "./product-field-values.ts";
import { productFields } from "./product-fields.ts";
import { products } from "./products.ts";
import { properties } from "./properties.ts";
import { recurringCharge } from "./recurring-charge.ts";
import { themes } from "./themes.ts";
import { variants } from "./variants.ts";
import { widgetTypes } from "./widget-types.ts";

const resources: readonly Resource[] = [
  account,
  variants,
  images,
  products,
  coupons,
  priceKinds,
  applicationCharges,
  recurringCharge,
  collections,
  collects,
  categories,
  optionNames,
  optionValues,
  properties,
  productFields,
  productFieldValues,
  themes,
  assets,
  widgetTypes,
  files,
  jsTags,
  pages,
];

export const routes: readonly Route[] = resources.flatMap((resource) => resource.routes);

const kinds = new Map(
  resources.flatMap((resource) => resource.kinds.map((kind) => [kind.name, kind] as const)),
);

/** Kinds whose objects are created implicitly. */
export const vocabulary: ReadonlySet<string> = new Set(
  [...kinds.values()].filter(({ isVocabulary }) => isVocabulary).map(({ name }) => name),
);

export const kindNames: readonly string[] = [...kinds.keys()];

/** A kind; undefined for one that only a fixture has. */
export const kindOf = (name: string): Kind | undefined => kinds.get(name);
