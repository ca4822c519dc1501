/** The shop behind a socket. It survives hostile peers: bounded bodies, bounded times, this machine only unless told. */
import { randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { page } from "./answers.ts";
import { Refusal } from "./casts.ts";
import { openDownloads, type Reach } from "./downloads.ts";
import type { ShopAnswer } from "./exchange.ts";
import type { ShopOptions } from "./inner.ts";
import { createShop, type Shop } from "./shop.ts";

export interface ServeOptions extends Partial<Omit<ShopOptions, "origin">> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  /** Where a `src` may be fetched from: "loopback", this machine, when left out; never from the shop itself. */
  readonly fetch?: Reach;
  /** Milliseconds in which a request's headers have to arrive, 10,000 when left out. */
  readonly headersTimeoutMs?: number;
  /** Connections at once, 1,000 when left out; what comes beyond is closed. */
  readonly mostConnections?: number;
  /** Bytes of bodies that are being read at once, 256 MB when left out; what comes beyond is 503. */
  readonly mostBodyBytes?: number;
}

export interface ServedShop {
  readonly url: string;
  readonly shop: Shop;
  /** What `x-control-token` has to be for control requests that change something. */
  readonly control: string;
  close(): Promise<void>;
}

// Each costs memory before it says who it is; a test's clients are far fewer.
const usualConnections = 1_000;
const usualBodyBytes = 256 * 1024 * 1024;

/**
 * Starts a shop on a socket.
 * @throws where the address is taken or the database can't be opened; nothing stays open then
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
    onError: tell,
    onMissing: tellMissing,
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

// Credentials and the control token come of it.
const chance = () => randomInt(2 ** 32) / 2 ** 32;

function tell(error: unknown, { method, path }: { readonly method: string; readonly path: string }): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`pulumi-shop serve: ${method} ${path}: ${text}\n`);
}

const tellMissing = (what: string) => void process.stderr.write(`pulumi-shop serve: pages: ${what}\n`);

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
        tell(error, { method: request.method ?? "", path: request.url ?? "" });
        if (response.headersSent) response.destroy();
        else send(request, response, page(500, "Internal error"));
      });
    },
  );
  server.keepAliveTimeout = 30_000;
  // Ended only, a socket whose peer is silent would stay: the peer's own end never comes.
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
    // Read only once the shop knows who asks.
    body: (limit) => bodies.read(request, limit),
    local,
  });
  if (given.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, given.delayMs));
  send(request, response, given);
}

// A request line may have the whole address (RFC 9112, 3.2.2): its path is meant.
function targetOf(target: string): string {
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  return url === null ? target : `${url.pathname}${url.search}`;
}

type Bodies = ReturnType<typeof openBodies>;

/** Reads bodies, so many bytes of all of them at once. */
function openBodies(most: number) {
  let held = 0;
  return {
    /** @returns undefined for more than the limit @throws Refusal where the peer went away, or too much is being read */
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
        // The peer went away: that is no error of the shop.
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

// What is left of a body that nobody wanted is read up to here, so that the peer gets its answer; then the peer is cut.
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
