/** create, derived from a definition: takes over what is there where that is meant, recognises what an earlier run made, sends. */

import { createHash } from "node:crypto";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import {
  bodyPath,
  isBody,
  shownText,
  textOf,
  wantedBodyHash,
  withFileName,
  withHash,
  withoutBody,
} from "../body/arguments.ts";
import { bodyForRequest } from "../body/body.ts";
import { callObject } from "../client/call.ts";
import {
  CancelledError,
  ForbiddenError,
  InvalidCallError,
  LimitError,
  LockLostError,
  LostAnswerError,
  NotFoundError,
  RedirectError,
  RefusedError,
  UnauthorizedError,
  UnreachableError,
  ValidationError,
} from "../client/errors.ts";
import { type Definition, operationOf } from "../definition/define.ts";
import { nameIn, nameOf as nameOfOwner, objectKey, ownerIn, readOwner, resourceOf } from "../names/owner.ts";
import { keyIn, markOfShop, type ReadSubject, resourceIn, type Shop, type Subject } from "../run/context.ts";
import { isSentTo, type Note } from "../run/create-notes.ts";
import { diff as compare, differences } from "../values/diff.ts";
import type { FieldChange } from "../values/field-change.ts";
import { above, engineIdOf, keyOf, ownId } from "../values/identity.ts";
import { missingForCreate } from "../values/partial.ts";
import { stateOf } from "../values/state.ts";
import { difference } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { adoptedState, adoptionById, adoptionOf, adoptsExisting } from "./adoption.ts";
import { refuseConflict } from "./conflict.ts";
import {
  belongsToOther,
  fileNameOf,
  findCreated,
  fingerprint,
  hasSameContent,
  matchesFingerprint,
  mayResend,
  resourceText,
  UndecidedError,
  uncertainWrite,
  waitForCreated,
} from "./interrupted-creates.ts";
import { readObject } from "./observe.ts";
import { renameHintByKey } from "./preview-create.ts";
import { applyChange, UnfinishedError, verifyWrite } from "./update.ts";

/** An object as the state keeps it. */
export interface Kept {
  readonly id: string;
  readonly outs: Values;
}

export async function create(definition: Definition, shop: Shop, args: Values): Promise<Kept> {
  const of = ownerOrHash(definition, args);
  const notes = shop.notes.of(definition.kind, of);
  // What takes an object's place is created: adopt concerns a resource's first create only (docs/rules.md, rule 2).
  const isFirst = !shop.memory.inState.has(resourceOf(definition.kind, args));
  if (notes.length > 0 && isFirst) {
    const stated = await adoptionById(definition, shop, args);
    if (stated !== undefined) {
      await shop.notes.end(definition.kind, of);
      return adopt(definition, shop, args, stated.seen);
    }
  }
  for (const note of notes) {
    const found = await findInterrupted(definition, shop, note, args);
    if (found === undefined) continue;
    const id = engineIdOf(definition, found, args);
    await shop.notes.found(definition.kind, of, id);
    const name = nameIn(args) === "" ? "" : `${nameIn(args)}: `;
    shop.say(`${name}an earlier run had created ${definition.kind} ${id} already`);
    const recognised = { definition, shop, id, args, seen: found };
    refuseEdited(recognised, note);
    refuseReplacedArguments(recognised, note);
    return adopt(definition, shop, args, found);
  }
  if (isFirst && adoptsExisting(definition, shop, args)) {
    const adoption = await adoptionOf(definition, shop, args);
    if (adoption !== undefined) return adopt(definition, shop, args, adoption.seen);
  }
  const { seen, isFound } = await make(definition, shop, args, of);
  const id = engineIdOf(definition, seen, args);
  claim(definition, shop, id, args);
  return {
    id,
    outs: await verifyWrite({
      definition,
      shop,
      id,
      wanted: args,
      state: stateOf(definition, args, seen, {}),
      isFound,
      known(state, outcome) {
        const lacks = differences(definition, state, args, "written");
        const theirs = lacks.flatMap(([name = ""]) => (outcome?.confirmed.has(name) ? [name] : []));
        outcome?.rejected.push(...lacks.filter(([name = ""]) => !theirs.includes(name)));
        for (const name of Object.keys(args))
          if (!lacks.some(([own]) => own === name)) outcome?.confirmed.set(name, state[name]);
        return {
          ...state,
          ...Object.fromEntries(theirs.map((name) => [name, outcome?.confirmed.get(name)])),
        };
      },
    }),
  };
}

function claim(definition: Definition, shop: Shop, id: string, args: Values): void {
  const { owners } = shop.memory;
  const [key, resource] = [objectKey(definition.kind, id), resourceOf(definition.kind, args)];
  // What a shop has once is the same object under every name.
  if (definition.singleton === undefined) owners.made(key, resource);
  else owners.taken(key, resource);
  shop.reads.written(definition, id);
}

/** Brings an object that is there to what is asked; nobody has asked for anything of it before, so nothing conflicts. */
async function adopt(definition: Definition, shop: Shop, args: Values, seen: Values): Promise<Kept> {
  const id = engineIdOf(definition, seen, args);
  shop.memory.owners.taken(objectKey(definition.kind, id), resourceOf(definition.kind, args));
  shop.reads.written(definition, id);
  const { asked, state: olds } = adoptedState(definition, args, seen);
  return { id, outs: await applyChange({ definition, shop, id, olds, seen, args: asked }) };
}

/**
 * What was created before the program was edited may differ in what can't be changed in place: it is kept as it is, so
 * that the next run plans its replacement, with all that guards one.
 * @throws UnfinishedError with the object, for the engine to keep
 */
function refuseReplacedArguments({ definition, shop, id, args, seen: found }: Recognised, note: Note): void {
  const isOther = note.print.body !== undefined && note.print.body !== wantedBodyHash(definition, args);
  const state = isOther
    ? {
        ...stateOf(definition, withoutBody(args), found, withHash(note.print.body)),
        __stated: stateOf(definition, args, found, {}).__stated,
      }
    : stateOf(definition, args, found, {});
  // The shop may have called it otherwise than it was asked to: that is no edit of the program.
  const isRenamed = fingerprint(definition, args, shop.folder).content !== note.print.content;
  const name = isRenamed ? fileNameOf(definition, found) : undefined;
  const outs = withFileName(args, state, name);
  const verdict = compare(definition, outs, args);
  if (verdict.type !== "replace") return;
  const terms = verdict.replaces.map((path) => difference(definition, outs, args, path)).join("; ");
  throw new UnfinishedError({ id, outs }, [
    `${definition.kind} ${id} was created by an earlier run that was interrupted, with other arguments (${terms}), which can't be ` +
      `changed in place; it is in the state as it is: run again to replace it`,
  ]);
}

/**
 * The arguments may be others since the create was interrupted, and so may the object: what can't be told to be as it was made
 * isn't overwritten.
 * @throws ConflictError where staff may have changed what the program asks to be otherwise
 */
function refuseEdited(recognised: Recognised, note: Note): void {
  const { definition, shop, args, seen } = recognised;
  const verdict = compare(definition, stateOf(definition, args, seen, {}), args);
  if (verdict.type === "none" || matchesFingerprint(definition, seen, note.print)) return;
  // Each argument is told as a whole, a body as its text.
  const differing = verdict.type === "replace" ? verdict.replaces : verdict.paths;
  const names = differing.map(([name = ""]) => (isBody(definition, name) ? bodyPath : name));
  const sides = [...new Set(names)].map(
    (name): FieldChange => ({
      path: [name],
      was: undefined,
      is: name === bodyPath ? shownText(seen) : seen[name],
      asked: name === bodyPath ? textOf(args, shop.folder) : args[name],
      verdict: "conflict",
    }),
  );
  refuseConflict({ ...recognised, isInState: false }, sides);
}

/** An object that a create of an earlier run made. */
type Recognised = Omit<ReadSubject, "olds">;

// Arguments that no SDK of ours has named are told apart by what they are.
function ownerOrHash(definition: Definition, args: Values): string {
  if (args.__of !== undefined) return ownerIn(args);
  const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([definition.kind, sorted]))
    .digest("base64url")
    .slice(0, 22);
}

/** The object of a create that an earlier run began; undefined where nothing came of it, or it has gone since. */
async function findInterrupted(
  definition: Definition,
  shop: Shop,
  note: Note,
  args: Values,
): Promise<Values | undefined> {
  if (!isSentTo(markOfShop(shop), note)) {
    const what = note.id === undefined ? "may have been created" : `was created as ${note.id}`;
    const where = "which no state has: look for it in that shop's back office";
    shop.say(
      `${note.kind}${resourceText(note)} ${what} in another shop, ${note.shop}, by an interrupted run, ${where}`,
    );
    return undefined;
  }
  if (note.id !== undefined) {
    const seen = await readObject(definition, shop, note.id);
    if (seen === "hidden") return unseen(definition, note, note.id, args);
    if (seen === "gone") await shop.notes.end(definition.kind, note.of);
    return typeof seen === "object" && !belongsToOther(definition, shop, note, seen) ? seen : undefined;
  }
  const isGivenUp = mayResend(shop, note);
  const found = await waitForCreated(definition, shop, note, { isGivenUp });
  if (found === undefined && !isGivenUp) refuseToResend(definition, note);
  return found;
}

// A shop that doesn't show an object has it as it was sent: that is known of arguments that are the same still.
function unseen(definition: Definition, note: Note, id: string, args: Values): Values {
  const own = { ...args, id: Number(ownId(id)) };
  if (hasSameContent(definition, own, note.print)) return own;
  throw new UndecidedError(
    `a create of ${definition.kind}${resourceText(note)} was interrupted after it had made ${id}, with other arguments, and this shop ` +
      `doesn't let such objects be read: delete ${id} in the back office, then run again with --resend and the resource's name`,
  );
}

// What costs somebody money is never sent twice without a person's word.
function refuseToResend(definition: Definition, note: Omit<Note, "id">): void {
  if (!definition.billable) return;
  throw new UndecidedError(
    `a create of ${definition.kind}${resourceText(note)} was interrupted, and the shop shows nothing of it yet. It costs money, so it is not sent again by itself: ` +
      `look in the back office, then run again with --resend ${readOwner(note.of).name}, or set adopt to its id`,
  );
}

/** Errors after which the shop has made nothing. After any other it may have: an answer that can't be read, for instance. */
const surelyNothing = [
  InvalidCallError,
  UnreachableError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
  RefusedError,
  RedirectError,
  LimitError,
  CancelledError,
  LockLostError,
];

/** What a create has made; not all of it may be as it was sent where it was found by a look. */
interface Made {
  readonly seen: Values;
  readonly isFound?: boolean;
}

/** Sends the create. One whose answer was lost looks for its own result before it is sent again. */
async function make(definition: Definition, shop: Shop, args: Values, of: string): Promise<Made> {
  const operation = operationOf(definition, "create");
  const [name] = missingForCreate(definition, args);
  if (name !== undefined)
    throw new Error(
      `${name} is required to create a ${definition.kind}, and the program leaves it to one that is there: state ${name}, or adopt one that the shop has`,
    );
  const input = { ...args, ...(await bodyForRequest(definition, args, shop.folder, shop.allowOutside)) };
  const note: Omit<Note, "id"> = {
    of,
    kind: definition.kind,
    shop: markOfShop(shop),
    at: shop.now(),
    skewMs: shop.skewMs(),
    above: above(definition, args),
    print: fingerprint(definition, args, shop.folder),
  };
  void shop.notes.end(definition.kind, of);
  const ending = await shop.notes.begin(note);
  // An answer without its object says as little of it as one that was lost.
  const sought = async (): Promise<Partial<Made>> => {
    try {
      const seen = await waitForCreated(definition, shop, note, { sentAt: shop.now() });
      return seen === undefined ? {} : { seen, isFound: true };
    } catch (error) {
      throw uncertainWrite(`the create of ${note.kind}${resourceText(note)}`, error);
    }
  };
  const attempt = async (isSecond: boolean): Promise<Partial<Made> & { readonly error?: unknown }> => {
    let answered: Values | undefined;
    try {
      answered = await callObject(shop.transport, definition, operation, input);
    } catch (error) {
      if (error instanceof LostAnswerError) return { ...(await sought()), error };
      // The first may have been committed since: then its key is taken by ourselves.
      const late = isSecond ? await findCreated(definition, shop, note) : undefined;
      if (late !== undefined) return { seen: late, isFound: true };
      if (!isSecond && surelyNothing.some((type) => error instanceof type)) ending.nothing();
      throw await withAdvice(definition, shop, args, error);
    }
    if (answered?.id === undefined) return sought();
    refuseIdOfOther({ definition, shop, id: engineIdOf(definition, answered, args), args }, note);
    return { seen: answered };
  };
  const first = await attempt(false);
  // The word to send again was of an earlier one.
  if (first.seen === undefined) refuseToResend(definition, note);
  const last = first.seen === undefined ? await attempt(true) : first;
  if (last.seen !== undefined) {
    await ending.made(engineIdOf(definition, last.seen, args));
    return { ...last, seen: last.seen };
  }
  throw (
    last.error ??
    new Error(`${definition.kind}: the shop answered the create without an object, and has none; run again`)
  );
}

/**
 * Refuses an answer that names another resource's object: nothing of it is kept, and what was made is looked for by the
 * next run.
 */
function refuseIdOfOther(subject: Omit<Subject, "olds">, note: Omit<Note, "id">): void {
  const { definition, shop, id, args } = subject;
  if (definition.singleton !== undefined) return;
  const owner = shop.memory.owners.owner(keyIn(subject));
  const isOthers = owner !== undefined && owner !== resourceIn(subject);
  const stated = shop.notes.inState(definition.kind, id, note.of);
  const inState = stated === undefined ? undefined : parseUrn(stated).name;
  const other = isOthers ? nameOfOwner(owner) : inState === nameIn(args) ? undefined : inState;
  if (other === undefined) return;
  throw new Error(
    `the shop answered the create of ${definition.kind}${resourceText(note)} with the id ${id}, which is the object of resource ${other}; ` +
      "two resources can't manage one object, so nothing was kept. Run again: what was made is looked for before anything is sent",
  );
}

// "has already been taken": what to do about it is seldom to change the arguments.
async function withAdvice(
  definition: Definition,
  shop: Shop,
  args: Values,
  error: unknown,
): Promise<unknown> {
  const isTakenKey =
    error instanceof ValidationError && error.messages.some((text) => /already been taken|уже/i.test(text));
  if (!isTakenKey || keyOf(definition, args) === undefined) return error;
  // What nobody can look at has the general way.
  const moved = await renameHintByKey(definition, shop, args).catch(() => undefined);
  const named = "if it is this resource under another name, give it aliases: [{ name: ... }]";
  const alias = moved ?? (nameIn(args) === "" ? undefined : named);
  // The SDK for TypeScript states it, and so does our engine's own replacement.
  const first =
    "if pulumi replaces it (--replace, state taint), give it the option deleteBeforeReplace: true";
  const told = [alias, shop.plan.isEmbedded ? undefined : first].filter((one) => one !== undefined);
  const ways = ['set adopt: "key" to take it over', ...told].join("; ");
  return new Error(`${error.message}. One is there already: ${ways}`, { cause: error });
}
