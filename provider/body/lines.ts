/** Texts line by line: what two sides changed of one, from hashes alone, for the state keeps no body (docs/rules.md, rule 5). */
import { diff3Merge, diffComm } from "node-diff3";
import { hashesIn, hashOfLine, linesOf } from "../names/line-hashes.ts";

/** More lines than any template has; beyond it a text is compared as a whole. */
const mostLines = 5_000;

/** What the state keeps of a text: six characters a line; undefined where it has too many. */
export function printLineHashes(text: string): string | undefined {
  const lines = linesOf(text);
  return lines.length > mostLines ? undefined : lines.map(hashOfLine).join("");
}

/**
 * A text with both sides' changes; undefined where both changed the same lines.
 * @param before as `printLines` kept it
 * @param theirsFirst takes their lines where both changed the same ones
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

/** A text whose lines end as they do in the file that it replaces; a new line ends as the one in its place. */
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

/** The first line of ours, from 1, that both sides changed; undefined where there is none. */
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
    // The end of the last line is one side's change by itself: editors add it, and browsers take it away.
    isEnded: a.isEnded === o.isEnded ? b.isEnded : a.isEnded,
  };
}

interface Ended {
  readonly keys: string[];
  readonly isEnded: boolean;
}

/** The lines without the empty one behind the last line's end. */
function withoutEnd(keys: readonly string[]): Ended {
  const isEnded = keys.length > 1 && keys.at(-1) === hashOfLine("");
  return { keys: isEnded ? keys.slice(0, -1) : [...keys], isEnded };
}
