/** Theme assets: interface.md, Themes and assets; platform-facts.md, section 8. */
import { hash } from "node:crypto";
import { asText, convertedColumns, Invalid, oneOf, refuseBlank } from "../conversions.ts";
import type { Row } from "../documents.ts";
import { mediaType } from "../media-types.ts";
import {
  type Context,
  countRoute,
  documentOf,
  existing,
  existingOf,
  idOf,
  listRoute,
  type Reply,
  type Resource,
  route,
} from "../routing.ts";
import type { Store, Stored } from "../store.ts";

const shape = {
  id: "integer",
  theme_id: "integer",
  type: "string",
  name: "string",
  content_type: "string",
  file_size: "integer",
  human_readable_name: "string",
} as const;
const listed = documentOf("asset", shape);
// "Note asset_url has an underscore even in XML" (platform-facts.md, section 2.1).
const whole = documentOf("asset", { ...shape, content: "string", asset_url: "plain_underscore" });

const columns = {
  type: oneOf("Asset::Template", "Asset::Snippet", "Asset::Media", "Asset::Configuration"),
  name: asText,
  content: asText,
};

const known = new Map(
  Object.entries({
    "layout.liquid": "Layout",
    "index.liquid": "Main page",
    "collection.liquid": "Collection",
    "product.liquid": "Product",
    "cart.liquid": "Cart",
    "page.liquid": "Page",
    "search.liquid": "Search",
    "blog.liquid": "Blog",
    "article.liquid": "Article",
    "order.liquid": "Order card",
  }),
);

const label = (name: string) =>
  known.get(name) ?? /^page\.(.+)\.liquid$/.exec(name)?.[1]?.replace(/^/, "Page: ") ?? name;

/** The columns of an asset with this body; binary bodies have an address instead of content. */
function assetOf(theme: number, type: unknown, name: string, body: string | Uint8Array) {
  const text = typeof body === "string" ? body : textOf(body);
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  return {
    theme_id: theme,
    type,
    name,
    content_type: mediaType(name),
    file_size: size,
    human_readable_name: label(name),
    content: text,
    // Distinguishes two binary bodies of the same length, because the row doesn't contain them.
    digest: text === null ? hash("md5", body) : null,
  };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return [...text].some((letter) => letter < " " && !"\t\n\r".includes(letter)) ? null : text;
  } catch {
    return null;
  }
}

/** The body of a fixture's asset. */
export const bodyIn = ({ content }: Row): string | Uint8Array =>
  content instanceof Uint8Array ? content : String(content ?? "");

export const blobPath = (asset: Stored) =>
  `/assets/1/${asset.id % 8192}/${asset.theme_id}/v_1/${encodeURIComponent(String(asset.name))}`;

const addressOf = (asset: Stored) => `${blobPath(asset)}?${Math.floor(asset.updated_at / 1000)}`;

/** One asset. Binary bodies have an address instead of content; media have both. */
function reply(asset: Stored, strict: boolean): Reply {
  if (asset.content === null) {
    const { content: _none, ...rest } = asset;
    return { document: whole, object: { ...rest, asset_url: addressOf(asset) } };
  }
  const addressed = asset.type === "Asset::Media" && !strict;
  return { document: whole, object: addressed ? { ...asset, asset_url: addressOf(asset) } : asset };
}

function theme(context: Context): number {
  return existing(context, "theme", idOf(context, "theme")).id;
}

const ofTheme = (context: Context) => ({ owner: theme(context) });

const asset = (context: Context): Stored => existingOf(context, "asset", "theme_id", theme(context));

function checkName(name: unknown): string {
  if (typeof name !== "string" || name.trim() === "") throw new Invalid([["name", "can't be blank"]]);
  if (/[\s/@\\]/.test(name)) throw new Invalid([["name", "is invalid"]]);
  return name;
}

const keyOf = (row: Row) => `${Number(row.theme_id)}/${row.type}/${row.name}`;

/** The body in a request, as text or bytes; undefined if there is none. */
function bodyOf({ upload, params }: Context): string | Uint8Array | undefined {
  const { content } = convertedColumns({ content: asText }, params);
  return upload?.bytes ?? (typeof content === "string" ? content : undefined);
}

/** Stores bodies that can be fetched at an asset's address: binary ones and media. */
export function keepBlob(store: Store, asset: Stored, body: string | Uint8Array): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (asset.content === null || asset.type === "Asset::Media")
    store.putBlob(blobPath(asset), String(asset.content_type), bytes);
  else store.removeBlob(blobPath(asset));
}

function create(context: Context): Reply {
  const { store, now } = context;
  const values = convertedColumns(columns, context.params);
  refuseBlank(values, ["type", "name"]);
  const name = checkName(values.name);
  const body = bodyOf(context);
  if (body === undefined) throw new Invalid([["src", "can't be blank"]]);
  const owner = theme(context);
  const row = assetOf(owner, values.type, name, body);
  const made = store.insert("asset", row, now, { owner, key: keyOf(row) });
  keepBlob(store, made, body);
  // "asset_url: present in the upload response" (interface.md, Asset).
  const address = `${blobPath(made)}?${Math.floor(now / 1000)}`;
  return { status: 201, document: whole, object: { ...made, content: undefined, asset_url: address } };
}

function update(context: Context): Reply {
  const { store, params, now } = context;
  const found = asset(context);
  for (const name of ["name", "type"])
    if (params[name] !== undefined && params[name] !== found[name]) context.warn(`not kept: ${name}`);
  const body = bodyOf(context);
  // A client may send back a picture that it has read, which has no content. The answer is the list's element
  // (platform-facts.md, section 2.1).
  if (body === undefined) return { document: listed, object: found };
  const values = { ...found, ...assetOf(Number(found.theme_id), found.type, String(found.name), body) };
  const kept = store.update("asset", found.id, values, now);
  keepBlob(store, kept, body);
  return { document: listed, object: kept };
}

function rename(context: Context): Reply {
  const { store } = context;
  const found = asset(context);
  const name = checkName(context.params.new_name);
  const blob = store.blob(blobPath(found));
  const values = { ...found, name, content_type: mediaType(name), human_readable_name: label(name) };
  const kept = store.update("asset", found.id, values, context.now, keyOf(values));
  if (blob !== undefined) {
    store.removeBlob(blobPath(found));
    store.putBlob(blobPath(kept), mediaType(name), blob.bytes);
  }
  return { document: listed, object: kept };
}

const path = "/admin/themes/:theme/assets";
const body = {
  roots: ["asset"],
  takes: ["name", "type", "content"],
  reads: whole.shape,
  upload: true,
} as const;

export const assets: Resource = {
  kinds: [
    {
      name: "asset",
      empty: {},
      keyOf,
      keyField: "name",
      ownerOf: ({ theme_id: owner }) => Number(owner),
      // An asset without content exists; its body is provided when a page needs it.
      complete: ({ content, ...row }) => ({
        ...assetOf(Number(row.theme_id), row.type, String(row.name), bodyIn({ content })),
        ...row,
        ...(content === null && { content, digest: null }),
      }),
    },
  ],
  routes: [
    countRoute(path, "asset", ofTheme),
    listRoute(path, ["xml"], "asset", listed, ofTheme),
    route("GET", `${path}/:id`, ["xml"], (context) => reply(asset(context), context.strict)),
    route("GET", `${path}/:id/raw`, [], (context) => {
      const found = asset(context);
      const bytes =
        found.content === null
          ? context.store.blob(blobPath(found))?.bytes
          : Buffer.from(String(found.content));
      return { raw: bytes ?? new Uint8Array(), contentType: String(found.content_type) };
    }),
    route("POST", path, ["xml"], create, { body }),
    route("PUT", `${path}/:id`, ["xml"], update, { body }),
    route("PUT", `${path}/:id/rename`, ["xml"], rename, {
      body: { roots: ["asset"], takes: ["new_name"], reads: whole.shape },
    }),
    route("DELETE", `${path}/:id`, ["xml"], (context) => {
      const found = asset(context);
      context.store.removeBlob(blobPath(found));
      context.store.remove("asset", found.id);
      return { done: true };
    }),
  ],
};
