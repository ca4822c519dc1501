/**
 * What the provider reports to the command that plans, and checks against the plan that it carries out: before each
 * write, the object must be as the approved plan had it (docs/decisions/0014-contents-of-a-saved-plan.md).
 */
import { pathText } from "../../engine/pulumi/path.ts";
import {
  type Change,
  changesWith,
  programChanges,
  revertedEdits,
  staffOnlyChanges,
} from "../change/change.ts";
import type { FieldChange } from "../change/field-change.ts";
import {
  type PlannedField,
  plannedDelete,
  plannedUpdate,
  type StaleField,
  staleFields,
} from "../change/planned-fields.ts";
import { secretsOf } from "../change/secrets.ts";
import { quoted, unitOf, withUnit } from "../change/value-text.ts";
import {
  type AskedObject,
  keyIn,
  type NewObject,
  type ObjectRef,
  type ReadSubject,
  resourceIn,
  type Shop,
  sayOnce,
} from "../context/context.ts";
import { type Effect, effectsOf } from "../context/effects.ts";
import { guardChange, isJudged } from "../context/limits.ts";
import type { Notice } from "../context/notices.ts";
import type { Plan } from "../context/plan.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { RefusalError, reportOverwritten, reportPutBack } from "./conflict.ts";

/** A step that the approved plan doesn't have, or has with other values. Nothing was sent. */
class NotApprovedError extends RefusalError {
  override readonly name = "NotApprovedError";
}

/** Notices the fields of an update, and checks them against the approved plan. */
export function approveChange(subject: AskedObject, touched: readonly FieldChange[]): void {
  const sight = fieldsOfChange(subject, touched);
  if (sight !== undefined) approve(subject, sight, subject.args);
}

/** Notices fields that are checked one by one when they are sent. */
export function noticeItems(subject: AskedObject, touched: readonly FieldChange[], adopts: boolean): void {
  const { digest } = subject.shop.plan;
  if (digest === undefined) return;
  const fields = plannedUpdate(touched, subject.args, digest);
  noticeFields(subject, { ends: false, fields, byItem: true, ...(adopts && { adopts }) });
}

/** Why a value isn't sent: the shop's value changed since the preview, and the state has no base to compare with. */
export function staleItemText(
  { definition, shop, id, args }: AskedObject,
  field: FieldChange,
): string | undefined {
  const { digest, approved } = shop.plan;
  const planned = approved?.objects[keyIn({ definition, id })]?.find(({ ends }) => !ends)?.fields;
  if (digest === undefined || planned === undefined) return undefined;
  const now = plannedUpdate([field], args, digest);
  const [moved] = staleFields(
    now.flatMap(({ path }) => byPathIn(planned).get(path) ?? []),
    now,
    false,
  );
  return (
    moved &&
    `${staleText(definition, args, moved)}: it was changed in the shop after the preview. Nothing was sent for it; run again to see the new plan`
  );
}

// Cached: a sheet looks up thousands of fields.
const lookups = new WeakMap<readonly PlannedField[], ReadonlyMap<string, PlannedField>>();

function byPathIn(planned: readonly PlannedField[]): ReadonlyMap<string, PlannedField> {
  const known = lookups.get(planned) ?? new Map(planned.map((one) => [one.path, one]));
  lookups.set(planned, known);
  return known;
}

/** Notices the fields of an object that is deleted, and checks them against the approved plan. */
export function approveDelete(object: Ending): void {
  const sight = fieldsOfDelete(object);
  if (sight !== undefined) approve(object, sight, object.seen);
}

/** Notices an object that will be adopted. Its fields are checked when it is adopted. */
export function noticeAdoption(subject: AskedObject, touched: readonly FieldChange[]): void {
  const sight = fieldsOfChange(subject, touched);
  if (sight !== undefined) noticeFields(subject, { ...sight, adopts: true });
}

/** Notices an object that may be deleted; a read needs no approval. */
export function noticeDelete(object: Ending): void {
  const sight = fieldsOfDelete(object);
  if (sight !== undefined) noticeFields(object, sight);
}

type Ending = Omit<ReadSubject, "args">;
type Fields = Omit<Extract<Notice, { type: "sees" }>, "type" | "kind" | "id">;

/** A run compares with its state, so its own preview only binds what the state doesn't know. */
function fieldsOfChange({ shop, args }: AskedObject, touched: readonly FieldChange[]): Fields | undefined {
  const { digest, isOwnPlan } = shop.plan;
  const bound = isOwnPlan ? touched.filter(({ isNew }) => isNew) : touched;
  if (digest === undefined || (isOwnPlan && bound.length === 0)) return undefined;
  return { ends: false, fields: plannedUpdate(bound, args, digest), ...(isOwnPlan && { byItem: true }) };
}

function fieldsOfDelete({ definition, shop, olds, seen }: Ending): Fields | undefined {
  const { digest } = bindingIn(shop);
  return digest && { ends: true, fields: plannedDelete(definition, olds, seen, digest) };
}

/** The preview of the same run binds nothing: the run compares with the state. */
const bindingIn = ({ plan }: Shop): Partial<Plan> => (plan.isOwnPlan ? {} : plan);

const noticeFields = ({ definition, shop, id }: ObjectRef, sight: Fields) =>
  shop.notice({ type: "sees", kind: definition.kind, id, ...sight });

function approve(object: ObjectRef, sight: Fields, values: Values): void {
  const { definition, shop, id } = object;
  const { ends, fields } = sight;
  noticeFields(object, sight);
  const { approved, isOwnPlan } = shop.plan;
  if (approved === undefined) return;
  // An object may be updated by one step and deleted by another.
  const planned = approved.objects[keyIn(object)]?.find((one) => one.ends === ends)?.fields;
  if (planned === undefined && !isOwnPlan) return;
  const texts = staleFields(planned ?? [], fields, ends).map((one) => staleText(definition, values, one));
  if (texts.length === 0) return;
  const plan = isOwnPlan ? "the preview" : "the approved plan";
  throw new NotApprovedError(
    `${definition.kind} ${id} differs from ${plan}: ${texts.join("; ")}. Nothing was sent for it; ${isOwnPlan ? "run again to preview it" : "make a new plan"}`,
  );
}

/** @param values the object, for the units of numbers */
function staleText(
  definition: Definition,
  values: Values,
  { path, planned, now, isUnplanned }: StaleField,
): string {
  const sign = unitOf(definition, path, (name) => values[name]);
  const text = (value: unknown) => withUnit(value, quoted(value ?? undefined), sign);
  return isUnplanned
    ? `the plan doesn't change ${path}, which is ${text(now)}`
    : `${path} was ${text(planned)}, is ${text(now)}`;
}

/** @throws NotApprovedError if the approved plan doesn't create it */
export function approveCreate(object: NewObject): void {
  const { definition, shop, args } = object;
  const { approved } = bindingIn(shop);
  if (approved === undefined || approved.creates.includes(resourceIn(object))) return;
  throw new NotApprovedError(
    `${definition.kind} ${nameIn(args)} is not created by the approved plan. Nothing was sent for it; make a new plan`,
  );
}

/** @throws NotApprovedError if the approved plan neither changes nor deletes it */
export function approveObject(object: ObjectRef): void {
  const { definition, shop, id } = object;
  const { approved } = bindingIn(shop);
  if (approved === undefined || approved.objects[keyIn(object)] !== undefined) return;
  throw new NotApprovedError(
    `${definition.kind} ${id} is not in the approved plan. Nothing was sent for it; make a new plan`,
  );
}

/**
 * The effects of a change on an object, without secrets.
 * @param looked the object, with its state as it was read
 * @throws ProtectedError if it exceeds the stack's limits, measured from the values in the shop
 */
export function allowedEffects(looked: ReadSubject, { wanted }: Pick<Change, "wanted">): readonly Effect[] {
  const { definition, shop, args, olds: before } = looked;
  const all = effectsOf(definition, before, wanted);
  if (isJudged(shop.guard, args, wanted))
    guardChange(shop.guard, { ...looked, args: wanted }, { type: "update", paths: [] }, all);
  if (secretsOf(args).length === 0) return all;
  return effectsOf(definition, withoutSecrets(before, args), withoutSecrets(wanted, args));
}

/**
 * Reports what a change does to an object, and checks it against the limits.
 * @param looked the object, with its state as it was read
 * @throws ProtectedError if it exceeds the stack's limits
 */
export function reportChange(looked: ReadSubject, change: Change): void {
  const { definition, shop, id } = looked;
  const { kind } = definition;
  const effects = allowedEffects(looked, change);
  const pathsOf = (fields: Change["fields"]) => fields.map(({ path }) => pathText(path));
  const done = pathsOf(changesWith(change, "done"));
  const kept = pathsOf(staffOnlyChanges(change));
  // Both may apply to one text: staff's lines stay, and the program's are sent.
  const keeps = kept.filter((path) => !pathsOf(programChanges(change)).includes(path));
  const isRead = shop.notice({
    type: "changes",
    kind,
    id,
    sends: change.sends.requests,
    effects,
    done,
    ...(kept.length > 0 && { keeps }),
  });
  const items = effects.flatMap(itemText);
  if (items.length > 0) sayOnce(shop, isRead, `${kind} ${id}: ${items.join("; ")}`);
  reportOverwritten(looked, { sides: changesWith(change, "conflict"), withheld: "update" });
  reportPutBack(looked, { sides: revertedEdits(change), withheld: "update" });
}

const withoutSecrets = (values: Values, args: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    secretsOf(args).flatMap((name) => (values[name] === undefined ? [] : [[name, hidden]])),
  ),
});

/** `variants[S1-A] renamed S1-NEW (keeps 33 in stock)`. */
function itemText(effect: Effect): readonly string[] {
  if (effect.type !== "renames" && effect.type !== "loses") return [];
  const { path, stock } = effect;
  if (effect.type === "loses") return [`${path} is lost${stock === undefined ? "" : ` (${stock} in stock)`}`];
  return [`${path} renamed ${effect.to}${stock === undefined ? "" : ` (keeps ${stock} in stock)`}`];
}
