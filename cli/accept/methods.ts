/** What methods of lists, objects and texts come to that a program may call. */
import type { Place } from "./sources.ts";
import { computed, plainOf, rowPlaces, type Scalar, scalar, type Traced } from "./traced.ts";

/** A call: where it stands, and how a function that it is given is applied. */
interface Applying {
  readonly at: Place;
  readonly apply: (work: Place, args: readonly Traced[]) => Traced;
}

export function ofObject(method: string, of: Traced | undefined, at: Place): Traced {
  if (method === "fromEntries" && of?.type === "list")
    return {
      ...{ type: "object", at, parts: [] },
      entries: new Map(
        of.items.flatMap((pair) =>
          pair.type === "list" && pair.items[1] !== undefined
            ? [[String(plainOf(pair.items[0] ?? pair)), pair.items[1]] as const]
            : [],
        ),
      ),
    };
  if (of?.type !== "object") return computed(at);
  const list = (items: readonly Traced[]): Traced => ({ type: "list", items, at, isLiteral: false });
  const entries = [...of.entries];
  if (method === "freeze") return of;
  if (method === "values") return list(entries.map(([, one]) => one));
  if (method === "keys") return list(entries.map(([name]) => scalar(name, at)));
  return method === "entries"
    ? list(entries.map(([name, one]) => list([scalar(name, at), one])))
    : computed(at);
}

/** `Map.groupBy` and `Object.groupBy`: the items of each group, by its name. */
export function grouped(
  {
    name,
    of,
    by,
  }: { readonly name: string; readonly of: Traced | undefined; readonly by: Traced | undefined },
  { at, apply }: Applying,
): Traced {
  if (of?.type !== "list" || by?.type !== "function") return computed(at);
  const named = of.items.map((item, index) => [apply(by.at, [item, scalar(index, at)]), item] as const);
  if (named.some(([group]) => group.type !== "scalar")) return computed(at);
  const list = (items: readonly Traced[]): Traced => ({ type: "list", items, at, isLiteral: false });
  const groups = [...Map.groupBy(named, ([group]) => plainOf(group))].map(
    ([group, its]) => [group, list(its.map(([, item]) => item))] as const,
  );
  return name === "Map"
    ? list(groups.map(([group, its]) => list([scalar(group, at), its])))
    : { type: "object", entries: new Map(groups.map(([group, its]) => [String(group), its])), at, parts: [] };
}

export function ofList(
  method: string,
  of: Extract<Traced, { type: "list" }>,
  by: Traced | undefined,
  { at, apply }: Applying,
): Traced {
  if (method === "join" && of.items.every(({ type }) => type === "scalar"))
    return scalar(of.items.map(plainOf).join(String(by === undefined ? "," : plainOf(by))), at);
  if (sameItems.has(method)) return { ...of, isLiteral: false };
  if (by?.type !== "function") return computed(at);
  const each = of.items.map((item, index) => {
    const made = apply(by.at, [item, scalar(index, at)]);
    return made.type === "object" ? { ...made, rows: [...rowPlaces(item), ...(made.rows ?? [])] } : made;
  });
  if (method === "map") return { type: "list", items: each, at, isLiteral: false };
  if (method === "flatMap") {
    const items = each.flatMap((one) => (one.type === "list" ? one.items : [one]));
    return { type: "list", items, at, isLiteral: false };
  }
  if (each.some(({ type }) => type === "computed")) return computed(at);
  if (method === "find") return of.items[each.findIndex(isTrue)] ?? scalar(undefined, at);
  if (method !== "filter") return computed(at);
  return {
    type: "list",
    items: of.items.filter((_one, index) => isTrue(each[index])),
    at,
    isLiteral: false,
  };
}

const sameItems = new Set(["sort", "toSorted", "reverse", "toReversed", "values"]);

const isTrue = (one: Traced | undefined) =>
  one !== undefined && (one.type !== "scalar" || Boolean(one.value));

export function ofText(method: string, text: string, args: readonly Traced[], at: Place): Traced {
  const plain = args.map(plainOf);
  if (!textMethods.has(method) || args.some(({ type }) => type !== "scalar")) return computed(at);
  const call = text[method as "slice"] as unknown as (...of: readonly Scalar[]) => Scalar;
  return scalar(call.apply(text, plain), at);
}

const textMethods = new Set([
  ...[
    "toLowerCase",
    "toUpperCase",
    "trim",
    "slice",
    "replace",
    "replaceAll",
    "padStart",
    "padEnd",
    "charAt",
    "concat",
  ],
]);
