/** Every route of the shop. A resource is a file beside this and a line here. */
import type { Route } from "../routing.ts";
import { assets } from "./assets.ts";
import { charges } from "./charges.ts";
import { coupons } from "./coupons.ts";
import { files } from "./files.ts";
import { priceKinds } from "./price-kinds.ts";
import { products } from "./products.ts";
import { reading } from "./reading.ts";
import { tags } from "./tags.ts";

export const routes: readonly Route[] = [
  ...reading,
  ...products,
  ...coupons,
  ...priceKinds,
  ...charges,
  ...assets,
  ...files,
  ...tags,
];
