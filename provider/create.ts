/** create, derived from a definition: takes over what is there where that is meant, recognises what an earlier run made, sends. */
import { createHash } from "node:crypto";
import { adoptionOf, looksFirst } from "./adoption.ts";
import { sentBody } from "./body.ts";
import { call } from "./client/call.ts";
import { LostAnswerError, ValidationError } from "./client/errors.ts";
import type { Values } from "./codec.ts";
import { changeConflict, mayOverwrite } from "./conflict.ts";
import { nameIn, objectKey, resourceOf, type Shop } from "./context.ts";
import type { Definition, Operation } from "./define.ts";
import { askedHash, diff as compare, isBody, topOf } from "./diff.ts";
import { fingerprint, hasPrintedContent } from "./fingerprint.ts";
import { above, identify, keyOf } from "./identity.ts";
import { findLost, isTaken, resourceText, UndecidedError } from "./lost.ts";
import type { Note } from "./notes.ts";
import { observe } from "./observe.ts";
import { stateOf } from "./state.ts";
import { change, settle, UnfinishedError } from "./update.ts";

/** An object as the state keeps it. */
export interface Kept {
  readonly id: string;
  readonly outs: Values;
}

/** Makes an object, or finds the one that is meant. */
export async function create(definition: Definition, shop: Shop, args: Values): Promise<Kept> {
  // What takes an object's place is created: adopt concerns a resource's first create only (docs/rules.md, rule 2).
  const isFirst = !shop.memory.known.has(resourceOf(definition.kind, args));
  if (isFirst && looksFirst(definition, shop, args)) {
    const adoption = await adoptionOf(definition, shop, args);
    if (adoption !== undefined) return takeOver(definition, shop, args, adoption.seen);
  }
  const of = ofArguments(definition, args);
  for (const note of shop.notes.of(definition.kind, of)) {
    const found = await recognise(definition, shop, note);
    if (found === undefined) continue;
    const id = identify(definition, found, args);
    shop.notes.found(definition.kind, of, id);
    shop.say(`${definition.kind} ${id}: an earlier run had created it already`);
    return takeBack(definition, shop, args, found, note);
  }
  const seen = await make(definition, shop, args, of);
  const id = identify(definition, seen, args);
  claim(definition, shop, id, args);
  return {
    id,
    outs: await settle(definition, shop, id, args, stateOf(definition, args, seen, {}), (state) => state),
  };
}

function claim(definition: Definition, shop: Shop, id: string, args: Values): void {
  shop.memory.claimed.set(objectKey(definition.kind, id), resourceOf(definition.kind, args));
  shop.reads.written(definition, id);
}

/** Brings an object that is there to what is asked; nobody has asked for anything of it before, so nothing conflicts. */
async function takeOver(definition: Definition, shop: Shop, args: Values, seen: Values): Promise<Kept> {
  const id = identify(definition, seen, args);
  claim(definition, shop, id, args);
  shop.memory.taken.set(objectKey(definition.kind, id), resourceOf(definition.kind, args));
  const state = stateOf(definition, args, seen, {});
  return { id, outs: await change(definition, shop, id, state, seen, args) };
}

/**
 * Takes over what an earlier run made. The arguments may be others since, and so may the object: what can't be told to be
 * as it was made isn't overwritten, and what can't be changed in place is left to be replaced.
 * @throws ConflictError where staff may have changed what the program asks to be otherwise
 * @throws UnfinishedError where the object must be replaced, with the object as it is
 */
async function takeBack(
  definition: Definition,
  shop: Shop,
  args: Values,
  seen: Values,
  note: Note,
): Promise<Kept> {
  const id = identify(definition, seen, args);
  const isUnreadable = definition.body !== undefined && typeof seen.content !== "string";
  const state = {
    ...stateOf(definition, args, seen, {}),
    ...(isUnreadable && note.body !== undefined && { sha256: note.body }),
  };
  const verdict = compare(definition, state, args);
  if (verdict.type === "none") return takeOver(definition, shop, args, seen);
  const isAsMade =
    hasPrintedContent(definition, seen, note.print) &&
    verdict.paths.every(
      (path) => isBody(definition, path) || definition.fields[topOf(path)]?.mode === "required",
    );
  if (!isAsMade && !mayOverwrite(shop, definition, id)) {
    const sides = verdict.paths.map((path) => ({
      path,
      was: undefined,
      is: seen[topOf(path)],
      asked: args[topOf(path)],
    }));
    throw changeConflict(definition, id, sides, args, undefined);
  }
  if (verdict.type === "replace") {
    claim(definition, shop, id, args);
    throw new UnfinishedError({ id, outs: state }, [
      `${definition.kind} ${id} was created by an earlier run with other values of ${verdict.paths.join(", ")}, which can't be changed in place; run again to replace it`,
    ]);
  }
  return takeOver(definition, shop, args, seen);
}

// Arguments that no SDK of ours has named are told apart by what they are.
function ofArguments(definition: Definition, args: Values): string {
  if (args.__of !== undefined) return String(args.__of);
  const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([definition.kind, sorted]))
    .digest("base64url")
    .slice(0, 22);
}

/** The object of a create that an earlier run began; undefined where nothing came of it, or it has gone since. */
async function recognise(definition: Definition, shop: Shop, note: Note): Promise<Values | undefined> {
  if (note.shop !== shop.url) return undefined;
  if (note.id !== undefined) {
    const seen = await observe(definition, shop, note.id);
    if (seen === "gone") shop.notes.end(definition.kind, note.of);
    return typeof seen === "object" && !isTaken(definition, shop, note, seen) ? seen : undefined;
  }
  // A commit may come after its answer, or after the run that asked for it.
  const leftMs = Math.max(0, note.at + shop.plan.patienceMs - shop.now());
  const found = await lookPatiently(definition, shop, note, leftMs);
  if (found === undefined) refuseToResend(definition, shop, note);
  return found;
}

// What costs somebody money is never sent twice without a person's word.
function refuseToResend(definition: Definition, shop: Shop, note: Omit<Note, "id">): void {
  if (!definition.costs || shop.plan.resent.has(note.of.split("::").at(-1) ?? note.of)) return;
  throw new UndecidedError(
    `a create of ${definition.kind}${resourceText(note)} was cut off, and the shop shows nothing of it yet. It costs money, so it is not sent again by itself: ` +
      `look in the back office, then run again with --resend ${note.of.split("::").at(-1)}, or set adopt to its id`,
  );
}

/** Looks at once, then with growing pauses until the time is over. */
async function lookPatiently(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  forMs: number,
): Promise<Values | undefined> {
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const found = await findLost(definition, shop, note);
    if (found !== undefined || waitedMs >= forMs) return found;
    const nextMs = Math.min(pauseMs, forMs - waitedMs);
    await shop.wait(nextMs);
    waitedMs += nextMs;
  }
}

/** Sends the create. One whose answer was lost looks for its own result before it is sent again. */
async function make(definition: Definition, shop: Shop, args: Values, of: string): Promise<Values> {
  const operation = definition.operations.create as Operation;
  const input = { ...args, ...(await sentBody(definition, args, shop.folder, shop.allowOutside)) };
  const note: Omit<Note, "id"> = {
    of,
    kind: definition.kind,
    shop: shop.url,
    at: shop.now(),
    skewMs: shop.skewMs(),
    above: above(definition, args),
    print: fingerprint(definition, args, shop.folder),
    body: askedHash(args),
  };
  shop.notes.end(definition.kind, of);
  const ending = await shop.notes.begin(note);
  const attempt = async (isSecond: boolean): Promise<{ seen: Values | undefined; error?: unknown }> => {
    try {
      const seen = (await call(shop.transport, definition, operation, input)) as Values | undefined;
      return { seen: seen?.id === undefined ? await findLost(definition, shop, note) : seen };
    } catch (error) {
      if (error instanceof LostAnswerError)
        return { seen: await lookPatiently(definition, shop, note, shop.plan.patienceMs), error };
      // The first may have been committed since: then its key is taken by ourselves.
      const late = isSecond ? await findLost(definition, shop, note) : undefined;
      if (late !== undefined) return { seen: late };
      if (!isSecond && !(error instanceof UndecidedError)) ending.nothing();
      throw hinted(definition, args, error);
    }
  };
  const first = await attempt(false);
  if (first.seen === undefined) refuseToResend(definition, shop, note);
  const last = first.seen === undefined ? await attempt(true) : first;
  if (last.seen !== undefined) {
    ending.made(identify(definition, last.seen, args));
    return last.seen;
  }
  throw (
    last.error ??
    new Error(`${definition.kind}: the shop answered the create without an object, and has none; run again`)
  );
}

// "has already been taken": what to do about it is seldom to change the arguments.
function hinted(definition: Definition, args: Values, error: unknown): unknown {
  const isTakenKey =
    error instanceof ValidationError && error.messages.some((text) => /already been taken|уже/i.test(text));
  if (!isTakenKey || keyOf(definition, args) === undefined) return error;
  const alias =
    nameIn(args) === ""
      ? ""
      : "; if it is this resource under another name, give it aliases: [{ name: ... }]";
  return new Error(`${error.message}. One is there already: set adopt: "key" to take it over${alias}`, {
    cause: error,
  });
}
