/** The result of Pulumi's diff: an object stays, is updated or is replaced. */

import type { Path } from "../../engine/pulumi/path.ts";
import {
  bodyArgumentsIn,
  bodyDiffers,
  bodyPath,
  isBody,
  isKnownText,
  isLeafPath,
  wantsText,
} from "../body/arguments.ts";
import { type Definition, type Field, type Fields, isCompared } from "../definition/define.ts";
import { programFolder } from "../settings/folder.ts";
import type { Values } from "../wire/codec.ts";
import { withBaseStock } from "./base.ts";
import { type Change, changeOf } from "./change.ts";
import { below, fieldDifferences, hasServedName, keepsOthers, type WriteStage } from "./compare.ts";
import { type FieldChange, isByStaff } from "./field-change.ts";
import { asPartialList, isPartial, missingForCreate, partialLists, requiredToCreate } from "./partial.ts";

export type Diff =
  | { readonly type: "none" }
  | { readonly type: "update"; readonly paths: readonly Path[] }
  | {
      readonly type: "replace";
      readonly paths: readonly Path[];
      /** The paths that can't be changed in place. */
      readonly replaces: readonly Path[];
      readonly deleteFirst: boolean;
    };

/**
 * Compares checked arguments with the state alone, as Pulumi's diff does. Arguments that the program doesn't set don't
 * count.
 */
export const diff = (definition: Definition, state: Values, args: Values): Diff =>
  diffOf(
    definition,
    { known: state, asked: args },
    changeOf(definition, { known: state, seen: state, asked: args }, { folder: programFolder() }),
  );

/** Derives the diff from a change that was already computed. */
export function diffOf(
  definition: Definition,
  { known: state, asked: args }: { readonly known: Values; readonly asked: Values },
  change: Pick<Change, "fields">,
): Diff {
  const paths = changedPaths(definition, state, args, change);
  if (paths.length === 0) return { type: "none" };
  const replaced = paths.filter((path) => replaces(definition, state, args, path));
  if (replaced.length === 0) return { type: "update", paths };
  return { type: "replace", paths, replaces: replaced, deleteFirst: deletesFirst(definition, paths) };
}

function changedPaths(
  definition: Definition,
  state: Values,
  args: Values,
  { fields }: Pick<Change, "fields">,
): readonly Path[] {
  const differing = fields.filter((one) => !isByStaff(one));
  const isOfBody = ([name = ""]: Path) =>
    definition.body !== undefined && (name === bodyPath || isLeafPath(name));
  const body = differing.some(({ path }) => isOfBody(path))
    ? bodyArgumentsIn(args).map((name) => [name])
    : [];
  const own = differing.filter(({ path }) => !isOfBody(path));
  // `otherVariants` isn't in the object: only the state changes.
  const words = partialLists(definition).flatMap(({ list, items, others }) =>
    args[list] === undefined || keepsOthers(items, args) === keepsOthers(items, state) ? [] : [[others]],
  );
  return [
    ...own.flatMap((one) => inside(definition.fields, one)),
    ...body,
    ...words,
    ...sharedPath(definition, state, args),
  ];
}

/** The state records whether the program manages the whole object or a part, because a delete depends on it. */
function sharedPath(definition: Definition, state: Values, args: Values): readonly Path[] {
  const [name] = requiredToCreate(definition);
  const isWhole = missingForCreate(definition, args).length === 0;
  return name === undefined || state.__stated === undefined || isPartial(definition, state) !== isWhole
    ? []
    : [[name]];
}

/**
 * The paths of a change. A list whose items have no ids changes as a whole; this returns the path of each differing item.
 */
function inside(fields: Fields, { path, is, asked }: FieldChange): readonly Path[] {
  const field = fieldAt(fields, path);
  if (field === undefined || field.items?.fields === undefined || field.items.fields.id !== undefined)
    return [path];
  return fieldDifferences(field, asked, is).map((own) => [...path, ...own]);
}

const fieldAt = (fields: Fields, [name = "", item, ...rest]: Path): Field | undefined =>
  item === undefined || rest.length === 0 ? fields[name] : fieldAt(fields[name]?.items?.fields ?? {}, rest);

function replaces(definition: Definition, state: Values, args: Values, [name = ""]: Path): boolean {
  const field = definition.fields[name];
  if (field?.updateVia !== undefined) return false;
  if (definition.operations.edit === undefined || field?.replaces) return true;
  return isBody(definition, name) && !(isKnownText(state) && wantsText(args));
}

function deletesFirst(definition: Definition, paths: readonly Path[]): boolean {
  if (definition.singleton !== undefined || definition.suffixesDuplicates !== undefined) return true;
  const key = definition.keys?.[0] ?? [];
  return (
    definition.unique === true &&
    !key.some((name) => paths.some(([top, ...rest]) => top === name && rest.length === 0))
  );
}

/** The paths of all arguments that differ from the state. Before a write, they are compared with the base. */
export function differences(
  definition: Definition,
  state: Values,
  args: Values,
  stage: WriteStage = "before",
): readonly Path[] {
  const body = bodyDiffers(definition, state, args);
  const before = stage === "before" ? withBaseStock(definition, state) : state;
  return Object.entries(definition.fields).flatMap(([name, field]): readonly Path[] => {
    const asked = args[name];
    if (asked === undefined || !isCompared(field)) return [];
    if (isBody(definition, name)) return body ? [[name]] : [];
    if (hasServedName(definition, state, args, name)) return [];
    return below(name, fieldDifferences(asPartialList(field, args), asked, before[name], stage));
  });
}
