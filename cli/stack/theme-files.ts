/** The files of a theme as a shop has them, by type and name. */
import * as engine from "../../engine/index.ts";
import { createClient } from "../../provider/client/index.ts";
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
  const { config } = engine.openStack({ folder, stack, env: process.env });
  const client = createClient(connect(config.values, process.env, say).transport);
  const all = await client.themes.list();
  const found = all.find((one) =>
    theme === undefined ? one.isPublished && !one.isMobile : String(one.id) === theme,
  );
  if (found === undefined)
    throw new CommandError(
      `the shop of ${stack} has no ${theme === undefined ? "published theme" : `theme ${theme}`}; its themes are ${all.map(({ id, title }) => `${id} (${title})`).join(", ")}`,
      codes.configuration,
    );
  const files: There[] = [];
  for await (const { type, name } of client.assets.every({ themeId: found.id }))
    if (type !== undefined && name !== undefined) files.push({ type, name });
  return files;
}
