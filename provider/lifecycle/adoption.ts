/** Adoption: finds the object by its id or natural key, reads it and compares it. Sends nothing. */

import { pathText } from "../../engine/pulumi/path.ts";
import type { Change } from "../change/change.ts";
import type { Failure } from "../change/check-lists.ts";
import { type Diff, diffOf } from "../change/diff.ts";
import { above, engineIdOf, keyOf, ownId, parentsText, pathValues } from "../change/identity.ts";
import { withoutIgnored } from "../change/keyed-lists.ts";
import { missingForCreate, onlyListedItems } from "../change/partial.ts";
import { isMarked, shownPath } from "../change/secrets.ts";
import { inputsOf, stateOf, withValuesAt } from "../change/state.ts";
import { difference } from "../change/value-text.ts";
import {
  type AskedObject,
  keyIn,
  markOfShop,
  type NewObject,
  type ObjectRef,
  ownerHere,
  resourceIn,
  type Shop,
} from "../context/context.ts";
import { isSentTo } from "../context/create-notes.ts";
import type { Definition } from "../definition/define.ts";
import { calledIn, nameOf, ownerOf } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { changeFromShop } from "./object-change.ts";
import { AdoptionError, findByKey, noticeRead, readFromList, readObject, shownKey } from "./observe.ts";
import { allowedChange } from "./update.ts";

/** Whether a create first looks for an existing object. */
export const adoptsExisting = ({ definition, shop, args }: NewObject): boolean =>
  args.adopt !== undefined ||
  definition.singleton !== undefined ||
  // `shop:adopt` sets for all resources what `adopt: "key"` sets for one.
  (shop.adopt === "key" && keyOf(definition, args) !== undefined) ||
  // After the check, an engine leaves out what the program ignores, also the key.
  shop.memory.adoptions.has(adoptionKey(definition, args));

/**
 * The object that a create adopts, found by id, else by natural key. Undefined if the shop has neither: then it is
 * created.
 * @throws AdoptionError if another resource manages it, several match, or it would have to be replaced
 */
export async function adoptionOf(object: NewObject): Promise<Adoption | undefined> {
  const { definition, shop, args } = object;
  // The first resource of the program manages a singleton, even one that the shop doesn't have yet.
  if (definition.singleton !== undefined) {
    const only = { ...object, id: definition.one };
    refuseManaged(only);
    shop.memory.owners.made(keyIn(only), resourceIn(only));
  }
  const place = adoptionKey(definition, args);
  // The check of this run has read the object already.
  const known = shop.memory.adoptions.get(place);
  shop.memory.adoptions.delete(place);
  if (known === "none") return undefined;
  const seen = known ?? (await findExisting(object));
  if (seen === undefined) return undefined;
  const id = engineIdOf(definition, seen, args);
  refuseManaged({ ...object, id });
  const { asked, state, isKnown } = adoptedState(object, seen);
  const looked = { definition, shop, id, olds: state, seen, args: asked };
  const change = isKnown ? allowedChange(looked) : changeFromShop(looked);
  const verdict = diffOf(definition, { known: state, asked }, change);
  if (verdict.type === "replace") {
    const paths = [...new Set(verdict.replaces.map((path) => shownPath(args, pathText(path))))];
    throw new AdoptionError(
      `can't adopt ${definition.kind} ${id}: ${paths.join(", ")} can't be changed in place; set the shop's values`,
    );
  }
  if (verdict.type === "update" && args.adopt === undefined && shop.adopt === undefined) {
    const terms = changesText(definition, { state, asked, verdict }).join("; ");
    throw new AdoptionError(
      `the shop already has a ${definition.kind} with other terms (${terms}); set adopt: "key" to adopt it`,
    );
  }
  return { id, seen, state, asked, verdict, change };
}

/** The object with the id in `adopt`; undefined if the shop doesn't have it. */
export async function adoptionById(object: NewObject): Promise<Adoption | undefined> {
  const { args } = object;
  if (args.adopt === undefined || args.adopt === "key") return undefined;
  const adoption = await adoptionOf(object);
  return adoption !== undefined && missingAdoptId(args, adoption) === undefined ? adoption : undefined;
}

// Two resources never manage one object (docs/rules.md, rule 3).
function refuseManaged(object: AskedObject): void {
  const { definition, shop, id } = object;
  const owner = shop.memory.owners.owner(keyIn(object));
  if (owner === undefined || owner === resourceIn(object)) return;
  throw new AdoptionError(
    `can't adopt ${definition.kind} ${id}: resource ${nameOf(owner)} of this stack has it already; two resources can't manage one object`,
  );
}

/** Identifies the create: by its resource, since `ignoreChanges` may change the arguments; else by the arguments. */
export const adoptionKey = (definition: Definition, args: Values) =>
  JSON.stringify([
    definition.kind,
    args.adopt,
    ...(args.__of === undefined ? [above(definition, args), keyOf(definition, args)] : [args.__of]),
  ]);

async function findExisting(object: NewObject): Promise<Values | undefined> {
  const { definition, shop, args } = object;
  const { adopt } = args;
  const byId = adopt !== undefined && adopt !== "key";
  if (definition.singleton === undefined && !byId) return findByKey(object);
  const place = byId ? String(adopt) : definition.one;
  const id =
    definition.singleton === undefined && !place.includes("/")
      ? engineIdOf(definition, { id: place }, args)
      : place;
  const page = await readFromList({ ...object, id }, { isPlanned: true });
  const seen = page ?? (await readObject(definition, shop, id, shop.reads));
  // Every run reads a singleton before it creates it: no notice is needed for that.
  if (definition.operations.get === undefined && seen === "gone") await noticeListRead({ ...object, id });
  else if (definition.singleton === undefined || typeof seen === "object")
    noticeRead({ ...object, id }, "create");
  if (typeof seen === "object") return seen;
  if (!byId) return undefined;
  if (seen === "hidden")
    throw new AdoptionError(
      `can't adopt ${definition.kind} ${place}: this shop doesn't allow reading such objects; leave adopt out to create it`,
    );
  // Adoption never stops a rollback: a deleted object is found by its key, or created (docs/rules.md, rule 4).
  return keyOf(definition, args) === undefined ? undefined : findByKey(object);
}

async function noticeListRead({ definition, shop, id }: ObjectRef): Promise<void> {
  const { id: _id, ...given } = pathValues(definition, id);
  const { pages, objects } = await shop.reads.again(definition, given);
  const above = parentsText(definition, id);
  shop.notice({
    type: "lists",
    kind: definition.kind,
    above,
    pages,
    objects: objects.length,
    singles: 0,
    isForCreate: true,
  });
}

/**
 * The arguments for an adopted object without ignored ones, and its state limited to the list items that they set. Under
 * Pulumi's engine a resource may adopt the object of one with another name: then staff's edits are known from its state.
 */
export function adoptedState(
  object: NewObject,
  seen: Values,
): { readonly asked: Values; readonly state: Values; readonly isKnown: boolean } {
  const { definition, args } = object;
  const own = onlyListedItems(definition, args, seen);
  const asked = withoutIgnored(definition, own, args);
  const held = heldInState({ ...object, id: engineIdOf(definition, seen, args) });
  return { asked, state: held ?? stateOf(definition, asked, own, {}), isKnown: held !== undefined };
}

/**
 * The state of the object under another name, which the embedded engine renames itself; or under this one, where a retained
 * singleton is replaced.
 */
function heldInState({ definition, shop, id, args }: AskedObject): Values | undefined {
  if (args.__of === undefined) return undefined;
  const urn = shop.notes.inState(definition.kind, id, ownerHere(shop, args));
  const { of } = urn === undefined ? { of: undefined } : ownerOf(urn);
  const isFree = of === args.__of ? definition.singleton === undefined : shop.plan.isEmbedded;
  const held = of === undefined || isFree ? undefined : shop.notes.heldBy(of);
  // Two shops may each have an object with this id. Secrets are encrypted.
  const isOther = held?.shop === undefined || !isSentTo(markOfShop(shop), { shop: held.shop });
  return isOther || Object.values(held.outputs).some(isMarked) ? undefined : held.outputs;
}

/** An object that a create adopts, and how it differs from the arguments. */
export interface Adoption {
  readonly id: string;
  /** The object as it was read. */
  readonly seen: Values;
  /** The values of the arguments that the program sets. */
  readonly state: Values;
  /** The arguments without those in `ignoreChanges`. */
  readonly asked: Values;
  readonly verdict: Exclude<Diff, { readonly type: "replace" }>;
  readonly change: Change;
}

/** The id in `adopt`, if the shop doesn't have it and another object was found by its key. */
export function missingAdoptId({ adopt }: Values, { id }: Adoption): string | undefined {
  if (adopt === undefined || adopt === "key") return undefined;
  return ownId(String(adopt)) === ownId(id) ? undefined : String(adopt);
}

// For `pulumi up --replace` and tainted resources, Pulumi's engine calls check as if the resource were new.
export const replaceHint = ({ plan }: Shop) => (plan.isEmbedded ? "" : ", unless pulumi replaces it");

/** `adopts Coupon 8841 (code SALE10), changes discount: expected 15, got 10`. */
export function adoptionText({ definition, shop, args }: NewObject, adoption: Adoption): string {
  const key = definition.singleton === undefined ? keyOf(definition, args) : undefined;
  const name = key === undefined ? "" : ` (${shownKey(args, key)})`;
  const wanted = missingAdoptId(args, adoption);
  const instead = wanted === undefined ? "" : ` instead of ${wanted}, which the shop doesn't have`;
  const what = `adopts ${definition.kind} ${adoption.id}${name}${instead}`;
  const changes = changesText(definition, adoption);
  const text = changes.length === 0 ? `${what} as it is` : `${what}, changes ${changes.join("; ")}`;
  return text + replaceHint(shop);
}

/** The arguments from before the adoption, for an engine that shows how they change. */
export const inputsBefore = (
  definition: Definition,
  { state, seen, asked, verdict }: Pick<Adoption, "state" | "seen" | "asked" | "verdict">,
): Values =>
  verdict.type === "none"
    ? asked
    : withValuesAt(definition, asked, inputsOf(definition, state, seen), verdict.paths);

const changesText = (
  definition: Definition,
  { state, verdict, asked }: Pick<Adoption, "state" | "verdict" | "asked">,
): readonly string[] =>
  verdict.type === "none" ? [] : verdict.paths.map((path) => difference(definition, state, asked, path));

/** `the shop has no Product 8841, nor one with permalink mug`. */
function absentText(definition: Definition, args: Values): string {
  const key = keyOf(definition, args);
  const by = args.adopt === "key" || key === undefined ? "" : `, nor one with ${shownKey(args, key)}`;
  const what =
    args.adopt === "key"
      ? `${definition.kind} with ${shownKey(args, key ?? {})}`
      : `${definition.kind} ${args.adopt}`;
  return `the shop has no ${what}${by}`;
}

export const willCreateText = (definition: Definition, args: Values): string =>
  `${calledIn(definition, args)}: ${absentText(definition, args)}: it is created`;

/** A program that sets only some arguments can adopt an object but not create one. */
export const absentFailures = (definition: Definition, args: Values): readonly Failure[] =>
  missingArgumentFailures(
    definition,
    args,
    `${absentText(definition, args)}, and none can be created without it`,
  );

/** A failure for each argument that a create needs and an adoption doesn't. */
export const missingArgumentFailures = (
  definition: Definition,
  args: Values,
  why: string,
): readonly Failure[] =>
  missingForCreate(definition, args).map((property) => ({ property, reason: `is required: ${why}` }));
