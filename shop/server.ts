/** The shop behind a socket. It survives hostile peers: bounded bodies, bounded times, this machine only unless told. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { page } from "./answers.ts";
import { createShop, type Shop, type ShopAnswer, type ShopOptions } from "./index.ts";
import type { Upload } from "./routing.ts";

export interface ServeOptions extends Partial<Omit<ShopOptions, "origin">> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 when left out. */
  readonly host?: string;
}

export interface ServedShop {
  readonly url: string;
  readonly shop: Shop;
  close(): Promise<void>;
}

/** Not attested: the largest body. Chosen: enough for a large picture in base64. */
const largestBody = 32 * 1024 * 1024;

/** Starts a shop on a socket. */
export async function serveShop(options: ServeOptions = {}): Promise<ServedShop> {
  let shop: Shop | undefined;
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16_384 },
    (request, response) => {
      answer(shop as Shop, request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else send(response, page(500, "Internal error"));
      });
    },
  );
  server.keepAliveTimeout = 30_000;
  server.on("clientError", (_error, socket) =>
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
  );
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  shop = createShop({ now: Date.now, random: Math.random, download, ...options, origin: url });
  return {
    url,
    shop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          shop?.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader("connection", "close");
    return send(response, page(413, "Request entity too large"));
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
  const local = /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? "");
  const given = await shop.handle({
    method: request.method ?? "",
    target: request.url ?? "/",
    headers,
    body,
    local,
  });
  if (given.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, given.delayMs));
  send(response, given);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > largestBody) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, headers, body, mishap }: ShopAnswer): void {
  if (mishap === "drop") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, { ...headers, "content-length": body.length });
  if (mishap === "truncate") {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(body);
}

/** Fetches a `src` over http or https, at most 32 MB in 20 s. */
async function download(url: string): Promise<Upload | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes.length > largestBody
      ? undefined
      : { bytes, name: decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "") || undefined };
  } catch {
    // Whatever went wrong, the shop says the same: it can't fetch that address.
    return undefined;
  }
}
