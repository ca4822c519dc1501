/**
 * Which values of the shop arguments state: each by its place there, whichever resource it is that states it. Two stacks of
 * one shop that state the same place would set each other's value back, run by run (docs/rules.md, rule 3).
 */

import { ownerOf } from "../../pulumi/owner.ts";
import { kindColumn } from "../../pulumi/rows.ts";
import { parseUrn } from "../../pulumi/urn.ts";
import { bodyPath, isBody } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { definitionOf } from "../resources/index.ts";
import { pair } from "../values/diff.ts";
import { parents } from "../values/identity.ts";
import { type KnownCell, knownIn, knownKey } from "../values/known-rows.ts";
import { asLists, ignoredIn, isIgnoredIn } from "../values/shapes.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { objectKey } from "./context.ts";
import { numberedPlace, type Stating } from "./stated-values.ts";
import type { HeldObject } from "./states.ts";

/**
 * The places that arguments state of an object, each with its path in them; without what says which object it is, or which
 * item, and what `ignoreChanges` leaves alone.
 * @param seen the object as the shop has it: places of items are named by the shop's numbers
 */
export function statedPlaces(
  definition: Definition,
  id: string,
  args: Values,
  seen: Values,
): ReadonlyMap<string, string> {
  const ignored = ignoredIn(args);
  const naming = [...(definition.keys ?? []).flat(), ...parents(definition)];
  const entries = Object.entries(definition.fields).flatMap(
    ([name, { items }]): readonly (readonly [string, string])[] => {
      if (args[name] === undefined || ignored.includes(name) || naming.includes(name)) return [];
      const path = isBody(definition, name) ? bodyPath : name;
      if (items?.fields?.id === undefined) return [[`${objectKey(definition.kind, id)} ${path}`, path]];
      const { pairs } = pair({ ...items, isPart: true }, listOf(args[name]), listOf(seen[name]));
      return pairs.flatMap(([item, there]) => {
        if (there?.id === undefined) return [];
        const label = items.key === undefined ? there.id : item[items.key];
        const identifying = ["id", items.key, ...items.tells];
        return columnsOf(item).flatMap(([field, column]) =>
          identifying.includes(field) || isIgnoredIn(ignored, name, label, field)
            ? []
            : [[numberedPlace(name, there.id, column), `${name}[${label}].${column}`]],
        );
      });
    },
  );
  return new Map(entries);
}

/** The fields that an item states, each by the name that a sheet's column has. */
export const columnsOf = (item: Values): readonly (readonly [field: string, column: string])[] =>
  Object.entries(item ?? {}).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((title) => [field, kindColumn(title)] as const)
      : [[field, field] as const],
  );

/** What sheets of prices ask, by place, but for one. @param of the resource of that one */
export const cellsBeside = (held: readonly HeldObject[], of: string): ReadonlyMap<string, KnownCell> =>
  new Map(
    held
      .filter(({ urn, outputs }) => outputs[knownKey] !== undefined && ownerOf(urn).of !== of)
      .flatMap(({ outputs }) => [...knownIn(outputs[knownKey]).rows.values()])
      .flatMap(({ variant, cells }) =>
        [...cells].map(([column, cell]) => [numberedPlace("variants", variant, column), cell] as const),
      ),
  );

/** What a resource of another stack states, as its state says. */
export function statedOf(held: HeldObject): readonly (readonly [place: string, by: Stating])[] {
  const { kind, id, urn, inputs, outputs } = held;
  const { stack, project, name } = parseUrn(urn);
  const resource = `${kind} ${name} of the stack ${project}/${stack}`;
  if (outputs[knownKey] !== undefined)
    return [...knownIn(outputs[knownKey]).rows].flatMap(([key, { variant, cells }]) =>
      [...cells.keys()].map(
        (column) =>
          [
            numberedPlace("variants", variant, column),
            { resource, at: `${inputs.key ?? "sku"} ${key}` },
          ] as const,
      ),
    );
  const definition = definitionOf(kind);
  if (definition === undefined) return [];
  const places = statedPlaces(definition, id, asLists(definition, inputs), outputs);
  return [...places].map(([place, at]) => [place, { resource, at }] as const);
}
