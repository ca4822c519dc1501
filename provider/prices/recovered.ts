/** Sheets whose first run was interrupted, as a state has them. */

import { withShopMark } from "../change/identity.ts";
import { bareValues, markedNames, markedOutputs } from "../change/secrets.ts";
import type { Note, Notes } from "../context/create-notes.ts";
import { objectKey, ownerOf } from "../names/owner.ts";
import { emptySheetState } from "../names/rows.ts";
import { handlerText, kindOfType } from "../names/types.ts";
import type { Values } from "../wire/codec.ts";
import { outputs } from "./bring.ts";
import { prices } from "./definition.ts";
import { withNotes } from "./notes.ts";
import { freeId } from "./plan.ts";

const { kind } = prices;

/** A create that an engine has noted, and not its end. */
interface OpenCreate {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Values;
}

/**
 * The sheets among interrupted creates, with the rows that they have noted and the prices before them. The notes stay open:
 * they tell which prices were written.
 * @param has the objects in the stack's state, as `Kind:id`
 */
export function recoveredSheets<Create extends OpenCreate>(
  creates: readonly Create[],
  notes: Notes,
  has: ReadonlySet<string>,
): readonly (Create & { readonly id: string; readonly outputs: Values })[] {
  const ids = new Set(has);
  return creates.flatMap((create) => {
    if (kindOfType(create.type) !== kind) return [];
    const { of } = ownerOf(create.urn);
    const [first, ...others] = notes.sheetNotes(of).filter((note) => note.of === of);
    if (first === undefined) return [];
    const id = freeId(of, (one) => ids.has(objectKey(kind, one)));
    ids.add(objectKey(kind, id));
    return [{ ...create, id, outputs: recovered(create.inputs ?? {}, [first, ...others]) }];
  });
}

function recovered(inputs: Values, notes: readonly [Note, ...Note[]]): Values {
  const [{ of, shop }] = notes;
  const secrets = markedNames(inputs);
  const bare: Values = bareValues(inputs);
  const args = { ...bare, __of: of, ...(secrets.length > 0 && { __secret: secrets.join(",") }) };
  // Without a hash of its rows a sheet isn't taken for complete.
  const { digest: _none, ...outs } = outputs(args, withNotes(emptySheetState, notes));
  const { __provider = handlerText(kind) } = bare;
  return withShopMark({ ...markedOutputs(outs, [args]), __provider }, shop);
}
