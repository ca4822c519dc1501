/**
 * Which values of the shop arguments state: each by its place there, whichever resource it is that states it. Two stacks of
 * one shop that state the same place would set each other's value back, run by run (docs/rules.md, rule 3).
 */

import { isRecord } from "../../engine/pulumi/record.ts";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import { bodyPath, isBody } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { ownerIn, ownerOf } from "../names/owner.ts";
import { kindColumn, parseSheetState, type SheetCell, sheetStateKey } from "../names/rows.ts";
import { definitionOf } from "../resources/index.ts";
import { fieldsWithIds } from "../values/base.ts";
import { pairItems } from "../values/compare.ts";
import { parentNames } from "../values/identity.ts";
import { asLists, ignoredIn, isIgnoredIn } from "../values/keyed-lists.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
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
  const naming = [...(definition.keys ?? []).flat(), ...parentNames(definition)];
  const entries = Object.entries(definition.fields).flatMap(
    ([name, { items }]): readonly (readonly [string, string])[] => {
      if (args[name] === undefined || ignored.includes(name) || naming.includes(name)) return [];
      const path = isBody(definition, name) ? bodyPath : name;
      if (items?.fields?.id === undefined) return [[`${objectKey(definition.kind, id)} ${path}`, path]];
      const { pairs } = pairItems({ ...items, isPartial: true }, listOf(args[name]), listOf(seen[name]));
      return pairs.flatMap(([item, there]) => {
        if (there?.id === undefined) return [];
        const label = items.key === undefined ? there.id : item[items.key];
        const identifying = ["id", items.key, ...items.identifiers];
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
    isRecord(value)
      ? Object.keys(value).map((title) => [field, kindColumn(title)] as const)
      : [[field, field] as const],
  );

export function cellsOfSheets(held: readonly HeldObject[]): SheetCell {
  const all = held
    .filter(({ outputs }) => outputs[sheetStateKey] !== undefined)
    .flatMap(({ urn, outputs }) =>
      [...parseSheetState(outputs[sheetStateKey]).rows.values()].flatMap(({ variant, cells }) =>
        [...cells].map(([column, cell]) => ({
          place: numberedPlace("variants", variant, column),
          sheet: ownerOf(urn).of,
          cell,
        })),
      ),
    );
  const byPlace = Map.groupBy(all, ({ place }) => place);
  return (of, place) => byPlace.get(place)?.findLast(({ sheet }) => sheet !== of)?.cell;
}

/** A state with what sheets of the stack have made of an object's items since: it is nobody's edit. */
export function withSheets({ fields }: Definition, olds: Values, seen: Values, cellOf: SheetCell): Values {
  const of = ownerIn(olds);
  const lists = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    if (fieldsWithIds(field) === undefined || olds[name] === undefined) return [];
    const there = new Map(listOf(seen[name]).map((item) => [item.id, item]));
    const list = listOf(olds[name]).map((item) => {
      const isSheets = (column: string, is: unknown) => {
        const cell = cellOf(of, numberedPlace(name, item.id, column));
        return cell !== undefined && (cell.asked === (is ?? "") || cell.before === (is ?? ""));
      };
      return { ...item, ...setIn(item, there.get(item.id) ?? item, isSheets) };
    });
    return [[name, list]];
  });
  return { ...olds, ...Object.fromEntries(lists) };
}

/** The values of an item that differ from those before and are meant. */
function setIn(before: Values, now: Values, isMeant: (column: string, is: unknown) => boolean): Values {
  const set = Object.keys({ ...before, ...now }).flatMap((field): [string, unknown][] => {
    const [was, is] = [before[field], now[field]];
    if (!isRecord(is) && !isRecord(was)) return was !== is && isMeant(field, is) ? [[field, is]] : [];
    const amounts = setIn(valuesOf(was), valuesOf(is), (title, one) => isMeant(kindColumn(title), one));
    return Object.keys(amounts).length === 0 ? [] : [[field, { ...valuesOf(was), ...amounts }]];
  });
  return Object.fromEntries(set);
}

/** What a resource of another stack states, as its state says. */
export function statedOf(held: HeldObject): readonly (readonly [place: string, by: Stating])[] {
  const { kind, id, urn, inputs, outputs } = held;
  const { stack, project, name } = parseUrn(urn);
  const resource = `${kind} ${name} of the stack ${project}/${stack}`;
  if (outputs[sheetStateKey] !== undefined)
    return [...parseSheetState(outputs[sheetStateKey]).rows].flatMap(([key, { variant, cells }]) =>
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
