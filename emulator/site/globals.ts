/** Values that every template has: the shop, its collections, the theme's settings and messages. */

import { Drop } from "liquidjs";
import type { Store, Stored } from "../store.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ThemeFiles } from "./theme-files.ts";

type Values = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The theme's settings; with presets, those of the current one. */
function settingsIn(text: string | undefined): Values {
  const { current, presets, ...rest } = parsed(text);
  if (isRecord(current)) return current;
  const chosen = isRecord(presets) ? presets[String(current)] : undefined;
  return isRecord(chosen) ? chosen : { ...rest, ...(current !== undefined && { current }) };
}

/** The theme's messages, which are stored by language: English or the first one. */
function messagesIn(text: string | undefined): { readonly locale: string; readonly messages: Values } {
  const all = parsed(text);
  const [locale = "en"] = Object.hasOwn(all, "en") ? ["en"] : Object.keys(all);
  const own = all[locale];
  return { locale, messages: isRecord(own) ? own : {} };
}

/** @returns an empty object for invalid JSON: as on the platform, the theme then has no settings */
function parsed(text: string | undefined): Values {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Reads the configuration files that every page needs. */
export async function configurationOf(files: ThemeFiles) {
  const text = async (name: string) =>
    (await files.text("Asset::Configuration", `${name}.json`)) ?? files.text("Asset::Configuration", name);
  const { locale, messages } = messagesIn(await text("messages"));
  return { settings: settingsIn(await text("settings_data")), messages, locale };
}

export function globalsOf(
  store: Store,
  { collections }: Catalogue,
  { theme, host }: { readonly theme: Stored; readonly host: string },
  say: Say,
): Values {
  const [account] = store.list("account");
  return {
    account: account && {
      ...account,
      url: `http://${host}`,
      reviews_enabled: false,
      "reviews_enabled?": false,
      quick_checkout: { enabled: false, "enabled?": false },
    },
    shop: account,
    host,
    theme,
    page_title: account?.title,
    // Templates access collections both by name and in a loop.
    collections: Object.assign(
      [...collections],
      Object.fromEntries(collections.map((one) => [String(one.permalink), one])),
    ),
    blogs: [],
    current_collections: [],
    cart: { items: [], items_count: 0, total_price: 0, items_price: 0, discounts: [] },
    search: { query: "", results: [], performed: false, "performed?": false },
    cart_url: "/cart",
    search_url: "/search",
    language: { "not_default?": false, not_default: false },
    languages: [],
    money_with_currency_format: JSON.stringify({ unit: String(account?.currency_code ?? "") }),
    ...missingLists(say),
  };
}

export type Say = (what: string) => void;

/** An empty list that also has the members of menus and widget lists. */
const emptyList = () => Object.assign([], { links: [], widgets: [], blocks: [], title: "", level: 0 });

/** Empty lists under any name. */
class MissingLists extends Drop {
  readonly #say: () => void;

  constructor(say: () => void) {
    super();
    this.#say = say;
  }

  override liquidMethodMissing(): unknown {
    this.#say();
    return emptyList();
  }
}

/** Lists that are edited in the back office and aren't part of the interface. */
const missingLists = (say: Say): Readonly<Record<string, MissingLists>> => ({
  linklists: new MissingLists(() => say("menus (linklists) are empty")),
  widget_lists: new MissingLists(() => say("widgets (widget_lists) are left out")),
  block_lists: new MissingLists(() => say("blocks (block_lists) are left out")),
});
