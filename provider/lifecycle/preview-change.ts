/** What a change, or a replacement, means to an object as the shop has it: looked at before anything is sent. */
import type { Definition } from "../definition/define.ts";
import { resourceOf, type Shop } from "../run/context.ts";
import { guardChange, isJudged } from "../run/guard.ts";
import type { Named, Subject } from "../run/subject.ts";
import { changesWith } from "../values/change.ts";
import { diff as compare, type Diff } from "../values/diff.ts";
import { isBodySecret } from "../values/secrets.ts";
import { stateOf } from "../values/state.ts";
import { mostLines } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { announceCreate } from "./adoption.ts";
import { bindEnd } from "./approval.ts";
import { keptText, mayOverwrite, RefusalError } from "./conflict.ts";
import { decided, met } from "./decided.ts";
import { tellSettings, textChange } from "./drift.ts";
import { adoptedInstead, refuseGone } from "./gone.ts";
import { tellLook } from "./observe.ts";
import { refuseSharedEnd } from "./owned.ts";
import { canConflict, refuseEnd } from "./removal.ts";
import { tellChange } from "./telling.ts";
import { withOwn, withoutUnderWay } from "./under-way.ts";
import { look, permitted, stateRead } from "./update.ts";

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
export async function unlessDone(subject: Subject, verdict: Verdict): Promise<Verdict> {
  const { definition, args } = subject;
  if (!isLookedAt(subject)) return verdict;
  const seen = await look(subject, true);
  if (typeof seen !== "object") return verdict;
  const now = compare(definition, stateRead({ ...subject, seen }), args);
  return now.type === "replace" ? verdict : { type: "update", paths: verdict.paths };
}

/**
 * What would be put back, unless staff changed it once more since the refresh that read it: that is kept, and nothing is to do. The
 * embedded engine knows it from what the preview tells; to Pulumi's own an update is one, whatever is sent.
 */
export async function unlessKept(subject: Subject, verdict: Verdict): Promise<Diff> {
  // What can't be read is told by the verb: an error here would end the whole run.
  const seen = await look(subject).catch(() => undefined);
  if (typeof seen !== "object") return verdict;
  const change = met({ ...subject, olds: withOwn(subject, seen), seen });
  const kept = changesWith(change, "kept");
  if (kept.length === 0 || kept.length < change.fields.length || change.sends.requests > 0) return verdict;
  subject.shop.say(keptText(subject, kept));
  return { type: "none" };
}

/** What ends by an operation of its own, or is there once, is looked at when it ends; what was only read isn't ours. */
const isLookedAt = ({ definition, olds }: Subject): boolean =>
  definition.cancel === undefined && definition.singleton === undefined && String(olds.__stated ?? "") !== "";

export const textChangeText = ({ definition, id }: Named, lines: string): string =>
  `${definition.kind} ${id}: remote text (-) and new text (+):\n${lines}`;

/** Refuses to make what takes the place of an object that staff changed, where the diff couldn't. */
export async function refuseReplacement(definition: Definition, shop: Shop, args: Values): Promise<void> {
  const resource = resourceOf(definition.kind, args);
  const replaced = shop.memory.room.get(resource);
  shop.memory.room.delete(resource);
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
  if (makesRoom) refuseSharedEnd(before, "replace");
  if (makesRoom && !isLookedAt(before)) return undefined;
  const seen = await look(before, makesRoom);
  // Whoever carries the plan out looks before it knows that a replacement is one, also where it is then refused.
  tellLook(before, makesRoom);
  const olds = typeof seen === "object" ? withOwn(before, seen) : withoutUnderWay(before.olds);
  const subject = { ...before, olds };
  if (seen === "hidden") {
    if (isJudged(shop.guard, olds, args)) guardChange(shop.guard, subject, verdict);
    return undefined;
  }
  if (seen === "gone") {
    // Also what was to be replaced: an older state that was put back would make a second one of all whose past it has.
    const instead = await adoptedInstead(subject);
    if (instead !== undefined || !mayOverwrite(subject)) refuseGone(subject, instead);
    await refuseTaken(subject);
    return makesRoom ? undefined : "gone";
  }
  const looked = { ...subject, seen };
  if (makesRoom) {
    if (!canConflict(definition, olds)) return undefined;
    bindEnd(looked);
    refuseEnd(looked, "replace", changesWith(decided(subject), "conflict"));
    return undefined;
  }
  // A run does it: what is told of it is told then.
  if (shop.plan.isPreview === false) return undefined;
  const change = permitted(looked);
  const kept = changesWith(change, "kept");
  if (kept.length > 0) shop.sayInPreview(keptText(subject, kept, changesWith(decided(subject), "kept")));
  tellChange({ ...looked, olds: stateOf(definition, {}, seen, olds) }, change);
  if (!isBodySecret(olds) && !isBodySecret(args)) tellSettings(looked, change.wanted);
  return seen;
}

/**
 * Looks at what the create will meet that takes the place of an object that is gone: staff may have made it again themselves.
 * @throws RefusalError where the shop would refuse a second of its key, or give it another
 */
async function refuseTaken({ definition, shop, args }: Subject): Promise<void> {
  const { failures } = await announceCreate(definition, shop, args, true);
  for (const { property, reason } of failures) throw new RefusalError(`${property}: ${reason}`);
}
