/**
 * What a person permits: resources by name or URN, objects as `Kind:id`, kinds; `*` stands for any letters. Behind a name, in
 * brackets, the items that it is about: `sale[SUMMER-*]`.
 */

/** Whether one that was named means a name. */
export function isMeant(one: string, name: string): boolean {
  if (one === name) return true;
  if (one.includes("*")) return patternOf(one).test(name);
  return /^[A-Z]\w*$/.test(one) && name.startsWith(`${one}:`);
}

const patternOf = (one: string): RegExp =>
  new RegExp(`^${one.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");

/** Whether one of these names is permitted. */
export const permits = (allowed: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.some((name) => allowed.has(name) || [...allowed].some((one) => isMeant(one, name)));

/** A name without the items that stand behind it: `sale` of `sale[A-*]`. */
export const wholeOf = (one: string): string => /^([^[]+)\[.+\]$/.exec(one)?.[1] ?? one;

/** Whether an item of what has these names is permitted. */
export const permitsItem = (
  allowed: ReadonlySet<string>,
  names: readonly string[],
  item: string | undefined,
): boolean =>
  item !== undefined &&
  permits(
    allowed,
    names.map((name) => `${name}[${item}]`),
  );
