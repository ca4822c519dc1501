/** A real browser: the machine's where it has one, else the one that npm brings. */
import { existsSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { onTestFinished } from "vitest";

const own = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
].find((path) => existsSync(path));

/** What npm brings is for Linux only. Tests that need a browser are skipped, and say so, where there is none. */
export const hasBrowser = own !== undefined || process.platform === "linux";

export const browserPath = async (): Promise<string> => own ?? chromium.executablePath();

export const launchBrowser = async (): Promise<Browser> =>
  puppeteer.launch({
    // A person's browser keeps websites apart.
    args: [
      ...chromium.args.filter((arg) => !/web-security|insecure|isolat/i.test(arg)),
      "--no-sandbox",
      "--disable-gpu",
    ],
    executablePath: await browserPath(),
    headless: "shell",
    // As vitest.config.ts says of tests.
    timeout: 0,
    protocolTimeout: 0,
  });

/** How a page is watched until something is so: not at each frame, which draws the page for nobody. */
export const seldom = { timeout: 0, polling: 100 } as const;

/** Opens a page, which waits for as long as it takes. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  return page;
}

/** Opens a browser; it ends with its test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return browser;
}
