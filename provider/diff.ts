/** What differs between what a program asks and what the state knows: a value, from a closed set. */

import { sha256 } from "./body.ts";
import type { Values } from "./codec.ts";
import type { Definition, Field, Fields, FileFact, Items } from "./define.ts";

/** Paths are those of the arguments: `title`, `variants[1].price`. */
export type Diff =
  | { readonly type: "none" }
  | { readonly type: "update"; readonly paths: readonly string[] }
  | { readonly type: "replace"; readonly paths: readonly string[]; readonly deleteFirst: boolean };

/** The text that stands for a value that a preview doesn't know yet (pulumi-facts.md, Dynamic resources). */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Compares checked arguments with the state. Only what the program states counts.
 * @returns which arguments differ, and whether the object must be made anew for it
 */
export function diff(definition: Definition, state: Values, args: Values): Diff {
  const paths = differences(definition, state, args);
  if (paths.length === 0) return { type: "none" };
  const replaced = paths.filter((path) => replaces(definition, state, args, path));
  if (replaced.length === 0) return { type: "update", paths };
  return { type: "replace", paths: replaced, deleteFirst: deletesFirst(definition, paths) };
}

/** The paths of all arguments that differ from the state. */
export function differences(definition: Definition, state: Values, args: Values): readonly string[] {
  const body = bodyDiffers(definition, state, args);
  return Object.entries(definition.fields).flatMap(([name, field]) => {
    const asked = args[name];
    if (asked === undefined || field.mode === "computed" || field.mode === "derived") return [];
    if (isBody(definition, name)) return body ? [name] : [];
    return fieldDifferences(field, asked, state[name], name);
  });
}

function fieldDifferences(field: Field, asked: unknown, known: unknown, path: string): readonly string[] {
  if (asked === unknownValue) return [path];
  if (field.items?.fields !== undefined)
    return itemDifferences(field.items, field.items.fields, asked as readonly Values[], known, path);
  return same(field, asked, known) ? [] : [path];
}

function itemDifferences(
  items: Items,
  fields: Fields,
  asked: readonly Values[],
  known: unknown,
  path: string,
): readonly string[] {
  const { pairs, gone } = pair(items, asked, (known ?? []) as readonly Values[]);
  const changed = pairs.flatMap(([entry, old], index) => {
    if ((entry as unknown) === unknownValue || old === undefined) return [`${path}[${index}]`];
    return statedDifferences(fields, entry, old).map((inner) => `${path}[${index}].${inner}`);
  });
  return gone.length === 0 ? changed : [...changed, path];
}

/** The paths inside one item that differ. */
export function statedDifferences(fields: Fields, asked: Values, known: Values): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = asked[name];
    if (value === undefined || field.mode === "computed") return [];
    return fieldDifferences(field, value, known[name], name);
  });
}

/** Asked items beside the known ones they mean, and the known ones that nobody asks for. */
export interface Pairs {
  readonly pairs: readonly (readonly [Values, Values | undefined])[];
  readonly gone: readonly Values[];
}

/** By key where the key is stated and known, the rest by position. */
export function pair(items: Items, asked: readonly Values[], known: readonly Values[]): Pairs {
  const left = [...known];
  const take = (found: Values | undefined) => {
    if (found !== undefined) left.splice(left.indexOf(found), 1);
    return found;
  };
  const { key } = items;
  const byKey = asked.map((entry) => {
    const value = key === undefined ? undefined : entry[key];
    return value === undefined || key === undefined
      ? undefined
      : take(left.find((old) => old[key] === value));
  });
  // A new key is a change of the item that stood there, when nobody else asks for that one.
  const pairs = asked.map((entry, index) => [entry, byKey[index] ?? take(left[0])] as const);
  return { pairs, gone: left };
}

/** Whether a known value is what was asked; an unset text and an empty one are the same to a shop. */
export function same(field: Field, asked: unknown, known: unknown): boolean {
  if (asked === unknownValue) return false;
  if (field.type === "text") return asked === lineFeeds(String(known ?? ""));
  if (asked === "") return known === undefined || known === null || known === "";
  return asked === known;
}

/** Staff's browsers send CR LF: that is no difference. */
export function lineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function isBody(definition: Definition, name: string): boolean {
  return definition.body !== undefined && (name === "content" || name === "file" || name === "src");
}

function bodyDiffers(definition: Definition, state: Values, args: Values): boolean {
  if (definition.body === undefined) return false;
  if (args.content === unknownValue || args.file === unknownValue || args.src === unknownValue) return true;
  if (args.src !== undefined) return args.src !== state.src;
  return askedHash(args) !== state.sha256;
}

/** The hash of the body that the arguments ask for; undefined where the shop fetches it itself. */
export function askedHash(args: Values): string | undefined {
  if (typeof args.content === "string") return sha256(args.content);
  return (args.file as FileFact | undefined)?.sha256;
}

function replaces(definition: Definition, state: Values, args: Values, path: string): boolean {
  const name = /^\w+/.exec(path)?.[0] ?? path;
  const field = definition.fields[name];
  if (field?.by !== undefined) return false;
  if (definition.operations.edit === undefined || field?.replaces) return true;
  return isBody(definition, name) && !(state.isText === true && asksText(args));
}

/** Whether the body that is asked for is text. */
export function asksText(args: Values): boolean {
  return args.content !== undefined || (args.file !== undefined && (args.file as FileFact).binary !== true);
}

function deletesFirst(definition: Definition, paths: readonly string[]): boolean {
  if (definition.singleton !== undefined) return true;
  const key = definition.keys?.[0] ?? [];
  return definition.unique === true && !key.some((name) => paths.includes(name));
}
