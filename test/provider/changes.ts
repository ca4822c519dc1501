/** What a change tells of an object's sides, by verdict, as tests compare it. */

import { pathIn, pathText } from "../../engine/pulumi/path.ts";
import { changeOf, changesWith, programChanges, staffOnlyChanges } from "../../provider/change/change.ts";
import type { FieldChange, MergeOptions, Sides, Verdict } from "../../provider/change/field-change.ts";
import type { Definition } from "../../provider/definition/define.ts";

/** One side beside the others, its path printed; of a body its texts. */
export interface Told {
  readonly path: string;
  readonly was: unknown;
  readonly is: unknown;
  readonly asked: unknown;
}

const told = ({ path, was, is, asked, texts }: FieldChange): Told => ({
  path: pathText(path),
  was,
  ...(texts ?? { is, asked }),
});

/** A field of a change. */
export const side = (
  path: string,
  was: unknown,
  is?: unknown,
  { asked, verdict = "conflict" }: { readonly asked?: unknown; readonly verdict?: Verdict } = {},
): FieldChange => ({ path: pathIn(path), was, is, asked, verdict });

export function changed(definition: Definition, sides: Sides, how: MergeOptions = { folder: "/nowhere" }) {
  const change = changeOf(definition, sides, how);
  const of = (verdict: Verdict) => changesWith(change, verdict).map(told);
  return {
    ...change,
    kept: staffOnlyChanges(change).map(told),
    lost: of("lost").map(({ path }) => path),
    takenAway: of("taken away").map(({ path }) => path),
    putBack: of("put back"),
    conflicts: of("conflict"),
    touched: programChanges(change).map(({ texts: _texts, verdict, ...one }) => ({
      ...told(one as FieldChange),
      isDone: verdict === "done",
    })),
  };
}
