/**
 * Keeps secrets out of all texts that leave the provider: its own messages, and the shop's answers that repeat an argument.
 * An engine gives a dynamic provider plain values; the SDK adds the names of the secret arguments (`__secret`, sdk/identity.ts).
 *
 * A short secret (a quantity, a country) can't be found in a text. Code that writes a message must hide it by its path
 * (`isSecretPath`, `shownPath`).
 */
import { topOf } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { isBodyName } from "../body/arguments.ts";
import { baseKey } from "../body/state.ts";
import { namesIn } from "../settings/protocol.ts";
import type { Values } from "../wire/codec.ts";
import { printable, printableLine } from "../wire/printable.ts";
import { hidden, unknownValue } from "../wire/text.ts";

/** The same text without any secret of a call. */
export type Mask = (text: string) => string;

/** What the program marked as a secret, by argument. */
export const secretsOf = (args: Values): readonly string[] => namesIn(args.__secret);

/** Whether a body is secret, by whichever argument it is stated. */
export const isBodySecret = (args: Values): boolean => secretsOf(args).some(isBodyName);

/** Whether what stands at a path of arguments is a secret; a body is one under each of its names. */
export function isSecretPath(args: Values, path: string): boolean {
  const top = topOf(path);
  return secretsOf(args).includes(top) || (isBodyName(top) && isBodySecret(args));
}

/** A path as a message shows it: the key of a secret list's item is a part of the secret. */
export const shownPath = (args: Values, path: string): string =>
  isSecretPath(args, path) ? topOf(path) : path;

/** A value without any secret of a call, at any depth. */
export function masked<T>(value: T, mask: Mask): T {
  const shown = (one: unknown): unknown => {
    if (typeof one === "string") return mask(one);
    if (typeof one === "number") return mask(String(one)) === String(one) ? one : hidden;
    if (Array.isArray(one)) return one.map(shown);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [mask(name), shown(inner)]));
  };
  return shown(value) as T;
}

/** A line of a secret text that is shorter says nothing of its own. */
const shortestLine = 8;

/**
 * The mask of all that is secret in the values of one call, the state's and the program's.
 * @param bodies texts of secret files, which the values only name
 */
export function maskOf(values: readonly Values[], bodies: readonly string[] = []): Mask {
  const names = [...new Set(values.flatMap(secretsOf))];
  const found = new Set([
    ...values.flatMap((one) => names.flatMap((name) => leavesOf(one[name]))),
    ...bodies.flatMap(leavesOf),
  ]);
  // Most calls hold no secret.
  if (found.size === 0) return (text) => text;
  const texts = [...new Set([...found].filter((leaf) => typeof leaf === "string").flatMap(spellings))];
  const numbers = [...found].filter((leaf) => typeof leaf === "number");
  const lines = [...new Set(texts.flatMap((text) => text.split("\n").map((line) => line.trim())))].filter(
    (line) => line.length >= shortestLine,
  );
  const whole = wholesOf(texts, numbers);
  const cuttable = [...texts, ...numbers.map(String)];
  return (text) => {
    const stretches = [
      ...lines.flatMap((line) => linesIn(text, line)),
      ...partsIn(text, texts),
      ...cuttable.flatMap((secret) => cutsIn(text, secret)),
      ...whole(text),
    ];
    return withoutRanges(text, stretches, hidden);
  };
}

function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === "string") return value === unknownValue ? [] : [value];
  if (typeof value === "number") return String(value).length < shortest ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** A text as messages, addresses and documents spell it. */
function spellings(text: string): readonly string[] {
  const trimmed = text.trim();
  return [
    text,
    trimmed,
    JSON.stringify(text).slice(1, -1),
    printable(text),
    printableLine(text, Number.POSITIVE_INFINITY),
    encodeURI(text.toWellFormed()),
    encodeURIComponent(text.toWellFormed()),
  ].filter((one) => one.length >= shortest);
}

// The keys of lists, beside them (keyed-lists.ts): the one word of ours among arguments that repeats them.
const orderName = "__order";

/** Arguments that were read, with the keys of a secret list marked; what else is secret the engine knows. */
export function markedInputs(inputs: Values, values: readonly Values[]): Values {
  const { [orderName]: order } = markedOutputs({ [orderName]: inputs[orderName] }, values);
  return order === undefined ? inputs : { ...inputs, [orderName]: order };
}

/**
 * Outputs with those marked as secret that hold one: under its own name in another shape, which engines don't
 * recognise (a keyed list comes back as a list), or under the name of what a shop makes of it (a file's address has its
 * name).
 * @param values the call's, as for `maskOf`
 */
export function markedOutputs(outs: Values, values: readonly Values[]): Values {
  const names = new Set(values.flatMap(secretsOf));
  if (names.size === 0) return outs;
  const mask = maskOf(values);
  const holds = (value: unknown): boolean => {
    if (typeof value === "string") return mask(value) !== value;
    return Object.values(value ?? {}).some(holds);
  };
  return Object.fromEntries(
    Object.entries(outs).map(([name, value]) => {
      const isSecret =
        (!name.startsWith("__") || name === orderName) &&
        value !== undefined &&
        (names.has(name) || holds(value));
      // What was asked of a secret list stands beside it.
      if (name === baseKey && Object.keys(value ?? {}).some((one) => names.has(one)))
        return [name, marked(value)];
      return [name, isSecret ? marked(value) : value];
    }),
  );
}

/** A place of a text where a secret begins, and the one behind its end. */
export type Range = readonly [from: number, to: number];

/** Texts shorter than this are words of any message. */
export const shortest = 3;
/** What is longer is also found in parts, of so many characters and more. */
const partLength = 16;
/** A run of one or two characters, repeated, is in any text. */
const leastDistinct = 6;
/** Longer texts, which no pattern has room for, are found by their lines and parts alone. */
const longestWhole = 400;

/** The text with one word in place of each stretch; those that overlap are one. */
export function withoutRanges(text: string, stretches: readonly Range[], word: string): string {
  let shown = "";
  let until = 0;
  for (const [from, to] of stretches.toSorted(([one], [two]) => one - two)) {
    if (from >= until) shown += text.slice(until, from) + word;
    until = Math.max(until, to);
  }
  return shown + text.slice(until);
}

/** Every place where a line stands. */
export function linesIn(text: string, line: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + line.length))
    found.push([at, at + line.length]);
  return found;
}

/** Every stretch that a text shares with one of its long secrets: a line of it, or what a limit of length left. */
export function partsIn(text: string, secrets: readonly string[]): readonly Range[] {
  const pieces = new Set(piecesOf(text));
  if (pieces.size === 0) return [];
  const shared = new Set<string>();
  for (const secret of secrets)
    for (const piece of piecesOf(secret))
      if (pieces.has(piece) && new Set(piece).size >= leastDistinct) shared.add(piece);
  const found: Range[] = [];
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
export function cutsIn(text: string, secret: string): readonly Range[] {
  return [...text.matchAll(/\.\.\.|…/g)].flatMap(({ index }): readonly Range[] => {
    for (let length = Math.min(index, secret.length - 1); length > shortest; length -= 1)
      if (text.startsWith(secret.slice(0, length), index - length)) return [[index - length, index]];
    return [];
  });
}

/** What finds texts and numbers that stand whole in another, in capitals too. */
export function wholesOf(
  texts: readonly string[],
  numbers: readonly number[],
): (text: string) => readonly Range[] {
  const sources = [
    ...texts.filter((text) => text.length <= longestWhole).map(textSource),
    ...numbers.map(numberSource),
  ];
  // One for each: of two that overlap both are found.
  const patterns = sources.map((source) => new RegExp(source, "giu"));
  return (text) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]),
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

const signature = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

const isMarked = (value: unknown): value is { readonly value?: unknown } & Values =>
  isRecord(value) && value[signature] === secretMark;

/** A value marked as secret. */
export const marked = (value: unknown): unknown =>
  isMarked(value) ? value : { [signature]: secretMark, value };

/** A value without marks, at any depth. */
function bareValue(value: unknown): unknown {
  if (isMarked(value)) return bareValue(value.value ?? null);
  if (Array.isArray(value)) return value.map(bareValue);
  return isRecord(value) ? bareValues(value) : value;
}

/** Values without marks, at any depth. */
export const bareValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bareValue(value)]));

/** The names of those values that are secret, or hold a secret. */
export const markedNames = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (holdsMark(value) ? [name] : []));

function holdsMark(value: unknown): boolean {
  if (isMarked(value)) return true;
  if (Array.isArray(value)) return value.some(holdsMark);
  return isRecord(value) && Object.values(value).some(holdsMark);
}
