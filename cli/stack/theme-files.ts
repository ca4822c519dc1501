/** The files of a theme as a shop has them, by type and name. */
import * as engine from "../../engine/index.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import type { ThemeFile } from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../exit.ts";
import { connect } from "./shop.ts";

/** Which theme: of a stack's shop the one with this id, or the published one. */
export interface Asked {
  readonly folder: string;
  readonly stack: string;
  readonly theme: string | undefined;
}

type There = Pick<ThemeFile, "type" | "name">;

/** Lists the files that a theme has in its shop. @throws CommandError where there is no such theme */
export async function shopTheme(
  { folder, stack, theme }: Asked,
  say: (line: string) => void,
): Promise<readonly There[]> {
  const opened = engine.openStack({ folder, stack, env: process.env });
  const client = createClient(connect(opened, process.env, say).transport);
  const { id: themeId } = await themeOf(client, theme, `the shop of ${stack}`);
  const files: There[] = [];
  for await (const { type, name } of client.assets.every({ themeId }))
    if (type !== undefined && name !== undefined) files.push({ type, name });
  return files;
}

/**
 * A theme of a shop: the one with this id, or the published one.
 * @param shop how messages call it
 * @throws CommandError where there is no such theme
 */
export async function themeOf({ themes }: Client, id: string | undefined, shop: string) {
  const all = await themes.list();
  const found = all.find((one) =>
    id === undefined ? one.isPublished && !one.isMobile : String(one.id) === id,
  );
  if (found?.id !== undefined) return { ...found, id: found.id };
  throw new CommandError(
    `${shop} has no ${id === undefined ? "published theme" : `theme ${id}`}; its themes are ${all.map((one) => `${one.id} (${one.title})`).join(", ")}`,
    codes.configuration,
  );
}
