// The limiter on a simulated clock.
import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Clock, createLimiter, WindowClosedError } from "../../provider/client/limiter.ts";

/** A clock that advances when everything waits. */
function virtualClock() {
  let now = 1_000_000;
  const waiting: { at: number; resolve: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    wait: (delayMs) => new Promise((resolve) => waiting.push({ at: now + delayMs, resolve })),
  };
  return {
    clock,
    passed: () => now - 1_000_000,
    advance: (ms: number) => {
      now += ms;
    },
    /** Advances to the next wait; false if there is none. */
    next(): boolean {
      const [first] = waiting.sort((a, b) => a.at - b.at).splice(0, 1);
      if (first === undefined) return false;
      now = Math.max(now, first.at);
      first.resolve();
      return true;
    },
  };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const maxWaitMs = 3_600_000;
const bounds = { capacityPercent: 100, maxWaitMs };

/** A shop's rate limit (platform-facts.md, section 3), and a client behind the limiter. */
function station(max: number, capacityPercent = 100, others = 0) {
  const time = virtualClock();
  const said: string[] = [];
  const limiter = createLimiter(time.clock, { capacityPercent, maxWaitMs }, (line) => said.push(line));
  const windowMs = 300_000;
  let used = others;
  let endsAt = others > 0 ? time.clock.now() + windowMs : 0;
  let rejected = 0;
  async function send(latencyMs: number) {
    await limiter.acquire();
    await time.clock.wait(latencyMs);
    if (time.clock.now() >= endsAt) {
      used = 0;
      endsAt = time.clock.now() + windowMs;
    }
    if (used >= max) {
      rejected += 1;
      limiter.release({ used, max, rejected: true, retryAfterMs: endsAt - time.clock.now() });
      return send(latencyMs);
    }
    used += 1;
    limiter.release({ used, max });
  }
  async function all(count: number, latencyMs = 20) {
    let done = 0;
    for (let index = 0; index < count; index += 1)
      void send(latencyMs).then(() => {
        done += 1;
      });
    while (done < count) {
      await turns();
      if (done < count && !time.next()) throw new Error(`nobody waits, ${done} of ${count} done`);
    }
  }
  return { time, limiter, said, all, rejected: () => rejected };
}

describe("the limiter", () => {
  test("requests inside the window run in parallel on all connections", async () => {
    const { time, all, limiter } = station(500);
    await all(400);
    // The first request is sent alone; then sixteen in parallel, 20 ms each.
    expect(time.passed()).toBe(20 + Math.ceil(399 / 16) * 20);
    expect(limiter.usage()).toMatchObject({ used: 400, max: 500, rejected: 0 });
  });

  test("1,000 requests with a limit of 500 wait once and are never rejected", async () => {
    const { time, all, rejected, said } = station(500);
    await all(1000);
    expect(rejected()).toBe(0);
    const ideal = 300_000;
    expect(time.passed()).toBeLessThan(ideal * 1.02);
    expect(said).toEqual([
      expect.stringMatching(/^rate limit used up \(500\/500\): waiting 300 s, until \d\d:\d\d:\d\d UTC$/),
    ]);
  });

  test("a limiter that starts in a used-up window is rejected at most once", async () => {
    const { all, rejected, time } = station(500, 100, 500);
    await all(20);
    expect(rejected()).toBe(1);
    expect(time.passed()).toBeGreaterThanOrEqual(300_000);
  });

  test("shop:capacity leaves a part of the rate limit to others", async () => {
    const { all, limiter, time } = station(500, 50);
    await all(250);
    expect(time.passed()).toBeLessThan(1000);
    expect(limiter.usage().used).toBe(250);
    await all(1);
    expect(time.passed()).toBeGreaterThanOrEqual(300_000);
  });

  test("Retry-After overrules the own count", async () => {
    const time = virtualClock();
    const limiter = createLimiter(time.clock, bounds, () => {});
    await limiter.acquire();
    limiter.release({ used: 3, max: 500, rejected: true, retryAfterMs: 7_000 });
    let isAllowed = false;
    void limiter.acquire().then(() => {
      isAllowed = true;
    });
    await turns();
    expect(isAllowed).toBe(false);
    time.next();
    await turns();
    expect(isAllowed).toBe(true);
    expect(time.passed()).toBe(7_000);
  });

  test("requests aren't counted if the shop reports no limit", async () => {
    const time = virtualClock();
    const limiter = createLimiter(time.clock, bounds, () => {});
    await limiter.acquire();
    limiter.release({});
    for (let index = 0; index < 2000; index += 1) {
      await limiter.acquire();
      limiter.release({});
    }
    expect(limiter.usage().sent).toBe(2001);
  });

  test("a cancelled request leaves its place to the next one", async () => {
    const time = virtualClock();
    const limiter = createLimiter(time.clock, bounds, () => {});
    await limiter.acquire();
    const controller = new AbortController();
    const cancelled = limiter.acquire(controller.signal);
    const next = limiter.acquire();
    controller.abort(new Error("stop"));
    await expect(cancelled).rejects.toThrow("stop");
    limiter.release({ used: 1, max: 500 });
    await next;
  });

  test("no window has more requests than its limit, for any latencies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (max, count, latency) => {
          const { all, rejected } = station(max);
          await all(count, latency);
          expect(rejected()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("the warning has the shop's numbers, not the own count", async () => {
    const { all, said } = station(20, 100, 20);
    await all(30);
    expect(said[0]).toMatch(/^rate limit used up \(20\/20\): waiting 300 s/);
  });

  test("the warning has no numbers if the shop reported none", async () => {
    const time = virtualClock();
    const said: string[] = [];
    const limiter = createLimiter(time.clock, bounds, (line) => said.push(line));
    await limiter.acquire();
    limiter.release({ rejected: true, retryAfterMs: 7_000 });
    void limiter.acquire();
    await turns();
    expect(said).toEqual([expect.stringMatching(/^the shop rejects requests for a time: waiting 7 s/)]);
  });

  test("the warning says that the shop rejects requests if the limit isn't used up", async () => {
    const time = virtualClock();
    const said: string[] = [];
    const limiter = createLimiter(time.clock, bounds, (line) => said.push(line));
    await limiter.acquire();
    limiter.release({ used: 3, max: 500, rejected: true, retryAfterMs: 7_000 });
    void limiter.acquire();
    await turns();
    expect(said).toEqual([expect.stringMatching(/^the shop rejects requests \(3\/500\): waiting 7 s/)]);
  });

  test("all waiting requests fail if the wait is too long", async () => {
    const time = virtualClock();
    const said: string[] = [];
    const limiter = createLimiter(time.clock, bounds, (line) => said.push(line));
    await limiter.acquire();
    const behind = limiter.acquire();
    limiter.release({ rejected: true, retryAfterMs: 3_600_001 });
    await expect(behind).rejects.toThrow(WindowClosedError);
    await expect(limiter.acquire()).rejects.toThrow(/1970-01-01 01:16:40 UTC/);
    expect([said, time.next()]).toEqual([[], false]);
    time.advance(2);
    let isAllowed = false;
    void limiter.acquire().then(() => {
      isAllowed = true;
    });
    await turns();
    expect(isAllowed).toBe(false);
    // The remaining wait is short enough.
    expect(said).toHaveLength(1);
    time.next();
    await turns();
    expect(isAllowed).toBe(true);
  });

  test("a request removes its listener from the run's signal", async () => {
    const time = virtualClock();
    const limiter = createLimiter(time.clock, bounds, () => {});
    const { signal } = new AbortController();
    for (let index = 0; index < 100; index += 1) {
      await limiter.acquire(signal);
      limiter.release({});
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
