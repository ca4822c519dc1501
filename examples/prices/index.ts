/** Prices from a spreadsheet: a sale, and two price kinds beside the usual price. */
import * as pulumi from "@pulumi/pulumi";
import { PriceKind, Prices } from "pulumi-shop";

const wholesale = new PriceKind("wholesale", { title: "Wholesale" });
const dealer = new PriceKind("dealer", { title: "Dealer" }, { dependsOn: [wholesale] });

// `npx pulumi-shop config set sale true` begins the sale, `false` ends it.
const isSale = new pulumi.Config().getBoolean("sale") ?? false;

// An import creates the products. This program manages only these prices.
const sheet = new Prices("catalogue", {
  file: "prices.csv",
  columns: pulumi.all([wholesale.title, dealer.title]).apply(([first, second]) => ({
    sku: "Article",
    price: isSale ? "Sale price" : "Price",
    oldPrice: isSale ? "Price" : "No sale",
    prices: { [first]: "Wholesale", [second]: "Dealer" },
  })),
});

export const rows = sheet.count;
export const products = sheet.products;
