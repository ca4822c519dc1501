/** Reads of the shop: one object by its id, or by its natural key. */

import {
  above,
  engineIdOf,
  hasKey,
  isOtherObject,
  keyOf,
  keyText,
  parentNames,
  parentsText,
  pathValues,
} from "../change/identity.ts";
import { isSecretPath } from "../change/secrets.ts";
import { callObject, type Input } from "../client/call.ts";
import { NotFoundError, ValidationError } from "../client/errors.ts";
import { pagesThereAndBack, type Unreadable } from "../client/paged-lists.ts";
import { keyIn, type NewObject, type ObjectRef, type Shop, type StateObject } from "../context/context.ts";
import type { StepRead } from "../context/notices.ts";
import type { FindOptions } from "../context/reads.ts";
import type { Definition } from "../definition/define.ts";
import { ownerIn } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";

/** An object that can't be adopted; the argument is at fault, and not the run. */
export class AdoptionError extends Error {
  override readonly name = "AdoptionError";
}

/** Whether the shop rejected the values because another object has the key. */
export const isTakenKey = (error: unknown): error is ValidationError =>
  error instanceof ValidationError && error.messages.some((text) => /already been taken|уже/i.test(text));

/** The object; `gone`; or `hidden` if the shop doesn't return such objects. */
export type ReadResult = Values | "gone" | "hidden";

/**
 * Whether a list isn't enough: lists of theme files have no text, and no address that shows an edited picture
 * (interface.md, Assets).
 */
export const isReadAlone = ({ body }: Definition): boolean => body?.text !== undefined;

/** Notices a read, because the run that carries out the plan reads the object again. */
export function noticeRead({ definition, shop, id, args }: LookedAt, before: StepRead): void {
  const { kind } = definition;
  const above = parentsText(definition, id);
  shop.notice({ type: "looks", kind, id, above, before, ...(args !== undefined && { of: ownerIn(args) }) });
}

interface LookedAt extends Pick<ObjectRef, "definition" | "id"> {
  readonly shop: Pick<Shop, "notice">;
  /** For a create or a get. */
  readonly args?: Values;
}

/**
 * Reads one object. If the kind has no operation for that, it is found in the list (interface.md, Files).
 * @param whole the run's shared reads of whole lists, if a search by key follows
 */
export async function readObject(
  definition: Definition,
  shop: Pick<Shop, "transport">,
  id: string,
  withText?: Shop["reads"],
): Promise<ReadResult> {
  const { get } = definition.operations;
  const names = [...parentNames(definition), "id"];
  if (definition.singleton === undefined && id.split("/").length !== names.length)
    throw new AdoptionError(
      `${id} is not an id of ${definition.kind}: write <${names.join(">/<")}>, such as ${names.map((_name, index) => 93_238 + index).join("/")}`,
    );
  const place = pathValues(definition, id);
  if (get === undefined) return findInList(definition, shop, place, withText);
  try {
    const seen = await callObject(shop.transport, definition, get, place);
    if (seen === undefined) return "gone";
    return definition.singleton !== undefined && seen[definition.singleton] === undefined ? "gone" : seen;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // Shops without this operation answer 404 too: the list shows which it is.
    return get.undocumented ? findInList(definition, shop, place, withText) : "gone";
  }
}

async function findInList(
  definition: Definition,
  shop: Pick<Shop, "transport">,
  place: Input,
  whole?: Shop["reads"],
): Promise<ReadResult> {
  const { id, ...given } = place;
  const isIt = (seen: Values) => String(seen.id) === String(id);
  try {
    if (whole !== undefined) {
      const first = await whole.all(definition, given);
      const { objects, unreadable } = first.objects.some(isIt) ? first : await whole.again(definition, given);
      const found = objects.find(isIt);
      return found === undefined ? missing(unreadable) : readable(found, unreadable);
    }
    const errors = new Map<string, Error>();
    for await (const { objects, unreadable } of pagesThereAndBack(shop.transport, definition, given)) {
      const found = objects.find(isIt);
      if (found !== undefined) return readable(found, unreadable);
      for (const [of, error] of unreadable) errors.set(of, error);
    }
    return missing(errors);
  } catch (error) {
    if (error instanceof NotFoundError) return definition.operations.list?.undocumented ? "hidden" : "gone";
    throw error;
  }
}

/** The result where no list shows an object. @throws Error if the lists may have left it out */
function missing(unreadable: Unreadable): "gone" {
  const error = unreadable.get("");
  if (error !== undefined) throw error;
  return "gone";
}

/** An object of a list. @throws UnreadableValueError where it has a value that can't be read */
function readable(found: Values, unreadable: Unreadable): Values {
  const error = unreadable.get(String(found.id));
  if (error !== undefined) throw error;
  return found;
}

/** The object from a list, if many reads make a page cheaper; undefined if it must be read by itself. */
export function readFromList(
  { definition, shop, id }: ObjectRef,
  how: FindOptions,
): Promise<Values | undefined> {
  if (isReadAlone(definition)) return Promise.resolve(undefined);
  return shop.reads.find(definition, id, how);
}

/** The objects with the natural key of the arguments, of those on the first page of the list. */
export async function onFirstPage({ definition, shop, args }: NewObject): Promise<readonly Values[]> {
  const key = keyOf(definition, args);
  if (key === undefined || definition.operations.list === undefined) return [];
  const page = await shop.reads.firstPages(definition, above(definition, args), 1);
  return page.filter((one) => hasKey(one, key));
}

/**
 * The object with the natural key of the arguments; undefined if there is none.
 * @throws AdoptionError if the arguments have no key, or several objects match
 */
export async function findByKey({ definition, shop, args }: NewObject): Promise<Values | undefined> {
  const key = keyOf(definition, args);
  if (key === undefined) {
    const keys = (definition.keys ?? []).map((paths) => paths.join(" + ")).join(", or ");
    throw new AdoptionError(
      `adopt: "key" finds a ${definition.kind} by its ${keys}: set that, or write the id instead of "key"`,
    );
  }
  const place = above(definition, args);
  const isIt = (seen: Values) => hasKey(seen, key);
  const first = await shop.reads.all(definition, place);
  // Reads again before a create: a delete meanwhile may have moved the object to a page that was read before.
  const list = first.objects.some(isIt) ? first : await shop.reads.again(definition, place);
  const found = list.objects.filter(isIt);
  const singles = definition.body?.text !== undefined && found.length === 1 ? 1 : 0;
  const { pages, objects } = list;
  const looked = {
    pages,
    objects: objects.length,
    singles,
    ...(found.length === 0 && { isForCreate: true as const }),
  };
  shop.notice({ type: "lists", kind: definition.kind, above: JSON.stringify(place), ...looked });
  const [only, ...others] = found;
  if (only === undefined) {
    missing(list.unreadable);
    return undefined;
  }
  if (others.length === 0) return whole(definition, shop, readable(only, list.unreadable), args);
  throw new AdoptionError(
    `adopt: "key" found ${found.length} of ${definition.kind} with ${shownKey(args, key)}: write the id of one of ${idsText(found)} instead`,
  );
}

/** The natural key for a message, without secrets. */
export function shownKey(args: Values, key: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(key).map(([path, value]) => [path, isSecretPath(args, path) ? hidden : value]);
  return keyText(Object.fromEntries(shown));
}

/** The object with its text, which lists don't have. Undefined if it was deleted since. */
export async function whole(
  definition: Definition,
  shop: Pick<Shop, "transport">,
  seen: Values,
  args: Values,
): Promise<Values | undefined> {
  if (definition.body?.text === undefined) return seen;
  const read = await readObject(definition, shop, engineIdOf(definition, seen, args));
  return typeof read === "object" ? read : undefined;
}

/** `549735, 549736`. */
export const idsText = (found: readonly Values[]): string => found.map(({ id }) => id).join(", ");

/** What was read, or `gone` if the shop has given the id to another object since. */
export function ownOnly({ definition, shop, id, olds }: StateObject, seen: ReadResult): ReadResult {
  if (typeof seen !== "object" || !isOtherObject(definition, olds, seen)) return seen;
  shop.say(
    `${definition.kind} ${id} was deleted in the shop, and its id now belongs to another object, created ${seen.createdAt}, which stays`,
  );
  return "gone";
}

/** Older pages don't count as a read of the current object. */
const mostAgeMs = 60_000;

/** For how long the read of the diff serves for the write. */
export const reuseMs = 10_000;

/**
 * Reads an object before it is changed or deleted; once for each change.
 * @param isReplacement whether its replacement is created first: then the read serves as long as a page does
 */
export async function readForWrite(object: StateObject, isReplacement = false): Promise<ReadResult> {
  const { definition, shop, id } = object;
  const known = shop.memory.recentReads.get(keyIn(object));
  if (known !== undefined && shop.now() - known.at <= known.mostAgeMs) return known.seen;
  await shop.reads.ready(definition, id);
  const found = await readFromList(object, { isPlanned: true, mostAgeMs });
  const seen = ownOnly(object, found ?? (await readObject(definition, shop, id)));
  if (typeof seen === "object")
    shop.memory.recentReads.set(keyIn(object), {
      seen,
      at: shop.now(),
      mostAgeMs: isReplacement ? mostAgeMs : reuseMs,
    });
  return seen;
}
