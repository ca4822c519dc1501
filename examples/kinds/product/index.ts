import { Product } from "pulumi-shop";

const mug = new Product("mug", {
  title: "Mug",
  description: "<p>Holds 300 ml.</p>",
  variants: [
    { sku: "MUG-RED", price: 12.5, quantity: 40, options: [{ title: "Colour", value: "red" }] },
    { sku: "MUG-BLUE", price: 12.5, quantity: 25, options: [{ title: "Colour", value: "blue" }] },
  ],
});
export const permalink = mug.permalink;
