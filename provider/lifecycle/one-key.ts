/** Two resources of a program never ask for one natural key: told from the program alone, before anything is asked of a shop. */
import type { Definition } from "../definition/define.ts";
import { nameOf, resourceOf, type Shop } from "../run/context.ts";
import type { Failure } from "../values/check-lists.ts";
import { above, keyOf } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { shownKey } from "./observe.ts";

/** Notes which key a resource asks for; a failure where another one has asked for it before. */
export function askKey(definition: Definition, shop: Shop, args: Values): readonly Failure[] {
  // Without the SDK's word of whose the arguments are nothing tells two resources from one that is checked twice.
  if (args.__of === undefined) return [];
  const { askers, keys } = shop.memory;
  const resource = resourceOf(definition.kind, args);
  const before = keys.get(resource);
  const key = placeOfKey(definition, args);
  if (before !== undefined && before !== key) askers.get(before)?.delete(resource);
  keys.set(resource, key);
  if (key === undefined) return [];
  const all = askers.get(key) ?? new Set();
  askers.set(key, all.add(resource));
  const [first = resource] = all;
  return first === resource ? [] : [failure(definition, args, first)];
}

/** A failure where any other resource asks for the key: for what the shop has already, whoever asked first. */
export function sharedKey(definition: Definition, shop: Shop, args: Values): readonly Failure[] {
  const { askers, keys } = shop.memory;
  const resource = resourceOf(definition.kind, args);
  const other = [...(askers.get(keys.get(resource) ?? "") ?? [])].find((one) => one !== resource);
  return other === undefined ? [] : [failure(definition, args, other)];
}

function failure(definition: Definition, args: Values, other: string): Failure {
  const key = keyOf(definition, args) ?? {};
  return {
    property: Object.keys(key).at(-1) ?? "",
    reason: `resource "${nameOf(other)}" of this program asks for ${shownKey(args, key)} too, and only one ${definition.kind} can have it: remove one of the two resources, or change one of the values`,
  };
}

/** A natural key among those of all kinds; undefined where several objects may have it, or where it isn't known yet. */
function placeOfKey(definition: Definition, args: Values): string | undefined {
  const key = keyOf(definition, args);
  if (key === undefined) return undefined;
  const isOne =
    definition.unique === true ||
    Object.hasOwn(key, definition.suffixesDuplicates ?? "") ||
    args.adopt === "key";
  const place = JSON.stringify([definition.kind, above(definition, args), key]);
  return isOne && !place.includes(unknownValue) ? place : undefined;
}
