/** delete, derived from a definition: reads the object, then sends a DELETE, or cancels a charge. */

import { isDeepStrictEqual } from "node:util";
import { pathIn } from "../../engine/pulumi/path.ts";
import { bodyPath } from "../body/arguments.ts";
import { setPathsIn } from "../body/state.ts";
import { withAcceptedBase } from "../change/accepted.ts";
import { staffChanges } from "../change/base.ts";
import { changesByStaff } from "../change/change.ts";
import type { FieldChange } from "../change/field-change.ts";
import { pathValues, shopMarkIn } from "../change/identity.ts";
import { isPartial } from "../change/partial.ts";
import { call } from "../client/call.ts";
import { LostAnswerError, NotFoundError, RefusedError } from "../client/errors.ts";
import { keyIn, type ReadSubject, type StateObject } from "../context/context.ts";
import { type Definition, isReturnedArgument, operationOf } from "../definition/define.ts";
import { nameOf, ownerIn, resourceOf } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { RefusalError, refuseConflict, reportOverwritten, reportPutBack } from "./conflict.ts";
import { uncertainWrite } from "./interrupted-creates.ts";
import { mergingOf, withOwnWrites } from "./object-change.ts";
import { ownOnly, type ReadResult, readForWrite, readObject } from "./observe.ts";
import { refuseDeleteOfShared } from "./other-owners.ts";
import { approveDelete } from "./plan-report.ts";

/**
 * Deletes an object. If it is gone already, that is a success; if another resource manages it, it is kept.
 * @throws ConflictError if staff changed a field that the program sets
 */
export async function remove(object: StateObject): Promise<void> {
  const { definition, shop, id, olds } = object;
  const { owners } = shop.memory;
  const key = keyIn(object);
  // A plan never deletes an object that it still needs (docs/rules.md, rule 3). A state of an older
  // version has no `__of`: then any resource that manages the object in this run keeps it.
  const own = owners.adopter(key) ?? (olds.__of === undefined ? undefined : owners.manager(key));
  const resource = resourceOf(definition.kind, olds);
  // `pulumi up --replace` creates first: that create adopted this very object.
  if (owners.adopter(key) === resource && olds.__of !== undefined) {
    shop.say(`${definition.kind} ${id}: kept, because it is its own replacement`);
    return;
  }
  const owner = own ?? newOwnerOf(object);
  if (owner !== undefined && owner !== resource) {
    shop.say(`${definition.kind} ${id}: kept, because resource ${nameOf(owner)} has it now`);
    return;
  }
  // Also with `--overwrite`: it reports the edits that the delete destroys.
  if (isReadBeforeDelete(definition, olds)) {
    const seen = await readForWrite(object);
    if (seen === "gone") return shop.identity.confirm(shopMarkIn(olds));
    if (typeof seen === "object") {
      const since = { ...object, olds: withOwnWrites(object, seen), seen };
      approveDelete(since);
      refuseEditedDelete(since);
    }
  }
  refuseDeleteOfShared(object, "delete");
  await shop.reads.ready(definition, id);
  shop.reads.written(definition, id, definition.cancel === undefined);
  // If the resource is created later in this run, that is a replacement.
  shop.memory.inState.add(resource);
  shop.memory.replaced.delete(resource);
  try {
    await sendDelete(object);
  } catch (error) {
    // Shops have answered the delete of a missing object with 500, or with 2xx and an error (platform-facts.md, section
    // 3).
    if (!(error instanceof LostAnswerError || error instanceof RefusedError)) throw error;
    const isGone = async () => (await readAfter(object)) === "gone";
    try {
      if (await isGone()) return;
      await sendDelete(object).catch(async (again: unknown) => {
        if (!(again instanceof LostAnswerError && (await isGone()))) throw again;
      });
    } catch (later) {
      throw error instanceof LostAnswerError
        ? uncertainWrite(`the delete of ${definition.kind} ${id}`, later)
        : later;
    }
  }
}

/**
 * The resource that adopted the object in another process. When a stack moves to the plugin, the plugin adopts what the
 * host of dynamic resources is told to delete.
 */
function newOwnerOf({ definition: { kind }, shop, id, olds }: StateObject): string | undefined {
  if (shop.plan.isEmbedded) return undefined;
  const of = shop.notes.newOwnerOf(kind, id, ownerIn(olds));
  return of === undefined ? undefined : resourceOf(kind, { __of: of });
}

/**
 * @param read edits that a refresh has read, where the program asks for a third value
 * @throws ConflictError if staff changed fields that the program sets, unless `--overwrite` permits it
 */
export function refuseIfEdited(
  object: StateObject & Pick<ReadSubject, "seen">,
  withheld: "delete" | "replace",
  read: readonly FieldChange[] = [],
): void {
  const { definition, olds, seen } = object;
  const since = changesByStaff(definition, olds, seen);
  const sides = [
    ...since,
    ...read.filter(({ path }) => !since.some((one) => isDeepStrictEqual(one.path, path))),
  ];
  const met = { ...object, args: olds };
  refuseConflict(met, sides, withheld);
  reportOverwritten(met, { sides, withheld });
}

/**
 * Refuses a delete for edits that staff made since the last read, and marks those that a refresh has read.
 * @throws ConflictError also for the latter, if `shop:drift` or `--keep` protects them
 */
function refuseEditedDelete(object: StateObject & Pick<ReadSubject, "seen">): void {
  const { definition, olds, shop } = object;
  refuseIfEdited(object, "delete");
  const own = new Set(staffChanges(definition, olds).map(({ path }) => path));
  const sides = staffChanges(definition, withAcceptedBase(definition, olds, {})).map(
    ({ path, asked, is }): FieldChange => ({
      ...{ path: path === bodyPath ? [path] : pathIn(path), was: asked, is, asked: undefined },
      verdict: "put back",
      ...(!own.has(path) && { accepted: "reverted" }),
    }),
  );
  const met = { ...object, args: olds };
  if (shop.plan.stopsOnDrift || mergingOf(met).keeps) refuseConflict(met, sides, "delete");
  reportPutBack(met, { sides, withheld: "delete" });
}

/** The refusal of a delete, known in a preview's read; an empty string if it would be deleted. */
export function deleteRefusal(object: Omit<ReadSubject, "args">): RefusalError | "" | undefined {
  const { definition, shop, id, seen } = object;
  if (shop.plan.isPreview !== true) return undefined;
  if (hasEnded(definition, seen)) shop.notice({ type: "leaves", kind: definition.kind, id });
  try {
    refuseDeleteOfShared(object, "delete");
    if (canConflict(definition, object.olds)) refuseEditedDelete(object);
    return "";
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

/** Whether it is a charge that can't be cancelled any more. */
export const hasEnded = ({ cancel }: Definition, seen: Values): boolean =>
  cancel !== undefined && Object.entries(cancel.when).some(([name, value]) => seen[name] !== value);

/** Whether a read can show edits by staff. */
export function canConflict(definition: Definition, olds: Values): boolean {
  if (definition.cancel !== undefined) return false;
  return [...setPathsIn(olds)].some((name) => {
    const field = definition.fields[name];
    if (field === undefined || field.writeOnly) return false;
    return isReturnedArgument(field) || definition.body?.text !== undefined;
  });
}

/** Whether the read can show edits by staff, or that another object has the id. */
export const isReadBeforeDelete = (definition: Definition, olds: Values): boolean =>
  canConflict(definition, olds) ||
  (definition.cancel === undefined &&
    definition.operations.edit === undefined &&
    olds.createdAt !== undefined);

/** The object after a delete that the shop didn't confirm. @throws Error if the shop's account isn't there either */
async function readAfter(object: StateObject): Promise<ReadResult> {
  const { definition, shop, id, olds } = object;
  const seen = ownOnly(object, await readObject(definition, shop, id));
  if (seen === "gone") await shop.identity.confirm(shopMarkIn(olds));
  return seen;
}

async function sendDelete(object: StateObject): Promise<void> {
  const { definition, shop, id } = object;
  const { cancel } = definition;
  const place = pathValues(definition, id);
  if (cancel !== undefined) {
    const seen = await readAfter(object);
    if (typeof seen !== "object") return;
    if (hasEnded(definition, seen)) return shop.say(`${definition.kind} ${id}: ${cancel.otherwise}`);
    await call(shop.transport, definition, operationOf(definition, cancel.operation), place);
    return;
  }
  const operation = operationOf(definition, "remove");
  try {
    await call(shop.transport, definition, operation, place);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const seen = await readAfter(object);
    if (seen !== "gone") {
      // A refresh can't remove an object that the shop doesn't return.
      const then = seen === "hidden" ? `remove it from the state (state remove ${id})` : "run refresh";
      const answer = operation.undocumented
        ? "this shop doesn't offer it"
        : "the shop answers 404, not found";
      throw new Error(
        `can't delete ${definition.kind} ${id}: ${answer}, and the object stays live. ` +
          `Remove it in the back office, then ${then}; or set retainOnDelete on the resource to leave it there`,
        { cause: error },
      );
    }
  }
}

/** If the program managed only a part of the object, the object stays in the shop. */
export function leavesPartial({ definition, shop, id, olds }: StateObject): boolean {
  const stays = isPartial(definition, olds);
  if (stays)
    shop.say(`${definition.kind} ${id}: stays in the shop, because the program manages only a part of it`);
  return stays;
}
