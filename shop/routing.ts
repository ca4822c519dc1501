/** What a resource's file is made of: routes, each from a request's parameters to a reply. */
import { asHash, Invalid, Refusal } from "./casts.ts";
import type { Params, Row, Shape } from "./documents.ts";
import type { Cut, Store } from "./store.ts";

export type Format = "xml" | "json";

/** A body that a request's `src` or `attachment` brought, read before the work begins. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** Last part of the address, where it came from one. */
  readonly name: string | undefined;
}

/** What a route works with. */
export interface Context {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The shop's own address. */
  readonly origin: string;
  readonly strict: boolean;
  readonly ids: Readonly<Record<string, number>>;
  readonly query: URLSearchParams;
  /** The fields under the body's root. */
  readonly params: Params;
  readonly upload: Upload | undefined;
}

/** A resource's documents. */
export interface Document {
  readonly root: string;
  readonly list: string;
  readonly shape: Shape;
}

export type Reply =
  | { readonly status?: number; readonly document: Document; readonly object: Row }
  | { readonly document: Document; readonly objects: readonly Row[] }
  /** A blank body in XML, {"status":"ok"} in JSON. */
  | { readonly done: true }
  | { readonly raw: Uint8Array; readonly contentType: string };

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Without its extension; `:name` is an id. */
  readonly path: string;
  /** The formats that interface.md shows; `--strict` answers these only. */
  readonly shown: readonly Format[];
  handle(context: Context): Reply;
}

export const route = (
  method: Route["method"],
  path: string,
  shown: readonly Format[],
  handle: Route["handle"],
): Route => ({ method, path, shown, handle });

/** The id under this name in the path. */
export function idOf(context: Context, name = "id"): number {
  return context.ids[name] as number;
}

/** The object, or 404: unknown ids and archived objects look alike (platform-facts.md, section 3). */
export function existing(context: Context, kind: string, id: number) {
  const found = context.store.get(kind, id);
  if (found === undefined || found.archived) throw new Refusal(404, "Not found");
  return found;
}

/** Paging of a list (interface.md, Limits). */
export interface Paging {
  readonly perPage: number;
  /** A smaller page is raised to this. */
  readonly least?: number;
}

// Asked for more, the platform gives 250 (platform-facts.md, section 4).
const largestPage = 250;

/** What a list's query cuts it to. Unknown parameters are tolerated (platform-facts.md, section 4). */
export function cutOf(context: Context, paging: Paging): Cut {
  const { query } = context;
  const number = (name: string, fallback: number) => {
    const value = Number(query.get(name) ?? fallback);
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  const perPage = Math.min(Math.max(number("per_page", paging.perPage), paging.least ?? 1), largestPage);
  const since = query.get("updated_since");
  const updatedSince = since === null ? undefined : timeOf(since);
  const archived =
    query.get("with_deleted") === "true" ? "with" : query.get("deleted") === "true" ? "only" : undefined;
  const fromId = query.has("from_id") ? number("from_id", 0) : undefined;
  return { page: number("page", 1), perPage, updatedSince, fromId, archived };
}

function timeOf(text: string): number {
  const iso = text
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ?([+-]\d{2}):?(\d{2})$/, "$1T$2$3:$4");
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(iso) ? `${iso}T00:00:00Z` : iso);
  if (Number.isNaN(at)) throw new Invalid([["updated_since", "is not a time"]]);
  return at;
}

/** The fields under a body's root; a JSON body may come without one (platform-facts.md, sections 7 and 9). */
export function underRoot(value: unknown, root: string): Params {
  const hash = asHash(value as never);
  const under = hash[root];
  return under === undefined ? hash : asHash(under);
}
