// Rate limit and clock from response headers, and messages from error bodies.
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../provider/client/exchange.ts";
import { header, httpDate, openShopClock, readRateLimit } from "../../provider/client/headers.ts";
import { messagesIn } from "../../provider/client/messages.ts";

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

test("header returns the first of several values", () => {
  const headers = { a: "1", b: ["2", "3"], c: [], d: undefined };
  expect(["a", "b", "c", "d", "e"].map((name) => header(headers, name))).toEqual([
    "1",
    "2",
    undefined,
    undefined,
    undefined,
  ]);
});

describe("what is used of the window", () => {
  const used = (text: string | undefined) => readRateLimit(200, { "api-usage-limit": text }, now);

  test.each([
    ["1/500", 1, 500],
    ["0/0", 0, 0],
    [" 12 / 345 ", 12, 345],
    ["123456789/987654321", 123456789, 987654321],
  ])("%j is %d of %d", (text, count, max) => {
    expect(used(text)).toEqual({ used: count, max, rejected: false });
  });
});

describe("when to come again", () => {
  const after = (text: string | undefined) => readRateLimit(503, { "retry-after": text }, now).retryAfterMs;

  test.each([
    ["0", 0],
    ["7", 7_000],
    [" 7 ", 7_000],
    ["0.25", 250],
    ["0.0001", 1],
    ["1.2345", 1_235],
    ["Fri, 02 Jan 2026 03:04:15 GMT", 10_000],
    ["Fri, 02 Jan 2026 03:04:05 GMT", 0],
    ["Fri, 02 Jan 2026 03:04:00 GMT", 0],
  ])("%s is in %d ms", (text, ms) => {
    expect(after(text)).toBe(ms);
  });
});

describe("a date of a header", () => {
  test.each([
    "Fri, 02 Jan 2026 03:04:05 GMT",
    " Fri, 02 Jan 2026 03:04:05 GMT ",
    "Friday, 02-Jan-26 03:04:05 GMT",
    "Fri Jan  2 03:04:05 2026",
    "Fri Jan 02 03:04:05 2026",
  ])("%j", (text) => {
    expect(httpDate(text)).toBe(now);
  });
});

describe("the shop's clock", () => {
  test("the shop's clock is the local clock before the first response", () => {
    const clock = openShopClock(() => 1_000);
    expect(clock.time()).toBe(1_000);
    clock.learn(0, {});
    clock.learn(0, { date: "soon" });
    expect(clock.time()).toBe(1_000);
  });

  test("the shop's clock is assumed in the middle of the exchange plus half a second", () => {
    let ours = now;
    const clock = openShopClock(() => ours);
    ours = now + 4_000;
    clock.learn(now, { date: "Fri, 02 Jan 2026 04:04:05 GMT" });
    // The middle was two seconds after the start.
    expect(clock.time()).toBe(now + 3_600_000 + 500 + 2_000);
    ours += 1_000;
    expect(clock.time()).toBe(now + 3_600_000 + 500 + 3_000);
  });
});

describe("a shop's own words", () => {
  const said = (contentType: string, body: string) => messagesIn({ contentType, body } as HttpResponse);

  test.each<[body: string, messages: readonly string[]]>([
    ["<errors><error>a</error><error>b</error></errors>", ["a", "b"]],
    ["<errors><error/></errors>", [""]],
    ["<errors><error nil='true'/></errors>", [""]],
    ["<errors> a </errors>", ["a"]],
    ["<errors/>", []],
    ["<errors> </errors>", []],
    ["<errors nil='true'/>", []],
    ["<errors>x<error>a</error></errors>", ["a"]],
    ["<errors", []],
    ["", []],
  ])("in XML: %s", (body, messages) => {
    expect(said("application/xml; charset=utf-8", body)).toEqual(messages);
  });

  test.each<[body: string, messages: readonly string[]]>([
    ['{"base":["no"],"message":"never"}', ["no", "never"]],
    ['{"status":"error","errors":{"title":["no"]}}', ["title: no"]],
    ['{"errors":["no"]}', ["no"]],
    ['{"error":"no"}', ["error: no"]],
    ['["a","b"]', ["a", "b"]],
    ['"a"', ["a"]],
    ['{"title":null,"code":1,"list":[null,2,"x"]}', ["list: x"]],
    ["null", []],
    ["1", []],
    ["{", []],
    ["", []],
  ])("in JSON: %s", (body, messages) => {
    expect(said("application/json", body)).toEqual(messages);
  });

  test("messages in JSON are read up to ten levels deep", () => {
    const nest = (depth: number) => `${"[".repeat(depth)}"x"${"]".repeat(depth)}`;
    expect(said("application/json", nest(10))).toEqual(["x"]);
    expect(said("application/json", nest(11))).toEqual([]);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}"x"${"}".repeat(depth)}`;
    expect(said("application/json", objects(10))).toEqual(["a: x"]);
    expect(said("application/json", objects(11))).toEqual([]);
  });

  test("a document of an unknown form has no messages", () => {
    for (const type of ["text/html", "text/plain", ""])
      expect(said(type, "<errors><error>a</error></errors>")).toEqual([]);
  });
});
