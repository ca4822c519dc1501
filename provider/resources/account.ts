import { boolean, decimal, get, integer, nested, resource, text, time } from "../definition/define.ts";

export const account = resource({
  kind: "Account",
  section: "Account",
  one: "account",
  many: "accounts",
  operations: { get: get("/admin/account.xml") },
  fields: {
    /** Whether the shop is blocked. */
    blocked: boolean({ mode: "computed" }),
    /** The shop's city. */
    city: text({ mode: "computed" }),
    /** Phone number shown to shoppers. */
    contactPhone: text({ mode: "computed" }),
    /** The shop's country code. */
    country: text({ mode: "computed" }),
    /** Whether discounts by cart are enabled. */
    enableCartDiscounts: boolean({ mode: "computed" }),
    /** Whether discounts by customer are enabled. */
    enableClientDiscounts: boolean({ mode: "computed" }),
    /** Whether discounts by customer group are enabled. */
    enableGroupDiscounts: boolean({ mode: "computed" }),
    /** Whether discounts by order are enabled. */
    enableOrderDiscounts: boolean({ mode: "computed" }),
    /** Whether products that are out of stock are hidden from shoppers. */
    hideItemsOutOfStock: boolean({ mode: "computed" }),
    /** Email address to which the shop sends notifications. */
    notificationEmail: text({ mode: "computed" }),
    /** Name of the company behind the shop. */
    organization: text({ mode: "computed" }),
    /** Phone number for notifications by text message. */
    smsNotificationPhone: text({ mode: "computed" }),
    /** The shop's region. */
    state: text({ mode: "computed" }),
    /** The shop's name in the platform's domain. */
    subdomain: text({ mode: "computed" }),
    /** Email address shown to shoppers. */
    email: text({ mode: "computed" }),
    /** ICQ number. */
    icq: text({ mode: "computed" }),
    /** The shop's phone number. */
    phone: text({ mode: "computed" }),
    /** The shop's name. */
    title: text({ mode: "computed" }),
    /** The minimum order value, in the shop's currency. */
    minimumItemsPrice: decimal({ mode: "computed" }),
    /** Exchange rate between the stock's currency and the shop's. */
    stockCurrencyExchangeRate: decimal({ mode: "computed" }),
    /** Cookies that scripts may read, one per line. */
    clientCookiesWhitelist: text({ mode: "computed" }),
    /** The shop's domain for shoppers. */
    mainHost: text({ mode: "computed" }),
    /** Number of the next order. */
    nextOrderNumber: integer({ mode: "computed" }),
    /** Name of the shop's time zone, such as `Moscow`. */
    timeZone: text({ mode: "computed" }),
    /** The owner of the account. */
    owner: nested({
      /** The owner's id. */
      id: integer({ mode: "computed" }),
      /** The owner's name. */
      name: text({ mode: "computed" }),
      /** The owner's email address. */
      email: text({ mode: "computed" }),
      /** When the owner registered. */
      createdAt: time("B"),
    }),
  },
});
