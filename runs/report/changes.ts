/** The changes of a step as a person reads them: files by their names, settings value by value, items of lists by theirs. */

import type { Change, Step, Value } from "../../engine/index.ts";
import { isFieldText, topOf } from "../../engine/pulumi/path.ts";
import {
  asLists,
  fileArgument,
  fileIn,
  isBodyPath,
  isFileFact,
  isLeafPath,
  itemName,
  keepsOthers,
  leafChanges,
  leafOf,
  leafPath,
  pair,
  type Values,
} from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { asMeant, type ShownChange } from "./meant-changes.ts";
import { shownByKey } from "./paths.ts";
import type { Texts } from "./texts.ts";
import { definitionIn } from "./titles.ts";

export type { ShownChange } from "./meant-changes.ts";

/** What a report shows of a step's changes: its body as hunks where there are such (`texts.of`), else among these. */
export function shownChanges(step: Step, texts: Texts | undefined): readonly ShownChange[] {
  const { changes, type } = step;
  // The rows of a sheet are told as what becomes of them, whoever planned it.
  const isToldAsLines = definitionIn(step) === undefined && kindOfType(type) !== undefined && !step.found;
  const others = changes.filter(
    ({ path, new: next }) => !isBodyPath(path) && !(isToldAsLines && isLines(next)),
  );
  return asMeant(step, texts, [
    ...others
      .flatMap((change) => itemChanges(step, change) ?? [{ ...change, path: shownByKey(type, change.path) }])
      .filter((change) => !isLeftAlone(step, change)),
    ...bodyChanges(
      step,
      changes.filter(({ path }) => isBodyPath(path)),
      texts,
    ),
  ]);
}

const isLines = (value: Value | undefined): boolean => typeof value === "string" && value.includes("\n");

// What an update no longer states it doesn't send: the shop keeps it. An item that is gone is removed, unless others stay.
function isLeftAlone(step: Step, { path, new: next }: Change): boolean {
  const definition = definitionIn(step);
  if (!(step.op === "update" || step.op === "rename") || step.found || next !== undefined) return false;
  if (definition === undefined) return false;
  const { items } = definition.fields[topOf(path)] ?? {};
  return isFieldText(path) || (items !== undefined && keepsOthers(items, step.inputs));
}

/** A path as a line of a terminal has it: a value of settings by its own place. */
export const shownPath = (path: string): string => (isLeafPath(path) ? leafOf(path) : path);

function bodyChanges(step: Step, changes: readonly Change[], texts: Texts | undefined): readonly Change[] {
  if (changes.length === 0 || texts?.of(step) !== undefined) return [];
  const settings = texts?.settings(step) ?? inlineSettings(changes);
  if (settings === undefined) return withFilesWhole(changes, step);
  if (settings.length === 0) {
    const [{ path }] = changes as [Change];
    return [{ path: topOf(path), kind: "update", new: "the same values in another layout" }];
  }
  return settings.map(
    ({ path, old, new: next }): Change => ({
      path: leafPath(path),
      kind:
        old === undefined && step.found
          ? "update"
          : old === undefined
            ? "add"
            : next === undefined
              ? "delete"
              : "update",
      ...(old !== undefined && { old: old as Value }),
      ...(next !== undefined && { new: next as Value }),
    }),
  );
}

/** Of settings that stand in the program both sides are among the arguments. */
function inlineSettings(changes: readonly Change[]) {
  const [only, ...more] = changes;
  if (only === undefined || more.length > 0) return undefined;
  const { old, new: next } = only;
  return typeof old === "string" && typeof next === "string" ? leafChanges(old, next) : undefined;
}

// What is kept of a file is a path, a size and a hash: a person reads the file.
function withFilesWhole(changes: readonly Change[], { olds, inputs }: Step): readonly Change[] {
  const isPart = ({ path }: Change) => path.startsWith(`${fileArgument}.`);
  if (!changes.some(isPart)) return changes;
  const whole: Change = {
    path: fileArgument,
    kind: "update",
    ...(fileIn(olds) !== undefined && { old: olds[fileArgument] as Value }),
    ...(fileIn(inputs) !== undefined && { new: inputs[fileArgument] as Value }),
  };
  return [...changes.filter((change) => !isPart(change)), whole];
}

/**
 * A list of which one side can't be told apart by its keys (an item has none) and the other can: the engine sees two shapes,
 * and a person the items. Undefined of any other change.
 */
function itemChanges(step: Step, { path, old, new: next }: Change): readonly Change[] | undefined {
  const definition = definitionIn(step);
  const items = definition?.fields[path]?.items;
  const isList = (value: Value | undefined) =>
    typeof value === "object" && value !== null && !isFileFact(value);
  if (definition === undefined || items?.fields === undefined || !isList(old) || !isList(next))
    return undefined;
  const listOf = (value: Value | undefined) =>
    asLists(definition, { [path]: value })[path] as readonly Values[];
  const { pairs, gone } = pair(items, listOf(next), listOf(old));
  const at = (item: Values, index: number) => `${path}[${itemName(items, item, index)}]`;
  return [
    ...pairs.flatMap(([item, was], index): readonly Change[] => {
      if (was === undefined) return [{ path: at(item, index), kind: "add", new: item as unknown as Value }];
      const names = Object.keys({ ...was, ...item }).filter(
        (name) => JSON.stringify(was[name] ?? "") !== JSON.stringify(item[name] ?? ""),
      );
      // It is called as it was: what is new of it may be its name.
      return names.map((name) => ({
        path: `${at(was, index)}.${name}`,
        kind: "update",
        ...(was[name] !== undefined && { old: was[name] as Value }),
        ...(item[name] !== undefined && { new: item[name] as Value }),
      }));
    }),
    ...gone.map(
      (item, index): Change => ({ path: at(item, index), kind: "delete", old: item as unknown as Value }),
    ),
  ];
}
