/**
 * Where a text shows a secret: whole, a line of it, a part, or its beginning before a cut. Each looks at the text as it
 * came, since what one of them has hidden the next can't recognise; what they found is hidden together.
 */

/** A place of a text where a secret begins, and the one behind its end. */
export type Stretch = readonly [from: number, to: number];

/** Texts shorter than this are words of any message. */
export const shortest = 3;
/** What is longer is also found in parts, of so many characters and more. */
const partLength = 16;
/** A run of one or two characters, repeated, is in any text. */
const leastDistinct = 6;
/** Longer texts, which no pattern has room for, are found by their lines and parts alone. */
const longestWhole = 400;

/** The text with one word in place of each stretch; those that overlap are one. */
export function withoutStretches(text: string, stretches: readonly Stretch[], word: string): string {
  let shown = "";
  let until = 0;
  for (const [from, to] of stretches.toSorted(([one], [two]) => one - two)) {
    if (from >= until) shown += text.slice(until, from) + word;
    until = Math.max(until, to);
  }
  return shown + text.slice(until);
}

/** Every place where a line stands. */
export function linesIn(text: string, line: string): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + line.length))
    found.push([at, at + line.length]);
  return found;
}

/** Every stretch that a text shares with one of its long secrets: a line of it, or what a limit of length left. */
export function partsIn(text: string, secrets: readonly string[]): readonly Stretch[] {
  const pieces = new Set(piecesOf(text));
  if (pieces.size === 0) return [];
  const shared = new Set<string>();
  for (const secret of secrets)
    for (const piece of piecesOf(secret))
      if (pieces.has(piece) && new Set(piece).size >= leastDistinct) shared.add(piece);
  const found: Stretch[] = [];
  let at = 0;
  for (const piece of piecesOf(text)) {
    if (shared.has(piece)) found.push([at, at + partLength]);
    at += 1;
  }
  return found;
}

// One after another: a text may have millions.
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at + partLength <= text.length; at += 1) yield text.slice(at, at + partLength);
}

/** The beginning of a secret where a message was cut: before its `...`. */
export function cutsIn(text: string, secret: string): readonly Stretch[] {
  return [...text.matchAll(/\.\.\.|…/g)].flatMap(({ index }): readonly Stretch[] => {
    for (let length = Math.min(index, secret.length - 1); length > shortest; length -= 1)
      if (text.startsWith(secret.slice(0, length), index - length)) return [[index - length, index]];
    return [];
  });
}

/** What finds texts and numbers that stand whole in another, in capitals too. */
export function wholesOf(
  texts: readonly string[],
  numbers: readonly number[],
): (text: string) => readonly Stretch[] {
  const sources = [
    ...texts.filter((text) => text.length <= longestWhole).map(textSource),
    ...numbers.map(numberSource),
  ];
  // One for each: of two that overlap both are found.
  const patterns = sources.map((source) => new RegExp(source, "giu"));
  return (text) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match): Stretch => [match.index, match.index + match[0].length]),
    );
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// A short text may be a part of a word that means something else.
function textSource(text: string): string {
  const source = escaped(text);
  return text.length > 5 ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`;
}

// 180 is 180.0 to a shop, and 12.5 is 12.50.
function numberSource(value: number): string {
  const text = escaped(String(value));
  const zeros = Number.isInteger(value) ? "(?:\\.0+)?" : "0*";
  return `(?<!\\d|\\d[.,])${text}${zeros}(?!\\d|[.,]\\d)`;
}
