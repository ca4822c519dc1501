/** What the numbers of a step are of, before it and after it. */
import type { Step } from "../../engine/index.ts";
import { signOf } from "../../provider/inventory/index.ts";
import { definitionIn } from "./titles.ts";

/** What is written behind a number, before a change and after it. */
export interface Signs {
  readonly old: string;
  readonly new: string;
}

export const noSigns: Signs = { old: "", new: "" };

/** @param path as a person reads it */
export function signsAt(step: Step, path: string): Signs {
  const definition = definitionIn(step);
  if (definition === undefined) return noSigns;
  const { changes, inputs, olds } = step;
  const changed = (name: string) => changes.find((one) => one.path === name);
  return {
    old: signOf(definition, path, (name) => changed(name)?.old ?? olds[name]),
    new: signOf(definition, path, (name) => changed(name)?.new ?? inputs[name] ?? olds[name]),
  };
}
