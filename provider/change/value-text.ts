/** Values as messages show them. */

import { createRequire } from "node:module";
import { isRecord } from "../../engine/common/record.ts";
import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { isBody } from "../body/arguments.ts";
import { type Definition, fieldOf, type Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { withLineFeeds } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { itemName, pairItems } from "./compare.ts";
import { isSecretPath } from "./secrets.ts";

/** Characters shown before and after the difference. */
const around = 20;

/**
 * Shortens texts around their difference, with `…` where they are cut. Short texts stay as they are.
 * @param shown maximum number of characters of the difference
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
  // The difference itself is too long: show its start and its end.
  const half = Math.floor(most / 2);
  return `${open}${shown.slice(0, half).join("")} … ${shown.slice(-half).join("")}${close}`;
}

/** Shows the white space of texts that differ only in it: Markdown joins spaces, and a terminal hides their kind. */
export function withShownSpaces(texts: readonly string[]): readonly string[] {
  const joined = new Set(texts.map((text) => text.replace(/\s+/g, " ").trim()));
  if (joined.size === new Set(texts).size) return texts;
  return texts.map((text) =>
    text
      .replace(/(?<=^|\s) | (?=\s|$)/g, "␣")
      .replace(/[\n\t]/g, (sign) => (sign === "\n" ? "\\n" : "\\t"))
      .replace(/[^\S ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

const mostQuoted = 80;

/**
 * Quotes values side by side. Nothing and an empty text are `unset`.
 * @param units the units of the numbers
 */
export function quotedSideBySide(
  values: readonly unknown[],
  units: readonly (string | undefined)[] = [],
): readonly string[] {
  const isNone = (value: unknown) => value === undefined || value === null || value === "";
  const stated = values.filter((value) => !isNone(value));
  const texts = stated.filter((value) => typeof value === "string");
  const areTexts = texts.length === stated.length;
  const cuts = excerptsOf(areTexts ? texts : stated.map((value) => JSON.stringify(value)), mostQuoted);
  const shown = areTexts ? withShownSpaces(cuts.map((text) => JSON.stringify(text))) : cuts;
  return values.map((value, index) =>
    isNone(value) ? "unset" : withUnit(value, shown[stated.indexOf(value)] ?? "unset", units[index]),
  );
}

/**
 * The unit of a number: `%`, or nothing for money.
 * @param path the argument
 * @param otherOf the other arguments, on the same side of the change
 */
export function unitOf(
  { fields }: Pick<Definition, "fields">,
  path: string,
  otherOf: (name: string) => unknown,
): string {
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  const isNumberOfIt = fields[path]?.role === "discount" && name !== undefined;
  return isNumberOfIt && otherOf(name) === unit?.percent ? "%" : "";
}

/** Only numbers have a unit. */
export const withUnit = (value: unknown, text: string, sign = ""): string =>
  typeof value === "number" && sign !== "" ? `${text} ${sign}` : text;

/** Enough to recognise the change; the shop has the whole text. */
export const mostLines = 40;

/** A comparison of texts that differ in more lines takes seconds and helps nobody. */
const mostDiffering = 2_000;

let loaded: typeof import("diff") | undefined;

/** The lines of unified hunks. A last line without a line feed is followed by a remark. */
export function hunks(before: string, after: string): readonly string[] {
  // Loaded late: few runs show a text.
  loaded ??= createRequire(import.meta.url)("diff") as typeof import("diff");
  const { structuredPatch } = loaded;
  const patch = (from: string, to: string, maxEditLength: number) =>
    structuredPatch("", "", from, to, "", "", { context: 2, maxEditLength })?.hunks;
  const [old, now] = [withLineFeeds(before), withLineFeeds(after)];
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

/** A range without lines names the line before it. */
const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;

/** The first lines, and the number of the others. */
export function firstLines(lines: readonly string[], most = mostLines): readonly string[] {
  const more = lines.length > most ? [`... and ${lines.length - most} more lines`] : [];
  return [...lines.slice(0, most), ...more];
}

export const hunksText = (before: string, after: string, most: number): string =>
  firstLines(hunks(before, after), most).join("\n");

export function quoted(value: unknown): string {
  const text = value === undefined || value === "" ? "unset" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** Quotes the value at a path. @param args the arguments whose items the path names */
function valueText(
  definition: Definition,
  values: Values,
  [name = "", item, ...inner]: Path,
  args: Values,
): string {
  const { items } = definition.fields[name] ?? {};
  if (item === undefined || items === undefined) return quoted(values[name]);
  const found = itemNamed(items, listOf(args[name]), listOf(values[name]), item);
  return quoted(inner.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), found));
}

/** The known item that pairs with the program's item of this name. */
function itemNamed(
  items: Items,
  asked: readonly Values[],
  known: readonly Values[],
  name: string,
): Values | undefined {
  const isIt = (entry: Values, index: number) => itemName(items, entry, index) === name;
  const at = asked.findIndex(isIt);
  return at < 0 ? known.find(isIt) : pairItems(items, asked, known).pairs[at]?.[1];
}

/** Whether the path is an item that the program doesn't list. Of two items with one key, the program may list one. */
function isRemoved(
  definition: Definition,
  state: Values,
  args: Values,
  [name = "", item, inner]: Path,
): boolean {
  const { items } = definition.fields[name] ?? {};
  if (items === undefined || item === undefined || inner !== undefined || !Array.isArray(args[name]))
    return false;
  const { gone } = pairItems(items, listOf(args[name]), listOf(state[name]));
  return gone.some((one, index) => itemName(items, one, index) === item);
}

export function difference(definition: Definition, state: Values, args: Values, path: Path): string {
  const [name = ""] = path;
  const text = pathText(path);
  if (isBody(definition, name)) return `${text}: other content than the program asks for`;
  if (isSecretPath(args, text)) return `${name} is not the secret value that was asked for`;
  if (isRemoved(definition, state, args, path)) return `${text} is removed`;
  return `${text}: expected ${valueText(definition, args, path, args)}, got ${valueText(definition, state, path, args)}`;
}
