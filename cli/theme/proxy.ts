/** A local proxy for the shop's pages. It adds a script that shows problems and reloads the page. */

import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Problem } from "./sync-state.ts";

export interface ProxyOptions {
  readonly shop: string;
  readonly themeId: number;
  /** 0 for any free port. */
  readonly port: number;
}

/** Headers of a single connection, and headers that would block the script. */
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

/** Listens on this machine only. @throws Error if the port is in use */
export async function openProxy({ shop, themeId, port }: ProxyOptions) {
  const origin = new URL(shop);
  const streams = new Set<ServerResponse>();
  let version = 0;
  let problems: readonly Problem[] = [];
  const event = () => `data: ${JSON.stringify({ version, problems })}\n\n`;
  let own = "";
  const server = createServer((request, response) => {
    // Rejects requests under other host names (DNS rebinding).
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
    /** Shows problems in all open pages, and reloads them if the shop changed. */
    show(now: readonly Problem[], isChanged: boolean) {
      if (isChanged) version += 1;
      if (!isChanged && JSON.stringify(now) === JSON.stringify(problems)) return;
      problems = now;
      for (const stream of streams) stream.write(event());
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isOwn = (host: string | undefined, own: string): boolean =>
  host !== undefined && [own, own.replace("127.0.0.1", "localhost")].includes(`http://${host}`);

interface Forwarding {
  readonly origin: URL;
  readonly themeId: number;
  readonly own: string;
  readonly version: number;
}

function pass(way: Forwarding, request: IncomingMessage, response: ServerResponse): void {
  const { origin, themeId, own } = way;
  const target = new URL(request.url ?? "/", origin);
  // Every page is requested in this theme (platform-facts, 8).
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
        .end(`<p>The shop didn't answer: ${escaped(error.message)}</p>${reloadScript(way.version)}`);
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
  { origin, own, version }: Forwarding,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const here = (text: string) => text.replaceAll(origin.origin, own);
  const kept = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || dropped.has(name)) return [];
      if (name === "location") return [[name, here(String(value))]];
      // Cookies are rewritten for this address, which uses http.
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
  const html = here(await text(answer));
  const at = html.toLowerCase().lastIndexOf("</body>");
  const place = at === -1 ? html.length : at;
  response.writeHead(statusCode, { ...kept, "cache-control": "no-store" });
  response.end(html.slice(0, place) + reloadScript(version) + html.slice(place));
}

const ownCookie = (cookie: string): string =>
  cookie
    .replace(/;\s*domain=[^;]*/i, "")
    .replace(/;\s*secure\b/i, "")
    .replace(/;\s*samesite=none\b/i, "");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const eventsPath = "/_theme/events";

/**
 * The script for each page: shows problems over the page and reloads it after changes. @param version of the
 * page; an older page is reloaded
 */
const reloadScript = (version: number): string =>
  `<script>(${client.toString()})(${version}, ${JSON.stringify(eventsPath)})</script>`;

/** The used part of the DOM; the compiler only knows Node. */
interface Element {
  id: string;
  className: string;
  textContent: string;
  innerHTML: string;
  append(...children: readonly unknown[]): void;
  remove(): void;
  attachShadow(options: { readonly mode: "open" }): Element;
}
declare const document: {
  readonly body: Element;
  createElement(name: string): Element;
  getElementById(id: string): Element | null;
};
declare const location: { reload(): void };
declare const EventSource: new (
  path: string,
) => {
  onmessage: (event: { readonly data: string }) => void;
};

/** Runs in the browser, so it can't use anything from this module. */
function client(version: number, path: string): void {
  const style =
    "section{position:fixed;inset:auto 0 0 0;max-height:60vh;overflow:auto;z-index:2147483647;background:#1b1b1f;color:#f4f4f5;font:14px/1.5 ui-monospace,monospace;padding:16px 20px;border-top:4px solid #e5484d}" +
    "h2{font-size:14px;margin:0;color:#ff9592}pre{margin:6px 0;padding:6px 10px;background:#2a2a30;white-space:pre-wrap}p{margin:0 0 12px}";
  const show = (problems: readonly Problem[]) => {
    document.getElementById("theme-problems")?.remove();
    if (problems.length === 0) return;
    const host = document.createElement("div");
    host.id = "theme-problems";
    const root = host.attachShadow({ mode: "open" });
    const sheet = document.createElement("style");
    sheet.textContent = style;
    const box = document.createElement("section");
    for (const one of problems) {
      const parts = [
        ["h2", `${one.path}:${one.line}:${one.column} ${one.message}`],
        ["pre", one.source],
        ["p", one.fix],
      ] as const;
      for (const [name, text] of parts) {
        if (text === "") continue;
        const element = document.createElement(name);
        element.textContent = text;
        box.append(element);
      }
    }
    root.append(sheet, box);
    document.body.append(host);
  };
  new EventSource(path).onmessage = ({ data }) => {
    const told = JSON.parse(data) as { readonly version: number; readonly problems: readonly Problem[] };
    if (told.version !== version) location.reload();
    else show(told.problems);
  };
}
