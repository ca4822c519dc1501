/**
 * check diff create read update delete, derived from a definition. Every verb can be run twice: what was done is
 * found, what differs is sent, what is gone is gone. docs/rules.md has the rules that they keep.
 */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { hashIn, textIn } from "../body/arguments.ts";
import { baseKey } from "../body/state.ts";
import { noteRename } from "../client/titled-amounts.ts";
import { type Definition, fieldOf } from "../definition/define.ts";
import { ownerOf } from "../names/owner.ts";
import { calledIn, nameIn, nameOf, resourceOf, type Shop, seenAs } from "../run/context.ts";
import { guardChange, guardCreate, guardDelete, isJudged, ProtectedError } from "../run/guard.ts";
import { isOfRefresh, type Known, keyIn, resourceIn, type Subject } from "../run/subject.ts";
import { acceptedPaths, keepBase, newStockPaths } from "../values/base.ts";
import { changesWith } from "../values/change.ts";
import type { Checked } from "../values/check.ts";
import type { Failure } from "../values/check-lists.ts";
import { duplicateItems } from "../values/check-lists.ts";
import { diff as compare, type Diff, diffOf } from "../values/diff.ts";
import { isIgnored } from "../values/keyed-lists.ts";
import { missingForCreate, onlyOwnItems, removedArgumentTexts } from "../values/partial.ts";
import { isSecretPath } from "../values/secrets.ts";
import { inputsOf, stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { missingAbove, movesAbove, withPlace } from "./above.ts";
import { type Announced, announce, announceAnother, type Taken } from "./adoption.ts";
import { approveCreate, approveObject, tellEnd } from "./approval.ts";
import { keptText, mayOverwrite, type RefusalError, refuseConflict } from "./conflict.ts";
import { create, type Kept } from "./create.ts";
import { decided } from "./decided.ts";
import { tellDrift, textChange, withBytes } from "./drift.ts";
import { checkInTime } from "./in-time.ts";
import { listed, observe, tellLook } from "./observe.ts";
import { askKey, sharedKey } from "./one-key.ts";
import { ownedTwice } from "./owned.ts";
import { lackingInReplacement, leavePart, refuseReplacedPart } from "./part.ts";
import {
  compareWithShop,
  previewChange,
  refuseReplacement,
  textChangeText,
  unlessDone,
  unlessKept,
} from "./preview-change.ts";
import { canConflict, keptBy, remove } from "./removal.ts";
import { sourceFailures } from "./sources.ts";
import { tellPutBack } from "./telling.ts";
import { tellTitles, underNewTitles } from "./titles.ts";
import { withOwn, withoutUnderWay } from "./under-way.ts";
import { update } from "./update.ts";

export type { Shop } from "../run/context.ts";

export { UnfinishedError } from "./update.ts";

/** An object as it was read. */
export interface Read {
  readonly id: string;
  readonly props: Values;
  readonly inputs: Values;
  /** Why a delete would be refused, empty where it would be done; only where a preview reads. */
  readonly keeps?: RefusalError | "" | undefined;
}

/** The verbs of one kind, as a dynamic provider has them. */
export interface Lifecycle {
  check(olds: Values, news: Values): Promise<Checked & { readonly taken?: Taken | undefined }>;
  /** @throws ConflictError where staff changed what the program changes too, or what a replacement would destroy; under Pulumi's own engine the verbs do */
  diff(id: string, olds: Values, news: Values): Promise<Diff>;
  /** Says, where a person asked for it, what an update would do to a text. */
  showTextChange(id: string, olds: Values, news: Values): Promise<void>;
  /**
   * Says what an update would be refused for; without one, what a create will meet, or would be refused for: for an engine
   * whose previews call these verbs, and whose diffs may refuse nothing.
   */
  preview(news: Values, updated?: { readonly id: string; readonly olds: Values }): Promise<void>;
  create(args: Values): Promise<Kept>;
  read(id: string, olds: Values): Promise<Read | undefined>;
  update(id: string, olds: Values, args: Values): Promise<Values>;
  delete(id: string, olds: Values): Promise<void>;
}

export function lifecycle(definition: Definition, shop: Shop): Lifecycle {
  const { kind } = definition;
  const known = (state: Values) => underNewTitles(definition, shop, state);
  return {
    async check(before, news) {
      const olds = known(before);
      // A preview of creates needs nothing else of a connection: that there is none would be told by the up.
      if (!shop.plan.isEmbedded && !shop.plan.onlyArguments) requireConnection(shop);
      const isOld = Object.keys(olds).length > 0;
      const isPart = isOld && missingForCreate(definition, olds).length > 0;
      const checked = await checkInTime(definition, shop, news, { isPart, isKnown: isOld });
      for (const [name, { deprecated }] of Object.entries(definition.fields)) {
        if (deprecated !== undefined && checked.inputs[name] !== undefined)
          shop.sayInPreview(`${kind}.${name} is deprecated: ${deprecated}`);
      }
      const resource = resourceOf(kind, checked.inputs);
      if (Object.keys(olds).length > 0) {
        shop.memory.known.add(resource);
        // Arguments of the plugin's resources don't name the host's provider.
        if (news.__provider !== undefined && olds.__provider === undefined) shop.memory.plugins.add(resource);
        const text = textIn(olds);
        if (text !== undefined) shop.memory.texts.set(resource, text);
      }
      // An engine that replaces asks again, without what there was: what takes an object's place is no first create.
      const isKnown =
        Object.keys(olds).length > 0 ||
        (news.__of !== undefined &&
          (shop.memory.known.has(resource) ||
            shop.plan.replaced.has(nameIn(news)) ||
            (!shop.plan.isEmbedded &&
              shop.notes.isInState(String(news.__of)) &&
              !shop.memory.gone.has(String(news.__of)))));
      if (checked.failures.length > 0) return checked;
      const owned = ownedTwice(definition, shop, checked.inputs);
      if (owned.length > 0) return { ...checked, failures: owned };
      await tellTitles(definition, shop, olds, checked.inputs);
      const broken = await sourceFailures(definition, shop, olds, checked.inputs);
      if (broken.length > 0) return { ...checked, failures: broken };
      const asked = askKey(definition, shop, checked.inputs);
      if (asked.length > 0) return { ...checked, failures: asked };
      if (isKnown) {
        const lacking = lackingInReplacement(definition, shop, olds, checked.inputs);
        if (lacking.length > 0) return { ...checked, failures: lacking };
        const doubled = Object.keys(olds).length > 0 ? duplicateItems(definition, checked.inputs, olds) : [];
        if (doubled.length > 0) return { ...checked, failures: doubled };
        tellOver(definition, shop, olds, checked.inputs);
        tellUnstated(definition, shop, olds, checked.inputs);
        const isLooked = shop.plan.isPreview !== false && !shop.plan.onlyArguments;
        if (!isLooked || !movesAbove(definition, olds, checked.inputs)) return checked;
        return { ...checked, failures: await missingAbove(definition, shop, checked.inputs) };
      }
      const { failures, taken } = await withPlace(announced(definition, shop, checked.inputs), () =>
        missingAbove(definition, shop, checked.inputs),
      );
      if (failures.length > 0) {
        const shared = sharedKey(definition, shop, checked.inputs);
        return { ...checked, failures: shared.length > 0 ? shared : failures };
      }
      if (taken !== undefined) {
        const { asked: inputs } = taken;
        const doubled = duplicateItems(definition, inputs, taken.olds);
        return { inputs, failures: [...doubled, ...ownedTwice(definition, shop, inputs, taken.olds)], taken };
      }
      tellOver(definition, shop, {}, checked.inputs);
      // What only the arguments are wanted of may be in the shop.
      const doubled = shop.plan.onlyArguments ? [] : duplicateItems(definition, checked.inputs, {});
      return { ...checked, failures: [...doubled, ...refusedCreate(definition, shop, checked.inputs)] };
    },
    async diff(id, before, args) {
      const subject = { definition, shop, id, olds: known(before), args };
      const verdict = await diff(subject);
      if (verdict.type === "update" && !isOfRefresh(subject)) await noteRename(shop.transport, subject);
      // Where the amounts moved with their titles nothing is sent, and the state is written under the new ones.
      return verdict.type === "none" && subject.olds !== before ? compare(definition, before, args) : verdict;
    },
    async showTextChange(id, olds, args) {
      const subject = { definition, shop, id, olds, args };
      const lines = await textChange(subject);
      if (lines === undefined) return;
      // Whoever plans shows it beside the resource; where nobody does, it is a line like any other.
      if (!shop.notice({ type: "text", kind, id, lines })) shop.say(textChangeText(subject, lines));
    },
    async preview(news, before) {
      // Where the engine says that this is a preview, the diff has said it.
      if (shop.plan.isPreview !== undefined) return;
      const resource = resourceOf(kind, news);
      const updated = before && { ...before, olds: known(before.olds) };
      if (updated === undefined) for (const line of shop.memory.announced.get(resource) ?? []) shop.say(line);
      const change = updated ?? shop.memory.room.get(resource);
      const verdict = change === undefined ? undefined : compare(definition, change.olds, news);
      if (change !== undefined && verdict !== undefined && verdict.type !== "none")
        await previewChange({ definition, shop, id: change.id, olds: change.olds, args: news }, verdict);
    },
    async create(args) {
      approveCreate(definition, shop, args);
      await refuseReplacement(definition, shop, args);
      return inTurn(definition, shop, () => create(definition, shop, args));
    },
    read(id, olds) {
      void shop.notes.confirm(kind, id, ofIn(olds));
      return read({ definition, shop, id, olds: known(olds) });
    },
    async update(id, before, args) {
      const olds = known(before);
      approveObject({ definition, shop, id });
      void shop.notes.confirm(kind, id, ofIn(args));
      return update({ definition, shop, id, olds, args });
    },
    async delete(id, before) {
      const olds = known(before);
      if (leavePart({ definition, shop, id, olds })) return;
      guardDelete(shop.guard, definition, id);
      approveObject({ definition, shop, id });
      void shop.notes.confirm(kind, id, ofIn(olds));
      return remove({ definition, shop, id, olds });
    },
  };
}

/** Says of what is new, or changes, that its last day is over: nobody can use it. */
function tellOver({ kind, fields }: Definition, shop: Shop, olds: Values, args: Values): void {
  const [name = ""] = fieldOf(fields, "ends") ?? [];
  const last = args[name];
  const today = new Date(shop.now()).toISOString().slice(0, 10);
  if (typeof last !== "string" || last === "" || last === unknownValue || last >= today) return;
  if (olds[name] === last || isSecretPath(args, name)) return;
  shop.sayInPreview(`${nameIn(args) || kind}: ${name} is ${last}, which is over: nobody can use it`);
}

/** Whoever plans shows it with the plan; where nobody does, it is a line like any other. */
function tellUnstated(definition: Definition, shop: Shop, olds: Values, args: Values): void {
  if (shop.memory.imported.has(resourceOf(definition.kind, args))) return;
  const lines = removedArgumentTexts(definition, calledIn(definition, args), olds, args);
  if (lines.length > 0 && !shop.notice({ type: "unstated", kind: definition.kind, of: nameIn(args), lines }))
    for (const line of lines) shop.sayInPreview(line);
}

/** @throws Error that lists what is missing in the configuration */
const requireConnection = ({ url }: Shop): string => url;

/** What a create will meet. What a preview says of it waits until the engine calls the create, where it doesn't say before that this is one. */
async function announced(definition: Definition, shop: Shop, args: Values): Promise<Announced> {
  const { isEmbedded, isPreview } = shop.plan;
  // What the embedded engine then finds to be a resource with another name is changed as such: the verb judges what it does.
  if (isEmbedded && isPreview === false)
    return announce(definition, seenAs(shop, { guard: undefined }), args);
  if (isPreview !== undefined) return announce(definition, shop, args);
  const lines: string[] = [];
  const sayInPreview = (line: string) => void lines.push(line);
  const quiet = seenAs(shop, { sayInPreview });
  const met = await announce(definition, quiet, args);
  shop.memory.announced.set(resourceOf(definition.kind, args), lines);
  return met;
}

/** Creates of what the shop numbers, one after the other as they were asked for; one that fails stops no other. */
function inTurn<T>({ kind, sequential }: Definition, { memory }: Shop, work: () => Promise<T>): Promise<T> {
  if (!sequential) return work();
  const turn = (memory.turns.get(kind) ?? Promise.resolve()).then(work);
  memory.turns.set(
    kind,
    turn.catch(() => undefined),
  );
  return turn;
}

/** What the stack's limits refuse of what is new, as a failure of its argument: no engine asks more before a create. */
function refusedCreate(definition: Definition, shop: Shop, args: Values): readonly Failure[] {
  try {
    if (isJudged(shop.guard, args)) guardCreate(shop.guard, definition, args);
    return [];
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    return [{ property: error.argument, reason: error.message }];
  }
}

/** Whose the values are, where the SDK said it. */
const ofIn = ({ __of }: Values): string | undefined => (__of === undefined ? undefined : String(__of));

/** Two resources of a state may have come to one object by a shop's answer: each would undo what the other asks. */
function refuseTwice({ memory }: Shop, key: string, resource: string): void {
  const holder = memory.owners.keeper(key);
  if (holder === undefined || holder === resource || !memory.known.has(resource)) return;
  throw new Error(
    `${key.replace(":", " ")} is the object of two resources in the state, ${nameOf(holder)} and ${nameOf(resource)}: ` +
      "take one of them out of the state (state remove), then run again",
  );
}

async function diff(subject: Subject): Promise<Diff> {
  const { definition, shop, id, olds, args } = subject;
  const { memory } = shop;
  const [key, resource] = [keyIn(subject), resourceIn(subject)];
  void shop.notes.confirm(definition.kind, id, ofIn(args));
  refuseOwned(subject);
  refuseTwice(shop, key, resource);
  if (memory.known.has(resource))
    for (const { property, reason } of ownedTwice(definition, shop, args, olds))
      throw new Error(`${property} ${reason}`);
  const { isEmbedded, isPreview } = shop.plan;
  // What a refresh has read of others' edits is told from the program's changes by the state alone.
  const change = decided(subject);
  const kept = changesWith(change, "kept");
  const first = diffOf(definition, { known: olds, asked: args }, change);
  if (isOfRefresh(subject)) return first;
  const verdict = await judged(subject, first);
  if (verdict.type === "replace") refuseReplacedPart(subject);
  // A resource that the program doesn't have was not checked, and nothing is kept by it.
  if (verdict.type === "replace") memory.owners.left(key);
  else if (memory.known.has(resource)) memory.owners.kept(key, resource);
  // What is changed in place is judged as the shop has it, by whoever looks at it.
  if (verdict.type === "replace" && isJudged(shop.guard, olds, args))
    guardChange(shop.guard, subject, verdict);
  const clash = { sides: changesWith(change, "put back"), withheld: "replace" as const };
  if (verdict.type === "replace" && shop.plan.stops && (isEmbedded || isPreview === false))
    refuseConflict({ ...subject, seen: olds }, clash.sides, clash.withheld);
  if (verdict.type === "replace" && isPreview !== false) {
    tellPutBack({ ...subject, seen: olds }, clash);
    await announceAnother(definition, shop, olds, args);
  }
  // What is changed in place is looked at by the update, right before it writes; what makes room, before its successor is made.
  const isLater = isPreview === false && verdict.type === "update";
  if (verdict.type === "none") {
    if (kept.length > 0) shop.sayInPreview(keptText(subject, kept, kept));
    return settledDiff(subject);
  }
  if (isLater && !mayOverwrite(subject)) return verdict;
  if (!isEmbedded && verdict.type === "replace" && memory.plugins.has(resource)) throw movedError(subject);
  if (!isEmbedded && verdict.type === "replace") memory.room.set(resource, { id, olds, verdict });
  // Pulumi's own engine ends the run at the first error of a diff: its previews tell, and its verbs refuse.
  if (!isEmbedded && !isPreview && !mayOverwrite(subject)) return verdict;
  const found = await (isEmbedded || !isPreview ? compareWithShop : previewChange)(subject, verdict);
  if (found !== "gone") return verdict;
  // What may be overwritten is created again where somebody deleted it.
  refuseReplacedPart(subject);
  memory.owners.left(key);
  return { type: "replace", paths: verdict.paths, replaces: [["id"]], deleteFirst: true };
}

/** A verdict as the shop has the object, where that may make it another one. */
async function judged(subject: Subject, verdict: Diff): Promise<Diff> {
  if (verdict.type === "replace") return unlessDone(subject, verdict);
  const isKnown =
    verdict.type === "none" || subject.olds[baseKey] === undefined || subject.shop.plan.isEmbedded;
  return isKnown ? verdict : unlessKept(subject, verdict);
}

function refuseOwned(subject: Subject): void {
  const { definition, shop, id } = subject;
  const owner = shop.memory.owners.maker(keyIn(subject));
  if (owner === undefined || owner === resourceIn(subject)) return;
  throw new Error(
    `${definition.kind} ${id} was taken over by resource ${nameOf(owner)} in this run; two resources can't manage one object`,
  );
}

/** Pulumi deletes what it replaces by the provider that made it, which a project without the plugin doesn't have: the run would stop half way. */
const movedError = ({ definition: { kind }, id, args }: Subject) =>
  new Error(
    `${nameIn(args)}: ${kind} ${id} is still the plugin's in the state, and would be replaced in the run that moves it to dynamic resources. ` +
      "Put the plugin back into Pulumi.yaml and run up; then take it out in a run that replaces and deletes nothing",
  );

/** What the program has taken over of what a refresh read: nothing is sent, and the state forgets what was asked before. */
function settledDiff({ definition, shop, id, olds, args }: Subject): Diff {
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

async function read(before: Known): Promise<Read | undefined> {
  const olds = withoutUnderWay(before.olds);
  const object = { ...before, olds };
  const { definition, shop, id } = object;
  shop.memory.refreshed.add(keyIn(object));
  const page = await listed(object, { isPlanned: false });
  const found = page ?? (await observe(definition, shop, id));
  const seen = typeof found === "object" ? await withBytes(object, found) : found;
  const isFirst = olds.__stated === undefined && Object.keys(olds).every((name) => name.startsWith("__"));
  if (seen === "gone") {
    const of = ofIn(olds);
    // One that was renamed may have its old name beside its values.
    const urn = of === undefined ? undefined : shop.notes.inState(definition.kind, id, of);
    shop.memory.gone.add(urn === undefined ? (of ?? "") : ownerOf(urn).of);
    if (!isFirst) return undefined;
    throw new Error(`${definition.kind} ${id} does not exist; check the id that get was given`);
  }
  if (seen === "hidden") {
    if (isFirst) throw new Error(`${definition.kind} ${id} can't be read: this shop doesn't offer it`);
    shop.say(
      `${definition.kind} ${id}: this shop doesn't let such objects be read; the state keeps what was written`,
    );
    return { id, props: olds, inputs: inputsOf(definition, olds, {}) };
  }
  const own = onlyOwnItems(definition, olds, seen);
  // What a delete destroys is all of the object, also what others have in it.
  const since = { ...object, olds: withOwn(before, seen), seen };
  if (canConflict(definition, olds)) {
    tellLook(object);
    tellEnd(since);
  }
  // What is only read states nothing: without its word a first read would look like a program's own object.
  const props = keepBase(definition, olds, stateOf(definition, { __stated: "", ...olds }, own, olds));
  await tellDrift({ ...object, seen }, hashIn(props));
  return { id, props, inputs: inputsOf(definition, props, seen), keeps: keptBy(since) };
}
