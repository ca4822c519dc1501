/** Finding one of many by what a person knows of it. Not found and ambiguous are errors that list what there is. */

import type { Definition, Read } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";

/**
 * The one object that has all the values asked for.
 * @throws Error that lists the objects there are
 */
export function pickOne<D extends Definition>(
  definition: D,
  objects: readonly Values[],
  wanted: Values,
): Read<D["fields"]> {
  const criteria = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null);
  const lookups = definition.lookups ?? {};
  const names = Object.keys(lookups);
  const unknown = criteria.filter(([name]) => !names.includes(name));
  if (criteria.length === 0 || unknown.length > 0) {
    throw new Error(
      `a ${definition.kind} is looked up by ${names.join(", ")}${unknown.length > 0 ? `, not by ${unknown.map(([name]) => name).join(", ")}` : ": state one of them"}`,
    );
  }
  const found = objects.filter((object) =>
    criteria.every(([name, value]) => String(object[lookups[name] ?? name]) === String(value)),
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only as Read<D["fields"]>;
  const asked = criteria.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(" and ");
  const what =
    only === undefined
      ? `there is no ${definition.kind} with ${asked}`
      : `there are ${found.length} of ${definition.kind} with ${asked}`;
  throw new Error(`${what}; the shop has ${listed(definition, only === undefined ? objects : found)}`);
}

const most = 20;

/** What there is, as `(id 1, title "Main"); (id 2, title "Mobile")`. */
export function listed(definition: Definition, objects: readonly Values[]): string {
  if (objects.length === 0) return "none at all";
  const fields = [...new Set(Object.values(definition.lookups ?? {}))];
  const lines = objects
    .slice(0, most)
    .map((object) =>
      fields
        .flatMap((field) =>
          object[field] === undefined ? [] : [`${field} ${JSON.stringify(object[field])}`],
        )
        .join(", "),
    );
  const rest = objects.length > most ? `; and ${objects.length - most} more` : "";
  return `${lines.map((line) => `(${line})`).join("; ")}${rest}`;
}
