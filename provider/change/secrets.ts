/**
 * Keeps secrets out of all texts that leave the provider: its own messages, and the shop's answers that repeat an argument.
 * An engine gives a dynamic provider plain values; the SDK adds the names of the secret arguments (`__secret`, sdk/identity.ts).
 *
 * A short secret (a quantity, a country) can't be found in a text. Code that writes a message must hide it by its path
 * (`isSecretPath`, `shownPath`).
 */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../engine/common/record.ts";
import { topOf } from "../../engine/pulumi/path.ts";
import { isBodyName } from "../body/arguments.ts";
import { baseKeys, basesOf } from "../body/state.ts";
import { namesIn } from "../settings/protocol.ts";
import type { Values } from "../wire/codec.ts";
import { hidden, printable, printableLine, unknownValue } from "../wire/text.ts";

/** Replaces the secrets in a text. */
export type Mask = (text: string) => string;

export const secretsOf = (args: Values): readonly string[] => namesIn(args.__secret);

export const isBodySecret = (args: Values): boolean => secretsOf(args).some(isBodyName);

export function isSecretPath(args: Values, path: string): boolean {
  const top = topOf(path);
  return secretsOf(args).includes(top) || (isBodyName(top) && isBodySecret(args));
}

/** The path for a message, without the key of a secret list's item. */
export const shownPath = (args: Values, path: string): string =>
  isSecretPath(args, path) ? topOf(path) : path;

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

/** Shorter lines of a secret text are common words. */
const shortestLine = 8;

/**
 * Masks all secrets of one call, from the state and the program.
 * @param bodies the texts of secret files
 */
export function maskOf(values: readonly Values[], bodies: readonly string[] = []): Mask {
  const names = [...new Set(values.flatMap(secretsOf))];
  const found = new Set([
    ...values.flatMap((one) => names.flatMap((name) => leavesOf(one[name]))),
    ...bodies.flatMap(leavesOf),
  ]);
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

/** The SDK's text in place of an Output that a program made a string: its words are no secret, and ours has some of them. */
const outputText =
  /Calling \[to\w+\] on an \[Output<T>\] is not supported[\s\S]*?(?:more details|template literals)\.(?!\s+Or use)/;

function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === "string") return value === unknownValue ? [] : value.split(outputText);
  if (typeof value === "number") return String(value).length < shortest ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The spellings of a text in messages, addresses and documents. */
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

// The order of keyed lists (keyed-lists.ts) repeats the keys of a secret list.
const orderName = "__order";

/** A digest of all arguments in the state (state.ts): beside a secret one, whoever reads it could guess the secret. */
export const untakenKey = "__untaken";

/** Marks the order of a secret list in arguments that were read. The engine itself knows the other secrets. */
export function markedInputs(inputs: Values, values: readonly Values[]): Values {
  const { [orderName]: order } = markedOutputs({ [orderName]: inputs[orderName] }, values);
  return order === undefined ? inputs : { ...inputs, [orderName]: order };
}

/**
 * Marks the outputs that contain a secret. Engines don't recognise it in another form (a keyed list is returned as a
 * list), or in a value that the shop derives (the address of a file has its name).
 * @param values the values of the call, as for `maskOf`
 * @param olds the state before the call: its secrets that the program doesn't set stay secret until they change
 */
export function markedOutputs(outs: Values, values: readonly Values[], olds: Values = {}): Values {
  const isSet = (name: string) => values.some((one) => one[name] !== undefined);
  const stays = secretsOf(olds).filter((name) => !isSet(name) && isDeepStrictEqual(outs[name], olds[name]));
  const names = new Set([...values.flatMap(secretsOf), ...stays]);
  if (names.size === 0) return outs;
  const mask = maskOf(values);
  const holds = (value: unknown): boolean => {
    if (typeof value === "string") return mask(value) !== value;
    return Object.values(value ?? {}).some(holds);
  };
  return Object.fromEntries(
    Object.entries(outs).map(([name, value]) => {
      // What the state keeps of a secret argument beside it (`__rows`) has the same values.
      const isOwn = name.startsWith("__") && name !== orderName;
      const isSecret =
        value !== undefined &&
        (name === untakenKey || (isOwn ? names.has(name.slice(2)) : names.has(name) || holds(value)));
      // The base of a secret list.
      if (
        baseKeys.includes(name) &&
        basesOf(value)
          .flatMap(Object.keys)
          .some((one) => names.has(one))
      )
        return [name, marked(value)];
      return [name, isSecret ? marked(value) : value];
    }),
  );
}

/** A state with its secrets marked, and all their names: the shop may keep what it derived from an earlier secret. */
export function markedState(outs: Values, values: readonly Values[], olds?: Values): Values {
  const state = markedOutputs(outs, values, olds);
  const found = Object.keys(state).filter((name) => !name.startsWith("__") && isMarked(state[name]));
  const names = [...new Set([...secretsOf(outs), ...found])];
  return names.length === 0 ? state : { ...state, __secret: names.join(",") };
}

/** Start and end of a secret in a text. */
export type Range = readonly [from: number, to: number];

/** Shorter texts occur in any message. */
const shortest = 3;
/** Parts of longer secrets are found too, from this length on. */
const partLength = 16;
/** A repeated character or two occurs in any text. */
const leastDistinct = 6;
/** Longer texts are found by their lines and parts: they don't fit into a pattern. */
const longestWhole = 400;

/** Replaces each range by a word; overlapping ranges become one. */
function withoutRanges(text: string, stretches: readonly Range[], word: string): string {
  let shown = "";
  let until = 0;
  for (const [from, to] of stretches.toSorted(([one], [two]) => one - two)) {
    if (from >= until) shown += text.slice(until, from) + word;
    until = Math.max(until, to);
  }
  return shown + text.slice(until);
}

function linesIn(text: string, line: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + line.length))
    found.push([at, at + line.length]);
  return found;
}

/** The ranges that a text shares with a long secret: a line, or what remained after a cut. */
function partsIn(text: string, secrets: readonly string[]): readonly Range[] {
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

// A generator, because a text may have millions.
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at + partLength <= text.length; at += 1) yield text.slice(at, at + partLength);
}

/** The start of a secret before the `...` of a shortened message. */
function cutsIn(text: string, secret: string): readonly Range[] {
  return [...text.matchAll(/\.\.\.|…/g)].flatMap(({ index }): readonly Range[] => {
    for (let length = Math.min(index, secret.length - 1); length > shortest; length -= 1)
      if (text.startsWith(secret.slice(0, length), index - length)) return [[index - length, index]];
    return [];
  });
}

function wholesOf(texts: readonly string[], numbers: readonly number[]): (text: string) => readonly Range[] {
  const sources = [
    ...texts.filter((text) => text.length <= longestWhole).map(textSource),
    ...numbers.map(numberSource),
  ];
  // One pattern for each, so that overlapping secrets are both found.
  const patterns = sources.map((source) => new RegExp(source, "giu"));
  return (text) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]),
    );
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// A short text may be part of another word.
function textSource(text: string): string {
  const source = escaped(text);
  return text.length > 5 ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`;
}

// A shop writes 180 as 180.0 and 12.5 as 12.50.
function numberSource(value: number): string {
  const text = escaped(String(value));
  const zeros = Number.isInteger(value) ? "(?:\\.0+)?" : "0*";
  return `(?<!\\d|\\d[.,])${text}${zeros}(?!\\d|[.,]\\d)`;
}

const signature = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** Whether a value is a secret of Pulumi's protocol, or one that a state has encrypted. */
export const isMarked = (value: unknown): value is { readonly value?: unknown } & Values =>
  isRecord(value) && value[signature] === secretMark;

/** Marks a value as secret, as Pulumi's protocol does (sdk/nodejs/runtime/rpc.ts). */
export const marked = (value: unknown): unknown =>
  isMarked(value) ? value : { [signature]: secretMark, value };

function bareValue(value: unknown): unknown {
  if (isMarked(value)) return bareValue(value.value ?? null);
  if (Array.isArray(value)) return value.map(bareValue);
  return isRecord(value) ? bareValues(value) : value;
}

/** Removes secret marks, at any depth. */
export const bareValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bareValue(value)]));

/** The names of values that contain a secret. */
export const markedNames = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (holdsMark(value) ? [name] : []));

function holdsMark(value: unknown): boolean {
  if (isMarked(value)) return true;
  if (Array.isArray(value)) return value.some(holdsMark);
  return isRecord(value) && Object.values(value).some(holdsMark);
}
