/** update, derived from a definition: reads the object, sends what differs, and verifies that the shop accepted it. */

import { type Path, pathText, topOf } from "../../engine/pulumi/path.ts";
import { bodyForRequest, hashIn, isBody, onlyBody } from "../body/arguments.ts";
import { keptOf } from "../body/state.ts";
import { withAcceptedBase } from "../change/accepted.ts";
import { restoreBase, withBase } from "../change/base.ts";
import { type Change, changeOf, changesWith, programChanges, staffOnlyChanges } from "../change/change.ts";
import { diffOf } from "../change/diff.ts";
import { emptyOutcome, type Outcome, sameRead } from "../change/field-change.ts";
import { engineIdOf, keyOf, ownId, pathValues } from "../change/identity.ts";
import { ignoredIn } from "../change/keyed-lists.ts";
import { lackingInItems } from "../change/partial.ts";
import { stateOf, withUntaken } from "../change/state.ts";
import { difference } from "../change/value-text.ts";
import { callObject, type Input } from "../client/call.ts";
import { LostAnswerError, NotFoundError } from "../client/errors.ts";
import { keyIn, type ObjectRef, type ReadSubject, type Subject } from "../context/context.ts";
import { type Definition, operationOf } from "../definition/define.ts";
import { objectKey } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import {
  ConflictError,
  conflictOf,
  keptText,
  movedKeyText,
  RefusalError,
  refuseConflict,
} from "./conflict.ts";
import { uncertainWrite } from "./interrupted-creates.ts";
import { changeFromShop, changeFromState, withOwnWrites, withoutInterruptedUpdate } from "./object-change.ts";
import { isTakenKey, onFirstPage, readForWrite, readObject, shownKey } from "./observe.ts";
import { valuesSetElsewhere } from "./other-owners.ts";
import { approveChange, reportChange } from "./plan-report.ts";

/**
 * The object exists but differs from the arguments. The engine keeps it in the state and updates it in the next run.
 */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];

  constructor(kept: { readonly id: string; readonly outs: Values }, reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.id = kept.id;
    this.properties = kept.outs;
    this.reasons = reasons;
  }
}

async function readExisting({ definition, shop, id }: ObjectRef): Promise<Values> {
  const seen = await readObject(definition, shop, id);
  return typeof seen === "object" ? seen : failDeleted(definition, id);
}

/** Applies the arguments. Edits of other fields by staff stay; edits of the same fields are a conflict. */
export async function update(before: Subject): Promise<Values> {
  const subject = { ...before, olds: withoutInterruptedUpdate(before.olds) };
  const { definition, shop, olds, args } = subject;
  if (diffOf(definition, { known: olds, asked: args }, changeFromState(subject)).type === "none")
    return withBase(definition, args, stateOf(definition, args, olds, olds));
  const seen = await readForWrite(subject);
  shop.memory.recentReads.delete(keyIn(subject));
  if (seen === "gone") refuseDeleted(subject);
  // A shop that doesn't return the object can't show what staff changed.
  if (seen === "hidden") return applyChange({ ...subject, seen: olds });
  return applyChange({ ...subject, olds: withOwnWrites(before, seen), seen });
}

/** The change, checked against the approved plan, other stacks and conflicts. */
export function allowedChange(looked: ReadSubject): Change {
  const { shop } = looked;
  const change = changeFromShop(looked);
  const [shared] = valuesSetElsewhere(looked, change);
  if (shared !== undefined) throw new Error(`${shared.property} ${shared.reason}`);
  for (const path of lackingInItems(looked.definition, change.sends.edit)) refuseLacking(path, looked.args);
  approveChange(looked, programChanges(change));
  refuseConflict(
    looked,
    shop.plan.stopsOnDrift ? changesWith(change, "conflict", "put back") : changesWith(change, "conflict"),
  );
  return change;
}

function refuseLacking(path: string, args: Values): never {
  const list = topOf(path);
  const isIgnored = ignoredIn(args).some((one) => topOf(one) === list);
  const why = isIgnored ? ". Pulumi leaves out what ignoreChanges names of an item that the state lacks" : "";
  throw new Error(`${path} is required: the shop adds nothing to ${list} without it${why}`);
}

/**
 * Sends what the program changed and the shop doesn't have yet. After a lost response it reads the object and sends
 * what still differs once more.
 */
export async function applyChange(looked: ReadSubject): Promise<Values> {
  const { definition, shop, id, olds } = looked;
  await shop.reads.ready(definition, id);
  const change = allowedChange(looked);
  const kept = staffOnlyChanges(change);
  if (kept.length > 0) shop.say(keptText(looked, kept));
  const before = { ...looked, olds: stateAsRead(looked) };
  reportChange(before, change);
  shop.reads.written(definition, id);
  try {
    return await send(before, change, olds);
  } catch (error) {
    if (error instanceof NotFoundError && (await readObject(definition, shop, id)) === "gone")
      refuseDeleted(before);
    if (isTakenKey(error)) throw await withHolder(before, change, error);
    if (!(error instanceof LostAnswerError)) throw error;
    try {
      const again = { ...before, args: change.wanted, seen: await readAgain(before, change) };
      const rest = allowedChange(again);
      const known: Change["known"] = (one, outcome) => change.known(rest.known(one, outcome), outcome);
      return await send({ ...looked, olds: stateAsRead({ ...again, olds }) }, { ...rest, known }, olds);
    } catch (later) {
      throw uncertainWrite(`the update of ${definition.kind} ${id}`, later);
    }
  }
}

/** Adds to "has already been taken" which object has the key, and what to do if staff gave it the key. */
async function withHolder(subject: Subject, change: Change, error: Error): Promise<Error> {
  // If the list can't be read, the shop's own message has to do.
  const holder = await holderOf(subject, change).catch(() => undefined);
  if (holder === undefined) return error;
  const has = `${subject.definition.kind} ${holder} has it`;
  return new Error(`${error.message}. ${has}${waysToLeave(subject, change)}`, { cause: error });
}

const waysToLeave = (subject: Subject, change: Change): string =>
  changesWith(change, "put back").length > 0 ? `: ${movedKeyText(subject)}` : "";

/** The id of another object that has the key which the update would set, of those on the first page of the list. */
async function holderOf(subject: Subject, { wanted }: Change): Promise<string | undefined> {
  const { definition, id } = subject;
  const holders = await onFirstPage({ ...subject, args: wanted });
  const holder = holders.find((one) => String(one.id) !== ownId(id));
  return holder && engineIdOf(definition, holder, wanted);
}

/**
 * Refuses an update in a preview that the shop would refuse: an object that no resource has holds the unique key. Another
 * resource may give its key away in the same run.
 */
export async function refuseHeldKey(subject: Subject, change: Change): Promise<void> {
  const { definition, shop, args } = subject;
  const [names = []] = definition.keys ?? [];
  if (definition.unique !== true || !names.some((name) => Object.hasOwn(change.sends.edit, name))) return;
  const holder = await holderOf(subject, change);
  if (holder === undefined || shop.memory.owners.manager(objectKey(definition.kind, holder)) !== undefined)
    return;
  const key = shownKey(args, keyOf(definition, args) ?? {});
  const ways = waysToLeave(subject, change) || ": set another value, or change that object first";
  throw new RefusalError(
    `${names.at(-1)}: the shop has ${definition.kind} ${holder} with ${key} already${ways}`,
  );
}

/**
 * The state of the object as it was read. The source of its body, and fields that no response has, come from the old
 * state.
 */
export const stateAsRead = ({ definition, olds, seen }: ReadSubject): Values => ({
  ...stateOf(definition, {}, seen, olds),
  ...keptOf(olds),
});

/**
 * Reads the object after a lost response. A second send would add new items twice, so it waits for a late commit first.
 */
async function readAgain(before: Subject, { sends, wanted }: Change): Promise<Values> {
  const { definition, shop, olds } = before;
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const seen = await readExisting(before);
    const left = shop.plan.patienceMs - waitedMs;
    const isOver = !sends.adds || left <= 0;
    if (isOver || !changeOf(definition, { known: olds, seen, asked: wanted }, shop).sends.adds) return seen;
    await shop.wait(Math.min(pauseMs, left));
    waitedMs += Math.min(pauseMs, left);
  }
}

/**
 * @param subject its `olds` are the object right before the write
 * @param olds the state
 */
async function send(
  subject: Subject,
  { wanted, sends, known }: Pick<Change, "wanted" | "sends" | "known">,
  olds: Values,
): Promise<Values> {
  const { definition, shop, id, olds: before, args } = subject;
  const request = (operation: string, input: Input) =>
    callObject(shop.transport, definition, operationOf(definition, operation), input);
  const place = pathValues(definition, id, args);
  const answers: (Values | undefined)[] = [];
  if (Object.keys(sends.edit).length > 0) {
    const isBodySent = Object.keys(sends.edit).some((name) => isBody(definition, name));
    const body = isBodySent ? await bodyForRequest(definition, wanted, shop.folder, shop.allowOutside) : {};
    const given = { ...sends.edit, ...body, ...place };
    answers.push(await request("edit", given));
  }
  for (const { operation, values } of sends.own)
    answers.push(await request(operation, { ...place, ...values }));
  for (const { operation, item } of sends.removed)
    await request(operation, { ...place, item }).catch((error: unknown) => {
      // The item is gone, or the shop lacks the operation: the read below shows which.
      if (!(error instanceof NotFoundError)) throw error;
    });
  const answered = answers.at(-1);
  const stateBy = (seen: Values) =>
    stateOf(definition, { ...args, ...onlyBody(definition, wanted) }, seen, before);
  // An empty answer doesn't show that the shop took the values.
  const isRead = sends.removed.length > 0 || (answers.length > 0 && answered === undefined);
  const read = isRead || sends.changesAddress ? await readExisting(subject) : undefined;
  const after = read ?? answered;
  if (after !== undefined) shop.reads.answered(definition, id, after);
  const { address = "" } = definition.body ?? {};
  const seen = isRead
    ? { ...read }
    : // Nothing was sent: the object is unchanged, and has the ids of its items, which no argument has.
      answers.length === 0
      ? before
      : { ...(answered ?? { ...before, ...wanted }), ...(read && { [address]: read[address] }) };
  return verifyWrite({
    ...subject,
    olds,
    before,
    wanted,
    ...(answered !== undefined && { answered: stateBy(answered) }),
    state: stateBy(seen),
    known: (outs, outcome) =>
      withBase(definition, args, known({ ...outs, ...keptArguments(definition, args) }, outcome)),
  });
}

/** Facts about the arguments that the state keeps, whether they were sent or not. */
function keptArguments(definition: Definition, args: Values): Values {
  const state = stateOf(definition, args, {}, {});
  const { __stated, adopt } = state;
  const kept = { __stated, adopt, ...keptOf(state) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** An object after a write. */
export interface Written extends ObjectRef {
  readonly wanted: Values;
  /** Its state, from the response or from a read after it. */
  readonly state: Values;
  /** Its state, from the response. */
  readonly answered?: Values;
  /** Its state right before the write; undefined after a create. */
  readonly before?: Values;
  /** Its old state; undefined after a create. */
  readonly olds?: Values;
  /** Whether it was found after a lost response: then staff may have changed what differs. */
  readonly isFound?: boolean | undefined;
  /** Returns the state to write for an object that was read, and adds to the outcome what the shop rejected. */
  readonly known: Change["known"];
}

/**
 * Verifies that the shop accepted what was sent. If the response differs, one read decides. Edits that staff made
 * meanwhile stay in the shop, and reach the state with the next refresh.
 * @throws UnfinishedError with the object, naming each argument that the shop ignored
 */
export async function verifyWrite(written: Written): Promise<Values> {
  const { definition, shop, id, wanted, answered, state, olds = {}, isFound = false } = written;
  const taken: Outcome["confirmed"] = new Map();
  const shown =
    answered === undefined ? [] : outcomeOf(written, answered, taken).outcome.rejected.map(pathText);
  const first = outcomeOf(written, state, taken);
  // A response may leave out fields that the shop has stored.
  const isPlain = first.outcome.rejected.length === 0 && first.outcome.kept.length === 0;
  const seen = isPlain ? undefined : await readObject(definition, shop, id);
  const { read, outs, outcome } =
    typeof seen === "object" ? outcomeOf(written, stateOf(definition, wanted, seen, state), taken) : first;
  const { rejected, kept } = outcome;
  if (kept.length > 0) shop.say(keptText({ definition, id, args: wanted }, kept));
  if (rejected.length === 0) return outs;
  // If no response shows the field and it has a new value, staff may have changed it, or the shop ignored it.
  const isUnsure = (path: Path) =>
    isFound || (!shown.includes(pathText(path)) && hasChanged(written, read, path));
  const reasons = rejected.map((path) => {
    const what = difference(definition, read, wanted, path);
    const since =
      "somebody changed it since, or the shop didn't take it; the next preview shows the values that up would put back";
    if (isFound) return `the answer to the create was lost, and the shop has ${what}: ${since}`;
    return isUnsure(path) ? `the shop has ${what}: ${since}` : untakenText(what);
  });
  // An ignored argument keeps its old base in the state, so that the next diff finds it again.
  const paths = new Set(rejected.filter((path) => !isUnsure(path)).map(pathText));
  const asked = isFound ? withBase(definition, wanted, outs) : outs;
  const before = withAcceptedBase(definition, olds, wanted);
  const left = restoreBase(definition, asked, { before, paths });
  const unfinished = paths.size > 0 ? withUntaken(definition, left, wanted) : left;
  throw new UnfinishedError({ id, outs: unfinished }, [...new Set(reasons)]);
}

export const untakenText = (what: string): string =>
  `the shop answered without taking ${what}; set a value that it accepts, or leave it out`;

function hasChanged({ definition, before }: Written, read: Values, [name = ""]: Path): boolean {
  const field = definition.fields[name];
  if (before === undefined || field === undefined) return false;
  return isBody(definition, name)
    ? hashIn(before) !== hashIn(read)
    : !sameRead(field, before[name], read[name]);
}

function outcomeOf({ known }: Written, read: Values, taken: Outcome["confirmed"]) {
  const outcome = emptyOutcome(taken);
  return { read, outs: known(read, outcome), outcome };
}

function failDeleted(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} was deleted in the shop; run refresh, then up creates it again`);
}

/**
 * @param instead id of the object that the program adopts instead
 * @throws ConflictError with the fields that the program changes
 */
export function refuseDeleted(subject: Subject, instead?: string): never {
  const { id, olds } = subject;
  const sides = programChanges(changeFromState(subject)).map((side) => ({ ...side, is: undefined }));
  const { fields, ...conflict } = conflictOf({ ...subject, seen: olds }, { sides, withheld: "update" });
  const adopts = instead === undefined ? [] : [{ path: "adopt", was: id, is: null, asked: instead }];
  throw new ConflictError({ ...conflict, isGone: true, fields: [...adopts, ...fields], live: {} });
}
