/** preview --pictures: screenshots of the pages that a plan changes. */

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeUserFolders } from "../../engine/common/disk.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import type { Stack } from "../../engine/index.ts";
import type { Finding } from "../../provider/inventory/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { type PassResult, type Pictures, plural } from "../../runs/command.ts";
import { usageError } from "../exit.ts";
import { connect } from "../stack/open-stack.ts";
import { openShops, type Side } from "./before-after-shops.ts";
import { distinct, failingPages, findingIn, isAsset, sourceOf } from "./broken-pages.ts";
import { type Browser, findBrowser, installation, openBrowser, type Screen } from "./browser.ts";
import { comparisonPage, type PageWithShots, type Shot, titleOf } from "./comparison-page.ts";
import { objectsOf, sheetPricesOf } from "./objects.ts";
import { type Address, addressesOf, changedPages, type Page } from "./pages.ts";
import { rowOf } from "./rows.ts";
import { readShopContent } from "./shop-content.ts";

const screens: readonly Screen[] = [
  { name: "desktop", width: 1280, height: 800, isPhone: false },
  { name: "phone", width: 390, height: 844, isPhone: true },
];

interface Asked {
  readonly stack: Stack;
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** @returns the pages for the report */
export async function takePictures(staged: PassResult, asked: Asked): Promise<Pictures> {
  const { folder, say } = asked;
  removeOld(folder);
  const { pages, productsLeft, all } = await pagesOf(staged, {
    ...asked,
    note: (line) => say(`pictures: ${line}`),
  });
  const path = findBrowser(process.env);
  const { shown, failure } = await shownPages(pages, path);
  const notes = [
    ...(failure === undefined
      ? []
      : [`${failure}: both sides are shown as they are, at the width of this window`]),
    ...(productsLeft === 0
      ? []
      : [
          `${plural(productsLeft, "product")} more ${productsLeft === 1 ? "is" : "are"} changed; ${productsLeft === 1 ? "its page is" : "their pages are"} not shown`,
        ]),
  ];
  const same = all - shown.length;
  say(
    `pictures: ${shown.length === 0 ? "no page changes" : `${plural(shown.length, "page")} ${shown.length === 1 ? "changes" : "change"}`}${same > 0 ? `, ${same} of those looked at ${same === 1 ? "stays" : "stay"} the same` : ""}`,
  );
  for (const note of notes) say(`pictures: ${note}`);
  if (shown.length === 0) return { pages: [], link: undefined, broken: [] };
  makeUserFolders(folder);
  const { project, name } = asked.stack;
  const link = join(folder, "index.html");
  writeFileSync(link, comparisonPage(`Pages that change: ${project.name}/${name}`, shown, notes));
  for (const [at, page] of shown.entries()) writeShots(folder, at + 1, page);
  say(`pictures: ${link}`);
  const broken = shown.filter(({ broken: mistake }) => mistake !== undefined).map(({ title }) => title);
  return { pages: shown.map(titleOf), link: link.replaceAll("\\", "/"), broken };
}

/** @param note prints lines about reads, and about missing content */
async function pagesOf(
  staged: PassResult,
  { stack, say, note }: Pick<Asked, "stack" | "say"> & { readonly note: (line: string) => void },
) {
  const objects = objectsOf(staged);
  const prices = sheetPricesOf(staged);
  const touched = objects.filter(({ isTouched }) => isTouched);
  const isShown = ({ definition }: (typeof objects)[number]) =>
    definition === definitions.products || definition === definitions.assets;
  if (!touched.some(isShown) && prices.length === 0) return { pages: [], productsLeft: 0, all: 0, sent: 0 };
  const { connection, transport } = connect(stack, stack.env, say);
  note(
    "reading the rest of the pages from the shop: 5 requests, and one for each theme file that the project doesn't have",
  );
  try {
    const themes = new Set(
      touched
        .filter(({ definition }) => definition === definitions.assets)
        .map(({ before, after }) => (after ?? before)?.themeId),
    );
    const beside = await readShopContent(transport, themes);
    const missing = new Set<string>();
    const sources = {
      transport,
      url: connection.url,
      folder: stack.project.programFolder,
      onMissing: (what: string) => void missing.add(what),
    };
    const opened = openShops(objects, prices, beside, sources);
    const around = { collections: beside.collections.map(rowOf), themes: beside.themes.map(rowOf) };
    const { pages, productsLeft } = addressesOf(opened.shops, around, opened.touched);
    const changed = await changedPages(opened.shops, pages);
    for (const { shop } of Object.values(opened.shops)) shop.close();
    for (const what of missing) note(what);
    return { pages: changed, productsLeft, all: pages.length, sent: transport.usage().sent };
  } finally {
    await transport.close();
  }
}

/** Adds screenshots to pages. Pages with equal screenshots are left out. */
async function shownPages(pages: readonly Page[], path: string | undefined) {
  const bare = (failure: string) => ({ shown: pages.map((page) => ({ ...page, shots: [] })), failure });
  if (pages.length === 0) return { shown: [], failure: undefined };
  if (path === undefined) return bare(`no browser was found, and there are no PNG files (${installation})`);
  let browser: Browser | undefined;
  const work = temporaryFolder("pictures");
  try {
    browser = await openBrowser(path, process.env);
    const shown: PageWithShots[] = [];
    for (const page of pages) shown.push({ ...page, shots: await shotsOf(page, browser, work) });
    return { shown: shown.filter(differs), failure: undefined };
  } catch (error) {
    return bare((error as Error).message);
  } finally {
    await browser?.close();
    rmSync(work, { recursive: true, force: true });
  }
}

const differs = ({ shots }: PageWithShots) => shots.some(({ before, after }) => before !== after);

const sides = ["before", "after"] as const satisfies readonly Side[];

async function shotsOf(page: Page, browser: Browser, work: string): Promise<readonly Shot[]> {
  const shots: Shot[] = [];
  for (const screen of screens) {
    const taken: Partial<Record<Side, string>> = {};
    for (const side of sides) {
      const document = page[side];
      if (document === undefined) continue;
      const path = join(work, "page.html");
      writeFileSync(path, document);
      taken[side] = await browser.shoot(path, screen);
    }
    shots.push({ screen: screen.name, width: screen.width, ...taken });
  }
  return shots;
}

const slug = ({ title }: Address) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);

function writeShots(folder: string, number: number, page: PageWithShots): void {
  for (const shot of page.shots)
    for (const side of sides) {
      const png = shot[side];
      const name = `${String(number).padStart(2, "0")}-${slug(page)}-${shot.screen}-${side}.png`;
      if (png !== undefined) writeFileSync(join(folder, name), Buffer.from(png, "base64"));
    }
}

/** Removes the files of an earlier preview. */
function removeOld(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR")
      throw usageError(`--pictures: ${folder} is a file: name a folder`);
    throw error;
  }
  for (const name of names)
    if (name === "index.html" || /^\d\d-.*-(desktop|phone)-(before|after)\.png$/u.test(name))
      rmSync(join(folder, name));
}

/**
 * Finds pages that render now and fail after a plan. Reads nothing from the shop if every page renders. @returns
 * the findings and the number of requests
 */
export async function brokenPages(
  staged: PassResult,
  stack: Stack,
  say: (line: string) => void,
): Promise<{ readonly findings: readonly Finding[]; readonly sent: number }> {
  const objects = objectsOf(staged);
  const { programFolder } = stack.project;
  const failing = await failingPages(objects, programFolder);
  if (failing.length === 0) return { findings: [], sent: 0 };
  say(`after this plan: ${failing[0]?.message}; reading the shop to see whether it fails now, too`);
  const { pages, sent } = await pagesOf(staged, { stack, say, note: () => {} });
  const files = objects.flatMap((one) =>
    isAsset(one) && one.after !== undefined ? [sourceOf(one.after, programFolder)] : [],
  );
  const broken = pages.flatMap(({ title, broken: mistake }) =>
    mistake === undefined ? [] : [findingIn(title, mistake, files)],
  );
  return { findings: distinct(broken), sent };
}
