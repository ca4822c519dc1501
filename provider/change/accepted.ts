/**
 * Edits of staff that `accept` wrote into a program. The state keeps the values from before them in `__accepted`, one base for
 * each accept, so that a checkout that lacks some of them is still known to revert edits of staff.
 */

import { isRecord } from "../../engine/common/record.ts";
import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { bodyPath, hashIn, isBodyName, textOf } from "../body/arguments.ts";
import {
  acceptedIn,
  acceptedKey,
  baseIn,
  baseKey,
  isBodyDigest,
  layoutBase,
  nearestBody,
  withBodyBase,
} from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import { programFolder } from "../settings/folder.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import {
  acceptedPaths,
  baseOf,
  mergedValues,
  type StaffChange,
  selectBase,
  staffChanges,
  withBaseValues,
  withoutBase,
} from "./base.ts";
import { pairItems } from "./compare.ts";

/**
 * Notes that a program now has values that staff set. Their base becomes the accepted one, so that a checkout without them
 * is still known to revert edits of staff. It ends with a run of a program that has them.
 * @param paths `discount`, `variants[MUG-R].price`, `variants[MUG-R]`; `content` for the whole body
 * @param args the program's arguments, if known
 */
export function acceptEdits(
  definition: Definition,
  state: Values,
  paths: ReadonlySet<string>,
  { args = {}, folder = programFolder() }: { readonly args?: Values; readonly folder?: string } = {},
): Values {
  const moved = selectBase(definition, state, (...names) => names.some((path) => paths.has(path)));
  const layout = paths.has(bodyPath) ? layoutBase(definition, args, state, folder) : {};
  const own = withBaseValues(withoutBase(definition, state, paths), layout);
  const all = [...acceptedIn(state), ...(Object.keys(moved).length === 0 ? [] : [moved])];
  return all.length === 0 ? own : { ...own, [acceptedKey]: all };
}

/** The edits of staff that `accept` wrote into a program, each with the value of a program that lacks it. */
export const acceptedStaffChanges = (definition: Definition, state: Values): readonly StaffChange[] =>
  staffChanges(definition, { ...state, [baseKey]: acceptedBase(definition, state, {}) });

/** The paths at which the program has an edit that `accept` wrote. */
export const acceptedEarlier = (definition: Definition, state: Values, args: Values): readonly Path[] =>
  acceptedPaths(definition, { ...state, [baseKey]: acceptedBase(definition, state, {}) }, args, "accepted");

/** The state for a program that may lack accepted edits: their base counts where no later edit of staff has one. */
export function withAcceptedBase(definition: Definition, state: Values, args: Values): Values {
  const accepted = withoutRemoved(definition, state, acceptedBase(definition, state, args), args);
  // A sale or an edit of an item doesn't make it one of a program that lacks it.
  const isLacked = (name: string, id: string) => valuesOf(accepted[name])[id] === false;
  // The hashes of a body are of one version.
  const hasBody = hashIn(accepted) !== undefined;
  const later = Object.entries(baseIn(state)).flatMap(([name, value]): [string, unknown][] => {
    if (hasBody && isBodyDigest(name)) return [];
    const left = isRecord(value) ? Object.entries(value).filter(([id]) => !isLacked(name, id)) : [];
    return [[name, isRecord(value) ? Object.fromEntries(left) : value]];
  });
  return withBaseValues({ ...state, [baseKey]: accepted }, Object.fromEntries(later));
}

/**
 * The values from before the edits that `accept` wrote into another program. Of several accepts in a row, the program lacks
 * those since the newest value that it has; a program that has none of them lacks all. A body of its own counts as the nearest
 * version.
 * @param folder the folder that the paths of files start from
 */
export function acceptedBase(
  definition: Definition,
  state: Values,
  args: Values,
  folder: string = programFolder(),
): Values {
  const base = acceptedIn(state).reduce<Values>((older, all) => {
    const base = withoutListed(definition, state, all, args);
    const then = {
      ...withBodyBase(baseOf(definition, { ...state, [baseKey]: base }), base),
      [baseKey]: base,
    };
    const has = new Set(
      acceptedPaths(definition, then, args, "accepted").map((path) =>
        isBodyName(path[0] ?? "") ? bodyPath : pathText(path),
      ),
    );
    const newer = selectBase(definition, then, (...names) => names.some((path) => has.has(path)));
    return valuesOf(mergedValues(mergedValues(base, older), newer));
  }, {});
  return withNearestBody(state, base, textOf(args, folder));
}

/** The base with the body that a program has changed: the nearest of those that it may have, or none if it is the state's. */
function withNearestBody(state: Values, base: Values, text: string | undefined): Values {
  if (hashIn(base) === undefined || text === undefined) return base;
  const bodies = acceptedIn(state).filter((one) => hashIn(one) !== undefined);
  const nearest = nearestBody(text, [...bodies, withBodyBase(state, baseIn(state))]);
  if (nearest === undefined) return base;
  const own = bodies.includes(nearest) ? nearest : {};
  const others = Object.entries(base).filter(([name]) => !isBodyDigest(name));
  return Object.fromEntries([...others, ...Object.entries(own).filter(([name]) => isBodyDigest(name))]);
}

/** A base without the items that staff removed and that the program doesn't list either. */
const withoutRemoved = ({ fields }: Definition, state: Values, base: Values, args: Values): Values =>
  Object.fromEntries(
    Object.entries(base).map(([name, value]) => {
      const { items } = fields[name] ?? {};
      if (items === undefined || !isRecord(value)) return [name, value];
      const [asked, known] = [listOf(args[name]), listOf(state[name])];
      const there = new Set(known.map(({ id }) => String(id)));
      const removed = Object.entries(value).flatMap(([id, item]) =>
        isRecord(item) && !there.has(id) ? [item] : [],
      );
      const missing = pairItems(items, asked, known, "accepted").pairs.flatMap(([entry, old]) =>
        old === undefined ? [entry] : [],
      );
      const left = new Set<unknown>(pairItems(items, missing, removed, "accepted").gone);
      return [name, Object.fromEntries(Object.entries(value).filter(([, item]) => !left.has(item)))];
    }),
  );

/** A base without the items that the program didn't list before an edit, and lists now. */
const withoutListed = ({ fields }: Definition, state: Values, base: Values, args: Values): Values =>
  Object.fromEntries(
    Object.entries(base).map(([name, value]) => {
      const { items } = fields[name] ?? {};
      if (items === undefined || !isRecord(value)) return [name, value];
      const { gone } = pairItems(items, listOf(args[name]), listOf(state[name]), "accepted");
      const unlisted = new Set(gone.map(({ id }) => String(id)));
      return [
        name,
        Object.fromEntries(Object.entries(value).filter(([id, item]) => item !== false || unlisted.has(id))),
      ];
    }),
  );
