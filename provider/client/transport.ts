/** The door to the network: one request in, one answer out; limiter, retry and errors in one loop. */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Dispatcher, fetch, Pool } from "undici";
import { DocumentError } from "../xml.ts";
import type { Connection } from "./connection.ts";
import * as errors from "./errors.ts";
import type { JournalEntry } from "./journal.ts";
import { type Clock, createLimiter, type Limiter, mostInFlight, type Usage } from "./limiter.ts";
import { messagesIn } from "./messages.ts";
import { decide, isRejection, type Outcome } from "./retry.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With its query, encoded. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: "application/xml" | "application/json";
  /** For messages. */
  readonly kind?: string;
  readonly id?: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface Transport {
  /**
   * Sends a request until it is answered, refused, or given up. `read` makes a value of a successful answer; when it
   * throws a DocumentError the answer counts as unreadable.
   * @throws ShopError of the class that says what happened
   */
  send<T>(request: Request, read: (answer: Answer) => T): Promise<T>;
  /**
   * The bytes at an address that the shop gave: from whoever serves them, without credentials, outside the window.
   * @throws ShopError of the class that says what happened
   */
  download(url: string): Promise<Buffer>;
  usage(): Usage;
  close(): Promise<void>;
}

/** How the access token is attached; interface.md doesn't show it (Authentication 3), so it can be replaced. */
export type Attach = (connection: Connection) => Readonly<Record<string, string>>;

/** HTTP Basic, application and token (platform-facts.md, section 1). */
export const basic: Attach = ({ applicationId, password }) => ({
  authorization: `Basic ${Buffer.from(`${applicationId}:${password}`).toString("base64")}`,
});

/** The world outside. */
export interface Ports {
  readonly clock: Clock;
  readonly random: () => number;
  /** A line for the person who watches. */
  readonly say: (line: string) => void;
  readonly journal?: ((entry: JournalEntry) => void) | undefined;
  readonly dispatcher?: Dispatcher;
  /** Ends all waiting, not what is on its way: a run that is stopped ends soon and knows what it did. */
  readonly stop?: AbortSignal;
  readonly attach?: Attach;
}

/** Larger than any page of 250 products, far smaller than memory. */
const largestAnswer = 64 * 1024 * 1024;

function openPool(url: string): Pool {
  return new Pool(url, {
    connections: mostInFlight,
    pipelining: 1,
    // Below what servers usually keep, so that a write seldom meets a connection about to close.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    connect: { timeout: 10_000 },
    // The platform itself gives up after 50 s (platform-facts.md, section 3).
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    maxResponseSize: largestAnswer,
    allowH2: false,
  });
}

export function createTransport(connection: Connection, ports: Ports): Transport {
  const pool = ports.dispatcher ?? openPool(connection.url);
  const limiter = createLimiter(ports.clock, connection.capacityPercent, ports.say);
  const headers = {
    ...(ports.attach ?? basic)(connection),
    "accept-encoding": "gzip",
    "user-agent": "pulumi-shop",
  };
  return {
    send: (request, read) => send({ connection, ports, pool, limiter, headers }, request, read),
    download: (url) => download(ports, connection.url, url),
    usage: () => limiter.usage(),
    close: () => pool.close(),
  };
}

interface Door {
  readonly connection: Connection;
  readonly ports: Ports;
  readonly pool: Dispatcher;
  readonly limiter: Limiter;
  readonly headers: Readonly<Record<string, string>>;
}

type Exchange<T> = {
  readonly outcome: Outcome;
  readonly answer?: Answer;
  readonly value?: T;
  readonly location?: string;
  readonly cause?: unknown;
};

async function send<T>(door: Door, request: Request, read: (answer: Answer) => T): Promise<T> {
  const isRead = request.method === "GET";
  let turnedAway = 0;
  for (let tried = 1; ; ) {
    await place(door, request);
    const exchange = await exchangeOnce(door, request, read);
    const verdict = decide(isRead, exchange.outcome, tried, turnedAway, door.ports.random());
    const about = { ...aboutOf(request), cause: exchange.cause };
    switch (verdict.type) {
      case "accept":
        return exchange.value as T;
      case "again":
        if (verdict.rejected) turnedAway += 1;
        else {
          tried += 1;
          await pause(door, request, verdict.delayMs);
        }
        continue;
      case "refused":
        throw refusal(request, exchange);
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

async function download(ports: Ports, shop: string, url: string): Promise<Buffer> {
  const about = { method: "GET", path: url };
  if (!url.startsWith("https://") && !url.startsWith(`${shop}/`))
    throw new errors.UnreachableError("it is neither https nor the shop's own", about);
  for (let tried = 1; ; tried += 1) {
    let outcome: Outcome;
    let bytes = Buffer.alloc(0);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
      bytes = Buffer.from(await response.arrayBuffer());
      outcome = { type: "answer", status: response.status, retryAfterMs: undefined };
    } catch (error) {
      outcome = failure((error as { cause?: unknown }).cause ?? error);
    }
    const verdict = decide(true, outcome, tried, 0, ports.random());
    if (verdict.type === "accept") return bytes;
    if (verdict.type !== "again") {
      const why = "why" in verdict ? verdict.why : "it was refused";
      throw new errors.NoAnswerError(why, {
        ...about,
        ...(outcome.type === "answer" && { status: outcome.status }),
      });
    }
    await ports.clock.wait(verdict.rejected ? 1_000 : verdict.delayMs, ports.stop);
  }
}

const aboutOf = ({ kind, id, method, path }: Request) => ({ kind, id, method, path });

async function place(door: Door, request: Request): Promise<void> {
  try {
    await door.limiter.acquire(waiting(door, request));
  } catch (cause) {
    throw new errors.CancelledError({ ...aboutOf(request), cause });
  }
}

function waiting({ ports }: Door, { signal }: Request): AbortSignal | undefined {
  if (signal === undefined || ports.stop === undefined) return signal ?? ports.stop;
  return AbortSignal.any([signal, ports.stop]);
}

async function pause(door: Door, request: Request, delayMs: number): Promise<void> {
  try {
    await door.ports.clock.wait(delayMs, waiting(door, request));
  } catch (cause) {
    throw new errors.CancelledError({ ...aboutOf(request), cause });
  }
}

async function exchangeOnce<T>(
  door: Door,
  request: Request,
  read: (answer: Answer) => T,
): Promise<Exchange<T>> {
  let status: number | null = null;
  let heard: { used?: number; max?: number; retryAfterMs?: number | undefined; rejected?: boolean } = {};
  try {
    const response = await door.pool.request({
      origin: door.connection.url,
      method: request.method,
      path: request.path,
      headers: { ...door.headers, ...(request.contentType && { "content-type": request.contentType }) },
      body: request.body ?? null,
      signal: request.signal ?? null,
    });
    status = response.statusCode;
    heard = hear(response.statusCode, response.headers, door.ports.clock.now());
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return await readAnswer(status, response.headers, bytes, heard.retryAfterMs, read);
  } catch (cause) {
    if (cause instanceof errors.ShopError) throw cause;
    return { outcome: failure(cause), cause };
  } finally {
    door.limiter.settle(heard);
    const { pid } = process;
    const { method, path } = request;
    door.ports.journal?.({
      at: door.ports.clock.now(),
      pid,
      method,
      path,
      status,
      used: heard.used ?? null,
      limit: heard.max ?? null,
    });
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
const header = (headers: Headers, name: string) => {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
};

function hear(status: number, headers: Headers, now: number) {
  const usage = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(header(headers, "api-usage-limit") ?? "");
  const retryAfterMs = retryAfter(header(headers, "retry-after"), now);
  return {
    ...(usage !== null && { used: Number(usage[1]), max: Number(usage[2]) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    rejected: isRejection(status, retryAfterMs),
  };
}

function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const unzip = promisify(gunzip);

async function readAnswer<T>(
  status: number,
  headers: Headers,
  bytes: Buffer,
  retryAfterMs: number | undefined,
  read: (answer: Answer) => T,
): Promise<Exchange<T>> {
  const contentType = header(headers, "content-type") ?? "";
  const outcome = { type: "answer", status, retryAfterMs } as const;
  try {
    const plain =
      header(headers, "content-encoding") === "gzip"
        ? await unzip(bytes, { maxOutputLength: largestAnswer })
        : bytes;
    const body = new TextDecoder("utf-8", { fatal: true }).decode(plain);
    const answer = { status, contentType, body };
    if (status < 200 || status >= 300)
      return {
        outcome,
        answer,
        ...(header(headers, "location") && { location: header(headers, "location") as string }),
      };
    return { outcome, answer, value: read(answer) };
  } catch (cause) {
    if (cause instanceof errors.ShopError) throw cause;
    // An error page may be anything; its status is enough.
    if (status < 200 || status >= 300)
      return { outcome, answer: { status, contentType: "", body: "" }, cause };
    const why =
      cause instanceof DocumentError ? cause.message : `it can't be decoded (${(cause as Error).message})`;
    return { outcome: { type: "unreadable", why: `the answer is unreadable: ${why}` }, cause };
  }
}

// Failures of the connection itself, before a byte of the request was written.
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/;
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/;

function failure(cause: unknown): Outcome {
  const { code, message } = cause as { code?: string; message?: string };
  const errorsInside = (cause as { errors?: readonly { code?: string }[] }).errors ?? [];
  const codes = [code ?? "", ...errorsInside.map((inner) => inner.code ?? "")];
  const why = `${code ?? "error"}${message === undefined ? "" : ` (${message})`}`;
  if (codes.some((one) => untrusted.test(one)))
    return { type: "unsent", why: `its certificate or its TLS is not trusted: ${why}`, final: true };
  if (codes.some((one) => unsent.test(one))) return { type: "unsent", why, final: false };
  return { type: "lost", why };
}

function refusal<T>(request: Request, exchange: Exchange<T>): errors.ShopError {
  const status = exchange.answer?.status ?? 0;
  const about = {
    ...aboutOf(request),
    status,
    messages: exchange.answer && messagesIn(exchange.answer),
    cause: exchange.cause,
  };
  if (status >= 300 && status < 400)
    return new errors.RedirectError(exchange.location ?? "an unnamed address", about);
  if (status === 401) return new errors.UnauthorizedError(about);
  if (status === 403 || status === 426) return new errors.ForbiddenError(about);
  if (status === 404 || status === 410) return new errors.NotFoundError(about);
  return new errors.ValidationError(about);
}
