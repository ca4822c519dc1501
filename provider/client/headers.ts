/** Reads the rate limit and the shop's clock from response headers. */
import { isRejection } from "./retry.ts";

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

export interface RateLimitInfo {
  readonly used?: number;
  readonly max?: number;
  /** Not negative; infinite if the number is too large; undefined if the response has none. */
  readonly retryAfterMs?: number;
  /** The request was rejected before it was processed. */
  readonly rejected?: boolean;
}

/** @param now milliseconds since 1970, by the shop's clock */
export function readRateLimit(status: number, headers: Headers, now: number): RateLimitInfo {
  const usage = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(header(headers, "api-usage-limit") ?? "");
  const retryAfterMs = retryAfter(header(headers, "retry-after"), now);
  return {
    ...(usage !== null && { used: Number(usage[1]), max: Number(usage[2]) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    rejected: isRejection(status, retryAfterMs),
  };
}

// Seconds or a date (RFC 9110, 10.2.3); anything else, such as a negative number, is ignored.
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = httpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

const days = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const forms = new RegExp(
  `^\\s*(?:${days}, \\d{2} ${months} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT` +
    `|${days}[a-z]*, \\d{2}-${months}-\\d{2} \\d{2}:\\d{2}:\\d{2} GMT` +
    `|(${days} ${months} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}))\\s*$`,
);

/**
 * Parses a date in one of HTTP's three forms (RFC 9110, 5.6.7), in milliseconds since 1970. Date.parse would accept "-5".
 */
export function httpDate(text: string | undefined): number | undefined {
  const match = text === undefined ? null : forms.exec(text);
  if (match === null) return undefined;
  const moment = Date.parse(match[1] === undefined ? match[0] : `${match[1]} GMT`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The difference between the shop's clock and the local one. */
export type ShopClock = ReturnType<typeof openShopClock>;

/**
 * `Date` has whole seconds and no exact time within the exchange: add half a second, and assume the middle of the exchange.
 */
export function openShopClock(now: () => number) {
  let aheadMs: number | undefined;
  return {
    /** Learns from a response: the time when its request was sent, and its `Date` header. */
    learn(sentAt: number, headers: Headers) {
      const date = httpDate(header(headers, "date"));
      if (date !== undefined) aheadMs = Math.round(date + 500 - (sentAt + now()) / 2);
    },
    /** How far the shop's clock is ahead, in milliseconds; undefined before the first response. */
    aheadMs: () => aheadMs,
    /** Milliseconds since 1970 by the shop's clock. */
    time: () => Math.round(now() + (aheadMs ?? 0)),
  };
}
