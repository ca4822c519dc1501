// The check of a theme and the embedded shop take templates of the same length: neither accepts what the other refuses.
import { expect, test } from "vitest";
import { openTerminal } from "../cli/terminal.ts";
import { openWorld } from "../support/world.ts";

/** The page's template, a snippet in it, and a style sheet that is a template: one of them has as many characters. */
type Theme = readonly [template: string, snippet: string, sheet: string];
const themes: Readonly<Record<string, (length: number) => Theme>> = {
  template: (length) => ["x".repeat(length), "", ""],
  snippet: (length) => ['{% include "long" %}', "x".repeat(length), ""],
  "style sheet": (length) => ["", "", "x".repeat(length)],
};

async function checked([template, snippet, sheet]: Theme): Promise<string> {
  const terminal = openTerminal("");
  terminal.write("theme/templates/page.long.liquid", template);
  terminal.write("theme/snippets/long.liquid", snippet);
  terminal.write("theme/media/long.css.liquid", sheet);
  return (await terminal.run("theme", "check")).stdout;
}

/** What a shop with this theme answers. */
async function shown([template, snippet, sheet]: Theme): Promise<string> {
  const { url, client } = await openWorld();
  const [theme] = await client.themes.list();
  const of = { themeId: theme?.id as number };
  await client.assets.create({ ...of, type: "Asset::Template", name: "page.long.liquid", content: template });
  await client.assets.create({ ...of, type: "Asset::Snippet", name: "long.liquid", content: snippet });
  await client.assets.create({ ...of, type: "Asset::Media", name: "long.css.liquid", content: sheet });
  const texts = ["page/long", `theme/${of.themeId}/long.css`].map(async (path) =>
    (await fetch(`${url}/${path}`)).text(),
  );
  return (await Promise.all(texts)).join("\n");
}

test.each(Object.entries(themes))(
  "the longest %s passes both, and a longer one neither",
  async (_, theme) => {
    const fits = theme(1_000_000);
    expect(await checked(fits)).toMatch(/ 0 errors/);
    expect(await shown(fits)).toContain("x".repeat(1_000_000));
    const exceeds = theme(1_000_001);
    expect(await checked(exceeds)).toContain(":1:1 error: the file has 1,000,001 bytes");
    expect(await shown(exceeds)).toContain("<h1>This page is too large for the embedded shop</h1>");
  },
);
