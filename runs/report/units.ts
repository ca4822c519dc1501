/** What a number is of: percent, where the unit beside it says so. */
import type { Step } from "../../engine/index.ts";
import { fieldOf } from "../../provider/definition/define.ts";
import { definitionIn } from "./titles.ts";

/** What is written behind a number, before a change and after it. */
export interface Signs {
  readonly old: string;
  readonly new: string;
}

export const noSigns: Signs = { old: "", new: "" };

/** @param path as a person reads it */
export function signsAt(step: Step, path: string): Signs {
  const fields = definitionIn(step)?.fields ?? {};
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  if (fields[path]?.role !== "discount" || name === undefined) return noSigns;
  const { changes, inputs, olds } = step;
  const change = changes.find((one) => one.path === name);
  const signOf = (value: unknown) => (value === unit?.percent ? " %" : "");
  return {
    old: signOf(change?.old ?? olds[name]),
    new: signOf(change?.new ?? inputs[name] ?? olds[name]),
  };
}

/** A sign stands behind numbers alone. */
export const withSign = (value: unknown, text: string, sign: string): string =>
  typeof value === "number" ? `${text}${sign}` : text;
