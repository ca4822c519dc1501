/** Adopts objects that the shop already has, by natural key or by id, instead of creating new ones. */
import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput } from "pulumi-shop";

const config = new pulumi.Config();
const theme = getThemeOutput({ published: true });

// By key: every shop has this template. Only its text is sent, because it differs.
const cart = new Asset(
  "cart",
  {
    themeId: theme.id,
    type: "Asset::Template",
    name: "cart.liquid",
    file: "cart.liquid",
    adopt: "key",
  },
  // The shop had it before this program, and keeps it after `destroy`.
  { retainOnDelete: true },
);

// By id: the number at the end of the coupon's address in the back office. Its code may change.
const couponId = config.get("coupon");
const coupon =
  couponId === undefined
    ? undefined
    : new Coupon("regulars", {
        code: "REGULARS",
        typeId: 1,
        discount: "7.5",
        description: "Handed out at the counter",
        adopt: couponId,
      });

export const cartId = cart.id;
export const couponCode = coupon?.code;
