/** Previews of creates: the object that a create adopts, or what stands in its way. Sends nothing. */

import { parseUrn } from "../../engine/pulumi/urn.ts";
import { programChanges } from "../change/change.ts";
import type { Failure } from "../change/check-lists.ts";
import {
  above,
  engineIdOf,
  hasKey,
  type Key,
  keyOf,
  keysOf,
  listedText,
  parentNames,
  withShopMark,
} from "../change/identity.ts";
import { lackingToCreate } from "../change/partial.ts";
import { isSecretPath } from "../change/secrets.ts";
import { NotFoundError, UnreadableValueError } from "../client/errors.ts";
import {
  type AskedObject,
  markOfShop,
  type NewObject,
  ownerHere,
  type Shop,
  type Subject,
} from "../context/context.ts";
import { isSentTo } from "../context/create-notes.ts";
import { ProtectedError } from "../context/limits.ts";
import type { Definition } from "../definition/define.ts";
import { movedText } from "../names/alias.ts";
import { calledIn, nameIn, objectKey, ownerIn, ownerOf } from "../names/owner.ts";
import { folderOfFile, isInThemeFolder } from "../names/theme-folder.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf, unknownValue } from "../wire/text.ts";
import {
  absentFailures,
  adoptionById,
  adoptionKey,
  adoptionOf,
  adoptionText,
  adoptsExisting,
  inputsBefore,
  missingAdoptId,
  replaceHint,
  willCreateText,
} from "./adoption.ts";
import { RefusalError } from "./conflict.ts";
import { hasEnded } from "./delete.ts";
import { fingerprint, hasSameContent, mayResend } from "./interrupted-creates.ts";
import { AdoptionError, noticeRead, onFirstPage, readObject, shownKey } from "./observe.ts";
import { holderHint, reportShared, valuesSetElsewhere } from "./other-owners.ts";
import { allowedEffects, noticeAdoption } from "./plan-report.ts";
import { reportSettings, showTextChange } from "./text-changes.ts";
import { stateAsRead } from "./update.ts";

/** The object that a create will adopt, for the embedded engine. */
export interface AdoptionPreview {
  readonly id: string;
  /** The arguments, with the shop's values where the adoption changes them. */
  readonly inputs: Values;
  readonly olds: Values;
  /** The arguments without those in `ignoreChanges`. */
  readonly asked: Values;
}

export interface CreatePreview {
  readonly failures: readonly Failure[];
  readonly taken?: AdoptionPreview;
}

/** Previews a create: the object that it adopts, or the reasons why it can't succeed. */
export async function previewCreate(object: NewObject): Promise<CreatePreview> {
  const { definition, shop, args } = object;
  if (shop.plan.onlyArguments || isUnknown(definition, args)) return { failures: [] };
  const made = await existsByNewerState(object);
  if (made !== undefined) return { failures: [{ property: "adopt", reason: made }] };
  // An interrupted create of another shop is searched for only there.
  const notes =
    args.__of === undefined
      ? []
      : shop.notes.of(definition.kind, ownerIn(args)).filter((note) => isSentTo(markOfShop(shop), note));
  try {
    const stated = notes.length > 0 ? await adoptionById(object) : undefined;
    if (notes.length > 0 && stated === undefined) {
      // With a known id the run may have ended well: `pulumi state delete` removes the resource and leaves the object.
      const { id } = notes.find((note) => note.id !== undefined) ?? {};
      const begun =
        id === undefined
          ? "an earlier run was interrupted while creating it"
          : `an earlier run created ${definition.kind} ${id}, which is in no state`;
      shop.sayInPreview(`${nameIn(args)}: ${begun}; this run looks for the object first${replaceHint(shop)}`);
      return { failures: [] };
    }
    if (!adoptsExisting(object)) return await previewNewObject(object);
    const adoption = stated ?? (await adoptionOf(object));
    if (adoption === undefined) {
      // The create uses this result.
      shop.memory.adoptions.set(adoptionKey(definition, args), "none");
      const failures = absentFailures(definition, args);
      // A ThemeFolder adopts the files that exist and creates the others: that needs no message.
      const isSaid = args.adopt !== undefined && failures.length === 0 && !isInThemeFolder(args.__of);
      if (isSaid) shop.sayInPreview(willCreateText(definition, args));
      return failures.length > 0 ? { failures } : await previewNewObject(object);
    }
    shop.memory.adoptions.set(adoptionKey(definition, args), adoption.seen);
    const { id, seen, state, asked, change } = adoption;
    const owned = valuesSetElsewhere({ ...object, id, args: asked, seen }, change);
    if (owned.length > 0) return { failures: owned };
    noticeAdoption({ ...object, id }, programChanges(change));
    const looked = { ...object, id, seen, args: asked, olds: state };
    const effects = allowedEffects({ ...looked, olds: stateAsRead(looked) }, change);
    const sends = change.sends.requests;
    const of = ownerIn(args);
    const instead = missingAdoptId(args, adoption);
    if (!shop.notice({ type: "adopts", kind: definition.kind, id, of, sends, effects, instead }))
      shop.sayInPreview(adoptionText(object, adoption));
    reportShared({ ...object, id });
    // `hideDiffs` may hide the text, which only the embedded engine knows.
    if (shop.plan.isEmbedded) {
      reportSettings(looked, change.wanted);
      if (shop.plan.showsTexts) await showTextChange(looked);
    }
    const olds = withShopMark(state, markOfShop(shop));
    return { failures: [], taken: { id, inputs: inputsBefore(definition, adoption), olds, asked } };
  } catch (error) {
    if (error instanceof NotFoundError) {
      const failures = await missingParents(object);
      if (failures.length > 0) return { failures };
    }
    // If the object is at fault, the argument fails; if the shop didn't answer, the run fails.
    const isAbout = [ProtectedError, AdoptionError, RefusalError, UnreadableValueError].some(
      (type) => error instanceof type,
    );
    if (!isAbout) throw error;
    return { failures: [{ property: "adopt", reason: messageOf(error) }] };
  }
}

/** A failure for each parent that the shop doesn't have, such as the theme of a file. Each list is read once per run. */
export async function missingParents({ definition, shop, args }: NewObject): Promise<readonly Failure[]> {
  const failures = parentNames(definition).map(async (name): Promise<readonly Failure[]> => {
    const parent = definitionOf(definition.fields[name]?.refersTo?.kind ?? "");
    const value = args[name];
    if (parent?.operations.list === undefined || value === undefined || value === unknownValue) return [];
    const { objects } = await shop.reads.all(parent, {});
    if (objects.some(({ id }) => String(id) === String(value))) return [];
    const shown = isSecretPath(args, name) ? "" : ` ${String(value)}`;
    const reason = `there is no ${parent.kind}${shown} in the shop; the shop has ${listedText(parent, objects)}`;
    return [{ property: name, reason }];
  });
  return (await Promise.all(failures)).flat();
}

/** After an older state was restored: the object that the newer state has for this resource. */
function objectOfNewerState({ definition, shop, args }: NewObject) {
  const of = ownerIn(args);
  if (of === "" || args.adopt !== undefined || mayResend(shop, { of })) return undefined;
  return shop.notes.inNewer(definition.kind, of);
}

/** Why a create would create an object twice: it is newer than the state. */
async function existsByNewerState(object: NewObject): Promise<string | undefined> {
  const { definition, shop, args } = object;
  const { id } = objectOfNewerState(object) ?? {};
  if (id === undefined || shop.notes.inState(definition.kind, id, ownerHere(shop, args)) !== undefined)
    return undefined;
  const seen = await readObject(definition, shop, id, shop.reads);
  noticeRead({ ...object, id }, "create");
  if (seen === "gone" || (typeof seen === "object" && isCancelled(definition, seen))) return undefined;
  const has = seen === "hidden" ? "may still have" : "still has";
  return olderText(
    args,
    id,
    `the newer one has this resource as ${definition.kind} ${id}, which the shop ${has}`,
  );
}

const olderText = (args: Values, id: string, what: string) =>
  `an older state was restored, and ${what}: set adopt: "${id}" to adopt it, or run with --resend ${nameIn(args)} to create another`;

/**
 * Previews a create without adoption. Fails if the shop has the key and allows it once; reports objects with the same
 * key or content. Reads at most one page for each create.
 * @param isAgain whether it follows an object that was deleted in the shop
 */
export async function previewNewObject(object: NewObject, isAgain = false): Promise<CreatePreview> {
  const { definition, shop, args } = object;
  if (shop.plan.isPreview === false || definition.singleton !== undefined) return { failures: [] };
  const lacking = lackingToCreate(definition.fields, args);
  const reason = `is required: the shop creates no ${definition.kind} without it`;
  if (lacking.length > 0) return { failures: lacking.map((property) => ({ property, reason })) };
  if (definition.operations.list === undefined) return { failures: [] };
  const { key, only, equal } = await equalObjects(object);
  const [first] = equal;
  if (first === undefined) return { failures: [] };
  const id = engineIdOf(definition, first, args);
  const moved = renameHint({ ...object, id });
  const held = moved === undefined ? holderHint({ ...object, id }) : undefined;
  // A refresh removes the deleted object from the state: then the create may adopt.
  const again = adoptsExisting(object) ? "a refresh and up" : `adopt: "${id}", a refresh and up`;
  if (only !== undefined) {
    const there = `the shop has ${definition.kind} ${id} with ${shownKey(args, only)} already:`;
    const other = moved ?? "if it is this resource under another name, give it aliases: [{ name: ... }]";
    const way =
      held === undefined
        ? `set adopt: "key" to adopt it; ${other}`
        : `${held}; adopt: "key" manages it in both`;
    const reason = `${there} ${isAgain ? `${again} adopt it` : way + replacedText(shop, args)}`;
    return { failures: [{ property: Object.keys(only).at(-1) ?? "adopt", reason }] };
  }
  if (moved === undefined && objectOfNewerState(object) !== undefined) {
    const what = `the shop has ${equalText(definition, args, key)} already (${equal.map((seen) => seen.id).join(", ")})`;
    return { failures: [{ property: "adopt", reason: olderText(args, String(first.id), what) }] };
  }
  const way = isAgain ? `${again} adopt it` : `adopt: "${first.id}" adopts it`;
  reportEqual(object, {
    key,
    equal,
    way,
    unless: `${moved === undefined ? "" : `; ${moved}`}${held === undefined ? "" : `; ${held}`}${replaceHint(shop)}`,
  });
  return { failures: [] };
}

/**
 * A failure if the shop has the key that a replacement would get, such as in the theme to which a file moves. The old
 * object is deleted first, so it would be lost.
 */
export async function replacementFailures(object: Omit<Subject, "id">): Promise<readonly Failure[]> {
  const { definition, olds, args } = object;
  const [names = []] = definition.keys ?? [];
  const isMoved = (name: string) =>
    definition.fields[name]?.replaces &&
    olds[name] !== undefined &&
    String(olds[name]) !== String(args[name]);
  const property = names.find(isMoved);
  if (property === undefined || definition.unique !== true || isUnknown(definition, args)) return [];
  const { equal } = await equalObjects(object);
  if (equal.length === 0) return [];
  const reason = `the shop has an object with this ${names.join(", ")} already, ${insteadOfReplacing(args)}`;
  return [{ property, reason }];
}

/** @throws Error if an object with `retainOnDelete` keeps the key that its replacement would get */
export async function refuseRetainedKey(object: NewObject): Promise<void> {
  const { definition, shop, args } = object;
  if (shop.notes.heldBy(ownerIn(args))?.retainOnDelete !== true || isUnknown(definition, args)) return;
  if (definition.singleton !== undefined || definition.operations.list === undefined) return;
  const { only, equal } = await equalObjects(object);
  const [first] = equal;
  if (only === undefined || first === undefined) return;
  const there = `${definition.kind} ${engineIdOf(definition, first, args)} has ${shownKey(args, only)}, which the shop has once`;
  throw new Error(
    `${there}, and retainOnDelete leaves it in the shop: run up without retainOnDelete before it is replaced`,
  );
}

/** What to do about a key that the shop has already. */
export function insteadOfReplacing(args: Values): string {
  const own = nameIn(args);
  const name = isInThemeFolder(args.__of) ? folderOfFile(own) : own;
  return `and a replacement adopts none: to manage that one and leave the old one, run state remove ${name}, and set adopt: "key"`;
}

interface Equal {
  readonly key: Key | undefined;
  /** The key if the shop has at most one object with it. */
  readonly only: Key | undefined;
  readonly equal: readonly Values[];
}

/** The objects of the shop with a natural key of the arguments, or with their content if they have none. */
async function equalObjects({ definition, shop, args }: NewObject): Promise<Equal> {
  const spent = (shop.memory.createCounts.get(definition.kind) ?? 0) + 1;
  shop.memory.createCounts.set(definition.kind, spent);
  const print = fingerprint(definition, args, shop.folder);
  const listed = await shop.reads.firstPages(definition, above(definition, args), spent);
  // Objects of other resources don't count if the key may exist twice.
  const isFree = (seen: Values) =>
    shop.memory.owners.manager(objectKey(definition.kind, engineIdOf(definition, seen, args))) === undefined;
  const by = (key: Key | undefined): Equal => {
    const isOnly =
      definition.unique === true || Object.hasOwn(key ?? {}, definition.suffixesDuplicates ?? "");
    const only = isOnly ? key : undefined;
    const isEqual = (seen: Values) =>
      key === undefined ? hasSameContent(definition, seen, print) : hasKey(seen, key);
    const equal = listed.filter(
      (seen) => isEqual(seen) && !isCancelled(definition, seen) && (only !== undefined || isFree(seen)),
    );
    return { key, only, equal };
  };
  const [first, ...others] = keysOf(definition, args);
  const main = by(first);
  return [main, ...others.map(by)].find(({ equal }) => equal.length > 0) ?? main;
}

/** Warns if the shop has an equal open charge beside one that has ended: a new charge would cost twice. */
export async function warnOfEqualCharge(subject: Subject): Promise<void> {
  const { definition, shop, olds, args } = subject;
  if (shop.plan.isPreview === false || !hasEnded(definition, olds)) return;
  const print = fingerprint(definition, args, shop.folder);
  const list = await shop.reads.firstPages(definition, above(definition, args), 1);
  const equal = list.filter(
    (seen) => hasSameContent(definition, seen, print) && !isCancelled(definition, seen),
  );
  const [first] = equal;
  if (first === undefined) return;
  const way = `state remove ${nameIn(args)} and adopt: "${first.id}" adopt it`;
  reportEqual(subject, { key: undefined, equal, way, unless: "" });
}

interface EqualObjects extends Pick<Equal, "key" | "equal"> {
  readonly way: string;
  readonly unless: string;
}

const equalText = ({ kind }: Definition, args: Values, key: Key | undefined) =>
  key === undefined ? `an equal ${kind}` : `a ${kind} with ${shownKey(args, key)}`;

function reportEqual({ definition, shop, args }: NewObject, { key, equal, way, unless }: EqualObjects): void {
  const ids = equal.map((seen) => seen.id).join(", ");
  shop.sayInPreview(
    `${calledIn(definition, args)}: the shop has ${equalText(definition, args, key)} already (${ids}): ${way} instead of creating another${unless}`,
  );
}

/** How to keep an object that the state has under another name; undefined if it has none. */
function renameHint({ definition, shop, id, args }: AskedObject): string | undefined {
  const of = ownerIn(args);
  const was = of === "" ? undefined : shop.notes.inState(definition.kind, id, ownerHere(shop, args));
  if (was === undefined || ownerOf(was).of === of) return undefined;
  const name = parseUrn(was).name;
  return `the state has it as resource ${name}: if this is ${name}, ${movedText(of, was)}`;
}

/** The same for the object that has a create's key, if it is on the first page. */
export async function renameHintByKey(object: NewObject): Promise<string | undefined> {
  const [seen] = await onFirstPage(object);
  return seen && renameHint({ ...object, id: engineIdOf(object.definition, seen, object.args) });
}

const replacedText = ({ plan }: Shop, args: Values): string =>
  plan.isEmbedded || nameIn(args) === ""
    ? ""
    : `; if pulumi replaces it (--replace, state taint), set SHOP_REPLACE=${nameIn(args)} in the environment`;

// A paid charge counts as existing: an equal one would cost twice.
const isCancelled = ({ cancel }: Definition, seen: Values): boolean =>
  cancel !== undefined && Object.entries(cancel.becomes).every(([name, value]) => seen[name] === value);

// Whether the key isn't known before the run.
function isUnknown(definition: Definition, args: Values): boolean {
  const needed = [
    args.adopt,
    ...Object.values(above(definition, args)),
    ...Object.values(keyOf(definition, args) ?? {}).flat(),
  ];
  return needed.includes(unknownValue);
}
