/** Paths of arguments as a person reads them: an item of a list by its key, `variants[MUG-R].price`. */

import type { Step } from "../../engine/index.ts";
import { pathIn, pathSteps, pathText } from "../../engine/pulumi/path.ts";
import type { Fields } from "../../provider/definition/define.ts";
import { isLeafPath, leafOf, signOf } from "../../provider/inventory/index.ts";
import { inWords, stepDefinition } from "./object-names.ts";

/**
 * @param type of the resource, as the engine has it
 * @param path as the engine has it: keyed lists travel as objects (sdk/keyed-lists.ts)
 */
export function keyedPath(type: string, path: string): string {
  return keyedPathIn(stepDefinition({ type })?.fields ?? {}, pathSteps(path)) ?? path;
}

/** Items and amounts by their names in brackets; undefined where the definition has none there. */
function keyedPathIn(fields: Fields, [name = "", item, ...rest]: readonly string[]): string | undefined {
  if (item === undefined) return name;
  const { type, items } = fields[name] ?? {};
  const isNamed = type === "amounts" || items?.fields !== undefined;
  if (rest.length === 0) return isNamed ? `${name}[${item}]` : undefined;
  const inner = items?.fields && keyedPathIn(items.fields, rest);
  return inner && `${name}[${item}].${inner}`;
}

/** More letters of a value nobody reads in a line. */
export const mostLetters = 200;

export const cut = (text: string) => {
  const letters = [...text];
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters).join("")}…` : text;
};

/** `variants[MUG-R].price` as `MUG-R price`. @param isInner in an item, where a number alone says nothing: `options[0].value` */
export function labelText(path: string, isInner = false): string {
  if (isLeafPath(path)) return leafOf(path);
  const [list, item, ...inner] = pathIn(path);
  // A number that names another object, or one of a few meanings, is called by what it names.
  if (list === undefined || item === undefined) return inWords(path.replaceAll(".", " ")).replace(/ id$/, "");
  if (inner.length === 0) return cut(`${inWords(list)} ${item}`);
  const head = isInner && /^\d+$/.test(item) ? inWords(list) : item;
  return cut(`${head} ${labelText(pathText(inner), true)}`);
}

/** What is written behind a number, before a change and after it. */
export interface Units {
  readonly old: string;
  readonly new: string;
}

export const noUnits: Units = { old: "", new: "" };

/** @param path as a person reads it */
export function unitsAt(step: Step, path: string): Units {
  const definition = stepDefinition(step);
  if (definition === undefined) return noUnits;
  const { changes, inputs, olds } = step;
  const changed = (name: string) => changes.find((one) => one.path === name);
  return {
    old: signOf(definition, path, (name) => changed(name)?.old ?? olds[name]),
    new: signOf(definition, path, (name) => changed(name)?.new ?? inputs[name] ?? olds[name]),
  };
}
