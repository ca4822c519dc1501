/** What can only be read: account, collections, themes (interface.md, the sections of these names). */
import { existing, idOf, route } from "../routing.ts";

const account = {
  root: "account",
  list: "accounts",
  shape: {
    blocked: "boolean",
    city: "string",
    contact_phone: "string",
    country: "string",
    enable_cart_discounts: "boolean",
    enable_client_discounts: "boolean",
    enable_group_discounts: "boolean",
    enable_order_discounts: "boolean",
    hide_items_out_of_stock: "boolean",
    id: "integer",
    notification_email: "string",
    organization: "string",
    sms_notification_phone: "string",
    state: "string",
    subdomain: "string",
    email: "string",
    icq: "string",
    phone: "string",
    title: "string",
    minimum_items_price: "decimal",
    stock_currency_exchange_rate: "float",
    client_cookies_whitelist: "string",
    main_host: "string",
    next_order_number: "integer",
    time_zone: "string",
    owner: { nested: { created_at: "timeB", email: "string", id: "integer", name: "string" } },
  },
} as const;

const collection = {
  root: "collection",
  list: "collections",
  shape: {
    created_at: "timeB",
    id: "integer",
    is_hidden: "boolean",
    parent_id: "integer",
    position: "integer",
    recursive: "boolean",
    updated_at: "timeB",
    title: "string",
    description: "string",
    html_title: "string",
    meta_description: "string",
    meta_keywords: "string",
    permalink: "string",
    url: "string",
    seo_description: "string",
  },
} as const;

const theme = {
  root: "theme",
  list: "themes",
  shape: {
    created_at: "timeB",
    description: "string",
    errors_text: "string",
    id: "integer",
    is_mobile: "boolean",
    is_published: "boolean",
    title: "string",
    updated_at: "timeB",
  },
} as const;

export const reading = [
  route("GET", "/admin/account", ["xml"], (context) => ({
    document: account,
    object: context.store.list("account")[0] ?? {},
  })),
  route("GET", "/admin/collections/:id", ["xml"], (context) => ({
    document: collection,
    object: existing(context, "collection", idOf(context)),
  })),
  route("GET", "/admin/collections", ["xml"], (context) => ({
    document: collection,
    objects: context.store.list("collection"),
  })),
  route("GET", "/admin/themes", ["xml"], (context) => ({
    document: theme,
    objects: context.store.list("theme"),
  })),
  route("GET", "/admin/themes/:id", [], (context) => ({
    document: theme,
    object: existing(context, "theme", idOf(context)),
  })),
];
