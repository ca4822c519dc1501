/** The theme files of a shop. */

import * as engine from "../../engine/index.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import type { ThemeFile } from "../../provider/inventory/index.ts";
import { usageError } from "../exit.ts";
import { connect } from "./open-stack.ts";

/** The theme with this id, or the published one. */
export interface ThemeSelection {
  readonly folder: string;
  readonly stack: string;
  readonly theme: string | undefined;
}

type ShopFile = Pick<ThemeFile, "type" | "name">;

/** Lists a theme's files in its shop. @throws CommandError if there is no such theme */
export async function listThemeFiles(
  { folder, stack, theme }: ThemeSelection,
  say: (line: string) => void,
): Promise<readonly ShopFile[]> {
  const opened = engine.openStack({ folder, stack, env: process.env });
  const client = createClient(connect(opened, process.env, say).transport);
  const { id: themeId } = await findTheme(client, theme, `the shop of ${stack}`);
  const files: ShopFile[] = [];
  for await (const { type, name } of client.assets.every({ themeId }))
    if (type !== undefined && name !== undefined) files.push({ type, name });
  return files;
}

/**
 * Finds a theme by id, or the published one.
 * @param shop its name in messages
 * @throws CommandError if there is no such theme
 */
export async function findTheme({ themes }: Client, id: string | undefined, shop: string) {
  const all = await themes.list();
  const found = all.find((one) =>
    id === undefined ? one.isPublished && !one.isMobile : String(one.id) === id,
  );
  if (found?.id !== undefined) return { ...found, id: found.id };
  throw usageError(
    `${shop} has no ${id === undefined ? "published theme" : `theme ${id}`}; its themes are ${all.map((one) => `${one.id} (${one.title})`).join(", ")}`,
  );
}
