/** Identifies an object: by the engine's id, by its natural key, by a data source's criteria; and the shop that it is in. */
import type { Input } from "../client/call.ts";
import { type Definition, namesIn, type Read } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isBlank, valuesOf } from "../wire/values.ts";

/** Names in the paths that are neither the object's own id nor an item's: the objects above it. */
export function parentNames(definition: Definition): readonly string[] {
  const names = Object.values(definition.operations).flatMap(({ path }) => namesIn(path));
  return [...new Set(names)].filter((name) => name !== "id" && name !== "item");
}

/** The engine's id: ids from the top down, joined by slashes; a constant where a shop has one at most. */
export function engineIdOf(definition: Definition, seen: Values, args: Values): string {
  if (definition.singleton !== undefined) return definition.one;
  return [...parentNames(definition).map((name) => seen[name] ?? args[name]), seen.id].join("/");
}

/** The object's own id of an engine's id: without those of what is above it. */
export const ownId = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** The path values of an id; what is above it may come from the arguments instead. */
export function pathValues(definition: Definition, id: string, args: Values = {}): Input {
  if (definition.singleton !== undefined) return {};
  const parts = id.split("/");
  const parentValues = parentNames(definition).map((name, index) => [
    name,
    parts.length > 1 ? parts[index] : args[name],
  ]);
  return { ...Object.fromEntries(parentValues), id: ownId(id) };
}

/** The path values that say which list an object with these arguments stands in. */
export function above(definition: Definition, args: Values): Input {
  return Object.fromEntries(parentNames(definition).map((name) => [name, args[name]]));
}

/** A natural key: paths of fields with the values they must have. */
export type Key = Readonly<Record<string, unknown>>;

/** The first natural key whose fields are all stated; of a field of items the values of all items that state it. */
export function keyOf(definition: Definition, args: Values): Key | undefined {
  for (const paths of definition.keys ?? []) {
    const key = Object.fromEntries(
      paths.map((path) => [path, path.includes(".") ? statedAt(args, path) : valueAt(args, path)]),
    );
    if (!Object.values(key).some(isBlank)) return key;
  }
  return undefined;
}

/** Whether an object has a natural key; of a field of items one of the values, in any of its items. */
export function hasKey(seen: Values, key: Key): boolean {
  return Object.entries(key).every(([path, value]) =>
    Array.isArray(value)
      ? statedAt(seen, path).some((one) => value.includes(one))
      : valueAt(seen, path) === value,
  );
}

/** `code SALE10`, as a person reads it. */
export function keyText(key: Key): string {
  return Object.entries(key)
    .map(([path, value]) => `${path} ${Array.isArray(value) ? value.join(" or ") : value}`)
    .join(", ");
}

/** The value at a path of a natural key: `variants.sku` is the sku of the first variant. */
export function valueAt(values: Values, path: string): unknown {
  return valuesAt(values, path)[0];
}

/** All values at a path: `variants.sku` is the sku of each variant. */
const valuesAt = (values: Values, path: string): readonly unknown[] =>
  path
    .split(".")
    .reduce<readonly unknown[]>(
      (holders, name) => holders.flatMap((holder) => valuesOf(holder)[name]),
      [values],
    );

/** Those of them that are set. */
export const statedAt = (values: Values, path: string): readonly unknown[] =>
  valuesAt(values, path).filter((value) => value !== undefined && value !== "");

/** What an object stands in, as one text: objects of one text stand in one list. */
export function parentsText(definition: Definition, id: string): string {
  const { id: _own, ...rest } = pathValues(definition, id);
  return JSON.stringify(above(definition, rest));
}

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
  throw new Error(`${what}; the shop has ${listedText(definition, only === undefined ? objects : found)}`);
}

const most = 20;

/** What there is, as `(id 1, title "Main"); (id 2, title "Mobile")`. */
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

export interface ShopMark {
  readonly url: string;
  /** The account's id, which stays when the address changes; undefined where it isn't known. */
  readonly account: string | undefined;
}

/** The output that holds it. */
const markKey = "__shop";

/** `https://my-shop.example#204331`. */
export const shopMarkText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url}#${account}`;

export function parseShopMark(text: string): ShopMark {
  const [url = "", account] = text.split("#");
  return { url, account };
}

/** The mark of an object's state; undefined in a state of an older version. */
export const shopMarkIn = (values: Values): string | undefined =>
  typeof values[markKey] === "string" ? values[markKey] : undefined;

/** An object's values as the verbs know them. */
export function withoutShopMark({ [markKey]: _mark, ...values }: Values): Values {
  return values;
}

/** An object's values as a state keeps them. @param mark undefined where it isn't known */
export const withShopMark = (values: Values, mark: string | undefined): Values =>
  mark === undefined ? values : { ...values, [markKey]: mark };

/** A shop as a message names it. */
export const shopText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url} (account ${account})`;

/** Whether two marks are of one shop, be it at an address that it had before. */
export const isSameShop = (mark: ShopMark, here: ShopMark): boolean =>
  ["same", "moved"].includes(relationOf(mark, here));

/**
 * How the shop of an object is related to another one: the `same`, `moved` to another address, an `other` one, or
 * `unknown` where the address differs and an account isn't known.
 */
export function relationOf(mark: ShopMark, here: ShopMark): "same" | "moved" | "other" | "unknown" {
  const isKnown = mark.account !== undefined && here.account !== undefined;
  if (isKnown && mark.account !== here.account) return "other";
  if (mark.url === here.url) return "same";
  return isKnown ? "moved" : "unknown";
}
