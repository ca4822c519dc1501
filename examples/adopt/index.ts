/** Taking over what a shop has already: by its natural key where it has one, else by its id. Nothing is made twice. */
import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput } from "pulumi-shop";

const config = new pulumi.Config();
const theme = getThemeOutput({ published: true });

// By key: every shop has this template. Only its text is sent, and only because it differs.
const cart = new Asset(
  "cart",
  {
    themeId: theme.id,
    type: "Asset::Template",
    name: "cart.liquid",
    file: "cart.liquid",
    adopt: "key",
  },
  // It was there before this program and stays when the program goes.
  { retainOnDelete: true },
);

// By id: the number at the end of the coupon's address in the back office. The code may change, the coupon stays.
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
