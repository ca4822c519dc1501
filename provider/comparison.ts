/**
 * Two sets of objects side by side, told apart by what people know them by: no ids, no stamps, nothing that a shop
 * moves by itself. What differs is a value, from a closed set.
 */
import { sha256 } from "./body.ts";
import type { Values } from "./codec.ts";
import type { Definition, Fields } from "./define.ts";
import { valueAt } from "./identity.ts";
import { lookupOf } from "./portrait.ts";

/** One object, ready to be compared. */
export interface Portrayed {
  readonly kind: string;
  /** What it is recognised by, as a person reads it. */
  readonly key: string;
  /** The same without what it belongs to, for shops whose themes are called otherwise. */
  readonly looseKey: string;
  /** What can be stated of it, by path; an item of a list is `variants[MUG-R]`. */
  readonly facts: ReadonlyMap<string, unknown>;
}

/** One side of a comparison. */
export interface Side {
  readonly objects: readonly Portrayed[];
  /** Says nothing of what it doesn't state: a program. */
  readonly isPartial: boolean;
}

/** What differs between two objects, in the words that plans use. */
export interface Change {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly old?: unknown;
  readonly new?: unknown;
}

interface Of {
  readonly kind: string;
  readonly key: string;
}
export type Difference =
  | (Of & { readonly type: "only-in-a" })
  | (Of & { readonly type: "only-in-b" })
  | (Of & { readonly type: "different"; readonly changes: readonly Change[] });

/** Objects of other kinds by their number, with all of their kind. */
export type Referred = ReadonlyMap<
  string,
  readonly { readonly definition: Definition; readonly seen: Values }[]
>;

/**
 * An object as it is compared.
 * @param args its arguments, as a program states them or a portrait has them
 * @param body the text of its body, its bytes, or undefined where it isn't known
 */
export function portrayed(
  definition: Definition,
  args: Values,
  body: string | Buffer | undefined,
  title: string,
  referred: Referred,
): Portrayed {
  const stated = referencesNamed(definition, args, referred);
  const facts = new Map(factsOf(definition.fields, stated, ""));
  if (typeof body === "string") facts.set("content", body);
  else if (body !== undefined) facts.set("sha256", sha256(body));
  const paths = definition.keys?.find((key) => key.every((path) => valueAt(stated, path) !== undefined));
  const text = (from: readonly string[]) => from.map((path) => String(valueAt(stated, path))).join(" ");
  const own = (paths ?? []).filter((path) => definition.fields[path]?.refers === undefined);
  return {
    kind: definition.kind,
    key: paths === undefined ? title : text(paths),
    looseKey: paths === undefined ? title : text(own),
    facts,
  };
}

/** The arguments with numbers of other objects as what finds those; what nothing finds is left out. */
function referencesNamed(definition: Definition, args: Values, referred: Referred): Values {
  const entries = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const refers = definition.fields[name]?.refers;
    if (refers === undefined) return [[name, value]];
    const all = referred.get(refers.kind ?? "") ?? [];
    const found = all.find(({ seen }) => seen.id === value);
    if (found === undefined) return [];
    const by = lookupOf(
      found.definition,
      found.seen,
      all.map(({ seen }) => seen),
    );
    const [only] = Object.entries(by);
    if (only === undefined || only[0] === "id") return [];
    return [[name, only[1] === true ? `${only[0]}` : `${only[1]}`]];
  });
  return Object.fromEntries(entries);
}

function* factsOf(fields: Fields, args: Values, above: string): Generator<[string, unknown]> {
  for (const [name, field] of Object.entries(fields)) {
    const isArgument = field.mode === "required" || field.mode === "optional";
    const value = args[name];
    if (!isArgument || field.moves || value === undefined || value === "") continue;
    const path = above + name;
    const { items } = field;
    if (items?.fields === undefined || !Array.isArray(value)) {
      yield [path, value];
      continue;
    }
    yield [path, listed];
    const seen = new Map<string, number>();
    for (const item of value as readonly Values[]) {
      const key = String(items.key === undefined ? "" : (item[items.key] ?? ""));
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      const place = `${path}[${key}${count > 1 || key === "" ? `#${count}` : ""}]`;
      yield [place, listed];
      yield* factsOf(items.fields, item, `${place}.`);
    }
  }
}

/** Stands for a list or an item that is there, whatever is in it. */
const listed = "there";

/** All that differs, by kind and key. */
export function compareSides(a: Side, b: Side): readonly Difference[] {
  const { pairs, onlyA, onlyB } = pairUp(a.objects, b.objects);
  const differences: Difference[] = [
    ...onlyA.map(({ kind, key }) => ({ type: "only-in-a" as const, kind, key })),
    ...onlyB.map(({ kind, key }) => ({ type: "only-in-b" as const, kind, key })),
    ...pairs.flatMap(([one, other]): Difference[] => {
      const changes = changesOf(one, other, a.isPartial, b.isPartial);
      return changes.length === 0 ? [] : [{ type: "different", kind: one.kind, key: one.key, changes }];
    }),
  ];
  return differences.toSorted(
    (x, y) => order(x.kind, y.kind) || order(x.key, y.key) || order(x.type, y.type),
  );
}

const order = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0);

/** By key; what is left by its key without what it belongs to, where only one on each side has it. */
function pairUp(a: readonly Portrayed[], b: readonly Portrayed[]) {
  const pairs: (readonly [Portrayed, Portrayed])[] = [];
  let [leftA, leftB] = [a, b];
  const match = (keyOf: (one: Portrayed) => string, isSure: (count: number) => boolean) => {
    const [mine, theirs] = [group(leftA, keyOf), group(leftB, keyOf)];
    const taken = new Set<Portrayed>();
    for (const [key, ones] of mine) {
      const others = theirs.get(key) ?? [];
      if (!isSure(Math.max(ones.length, others.length))) continue;
      ones.slice(0, others.length).forEach((one, index) => {
        const other = others[index] as Portrayed;
        pairs.push([one, other]);
        taken.add(one).add(other);
      });
    }
    leftA = leftA.filter((one) => !taken.has(one));
    leftB = leftB.filter((one) => !taken.has(one));
  };
  match(
    ({ kind, key }) => `${kind} ${key}`,
    () => true,
  );
  match(
    ({ kind, looseKey }) => `${kind} ${looseKey}`,
    (count) => count === 1,
  );
  return { pairs, onlyA: leftA, onlyB: leftB };
}

const group = (objects: readonly Portrayed[], keyOf: (one: Portrayed) => string) =>
  Map.groupBy(objects, keyOf);

function changesOf(
  one: Portrayed,
  other: Portrayed,
  partialA: boolean,
  partialB: boolean,
): readonly Change[] {
  const paths = [...new Set([...one.facts.keys(), ...other.facts.keys()])];
  // An item that isn't there says enough: its parts needn't be named too.
  const told: string[] = [];
  return paths.flatMap((path): Change[] => {
    if (told.some((above) => path.startsWith(`${above}.`))) return [];
    const [old, next] = [one.facts.get(path), other.facts.get(path)];
    if (JSON.stringify(old) === JSON.stringify(next)) return [];
    if (old === undefined && partialA && !isItemOf(path, one)) return [];
    if (next === undefined && partialB && !isItemOf(path, other)) return [];
    if (old === undefined || next === undefined) told.push(path);
    if (old === undefined) return [{ path, kind: "add", new: next }];
    if (next === undefined) return [{ path, kind: "delete", old }];
    return [{ path, kind: "update", old, new: next }];
  });
}

// A list that is stated at all is stated whole.
function isItemOf(path: string, { facts }: Portrayed): boolean {
  const list = /^(.*)\[[^[]*\]$/.exec(path)?.[1];
  return list !== undefined && facts.has(list);
}
