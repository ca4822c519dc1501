/**
 * Reads become lists: many reads of one kind cost pages, not objects (500 requests in five minutes is what a shop
 * gives). Nobody says beforehand how many will come, so each moment decides from what has come: a page is fetched while
 * the reads that wait, and those that pages answered before, outweigh the pages that answered none; otherwise each
 * object is asked for by itself. A handful of objects in a huge shop stays a handful of requests.
 */
import { NotFoundError } from "./client/errors.ts";
import { every, pages } from "./client/index.ts";
import type { Transport } from "./client/transport.ts";
import type { Values } from "./codec.ts";
import type { Definition } from "./define.ts";
import { where } from "./identity.ts";

export interface Reads {
  /** An object as a list shows it, undefined where it must be asked for by itself. */
  find(definition: Definition, id: string): Promise<Values | undefined>;
  /** The object was written: what lists showed before is the time before. */
  written(definition: Definition, id: string): void;
  /** All objects of a list as it was when the run first asked; many adoptions cost it once. */
  all(definition: Definition, above: Readonly<Record<string, unknown>>): Promise<readonly Values[]>;
}

/** A page that answers nobody must be paid for by so many reads. */
const worth = 4;

/** @param perPage objects on a page, each list's own default where undefined */
export function openReads(transport: () => Transport, perPage: () => number | undefined): Reads {
  const lists = new Map<string, List>();
  const listOf = (definition: Definition, id: string) => {
    const { id: _own, ...above } = where(definition, id);
    const key = JSON.stringify([definition.kind, above]);
    const found = lists.get(key) ?? openList(definition, above, transport, perPage);
    lists.set(key, found);
    return found;
  };
  const wholes = new Map<string, Promise<readonly Values[]>>();
  const whole = async (definition: Definition, above: Readonly<Record<string, unknown>>) => {
    const found: Values[] = [];
    for await (const seen of every(transport(), definition, { ...above, perPage: perPage() }))
      found.push(seen as Values);
    return found;
  };
  const own = (id: string) => id.split("/").at(-1) ?? id;
  return {
    async find(definition, id) {
      if (definition.operations.list === undefined || definition.singleton !== undefined) return undefined;
      return listOf(definition, id).find(own(id));
    },
    written: (definition, id) => listOf(definition, id).forget(own(id)),
    all(definition, above) {
      const key = JSON.stringify([definition.kind, above]);
      const known = wholes.get(key);
      if (known !== undefined) return known;
      const asked = whole(definition, above);
      wholes.set(key, asked);
      // A failure is not an answer: the next one asks again.
      asked.catch(() => wholes.delete(key));
      return asked;
    },
  };
}

type List = ReturnType<typeof openList>;

function openList(
  definition: Definition,
  above: Readonly<Record<string, unknown>>,
  transport: () => Transport,
  perPage: () => number | undefined,
) {
  const seen = new Map<string, Values>();
  const written = new Set<string>();
  let waiting: {
    id: string;
    resolve: (found: Values | undefined) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let rest: ReturnType<typeof pages> | undefined;
  let answered = 0;
  let asked = 0;
  let wasted = 0;
  let over = false;
  let busy = false;

  async function fetchPage(): Promise<void> {
    rest ??= pages(transport(), definition, { ...above, perPage: perPage() });
    const { value, done } = await rest.next();
    for (const object of (value?.objects ?? []) as readonly Values[])
      if (!written.has(String(object.id))) seen.set(String(object.id), object);
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

  const pays = () => waiting.length + answered + asked >= worth * (wasted + 1);

  async function work(): Promise<void> {
    busy = true;
    try {
      await gather();
      answer();
      while (waiting.length > 0 && !over && (definition.operations.get === undefined || pays())) {
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
    // The list begins anew with whoever asks next.
    rest = undefined;
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
    find(id: string): Promise<Values | undefined> {
      const found = seen.get(id);
      if (found !== undefined) {
        answered += 1;
        return Promise.resolve(found);
      }
      if (written.has(id) || (over && !busy)) return Promise.resolve(undefined);
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
