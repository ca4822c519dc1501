/** What a change, or a replacement, means to an object as the shop has it: looked at before anything is sent. */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { baseKey } from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import { calledIn, nameIn, nameOf, ownerIn, resourceOf } from "../names/owner.ts";
import { isOfRefresh, keyIn, type ObjectRef, resourceIn, type Shop, type Subject } from "../run/context.ts";
import { guardChange, isJudged } from "../run/limits.ts";
import { acceptedPaths, newStockPaths } from "../values/base.ts";
import { changesWith } from "../values/change.ts";
import { diff as compare, type Diff, diffOf } from "../values/diff.ts";
import { engineIdOf, ownId } from "../values/identity.ts";
import { isIgnored } from "../values/keyed-lists.ts";
import { missingForCreate } from "../values/partial.ts";
import { isBodySecret } from "../values/secrets.ts";
import { stateOf } from "../values/state.ts";
import { mostLines } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { keptText, mayOverwrite, RefusalError, refuseConflict } from "./conflict.ts";
import { canConflict, refuseIfEdited } from "./delete.ts";
import { changeFromShop, changeFromState, withOwnWrites, withoutInterruptedUpdate } from "./object-change.ts";
import { noticeRead, readForWrite, readObject } from "./observe.ts";
import { refuseDeleteOfShared, valuesSetTwice } from "./other-owners.ts";
import { approveDelete, reportChange, reportPutBack } from "./plan-report.ts";
import { previewNewObject, warnOfEqualCharge } from "./preview-create.ts";
import { reportSettings, textChange } from "./text-changes.ts";
import { allowedChange, refuseDeleted, stateAsRead } from "./update.ts";

/** The object that is changed in place, where it can be looked at; `gone` where it is to be created again. */
type Found = Values | "gone" | undefined;
type Verdict = Exclude<Diff, { type: "none" }>;

/**
 * Says what a change would be refused for, and what it does to a text. Pulumi's own engine ends the whole run at the first
 * error of a diff: there a preview tells of all, and each verb refuses its own when its turn comes (docs/rules.md, rule 5).
 * @returns as `compareWithShop`
 */
export async function previewChange(subject: Subject, verdict: Verdict): Promise<Found> {
  try {
    const seen = await compareWithShop(subject, verdict);
    if (typeof seen !== "object") return seen;
    const lines = await textChange({ ...subject, seen }, mostLines);
    if (lines !== undefined) subject.shop.say(textChangeText(subject, lines));
    return seen;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    subject.shop.say(error.message);
    return undefined;
  }
}

/** What replaces an object, unless the shop has it as the program asks already: then the state alone has to learn of it. */
export async function unlessApplied(subject: Subject, verdict: Verdict): Promise<Verdict> {
  const { definition, args } = subject;
  if (!isComparable(subject)) return verdict;
  const seen = await readForWrite(subject, true);
  if (typeof seen !== "object") return verdict;
  const now = compare(definition, stateAsRead({ ...subject, seen }), args);
  return now.type === "replace" ? verdict : { type: "update", paths: verdict.paths };
}

/**
 * What would be put back, unless staff changed it once more since the refresh that read it: that is kept, and nothing is to do. The
 * embedded engine knows it from what the preview tells; to Pulumi's own an update is one, whatever is sent.
 */
export async function unlessKept(subject: Subject, verdict: Verdict): Promise<Diff> {
  // What can't be read is told by the verb: an error here would end the whole run.
  const seen = await readForWrite(subject).catch(() => undefined);
  if (typeof seen !== "object") return verdict;
  const change = changeFromShop({ ...subject, olds: withOwnWrites(subject, seen), seen });
  const kept = changesWith(change, "kept");
  if (kept.length === 0 || kept.length < change.fields.length || change.sends.requests > 0) return verdict;
  subject.shop.say(keptText(subject, kept));
  return { type: "none" };
}

/** What ends by an operation of its own, or is there once, is looked at when it ends; what was only read isn't ours. */
const isComparable = ({ definition, olds }: Subject): boolean =>
  definition.cancel === undefined && definition.singleton === undefined && String(olds.__stated ?? "") !== "";

export const textChangeText = ({ definition, id }: ObjectRef, lines: string): string =>
  `${definition.kind} ${id}: remote text (-) and new text (+):\n${lines}`;

/** Refuses to make what takes the place of an object that staff changed, where the diff couldn't. */
export async function refuseReplacement(definition: Definition, shop: Shop, args: Values): Promise<void> {
  const resource = resourceOf(definition.kind, args);
  const replaced = shop.memory.replaced.get(resource);
  shop.memory.replaced.delete(resource);
  if (replaced === undefined) return;
  const { verdict, ...known } = replaced;
  await compareWithShop({ definition, shop, ...known, args }, verdict);
}

/**
 * What the plan means to the object as it is now: what is kept is said.
 * @returns the object that is changed in place, where it can be looked at; `gone` where it is to be created again
 * @throws ConflictError where staff changed what the program changes too, or what a replacement would destroy
 */
export async function compareWithShop(before: Subject, verdict: Verdict): Promise<Found> {
  const { definition, shop, args } = before;
  const makesRoom = verdict.type === "replace";
  if (makesRoom) refuseDeleteOfShared(before, "replace");
  if (makesRoom && !isComparable(before)) return undefined;
  const seen = await readForWrite(before, makesRoom);
  // Whoever carries the plan out looks before it knows that a replacement is one, also where it is then refused.
  noticeRead(before, makesRoom);
  const olds = typeof seen === "object" ? withOwnWrites(before, seen) : withoutInterruptedUpdate(before.olds);
  const subject = { ...before, olds };
  if (seen === "hidden") {
    if (isJudged(shop.guard, olds, args)) guardChange(shop.guard, subject, verdict);
    return undefined;
  }
  if (seen === "gone") {
    // Also what was to be replaced: an older state that was put back would make a second one of all whose past it has.
    const instead = await adoptedReplacement(subject);
    if (instead !== undefined || !mayOverwrite(subject)) refuseDeleted(subject, instead);
    await refuseExistingKey(subject);
    return makesRoom ? undefined : "gone";
  }
  const looked = { ...subject, seen };
  if (makesRoom) {
    if (!canConflict(definition, olds)) return undefined;
    approveDelete(looked);
    refuseIfEdited(looked, "replace", changesWith(changeFromState(subject), "conflict"));
    return undefined;
  }
  // A run does it: what is told of it is told then.
  if (shop.plan.isPreview === false) return undefined;
  const change = allowedChange(looked);
  const kept = changesWith(change, "kept");
  if (kept.length > 0)
    shop.sayInPreview(keptText(subject, kept, changesWith(changeFromState(subject), "kept")));
  reportChange({ ...looked, olds: stateOf(definition, {}, seen, olds) }, change);
  if (!isBodySecret(olds) && !isBodySecret(args)) reportSettings(looked, change.wanted);
  return seen;
}

/**
 * Looks at what the create will meet that takes the place of an object that is gone: staff may have made it again themselves.
 * @throws RefusalError where the shop would refuse a second of its key, or give it another
 */
async function refuseExistingKey({ definition, shop, args }: Subject): Promise<void> {
  const { failures } = await previewNewObject(definition, shop, args, true);
  for (const { property, reason } of failures) throw new RefusalError(`${property}: ${reason}`);
}

/** The object that the program adopts in its place, where the shop has it: staff made it again, and a pull knows the new one. */
export async function adoptedReplacement({
  definition,
  shop,
  id,
  args,
}: Subject): Promise<string | undefined> {
  const { adopt } = args;
  if (adopt === undefined || adopt === "key" || definition.singleton !== undefined) return undefined;
  const other = engineIdOf(definition, { id: ownId(String(adopt)) }, args);
  if (other === id) return undefined;
  return typeof (await readObject(definition, shop, other)) === "object" ? other : undefined;
}

/** Two resources of a state may have come to one object by a shop's answer: each would undo what the other asks. */
function refuseTwice({ memory }: Shop, key: string, resource: string): void {
  const holder = memory.owners.manager(key);
  if (holder === undefined || holder === resource || !memory.inState.has(resource)) return;
  throw new Error(
    `${key.replace(":", " ")} is the object of two resources in the state, ${nameOf(holder)} and ${nameOf(resource)}: ` +
      "take one of them out of the state (state remove), then run again",
  );
}

export async function diff(subject: Subject): Promise<Diff> {
  const { definition, shop, id, olds, args } = subject;
  const { memory } = shop;
  const [key, resource] = [keyIn(subject), resourceIn(subject)];
  void shop.notes.confirm(definition.kind, id, ownerIn(args));
  refuseAdoptedByOther(subject);
  refuseTwice(shop, key, resource);
  if (memory.inState.has(resource))
    for (const { property, reason } of valuesSetTwice(definition, shop, args, olds))
      throw new Error(`${property} ${reason}`);
  const { isEmbedded, isPreview } = shop.plan;
  // What a refresh has read of others' edits is told from the program's changes by the state alone.
  const change = changeFromState(subject);
  const kept = changesWith(change, "kept");
  const first = diffOf(definition, { known: olds, asked: args }, change);
  if (isOfRefresh(subject)) return first;
  const verdict = await verdictByShop(subject, first);
  if (verdict.type === "replace") refusePartialReplacement(subject);
  // A resource that the program doesn't have was not checked, and nothing is kept by it.
  if (verdict.type === "replace") memory.owners.left(key);
  else if (memory.inState.has(resource)) memory.owners.kept(key, resource);
  // What is changed in place is judged as the shop has it, by whoever looks at it.
  if (verdict.type === "replace" && isJudged(shop.guard, olds, args))
    guardChange(shop.guard, subject, verdict);
  const clash = { sides: changesWith(change, "put back"), withheld: "replace" as const };
  if (verdict.type === "replace" && shop.plan.stopsOnDrift && (isEmbedded || isPreview === false))
    refuseConflict({ ...subject, seen: olds }, clash.sides, clash.withheld);
  if (verdict.type === "replace" && isPreview !== false) {
    reportPutBack({ ...subject, seen: olds }, clash);
    await warnOfEqualCharge(definition, shop, olds, args);
  }
  // What is changed in place is looked at by the update, right before it writes; what makes room, before its successor is made.
  const isLater = isPreview === false && verdict.type === "update";
  if (verdict.type === "none") {
    if (kept.length > 0) shop.sayInPreview(keptText(subject, kept, kept));
    return diffOfRefreshed(subject);
  }
  if (isLater && !mayOverwrite(subject)) return verdict;
  if (!isEmbedded && verdict.type === "replace" && memory.fromPlugin.has(resource))
    throw pluginReplaceError(subject);
  if (!isEmbedded && verdict.type === "replace") memory.replaced.set(resource, { id, olds, verdict });
  // Pulumi's own engine ends the run at the first error of a diff: its previews tell, and its verbs refuse.
  if (!isEmbedded && !isPreview && !mayOverwrite(subject)) return verdict;
  const found = await (isEmbedded || !isPreview ? compareWithShop : previewChange)(subject, verdict);
  if (found !== "gone") return verdict;
  // What may be overwritten is created again where somebody deleted it.
  refusePartialReplacement(subject);
  memory.owners.left(key);
  return { type: "replace", paths: verdict.paths, replaces: [["id"]], deleteFirst: true };
}

/** A verdict as the shop has the object, where that may make it another one. */
async function verdictByShop(subject: Subject, verdict: Diff): Promise<Diff> {
  if (verdict.type === "replace") return unlessApplied(subject, verdict);
  const isKnown =
    verdict.type === "none" || subject.olds[baseKey] === undefined || subject.shop.plan.isEmbedded;
  return isKnown ? verdict : unlessKept(subject, verdict);
}

function refuseAdoptedByOther(subject: Subject): void {
  const { definition, shop, id } = subject;
  const owner = shop.memory.owners.maker(keyIn(subject));
  if (owner === undefined || owner === resourceIn(subject)) return;
  throw new Error(
    `${definition.kind} ${id} was taken over by resource ${nameOf(owner)} in this run; two resources can't manage one object`,
  );
}

/** Pulumi deletes what it replaces by the provider that made it, which a project without the plugin doesn't have: the run would stop half way. */
const pluginReplaceError = ({ definition: { kind }, id, args }: Subject) =>
  new Error(
    `${nameIn(args)}: ${kind} ${id} is still the plugin's in the state, and would be replaced in the run that moves it to dynamic resources. ` +
      "Put the plugin back into Pulumi.yaml and run up; then take it out in a run that replaces and deletes nothing",
  );

/** What the program has taken over of what a refresh read: nothing is sent, and the state forgets what was asked before. */
function diffOfRefreshed({ definition, shop, id, olds, args }: Subject): Diff {
  // Of an ignored argument an engine asks for what was read.
  const isAsked = (path: Path) => !isIgnored(args, path);
  const taken = acceptedPaths(definition, olds, args).filter(isAsked);
  const paths = [...taken, ...newStockPaths(definition, olds, args).filter(isAsked)];
  if (paths.length === 0) return { type: "none" };
  const done = taken.map(pathText);
  // What was sold meanwhile the shop has no more: it isn't said to have the program's number.
  const kept = taken.length === 0 && { keeps: [] };
  shop.notice({ type: "changes", kind: definition.kind, id, sends: 0, effects: [], done, ...kept });
  return { type: "update", paths };
}

/** @throws Error where an object would be replaced or created again, and the program states a part of it only */
export function refusePartialReplacement({ definition, id, args }: Subject): void {
  const [name] = missingForCreate(definition, args);
  if (name === undefined) return;
  throw new Error(
    `${calledIn(definition, args)}: ${definition.kind} ${id} would be replaced, and the program states a part of it only: ` +
      `state ${name}, too, or take the resource out of the state (state remove) and adopt another one`,
  );
}
