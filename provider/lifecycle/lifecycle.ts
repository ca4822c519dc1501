/**
 * The verbs of a kind, derived from its definition: check, diff, create, read, update, delete. Each can run twice with
 * the same result. docs/rules.md has the rules that they keep.
 */

import { pathText } from "../../engine/pulumi/path.ts";
import { hashIn } from "../body/arguments.ts";
import { keepBase } from "../change/base.ts";
import type { Checked } from "../change/check.ts";
import { diff as compare, type Diff } from "../change/diff.ts";
import { onlyOwnItems } from "../change/partial.ts";
import { inputsOf, isAsBefore, keepUntaken, stateOf } from "../change/state.ts";
import { noteRename } from "../client/titled-amounts.ts";
import {
  isOfRefresh,
  keyIn,
  type OfKind,
  ownerHere,
  type Shop,
  type StateObject,
} from "../context/context.ts";
import { guardDelete } from "../context/limits.ts";
import type { Definition } from "../definition/define.ts";
import { ownerIn, ownerOf, resourceOf } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { check } from "./check.ts";
import type { RefusalError } from "./conflict.ts";
import { create, type Kept } from "./create.ts";
import { deleteRefusal, isReadBeforeDelete, leavesPartial, remove } from "./delete.ts";
import { diff, previewChange, refuseReplacement } from "./diff.ts";
import {
  underRenamedTitles,
  withOwnWrites,
  withoutInterruptedUpdate,
  withSheetWrites,
} from "./object-change.ts";
import { noticeRead, ownOnly, readFromList, readObject } from "./observe.ts";
import { approveCreate, approveObject, noticeDelete } from "./plan-report.ts";
import { type AdoptionPreview, refuseRetainedKey } from "./preview-create.ts";
import { reportTextDrift, showTextChange, withChangedBytes } from "./text-changes.ts";
import { update } from "./update.ts";

export { UnfinishedError } from "./update.ts";

export interface Read {
  readonly id: string;
  readonly props: Values;
  readonly inputs: Values;
  /** Whether the state's arguments are right: the shop doesn't return all of them, and the state may name removed ones. */
  readonly isKnown?: boolean;
  /** In a preview: the refusal of a delete, or an empty string if it would be deleted. */
  readonly keeps?: RefusalError | "" | undefined;
  /** In a preview: how many requests it takes, if not one. */
  readonly requests?: number;
}

export interface Lifecycle {
  check(olds: Values, news: Values): Promise<Checked & { readonly taken?: AdoptionPreview | undefined }>;
  /**
   * @throws ConflictError if staff changed the same fields, or an object that is to be replaced. Under Pulumi's engine
   * the verbs throw it
   */
  diff(id: string, olds: Values, news: Values): Promise<Diff>;
  /** Shows how an update changes a text, for `--diff`. */
  showTextChange(id: string, olds: Values, news: Values): Promise<void>;
  /**
   * Reports the refusals of an update, or of a create without `updated`. For engines whose previews call the verbs and
   * whose diffs may not fail.
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
      // If only titles changed, nothing is sent, and the state is written with the new titles.
      if (verdict.type !== "none" || subject.olds === before) return verdict;
      const retitled = compare(definition, before, args);
      if (retitled.type === "update") {
        const done = retitled.paths.map(pathText);
        shop.notice({ type: "changes", kind, id, sends: 0, effects: [], done });
      }
      return retitled;
    },
    showTextChange: (id, olds, args) => showTextChange({ definition, shop, id, olds, args }),
    async preview(news, before) {
      if (before === undefined) await refuseRetainedKey({ definition, shop, args: news });
      // If the engine says that this is a preview, the diff has reported it.
      if (shop.plan.isPreview !== undefined) return;
      const resource = resourceOf(kind, news);
      const updated = before && { ...before, olds: known(before.olds) };
      const change = updated ?? shop.memory.replaced.get(resource);
      const verdict = change === undefined ? undefined : compare(definition, change.olds, news);
      if (change !== undefined && verdict !== undefined && verdict.type !== "none")
        await previewChange({ definition, shop, id: change.id, olds: change.olds, args: news }, verdict);
    },
    async create(args) {
      const object = { definition, shop, args };
      approveCreate(object);
      await refuseReplacement(object);
      return inTurn(object, () => create(object));
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
      guardDelete(shop.guard, definition, id, olds);
      approveObject({ definition, shop, id });
      void shop.notes.confirm(kind, id, ownerIn(olds));
      return remove({ definition, shop, id, olds });
    },
  };
}

/** Runs creates of a kind that the shop numbers one after the other. A failed one doesn't stop the next. */
function inTurn<T>({ definition, shop }: OfKind, work: () => Promise<T>): Promise<T> {
  const { kind, sequential } = definition;
  const { queues } = shop.memory;
  if (!sequential) return work();
  const turn = (queues.get(kind) ?? Promise.resolve()).then(work);
  queues.set(
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
  const isFirst = olds.__stated === undefined && Object.keys(olds).every((name) => name.startsWith("__"));
  if (isFirst) noticeRead({ ...object, args: olds }, "get");
  const page = await readFromList(object, { isPlanned: isFirst });
  const found = ownOnly(object, page ?? (await readObject(definition, shop, id)));
  const seen = typeof found === "object" ? await withChangedBytes(object, found) : found;
  if (seen === "gone") {
    const of = ownerIn(olds);
    // After a rename, the outputs may still have the old name.
    const urn = of === "" ? undefined : shop.notes.inState(definition.kind, id, ownerHere(shop, olds));
    shop.memory.deleted.add(urn === undefined ? of : ownerOf(urn).of);
    if (!isFirst) return undefined;
    throw new Error(`${definition.kind} ${id} does not exist; check the id that get was given`);
  }
  if (seen === "hidden") {
    if (isFirst) throw new Error(`${definition.kind} ${id} can't be read: this shop doesn't offer it`);
    shop.say(
      `${definition.kind} ${id}: this shop doesn't allow reading such objects; the state keeps what was written`,
    );
    return { id, props: olds, inputs: inputsOf(definition, olds, {}) };
  }
  const own = onlyOwnItems(definition, olds, seen);
  // A delete destroys the whole object, including parts that others manage.
  const since = { ...object, olds: withOwnWrites(before, seen), seen };
  if (isReadBeforeDelete(definition, olds)) {
    noticeRead(object, "delete");
    noticeDelete(since);
  }
  // An imported object has an empty `__stated`, so that it isn't taken for one that a run created.
  const state = stateOf(definition, { __stated: "", ...olds }, own, olds);
  const props = keepUntaken(olds, keepBase(definition, withSheetWrites(object, seen), state));
  await reportTextDrift({ ...object, seen }, hashIn(props));
  const inputs = inputsOf(definition, props, seen);
  return { id, props, inputs, isKnown: isAsBefore(before.olds, props), keeps: deleteRefusal(since) };
}
