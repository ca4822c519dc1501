/** Merges texts line by line. The state has only hashes of the lines (docs/rules.md, rule 5). */
import { diff3Merge, diffComm } from "node-diff3";
import { hashesIn, hashOfLine, linesOf } from "../names/line-hashes.ts";

/** No template has more lines; a longer text is compared as a whole. */
const mostLines = 5_000;

/** The hashes for the state: six characters for each line; undefined if there are too many. */
export function printLineHashes(text: string): string | undefined {
  const lines = linesOf(text);
  return lines.length > mostLines ? undefined : lines.map(hashOfLine).join("");
}

/**
 * Merges the changes of both sides; undefined if both changed the same lines.
 * @param before the result of `printLineHashes`
 * @param theirsFirst takes the other side's lines in a conflict
 */
export function mergedLines(
  mine: string,
  before: string,
  theirs: string,
  theirsFirst = false,
): string | undefined {
  const { regions, lines, isEnded } = sidesOf(mine, before, theirs);
  if (!theirsFirst && regions.some(({ conflict }) => conflict)) return undefined;
  const merged = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.b ?? []);
  return merged.map((key) => lines.get(key) ?? "").join("\n") + (isEnded ? "\n" : "");
}

/** How many lines a text lacks or adds. @param before the result of `printLineHashes` */
export const lineDistance = (mine: string, before: string): number =>
  diffComm(linesOf(mine).map(hashOfLine), [...hashesIn(before)]).reduce(
    (sum, chunk) => sum + ("common" in chunk ? 0 : chunk.buffer1.length + chunk.buffer2.length),
    0,
  );

/** Gives a text the line ends of the file that it replaces; a new line gets those of the line in its place. */
export function withEndsOf(file: string, text: string): string {
  const ends = [...file.matchAll(/\r?\n/g)].map(([end]) => end);
  const [first = "\n"] = ends;
  if (ends.every((end) => end === first)) return text.replaceAll("\n", first);
  const [before, lines] = [file.replaceAll("\r\n", "\n"), text].map((one) => one.split("\n"));
  let at = 0;
  const own = diffComm(before ?? [], lines ?? []).flatMap((chunk) => {
    const [old, now] = "common" in chunk ? [chunk.common, chunk.common] : [chunk.buffer1, chunk.buffer2];
    const from = at;
    at += old.length;
    return now.map((line, index) => [line, ends[Math.min(from + index, at - 1)] ?? first]);
  });
  return own.flat().slice(0, -1).join("");
}

/** The number of the first line, from 1, in conflict; undefined without a conflict. */
export function conflictLine(mine: string, before: string, theirs: string): number | undefined {
  const found = sidesOf(mine, before, theirs).regions.find(({ conflict }) => conflict)?.conflict;
  return found === undefined ? undefined : found.aIndex + 1;
}

function sidesOf(mine: string, before: string, theirs: string) {
  const sides = [mine, theirs].map((text) => linesOf(text).map((line) => [hashOfLine(line), line] as const));
  const [a = withoutEnd([]), b = withoutEnd([])] = sides.map((side) => withoutEnd(side.map(([key]) => key)));
  const o = withoutEnd(hashesIn(before));
  const regions = diff3Merge(a.keys, o.keys, b.keys, { excludeFalseConflicts: true });
  return {
    regions,
    lines: new Map(sides.flat()),
    // The line feed at the end is merged by itself: editors add it, browsers remove it.
    isEnded: a.isEnded === o.isEnded ? b.isEnded : a.isEnded,
  };
}

interface Ended {
  readonly keys: string[];
  readonly isEnded: boolean;
}

/** Without the empty line behind the last line feed. */
function withoutEnd(keys: readonly string[]): Ended {
  const isEnded = keys.length > 1 && keys.at(-1) === hashOfLine("");
  return { keys: isEnded ? keys.slice(0, -1) : [...keys], isEnded };
}
