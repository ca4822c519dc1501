/** The entrance for programs that preview dynamic resources: the content of their keyed lists. */

import { plannedItems } from "./change/preview-outputs.ts";
import { stackNotes } from "./context/stack-notes.ts";
import type { Env } from "./settings/settings.ts";
import { verbsOf } from "./verbs.ts";

/**
 * Reads keyed lists of dynamic resources for a program that previews: Pulumi returns only the program's arguments.
 * @returns the items with all fields, by the resource (`__of`); a field that only the shop knows is unknown
 */
export function openPreviewedLists(
  env: Env,
): (kind: string, of: string, list: string, items: readonly unknown[]) => unknown {
  const notes = stackNotes().notesOf({ env, config: () => undefined }, () => {});
  return (kind, of, list, items) =>
    plannedItems(verbsOf(kind).definition, list, items, notes.heldBy(of)?.outputs);
}
