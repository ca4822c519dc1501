/** A value of an object on its three sides, and the verdict on it: the parts of a change (change.ts). */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import type { Field } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { fieldDifferences, isSameValue, itemDifferences, pairItems } from "./compare.ts";

/**
 * - `send`: the program changes it
 * - `taken away`: the program no longer lists the item, which goes
 * - `done`: the program changes it, and the shop has what is asked already
 * - `put back`: staff changed it before a refresh read it; the program asks as before
 * - `conflict`: staff and the program changed it; who may overwrite sends what the program asks
 * - `kept`: staff alone changed it: it is left as it is
 * - `lost`: staff alone deleted the item: it stays deleted
 */
export type Verdict = "send" | "taken away" | "done" | "put back" | "conflict" | "kept" | "lost";

/** Whether a change is staff's alone: nothing of it is sent. */
export const isByStaff = ({ verdict }: Pick<FieldChange, "verdict">): boolean =>
  verdict === "kept" || verdict === "lost";

/** One field, or one item, on its three sides; a side that has nothing there is undefined. */
export interface FieldChange {
  readonly path: Path;
  /** What the program last asked, or the state knew. */
  readonly was: unknown;
  /** What the shop has. */
  readonly is: unknown;
  /** What the program asks; undefined where it no longer asks for the item. */
  readonly asked: unknown;
  readonly verdict: Verdict;
  /** Of an item that was somebody else's until now: `was` is what the program asks, and no run asked it. */
  readonly isNew?: true;
  /** Of a whole body, whose sides are hashes: the texts that a person reads. */
  readonly texts?: { readonly is: unknown; readonly asked: unknown };
}

/** The sides of an object: the state, the object as it was read, the checked arguments. */
export interface Sides {
  readonly known: Values;
  readonly seen: Values;
  readonly asked: Values;
}

/** How they are merged. */
export interface MergeOptions {
  /** Where the arguments' files are. */
  readonly folder: string;
  /** Whether what staff changed, and a refresh has read, stays in the shop although the program asks as before. */
  readonly keeps?: boolean;
}

/** What a write came to, beside what was wanted of it. */
export interface Outcome {
  /** What was sent, and the shop didn't take. */
  readonly rejected: Path[];
  /** What others changed while it was written. */
  readonly kept: FieldChange[];
  /** What was sent and an answer, or a look, has shown so, by path: what a later look shows otherwise others changed since. */
  readonly confirmed: Map<string, unknown>;
}

/** Before anything was answered. */
export const emptyOutcome = (confirmed: Outcome["confirmed"] = new Map()): Outcome => ({
  rejected: [],
  kept: [],
  confirmed,
});

export interface MergedField {
  /** What to ask for; undefined leaves the shop's value alone. */
  readonly wanted: unknown;
  /** What to send of it; undefined where the shop has it. */
  readonly sent?: unknown;
  /** What the state says of it once it was written and read. */
  readonly known: (seen: unknown, outcome?: Outcome) => unknown;
  /** Numbers of items that go. */
  readonly removed?: readonly unknown[];
  readonly adds?: boolean;
}

/** A value's sides: what the state read of it last, and what the program last asked of it. */
export interface FieldSides {
  readonly path: Path;
  readonly inState: unknown;
  readonly base: unknown;
  readonly is: unknown;
  readonly asked: unknown;
  /** Of a list that was a part of the shop's, and is all of it from now on. */
  readonly othersGo?: boolean;
}

/** Where the merge of one object notes the fields that differ. */
export interface MergeLog {
  /** Whether what would be put back is kept. */
  readonly keeps: boolean;
  readonly changes: FieldChange[];
}

/** Whether a value is what was asked. */
export const isWanted = (field: Field, asked: unknown, known: unknown): boolean =>
  field.items?.fields === undefined ? isSameValue(field, asked, known) : sameRead(field, asked, known);

/** Whether two values that were read mean the same; unset and empty are one to a shop. */
export function sameRead(field: Field, a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === undefined || value === null ? "" : value);
  const fields = field.items?.fields;
  if (field.items !== undefined && fields !== undefined) {
    const { pairs, gone } = pairItems(field.items, listOf(a), listOf(b));
    return (
      gone.length === 0 &&
      pairs.every(([one, other]) => other !== undefined && itemDifferences(fields, one, other).length === 0)
    );
  }
  const { each } = field;
  if (each !== undefined) {
    const [one, other] = [valuesOf(a), valuesOf(b)];
    return Object.keys({ ...one, ...other }).every((name) => sameRead(each, one[name], other[name]));
  }
  if (Array.isArray(a) || Array.isArray(b)) return JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
  return plain(a) === plain(b) || (field.type === "text" && isSameValue(field, plain(a), b));
}

/** What is wanted, or sent, of several values; undefined where it is none of them. */
export function presentValues(
  merged: readonly (readonly [string, MergedField])[],
  side: "wanted" | "sent",
): Values | undefined {
  const part = merged.flatMap(([name, one]) => (one[side] === undefined ? [] : [[name, one[side]] as const]));
  return part.length === 0 ? undefined : Object.fromEntries(part);
}

/** A value that was sent, as the state shall know it: what others made of it once the shop had taken it is theirs. */
export function stateAfterWrite(
  field: Field,
  { path, asked, seen }: Pick<FieldSides, "path" | "asked"> & { readonly seen: unknown },
  outcome: Outcome = emptyOutcome(),
): unknown {
  const lacks = fieldDifferences(field, asked, seen, "written");
  const { confirmed, rejected: all, kept } = outcome;
  const at = pathText(path);
  if (lacks.length === 0) confirmed.set(at, seen);
  if (lacks.length === 0 || !confirmed.has(at)) {
    all.push(...lacks.map((own) => [...path, ...own]));
    return seen;
  }
  const was = confirmed.get(at);
  // What was sold since is nobody's edit.
  if (!field.serverManaged) kept.push({ path, was, is: seen, asked, verdict: "kept" });
  return was;
}

/** An object, or an item, that was read after the write, as the state shall know it: what has no value stays out. */
export const stateAfterRead = (
  merged: readonly (readonly [string, MergedField])[],
  seen: Values,
  outcome?: Outcome,
): Values => ({
  ...seen,
  ...Object.fromEntries(merged.map(([name, { known }]) => [name, known(seen[name], outcome)])),
});
