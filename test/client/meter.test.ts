// The request count of a run and its stop, with files and timers of the test.
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openCancellation } from "../../cli/deploy/cancellation.ts";
import { openRequestCounter, usageText } from "../../runs/stack/request-counter.ts";
import { manualTimers } from "./server.ts";

function openLog() {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-counter-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const counter = openRequestCounter({ SHOP_JOURNAL: path }, () => {});
  const line = (sent: number, at: number, used: number | null, limit: number | null = 500, status = 200) =>
    appendFileSync(
      path,
      `${JSON.stringify({ at, sent, pid: 1, method: "GET", path: "/x", status, used, limit })}\n`,
    );
  return { counter, line, append: (text: string) => appendFileSync(path, text) };
}

describe("the window", () => {
  test("the rate limit's usage is the largest count of overlapping responses", () => {
    const { counter, line } = openLog();
    line(1, 10, 3);
    line(1, 11, 1);
    expect(counter.usage().used).toBe(3);
    line(2, 12, 2);
    expect(counter.usage()).toMatchObject({ used: 3, requests: 3 });
  });

  test("a rate limit that changes its size is reported as last seen", () => {
    const { counter, line } = openLog();
    line(1, 2, 20, 20);
    line(3, 4, null, null, 429);
    expect(usageText(counter.usage())).toBe(
      "API requests: 2 (1 rejected by the rate limit); the shop's rate limit: 20 of 20 used",
    );
  });
});

test("an incomplete log line counts as a request", () => {
  const { counter, line, append } = openLog();
  append('{"at":1,"se');
  line(3, 4, 7);
  append("null\n17\n");
  line(5, 6, 8);
  expect(counter.usage()).toEqual({ requests: 4, writes: 3, rejected: 0, used: 8, limit: 500 });
});

describe("a stop", () => {
  function open(timeoutMs: number | undefined) {
    const timers = manualTimers();
    const said: string[] = [];
    const exits: number[] = [];
    const stop = openCancellation(timeoutMs, (line) => said.push(line), {
      timer: timers.timer,
      exit: (code) => void exits.push(code),
    });
    onTestFinished(() => stop.close());
    return { stop, timers, said, exits };
  }

  test("a timeout asks for a clean end and forces it after ten seconds", () => {
    const { stop, timers, said, exits } = open(5_000);
    expect(timers.pending()).toEqual([5_000]);
    timers.ring(5_000);
    expect([stop.signal.aborted, stop.timedOut()]).toEqual([true, true]);
    expect(said).toEqual(["timed out after 5 s: finishing running operations"]);
    expect([timers.pending(), exits]).toEqual([[10_000], []]);
    timers.ring(10_000);
    expect(exits).toEqual([9]);
  });

  test("a run that ends in time leaves no timer", () => {
    const { stop, timers, exits } = open(5_000);
    timers.ring(5_000);
    stop.close();
    expect([timers.pending(), exits]).toEqual([[], []]);
  });

  test("Ctrl-C asks for a clean end, and the second Ctrl-C ends at once", () => {
    const { stop, said, exits } = open(undefined);
    process.emit("SIGINT");
    expect([stop.signal.aborted, stop.timedOut(), exits]).toEqual([true, false, []]);
    process.emit("SIGINT");
    expect(exits).toEqual([8]);
    expect(said).toHaveLength(2);
  });

  test("a run stopped by Ctrl-C isn't reported as a timeout", () => {
    const { stop, timers } = open(5_000);
    process.emit("SIGTERM");
    timers.ring(5_000);
    expect([stop.timedOut(), timers.pending()]).toEqual([false, []]);
  });
});
