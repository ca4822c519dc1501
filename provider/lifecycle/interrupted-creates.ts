/**
 * What became of a create that may have happened: cut off with its run, or with its answer lost. Its object is looked
 * for before anything is sent again, and whoever can't tell says so (docs/decisions/0010-finding-an-interrupted-create.md).
 */

import { createHash } from "node:crypto";
import { shownText, textOf, wantedBodyHash, wantedFileName } from "../body/arguments.ts";
import { sha256 } from "../body/body.ts";
import { LostAnswerError, NotFoundError, ShopError } from "../client/errors.ts";
import { every } from "../client/index.ts";
import { type Definition, isRequired, isReturnedArgument } from "../definition/define.ts";
import { objectKey, readOwner } from "../names/owner.ts";
import { definitionOf } from "../resources/index.ts";
import { markOfShop, type Shop } from "../run/context.ts";
import { type Fingerprint, isSentTo, type Note, type RunEnd, unconfirmed } from "../run/create-notes.ts";
import { servedName } from "../values/compare.ts";
import { engineIdOf, valueAt } from "../values/identity.ts";
import { setPaths } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { withLineFeeds } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { idsText, readObject, whole } from "./observe.ts";

/** A create that may have happened and can't be told from others, or not be sent again: a person must look. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/** What fails after an answer was lost says nothing of the write itself. @param write in words: `the update of Coupon 5` */
export function uncertainWrite(write: string, error: unknown): unknown {
  if (!(error instanceof ShopError) || error instanceof LostAnswerError) return error;
  return new Error(
    `${write} may have happened: its answer was lost. After that, ${error.message}. ` +
      "The next run looks at the shop before it sends anything",
    { cause: error },
  );
}

/** The two clocks differ by less than this where an answer has told how far they are apart; its stamps are whole seconds. */
const knownSkewMs = 5_000;
/** And this much is allowed where nothing is known of the shop's clock. */
const unknownSkewMs = 120_000;

/** How a create's object is looked for. */
export interface SearchOptions {
  /** Whether it is sent again, or forgotten, where nothing is found: until then another create's object may have no owner yet. */
  readonly isLast?: boolean;
  /** Whether a person has looked, and said that another may be created: of a create of an earlier run. */
  readonly isGivenUp?: boolean;
}

/**
 * The object that a noted create made; undefined where the shop has none.
 * @throws UndecidedError where several could be it, or one has its key and another content
 */
export async function findCreated(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  { isLast = false, isGivenUp = false }: SearchOptions = {},
): Promise<Values | undefined> {
  if (definition.singleton !== undefined) {
    const only = await readObject(definition, shop, definition.one);
    return typeof only === "object" && hasSameContent(definition, only, note.print) ? only : undefined;
  }
  const free = (await candidates(definition, shop, note, isGivenUp)).filter(
    (seen) => !isOlder(seen, note, shop) && !belongsToOther(definition, shop, note, seen),
  );
  const leftoverText = free.filter((seen) => hasSameKey(seen, note.print));
  const bodies = await Promise.all(leftoverText.map((seen) => whole(definition, shop, seen, note.above)));
  const there = bodies.filter((seen) => seen !== undefined);
  const named = there.filter((seen) => hasSameContent(definition, seen, note.print));
  // Beside one of the name, a new one without any may be it as well: the other's create may be just as young.
  const nameless = createdUnderOtherKey(definition, free, note).filter((seen) => hasNoKey(seen, note.print));
  const same = named.length === 1 ? [...named, ...nameless] : named;
  if (same.length === 1) return same[0];
  const what = `a create of ${definition.kind}${resourceText(note)} was interrupted`;
  if (same.length > 1)
    throw new UndecidedError(
      `${what}, and the shop now has ${same.length} that could be it: ${idsText(same)}. Delete the duplicates, then set adopt to the id of the one to keep`,
    );
  if (there.length > 0 && definition.unique === true)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(there)} with the same ${note.print.by.at(-1)} and other content: set adopt to its id to take it over, or delete it`,
    );
  const isDecided = isLast && !isGivenUp;
  // Created since, under the name that was asked for: staff may have edited just the one that was lost.
  const edited = note.print.key === undefined ? [] : there.filter(isDated);
  if (isDecided && edited.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(edited)}, created since then, with the same ${note.print.by.at(-1)} and other content: somebody may have edited it. ` +
        `Set adopt to its id to take it over, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  const unnamed = isDecided ? createdUnderOtherKey(definition, free, note) : [];
  if (unnamed.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsText(unnamed)}, created since then, with the same content and another ${note.print.by.at(-1)}: the shop may not have taken that. ` +
        `Leave it out and set adopt to its id to take it over, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  return undefined;
}

/** What was created since as it was asked for, but for its natural key: a shop may have left that out. One that must have it has not. */
const createdUnderOtherKey = (
  definition: Definition,
  free: readonly Values[],
  { print }: Omit<Note, "id">,
) =>
  definition.unique === true
    ? []
    : free.filter(
        (seen) => isDated(seen) && !hasSameKey(seen, print) && hasSameContent(definition, seen, print),
      );

const hasNoKey = (seen: Values, { by }: Fingerprint): boolean =>
  by.every((path) => (valueAt(seen, path) ?? "") === "");

/**
 * Looks at once, then with growing pauses until the create is old enough: a commit may come after its answer, or after
 * the run that asked for it.
 * @param sentAt when it was sent for the last time
 * @throws UndecidedError as `findLost`
 */
export async function waitForCreated(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  {
    sentAt = note.at,
    isGivenUp = false,
  }: Pick<SearchOptions, "isGivenUp"> & { readonly sentAt?: number } = {},
): Promise<Values | undefined> {
  // A note of a machine whose clock was ahead asks for no more patience than one of now.
  const forMs = Math.max(0, Math.min(0, sentAt - shop.now()) + shop.plan.patienceMs);
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const found = await findCreated(definition, shop, note, {
      isLast: waitedMs >= forMs,
      isGivenUp,
    });
    if (found !== undefined || waitedMs >= forMs) return found;
    const nextMs = Math.min(pauseMs, forMs - waitedMs);
    await shop.wait(nextMs);
    waitedMs += nextMs;
  }
}

/** Whether a person has said that it may be sent again: what was sent before. */
export const mayResend = (shop: Shop, note: Pick<Note, "of">): boolean =>
  shop.plan.resent.has(nameOfResource(note));

const nameOfResource = ({ of }: Pick<Note, "of">): string => readOwner(of).name ?? of;

const isDated = ({ createdAt }: Values): boolean => typeof createdAt === "string";

/** ` (resource sale10)`, where it is known. */
export function resourceText({ of }: Pick<Note, "of">): string {
  const { name } = readOwner(of);
  return name === undefined ? "" : ` (resource ${name})`;
}

async function candidates(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  isGivenUp: boolean,
): Promise<readonly Values[]> {
  const since = definition.operations.list?.since ? { updatedSince: dayBefore(note.at) } : {};
  const given = { ...note.above, ...since };
  const found: Values[] = [];
  try {
    // Another object's value that can't be read is no reason to miss this one.
    const onBadValue = () => {};
    for await (const seen of every(shop.transport, definition, given, { onBadValue })) found.push(seen);
    return found;
  } catch (cause) {
    if (!(cause instanceof NotFoundError && definition.operations.list?.undocumented)) throw cause;
    if (isGivenUp) return [];
    throw new UndecidedError(
      `a create of ${definition.kind}${resourceText(note)} was interrupted, and this shop doesn't let such objects be read: ` +
        "look in the back office; if it is there set adopt to its id, if not run again with --resend and the resource's name",
      { cause },
    );
  }
}

/** Whether an object is another resource's, or this resource's own from before. */
export function belongsToOther(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  seen: Values,
): boolean {
  const id = engineIdOf(definition, seen, note.above);
  const key = objectKey(definition.kind, id);
  const { owners } = shop.memory;
  return (
    owners.owner(key) !== undefined ||
    owners.leaves(key) ||
    // What the state still has to delete isn't asked about: no diff says that it makes room.
    shop.notes.inState(definition.kind, id, note.of) !== undefined ||
    shop.notes.isOfOther(definition.kind, id, note.of) ||
    shop.notes.heldElsewhere(definition.kind, id, note) !== undefined
  );
}

function isOlder(seen: Values, note: Omit<Note, "id">, shop: Shop): boolean {
  if (typeof seen.createdAt !== "string") return false;
  // A note of a run that had heard nothing of the shop's clock: what is heard now holds for it as well.
  const skewMs = note.skewMs ?? shop.skewMs();
  const toleranceMs = skewMs === undefined ? unknownSkewMs : knownSkewMs;
  return Date.parse(seen.createdAt) < note.at + (skewMs ?? 0) - toleranceMs;
}

const dayBefore = (at: number) => new Date(at - 86_400_000).toISOString().slice(0, 10);

/**
 * The fingerprint of what arguments ask for.
 * @param folder where their files are
 */
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

/** Whether an object is in all that was stated as it was made; false also where a shop spells a value its own way. */
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
    // An empty list is told from one that got an item since by its length alone.
    if (inner === undefined) return [[path, fields === undefined ? plain(values[name]) : items.length]];
    // What the shop changes by itself tells nothing.
    if (fields?.[inner]?.serverManaged) return [];
    return [[path, items.map((item) => plain(item[inner]))]];
  });
  return hash(stated);
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

/** A file's name as its address has it. */
export const fileNameOf = (definition: Definition, seen: Values): string | undefined =>
  definition.body?.name === undefined ? undefined : servedName(definition, seen);

/** Whether an object that was read has the natural key that was asked for; any has where there is none. */
export const hasSameKey = (seen: Values, print: Fingerprint): boolean =>
  print.key === undefined || keyHash(seen, print.by) === print.key;

/** Whether it is in all that can be read what was asked for: content counts for every kind. */
export function hasSameContent(definition: Definition, seen: Values, print: Fingerprint): boolean {
  if (contentHash(definition, seen, servedName(definition, seen)) !== print.content) return false;
  const shown = shownText(seen);
  return print.text === undefined || shown === undefined || sha256(shown) === print.text;
}

const hash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const keyHash = (values: Values, by: readonly string[]) =>
  hash(by.map((path) => valueAt(values, path) ?? ""));

function contentHash(definition: Definition, values: Values, name: string | undefined): string {
  const required = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = values[name];
    return isRequired(field) && !field.writeOnly
      ? [[name, typeof value === "string" ? withLineFeeds(value) : (value ?? "")]]
      : [];
  });
  return hash([definition.kind, required, definition.body?.name === undefined ? null : (name ?? null)]);
}

/**
 * Looks for the objects of creates that were cut off.
 * @returns a sentence for each that the shop has, or may have
 */
export async function reportInterruptedCreates(shop: Shop, ended: RunEnd): Promise<readonly string[]> {
  for (const key of ended.has) shop.memory.owners.kept(key, "");
  const patient = reportingWaits(shop);
  const lines: string[] = [];
  // One after the other: what one finds the next must not take for its own.
  for (const note of await unconfirmed(shop.notes, ended)) {
    const definition = definitionOf(note.kind);
    if (definition === undefined || !isSentTo(markOfShop(shop), note)) continue;
    const line = await found(definition, patient, note);
    if (line === undefined) continue;
    lines.push(line);
  }
  return lines;
}

/** The shop, for a look that may take a minute: whoever watches is told once why nothing ends. */
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

async function found(definition: Definition, shop: Shop, note: Note): Promise<string | undefined> {
  try {
    const id = note.id ?? (await search(definition, shop, note));
    if (id === undefined) {
      await shop.notes.end(note.kind, note.of);
      return undefined;
    }
    const seen = await readObject(definition, shop, id);
    const isOpen =
      typeof seen === "object" &&
      Object.entries(definition.cancel?.when ?? {}).every(([name, value]) => seen[name] === value);
    if (seen !== "hidden" && !isOpen) {
      await shop.notes.confirm(note.kind, id);
      return undefined;
    }
    shop.memory.owners.kept(objectKey(note.kind, id), "");
    return (
      `a create of ${note.kind}${resourceText(note)} was interrupted in an earlier run, and the shop has its object, ${id}, which is in no state: ` +
      `put the resource back into the program and run up to take it over, or delete ${id} in the back office`
    );
  } catch (error) {
    if (error instanceof UndecidedError) return error.message;
    throw error;
  }
}

async function search(definition: Definition, shop: Shop, note: Note): Promise<string | undefined> {
  const seen = await waitForCreated(definition, shop, note, { isGivenUp: mayResend(shop, note) });
  if (seen === undefined) return undefined;
  const id = engineIdOf(definition, seen, note.above);
  await shop.notes.found(note.kind, note.of, id);
  return id;
}
