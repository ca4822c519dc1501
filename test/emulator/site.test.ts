// The embedded shop in a real browser, during runs of a program.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { marked } from "marked";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { valuesMoved } from "../../emulator/site/timeline.ts";
import { openTerminal, root } from "../cli/terminal.ts";
import { hasBrowser, launchBrowser, openPage, seldom } from "../support/browser.ts";
import { campaignTest, partOf } from "../support/campaign.ts";
import { openWorld, type World } from "../support/world.ts";

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A page of the shop, with errors of its console and requests. */
async function visit(world: World, path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage(browser);
  await page.setViewport({ width: 1360, height: 900 });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push((error as Error).message));
  // A load that the page cancelled by loading again is no error.
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(`${request.url()} failed`);
  });
  await page.goto(world.url + path, { waitUntil: "load" });
  return { page, complaints };
}

const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");
const widthOf = (page: Page) => page.evaluate("document.documentElement.scrollWidth");

/** Adds a product with two variants, one of them sold out, and a coupon. @returns the id of the available variant */
async function fill(world: World): Promise<number> {
  const mug = await world.client.products.create({
    title: "Mug",
    permalink: "mug",
    variants: [
      { sku: "MUG-R", price: 12.5, quantity: 4 },
      { sku: "MUG-B", price: 14, quantity: 0 },
    ],
  });
  await world.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
  return mug.variants?.[0]?.id as number;
}

/** Findings of axe: contrast, and in light mode also names, roles, order. The frame is a page of its own. */
async function violations(page: Page, scheme: string): Promise<readonly string[]> {
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const rules = JSON.stringify(scheme === "dark" ? { runOnly: ["color-contrast"] } : {});
  return (await page.evaluate(`axe.run({ exclude: [["iframe"]] }, { resultTypes: ["violations"], ...${rules} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary)))`)) as readonly string[];
}

/** Saves a screenshot for the documents, if requested or missing. */
async function keepPicture(name: string, page: Page): Promise<void> {
  // The storefront is loaded again after each change.
  await page.waitForNetworkIdle({ idleTime: 300, timeout: 0 });
  const storefront = await page.waitForFrame((frame) => frame.name() === "storefront");
  await storefront.waitForSelector("h1");
  saveShot(name, await page.screenshot({ type: "png" }));
}

function saveShot(name: string, shot: Uint8Array): void {
  expect(shot.length).toBeGreaterThan(10_000);
  const path = join(root, `docs/images/${name}.png`);
  if (process.env.PULUMI_SHOP_SCREENSHOT !== undefined || !existsSync(path)) {
    mkdirSync(join(root, "docs/images"), { recursive: true });
    writeFileSync(path, shot);
  }
  expect([...readFileSync(path).subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
}

/** Follows a link in one step, because the page updates itself. */
const follow = (page: Page, link: string) =>
  page.$eval(link, (element) => (element as unknown as { click(): void }).click());

/** Runs the storefront's program each time it is called. */
const converging = (world: World) => {
  const terminal = openTerminal("", world.env);
  const run = (...typed: readonly string[]) => terminal.run(...typed, "-C", root, "--stack", "staging");
  return Object.assign((...options: readonly string[]) => run("up", "--yes", "--skip-preview", ...options), {
    preview: (...options: readonly string[]) => run("preview", ...options),
  });
};

/** The comment of a pull request beside the page of the shop that it is about. */
async function keepCommentPicture(markdown: string, address: string): Promise<void> {
  const page = await openPage(browser);
  await page.setViewport({ width: 966, height: 1008 });
  await page.goto(address, { waitUntil: "load" });
  const shop = await page.screenshot({ type: "png", encoding: "base64" });
  // The last run was of whoever runs this test.
  const comment = await marked.parse(markdown.replace(/^Last up: .*\n/m, ""), { gfm: true });
  await page.setViewport({ width: 1360, height: 720 });
  await page.setContent(`<!doctype html><style>${commentStyle}</style>
<main><header><b>github-actions</b> commented</header><article>${comment}</article></main><img src="data:image/png;base64,${shop}">`);
  saveShot("comment", await page.screenshot({ type: "png" }));
  await page.close();
}

// As GitHub shows a comment.
const commentStyle = `
body { display: flex; gap: 24px; margin: 0; padding: 24px; background: #f6f8fa; font: 14px/1.5 system-ui, "Open Sans", sans-serif; color: #1f2328 }
main, img { box-sizing: border-box; width: 644px; height: 672px; overflow: hidden; background: white; border: 1px solid #d1d9e0; border-radius: 6px }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0 }
article { padding: 0 16px }
table { border-collapse: collapse; margin: 0 0 16px }
td, th { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left }
code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font-size: 12px }
pre { background: #f6f8fa; padding: 12px }
summary { cursor: pointer }
`;

describe.skipIf(!hasBrowser)("the overview page, in a browser", () => {
  test("with the keyboard alone, the products of a page are skipped and the next page opens", async () => {
    const product = Array.from({ length: 60 }, (_, at) => ({ title: `Ware ${at}` }));
    const { page } = await visit(await openWorld({ fixture: { product } }), "/");
    const focused = () => page.evaluate("document.activeElement.textContent");
    // The field, its button, the link.
    for (const _ of [1, 2, 3]) await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip the products");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Next");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    expect(await textOf(page, "#pages")).toContain("Page 2 of 2");
  });

  test("the overview shows a run: catalogue, coupons, the theme with products, changes, requests", async () => {
    const world = await openWorld({ limit: { max: 500, windowMs: 300_000 } });
    const { page, complaints } = await visit(world, "/");
    expect(await textOf(page, "#catalogue h2")).toBe("Catalogue 0");
    expect(await textOf(page, "#requests")).toBe("0");
    const storefront = converging(world);
    const made = await storefront();
    expect(made.code, made.all).toBe(0);
    // The page updates itself.
    await page.waitForFunction(
      `document.querySelector("#catalogue h2")?.textContent === "Catalogue 29"`,
      seldom,
    );
    // The catalogue may be complete before the timeline.
    await page.waitForFunction(
      `/\\b61 created/.test(document.querySelector("#timeline li:first-child")?.textContent ?? "")`,
      seldom,
    );
    expect(await textOf(page, "#coupons")).toContain("SUMMER27");
    expect(await textOf(page, ".meter")).toMatch(/Rate limit: 6\d of 500 requests used/);
    expect(await textOf(page, "#writes")).toMatch(/POST \/admin\/\S+ 201/);
    expect(await textOf(page, "#timeline li:first-child")).toMatch(
      /pulumi-shop up 6\d requests, \d+ (s|min) ago\s+61 created 29 products, 12 coupons/,
    );
    expect(complaints).toEqual([]);

    await page.waitForSelector('nav a[href="/storefront/page/care"]');
    await follow(page, 'nav a[href="/storefront/page/care"]');
    const frame = await page.waitForFrame((one) => one.url().endsWith("/storefront/page/care"));
    await frame.waitForSelector("main.sf-page");
    expect(await frame.$eval("h1", (element) => element.textContent)).toBe("Care");
    expect(await frame.$eval('a[href*="care-card"]', (element) => element.textContent)).toContain(
      "care card",
    );
    // A row links to the storefront.
    await follow(page, '#catalogue a[href^="/storefront/product/"]');
    const product = await page.waitForFrame((one) => one.url().includes("/storefront/product/"));
    await product.waitForSelector(".variants");
    await follow(page, 'nav a[href="/storefront/"]');
    await page.waitForFrame((one) => one.url().endsWith("/storefront/"));
    // An edit by staff and the run that reverts it are separate entries.
    await world.edit({ kind: "discount_code", where: { code: "WELCOME" }, set: { discount: "25.0" } });
    await world.edit({
      kind: "product",
      where: { title: "Camp mug, enamel" },
      set: { variants: [{ price: 12 }] },
    });
    const comment = await storefront.preview("--refresh", "--markdown", "-");
    await keepCommentPicture(comment.stdout, `${world.url}/product/camp-mug`);
    const again = await storefront("--refresh");
    expect(again.code, again.all).toBe(0);
    await world.edit({
      kind: "product",
      where: { title: "Milk jug, 250 ml" },
      set: { variants: [{ price: 24 }, {}] },
    });
    await page.waitForFunction(`document.querySelectorAll("#timeline li").length === 5`, seldom);
    const told = await page.$$eval("#timeline li", (entries) =>
      entries.map((entry) => [
        entry.querySelector("h3")?.firstChild?.textContent?.trim(),
        [...entry.querySelectorAll("tbody tr")].map((row) =>
          [...row.children].map((cell) => cell.textContent).join(" | "),
        ),
      ]),
    );
    const coupon = ["WELCOME | discount | 10 % | 25 %", "WELCOME | discount | 25 % | 10 %"];
    const mug = "Camp mug, enamel | MUG-CMP-1 price";
    expect(told).toEqual([
      ["staff", ["Milk jug, 250 ml | JUG-250-OAT price | 21 | 24 ▲ +14.3 %"]],
      ["pulumi-shop up", [`${mug} | 12 | 14.75 ▲ +22.9 %`, coupon[1]]],
      ["pulumi-shop preview", []],
      ["staff", [`${mug} | 14.75 | 12 ▼ -18.6 %`, coupon[0]]],
      ["pulumi-shop up", []],
    ]);
    await page.evaluate("window.scrollTo(0, 0)");
    await keepPicture("shop", page);
    // Opening the page isn't counted as a request.
    expect(world.requests().filter((line) => !line.includes("/admin/"))).toEqual([]);
  });

  test("the overview fits a phone, with and without objects, and explains how to connect a program", async () => {
    const world = await openWorld();
    const { page } = await visit(world, "/");
    await page.setViewport({ width: 400, height: 800 });
    expect(await textOf(page, "#connect pre")).toContain("npx pulumi-shop serve --stack dev");
    expect(await textOf(page, "#connect")).not.toContain(world.credentials.password);
    expect(await widthOf(page)).toBe(400);
    await fill(world);
    // The page loads its storefront again by itself: a load of all frames may wait for one that was given up.
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await page.$("#connect")).toBeNull();
    expect(await textOf(page, "#catalogue")).toContain("12.50 – 14 ₽");
    expect(await textOf(page, "#coupons")).toContain("10 %");
    expect(await widthOf(page)).toBe(400);
    const cells = await page.evaluate(
      `[...document.querySelectorAll("#catalogue tbody tr:first-child td:not(.sku)")].map((cell) => getComputedStyle(cell).display)`,
    );
    expect(cells, "a cell is as high as its row, and the line under it straight").toEqual([
      "table-cell",
      "table-cell",
    ]);
    const [lists, frame] = await Promise.all(
      ["main", "iframe"].map((selector) =>
        page.$eval(selector, (element) => element.getBoundingClientRect().bottom),
      ),
    );
    expect(frame, "one column: the storefront is below").toBeGreaterThan(lists as number);
    await page.evaluate("window.scrollTo(0, 0)");
    await keepPicture("shop-400", page);
  });

  campaignTest(
    "the overview shows edits by staff until a run changes them, price changes, and keeps the reader's position",
    async () => {
      const world = await openWorld();
      await fill(world);
      const { page, complaints } = await visit(world, "/");
      expect(await page.$("#drift"), "what is new has no before").toBeNull();
      // By keyboard only: each stop is visible, and the last one is the storefront.
      const stops: string[] = [];
      for (let at = 0; at < 20 && stops.at(-1) !== "storefront"; at += 1) {
        await page.keyboard.press("Tab");
        const [name, outline] = (await page.evaluate(`(({ name, textContent, title }) => [
        title || name || textContent.trim(), getComputedStyle(document.activeElement).outlineStyle])(document.activeElement)`)) as string[];
        if (name !== "storefront") expect(outline, name).toBe("solid");
        stops.push(name ?? "");
      }
      expect(stops).toEqual(expect.arrayContaining(["Last writes", "Mug", "front page", "storefront"]));
      await page.focus("#catalogue td a");
      await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "15.0" } });
      await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants: [{ price: 20 }, {}] } });
      await page.waitForSelector("#prices");
      // The storefront shows it immediately, and its page stays the same.
      const shop = await page.waitForFrame((one) => one.url().includes("/storefront/"));
      await shop.waitForFunction(`/20 ₽/.test(document.body.textContent)`, seldom);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Mug");
      const rows = (part: string) =>
        page.$$eval(`${part} tbody tr`, (all) =>
          all.map((row) => [...row.children].map((cell) => cell.textContent)),
        );
      const mug = ["Mug", "MUG-R price", "12.50", "20 ▲ +60 %"];
      expect(await rows("#drift")).toEqual([mug, ["SPRING", "discount", "10 %", "15 %"]]);
      expect(await rows("#prices")).toEqual([mug]);
      const [coupon] = await world.client.coupons.list();
      await world.client.coupons.edit({ id: coupon?.id ?? 0, discount: 10 });
      await page.waitForFunction(`document.querySelectorAll("#drift tbody tr").length === 1`, seldom);
      expect(await rows("#timeline li:first-child")).toEqual([["SPRING", "discount", "15 %", "10 %"]]);
      expect(await rows("#drift")).toEqual([mug]);
      expect(complaints).toEqual([]);
      const looks = [400, 768, 1360].flatMap((width) =>
        ["light", "dark"].map((scheme) => ({ width, scheme })),
      );
      const few = looks.filter(({ width, scheme }) => (scheme === "light" ? width === 400 : width === 1360));
      for (const { width, scheme } of partOf(looks, few)) {
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        expect(await widthOf(page)).toBe(width);
        expect(await violations(page, scheme), `${width} in ${scheme}`).toEqual([]);
      }
    },
  );

  test("texts of the shop can't become part of the overview's HTML", async () => {
    const world = await openWorld();
    await world.client.coupons.create({
      code: '<img src=x onerror="document.title=1">',
      discount: 1,
      typeId: 1,
      expiredAt: "2001-01-01",
    });
    const { page, complaints } = await visit(world, "/");
    expect(await textOf(page, "#coupons"), "its last day is past").toContain("over");
    expect(await textOf(page, "#coupons")).toContain('<img src=x onerror="document.title=1">');
    expect(await page.title()).toBe("Demo");
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("a new shop's theme, in a browser", () => {
  const paths = [
    "/storefront/",
    "/storefront/collection/all",
    "/storefront/product/mug",
    "/storefront/cart?items=MUG:2",
  ];

  test("the theme fits a phone and has a working cart", async () => {
    const world = await openWorld();
    const variant = await fill(world);
    const { page, complaints } = await visit(world, "/storefront/");
    await page.setViewport({ width: 400, height: 800 });
    expect(await page.$$eval(".card", (cards) => cards.length)).toBe(1);
    expect(await textOf(page, ".card")).toMatch(/Mug\s+12\.50 ₽/);
    expect(await widthOf(page)).toBe(400);
    const hidden = await page.$eval(".top nav", (nav) => nav.scrollWidth - nav.clientWidth);
    expect(hidden, "each entry of the menu can be seen").toBe(0);
    await Promise.all([page.waitForNavigation(), page.click(".card")]);
    expect(await page.$$eval(".variants button", (buttons) => buttons.length), "one is sold out").toBe(1);
    expect(await widthOf(page)).toBe(400);
    await Promise.all([page.waitForNavigation(), page.click(".variants button")]);
    expect(await textOf(page, ".lines")).toMatch(/Mug1 ?12\.50/);
    await page.goto(`${world.url}/cart?items=${variant}:3`, { waitUntil: "load" });
    expect(await textOf(page, ".lines")).toContain("37.50");
    await page.goto(`${world.url}/search?q=jug`, { waitUntil: "load" });
    expect(await textOf(page, "main")).toContain("Nothing was found.");
    expect(complaints).toEqual([]);
  });

  test("the theme passes axe in light and dark mode", async () => {
    const world = await openWorld();
    const variant = await fill(world);
    const schemes = [
      ["light", "rgb(251, 249, 246)"],
      ["dark", "rgb(23, 24, 26)"],
    ] as const;
    // `npm test` checks the first page in light mode and the last one in dark mode.
    for (const path of partOf(paths, ["/storefront/", "/storefront/cart?items=MUG:2"])) {
      const { page } = await visit(world, path.replace("MUG", String(variant)));
      for (const [scheme, background] of partOf(schemes, [schemes[path === "/storefront/" ? 0 : 1]])) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        expect(await violations(page, scheme), `${path} in ${scheme}`).toEqual([]);
        expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(background);
      }
      await page.close();
    }
  });
});

describe.skipIf(!hasBrowser)("the storefront, in a browser", () => {
  const template = async (world: World, name: string, content: string, type = "Asset::Template") => {
    const theme = (await world.client.themes.list()).find(({ isPublished }) => isPublished);
    const themeId = theme?.id ?? 0;
    const found = (await world.client.assets.list({ themeId })).find((asset) => asset.name === name);
    if (found === undefined)
      await world.client.assets.create({ themeId, type: type as "Asset::Template", name, content });
    else await world.client.assets.edit({ themeId, id: found.id, content });
    return themeId;
  };

  test("the storefront renders the theme with the shop's products, prices, styles and scripts", async () => {
    const world = await openWorld();
    await world.client.products.create({
      title: "Mug & Jug",
      permalink: "mug",
      variants: [{ sku: "R", price: 740, quantity: 0 }],
    });
    await template(world, "theme.css", "h1 { color: rgb(1, 2, 3); }", "Asset::Media");
    await template(
      world,
      "layout.liquid",
      "<!DOCTYPE html><html><head><title>{{ page_title }}</title>{{ 'theme.css' | stylesheet_tag }}</head><body>{{ content_for_layout }}</body></html>",
    );
    await template(
      world,
      "product.liquid",
      "<h1>{{ product.title | escape }}</h1><p id=p>{{ product.price | money }}{% unless product.available %} gone{% endunless %}</p>{% include 'note' %}",
    );
    await template(world, "note.liquid", "<i>{{ product.sku }}</i>", "Asset::Snippet");
    await world.client.jsTags.create({
      type: "JsTag::TextTag",
      content: "document.body.dataset.tag = 'here </script> too';",
    });
    const { page, complaints } = await visit(world, "/collection/all");
    await Promise.all([page.waitForNavigation(), page.click('a[href="/product/mug"]')]);
    expect(await page.title()).toBe("Mug & Jug");
    expect([await textOf(page, "h1"), await textOf(page, "#p"), await textOf(page, "i")]).toEqual([
      "Mug & Jug",
      "740 gone",
      "R",
    ]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector("h1")).color`)).toBe("rgb(1, 2, 3)");
    expect(await page.$eval("body", (element) => element.dataset.tag)).toBe("here </script> too");
    expect(complaints).toEqual([]);
  });

  test("another theme can be previewed", async () => {
    const world = await openWorld();
    const mobile = (await world.client.themes.list()).find(({ isMobile }) => isMobile);
    const [index] = (await world.client.assets.list({ themeId: mobile?.id ?? 0 })).filter(
      ({ name }) => name === "index.liquid",
    );
    await world.client.assets.edit({
      themeId: mobile?.id ?? 0,
      id: index?.id ?? 0,
      content: "<h1>Next season</h1>",
    });
    const { page } = await visit(world, `/?theme_preview=${mobile?.id}`);
    expect(await textOf(page, "h1")).toBe("Next season");
    expect(await textOf((await visit(world, "/storefront/")).page, "h1")).toBe("Demo");
  });

  test("an error in a template is shown with its file and line, and an endless loop is stopped", async () => {
    const world = await openWorld();
    await template(world, "page.broken.liquid", "<p>\n{% if %}\n");
    const broken = await fetch(`${world.url}/page/broken`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).toMatch(/page\.broken\.liquid, line:2/);
    await template(world, "page.endless.liquid", "{% for a in (1..100000000) %}{{ a }}{% endfor %}");
    expect((await fetch(`${world.url}/page/endless`)).status).toBe(500);
    expect((await fetch(`${world.url}/page/nowhere`)).status).toBe(404);
    expect((await fetch(`${world.url}/product/nothing`)).status).toBe(404);
    expect((await fetch(`${world.url}/no/such/thing`)).status).toBe(404);
  });
});

test("a price change is listed once, without the base price", () => {
  const variants = (price: number) => [{ id: 1, sku: "MUG", price, base_price: price }];
  const move = { verb: "changed", before: { variants: variants(12) }, after: { variants: variants(13) } };
  expect(valuesMoved(move as never)).toEqual([{ name: "MUG price", before: "12", after: "13" }]);
});
