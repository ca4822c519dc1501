// Reads of a run whose plan tells how many pages of a list to read.
import { expect, test } from "vitest";
import { NotFoundError } from "../../provider/client/errors.ts";
import type { Transport } from "../../provider/client/transport.ts";
import { openReads } from "../../provider/context/reads.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openWorld } from "../support/world.ts";

const coupons = definitions.coupons as Definition;
const list = (page: number) => `GET /admin/discount_codes.xml?page=${page}&per_page=10`;

/** Thirty coupons, ten on a page, and the reads of a run with a plan. */
async function opened(planned: { readonly pages: number; readonly looks: number }) {
  const world = await openWorld();
  for (let index = 0; index < 30; index += 1)
    await world.client.coupons.create({ code: `C${index}`, discount: 10, typeId: 1 });
  const ids = world.rows("discount_code").map(({ id }) => String(id));
  const now = { ms: 1_000_000, error: undefined as Error | undefined };
  const transport: Transport = {
    ...world.client.transport,
    async send(request, read) {
      const { error } = now;
      now.error = undefined;
      if (error !== undefined) throw error;
      return world.client.transport.send(request, read);
    },
  };
  const reads = openReads({
    transport: () => transport,
    perPage: () => 10,
    now: () => now.ms,
    planned: () => planned,
  });
  /** Whether a page shows the coupon, and the number of requests. */
  const find = async (index: number, mostAgeMs?: number) => {
    world.requests();
    const found = await reads.find(coupons, ids[index] ?? "", { isPlanned: true, mostAgeMs });
    expect(found === undefined || String(found.id) === ids[index]).toBe(true);
    return [found !== undefined, ...world.requests()];
  };
  return { world, reads, ids, now, find, id: (index: number) => ids[index] ?? "" };
}

test("planned pages are read once for all objects", async () => {
  const { world, reads, id, find } = await opened({ pages: 2, looks: 4 });
  const sent = await world.during(async () => {
    const found = await Promise.all(
      [0, 15, 25].map((index) => reads.find(coupons, id(index), { isPlanned: true })),
    );
    expect(found.map((one) => one !== undefined)).toEqual([true, true, false]);
  });
  expect(sent).toEqual([list(1), list(2)]);
  expect(await find(19)).toEqual([true]);
});

test("a plan without pages reads none", async () => {
  const { world, reads, id, find } = await opened({ pages: 0, looks: 1 });
  expect(await find(0)).toEqual([false]);
  expect(await world.during(() => reads.ready(coupons, id(0)))).toEqual([]);
});

test("planned pages are read before a write and not again for it", async () => {
  const { world, reads, id, find } = await opened({ pages: 2, looks: 2 });
  const ready = () => reads.ready(coupons, id(0));
  expect(await world.during(() => Promise.all([ready(), ready()]))).toEqual([list(1), list(2)]);
  expect(await world.during(ready)).toEqual([]);
  expect(await find(0)).toEqual([true]);
  expect(await find(25)).toEqual([false]);
});

test("reads that no plan covers are decided on their own", async () => {
  const { world, reads, id } = await opened({ pages: 2, looks: 4 });
  const sent = await world.during(async () => {
    expect(await reads.find(coupons, id(0), { isPlanned: false })).toBeUndefined();
  });
  expect(sent).toEqual([]);
});

test("an object that was written since isn't taken from the pages", async () => {
  const { reads, id, find } = await opened({ pages: 1, looks: 2 });
  expect(await find(0)).toEqual([true, list(1)]);
  reads.written(coupons, id(0));
  expect(await find(0)).toEqual([false]);
});

test("old pages are read again if the remaining reads justify it", async () => {
  const { now, find } = await opened({ pages: 2, looks: 4 });
  expect(await find(0, 60_000)).toEqual([true, list(1), list(2)]);
  now.ms += 60_000;
  expect(await find(1, 60_000)).toEqual([true]);
  now.ms += 1;
  // This one and the last: two pages for two reads.
  expect(await find(2, 60_000)).toEqual([true, list(1), list(2)]);
  now.ms += 60_001;
  expect(await find(3, 60_000)).toEqual([false]);
  // A read without a maximum age uses pages of any age.
  expect(await find(4)).toEqual([true]);
});

test("recent pages aren't read again for objects that they don't have", async () => {
  const { now, find } = await opened({ pages: 1, looks: 9 });
  expect(await find(0, 60_000)).toEqual([true, list(1)]);
  now.ms += 60_000;
  expect(await find(25, 60_000)).toEqual([false]);
});

test("a failed page is requested again by the next read", async () => {
  const { now, find } = await opened({ pages: 1, looks: 9 });
  now.error = new Error("the connection broke");
  await expect(find(0)).rejects.toThrow("the connection broke");
  expect(await find(0)).toEqual([true, list(1)]);
});

test("a shop that doesn't offer the list may still offer the object; of what has no own operation that is an error", async () => {
  const { now, find, reads } = await opened({ pages: 1, looks: 9 });
  const none = new NotFoundError({ kind: "Coupon", method: "GET", path: "/x", status: 404, messages: [] });
  now.error = none;
  expect(await find(0)).toEqual([false]);
  now.error = none;
  await expect(reads.find(definitions.files as Definition, "1", { isPlanned: true })).rejects.toBe(none);
});
