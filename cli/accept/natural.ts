/** Values that a program writes in another form than the one that travels (provider/names/written-forms.ts): where one is stated, and how it is written there. */
import { writtenFormsOf } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { type Drift, partsOf } from "./drift.ts";
import { type Edit, replaced } from "./edits.ts";
import { endOf, startOf } from "./sources.ts";
import type { Traced } from "./traced.ts";

type Changed = Pick<Drift, "kind" | "path" | "is">;
type Literal = Extract<Traced, { readonly type: "object" }>;

/** `10` of `{ percent: 10 }`, with the name that it has there; undefined where the value is in the form that travels. */
export function formIn(value: Traced, { kind, path }: Changed): readonly [string, Traced] | undefined {
  const forms = writtenFormsOf(definitionOf(kind)?.fields ?? {})[partsOf(path).top]?.forms;
  if (forms === undefined || value.type !== "object" || value.entries.size !== 1) return undefined;
  return [...value.entries].find(([name]) => Object.hasOwn(forms, name));
}

/** What another argument's form states: `typeId` by the name in `discount: { percent: 10 }`, which becomes another. */
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

/** An item with its lists as objects, where another item of the program writes them so. */
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

/** A list that the program writes as an object, with staff's items; undefined where it doesn't, or computes some of it. */
export function pairsIn(value: Traced, { kind, path, is }: Changed): Edit | undefined {
  const { top, field = "" } = partsOf(path);
  const pairs = writtenFormsOf(definitionOf(kind)?.fields ?? {})[top]?.within?.[field]?.pairs;
  if (pairs === undefined || value.type !== "object" || value.at.node.type !== "ObjectExpression")
    return undefined;
  if ([...value.entries.values()].some((one) => one.type !== "scalar" || !one.isLiteral)) return undefined;
  return replaced(value.at, pairsOf(is, pairs));
}
