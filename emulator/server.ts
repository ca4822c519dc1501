/**
 * Serves the shop on a socket. It resists hostile clients: limits for bodies, times and connections, and by default
 * this machine only.
 */
import { randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ShopAnswer } from "./answers.ts";
import { page } from "./answers.ts";
import { Refusal } from "./conversions.ts";
import { openDownloads, type Reach } from "./downloads.ts";
import { createShop, type Shop } from "./shop.ts";
import type { ShopOptions } from "./shop-state.ts";

export interface ServeOptions extends Partial<Omit<ShopOptions, "origin">> {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Allowed addresses of a `src`: "loopback", this machine, by default; never the shop itself. */
  readonly fetch?: Reach;
  /** Milliseconds in which a request's headers must arrive; 10,000 by default. */
  readonly headersTimeoutMs?: number;
  /** Maximum number of connections, 1,000 by default; further ones are closed. */
  readonly mostConnections?: number;
  /** Maximum number of bytes of bodies being read at once, 256 MB by default; beyond it the answer is 503. */
  readonly mostBodyBytes?: number;
}

export interface ServedShop {
  readonly url: string;
  readonly shop: Shop;
  /** The value of `x-control-token` for control requests that change something. */
  readonly control: string;
  close(): Promise<void>;
}

// Each connection takes memory before it is authenticated; tests need far fewer.
const usualConnections = 1_000;
const usualBodyBytes = 256 * 1024 * 1024;

/**
 * Starts a shop on a socket.
 * @throws if the address is in use or the database can't be opened; then nothing stays open
 */
export async function serveShop(options: ServeOptions = {}): Promise<ServedShop> {
  let shop: Shop | undefined;
  const bodies = openBodies(options.mostBodyBytes ?? usualBodyBytes);
  const server = openServer(options.headersTimeoutMs ?? 10_000, (request, response) =>
    answer(shop as Shop, bodies, request, response),
  );
  server.maxConnections = options.mostConnections ?? usualConnections;
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const download = openDownloads({ reach: options.fetch ?? "loopback", ownPort: port });
  const given = {
    now: Date.now,
    random: chance,
    download,
    onError: logError,
    onMissing: logMissing,
    ...options,
  };
  try {
    shop = createShop({ ...given, origin: url });
  } catch (error) {
    await closed(server);
    throw error;
  }
  const { control } = shop;
  return {
    url,
    shop,
    control,
    async close() {
      await closed(server);
      shop?.close();
    },
  };
}

// Credentials and the control token are derived from it.
const chance = () => randomInt(2 ** 32) / 2 ** 32;

function logError(
  error: unknown,
  { method, path }: { readonly method: string; readonly path: string },
): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`pulumi-shop serve: ${method} ${path}: ${text}\n`);
}

const logMissing = (what: string) => void process.stderr.write(`pulumi-shop serve: pages: ${what}\n`);

function openServer(
  headersTimeoutMs: number,
  work: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const server = createServer(
    {
      requestTimeout: 60_000,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000),
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      work(request, response).catch((error: unknown) => {
        logError(error, { method: request.method ?? "", path: request.url ?? "" });
        if (response.headersSent) response.destroy();
        else send(request, response, page(500, "Internal error"));
      });
    },
  );
  server.keepAliveTimeout = 30_000;
  // A socket that is only ended would stay open if its client never responds.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
      socket.destroy(),
    );
  });
  return server;
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function answer(
  shop: Shop,
  bodies: Bodies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
  const local = /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? "");
  const given = await shop.handle({
    method: request.method ?? "",
    target: targetOf(request.url ?? "/"),
    headers,
    // Read only after authentication.
    body: (limit) => bodies.read(request, limit),
    local,
  });
  if (given.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, given.delayMs));
  send(request, response, given);
}

// A request line may have the whole URL (RFC 9112, 3.2.2).
function targetOf(target: string): string {
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  return url === null ? target : `${url.pathname}${url.search}`;
}

type Bodies = ReturnType<typeof openBodies>;

/** Reads bodies, with a limit for all that are read at once. */
function openBodies(most: number) {
  let held = 0;
  return {
    /**
     * @returns undefined if it exceeds the limit @throws Refusal if the client disconnects, or the limit for all bodies
     * is exceeded
     */
    async read(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
      if (Number(request.headers["content-length"] ?? 0) > limit) return undefined;
      const chunks: Buffer[] = [];
      let size = 0;
      try {
        for await (const chunk of request.iterator({ destroyOnReturn: false })) {
          const { length } = chunk as Buffer;
          size += length;
          held += length;
          if (size > limit) return undefined;
          if (held > most) throw new Refusal(503, "Too many bodies at once");
          chunks.push(chunk as Buffer);
        }
      } catch (error) {
        // A client that disconnects is not an error of the shop.
        if (request.destroyed && !(error instanceof Refusal))
          throw new Refusal(400, "Bad request: the body broke off");
        throw error;
      } finally {
        held -= size;
      }
      return Buffer.concat(chunks);
    },
  };
}

// Unread bodies are read up to this size, so that the client gets its answer; then the connection is closed.
const mostUnread = 1024 * 1024;

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, disruption }: ShopAnswer,
): void {
  if (disruption === "drop") {
    response.socket?.resetAndDestroy();
    return;
  }
  const length = headers["content-length"] ?? body.length;
  response.writeHead(status, {
    ...headers,
    ...(status !== 304 && { "content-length": length }),
    ...(!request.complete && { connection: "close" }),
  });
  if (!request.complete) drain(request);
  if (disruption === "truncate") {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(body);
}

function drain(request: IncomingMessage): void {
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostUnread) request.destroy();
  });
}
