// A new shop's theme with ten thousand products.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";

const cardsIn = (html: string) => [...html.matchAll(/<a class="card" href="([^"]+)"/g)].map(([, url]) => url);
const nextIn = (html: string) => /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");

campaignTest("collections and the search have pages of fifty products, each on one page", async () => {
  const product = Array.from({ length: 10_000 }, (_, at) => ({ title: `Ware ${at}` }));
  const { url, client, rows, edit } = await openWorld({ fixture: { product } });
  const html = async (path: string) => {
    const answer = await fetch(url + path, { headers: { "sec-fetch-dest": "iframe" } });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const front = await html("/");
  expect(cardsIn(front)).toHaveLength(50);
  expect(front).toContain('<a href="/collection/all">See all products</a>');
  const first = await html("/collection/all");
  expect(first).toContain("Page 1 of 200");
  expect(first).not.toContain('rel="prev"');
  const second = await html(nextIn(first) ?? "");
  expect(second).toContain('rel="prev" href="/collection/all?page=1"');
  expect(new Set([...cardsIn(first), ...cardsIn(second)]).size).toBe(100);
  const last = await html("/collection/all?page=200");
  expect([cardsIn(last).length, nextIn(last)]).toEqual([50, undefined]);
  // Pages of a search keep its query.
  const found = await html("/search?q=Ware+99");
  expect([cardsIn(found).length, nextIn(found)]).toEqual([50, "/search?q=Ware+99&page=2"]);
  expect(cardsIn(await html("/search?q=Ware+99&page=3"))).toHaveLength(11);
  // A missing page shows the first one.
  for (const page of ["0", "201", "x"])
    expect(cardsIn(await html(`/collection/all?page=${page}`))).toEqual(cardsIn(first));
  // Products are cached across pages, but each change appears on the next one.
  const at = async (query: string) => cardsIn(await html(`/search?q=${query}`)).length;
  const made = await client.products.create({ title: "Novelty", variants: [{ price: 1 }] });
  expect(await at("Novelty")).toBe(1);
  await edit({ kind: "product", id: rows("product")[0]?.id, set: { title: "Novelty too" } });
  expect(await at("Novelty")).toBe(2);
  await client.products.remove({ id: made.id as number });
  expect(await at("Novelty")).toBe(1);
});

test("the overview has pages of fifty products, finds one by its SKU, and reads only those it shows", async () => {
  const product = Array.from({ length: 10_000 }, (_, at) => ({
    title: `Ware ${at}`,
    variants: [{ sku: `W-${at}` }],
  }));
  const { url } = await openWorld({ fixture: { product } });
  const html = async (query = "") => (await fetch(`${url}/${query}`)).text();
  const titles = (page: string) => [...page.matchAll(/>(Ware \d+)<\/a>/g)].map(([, title]) => title);
  const first = await html();
  expect(first).toContain("Catalogue <small>10,000</small>");
  expect(first).toContain('Page 1 of 200 <a href="/?page=2#catalogue">Next</a>');
  expect(titles(first)).toHaveLength(50);
  expect(first.length).toBeLessThan(60_000);
  expect(titles(await html("?page=200")).at(-1)).toBe("Ware 9999");
  expect(titles(await html("?q=w-1234"))).toEqual(["Ware 1234"]);
  expect(await html("?q=%3Cb%3E&page=-1")).toContain('value="&lt;b&gt;"');
});

test("a template that exceeds the limits is reported as too large, not as an error", async () => {
  const { url, client } = await openWorld();
  const [theme] = await client.themes.list();
  await client.assets.create({
    themeId: theme?.id as number,
    type: "Asset::Template",
    name: "page.long.liquid",
    content: "{% for one in (1..40000) %}x{% endfor %}",
  });
  const page = await (await fetch(`${url}/page/long`)).text();
  expect(page).toContain("<h1>This page is too large for the embedded shop</h1>");
  expect(page).not.toContain("mistake");
});
