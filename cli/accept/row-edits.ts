/** Edits of list items: rows from which a program makes its items, and values in natural forms. */

import { isRecord } from "../../engine/common/record.ts";
import { writtenFormsOf } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { endOf, type Node, parentOf, startOf } from "../program/sources.ts";
import { plainOf, type Traced } from "../program/traced-values.ts";
import { type Drift, partsOf } from "./drift.ts";
import { type Edit, insertion, replacement } from "./edits.ts";

/** The list element or the object property that holds a value. */
export function entryOf(node: Node): Node | undefined {
  const holder = parentOf(node);
  if (holder?.type === "ObjectProperty")
    return parentOf(holder)?.type === "ObjectExpression" ? holder : undefined;
  return holder?.type === "ArrayExpression" ? node : undefined;
}

/**
 * Adds a row like the last one, for an item that staff added. The next preview verifies the result.
 * @param next the new item as the program would write it, for a given sample
 */
export function newRowEdit(items: readonly Traced[], next: (sample: Traced) => Values): Edit | undefined {
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
    return insertion({ source: row.source, node: holder }, [[name, value]]);
  }
  return undefined;
}

/** The new item's value for each node of the sample. */
function valuesAt(sample: Traced, is: unknown): ReadonlyMap<Node, unknown> {
  if (sample.type === "scalar" && is !== undefined) return new Map([[sample.at.node, is]]);
  if (sample.type !== "object" || !isRecord(is)) return new Map();
  return new Map([...sample.entries].flatMap(([name, one]) => [...valuesAt(one, is[name])]));
}

/** A row like the sample; undefined if a part is computed. */
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

/** The new entry's name, if the program makes a field of its name. */
function nameOf(entry: Node, sample: Extract<Traced, { type: "object" }>, is: Values): string | undefined {
  const key = keyOf(entry);
  const field = [...sample.entries].find(([, one]) => key !== undefined && plainOf(one) === key)?.[0];
  return field === undefined || is[field] === undefined ? undefined : String(is[field]);
}

type Changed = Pick<Drift, "kind" | "path" | "is">;
type Literal = Extract<Traced, { readonly type: "object" }>;

/** `percent` and `10` of `{ percent: 10 }`; undefined for a value in the provider's form. */
export function naturalValueIn(
  value: Traced,
  { kind, path }: Changed,
): readonly [string, Traced] | undefined {
  const forms = writtenFormsOf(definitionOf(kind)?.fields ?? {})[partsOf(path).top]?.forms;
  if (forms === undefined || value.type !== "object" || value.entries.size !== 1) return undefined;
  return [...value.entries].find(([name]) => Object.hasOwn(forms, name));
}

/** Renames a form: a change of `typeId` turns `percent` into another name in `discount: { percent: 10 }`. */
export function renamedForm(args: Literal, { kind, path, is }: Changed): Edit | undefined {
  const naturals = writtenFormsOf(definitionOf(kind)?.fields ?? {});
  for (const [name, { forms = {} }] of Object.entries(naturals)) {
    const value = args.entries.get(name);
    const next = Object.keys(forms).find((form) => forms[form]?.[path] === is);
    const node = value?.at.node;
    if (next === undefined || value?.type !== "object" || node?.type !== "ObjectExpression") continue;
    const [property, ...others] = node.properties;
    if (others.length > 0 || property?.type !== "ObjectProperty" || property.shorthand) continue;
    if (property.key.type !== "Identifier" || property.computed) continue;
    const { source } = value.at;
    return { source, from: startOf(property.key), to: endOf(property.key), text: next };
  }
  return undefined;
}

/** Writes an item's lists as objects if another item does. */
export function inPairsOf(
  sample: Traced | undefined,
  { kind, path }: Pick<Drift, "kind" | "path">,
  is: Values,
): Values {
  const within = writtenFormsOf(definitionOf(kind)?.fields ?? {})[partsOf(path).top]?.within ?? {};
  const entries = Object.entries(is).map(([name, value]) => {
    const pairs = within[name]?.pairs;
    const isObject = sample?.type === "object" && sample.entries.get(name)?.type === "object";
    return [name, pairs !== undefined && isObject ? pairsOf(value, pairs) : value] as const;
  });
  return Object.fromEntries(entries);
}

const pairsOf = (value: unknown, [name, own]: readonly [string, string]): Values =>
  Object.fromEntries(((value ?? []) as readonly Values[]).map((one) => [one[name], one[own]]));

/** Edits a list that the program writes as an object; undefined for any other list, or if a part is computed. */
export function pairsIn(value: Traced, { kind, path, is }: Changed): Edit | undefined {
  const { top, field = "" } = partsOf(path);
  const pairs = writtenFormsOf(definitionOf(kind)?.fields ?? {})[top]?.within?.[field]?.pairs;
  if (pairs === undefined || value.type !== "object" || value.at.node.type !== "ObjectExpression")
    return undefined;
  if ([...value.entries.values()].some((one) => one.type !== "scalar" || !one.isLiteral)) return undefined;
  return replacement(value.at, pairsOf(is, pairs));
}
