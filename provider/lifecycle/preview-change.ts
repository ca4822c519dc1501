/** What a change, or a replacement, means to an object as the shop has it: looked at before anything is sent. */
import { mayBeText } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { resourceOf, type Shop } from "../run/context.ts";
import { guardChange, isJudged } from "../run/guard.ts";
import type { Diff } from "../values/diff.ts";
import { isBodySecret } from "../values/secrecy.ts";
import { stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { bindEnd } from "./approval.ts";
import { ConflictError, keptText, mayOverwrite } from "./conflict.ts";
import { mostLines, tellSettings, textChange } from "./drift.ts";
import { refuseGone } from "./gone.ts";
import { tellLook } from "./observe.ts";
import { canConflict, refuseEnd } from "./removal.ts";
import { tellChange } from "./telling.ts";
import { sinceUnderWay, withoutUnderWay } from "./under-way.ts";
import { look, merged } from "./update.ts";

/** What the program asks of an object that the state has. */
export interface Change {
  readonly id: string;
  readonly olds: Values;
  readonly news: Values;
  readonly verdict: Exclude<Diff, { type: "none" }>;
}

/** The object that is changed in place, where it can be looked at; `gone` where it is to be created again. */
type Found = Values | "gone" | undefined;

/**
 * Says what a change would be refused for, and what it does to a text. Pulumi's own engine ends the whole run at the first
 * error of a diff: there a preview tells of all, and each verb refuses its own when its turn comes (docs/rules.md, rule 5).
 * @returns as `compareWithShop`
 */
export async function previewChange(definition: Definition, shop: Shop, change: Change): Promise<Found> {
  try {
    const seen = await compareWithShop(definition, shop, change);
    if (typeof seen !== "object") return seen;
    const lines = await textChange(definition, shop, { ...change, seen }, mostLines);
    if (lines !== undefined) shop.say(textChangeText(definition, change.id, lines));
    return seen;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    shop.say(error.message);
    return undefined;
  }
}

export const textChangeText = ({ kind }: Definition, id: string, lines: string): string =>
  `${kind} ${id}: remote text (-) and new text (+):\n${lines}`;

/** Refuses to make what takes the place of an object that staff changed, where the diff couldn't. */
export async function refuseReplacement(definition: Definition, shop: Shop, news: Values): Promise<void> {
  const resource = resourceOf(definition.kind, news);
  const replaced = shop.memory.room.get(resource);
  shop.memory.room.delete(resource);
  if (replaced !== undefined) await compareWithShop(definition, shop, { ...replaced, news });
}

/**
 * What the plan means to the object as it is now: what is kept is said.
 * @returns the object that is changed in place, where it can be looked at; `gone` where it is to be created again
 * @throws ConflictError where staff changed what the program changes too, or what a replacement would destroy
 */
export async function compareWithShop(
  definition: Definition,
  shop: Shop,
  { id, olds: before, news, verdict }: Change,
): Promise<Found> {
  const makesRoom = verdict.type === "replace";
  // What ends by an operation of its own, or is there once, is looked at when it ends.
  const endsItself = definition.ends !== undefined || definition.singleton !== undefined;
  if (makesRoom && (endsItself || String(before.__stated ?? "") === "")) return undefined;
  const { seen, page } = await look(definition, shop, id, mayBeText(before), makesRoom);
  // Whoever carries the plan out looks before it knows that a replacement is one, also where it is then refused.
  tellLook(definition, shop, id, page, makesRoom);
  const olds =
    typeof seen === "object" ? sinceUnderWay(definition, shop, before, seen) : withoutUnderWay(before);
  if (seen === "hidden") {
    if (isJudged(shop.guard, olds, news)) guardChange(shop.guard, definition, id, olds, news, verdict);
    return undefined;
  }
  if (seen === "gone") {
    // Also what was to be replaced: an older state that was put back would make a second one of all whose past it has.
    if (!mayOverwrite(shop, definition, id)) refuseGone(definition, shop, { id, seen: olds, args: news });
    return makesRoom ? undefined : "gone";
  }
  if (makesRoom) {
    if (!canConflict(definition, olds)) return undefined;
    bindEnd(definition, shop, id, olds, seen);
    refuseEnd(definition, shop, id, olds, seen, "replace");
    return undefined;
  }
  // A run does it: what is told of it is told then.
  if (shop.plan.isPreview === false) return undefined;
  const plan = merged(definition, shop, id, olds, seen, news);
  if (plan.kept.length > 0) shop.sayInPreview(keptText(definition, id, plan.kept, news));
  const state = stateOf(definition, {}, seen, olds);
  tellChange(definition, shop, { id, seen, args: news, before: state }, plan);
  if (!isBodySecret(olds) && !isBodySecret(news)) tellSettings(definition, shop, id, seen, plan.wanted);
  return seen;
}
