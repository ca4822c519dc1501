/**
 * The shop's pages at an address of this machine: each with a script that shows problems and reloads the page. The shop knows
 * nothing of it.
 */
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import type { Problem } from "./known.ts";
import { eventsPath, script } from "./page.ts";

export interface Proxy {
  readonly url: string;
  /** Shows the problems in every page that is open, and reloads them where the shop has something else now. */
  show(problems: readonly Problem[], isChanged: boolean): void;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** The shop's own address. */
  readonly shop: string;
  readonly themeId: number;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Headers that belong to one connection, and those that would keep the script out of a page. */
const dropped = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "content-encoding",
  "content-security-policy",
  "content-security-policy-report-only",
  "strict-transport-security",
  "x-frame-options",
]);

/** Opens the proxy on this machine only. @throws where the port is taken */
export async function openProxy({ shop, themeId, port }: ProxyOptions): Promise<Proxy> {
  const origin = new URL(shop);
  const streams = new Set<ServerResponse>();
  let version = 0;
  let problems: readonly Problem[] = [];
  const event = () => `data: ${JSON.stringify({ version, problems })}\n\n`;
  let own = "";
  const server = createServer((request, response) => {
    // A page of another address that has taken this one's name gets nothing.
    if (!isOwn(request.headers.host, own)) {
      response.writeHead(403).end();
      return;
    }
    if (request.url === eventsPath) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(event());
      streams.add(response);
      response.once("close", () => streams.delete(response));
      return;
    }
    pass({ origin, themeId, own, version }, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${own}/`,
    show(now, isChanged) {
      if (isChanged) version += 1;
      if (!isChanged && JSON.stringify(now) === JSON.stringify(problems)) return;
      problems = now;
      for (const stream of streams) stream.write(event());
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isOwn = (host: string | undefined, own: string): boolean =>
  host !== undefined && [own, own.replace("127.0.0.1", "localhost")].includes(`http://${host}`);

interface Way {
  readonly origin: URL;
  readonly themeId: number;
  readonly own: string;
  readonly version: number;
}

function pass(way: Way, request: IncomingMessage, response: ServerResponse): void {
  const { origin, themeId, own } = way;
  const target = new URL(request.url ?? "/", origin);
  // Whoever asks for a page gets it in this theme (platform-facts, 8).
  if (/\btext\/html\b/.test(request.headers.accept ?? "") && !target.searchParams.has("theme_preview"))
    target.searchParams.set("theme_preview", String(themeId));
  const { referer, origin: from, ...rest } = request.headers;
  const headers = {
    ...rest,
    host: origin.host,
    "accept-encoding": "identity",
    ...(referer !== undefined && { referer: referer.replace(own, origin.origin) }),
    ...(from !== undefined && { origin: from.replace(own, origin.origin) }),
  };
  const ask = origin.protocol === "https:" ? requestHttps : requestHttp;
  const fail = (error: Error) => {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(502, { "content-type": "text/html; charset=utf-8" })
        .end(`<p>The shop didn't answer: ${escaped(error.message)}</p>${script(way.version)}`);
  };
  const asked = ask(
    { ...hostOf(origin), method: request.method, path: `${target.pathname}${target.search}`, headers },
    (answer) => {
      answered(way, answer, response).catch(fail);
    },
  );
  asked.once("error", fail);
  response.once("close", () => asked.destroy());
  request.pipe(asked);
}

const hostOf = ({ hostname, port }: URL) => ({
  hostname: hostname.replace(/^\[|\]$/g, ""),
  ...(port !== "" && { port }),
});

async function answered(
  { origin, own, version }: Way,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const here = (text: string) => text.replaceAll(origin.origin, own);
  const kept = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || dropped.has(name)) return [];
      if (name === "location") return [[name, here(String(value))]];
      // Cookies of the shop are this address's own, which has no certificate.
      if (name === "set-cookie") return [[name, (value as string[]).map(ownCookie)]];
      return [[name, value]];
    }),
  );
  const isPage = /\btext\/html\b/.test(headers["content-type"] ?? "");
  if (!isPage) {
    const length = headers["content-length"];
    response.writeHead(statusCode, {
      ...kept,
      "cache-control": "no-store",
      ...(length && { "content-length": length }),
    });
    answer.pipe(response);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const html = here(Buffer.concat(chunks).toString());
  const at = html.toLowerCase().lastIndexOf("</body>");
  const place = at === -1 ? html.length : at;
  response.writeHead(statusCode, { ...kept, "cache-control": "no-store" });
  response.end(html.slice(0, place) + script(version) + html.slice(place));
}

const ownCookie = (cookie: string): string =>
  cookie
    .replace(/;\s*domain=[^;]*/i, "")
    .replace(/;\s*secure\b/i, "")
    .replace(/;\s*samesite=none\b/i, "");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
