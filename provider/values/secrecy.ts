/**
 * What a program marked as secret leaves the provider in no text: not in a message of ours that quotes arguments, not
 * in a shop's answer that repeats them, whole or cut. The engine hands a dynamic provider plain values, and the SDK
 * says beside them which arguments hold a secret (sdk/identity.ts, `__secret`).
 *
 * What is too short to be told from other words (a quantity, a country) can't be found in a text: whoever writes a
 * message hides it by its path (`isSecretPath`, `shownPath`).
 */
import { isBodyName } from "../body/arguments.ts";
import type { Values } from "../wire/codec.ts";
import { printable, printableLine } from "../wire/printable.ts";
import { unknownValue } from "../wire/text.ts";
import { topOf } from "./diff.ts";
import { marked } from "./marks.ts";

/** What a text shows of a secret. */
export const hidden = "[secret]";

/** The same text without any secret of a call. */
export type Mask = (text: string) => string;

/** What the program marked as a secret, by argument. */
export const secretsOf = (args: Values): readonly string[] =>
  String(args.__secret ?? "")
    .split(",")
    .filter((name) => name !== "");

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

/** Texts shorter than this are words of any message. */
const shortest = 3;
/** A line of a secret text that is shorter says nothing of its own. */
const shortestLine = 8;
/** Texts longer than this are also found in parts, of so many characters and more. */
const partLength = 16;
/** A run of one or two characters, repeated, is in any text. */
const leastDistinct = 6;
/** Longer texts are found by their parts alone. */
const longestWhole = 400;

/**
 * The mask of all that is secret in the values of one call, the state's and the program's.
 * @param bodies texts of secret files, which the values only name
 */
export function maskOf(values: readonly Values[], bodies: readonly string[] = []): Mask {
  const names = [...new Set(values.flatMap(secretsOf))];
  if (names.length === 0) return (text) => text;
  const found = new Set([
    ...values.flatMap((one) => names.flatMap((name) => leavesOf(one[name]))),
    ...bodies.flatMap(leavesOf),
  ]);
  const texts = [...found].filter((leaf) => typeof leaf === "string").flatMap(spellings);
  const numbers = [...found].filter((leaf) => typeof leaf === "number");
  const lines = texts
    .flatMap((text) => (text.includes("\n") ? text.split("\n").map((line) => line.trim()) : []))
    .filter((line) => line.length >= shortestLine);
  const long = [...new Set(texts)].filter((text) => text.length > partLength);
  const whole = wholePattern([...new Set(texts)], numbers);
  return (text) => {
    const lineless = lines.reduce((rest, line) => rest.replaceAll(line, hidden), text);
    const parts = long.reduce(withoutParts, lineless);
    const uncut = [...texts, ...numbers.map(String)].reduce(withoutCut, parts);
    return whole === undefined ? uncut : uncut.replace(whole, hidden);
  };
}

function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === "string") return value.length < shortest || value === unknownValue ? [] : [value];
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

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function wholePattern(texts: readonly string[], numbers: readonly number[]): RegExp | undefined {
  const sources = [
    ...texts
      .filter((text) => text.length <= longestWhole)
      .toSorted((one, two) => two.length - one.length)
      .map(textSource),
    ...numbers.map(numberSource),
  ];
  return sources.length === 0 ? undefined : new RegExp(sources.join("|"), "giu");
}

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

/** Every stretch that a text shares with a long secret: a line of it, or what a limit of length left. */
function withoutParts(text: string, secret: string): string {
  if (text.length < partLength) return text;
  const pieces = new Set<string>();
  for (let at = 0; at + partLength <= text.length; at += 1) pieces.add(text.slice(at, at + partLength));
  const shared = new Set<string>();
  for (let at = 0; at + partLength <= secret.length; at += 1) {
    const piece = secret.slice(at, at + partLength);
    if (pieces.has(piece) && new Set(piece).size >= leastDistinct) shared.add(piece);
  }
  if (shared.size === 0) return text;
  let shown = "";
  let secretUntil = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (shared.has(text.slice(at, at + partLength))) {
      if (secretUntil <= at) shown += hidden;
      secretUntil = at + partLength;
    }
    if (at >= secretUntil) shown += text[at];
  }
  return shown;
}

/** The beginning of a secret where a message was cut: before its `...`. */
function withoutCut(text: string, secret: string): string {
  const parts = text.split(/(\.\.\.|…)/);
  if (parts.length === 1) return text;
  const isBeforeCut = (index: number) => index % 2 === 0 && index + 1 < parts.length;
  return parts.map((part, index) => (isBeforeCut(index) ? withoutEnd(part, secret) : part)).join("");
}

function withoutEnd(part: string, secret: string): string {
  for (let length = Math.min(part.length, secret.length - 1); length >= shortest + 1; length -= 1)
    if (part.endsWith(secret.slice(0, length))) return part.slice(0, -length) + hidden;
  return part;
}

// The keys of lists, beside them (shapes.ts): the one word of ours among arguments that repeats them.
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
    return typeof value === "object" && value !== null && Object.values(value).some(holds);
  };
  return Object.fromEntries(
    Object.entries(outs).map(([name, value]) => {
      const isSecret =
        (!name.startsWith("__") || name === orderName) &&
        value !== undefined &&
        (names.has(name) || holds(value));
      return [name, isSecret ? marked(value) : value];
    }),
  );
}
