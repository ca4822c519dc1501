/** What others changed in a text, line by line: a hash alone tells nobody anything (design.md, Resources). */
import { structuredPatch } from "diff";
import { readBody, sha256 } from "./body.ts";
import type { Values } from "./codec.ts";
import type { FileFact } from "./define.ts";
import { lineFeeds } from "./diff.ts";

/** Enough to see what was done; the whole is in the shop. */
const mostLines = 40;

/**
 * The changed lines of a remote text against the file that was written to it.
 * @returns nothing where the text is as it was, or the file is no longer what was written
 */
export async function driftOf(
  olds: Values,
  seen: Values,
  hash: unknown,
  folder: string,
): Promise<string | undefined> {
  const file = olds.file as FileFact | undefined;
  if (file === undefined || typeof seen.content !== "string" || olds.sha256 === hash) return undefined;
  const local = await readBody(file.path, folder).catch(() => undefined);
  if (local?.text === undefined || sha256(local.bytes) !== olds.sha256) return undefined;
  const { hunks } = structuredPatch("", "", local.text, lineFeeds(seen.content), "", "", { context: 1 });
  const lines = hunks.flatMap(({ newStart, lines: changed }) => [`@@ line ${newStart} @@`, ...changed]);
  const more = lines.length > mostLines ? [`... and ${lines.length - mostLines} more lines`] : [];
  return [...lines.slice(0, mostLines), ...more].join("\n");
}
