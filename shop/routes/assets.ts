/** Theme assets: interface.md, Themes and assets; platform-facts.md, section 8. */
import { asText, cast, Invalid, oneOf, Refusal, require_ } from "../casts.ts";
import { mediaType } from "../media-types.ts";
import { type Context, existing, idOf, type Reply, route } from "../routing.ts";
import type { Stored } from "../store.ts";

const shape = {
  id: "integer",
  theme_id: "integer",
  type: "string",
  name: "string",
  content_type: "string",
  file_size: "integer",
  human_readable_name: "string",
} as const;
const listed = { root: "asset", list: "assets", shape } as const;
// "Note asset_url has an underscore even in XML" (platform-facts.md, section 2.1).
const whole = {
  root: "asset",
  list: "assets",
  shape: { ...shape, content: "string", asset_url: "plain_underscore" },
} as const;

const columns = {
  type: oneOf("Asset::Template", "Asset::Snippet", "Asset::Media", "Asset::Configuration"),
  name: asText,
  content: asText,
};

const known: Readonly<Record<string, string>> = {
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
};

const label = (name: string) =>
  known[name] ?? /^page\.(.+)\.liquid$/.exec(name)?.[1]?.replace(/^/, "Page: ") ?? name;
export const assetKey = (theme: number, type: unknown, name: unknown) => `${theme}/${type}/${name}`;

/** An asset's columns out of its body; a body that is not text has an address instead. */
export function assetOf(theme: number, type: unknown, name: string, body: string | Uint8Array) {
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

export const blobPath = (asset: Stored) =>
  `/assets/1/${asset.id % 8192}/${asset.theme_id}/v_1/${encodeURIComponent(String(asset.name))}`;

function withAddress(asset: Stored): Reply {
  const url =
    asset.content === null ? `${blobPath(asset)}?${Math.floor(asset.updated_at / 1000)}` : undefined;
  const { content, ...rest } = asset;
  return { document: whole, object: { ...rest, ...(url !== undefined && { asset_url: url }) } };
}

function theme(context: Context): number {
  return existing(context, "theme", idOf(context, "theme")).id;
}

function asset(context: Context): Stored {
  const found = existing(context, "asset", idOf(context));
  if (found.theme_id !== theme(context)) throw new Refusal(404, "Not found");
  return found;
}

function checkName(name: unknown): string {
  if (typeof name !== "string" || name === "") throw new Invalid([["name", "can't be blank"]]);
  if (/[\s/@\\]/.test(name)) throw new Invalid([["name", "is invalid"]]);
  return name;
}

function keep(context: Context, found: Stored, body: string | Uint8Array, name: string): Stored {
  const values = { ...found, ...assetOf(Number(found.theme_id), found.type, name, body) };
  return context.store.update(
    "asset",
    found.id,
    values,
    context.now,
    assetKey(Number(found.theme_id), found.type, name),
  );
}

export const assets = [
  route("GET", "/admin/themes/:theme/assets", ["xml"], (context) => ({
    document: listed,
    objects: context.store.list("asset", { owner: theme(context) }),
  })),
  route("GET", "/admin/themes/:theme/assets/:id", ["xml"], (context) => {
    const found = asset(context);
    return found.content === null ? withAddress(found) : { document: whole, object: found };
  }),
  route("GET", "/admin/themes/:theme/assets/:id/raw", [], (context) => {
    const found = asset(context);
    const bytes =
      found.content === null
        ? context.store.blob(blobPath(found))?.bytes
        : Buffer.from(String(found.content));
    return { raw: bytes ?? new Uint8Array(), contentType: String(found.content_type) };
  }),
  route("POST", "/admin/themes/:theme/assets", ["xml"], (context) => {
    const values = cast(columns, context.params);
    require_(values, ["type", "name"]);
    const name = checkName(values.name);
    const body = context.upload?.bytes ?? (values.content as string | undefined);
    if (body === undefined || body === null) throw new Invalid([["src", "can't be blank"]]);
    const owner = theme(context);
    const made = context.store.insert("asset", assetOf(owner, values.type, name, body), context.now, {
      owner,
      key: assetKey(owner, values.type, name),
    });
    if (made.content === null)
      context.store.putBlob(
        blobPath(made),
        String(made.content_type),
        context.upload?.bytes ?? new Uint8Array(),
      );
    // "asset_url: present in the upload response" (interface.md, Asset).
    return {
      status: 201,
      document: whole,
      object: {
        ...made,
        content: undefined,
        asset_url: `${blobPath(made)}?${Math.floor(context.now / 1000)}`,
      },
    };
  }),
  route("PUT", "/admin/themes/:theme/assets/:id", ["xml"], (context) => {
    const found = asset(context);
    const { content } = cast(columns, context.params);
    const body = context.upload?.bytes ?? (content as string | undefined);
    if (body === undefined || body === null) throw new Invalid([["content", "can't be blank"]]);
    const kept = keep(context, found, body, String(found.name));
    if (kept.content === null)
      context.store.putBlob(
        blobPath(kept),
        String(kept.content_type),
        context.upload?.bytes ?? new Uint8Array(),
      );
    // The answer is the list's element (platform-facts.md, section 2.1).
    return { document: listed, object: kept };
  }),
  route("PUT", "/admin/themes/:theme/assets/:id/rename", ["xml"], (context) => {
    const found = asset(context);
    const name = checkName(context.params.new_name);
    const blob = found.content === null ? context.store.blob(blobPath(found)) : undefined;
    const values = { ...found, name, content_type: mediaType(name), human_readable_name: label(name) };
    const kept = context.store.update(
      "asset",
      found.id,
      values,
      context.now,
      assetKey(Number(found.theme_id), found.type, name),
    );
    if (blob !== undefined) context.store.putBlob(blobPath(kept), mediaType(name), blob.bytes);
    return { document: listed, object: kept };
  }),
  route("DELETE", "/admin/themes/:theme/assets/:id", ["xml"], (context) => {
    const found = asset(context);
    context.store.removeBlob(blobPath(found));
    context.store.remove("asset", found.id);
    return { done: true };
  }),
];
