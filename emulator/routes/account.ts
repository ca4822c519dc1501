/** The account: interface.md, Account. It is read-only. */
import { documentOf, type Resource, route } from "../routing.ts";

const document = documentOf("account", {
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
});

export const account: Resource = {
  kinds: [{ name: "account", empty: {} }],
  routes: [
    route("GET", "/admin/account", ["xml"], ({ store }) => ({
      document,
      object: store.list("account")[0] ?? {},
    })),
  ],
};
