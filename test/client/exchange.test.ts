// One request with problems of time, size, the log, or a stop.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { diskFiles, type Files } from "../../engine/common/disk.ts";
import * as errors from "../../provider/client/errors.ts";
import { failure } from "../../provider/client/exchange.ts";
import { httpDate } from "../../provider/client/headers.ts";
import { fileLog, type LogEntry } from "../../provider/client/request-log.ts";
import { failureOf, manualTimers, openScripted, xml } from "./server.ts";

const themes = "<themes><theme><id>1</id><title>Main</title></theme></themes>";
const created = "<discount-code><id>7</id><code>A</code></discount-code>";
const coupon = { code: "A", discount: 10, typeId: 1 } as const;

describe("the log of requests", () => {
  test("a failing request log warns once and fails no request", async () => {
    let tries = 0;
    const { client, said, heard } = await openScripted(
      (request, response) => response.writeHead(200, xml).end(request.method === "POST" ? created : themes),
      {
        journal() {
          tries += 1;
          throw new Error("ENOSPC: no space left on device, write");
        },
      },
    );
    expect(await client.coupons.create(coupon)).toMatchObject({ id: 7 });
    expect(await client.themes.list()).toHaveLength(1);
    expect(heard).toEqual(["POST /admin/discount_codes.xml", "GET /admin/themes.xml"]);
    expect(said).toEqual([expect.stringContaining("ENOSPC")]);
    expect(tries).toBe(1);
  });

  test("the request log has whole lines when the system writes in parts", () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-log-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "log");
    const entry: LogEntry = {
      at: 2,
      sent: 1,
      pid: 1,
      method: "GET",
      path: "/x",
      status: null,
      used: null,
      limit: null,
    };
    const bytes: number[] = [];
    const taking = (most: number): Pick<Files, "open"> => ({
      open: (...file) => ({
        ...diskFiles.open(...file),
        write(line) {
          bytes.push(...line.subarray(0, most));
          return Math.min(line.length, most);
        },
      }),
    });
    fileLog(path, taking(7))(entry);
    expect(Buffer.from(bytes).toString()).toBe(`${JSON.stringify(entry)}\n`);
    expect(() => fileLog(path, taking(0))(entry)).toThrow("ENOSPC");
    fileLog(path)(entry);
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(entry)}\n`);
  });
});

describe("the shop's clock", () => {
  test("the shop's clock is the local clock until a Date header arrives", async () => {
    let date: string | undefined;
    const { client } = await openScripted((_request, response) => {
      response.writeHead(200, { ...xml, ...(date && { date }) }).end(themes);
    });
    const ours = Date.UTC(2026, 0, 1);
    const told = () => [client.transport.shopTime(), client.transport.shopAheadMs()];
    expect(told()).toEqual([ours, undefined]);
    await client.themes.list();
    expect(told()).toEqual([ours, undefined]);
    date = "Thu, 01 Jan 2026 01:00:00 GMT";
    await client.themes.list();
    // Cut to its second; half a second is added.
    expect(told()).toEqual([ours + 3_600_500, 3_600_500]);
    date = "yesterday";
    await client.themes.list();
    expect(told()).toEqual([ours + 3_600_500, 3_600_500]);
  });

  test.each([
    ["Sun, 06 Nov 1994 08:49:37 GMT", 784111777000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 784111777000],
    ["Sun Nov  6 08:49:37 1994", 784111777000],
    ["-5", undefined],
    ["5", undefined],
    ["2026", undefined],
    ["soon 5", undefined],
    ["Sun, 99 Nov 1994 08:49:37 GMT", undefined],
  ])("reads %s", (text, moment) => {
    expect(httpDate(text)).toBe(moment);
  });
});

describe("Retry-After", () => {
  test.each([
    ["999999", "2026-01-12 13:46:39"],
    ["2592000", "2026-01-31 00:00:00"],
    ["99999999999999999999", "for ever"],
    ["9".repeat(400), "for ever"],
    ["Fri, 01 Jan 2027 00:00:00 GMT", "2027-01-01 00:00:00"],
  ])("of %s is an error at once that says until when", async (value, until) => {
    const { client, heard, waits, said } = await openScripted((_request, response) => {
      response.writeHead(429, { "retry-after": value }).end();
    });
    const [first, second] = await Promise.all([
      failureOf(client.themes.list()),
      failureOf(client.coupons.create(coupon)),
    ]);
    expect(first).toBeInstanceOf(errors.LimitError);
    expect(first.message).toContain(until);
    expect(first.message).toContain("shop:maxWait");
    // The request behind it isn't sent.
    expect(second).toBeInstanceOf(errors.LimitError);
    expect([heard, waits, said]).toEqual([["GET /admin/themes.xml"], [], []]);
  });

  test.each(["-5", "soon", "", "1e9", "NaN", "0x10"])(
    "an invalid Retry-After %j is ignored",
    async (value) => {
      const { client, waits } = await openScripted((_request, response, index) => {
        if (index === 0) response.writeHead(429, { "retry-after": value }).end();
        else response.writeHead(200, xml).end(themes);
      });
      expect(await client.themes.list()).toHaveLength(1);
      expect(waits).toEqual([300_000]);
    },
  );

  test.each([
    ["0", []],
    ["3", [3_000]],
    ["0.5", [500]],
    ["Thu, 01 Jan 2026 00:01:00 GMT", [60_000]],
    ["Thu, 01 Jan 1970 00:00:00 GMT", []],
  ])("of %s is waited for", async (value, expected) => {
    const { client, waits } = await openScripted((_request, response, index) => {
      if (index === 0) response.writeHead(429, { "retry-after": value }).end();
      else response.writeHead(200, xml).end(themes);
    });
    expect(await client.themes.list()).toHaveLength(1);
    expect(waits).toEqual(expected);
  });

  test("a date in Retry-After is by the shop's clock", async () => {
    const { client, waits } = await openScripted((_request, response, index) => {
      const date = "Thu, 01 Jan 2026 02:00:00 GMT";
      if (index === 0)
        response.writeHead(429, { date, "retry-after": "Thu, 01 Jan 2026 02:00:30 GMT" }).end();
      else response.writeHead(200, xml).end(themes);
    });
    await client.themes.list();
    expect(waits).toEqual([29_500]);
  });

  test("a Retry-After longer than shop:maxWait is an error", async () => {
    const { client, waits } = await openScripted(
      (_request, response, index) => {
        if (index === 0) response.writeHead(429, { "retry-after": "999999" }).end();
        else response.writeHead(429, { "retry-after": "10" }).end();
      },
      {},
      { maxWait: 9 },
    );
    await expect(client.themes.list()).rejects.toThrow(/longer than the 9 s/);
    expect(waits).toEqual([]);
  });
});

test.each([
  ["UND_ERR_HEADERS_TIMEOUT", "the shop didn't answer in time: "],
  ["UND_ERR_BODY_TIMEOUT", "the answer stopped before its end: "],
])("a shop that is too slow is told in words: %s", (code, words) => {
  const cause = Object.assign(new Error("Timeout"), { code });
  expect(failure(cause, "https://my-shop.example")).toEqual({
    type: "lost",
    why: `${words}${code} (Timeout)`,
  });
});

test("a request that is rejected repeatedly fails, and the log has the usage", async () => {
  const { client, heard } = await openScripted((_request, response) =>
    response.writeHead(429, { "retry-after": "0", "api-usage-limit": "7/500" }).end(),
  );
  const failure = await failureOf(client.themes.list());
  expect(failure).toBeInstanceOf(errors.LimitError);
  expect(failure.message).toContain("the rate limit was used up 4 times in a row");
  expect(heard).toHaveLength(5);
  expect(client.transport.usage()).toMatchObject({ max: 500, sent: 5, rejected: 5 });
});

describe("a run that is stopped", () => {
  /** A response whose body never ends. */
  async function openDripping(status = 200) {
    const stop = new AbortController();
    const timers = manualTimers();
    let dripped = () => {};
    const isDripping = new Promise<void>((resolve) => {
      dripped = resolve;
    });
    const scripted = await openScripted(
      (_request, response) => {
        response.writeHead(status, xml);
        response.write("<themes>");
        dripped();
      },
      { stop: stop.signal, timer: timers.timer },
    );
    return { ...scripted, stop, timers, isDripping };
  }

  test("stopping the run ends a read at once", async () => {
    const { client, stop, isDripping, heard, timers } = await openDripping();
    const failure = failureOf(client.themes.list());
    await isDripping;
    stop.abort(new Error("stop"));
    expect(await failure).toBeInstanceOf(errors.CancelledError);
    expect(heard).toHaveLength(1);
    expect(timers.pending()).toEqual([]);
  });

  test("stopping the run waits 1.5 s for a write's response, then reports it as lost", async () => {
    const { client, stop, isDripping, heard, timers } = await openDripping();
    const failure = failureOf(client.coupons.create(coupon));
    await isDripping;
    stop.abort(new Error("stop"));
    expect(timers.pending()).toEqual([1_500, 15_000, 90_000]);
    timers.ring(1_500);
    expect(await failure).toBeInstanceOf(errors.LostAnswerError);
    expect((await failure).message).toMatch(/the answer was cut: the run was stopped.*It may have happened/s);
    expect(heard).toEqual(["POST /admin/discount_codes.xml"]);
    expect(timers.pending()).toEqual([]);
  });

  test("a write's response within 1.5 s of the stop is kept", async () => {
    const stop = new AbortController();
    const timers = manualTimers();
    const { client } = await openScripted(
      (_request, response) => {
        stop.abort(new Error("stop"));
        response.writeHead(200, xml).end(created);
      },
      { stop: stop.signal, timer: timers.timer },
    );
    expect(await client.coupons.create(coupon)).toMatchObject({ id: 7 });
  });

  test("a stopped run sends no more requests", async () => {
    const { client, stop, heard } = await openDripping();
    stop.abort(new Error("stop"));
    expect(await failureOf(client.themes.list())).toBeInstanceOf(errors.CancelledError);
    expect(await failureOf(client.coupons.create(coupon))).toBeInstanceOf(errors.CancelledError);
    expect(await failureOf(client.transport.download("https://example.test/x"))).toBeInstanceOf(
      errors.CancelledError,
    );
    expect(heard).toEqual([]);
  });

  /** A shop that fails every read, with an event while the client waits for a retry. */
  async function openFailing(whileWaiting: () => void, stop?: AbortSignal) {
    const wait = async (_delayMs: number, signal?: AbortSignal) => {
      whileWaiting();
      signal?.throwIfAborted();
    };
    return openScripted((_request, response) => response.writeHead(500).end(), {
      clock: { now: () => Date.UTC(2026, 0, 1), wait },
      ...(stop !== undefined && { stop }),
    });
  }

  test("a stopped run doesn't wait for a retry", async () => {
    const stop = new AbortController();
    const { client, heard } = await openFailing(() => stop.abort(new Error("stop")), stop.signal);
    const failure = await failureOf(client.themes.list());
    expect(failure).toBeInstanceOf(errors.CancelledError);
    expect((failure.cause as Error).message).toBe("stop");
    expect(heard).toEqual(["GET /admin/themes.xml"]);
  });

  test("a failing clock isn't reported as a stop", async () => {
    const { client } = await openFailing(() => {
      throw new Error("no clock");
    });
    expect((await failureOf(client.themes.list())).message).toBe("no clock");
  });

  test("aborting one request's signal ends only that request", async () => {
    const own = new AbortController();
    const { client, heard } = await openFailing(
      () => own.abort(new Error("never mind")),
      new AbortController().signal,
    );
    const request = { kind: "Theme", method: "GET", path: "/admin/themes.xml" } as const;
    const failure = await failureOf(client.transport.send({ ...request, signal: own.signal }, () => 1));
    expect(failure).toBeInstanceOf(errors.CancelledError);
    expect((failure.cause as Error).message).toBe("never mind");
    const late = await failureOf(client.transport.send({ ...request, signal: own.signal }, () => 1));
    expect(late).toMatchObject({ kind: "Theme", method: "GET", path: "/admin/themes.xml" });
    expect((late.cause as Error).message).toBe("never mind");
    expect(heard).toHaveLength(1);
    expect(await failureOf(client.transport.send(request, () => 1))).toBeInstanceOf(errors.NoAnswerError);
    expect(heard).toHaveLength(6);
  });

  test("a slow response ends the exchange after 90 s", async () => {
    const { client, isDripping, timers } = await openDripping();
    const failure = failureOf(client.coupons.create(coupon));
    await isDripping;
    expect(timers.pending()).toEqual([15_000, 90_000]);
    timers.ring(90_000);
    expect(await failure).toBeInstanceOf(errors.LostAnswerError);
    expect((await failure).message).toContain("the answer was cut: it was not complete after 90 s");
  });

  test("a request that has no answer after 15 s is named, one for all that wait, and again in its next try", async () => {
    const timers = manualTimers();
    const told: number[] = [];
    const { client, said, heard } = await openScripted(
      (_request, response) => {
        const isSilent = heard.length >= 2 && heard.length <= 4;
        if (!isSilent) response.writeHead(200, xml).end(themes);
        if (heard.length < 3 || heard.length > 4) return;
        timers.ring(15_000);
        told.push(said.length);
        timers.ring(90_000);
      },
      { timer: timers.timer },
    );
    await client.themes.list();
    await Promise.all([client.themes.list(), client.themes.list()]);
    const line = "no answer to GET /admin/themes.xml for 15 s: waiting until 00:01:30 UTC";
    expect(said).toEqual([line, line]);
    expect(told).toEqual([1, 2]);
    expect(heard).toHaveLength(6);
  });

  test("a response that never starts ends the exchange after 90 s", async () => {
    const timers = manualTimers();
    const { client, heard } = await openScripted(() => timers.ring(90_000), { timer: timers.timer });
    expect(await failureOf(client.themes.list())).toBeInstanceOf(errors.NoAnswerError);
    expect(heard).toHaveLength(5);
  });
});

describe("a packed answer", () => {
  const packed = { ...xml, "content-encoding": "gzip" };

  test("a gzip response is unpacked", async () => {
    const { client } = await openScripted((_request, response) =>
      response.writeHead(200, packed).end(gzipSync(themes)),
    );
    expect(await client.themes.list()).toHaveLength(1);
  });

  test.each([
    ["of 33 MB in 32 kB", gzipSync(Buffer.alloc(33 << 20, "<a/>")), 1, /larger than 32 MB/],
    ["that is cut", gzipSync(themes).subarray(0, 30), 5, /gzip is cut/],
    ["that is none", Buffer.from("<themes/>"), 5, /gzip is cut or damaged/],
  ])("%s is given up", async (_name, body, tries, why) => {
    const { client, heard } = await openScripted((_request, response) =>
      response.writeHead(200, packed).end(body),
    );
    const failure = await failureOf(client.themes.list());
    expect(failure).toBeInstanceOf(errors.NoAnswerError);
    expect(failure.message).toMatch(why);
    expect(heard).toHaveLength(tries);
  });

  test("an endless gzip response is limited", async () => {
    // An empty stored block of deflate: five bytes in, nothing out.
    const block = Buffer.from([0, 0, 0, 0xff, 0xff]);
    const header = gzipSync("").subarray(0, 10);
    let sent = 0;
    const { client } = await openScripted((_request, response) => {
      response.writeHead(200, packed).write(header);
      const chunk = Buffer.concat(Array.from({ length: 200_000 }, () => block));
      const more = () => {
        while (!response.destroyed && sent < 80) {
          sent += 1;
          if (!response.write(chunk)) return response.once("drain", more);
        }
        return response.end();
      };
      more();
    });
    expect((await failureOf(client.themes.list())).message).toContain("larger than 32 MB");
    expect(sent).toBeLessThan(80);
  });

  test("an unknown content encoding is an error without retries", async () => {
    const { client, heard } = await openScripted((_request, response) =>
      response.writeHead(200, { ...xml, "content-encoding": "br" }).end(themes),
    );
    expect((await failureOf(client.themes.list())).message).toContain("encoded as br");
    expect(heard).toHaveLength(1);
  });

  test.each([
    ["a deep nest", "[".repeat(500_000) + "]".repeat(500_000)],
    ["two megabytes", JSON.stringify({ errors: ["x".repeat(2 << 20)] })],
  ])("or not, of an error in %s leaves the status to say what happened", async (_name, body) => {
    const { client } = await openScripted((_request, response) =>
      response.writeHead(422, { "content-type": "application/json" }).end(body),
    );
    const failure = (await failureOf(client.coupons.get({ id: 1 }))) as errors.ShopError;
    expect(failure).toBeInstanceOf(errors.ValidationError);
    expect(failure.messages).toEqual([]);
  });

  test("a damaged error page is reported by its status", async () => {
    const { client } = await openScripted((_request, response) =>
      response.writeHead(404, packed).end("no gzip"),
    );
    expect(await failureOf(client.coupons.get({ id: 1 }))).toBeInstanceOf(errors.NotFoundError);
  });
});
