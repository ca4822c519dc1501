/** A real browser: the machine's, or the one from npm. */
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

/** The one from npm is for Linux. Without a browser, its tests are skipped with a message. */
export const hasBrowser = own !== undefined || process.platform === "linux";

export const browserPath = async (): Promise<string> => own ?? chromium.executablePath();

export const launchBrowser = async (): Promise<Browser> =>
  puppeteer.launch({
    // Browsers isolate websites.
    args: [
      ...chromium.args.filter((arg) => !/web-security|insecure|isolat/i.test(arg)),
      "--no-sandbox",
      "--disable-gpu",
    ],
    executablePath: await browserPath(),
    headless: "shell",
    // No timeouts, as in vitest.config.ts.
    timeout: 0,
    protocolTimeout: 0,
  });

/** Polls instead of waiting for frames, which nobody sees. */
export const seldom = { timeout: 0, polling: 100 } as const;

/** Opens a page without timeouts. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  return page;
}

/** Opens a browser for the duration of a test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return browser;
}
