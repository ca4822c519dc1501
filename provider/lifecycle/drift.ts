/** What changed in a text, line by line: a hash alone tells nobody anything. */

import { createRequire } from "node:module";
import { fileIn, hashIn, isBodyName, shownText, textIn } from "../body/arguments.ts";
import { readBody, sha256 } from "../body/body.ts";
import type { Definition } from "../definition/define.ts";
import type { Shop } from "../run/context.ts";
import { differences } from "../values/diff.ts";
import { isBodySecret } from "../values/secrecy.ts";
import type { Values } from "../wire/codec.ts";
import { lineFeeds } from "../wire/text.ts";
import { observe } from "./observe.ts";

/** Enough to see what was done; the whole is in the shop. */
const mostLines = 40;

/**
 * The changed lines of a remote text against the file that was written to it.
 * @returns nothing where the text is as it was, or a secret, or the file is no longer what was written
 */
export async function driftOf(
  olds: Values,
  seen: Values,
  hash: unknown,
  { folder, allowOutside }: Pick<Shop, "folder" | "allowOutside">,
): Promise<string | undefined> {
  const file = fileIn(olds);
  const shown = shownText(seen);
  if (isBodySecret(olds)) return undefined;
  if (file === undefined || shown === undefined || hashIn(olds) === hash) return undefined;
  const local = await readBody(file.path, folder, allowOutside).catch(() => undefined);
  if (local?.text === undefined || sha256(local.bytes) !== hashIn(olds)) return undefined;
  return hunks(local.text, shown, mostLines);
}

/**
 * What an update would do to a text, as unified hunks: the text as the shop has it now against the program's.
 * @returns nothing where no text changes, where it is a secret, or where the engine's own difference shows all of it
 */
export async function textChange(
  definition: Definition,
  shop: Shop,
  id: string,
  olds: Values,
  args: Values,
): Promise<string | undefined> {
  if (isBodySecret(olds) || isBodySecret(args)) return undefined;
  const changed = differences(definition, olds, args);
  if (definition.body?.text === undefined || !changed.some((name) => isBodyName(name))) return undefined;
  const file = fileIn(args);
  const next =
    file === undefined ? textIn(args) : (await readBody(file.path, shop.folder, shop.allowOutside)).text;
  const seen = await observe(definition, shop, id);
  const remote = typeof seen === "object" ? shownText(seen) : undefined;
  if (next === undefined || remote === undefined) return undefined;
  // An inline text is among the arguments: their difference is this one, unless others edited it since.
  if (file === undefined && sha256(remote) === hashIn(olds)) return undefined;
  return hunks(remote, lineFeeds(next), Number.POSITIVE_INFINITY);
}

/** What differs between two texts, as unified hunks of at most so many lines. */
export function hunks(before: string, after: string, most: number): string {
  // Loaded by the few runs that show a text.
  const { structuredPatch } = createRequire(import.meta.url)("diff") as typeof import("diff");
  const { hunks: found } = structuredPatch("", "", before, after, "", "", { context: 2 });
  const lines = found.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...changed,
  ]);
  const more = lines.length > most ? [`... and ${lines.length - most} more lines`] : [];
  return [...lines.slice(0, most), ...more].join("\n");
}

/** Of no lines it is the line before them, as every tool that reads hunks has it. */
const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
