/** Whole lists, or their first pages, for adoption and previews. */
import { pathValues } from "../change/identity.ts";
import { NotFoundError } from "../client/errors.ts";
import { type Page, pages, pagesBackwards, type Unreadable } from "../client/paged-lists.ts";
import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";

export type Above = Readonly<Record<string, unknown>>;

export interface ListOptions {
  readonly transport: () => Transport;
  /** Objects on a page; undefined for each list's default. */
  readonly perPage: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Lists = Readonly<ReturnType<typeof openLists>>;

/** An object as the shop showed it at a time. */
export interface SeenAt {
  readonly seen: Values;
  readonly at: number;
}

/** A list, and how many pages were read. */
export interface ReadList {
  readonly objects: readonly Values[];
  /** When the reading began. */
  readonly at: number;
  readonly pages: number;
  /** Pages with objects. */
  readonly filled: number;
  readonly unreadable: Unreadable;
}

const nothing = { objects: [], pages: 0, filled: 0, unreadable: new Map() };

async function collected(read: AsyncIterable<Page>, before: ReadList): Promise<ReadList> {
  const key = (object: Values) => JSON.stringify(object.id ?? object);
  const objects = new Map(before.objects.map((object) => [key(object), object]));
  const unreadable = new Map(before.unreadable);
  let { pages: spent, filled } = before;
  for await (const page of read) {
    for (const object of page.objects) objects.set(key(object), object);
    for (const [id, error] of page.unreadable) unreadable.set(id, error);
    spent += 1;
    if (page.objects.length > 0) filled += 1;
  }
  return { objects: [...objects.values()], at: before.at, pages: spent, filled, unreadable };
}

/** Whether an object has the lists that each object has, with what each of their items has. */
const hasItems = (fields: Definition["fields"], seen: Values): boolean =>
  Object.entries(fields).every(
    ([name, { items, always }]) =>
      items?.fields === undefined ||
      always !== true ||
      (Array.isArray(seen[name]) &&
        listOf(seen[name]).every((item) =>
          Object.entries(items.fields ?? {}).every(
            ([own, field]) => field.always !== true || valuesOf(item)[own] !== undefined,
          ),
        )),
  );

export function openLists(options: ListOptions) {
  const { transport, perPage, now } = options;
  const keyOf = (definition: Definition, above: Above) => JSON.stringify([definition.kind, above]);
  const wholes = new Map<string, Promise<ReadList>>();
  const agains = new Map<string, Promise<ReadList>>();
  const answers = new Map<string, Map<string, SeenAt>>();
  const once = (known: Map<string, Promise<ReadList>>, key: string, work: () => Promise<ReadList>) => {
    const asked = known.get(key) ?? work();
    known.set(key, asked);
    // After a failure the next call tries again.
    asked.catch(() => known.delete(key));
    return asked;
  };
  const given = (above: Above) => ({ ...above, perPage: perPage() });
  const all = (definition: Definition, above: Above) =>
    once(wholes, keyOf(definition, above), () =>
      collected(pages(transport(), definition, given(above)), { ...nothing, at: now() }),
    );
  const parts = new Map<string, ReturnType<typeof openPart>>();
  return {
    /** All objects of a list; read once in a run. */
    all,
    /** The same list, read once more from its last page to its first; once in a run. */
    again: (definition: Definition, above: Above) =>
      once(agains, keyOf(definition, above), async () => {
        const before = await all(definition, above);
        return collected(pagesBackwards(transport(), definition, given(above), before.filled), before);
      }),
    /**
     * Adds what a write was answered with to a list that was read whole before it. If the answer leaves out items or their
     * ids, the list is read again when it is needed.
     */
    answered(definition: Definition, id: string, seen: Values) {
      const { id: _own, ...above } = pathValues(definition, id);
      const key = keyOf(definition, above);
      if (!wholes.has(key)) return;
      if (!hasItems(definition.fields, seen)) {
        for (const known of [wholes, agains, answers]) known.delete(key);
        return;
      }
      const own = answers.get(key) ?? new Map<string, SeenAt>();
      answers.set(key, own.set(String(seen.id), { seen, at: now() }));
    },
    /** What was added to a list since it was read. */
    answers: (definition: Definition, above: Above): Iterable<SeenAt> =>
      answers.get(keyOf(definition, above))?.values() ?? [],
    /** The objects on the first pages. @param mostPages maximum number of pages in all */
    firstPages(definition: Definition, above: Above, mostPages: number): Promise<readonly Values[]> {
      const key = keyOf(definition, above);
      const known = wholes.get(key);
      if (known !== undefined) return known.then(({ objects }) => objects);
      const part = parts.get(key) ?? openPart(definition, above, options);
      parts.set(key, part);
      return part(mostPages);
    },
  };
}

function openPart(definition: Definition, above: Above, { transport, perPage }: ListOptions) {
  const found: Values[] = [];
  let rest: ReturnType<typeof pages> | undefined;
  let read = 0;
  let over = false;
  let reading: Promise<void> = Promise.resolve();
  const fetchPage = async () => {
    rest ??= pages(transport(), definition, { ...above, perPage: perPage(), page: read + 1 });
    try {
      const { value, done } = await rest.next();
      return done === true ? undefined : value;
    } catch (error) {
      // After a failure the next call reads this page again.
      rest = undefined;
      // A shop without this list answers 404.
      if (!(error instanceof NotFoundError && definition.operations.list?.undocumented)) throw error;
      return undefined;
    }
  };
  const next = async (mostPages: number) => {
    while (!over && read < mostPages) {
      const page = await fetchPage();
      read += 1;
      found.push(...(page?.objects ?? []));
      over = page === undefined || page.isLast;
    }
  };
  return async (mostPages: number): Promise<readonly Values[]> => {
    // One after the other: calls share a position in the list.
    const before = reading;
    reading = before.catch(() => undefined).then(() => next(mostPages));
    await reading;
    return found;
  };
}
