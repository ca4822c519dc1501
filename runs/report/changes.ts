/**
 * The changes of a step as people read them: files by name, settings value by value, list items by key, and
 * without the values that the shop already has or keeps.
 */

import { isRecord } from "../../engine/common/record.ts";
import { type Change, changeBetween, kindOf, type Step, type Value } from "../../engine/index.ts";
import { isFieldText, pathIn, pathText, topOf } from "../../engine/pulumi/path.ts";
import {
  acceptedText,
  asLists,
  type Effect,
  fileArgument,
  fileIn,
  hidden,
  isBlank,
  isBodyPath,
  isFileFact,
  isLeafPath,
  isSheet,
  itemName,
  keepsOthers,
  leafChanges,
  leafOf,
  leafPath,
  pairItems,
  type Values,
  withUnit,
} from "../../provider/inventory/index.ts";
import { isCell } from "./cell-changes.ts";
import { anotherContent, textHunks, valueText } from "./change-lines.ts";
import type { Conflict } from "./conflicts.ts";
import { keyedPath } from "./labels.ts";
import { stepDefinition, stockText } from "./object-names.ts";
import { type StepNotices, sendsNothing } from "./step-notices.ts";

/** The changes of a step. A body with hunks (`notices.of`) isn't among them. */
export function shownChanges(step: Step, notices: StepNotices | undefined): readonly ShownChange[] {
  const { changes, type } = step;
  // The rows of a sheet are shown as changes of variants.
  const isToldAsLines = isSheet(kindOf(type)) && !step.found;
  const others = changes.filter(({ path }) => !isBodyPath(path) && !(isToldAsLines && isCell(path)));
  return withShopValues(step, notices, [
    ...others
      .flatMap((change) => itemChanges(step, change) ?? [{ ...change, path: keyedPath(type, change.path) }])
      .map((change) => withReplaced(step, change))
      .filter((change) => !staysInShop(step, change)),
    ...bodyChanges(
      step,
      changes.filter(({ path }) => isBodyPath(path)),
      notices,
    ),
  ]);
}

/** An argument that the program sets for the first time replaces the shop's value, which only the outputs have. */
function withReplaced(step: Step, change: Change): Change {
  const definition = stepDefinition(step);
  // `hideDiffs` hides both sides.
  if (change.kind !== "add" || change.new === hidden || definition === undefined) return change;
  if (step.found || !(step.op === "update" || step.op === "rename")) return change;
  const [name = "", key, ...fields] = pathIn(change.path);
  const own = asLists(definition, step.olds)[name];
  const items = definition.fields[name]?.items;
  const itemOf = () =>
    items && Array.isArray(own) && fields.length > 0
      ? (own as readonly Values[]).find((one, index) => itemName(items, one, index) === key)
      : undefined;
  const holder = key === undefined ? own : itemOf();
  const old = fields.reduce<unknown>((value, field) => (isRecord(value) ? value[field] : undefined), holder);
  return isBlank(old) ? change : changeBetween(change.path, old as Value, change.new);
}

// An update doesn't send removed arguments, so the shop keeps their values. Removed items are deleted, unless the
// program keeps other items.
function staysInShop(step: Step, { path, new: next }: Change): boolean {
  const definition = stepDefinition(step);
  if (!(step.op === "update" || step.op === "rename") || step.found || next !== undefined) return false;
  if (definition === undefined) return false;
  const { items } = definition.fields[topOf(path)] ?? {};
  return isFieldText(path) || (items !== undefined && keepsOthers(items, step.inputs));
}

/** The changes that a step sends, or finds sent: not what the shop keeps, nor what is in conflict. */
export function madeChanges(
  step: Step,
  { notices, conflicts }: { readonly notices: StepNotices; readonly conflicts: readonly Conflict[] },
): readonly Change[] {
  const own = conflicts.filter(({ urn }) => urn === step.urn);
  const clashes = own.flatMap(({ fields }) => fields.map(({ path }) => path));
  return without(step, new Set([...(notices.changes(step)?.keeps ?? []), ...clashes]));
}

/** The changes that a step still has to send, among `madeChanges`. */
export const sentChanges = (step: Step, notices: StepNotices): readonly Change[] =>
  sendsNothing(step, notices) ? [] : without(step, new Set(notices.changes(step)?.done));

const without = ({ type, changes }: Step, paths: ReadonlySet<string>) =>
  changes.filter(({ path }) => !paths.has(keyedPath(type, path)));

/** A setting of a theme is shown by its path inside the file. */
export const shownPath = (path: string): string => (isLeafPath(path) ? leafOf(path) : path);

function bodyChanges(
  step: Step,
  changes: readonly Change[],
  notices: StepNotices | undefined,
): readonly Change[] {
  if (changes.length === 0 || notices?.of(step) !== undefined) return [];
  const settings = notices?.settings(step) ?? inlineSettings(changes);
  if (settings === undefined) return withFilesWhole(changes, step);
  if (settings.length === 0) {
    const [{ path }] = changes as [Change];
    return [{ path: topOf(path), kind: "update", new: "the same values in another layout" }];
  }
  return settings.map(({ path, old, new: next }): Change => {
    const change = changeBetween(leafPath(path), old as Value | undefined, next as Value | undefined);
    // A refresh may know only the new value.
    return step.found && old === undefined ? { ...change, kind: "update" } : change;
  });
}

/** Both texts are arguments if the program sets the settings as `content`. */
function inlineSettings(changes: readonly Change[]) {
  const [only, ...more] = changes;
  if (only === undefined || more.length > 0) return undefined;
  const { old, new: next } = only;
  return typeof old === "string" && typeof next === "string" ? leafChanges(old, next) : undefined;
}

// The state keeps a file's path, size and hash, which are shown as one change.
function withFilesWhole(changes: readonly Change[], { olds, inputs }: Step): readonly Change[] {
  const isPart = ({ path }: Change) => path.startsWith(`${fileArgument}.`);
  if (!changes.some(isPart)) return changes;
  const sideIn = (values: Values) => (fileIn(values) && values[fileArgument]) as Value | undefined;
  const whole = changeBetween(fileArgument, sideIn(olds), sideIn(inputs));
  return [...changes.filter((change) => !isPart(change)), { ...whole, kind: "update" }];
}

/**
 * Changes of a list, item by item, if an item of one side has no key: the engine then sees a list and a keyed
 * object. Undefined for any other change.
 */
function itemChanges(step: Step, { path, old, new: next }: Change): readonly Change[] | undefined {
  const definition = stepDefinition(step);
  const items = definition?.fields[path]?.items;
  const isList = (value: Value | undefined) =>
    typeof value === "object" && value !== null && !isFileFact(value);
  if (definition === undefined || items?.fields === undefined || !isList(old) || !isList(next))
    return undefined;
  const listOf = (value: Value | undefined) =>
    asLists(definition, { [path]: value })[path] as readonly Values[];
  const { pairs, gone } = pairItems(items, listOf(next), listOf(old));
  const at = (item: Values, index: number) => `${path}[${itemName(items, item, index)}]`;
  return [
    ...pairs.flatMap(([item, was], index): readonly Change[] => {
      if (was === undefined) return [{ path: at(item, index), kind: "add", new: item as unknown as Value }];
      const names = Object.keys({ ...was, ...item }).filter(
        (name) => JSON.stringify(was[name] ?? "") !== JSON.stringify(item[name] ?? ""),
      );
      // The path has the old name: the name itself may be the change.
      return names.map((name) => ({
        ...changeBetween(`${at(was, index)}.${name}`, was[name] as Value, item[name] as Value),
        kind: "update",
      }));
    }),
    ...gone.map(
      (item, index): Change => ({ path: at(item, index), kind: "delete", old: item as unknown as Value }),
    ),
  ];
}

/** A change with the path that people read: `variants[MUG-R].price`. */
export interface ShownChange extends Change {
  /** The change in words, if they say more than the two values. */
  readonly becomes?: string;
  /** The shop's value that this change overwrites: `the shop has 1000`. */
  readonly note?: string;
}

/** @param changes of the step, with the paths that people read */
function withShopValues(
  step: Step,
  notices: StepNotices | undefined,
  changes: readonly ShownChange[],
): readonly ShownChange[] {
  if (notices === undefined) return changes;
  const told = notices.changes(step);
  const unsent = new Set([...(told?.done ?? []), ...(told?.keeps ?? [])]);
  const renamed = (notices.effects(step) ?? []).reduce<readonly ShownChange[]>(
    (all, effect) => (effect.type === "renames" ? asRename(all, effect) : all),
    changes,
  );
  const overwritten = notices.overwritten(step).reduce<readonly ShownChange[]>(
    (all, edited) => withOverwritten(step, all, edited),
    renamed.filter(({ path }) => !unsent.has(path)),
  );
  return notices.putBack(step).reduce((all, edited) => withPutBack(step, all, edited), overwritten);
}

type Renamed = Extract<Effect, { readonly type: "renames" }>;

/** Shows a removed and an added item as one rename. */
function asRename(
  changes: readonly ShownChange[],
  { path, item, to, stock }: Renamed,
): readonly ShownChange[] {
  const next = pathText([topOf(path), to]);
  const [gone, come] = [path, next].map((at) => changes.find((change) => change.path === at));
  const becomes = `renamed ${to}${stock === undefined ? "" : ` (keeps ${stockText(stock)})`}`;
  const rest = changes.filter((change) => change !== gone && change !== come);
  return [
    ...rest,
    { path, kind: "update", becomes },
    ...changesInside(next, gone?.old, come?.new, [item, to]),
  ];
}

function changesInside(
  path: string,
  old: Value | undefined,
  next: Value | undefined,
  keys: readonly [string, string],
): readonly ShownChange[] {
  if (!isRecord(old) || !isRecord(next)) return [];
  return Object.keys({ ...old, ...next }).flatMap((name): ShownChange[] => {
    const [was, will] = [old[name], next[name]];
    const isKey = was === keys[0] && will === keys[1];
    const isSame = isKey || JSON.stringify(was) === JSON.stringify(will);
    return isSame ? [] : [changeBetween(`${path}.${name}`, was, will)];
  });
}

type StaffEdit = ReturnType<StepNotices["overwritten"]>[number];

/** Texts are shown as hunks. */
const isText = (value: unknown) => value === undefined || (typeof value === "string" && value.includes("\n"));
const sideText = (value: unknown, sign: string | undefined): string =>
  value === null ? "none" : withUnit(value, valueText(value as Value, 70), sign);

/** Both texts for their hunks; the provider supplies those of a body (`StepNotices.of`). */
function textSides(step: Step, { path, is, asked }: StaffEdit): Pick<Change, "old" | "new"> {
  const sides = { old: is as Value, new: asked as Value };
  const isOwn = isBodyPath(path) && stepDefinition(step)?.body !== undefined;
  return isOwn || textHunks(sides) === undefined ? {} : sides;
}

/** `puts back: 28.60, staff: 9`. */
function putBackText({ was, is, asked, units, accepted }: StaffEdit, isDelete: boolean): string {
  const note = accepted === undefined ? "" : ` (${acceptedText(accepted)})`;
  const isWhole = isText(is) || (!isDelete && isText(asked));
  const thing = is === undefined && asked === undefined ? "content" : "text";
  const staff = sideText(is, units?.is);
  if (isDelete)
    return `deletes staff's ${isWhole ? thing : `edit: ${sideText(was ?? null, units?.was)} => ${staff}`}${note}`;
  if (accepted === "changed")
    return `${isWhole ? `replaces staff's ${thing}` : `sets: ${sideText(asked, units?.asked)}, staff: ${staff}`}${note}`;
  return `${isWhole ? `puts back the program's ${thing} over staff's` : `puts back: ${sideText(asked, units?.asked)}, staff: ${staff}`}${note}`;
}

function withPutBack(step: Step, changes: readonly ShownChange[], edited: StaffEdit): readonly ShownChange[] {
  const { path } = edited;
  const becomes = putBackText(edited, step.op === "delete");
  const told: ShownChange = { path, kind: "update", becomes, ...textSides(step, edited) };
  const at = changes.findIndex((change) => change.path === path);
  return at < 0 ? [...changes, told] : changes.with(at, told);
}

function withOverwritten(
  step: Step,
  changes: readonly ShownChange[],
  edited: StaffEdit,
): readonly ShownChange[] {
  const { path, is, units } = edited;
  const sides = textSides(step, edited);
  const note = `the shop has ${isText(is) ? anotherContent(is !== undefined) : sideText(is, units?.is)}`;
  const at = changes.findIndex((change) => change.path === path);
  if (at < 0) return [...changes, { path, kind: "update", becomes: `overwritten: ${note}`, ...sides }];
  const own = sides.old === undefined ? { note } : { ...sides, note: "overwrites staff's text" };
  return changes.with(at, { ...(changes[at] as ShownChange), ...own });
}
