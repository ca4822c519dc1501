/** Values of a program with the places where they are written. */
import type { Node, NodeOf, Place } from "./sources.ts";

export type Scalar = string | number | boolean | null | undefined;

export type Traced =
  /** `isLiteral`: the literal itself is the value, so it can be replaced. `of`: as in `computed`. */
  | {
      readonly type: "scalar";
      readonly value: Scalar;
      readonly at: Place;
      readonly isLiteral: boolean;
      readonly of?: readonly Traced[];
    }
  /** `parts`: the object literals that it is made of; later ones win. */
  | {
      readonly type: "object";
      readonly entries: ReadonlyMap<string, Traced>;
      readonly at: Place;
      readonly parts: readonly Place[];
      /** The list items from which `map` made it. */
      readonly rows?: readonly Place[];
    }
  | {
      readonly type: "list";
      readonly items: readonly Traced[];
      readonly at: Place;
      readonly isLiteral: boolean;
    }
  | { readonly type: "function"; readonly at: Place }
  /** `of`: the values that the program computes it from, if they are known. */
  | {
      readonly type: "computed";
      readonly at: Place;
      readonly lookup?: Lookup;
      readonly setting?: Setting;
      readonly of?: readonly Traced[];
    };

/** A setting of the stack, or without a key the `pulumi.Config` that has it. */
export interface Setting {
  /** The part before the colon; undefined for the project's name. */
  readonly of: Scalar;
  readonly key?: string;
}

/** A data source: the object of the shop that it finds. */
export interface Lookup {
  readonly kind: string;
  readonly by: Readonly<Record<string, Scalar>>;
}

/** The values that functions and loops around an expression bind. */
export interface Env {
  readonly binder: Node;
  readonly values: readonly Traced[];
  readonly outer: Env | undefined;
  /** The call that bound them, or the entry of an object whose name a loop binds. */
  readonly call?: Place;
}

/** Evaluates an expression with the bindings around it. */
export type Evaluate = (place: Place, env: Env | undefined) => Traced;

export const computed = (at: Place): Traced => ({ type: "computed", at });
export const scalar = (value: Scalar, at: Place, isLiteral = false): Traced => ({
  type: "scalar",
  value,
  at,
  isLiteral,
});

/** Notes which values a value is computed from: an edit of their literals changes it, too. */
export const computedFrom = (made: Traced, of: readonly Traced[]): Traced =>
  made.type === "scalar" || made.type === "computed"
    ? { ...made, of: of.filter(({ type }) => type === "scalar" || type === "computed") }
    : made;

/** A list that the program makes. */
export const listOf = (items: readonly Traced[], at: Place): Traced => ({
  type: "list",
  items,
  at,
  isLiteral: false,
});

/** Whether a value counts as true; undefined if it is computed. */
export const truthOf = (traced: Traced): boolean | undefined =>
  traced.type === "computed" ? undefined : traced.type !== "scalar" || Boolean(traced.value);

/** A property of an object, or an item or the length of a list; undefined if there is none. */
export function entryOf(of: Traced, key: string): Traced | undefined {
  if (of.type === "object") return of.entries.get(key) ?? scalar(undefined, of.at);
  if (of.type === "list" && /^-?\d+$/.test(key)) return of.items.at(Number(key));
  if (of.type === "computed" && of.lookup !== undefined && key === "id") return of;
  return key === "length" && of.type === "list" ? scalar(of.items.length, of.at) : undefined;
}

/** The values of a list or of the arguments of a call. */
export const listed = (
  nodes: readonly (Node | null)[],
  { source }: Pick<Place, "source">,
  value: (place: Place) => Traced,
): readonly Traced[] =>
  nodes.flatMap((node) => {
    if (node === null) return [];
    if (node.type !== "SpreadElement") return [value({ source, node })];
    const spread = value({ source, node: node.argument });
    return spread.type === "list" ? spread.items : [computed({ source, node })];
  });

/** The places of a loop's item; for `[name, row]` from `Object.entries`, the row. */
export function rowPlaces(item: Traced | undefined): readonly Place[] {
  const row = item?.type === "list" && !item.isLiteral ? item.items[1] : item;
  if (row === undefined) return [];
  return row.type === "object" ? [...(row.rows ?? []), ...row.parts] : [row.at];
}

export const plainOf = (traced: Traced): Scalar => (traced.type === "scalar" ? traced.value : undefined);

export const valuesIn = (of: Traced | undefined): Readonly<Record<string, Scalar>> =>
  of?.type === "object" ? Object.fromEntries([...of.entries].map(([name, one]) => [name, plainOf(one)])) : {};

/** The value with its lists and objects; undefined where it isn't known. */
export function knownIn(of: Traced | undefined): unknown {
  if (of?.type === "list") return of.items.map(knownIn);
  if (of?.type !== "object") return of && plainOf(of);
  return Object.fromEntries([...of.entries].map(([name, one]) => [name, knownIn(one)]));
}

/** A call, and how to apply its callback. */
interface Applying {
  readonly at: Place;
  readonly apply: (work: Place, args: readonly Traced[]) => Traced;
}

export function ofObject(method: string, all: readonly Traced[], at: Place): Traced {
  const [of] = all;
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
  const list = (items: readonly Traced[]) => listOf(items, at);
  const entries = [...of.entries];
  if (method === "assign") return assigned(all, at);
  if (method === "freeze") return of;
  if (method === "values") return list(entries.map(([, one]) => one));
  if (method === "keys") return list(entries.map(([name]) => scalar(name, at)));
  return method === "entries"
    ? list(entries.map(([name, one]) => list([scalar(name, at), one])))
    : computed(at);
}

/** Objects of which later ones win. */
function assigned(all: readonly Traced[], at: Place): Traced {
  const own = all.filter((one) => one.type === "object");
  if (own.length < all.length) return computed(at);
  const entries = new Map(own.flatMap((one) => [...one.entries]));
  return { type: "object", entries, at, parts: own.flatMap(({ parts }) => parts) };
}

/** Evaluates `Map.groupBy` and `Object.groupBy`. */
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
  const list = (items: readonly Traced[]) => listOf(items, at);
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
  args: readonly Traced[],
  { at, apply }: Applying,
): Traced {
  const [by] = args;
  if (method === "join" && of.items.every(({ type }) => type === "scalar"))
    return scalar(of.items.map(plainOf).join(String(by === undefined ? "," : plainOf(by))), at);
  if (sameItems.has(method)) return { ...of, isLiteral: false };
  if (method === "slice") {
    const [from, to] = args.map(plainOf);
    return args.every((one) => typeof plainOf(one) === "number")
      ? listOf(of.items.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)), at)
      : computed(at);
  }
  if (method === "concat" && args.every((one) => one.type === "list"))
    return listOf(
      [of, ...args].flatMap(({ items }) => items),
      at,
    );
  if (method === "entries")
    return listOf(
      of.items.map((item, index) => listOf([scalar(index, at), item], at)),
      at,
    );
  if (method === "at" && by?.type === "scalar") return entryOf(of, String(by.value)) ?? scalar(undefined, at);
  if (method === "get" && by?.type === "scalar") {
    const pair = of.items.findLast((one) => one.type === "list" && plainOf(one.items[0] ?? one) === by.value);
    return pair === undefined ? scalar(undefined, at) : (entryOf(pair, "1") ?? computed(at));
  }
  if (by?.type !== "function") return computed(at);
  const each = of.items.map((item, index) => {
    const made = apply(by.at, [item, scalar(index, at)]);
    return made.type === "object" ? { ...made, rows: [...rowPlaces(item), ...(made.rows ?? [])] } : made;
  });
  if (method === "map") return listOf(each, at);
  if (method === "flatMap")
    return listOf(
      each.flatMap((one) => (one.type === "list" ? one.items : [one])),
      at,
    );
  if (each.some(({ type }) => type === "computed")) return computed(at);
  if (method === "find") return of.items[each.findIndex(isTrue)] ?? scalar(undefined, at);
  if (method !== "filter") return computed(at);
  return listOf(
    of.items.filter((_one, index) => isTrue(each[index])),
    at,
  );
}

const sameItems = new Set(["sort", "toSorted", "reverse", "toReversed", "values"]);

const isTrue = (one: Traced | undefined) => one !== undefined && truthOf(one) === true;

/** The values of an enum. A member without one is one more than the member before it. */
export function ofEnum(
  { body: { members } }: NodeOf<"TSEnumDeclaration">,
  at: Place,
  value: (part: Node) => Traced,
): Traced {
  const entries = new Map<string, Traced>();
  let before: Traced = scalar(-1, at);
  for (const { id, initializer } of members) {
    const last = plainOf(before);
    const next = computedFrom(typeof last === "number" ? scalar(last + 1, at) : computed(at), [before]);
    before = initializer ? value(initializer) : next;
    entries.set(id.type === "Identifier" ? id.name : id.value, before);
  }
  return { type: "object", entries, at, parts: [] };
}

/** The properties and getters of a class: the static ones, or those of an object that it makes. */
export function ofClass(
  { body: { body } }: NodeOf<"ClassDeclaration">,
  { at, isStatic }: { readonly at: Place; readonly isStatic: boolean },
  value: (part: Node) => Traced,
): Traced {
  const entries = body.flatMap((one): readonly (readonly [string, Traced])[] => {
    if (one.type !== "ClassProperty" && (one.type !== "ClassMethod" || one.kind !== "get")) return [];
    if (Boolean(one.static) !== isStatic || one.computed || one.key.type !== "Identifier") return [];
    const of = one.type === "ClassMethod" ? one.body : one.value;
    return [[one.key.name, of ? value(of) : computed(at)]];
  });
  return { type: "object", entries: new Map(entries), at, parts: [] };
}

/** Numbers and texts of an operator; a place can't have its result written. */
export function ofOperator(operator: string, left: Scalar, right: Scalar, at: Place): Traced {
  if (operator === "===") return scalar(left === right, at);
  if (operator === "!==") return scalar(left !== right, at);
  if (operator === "+" && (typeof left === "string" || typeof right === "string"))
    return scalar(`${left}${right}`, at);
  const isLess = operator === "<" || operator === ">=";
  if (typeof left !== "number" || typeof right !== "number") return computed(at);
  if (operator === "+") return scalar(left + right, at);
  if (isLess) return scalar(left < right === (operator === "<"), at);
  return operator === ">" || operator === "<="
    ? scalar(left > right === (operator === ">"), at)
    : computed(at);
}

export function ofText(method: string, text: string, args: readonly Traced[], at: Place): Traced {
  const plain = args.map(plainOf);
  if (method === "split" && args.length === 1 && typeof plain[0] === "string")
    return listOf(
      text.split(plain[0]).map((part) => scalar(part, at)),
      at,
    );
  if (!textMethods.has(method) || args.some(({ type }) => type !== "scalar")) return computed(at);
  const call = text[method as "slice"] as unknown as (...of: readonly Scalar[]) => Scalar;
  return scalar(call.apply(text, plain), at);
}

const textMethods = new Set(
  "toLowerCase toUpperCase trim slice replace replaceAll padStart padEnd charAt concat".split(" "),
);
