/** The change of one field: its values in the state, in the shop and in the program, and the verdict. */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import type { Field } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { fieldDifferences, isSameValue, itemDifferences, pairItems } from "./compare.ts";

/**
 * What happens to a field:
 * - `send`: the program changes it
 * - `taken away`: the program no longer lists the item, which is removed
 * - `done`: the program changes it, and the shop already has the new value
 * - `put back`: staff changed it, a refresh has read that, and the program still sets the old value
 * - `conflict`: staff and the program changed it; sent only with permission to overwrite
 * - `kept`: only staff changed it; it stays
 * - `lost`: only staff deleted the item; it stays deleted
 */
export type Verdict = "send" | "taken away" | "done" | "put back" | "conflict" | "kept" | "lost";

/**
 * How the program differs from an edit of staff that `accept` wrote into another checkout: it still sets the value before
 * the edit, or a third one.
 */
export type AcceptedEdit = "reverted" | "changed";
/** As reports and messages say it. Nobody knows whether a program that sets a third value had the edit before. */
export const acceptedText = (accepted: AcceptedEdit): string =>
  accepted === "changed" ? "accepted, and changed in the program" : "accepted, but not in this program";

/** Whether only staff changed the field, so that nothing is sent. */
export const isByStaff = ({ verdict }: Pick<FieldChange, "verdict">): boolean =>
  verdict === "kept" || verdict === "lost";

/** A field or a list item. A side without a value is undefined. */
export interface FieldChange {
  readonly path: Path;
  /** The program's last value, or the state's. */
  readonly was: unknown;
  readonly is: unknown;
  /** The program's value; undefined if it no longer lists the item. */
  readonly asked: unknown;
  readonly verdict: Verdict;
  readonly accepted?: AcceptedEdit;
  /** The edit of staff that is kept is in the state: a refresh has read it. */
  readonly isRead?: true;
  /** The item wasn't the program's until now, so no run has set `was`. */
  readonly isNew?: true;
  /** The texts of a body, to show to people: the three sides are hashes. */
  readonly texts?: { readonly is: unknown; readonly asked: unknown };
}

/** The three sides of an object: the state, the shop's object, the checked arguments. */
export interface Sides {
  readonly known: Values;
  readonly seen: Values;
  readonly asked: Values;
}

export interface MergeOptions {
  /** The folder that the paths of files start from. */
  readonly folder: string;
  /** Whether an edit that a refresh has read stays in the shop instead of being put back (`--keep`). */
  readonly keeps?: boolean;
}

/** The result of a write. */
export interface Outcome {
  /** Values that were sent and that the shop didn't accept. */
  readonly rejected: Path[];
  /** Values that others changed during the write. */
  readonly kept: FieldChange[];
  /** Values that were sent and that a response has confirmed, by path. If a later read differs, others changed them. */
  readonly confirmed: Map<string, unknown>;
}

/** The outcome before the first response. */
export const emptyOutcome = (confirmed: Outcome["confirmed"] = new Map()): Outcome => ({
  rejected: [],
  kept: [],
  confirmed,
});

export interface MergedField {
  /** The argument to set; undefined leaves the shop's value alone. */
  readonly wanted: unknown;
  /** The value to send; undefined if the shop already has it. */
  readonly sent?: unknown;
  /** The value for the state, after the write was read. */
  readonly known: (seen: unknown, outcome?: Outcome) => unknown;
  /** Ids of the items to remove. */
  readonly removed?: readonly unknown[];
  readonly adds?: boolean;
}

/** The sides of a field: `inState` is the state's value, `base` the program's last one. */
export interface FieldSides {
  readonly path: Path;
  readonly inState: unknown;
  readonly base: unknown;
  readonly is: unknown;
  readonly asked: unknown;
  /** Whether the program listed a part of the items until now, and lists all from now on. */
  readonly othersGo?: boolean;
}

/** Collects the changed fields of one object. */
export interface MergeLog {
  /** Whether edits that would be put back are kept. */
  readonly keeps: boolean;
  readonly changes: FieldChange[];
}

export const isWanted = (field: Field, asked: unknown, known: unknown): boolean =>
  field.items?.fields === undefined ? isSameValue(field, asked, known) : sameRead(field, asked, known);

/** Whether two values of the shop are equal. Unset and empty are the same. */
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

/** The wanted or sent values; undefined if there are none. */
export function presentValues(
  merged: readonly (readonly [string, MergedField])[],
  side: "wanted" | "sent",
): Values | undefined {
  const part = merged.flatMap(([name, one]) => (one[side] === undefined ? [] : [[name, one[side]] as const]));
  return part.length === 0 ? undefined : Object.fromEntries(part);
}

/** The value for the state, after it was sent. An edit that others made after the confirmation isn't recorded. */
export function stateAfterWrite(
  field: Field,
  { path, asked, seen }: Pick<FieldSides, "path" | "asked"> & { readonly seen: unknown },
  outcome: Outcome = emptyOutcome(),
): unknown {
  const lacks = fieldDifferences(field, asked, seen, "after");
  const { confirmed, rejected: all, kept } = outcome;
  const at = pathText(path);
  if (lacks.length === 0) confirmed.set(at, seen);
  if (lacks.length === 0 || !confirmed.has(at)) {
    all.push(...lacks.map((own) => [...path, ...own]));
    return seen;
  }
  const was = confirmed.get(at);
  // Stock that sold since isn't an edit.
  if (!field.serverManaged) kept.push({ path, was, is: seen, asked, verdict: "kept" });
  return was;
}

/** The state of an object or item that was read after the write. */
export const stateAfterRead = (
  merged: readonly (readonly [string, MergedField])[],
  seen: Values,
  outcome?: Outcome,
): Values => ({
  ...seen,
  ...Object.fromEntries(merged.map(([name, { known }]) => [name, known(seen[name], outcome)])),
});
