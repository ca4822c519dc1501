import { isRecord } from "../../engine/common/record.ts";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import { bodyPath, isBody } from "../body/arguments.ts";
import { pairItems } from "../change/compare.ts";
import { asLists, ignoredIn, isIgnoredIn } from "../change/keyed-lists.ts";
import { isMarked } from "../change/secrets.ts";
import type { Definition } from "../definition/define.ts";
import { objectKey, ownerOf, readOwner } from "../names/owner.ts";
import { kindColumn, parseSheetState, sheetPlacesKey, sheetStateKey } from "../names/rows.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import type { HeldObject } from "./states.ts";

/**
 * A resource that sets a value. Two that set the same value would undo each other in every run (docs/rules.md, rule 3).
 */
export interface ValueOwner {
  /** `Prices spring`. */
  readonly resource: string;
  /** Its owner: two resources in different components may have one name. */
  readonly of?: unknown;
  /** Its position there: `row 3 of prices.csv`. */
  readonly at: string;
  /** When it applies, in milliseconds since 1970; always if undefined. */
  readonly span?: Span;
}

export interface Span {
  readonly from: number;
  readonly until: number;
  /** One of its timestamps, with the offset that messages take. */
  readonly stated: string;
  /** Whether that begins after the run. */
  readonly isLater: boolean;
}

const overlaps = ({ span: one }: ValueOwner, { span: other }: ValueOwner) =>
  (one?.from ?? 0) < (other?.until ?? Infinity) && (other?.from ?? 0) < (one?.until ?? Infinity);

/** A value that a resource sets. */
export interface Claim {
  /** `sku MUG-R price`, or with the id of its variant. */
  readonly place: string;
  readonly at: string;
}

export function openValueOwners() {
  const owners = new Map<string, readonly ValueOwner[]>();
  let unlisted: { readonly by: Omit<ValueOwner, "at">; readonly claims: () => Iterable<Claim> }[] = [];
  const claim = (place: string, by: ValueOwner) => {
    const all = owners.get(place);
    if (all === undefined) {
      owners.set(place, [by]);
      return undefined;
    }
    const other = all.find((one) => !isOne(one, by) && overlaps(one, by));
    if (other === undefined && !all.some((one) => isOne(one, by))) owners.set(place, [...all, by]);
    return other;
  };
  const list = () => {
    const listed = unlisted;
    unlisted = [];
    for (const { by, claims } of listed) for (const { place, at } of claims()) claim(place, { ...by, at });
    return owners;
  };
  return {
    /** @returns the other resource that sets the value already */
    claim(place: string, by: ValueOwner): ValueOwner | undefined {
      list();
      return claim(place, by);
    },
    /**
     * Claims many values for one resource. They are listed only if another resource sets any, so that a large sheet alone
     * costs nothing.
     * @returns the claims whose value another resource sets already
     */
    claimAll<One extends Claim>(
      by: Omit<ValueOwner, "at">,
      claims: () => Iterable<One>,
    ): readonly (One & { readonly other: ValueOwner })[] {
      if (owners.size === 0 && unlisted.every((one) => isOne(one.by, by))) {
        unlisted.push({ by, claims });
        return [];
      }
      list();
      return [...claims()].flatMap((one) => {
        const other = claim(one.place, { ...by, at: one.at });
        return other === undefined ? [] : [{ ...one, other }];
      });
    },
    /** The resource that sets a value at the time of the run. */
    of: (place: string) =>
      list()
        .get(place)
        ?.find(({ span }) => span?.isLater !== true),
  };
}

const isOne = (one: Omit<ValueOwner, "at">, other: Omit<ValueOwner, "at">): boolean =>
  one.resource === other.resource && one.of === other.of;

/** `Prices spring (row 3 of prices.csv)`. */
export const setterText = ({ resource, at }: ValueOwner): string => `${resource} (${at})`;

/** The advice if another stack sets a value. */
export const stackAdvice =
  "Each stack would set the other's value back. Remove it from one of the two programs and run up there, or remove the other resource from its stack (state remove), or move it to this one (state move)";

/** The place of a value, by its item's key: `sku MUG-R price`. */
export const keyedPlace = (key: string, name: string, column: string): string => `${key} ${name} ${column}`;

/** The place of a value, by its item's id in the shop. */
export const numberedPlace = (list: string, id: unknown, column: string): string => `${list} ${id} ${column}`;

/** The place of a list that a state has encrypted. */
export const secretPlace = (list: string, kind: string, id: string): string =>
  `${list} of ${objectKey(kind, id)}`;

/** The resource that sets a value of one of these items. @param items their places, without a column */
export function ownerOfItems(
  stated: ReadonlyMap<string, ValueOwner>,
  items: readonly string[],
): ValueOwner | undefined {
  const meant = new Set(items);
  for (const [place, by] of stated) {
    const [list, id] = place.split(" ", 2);
    if (meant.has(numberedPlace(list ?? "", id, ""))) return by;
  }
  return undefined;
}

/**
 * The places of the values that arguments set, each with its path. Without ignored arguments.
 * @param seen the object in the shop, for the ids of its items
 */
export function placesSetBy(
  definition: Definition,
  id: string,
  args: Values,
  seen: Values,
): ReadonlyMap<string, string> {
  const ignored = ignoredIn(args);
  const entries = Object.entries(definition.fields).flatMap(
    ([name, { items }]): readonly (readonly [string, string])[] => {
      if (args[name] === undefined || ignored.includes(name)) return [];
      const path = isBody(definition, name) ? bodyPath : name;
      if (items?.fields?.id === undefined) return [[`${objectKey(definition.kind, id)} ${path}`, path]];
      const { pairs } = pairItems({ ...items, isPartial: true }, listOf(args[name]), listOf(seen[name]));
      return pairs.flatMap(([item, there]) => {
        if (there?.id === undefined) return [];
        const label = items.key === undefined ? there.id : item[items.key];
        // A sheet's column may have the title of an option.
        const isPlace = (field: string) =>
          field !== "id" && !(items.identifiers.includes(field) && isRecord(item[field]));
        return columnsOf(item).flatMap(([field, column]) =>
          isPlace(field) && !isIgnoredIn(ignored, name, label, field)
            ? [[numberedPlace(name, there.id, column), `${name}[${label}].${column}`]]
            : [],
        );
      });
    },
  );
  return new Map(entries);
}

/** The fields that an item sets, each with the name of a sheet's column. */
export const columnsOf = (item: Values): readonly (readonly [field: string, column: string])[] =>
  Object.entries(item ?? {}).flatMap(([field, value]) =>
    isRecord(value)
      ? Object.keys(value).map((title) => [field, kindColumn(title)] as const)
      : [[field, field] as const],
  );

/** A sheet as a state shows it: without keys and values if its rows are secret. */
export const shownSheet = (outputs: Values) =>
  parseSheetState(outputs[sheetPlacesKey] ?? outputs[sheetStateKey]);

interface SheetNote {
  readonly kind: string;
  readonly of: string;
  readonly rows?: string;
}

/** The values that the interrupted run of another stack's sheet may have set, according to its notes. */
export function valuesNotedIn({
  kind,
  of,
  rows,
}: SheetNote): readonly (readonly [place: string, by: ValueOwner])[] {
  const { stack, project, name } = readOwner(of);
  const resource = `${kind} ${name} of the stack ${project}/${stack}`;
  return [...parseSheetState(rows).rows].flatMap(([key, { variant, cells }]) =>
    [...cells.keys()].map(
      (column) => [numberedPlace("variants", variant, column), { resource, at: `row ${key}` }] as const,
    ),
  );
}

/** The values that a resource of another stack sets, according to its state. */
export function valuesSetIn(held: HeldObject): readonly (readonly [place: string, by: ValueOwner])[] {
  const { kind, id, urn, inputs, outputs } = held;
  const { stack, project, name } = parseUrn(urn);
  const by = { resource: `${kind} ${name} of the stack ${project}/${stack}`, of: ownerOf(urn).of };
  if (outputs[sheetStateKey] !== undefined)
    return [...shownSheet(outputs).rows].flatMap(([key, { variant, cells }]) => {
      const word = outputs[sheetPlacesKey] === undefined ? (inputs.key ?? "sku") : "variant";
      return [...cells.keys()].map(
        (column) => [numberedPlace("variants", variant, column), { ...by, at: `${word} ${key}` }] as const,
      );
    });
  const definition = definitionOf(kind);
  if (definition === undefined) return [];
  const places = placesSetBy(definition, id, asLists(definition, inputs), outputs);
  const encrypted = Object.keys(definition.fields).filter((name) => isMarked(inputs[name]));
  return [
    ...[...places].map(([place, at]) => [place, { ...by, at }] as const),
    // Nobody knows which items of a secret list it sets: it may set any.
    ...encrypted.map((name) => [secretPlace(name, kind, id), { ...by, at: name }] as const),
  ];
}
