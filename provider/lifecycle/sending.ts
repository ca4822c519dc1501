/** What a change sends, and in how many requests. */
import { topOf } from "../../pulumi/path.ts";
import type { Definition, Field } from "../definition/define.ts";
import { differences, pair, statedDifferences } from "../values/diff.ts";
import type { Values } from "../wire/codec.ts";

/** What a change sends. */
export interface Sending {
  /** Arguments of the edit. */
  readonly common: readonly string[];
  /** Arguments that operations of their own change. */
  readonly own: readonly string[];
  /** Items to remove: the operation's name and the item's number. */
  readonly removed: readonly { readonly operation: string; readonly item: unknown }[];
  /** Requests in all, where nothing goes wrong. */
  readonly requests: number;
}

/** What must be sent so that an object becomes what is wanted. */
export function sending(definition: Definition, state: Values, wanted: Values): Sending {
  const changed = [...new Set(differences(definition, state, wanted).map(topOf))];
  const removed = removals(definition, state, wanted);
  const own = changed.filter(
    (name) => definition.operations[definition.fields[name]?.by ?? ""] !== undefined,
  );
  const common = changed.filter(
    (name) => definition.fields[name]?.by === undefined && !isOnlyRemoved(definition, state, wanted, name),
  );
  const unproved =
    definition.operations.edit?.answers === "nothing" &&
    common.some((name) => needsProof(definition.fields[name]));
  const proof = removed.length > 0 || unproved ? 1 : 0;
  return {
    common,
    own,
    removed,
    requests: (common.length > 0 ? 1 : 0) + own.length + removed.length + proof,
  };
}

function removals(definition: Definition, state: Values, wanted: Values) {
  return Object.entries(definition.fields).flatMap(([name, { items }]) => {
    if (
      items?.remove === undefined ||
      wanted[name] === undefined ||
      definition.operations[items.remove] === undefined
    )
      return [];
    const operation = items.remove;
    const { gone } = pair(items, wanted[name] as readonly Values[], (state[name] ?? []) as readonly Values[]);
    return gone.map(({ id }) => ({ operation, item: id }));
  });
}

// A list that only loses items has nothing to edit.
function isOnlyRemoved(definition: Definition, state: Values, wanted: Values, name: string): boolean {
  const field = definition.fields[name] as Field;
  if (field.items?.remove === undefined) return false;
  return (changedValue(field, wanted[name], state[name]) as readonly unknown[]).length === 0;
}

// The numbers of new items are in no empty answer, and what the interface doesn't show may have been ignored.
export const needsProof = (field: Field | undefined) => field?.unshown === true || field?.items !== undefined;

/** Of a list only the items that are new or differ, the known ones by their number (platform-facts.md, section 11). */
export function changedValue(field: Field, wanted: unknown, known: unknown): unknown {
  const { items } = field;
  if (items?.fields === undefined) return wanted;
  const fields = items.fields;
  return pair(items, wanted as readonly Values[], (known ?? []) as readonly Values[]).pairs.flatMap(
    ([entry, old]) => {
      if (old === undefined) return [entry];
      const names = new Set(statedDifferences(fields, entry, old).map(topOf));
      return names.size === 0
        ? []
        : [{ id: old.id, ...Object.fromEntries([...names].map((name) => [name, entry[name]])) }];
    },
  );
}
