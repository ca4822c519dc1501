/** An object of the shop as a program would state it: what a pull writes and what a comparison compares. */
import type { Values } from "./codec.ts";
import type { Definition, Field, Fields } from "./define.ts";
import { lineFeeds } from "./diff.ts";

export interface Portrait {
  /** Every argument that the object has a value for; bodies, ids and what the shop moves by itself are left out. */
  readonly args: Values;
  /** Values that no program can state, by path: what the argument says of them. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** The arguments of an object, as they would be checked. Numbers of other objects are among them as they are. */
export function portraitOf(definition: Definition, seen: Values): Portrait {
  const leftOut: { path: string; reason: string }[] = [];
  return { args: portray(definition.fields, seen, "", leftOut), leftOut };
}

type LeftOut = { path: string; reason: string }[];

function portray(fields: Fields, seen: Values, above: string, leftOut: LeftOut): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if ((field.mode !== "required" && field.mode !== "optional") || field.moves) continue;
    const value = field.unread ? field.inferred?.(seen) : seen[name];
    if (value === undefined || value === "") continue;
    const path = above + name;
    const inner = field.items?.fields;
    if (inner === undefined) {
      const stated = statedValue(field, value, path, leftOut);
      if (stated !== undefined) args[name] = stated;
      continue;
    }
    const items = (value as readonly Values[]).map((item, index) =>
      portray(inner, item, `${path}[${index}].`, leftOut),
    );
    if (items.length > 0) args[name] = items;
  }
  return args;
}

function statedValue(field: Field, value: unknown, path: string, leftOut: LeftOut): unknown {
  const result = field.argument.safeParse(typeof value === "string" ? lineFeeds(value) : value);
  if (result.success) return result.data;
  leftOut.push({ path, reason: result.error.issues[0]?.message ?? "is not valid" });
  return undefined;
}

/** What a person calls an object: the first of its names that is set, else its number. */
export function titleOf(definition: Definition, seen: Values): string {
  for (const name of definition.names ?? []) {
    const value = seen[name];
    if (typeof value === "string" && value.trim() !== "") return lastPart(value);
  }
  return definition.singleton === undefined ? String(seen.id) : definition.one;
}

// An address is called by its last part, as a file is.
function lastPart(value: string): string {
  if (!/^(https?:)?\/\//.test(value)) return value;
  const name = URL.parse(value, "https://shop.invalid")?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || value;
  } catch {
    // Not an encoded name: it is called as it stands.
    return name;
  }
}

/**
 * What finds an object by a data source, and would find the same in another shop: a mark that only it bears, else a
 * text that only it has, else its number.
 */
export function lookupOf(definition: Definition, seen: Values, all: readonly Values[]): Values {
  const lookups = Object.entries(definition.lookups ?? {}).filter(([name]) => name !== "id");
  const isOwn = (field: string) => all.filter((other) => other[field] === seen[field]).length === 1;
  const marks = lookups.filter(([, field]) => seen[field] === true);
  const texts = lookups.filter(([, field]) => typeof seen[field] === "string" && seen[field] !== "");
  const found = [...marks, ...texts].find(([, field]) => isOwn(field));
  return found === undefined ? { id: seen.id } : { [found[0]]: seen[found[1]] };
}
