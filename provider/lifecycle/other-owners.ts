/** Values and keys that two owners set: another resource of the program, a sheet of prices, or another stack. */

import { isIn, pathText } from "../../engine/pulumi/path.ts";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import { type Change, programChanges } from "../change/change.ts";
import type { Failure } from "../change/check-lists.ts";
import { above, keyOf } from "../change/identity.ts";
import { ignoredIn, isIgnoredIn } from "../change/keyed-lists.ts";
import { shownPath } from "../change/secrets.ts";
import {
  type AskedObject,
  markOfShop,
  type NewObject,
  ownerHere,
  resourceIn,
  type StateObject,
} from "../context/context.ts";
import {
  columnsOf,
  keyedPlace,
  numberedPlace,
  ownerOfItems,
  placesSetBy,
  setterText,
  stackAdvice,
  type ValueOwner,
} from "../context/value-owners.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, nameOf, ownerIn } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { type FoundObject, mayOverwrite, RefusalError } from "./conflict.ts";
import { shownKey } from "./observe.ts";

/**
 * A failure for each value that another kind of resource sets too.
 * @param seen the object in the shop, if known: another resource may name its items by another key
 */
export function valuesSetTwice({ definition, shop, args }: NewObject, seen: Values = {}): readonly Failure[] {
  const { kind, fields } = definition;
  const ignored = ignoredIn(args);
  return Object.entries(fields).flatMap(([list, { items }]) => {
    const entries = ignored.includes(list) ? undefined : args[list];
    if (items?.fields === undefined || items.key === undefined || !Array.isArray(entries)) return [];
    const [key, ...others] = [items.key, ...items.identifiers];
    return listOf(entries).flatMap((item) => {
      const numbered = listOf(seen[list]).find((one) => one[key] === item?.[key]);
      return columnsOf(item).flatMap(([field, column]): readonly Failure[] => {
        if (isIgnoredIn(ignored, list, item[key], field)) return [];
        const path = `${list}[${item[key]}].${column}`;
        const named = [key, ...others].flatMap((name) =>
          typeof item[name] === "string" && item[name] !== "" ? [keyedPlace(name, item[name], column)] : [],
        );
        const places =
          numbered?.id === undefined ? named : [...named, numberedPlace(list, numbered.id, column)];
        const by = { resource: `${kind} ${nameIn(args)}`, of: args.__of, at: path };
        const other = places
          .flatMap((place) => shop.memory.valueOwners.claim(place, by) ?? [])
          .find(({ resource }) => !resource.startsWith(`${kind} `));
        if (other === undefined) return [];
        return [
          { property: path, reason: `is set by ${setterText(other)} too: remove it from one of the two` },
        ];
      });
    });
  });
}

/**
 * Failures for values that a change sends and another stack sets, one for each of its resources. Reads the other states
 * only if something is sent.
 */
export function valuesSetElsewhere(looked: Omit<FoundObject, "olds">, change: Change): readonly Failure[] {
  const { definition, shop, id, args, seen } = looked;
  const sent = programChanges(change).filter(({ verdict }) => verdict !== "done");
  if (sent.length === 0 || args.__of === undefined || mayOverwrite(looked)) return [];
  const changed = sent.map(({ path }) => pathText(path));
  const meant = [...placesSetBy(definition, id, args, seen)].filter(([, path]) =>
    changed.some((one) => isIn(path, one) || isIn(one, path)),
  );
  const going = deletedItems(looked, change);
  if (meant.length === 0 && going.length === 0) return [];
  const stated = shop.notes.setElsewhere(ownerIn(args), markOfShop(shop));
  const lost = going.flatMap(({ path, place }): readonly Failure[] => {
    const by = ownerOfItems(stated, [place]);
    return by === undefined ? [] : [{ property: shownPath(args, path), reason: deletedItemText(by) }];
  });
  const shared = meant.flatMap(([place, path]) => {
    const by = stated.get(place);
    return by === undefined ? [] : [{ path: shownPath(args, path), by }];
  });
  const changes = [...Map.groupBy(shared, ({ by }) => by.resource).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const also = more.slice(0, 5).map(({ path }) => path);
    const rest = more.length > also.length ? ` and ${more.length - also.length} more` : "";
    const both =
      also.length === 0
        ? ""
        : `, and so ${also.length === 1 && rest === "" ? "is" : "are"} ${also.join(", ")}${rest}`;
    return [
      {
        property: first.path,
        reason: `is set by ${setterText(first.by)} too${both}\n${stackAdvice}, or in TypeScript name it in ignoreChanges here`,
      },
    ];
  });
  return [...changes, ...lost];
}

/** The items that a change deletes, each with the start of its values' places. */
const deletedItems = ({ definition, seen }: Pick<FoundObject, "definition" | "seen">, { sends }: Change) =>
  Object.entries(definition.fields).flatMap(([name, { items }]) =>
    sends.removed
      .filter(({ operation }) => operation === items?.remove)
      .map(({ item: id }) => {
        const item = listOf(seen[name]).find((one) => one.id === id) ?? { id };
        const label = items?.key === undefined || !item[items.key] ? id : item[items.key];
        return { path: `${name}[${label}]`, place: numberedPlace(name, id, "") };
      }),
  );

const deletedItemText = (by: ValueOwner) =>
  `would be deleted here, and ${setterText(by)} sets it. List it here, or remove it there and run up there`;

/**
 * Refuses to delete an object that another stack manages, or whose variants a sheet prices.
 * @throws RefusalError that names the other resource
 */
export function refuseDeleteOfShared(object: StateObject, withheld: "delete" | "replace"): void {
  const { definition, shop, id, olds } = object;
  if (olds.__of === undefined || mayOverwrite({ ...object, args: olds })) return;
  const here = markOfShop(shop);
  const of = shop.notes.ownerNow(definition.kind, id, ownerHere(shop, olds));
  const urn = shop.notes.heldElsewhere(definition.kind, id, { of, shop: here });
  const by = urn === undefined ? sheetOf(object, shop.notes.setElsewhere(of, here)) : holderText(urn);
  if (by === undefined) return;
  const name = nameIn(olds);
  throw new RefusalError(
    `${by} has ${definition.kind} ${id} too, so it is not ${withheld}d: remove it from one of the two stacks (state remove ` +
      `leaves the object in the shop), or run with --overwrite ${name} (SHOP_OVERWRITE=${name})`,
  );
}

/** How many objects are marked: a second stack of a whole shop shares all of them. */
const mostShared = 10;

/** Reports that another stack manages an adopted object too: then neither can delete it. */
export function reportShared({ definition: { kind }, shop, id, args }: AskedObject): void {
  if (args.__of === undefined || shop.plan.isPreview === false) return;
  const urn = shop.notes.heldElsewhere(kind, id, ownerHere(shop, args));
  if (urn === undefined) return;
  const { stack, project } = parseUrn(urn);
  const other = `${project}/${stack}`;
  const count = (shop.memory.sharedCounts.get(other) ?? 0) + 1;
  shop.memory.sharedCounts.set(other, count);
  if (count > mostShared) return;
  const more =
    count < mostShared ? "" : `; further objects that the stack ${other} manages too aren't marked`;
  const lines = `! ${holderText(urn)} manages it too: neither stack can delete it, or change a value that the other sets${more}`;
  if (!shop.notice({ type: "text", kind, id, lines }))
    shop.sayInPreview(`${nameIn(args)}: ${lines.slice(2)}`);
}

/** What to do with an object that another stack manages, such as after `state move`; undefined if none does. */
export function holderHint({ definition: { kind }, shop, id, args }: AskedObject): string | undefined {
  if (args.__of === undefined) return undefined;
  const urn = shop.notes.heldElsewhere(kind, id, ownerHere(shop, args));
  return urn === undefined
    ? undefined
    : `${holderText(urn)} manages it: remove the resource from this program, or move it to this stack with state move`;
}

function holderText(urn: string): string {
  const { stack, project, name } = parseUrn(urn);
  return `the stack ${project}/${stack} (${name})`;
}

const sheetOf = (
  { definition, olds }: StateObject,
  stated: ReadonlyMap<string, ValueOwner>,
): string | undefined => {
  const places = Object.entries(definition.fields).flatMap(([name, { items }]) =>
    items?.fields?.id === undefined ? [] : listOf(olds[name]).map((item) => numberedPlace(name, item.id, "")),
  );
  const by = ownerOfItems(stated, places);
  return by && setterText(by);
};

/** Records the natural key of a resource. A failure if another resource of the program has the same. */
export function claimKey(object: NewObject): readonly Failure[] {
  const { definition, shop, args } = object;
  // Without `__of`, two resources look like one that is checked twice.
  if (args.__of === undefined) return [];
  const { keyClaims: askers, claimedKeys: keys } = shop.memory;
  const resource = resourceIn(object);
  const before = keys.get(resource);
  const key = uniqueKey(definition, args);
  if (before !== undefined && before !== key) askers.get(before)?.delete(resource);
  keys.set(resource, key);
  if (key === undefined) return [];
  const all = askers.get(key) ?? new Set();
  askers.set(key, all.add(resource));
  const [first = resource] = all;
  return first === resource ? [] : [failure(object, first)];
}

/** A failure if any other resource of the program has the same key, whichever was checked first. */
export function keyClaimedTwice(object: NewObject): readonly Failure[] {
  const { keyClaims: askers, claimedKeys: keys } = object.shop.memory;
  const resource = resourceIn(object);
  const other = [...(askers.get(keys.get(resource) ?? "") ?? [])].find((one) => one !== resource);
  return other === undefined ? [] : [failure(object, other)];
}

function failure({ definition, args }: NewObject, other: string): Failure {
  const key = keyOf(definition, args) ?? {};
  return {
    property: Object.keys(key).at(-1) ?? "",
    reason: `resource "${nameOf(other)}" of this program asks for ${shownKey(args, key)} too, and only one ${definition.kind} can have it: remove one of the two resources, or change one of the values`,
  };
}

/** The natural key; undefined if several objects may have it, or if it isn't known yet. */
function uniqueKey(definition: Definition, args: Values): string | undefined {
  const key = keyOf(definition, args);
  if (key === undefined) return undefined;
  const isOne =
    definition.unique === true ||
    Object.hasOwn(key, definition.suffixesDuplicates ?? "") ||
    args.adopt === "key";
  const place = JSON.stringify([definition.kind, above(definition, args), key]);
  return isOne && !place.includes(unknownValue) ? place : undefined;
}
