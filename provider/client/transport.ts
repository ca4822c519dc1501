/** Sends requests, with rate limiting, retries and errors. */

import { hidden } from "../wire/text.ts";
import type { Connection } from "./connection.ts";
import { openDownloads } from "./download.ts";
import * as errors from "./errors.ts";
import { ShopError } from "./errors.ts";
import { type Exchange, exchangeOnce, type HttpResponse, type Request, type Session } from "./exchange.ts";
import { openShopClock } from "./headers.ts";
import { createLimiter, type Usage, WindowClosedError } from "./limiter.ts";
import { messagesIn } from "./messages.ts";
import { openPool } from "./pools.ts";
import type { Ports } from "./ports.ts";
import { withoutThrowing } from "./request-log.ts";
import { decide } from "./retry.ts";

export type { HttpResponse as Answer, Request } from "./exchange.ts";
export type { Ports, Timer } from "./ports.ts";

export interface Transport {
  /**
   * Sends a request until it is answered, rejected, or given up. `read` decodes a successful response; if it throws a
   * DocumentError, the response counts as unreadable.
   * @throws ShopError (a subclass for each cause)
   */
  send<T>(request: Request, read: (answer: HttpResponse) => T): Promise<T>;
  /**
   * Downloads from an address that the shop returned, without credentials and outside the rate limit. At most 64 MB; only
   * from the shop's own address, or by https from a public one.
   * @throws ShopError (a subclass for each cause)
   */
  download(url: string): Promise<Buffer>;
  usage(): Usage;
  /**
   * Milliseconds since 1970 by the shop's clock, from the `Date` header of the last response; the local time before that. It
   * is off by up to half a second plus half of the exchange's duration, so compare timestamps with a few seconds' tolerance.
   */
  shopTime(): number;
  /** How far the shop's clock is ahead of the local one, in milliseconds; undefined before the first `Date` header. */
  shopAheadMs(): number | undefined;
  close(): Promise<void>;
}

/** HTTP Basic with application and token (platform-facts.md, section 1). */
export const basic = ({ applicationId, password }: Pick<Connection, "applicationId" | "password">) => ({
  authorization: `Basic ${Buffer.from(`${applicationId}:${password}`).toString("base64")}`,
});

export function createTransport(connection: Connection, ports: Ports): Transport {
  const { clock } = ports;
  let pool = ports.dispatcher;
  const door: Session = {
    connection,
    ports,
    // Opened by the first request.
    get pool() {
      pool ??= openPool(connection.url);
      return pool;
    },
    limiter: createLimiter(clock, connection, ports.say),
    headers: {
      ...(ports.attach ?? basic)(connection),
      "accept-encoding": "gzip",
      "user-agent": connection.agent ?? "pulumi-shop",
    },
    shopClock: openShopClock(() => clock.now()),
    journal: withoutThrowing(ports.journal, ports.say),
  };
  const downloads = openDownloads(ports, connection.url);
  const mask = maskOf(secretsOf(connection));
  const hushed = (error: unknown) => {
    throw masked(error, mask);
  };
  return {
    send: (request, read) => send(door, request, read).catch(hushed),
    download: (url) => downloads.download(url).catch(hushed),
    usage: () => door.limiter.usage(),
    shopTime: () => door.shopClock.time(),
    shopAheadMs: () => door.shopClock.aheadMs(),
    async close() {
      await Promise.all([pool?.close(), downloads.close()]);
    },
  };
}

async function send<T>(door: Session, request: Request, read: (answer: HttpResponse) => T): Promise<T> {
  const isRead = request.method === "GET";
  let rejectedTimes = 0;
  for (let tried = 1; ; ) {
    await place(door, request);
    if (door.unauthorized !== undefined) {
      door.limiter.release({});
      throw door.unauthorized;
    }
    const exchange = await exchangeOnce(door, request, read);
    const verdict = decide({ isRead, tried, rejectedTimes }, exchange.outcome, door.ports.random());
    const about = { ...aboutOf(request), cause: exchange.cause };
    switch (verdict.type) {
      case "accept":
        return exchange.value as T;
      case "again":
        if (verdict.rejected) rejectedTimes += 1;
        else {
          tried += 1;
          await pause(door, request, verdict.delayMs);
        }
        continue;
      case "refused":
        throw refusal(door, request, exchange);
      case "stopped":
        throw new errors.CancelledError(about);
      case "lost":
        throw new errors.LostAnswerError(verdict.why, about);
      case "unsent":
        throw new errors.UnreachableError(verdict.why, about);
      case "unanswered":
        throw new errors.NoAnswerError(verdict.why, about);
      case "limit":
        throw new errors.LimitError(verdict.why, about);
    }
  }
}

const aboutOf = ({ kind, objectId, method, path }: Request) => ({ kind, objectId, method, path });

async function place(door: Session, request: Request): Promise<void> {
  const signal = waiting(door, request);
  try {
    await door.limiter.acquire(signal);
  } catch (cause) {
    const about = { ...aboutOf(request), cause };
    if (cause instanceof WindowClosedError) throw new errors.LimitError(cause.message, about);
    throw new errors.CancelledError(about);
  }
  const mayWrite = request.method === "GET" || door.ports.mayWrite?.() !== false;
  if (signal?.aborted !== true && mayWrite) return;
  // The run was stopped, or paused for another run, between acquiring and sending.
  door.limiter.release({});
  if (!mayWrite) throw new errors.LockLostError(aboutOf(request));
  throw new errors.CancelledError({ ...aboutOf(request), cause: signal?.reason });
}

function waiting({ ports }: Session, { signal }: Request): AbortSignal | undefined {
  if (signal === undefined || ports.stop === undefined) return signal ?? ports.stop;
  return AbortSignal.any([signal, ports.stop]);
}

async function pause(door: Session, request: Request, delayMs: number): Promise<void> {
  const signal = waiting(door, request);
  try {
    await door.ports.clock.wait(delayMs, signal);
  } catch (cause) {
    if (!signal?.aborted) throw cause;
    throw new errors.CancelledError({ ...aboutOf(request), cause });
  }
}

function refusal<T>(door: Session, request: Request, exchange: Exchange<T>): errors.ShopError {
  const status = exchange.answer?.status ?? 0;
  const about = {
    ...aboutOf(request),
    status,
    messages: exchange.answer && messagesIn(exchange.answer),
    cause: exchange.cause,
  };
  if (status >= 300 && status < 400)
    return new errors.RedirectError(exchange.location ?? "an unnamed address", about);
  if (status === 401) {
    const unknown = new errors.UnauthorizedError(about);
    if (door.ports.asksOnce) door.unauthorized ??= unknown;
    return unknown;
  }
  if (status === 403 || status === 426) return new errors.ForbiddenError(about);
  if (status === 404 || status === 410) return new errors.NotFoundError(about);
  return new errors.ValidationError(about);
}

type Mask = (text: string) => string;

// Shorter texts may be part of any text.
const shortest = 8;

/** Masks each credential in a text, in several spellings. */
function maskOf(secrets: readonly string[]): Mask {
  const spellings = new Set(
    secrets
      .flatMap((secret) => [
        secret,
        secret.toUpperCase(),
        encodeURIComponent(secret),
        secret.replaceAll("/", "\\/"),
      ])
      .filter(({ length }) => length >= shortest),
  );
  const longestFirst = [...spellings].toSorted((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, hidden), text);
}

/** The credentials as they were configured, and as they are sent (HTTP Basic, with and without padding). */
function secretsOf({ applicationId, password, secrets }: Connection): readonly string[] {
  const basic = Buffer.from(`${applicationId}:${password}`).toString("base64");
  const own = Buffer.from(password).toString("base64");
  return [...secrets, password, ...[basic, own].flatMap((one) => [one, one.replace(/=+$/, "")])];
}

function masked(error: unknown, mask: Mask): unknown {
  if (!(error instanceof ShopError)) return error;
  const { message, messages, stack = "", cause } = error;
  const said = [message, ...messages, stack, ...textsOf(cause)];
  if (said.every((text) => mask(text) === text)) return error;
  return Object.assign(error, {
    message: mask(message),
    messages: messages.map(mask),
    stack: mask(stack),
    cause: cause instanceof Error ? new Error(mask(cause.message)) : undefined,
  });
}

function textsOf(cause: unknown): readonly string[] {
  if (!(cause instanceof Error)) return [];
  const inner = "errors" in cause && Array.isArray(cause.errors) ? cause.errors : [];
  return [cause.message, cause.stack ?? "", ...[cause.cause, ...inner].flatMap(textsOf)];
}
