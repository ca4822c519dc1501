/**
 * The embedded shop: the whole interface as a function from request to answer over a store. Sockets are in
 * server.ts; clock, randomness and downloads come from outside.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type AnswerParts, answerOf, page, refusalOf } from "./answers.ts";
import { Invalid } from "./casts.ts";
import { control, type Fault, takeFault } from "./control.ts";
import { MalformedBody, type Row, readJson, readXml } from "./documents.ts";
import { routes } from "./routes/index.ts";
import { type Context, type Format, type Route, type Upload, underRoot } from "./routing.ts";
import { seed } from "./seed.ts";
import { openStore } from "./store.ts";
import { type Limit, openWindow } from "./window.ts";

export interface ShopOptions {
  /** A file of SQLite; memory when left out. */
  readonly database?: string;
  readonly applicationId?: string;
  readonly token?: string;
  readonly secret?: string;
  /** 500 requests in 300 s when left out; "off" counts nothing. */
  readonly limit?: Limit | "off";
  /** Leaves out whatever interface.md does not show. */
  readonly strict?: boolean;
  /** Objects for an empty database: by kind, rows. */
  readonly fixture?: Readonly<Record<string, readonly Row[]>>;
  /** The shop's own address. */
  readonly origin: string;
  readonly now: () => number;
  readonly random: () => number;
  /** Fetches a `src`; undefined where it can't be had. */
  readonly download: (url: string) => Promise<Upload | undefined>;
}

export interface ShopRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Whether the peer is this machine. */
  readonly local: boolean;
}

export interface ShopAnswer extends AnswerParts {
  /** What the socket is to do to it. */
  readonly mishap?: "drop" | "truncate";
  readonly delayMs?: number;
}

export interface Credentials {
  readonly applicationId: string;
  /** The access token: md5 of token and secret (interface.md, Authentication 2). */
  readonly password: string;
  readonly token: string;
  readonly secret: string;
}

export type Shop = ReturnType<typeof createShop>;

/** Opens a shop; a new one is furnished, an old database goes on as it was. */
export function createShop(options: ShopOptions) {
  const store = openStore(options.database ?? ":memory:");
  const clock = { offsetMs: 0 };
  const now = () => options.now() + clock.offsetMs;
  const credentials = keepCredentials(options, store);
  const furnish = (fixture = options.fixture ?? {}) => {
    seed(store, options.origin, now(), options.random);
    for (const [kind, rows] of Object.entries(fixture)) {
      store.startSequence(kind, 1000);
      for (const row of rows) store.insert(kind, row, now());
    }
  };
  if (store.list("account").length === 0) store.transaction(() => furnish());
  const limit = options.limit === "off" ? undefined : (options.limit ?? { max: 500, windowMs: 300_000 });
  const inner: Inner = {
    options,
    store,
    now,
    clock,
    credentials,
    window: openWindow(limit),
    faults: [],
    log: [],
    rejected: { count: 0 },
    reset: (fixture) =>
      store.transaction(() => {
        store.clear();
        furnish(fixture);
      }),
  };
  return {
    credentials,
    store,
    /** Every request, in order. */
    log: inner.log as readonly Inner["log"][number][],
    handle: (request: ShopRequest): Promise<ShopAnswer> => handle(inner, request),
    close: () => store.close(),
  };
}

/** What the shop's parts share. */
export interface Inner {
  readonly options: ShopOptions;
  readonly store: ReturnType<typeof openStore>;
  readonly now: () => number;
  readonly clock: { offsetMs: number };
  readonly credentials: Credentials;
  readonly window: ReturnType<typeof openWindow>;
  readonly faults: Fault[];
  readonly log: { method: string; path: string; status: number | null }[];
  readonly rejected: { count: number };
  reset(fixture?: ShopOptions["fixture"]): void;
}

function keepCredentials(options: ShopOptions, store: ReturnType<typeof openStore>): Credentials {
  const fact = (name: "applicationId" | "token" | "secret", fallback: string) => {
    const value = options[name] ?? store.fact(name) ?? fallback;
    store.setFact(name, value);
    return value;
  };
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(options.random() * 16).toString(16)).join("");
  const token = fact("token", hex(32));
  const secret = fact("secret", hex(32));
  return {
    applicationId: fact("applicationId", "pulumi-shop"),
    token,
    secret,
    password: createHash("md5")
      .update(token + secret)
      .digest("hex"),
  };
}

async function handle(shop: Inner, request: ShopRequest): Promise<ShopAnswer> {
  const url = URL.parse(request.target, "http://shop.invalid");
  if (url === null) return page(400, "Bad request");
  if (url.pathname.startsWith("/_control/"))
    return request.local ? control(shop, request, url) : page(403, "Forbidden");
  const blob = request.method === "GET" ? shop.store.blob(url.pathname) : undefined;
  if (blob !== undefined)
    return { status: 200, headers: { "content-type": blob.contentType }, body: blob.bytes };
  if (request.method === "GET" && !url.pathname.startsWith("/admin/")) return browse(shop, request, url);
  const entry = { method: request.method, path: request.target, status: null as number | null };
  shop.log.push(entry);
  const fault = takeFault(shop.faults, request.method, url.pathname);
  const answer = await withFault(shop, fault, () => serve(shop, request, url));
  entry.status = answer.mishap === "drop" ? null : answer.status;
  return answer;
}

// Liquid is loaded by the first who looks.
async function browse(shop: Inner, { local, headers }: ShopRequest, url: URL): Promise<ShopAnswer> {
  const { visit } = await import("./site/index.ts");
  const { store, log, rejected, window } = shop;
  const watched = { store, log, rejected: rejected.count, window: window.state(), now: shop.now() };
  const seen = await visit(watched, url, headers.host ?? url.host, local);
  if (seen === undefined) return page(404, "Not found");
  return {
    status: seen.status,
    headers: { "content-type": seen.contentType, "cache-control": "no-store" },
    body: Buffer.from(seen.body),
  };
}

async function withFault(
  shop: Inner,
  fault: Fault | undefined,
  work: () => Promise<ShopAnswer>,
): Promise<ShopAnswer> {
  const retryAfter = String(fault?.retryAfterSeconds ?? 1);
  switch (fault?.fault) {
    case undefined:
      return work();
    case "drop-before":
      return { ...page(200, ""), mishap: "drop" };
    case "drop-after-commit":
      return { ...(await work()), mishap: "drop" };
    case "500":
      return page(500, "Internal error");
    case "503":
      return withHeaders(page(503, "Service unavailable"), { "retry-after": retryAfter });
    case "504-after-commit":
      await work();
      return page(504, "Gateway time-out");
    case "429":
      shop.rejected.count += 1;
      return withHeaders(page(429, "Too many requests"), { "retry-after": retryAfter });
    case "truncate":
      return { ...(await work()), mishap: "truncate" };
    case "garbage":
      return { ...(await work()), body: Buffer.from("\u0001\u0002<<not a document>>") };
    case "html":
      return {
        ...page(200, "Please log in"),
        headers: { ...(await work()).headers, "content-type": "text/html; charset=utf-8" },
      };
    case "wrong-content-type":
      return withHeaders(await work(), { "content-type": "application/octet-stream" });
    case "slow":
      return { ...(await work()), delayMs: fault.delayMs ?? 2_000 };
  }
}

const withHeaders = (answer: ShopAnswer, headers: Readonly<Record<string, string>>): ShopAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

async function serve(shop: Inner, request: ShopRequest, url: URL): Promise<ShopAnswer> {
  if (!authorized(shop.credentials, request.headers.authorization)) {
    return withHeaders(page(401, "HTTP Basic: Access denied."), {
      "www-authenticate": 'Basic realm="Application"',
    });
  }
  const admission = shop.window.admit(shop.now());
  const usage: Readonly<Record<string, string>> =
    admission.usage === undefined ? {} : { "api-usage-limit": admission.usage };
  if (!admission.admitted) {
    shop.rejected.count += 1;
    return withHeaders(page(429, "API limit is used up"), {
      ...usage,
      "retry-after": String(admission.retryAfterSeconds),
    });
  }
  return withHeaders(await dispatch(shop, request, url), usage);
}

function authorized({ applicationId, password }: Credentials, header: string | undefined): boolean {
  const given = createHash("sha256")
    .update(header ?? "")
    .digest();
  const right = createHash("sha256")
    .update(`Basic ${Buffer.from(`${applicationId}:${password}`).toString("base64")}`)
    .digest();
  return timingSafeEqual(given, right);
}

interface Match {
  readonly route: Route;
  readonly ids: Readonly<Record<string, number>>;
}

function match(method: string, path: string, format: Format, strict: boolean): Match | undefined {
  for (const route of routes) {
    if (route.method !== method || (strict && !route.shown.includes(format))) continue;
    const names: string[] = [];
    const pattern = route.path.replace(/:(\w+)/g, (_all, name: string) => {
      names.push(name);
      return "(\\d{1,15})";
    });
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (found !== null)
      return { route, ids: Object.fromEntries(names.map((name, index) => [name, Number(found[index + 1])])) };
  }
  return undefined;
}

async function dispatch(shop: Inner, request: ShopRequest, url: URL): Promise<ShopAnswer> {
  const parts = /^(.*)\.(xml|json)$/.exec(url.pathname);
  const format = (parts?.[2] ?? "xml") as Format;
  const found =
    parts === null
      ? undefined
      : match(request.method, parts[1] as string, format, shop.options.strict === true);
  if (found === undefined) return page(404, "Not found");
  const stated = request.headers["content-type"] ?? "";
  const accepted =
    found.route.method === "PUT" || found.route.method === "POST" ? bodyFormat(stated) : format;
  try {
    // "A JSON write without it -> 422, even for body-less POSTs" (platform-facts.md, section 1).
    if (accepted === undefined) {
      if (request.body.length > 0 || format === "json")
        throw new Invalid([["message", `incorrect Content-Type, should be application/${format}`]]);
    }
    const params =
      request.body.length === 0 || accepted === undefined ? {} : readBody(accepted, request.body);
    const upload = await uploadOf(shop, params);
    const context: Context = {
      store: shop.store,
      now: shop.now(),
      origin: shop.options.origin,
      strict: shop.options.strict === true,
      ids: found.ids,
      query: url.searchParams,
      params,
      upload,
    };
    return answerOf(
      shop.store.transaction(() => found.route.handle(context)),
      format,
    );
  } catch (error) {
    return refusalOf(error, format);
  }
}

function bodyFormat(contentType: string): Format | undefined {
  const media = contentType.split(";")[0]?.trim().toLowerCase();
  if (media === "application/json") return "json";
  return media === "application/xml" || media === "text/xml" ? "xml" : undefined;
}

function readBody(format: Format, bytes: Uint8Array) {
  let body: string;
  try {
    body = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBody("it is not UTF-8");
  }
  if (format === "xml") {
    const { root, value } = readXml(body);
    return underRoot({ [root]: value }, root);
  }
  const hash = readJson(body);
  // "PUT/POST with an empty object, e.g. body []" is malformed (platform-facts.md, section 3).
  if (typeof hash !== "object" || hash === null || Array.isArray(hash))
    throw new MalformedBody("it has no root");
  const names = Object.keys(hash);
  const only = names.length === 1 ? (names[0] as string) : "";
  return underRoot(hash, typeof (hash as Record<string, unknown>)[only] === "object" ? only : "");
}

async function uploadOf(shop: Inner, params: Readonly<Record<string, unknown>>): Promise<Upload | undefined> {
  const { src, attachment } = params;
  if (typeof attachment === "string" && attachment !== "" && shop.options.strict !== true) {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(attachment)) throw new Invalid([["attachment", "is not base64"]]);
    return { bytes: Buffer.from(attachment, "base64"), name: undefined };
  }
  if (typeof src !== "string" || src === "") return undefined;
  const fetched = /^https?:\/\//.test(src) ? await shop.options.download(src) : undefined;
  if (fetched === undefined) throw new Invalid([["src", "invalid URL"]]);
  return fetched;
}

export { type ServedShop, type ServeOptions, serveShop } from "./server.ts";
