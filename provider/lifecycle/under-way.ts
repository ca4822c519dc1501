/**
 * What is our own in the shop, and no edit of staff, although an object's state doesn't have it: of an update during which an
 * earlier run was interrupted, as nobody heard whether the shop took it, and of a sheet of prices.
 */

import { baseKey } from "../body/state.ts";
import { withSheets } from "../run/stated-places.ts";
import type { Known } from "../run/subject.ts";
import { withBase, withBaseStock } from "../values/base.ts";
import { changeOf, changesWith } from "../values/change.ts";
import { asLists } from "../values/keyed-lists.ts";
import { stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { valuesOf } from "../wire/values.ts";

/** The arguments of the update, beside the outputs (engine/steps/interrupted.ts). */
const underWayKey = "__underWay";

/** A state without what was under way, which no state keeps. */
export function withoutUnderWay({ [underWayKey]: _asked, ...state }: Values): Values {
  return state;
}

/** The state as it is by what of the shop's is ours. */
export const withOwn = (object: Known, seen: Values): Values =>
  withSheets(object.definition, sinceUnderWay(object, seen), seen, object.shop.notes.sheetCell);

/**
 * The state stays as it was where the shop has nothing of the update, and where staff have changed what the update was to
 * change, too: then they are asked about. What was sold since stays sold.
 */
function sinceUnderWay({ definition, shop, ...object }: Known, seen: Values): Values {
  const underWay = object.olds[underWayKey];
  const olds = withoutUnderWay(object.olds);
  if (typeof underWay !== "object" || underWay === null) return olds;
  const asked = asLists(definition, valuesOf(underWay));
  const change = changeOf(definition, { known: olds, seen, asked }, shop);
  if (changesWith(change, "conflict").length > 0 || changesWith(change, "done").length === 0) return olds;
  const now = change.known(stateOf(definition, asked, seen, olds));
  const { [baseKey]: _asked, ...since } = withBaseStock(
    definition,
    withBase(definition, asked, now, shop.folder),
  );
  return since;
}
