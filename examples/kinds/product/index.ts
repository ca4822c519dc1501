import { Product } from "pulumi-shop";

const mug = new Product("mug", {
  title: "Mug",
  description: "<p>Holds 300 ml.</p>",
  variants: [
    { sku: "MUG-RED", price: 12.5, quantity: 40, options: { Colour: "red" } },
    { sku: "MUG-BLUE", price: 12.5, quantity: 25, options: { Colour: "blue" } },
  ],
});
export const permalink = mug.permalink;
