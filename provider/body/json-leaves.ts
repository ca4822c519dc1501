/**
 * JSON objects value by value: which values two sides changed, from hashes alone, for the state keeps no body
 * (docs/rules.md, rule 5). A value is whatever is no object: a number, a text, a list.
 */
import { createHash } from "node:crypto";

/** Values as JSON, by path; the names in a path are joined by dots. */
export type Leaves = ReadonlyMap<string, string>;

/** More values than any theme's settings have; beyond it a text is compared as a whole. */
const mostLeaves = 2_000;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const isObject = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// A dot in a name would look like two names, an empty one like none.
const step = (name: string) => (name === "" ? emptyStep : name.replaceAll(/[\\.]/g, "\\$&"));
const emptyStep = "\\0";
const join = (above: string, name: string) => (above === "" ? step(name) : `${above}.${step(name)}`);

/** The names in a path that `join` made. */
const namesIn = (path: string): readonly string[] =>
  (path.match(/(?:[^\\.]|\\.)+/gs) ?? []).map((name) =>
    name === emptyStep ? "" : name.replaceAll(/\\([\\.])/g, "$1"),
  );

/** The values of a JSON object; undefined where the text is none, or has more than can be kept. */
export function leavesOf(text: string | undefined): Leaves | undefined {
  const root = parsed(text);
  if (root === undefined) return undefined;
  const leaves = new Map<string, string>();
  const visit = (value: Json, path: string) => {
    if (isObject(value) && Object.keys(value).length > 0)
      for (const [name, inner] of Object.entries(value)) visit(inner, join(path, name));
    else leaves.set(path, JSON.stringify(value));
  };
  for (const [name, value] of Object.entries(root)) visit(value, join("", name));
  return leaves.size > mostLeaves ? undefined : leaves;
}

function parsed(text: string | undefined): Readonly<Record<string, Json>> | undefined {
  if (text === undefined || !text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON: the text is compared as a whole.
    return undefined;
  }
}

/** One value inside a JSON object that two texts don't have the same of; a side that has nothing there, or isn't known, is left out. */
export interface LeafChange {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

const read = (text: string): unknown => JSON.parse(text);
const sideOf = (side: "old" | "new", text: string | undefined) =>
  text === undefined ? {} : { [side]: read(text) };

/** The values that differ between two texts; undefined where one of them is no JSON object. */
export function leafChanges(
  before: string | undefined,
  after: string | undefined,
): readonly LeafChange[] | undefined {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  return paths.map((path) => ({ path, ...sideOf("old", old.get(path)), ...sideOf("new", now.get(path)) }));
}

/** The values that a text has otherwise than when they were noted, of which there are hashes alone. */
export function leavesSince(noted: LeafHashes, text: string): readonly LeafChange[] | undefined {
  const now = leavesOf(text);
  if (now === undefined) return undefined;
  return [...now].flatMap(([path, value]) =>
    noted.has(path, value) ? [] : [{ path, ...sideOf("new", value) }],
  );
}

const pathLength = 5;
const valueLength = 6;
const hash = (text: string, length: number) =>
  createHash("sha256").update(text).digest("base64url").slice(0, length);
const entry = (path: string, value: string) => hash(path, pathLength) + hash(value, valueLength);

/** What the state keeps of values: eleven characters each. */
export const printLeaves = (leaves: Leaves): string =>
  [...leaves].map(([path, value]) => entry(path, value)).join("");

export interface LeafHashes {
  /** Whether the path had this value; undefined asks whether it was not there. */
  has(path: string, value: string | undefined): boolean;
  /** As the state keeps them, those of these paths alone. */
  only(paths: readonly string[]): string;
}

/** Reads what `printLeaves` wrote. */
export function leafHashes(text: string): LeafHashes {
  const length = pathLength + valueLength;
  const known = new Map<string, string>();
  for (let at = 0; at < text.length; at += length)
    known.set(text.slice(at, at + pathLength), text.slice(at + pathLength, at + length));
  return {
    has: (path, value) =>
      known.get(hash(path, pathLength)) === (value === undefined ? undefined : hash(value, valueLength)),
    only: (paths) =>
      paths
        .map((path) => hash(path, pathLength))
        .flatMap((path) => (known.has(path) ? [path, known.get(path)] : []))
        .join(""),
  };
}

const isInside = (path: string, outer: string) => path.startsWith(`${outer}.`);

/**
 * Whether a path of one side can't be had beside the other's: a value stands where the other side has values inside of it.
 * @param mine paths at which one side sets a value
 * @param theirs paths at which the other does
 */
export function clashOf(mine: readonly string[], theirs: readonly string[]): (path: string) => boolean {
  const outer = [
    ...theirs.filter((path) => mine.some((own) => isInside(own, path))),
    ...mine.filter((path) => theirs.some((other) => isInside(other, path))),
  ];
  return (path) => outer.some((one) => path === one || isInside(path, one));
}

/** `mine` with the values that `theirs` has at these paths, in the layout of the program's text. */
export function mergedText(text: string, theirs: Leaves, paths: readonly string[]): string {
  const root: JsonObject = JSON.parse(text);
  for (const path of paths) {
    const names = namesIn(path);
    const holder = names.slice(0, -1).reduce(inner, root);
    const value = theirs.get(path);
    const last = names.at(-1) ?? "";
    if (value === undefined) delete holder[last];
    else put(holder, last, JSON.parse(value));
  }
  const indent = /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1];
  return JSON.stringify(root, undefined, indent) + (text.endsWith("\n") ? "\n" : "");
}

type JsonObject = Record<string, unknown>;

// As JSON.parse does it: a shop's settings may have a name like __proto__, which = would take for the object's own prototype.
const put = (holder: JsonObject, name: string, value: unknown) =>
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });

/** The object of a name, made where there is none. */
function inner(holder: JsonObject, name: string): JsonObject {
  const there = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (isObject(there)) return there;
  const made = {};
  put(holder, name, made);
  return made;
}
