/** The shop and theme for theme dev: an embedded shop or a real one. */

import { type ServedShop, serveShop } from "../../emulator/index.ts";
import * as engine from "../../engine/index.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import { settings, settingsEnv } from "../../provider/inventory/index.ts";
import { checkShop } from "../../runs/command.ts";
import { usageError } from "../exit.ts";
import { fileRow } from "../pictures/before-after-shops.ts";
import { productRow, type Row, rowOf } from "../pictures/rows.ts";
import { readShopContent } from "../pictures/shop-content.ts";
import { connect } from "../stack/open-stack.ts";
import { findTheme } from "../stack/theme-files.ts";
import { printNote } from "../terminal/terminal.ts";
import { keyOf, type Local } from "./folder.ts";
import { openShopTheme, type ShopTheme } from "./theme-client.ts";

export interface TargetOptions {
  readonly home: string;
  readonly stack: string | undefined;
  readonly theme: string | undefined;
  readonly live: boolean;
}

export interface Target {
  readonly theme: ShopTheme;
  readonly url: string;
  /** Its name in messages. */
  readonly called: string;
  /** Undefined for an embedded shop. */
  readonly stack: engine.Stack | undefined;
  close(): Promise<void>;
}

/** @param local files of the folder: an embedded shop gets the other files of the theme */
export async function openTarget(
  { theme, live, stack: named, home }: TargetOptions,
  local: Local,
): Promise<Target> {
  const isEmbedded = theme === undefined && !live;
  if (isEmbedded && named === undefined)
    return embedded(await serveShop({ limit: "off" }), () => Promise.resolve());
  const stack = openStackOf(home, named);
  if (stack !== undefined) await checkShop(stack, { say: printNote });
  const { connection, transport } = connect(stack, process.env, printNote);
  const client = createClient(transport);
  try {
    if (isEmbedded)
      return await embedded(await serveCopy(client, connection.url, local), () => transport.close());
    const found = await findTheme(client, live ? undefined : theme, connection.url);
    if (found.isPublished && !live)
      throw usageError(`theme ${found.id} (${found.title}) is published; to work on it, pass --live`);
    return {
      theme: openShopTheme(client, found.id, connection.url),
      url: connection.url,
      called: `The theme ${found.title} (${found.id}) of ${connection.url}`,
      stack,
      close: () => transport.close(),
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** The stack; undefined if only the environment names a shop. */
function openStackOf(folder: string, stack: string | undefined): engine.Stack | undefined {
  const open = () => engine.openStack({ folder, stack, env: process.env });
  if (stack !== undefined) return open();
  try {
    return open();
  } catch (error) {
    if (process.env[settings.url.variable] === undefined) throw error;
    return undefined;
  }
}

/** @param end closes the other shop */
async function embedded({ url, shop, close }: ServedShop, end: () => Promise<void>): Promise<Target> {
  const { transport } = connect(undefined, settingsEnv({ url, ...shop.credentials }), printNote);
  const client = createClient(transport);
  const { id } = await findTheme(client, undefined, url);
  return {
    theme: openShopTheme(client, id, url),
    url,
    called: "An embedded shop with the theme",
    stack: undefined,
    async close() {
      await transport.close();
      await close();
      await end();
    },
  };
}

/** @param url the real shop's address */
async function serveCopy(client: Client, url: string, local: Local): Promise<ServedShop> {
  const { account, collections, themes, products, files } = await readShopContent(
    client.transport,
    new Set(),
  );
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
