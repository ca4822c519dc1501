/**
 * What became of a create that may have happened: cut off with its run, or with its answer lost. Its object is looked
 * for before anything is sent again, and whoever can't tell says so (docs/decisions/0010-what-a-create-is-of.md).
 */

import { LostAnswerError, NotFoundError, ShopError } from "../client/errors.ts";
import { every } from "../client/index.ts";
import type { Definition } from "../definition/define.ts";
import { readOwner } from "../names/owner.ts";
import { objectKey, type Shop } from "../run/context.ts";
import type { Fingerprint, Note } from "../run/notes.ts";
import { engineIdOf, valueAt } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { hasPrintedContent, hasPrintedKey } from "./fingerprint.ts";
import { idsOf, observe, whole } from "./observe.ts";

/** A create that may have happened and can't be told from others, or not be sent again: a person must look. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/** What fails after an answer was lost says nothing of the write itself. @param write in words: `the update of Coupon 5` */
export function unsure(write: string, error: unknown): unknown {
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
export interface Look {
  /** Whether it is sent again, or forgotten, where nothing is found: until then another create's object may have no owner yet. */
  readonly isLast?: boolean;
  /** Whether a person has looked, and said that another may be created: of a create of an earlier run. */
  readonly isGivenUp?: boolean;
}

/**
 * The object that a noted create made; undefined where the shop has none.
 * @throws UndecidedError where several could be it, or one has its key and another content
 */
export async function findLost(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  { isLast = false, isGivenUp = false }: Look = {},
): Promise<Values | undefined> {
  if (definition.singleton !== undefined) {
    const only = await observe(definition, shop, definition.one);
    return typeof only === "object" && hasPrintedContent(definition, only, note.print) ? only : undefined;
  }
  const free = (await candidates(definition, shop, note, isGivenUp)).filter(
    (seen) => !isOlder(seen, note, shop) && !isTaken(definition, shop, note, seen),
  );
  const found = free.filter((seen) => hasPrintedKey(seen, note.print));
  const bodies = await Promise.all(found.map((seen) => whole(definition, shop, seen, note.above)));
  const there = bodies.filter((seen) => seen !== undefined);
  const named = there.filter((seen) => hasPrintedContent(definition, seen, note.print));
  // Beside one of the name, a new one without any may be it as well: the other's create may be just as young.
  const nameless = renamedOf(definition, free, note).filter((seen) => hasNoKey(seen, note.print));
  const same = named.length === 1 ? [...named, ...nameless] : named;
  if (same.length === 1) return same[0];
  const what = `a create of ${definition.kind}${resourceText(note)} was interrupted`;
  if (same.length > 1)
    throw new UndecidedError(
      `${what}, and the shop now has ${same.length} that could be it: ${idsOf(same)}. Delete the duplicates, then set adopt to the id of the one to keep`,
    );
  if (there.length > 0 && definition.unique === true)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsOf(there)} with the same ${note.print.by.at(-1)} and other content: set adopt to its id to take it over, or delete it`,
    );
  const isDecided = isLast && !isGivenUp;
  // Created since, under the name that was asked for: staff may have edited just the one that was lost.
  const edited = note.print.key === undefined ? [] : there.filter(isDated);
  if (isDecided && edited.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsOf(edited)}, created since then, with the same ${note.print.by.at(-1)} and other content: somebody may have edited it. ` +
        `Set adopt to its id to take it over, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  const unnamed = isDecided ? renamedOf(definition, free, note) : [];
  if (unnamed.length > 0)
    throw new UndecidedError(
      `${what}, and the shop now has ${idsOf(unnamed)}, created since then, with the same content and another ${note.print.by.at(-1)}: the shop may not have taken that. ` +
        `Leave it out and set adopt to its id to take it over, delete it, or run again with --resend ${nameOfResource(note)} to create another`,
    );
  return undefined;
}

/** What was created since as it was asked for, but for its natural key: a shop may have left that out. One that must have it has not. */
const renamedOf = (definition: Definition, free: readonly Values[], { print }: Omit<Note, "id">) =>
  definition.unique === true
    ? []
    : free.filter(
        (seen) => isDated(seen) && !hasPrintedKey(seen, print) && hasPrintedContent(definition, seen, print),
      );

const hasNoKey = (seen: Values, { by }: Fingerprint): boolean =>
  by.every((path) => (valueAt(seen, path) ?? "") === "");

/**
 * Looks at once, then with growing pauses until the create is old enough: a commit may come after its answer, or after
 * the run that asked for it.
 * @param sentAt when it was sent for the last time
 * @throws UndecidedError as `findLost`
 */
export async function findPatiently(
  definition: Definition,
  shop: Shop,
  note: Omit<Note, "id">,
  { sentAt = note.at, isGivenUp = false }: Pick<Look, "isGivenUp"> & { readonly sentAt?: number } = {},
): Promise<Values | undefined> {
  // A note of a machine whose clock was ahead asks for no more patience than one of now.
  const forMs = Math.max(0, Math.min(0, sentAt - shop.now()) + shop.plan.patienceMs);
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const found = await findLost(definition, shop, note, {
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
export const isResent = (shop: Shop, note: Pick<Note, "of">): boolean =>
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
export function isTaken(definition: Definition, shop: Shop, note: Omit<Note, "id">, seen: Values): boolean {
  const id = engineIdOf(definition, seen, note.above);
  const key = objectKey(definition.kind, id);
  const { owners } = shop.memory;
  return (
    owners.owner(key) !== undefined ||
    owners.leaves(key) ||
    // What the state still has to delete isn't asked about: no diff says that it makes room.
    shop.notes.inState(definition.kind, id, note.of) !== undefined ||
    shop.notes.isOthers(definition.kind, id, note.of) ||
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
