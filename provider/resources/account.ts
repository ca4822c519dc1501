import { boolean, decimal, get, integer, nested, resource, text, time } from "../definition/define.ts";

export const account = resource({
  kind: "Account",
  section: "Account",
  one: "account",
  many: "accounts",
  operations: { get: get("/admin/account.xml") },
  fields: {
    /** The shop is blocked. */
    blocked: boolean({ mode: "computed" }),
    /** City. */
    city: text({ mode: "computed" }),
    /** Phone number shown to shoppers. */
    contactPhone: text({ mode: "computed" }),
    /** Country code. */
    country: text({ mode: "computed" }),
    /** Discounts by cart are on. */
    enableCartDiscounts: boolean({ mode: "computed" }),
    /** Discounts by customer are on. */
    enableClientDiscounts: boolean({ mode: "computed" }),
    /** Discounts by customer group are on. */
    enableGroupDiscounts: boolean({ mode: "computed" }),
    /** Discounts by order are on. */
    enableOrderDiscounts: boolean({ mode: "computed" }),
    /** Products that are out of stock are not shown. */
    hideItemsOutOfStock: boolean({ mode: "computed" }),
    /** The address to which the shop sends its notices. */
    notificationEmail: text({ mode: "computed" }),
    /** The company behind the shop. */
    organization: text({ mode: "computed" }),
    /** The phone number for text messages. */
    smsNotificationPhone: text({ mode: "computed" }),
    /** Region. */
    state: text({ mode: "computed" }),
    /** The shop's name in the platform's domain. */
    subdomain: text({ mode: "computed" }),
    /** Address for shoppers. */
    email: text({ mode: "computed" }),
    /** ICQ number. */
    icq: text({ mode: "computed" }),
    /** Phone number. */
    phone: text({ mode: "computed" }),
    /** The shop's name. */
    title: text({ mode: "computed" }),
    /** The smallest order value. */
    minimumItemsPrice: decimal({ mode: "computed" }),
    /** Exchange rate between the stock's currency and the shop's. */
    stockCurrencyExchangeRate: decimal({ mode: "computed" }),
    /** Cookies that scripts may read, one per line. */
    clientCookiesWhitelist: text({ mode: "computed" }),
    /** The domain at which shoppers find it. */
    mainHost: text({ mode: "computed" }),
    /** Number of the next order. */
    nextOrderNumber: integer({ mode: "computed" }),
    /** Name of the time zone. */
    timeZone: text({ mode: "computed" }),
    /** The owner of the account. */
    owner: nested({
      /** The owner's id. */
      id: integer({ mode: "computed" }),
      /** The owner's name. */
      name: text({ mode: "computed" }),
      /** The owner's address. */
      email: text({ mode: "computed" }),
      /** When the owner registered. */
      createdAt: time("B"),
    }),
  },
});
