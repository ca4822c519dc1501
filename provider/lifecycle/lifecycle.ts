/**
 * check diff create read update delete, derived from a definition. Every verb can be run twice: what was done is
 * found, what differs is sent, what is gone is gone. docs/rules.md has the rules that they keep.
 */

import { hashIn } from "../body/arguments.ts";
import { noteRename } from "../client/titled-amounts.ts";
import type { Definition } from "../definition/define.ts";
import { ownerIn, ownerOf, resourceOf } from "../names/owner.ts";
import { isOfRefresh, keyIn, type Shop, type StateObject } from "../run/context.ts";
import { guardDelete } from "../run/limits.ts";
import { keepBase } from "../values/base.ts";
import type { Checked } from "../values/check.ts";
import { diff as compare, type Diff } from "../values/diff.ts";
import { onlyOwnItems } from "../values/partial.ts";
import { inputsOf, stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { check } from "./check.ts";
import type { RefusalError } from "./conflict.ts";
import { create, type Kept } from "./create.ts";
import { canConflict, deleteRefusal, leavesPartial, remove } from "./delete.ts";
import { diff, previewChange, refuseReplacement, textChangeText } from "./diff.ts";
import { underRenamedTitles, withOwnWrites, withoutInterruptedUpdate } from "./object-change.ts";
import { noticeRead, readFromList, readObject } from "./observe.ts";
import { approveCreate, approveObject, noticeDelete } from "./plan-report.ts";
import type { AdoptionPreview } from "./preview-create.ts";
import { reportTextDrift, textChange, withChangedBytes } from "./text-changes.ts";
import { update } from "./update.ts";

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
  check(olds: Values, news: Values): Promise<Checked & { readonly taken?: AdoptionPreview | undefined }>;
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
  const known = (state: Values) => underRenamedTitles(definition, shop, state);
  return {
    check: (olds, news) => check({ definition, shop, olds: known(olds) }, news),
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
      if (updated === undefined)
        for (const line of shop.memory.createLines.get(resource) ?? []) shop.say(line);
      const change = updated ?? shop.memory.replaced.get(resource);
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
      void shop.notes.confirm(kind, id, ownerIn(olds));
      return read({ definition, shop, id, olds: known(olds) });
    },
    async update(id, before, args) {
      const olds = known(before);
      approveObject({ definition, shop, id });
      void shop.notes.confirm(kind, id, ownerIn(args));
      return update({ definition, shop, id, olds, args });
    },
    async delete(id, before) {
      const olds = known(before);
      if (leavesPartial({ definition, shop, id, olds })) return;
      guardDelete(shop.guard, definition, id);
      approveObject({ definition, shop, id });
      void shop.notes.confirm(kind, id, ownerIn(olds));
      return remove({ definition, shop, id, olds });
    },
  };
}

/** Creates of what the shop numbers, one after the other as they were asked for; one that fails stops no other. */
function inTurn<T>({ kind, sequential }: Definition, { memory }: Shop, work: () => Promise<T>): Promise<T> {
  if (!sequential) return work();
  const turn = (memory.queues.get(kind) ?? Promise.resolve()).then(work);
  memory.queues.set(
    kind,
    turn.catch(() => undefined),
  );
  return turn;
}

async function read(before: StateObject): Promise<Read | undefined> {
  const olds = withoutInterruptedUpdate(before.olds);
  const object = { ...before, olds };
  const { definition, shop, id } = object;
  shop.memory.refreshed.add(keyIn(object));
  const page = await readFromList(object, { isPlanned: false });
  const found = page ?? (await readObject(definition, shop, id));
  const seen = typeof found === "object" ? await withChangedBytes(object, found) : found;
  const isFirst = olds.__stated === undefined && Object.keys(olds).every((name) => name.startsWith("__"));
  if (seen === "gone") {
    const of = ownerIn(olds);
    // One that was renamed may have its old name beside its values.
    const urn = of === "" ? undefined : shop.notes.inState(definition.kind, id, of);
    shop.memory.deleted.add(urn === undefined ? of : ownerOf(urn).of);
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
  const since = { ...object, olds: withOwnWrites(before, seen), seen };
  if (canConflict(definition, olds)) {
    noticeRead(object);
    noticeDelete(since);
  }
  // What is only read states nothing: without its word a first read would look like a program's own object.
  const props = keepBase(definition, olds, stateOf(definition, { __stated: "", ...olds }, own, olds));
  await reportTextDrift({ ...object, seen }, hashIn(props));
  return { id, props, inputs: inputsOf(definition, props, seen), keeps: deleteRefusal(since) };
}
