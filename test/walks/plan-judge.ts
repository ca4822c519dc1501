/**
 * What a run did to a shop, as lines that can be compared with another run's: a judge of saved plans that knows nothing of
 * how plans are compared.
 */
import type { Stored } from "../../emulator/store.ts";
import type { House } from "./house.ts";
import { liveRows } from "./model.ts";

export type Rows = ReadonlyMap<string, Stored>;

export const rowsOf = (house: House): Rows => liveRows(house);

/** One thing that was done to an object. */
export interface Done {
  /** `discount_code/8841`; of what is new only `discount_code`. */
  readonly object: string;
  readonly text: string;
  /** Of a field that was changed: its name and both values. */
  readonly field?: { readonly name: string; readonly old: unknown; readonly new: unknown };
}

// What a shop writes itself.
const volatile =
  /^(id|.*_at|archived|file_size|digest|available|base_price|price_index|variant_price_method_name|product_id|image_id|.*url.*|.*position.*)$/;

/** The fields of a row by path: items by their number, settings value by value. */
function fieldsOf(row: Stored): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(row)) {
    if (volatile.test(name)) continue;
    // Addresses have numbers in them.
    if (name === "path") fields.set(name, String(value).split("/").at(-1));
    else if (name === "variants") {
      for (const item of value as readonly Stored[])
        for (const [inner, of] of fieldsOf(item)) fields.set(`variants[${item.id}].${inner}`, of);
    } else if (typeof value === "string" && value.startsWith("{")) {
      for (const [leaf, of] of Object.entries(JSON.parse(value) as object)) fields.set(`${name}.${leaf}`, of);
    } else fields.set(name, typeof value === "object" ? JSON.stringify(value) : value);
  }
  return fields;
}

/** What is new has numbers of its own. */
const described = (row: Stored) =>
  JSON.stringify(
    [...fieldsOf(row)].map(([name, value]) => [name.replace(/\[\d+\]/, "[]"), value]).toSorted(),
  );

/** The changes between two moments. @param first the rows at the time of the plan */
export function doneBetween(before: Rows, after: Rows, first: Rows): readonly Done[] {
  const done: Done[] = [];
  for (const [object, row] of after) {
    const was = before.get(object);
    const [table = ""] = object.split("/");
    if (was === undefined || !first.has(object)) {
      if (was === undefined || described(was) !== described(row))
        done.push({ object: table, text: `+ ${table} ${described(row)}` });
      continue;
    }
    const [olds, news] = [fieldsOf(was), fieldsOf(row)];
    for (const name of new Set([...olds.keys(), ...news.keys()])) {
      const [old, next] = [olds.get(name), news.get(name)];
      if (old === next) continue;
      const isNew = /\[\d+\]/.test(name) && !fieldsOf(first.get(object) as Stored).has(name);
      const shown = isNew ? name.replace(/\[\d+\]/, "[]") : name;
      done.push({
        object,
        text: `~ ${object} ${shown}: ${String(old)} => ${String(next)}`,
        field: { name, old, new: next },
      });
    }
  }
  for (const [object] of before)
    if (!after.has(object) && first.has(object)) done.push({ object, text: `- ${object}` });
  return done;
}

/** Changes that the plan doesn't explain. */
export function beyond(
  done: readonly Done[],
  planned: readonly Done[],
  before: Rows,
  first: Rows,
): readonly string[] {
  const meant = new Set(planned.map(({ text }) => text));
  return done.flatMap(({ object, text }) => {
    if (!meant.has(text)) return [text];
    // A deleted object must be unchanged since the plan.
    const [was, is] = [first.get(object), before.get(object)];
    const isOther =
      text.startsWith("- ") && was !== undefined && is !== undefined && described(was) !== described(is);
    return isOther ? [`${text}, which was ${described(was)} and had become ${described(is)}`] : [];
  });
}

/** Whether later events don't affect the plan's changes, or made the same ones. */
export function isHarmless(now: Rows, planned: readonly Done[], first: Rows): boolean {
  return planned.every(({ object, text, field }) => {
    const [was, is] = [first.get(object), now.get(object)];
    if (text.startsWith("+ ")) return true;
    if (text.startsWith("- "))
      return is === undefined || (was !== undefined && described(was) === described(is));
    if (is === undefined || field === undefined) return false;
    const value = fieldsOf(is).get(field.name);
    return value === field.old || value === field.new || field.name.includes("[");
  });
}

/** The plan's changes that the shop doesn't have. */
export function undone(now: Rows, planned: readonly Done[], first: Rows): readonly string[] {
  const fresh = [...now]
    .filter(([object]) => !first.has(object))
    .map(([object, row]) => `+ ${object.split("/")[0]} ${described(row)}`);
  return planned.flatMap(({ object, text, field }) => {
    const is = now.get(object);
    if (text.startsWith("+ ")) return fresh.includes(text) ? [] : [text];
    if (text.startsWith("- ")) return is === undefined ? [] : [text];
    if (field === undefined || field.name.includes("[")) return [];
    return is !== undefined && fieldsOf(is).get(field.name) === field.new ? [] : [text];
  });
}
