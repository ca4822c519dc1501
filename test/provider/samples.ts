import type { Values } from "../../provider/wire/codec.ts";
import type { World } from "../world.ts";

/** Arguments of each kind, and a change of them; the only place of the tests that must know a new kind. */
export const samples: Readonly<
  Record<string, (world: World) => Promise<{ readonly args: Values; readonly change?: Values }>>
> = {
  Product: async () => ({
    args: { title: "Mug", variants: [{ sku: "MUG-R", price: 740, quantity: 4 }] },
    change: { title: "Cup" },
  }),
  Coupon: async () => ({ args: { code: "SPRING", discount: 10, typeId: 1 }, change: { discount: 12.5 } }),
  PriceKind: async () => ({ args: { title: "Wholesale" }, change: { title: "Retail" } }),
  ApplicationCharge: async () => ({
    args: { name: "Setup", price: 180, returnUrl: "https://app.example.test/" },
  }),
  RecurringCharge: async () => ({ args: { monthly: 1000 }, change: { monthly: 500 } }),
  Asset: async ({ client }) => {
    const [theme] = await client.themes.list();
    return {
      args: { themeId: theme?.id, type: "Asset::Snippet", name: "note.liquid", content: "Hi {{ x }}" },
      change: { content: "Hello {{ x }}" },
    };
  },
  File: async () => ({ args: { content: "a,b\n", filename: "sizes.csv" } }),
  JsTag: async () => ({ args: { type: "JsTag::TextTag", name: "note", content: "alert(1)" } }),
};
