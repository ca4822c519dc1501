/** What differs between two texts, as every tool that reads hunks has it. */
import { createRequire } from "node:module";

/** Lines of unified hunks; a line that ends without a line feed is followed by one that says so. */
export function hunks(before: string, after: string): readonly string[] {
  // Loaded by the few runs that show a text.
  const { structuredPatch } = createRequire(import.meta.url)("diff") as typeof import("diff");
  const { hunks: found } = structuredPatch("", "", before, after, "", "", { context: 2 });
  return found.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** Of no lines it is the line before them. */
const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;

/** The first of them, as many lines as wanted, as one text. */
export function hunksText(before: string, after: string, most: number): string {
  const lines = hunks(before, after);
  const more = lines.length > most ? [`... and ${lines.length - most} more lines`] : [];
  return [...lines.slice(0, most), ...more].join("\n");
}
