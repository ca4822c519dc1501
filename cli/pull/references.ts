/**
 * References to other objects: by a data source if a text identifies them, or else by an id in the stack's
 * configuration.
 */

import { type Definition, type Field, isReturnedArgument } from "../../provider/definition/define.ts";
import { lookupOf, type ReferredObjects, titleOf, type Values } from "../../provider/inventory/index.ts";
import { Code, openNames, printLine, quote, slug, variable } from "./code.ts";
import { folderClass } from "./existing-program.ts";

/** Ids by key and label. */
export type Config = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface ReferredObject {
  readonly definition: Definition;
  readonly seen: Values;
  readonly label: string;
  /** The lookup; undefined if no text identifies the object. */
  readonly by: readonly [name: string, text: string] | undefined;
}

export type Holders = (field: Field, number: unknown) => ReferredObject | undefined;

export function openReferences(referred: ReferredObjects): Holders {
  const holders = new Map<string, ReferredObject>();
  for (const [kind, all] of referred) {
    const labels = openNames();
    const others = all.map(({ seen }) => seen);
    for (const { definition, seen } of all)
      holders.set(`${kind} ${seen.id}`, {
        definition,
        seen,
        label: labels(slug(titleOf(definition, seen))),
        by: lookupOf(definition, seen, others),
      });
  }
  return ({ refersTo }, number) => holders.get(`${refersTo?.kind} ${number}`);
}

/** The arguments that are ids of other objects. */
export const referring = (definition: Definition): readonly (readonly [string, Field])[] =>
  Object.entries(definition.fields).filter(
    ([, field]) => field.refersTo?.kind !== undefined && isReturnedArgument(field),
  );

/** The lines before a module's resources. */
export interface Preface {
  /** Data sources to import. */
  readonly functions: readonly string[];
  readonly lines: readonly string[];
  readonly config: Config;
  readonly notices: readonly string[];
}

type Args = Record<string, unknown>;

/** Replaces ids in the arguments by code that looks them up. */
export function writeReferences(
  definition: Definition,
  resources: readonly { readonly args: Args }[],
  holders: Holders,
): Preface {
  const functions = new Set<string>();
  const lines: string[] = [];
  const config: Record<string, Record<string, number>> = {};
  const unnamed = new Map<string, ReferredObject>();
  const fields = referring(definition);
  const variables = openNames([
    ...["pulumi", "adopt", "table", "shared", "name", "args", folderClass, definition.kind],
    ...fields.flatMap(([, { refersTo }]) => [`get${refersTo?.kind}Output`, idsOf(refersTo?.kind ?? "")]),
  ]);
  const known = new Map<string, string>();
  for (const { args } of resources) {
    for (const [name, field] of fields) {
      const found = holders(field, args[name]);
      if (found === undefined) continue;
      const { kind } = found.definition;
      const place = `${kind} ${found.seen.id}`;
      if (found.by === undefined) {
        const label = `n${found.seen.id}`;
        config[idsOf(kind)] = { ...config[idsOf(kind)], [label]: Number(found.seen.id) };
        unnamed.set(place, found);
        known.set(place, `${idsOf(kind)}.${label}`);
      } else if (!known.has(place)) {
        const own = variables(variable(found.label), undefined, (one, number) => `${one}${number}`);
        functions.add(`get${kind}Output`);
        lines.push(`const ${own} = get${kind}Output(${printLine(Object.fromEntries([found.by]))});`);
        known.set(place, `${own}.id`);
      }
      args[name] = new Code(known.get(place) as string);
    }
  }
  return { functions: [...functions], lines, config, notices: namelessText([...unnamed.values()]) };
}

const idsOf = (kind: string) => `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Ids`;

function namelessText(holders: readonly ReferredObject[]): readonly string[] {
  const kinds = Map.groupBy(holders, ({ definition }) => definition.kind);
  return [...kinds].map(([kind, all]) => {
    const which = all
      .map(({ definition, seen }) => `${seen.id} ${quote(titleOf(definition, seen))}`)
      .join(", ");
    return `${kind}: can't be looked up by name: ${which}. The ids are in this stack's file (${idsOf(kind)}); other stacks need their own`;
  });
}

/** Fields with ids that no data source can look up, and their values. */
const numbered = (definition: Definition, resources: readonly { readonly args: Args }[]) =>
  Object.entries(definition.fields).flatMap(([name, { refersTo }]): [string, ReadonlySet<number>][] => {
    if (refersTo === undefined || refersTo.kind !== undefined) return [];
    const numbers = resources.flatMap(({ args }) => (args[name] as number | undefined) ?? []);
    return numbers.length === 0 ? [] : [[name, new Set(numbers)]];
  });

/** Fields with the same id in all resources: another shop has its own. */
export const alike = (definition: Definition, resources: readonly { readonly args: Args }[]) =>
  numbered(definition, resources).flatMap(([name, numbers]) => (numbers.size === 1 ? [name] : []));

/**
 * Moves ids that can't be looked up into the stack's configuration. If all resources have the same id, it is
 * left out.
 */
export function writeNumbers(
  definition: Definition,
  resources: readonly { readonly args: Args }[],
): { readonly config: Config; readonly notices: readonly string[] } {
  const config: Record<string, Record<string, number>> = {};
  const notices: string[] = [];
  for (const [name, numbers] of numbered(definition, resources)) {
    for (const { args } of resources) {
      const number = args[name];
      if (number === undefined) continue;
      if (numbers.size === 1) delete args[name];
      else args[name] = new Code(`${name}s.n${number}`);
    }
    if (numbers.size === 1) continue;
    config[`${name}s`] = Object.fromEntries([...numbers].map((number) => [`n${number}`, number]));
    notices.push(
      `${definition.kind}: ${name} can't be looked up by name. The ids are in this stack's file (${name}s); other stacks need their own`,
    );
  }
  return { config, notices };
}
