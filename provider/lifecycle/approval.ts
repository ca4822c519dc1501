/**
 * An approved plan as the provider keeps it, whatever engine carries it out: before each write the object is still as the
 * plan had it, or nothing is sent (docs/decisions/0014-what-a-plan-binds.md).
 */
import type { Definition } from "../definition/define.ts";
import { nameIn, objectKey, resourceOf, type Shop } from "../run/context.ts";
import type { Notice } from "../run/notices.ts";
import { type Bound, boundChange, boundEnd, type Moved, movedSince } from "../values/bound.ts";
import type { Touched } from "../values/sides.ts";
import { quoted } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { RefusalError } from "./conflict.ts";

/** Something that the approved plan doesn't have, or has otherwise; nothing was sent. */
class NotApprovedError extends RefusalError {
  override readonly name = "NotApprovedError";
}

/** Tells whoever plans what an update changes, and asks the approved plan where there is one. */
export function bindChange(
  definition: Definition,
  shop: Shop,
  id: string,
  touched: readonly Touched[],
  args: Values,
): void {
  const { seal } = shop.plan;
  if (seal !== undefined) bind(definition, shop, id, false, boundChange(touched, args, seal));
}

/** The same of an object that goes. */
export function bindEnd(definition: Definition, shop: Shop, id: string, olds: Values, seen: Values): void {
  const { seal } = shop.plan;
  if (seal !== undefined) bind(definition, shop, id, true, boundEnd(definition, olds, seen, seal));
}

/** Tells of an object that a create would take over; what is changed of it is asked when it is. */
export function tellAdoption(
  definition: Definition,
  shop: Shop,
  id: string,
  touched: readonly Touched[],
  args: Values,
): void {
  const { seal } = shop.plan;
  if (seal !== undefined)
    tell(definition, shop, id, { ends: false, adopts: true, fields: boundChange(touched, args, seal) });
}

/** Tells of an object that is read, and may be one that goes; a read sends nothing that would need an approval. */
export function tellEnd(definition: Definition, shop: Shop, id: string, olds: Values, seen: Values): void {
  const { seal } = shop.plan;
  if (seal !== undefined)
    tell(definition, shop, id, { ends: true, fields: boundEnd(definition, olds, seen, seal) });
}

type Sight = Omit<Extract<Notice, { type: "sees" }>, "type" | "kind" | "id">;

const tell = ({ kind }: Definition, shop: Shop, id: string, sight: Sight) =>
  shop.notice({ type: "sees", kind, id, ...sight });

function bind(definition: Definition, shop: Shop, id: string, ends: boolean, fields: readonly Bound[]): void {
  const { kind } = definition;
  tell(definition, shop, id, { ends, fields });
  const approved = shop.plan.approved?.objects[objectKey(kind, id)];
  // What a replacement takes away is its own affair; an object may be changed by one step and go by another.
  const planned = approved?.find((one) => one.ends === ends)?.fields;
  const [first, ...others] = planned === undefined ? [] : movedSince(planned, fields, ends);
  if (first === undefined) return;
  throw new NotApprovedError(
    `${kind} ${id} is not as the approved plan had it: ${[first, ...others].map(movedText).join("; ")}. Nothing was sent for it; make a new plan`,
  );
}

const movedText = ({ path, planned, now }: Moved) =>
  `${path} was ${quoted(planned ?? undefined)}, is ${quoted(now ?? undefined)}`;

/** @throws NotApprovedError for a create that the approved plan doesn't have */
export function approveCreate({ kind }: Definition, { plan }: Shop, args: Values): void {
  if (plan.approved === undefined || plan.approved.creates.includes(resourceOf(kind, args))) return;
  throw new NotApprovedError(
    `${kind} ${nameIn(args)} is not created by the approved plan. Nothing was sent for it; make a new plan`,
  );
}

/** @throws NotApprovedError for an object that the approved plan neither changes nor deletes */
export function approveObject({ kind }: Definition, { plan }: Shop, id: string): void {
  if (plan.approved === undefined || plan.approved.objects[objectKey(kind, id)] !== undefined) return;
  throw new NotApprovedError(
    `${kind} ${id} is not in the approved plan. Nothing was sent for it; make a new plan`,
  );
}
