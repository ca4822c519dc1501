/**
 * Reads many objects of a kind by pages instead of one by one, because a shop answers 500 requests in five minutes.
 * Nobody knows beforehand how many reads will come. So a page is fetched while the reads that wait, and those answered
 * by pages, outweigh the pages that answered none; otherwise each object is read by itself. After a preview the plan
 * says how many pages are cheapest. Those are read before the first write to the list, since deletes move objects to
 * other pages. Pages that are too old are read again if that is cheaper.
 */

import { ownId, pathValues } from "../change/identity.ts";
import { NotFoundError } from "../client/errors.ts";
import { type Page, pages } from "../client/paged-lists.ts";
import type { Definition } from "../definition/define.ts";
import type { PlannedReads } from "../settings/protocol.ts";
import type { Process } from "../settings/settings.ts";
import type { Values } from "../wire/codec.ts";
import { type Above, type ListOptions, type Lists, openLists, type SeenAt } from "./lists.ts";

export interface Reads extends Lists {
  /** The object from a list; undefined if it must be read by itself. */
  find(definition: Definition, id: string, how: FindOptions): Promise<Values | undefined>;
  /** Resolves when the list may be written to: the planned pages have been read. */
  ready(definition: Definition, id: string): Promise<void>;
  /** Forgets an object that is about to be written. @param isDeleted whether it leaves the list */
  written(definition: Definition, id: string, isDeleted?: boolean): void;
}

export interface FindOptions {
  /** Whether a plan counts these reads, and so decides which pages are read. */
  readonly isPlanned: boolean;
  readonly mostAgeMs?: number | undefined;
}

export const listText = ({ by = "host", provider = "", kind, above }: ListName): string =>
  `${by} ${kind} ${above}${provider}`;

interface ListName {
  readonly by?: Process | undefined;
  readonly provider?: string | undefined;
  readonly kind: string;
  /** The parents of its objects, as `parentsText` has them. */
  readonly above: string;
}

export interface ReadOptions extends ListOptions {
  /** How the plan reads a list; undefined without a plan. */
  readonly planned?: (definition: Definition, above: Above) => PlannedReads | undefined;
  /** Called for each page that was read. Pages count from 1. */
  readonly shown?: (definition: Definition, above: Above, page: ListPage) => void;
}

export interface ListPage {
  readonly page: number;
  readonly ids: readonly string[];
}

/** How many reads justify a page that answers none. */
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

/** An object from a list, and the pass in which the list showed it. */
interface Listed extends SeenAt {
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
  /** Objects on the first page. */
  let size = 0;
  /** Objects on each page but the last, once that is known. */
  let most: number | undefined;
  /** Objects before the next page. */
  let passed = 0;
  let answered = 0;
  let asked = 0;
  let wasted = 0;
  let over = false;
  let busy = false;
  /** Which pass through the list this is, and when it began. */
  let round = 0;
  let roundAt = now();
  const planned = options.planned?.(definition, above);
  let planning: { readonly at: number; readonly read: Promise<void> } | undefined;
  let looked = 0;

  const start = (first = 1) =>
    pages(transport(), definition, { ...above, perPage: perPage(), page: first }, { size: most });

  // An object with an unreadable value is read by itself, and fails by itself.
  function shown({ objects, unreadable }: Page, on: number, of?: number): void {
    options.shown?.(definition, above, { page: on, ids: objects.map(({ id }) => String(id)) });
    // Planned pages belong to no pass.
    for (const object of objects) {
      const id = String(object.id);
      if (!written.has(id) && !unreadable.has(id)) seen.set(id, { seen: object, at: now(), round: of });
    }
  }

  async function fetchPage(): Promise<void> {
    // Deletes of this run moved the following objects to pages that were read already.
    const next = size === 0 ? 1 : Math.floor(passed / size) + 1;
    if (next !== page + 1) rest = undefined;
    rest ??= start(next);
    const mine = round;
    const { value, done } = await rest.next();
    // A new pass began meanwhile: the page counts, but not its position.
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
    // After a failure the next read tries again.
    begun.read.catch(() => {
      if (planning === begun) planning = undefined;
    });
    return begun.read;
  }

  /** Reads all planned pages first; again if they are too old and that is cheaper. */
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

  /** Answers the reads of objects that pages have shown. @returns how many */
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

  // A short page is most often the last: for one object, a read costs no more than the next page.
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

  /** Weighs later reads afresh. */
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
    // The next read begins a new pass.
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
      // If the pages are too old for one read, they are for the next.
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

// A shop without this list may still return the object.
const isNotOffered = ({ operations }: Definition, error: unknown) =>
  error instanceof NotFoundError && operations.get !== undefined;

// Concurrent reads arrive in turns of the event loop: waits until a turn brings none.
async function gathered(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
