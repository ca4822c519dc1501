// preview --pictures: screenshots of pages that a plan changes.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { objectsOf } from "../../cli/pictures/objects.ts";
import type { Event, Step } from "../../engine/index.ts";
import { browserPath, launchBrowser, openPage } from "../support/browser.ts";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal, root } from "./terminal.ts";

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const pngSize = (path: string) => {
  const bytes = readFileSync(path);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

campaignTest(
  "a pull request that changes a template, a price and settings shows the four kinds of pages that change, and no other",
  async () => {
    const world = await openWorld();
    const { folder, run, read } = openTerminal("", {
      ...world.env,
      PULUMI_SHOP_BROWSER: await browserPath(),
    });
    cpSync(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    cpSync(join(root, "examples/storefront"), join(folder, "examples/storefront"), { recursive: true });
    const edit = (path: string, change: (text: string) => string) => {
      const whole = join(folder, "examples/storefront", path);
      const before = readFileSync(whole, "utf8");
      writeFileSync(whole, change(before));
      expect(readFileSync(whole, "utf8")).not.toBe(before);
    };
    // The content has addresses from the shop: it isn't in the folder, and known only after the others.
    const made = await run("up", "--stack", "dev", "--yes");
    expect(made.code, made.stderr).toBe(0);
    edit("theme/templates/page.care.liquid", (text) =>
      text.replace("</h1>", "</h1><p>Never in the oven.</p>"),
    );
    edit("products.csv", (text) =>
      text.replace("MUG-MOR-OAT,Glaze,Oat,24.50", "MUG-MOR-OAT,Glaze,Oat,25.50"),
    );
    edit("theme/config/sf-settings.json", (text) => text.replace('"columns": 3', '"columns": 4'));
    world.requests();

    const shown = await run("preview", "--stack", "dev", "--pictures", "pictures", "--markdown", "plan.md");
    expect(shown.code, shown.stderr).toBe(0);
    const requests = world.requests();
    expect(requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(shown.stderr).toContain("5 requests, and one for each theme file that the project doesn't have");
    const pages = [
      "Front page",
      "Collection Tableware",
      'Product Mug "Morning", 330 ml',
      "Cart",
      "Search",
      "Page care",
    ];
    expect(read("plan.md")).toContain(
      `🖼️ **[6 pages before and after](pictures/index.html)**: ${pages.join(", ")}`,
    );

    const names = readdirSync(join(folder, "pictures"));
    expect(names).toContain("06-page-care-phone-after.png");
    expect(names).toHaveLength(pages.length * 4 + 1);
    expect(pngSize(join(folder, "pictures/06-page-care-desktop-before.png"))[0]).toBe(1280);
    expect(pngSize(join(folder, "pictures/06-page-care-phone-before.png"))[0]).toBe(390);

    const page = await openPage(browser);
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(`file://${join(folder, "pictures/index.html")}`);
    expect(await page.$$eval("h2", (titles) => titles.map((one) => one.textContent))).toEqual(pages);
    // By keyboard: the rest of the line is before.
    await page.focus('#p6 input[type="range"]');
    await page.keyboard.press("End");
    expect(await page.$eval("#p6 .both", (one) => one.getAttribute("style"))).toBe("--at: 100%;");
    expect(complaints).toEqual([]);
  },
);

test("without a browser both sides stand in frames that run nothing; no secret and no JS tag is in them", async () => {
  const world = await openWorld();
  const program = (discount: number) => `
import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput, JsTag, Product } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
const secret = (text: string) => pulumi.secret(text);
new Coupon("c", { code: "C", discount: ${discount}, typeId: 1 });
new JsTag("tag", { type: "JsTag::TextTag", content: "console.log('tag-runs')" });
new Asset("key", { themeId, type: "Asset::Snippet", name: "key.liquid", content: secret("hush-${discount}") });
new Asset("deal", { themeId, type: "Asset::Template", name: "page.deal.liquid", content: "<p>{% include 'key' %} ${discount} %</p><noscript>old browser</noscript>" });
new Product("mug", { title: "Mug", permalink: "mug", shortDescription: secret("hush"), variants: [{ sku: "M", price: 10 }] });
`;
  const { folder, run, write, read } = openTerminal(program(10), { ...world.env, PATH: "" });
  const first = await run("preview", "--stack", "dev", "--pictures", "first", "--markdown", "first.md");
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain("no browser was found, and there are no PNG files (npx @puppeteer/browsers");
  // The cart has the new mug; the pages of mug and deal are new.
  expect(read("first.md")).toMatch(/pages before and after.*Product Mug \(new\).*Page deal \(new\)/);
  expect((await run("up", "--stack", "dev", "--yes")).code).toBe(0);
  write("index.ts", program(20));
  const shown = await run("preview", "--pictures", "pictures");
  expect(shown.code, shown.stderr).toBe(0);
  expect(readdirSync(join(folder, "pictures"))).toEqual(["index.html"]);
  const whole = read("pictures/index.html");
  expect(whole).not.toContain("hush");
  expect(whole).not.toContain("tag-runs");
  // Scripts are off only for the screenshots, so <noscript> isn't shown.
  expect(whole).not.toContain("old browser");
  const page = await openPage(browser);
  await page.goto(`file://${join(folder, "pictures/index.html")}`);
  const texts = await Promise.all(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.$eval("main p", (one) => one.textContent)),
  );
  expect(texts).toEqual(["[secret] 10 %", "[secret] 20 %"]);
  expect(await page.$$eval("iframe", (frames) => frames.map((one) => one.getAttribute("sandbox")))).toEqual([
    "",
    "",
  ]);

  // Hidden objects have no pictures, and those of an older preview are removed.
  write(
    "index.ts",
    program(20).replace("discount: 20", "discount: 30").replaceAll("-20", "-10").replace(" 20 %", " 10 %"),
  );
  const none = await run("preview", "--pictures", "pictures", "--markdown", "-");
  expect(none.stdout).toContain("No page that shoppers see changes.");
  expect(readdirSync(join(folder, "pictures"))).toEqual([]);
});

test("a page that shows now and fails after the plan ends the preview with an error that the comment says too, and has pictures once it is fixed", async () => {
  const world = await openWorld();
  const themeId = world.rows("theme")[0]?.id;
  const program = (tag: string) => `import { Asset } from "pulumi-shop";
new Asset("hours", { themeId: ${themeId}, type: "Asset::Template", name: "page.hours.liquid", content: "<p>${tag}</p>" });
`;
  const { env, folder, run, write, read } = openTerminal(program("9 to 5"), { ...world.env, PATH: "" });
  expect((await run("up", "--stack", "dev", "--yes", "--skip-preview")).code).toBe(0);
  write("index.ts", program("{% if %}"));
  const shown = await run("preview", "--pictures", "pictures", "--markdown", "plan.md");
  expect([shown.code, shown.stderr]).toEqual([
    1,
    expect.stringContaining(
      "pages that shoppers see would fail after this plan: Page hours; pictures/index.html shows why",
    ),
  ]);
  expect(read("plan.md")).toContain("> 1 page fails after this plan: Page hours");
  const { stdout } = await run("preview", "--pictures", "pictures", "--json");
  const summaries = stdout.split("\n").filter((line) => line.includes('"type":"summary"'));
  expect(summaries.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      outcome: "failed",
      failures: [{ message: expect.stringContaining("Page hours; pictures/index.html") }],
      impact: expect.anything(),
    }),
  ]);
  write("index.ts", program("9 to 6"));
  env.PULUMI_SHOP_BROWSER = await browserPath();
  const right = await run("preview", "--pictures", "pictures");
  expect(right.code, right.stderr).toBe(0);
  const sides = ["desktop-after", "desktop-before", "phone-after", "phone-before"];
  expect(readdirSync(join(folder, "pictures"))).toEqual([
    ...sides.map((side) => `01-page-hours-${side}.png`),
    "index.html",
  ]);
  expect(pngSize(join(folder, "pictures/01-page-hours-desktop-before.png"))[0]).toBe(1280);
  expect(pngSize(join(folder, "pictures/01-page-hours-phone-before.png"))[0]).toBe(390);
});

test("the pages of a plan have the same order, whichever of its steps ends first", () => {
  const events = ["b", "a"].map((name): Event => {
    const urn = `urn:pulumi:dev::shop::shop:index:Asset::${name}`;
    const step = {
      op: "same",
      type: "shop:index:Asset",
      urn,
      name,
      custom: true,
      inputs: {},
      olds: { name },
    };
    return { type: "done", step: step as unknown as Step };
  });
  const names = (all: readonly Event[]) =>
    objectsOf({ events: all, declined: [] }).map(({ before }) => before?.name);
  expect([names(events), names(events.toReversed())]).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
});

test("a browser that isn't there and an engine that plans nothing for it are named before anything is read", async () => {
  const world = await openWorld();
  const { run } = openTerminal("", { ...world.env, PULUMI_SHOP_BROWSER: "/nowhere/chrome" });
  expect(await run("preview", "--pictures", "p")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /PULUMI_SHOP_BROWSER is \/nowhere\/chrome, which is not an executable file\. npx @puppeteer/,
    ),
  });
  expect(await run("preview", "--pictures", "p", "--engine", "pulumi")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("leave out --engine pulumi"),
  });
  expect(world.requests()).toEqual([]);
});
