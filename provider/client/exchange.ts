/** Sends one request, with limits of size and time, logs it, and reads the response. */

import { codeOf, messageOf } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { DocumentError } from "../wire/xml.ts";
import { type Connection, isLoopback } from "./connection.ts";
import { exchangeTimeoutMs, openDeadline, silenceMs, stopGraceMs } from "./deadline.ts";
import * as errors from "./errors.ts";
import { header, type RateLimitInfo, readRateLimit, type ShopClock } from "./headers.ts";
import { type Limiter, waitText } from "./limiter.ts";
import type { Dispatcher } from "./pools.ts";
import type { Ports } from "./ports.ts";
import { BodyError, receive } from "./receive.ts";
import type { LogEntry } from "./request-log.ts";
import type { Outcome } from "./retry.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Encoded, with its query. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: "application/xml" | "application/json";
  /** For messages. */
  readonly kind?: string;
  readonly objectId?: string;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The parts that all requests of a transport share. */
export interface Session {
  readonly connection: Connection;
  readonly ports: Ports;
  readonly pool: Dispatcher;
  readonly limiter: Limiter;
  readonly headers: Readonly<Record<string, string>>;
  readonly shopClock: ShopClock;
  readonly journal: (entry: LogEntry) => void;
  /** The shop's answer to unknown credentials, if no more requests are sent after it. */
  unauthorized?: errors.UnauthorizedError;
  /** Whether the user was told that the shop is silent, and no request has ended since. */
  isSilenceTold?: boolean;
}

/** More than a page of 250 products. */
const largestAnswer = 32 * 1024 * 1024;
/** A larger error body is a web page; its status is enough. */
const largestError = 1024 * 1024;

/** The result of a request. */
export interface Exchange<T> {
  readonly outcome: Outcome;
  readonly answer?: HttpResponse;
  readonly value?: T;
  readonly location?: string;
  readonly cause?: unknown;
}

/**
 * Sends a request once, and releases its place in the rate limit.
 * @throws ShopError that `read` throws
 */
export async function exchangeOnce<T>(
  door: Session,
  request: Request,
  read: (answer: HttpResponse) => T,
): Promise<Exchange<T>> {
  const { clock, stop } = door.ports;
  const isRead = request.method === "GET";
  const sentAt = clock.now();
  const bounds = openDeadline(door.ports, [stop, request.signal], {
    mostMs: exchangeTimeoutMs,
    waits: isRead ? 0 : stopGraceMs,
    onSilence: () => tellSilence(door, request, sentAt),
  });
  let status: number | null = null;
  let info: RateLimitInfo = {};
  try {
    const response = await door.pool.request({
      origin: door.connection.url,
      method: request.method,
      path: request.path,
      headers: { ...door.headers, ...(request.contentType && { "content-type": request.contentType }) },
      body: request.body ?? null,
      signal: bounds.signal,
    });
    status = response.statusCode;
    door.shopClock.learn(sentAt, response.headers);
    info = readRateLimit(status, response.headers, door.shopClock.time());
    return await answered(status, response, info.retryAfterMs, read);
  } catch (cause) {
    if (cause instanceof errors.ShopError) throw cause;
    const ended = bounds.ended();
    if (ended === undefined) return { outcome: failure(cause, door.connection.url), cause };
    const why = `the answer was cut: ${messageOf(bounds.signal.reason)}`;
    return { outcome: { type: ended === "stopped" ? "stopped" : "lost", why }, cause };
  } finally {
    bounds.close();
    door.isSilenceTold = false;
    door.limiter.release(info);
    door.journal({
      at: clock.now(),
      sent: sentAt,
      pid: process.pid,
      method: request.method,
      path: request.path,
      status,
      used: info.used ?? null,
      limit: info.max ?? null,
    });
  }
}

/** Many requests may wait for a silent shop: one of them is named. */
function tellSilence(door: Session, { method, path }: Request, sentAt: number): void {
  if (door.isSilenceTold) return;
  door.isSilenceTold = true;
  const why = `no answer to ${method} ${path} for ${silenceMs / 1000} s`;
  door.ports.say(waitText(why, sentAt + exchangeTimeoutMs));
}

async function answered<T>(
  status: number,
  response: Parameters<typeof receive>[0],
  retryAfterMs: number | undefined,
  read: (answer: HttpResponse) => T,
): Promise<Exchange<T>> {
  const { headers } = response;
  const contentType = header(headers, "content-type") ?? "";
  const isSuccess = status >= 200 && status < 300;
  const outcome = { type: "answer", status, retryAfterMs } as const;
  const location = header(headers, "location");
  const moved = location === undefined ? {} : { location };
  try {
    const bytes = await receive(response, isSuccess ? largestAnswer : largestError);
    const body = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const answer = { status, contentType, body };
    return isSuccess ? { outcome, answer, value: read(answer) } : { outcome, answer, ...moved };
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    // The body of an error may be anything; its status is enough.
    if (!isSuccess) return { outcome, answer: { status, contentType: "", body: "" }, ...moved, cause };
    const final = cause instanceof BodyError && cause.final;
    return {
      outcome: { type: "unreadable", why: `the answer is unreadable: ${wordsOf(cause)}`, final },
      cause,
    };
  }
}

const isUndecoded = (cause: unknown) =>
  cause instanceof TypeError && codeOf(cause) === "ERR_ENCODING_INVALID_ENCODED_DATA";
const isUnreadable = (cause: unknown): cause is Error =>
  cause instanceof DocumentError || cause instanceof BodyError || isUndecoded(cause);
const wordsOf = (cause: Error) => (isUndecoded(cause) ? "it is not UTF-8" : cause.message);

// The connection failed before a byte of the request was written.
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/;
const plainWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers at this port",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name can't be looked up: is this machine online?",
  EHOSTUNREACH: "no network leads to this host",
  ENETUNREACH: "no network leads to this host",
  UND_ERR_CONNECT_TIMEOUT: "nothing answers at this address",
  UND_ERR_HEADERS_TIMEOUT: "the shop didn't answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped before its end",
  UND_ERR_SOCKET: "the connection was interrupted",
  ECONNRESET: "the connection was interrupted",
};
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/;

// OpenSSL's messages for a response without TLS.
const plainHttp = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/i;

/** Interprets a failed connection: nothing was sent, or the response was lost. */
export function failure(cause: unknown, url: string): Outcome {
  const [code, message] = [codeOf(cause), valuesOf(cause).message];
  const codes = [code, ...listOf(valuesOf(cause).errors).map(codeOf)].map((one) => one ?? "");
  const word = plainWords[code ?? ""];
  const why = `${word === undefined ? "" : `${word}: `}${code ?? "error"}${message === undefined ? "" : ` (${message})`}`;
  const { protocol, host, hostname } = new URL(url);
  if (protocol === "https:" && codes.some((one) => plainHttp.test(one))) {
    const cure = isLoopback(hostname) ? `write http://${host}` : "a shop needs https, so check the port";
    return { type: "unsent", why: `${host} answers plain http: ${cure}`, final: true };
  }
  if (codes.some((one) => untrusted.test(one)))
    return { type: "unsent", why: `its certificate or its TLS is not trusted: ${why}`, final: true };
  const start =
    code === "ECONNREFUSED" && isLoopback(hostname)
      ? "; pulumi-shop serve starts a shop on this machine"
      : "";
  if (codes.some((one) => unsent.test(one))) return { type: "unsent", why: why + start, final: false };
  return { type: "lost", why };
}
