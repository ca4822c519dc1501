/** Long values cut around what differs between them: equal beginnings and ends tell a reader nothing. */

import { withSign } from "./units.ts";

/** Letters that are shown before and after what differs. */
const around = 20;

/**
 * Texts of at most so many letters each, with `…` where something was left out. Short ones come back as they are.
 * @param shown letters of what differs that are shown at most
 */
export function excerptsOf(texts: readonly string[], most: number, shown = most): readonly string[] {
  if (texts.every(({ length }) => length <= most)) return texts;
  const letters = texts.map((text) => [...text]);
  const shortest = Math.min(...letters.map(({ length }) => length));
  const [first = []] = letters;
  const isEqualAt = (at: number) => letters.every((one) => one.at(at) === first.at(at));
  let before = 0;
  while (before < shortest && isEqualAt(before)) before += 1;
  let after = 0;
  while (after < shortest - before && isEqualAt(-1 - after)) after += 1;
  return letters.map((one) => cut(one, Math.max(before - around, 0), Math.max(after - around, 0), shown));
}

function cut(letters: readonly string[], before: number, after: number, most: number): string {
  const shown = letters.slice(before, letters.length - after);
  const [open, close] = [before > 0 ? "…" : "", after > 0 ? "…" : ""];
  if (shown.length <= most) return open + shown.join("") + close;
  // What differs is longer than that: it begins and ends here.
  const half = Math.floor(most / 2);
  return `${open}${shown.slice(0, half).join("")} … ${shown.slice(-half).join("")}${close}`;
}

const mostQuoted = 80;

/**
 * Values as a message quotes them beside each other; nothing, and an empty text, is `unset`.
 * @param units what stands behind the numbers
 */
export function quotedApart(
  values: readonly unknown[],
  units: readonly (string | undefined)[] = [],
): readonly string[] {
  const isNone = (value: unknown) => value === undefined || value === null || value === "";
  const stated = values.filter((value) => !isNone(value));
  const texts = stated.filter((value) => typeof value === "string");
  const areTexts = texts.length === stated.length;
  const cuts = excerptsOf(areTexts ? texts : stated.map((value) => JSON.stringify(value)), mostQuoted);
  const shown = areTexts ? cuts.map((text) => JSON.stringify(text)) : [...cuts];
  return values.map((value, index) =>
    isNone(value) ? "unset" : withSign(value, shown[stated.indexOf(value)] ?? "unset", units[index]),
  );
}
