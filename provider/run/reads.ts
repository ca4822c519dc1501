/**
 * Reads become lists: many reads of one kind cost pages, not objects (500 requests in five minutes is what a shop
 * gives). Nobody says beforehand how many will come, so each moment decides from what has come: a page is fetched while
 * the reads that wait, and those that pages answered before, outweigh the pages that answered none; otherwise each
 * object is asked for by itself. A handful of objects in a huge shop stays a handful of requests. Where a plan was made
 * before, it is known which of the two is cheaper, and that is done.
 */
import { NotFoundError } from "../client/errors.ts";
import { pages } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import type { ReadMode } from "../settings/told.ts";
import { where } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";

/** An object as a list showed it. */
export interface Listed {
  readonly seen: Values;
  /** The page that showed it, from 1. */
  readonly page: number;
}

export interface Reads {
  /**
   * An object as a list shows it, undefined where it must be asked for by itself.
   * @param mostAgeMs milliseconds since the page was read; an older one doesn't count
   */
  find(definition: Definition, id: string, mostAgeMs?: number): Promise<Listed | undefined>;
  /** The object was written: what lists showed before is the time before. */
  written(definition: Definition, id: string): void;
  /** All objects of a list as it was when the run first asked; many adoptions cost it once. */
  all(definition: Definition, above: Above): Promise<Whole>;
  /**
   * The list as far as so many pages of it show it, read once: what a preview may spend to look for an equal object.
   * @param mostPages pages that may be spent in all
   */
  some(definition: Definition, above: Above, mostPages: number): Promise<readonly Values[]>;
}

/** A list, and the pages that it took. */
export interface Whole {
  readonly objects: readonly Values[];
  readonly pages: number;
}

type Above = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  readonly transport: () => Transport;
  /** Objects on a page, each list's own default where undefined. */
  readonly perPage: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What a plan found to be cheaper for a list; undefined where nobody planned. */
  readonly mode?: (definition: Definition, above: Above) => ReadMode | undefined;
}

/** A page that answers nobody must be paid for by so many reads. */
const worth = 4;

export function openReads(options: ReadOptions): Reads {
  const { transport, perPage } = options;
  const lists = new Map<string, List>();
  const keyOf = (definition: Definition, above: Above) => JSON.stringify([definition.kind, above]);
  const listOf = (definition: Definition, id: string) => {
    const { id: _own, ...above } = where(definition, id);
    const key = keyOf(definition, above);
    const found = lists.get(key) ?? openList(definition, above, options);
    lists.set(key, found);
    return found;
  };
  const wholes = new Map<string, Promise<Whole>>();
  const whole = async (definition: Definition, above: Above): Promise<Whole> => {
    const objects: Values[] = [];
    let read = 0;
    for await (const page of pages(transport(), definition, { ...above, perPage: perPage() })) {
      objects.push(...(page.objects as readonly Values[]));
      read += 1;
    }
    return { objects, pages: read };
  };
  const parts = new Map<string, ReturnType<typeof openPart>>();
  const own = (id: string) => id.split("/").at(-1) ?? id;
  return {
    async find(definition, id, mostAgeMs) {
      if (definition.operations.list === undefined || definition.singleton !== undefined) return undefined;
      return listOf(definition, id).find(own(id), mostAgeMs);
    },
    written: (definition, id) => listOf(definition, id).forget(own(id)),
    all(definition, above) {
      const key = keyOf(definition, above);
      const known = wholes.get(key);
      if (known !== undefined) return known;
      const asked = whole(definition, above);
      wholes.set(key, asked);
      // A failure is not an answer: the next one asks again.
      asked.catch(() => wholes.delete(key));
      return asked;
    },
    some(definition, above, mostPages) {
      const key = keyOf(definition, above);
      const known = wholes.get(key);
      if (known !== undefined) return known.then(({ objects }) => objects);
      const part = parts.get(key) ?? openPart(definition, above, options);
      parts.set(key, part);
      return part(mostPages);
    },
  };
}

/** The beginning of a list, read page by page as far as is allowed. */
function openPart(definition: Definition, above: Above, { transport, perPage }: ReadOptions) {
  const found: Values[] = [];
  let rest: ReturnType<typeof pages> | undefined;
  let read = 0;
  let over = false;
  let reading: Promise<void> = Promise.resolve();
  const next = async (mostPages: number) => {
    rest ??= pages(transport(), definition, { ...above, perPage: perPage() });
    while (!over && read < mostPages) {
      const { value, done } = await rest.next();
      read += 1;
      found.push(...((value?.objects ?? []) as readonly Values[]));
      over = done === true || value.isLast;
    }
  };
  return async (mostPages: number): Promise<readonly Values[]> => {
    // One after the other: they share the list's place.
    const before = reading;
    reading = before.catch(() => undefined).then(() => next(mostPages));
    await reading;
    return found;
  };
}

type List = ReturnType<typeof openList>;

function openList(definition: Definition, above: Above, { transport, perPage, now, mode }: ReadOptions) {
  const seen = new Map<string, Listed & { readonly at: number }>();
  const written = new Set<string>();
  let waiting: {
    id: string;
    resolve: (found: Listed | undefined) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let rest: ReturnType<typeof pages> | undefined;
  let page = 0;
  let answered = 0;
  let asked = 0;
  let wasted = 0;
  let over = false;
  let busy = false;
  const planned = mode?.(definition, above);

  async function fetchPage(): Promise<void> {
    rest ??= pages(transport(), definition, { ...above, perPage: perPage() });
    const { value, done } = await rest.next();
    page += 1;
    for (const object of (value?.objects ?? []) as readonly Values[])
      if (!written.has(String(object.id))) seen.set(String(object.id), { seen: object, page, at: now() });
    over = done === true || value.isLast;
  }

  /** Answers those that the pages show. @returns how many */
  function answer(): number {
    const before = waiting.length;
    waiting = waiting.filter(({ id, resolve }) => {
      const found = seen.get(id);
      if (found !== undefined) resolve(found);
      return found === undefined;
    });
    const count = before - waiting.length;
    answered += count;
    return count;
  }

  const pays = () =>
    planned === "pages" ||
    (planned !== "singles" &&
      (definition.operations.get === undefined || waiting.length + answered + asked >= worth * (wasted + 1)));

  async function work(): Promise<void> {
    busy = true;
    try {
      await gather();
      answer();
      while (waiting.length > 0 && !over && pays()) {
        await fetchPage();
        if (answer() === 0) wasted += 1;
        await gather();
        answer();
      }
    } catch (error) {
      // A shop that doesn't offer the list may still offer the object.
      if (!(error instanceof NotFoundError) || definition.operations.get === undefined) return fail(error);
      over = true;
    } finally {
      busy = false;
    }
    asked += waiting.length;
    const unanswered = waiting;
    waiting = [];
    for (const { resolve } of unanswered) resolve(undefined);
  }

  function fail(error: unknown): void {
    // The list starts over with whoever asks next.
    rest = undefined;
    page = 0;
    const unanswered = waiting;
    waiting = [];
    for (const { reject } of unanswered) reject(error);
  }

  // Reads that the engine asks for at once arrive in turns of the event loop: until one brings no more.
  async function gather(): Promise<void> {
    for (let before = -1; before !== waiting.length; ) {
      before = waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    find(id: string, mostAgeMs = Number.POSITIVE_INFINITY): Promise<Listed | undefined> {
      const found = seen.get(id);
      if (found !== undefined && now() - found.at <= mostAgeMs) {
        answered += 1;
        return Promise.resolve(found);
      }
      if (found !== undefined || written.has(id) || (over && !busy)) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        waiting.push({ id, resolve, reject });
        if (!busy) work().catch(fail);
      });
    },
    forget(id: string): void {
      seen.delete(id);
      written.add(id);
    },
  };
}
