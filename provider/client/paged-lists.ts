/** Reads lists page by page. */

import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { type BadValue, callList, type ListOptions } from "./call.ts";
import { StuckListError } from "./errors.ts";
import type { Transport } from "./transport.ts";

export interface Page {
  readonly objects: readonly Values[];
  /** True for an empty page, and for one that is shorter than the shop's page size. */
  readonly isLast: boolean;
  /** The shop's page size; undefined while only one short page was read. */
  readonly size: number | undefined;
  /** Errors by object id: these objects lack a value. */
  readonly unreadable: Unreadable;
}

/** Errors by object id; with an empty id, objects may be left out. */
export type Unreadable = ReadonlyMap<string, Error>;

export interface PageOptions extends ListOptions {
  /** The shop's page size, if an earlier reading found it. */
  readonly size?: number | undefined;
}

/**
 * All objects of a list, each once. Objects that are added or deleted meanwhile may be missing.
 * @throws StuckListError if the list repeats its pages; ShopError (a subclass for each cause)
 */
export async function* every(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  options: ListOptions = {},
): AsyncGenerator<Values> {
  for await (const { objects, unreadable } of pages(transport, definition, given, options)) {
    // A shop without pages shows all that it has.
    const error = [...unreadable.values()].find((one) => !(one instanceof StuckListError));
    if (error !== undefined && options.onBadValue === undefined) throw error;
    yield* objects;
  }
}

/**
 * As `every`, a page at a time. The shop decides about the page size, so a short page ends the list only if an earlier page
 * showed the size. Otherwise the next page is requested when the caller continues.
 */
export async function* pages(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  options: PageOptions = {},
): AsyncGenerator<Page> {
  const { kind } = definition;
  const operation = definition.operations.list;
  if (operation === undefined) throw new Error(`${kind} has no list`);
  // The largest known page size (platform-facts.md, section 4).
  const asked =
    operation.perPage === undefined ? undefined : Math.min(Number(given.perPage ?? operation.perPage), 250);
  const first = Number(given.page ?? 1);
  const seen = new Set<string>();
  let size = options.size;
  let longest = 0;
  for (let page = first; ; page += 1) {
    // A list without pages might still cut its response if a page is requested.
    const paging = asked === undefined ? { page: undefined, perPage: undefined } : { page, perPage: asked };
    const { answered, length, bad } = await pageOf(transport, definition, { ...given, ...paging });
    const objects = answered.filter((object) => isNew(seen, object));
    const fresh = new Set(objects.map(({ id }) => String(id)));
    const unreadable = new Map<string, Error>();
    for (const { value, error } of bad) {
      const id = value.id ?? "";
      if (value.id !== undefined && !fresh.has(id)) continue;
      unreadable.set(id, unreadable.get(id) ?? error);
      options.onBadValue?.(value, error);
    }
    const isRepeated = objects.length === 0 && length > 0 && page > first;
    // A shop without pages returns the whole list for any page. A cache may return the first page.
    const isUnpaged = isRepeated && size === undefined && length === longest;
    const stuck = new StuckListError(page, { kind, method: operation.method, path: operation.path });
    if (isRepeated && !isUnpaged) throw stuck;
    if (isUnpaged) unreadable.set("", unreadable.get("") ?? stuck);
    longest = Math.max(longest, length);
    if (asked !== undefined && !isUnpaged && (longest >= asked || (page > first && length > 0)))
      size = Math.max(size ?? 0, longest);
    const isLast = asked === undefined || length === 0 || isUnpaged || (size !== undefined && length < size);
    yield { objects, isLast, size, unreadable };
    if (isLast) return;
  }
}

/** Reads one page. Objects without a readable id are left out, but counted. */
async function pageOf(
  transport: Transport,
  definition: Definition,
  input: Readonly<Record<string, unknown>>,
): Promise<{ readonly answered: readonly Values[]; readonly length: number; readonly bad: readonly Bad[] }> {
  const bad: Bad[] = [];
  const onBadValue = (value: BadValue, error: Error) => void bad.push({ value, error });
  const answered = await callList(transport, definition, input, { onBadValue });
  return { answered, length: answered.length + bad.filter(({ value }) => value.field === "id").length, bad };
}

interface Bad {
  readonly value: BadValue;
  readonly error: Error;
}

/**
 * Reads the pages again that were already read, from the last but one to the first. A delete during the reading moves objects
 * to an earlier page.
 * @param read number of pages that had objects
 */
export async function* pagesBackwards(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  read: number,
): AsyncGenerator<Page> {
  for (let page = read - 1; page >= 1; page -= 1) {
    const { value } = await pages(transport, definition, { ...given, page }).next();
    if (value !== undefined) yield value;
  }
}

/** As `pages`, and then backwards: an object that is in no page is not in the list. */
export async function* pagesThereAndBack(
  ...[transport, definition, given]: Parameters<typeof every>
): AsyncGenerator<Page> {
  let read = 0;
  for await (const page of pages(transport, definition, given)) {
    if (page.objects.length > 0) read += 1;
    yield page;
  }
  yield* pagesBackwards(transport, definition, given, read);
}

// An object may move to the next page during the reading.
function isNew(seen: Set<string>, object: Values): boolean {
  const before = seen.size;
  return seen.add(JSON.stringify(object.id ?? object)).size > before;
}
