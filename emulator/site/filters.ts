/** The platform's own filters. The Liquid library has the standard ones. */
import { hash } from "node:crypto";
import type { Liquid } from "liquidjs";
import { permalinkOf } from "../permalinks.ts";
import type { Say } from "./globals.ts";
import type { ThemeFiles } from "./theme-files.ts";

type Filter = (value: unknown, ...args: readonly unknown[]) => unknown;

export interface Surroundings {
  readonly theme: number;
  readonly files: ThemeFiles;
  /** The currency's code, if the shop has one. */
  readonly currency: string;
  readonly say: Say;
}

/** Symbols of common currencies; others are shown by their code. */
export const currencySigns: Readonly<Record<string, string>> = {
  RUR: "₽",
  RUB: "₽",
  EUR: "€",
  USD: "$",
  GBP: "£",
};

/** An amount without `.00`. */
export function money(value: unknown): string {
  const number = Number(value);
  return value === null || value === undefined || Number.isNaN(number)
    ? ""
    : number.toFixed(2).replace(/\.00$/, "");
}

const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const safe = (value: unknown) =>
  text(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/**
 * Positional arguments, as in `link_to: '/cart'`; named ones, as in `image_url: 300, format: 'webp'`, are pairs of name
 * and value.
 */
const plain = (args: readonly unknown[]) => args.filter((one) => !Array.isArray(one));

const same: Filter = (value) => value;

function addressOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return text(value);
  const image = value as Readonly<Record<string, unknown>>;
  return text(image.original_url ?? image.url);
}

function lightness(value: unknown, by: unknown): string {
  const channels = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text(value))?.slice(1);
  if (channels === undefined) return text(value);
  const moved = channels.map((one) => {
    const light = Number.parseInt(one, 16) + (255 * Number(by)) / 100;
    return Math.round(Math.min(255, Math.max(0, light)));
  });
  return `#${moved.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

const isDark = (value: unknown) => {
  const [r = 0, g = 0, b = 0] = (/^#?(..)(..)(..)$/.exec(text(value))?.slice(1) ?? []).map((one) =>
    Number.parseInt(one, 16),
  );
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
};

/** One, few, many: `3 | pluralize: 'item', 'items'`; in Russian there are three forms. */
function pluralize(value: unknown, one: unknown, few: unknown, many: unknown): unknown {
  const count = Math.abs(Math.trunc(Number(value)));
  if (many === undefined) return count === 1 ? one : few;
  const form = new Intl.PluralRules("ru").select(count);
  return form === "one" ? one : form === "few" ? few : many;
}

function withParameter(value: unknown, name: unknown, given: unknown): string {
  const [path = "", query] = text(value).split("?");
  const parameters = new URLSearchParams(query);
  parameters.set(text(name), text(given));
  return `${path}?${parameters}`;
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/\.(jpe?g|png|gif|webp|svg|ico)$/i, "image"],
  [/\.(mp4|webm|mov|avi)$/i, "video"],
];
const fileKind = (value: unknown) =>
  kinds.find(([ending]) => ending.test(text(value).split("?")[0] ?? ""))?.[1] ?? "document";

const option = (value: unknown, chosen: unknown, title: unknown) =>
  `<option value="${safe(value)}"${text(value) === text(chosen) ? " selected" : ""}>${safe(title ?? value)}</option>`;

const img = (address: unknown, alt: unknown) => `<img src="${safe(address)}" alt="${safe(alt)}">`;

/** Filters by name, for the pages of one theme. */
export function ownFilters({ theme, files, currency, say }: Surroundings): Readonly<Record<string, Filter>> {
  const asset = (name: unknown) => {
    const [file = "", query] = text(name).split("?");
    return `/theme/${theme}/${encodeURIComponent(file)}${query === undefined ? "" : `?${query}`}`;
  };
  const style = (name: unknown) => `<link rel="stylesheet" href="${asset(name)}">`;
  const priced: Filter = (value) =>
    value === null || value === undefined ? "" : `${money(value)} ${currency}`;
  /** A filter of the platform that the embedded shop doesn't have. */
  const left =
    (what: string, value = ""): Filter =>
    () => {
      say(what);
      return value;
    };
  const platform = "the platform's own scripts and styles (global_asset_url) are left out";
  const captcha = "captchas are left out";
  return {
    add_param: withParameter,
    asset_url: asset,
    asset_url_if_exists: (name) => (files.media(text(name)) === undefined ? null : asset(name)),
    base64_url_safe_decode: (value) => Buffer.from(text(value), "base64url").toString(),
    base64_url_safe_encode: (value) => Buffer.from(text(value)).toString("base64url"),
    camelize: (value) =>
      text(value).replace(/(?:^|[-_\s]+)(\p{L})/gu, (_all, letter: string) => letter.toUpperCase()),
    captcha_challenge: left(captcha),
    change_lightness: lightness,
    custom_json: (value) => JSON.stringify(value ?? null),
    "dark?": isDark,
    editable: same,
    file_type_by_url: fileKind,
    file_url: addressOf,
    global_asset_url: left(platform),
    global_javascript_tag: left(platform),
    global_stylesheet_tag: left(platform),
    h: safe,
    handleize: (value) => permalinkOf(text(value)),
    image_url: addressOf,
    img_tag: img,
    length: (value) => (Array.isArray(value) ? value.length : text(value).length),
    link_to: (title, address) => `<a href="${safe(address)}">${safe(title)}</a>`,
    locale_url: same,
    md5: (value) => hash("md5", text(value)),
    money,
    money_with_currency: priced,
    money_without_currency: money,
    newlines_to_br: (value) => text(value).replace(/\r?\n/g, "<br>\n"),
    pluralize: (value, ...args) => pluralize(value, ...(plain(args) as [unknown, unknown, unknown])),
    recaptcha: left(captcha),
    script_tag: (name) => `<script src="${asset(name)}"></script>`,
    select_option: option,
    stylesheet_tag: style,
    translit: (value) => permalinkOf(text(value)),
    url_escape: (value) => encodeURIComponent(text(value)),
    video_iframe_by_url: (value) => `<iframe src="${safe(value)}"></iframe>`,
    video_preview_by_url: left("previews of videos are left out"),
    webp_picture_tag: (value, alt) => img(addressOf(value), alt),
    weight_with_unit: (value) => (text(value) === "" ? "" : `${text(value)} kg`),
  };
}

/** Reports unknown filters of a template; as on the platform, they leave the value unchanged. */
export function sayUnknown(engine: Liquid, say: Say): void {
  Object.defineProperty(engine, "filters", {
    value: new Proxy(engine.filters, {
      get(filters, name) {
        if (typeof name === "string" && !Object.hasOwn(filters, name))
          say(`there is no filter ${name}: values stay as they are`);
        return Reflect.get(filters, name);
      },
    }),
  });
}
