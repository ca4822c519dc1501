// When many reads are worth a page: the pages that were read, as an ordered log.
import { describe, expect, test } from "vitest";
import { NotFoundError } from "../../provider/client/errors.ts";
import type { Transport } from "../../provider/client/transport.ts";
import { openReads } from "../../provider/context/reads.ts";
import { type Definition, get, listing, text } from "../../provider/definition/define.ts";
import { kindOf } from "./kind.ts";

const fields = { name: text() };
const one = { get: get("/things/{id}.xml") };
const paged = listing("/things.xml", { perPage: 10 });
const thing = kindOf("Thing", fields, { operations: { ...one, list: paged } });
/** Has no operation that reads one. */
const listed = kindOf("Listed", fields, { operations: { list: paged } });
const shelved = kindOf("Shelved", fields, {
  operations: {
    get: get("/shelves/{shelfId}/things/{id}.xml"),
    list: listing("/shelves/{shelfId}/things.xml", { perPage: 10 }),
  },
});
const notThere = new NotFoundError({ method: "GET", path: "/things.xml" });

/** A shop with the things 1 to so many, ten on a page, and the reads of a run. */
function opened(count: number, perPage?: number) {
  let ids = Array.from({ length: count }, (_none, index) => index + 1);
  const log: string[] = [];
  const clock = { ms: 1_000_000 };
  const next = {
    error: undefined as Error | undefined,
    gate: undefined as (() => Promise<void>) | undefined,
  };
  const send = async ({ path }: { readonly path: string }) => {
    const { pathname, searchParams } = new URL(path, "https://a.test");
    const [page, size] = ["page", "per_page"].map((name) => Number(searchParams.get(name)));
    log.push(`${pathname === "/things.xml" ? "" : `${pathname} `}${page}`);
    const { error, gate } = next;
    Object.assign(next, { error: undefined, gate: undefined });
    // What is answered is as it was when it was asked for.
    const shown = ids.slice(((page ?? 0) - 1) * (size ?? 0)).slice(0, size);
    await gate?.();
    if (error !== undefined) throw error;
    // A thing is named after the page that shows it.
    return shown.map((id) => ({ id, name: String(page) }));
  };
  const reads = openReads({
    transport: () => ({ send }) as unknown as Transport,
    perPage: () => perPage,
    now: () => clock.ms,
  });
  const requests = () => log.splice(0);
  /** The pages that show things, asked for at the same time; undefined for each that is to be asked for by itself. */
  const find = async (
    asked: readonly (number | string)[],
    mostAgeMs?: number,
    definition: Definition = thing,
  ) => {
    const finding = { isPlanned: false, mostAgeMs };
    const found = await Promise.all(asked.map((id) => reads.find(definition, String(id), finding)));
    for (const [index, it] of found.entries())
      if (it !== undefined) expect(String(it.id)).toBe(String(asked[index]).split("/").at(-1));
    return { on: found.map((it) => it && Number(it.name)), requests: requests() };
  };
  /** This run deletes things. */
  const remove = (...gone: readonly number[]) => {
    ids = ids.filter((id) => !gone.includes(id));
    for (const id of gone) reads.written(thing, String(id), true);
  };
  /** Holds the next answer back until it is let go; says when it is asked for. */
  const hold = () => {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    next.gate = () => {
      asked.resolve();
      return answered.promise;
    };
    return { asked: asked.promise, go: answered.resolve };
  };
  return { reads, find, remove, hold, next, clock, requests };
}

const from = (first: number, count: number) => Array.from({ length: count }, (_none, index) => first + index);
const none = (count: number) => Array<undefined>(count).fill(undefined);

describe("simultaneous reads", () => {
  test("an object that has no read of its own is read from the list, even a single one", async () => {
    expect(await opened(30).find([25], undefined, listed)).toEqual({ on: [3], requests: ["1", "2", "3"] });
    expect(await opened(30).find([99], undefined, listed)).toEqual({
      on: [undefined],
      requests: ["1", "2", "3", "4"],
    });
  });

  test.each<readonly [string, Definition]>([
    ["that has no list", kindOf("Single", fields, { operations: one })],
    [
      "of which a shop has one at most",
      kindOf("Only", fields, { singleton: true, operations: { list: paged } } as never),
    ],
  ])("the list isn't read for a kind %s", async (_what, definition) => {
    const { find } = opened(30);
    expect(await find(from(1, 9), undefined, definition)).toEqual({ on: none(9), requests: [] });
  });

  test("reads in several lists are decided list by list", async () => {
    const { find } = opened(30);
    const five = from(1, 3).flatMap((id) => [`7/${id}`, `8/${id}`]);
    expect((await find(five, undefined, shelved)).requests).toEqual([]);
    expect(await find(["7/4", "8/99"], undefined, shelved)).toEqual({
      on: [1, undefined],
      requests: ["/shelves/7/things.xml 1", "/shelves/8/things.xml 1"],
    });
  });
});

describe("reads one after the other", () => {
  test("the first three objects are read one by one, the fourth by a page, and the end of the list is remembered", async () => {
    const { find } = opened(9);
    for (const id of [1, 2, 3]) expect(await find([id])).toEqual({ on: [undefined], requests: [] });
    expect(await find([4])).toEqual({ on: [1], requests: ["1"] });
    expect(await find([5])).toEqual({ on: [1], requests: [] });
    expect(await find([99])).toEqual({ on: [undefined], requests: [] });
  });
});

describe("a failed read of a page", () => {
  test("a failed page fails every waiting read, and the next read begins at the first page", async () => {
    const { find, next, requests } = opened(30);
    await find(from(1, 8));
    next.error = new Error("the connection broke");
    await expect(find([11, 12])).rejects.toThrow("the connection broke");
    requests();
    expect(await find(from(21, 8))).toEqual({ on: Array(8).fill(3), requests: ["1", "2", "3"] });
  });

  test("if the shop doesn't offer the list, every object is read by itself from then on", async () => {
    const { find, next } = opened(30);
    next.error = notThere;
    expect(await find(from(1, 4))).toEqual({ on: none(4), requests: ["1"] });
    expect(await find(from(1, 9))).toEqual({ on: none(9), requests: [] });
  });

  test("if the shop doesn't offer the list and the kind has no other read, the read fails", async () => {
    const { find, next } = opened(30);
    next.error = notThere;
    await expect(find([1], undefined, listed)).rejects.toBe(notThere);
  });
});

describe("objects that the run has written", () => {
  test("an object that the run wrote isn't taken from a page, read before or after the write", async () => {
    const { find, reads } = opened(30);
    await find(from(1, 9));
    reads.written(thing, "1");
    reads.written(thing, "11");
    expect(await find([1, 11, 12])).toEqual({ on: [undefined, undefined, 2], requests: ["2"] });
    expect(await find([11])).toEqual({ on: [undefined], requests: [] });
  });

  test("a delete after a failed or an old page doesn't shift the list, which begins at its first page", async () => {
    const broken = opened(30);
    await broken.find(from(1, 10));
    broken.next.error = new Error("the connection broke");
    await broken.find([11]).catch(() => {});
    broken.requests();
    broken.remove(1, 2);
    expect((await broken.find([13])).requests).toEqual(["1", "2"]);
    const old = opened(30);
    await old.find(from(1, 10));
    old.clock.ms += 60_001;
    expect(await old.find(from(1, 3), 60_000)).toEqual({ on: none(3), requests: [] });
    old.remove(9, 10);
    expect((await old.find([5], 60_000)).requests).toEqual(["1"]);
  });
});

describe("pages that are too old for a read", () => {
  test("old pages are read again if the waiting reads justify it, and are used by reads that accept old pages", async () => {
    const { find, clock } = opened(30);
    await find(from(1, 10));
    clock.ms += 60_000;
    expect(await find(from(1, 4), 60_000)).toEqual({ on: Array(4).fill(1), requests: [] });
    clock.ms += 1;
    expect(await find([1, 2, 3], 60_000)).toEqual({ on: none(3), requests: [] });
    expect(await find([4, 5])).toEqual({ on: [1, 1], requests: [] });
    expect(await find([6, 7], 60_000)).toEqual({ on: [1, 1], requests: ["1"] });
  });

  test("a page that is being read counts as recent, and the list still begins at its first page", async () => {
    const { find, clock, hold, remove, requests } = opened(30);
    await find(from(1, 10));
    const { asked, go } = hold();
    const second = find([11]);
    await asked;
    clock.ms += 60_001;
    const again = find(from(1, 4), 60_000);
    go();
    expect([(await second).on, (await again).on]).toEqual([[2], Array(4).fill(1)]);
    expect(await find([12])).toEqual({ on: [2], requests: [] });
    remove(12);
    requests();
    // Of the first page, which was read again, nothing is gone.
    expect((await find([21, 22, 23, 24])).requests).toEqual(["2", "3"]);
  });
});

describe("reading a whole list", () => {
  const ids = ({
    objects,
    pages,
  }: {
    readonly objects: readonly { readonly id?: unknown }[];
    readonly pages: number;
  }) => [objects.map(({ id }) => id), pages];

  test("a whole list is read once for each kind and parent, with the stack's page size", async () => {
    const { reads, requests } = opened(25, 20);
    for (const [definition, above] of [
      [thing, {}],
      [listed, {}],
      [shelved, { shelfId: 7 }],
      [shelved, { shelfId: 8 }],
    ] as const)
      expect(ids(await reads.all(definition, above))).toEqual([from(1, 25), 2]);
    const shelf = (id: number) => [1, 2].map((page) => `/shelves/${id}/things.xml ${page}`);
    expect(requests()).toEqual(["1", "2", "1", "2", ...shelf(7), ...shelf(8)]);
  });

  test("a whole list is read once more from its end if a read misses an object", async () => {
    const { reads, requests } = opened(25, 10);
    await reads.all(thing, {});
    for (const _time of [1, 2]) expect(ids(await reads.again(thing, {}))).toEqual([from(1, 25), 5]);
    expect(requests()).toEqual(["1", "2", "3", "2", "1"]);
    const short = opened(5);
    expect(ids(await short.reads.again(thing, {}))).toEqual([from(1, 5), 2]);
  });

  test("a whole list that failed is read again by the next read", async () => {
    const { reads, next } = opened(5);
    next.error = new Error("the connection broke");
    await expect(reads.all(thing, {})).rejects.toThrow("the connection broke");
    expect(ids(await reads.all(thing, {}))).toEqual([from(1, 5), 2]);
  });
});

describe("reading a part of a list", () => {
  const scene = (count: number, perPage?: number) => {
    const { reads, ...rest } = opened(count, perPage);
    const some = async (pages: number, definition = thing, above = {}) => ({
      ids: (await reads.firstPages(definition, above, pages)).map(({ id }) => id),
      requests: rest.requests(),
    });
    return { reads, some, ...rest };
  };

  test("a part of a list has as many pages as allowed, each read once, and nothing after the last", async () => {
    const { some } = scene(25);
    expect(await some(1)).toEqual({ ids: from(1, 10), requests: ["1"] });
    expect(await some(1)).toEqual({ ids: from(1, 10), requests: [] });
    expect(await some(3)).toEqual({ ids: from(1, 25), requests: ["2", "3"] });
    expect(await some(9)).toEqual({ ids: from(1, 25), requests: [] });
  });

  test("simultaneous reads of a part wait for each other", async () => {
    const { reads, requests } = scene(35);
    const both = await Promise.all([reads.firstPages(thing, {}, 1), reads.firstPages(thing, {}, 2)]);
    expect(both.map((found) => found.length)).toEqual([20, 20]);
    expect(requests()).toEqual(["1", "2"]);
  });

  test("a part of a list is complete if the whole list was read", async () => {
    const { reads, some, requests } = scene(25);
    await reads.all(thing, {});
    requests();
    expect(await some(1)).toEqual({ ids: from(1, 25), requests: [] });
  });

  test("a part of an optional list that the shop doesn't offer is empty, and of any other list it is an error", async () => {
    const unshown = kindOf("Thing", fields, {
      operations: { list: listing("/things.xml", { perPage: 10, undocumented: true }) },
    });
    const { some, next } = scene(25);
    next.error = notThere;
    expect(await some(2, unshown)).toEqual({ ids: [], requests: ["1"] });
    expect(await some(3, unshown)).toEqual({ ids: [], requests: [] });
    const other = scene(25);
    other.next.error = notThere;
    await expect(other.some(2)).rejects.toBe(notThere);
    const broken = scene(25);
    broken.next.error = new Error("the connection broke");
    await expect(broken.some(2, unshown)).rejects.toThrow("the connection broke");
  });
});
