/**
 * The content of a new shop: account and owner, collections, and a published and a mobile theme with the usual
 * templates.
 */
import type { Row } from "./documents.ts";
import { bodyIn, keepBlob } from "./routes/assets.ts";
import { kindOf } from "./routes/index.ts";
import { themeFiles } from "./site/theme.ts";
import { checkKind, InvalidControl } from "./staff-edits.ts";
import type { Store, Stored } from "./store.ts";

const collections = [
  {
    title: "Catalogue",
    permalink: "all",
    children: ["Frontpage", "Kitchen", "Tableware", "Textiles", "Sale"],
  },
] as const;

/**
 * Fills an empty shop.
 * @param fixture rows by kind; missing columns get the kind's defaults
 * @throws InvalidControl if it has several accounts
 */
export function fillNewShop(store: Store, origin: string, now: number, fixture: Fixture): void {
  const { account = [], ...others } = fixture;
  if (account.length > 1) throw new InvalidControl("a shop has one account");
  furnishNew(store, origin, now, { ...account[0] });
  addRows(store, others, now);
}

/** Adds rows by kind, and nothing else. @throws InvalidControl if there is no such kind */
export function addRows(store: Store, fixture: Fixture, now: number): void {
  for (const kind of Object.keys(fixture)) checkKind(kind);
  for (const [kind, rows] of Object.entries(fixture)) for (const row of rows) addRow(store, kind, row, now);
}

function furnishNew(store: Store, origin: string, now: number, account: Row): void {
  addRow(store, "account", { ...accountOf(store, origin, now), ...account }, now);
  addRow(store, "category", { title: "Warehouse" }, now);
  for (const { title, permalink, children } of collections) {
    const root = addCollection(store, title, permalink, null, 1, now);
    for (const [index, child] of children.entries())
      addCollection(store, child, child.toLowerCase(), root, index + 1, now);
  }
  addTheme(store, "Main", { published: true, mobile: false }, now);
  addTheme(store, "Mobile", { published: false, mobile: true }, now);
}

type Fixture = Readonly<Record<string, readonly Row[]>>;

function addRow(store: Store, name: string, given: Row, now: number): Stored {
  const { archived, ...row } = given;
  const kind = kindOf(name);
  const id = typeof row.id === "number" ? row.id : store.nextId(name);
  const filled = { ...kind?.empty, ...row };
  const complete = kind?.complete?.(filled, id, store, now) ?? filled;
  const key = kind?.keyOf?.(complete);
  const owner = kind?.ownerOf?.(complete);
  const made = store.insert(name, complete, now, {
    id,
    ...(key !== undefined && { key }),
    ...(owner !== undefined && { owner }),
  });
  if (name === "asset" && row.content !== null) keepBlob(store, made, bodyIn(row));
  if (archived === true) store.archive(name, made.id, now);
  return made;
}

function accountOf(store: Store, origin: string, now: number): Row {
  const owner = { created_at: now, email: "owner@example.test", id: store.nextId("owner"), name: "Olga" };
  return {
    blocked: false,
    city: "Tver",
    contact_phone: null,
    country: "RU",
    enable_cart_discounts: true,
    enable_client_discounts: false,
    enable_group_discounts: false,
    enable_order_discounts: false,
    hide_items_out_of_stock: false,
    notification_email: null,
    organization: null,
    sms_notification_phone: "",
    state: "Tver region",
    subdomain: "demo",
    email: "shop@example.test",
    icq: null,
    phone: "+70000000000",
    title: "Demo",
    minimum_items_price: null,
    stock_currency_exchange_rate: "1.0",
    client_cookies_whitelist: "first_visit\nreferer",
    main_host: new URL(origin).host,
    next_order_number: 1001,
    time_zone: "Moscow",
    owner,
  };
}

function addCollection(
  store: Store,
  title: string,
  permalink: string,
  parent: number | null,
  position: number,
  now: number,
): number {
  const url = `/collection/${permalink}`;
  return addRow(store, "collection", { title, permalink, parent_id: parent, position, url }, now).id;
}

function addTheme(
  store: Store,
  title: string,
  is: { published: boolean; mobile: boolean },
  now: number,
): void {
  const { id } = addRow(store, "theme", { title, is_mobile: is.mobile, is_published: is.published }, now);
  for (const [type, name, content] of themeFiles)
    addRow(store, "asset", { theme_id: id, type, name, content }, now);
}
