// theme dev as a user works with it: an editor that saves, a browser, colleagues in the back office.
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser, openPage, seldom } from "../support/browser.ts";
import { campaignTest, full } from "../support/campaign.ts";
import type { World } from "../support/world.ts";
import { openScene, type Terminal } from "./terminal.ts";

const program = `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ mobile: true }).id, folder: "theme" });
`;
const snippet = (first: string, last: string) => `<p>${first}</p>\n<hr>\n<p>${last}</p>\n`;
const path = "theme/snippets/washing.liquid";

/** Starts the command. @returns its pages, and a function that stops it */
async function start(terminal: Terminal, ...args: readonly string[]) {
  let [pid, url] = [0, ""];
  let ended: ReturnType<Terminal["until"]> | undefined;
  await new Promise<void>((ready, fail) => {
    ended = terminal.until(
      /is at http\S+; save/,
      (own, printed) => {
        pid = own;
        url = /is at (http\S+);/.exec(printed)?.[1] ?? "";
        ready();
      },
      ...["theme", "dev", "--poll", "0.2", ...args],
    );
    ended.then(({ stdout, stderr }) => fail(new Error(stdout + stderr)), fail);
  });
  let isStopped = false;
  const stop = () => {
    if (!isStopped) process.kill(pid, "SIGINT");
    isStopped = true;
    return ended as ReturnType<Terminal["until"]>;
  };
  onTestFinished(async () => void (await stop()));
  return { url, stop };
}

const saves = full ? 20 : 4;
const seen = (page: Page, text: string) =>
  page.waitForFunction(`document.body?.innerText.includes(${JSON.stringify(text)})`, seldom);
const overlay = `document.getElementById("theme-problems")?.shadowRoot.textContent`;
const said = (page: Page, text: string) =>
  page.waitForFunction(`${overlay}?.includes(${JSON.stringify(text)})`, seldom);
const quiet = (page: Page) => page.waitForFunction(`${overlay} === undefined`, seldom);

const assetOf = (world: World, themeId: number, name: string) =>
  world.rows("asset").find((one) => one.theme_id === themeId && one.name === name);
const colleague = (world: World, themeId: number, content: string) =>
  world.edit({
    kind: "asset",
    id: assetOf(world, themeId, "washing.liquid")?.id,
    set: { content, file_size: content.length },
  });

const readIn = (terminal: Terminal, place: string) =>
  existsSync(join(terminal.folder, place)) ? terminal.read(place) : undefined;

/** Saves through a temporary file, so that nobody reads half of it. */
function saveAtOnce(terminal: Terminal, place: string, text: string): void {
  terminal.write(`${place}.tmp`, text);
  renameSync(join(terminal.folder, `${place}.tmp`), join(terminal.folder, place));
}

test("what is saved in a theme's folder is in the browser, what colleagues change is in the folder, and the state has it all", async () => {
  const { world, terminal } = await openScene(program);
  const themeId = Number(world.rows("theme").find((one) => one.is_mobile)?.id);
  terminal.write("theme/templates/page.care.liquid", '<h1>Care</h1>{% include "washing" %}\n');
  terminal.write(path, snippet("first", "last"));
  terminal.write("theme/snippets/old.liquid", "<p>old</p>\n");
  terminal.write("theme/snippets/going.liquid", "<p>going</p>\n");
  terminal.write("theme/media/mark.png", "\u0000\u0001");
  await terminal.done("up", "--yes", "--skip-preview");

  // Both sides changed it: the state has the lines of the base.
  terminal.write(path, snippet("mine", "last"));
  await colleague(world, themeId, snippet("first", "theirs"));
  const { url, stop } = await start(terminal, "--stack", "dev", "--theme", String(themeId));
  const page = await openPage(await openBrowser());
  await page.goto(`${url}page/care`);
  await seen(page, "mine");
  await seen(page, "theirs");
  expect(terminal.read(path)).toBe(snippet("mine", "theirs"));

  // Editors save in place, or through a temporary file.
  for (let save = 1; save <= saves; save += 1) {
    const text = snippet(`save ${save}.`, "last");
    if (save % 2 === 0) terminal.write(path, text);
    else saveAtOnce(terminal, path, text);
    await seen(page, `save ${save}.`);
  }

  // A mistake isn't sent and is shown over the page; the shop keeps the previous file.
  terminal.write(path, snippet("{{ broken", "last"));
  await said(page, "theme/snippets/washing.liquid:1:4 {{ is not closed");
  expect(assetOf(world, themeId, "washing.liquid")?.content).toBe(snippet(`save ${saves}.`, "last"));
  // A colleague changes another line meanwhile.
  await colleague(world, themeId, snippet(`save ${saves}.`, "by a colleague"));
  await seen(page, "by a colleague");
  expect(terminal.read(path)).toBe(snippet("{{ broken", "by a colleague"));
  terminal.write(path, snippet("fixed", "by a colleague"));
  await quiet(page);
  await seen(page, "fixed");
  await colleague(world, themeId, snippet("fixed", "alone"));
  await seen(page, "alone");
  expect(terminal.read(path)).toBe(snippet("fixed", "alone"));

  // Both change one line: neither side is overwritten until somebody decides.
  const mine = snippet("{{ mine", "alone");
  const theirs = snippet("theirs", "alone");
  terminal.write(path, mine);
  await said(page, "{{ is not closed");
  await colleague(world, themeId, theirs);
  await said(page, "somebody changed the same lines in the shop");
  terminal.write(path, snippet("mine", "alone"));
  await page.waitForFunction(`!${overlay}?.includes("is not closed")`, seldom);
  expect(assetOf(world, themeId, "washing.liquid")?.content).toBe(theirs);
  const beside = "theme/snippets/.washing.liquid.theirs";
  expect(terminal.read(beside)).toBe(theirs);
  terminal.write(path, snippet("mine and theirs", "alone"));
  rmSync(join(terminal.folder, beside));
  await quiet(page);
  await seen(page, "mine and theirs");

  // A new file, a renamed one, a deleted one, and a picture.
  terminal.write("theme/media/logo.svg", "<svg/>");
  terminal.write("theme/media/dot.png", "\u0000");
  terminal.write("theme/media/mark.png", "\u0000\u0002\u0003");
  terminal.write("theme/snippets/added.liquid", "<p>added</p>\n");
  renameSync(
    join(terminal.folder, "theme/snippets/old.liquid"),
    join(terminal.folder, "theme/snippets/young.liquid"),
  );
  rmSync(join(terminal.folder, "theme/snippets/going.liquid"));
  terminal.write("theme/templates/page.care.liquid", '{% include "added" %}{% include "young" %}\n');
  await seen(page, "old");
  await page.close();

  const { code, stdout, stderr } = await stop();
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain("theme/snippets/young.liquid  renamed from theme/snippets/old.liquid");
  expect(existsSync(join(terminal.folder, beside))).toBe(false);
  expect(assetOf(world, themeId, "going.liquid")).toBeUndefined();
  const after = await terminal.done("preview", "--expect-no-changes");
  expect(after.stdout).not.toContain("What it means");
});

campaignTest(
  "the state of a stack that no run has written yet has the folder and its files afterwards",
  async () => {
    const { world, terminal } = await openScene(program);
    const themeId = Number(world.rows("theme").find((one) => one.is_mobile)?.id);
    terminal.write(path, snippet("first", "last"));
    const dev = await start(terminal, "--stack", "dev", "--theme", String(themeId));
    const { code, stdout, stderr } = await dev.stop();
    expect(code, stdout + stderr).toBe(0);
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("an embedded shop shows the products of a stack's shop in the theme of the folder, which that shop doesn't get", async () => {
  const { world, terminal } = await openScene("");
  await world.client.products.create({
    title: "Mug",
    permalink: "mug",
    variants: [{ sku: "MUG", price: 12.5, quantity: 4 }],
  });
  terminal.write("theme/templates/product.liquid", "<h1>Ours: {{ product.title }}</h1>\n");
  world.requests();
  const { url, stop } = await start(terminal, "--stack", "dev");
  const answer = await fetch(`${url}product/mug`, { headers: { accept: "text/html" } });
  const html = await answer.text();
  expect(html).toContain("<h1>Ours: Mug</h1>");
  // The layout is the shop's: the folder has none.
  expect(html).toContain('<a class="skip"');
  expect((await stop()).code).toBe(0);
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
});

campaignTest(
  "a colleague's edit that a refresh has read comes into the folder, a rename too, and an older text takes nothing away",
  async () => {
    const { world, terminal } = await openScene(program);
    const themeId = Number(world.rows("theme").find((one) => one.is_mobile)?.id);
    terminal.write(path, snippet("one", "last"));
    for (const [at, args] of [["up", "--skip-preview"], ["refresh"]].entries()) {
      if (at === 1) await colleague(world, themeId, snippet("one", "by a colleague"));
      await terminal.done(...args, "--yes");
    }
    terminal.write(path, snippet("two", "last"));
    const { stop } = await start(terminal, "--stack", "dev", "--theme", String(themeId));
    const both = snippet("two", "by a colleague");
    const id = assetOf(world, themeId, "washing.liquid")?.id;
    const there = () => world.rows("asset").find((one) => one.id === id)?.content;
    await expect.poll(() => [there(), readIn(terminal, path)]).toEqual([both, both]);
    const next = "theme/snippets/cleaning.liquid";
    await world.edit({ kind: "asset", id, set: { name: "cleaning.liquid" } });
    await expect.poll(() => readIn(terminal, next)).toBe(both);
    expect(existsSync(join(terminal.folder, path))).toBe(false);
    // A colleague opened the file before this was sent, and saves it.
    const mine = snippet("three", "by a colleague");
    saveAtOnce(terminal, next, mine);
    await expect.poll(there).toBe(mine);
    const theirs = snippet("two", "later");
    await world.edit({ kind: "asset", id, set: { content: theirs, file_size: theirs.length } });
    const beside = "theme/snippets/.cleaning.liquid.theirs";
    await expect.poll(() => readIn(terminal, beside)).toBe(theirs);
    expect([terminal.read(next), there()]).toEqual([mine, theirs]);
    const { code, stdout } = await stop();
    expect(code).toBe(1);
    expect(stdout).toContain("somebody saved an older text in the shop, without your changes");
  },
);
