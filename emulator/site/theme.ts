/** The theme of a new shop, in the platform's Liquid. */
import { currencySigns } from "./filters.ts";
import { themeStyle } from "./theme-style.ts";

const layout = `<!DOCTYPE html>
<html lang="{{ language.locale }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ page_title | escape }}</title>
{{ 'theme.css' | stylesheet_tag }}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="logo" href="/">{{ account.title | escape }}</a>
<nav aria-label="Collections">
{% for collection in collections %}{% unless collection.permalink == 'frontpage' %}<a href="{{ collection.url }}">{{ collection.title | escape }}</a>
{% endunless %}{% endfor %}<a href="/search">Search</a>
</nav>
<a class="cart" href="/cart">Cart</a>
</header>
<main id="content">
{{ content_for_layout }}
{% if template == '404' %}<h1>Page not found</h1>
<p class="lead">There is nothing at this address. <a href="/collection/all">See all products</a></p>{% endif %}
</main>
<footer class="bottom">{{ account.title | escape }}</footer>
</body>
</html>
`;

const cards = (list: string, none: string) => `{% if ${list}.size > 0 %}
<ul class="cards">
{% for product in ${list} %}<li>{% include 'product_card' %}</li>
{% endfor %}</ul>
{% else %}<p class="empty">${none}</p>{% endif %}
`;

const pages = `{% if paginate.pages > 1 %}<nav class="pages" aria-label="Pages">
{% if paginate.previous %}<a rel="prev" href="{{ paginate.previous.url | escape }}">Previous</a> {% endif %}Page {{ paginate.current_page }} of {{ paginate.pages }}{% if paginate.next %} <a rel="next" href="{{ paginate.next.url | escape }}">Next</a>{% endif %}
</nav>
{% endif %}`;

const currency = `{% case product.currency_code %}${Object.entries(currencySigns)
  .map(([code, sign]) => `{% when '${code}' %}${sign}`)
  .join("")}{% else %}{{ product.currency_code }}{% endcase %}`;

const picture = (
  wide: string,
) => `{% if product.first_image.original_url %}<img${wide} src="{{ product.first_image.original_url }}" alt="{{ product.title | escape }}">
{% else %}<span class="picture" aria-hidden="true" style="--hue: {{ product.id | times: 47 | modulo: 360 }}">{{ product.title | slice: 0 | upcase | escape }}</span>
{% endif %}`;

const templates: Readonly<Record<string, string>> = {
  "layout.liquid": layout,
  "index.liquid": `<h1>{{ account.title | escape }}</h1>
<p class="lead">New in, and what people come back for.</p>
{% if collections.frontpage.products.size > 0 %}
${cards("collections.frontpage.products", "")}<h2>All products</h2>
{% endif %}
${cards("collections.all.products", "The shelves are being filled. Come back soon.")}{% if collections.all.products_count > collections.all.products.size %}<p><a href="/collection/all">See all products</a></p>
{% endif %}`,
  "collection.liquid": `<h1>{{ collection.title | escape }}</h1>
${cards("collection.products", "Nothing here yet.")}${pages}`,
  "product.liquid": `<article class="product">
<div>${picture(' class="photo"')}</div>
<div>
<h1>{{ product.title | escape }}</h1>
<p class="price">{% if product.old_price and product.old_price > product.price %}<s>{{ product.old_price | money }}</s> {% endif %}{{ product.price | money }} ${currency}</p>
<ul class="variants">
{% for variant in product.variants %}<li><span>{% for value in variant.option_values %}{{ value.title | escape }} {% endfor %}{{ variant.sku | escape }}</span>
<span class="price">{% if variant.old_price and variant.old_price > variant.price %}<s>{{ variant.old_price | money }}</s> {% endif %}{{ variant.price | money }} ${currency}</span>
{% if variant.quantity == nil or variant.quantity > 0 %}<form action="/cart"><button class="button" name="items" value="{{ variant.id }}">Add to cart</button></form>{% else %}<span class="none">Sold out</span>{% endif %}</li>
{% endfor %}</ul>
{{ product.description }}
</div>
</article>
`,
  "cart.liquid": `<h1>Cart</h1>
{% if cart.items.size > 0 %}
<table class="lines">
<tr><th>Product</th><th>Quantity</th><th>Total</th></tr>
{% for item in cart.items %}{% assign product = item.product %}<tr><td><a href="{{ product.url }}">{{ item.title | escape }}</a></td><td>{{ item.quantity }}</td><td>{{ item.total_price | money }} ${currency}</td></tr>
{% endfor %}<tr><th>Total</th><td></td><th>{{ cart.total_price | money }} ${currency}</th></tr>
</table>
{% else %}<p class="empty">Your cart is empty. <a href="/collection/all">See all products</a></p>{% endif %}
`,
  "page.liquid": "<h1>{{ page.title }}</h1>\n{{ page.content }}\n",
  "search.liquid": `<h1>Search</h1>
<form class="search" action="/search"><input type="search" name="q" value="{{ search.query | escape }}" aria-label="Search for"><button class="button">Search</button></form>
${cards("search.results", "Nothing was found.")}${pages}`,
  "blog.liquid": "<h1>{{ blog.title }}</h1>\n",
  "article.liquid": "<h1>{{ article.title }}</h1>\n{{ article.content }}\n",
};

const card = `<a class="card" href="{{ product.url }}">
${picture("")}<span class="about"><span class="name">{{ product.title | escape }}</span>
{% unless product.available %}<span class="none">Sold out</span>{% endunless %}
<span class="price">{% if product.old_price and product.old_price > product.price %}<s>{{ product.old_price | money }}</s> {% endif %}{{ product.price | money }} ${currency}</span></span>
</a>
`;

export const themeFiles: readonly (readonly [type: string, name: string, content: string])[] = [
  ...Object.entries(templates).map(([name, content]) => ["Asset::Template", name, content] as const),
  ["Asset::Snippet", "product_card.liquid", card],
  ["Asset::Media", "theme.css", themeStyle],
  ["Asset::Configuration", "settings_data.json", "{}\n"],
];
