/**
 * Compares and merges JSON objects value by value. The state has only hashes of the values (docs/rules.md, rule 5).
 * A value is anything but an object: a number, a string, or a list whose items have no ids.
 */
import { hash } from "node:crypto";
import { isRecord } from "../../engine/common/record.ts";

/** JSON texts of values, by path. A path joins names with dots; an item of a list has its id in brackets. */
export type Leaves = ReadonlyMap<string, string>;

/** No theme has more settings; a larger text is compared as a whole. */
const mostLeaves = 2_000;

// Escapes dots and brackets in a name, and an empty name.
const step = (name: string) => (name === "" ? emptyStep : name.replaceAll(/[\\.[]/g, "\\$&"));
const emptyStep = "\\0";
const join = (above: string, name: string) => {
  if (name.startsWith("[")) return `${above}[${step(name.slice(1))}`;
  return above === "" ? step(name) : `${above}.${step(name)}`;
};

const namesIn = (path: string): readonly string[] =>
  (path.match(/\[(?:[^\\.[]|\\.)+|(?:[^\\.[]|\\.)+/gs) ?? []).map((name) =>
    name === emptyStep ? "" : name.replaceAll(/\\([\\.[])/g, "$1"),
  );

/** The values of a JSON object; undefined if it isn't one, or has too many. */
export const jsonValues = (text: string | undefined): Leaves | undefined => jsonValuesOfAll([text])?.[0];

/**
 * The values of several texts in the same form: lists by id, or as single values if there would be too many.
 * @param noted stored hashes: they decide which lists are by id
 */
function jsonValuesOfAll(
  texts: readonly (string | undefined)[],
  noted?: LeafHashes,
): readonly Leaves[] | undefined {
  const roots = texts.map(parsed);
  const all = (isWhole: (path: string) => boolean) =>
    roots.flatMap((root) => (root === undefined ? [] : (leavesIn(root, isWhole) ?? [])));
  const byId = all((path) => noted !== undefined && !noted.has(path, undefined));
  const found = byId.length === texts.length ? byId : all(() => true);
  return found.length === texts.length ? found : undefined;
}

function leavesIn(root: unknown, isWhole: (path: string) => boolean): Leaves | undefined {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: string, name: string) => {
    if (name !== orderStep && isRecord(value) && Object.keys(value).length > 0)
      for (const [inner, one] of Object.entries(value)) visit(one, join(path, inner), inner);
    else leaves.set(path, JSON.stringify(value));
  };
  const whole = (names: readonly string[]) => isWhole(names.reduce(join, ""));
  for (const [name, value] of Object.entries(withKeyedLists(root, whole) ?? {}))
    visit(value, join("", name), name);
  return leaves.size > mostLeaves ? undefined : leaves;
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined || !text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not JSON: compared as a whole.
    return undefined;
  }
}

/** A value that differs between two texts. A side without a value, or with an unknown one, is left out. */
export interface LeafChange {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

const sideOf = (side: "old" | "new", text: string | undefined) =>
  text === undefined ? {} : { [side]: JSON.parse(text) };

/** The differing values of two texts; undefined if one isn't a JSON object. */
export function leafChanges(
  before: string | undefined,
  after: string | undefined,
): readonly LeafChange[] | undefined {
  const [old, now] = jsonValuesOfAll([before, after]) ?? [];
  if (old === undefined || now === undefined) return undefined;
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  return paths.map((path) => ({ path, ...sideOf("old", old.get(path)), ...sideOf("new", now.get(path)) }));
}

/** The values that changed since their hashes were stored. @param hashes as `printValueHashes` returns them */
export function leavesSince(hashes: string, text: string): readonly LeafChange[] | undefined {
  const noted = parseValueHashes(hashes);
  const [now] = jsonValuesOfAll([text], noted) ?? [];
  if (now === undefined) return undefined;
  return [...now].flatMap(([path, value]) =>
    noted.has(path, value) ? [] : [{ path, ...sideOf("new", value) }],
  );
}

/** How many values a text lacks, adds or has changed; undefined if it isn't JSON. @param before the result of `printValueHashes` */
export function leafDistance(text: string, before: string): number | undefined {
  const noted = parseValueHashes(before);
  const [now] = jsonValuesOfAll([text], noted) ?? [];
  if (now === undefined) return undefined;
  const same = [...now].filter(([path, value]) => noted.has(path, value)).length;
  return now.size + noted.size - 2 * same;
}

const pathLength = 5;
const valueLength = 6;
const print = (text: string, length: number) => hash("sha256", text, "base64url").slice(0, length);

/** The hashes for the state: eleven characters for each value. */
export const printValueHashes = (leaves: Leaves): string =>
  [...leaves].map(([path, value]) => print(path, pathLength) + print(value, valueLength)).join("");

/** Whether two lists of hashes are for the same values, in any order. */
export function isSameValues(one: unknown, other: unknown): boolean {
  const [own, others] = [one, other].map((text) =>
    typeof text === "string" ? (text.match(/.{11}/g) ?? []).toSorted().join("") : undefined,
  );
  return own !== undefined && own === others;
}

type LeafHashes = ReturnType<typeof parseValueHashes>;

function parseValueHashes(text: string) {
  const length = pathLength + valueLength;
  const known = new Map<string, string>();
  for (let at = 0; at < text.length; at += length)
    known.set(text.slice(at, at + pathLength), text.slice(at + pathLength, at + length));
  return {
    size: known.size,
    /** Whether the path had this value; undefined asks whether it had none. */
    has: (path: string, value: string | undefined) =>
      known.get(print(path, pathLength)) === (value === undefined ? undefined : print(value, valueLength)),
    /** The hashes of these paths alone, as the state keeps them. */
    only: (paths: readonly string[]) =>
      paths
        .map((path) => print(path, pathLength))
        .flatMap((path) => (known.has(path) ? [path, known.get(path)] : []))
        .join(""),
  };
}

const isInside = (path: string, outer: string) =>
  path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));

/**
 * Finds values that can't be combined: one side has a value where the other side has an object.
 * @param mine paths that one side sets
 * @param theirs paths that the other side sets
 */
export function clashesOf(mine: readonly string[], theirs: readonly string[]): (path: string) => boolean {
  const outer = [
    ...theirs.filter((path) => mine.some((own) => isInside(own, path))),
    ...mine.filter((path) => theirs.some((other) => isInside(other, path))),
  ];
  return (path) => outer.some((one) => path === one || isInside(path, one));
}

/**
 * Finds values inside a list item that the other side removed.
 * @param theirs the values of the other side
 */
function deletedItems(theirs: Leaves, was: LeafHashes): (path: string) => boolean {
  const isLost = (item: string) => {
    const id = join(item, "id");
    return !theirs.has(id) && !was.has(id, undefined);
  };
  return (path) => itemsAround(path).some(isLost);
}

/** The paths of the list items around a value, outermost first. */
function itemsAround(path: string): readonly string[] {
  const names = namesIn(path);
  return names.flatMap((name, index) => (isItem(name) ? [names.slice(0, index + 1).reduce(join, "")] : []));
}

const isItem = (name: string) => name.startsWith("[") && name !== orderStep;

/** Merges the order of a list that both sides changed, as JSON; undefined if they conflict, or the path isn't an order. */
function orderOfBoth(
  path: string,
  [mine, theirs]: readonly [Leaves, Leaves],
  was: LeafHashes,
): string | undefined {
  const [ours, others] = [mine.get(path), theirs.get(path)];
  if (namesIn(path).at(-1) !== orderStep || ours === undefined || others === undefined) return undefined;
  const above = namesIn(path).slice(0, -1).reduce(join, "");
  const merged = mergedOrder(
    JSON.parse(ours),
    JSON.parse(others),
    (id) => !was.has(join(join(above, itemStep(id)), "id"), undefined),
  );
  return merged && JSON.stringify(merged);
}

/** The program's text with the shop's values at these paths, in the program's layout. */
export function mergedText(text: string, theirs: Leaves, paths: readonly string[]): string {
  const root = withKeyedLists(JSON.parse(text));
  if (!isRecord(root)) return text;
  for (const path of paths) {
    const names = namesIn(path);
    const holder = names.slice(0, -1).reduce<JsonObject>(inner, root);
    const value = theirs.get(path);
    const last = names.at(-1) ?? "";
    if (value !== undefined) put(holder, last, JSON.parse(value));
    else if (last === orderStep) put(holder, last, undefined);
    else delete holder[last];
  }
  const indent = /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1];
  return JSON.stringify(withPlainLists(root), undefined, indent) + (text.endsWith("\n") ? "\n" : "");
}

type JsonObject = Record<string, unknown>;

// Defines the property as JSON.parse does: assigning `__proto__` would change the prototype.
const put = (holder: JsonObject, name: string, value: unknown) =>
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });

function inner(holder: JsonObject, name: string): JsonObject {
  const there = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (isRecord(there)) return there;
  const made = {};
  put(holder, name, made);
  return made;
}

/** An item's name is its id in brackets; `[]` is the list of ids. */
const orderStep = "[]";
const itemStep = (id: unknown): string => `[${id}]`;

/** The ids of a list's items; undefined if the value isn't such a list. */
export function idsOf(value: unknown): readonly (string | number)[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = value.map((item: unknown) =>
    isRecord(item) && Object.hasOwn(item, "id") ? item.id : undefined,
  );
  const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number";
  return ids.every(isId) && new Set(ids.map(String)).size === ids.length ? ids : undefined;
}

// A real name that starts with a bracket gets a backslash.
const inward = (name: string) => (/^\\*\[/.test(name) ? `\\${name}` : name);
const outward = (name: string) => (/^\\+\[/.test(name) ? name.slice(1) : name);

/**
 * Converts lists whose items have ids to objects by id, so that staff and the program can each add an item. @param isWhole
 * whether the list at these names stays one value
 */
function withKeyedLists(
  value: unknown,
  isWhole: (names: readonly string[]) => boolean = () => false,
  names: readonly string[] = [],
): unknown {
  const at = (name: string, inner: unknown) =>
    [name, withKeyedLists(inner, isWhole, [...names, name])] as const;
  const ids = idsOf(value);
  if (ids !== undefined && Array.isArray(value) && !isWhole(names)) {
    const items = value.map((item, index) => at(itemStep(ids[index]), item));
    return Object.fromEntries([...items, [orderStep, ids]]);
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => at(inward(name), inner)))
    : value;
}

/** Converts them back; a list without an order was removed. */
function withPlainLists(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (!Object.hasOwn(value, orderStep))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [outward(name), withPlainLists(inner)]),
    );
  const ids = value[orderStep];
  return Array.isArray(ids)
    ? ids.flatMap((id) => (Object.hasOwn(value, itemStep(id)) ? [withPlainLists(value[itemStep(id)])] : []))
    : undefined;
}

type Ids = readonly unknown[];

/**
 * Merges the order of a list: the program's, with staff's new items behind their predecessors and without the items that
 * staff removed. Undefined if one side moved items.
 * @param was whether the list had the item when the program wrote it
 */
function mergedOrder(mine: Ids, theirs: Ids, was: (id: unknown) => boolean): Ids | undefined {
  const inBoth = (one: Ids, other: Ids) => one.filter((id) => other.includes(id));
  if (JSON.stringify(inBoth(mine, theirs)) !== JSON.stringify(inBoth(theirs, mine))) return undefined;
  const merged = mine.filter((id) => theirs.includes(id) || !was(id));
  for (const [index, id] of theirs.entries()) {
    if (mine.includes(id) || was(id)) continue;
    const before = theirs.slice(0, index).findLast((one) => merged.includes(one));
    merged.splice(merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}

/** A value of a merged text, on both sides. */
export interface LeafVerdict {
  readonly path: string;
  readonly is: unknown;
  readonly asked: unknown;
  readonly verdict: "send" | "done" | "conflict" | "put back" | "kept";
}

/** A JSON text in the program and in the shop, since the program wrote it. */
export interface LeafSides {
  /** Each value that the program changed: whether the shop has it too. */
  readonly byProgram: readonly LeafVerdict[];
  /** Each value that staff changed, as it is put back. */
  readonly byStaff: readonly LeafVerdict[];
  /** @param putsBack whether to put back the values that only staff changed */
  merge(putsBack: boolean): MergedLeaves;
}

interface MergedLeaves {
  readonly changes: readonly LeafVerdict[];
  /** The program's text with the values of staff that stay. */
  readonly text: string;
  /** The hashes for the state: of each value that staff changed the old one, so that it still differs from the program's. */
  readonly hashes: string;
}

/** @param known the hashes in the state; undefined if one of the sides isn't JSON */
export function leafSides(
  known: unknown,
  shown: string | undefined,
  text: string | undefined,
): LeafSides | undefined {
  if (known === undefined) return undefined;
  const was = parseValueHashes(String(known));
  const [mine, theirs] = jsonValuesOfAll([text, shown], was) ?? [];
  if (text === undefined || mine === undefined || theirs === undefined) return undefined;
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])];
  const changedBy = (side: Leaves) => paths.filter((path) => !was.has(path, side.get(path)));
  const [byProgram, byStaff] = [changedBy(mine), changedBy(theirs)];
  const isDone = (path: string) => mine.get(path) === theirs.get(path);
  const change = (path: string, verdict: LeafVerdict["verdict"]): LeafVerdict => ({
    path,
    is: parsedOr(theirs.get(path)),
    asked: parsedOr(mine.get(path)),
    verdict,
  });
  return {
    byProgram: byProgram.map((path) => change(path, isDone(path) ? "done" : "send")),
    byStaff: byStaff.map((path) => change(path, "put back")),
    merge(putsBack) {
      const isClash = clashesOf(
        byProgram.filter((path) => mine.has(path)),
        byStaff.filter((path) => theirs.has(path)),
      );
      const [ofProgram, ofStaff] = [new Set(byProgram), new Set(byStaff)];
      const [goneThere, goneHere] = [deletedItems(theirs, was), deletedItems(mine, was)];
      const orders = new Map(
        byProgram.flatMap((path): [string, string][] => {
          const both = ofStaff.has(path) ? orderOfBoth(path, [mine, theirs], was) : undefined;
          return both === undefined ? [] : [[path, both]];
        }),
      );
      const isConflict = (path: string) =>
        (ofProgram.has(path) && mine.has(path) && goneThere(path)) ||
        (ofStaff.has(path) && theirs.has(path) && goneHere(path)) ||
        (ofStaff.has(path) && !orders.has(path) && (ofProgram.has(path) || isClash(path)));
      const onlyStaffs = byStaff.filter((path) => !isDone(path) && !ofProgram.has(path));
      const stays = onlyStaffs.filter((path) => !isConflict(path));
      return {
        changes: [
          ...byProgram.map((path) =>
            change(path, isDone(path) ? "done" : isConflict(path) ? "conflict" : "send"),
          ),
          ...onlyStaffs.map((path) =>
            change(path, isConflict(path) ? "conflict" : putsBack ? "put back" : "kept"),
          ),
        ],
        text: mergedText(text, new Map([...theirs, ...orders]), [...stays, ...orders.keys()]),
        hashes:
          was.only(stays) + printValueHashes(new Map([...mine].filter(([path]) => !stays.includes(path)))),
      };
    },
  };
}

const parsedOr = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
