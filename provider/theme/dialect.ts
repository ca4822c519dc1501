/**
 * The platform's dialect of Liquid. Sources: its reference of filters and constructions
 * (liquidhub.ru/collection/filtry-liquid, liquidhub.ru/collection/operatory_i_konstruktsii), its older wiki (wiki.insales.ru,
 * Liquid), its developers' documentation (github.com/insales/insales-docs-source) and its own theme
 * (github.com/insales/theme_template). Add missing names here, with their source.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const standardFilters = `
  abs append array_to_sentence_string at_least at_most base64_decode base64_encode base64_url_safe_decode
  base64_url_safe_encode capitalize ceil cgi_escape compact concat date date_to_long_string date_to_rfc822
  date_to_string date_to_xmlschema default divided_by downcase escape escape_once find find_exp find_index
  find_index_exp first floor group_by group_by_exp h has has_exp inspect join json jsonify last lstrip map minus modulo
  newline_to_br normalize_whitespace number_of_words plus pop prepend push raw reject reject_exp remove remove_first
  remove_last replace replace_first replace_last reverse round rstrip sample shift size slice slugify sort sort_natural
  split strip strip_html strip_newlines sum times to_integer truncate truncatewords uniq unshift upcase uri_escape
  url_decode url_encode where where_exp xml_escape`;

/** The platform's own filters, from filtry-liquid. */
const ownFilters = `
  add_param asset_url asset_url_if_exists change_lightness custom_json dark? file_type_by_url file_url image_url
  length link_to locale_url md5 money select_option video_iframe_by_url video_preview_by_url webp_picture_tag`;

/** From theme_template, the wiki, and published themes of agencies (recaptcha). */
const olderFilters = `
  camelize captcha_challenge editable global_asset_url global_javascript_tag global_stylesheet_tag handleize img_tag
  money_with_currency money_without_currency newlines_to_br pluralize recaptcha script_tag stylesheet_tag translit url_escape
  weight_with_unit`;

export const filters: ReadonlySet<string> = words(`${standardFilters} ${ownFilters} ${olderFilters}`);

/**
 * Minimum and maximum number of arguments of standard filters. With others, the platform shows an error instead of the value.
 */
export const filterArguments: ReadonlyMap<string, readonly [least: number, most: number]> = new Map(
  (
    [
      [
        0,
        0,
        "abs capitalize ceil downcase escape escape_once first floor last lstrip newline_to_br reverse rstrip size",
      ],
      [0, 0, "strip strip_html strip_newlines upcase url_decode url_encode"],
      [
        1,
        1,
        "append at_least at_most concat date divided_by map minus modulo plus prepend remove remove_first split times",
      ],
      [0, 1, "compact join round sort uniq"],
      [0, 2, "truncate truncatewords"],
      [1, 2, "replace replace_first slice where"],
    ] as const
  ).flatMap(([least, most, names]) => [...words(names)].map((name) => [name, [least, most]] as const)),
);

/** Tags with an end, and the tags allowed inside. `cache`, `form` and `paginate` are the platform's own. */
export const blocks: ReadonlyMap<string, readonly string[]> = new Map([
  ["if", ["elsif", "else"]],
  ["unless", ["elsif", "else"]],
  ["case", ["when", "else"]],
  ["for", ["else"]],
  ["tablerow", []],
  ["capture", []],
  ["comment", []],
  ["raw", []],
  ["ifchanged", []],
  ["block", []],
  ["cache", []],
  ["form", []],
  ["paginate", []],
  ["content_for", []],
  ["javascript", []],
  ["style", []],
]);

/**
 * Tags without an end. From `include_insales_scripts` on, they are the platform's own (theme_template, insales-docs-source).
 */
export const tags: ReadonlySet<string> = words(`
  # assign break continue cycle decrement echo include increment layout liquid render
  include_insales_scripts prefetch widget widgets_assets yield`);

/** Tags that are only allowed inside another one. */
export const branches: ReadonlySet<string> = new Set([...blocks.values()].flat());

/** Filters whose input is the name of a theme's file. */
export const fileFilters: ReadonlySet<string> = words("asset_url stylesheet_tag script_tag");

/** Snippets of the platform that no theme contains: `system_head`, `system_no_js_alert` (public themes). */
export const systemSnippet = /^system_/;

/** Templates that the platform uses, without `.liquid`. The newer layouts occur in its own and agencies' themes. */
export const templates: ReadonlySet<string> = words(`
  404 account.orders2 article blog cart collection compare favorite index layout layouts.checkout layouts.checkout2
  layouts.client_account layouts.layout order page page_404 product search shared_cart`);

/** Templates around all other pages. */
export const layouts: ReadonlySet<string> = words("layout.liquid layouts.layout.liquid");

/** Objects that the platform passes to templates (the reference, and public themes). */
export const objects: ReadonlySet<string> = words(`
  account article articles block block_lists blocks blog blogs canonical_url cart cart_url client client_group collection
  collections comment compare content_for_layout current_collections data description discounts favorites filter forloop
  form host image images keywords language languages link linklists messages order orders page page_size page_title pages
  paginate product products properties property review reviews search search_url settings shop tablerowloop tag template theme
  title variant variants widget widget_lists widget_messages widget_settings`);
