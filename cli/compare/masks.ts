/** The arguments of a program's plan: what is secret, and what is known after apply only, is named and left out. */

import { unknownText, type Value } from "../../engine/index.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { argumentPath, type Reason, type Values } from "../../provider/inventory/index.ts";

/** What the engine shows of a secret. */
const maskText = "[secret]";

const maskOf = (value: Value): Reason | undefined =>
  value === maskText ? "secret" : value === unknownText ? "unknown" : undefined;

/** Arguments, lists as lists, that can be compared, and why the others can't, by path without positions of items. */
export function openArguments(inputs: Values): {
  readonly args: Values;
  readonly hidden: Map<string, Reason>;
} {
  const hidden = new Map<string, Reason>();
  const args = opened(inputs as Readonly<Record<string, Value>>, "", hidden);
  for (const [path, reason] of [...hidden]) {
    hidden.delete(path);
    hidden.set(argumentPath(path), reason);
  }
  return { args, hidden };
}

function opened(
  values: Readonly<Record<string, Value>>,
  above: string,
  hidden: Map<string, Reason>,
): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const path = above + name;
    const reason = Array.isArray(value) ? value.map(maskOf).find((one) => one !== undefined) : maskOf(value);
    // An item that isn't known may be any: nothing can be said of its list.
    if (reason !== undefined) hidden.set(path, reason);
    if (reason !== undefined || value === null) return [];
    if (Array.isArray(value))
      return [[name, value.map((item: Value) => (isRecord(item) ? opened(item, `${path}.`, hidden) : item))]];
    return [[name, isRecord(value) ? opened(value, `${path}.`, hidden) : value]];
  });
  return Object.fromEntries(entries);
}
