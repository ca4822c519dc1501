/** Rows of lists that a program makes its items of. */

import { isRecord } from "../../engine/pulumi/record.ts";
import type { Values } from "../../provider/inventory/index.ts";
import { added, type Edit } from "./edits.ts";
import { type Node, parentOf } from "./sources.ts";
import { plainOf, type Traced } from "./traced.ts";

/** What goes where a value goes: itself out of a list, with its name out of an object. */
export function entryOf(node: Node): Node | undefined {
  const holder = parentOf(node);
  if (holder?.type === "ObjectProperty")
    return parentOf(holder)?.type === "ObjectExpression" ? holder : undefined;
  return holder?.type === "ArrayExpression" ? node : undefined;
}

/**
 * A row more in the list or the object that the items are made of, as the last one's, for an item that staff added. What
 * the program makes of it is looked at after it is written.
 * @param next the item as the program would write it, beside the one that it is given
 */
export function rowBeside(items: readonly Traced[], next: (sample: Traced) => Values): Edit | undefined {
  for (const sample of items.toReversed()) {
    if (sample.type !== "object") continue;
    const row = sample.rows?.find(({ node }) => entryOf(node) !== undefined);
    const entry = row && entryOf(row.node);
    const holder = entry && parentOf(entry);
    if (row === undefined || holder === undefined || holder === null) continue;
    const known = valuesAt(sample, next(sample));
    const value = rowOf(row.node, known);
    const isNamed = entry !== undefined && entry !== row.node;
    const name = isNamed ? nameOf(entry, sample, next(sample)) : undefined;
    if (value === undefined || (isNamed && name === undefined)) continue;
    return added({ source: row.source, node: holder }, [[name, value]]);
  }
  return undefined;
}

/** What an item has where another one has the values of these nodes. */
function valuesAt(sample: Traced, is: unknown): ReadonlyMap<Node, unknown> {
  if (sample.type === "scalar" && is !== undefined) return new Map([[sample.at.node, is]]);
  if (sample.type !== "object" || !isRecord(is)) return new Map();
  return new Map([...sample.entries].flatMap(([name, one]) => [...valuesAt(one, is[name])]));
}

/** A row like one that stands there; undefined where some of that is computed. */
function rowOf(node: Node, known: ReadonlyMap<Node, unknown>): unknown {
  if (known.has(node)) return known.get(node);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "ArrayExpression": {
      const items = node.elements.map((one) => (one === null ? undefined : rowOf(one as Node, known)));
      return items.includes(undefined) ? undefined : items;
    }
    case "ObjectExpression": {
      const entries = node.properties.map((one) => {
        if (one.type !== "ObjectProperty" || one.computed) return undefined;
        const value = rowOf(one.value as Node, known);
        const name = keyOf(one);
        return value === undefined || name === undefined ? undefined : ([name, value] as const);
      });
      return entries.some((one) => one === undefined)
        ? undefined
        : Object.fromEntries(entries as readonly (readonly [string, unknown])[]);
    }
    default:
      return undefined;
  }
}

function keyOf(entry: Node): string | undefined {
  if (entry.type !== "ObjectProperty") return undefined;
  if (entry.key.type === "Identifier") return entry.key.name;
  return entry.key.type === "StringLiteral" ? entry.key.value : undefined;
}

/** The name of an object's entry, of which the program makes a field of its item. */
function nameOf(entry: Node, sample: Extract<Traced, { type: "object" }>, is: Values): string | undefined {
  const key = keyOf(entry);
  const field = [...sample.entries].find(([, one]) => key !== undefined && plainOf(one) === key)?.[0];
  return field === undefined || is[field] === undefined ? undefined : String(is[field]);
}
