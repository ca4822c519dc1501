/** Handles a request: control requests, uploaded files, pages, and the interface. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ShopAnswer, ShopRequest } from "./answers.ts";
import { page, withHeaders } from "./answers.ts";
import { control, answer as controlAnswer } from "./control.ts";
import { Refusal } from "./conversions.ts";
import { authorized } from "./credentials.ts";
import { type Asked, bytesOf, dispatch } from "./dispatch.ts";
import { takeFault, withFault } from "./faults.ts";
import type { Entry } from "./request-log.ts";
import type { ShopState } from "./shop-state.ts";
import type { SiteAnswer } from "./site/index.ts";

const largestControl = 32 * 1024 * 1024;

/** Answers any request; an internal error becomes an answer with status 500 and is passed to `onError`. */
export async function handle(shop: ShopState, request: ShopRequest): Promise<ShopAnswer> {
  // Two slashes at the beginning would be read as a host.
  const url = URL.parse(request.target.replace(/^\/{2,}/, "/"), "http://shop.invalid");
  if (url === null) return page(400, "Bad request");
  const path = tidied(url.pathname);
  const answer = await (path.startsWith("/_control/")
    ? steer(shop, request, path.slice("/_control/".length))
    : answered(shop, request, url, path)
  ).catch((error: unknown) => broken(shop, request, error));
  // Objects and answers are dated by the same clock.
  return encoded(request, withHeaders(answer, { date: new Date(shop.now()).toUTCString() }));
}

// Reads a path like a Rails router: decoded, without doubled slashes and without one at its end.
function tidied(pathname: string): string {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // Not percent-encoded.
  }
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

function broken(shop: ShopState, { method, target }: ShopRequest, error: unknown): ShopAnswer {
  if (error instanceof Refusal) return page(error.status, error.message);
  shop.options.onError?.(error, { method, path: target });
  return page(500, "Internal error");
}

async function steer(shop: ShopState, request: ShopRequest, what: string): Promise<ShopAnswer> {
  const refused = shop.access.refusesControl(request);
  if (refused !== undefined) return controlAnswer(403, { error: refused });
  return control(shop, request.method, what, await bytesOf(request, largestControl));
}

async function answered(shop: ShopState, request: ShopRequest, url: URL, path: string): Promise<ShopAnswer> {
  const looks = request.method === "GET" || request.method === "HEAD";
  const blob = looks ? (shop.store.blob(url.pathname) ?? shop.store.blob(path)) : undefined;
  // An uploaded page is served from the shop's own address, unlike on the platform: its scripts must not run.
  if (blob !== undefined)
    return {
      status: 200,
      headers: {
        "content-type": blob.contentType,
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
      },
      body: blob.bytes,
    };
  if (looks && !path.startsWith("/admin/")) return browse(shop, request, url);
  const at = shop.now();
  const run = shop.runs.ofClient(request.headers["user-agent"], at);
  const entry = shop.log.add(request.method, request.target, at);
  const fault = takeFault(shop.faults, request.method, url.pathname);
  if (fault?.fault === "429") shop.log.reject();
  const usage = () => ({ "api-usage-limit": shop.window.usage(shop.now()) });
  const answer = await withFault(fault, () =>
    serve(shop, { request, path, query: url.searchParams, run }, entry),
  )
    // "Header on every answer" (platform-facts.md, section 3).
    .then((given) => withHeaders(given, usage()))
    .catch((error: unknown) => withHeaders(broken(shop, request, error), usage()));
  entry.status = answer.disruption === "drop" ? null : answer.status;
  return answer;
}

// Liquid is loaded for the first page.
/**
 * The page at an address; undefined if there is none.
 * @param overview whether / is the overview of the shop
 * @param host the host that the browser asked for
 */
export async function renderSite(
  shop: ShopState,
  url: URL,
  { overview, host = url.host }: { readonly overview: boolean; readonly host?: string | undefined },
): Promise<SiteAnswer | undefined> {
  const { visit } = await import("./site/index.ts");
  const { store, log, runs, window, options } = shop;
  const watched = {
    store,
    log: log.entries,
    rejected: log.stats().rejected,
    total: log.stats().total,
    runs: runs.list,
    window: window.state(),
    now: shop.now(),
    readAsset: options.readAsset,
    say: shop.sayOnce,
  };
  return visit(watched, url, host, overview);
}

async function browse(shop: ShopState, request: ShopRequest, url: URL): Promise<ShopAnswer> {
  const refused = shop.access.refusesPage(request);
  if (refused !== undefined) return page(403, refused);
  // In the frame of the overview, / is the storefront.
  const overview = request.local && request.headers["sec-fetch-dest"] !== "iframe";
  const seen = await renderSite(shop, url, { overview, host: request.headers.host });
  if (seen === undefined) return page(404, "Not found");
  return {
    status: seen.status,
    headers: {
      "content-type": seen.contentType,
      "cache-control": "no-store",
      "x-frame-options": "SAMEORIGIN",
    },
    body: Buffer.from(seen.body),
  };
}

async function serve(shop: ShopState, asked: Asked, entry: Entry): Promise<ShopAnswer> {
  const { request } = asked;
  if (!authorized(shop.credentials, request.headers.authorization))
    return withHeaders(page(401, "HTTP Basic: Access denied."), {
      "www-authenticate": 'Basic realm="Application"',
    });
  const admission = shop.window.admit(shop.now());
  if (!admission.admitted) {
    shop.log.reject();
    return withHeaders(page(shop.options.limitStatus ?? 429, "API limit is used up"), {
      "retry-after": String(admission.retryAfterSeconds),
    });
  }
  const answer = await dispatch(shop, asked);
  if (answer.headers.warning !== undefined) entry.warning = answer.headers.warning;
  if (shop.options.strict === true) return answer;
  // The interface has no header for the length of a window, which may differ here.
  const limited = admission.isLast
    ? withHeaders(answer, { "retry-after": String(admission.retryAfterSeconds) })
    : answer;
  return conditional(request, limited);
}

/** The answer to a GET with an ETag, or 304 if the client already has it (RFC 9110, 13.1.2). */
function conditional({ method, headers }: ShopRequest, answer: ShopAnswer): ShopAnswer {
  if ((method !== "GET" && method !== "HEAD") || answer.status !== 200) return answer;
  const tag = `"${hash("md5", answer.body)}"`;
  const named = withHeaders(answer, {
    etag: `W/${tag}`,
    "cache-control": "max-age=0, private, must-revalidate",
  });
  const known = (headers["if-none-match"] ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""));
  if (!known.includes(tag) && !known.includes("*")) return named;
  const { "content-type": _type, ...rest } = named.headers;
  return { status: 304, headers: rest, body: new Uint8Array() };
}

const zip = promisify(gzip);
// Smaller answers fit into one network packet anyway.
const smallestZipped = 1_400;

/** The answer as it is sent: compressed if accepted, without a body for HEAD. */
async function encoded({ method, headers }: ShopRequest, answer: ShopAnswer): Promise<ShopAnswer> {
  const isText = /\b(xml|json|html|javascript|css|liquid|plain)\b/.test(answer.headers["content-type"] ?? "");
  let sent = answer;
  if (isText && answer.status !== 304) {
    sent = withHeaders(sent, { vary: "accept-encoding" });
    if (answer.body.length >= smallestZipped && takesGzip(headers["accept-encoding"]))
      sent = {
        ...withHeaders(sent, { "content-encoding": "gzip" }),
        body: await zip(answer.body, { level: 1 }),
      };
  }
  if (method !== "HEAD") return sent;
  return { ...withHeaders(sent, { "content-length": String(sent.body.length) }), body: new Uint8Array() };
}

function takesGzip(header = ""): boolean {
  const [, quality = "1"] = /(?:^|[,\s])(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(header) ?? [
    undefined,
    "0",
  ];
  return Number(quality) > 0;
}
