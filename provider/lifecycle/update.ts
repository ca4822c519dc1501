/** update, derived from a definition: looks at what the shop has now, sends what differs, proves that it was taken. */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { hashIn, isBody, onlyBody } from "../body/arguments.ts";
import { bodyForRequest } from "../body/body.ts";
import { keptOf } from "../body/state.ts";
import { callObject, type Input } from "../client/call.ts";
import { LostAnswerError, NotFoundError } from "../client/errors.ts";
import { type Definition, operationOf } from "../definition/define.ts";
import { keyIn, type ObjectRef, type ReadSubject, type Subject } from "../run/context.ts";
import { restoreBase, withBase } from "../values/base.ts";
import { type Change, changeOf, changesWith, programChanges, staffOnlyChanges } from "../values/change.ts";
import { diffOf } from "../values/diff.ts";
import { emptyOutcome, type Outcome, sameRead } from "../values/field-change.ts";
import { pathValues } from "../values/identity.ts";
import { stateOf } from "../values/state.ts";
import { difference } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { ConflictError, conflictOf, keptText, refuseConflict } from "./conflict.ts";
import { uncertainWrite } from "./interrupted-creates.ts";
import { changeFromShop, changeFromState, withOwnWrites, withoutInterruptedUpdate } from "./object-change.ts";
import { readForWrite, readObject } from "./observe.ts";
import { refuseValuesSetElsewhere } from "./other-owners.ts";
import { approveChange, reportChange } from "./plan-report.ts";

/** An object that is there but not as asked: the engine keeps it and tries again. */
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

/** Brings an object to what is asked; what staff changed since stays, or is a conflict. */
export async function update(before: Subject): Promise<Values> {
  const subject = { ...before, olds: withoutInterruptedUpdate(before.olds) };
  const { definition, shop, olds, args } = subject;
  if (diffOf(definition, { known: olds, asked: args }, changeFromState(subject)).type === "none")
    return withBase(definition, args, stateOf(definition, args, olds, olds));
  const seen = await readForWrite(subject);
  shop.memory.recentReads.delete(keyIn(subject));
  if (seen === "gone") refuseDeleted(subject);
  // A shop that doesn't show the object can't tell what staff changed.
  if (seen === "hidden") return applyChange({ ...subject, seen: olds });
  return applyChange({ ...subject, olds: withOwnWrites(before, seen), seen });
}

/** What an update comes to, as the approved plan has it; a conflict that may not be overwritten is refused. */
export function allowedChange(looked: ReadSubject): Change {
  const { shop } = looked;
  const change = changeFromShop(looked);
  refuseValuesSetElsewhere(looked, change);
  approveChange(looked, programChanges(change));
  refuseConflict(
    looked,
    shop.plan.stopsOnDrift ? changesWith(change, "conflict", "put back") : changesWith(change, "conflict"),
  );
  return change;
}

/**
 * Sends what the program changed and the shop doesn't have. After a lost answer the object is looked at, and what still
 * differs is sent once more.
 */
export async function applyChange(looked: ReadSubject): Promise<Values> {
  const { definition, shop, id, olds } = looked;
  await shop.reads.ready(definition, id);
  const change = allowedChange(looked);
  const kept = staffOnlyChanges(change);
  if (kept.length > 0) shop.say(keptText(looked, kept, changesWith(changeFromState(looked), "kept")));
  const before = { ...looked, olds: stateAsRead(looked) };
  reportChange(before, change);
  shop.reads.written(definition, id);
  try {
    return await send(before, change, olds);
  } catch (error) {
    if (error instanceof NotFoundError && (await readObject(definition, shop, id)) === "gone")
      refuseDeleted(before);
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

/** The state of an object as it was read: where its body came from, and what no answer carries, is as it was known. */
export const stateAsRead = ({ definition, olds, seen }: ReadSubject): Values => ({
  ...stateOf(definition, {}, seen, olds),
  ...keptOf(olds),
});

/** After a lost answer. New items would be added twice by a second send: a commit that comes late is waited for. */
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
 * @param subject the object as it was right before the write
 * @param olds its state
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
      // Gone already, or a shop without the operation: reading the object back tells.
      if (!(error instanceof NotFoundError)) throw error;
    });
  const answered = answers.at(-1);
  const stateBy = (seen: Values) =>
    stateOf(definition, { ...args, ...onlyBody(definition, wanted) }, seen, before);
  const isUnproved = answered === undefined && sends.isUnproved;
  const seen =
    sends.removed.length > 0 || isUnproved
      ? await readExisting(subject)
      : // Where nothing was sent the object is what it was, with the numbers of its items, which no argument has.
        answers.length === 0
        ? before
        : (answered ?? { ...before, ...wanted });
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

/** What the state keeps of arguments, whatever of them was sent. */
function keptArguments(definition: Definition, args: Values): Values {
  const state = stateOf(definition, args, {}, {});
  const { __stated, adopt } = state;
  const kept = { __stated, adopt, ...keptOf(state) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** An object that was written, as the shop answered. */
export interface Written extends ObjectRef {
  /** What was asked of it. */
  readonly wanted: Values;
  /** Its state by the answer, or by a look that was needed after it. */
  readonly state: Values;
  /** Its state by the answer. */
  readonly answered?: Values;
  /** Its state right before the write; undefined of one that was made. */
  readonly before?: Values;
  /** Its state before; undefined of one that was made. */
  readonly olds?: Values;
  /** Whether it was found after its answer was lost: what differs may be staff's as well. */
  readonly isFound?: boolean | undefined;
  /** What the state says of an object that was read; tells what of it the shop didn't take. */
  readonly known: Change["known"];
}

/**
 * Proves that the shop took what was sent; where the answer differs from that, one look at the object decides. What others
 * changed meanwhile, or once an answer had shown it as it was sent, stays in the shop, and out of the state until a refresh.
 * @throws UnfinishedError naming each argument that it didn't take, with the object kept
 */
export async function verifyWrite(written: Written): Promise<Values> {
  const { definition, shop, id, wanted, answered, state, olds = {}, isFound = false } = written;
  const taken: Outcome["confirmed"] = new Map();
  const shown =
    answered === undefined ? [] : outcomeOf(written, answered, taken).outcome.rejected.map(pathText);
  const first = outcomeOf(written, state, taken);
  // An answer may leave out what the shop has.
  const isPlain = first.outcome.rejected.length === 0 && first.outcome.kept.length === 0;
  const seen = isPlain ? undefined : await readObject(definition, shop, id);
  const { read, outs, outcome } =
    typeof seen === "object" ? outcomeOf(written, stateOf(definition, wanted, seen, state), taken) : first;
  const { rejected, kept } = outcome;
  if (kept.length > 0) shop.say(keptText({ definition, id, args: wanted }, kept));
  if (rejected.length === 0) return outs;
  // Of what no answer shows nobody can tell whose it is, where it is no longer what it was.
  const isUnsure = (path: Path) =>
    isFound || (!shown.includes(pathText(path)) && hasChanged(written, read, path));
  const reasons = rejected.map((path) => {
    const what = difference(definition, read, wanted, path);
    const since =
      "somebody changed it since, or the shop didn't take it; the next preview shows what up puts back";
    if (isFound) return `the answer to the create was lost, and the shop has ${what}: ${since}`;
    return isUnsure(path)
      ? `the shop has ${what}: ${since}`
      : `the shop answered without taking ${what}; state what it accepts, or leave it out`;
  });
  // What the shop has instead is its own answer, or what it had: whose that is the state before says.
  const paths = new Set(rejected.filter((path) => !isUnsure(path)).map(pathText));
  const asked = isFound ? withBase(definition, wanted, outs) : outs;
  const left = restoreBase(definition, asked, { before: olds, paths });
  throw new UnfinishedError({ id, outs: left }, [...new Set(reasons)]);
}

/** Whether an argument has another value than right before the write. */
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

/** An object that was there a moment ago and is no more. */
export function failDeleted(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} was deleted in the shop; run refresh, then up creates it again`);
}

/**
 * @param instead the object that the program adopts in its place
 * @throws ConflictError naming what the program changes of it
 */
export function refuseDeleted(subject: Subject, instead?: string): never {
  const { id, olds } = subject;
  const sides = programChanges(changeFromState(subject)).map((side) => ({ ...side, is: undefined }));
  const { fields, ...conflict } = conflictOf({ ...subject, seen: olds }, { sides, withheld: "update" });
  const adopts = instead === undefined ? [] : [{ path: "adopt", was: id, is: null, asked: instead }];
  throw new ConflictError({ ...conflict, isGone: true, fields: [...adopts, ...fields], live: {} });
}
