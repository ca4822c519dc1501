/**
 * What a program marked as secret leaves the provider in no text: not in a message of ours that quotes arguments, not
 * in a shop's answer that repeats them, whole or cut. The engine hands a dynamic provider plain values, and the SDK
 * says beside them which arguments hold a secret (sdk/identity.ts, `__secret`).
 *
 * What is too short to be told from other words (a quantity, a country) can't be found in a text: whoever writes a
 * message hides it by its path (`isSecretPath`, `shownPath`).
 */
import { topOf } from "../../engine/pulumi/path.ts";
import { isBodyName } from "../body/arguments.ts";
import { namesIn } from "../settings/protocol.ts";
import type { Values } from "../wire/codec.ts";
import { printable, printableLine } from "../wire/printable.ts";
import { hidden, unknownValue } from "../wire/text.ts";
import { askedKey } from "./asked.ts";
import { marked } from "./marks.ts";
import { cutsIn, linesIn, partsIn, shortest, wholesOf, withoutStretches } from "./stretches.ts";

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
    return withoutStretches(text, stretches, hidden);
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
    return Object.values(value ?? {}).some(holds);
  };
  return Object.fromEntries(
    Object.entries(outs).map(([name, value]) => {
      const isSecret =
        (!name.startsWith("__") || name === orderName) &&
        value !== undefined &&
        (names.has(name) || holds(value));
      // What was asked of a secret list stands beside it.
      if (name === askedKey && Object.keys(value ?? {}).some((one) => names.has(one)))
        return [name, marked(value)];
      return [name, isSecret ? marked(value) : value];
    }),
  );
}
