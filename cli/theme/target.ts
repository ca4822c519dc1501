/** The theme that theme dev works on: of an embedded shop, or of a real one. */
import { type ServedShop, serveShop } from "../../emulator/index.ts";
import * as engine from "../../engine/index.ts";
import { createClient } from "../../provider/client/index.ts";
import { settings, settingsEnv } from "../../provider/inventory/index.ts";
import { checkShop } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";
import { tellPerson } from "../run/stage.ts";
import { connect } from "../stack/shop.ts";
import { themeOf } from "../stack/theme-files.ts";
import { serveCopy } from "./copy.ts";
import type { Local } from "./folder.ts";
import { openShopTheme, type ShopTheme } from "./shop-theme.ts";

/** What a person names of a target. */
export interface Where {
  readonly home: string;
  readonly stack: string | undefined;
  readonly theme: string | undefined;
  readonly live: boolean;
}

/** The theme that is worked on, and the shop that it is of. */
export interface Target {
  readonly theme: ShopTheme;
  readonly url: string;
  /** How the person knows it. */
  readonly called: string;
  /** Undefined for the embedded shop, which ends with the command. */
  readonly stack: engine.Stack | undefined;
  close(): Promise<void>;
}

/** @param local what the folder has: an embedded shop that shows what the stack's does has the rest of its theme */
export async function openTarget({ theme, live, stack: named, home }: Where, local: Local): Promise<Target> {
  const isEmbedded = theme === undefined && !live;
  if (isEmbedded && named === undefined)
    return embedded(await serveShop({ limit: "off" }), () => Promise.resolve());
  const stack = openStackOf(home, named);
  if (stack !== undefined) await checkShop(stack, { say: tellPerson });
  const { connection, transport } = connect(stack, process.env, tellPerson);
  const client = createClient(transport);
  try {
    if (isEmbedded)
      return await embedded(await serveCopy(client, connection.url, local), () => transport.close());
    const found = await themeOf(client, live ? undefined : theme, connection.url);
    if (found.isPublished && !live)
      throw new CommandError(
        `theme ${found.id} (${found.title}) is what shoppers see: --live works on it all the same`,
        codes.configuration,
      );
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

/** The stack whose shop it is; undefined where only the environment names a shop. */
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

/** @param end what ends with it */
async function embedded({ url, shop, close }: ServedShop, end: () => Promise<void>): Promise<Target> {
  const { transport } = connect(undefined, settingsEnv({ url, ...shop.credentials }), tellPerson);
  const client = createClient(transport);
  const { id } = await themeOf(client, undefined, url);
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
