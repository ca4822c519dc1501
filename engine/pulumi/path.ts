/** Where a value stands among a resource's arguments: as a list of keys, as we print it, and as an engine writes it. */
import { isPlain } from "./record.ts";

/** Fields and items by turns: the argument, the item of its list by its key, the item's field, and so on. */
export type Path = readonly string[];

/** `variants[MUG-R].price`. */
export const pathText = (path: Path): string =>
  path.map((step, index) => (index === 0 ? step : index % 2 === 1 ? `[${step}]` : `.${step}`)).join("");

/** The path that `pathText` printed; any other text is one key. */
export function pathIn(text: string): Path {
  const [, name, item, inner] = /^(\w+)\[(.*?)\](?:\.(\w+(?:\[.*\](?:\.\w+)?)?))?$/s.exec(text) ?? [];
  if (name === undefined || item === undefined) return [text];
  return inner === undefined ? [name, item] : [name, item, ...pathIn(inner)];
}

/** Whether a path is that of an argument, or of a field of an item. */
export function isFieldText(text: string): boolean {
  const path = pathIn(text);
  return path.length % 2 === 1 && topOf(text) === path[0];
}

/** The name of the argument that a path lies under. */
export const topOf = (text: string): string => /^\w+/.exec(text)?.[0] ?? text;

/** Whether a path is another one, or lies under it. */
export const isIn = (text: string, whole: string): boolean =>
  text === whole || (text.startsWith(whole) && /^[.[:]/.test(text.slice(whole.length)));

/** The same without the keys of items: `variants.price`. */
export const fieldText = (text: string): string =>
  pathIn(text)
    .filter((_step, index) => index % 2 === 0)
    .join(".");

/**
 * What `ignoreChanges` names, as the provider is told it; undefined where it names nothing. An engine ignores by place in a list
 * that travels as one, and would move one item's value to another; it ignores nothing of what its state doesn't have, such as
 * what is taken over, and a body after a refresh.
 * @param lists the field that is the key, by the list's name
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
 * What a path ignores of items: of `variants[*].price` `variants.price`, of `variants["MUG-R"].price` `variants[MUG-R].price`.
 * A place is that of all.
 */
function ignoredField(path: string): string | undefined {
  const [list, item, field, inner] = pathSteps(path);
  if (list === undefined || item === undefined || field === undefined) return undefined;
  const isAll = item === "*" || /^\w+\[\d+\]/.test(path);
  return `${isAll ? list : `${list}[${item}]`}.${field}${inner === undefined ? "" : `[${inner}]`}`;
}

/**
 * Paths to items of lists by their keys instead of their places, as an engine reads them where a list travels as an object.
 * @param lists the field that is the key, by the list's name
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

/** Paths as `told` joins them with commas, which keys have too. */
export const joinedPaths = (text: string): readonly string[] => text.match(/(?:\[[^\]]*\]|[^,[])+/g) ?? [];

/** The steps of a path as an engine writes it: `a.b[0]["c.d"]`. */
export function pathSteps(path: string): readonly string[] {
  return [...path.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|(\d+|\*))\]|([^.[\]]+)/g)].map(
    (match) => match[1]?.replaceAll(/\\(["\\])/g, "$1") ?? match[2] ?? match[3] ?? "",
  );
}
