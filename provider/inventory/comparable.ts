/** The fields of an object that can be compared between shops: without ids, timestamps and stock. */

import { fieldText } from "../../engine/pulumi/path.ts";
import { comparableBody } from "../body/arguments.ts";
import { keepsOthers } from "../change/compare.ts";
import { statedAt, valueAt } from "../change/identity.ts";
import {
  type Definition,
  type Field,
  type Fields,
  isRequired,
  isReturnedArgument,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { hasNoArgument, lookupOf, nameOf, roleOf } from "./program-arguments.ts";

/** Reasons for fields that aren't compared, for people. */
export const reasonTexts = {
  secret: "it is a secret",
  unknown: "its value is known after apply",
  moves: "the shop changes it by itself",
  unstated: "the program doesn't set it",
  stays: "no argument sets it",
  numbered: "it names an object by a number that can't be looked up",
  address: "it is an address, which differs from shop to shop",
  unread: "its body can't be read",
  unlisted: "the shop doesn't list objects of this kind",
} as const;
export type Reason = keyof typeof reasonTexts;

/** An object that is ready for a comparison. */
export interface ComparedObject {
  readonly kind: string;
  /** Its name for people. */
  readonly key: string;
  /** Its name without its parent, for shops whose themes have different names. */
  readonly looseKey: string;
  /** Its values of each natural key: none if unset, several for list items. */
  readonly keys: readonly (readonly string[])[];
  /** Lists that also have items of others, so that only a part is compared. */
  readonly shared: ReadonlySet<string>;
  /** How it is identified: by its `name`; by its `text`, without a name; or by its content, if the name is `secret`. */
  readonly called: "name" | "text" | "secret";
  /** The fields, by path; an item of a list is `variants[MUG-R]`. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** The fields that can't be compared, by path without items' keys. */
  readonly hidden: ReadonlyMap<string, Reason>;
}

export interface ComparisonInput {
  readonly definition: Definition;
  /** The arguments of the program, or from `programArguments`. */
  readonly args: Values;
  /** The shop's object; undefined if only a program describes it. */
  readonly seen?: Values | undefined;
  /** The text or the bytes of its body; undefined if unknown. */
  readonly body: string | Buffer | undefined;
  /** Its name, if no argument has it. */
  readonly title?: string | undefined;
  readonly hidden?: ReadonlyMap<string, Reason>;
}

/** All objects of the kinds that ids refer to. */
export type ReferredObjects = ReadonlyMap<
  string,
  readonly { readonly definition: Definition; readonly seen: Values }[]
>;

export function comparedObject(known: ComparisonInput, referred: ReferredObjects): ComparedObject {
  const { definition, body, seen } = known;
  const hidden = new Map(known.hidden);
  const args = referencesNamed(definition, known.args, referred, hidden);
  const fields = new Map(comparableFields(definition.fields, args, "", hidden));
  for (const [name, field] of Object.entries(definition.fields)) {
    if (seen === undefined) break;
    if (hasNoArgument(field))
      for (const [path, value] of fieldsWithoutArgument(field, name, seen[name], { referred, hidden }))
        fields.set(path, value);
    else if (field.items?.fields !== undefined && isReturnedArgument(field))
      noteServerManaged(field.items.fields, name, seen[name], hidden);
  }
  if (definition.body !== undefined) {
    for (const [path, value] of comparableBody(body)) fields.set(path, value);
  }
  const shared = new Set(
    Object.entries(definition.fields).flatMap(([name, { items }]) =>
      items !== undefined && keepsOthers(items, args) ? [name] : [],
    ),
  );
  const isSecret = (path: string) => known.hidden?.get(path) === "secret";
  const isShown = (path: string) => !isSecret(path) && !isSecret(path.split(".")[0] ?? path);
  const keys = (definition.keys ?? []).map((key) => (key.every(isShown) ? keyTexts(args, key) : []));
  return { kind: definition.kind, fields, hidden, shared, keys, ...calledBy(known, args, isShown) };
}

/** The values of a natural key. A key with one path may be in list items, each with its own value. */
function keyTexts(args: Values, key: readonly string[]): readonly string[] {
  const [path, ...more] = key.map((one) => statedAt(args, one).map(String));
  if (path === undefined || more.length === 0) return path ?? [];
  return [path, ...more].some((one) => one.length === 0) ? [] : [[path, ...more].flat().join(" ")];
}

function calledBy({ definition, title }: ComparisonInput, args: Values, isShown: (path: string) => boolean) {
  const paths = definition.keys?.find((key) =>
    key.every((path) => valueAt(args, path) !== undefined && isShown(path)),
  );
  const text = (from: readonly string[]) => from.map((path) => String(valueAt(args, path))).join(" ");
  const own = (paths ?? []).filter((path) => definition.fields[path]?.refersTo === undefined);
  if (paths !== undefined) return { key: text(paths), looseKey: text(own), called: "name" as const };
  const called = (key: string, by: ComparedObject["called"]) => ({ key, looseKey: key, called: by });
  const naming = [...(definition.keys?.flat() ?? []), ...(definition.names ?? [])];
  if (!naming.every(isShown)) return called("(not shown)", "secret");
  const name = title ?? nameOf(definition, args);
  if (name !== undefined) return called(name, "name");
  const content = firstText(definition, args, isShown);
  return content === undefined ? called("(not shown)", "secret") : called(content, "text");
}

const mostLetters = 40;

// Without a name, it is called by the start of its text.
function firstText(
  { fields, singleton, one }: Definition,
  args: Values,
  isShown: (path: string) => boolean,
): string | undefined {
  if (singleton !== undefined) return one;
  const [name] =
    Object.entries(fields).find(
      ([own, field]) =>
        isRequired(field) && field.values === undefined && typeof args[own] === "string" && isShown(own),
    ) ?? [];
  if (name === undefined) return undefined;
  const line = String(args[name]).trim().split("\n")[0] ?? "";
  const letters = [...line];
  return JSON.stringify(letters.length > mostLetters ? `${letters.slice(0, mostLetters).join("")}...` : line);
}

/** Replaces ids of other objects by names; those without a name aren't compared. */
function referencesNamed(
  definition: Definition,
  args: Values,
  referred: ReferredObjects,
  hidden: Map<string, Reason>,
): Values {
  const entries = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const refers = definition.fields[name]?.refersTo;
    if (refers === undefined) return [[name, value]];
    const all = referred.get(refers.kind ?? "") ?? [];
    const found = all.find(({ seen }) => seen.id === value);
    const others = all.map(({ seen }) => seen);
    const role = found === undefined ? undefined : roleOf(found.definition, found.seen, others);
    if (role !== undefined) return [[name, role]];
    hidden.set(name, "numbered");
    return [];
  });
  return Object.fromEntries(entries);
}

function* comparableFields(
  fields: Fields,
  args: Values,
  above: string,
  hidden: Map<string, Reason>,
): Generator<[string, unknown]> {
  for (const [name, field] of Object.entries(fields)) {
    const value = args[name];
    if (!isReturnedArgument(field) || value === undefined || value === "") continue;
    const path = above + name;
    if (field.serverManaged) {
      hidden.set(fieldText(path), "moves");
      continue;
    }
    if (field.each !== undefined) {
      for (const [own, amount] of Object.entries(value ?? {})) yield [`${path}[${own}]`, amount];
      continue;
    }
    const inner = field.items?.fields;
    if (inner === undefined || !Array.isArray(value)) {
      yield [path, value];
      continue;
    }
    yield [path, there];
    const key = field.items?.key;
    for (const [place, item] of placed(path, listOf(value), (item) =>
      String(key === undefined ? "" : (item[key] ?? "")),
    )) {
      yield [place, there];
      yield* comparableFields(inner, item, `${place}.`, hidden);
    }
  }
}

/** The value of a list or item as a whole. */
export const there = "there";

/** List items with their paths: by key, with a number if several have the same key. */
function placed<T>(
  path: string,
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [string, T])[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    // Brackets belong to the path.
    const key = keyOf(item).replaceAll("[", "(").replaceAll("]", ")");
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return [`${path}[${key}${count > 1 || key === "" ? `#${count}` : ""}]`, item];
  });
}

// `programArguments` leaves out stock; report it as not compared.
function noteServerManaged(fields: Fields, above: string, items: unknown, hidden: Map<string, Reason>): void {
  for (const [name, field] of Object.entries(fields))
    if (field.serverManaged && listOf(items).some((item) => item[name] !== undefined))
      hidden.set(`${above}.${name}`, "moves");
}

/** Values that staff set and no argument has: items by their texts, ids by the names of their objects. */
function* fieldsWithoutArgument(
  field: Field,
  path: string,
  value: unknown,
  { referred, hidden }: { readonly referred: ReferredObjects; readonly hidden: Map<string, Reason> },
): Generator<[string, unknown]> {
  if (value === undefined || value === "") return;
  if (!Array.isArray(value)) {
    yield [path, value];
    return;
  }
  const inner = field.items?.fields;
  if (inner === undefined) {
    const all = referred.get(field.refersTo?.kind ?? "") ?? [];
    const names = value.map((number: unknown) => {
      if (field.refersTo === undefined) return String(number);
      return calledInAnyShop(all, number);
    });
    if (names.includes(undefined)) hidden.set(path, "numbered");
    else for (const [place] of placed(path, names, String)) yield [place, there];
    return;
  }
  const texts = Object.keys(inner).filter((name) => inner[name]?.type === "text");
  const isAddress = (text: unknown) => typeof text === "string" && /^(https?:)?\//.test(text);
  const said = (item: Values) => texts.map((name) => item[name]).filter((text) => text && !isAddress(text));
  for (const [place, item] of placed(path, listOf(value), (one) => String(said(one)[0] ?? ""))) {
    yield [place, there];
    for (const [name, { type }] of Object.entries(inner)) {
      // Ids differ from shop to shop.
      if (item[name] === undefined || item[name] === "" || (type === "integer" && /(^i|I)d$/.test(name)))
        continue;
      if (isAddress(item[name])) hidden.set(`${path}.${name}`, "address");
      else yield [`${place}.${name}`, item[name]];
    }
  }
}

// The title, if it is unique; otherwise another criterion that finds it.
function calledInAnyShop(
  all: readonly { readonly definition: Definition; readonly seen: Values }[],
  number: unknown,
): string | undefined {
  const found = all.find(({ seen }) => seen.id === number);
  if (found === undefined) return undefined;
  const { definition, seen } = found;
  const field = definition.lookups?.title;
  const others = all.map((other) => other.seen);
  const isOwn = field !== undefined && others.filter((other) => other[field] === seen[field]).length === 1;
  if (isOwn && typeof seen[field] === "string" && seen[field] !== "") return seen[field];
  return lookupOf(definition, seen, others)?.[1];
}
