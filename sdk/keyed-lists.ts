/**
 * Converts lists with keyed items into objects by key. Engines compare list items by position, so an inserted item
 * would appear as a change of all following ones (provider/change/keyed-lists.ts converts them back).
 */
import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/common/record.ts";
import { isMocked, typeMade } from "../engine/pulumi/sdk-internals.ts";
import { kindOfType } from "../provider/names/types.ts";

/**
 * The arguments with keyed lists as objects, and the order of each. A list with a key that is not yet known stays a
 * list.
 */
export function keyedArguments(lists: Readonly<Record<string, string>>, args: object): object {
  const order: Record<string, readonly string[]> = {};
  const shaped = Object.entries(lists).flatMap(([name, key]) => {
    const list = (args as Readonly<Record<string, unknown>>)[name];
    const keys = Array.isArray(list) ? keysOf(list, key) : undefined;
    if (keys === undefined || keys.length === 0) return [];
    order[name] = keys;
    return [[name, Object.fromEntries(keys.map((one, index) => [one, (list as unknown[])[index]]))] as const];
  });
  return shaped.length === 0 ? args : { ...args, ...Object.fromEntries(shaped), __order: order };
}

function keysOf(list: readonly unknown[], key: string): readonly string[] | undefined {
  // A hole in a list is an item that is missing.
  const keys = [...list].map((item) => (isPlain(item) ? item[key] : undefined));
  const known = keys.every((value) => typeof value === "string" && value !== "" && !value.startsWith("__"));
  return known && new Set(keys).size === keys.length ? (keys as string[]) : undefined;
}

/** A list's output as a list: in a preview the engine returns the arguments, where the list is an object. */
export const listOutput = (resource: object, name: string, output: unknown): unknown =>
  pulumi.Output.isInstance(output) ? output.apply((value) => asList(resource, name, value)) : output;

/** Makes the keyed lists of a resource read as lists. */
export function withListOutputs(resource: object, lists: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(lists)) {
    const own = Object.getOwnPropertyDescriptor(resource, name);
    if (own === undefined) continue;
    let made: unknown;
    Object.defineProperty(resource, name, {
      ...{ configurable: true, enumerable: true },
      get() {
        made ??= listOutput(resource, name, own.value);
        return made;
      },
    });
  }
}

/** Converts the object back to a list in the program's order, because engines sort keys. */
function asList(resource: object, name: string, value: unknown): unknown {
  if (!isPlain(value)) return value;
  const items = Object.entries(value).filter(([key]) => !key.startsWith("__"));
  // Another secret list must not make this list's order secret.
  const order = pulumi.unsecret(pulumi.output(Reflect.get(resource, "__order")));
  return pulumi.all([order, Reflect.get(resource, "__of")]).apply(([orders, of]) => {
    const order = isPlain(orders) && Array.isArray(orders[name]) ? (orders[name] as unknown[]) : [];
    const placeOf = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
    const list = items.toSorted(([a], [b]) => placeOf(a) - placeOf(b)).map(([, item]) => item);
    const isPreview = pulumi.runtime.isDryRun() && !isMocked(pulumi.runtime);
    const kind = kindOfType(typeMade(resource) ?? "") ?? "";
    return isPreview ? previewed(kind, String(of), name, list) : list;
  });
}

type PreviewedLists = ReturnType<typeof import("../provider/previewed-lists.ts")["openPreviewedLists"]>;
// A process may run several programs, each with a state of its own.
const previewedLists = new WeakMap<object, PreviewedLists>();

/** The items with the fields that the shop sets: as in the state, or unknown. An apply doesn't run for these. */
async function previewed(
  kind: string,
  of: string,
  list: string,
  items: readonly unknown[],
): Promise<unknown> {
  const { openPreviewedLists } = await import("../provider/previewed-lists.ts");
  const program = pulumi.runtime.getMonitor() ?? pulumi;
  const read = previewedLists.get(program) ?? openPreviewedLists(process.env);
  previewedLists.set(program, read);
  return withUnknowns(read(kind, of, list, items));
}

function withUnknowns(value: unknown): unknown {
  if (value === pulumi.runtime.unknownValue) return pulumi.unknown;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withUnknowns(one)]));
}
