// What a person sees of the embedded shop, in a real browser: a program converges it while they watch.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTerminal, root } from "../cli/terminal.ts";
import { openWorld, type World } from "../world.ts";

let browser: Browser;
beforeAll(async () => {
  const own = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  );
  browser = await puppeteer.launch({
    args: [...chromium.args, "--no-sandbox"],
    executablePath: own ?? (await chromium.executablePath()),
    headless: "shell",
  });
}, 120_000);
afterAll(() => browser?.close());

/** A page of the shop, with what its console and its requests complained about. */
async function visit(world: World, path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1360, height: 900 });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push((error as Error).message));
  page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
  await page.goto(world.url + path, { waitUntil: "load" });
  return { page, complaints };
}

const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");
const storefront = (world: World) => {
  const terminal = openTerminal("", world.env);
  return terminal.run("up", "-C", root, "--stack", "staging", "--yes", "--skip-preview");
};

describe("the page at /", () => {
  test("shows a program converge: catalogue, coupons, the theme with the shop's products, changes, requests", async () => {
    const world = await openWorld({ limit: { max: 500, windowMs: 300_000 } });
    const { page, complaints } = await visit(world, "/");
    expect(await textOf(page, "#catalogue h2")).toBe("Catalogue 0");
    expect(await textOf(page, "#requests")).toBe("0");
    const made = await storefront(world);
    expect(made.code, made.stdout + made.stderr).toBe(0);
    // The page follows by itself: nobody reloads it.
    await page.waitForFunction(`document.querySelector("#catalogue h2")?.textContent === "Catalogue 29"`, {
      timeout: 20_000,
    });
    expect(await textOf(page, "#coupons")).toContain("SUMMER27");
    // The catalogue may have been complete before the run was: the meter follows later.
    await page.waitForFunction(
      `/Window: 6\\d of 500 requests used/.test(document.querySelector(".meter")?.textContent ?? "")`,
      { timeout: 20_000 },
    );
    expect(await textOf(page, "#changes")).toMatch(/POST \/admin\/\S+ 201/);
    expect(complaints).toEqual([]);

    await page.waitForSelector('nav a[href="/storefront/page/care"]');
    await page.click('nav a[href="/storefront/page/care"]');
    const frame = await page.waitForFrame((one) => one.url().endsWith("/storefront/page/care"));
    await frame.waitForSelector("main.sf-page");
    expect(await frame.$eval("h1", (element) => element.textContent)).toBe("Care");
    expect(await frame.$eval('a[href*="care-card"]', (element) => element.textContent)).toContain(
      "care card",
    );
    const shot = await page.screenshot({ type: "png" });
    expect(shot.length).toBeGreaterThan(20_000);
    const path = join(root, "docs/images/shop.png");
    if (process.env.PULUMI_SHOP_SCREENSHOT !== undefined || !existsSync(path)) {
      mkdirSync(join(root, "docs/images"), { recursive: true });
      writeFileSync(path, shot);
    }
    expect([...readFileSync(path).subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
    // Looking costs nothing, and is nothing that a client did.
    expect(world.requests().filter((line) => !line.includes("/admin/"))).toEqual([]);
  }, 60_000);

  test("quotes what the shop holds: nothing of it becomes a part of the page", async () => {
    const world = await openWorld();
    await world.client.coupons.create({
      code: '<img src=x onerror="document.title=1">',
      discount: 1,
      typeId: 1,
    });
    const { page, complaints } = await visit(world, "/");
    expect(await textOf(page, "#coupons")).toContain('<img src=x onerror="document.title=1">');
    expect(await page.title()).toBe("Demo");
    expect(complaints).toEqual([]);
  });
});

describe("what shoppers see", () => {
  const template = async (world: World, name: string, content: string, type = "Asset::Template") => {
    const theme = (await world.client.themes.list()).find(({ isPublished }) => isPublished);
    const themeId = theme?.id ?? 0;
    const found = (await world.client.assets.list({ themeId })).find((asset) => asset.name === name);
    if (found === undefined)
      await world.client.assets.create({ themeId, type: type as "Asset::Template", name, content });
    else await world.client.assets.edit({ themeId, id: found.id, content });
    return themeId;
  };

  test("is the theme with the shop's own products, prices, styles and scripts", async () => {
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

  test("is previewed in another theme before it goes live", async () => {
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

  test("shows a template's mistake with its file and line, and a loop without an end is cut", async () => {
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
