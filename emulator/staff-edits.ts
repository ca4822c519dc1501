/** Edits by staff in the back office: change or delete an object without the interface. */

import { didYouMean } from "./did-you-mean.ts";
import type { Row } from "./documents.ts";
import { kindNames, kindOf } from "./routes/index.ts";
import type { Store, Stored } from "./store.ts";

/** An edit by staff: changes or deletes one object. */
export interface Patch {
  readonly kind: string;
  readonly id?: number;
  /** Selects the object by its column values. */
  readonly where?: Row;
  /** New column values; lists of rows are merged row by row. */
  readonly set?: Row;
  readonly delete?: boolean;
}

/** A control request or an edit that can't be performed; the message has the reason. */
export class InvalidControl extends Error {}

/** @throws InvalidControl if there is no such kind */
export function checkKind(kind: string): void {
  if (kindNames.includes(kind)) return;
  const near = didYouMean(kind, kindNames) || `; the kinds are ${kindNames.join(", ")}`;
  throw new InvalidControl(`there is no kind ${kind}${near}`);
}

/**
 * Edits one object. @returns the new object, or undefined if it was deleted
 * @throws InvalidControl unless exactly one object matches
 */
export function editByStaff(store: Store, patch: Patch, now: number): Stored | undefined {
  const { kind, id, where, set, delete: gone } = patch ?? {};
  if (typeof kind !== "string")
    throw new InvalidControl(`write {"kind", "id" or "where", "set" or "delete"}`);
  const all = store.list(kind, { archived: "with" });
  const [any = {}] = all;
  for (const name of Object.keys({ ...where, ...set })) {
    const near = name in any ? "" : didYouMean(name, Object.keys(any));
    if (near !== "") throw new InvalidControl(`a ${kind} has no ${name}${near}`);
  }
  const found = all.filter(
    (row) =>
      (id === undefined || row.id === id) &&
      Object.entries(where ?? {}).every(([name, value]) => row[name] === value),
  );
  // Existing objects are preferred to deleted ones.
  const live = found.filter(({ archived }) => !archived);
  const meant = live.length > 0 ? live : found;
  const [only] = meant;
  if (only === undefined) checkKind(kind);
  if (only === undefined) {
    const asked = Object.entries({ ...(id === undefined ? {} : { id }), ...where });
    const by = asked.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
    throw new InvalidControl(`the shop has no ${kind}${by === "" ? "" : ` with ${by}`}`);
  }
  if (meant.length > 1)
    throw new InvalidControl(`${meant.length} objects of ${kind} match: name one of them by its id`);
  if (!gone) {
    const row = merged(only, set ?? {});
    return store.update(kind, only.id, row, now, kindOf(kind)?.keyOf?.(row));
  }
  if (kindOf(kind)?.archives && !only.archived) store.archive(kind, only.id, now);
  else store.remove(kind, only.id);
  return undefined;
}

// Merge lists of rows row by row, so that a single price of a variant can be changed.
function merged(row: Row, set: Row): Row {
  const entries = Object.entries(set).map(([name, value]) => {
    const before = row[name];
    if (!Array.isArray(value) || !Array.isArray(before)) return [name, value];
    return [
      name,
      value.map((entry, index) =>
        typeof entry === "object" && entry !== null ? { ...(before[index] as Row), ...entry } : entry,
      ),
    ];
  });
  return { ...row, ...Object.fromEntries(entries) };
}
