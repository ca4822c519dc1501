/** What differs between two texts, as every tool that reads hunks has it. */
import { createRequire } from "node:module";
import { lineFeeds } from "../wire/text.ts";

/** Enough to see what was done; the whole is in the shop. */
export const mostLines = 40;

/** Texts that differ in more lines have nothing in common that a person looks for, and take seconds to compare. */
const mostDiffering = 2_000;

/** Lines of unified hunks; a line that ends without a line feed is followed by one that says so. */
export function hunks(before: string, after: string): readonly string[] {
  // Loaded by the few runs that show a text.
  const { structuredPatch } = createRequire(import.meta.url)("diff") as typeof import("diff");
  const patch = (from: string, to: string, maxEditLength: number) =>
    structuredPatch("", "", from, to, "", "", { context: 2, maxEditLength })?.hunks;
  const [old, now] = [lineFeeds(before), lineFeeds(after)];
  const whole = () => {
    const [gone, come] = [patch(old, "", Number.POSITIVE_INFINITY), patch("", now, Number.POSITIVE_INFINITY)];
    const [from, to] = [gone?.[0], come?.[0]];
    const lines = [...(from?.lines ?? []), ...(to?.lines ?? [])];
    return [{ oldStart: 1, oldLines: from?.oldLines ?? 0, newStart: 1, newLines: to?.newLines ?? 0, lines }];
  };
  const found = patch(old, now, mostDiffering) ?? whole();
  return found.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** Of no lines it is the line before them. */
const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;

/** The first of them. */
export function firstLines(lines: readonly string[], most = mostLines): readonly string[] {
  const more = lines.length > most ? [`... and ${lines.length - most} more lines`] : [];
  return [...lines.slice(0, most), ...more];
}

/** The same as one text, as many lines as wanted. */
export const hunksText = (before: string, after: string, most: number): string =>
  firstLines(hunks(before, after), most).join("\n");
