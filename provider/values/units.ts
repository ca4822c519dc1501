/** What a number is of: percent, where the unit beside it says so. Every text of a value asks here. */

import { type Definition, fieldOf } from "../definition/define.ts";

/**
 * What stands behind a number; nothing behind money.
 * @param path of the argument
 * @param otherOf the object's other arguments, on the same side of a change
 */
export function signOf(
  { fields }: Pick<Definition, "fields">,
  path: string,
  otherOf: (name: string) => unknown,
): string {
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  const isNumberOfIt = fields[path]?.role === "discount" && name !== undefined;
  return isNumberOfIt && otherOf(name) === unit?.percent ? "%" : "";
}

/** A sign stands behind numbers alone. */
export const withSign = (value: unknown, text: string, sign = ""): string =>
  typeof value === "number" && sign !== "" ? `${text} ${sign}` : text;
