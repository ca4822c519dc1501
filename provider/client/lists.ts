/** Lists, page by page. */

import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { type BadValue, callList, type ListOptions } from "./call.ts";
import { StuckListError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** A page of a list: what no earlier page had. */
export interface Page {
  readonly objects: readonly Values[];
  /** Known of a page that is empty, and of one that is shorter than the shop makes a page where more follows. */
  readonly isLast: boolean;
  /** How many objects the shop gives on a page where more follow; undefined while only one that is short was seen. */
  readonly size: number | undefined;
  /** Why an object of the page can't be read, by its number: it stands among the others without that value. */
  readonly unreadable: Unreadable;
}

/** What can't be read, by the object's number; under an empty text where that is it, and the object is left out. */
export type Unreadable = ReadonlyMap<string, Error>;

/** Where a list is read on. */
export interface PageOptions extends ListOptions {
  /** How many objects the shop gives on a page of this list, as an earlier reading has shown. */
  readonly size?: number | undefined;
}

/**
 * All objects of a list, each once, page by page to its end. An object that is added or deleted meanwhile may be missing.
 * @throws StuckListError where the list repeats its pages; ShopError of the class that says what happened
 */
export async function* every(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  options: ListOptions = {},
): AsyncGenerator<Values> {
  for await (const { objects, unreadable } of pages(transport, definition, given, options)) {
    const [error] = unreadable.values();
    if (error !== undefined && options.onBadValue === undefined) throw error;
    yield* objects;
  }
}

/**
 * As `every`, a page at a time. The shop decides how many objects a page has, whatever it was asked for: a page that is
 * shorter than was asked ends a list only where an earlier one has shown how long the shop's pages are. Where none has,
 * the next page tells, and is asked for when whoever reads goes on.
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
  // The largest page that is attested (platform-facts.md, section 4).
  const asked =
    operation.perPage === undefined ? undefined : Math.min(Number(given.perPage ?? operation.perPage), 250);
  const first = Number(given.page ?? 1);
  const seen = new Set<string>();
  let size = options.size;
  let longest = 0;
  for (let page = first; ; page += 1) {
    // A list without pages that is asked for one may cut itself: its first part would pass for the whole.
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
    // A shop that has no pages of a list answers with all of it, whatever page it is asked for.
    const isUnpaged = isRepeated && size === undefined && length === longest;
    if (isRepeated && !isUnpaged)
      throw new StuckListError(page, { kind, method: operation.method, path: operation.path });
    longest = Math.max(longest, length);
    if (asked !== undefined && !isUnpaged && (longest >= asked || (page > first && length > 0)))
      size = Math.max(size ?? 0, longest);
    const isLast = asked === undefined || length === 0 || isUnpaged || (size !== undefined && length < size);
    yield { objects, isLast, size, unreadable };
    if (isLast) return;
  }
}

/** One page. Objects whose number can't be read are left out, and count for its length. */
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
 * The pages of a list that were read already, from the last but one to the first: what is deleted while a list is read
 * moves what is behind it to a page that was read before.
 * @param read how many pages had objects
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

// A list moves while it is read: what slid to the next page is known already.
function isNew(seen: Set<string>, object: Values): boolean {
  const before = seen.size;
  return seen.add(JSON.stringify(object.id ?? object)).size > before;
}
