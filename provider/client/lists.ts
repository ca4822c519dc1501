/** Lists, page by page. */

import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { call, type ListOptions } from "./call.ts";
import { StuckListError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** A page of a list: what no earlier page had. */
export interface Page {
  readonly objects: readonly Values[];
  readonly isLast: boolean;
}

/**
 * All objects of a list, each once, page by page until a page is short. An object that is added or deleted meanwhile
 * may be missing.
 * @throws StuckListError where the list repeats its pages; ShopError of the class that says what happened
 */
export async function* every(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  options: ListOptions = {},
): AsyncGenerator<Values> {
  for await (const { objects } of pages(transport, definition, given, options)) yield* objects;
}

/** As `every`, a page at a time. */
export async function* pages(
  transport: Transport,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
  options: ListOptions = {},
): AsyncGenerator<Page> {
  const { kind } = definition;
  const operation = definition.operations.list;
  if (operation === undefined) throw new Error(`${kind} has no list`);
  // The largest page that is attested (platform-facts.md, section 4): a larger one may come back cut, and a cut page
  // would look like the last.
  const perPage =
    operation.perPage === undefined ? undefined : Math.min(Number(given.perPage ?? operation.perPage), 250);
  const first = Number(given.page ?? 1);
  const seen = new Set<string>();
  for (let page = first; ; page += 1) {
    // A list without pages that is asked for one may cut itself: its first part would pass for the whole.
    const paging = perPage === undefined ? { page: undefined, perPage: undefined } : { page, perPage };
    // Objects whose number can't be read are reported and left out, and count for the length of the page.
    let unreadable = 0;
    const { onBadValue } = options;
    const counting =
      onBadValue === undefined
        ? {}
        : {
            onBadValue: (bad: Parameters<typeof onBadValue>[0]) => {
              if (bad.field === "id") unreadable += 1;
              onBadValue(bad);
            },
          };
    const input = { ...given, ...paging };
    const answered = (await call(transport, definition, operation, input, counting)) as readonly Values[];
    const objects = answered.filter((object) => isNew(seen, object));
    const length = answered.length + unreadable;
    if (objects.length === 0 && length > 0 && page > first)
      throw new StuckListError(page, { kind, method: operation.method, path: operation.path });
    const isLast = perPage === undefined || length < perPage;
    yield { objects, isLast };
    if (isLast) return;
  }
}

// A list moves while it is read: what slid to the next page is known already.
function isNew(seen: Set<string>, object: Values): boolean {
  const before = seen.size;
  return seen.add(JSON.stringify(object.id ?? object)).size > before;
}
