/**
 * An embedded shop that shows what a shop shows: its products, its collections, and the files of its published theme that the
 * folder doesn't have. The shop is read once, in five requests, and each of those files when a page first shows it.
 */
import { type ServedShop, serveShop } from "../../emulator/index.ts";
import type { Client } from "../../provider/client/index.ts";
import { readBeside } from "../pictures/beside.ts";
import { productRow, type Row, rowOf } from "../pictures/rows.ts";
import { fileRow } from "../pictures/shops.ts";
import { keyOf, type Local } from "./folder.ts";
import { openShopTheme } from "./shop-theme.ts";

/** @param url the shop's own address */
export async function serveCopy(client: Client, url: string, local: Local): Promise<ServedShop> {
  const { account, collections, themes, products, files } = await readBeside(client.transport, new Set());
  const published = themes.filter(({ isPublished, isMobile }) => isPublished === true && isMobile !== true);
  const theme = openShopTheme(client, Number(published[0]?.id), url);
  const ofFile = ({ id, type, name }: Row) => ({
    ...{ id: Number(id), type: String(type) as "Asset::Media", name: String(name), size: undefined },
  });
  return serveShop({
    isBare: true,
    limit: "off",
    fixture: {
      account: [rowOf(account)],
      collection: collections.map(rowOf),
      theme: published.map(rowOf),
      product: products.map((one) => productRow(one, Number(one.id), new Map())),
      asset: files.map((one) => fileRow(rowOf(one))).filter((row) => !local.has(keyOf(ofFile(row)))),
    },
    async readAsset(row) {
      const content = await theme.read(ofFile(row));
      return content?.text ?? content?.bytes;
    },
  });
}
