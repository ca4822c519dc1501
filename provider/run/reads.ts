/**
 * Reads become lists: many reads of one kind cost pages, not objects (500 requests in five minutes is what a shop
 * gives). Nobody says beforehand how many will come, so each moment decides from what has come: a page is fetched while
 * the reads that wait, and those that pages answered before, outweigh the pages that answered none; otherwise each
 * object is asked for by itself. A handful of objects in a huge shop stays a handful of requests. Where a plan was made
 * before, it is known how many pages are cheapest: those are read before anything of the list is written, for what a run
 * deletes moves what is behind it to pages that were read already. Pages that a slow run lets grow too old are read again,
 * where that is cheaper still.
 */
import { NotFoundError } from "../client/errors.ts";
import { type Page, pages } from "../client/lists.ts";
import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import type { PlannedReads } from "../settings/protocol.ts";
import type { Process } from "../settings/settings.ts";
import { ownId, pathValues } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { type Above, type Lists, openLists } from "./lists.ts";

export interface Reads extends Lists {
  /** An object as a list shows it, undefined where it must be asked for by itself. */
  find(definition: Definition, id: string, how: FindOptions): Promise<Values | undefined>;
  /** Resolves when the object's list may move: all pages of it that the plan counts have been read. */
  ready(definition: Definition, id: string): Promise<void>;
  /**
   * The object is written: what lists showed before is the time before.
   * @param isDeleted whether its list loses it
   */
  written(definition: Definition, id: string, isDeleted?: boolean): void;
}

export interface FindOptions {
  /** Whether a plan counts such looks: where one was made, it says which pages are read for them. */
  readonly isPlanned: boolean;
  /** Milliseconds since the page was read; an older one doesn't count. */
  readonly mostAgeMs?: number | undefined;
}

/** A list among those of all kinds, as a process reads it. */
export const listText = ({ by = "host", kind, above }: ListName): string => `${by} ${kind} ${above}`;

interface ListName {
  readonly by?: Process | undefined;
  readonly kind: string;
  /** What its objects stand in, as `placeText` has it. */
  readonly above: string;
}

export interface ReadOptions {
  readonly transport: () => Transport;
  /** Objects on a page, each list's own default where undefined. */
  readonly perPage: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What a plan says of a list; undefined where nobody planned. */
  readonly planned?: (definition: Definition, above: Above) => PlannedReads | undefined;
  /** Is told of each page of a list that was read, from 1, and of the objects on it. */
  readonly shown?: (definition: Definition, above: Above, page: ListPage) => void;
}

export interface ListPage {
  readonly page: number;
  readonly ids: readonly string[];
}

/** A page that answers nobody must be paid for by so many reads. */
const readsPerPage = 4;

export function openReads(options: ReadOptions): Reads {
  const lists = new Map<string, List>();
  const listOf = (definition: Definition, id: string) => {
    const { id: _own, ...above } = pathValues(definition, id);
    const key = JSON.stringify([definition.kind, above]);
    const found = lists.get(key) ?? openList(definition, above, options);
    lists.set(key, found);
    return found;
  };
  return {
    async find(definition, id, how) {
      if (definition.operations.list === undefined || definition.singleton !== undefined) return undefined;
      return listOf(definition, id).find(ownId(id), how);
    },
    ready: (definition, id) => listOf(definition, id).ready(),
    written: (definition, id, isDeleted = false) => listOf(definition, id).forget(ownId(id), isDeleted),
    ...openLists(options),
  };
}

/** An object as a list showed it, and in which of its readings. */
interface Listed {
  readonly seen: Values;
  readonly at: number;
  readonly round: number | undefined;
}

type List = ReturnType<typeof openList>;

function openList(definition: Definition, above: Above, options: ReadOptions) {
  const { transport, perPage, now } = options;
  const seen = new Map<string, Listed>();
  const written = new Set<string>();
  let waiting: {
    id: string;
    resolve: (found: Listed | undefined) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let rest: ReturnType<typeof pages> | undefined;
  let page = 0;
  /** Objects on a page, as the first one had them. */
  let size = 0;
  /** How many the shop gives on a page where more follow, as soon as that is known. */
  let most: number | undefined;
  /** Objects before the page that is read next. */
  let passed = 0;
  let answered = 0;
  let asked = 0;
  let wasted = 0;
  let over = false;
  let busy = false;
  /** How often the list was read from its start, and since when it is. */
  let round = 0;
  let roundAt = now();
  const planned = options.planned?.(definition, above);
  let planning: { readonly at: number; readonly read: Promise<void> } | undefined;
  let looked = 0;

  const start = (first = 1) =>
    pages(transport(), definition, { ...above, perPage: perPage(), page: first }, { size: most });

  // What has a value that can't be read is asked for by itself, and fails by itself.
  function shown({ objects, unreadable }: Page, on: number, of?: number): void {
    options.shown?.(definition, above, { page: on, ids: objects.map(({ id }) => String(id)) });
    // A plan's pages are of no round: nothing goes on behind them.
    for (const object of objects) {
      const id = String(object.id);
      if (!written.has(id) && !unreadable.has(id)) seen.set(id, { seen: object, at: now(), round: of });
    }
  }

  async function fetchPage(): Promise<void> {
    // What this run has deleted moved what was behind it to pages that were read already.
    const next = size === 0 ? 1 : Math.floor(passed / size) + 1;
    if (next !== page + 1) rest = undefined;
    rest ??= start(next);
    const mine = round;
    const { value, done } = await rest.next();
    // It started over meanwhile: this page counts, but its place in the list is another round's.
    if (done !== true && mine !== round) shown(value, next, mine);
    if (mine !== round) return;
    over = done === true || value.isLast;
    if (done === true) return;
    most = value.size;
    size ||= Math.max(1, value.objects.length);
    page = next;
    passed = page * size;
    shown(value, page, mine);
  }

  async function readPlanned(count: number): Promise<void> {
    let on = 0;
    try {
      for await (const shownPage of start()) {
        on += 1;
        shown(shownPage, on);
        if (on >= count) return;
      }
    } catch (error) {
      if (!isNotOffered(definition, error)) throw error;
    }
  }

  function planPages(most: number): Promise<void> {
    const begun = { at: now(), read: readPlanned(most) };
    planning = begun;
    // A failure is not an answer: the next one asks again.
    begun.read.catch(() => {
      if (planning === begun) planning = undefined;
    });
    return begun.read;
  }

  /** The pages of a plan, all before the first answer; those that are too old again, where that is cheaper. */
  async function findPlanned(id: string, { pages: most, looks }: PlannedReads, mostAgeMs: number) {
    looked += 1;
    const fresh = () => {
      const found = seen.get(id);
      return found !== undefined && now() - found.at <= mostAgeMs ? found : undefined;
    };
    const found = fresh();
    if (found !== undefined || most === 0 || written.has(id)) return found;
    const isOld = planning !== undefined && now() - planning.at > mostAgeMs;
    if (planning === undefined || (isOld && looks - looked + 1 >= most)) await planPages(most);
    else await planning.read;
    return fresh();
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

  // A page that is shorter than was asked for is most often the last: one object costs no more by itself than to know.
  function pays(): boolean {
    if (definition.operations.get === undefined) return true;
    const isLikelyOver = page > 0 && most === undefined && waiting.length === 1;
    return !isLikelyOver && waiting.length + answered + asked >= readsPerPage * (wasted + 1);
  }

  async function work(): Promise<void> {
    busy = true;
    try {
      await gathered(() => waiting.length);
      answer();
      while (waiting.length > 0 && !over && pays()) {
        await fetchPage();
        if (answer() === 0) wasted += 1;
        await gathered(() => waiting.length);
        answer();
      }
    } catch (error) {
      if (!isNotOffered(definition, error)) return fail(error);
      over = true;
    } finally {
      busy = false;
    }
    asked += waiting.length;
    const unanswered = waiting;
    waiting = [];
    for (const { resolve } of unanswered) resolve(undefined);
  }

  /** What is asked from now on is weighed by itself: nobody knows how many will ask again. */
  function startOver(): void {
    toFirstPage();
    answered = 0;
    asked = 0;
    wasted = 0;
    over = false;
  }

  function toFirstPage(): void {
    rest = undefined;
    page = 0;
    passed = 0;
    round += 1;
    roundAt = now();
  }

  function fail(error: unknown): void {
    // With whoever asks next.
    toFirstPage();
    const unanswered = waiting;
    waiting = [];
    for (const { reject } of unanswered) reject(error);
  }

  function ask(id: string, { isPlanned, mostAgeMs = Number.POSITIVE_INFINITY }: FindOptions) {
    if (isPlanned && planned !== undefined) return findPlanned(id, planned, mostAgeMs);
    const found = seen.get(id);
    if (found !== undefined && now() - found.at <= mostAgeMs) {
      answered += 1;
      return found;
    }
    if (written.has(id)) return undefined;
    if (found !== undefined) {
      seen.delete(id);
      // Pages that are too old for one are too old for the next.
      if (now() - roundAt > mostAgeMs) startOver();
    }
    if (over && !busy) return undefined;
    return new Promise<Listed | undefined>((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      if (!busy) work().catch(fail);
    });
  }

  return {
    find: async (id: string, how: FindOptions) => (await ask(id, how))?.seen,
    forget(id: string, isDeleted: boolean): void {
      if (isDeleted && seen.get(id)?.round === round) passed -= 1;
      seen.delete(id);
      written.add(id);
    },
    async ready(): Promise<void> {
      if (planned === undefined || planned.pages === 0) return;
      await (planning?.read ?? planPages(planned.pages));
    },
  };
}

// A shop that doesn't offer the list may still offer the object.
const isNotOffered = ({ operations }: Definition, error: unknown) =>
  error instanceof NotFoundError && operations.get !== undefined;

// Reads that the engine asks for at once arrive in turns of the event loop: until one brings no more.
async function gathered(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
