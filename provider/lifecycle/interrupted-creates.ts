/**
 * Interrupted creates: the run ended, or the response was lost, so that the object may exist. It is searched for before
 * anything is sent again (docs/decisions/0010-finding-an-interrupted-create.md).
 */

import { hash } from "node:crypto";
import { shownText, textOf, wantedBodyHash, wantedFileName } from "../body/arguments.ts";
import { sha256 } from "../body/body.ts";
import { servedName } from "../change/compare.ts";
import { engineIdOf, valueAt } from "../change/identity.ts";
import { setPaths } from "../change/state.ts";
import { LostAnswerError, NotFoundError, ShopError } from "../client/errors.ts";
import { every } from "../client/index.ts";
import { markOfShop, type OfKind, type Shop } from "../context/context.ts";
import { type Fingerprint, isSentTo, type Note, type RunEnd, unconfirmed } from "../context/create-notes.ts";
import { type Definition, isRequired, isReturnedArgument } from "../definition/define.ts";
import { objectKey, readOwner } from "../names/owner.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import { withLineFeeds } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { idsText, readObject, whole } from "./observe.ts";

/**
 * An interrupted create whose object can't be told from others, or that must not be sent again. A person has to decide.
 */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/**
 * The error of a request that follows a lost response: it doesn't say whether the write happened.
 * @param write in words: `the update of Coupon 5`
 */
export function uncertainWrite(write: string, error: unknown): unknown {
  if (!(error instanceof ShopError) || error instanceof LostAnswerError) return error;
  return new Error(
    `${write} may have happened: its answer was lost. After that, ${error.message}. ` +
      "The next run looks at the shop before it sends anything",
    { cause: error },
  );
}

/** Tolerance if a response has told the difference of the clocks; its Date header has whole seconds. */
const knownSkewMs = 5_000;
const unknownSkewMs = 120_000;

/** A create that may have happened, and the shop to search. */
export interface InterruptedCreate extends OfKind {
  readonly note: Omit<Note, "id">;
}

export interface SearchOptions {
  /**
   * Whether the create is sent again, or given up, if nothing is found. Before that, objects of other creates may not
   * have an owner yet.
   */
  readonly isLast?: boolean;
  /** Whether `--resend` permits another create. */
  readonly isGivenUp?: boolean;
}

/**
 * The object of an interrupted create; undefined if the shop has none.
 * @throws UndecidedError if several could be it, or one has its key and other content
 */
export async function findCreated(
  create: InterruptedCreate,
  { isLast = false, isGivenUp = false }: SearchOptions = {},
): Promise<Values | undefined> {
  const { definition, shop, note } = create;
  if (definition.singleton !== undefined) {
    const only = await readObject(definition, shop, definition.one);
    return typeof only === "object" && hasSameContent(definition, only, note.print) ? only : undefined;
  }
  const unowned = (await candidates(create, isGivenUp)).filter((seen) => !belongsToOther(create, seen));
  const free = unowned.filter((seen) => olderByMs(create, seen) <= 0);
  const keyed = free.filter((seen) => hasSameKey(seen, note.print));
  const bodies = await Promise.all(keyed.map((seen) => whole(definition, shop, seen, note.above)));
  const there = bodies.filter((seen) => seen !== undefined);
  const named = there.filter((seen) => hasSameContent(definition, seen, note.print));
  // Besides an object with the name, a new one without a name may be it too.
  const nameless = createdUnderOtherKey(create, free).filter((seen) => hasNoKey(seen, note.print));
  const same = named.length === 1 ? [...named, ...nameless] : named;
  if (same.length === 1) return same[0];
  const what = `a create of ${definition.kind}${resourceText(note)} was interrupted`;
  if (same.length > 1)
    throw new UndecidedError(
      `${what}, and the shop now has ${same.length} that could be it: ${idsText(same)}. Delete the duplicates, then set adopt to the id of the one to keep`,
    );
  if (there.length > 0 && definition.unique === true)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(there)} with the same ${note.print.by.at(-1)} and other content: set adopt to its id to adopt it, or delete it`,
    );
  const isDecided = isLast && !isGivenUp;
  // Created since then with the same key: staff may have edited the object in question.
  const edited = note.print.key === undefined ? [] : there.filter(isDated);
  if (isDecided && edited.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(edited)}, created since then, with the same ${note.print.by.at(-1)} and other content: somebody may have edited it. ` +
        `Set adopt to its id to adopt it, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  const unnamed = isDecided ? createdUnderOtherKey(create, free) : [];
  if (unnamed.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(unnamed)}, created since then, with the same content and another ${note.print.by.at(-1)}: the shop may have ignored it. ` +
        `Leave it out and set adopt to its id to adopt it, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  const earlier = isDecided ? unowned.filter((seen) => isSlightlyOlder(create, seen)) : [];
  if (earlier.length > 0)
    throw new UndecidedError(
      `${what}, and the shop has ${idsText(earlier)} with the same content, dated before the create: the shop's clocks may differ. ` +
        `Set adopt to its id to adopt it, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  return undefined;
}

/**
 * Whether an object has the key and content of the create, and is dated up to a day before it. The clock that dates
 * objects may differ from the one in the `Date` header, which a proxy may set.
 */
const isSlightlyOlder = (create: InterruptedCreate, seen: Values): boolean => {
  const { definition, note } = create;
  const ageMs = olderByMs(create, seen);
  const isNear = ageMs > 0 && ageMs <= dayMs;
  return isNear && hasSameKey(seen, note.print) && hasSameContent(definition, seen, note.print);
};

/**
 * New objects with the same content and another key: the shop may have ignored the key. Not for kinds that require one.
 */
const createdUnderOtherKey = ({ definition, note: { print } }: InterruptedCreate, free: readonly Values[]) =>
  definition.unique === true
    ? []
    : free.filter(
        (seen) => isDated(seen) && !hasSameKey(seen, print) && hasSameContent(definition, seen, print),
      );

const hasNoKey = (seen: Values, { by }: Fingerprint): boolean =>
  by.every((path) => (valueAt(seen, path) ?? "") === "");

/**
 * Searches at once, then with growing pauses until the create is old enough. The shop may carry it out after the
 * response, or after the run.
 * @param sentAt when it was last sent, in milliseconds since 1970
 * @throws UndecidedError as `findCreated`
 */
export async function waitForCreated(
  create: InterruptedCreate,
  {
    sentAt = create.note.at,
    isGivenUp = false,
  }: Pick<SearchOptions, "isGivenUp"> & { readonly sentAt?: number } = {},
): Promise<Values | undefined> {
  const { shop } = create;
  // If the clock was ahead when the note was written, the wait isn't longer than for a create of now.
  const forMs = Math.max(0, Math.min(0, sentAt - shop.now()) + shop.plan.patienceMs);
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const found = await findCreated(create, { isLast: waitedMs >= forMs, isGivenUp });
    if (found !== undefined || waitedMs >= forMs) return found;
    const nextMs = Math.min(pauseMs, forMs - waitedMs);
    await shop.wait(nextMs);
    waitedMs += nextMs;
  }
}

export const mayResend = (shop: Shop, note: Pick<Note, "of">): boolean =>
  shop.plan.resent.has(nameOfResource(note));

const nameOfResource = ({ of }: Pick<Note, "of">): string => readOwner(of).name ?? of;

const isDated = ({ createdAt }: Values): boolean => typeof createdAt === "string";

/** ` (resource sale10)`; empty if the name isn't known. */
export function resourceText({ of }: Pick<Note, "of">): string {
  const { name } = readOwner(of);
  return name === undefined ? "" : ` (resource ${name})`;
}

async function candidates(
  { definition, shop, note }: InterruptedCreate,
  isGivenUp: boolean,
): Promise<readonly Values[]> {
  const since = definition.operations.list?.since ? { updatedSince: dayBefore(note.at) } : {};
  const given = { ...note.above, ...since };
  const found: Values[] = [];
  try {
    // A value of another object that can't be read doesn't stop the search.
    const onBadValue = () => {};
    for await (const seen of every(shop.transport, definition, given, { onBadValue })) found.push(seen);
    return found;
  } catch (cause) {
    if (!(cause instanceof NotFoundError && definition.operations.list?.undocumented)) throw cause;
    if (isGivenUp) return [];
    throw new UndecidedError(
      `a create of ${definition.kind}${resourceText(note)} was interrupted, and this shop doesn't allow reading such objects: ` +
        "look in the back office; if it is there set adopt to its id, if not run again with --resend and the resource's name",
      { cause },
    );
  }
}

/** Whether another resource has the object, or this one had it before. */
export function belongsToOther({ definition, shop, note }: InterruptedCreate, seen: Values): boolean {
  const id = engineIdOf(definition, seen, note.above);
  const key = objectKey(definition.kind, id);
  const { owners } = shop.memory;
  return (
    owners.owner(key) !== undefined ||
    owners.leaves(key) ||
    // An object that the state has yet to delete is never passed to diff.
    shop.notes.inState(definition.kind, id, note) !== undefined ||
    shop.notes.isOfOther(definition.kind, id, note.of) ||
    shop.notes.heldElsewhere(definition.kind, id, note) !== undefined
  );
}

/** How long before the create an object was created, by the shop's clock; 0 if it may be the create's own. */
function olderByMs({ note, shop }: InterruptedCreate, seen: Values): number {
  if (typeof seen.createdAt !== "string") return 0;
  // If no response had told the clock's difference when the note was written, the current one applies.
  const skewMs = note.skewMs ?? shop.skewMs();
  const toleranceMs = skewMs === undefined ? unknownSkewMs : knownSkewMs;
  return Math.max(0, note.at + (skewMs ?? 0) - toleranceMs - Date.parse(seen.createdAt));
}

const dayMs = 86_400_000;
const dayBefore = (at: number) => new Date(at - dayMs).toISOString().slice(0, 10);

export function fingerprint(definition: Definition, args: Values, folder: string): Fingerprint {
  const by = (definition.keys ?? []).find((paths) =>
    paths.every((path) => valueAt(args, path) !== undefined && valueAt(args, path) !== ""),
  );
  const text = definition.body?.text === undefined ? undefined : textOf(args, folder);
  return {
    by: by ?? [],
    key: by === undefined ? undefined : keyHash(args, by),
    content: contentHash(definition, args, wantedFileName(args)),
    text: text === undefined ? undefined : sha256(text),
    body: wantedBodyHash(definition, args),
    stated: setPaths(definition.fields, args).join(","),
    whole: wholeHash(definition, args, setPaths(definition.fields, args)),
  };
}

/** Whether an object still has all arguments as it was created. False also if the shop spells a value differently. */
export function matchesFingerprint(definition: Definition, seen: Values, print: Fingerprint): boolean {
  const paths = (print.stated ?? "").split(",");
  return hasSameContent(definition, seen, print) && wholeHash(definition, seen, paths) === print.whole;
}

function wholeHash(definition: Definition, values: Values, paths: readonly string[]): string {
  const stated = paths.flatMap((path) => {
    const [name = "", inner] = path.split(".");
    const field = definition.fields[name];
    const isRead = field !== undefined && isReturnedArgument(field) && !field.writeOnly;
    if (!isRead) return [];
    const fields = field.items?.fields;
    const items = listOf(values[name]);
    // Of a list without set fields only the length counts.
    if (inner === undefined) return [[path, fields === undefined ? plain(values[name]) : items.length]];
    // Values that the shop changes by itself don't count.
    if (fields?.[inner]?.serverManaged) return [];
    return [[path, items.map((item) => plain(item[inner]))]];
  });
  return digest(stated);
}

const plain = (value: unknown): unknown => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return withLineFeeds(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) =>
    typeof item === "object" && item !== null
      ? Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : item,
  );
};

export const fileNameOf = (definition: Definition, seen: Values): string | undefined =>
  definition.body?.name === undefined ? undefined : servedName(definition, seen);

export const hasSameKey = (seen: Values, print: Fingerprint): boolean =>
  print.key === undefined || keyHash(seen, print.by) === print.key;

/** Whether all required fields, the file name and the text are the same. */
export function hasSameContent(definition: Definition, seen: Values, print: Fingerprint): boolean {
  if (contentHash(definition, seen, servedName(definition, seen)) !== print.content) return false;
  const shown = shownText(seen);
  return print.text === undefined || shown === undefined || sha256(shown) === print.text;
}

const digest = (value: unknown) => hash("sha256", JSON.stringify(value), "base64url").slice(0, 22);

const keyHash = (values: Values, by: readonly string[]) =>
  digest(by.map((path) => valueAt(values, path) ?? ""));

function contentHash(definition: Definition, values: Values, name: string | undefined): string {
  const required = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = values[name];
    return isRequired(field) && !field.writeOnly
      ? [[name, typeof value === "string" ? withLineFeeds(value) : (value ?? "")]]
      : [];
  });
  return digest([definition.kind, required, definition.body?.name === undefined ? null : (name ?? null)]);
}

/**
 * At the end of a run, searches for objects of interrupted creates that the program no longer asks for. Nothing else
 * would report them.
 * @returns a sentence for each object that the shop has, or may have
 */
export async function reportInterruptedCreates(shop: Shop, ended: RunEnd): Promise<readonly string[]> {
  for (const key of ended.has) shop.memory.owners.kept(key, "");
  const patient = reportingWaits(shop);
  const lines: string[] = [];
  // One after the other, so that no object is found twice.
  for (const note of await unconfirmed(shop.notes, ended)) {
    const definition = definitionOf(note.kind);
    if (definition === undefined || !isSentTo(markOfShop(shop), note)) continue;
    const line = await leftoverText({ definition, shop: patient, note });
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

/** The shop with a message, once, about why the run waits up to a minute. */
function reportingWaits(shop: Shop): Shop {
  let isTold = false;
  return {
    ...shop,
    async wait(delayMs) {
      const seconds = Math.ceil(shop.plan.patienceMs / 1000);
      if (!isTold)
        shop.say(`waiting up to ${seconds} s: the shop may still carry out a create of an interrupted run`);
      isTold = true;
      await shop.wait(delayMs);
    },
  };
}

async function leftoverText(
  create: InterruptedCreate & { readonly note: Note },
): Promise<string | undefined> {
  const { definition, shop, note } = create;
  try {
    const { id, seen } = await (note.id === undefined
      ? search(create)
      : readObject(definition, shop, note.id).then((read) => ({ id: note.id, seen: read })));
    if (id === undefined) {
      await shop.notes.end(note.kind, note.of);
      return undefined;
    }
    const isOpen =
      typeof seen === "object" &&
      Object.entries(definition.cancel?.when ?? {}).every(([name, value]) => seen[name] === value);
    if (seen !== "hidden" && !isOpen) {
      await shop.notes.confirm(note.kind, id);
      return undefined;
    }
    shop.memory.owners.kept(objectKey(note.kind, id), "");
    return (
      `an earlier run created ${note.kind} ${id}${resourceText(note)}, which is in no state: ` +
      `run up with the resource in the program to adopt it, or delete ${id} in the back office`
    );
  } catch (error) {
    if (error instanceof UndecidedError) return error.message;
    throw error;
  }
}

async function search(create: InterruptedCreate) {
  const { definition, shop, note } = create;
  const seen = await waitForCreated(create, { isGivenUp: mayResend(shop, note) });
  if (seen === undefined) return { id: undefined, seen };
  const id = engineIdOf(definition, seen, note.above);
  await shop.notes.found(note.kind, note.of, id);
  return { id, seen };
}
