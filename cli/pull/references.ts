/** Objects that others refer to: by a data source where a text of theirs finds them, else by a number of the stack's. */

import { type Definition, type Field, isReturnedArgument } from "../../provider/definition/define.ts";
import { lookupOf, type Referred, titleOf, type Values } from "../../provider/inventory/index.ts";
import { Code, printLine, quote } from "./code.ts";
import { openNames, slug, variable } from "./names.ts";
import { folderClass } from "./stated-folders.ts";

/** Numbers of a stack's own configuration, by key and label. */
export type Config = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Holder {
  readonly definition: Definition;
  readonly seen: Values;
  /** What tells it from the others of its kind, also where two are called the same. */
  readonly label: string;
  /** What finds it in any shop; undefined where nothing does. */
  readonly by: readonly [name: string, text: string] | undefined;
}

/** Finds what an object's field refers to. */
export type Holders = (field: Field, number: unknown) => Holder | undefined;

export function openHolders(referred: Referred): Holders {
  const holders = new Map<string, Holder>();
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

/** The arguments of a kind that are numbers of other objects. */
export const referring = (definition: Definition): readonly (readonly [string, Field])[] =>
  Object.entries(definition.fields).filter(
    ([, field]) => field.refersTo?.kind !== undefined && isReturnedArgument(field),
  );

/** What a module says before its resources. */
export interface Preface {
  /** Data sources that it imports. */
  readonly functions: readonly string[];
  readonly lines: readonly string[];
  readonly config: Config;
  readonly notices: readonly string[];
}

type Args = Record<string, unknown>;

/** Replaces the numbers of other objects in these arguments by code that finds them. */
export function writeReferences(
  definition: Definition,
  resources: readonly { readonly args: Args }[],
  holders: Holders,
): Preface {
  const functions = new Set<string>();
  const lines: string[] = [];
  const config: Record<string, Record<string, number>> = {};
  const nameless = new Map<string, Holder>();
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
        nameless.set(place, found);
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
  return { functions: [...functions], lines, config, notices: namelessText([...nameless.values()]) };
}

const idsOf = (kind: string) => `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Ids`;

function namelessText(holders: readonly Holder[]): readonly string[] {
  const kinds = Map.groupBy(holders, ({ definition }) => definition.kind);
  return [...kinds].map(([kind, all]) => {
    const which = all
      .map(({ definition, seen }) => `${seen.id} ${quote(titleOf(definition, seen))}`)
      .join(", ");
    return `${kind}: no text of its own finds ${which}: the number is in this stack's file, each other stack needs its own (${idsOf(kind)})`;
  });
}

/** Fields that hold numbers of what no data source finds, each with the numbers that these resources have. */
const numbered = (definition: Definition, resources: readonly { readonly args: Args }[]) =>
  Object.entries(definition.fields).flatMap(([name, { refersTo }]): [string, ReadonlySet<number>][] => {
    if (refersTo === undefined || refersTo.kind !== undefined) return [];
    const numbers = resources.flatMap(({ args }) => (args[name] as number | undefined) ?? []);
    return numbers.length === 0 ? [] : [[name, new Set(numbers)]];
  });

/** Fields whose number all of these have alike: another shop gives its own. */
export const alike = (definition: Definition, resources: readonly { readonly args: Args }[]) =>
  numbered(definition, resources).flatMap(([name, numbers]) => (numbers.size === 1 ? [name] : []));

/** Numbers that no data source finds become the stack's configuration; where all objects have the same, they are left out. */
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
      `${definition.kind}: no text finds what ${name} is a number of: the numbers are in this stack's file, each other stack needs its own (${name}s)`,
    );
  }
  return { config, notices };
}
