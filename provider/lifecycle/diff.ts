/**
 * diff, derived from a definition: compares the object with the shop before anything is sent, and refuses conflicts.
 */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { baseKeys } from "../body/state.ts";
import { acceptedEarlier } from "../change/accepted.ts";
import { acceptedPaths, newPaths } from "../change/base.ts";
import { changesWith } from "../change/change.ts";
import { diff as compare, type Diff, diffOf } from "../change/diff.ts";
import { engineIdOf, ownId } from "../change/identity.ts";
import { isIgnored } from "../change/keyed-lists.ts";
import { missingForCreate } from "../change/partial.ts";
import { isUntaken, stateOf } from "../change/state.ts";
import { difference, mostLines } from "../change/value-text.ts";
import {
  isOfRefresh,
  keyIn,
  type NewObject,
  resourceIn,
  type Shop,
  type Subject,
} from "../context/context.ts";
import { guardChange, isJudged } from "../context/limits.ts";
import { calledIn, nameIn, nameOf, ownerIn } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { keptText, mayOverwrite, RefusalError, refuseConflict, reportPutBack } from "./conflict.ts";
import { canConflict, refuseIfEdited } from "./delete.ts";
import { changeFromShop, changeFromState, withOwnWrites, withoutInterruptedUpdate } from "./object-change.ts";
import { noticeRead, readForWrite, readObject } from "./observe.ts";
import { refuseDeleteOfShared, reportShared, valuesSetTwice } from "./other-owners.ts";
import { approveDelete, reportChange } from "./plan-report.ts";
import { previewNewObject, warnOfEqualCharge } from "./preview-create.ts";
import { reportSettings, textChange, textChangeText } from "./text-changes.ts";
import { allowedChange, refuseDeleted, refuseHeldKey, stateAsRead, untakenText } from "./update.ts";

/** The object to update, if it can be read; `gone` if it is to be created again. */
type Found = Values | "gone" | undefined;
type Verdict = Exclude<Diff, { type: "none" }>;

/**
 * Reports what an update would be refused for, and how it changes a text. Pulumi's engine ends the whole run at the
 * first error of a diff. So its previews only report, and each verb refuses when its turn comes (docs/rules.md, rule
 * 5).
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

/** Turns a replacement into an update of the state if the shop already has the values that the program asks for. */
async function unlessApplied(subject: Subject, verdict: Verdict): Promise<Verdict> {
  const { definition, args } = subject;
  if (!isComparable(subject)) return verdict;
  const seen = await readForWrite(subject, true);
  if (typeof seen !== "object") return verdict;
  const now = compare(definition, stateAsRead({ ...subject, seen }), args);
  return now.type === "replace" ? verdict : { type: "update", paths: verdict.paths };
}

/**
 * Drops an update that would only put back edits of staff, if they changed the fields once more since the refresh. The
 * embedded engine learns this from the notices; Pulumi's engine shows any update.
 */
async function unlessKept(subject: Subject, verdict: Verdict): Promise<Diff> {
  // The update reports a failed read; an error here would end the whole run.
  const seen = await readForWrite(subject).catch(() => undefined);
  if (typeof seen !== "object") return verdict;
  const change = changeFromShop({ ...subject, olds: withOwnWrites(subject, seen), seen });
  const kept = changesWith(change, "kept");
  if (kept.length === 0 || kept.length < change.fields.length || change.sends.requests > 0) return verdict;
  subject.shop.say(keptText(subject, kept));
  return { type: "none" };
}

/** Charges and singletons are read when they are deleted; imported objects have no values that the program set. */
const isComparable = ({ definition, olds }: Subject): boolean =>
  definition.cancel === undefined && definition.singleton === undefined && String(olds.__stated ?? "") !== "";

/** Refuses a replacement of an object that staff changed, if the diff wasn't allowed to. */
export async function refuseReplacement(object: NewObject): Promise<void> {
  const { replaced: all } = object.shop.memory;
  const resource = resourceIn(object);
  const replaced = all.get(resource);
  all.delete(resource);
  if (replaced === undefined) return;
  const { verdict, ...known } = replaced;
  await compareWithShop({ ...object, ...known }, verdict);
}

/**
 * Compares the change with the object in the shop, and reports edits that are kept.
 * @returns the object to update, if it can be read; `gone` if it is to be created again
 * @throws ConflictError if staff changed the same fields, or any field that a replacement would destroy
 */
async function compareWithShop(before: Subject, verdict: Verdict): Promise<Found> {
  const { definition, shop, args } = before;
  const isReplacement = verdict.type === "replace";
  if (isReplacement) refuseDeleteOfShared(before, "replace");
  if (isReplacement && !isComparable(before)) return undefined;
  const seen = await readForWrite(before, isReplacement);
  // The run reads the object before it knows that this is a replacement, even if it is then refused.
  noticeRead({ definition, shop, id: before.id }, isReplacement ? "replace" : "update");
  const olds = typeof seen === "object" ? withOwnWrites(before, seen) : withoutInterruptedUpdate(before.olds);
  const subject = { ...before, olds };
  if (seen === "hidden") {
    if (isJudged(shop.guard, olds, args)) guardChange(shop.guard, subject, verdict);
    return undefined;
  }
  if (seen === "gone") {
    // This also refuses replacements: with a state restored from a backup they would create many objects twice.
    const instead = await adoptedReplacement(subject);
    if (instead !== undefined || !mayOverwrite(subject)) refuseDeleted(subject, instead);
    await refuseExistingKey(subject);
    return isReplacement ? undefined : "gone";
  }
  const looked = { ...subject, seen };
  if (isReplacement) {
    if (!canConflict(definition, olds)) return undefined;
    approveDelete(looked);
    refuseIfEdited(looked, "replace", changesWith(changeFromState(subject), "conflict"));
    return undefined;
  }
  // In a run, the update itself reports this.
  if (shop.plan.isPreview === false) return undefined;
  const change = allowedChange(looked);
  await refuseHeldKey(looked, change);
  const kept = changesWith(change, "kept");
  if (kept.length > 0) shop.sayInPreview(keptText(subject, kept));
  reportChange({ ...looked, olds: stateOf(definition, {}, seen, olds) }, change);
  reportSettings(looked, change.wanted);
  return seen;
}

/**
 * Checks the create that follows a deleted object: staff may have created it again themselves.
 * @throws RefusalError if the shop has its unique key already
 */
async function refuseExistingKey(subject: Subject): Promise<void> {
  const { failures } = await previewNewObject(subject, true);
  for (const { property, reason } of failures) throw new RefusalError(`${property}: ${reason}`);
}

/**
 * The id in `adopt`, if it is another object that the shop has: staff created it again, and `pull` wrote the new id.
 */
async function adoptedReplacement({ definition, shop, id, args }: Subject): Promise<string | undefined> {
  const { adopt } = args;
  if (adopt === undefined || adopt === "key" || definition.singleton !== undefined) return undefined;
  const other = engineIdOf(definition, { id: ownId(String(adopt)) }, args);
  if (other === id) return undefined;
  return typeof (await readObject(definition, shop, other)) === "object" ? other : undefined;
}

/**
 * Two resources in the state may have got the same object from a wrong response. Each would undo the other's changes.
 */
function refuseTwice({ memory }: Shop, key: string, resource: string): void {
  const holder = memory.owners.manager(key);
  if (holder === undefined || holder === resource || !memory.inState.has(resource)) return;
  throw new Error(
    `${key.replace(":", " ")} is the object of two resources in the state, ${nameOf(holder)} and ${nameOf(resource)}: ` +
      "remove one of them from the state (state remove), then run again",
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
    for (const { property, reason } of valuesSetTwice(subject, olds))
      throw new Error(`${property} ${reason}`);
  const { isEmbedded, isPreview } = shop.plan;
  const change = changeFromState(subject);
  const kept = changesWith(change, "kept");
  const first = diffOf(definition, { known: olds, asked: args }, change);
  if (isOfRefresh(subject)) return first;
  if (memory.imported.has(key)) reportShared(subject);
  const verdict = await verdictByShop(subject, first);
  if (verdict.type === "replace") {
    refusePartialReplacement(subject);
    refuseUntaken(subject, verdict.replaces);
  }
  // Without a check the program doesn't have the resource: then it doesn't keep the object.
  if (verdict.type === "replace") memory.owners.left(key);
  else if (memory.inState.has(resource)) memory.owners.kept(key, resource);
  // The limits of an update are checked when the object has been read.
  if (verdict.type === "replace" && isJudged(shop.guard, olds, args))
    guardChange(shop.guard, subject, verdict);
  // A replacement deletes the object, with the edits that `--keep` leaves.
  const sides = changesWith(change, "put back", "kept");
  const isHeld = shop.plan.stopsOnDrift || kept.length > 0;
  if (verdict.type === "replace" && isHeld && (isEmbedded || isPreview === false))
    refuseConflict({ ...subject, seen: olds }, sides, "replace");
  if (verdict.type === "replace" && isPreview !== false) {
    // The new object has the program's values.
    reportPutBack({ ...subject, seen: olds }, { sides, withheld: "update" });
    await warnOfEqualCharge(subject);
  }
  // In a run, an update reads the object right before it writes, and a replacement before it creates.
  const isLater = isPreview === false && verdict.type === "update";
  if (verdict.type === "none") {
    if (kept.length > 0) shop.sayInPreview(keptText(subject, kept));
    return diffOfRefreshed(subject);
  }
  if (isLater && !mayOverwrite(subject)) return verdict;
  if (!isEmbedded && verdict.type === "replace" && memory.fromPlugin.has(resource))
    throw pluginReplaceError(subject);
  if (!isEmbedded && verdict.type === "replace") memory.replaced.set(resource, { id, olds, verdict });
  // In a run of Pulumi's engine the verbs refuse, because an error of a diff would end the run.
  if (!isEmbedded && !isPreview && !mayOverwrite(subject)) return verdict;
  const found = await (isEmbedded || !isPreview ? compareWithShop : previewChange)(subject, verdict);
  if (found !== "gone") return verdict;
  // With `--overwrite`, an object that somebody deleted is created again.
  refusePartialReplacement(subject);
  memory.owners.left(key);
  return { type: "replace", paths: verdict.paths, replaces: [["id"]], deleteFirst: true };
}

async function verdictByShop(subject: Subject, verdict: Diff): Promise<Diff> {
  if (verdict.type === "replace") return unlessApplied(subject, verdict);
  const isKnown =
    verdict.type === "none" ||
    baseKeys.every((key) => subject.olds[key] === undefined) ||
    subject.shop.plan.isEmbedded;
  return isKnown ? verdict : unlessKept(subject, verdict);
}

function refuseAdoptedByOther(subject: Subject): void {
  const { definition, shop, id } = subject;
  const owner = shop.memory.owners.maker(keyIn(subject));
  if (owner === undefined || owner === resourceIn(subject)) return;
  throw new Error(
    `${definition.kind} ${id} was adopted by resource ${nameOf(owner)} in this run; two resources can't manage one object`,
  );
}

/**
 * Pulumi deletes a replaced object through the provider that created it. Without the plugin in the project, that fails
 * in the middle of the run.
 */
const pluginReplaceError = ({ definition: { kind }, id, args }: Subject) =>
  new Error(
    `${nameIn(args)}: ${kind} ${id} still belongs to the plugin in the state, and the run that moves it to dynamic resources would replace it. ` +
      "Put the plugin back into Pulumi.yaml and run up; then remove it in a run that replaces and deletes nothing",
  );

/** The program now sets values that the shop has: nothing is sent. The state forgets their old base, and records new ones. */
function diffOfRefreshed({ definition, shop, id, olds, args }: Subject): Diff {
  // For ignored arguments an engine passes the values that were read.
  const isAsked = (path: Path) => !isIgnored(definition, args, path);
  const taken = acceptedPaths(definition, olds, args).filter(isAsked);
  // Bare `pulumi` would show an update without a difference.
  const accepted = shop.plan.isEmbedded ? acceptedEarlier(definition, olds, args).filter(isAsked) : [];
  const paths = [...taken, ...accepted, ...newPaths(definition, olds, args).filter(isAsked)];
  if (paths.length === 0) return { type: "none" };
  const done = taken.map(pathText);
  // Without such values it is no news: stock may have been sold meanwhile, and `accept` has shown its edits.
  const kept = taken.length === 0 && { keeps: [] };
  shop.notice({ type: "changes", kind: definition.kind, id, sends: 0, effects: [], done, ...kept });
  return { type: "update", paths };
}

/** @throws Error if the shop has made the object of these arguments before, with other values: it would do so again */
function refuseUntaken({ definition, olds, args }: Subject, paths: readonly Path[]): void {
  if (!isUntaken(definition, olds, args)) return;
  throw new Error(paths.map((path) => untakenText(difference(definition, olds, args, path))).join("\n"));
}

/** @throws Error if an object would be replaced and the program sets only a part of it */
function refusePartialReplacement({ definition, id, args }: Subject): void {
  const [name] = missingForCreate(definition, args);
  if (name === undefined) return;
  throw new Error(
    `${calledIn(definition, args)}: ${definition.kind} ${id} would be replaced, but the program sets only a part of it: ` +
      `set ${name} too, or remove the resource from the state (state remove) and adopt another object`,
  );
}
