// The platform's Liquid dialect in the embedded shop, as the table in docs/embedded-shop.md lists it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Liquid } from "liquidjs";
import { expect, onTestFinished, test } from "vitest";
import { createShop, type ShopOptions } from "../../emulator/index.ts";
import { ownFilters } from "../../emulator/site/filters.ts";
import { registerTags } from "../../emulator/site/tags.ts";
import { blocks, branches, filters, tags } from "../../provider/theme/dialect.ts";
import { root } from "../cli/terminal.ts";

type Fixture = NonNullable<ShopOptions["fixture"]>;
type Files = Readonly<Record<string, string>>;

/** A shop whose theme has these files, by path. */
function openShop(files: Files, fixture: Fixture = {}) {
  const types = {
    templates: "Template",
    snippets: "Snippet",
    config: "Configuration",
    media: "Media",
  } as const;
  const asset = Object.entries(files).map(([path, content]) => {
    const [folder = "", name] = path.split("/");
    return { theme_id: 7, type: `Asset::${types[folder as keyof typeof types]}`, name, content };
  });
  const missing: string[] = [];
  const shop = createShop({
    isBare: true,
    now: () => 0,
    random: () => 0,
    origin: "http://shop.test",
    download: async () => undefined,
    onMissing: (what) => missing.push(what),
    fixture: {
      account: [{ title: "Clay", currency_code: "RUR" }],
      theme: [{ id: 7, title: "Main", is_published: true, is_mobile: false }],
      asset,
      ...fixture,
    },
  });
  onTestFinished(() => shop.close());
  const page = async (path: string) => {
    const { status, body } = (await shop.look(path)) ?? { status: 0, body: "" };
    return { status, text: String(body).replaceAll(/\s+/g, " ").trim() };
  };
  return { page, missing, shop };
}

const mug = (at: number) => ({
  id: 100 + at,
  title: `Mug ${at}`,
  permalink: `mug-${at}`,
  collections_ids: [2],
  properties: [{ id: 1, title: "Clay", permalink: "clay" }],
  characteristics: [{ id: 5, property_id: 1, title: "Red", permalink: "red" }],
  option_names: [{ id: 3, title: "Size", position: 1 }],
  variants: [
    {
      id: 1000 + at,
      sku: `M${at}`,
      price: 10 + at,
      option_values: [{ id: 9, option_name_id: 3, title: "L" }],
    },
    { id: 2000 + at, sku: `N${at}`, price: 5, option_values: [{ id: 8, option_name_id: 3, title: "S" }] },
  ],
});
const collections = [
  { id: 1, title: "All", permalink: "all", url: "/collection/all", parent_id: null },
  { id: 2, title: "Mugs", permalink: "mugs", url: "/collection/mugs", parent_id: 1 },
];

test("every filter and tag of the platform is supported and listed in the documentation", () => {
  const engine = new Liquid();
  const files = {
    has: () => false,
    text: async () => undefined,
    body: async () => undefined,
    media: () => undefined,
  };
  const own = ownFilters({ theme: 1, files, currency: "", say: () => {} });
  registerTags(engine, { path: "/", query: new URLSearchParams() }, () => {});
  expect([...filters].filter((name) => !(name in engine.filters) && !(name in own))).toEqual([]);
  expect([...tags, ...blocks.keys()].filter((name) => !(name in engine.tags) && !branches.has(name))).toEqual(
    [],
  );
  const page = readFileSync(join(root, "docs/embedded-shop.md"), "utf8");
  const unnamed = [...Object.keys(own), ...Object.keys(engine.tags)].filter((name) => {
    const isLiquids = name in new Liquid().filters || name in new Liquid().tags;
    return !isLiquids && !page.includes(`\`${name}\``);
  });
  expect(unnamed).toEqual([]);
});

test.each([
  ["{{ 3 | pluralize: 'mug', 'mugs' }} {{ 21 | pluralize: 'кружка', 'кружки', 'кружек' }}", "mugs кружка"],
  ["{{ 1250.5 | money }} {{ 10 | money_with_currency }}", "1250.50 10 RUR"],
  ["{{ '#204060' | change_lightness: 20 }} {{ '#204060' | dark? }}", "#537393 true"],
  ["{{ '/a?x=1' | add_param: 'y', '2' }}", "/a?x=1&y=2"],
  ["{{ 'price' | select_option: order, 'By price' }}", '<option value="price">By price</option>'],
  [
    "{{ 'Простая кружка' | translit }} {{ 'a-b c' | camelize }} {{ 'abc' | length }}",
    "prostaya-kruzhka ABC 3",
  ],
  [
    "{{ 'none.css' | asset_url_if_exists | default: 'none' }} {{ 'a.css' | asset_url_if_exists }}",
    "none /theme/7/a.css",
  ],
  ["{{ 'Cart & more' | link_to: '/cart' }}", '<a href="/cart">Cart &amp; more</a>'],
  ["{% for a in (1..4) %}{% ifchanged %}{{ a | at_most: 2 }}{% endifchanged %}{% endfor %}", "12"],
  [
    "{% cache 'x' %}{% style %}p { color: red }{% endstyle %}{% endcache %}",
    "<style>p { color: red }</style>",
  ],
  ["{{ settings.columns }} {{ messages.hello }} {{ language.locale }}", "4 Привет ru"],
  ["{% form comment %}{{ form.errors.size }}{% endform %}", '<form method="post">0</form>'],
  [
    "{{ collections.mugs.parent.title }} {{ collections.all.subcollections[0].title }} {{ collections.mugs.level }}",
    "All Mugs 1",
  ],
  ["{{ collections.mugs | json }}", /"title":"Mugs"/],
])("%s renders as on the platform", async (template, expected) => {
  const { page, missing } = openShop(
    {
      "templates/index.liquid": template,
      "config/settings_data.json": '{"current": "custom", "presets": {"custom": {"columns": "4"}}}',
      "config/messages.json": '{"ru": {"hello": "Привет"}}',
      "media/a.css": "a {}",
    },
    { collection: collections },
  );
  const { status, text } = await page("/");
  expect(text).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  expect([status, missing]).toEqual([200, []]);
});

test("a theme in the platform's layout renders its front page, collection, product, cart, search, page and blog", async () => {
  const { page, missing } = openShop(
    {
      "templates/layouts.layout.liquid":
        "{% include 'system_head' %}<title>{% yield 'title' %}</title>{% include 'menu' %}<main>{% yield %}</main>",
      "snippets/menu.liquid": "{% for link in linklists.main-menu.links %}{{ link.title }}{% endfor %}",
      "templates/index.liquid": "{% content_for 'title' %}Welcome{% end_content_for %}front",
      "templates/collection.liquid":
        "{% paginate products by 20 %}{{ products.size }} of {{ paginate.items }}: {{ products[0].title }} {% for part in paginate.parts %}{% if part.is_link %}<a href='{{ part.url }}'>{{ part.title }}</a>{% else %}{{ part.title }}{% endif %}{% endfor %}{% endpaginate %}",
      "templates/product.liquid":
        "{{ product.properties.clay.characteristics[0].title }} {{ product.options[0].values | map: 'title' | join: ',' }} {{ product.price_min | money }} {% if product.show_variants? %}choose{% endif %} {{ product.collections | map: 'title' }}",
      "templates/cart.liquid":
        "{% for item in cart.items %}{{ item.quantity }} {{ item.title }} {{ item.sale_price }}{% endfor %}",
      "templates/search.liquid":
        "{% paginate search.results by 2 %}{{ search.results.size }} of {{ paginate.items }}{% endpaginate %}",
      "templates/page.liquid": "{{ page.title }}: {{ page.content | strip_html }}",
      "templates/blog.liquid": "{% for article in articles %}{{ article.title }}{% endfor %}",
      "templates/article.liquid": "{{ blog.title }}/{{ article.title | nofilter }}",
      "templates/page_404.liquid": "lost",
    },
    {
      collection: collections,
      product: Array.from({ length: 60 }, (_none, at) => mug(at)),
      page: [{ title: "About", permalink: "about", content: "<p>Us</p>" }],
    },
  );
  const main = async (path: string) => /<main>(.*)<\/main>/.exec((await page(path)).text)?.[1];
  expect((await page("/")).text).toContain("<title>Welcome</title>");
  expect(await main("/collection/mugs?order=descending_price&page=2")).toBe(
    "20 of 60: Mug 39 <a href='/collection/mugs?order=descending_price&page=1'>1</a>2<a href='/collection/mugs?order=descending_price&page=3'>3</a>",
  );
  expect(await main("/product/mug-3")).toBe("Red L,S 5 choose Mugs");
  expect(await main("/cart?items=1003:2")).toBe("2 Mug 3 13");
  expect(await main("/search?q=mug")).toBe("2 of 60");
  expect(await main("/page/about")).toBe("About: Us");
  expect(await main("/blogs/sample")).toBe("Sample");
  expect(await main("/blogs/sample/sample")).toBe("Sample/Sample");
  expect(await page("/product/none")).toMatchObject({
    status: 404,
    text: expect.stringContaining("<main>lost</main>"),
  });
  // A missing feature is reported once, however many pages use it.
  expect(missing).toEqual([
    "menus (linklists) are empty",
    "there is no filter nofilter: values stay as they are",
  ]);
});

test("comments nest, paginate works without a number, and a file's address keeps its version", async () => {
  const { page } = openShop({
    "templates/index.liquid":
      "a{% comment %}b{% comment %}{% if %}{% endcomment %}{% nothing %}{% endcomment %}c{% paginate collections.all.products 1 %}{{ paginate.pages }}{% endpaginate %} {{ 'app.js?v=2' | asset_url }}",
    "media/app.js": "go()",
  });
  expect((await page("/")).text).toBe("ac1 /theme/7/app.js?v=2");
  expect((await page("/theme/7/app.js?v=2")).text).toBe("go()");
});

test("a style sheet template knows the theme's settings, and SCSS is reported as not compiled", async () => {
  const { page, missing } = openShop({
    "templates/index.liquid": "",
    "config/settings_data.json": '{"current": {"colour": "#123456"}}',
    "media/a.css.liquid": "a { color: {{ settings.colour }} }",
    "media/b.scss": "b { c { d: e } }",
  });
  expect((await page("/theme/7/a.css")).text).toBe("a { color: #123456 }");
  expect((await page("/theme/7/b.css")).text).toBe("b { c { d: e } }");
  expect(missing).toEqual(["b.scss is not compiled: it is shown as a plain style sheet"]);
});

test("a mistake in a style sheet template is shown and said with its place", async () => {
  const { page, missing } = openShop({
    "templates/index.liquid": "",
    "media/a.css.liquid": "a { color: red }\n{{ | }}",
  });
  const { status, text } = await page("/theme/7/a.css");
  expect([status, text]).toEqual([500, expect.stringContaining("<h1>A mistake in a template</h1>")]);
  expect(missing).toEqual(['a.css.liquid:2:4 invalid value expression: "|"']);
});

test("a new shop's theme pages through 10,000 products", async () => {
  const shop = createShop({
    now: () => 0,
    random: () => 0,
    origin: "http://shop.test",
    download: async () => undefined,
    fixture: {
      product: Array.from({ length: 10_000 }, (_none, at) => ({ title: `Mug ${at}`, permalink: `m${at}` })),
    },
  });
  onTestFinished(() => shop.close());
  const read = async (path: string) => String((await shop.look(path))?.body);
  expect(await read("/")).toContain("See all products");
  expect(await read("/collection/all")).toContain("Page 1 of 200");
  expect(await read("/collection/all?page=200")).toContain("Mug 9999");
  expect(await read("/search?q=Mug+99")).toMatch(/Mug 99[\s\S]*Page 1 of 3/);
});
