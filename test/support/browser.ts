/** A real browser: the machine's where it has one, else the one that npm brings. */
import { existsSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";
import { onTestFinished } from "vitest";

export const browserPath = async (): Promise<string> =>
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  ) ?? chromium.executablePath();

export const launchBrowser = async (): Promise<Browser> =>
  puppeteer.launch({
    args: [...chromium.args, "--no-sandbox"],
    executablePath: await browserPath(),
    headless: "shell",
  });

/** Opens a browser; it ends with its test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return browser;
}
