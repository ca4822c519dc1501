// The table in client/retry.ts row by row.
import { describe, expect, test } from "vitest";
import { decide, type Outcome, type Verdict } from "../../provider/client/retry.ts";

const answer = (status: number, retryAfterMs?: number): Outcome => ({ type: "answer", status, retryAfterMs });
const said = (type: "lost" | "stopped"): Outcome => ({ type, why: "it broke" });
const ended = (type: "unsent" | "unreadable", final: boolean): Outcome => ({ type, why: "it broke", final });

const again = { type: "again", delayMs: 100, rejected: false };
const rejected = { type: "again", delayMs: 0, rejected: true };
const lost = { type: "lost", why: "it broke" };
const gone = (status: number) => ({ type: "lost", why: `the shop answered ${status}` });

describe("after the first attempt", () => {
  test.each<readonly [string, Outcome, object, object]>([
    ["no connection", ended("unsent", false), again, again],
    [
      "a certificate that isn't trusted",
      ended("unsent", true),
      { type: "unsent", why: "it broke" },
      { type: "unsent", why: "it broke" },
    ],
    ["a reset after sending", said("lost"), again, lost],
    ["a document that is cut", ended("unreadable", false), again, lost],
    ["one that is too large", ended("unreadable", true), { type: "unanswered", why: "it broke" }, lost],
    ["a run that was stopped", said("stopped"), { type: "stopped" }, lost],
    ["200", answer(200), { type: "accept" }, { type: "accept" }],
    ["299", answer(299), { type: "accept" }, { type: "accept" }],
    ["199", answer(199), { type: "refused" }, { type: "refused" }],
    ["300", answer(300), { type: "refused" }, { type: "refused" }],
    ["404", answer(404), { type: "refused" }, { type: "refused" }],
    ["499", answer(499), { type: "refused" }, { type: "refused" }],
    ["408", answer(408), again, gone(408)],
    ["500", answer(500), again, gone(500)],
    ["503", answer(503), again, gone(503)],
    ["503 with Retry-After", answer(503, 5_000), rejected, rejected],
    ["502 with Retry-After", answer(502, 5_000), again, gone(502)],
    ["429", answer(429), rejected, rejected],
  ])("%s", (_name, outcome, read, write) => {
    expect(decide({ isRead: true, tried: 1, rejectedTimes: 0 }, outcome, 0)).toEqual(read);
    expect(decide({ isRead: false, tried: 1, rejectedTimes: 0 }, outcome, 0)).toEqual(write);
  });
});

test("the pauses between retries double, with random jitter", () => {
  const delays = [1, 2, 3, 4].map((tried) =>
    decide({ isRead: true, tried, rejectedTimes: 0 }, answer(500), 0),
  );
  expect(delays.map((verdict) => verdict.type === "again" && verdict.delayMs)).toEqual([100, 200, 400, 800]);
  expect(decide({ isRead: true, tried: 1, rejectedTimes: 0 }, answer(500), 1)).toEqual({
    ...again,
    delayMs: 200,
  });
});

test.each<readonly [Outcome, boolean, Verdict]>([
  [answer(500), true, { type: "unanswered", why: "the shop answered 500" }],
  [said("lost"), true, { type: "unanswered", why: "it broke" }],
  [ended("unreadable", false), true, { type: "unanswered", why: "it broke" }],
  [ended("unsent", false), false, { type: "unsent", why: "it broke" }],
])(
  "%j is tried five times: the fourth failure brings another attempt, the fifth is the last",
  (outcome, isRead, last) => {
    expect(decide({ isRead, tried: 4, rejectedTimes: 0 }, outcome, 0)).toMatchObject({
      type: "again",
      rejected: false,
    });
    expect(decide({ isRead, tried: 5, rejectedTimes: 0 }, outcome, 0)).toEqual(last);
    expect(decide({ isRead, tried: 6, rejectedTimes: 0 }, outcome, 0)).toEqual(last);
  },
);

test("a request fails after four rejections, which don't count as attempts", () => {
  expect(decide({ isRead: false, tried: 9, rejectedTimes: 3 }, answer(429), 0)).toEqual(rejected);
  expect(decide({ isRead: false, tried: 1, rejectedTimes: 4 }, answer(429), 0)).toEqual({
    type: "limit",
    why: "the rate limit was used up 4 times in a row",
  });
  expect(decide({ isRead: false, tried: 1, rejectedTimes: 4 }, answer(200), 0)).toEqual({ type: "accept" });
});
