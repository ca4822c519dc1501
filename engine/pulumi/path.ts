/** Property paths: as a list of keys, in our text form, and in Pulumi's. */
import { isPlain } from "../common/record.ts";

/** Fields and item keys by turns: the argument, the key of a list item, the item's field, and so on. */
export type Path = readonly string[];

/** `variants[MUG-R].price`. */
export const pathText = (path: Path): string =>
  path.map((step, index) => (index === 0 ? step : index % 2 === 1 ? `[${step}]` : `.${step}`)).join("");

/** Parses a text of `pathText`; any other text is a single key. */
export function pathIn(text: string): Path {
  const [, name, item, inner] = /^(\w+)\[(.*?)\](?:\.(\w+(?:\[.*\](?:\.\w+)?)?))?$/s.exec(text) ?? [];
  if (name === undefined || item === undefined) return [text];
  return inner === undefined ? [name, item] : [name, item, ...pathIn(inner)];
}

/** Whether a path leads to an argument or to a field of an item, rather than to an item. */
export function isFieldText(text: string): boolean {
  const path = pathIn(text);
  return path.length % 2 === 1 && topOf(text) === path[0];
}

/** The argument that a path lies in. */
export const topOf = (text: string): string => /^\w+/.exec(text)?.[0] ?? text;

/** Whether a path equals another one or lies under it. */
export const isIn = (text: string, whole: string): boolean =>
  text === whole || (text.startsWith(whole) && /^[.[:]/.test(text.slice(whole.length)));

/** The path without item keys: `variants.price`. */
export const fieldText = (text: string): string =>
  pathIn(text)
    .filter((_step, index) => index % 2 === 0)
    .join(".");

/**
 * The part of `ignoreChanges` that the provider must apply itself, because an engine can't: it would match list items
 * by position, and it ignores nothing that its state doesn't have, such as fields of an adopted object. Undefined if
 * there is none.
 * @param lists the key field of each list, by the list's name
 */
export function ignoredText(
  lists: Readonly<Record<string, string>>,
  ignoreChanges: readonly string[],
): string | undefined {
  const found = ignoreChanges.flatMap((path) => {
    const field = ignoredField(path) ?? (topOf(path) === path ? path : undefined);
    return field !== undefined && (field === path || Object.hasOwn(lists, topOf(field))) ? [field] : [];
  });
  return found.length === 0 ? undefined : [...new Set(found)].join(",");
}

/**
 * The field of items that a path ignores: `variants.price` for `variants[*].price`, `variants[MUG-R].price` for
 * `variants["MUG-R"].price`. A position counts as all items.
 */
function ignoredField(path: string): string | undefined {
  const [list, item, field, inner] = pathSteps(path);
  if (list === undefined || item === undefined || field === undefined) return undefined;
  const isAll = item === "*" || /^\w+\[\d+\]/.test(path);
  return `${isAll ? list : `${list}[${item}]`}.${field}${inner === undefined ? "" : `[${inner}]`}`;
}

/**
 * Replaces positions of list items by their keys, because lists reach the engine as objects by key.
 * @param lists the key field of each list, by the list's name
 */
export function pathsByKey(
  lists: Readonly<Record<string, string>>,
  given: object,
  paths: readonly string[],
): string[] {
  return paths.map((path) => {
    const [, list = "", item = "", rest = ""] = /^(\w+)\[([^"*\]][^\]]*)\](.*)$/s.exec(path) ?? [];
    const key = lists[list];
    if (key === undefined) return path;
    const all: unknown = Reflect.get(given, list);
    const keys = Array.isArray(all) ? all.map((one) => (isPlain(one) ? one[key] : undefined)) : [];
    const found = keys.includes(item) || !/^\d+$/.test(item) ? item : keys[Number(item)];
    return typeof found === "string" ? `${list}[${JSON.stringify(found)}]${rest}` : path;
  });
}

/** Splits paths that are joined with commas; keys may contain commas, too. */
export const joinedPaths = (text: string): readonly string[] => text.match(/(?:\[[^\]]*\]|[^,[])+/g) ?? [];

/** The steps of a path in Pulumi's form: `a.b[0]["c.d"]`. */
export function pathSteps(path: string): readonly string[] {
  return [...path.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|(\d+|\*))\]|([^.[\]]+)/g)].map(
    (match) => match[1]?.replaceAll(/\\(["\\])/g, "$1") ?? match[2] ?? match[3] ?? "",
  );
}
