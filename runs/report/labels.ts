/** Paths of arguments as labels, and the units of their values. */

import type { Step } from "../../engine/index.ts";
import { pathIn, pathSteps, pathText } from "../../engine/pulumi/path.ts";
import type { Fields, Role } from "../../provider/definition/define.ts";
import { isLeafPath, leafOf, unitOf } from "../../provider/inventory/index.ts";
import { allDefinitions } from "../../provider/resources/index.ts";
import { isCell } from "./cell-changes.ts";
import { inWords, stepDefinition } from "./object-names.ts";

/**
 * Shows an item of a list by its key: `variants[MUG-R].price`.
 * @param type of the resource
 * @param path from the engine, where keyed lists are objects (sdk/keyed-lists.ts)
 */
export function keyedPath(type: string, path: string): string {
  if (isCell(path)) return pathText(pathSteps(path));
  return keyedPathIn(stepDefinition({ type })?.fields ?? {}, pathSteps(path)) ?? path;
}

/** Undefined if the definition has no named items there. */
function keyedPathIn(fields: Fields, [name = "", item, ...rest]: readonly string[]): string | undefined {
  if (item === undefined) return name;
  const { type, items } = fields[name] ?? {};
  const isNamed = type === "amounts" || items?.fields !== undefined;
  if (rest.length === 0) return isNamed ? `${name}[${item}]` : undefined;
  const inner = items?.fields && keyedPathIn(items.fields, rest);
  return inner && `${name}[${item}].${inner}`;
}

/** The maximum length of a value in a line. */
export const mostLetters = 200;

export const cut = (text: string) => {
  const letters = [...text];
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters).join("")}…` : text;
};

/**
 * `variants[MUG-R].price` as `MUG-R price`. @param isInner whether the path is inside an item, where a number
 * needs its list's name: `options[0].value`
 */
export function labelText(path: string, isInner = false): string {
  if (isLeafPath(path)) return leafOf(path);
  const [list, item, ...inner] = pathIn(path);
  // The id of another object is labelled by that object.
  if (list === undefined || item === undefined)
    return meanings.get(path) ?? inWords(path.replaceAll(".", " ")).replace(/ id$/, "");
  if (inner.length === 0) return cut(`${oneOf(inWords(list))} ${item}`);
  const head = isInner && /^\d+$/.test(item) ? inWords(list) : item;
  return cut(`${head} ${labelText(pathText(inner), true)}`);
}

/** Words for fields whose names say less than their role: `expiredAt` of a coupon that is still good. */
const roleWords: Partial<Record<Role, string>> = { ends: "valid until", "smallest-order": "minimum order" };
const meanings = new Map(
  Object.values(allDefinitions).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { role }]) => {
      const words = role && roleWords[role];
      return words === undefined ? [] : [[name, words] as const];
    }),
  ),
);

/** `variants` as `variant`, `properties` as `property`. */
const oneOf = (list: string): string => list.replace(/ies$/, "y").replace(/s$/, "");

/** The units behind a number, before and after a change. */
export interface Units {
  readonly old: string;
  readonly new: string;
}

export const noUnits: Units = { old: "", new: "" };

/** @param path as people read it */
export function unitsAt(step: Step, path: string): Units {
  const definition = stepDefinition(step);
  if (definition === undefined) return noUnits;
  const { changes, inputs, olds } = step;
  const changed = (name: string) => changes.find((one) => one.path === name);
  return {
    old: unitOf(definition, path, (name) => changed(name)?.old ?? olds[name]),
    new: unitOf(definition, path, (name) => changed(name)?.new ?? inputs[name] ?? olds[name]),
  };
}
