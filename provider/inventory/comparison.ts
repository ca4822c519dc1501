/** Compares two sets of objects, matched by their names. Reports the differences, and the fields that weren't compared. */
import { fieldText, pathIn, pathText } from "../../engine/pulumi/path.ts";
import { argumentPath } from "../body/arguments.ts";
import { leafChanges } from "../body/json.ts";
import { unitOf } from "../change/value-text.ts";
import { definitionOf } from "../resources/index.ts";
import { type ComparedObject, type Reason, there } from "./comparable.ts";

export interface Side {
  readonly objects: readonly ComparedObject[];
  /** Whether unset fields aren't a difference: true for a program. */
  readonly isPartial: boolean;
  /** Kinds that the shop doesn't list. */
  readonly unlisted: readonly string[];
  readonly withoutArgument: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A differing field, as in a plan. */
export interface FieldChange {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly old?: unknown;
  readonly new?: unknown;
  /** Units of the numbers, such as `%`. */
  readonly units?: { readonly old: string; readonly new: string };
}

interface Of {
  readonly kind: string;
  readonly key: string;
}
export type Difference =
  | (Of & { readonly type: "only-in-a" })
  | (Of & { readonly type: "only-in-b" })
  | (Of & { readonly type: "different"; readonly changes: readonly FieldChange[] });

/** A field that wasn't compared, the number of object pairs, and the reason. */
export interface Uncompared {
  readonly kind: string;
  /** Undefined if no field of the kind was compared. */
  readonly path: string | undefined;
  readonly objects: number;
  readonly reason: Reason;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  readonly notCompared: readonly Uncompared[];
}

/** Compares two sides. The results are sorted by kind and key. */
export function compareSides(a: Side, b: Side): Comparison {
  const { pairs, onlyA, onlyB } = pairUp(a, b);
  const blind = new Map<string, { -readonly [K in keyof Uncompared]: Uncompared[K] }>();
  const differences: Difference[] = [
    ...onlyA.map(({ kind, key }) => ({ type: "only-in-a" as const, kind, key })),
    ...onlyB.map(({ kind, key }) => ({ type: "only-in-b" as const, kind, key })),
  ];
  for (const [one, other] of pairs) {
    const { changes, uncompared } = compareObjects(one, other, a, b);
    const { kind } = one;
    for (const [path, reason] of uncompared) {
      const entry = blind.get(`${kind} ${path} ${reason}`) ?? { kind, path, objects: 0, reason };
      entry.objects += 1;
      blind.set(`${kind} ${path} ${reason}`, entry);
    }
    const key = one.called === "secret" ? other.key : one.key;
    if (changes.length > 0) differences.push({ type: "different", kind, key, changes });
  }
  const unlisted = [...new Set([...a.unlisted, ...b.unlisted])].map((kind) => ({
    kind,
    path: undefined,
    objects: 0,
    reason: "unlisted" as const,
  }));
  return {
    differences: differences.toSorted(
      (x, y) => order(x.kind, y.kind) || order(x.key, y.key) || order(x.type, y.type),
    ),
    notCompared: [...unlisted, ...blind.values()].toSorted(
      (x, y) => order(x.kind, y.kind) || order(x.path ?? "", y.path ?? "") || order(x.reason, y.reason),
    ),
  };
}

const order = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0);

type Pair = readonly [ComparedObject, ComparedObject];

/**
 * Matches objects by key, then by key without the parent if it is unique on each side, then by another natural key that both
 * have. Objects with a secret key are matched with the most similar ones.
 */
function pairUp(a: Side, b: Side) {
  // If one shop doesn't list a kind, its objects aren't compared.
  const isListed = ({ kind }: ComparedObject) => !a.unlisted.includes(kind) && !b.unlisted.includes(kind);
  const pairs: Pair[] = [];
  let [leftA, leftB] = [a.objects.filter(isListed), b.objects.filter(isListed)];
  const match = (
    keyOf: (one: ComparedObject) => string,
    isSure: (ones: readonly ComparedObject[], others: readonly ComparedObject[]) => boolean,
    mayA: (one: ComparedObject) => boolean = () => true,
    mayB: (one: ComparedObject) => boolean = () => true,
  ) => {
    const mine = Map.groupBy(leftA.filter(mayA), keyOf);
    const theirs = Map.groupBy(leftB.filter(mayB), keyOf);
    const taken = new Set<ComparedObject>();
    for (const [key, ones] of mine) {
      const others = theirs.get(key) ?? [];
      if (others.length === 0 || !isSure(ones, others)) continue;
      for (const pair of mostAlike(ones, others, a, b)) {
        pairs.push(pair);
        taken.add(pair[0]).add(pair[1]);
      }
    }
    leftA = leftA.filter((one) => !taken.has(one));
    leftB = leftB.filter((one) => !taken.has(one));
  };
  const always = () => true;
  const kindOf = ({ kind }: ComparedObject) => kind;
  const byContent = ({ called }: ComparedObject) => called === "text";
  const isNameless = ({ called }: ComparedObject) => called === "secret";
  match((one) => `${one.kind} ${one.called} ${one.key}`, always);
  match(
    ({ kind, looseKey }) => `${kind} ${looseKey}`,
    (ones, others) => ones.length === 1 && others.length === 1,
  );
  const alike = keyed(leftA, leftB);
  const paired = new Set(alike.flat());
  pairs.push(...alike);
  leftA = leftA.filter((one) => !paired.has(one));
  leftB = leftB.filter((one) => !paired.has(one));
  // The start of a text may contain an address that differs between shops.
  match((one) => `${one.kind} ${fieldsText(one)}`, always, byContent, byContent);
  match(kindOf, always, isNameless);
  match(kindOf, always, always, isNameless);
  return { pairs, onlyA: leftA, onlyB: leftB };
}

/** Matches objects by the first natural key that both have; ambiguous matches are left out. */
function keyed(ones: readonly ComparedObject[], others: readonly ComparedObject[]): readonly Pair[] {
  const values = ({ kind, keys }: ComparedObject) =>
    keys.flatMap((own, index) => own.map((value) => `${kind} ${index} ${value}`));
  const byValue = Map.groupBy(
    others.flatMap((other) => values(other).map((value) => ({ value, other }))),
    ({ value }) => value,
  );
  const isMeant = (one: ComparedObject, other: ComparedObject) => {
    const index = one.keys.findIndex((own, at) => own.length > 0 && (other.keys[at] ?? []).length > 0);
    return one.keys[index]?.some((value) => other.keys[index]?.includes(value)) === true;
  };
  const pairs = ones.flatMap((one) => {
    const alike = new Set(
      values(one)
        .flatMap((value) => byValue.get(value) ?? [])
        .map(({ other }) => other),
    );
    return [...alike].flatMap((other): Pair[] => (isMeant(one, other) ? [[one, other]] : []));
  });
  const counts = new Map<ComparedObject, number>();
  for (const of of pairs.flat()) counts.set(of, (counts.get(of) ?? 0) + 1);
  return pairs.filter((pair) => pair.every((of) => counts.get(of) === 1));
}

const fieldsText = ({ fields }: ComparedObject) => JSON.stringify([...fields]);

/** Up to this number, all pairs are tried; beyond it, objects are paired in order. */
const mostTried = 40_000;

/** Pairs objects with the same key, the most similar first. */
function mostAlike(
  ones: readonly ComparedObject[],
  others: readonly ComparedObject[],
  a: Side,
  b: Side,
): readonly Pair[] {
  const [one, other] = [ones[0], others[0]];
  if (ones.length === 1 && others.length === 1 && one && other) return [[one, other]];
  const pairs: Pair[] = [];
  const equals = Map.groupBy(others, fieldsText);
  const rest = ones.filter((mine) => {
    const equal = equals.get(fieldsText(mine))?.shift();
    if (equal !== undefined) pairs.push([mine, equal]);
    return equal === undefined;
  });
  const left = [...equals.values()].flat();
  if (rest.length * left.length > mostTried)
    return [
      ...pairs,
      ...left.slice(0, rest.length).flatMap((theirs, index): Pair[] => {
        const mine = rest[index];
        return mine === undefined ? [] : [[mine, theirs]];
      }),
    ];
  const tried = rest.flatMap((mine) =>
    left.map((theirs) => ({
      pair: [mine, theirs] as const,
      count: compareObjects(mine, theirs, a, b).changes.length,
    })),
  );
  const taken = new Set<ComparedObject>();
  for (const { pair } of tried.toSorted((x, y) => x.count - y.count)) {
    if (pair.some((of) => taken.has(of))) continue;
    pairs.push(pair);
    for (const of of pair) taken.add(of);
  }
  return pairs;
}

function compareObjects(one: ComparedObject, other: ComparedObject, a: Side, b: Side) {
  const hidden = new Map([...one.hidden, ...other.hidden]);
  const uncompared = new Map(hidden);
  const isHidden = (path: string) => {
    const steps = argumentPath(fieldText(path)).split(".");
    return steps.some((_step, index) => hidden.has(steps.slice(0, index + 1).join(".")));
  };
  const why = (path: string): Reason => {
    const [field = path] = fieldText(path).split(".");
    return a.withoutArgument.get(one.kind)?.has(field) || b.withoutArgument.get(one.kind)?.has(field)
      ? "stays"
      : "unstated";
  };
  const paths = [...new Set([...one.fields.keys(), ...other.fields.keys()])];
  // A missing item is reported once, without its fields.
  const reported: string[] = [];
  const changes = paths.flatMap((path): readonly FieldChange[] => {
    if (reported.some((above) => path.startsWith(`${above}.`)) || isHidden(path)) return [];
    const [old, next] = [one.fields.get(path), other.fields.get(path)];
    if (JSON.stringify(old) === JSON.stringify(next)) return [];
    const isOthers =
      (old === undefined && isShared(path, one)) || (next === undefined && isShared(path, other));
    const isUnstated =
      (old === undefined && a.isPartial && !isItemOf(path, one)) ||
      (next === undefined && b.isPartial && !isItemOf(path, other));
    if (isOthers) reported.push(path);
    if (isUnstated || isOthers) {
      const reason = why(path);
      // For a list without an argument, its name is enough.
      const field = argumentPath(fieldText(path));
      uncompared.set(reason === "stays" ? (field.split(".")[0] ?? field) : field, reason);
      return [];
    }
    if (old === undefined || next === undefined) reported.push(path);
    if (old === undefined) return [{ path, kind: "add", new: wholeAt(path, other, isHidden) }];
    if (next === undefined) return [{ path, kind: "delete", old: wholeAt(path, one, isHidden) }];
    const [was, will] = [one, other].map(({ kind, fields }) => unitAt(kind, path, fields));
    const units = was || will ? { units: { old: was ?? "", new: will ?? "" } } : {};
    return settingsChanges(one.key, path, old, next) ?? [{ path, kind: "update", old, new: next, ...units }];
  });
  return { changes, uncompared };
}

/** A value, or the fields of an item; undefined for a list, and for an item without fields. */
function wholeAt(path: string, { fields }: ComparedObject, isHidden: (path: string) => boolean): unknown {
  const own = [...fields].filter(([one]) => one.startsWith(`${path}.`) && !isHidden(one));
  if (own.length > 0)
    return Object.fromEntries(own.map(([one, value]) => [one.slice(path.length + 1), value]));
  const value = fields.get(path);
  const isList = path.endsWith("]") || [...fields.keys()].some((one) => one.startsWith(`${path}[`));
  return isList && value === there ? undefined : value;
}

function unitAt(kind: string, path: string, facts: ComparedObject["fields"]): string {
  const definition = definitionOf(kind);
  return definition === undefined ? "" : unitOf(definition, path, (name) => facts.get(name));
}

// A program that sets a list sets all its items.
function isItemOf(path: string, { fields }: ComparedObject): boolean {
  const steps = pathIn(path);
  return steps.length % 2 === 0 && fields.has(pathText(steps.slice(0, -1)));
}

/** Whether others may own an item that isn't listed. */
const isShared = (path: string, { shared }: ComparedObject): boolean => {
  const [list = "", ...rest] = pathIn(path);
  return rest.length === 1 && shared.has(list);
};

/** Compares settings value by value, as plans do: order and whitespace don't matter. */
function settingsChanges(
  key: string,
  path: string,
  old: unknown,
  next: unknown,
): readonly FieldChange[] | undefined {
  if (!key.endsWith(".json") || typeof old !== "string" || typeof next !== "string") return undefined;
  return leafChanges(old, next)?.map(({ path: leaf, ...sides }) => {
    const kind = !("old" in sides) ? "add" : "new" in sides ? "update" : "delete";
    return { path: `${path}.${leaf}`, kind, ...sides };
  });
}
