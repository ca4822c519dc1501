/** delete, derived from a definition: looks at what would be destroyed, then a DELETE, or the operation that ends what has none. */

import { isDeepStrictEqual } from "node:util";
import { setPathsIn } from "../body/state.ts";
import { call } from "../client/call.ts";
import { LostAnswerError, NotFoundError, RefusedError } from "../client/errors.ts";
import { type Definition, isReturnedArgument, operationOf } from "../definition/define.ts";
import { nameOf, ownerIn, resourceOf } from "../names/owner.ts";
import { keyIn, type ObjectRef, type ReadSubject, type StateObject } from "../run/context.ts";
import { changesByStaff } from "../values/change.ts";
import type { FieldChange } from "../values/field-change.ts";
import { pathValues, shopMarkIn } from "../values/identity.ts";
import { isPartial } from "../values/partial.ts";
import type { Values } from "../wire/codec.ts";
import { RefusalError, refuseConflict } from "./conflict.ts";
import { uncertainWrite } from "./interrupted-creates.ts";
import { withOwnWrites } from "./object-change.ts";
import { readForWrite, readObject } from "./observe.ts";
import { refuseDeleteOfShared } from "./other-owners.ts";
import { approveDelete, reportOverwritten } from "./plan-report.ts";

/**
 * Ends an object; one that is gone already is a success, and one that another resource of the plan has is kept.
 * @throws ConflictError where staff changed what the program stated
 */
export async function remove(object: StateObject): Promise<void> {
  const { definition, shop, id, olds } = object;
  const { owners } = shop.memory;
  const key = keyIn(object);
  // What a plan keeps it doesn't delete (docs/rules.md, rule 3).
  // A state of an older version doesn't say whose it is: what this run took over is another's then.
  const own = owners.adopter(key) ?? (olds.__of === undefined ? undefined : owners.manager(key));
  const resource = resourceOf(definition.kind, olds);
  // An engine that replaces on a person's word creates first: what its create took over is what it then deletes.
  if (owners.adopter(key) === resource && olds.__of !== undefined) {
    shop.say(`${definition.kind} ${id}: kept, because it is its own replacement`);
    return;
  }
  const owner = own ?? newOwnerOf(object);
  if (owner !== undefined && owner !== resource) {
    shop.say(`${definition.kind} ${id}: kept, because resource ${nameOf(owner)} has it now`);
    return;
  }
  // Also where it may be overwritten: what is destroyed is said.
  if (canConflict(definition, olds)) {
    const seen = await readForWrite(object);
    if (seen === "gone") return shop.identity.confirm(shopMarkIn(olds));
    if (typeof seen === "object") {
      const since = { ...object, olds: withOwnWrites(object, seen), seen };
      approveDelete(since);
      refuseIfEdited(since, "delete");
    }
  }
  refuseDeleteOfShared(object, "delete");
  await shop.reads.ready(definition, id);
  shop.reads.written(definition, id, definition.cancel === undefined);
  // Nothing else says that what is created for the resource later in this run takes an object's place.
  shop.memory.inState.add(resource);
  shop.memory.replaced.delete(resource);
  try {
    await sendDelete(object);
  } catch (error) {
    // A missing object has been answered with 500, or 2xx and an error document (platform-facts.md, section 3).
    if (!(error instanceof LostAnswerError || error instanceof RefusedError)) throw error;
    const isGone = async () => (await readObject(definition, shop, id)) === "gone";
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

/** The resource that another process took it over for: in the run that moves a stack to the plugin, the host of dynamic resources deletes. */
function newOwnerOf({ definition: { kind }, shop, id, olds }: StateObject): string | undefined {
  if (shop.plan.isEmbedded) return undefined;
  const of = shop.notes.newOwnerOf(kind, id, ownerIn(olds));
  return of === undefined ? undefined : resourceOf(kind, { __of: of });
}

/**
 * Refuses to end an object whose stated fields were changed in the shop, unless that may be overwritten.
 * @param read what a refresh has read of such changes, where the program asks for a third value
 * @throws ConflictError where there is such a field
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

/** What a delete would say of an object that a preview reads: what it means to delete is read then. */
export function deleteRefusal(object: Omit<ReadSubject, "args">): RefusalError | "" | undefined {
  const { definition, shop, id, seen } = object;
  if (shop.plan.isPreview !== true) return undefined;
  if (hasEnded(definition, seen)) shop.notice({ type: "leaves", kind: definition.kind, id });
  try {
    refuseDeleteOfShared(object, "delete");
    if (canConflict(definition, object.olds)) refuseIfEdited(object, "delete");
    return "";
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

/** Whether an object is of those that an operation ends, and nothing is left to end. */
export const hasEnded = ({ cancel }: Definition, seen: Values): boolean =>
  cancel !== undefined && Object.entries(cancel.when).some(([name, value]) => seen[name] !== value);

/** Whether an object can be changed in the shop in a way that a read shows: of others nothing would be learned by looking. */
export function canConflict(definition: Definition, olds: Values): boolean {
  if (definition.cancel !== undefined) return false;
  return [...setPathsIn(olds)].some((name) => {
    const field = definition.fields[name];
    if (field === undefined || field.writeOnly) return false;
    return isReturnedArgument(field) || definition.body?.text !== undefined;
  });
}

async function sendDelete({ definition, shop, id }: ObjectRef): Promise<void> {
  const { cancel } = definition;
  const place = pathValues(definition, id);
  if (cancel !== undefined) {
    const seen = await readObject(definition, shop, id);
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
    const seen = operation.undocumented ? await readObject(definition, shop, id) : "gone";
    if (seen !== "gone") {
      // A refresh shows nothing of what a shop doesn't let be read.
      const then = seen === "hidden" ? `take it out of the state (state remove ${id})` : "run refresh";
      throw new Error(
        `can't delete ${definition.kind} ${id}: this shop doesn't offer it, and the object stays live. ` +
          `Remove it in the back office, then ${then}; or set retainOnDelete on the resource to leave it there`,
        { cause: error },
      );
    }
  }
}

/**
 * Says of an object, of which a resource had a part, that it stays.
 * @returns whether it does
 */
export function leavesPartial({ definition, shop, id, olds }: StateObject): boolean {
  const stays = isPartial(definition, olds);
  if (stays)
    shop.say(`${definition.kind} ${id}: stays in the shop, because the program stated a part of it only`);
  return stays;
}
