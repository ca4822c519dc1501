/** Broken and valid theme files, with the expected findings. */
import type { Rule } from "../../provider/theme/finding.ts";

/** A file with a mistake: its path, its text, and the mistake's place. */
export interface Broken {
  readonly what: string;
  readonly path: string;
  readonly text: string;
  readonly rule: Rule;
  readonly line: number;
  /** Other files of the theme, as path and text. */
  readonly beside?: Readonly<Record<string, string>>;
}

const product = "templates/product.liquid";

const liquid = (what: string, text: string, line: number, rule: Rule = "liquid-syntax"): Broken => ({
  what,
  path: product,
  text,
  rule,
  line,
});

const json = (what: string, path: string, text: string, line: number): Broken => ({
  what,
  path: `config/${path}`,
  text,
  rule: "json",
  line,
});

const settings = (what: string, text: string, line: number): Broken => ({
  what,
  path: "config/settings_data.json",
  text,
  rule: "settings",
  line,
});

export const broken: readonly Broken[] = [
  liquid("an output without its last brace", "{% if product %}\n<h1>{{ product.title }</h1>", 2),
  liquid("an output that runs into the next", "<b>\n{{ a\n<i>{{ b }}</i>", 2),
  liquid("a tag that runs into the next", "\n\n{% if a\n{{ b }}{% endif %}", 3),
  liquid("a tag without its last brace", "{% if a %}\n{% endif }", 2),
  liquid("an if that is never ended", "<p>\n{% if product %}\n<h1>", 2),
  liquid("a for that is never ended", "{% for a in b %}\n{% if c %}\n{% endif %}", 1),
  liquid("an if inside of a for that ends first", "{% for a in b %}\n{% if c %}\n{% endfor %}", 2),
  liquid("an end of nothing", "a\n{% endif %}", 2),
  liquid("an end of another tag", "{% unless a %}\nb\n{% endif %}", 1),
  liquid("an else of nothing", "a\n\n{% else %}", 3),
  liquid("a when in an if", "{% if a %}\n{% when 1 %}\n{% endif %}", 2),
  liquid("an elsif in a for", "{% for a in b %}\n{% elsif c %}\n{% endfor %}", 2),
  liquid("an if without a condition", "\n{% if %}a{% endif %}", 2),
  liquid("an if with one equals sign", "\n{% if a = b %}a{% endif %}", 2),
  liquid("an if with && of another language", "{% if a && b %}a{% endif %}", 1),
  liquid("a for without in", "\n\n\n{% for a b %}{% endfor %}", 4),
  liquid("an assign without a value", "<p>\n{% assign title %}", 2),
  liquid("an include without a name", "<p>\n{% include %}", 2),
  liquid("a text without its last quotation mark", '<p>\n{{ "title }}', 2),
  liquid("an output with nothing in it", "<p>\n<b>{{ }}</b>", 2),
  liquid("an output that calculates", "<p>\n{{ 1 + 2 }}", 2),
  liquid("a filter whose arguments follow without a colon", '\n{{ a | date "%Y" }}', 2),
  liquid("a comment that is never ended", "a\n{% comment %}\n{% if", 3),
  liquid("a comment that is open at the end", "a\n{% comment %}\nb", 2),
  liquid("a raw that is never ended", "a\n{% raw %}{{ a }}", 2),
  liquid("an index that isn't closed", "a\n{{ images[0 }}", 2),
  liquid("a tag that is mistyped", "a\n{% inclde 'card' %}", 2, "unknown-tag"),
  liquid("a tag of another platform", "\n{% section 'header' %}", 2, "unknown-tag"),
  liquid("a block of another platform", "\n\n{% schema %}{}{% endschema %}", 3, "unknown-tag"),
  liquid("a filter that is mistyped", "\n\n{{ product.price | mony }}", 3, "unknown-filter"),
  liquid(
    "a filter of another platform in an assign",
    "\n{% assign a = b | img_url: '1x1' %}",
    2,
    "unknown-filter",
  ),
  liquid("the second filter of a chain", "{{ a | escape | upcas }}", 1, "unknown-filter"),
  liquid("a snippet that isn't there", "<p>\n\n{% include 'card' %}", 3, "missing-snippet"),
  liquid(
    "a rendered snippet that isn't there",
    '\n{% render "card", product: product %}',
    2,
    "missing-snippet",
  ),
  {
    ...liquid("a snippet of a snippet that isn't there", "<b>\n{% include 'price' %}", 2, "missing-snippet"),
    path: "snippets/card.liquid",
    beside: { [product]: "{% include 'card' %}" },
  },
  liquid("a style sheet that isn't there", "\n{{ 'shop.css' | stylesheet_tag }}", 2, "missing-file"),
  liquid("a picture that isn't there", "<img src=\"{{ 'logo.png' | asset_url }}\">", 1, "missing-file"),
  json("a key without a colon", "settings_data.json", '{\n  "colour" "red"\n}', 2),
  json("a comma too many", "settings.json", '[\n  {"a": 1},\n]', 2),
  json("a comma too few", "settings.json", '{\n  "a": 1\n  "b": 2\n}', 3),
  json("single quotation marks", "setup.json", "{\n'a': 1}", 2),
  json("a text that isn't closed", "messages.json", '{\n  "a": "b\n}', 2),
  json("a brace that isn't closed", "messages.json", '{\n  "a": {\n  "b": 1\n}', 4),
  json("nothing at all", "settings_data.json", "", 1),
  json("two values", "settings_data.json", "{}\n{}", 2),
  json("a comment", "setup.json", '{\n  "a": 1, // why\n  "b": 2\n}', 2),
  liquid("an if that another end closes", "{% for a in b %}\n{% unless c %}\n{% endif %}\n{% endfor %}", 2),
  liquid("an elsif after else", "{% if a %}\n1{% else %}\n2{% elsif b %}3{% endif %}", 3),
  liquid("an else too many", "{% if a %}\n1{% else %}2\n{% else %}3{% endif %}", 3),
  liquid("an else with a condition", "{% if a %}\n1\n{% else if b %}\n2{% endif %}", 3),
  liquid("an end of no name", "{% if a %}\n1\n{% end %}", 3),
  liquid("a raw in a raw", "{% raw %}\n{% raw %}\n{% endraw %}\n{% endraw %}", 4),
  liquid("an end of a comment that is none", "a\n{% endcomment %}", 2),
  liquid("a comment in a comment that isn't ended", "a\n{% comment %}\n{% comment %}\n{% endcomment %}", 2),
  liquid("a case without its value", "a\n{% case %}{% when 1 %}a{% endcase %}", 2),
  liquid("a when without a value", "{% case a %}\n{% when %}a{% endcase %}", 2),
  liquid("a when after else", "{% case a %}\n{% else %}a\n{% when 1 %}b{% endcase %}", 3),
  liquid("an assign with a colon", "\n{% assign a : 1 %}", 2),
  liquid("an assign with a comparison", "\n{% assign a = b == c %}", 2),
  liquid("an assign to a text", "\n{% assign 'a' = 1 %}", 2),
  liquid("an output of two values", "\n{{ product title }}", 2),
  liquid("a tag in an output", "\n\n{{ if a }}", 3),
  liquid("a filter with brackets", "\n{{ a | truncate(5) }}", 2),
  liquid("arguments of a filter without a comma", "\n{{ a | replace: 'a' 'b' }}", 2),
  liquid("a filter without its arguments", "\n{{ a | replace }}", 2, "filter-arguments"),
  liquid("a filter with arguments too many", "\n{{ a | upcase: 1, 2 }}", 2, "filter-arguments"),
  liquid("an arrow for at least", "\n{% if a => 1 %}{% endif %}", 2),
  liquid("an if with in", "\n{% if a in b %}{% endif %}", 2),
  liquid("an if with not", "\n\n{% if not a %}{% endif %}", 3),
  liquid("an if with brackets", "\n{% if (a or b) and c %}{% endif %}", 2),
  liquid("an if with a loose and", "\n{% if a and %}{% endif %}", 2),
  liquid("quotation marks of a text program", "\n{% if a == “b” %}{% endif %}", 2),
  liquid("a limit without its colon", "\n{% for a in b limit 3 %}{% endfor %}", 2),
  liquid("a range without its brackets", "\n{% for a in 1..5 %}{% endfor %}", 2),
  liquid("a bar that no filter follows", "a\n{{ product.price | money | }}", 2),
  liquid("a colon that no argument follows", "a\n{{ product.title | truncate: }}", 2),
  liquid("a when that ends with or", "{% case a %}\n{% when 1 or %}b{% endcase %}", 2),
  liquid("a paginate without its number", "\n{% paginate a by %}{% endpaginate %}", 2),
  liquid("a counter without a name", "\n{% increment %}", 2),
  liquid("a filter in another alphabet", "Привет\n{{ a | верх }}", 2, "unknown-filter"),
  liquid("line ends of another system", "a\r\nb\r\n  {{ c }\r\nd", 3),
  {
    ...liquid("an include that hands on nothing", "\n{% include 'card' with %}", 2),
    beside: { "snippets/card.liquid": "<b>" },
  },
  {
    ...liquid("a style sheet with Liquid that isn't closed", "a {\n  b: {{ c }\n}", 2),
    path: "media/shop.css.liquid",
  },
  liquid("a limit with an equals sign", "\n{% for a in b limit=3 %}{% endfor %}", 2),
  liquid("an object that is mistyped", "\n{{ prodcut.title }}", 2, "unknown-object"),
  liquid(
    "a variable that is mistyped",
    "{% for item in cart.items %}\n{{ itme.title }}{% endfor %}",
    2,
    "unknown-object",
  ),
  liquid("a byte order mark", "\ufeff<b>", 1, "byte-order-mark"),
  liquid("a conflict of a merge", "a\n<<<<<<< HEAD\n<b>\n=======\n<i>\n>>>>>>> spring\n", 2, "unmerged"),
  {
    ...liquid("an include that hands on with an equals sign", "\n{% include 'card' product = a %}", 2),
    beside: { "snippets/card.liquid": "<b>" },
  },
  {
    ...liquid("a snippet without quotation marks", "\n{% include card %}", 2, "missing-snippet"),
    beside: { "snippets/card.liquid": "<b>" },
  },
  {
    ...liquid("a snippet with its folder", "\n{% include 'snippets/card' %}", 2, "missing-snippet"),
    beside: { "snippets/card.liquid": "<b>" },
  },
  {
    ...liquid("a message that no language has", "\n{{ messages.buy }}", 2, "unknown-message"),
    beside: { "config/messages.json": '{"en": {"bye": "Bye"}}' },
  },
  json("a comment of a block", "settings_data.json", '{\n  /* why */ "a": 1\n}', 2),
  json("a value that is undefined", "settings_data.json", '{\n  "a": undefined\n}', 2),
  json("a key without quotation marks", "messages.json", "{\n  en: {}\n}", 2),
  json("a backslash of a path", "setup.json", '{\n  "a": "c:\\dir"\n}', 2),
  json("a list that a brace closes", "settings.json", '{\n  "a": [1, 2}\n}', 2),
  json("a byte order mark", "messages.json", '\ufeff{\n  "en": {}\n}', 1),
  settings("a current preset that is a number", '{"presets": {"light": {}},\n  "current": 5}', 2),
  {
    ...settings("a language that is a list", '{"en": {"a": "b"},\n  "ru": ["c"]}', 2),
    path: "config/messages.json",
  },
  settings("settings that are a list", "[\n]", 1),
  settings("presets that are a list", '{\n  "presets": []\n}', 2),
  settings("a preset without settings", '{"presets": {\n  "light": "white"\n}}', 2),
  settings("a current preset that isn't there", '{\n  "presets": {"light": {}},\n  "current": "dark"\n}', 3),
  settings("a setting that is there twice", '{\n  "a": 1,\n  "b": {"a": 2},\n  "a": 3\n}', 4),
  {
    ...liquid("a setting that is mistyped", "<p>\n{{ settings.color }}", 2, "unknown-setting"),
    beside: { "config/settings_data.json": '{"presets": {"light": {"colour": "red"}}, "current": "light"}' },
  },
  {
    what: "a layout without its page",
    path: "templates/layout.liquid",
    text: "<html>\n<head></head>\n<body>\n</body>\n</html>",
    rule: "layout-content",
    line: 3,
  },
  {
    what: "a layout whose page stands in a comment",
    path: "templates/layout.liquid",
    text: "<body>\n{% comment %}{{ content_for_layout }}{% endcomment %}</body>",
    rule: "layout-content",
    line: 1,
  },
  {
    what: "a template that is mistyped",
    path: "templates/prodcut.liquid",
    text: "<p>",
    rule: "unknown-template",
    line: 1,
  },
  {
    what: "a blank in a name",
    path: "media/my logo.svg",
    text: "<svg/>",
    rule: "bad-name",
    line: 1,
  },
  {
    what: "a style sheet beside its source",
    path: "media/shop.scss",
    text: "a { b: c }",
    beside: { "media/shop.css": "a { b: c }" },
    rule: "same-name",
    line: 1,
  },
  {
    what: "a source that is too large",
    path: "snippets/all.liquid",
    text: "x".repeat(1_000_001),
    rule: "too-large",
    line: 1,
  },
];

/** A valid theme: path and text. */
export type Right = readonly [what: string, files: Readonly<Record<string, string>>];

const right_ = (what: string, text: string): Right => [what, { [product]: text }];

export const right: readonly Right[] = [
  right_("text alone", "<h1>Hello</h1>"),
  right_("an output", "{{ product.title }}"),
  right_("filters with arguments", "{{ product.price | times: 2 | money | append: ' ₽' }}"),
  right_("an if with its branches", "{% if a == 1 %}a{% elsif b != 2 %}b{% else %}c{% endif %}"),
  right_("and, or, contains", "{% if a and b or c contains 'd' %}e{% endif %}"),
  right_("unless with else", "{% unless a %}b{% else %}c{% endunless %}"),
  right_(
    "case with when and else",
    "{% case a %}{% when 1, 2 %}b{% when 'c' or 'd' %}e{% else %}f{% endcase %}",
  ),
  right_(
    "for with else",
    "{% for a in product.variants limit: 2 %}{{ a }}{% break %}{% else %}none{% endfor %}",
  ),
  right_("for over a range", "{% for a in (1..5) %}{{ forloop.index }}{% endfor %}"),
  right_(
    "tags inside of tags",
    "{% for a in b %}{% if c %}{% unless d %}e{% endunless %}{% endif %}{% endfor %}",
  ),
  right_("capture and assign", "{% capture a %}b{% endcapture %}{% assign c = a | split: ',' | first %}"),
  right_(
    "a comment with broken Liquid",
    "{% comment %}{% nothing %}{{ a | nothing }}{% liquid\n 'a'\n%}{% endcomment %}",
  ),
  right_(
    "a comment in a comment",
    "{% comment %}a{% comment %}{% if %}{% endcomment %}{% endfor %}{% endcomment %}b",
  ),
  right_("a list of pages without its number", "{% paginate collection.products 10 %}{% endpaginate %}"),
  right_(
    "a condition with an index and a range",
    "{% if a['b c'].d[0] >= (1..5) or e.size == blank %}f{% endif %}",
  ),
  right_(
    "filters with as many arguments as they take",
    "{{ a | replace: 'b, c', ' | ' | truncate: 5, '' | sort | date: '%d' | default: 1, allow_false: true }}",
  ),
  right_("an object that nobody knows", "{{ section.settings.a }}{{ loyalty.points }}"),
  right_("raw with foreign templates", "{% raw %}{{ a | nothing }}{% nothing %}{% endraw %}"),
  right_("blanks that are taken away", "{%- if a -%}\n{{- b -}}\n{%- endif -%}"),
  right_("a bar inside of a text", "{{ a | append: ' | nothing' }}{{ 'a | nothing' | escape }}"),
  right_("an end of an output inside of a text", "{{ 'a }} b' | escape }}"),
  right_("the platform's form", "{% form comment %}<input>{% endform %}"),
  right_(
    "the platform's paginate",
    "{% paginate collection.products by 24 %}{{ paginate.pages }}{% endpaginate %}",
  ),
  right_("the platform's widgets", "{% for w in widget_lists.cart-list.widgets %}{% widget w %}{% endfor %}"),
  right_("the platform's pictures", "{{ product.first_image | image_url: 800, resizing_type: 'fit_width' }}"),
  right_("a filter with a question mark", "{% assign a = '#000000' | dark? %}"),
  right_("a select of the platform", '{{ "24" | select_option: page_size, "24 pieces" }}'),
  right_(
    "tablerow, cycle, increment",
    "{% tablerow a in b cols: 2 %}{% cycle 'c', 'd' %}{% increment e %}{% endtablerow %}",
  ),
  right_("braces of a script", "<script>var a = {b: {c: 1}}; if (a) { d() }</script>"),
  right_("a snippet whose name is computed", "{% include name %}"),
  right_("a file whose name is computed", "{{ name | asset_url }}{{ 'a' | append: '.css' | asset_url }}"),
  right_("a file that may be missing", "{{ 'logo.png' | asset_url_if_exists }}"),
  [
    "a snippet, with its ending and without",
    {
      [product]: "{% include 'card' %}{% include 'card.liquid' with product %}",
      "snippets/card.liquid": "{{ product.title }}",
    },
  ],
  right_("a snippet that the platform brings", "{% include 'system_head' %}"),
  right_("an end with an underscore", "{% content_for 'title' %}Mug{% end_content_for %}"),
  ["a template of its own for some products", { "templates/product.hits.liquid": "<p></p>" }],
  ["the layout of the customer's pages", { "templates/layouts.client_account.liquid": "{% yield %}" }],
  [
    "a snippet that includes itself",
    { "snippets/menu.liquid": "{% if deep %}{% include 'menu' %}{% endif %}" },
  ],
  [
    "a style sheet that is compiled",
    {
      [product]: "{{ 'shop.css' | stylesheet_tag }}{{ 'app.js' | script_tag }}",
      "media/shop.scss.liquid": "a { color: {{ settings.colour }} }",
      "media/app.js": "{% not Liquid",
    },
  ],
  ["a layout", { "templates/layout.liquid": "<body>{{ content_for_layout }}</body>" }],
  [
    "a layout that shows the page in a snippet",
    {
      "templates/layout.liquid": "<body>{% include 'main' %}</body>",
      "snippets/main.liquid": "{{ content_for_layout }}",
    },
  ],
  ["a page of one's own", { "templates/page.about-us.liquid": "<p>" }],
  [
    "settings",
    {
      "config/settings_data.json": '{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], "b": {}}\n',
      "config/settings.html": "<p>",
    },
  ],
  [
    "settings by presets, that templates show",
    {
      "config/settings_data.json":
        '{"presets": {"light": {"colour": "red", "main-bg": ""}, "dark": {"colour": "red"}}, "current": "light"}',
      [product]: "{{ settings.colour }}{% if settings.main-bg != blank %}{{ 'settings.nothing' }}{% endif %}",
    },
  ],
  [
    "settings whose current values are their own",
    { "config/settings_data.json": '{"presets": {}, "current": {"colour": "red"}}' },
  ],
  [
    "a setting that a form has",
    {
      "config/settings_data.json": '{"colour": "red"}',
      "config/settings.html": '<input name="size">',
      [product]: "{{ settings.size }}",
    },
  ],
  [
    "a file with a version for browsers, beside what it is compiled of",
    { [product]: "{{ 'app.js?v=2' | asset_url }}", "media/app.js": "a()" },
  ],
  [
    "a snippet that has its object by its own name, and messages",
    {
      [product]: "{% include 'cards' with product %}{% assign titel = 1 %}{{ titel }}",
      "snippets/cards.liquid": "{{ cards.title }}{{ messages.buy }}",
      "config/messages.json": '{"en": {"buy": "Buy"}, "ru": {}}',
    },
  ],
  ["a theme that sets nothing up", { "config/setup.json": "" }],
  ["settings that nobody shows here", { [product]: "{{ settings.colour }}" }],
  ["empty settings", { "config/settings_data.json": "{}\n", [product]: "{{ settings.colour }}" }],
  ["equal keys in two objects", { "config/setup.json": '[{"a": 1, "b": {"a": 2}}, {"a": 3}]' }],
  [
    "braces and quotation marks inside of texts of JSON",
    { "config/setup.json": '{"a": "{\\"a\\": 1}", "b": "a"}' },
  ],
  right_("a comment of one line", "{% # a note %}<p>"),
  right_(
    "numbers and texts that are compared",
    '{% if a >= 1.5 and b <= -2 %}c{% elsif d == "e" %}f{% endif %}',
  ),
  right_(
    "blank, empty, nil and true",
    "{% if a == blank or b == empty or c == nil or d != true %}e{% endif %}",
  ),
  right_(
    "an index and a property that is computed",
    "{{ collections['sale'].products[0].title }}{{ a[b].c }}",
  ),
  right_("for with offset and reversed", "{% for a in b limit: 2 offset: 1 reversed %}{{ a }}{% endfor %}"),
  right_("continue in a loop", "{% for a in b %}{% if a %}{% continue %}{% endif %}{{ a }}{% endfor %}"),
  right_(
    "names that are words of tags elsewhere",
    "{% assign by = 1 %}{% for with in by %}{{ with }}{% endfor %}",
  ),
  right_("texts that end with signs", "{{ 'a:' | append: '|' }}{% cycle ',', ':' %}{% # note, %}"),
  right_("ranges of variables", "{% for i in (1..a.size) %}{{ i }}{% endfor %}"),
  right_("filters over several lines", "{{ product.title\n  | escape\n  | upcase }}"),
  right_("an include with arguments", "{% assign a = 1 %}{% capture b %}{{ a }}{% endcapture %}{{ b }}"),
  ["other configuration", { "config/notes.txt": "{ no JSON" }],
  ["the same name in two folders", { "templates/product.liquid": "a", "snippets/product.liquid": "b" }],
];
