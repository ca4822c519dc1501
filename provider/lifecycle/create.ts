/**
 * create, derived from a definition: adopts an object, recognises one that an interrupted run created, or sends the
 * create.
 */

import { hash } from "node:crypto";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import {
  bodyForRequest,
  bodyPath,
  isBody,
  shownText,
  textOf,
  wantedBodyHash,
  withFileName,
  withHash,
  withoutBody,
} from "../body/arguments.ts";
import { diff as compare, differences } from "../change/diff.ts";
import type { FieldChange } from "../change/field-change.ts";
import { above, engineIdOf, keyOf, ownId } from "../change/identity.ts";
import { stateOf } from "../change/state.ts";
import { difference } from "../change/value-text.ts";
import { callObject } from "../client/call.ts";
import {
  CancelledError,
  ForbiddenError,
  InvalidCallError,
  LimitError,
  LockLostError,
  LostAnswerError,
  MissingPackageError,
  NotFoundError,
  RedirectError,
  RefusedError,
  UnauthorizedError,
  UnreachableError,
  ValidationError,
} from "../client/errors.ts";
import {
  type AskedObject,
  keyIn,
  markOfShop,
  type NewObject,
  type ReadSubject,
  resourceIn,
} from "../context/context.ts";
import { isSentTo, type Note } from "../context/create-notes.ts";
import { type Definition, type Field, isRequired, operationOf } from "../definition/define.ts";
import { nameIn, nameOf as nameOfOwner, ownerIn, readOwner } from "../names/owner.ts";
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
import { isTakenKey, readObject } from "./observe.ts";
import { insteadOfReplacing, renameHintByKey } from "./preview-create.ts";
import { applyChange, UnfinishedError, verifyWrite } from "./update.ts";

export interface Kept {
  readonly id: string;
  readonly outs: Values;
}

export async function create(object: NewObject): Promise<Kept> {
  const { definition, shop, args } = object;
  const of = ownerOrHash(definition, args);
  const notes = shop.notes.of(definition.kind, of);
  // A replacement never adopts: `adopt` applies to the first create of a resource (docs/rules.md, rule 2).
  const isFirst = !shop.memory.inState.has(resourceIn(object));
  if (notes.length > 0 && isFirst) {
    const stated = await adoptionById(object);
    if (stated !== undefined) {
      await shop.notes.end(definition.kind, of);
      return adopt(object, stated.seen);
    }
  }
  for (const note of notes) {
    // The object that this one replaces: the state has it.
    if (note.id !== undefined && note.id === shop.notes.heldBy(of)?.id) {
      await shop.notes.confirm(definition.kind, note.id);
      continue;
    }
    const found = await findInterrupted(object, note);
    if (found === undefined) continue;
    const id = engineIdOf(definition, found, args);
    await shop.notes.found(definition.kind, of, id);
    const name = nameIn(args) === "" ? "" : `${nameIn(args)}: `;
    shop.say(`${name}an earlier run had created ${definition.kind} ${id} already`);
    const recognised = { ...object, id, seen: found };
    refuseEdited(recognised, note);
    refuseReplacedArguments(recognised, note);
    return adopt(object, found);
  }
  // The shop has a singleton once, and `retainOnDelete` leaves the old one to its replacement.
  if ((isFirst || definition.singleton !== undefined) && adoptsExisting(object)) {
    const adoption = await adoptionOf(object);
    if (adoption !== undefined) return adopt(object, adoption.seen);
  }
  const { seen, isFound } = await make(object, of);
  const id = engineIdOf(definition, seen, args);
  claim({ ...object, id });
  shop.reads.answered(definition, id, seen);
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
        const lacks = differences(definition, state, args, "after");
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

function claim(made: AskedObject): void {
  const { definition, shop, id } = made;
  const { owners } = shop.memory;
  // A singleton is the same object whatever its resource is called, so this counts as an adoption.
  if (definition.singleton === undefined) owners.made(keyIn(made), resourceIn(made));
  else owners.taken(keyIn(made), resourceIn(made));
  shop.reads.written(definition, id);
}

/** Adopts an object and applies the arguments. There is no base to compare with, so nothing conflicts. */
async function adopt(object: NewObject, seen: Values): Promise<Kept> {
  const { definition, shop, args } = object;
  const id = engineIdOf(definition, seen, args);
  shop.memory.owners.taken(keyIn({ definition, id }), resourceIn(object));
  shop.reads.written(definition, id);
  const { asked, state: olds } = adoptedState(object, seen);
  return { id, outs: await applyChange({ ...object, id, olds, seen, args: asked }) };
}

/**
 * The program may have changed since an interrupted create, in arguments that can't be updated. The object is kept as
 * it is, so that the next run plans a replacement, with all its checks.
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
  // The shop may have given a file another name: then the program has not changed.
  const isRenamed = fingerprint(definition, args, shop.folder).content !== note.print.content;
  const name = isRenamed ? fileNameOf(definition, found) : undefined;
  const outs = withFileName(args, state, name);
  const verdict = compare(definition, outs, args);
  if (verdict.type !== "replace") return;
  const terms = verdict.replaces.map((path) => difference(definition, outs, args, path)).join("; ");
  throw new UnfinishedError({ id, outs }, [
    `${definition.kind} ${id} was created by an earlier run with other arguments (${terms}), which can't be ` +
      `changed in place. The state has it as it is: run again to replace it`,
  ]);
}

/**
 * After an interrupted create both the program and the object may have changed. An object that may have been edited is
 * not overwritten.
 * @throws ConflictError if staff may have edited an argument that the program sets
 */
function refuseEdited(recognised: Recognised, note: Note): void {
  const { definition, shop, args, seen } = recognised;
  const verdict = compare(definition, stateOf(definition, args, seen, {}), args);
  if (verdict.type === "none" || matchesFingerprint(definition, seen, note.print)) return;
  // Shows each argument whole, and a body as its text.
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
  refuseConflict({ ...recognised, olds: undefined }, sides);
}

type Recognised = Omit<ReadSubject, "olds">;

// Without our SDK there is no URN: a hash of the arguments identifies the resource.
function ownerOrHash(definition: Definition, args: Values): string {
  if (args.__of !== undefined) return ownerIn(args);
  const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([definition.kind, sorted]), "base64url").slice(0, 22);
}

/** The object of an interrupted create; undefined if nothing was created, or it was deleted since. */
async function findInterrupted(object: NewObject, note: Note): Promise<Values | undefined> {
  const { definition, shop, args } = object;
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
    return typeof seen === "object" && !belongsToOther({ definition, shop, note }, seen) ? seen : undefined;
  }
  const isGivenUp = mayResend(shop, note);
  const found = await waitForCreated({ definition, shop, note }, { isGivenUp });
  if (found === undefined && !isGivenUp) refuseToResend(definition, note);
  return found;
}

// A shop that doesn't return the object has what was sent: those are the arguments, if they are unchanged.
function unseen(definition: Definition, note: Note, id: string, args: Values): Values {
  const own = { ...args, id: Number(ownId(id)) };
  if (hasSameContent(definition, own, note.print)) return own;
  throw new UndecidedError(
    `a create of ${definition.kind}${resourceText(note)} was interrupted after it had made ${id}, with other arguments, and this shop ` +
      `doesn't let such objects be read: delete ${id} in the back office, then run again with --resend and the resource's name`,
  );
}

// A charge is never sent again unless a person passes `--resend`.
function refuseToResend(definition: Definition, note: Omit<Note, "id">): void {
  if (!definition.billable) return;
  throw new UndecidedError(
    `a create of ${definition.kind}${resourceText(note)} was interrupted, and the shop doesn't list it yet. It costs money, so pulumi-shop doesn't send it again: ` +
      `look in the back office, then run again with --resend ${readOwner(note.of).name}, or set adopt to its id`,
  );
}

/** After these errors nothing was created. After any other, such as an unreadable response, it may have been. */
const surelyNothing = [
  InvalidCallError,
  MissingPackageError,
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

/** The created object. If it was found after its response was lost, staff may have edited it since. */
interface Made {
  readonly seen: Values;
  readonly isFound?: boolean;
}

/** @throws Error if a required argument is missing: an adopted object has it, and an engine leaves out ignored ones */
function refuseIncomplete({ definition, args }: NewObject): void {
  const isMissing = ([name, field]: [string, Field]) => isRequired(field) && args[name] === undefined;
  const [name] = Object.entries(definition.fields).find(isMissing) ?? [];
  if (name === undefined) return;
  throw new Error(
    `${name} is required to create a new ${definition.kind}: set it, and take it out of ignoreChanges; ` +
      'or set adopt: "key" to manage one that the shop has (after state remove, if this is a replacement)',
  );
}

/** Sends the create. If the response is lost, searches for the object before sending again. */
async function make(object: NewObject, of: string): Promise<Made> {
  const { definition, shop, args } = object;
  const operation = operationOf(definition, "create");
  refuseIncomplete(object);
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
  // A response without the object is treated like a lost one.
  const search = async (): Promise<Partial<Made>> => {
    try {
      const seen = await waitForCreated({ definition, shop, note }, { sentAt: shop.now() });
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
      if (error instanceof LostAnswerError) return { ...(await search()), error };
      // The first create may have succeeded in the meantime: then its key is taken by our own object.
      const late = isSecond ? await findCreated({ definition, shop, note }) : undefined;
      if (late !== undefined) return { seen: late, isFound: true };
      if (!isSecond && surelyNothing.some((type) => error instanceof type)) ending.nothing();
      throw await withAdvice(object, error);
    }
    if (answered?.id === undefined) return search();
    refuseIdOfOther({ ...object, id: engineIdOf(definition, answered, args) }, note);
    return { seen: answered };
  };
  const first = await attempt(false);
  // `--resend` permits a second create for an earlier run, not for this one.
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

/** Rejects a response with the id of another resource's object. The next run searches for what was created. */
function refuseIdOfOther(subject: AskedObject, note: Omit<Note, "id">): void {
  const { definition, shop, id, args } = subject;
  if (definition.singleton !== undefined) return;
  const owner = shop.memory.owners.owner(keyIn(subject));
  const isOthers = owner !== undefined && owner !== resourceIn(subject);
  const stated = shop.notes.inState(definition.kind, id, note);
  const inState = stated === undefined ? undefined : parseUrn(stated).name;
  const other = isOthers ? nameOfOwner(owner) : inState === nameIn(args) ? undefined : inState;
  if (other === undefined) return;
  throw new Error(
    `the shop answered the create of ${definition.kind}${resourceText(note)} with the id ${id}, which is the object of resource ${other}; ` +
      "two resources can't manage one object, so nothing was kept. Run again: the run looks for the new object before it sends anything",
  );
}

// Adds to "has already been taken" what to do; changing the arguments is seldom the answer.
async function withAdvice(object: NewObject, error: unknown): Promise<unknown> {
  const { definition, shop, args } = object;
  if (!isTakenKey(error) || keyOf(definition, args) === undefined) return error;
  if (shop.plan.isEmbedded && shop.memory.inState.has(resourceIn(object)))
    return new Error(`${error.message}. The shop already has one, ${insteadOfReplacing(args)}`, {
      cause: error,
    });
  // If the list can't be read, only the general advice is given.
  const moved = await renameHintByKey(object).catch(() => undefined);
  const named = "if it is this resource under another name, give it aliases: [{ name: ... }]";
  const alias = moved ?? (nameIn(args) === "" ? undefined : named);
  // The TypeScript SDK and the embedded engine's own replacement set it already.
  const first =
    "if pulumi replaces it (--replace, state taint), give it the option deleteBeforeReplace: true, and take out deletedWith";
  const advice = [alias, shop.plan.isEmbedded ? undefined : first].filter((one) => one !== undefined);
  const ways = ['set adopt: "key" to adopt it', ...advice].join("; ");
  return new Error(`${error.message}. The shop already has one: ${ways}`, { cause: error });
}
