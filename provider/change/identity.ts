/**
 * Identifies objects: by the engine's id, by natural key, by the criteria of a data source. Also identifies the shop of an
 * object.
 */
import { didYouMean } from "../../engine/common/nearest.ts";
import { isSamePlace, type Place, parsePlace, placeKey } from "../../engine/pulumi/place.ts";
import type { Input } from "../client/call.ts";
import { type Definition, namesIn, type Read } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isBlank, valuesOf } from "../wire/values.ts";

/** The ids of parent objects in a kind's paths, such as `themeId`. */
export function parentNames(definition: Definition): readonly string[] {
  const names = Object.values(definition.operations).flatMap(({ path }) => namesIn(path));
  return [...new Set(names)].filter((name) => name !== "id" && name !== "item");
}

/**
 * The engine's id: the ids of the parents and the object, joined by slashes. A kind with one object per shop has a
 * constant.
 */
export function engineIdOf(definition: Definition, seen: Values, args: Values): string {
  if (definition.singleton !== undefined) return definition.one;
  return [...parentNames(definition).map((name) => seen[name] ?? args[name]), seen.id].join("/");
}

/** The clocks of a shop's servers differ by less. */
const sameMomentMs = 60_000;

/**
 * Whether the shop has given the id of an object in a state to another object since. Asked only of kinds that nobody can
 * edit: their conflicts don't show it.
 */
export function isOtherObject({ operations }: Definition, olds: Values, seen: Values): boolean {
  if (operations.edit !== undefined) return false;
  return Math.abs(Date.parse(String(seen.createdAt)) - Date.parse(String(olds.createdAt))) > sameMomentMs;
}

/** The object's own id, without its parents. */
export const ownId = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** The values for an operation's path. Ids of parents may come from the arguments. */
export function pathValues(definition: Definition, id: string, args: Values = {}): Input {
  if (definition.singleton !== undefined) return {};
  const parts = id.split("/");
  const parentValues = parentNames(definition).map((name, index) => [
    name,
    parts.length > 1 ? parts[index] : args[name],
  ]);
  return { ...Object.fromEntries(parentValues), id: ownId(id) };
}

/** The path values of the list that contains an object with these arguments. */
export function above(definition: Definition, args: Values): Input {
  return Object.fromEntries(parentNames(definition).map((name) => [name, args[name]]));
}

/** A natural key: the values of its fields, by path. */
export type Key = Readonly<Record<string, unknown>>;

/** The first natural key whose fields are all set. For a list's field, it has the values of all items. */
export const keyOf = (definition: Definition, args: Values): Key | undefined => keysOf(definition, args)[0];

/** All natural keys that the arguments state, the one that counts first. */
export const keysOf = (definition: Definition, args: Values): readonly Key[] =>
  (definition.keys ?? [])
    .map((paths) =>
      Object.fromEntries(
        paths.map((path) => [path, path.includes(".") ? statedAt(args, path) : valueAt(args, path)]),
      ),
    )
    .filter((key) => !Object.values(key).some(isBlank));

/** Whether an object has a natural key. For a list's field, one matching item is enough. */
export function hasKey(seen: Values, key: Key): boolean {
  return Object.entries(key).every(([path, value]) =>
    Array.isArray(value)
      ? statedAt(seen, path).some((one) => value.includes(one))
      : valueAt(seen, path) === value,
  );
}

/** A key for a message: `code SALE10`. */
export function keyText(key: Key): string {
  return Object.entries(key)
    .map(([path, value]) => `${path} ${Array.isArray(value) ? value.join(" or ") : value}`)
    .join(", ");
}

/** The first value at a path: for `variants.sku`, the SKU of the first variant. */
export function valueAt(values: Values, path: string): unknown {
  return valuesAt(values, path)[0];
}

/** All values at a path: for `variants.sku`, the SKU of each variant. */
const valuesAt = (values: Values, path: string): readonly unknown[] =>
  path
    .split(".")
    .reduce<readonly unknown[]>(
      (holders, name) => holders.flatMap((holder) => valuesOf(holder)[name]),
      [values],
    );

export const statedAt = (values: Values, path: string): readonly unknown[] =>
  valuesAt(values, path).filter((value) => value !== undefined && value !== "");

/** Identifies the list that contains an object: objects with equal texts are in the same list. */
export function parentsText(definition: Definition, id: string): string {
  const { id: _own, ...rest } = pathValues(definition, id);
  return JSON.stringify(above(definition, rest));
}

/**
 * Finds the one object that matches all criteria.
 * @throws Error that lists the objects, if none or several match
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
    const [[first = ""] = []] = unknown;
    const taken = `a query for a ${definition.kind} takes ${names.join(", ")}`;
    throw new Error(
      unknown.length === 0
        ? `${taken}: set one of them`
        : `unknown argument ${first}${didYouMean(first, names) || `; ${taken}`}`,
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
  throw new Error(`${what}; the shop has ${listedText(definition, only === undefined ? objects : found)}`);
}

const most = 20;

/** Objects for a message: `(id 1, title "Main"); (id 2, title "Mobile")`. */
export function listedText(definition: Definition, objects: readonly Values[]): string {
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

export type ShopMark = Place;

/** `https://my-shop.example#204331`. */
export const shopMarkText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url}#${account}`;

export const parseShopMark: (text: string) => ShopMark = parsePlace;

/** The shop in an object's state; undefined in states of older versions. */
export const shopMarkIn = (values: Values): string | undefined =>
  typeof values[placeKey] === "string" ? values[placeKey] : undefined;

export function withoutShopMark({ [placeKey]: _mark, ...values }: Values): Values {
  return values;
}

export const withShopMark = (values: Values, mark: string | undefined): Values =>
  mark === undefined ? values : { ...values, [placeKey]: mark };

export const shopText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url} (account ${account})`;

/**
 * Whether two marks mean the same shop, which may have moved. An id is only valid in its own shop
 * (docs/decisions/0020-state-names-its-shop.md).
 */
export const isSameShop: (mark: ShopMark, here: ShopMark) => boolean = isSamePlace;
