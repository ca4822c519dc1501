/** The forms in which a program may write arguments of a definition beside the one that travels (provider/names/natural.ts). */
import type { Natural, Naturals } from "../names/natural.ts";
import type { Field, Fields } from "./field.ts";

/** The other forms of these fields; fields that have none are left out. */
export function naturalsOf(fields: Fields): Naturals {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const own = naturalOf(field);
      return own === undefined ? [] : [[name, own] as const];
    }),
  );
}

function naturalOf({ forms, items }: Field): Natural | undefined {
  if (forms !== undefined) return { forms };
  if (items?.pairs !== undefined) return { pairs: [items.key ?? "", items.pairs] };
  const within = naturalsOf(items?.fields ?? {});
  return Object.keys(within).length === 0 ? undefined : { within };
}

/** The field one of whose forms states another field, by name; undefined where none does. */
export const statedBy = (fields: Fields, name: string): readonly [string, Field] | undefined =>
  Object.entries(fields).find(([, { forms = {} }]) =>
    Object.values(forms).some((states) => Object.hasOwn(states, name)),
  );

/** `{ percent: ... } or { amount: ... }`; empty where a field has no other form. */
export function formsText({ forms, items }: Field): string {
  if (items?.pairs !== undefined) return `{ [${items.key}]: ${items.pairs} }`;
  return Object.keys(forms ?? {})
    .map((form) => `{ ${form}: ... }`)
    .join(" or ");
}
