/** Building blocks for resources: kinds, and routes from a request's parameters to a reply. */
import { asBoolean, asHash, Invalid, isBlank, Refusal } from "./conversions.ts";
import { hyphenated, type Params, type Row, type Shape } from "./documents.ts";
import type { Selection, Since, Store, Stored } from "./store.ts";

export type Format = "xml" | "json";

/** The bytes of a `src` or `attachment`, read before the route is called. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** The last part of the URL, if it came from one. */
  readonly name: string | undefined;
}

/** The input of a route. */
export interface Context {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The shop's own address. */
  readonly origin: string;
  readonly strict: boolean;
  readonly mostPerPage: number;
  readonly ids: Readonly<Record<string, number>>;
  readonly query: URLSearchParams;
  /** The fields under the body's root. */
  readonly params: Params;
  readonly upload: Upload | undefined;
  /** Adds a warning to the answer's `warning` header and to the log. */
  warn(text: string): void;
}

export interface Document {
  readonly root: string;
  readonly list: string;
  readonly shape: Shape;
  readonly json?: Shape;
}

/** The document of a kind: `discount_code` is an element `discount-code`, in a list `discount-codes`. */
export const documentOf = (kind: string, shape: Shape, plural = `${kind}s`): Document => ({
  root: hyphenated(kind),
  list: hyphenated(plural),
  shape,
});

export type Reply =
  | { readonly status?: number; readonly document: Document; readonly object: Row }
  | { readonly document: Document; readonly objects: readonly Row[] }
  /** A blank body in XML, {"status":"ok"} in JSON; `saved` is the object that isn't shown. */
  | { readonly done: true; readonly saved?: { readonly document: Document; readonly object: Row } }
  | { readonly raw: Uint8Array; readonly contentType: string };

/** How a route reads a body; a route without it ignores bodies. */
export interface Body {
  /** Accepted names of the root, underscored. */
  readonly roots: readonly string[];
  readonly takes: readonly string[] | ((store: Store) => readonly string[]);
  /** Those of them that interface.md doesn't show in a request; `--strict` ignores them. */
  readonly extra?: readonly string[];
  /** Keys of answers that aren't stored: clients send back documents that they have read. */
  readonly reads: Shape | ((store: Store) => Shape);
  /** Whether `src` and `attachment` are uploads. */
  readonly upload?: true;
  /** Whether the body may have another format than the path. */
  readonly eitherFormat?: true;
  /** The name of a root that is a list. */
  readonly list?: string;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Without its extension; `:name` is an id. */
  readonly path: string;
  /** The formats that interface.md shows; `--strict` answers only these. */
  readonly shown: readonly Format[];
  readonly body?: Body;
  /** Errors in JSON have an envelope, `{"status":"error","errors":{...}}` (platform-facts.md, section 3). */
  readonly wrapsErrors?: true;
  handle(context: Context): Reply;
}

export const route = (
  method: Route["method"],
  path: string,
  shown: readonly Format[],
  handle: Route["handle"],
  more: Pick<Route, "body" | "wrapsErrors"> = {},
): Route => ({ method, path, shown, handle, ...more });

/** A kind of objects, as fixtures and edits by staff need it. */
export interface Kind {
  readonly name: string;
  readonly empty: Row;
  /** A key that only one object may have. */
  keyOf?(row: Row): string;
  /** The field of that key for error messages; by default the object as a whole. */
  readonly keyField?: string;
  ownerOf?(row: Row): number;
  /** Deleted objects stay in the list with `deleted`. */
  readonly archives?: true;
  /** Whether requests for other objects create them implicitly: then they don't count as created objects. */
  readonly isVocabulary?: true;
  /** Completes a fixture's row with ids of parts and derived columns. */
  complete?(row: Row, id: number, store: Store, now: number): Row;
}

/** A resource: one file of routes. */
export interface Resource {
  readonly kinds: readonly Kind[];
  readonly routes: readonly Route[];
}

export function idOf(context: Context, name = "id"): number {
  return context.ids[name] as number;
}

/** The object, or 404: unknown ids and deleted objects look the same (platform-facts.md, section 3). */
export function existing(context: Pick<Context, "store">, kind: string, id: number): Stored {
  const found = context.store.get(kind, id);
  if (found === undefined || found.archived) throw new Refusal(404, "Not found");
  return found;
}

/** The object in the path if it belongs to the owner, else 404. @param column the column of the owner */
export function existingOf(context: Context, kind: string, column: string, owner: number): Stored {
  const found = existing(context, kind, idOf(context));
  if (found[column] !== owner) throw new Refusal(404, "Not found");
  return found;
}

export const getRoute = (path: string, shown: readonly Format[], kind: string, document: Document): Route =>
  route("GET", `${path}/:id`, shown, (context) => ({
    document,
    object: existing(context, kind, idOf(context)),
  }));

/** GET of a list. @param selected the selection of the query; everything by default */
export const listRoute = (
  path: string,
  shown: readonly Format[],
  kind: string,
  document: Document,
  selected: (context: Context) => Selection = () => ({}),
): Route =>
  route("GET", path, shown, (context) => ({
    document,
    objects: context.store.list(kind, selected(context)),
  }));

/** GET of a list's length (platform-facts.md, section 4). */
export const countRoute = (
  path: string,
  kind: string,
  selected: (context: Context) => Selection = () => ({}),
): Route => countedRoute(path, (context) => context.store.count(kind, selected(context)));

/** GET of a list, of its length, and of each object. @param selected as in `listRoute` */
export const readRoutes = (
  path: string,
  shown: readonly Format[],
  kind: string,
  document: Document,
  selected?: (context: Context) => Selection,
): readonly Route[] => [
  countRoute(path, kind, selected),
  listRoute(path, shown, kind, document, selected),
  getRoute(path, shown, kind, document),
];

/** GET of the length of a list that isn't a kind's own. */
export const countedRoute = (path: string, count: (context: Context) => number): Route =>
  route("GET", `${path}/count`, [], (context) => ({
    document: { root: "hash", list: "hashes", shape: { count: "integer" } },
    object: { count: count(context) },
  }));

/** DELETE of one object. @param after runs after the delete */
export const deleteRoute = (
  path: string,
  shown: readonly Format[],
  kind: string,
  after: (context: Context, gone: Stored) => void = () => undefined,
): Route =>
  route("DELETE", `${path}/:id`, shown, (context) => {
    const found = existing(context, kind, idOf(context));
    context.store.remove(kind, found.id);
    after(context, found);
    return { done: true };
  });

/** Paging of a list (interface.md, Limits). */
export interface Paging {
  readonly perPage: number;
  /** Smaller pages are raised to this size. */
  readonly least?: number;
  /** Whether deleted objects are kept; otherwise `deleted` is ignored like any unknown parameter. */
  readonly archives?: true;
}

/** The platform's maximum (platform-facts.md, section 4). */
export const largestPage = 250;
const largestNumber = 1_000_000_000;

/** The selection of a list's query. Unknown parameters are ignored (platform-facts.md, section 4). */
export function selectionOf({ query, mostPerPage }: Context, paging: Paging): Selection {
  const number = (name: string, fallback: number) => {
    const value = Number(query.get(name) ?? fallback);
    return Number.isInteger(value) && value > 0 ? Math.min(value, largestNumber) : fallback;
  };
  const perPage = Math.min(Math.max(number("per_page", paging.perPage), paging.least ?? 1), mostPerPage);
  const fromId = query.has("from_id") ? Number(query.get("from_id")) : Number.NaN;
  const since = query.get("updated_since");
  return {
    page: number("page", 1),
    perPage,
    since:
      since === null || isBlank(since)
        ? undefined
        : {
            ...sinceOf(since),
            fromId: Number.isSafeInteger(fromId) && fromId > 0 ? fromId : undefined,
          },
    archived: paging.archives ? archivedIn(query) : undefined,
  };
}

/** The selection of a list that has pages only on request: interface.md gives it no paging parameters. */
export function selectionWhenAsked(context: Context): Selection {
  const asks = ["page", "per_page", "updated_since"];
  const asked = !context.strict && asks.some((name) => context.query.has(name));
  return asked ? selectionOf(context, { perPage: 250 }) : {};
}

function archivedIn(query: URLSearchParams): Selection["archived"] {
  if (flag(query, "with_deleted")) return "with";
  return flag(query, "deleted") ? "only" : undefined;
}

const flag = (query: URLSearchParams, name: string) => asBoolean(query.get(name), name) === true;

// A time without offset is in UTC (platform-facts.md, section 4), regardless of this machine's time zone.
const timePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

function sinceOf(text: string): Pick<Since, "at" | "isSecond"> {
  const [, day, minutes = "00:00", seconds = ":00", fraction = "", zone = "Z"] =
    timePattern.exec(text.trim()) ?? [];
  const offset = /^(z|utc)$/i.test(zone)
    ? "Z"
    : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${minutes}${seconds}${fraction}${offset}`);
  if (Number.isNaN(at)) throw new Invalid([["updated_since", "is not a time"]]);
  return { at, isSecond: fraction === "" };
}

/** An integer of the query; undefined if missing or invalid. */
export function numberIn({ query }: Context, name: string): number | undefined {
  const text = query.get(name);
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

/** The fields of a parsed body. */
export const hashIn = (value: unknown): Params => asHash(value as never);
