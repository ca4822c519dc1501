/** Routes an authenticated request and returns the route's answer. */

import {
  answerOf,
  objectAnswer,
  page,
  refusalOf,
  type ShopAnswer,
  type ShopRequest,
  withHeaders,
} from "./answers.ts";
import { bodyFormat, readBody } from "./bodies.ts";
import { Invalid, Refusal } from "./conversions.ts";
import { MalformedBody, type Param, type Params, readJson, readXml } from "./documents.ts";
import { nameOf } from "./downloads.ts";
import { kindOf, routes } from "./routes/index.ts";
import {
  type Body,
  type Context,
  type Format,
  largestPage,
  type Reply,
  type Route,
  type Upload,
} from "./routing.ts";
import type { ShopState } from "./shop-state.ts";
import { Taken } from "./store.ts";

interface Match {
  readonly route: Route;
  readonly ids: Readonly<Record<string, number>>;
  readonly format: Format;
}

const patterns = routes.map((route) => {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  return { route, names, pattern: new RegExp(`^${route.path.replace(/:\w+/g, "(\\d{1,15})")}$`) };
});

/** The route of a path; a path without a format has none (interface.md, Conventions 1). */
function match(method: string, path: string, strict: boolean): Match | undefined {
  const parts = /^(.*)\.(xml|json)$/.exec(path);
  if (parts === null) return undefined;
  const format = parts[2] as Format;
  // HEAD is like GET, but its body isn't sent (RFC 9110, 9.3.2).
  const verb = method === "HEAD" ? "GET" : method;
  for (const { route, names, pattern } of patterns) {
    if (route.method !== verb || (strict && !route.shown.includes(format))) continue;
    const found = pattern.exec(parts[1] as string);
    if (found !== null) {
      const ids = Object.fromEntries(names.map((name, index) => [name, Number(found[index + 1])]));
      return { route, ids, format };
    }
  }
  return undefined;
}

// Not attested: the largest body. Chosen: enough for a large picture in base64, and less for routes without uploads.
const largestUpload = 32 * 1024 * 1024;
const largestDocument = 8 * 1024 * 1024;

/** The bytes of a request's body. @throws Refusal with 413 */
export async function bytesOf({ body }: ShopRequest, limit: number): Promise<Uint8Array> {
  const bytes = typeof body === "function" ? await body(limit) : body;
  if (bytes === undefined || bytes.length > limit) throw new Refusal(413, "Request entity too large");
  return bytes;
}

/** A request that counts towards the limit. */
export interface Asked {
  readonly request: ShopRequest;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The run that it belongs to (runs.ts). */
  readonly run: number;
}

export async function dispatch(shop: ShopState, { request, path, query, run }: Asked): Promise<ShopAnswer> {
  const strict = shop.options.strict === true;
  const found = match(request.method, path, strict);
  if (found === undefined) return page(404, "Not found");
  const { route, ids, format } = found;
  const warnings: string[] = [];
  try {
    const { params, upload, shownOnly } = await given(shop, request, found, warnings);
    const context: Context = {
      store: shop.store,
      now: shop.now(),
      origin: shop.options.origin,
      strict,
      mostPerPage: shop.options.mostPerPage ?? largestPage,
      ids,
      query,
      params,
      upload,
      warn: (text) => warnings.push(text),
    };
    const reply = shop.store.transaction(() => route.handle(context), run);
    const answer = answerOf(reply, format, strict);
    const lost = lostOf(reply, shownOnly, params, format);
    if (lost.length > 0) warnings.push(`not kept: ${lost.join(", ")}`);
    if (warnings.length === 0) return answer;
    return withHeaders(answer, { warning: `299 pulumi-shop "${printable(warnings.join("; "))}"` });
  } catch (error) {
    return refusalOf(error instanceof Taken ? takenField(error) : error, format, route.wrapsErrors);
  }
}

const takenField = ({ kind }: Taken) =>
  new Invalid([[kindOf(kind)?.keyField ?? "base", "has already been taken"]]);

function lostOf(reply: Reply, names: readonly string[], params: Params, format: Format): readonly string[] {
  const saved = "object" in reply ? reply : "done" in reply ? reply.saved : undefined;
  if (saved === undefined || names.length === 0) return [];
  return unstoredValues(names, params, Buffer.from(objectAnswer(saved, format).body).toString(), format);
}

// Header values are ASCII; a key may be any text.
const printable = (text: string) =>
  text
    .replace(/["\\]/g, "'")
    .replace(/[^ -~]/g, "?")
    .slice(0, 1_000);

const nothing = { params: {}, shownOnly: [], upload: undefined };

/** Reads a request's body for its route; routes without a body ignore it. */
async function given(shop: ShopState, request: ShopRequest, { route, format }: Match, warnings: string[]) {
  const writes = route.method !== "GET" && route.method !== "DELETE";
  const stated = bodyFormat(request.headers["content-type"]);
  const { body } = route;
  // "A JSON write without it -> 422, even for body-less POSTs" (platform-facts.md, section 1).
  const wrongType = () =>
    new Invalid([["message", `incorrect Content-Type, should be application/${format}`]]);
  if (writes && format === "json" && stated !== "json") throw wrongType();
  if (body === undefined) return nothing;
  const bytes = await bytesOf(request, body.upload ? largestUpload : largestDocument);
  if (bytes.length === 0) return nothing;
  if (stated === undefined || (stated !== format && !body.eitherFormat)) throw wrongType();
  const strict = shop.options.strict === true;
  const { params, ignored, shownOnly } = readBody(stated, bytes, body, strict, shop.store);
  if (ignored.length > 0) warnings.push(`not kept: ${ignored.join(", ")}`);
  return { params, shownOnly, upload: await uploadOf(shop, body, params) };
}

async function uploadOf(
  { options, store }: ShopState,
  { upload }: Body,
  { src, attachment }: Readonly<Record<string, unknown>>,
): Promise<Upload | undefined> {
  if (!upload) return undefined;
  if (typeof attachment === "string" && attachment !== "" && options.strict !== true) {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(attachment)) throw new Invalid([["attachment", "is not base64"]]);
    return { bytes: Buffer.from(attachment, "base64"), name: undefined };
  }
  if (typeof src !== "string" || src === "") return undefined;
  const url = URL.parse(src);
  // Bodies of this shop are read directly; a request to ourselves could download other pages.
  const own = url?.origin === new URL(options.origin).origin ? store.blob(url.pathname) : undefined;
  if (own !== undefined) return { bytes: own.bytes, name: nameOf(url as URL) };
  const fetched = url !== null && /^https?:$/.test(url.protocol) ? await options.download(src) : undefined;
  if (fetched === undefined) throw new Invalid([["src", "invalid URL"]]);
  return fetched;
}

// These differ after every change.
const volatile = new Set(["created_at", "updated_at"]);

/**
 * The keys whose value in the request differs from that in the answer.
 * @param names keys that answers have but the shop doesn't store
 * @param answer the object as it is now, in the answer's format
 */
function unstoredValues(
  names: readonly string[],
  params: Readonly<Record<string, Param>>,
  answer: string,
  format: Format,
): readonly string[] {
  const asked = names.filter((name) => params[name] !== undefined && !volatile.has(name));
  if (asked.length === 0) return [];
  const now = format === "xml" ? readXml(answer).value : readJson(answer);
  if (typeof now !== "object" || now === null || Array.isArray(now))
    throw new MalformedBody("the answer is no object");
  const shown = now as Readonly<Record<string, Param>>;
  return asked.filter((name) => {
    if (shown[name] === undefined) return false;
    const [wanted, is] = [params[name] ?? null, shown[name] ?? null];
    return JSON.stringify(normal(wanted)) !== JSON.stringify(normal(is));
  });
}

// Clients drop the attributes of XML: null becomes an empty text, a list a hash with one name.
function normal(value: Param): unknown {
  if (value === null || value === "") return null;
  if (typeof value === "string") return value.trim();
  const items = Array.isArray(value) ? (value as readonly Param[]) : undefined;
  if (items !== undefined) return items.length === 0 ? null : items.map(normal);
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  const [only] = entries;
  if (only !== undefined && entries.length === 1)
    return Array.isArray(only[1]) ? only[1].map(normal) : [normal(only[1])];
  return Object.fromEntries(entries.map(([name, inner]) => [name, normal(inner as Param)]).sort());
}
