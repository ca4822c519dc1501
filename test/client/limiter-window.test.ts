// The limiter's window, one response at a time.
import { describe, expect, test } from "vitest";
import {
  type Clock,
  createLimiter,
  type LimiterOptions,
  WindowClosedError,
} from "../../provider/client/limiter.ts";

const start = Date.UTC(2030, 0, 1, 12);
const windowMs = 300_000;

/** A limiter with its warnings, its waits, and the number of places that it has given. */
function opened({ capacityPercent = 100, maxWaitMs = windowMs }: Partial<LimiterOptions> = {}) {
  let now = start;
  const said: string[] = [];
  const waits: { readonly delayMs: number; readonly end: () => void; readonly signal?: AbortSignal }[] = [];
  const clock: Clock = {
    now: () => now,
    wait: (delayMs, signal) =>
      new Promise((end, fail) => {
        waits.push({ delayMs, end, ...(signal && { signal }) });
        signal?.addEventListener("abort", () => fail(signal.reason));
      }),
  };
  const limiter = createLimiter(clock, { capacityPercent, maxWaitMs }, (line) => said.push(line));
  let given = 0;
  return {
    limiter,
    said,
    waits,
    pass(ms: number) {
      now += ms;
    },
    /** Requests a number of places. @returns how many were given in all */
    async ask(count: number): Promise<number> {
      for (let index = 0; index < count; index += 1)
        void limiter.acquire().then(() => {
          given += 1;
        });
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return given;
    },
  };
}

/** A limiter after its first response. */
async function heard(used: number, max: number, bounds: Partial<LimiterOptions> = {}) {
  const all = opened(bounds);
  await all.ask(1);
  all.limiter.release({ used, max });
  return all;
}

test("Retry-After in the last response of a window can only shorten the window", async () => {
  for (const [retryAfterMs, delayMs] of [
    [12_000, 12_000],
    [900_000, windowMs],
    [undefined, windowMs],
  ] as const) {
    const { limiter, ask, waits } = await heard(11, 12);
    await ask(2);
    limiter.release({ used: 12, max: 12, ...(retryAfterMs !== undefined && { retryAfterMs }) });
    expect(waits.map((wait) => wait.delayMs)).toEqual([delayMs]);
  }
  // Other responses don't mention the window.
  const { limiter, ask, waits } = await heard(10, 12);
  await ask(3);
  limiter.release({ used: 11, max: 12, retryAfterMs: 1_000 });
  limiter.release({ used: 12, max: 12 });
  expect(waits.map((wait) => wait.delayMs)).toEqual([windowMs]);
});

describe("before the first answer", () => {
  test("a shop that reports no limit isn't limited", async () => {
    const { limiter, ask } = opened({ capacityPercent: 1 });
    expect(await ask(20)).toBe(1);
    limiter.release({});
    expect(await ask(0)).toBe(17);
  });
});

describe("a window", () => {
  test("a response without a count leaves the usage unchanged", async () => {
    const { limiter, ask } = await heard(1, 3);
    expect(await ask(2)).toBe(3);
    limiter.release({ used: 3, max: 3 });
    limiter.release({});
    expect(await ask(1)).toBe(3);
  });

  test("a count that falls by more than 64 starts a new window", async () => {
    const late = await heard(100, 500);
    await late.ask(1);
    late.pass(1_000);
    late.limiter.release({ used: 36, max: 500 });
    expect(late.limiter.usage()).toMatchObject({ used: 100, windowEndsAt: start + windowMs });
    const fresh = await heard(100, 500);
    await fresh.ask(1);
    fresh.pass(1_000);
    fresh.limiter.release({ used: 35, max: 500 });
    expect(fresh.limiter.usage()).toMatchObject({ used: 35, windowEndsAt: start + 1_000 + windowMs });
  });
});

describe("a rejection", () => {
  test("a rejection is counted, and its Retry-After is awaited", async () => {
    const { limiter, ask, said, waits, pass } = await heard(1, 500);
    await ask(1);
    limiter.release({ rejected: true, used: 600, max: 500, retryAfterMs: 10_000 });
    expect(limiter.usage()).toMatchObject({ used: 600, rejected: 1, windowEndsAt: start + 10_000 });
    expect(await ask(2)).toBe(2);
    expect(waits.map(({ delayMs }) => delayMs)).toEqual([10_000]);
    expect(said).toEqual(["rate limit used up (600/500): waiting 10 s, until 12:00:10 UTC"]);
    pass(10_000);
    waits[0]?.end();
    expect(await ask(0)).toBe(3);
  });

  test("a rejection without Retry-After waits for the end of the window", async () => {
    const known = await heard(1, 500);
    known.pass(100_000);
    await known.ask(1);
    known.limiter.release({ rejected: true });
    await known.ask(1);
    expect(known.waits.map(({ delayMs }) => delayMs)).toEqual([200_000]);
    const unknown = opened();
    await unknown.ask(2);
    unknown.limiter.release({ rejected: true });
    expect(unknown.waits.map(({ delayMs }) => delayMs)).toEqual([windowMs]);
  });
});

describe("waiting", () => {
  async function closed(retryAfterMs: number, bounds: Partial<LimiterOptions> = {}) {
    const all = await heard(1, 500, bounds);
    await all.ask(1);
    all.limiter.release({ rejected: true, retryAfterMs });
    return all;
  }

  test("a wait longer than shop:maxWait fails with the time until which it would last", async () => {
    const { limiter, ask, waits } = await closed(60_000, { maxWaitMs: 60_000 });
    expect(await ask(1)).toBe(2);
    expect(waits).toHaveLength(1);
    expect(limiter.usage().sent).toBe(2);
    const longer = await closed(60_001, { maxWaitMs: 60_000 });
    const refused = await longer.limiter.acquire().catch((error: Error) => error);
    expect(refused).toBeInstanceOf(WindowClosedError);
    expect((refused as Error).message).toBe(
      "the shop's rate limit is used up until 2030-01-01 12:01:00 UTC, longer than the 60 s that shop:maxWait permits",
    );
    const never = await closed(1e15);
    expect(((await never.limiter.acquire().catch((error: Error) => error)) as Error).message).toContain(
      "the shop's rate limit is used up for ever",
    );
  });

  test("an aborted request leaves the queue, and the others keep waiting", async () => {
    const { limiter, ask, waits, pass, said } = await closed(10_000);
    const [first, second] = [new AbortController(), new AbortController()];
    const one = limiter.acquire(first.signal);
    const two = limiter.acquire(second.signal);
    first.abort(new Error("stop one"));
    await expect(one).rejects.toThrow("stop one");
    expect(waits[0]?.signal?.aborted).toBe(false);
    pass(10_000);
    waits[0]?.end();
    await two;
    expect(limiter.usage().sent).toBe(3);
    expect(said).toHaveLength(1);
    limiter.release({ rejected: true, retryAfterMs: 10_000 });
    const third = new AbortController();
    const three = limiter.acquire(third.signal);
    third.abort(new Error("stop three"));
    await expect(three).rejects.toThrow("stop three");
    expect(waits.at(-1)?.signal?.aborted).toBe(true);
    expect(await ask(0)).toBe(2);
  });
});
