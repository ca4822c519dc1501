// Pages that fail although each template is valid by itself: found by a preview and by theme check.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene, openTerminal } from "./terminal.ts";

const program = `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
`;
const place = "theme/snippets/tree.liquid:2:1";

test.each(storyForms)(
  "a page that renders now and fails after a plan is named with file and line: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(program, plugins);
    terminal.write("theme/snippets/tree.liquid", "<ul>{{ depth }}</ul>");
    // Only the shop has product_card. The second page fails before and after, so it isn't reported.
    terminal.write("theme/templates/page.a.liquid", "<p>\n{% include 'tree' %}{% include 'product_card' %}");
    terminal.write("theme/templates/page.b.liquid", "{% assign name = 'nobody' %}{% include name %}");
    terminal.write("theme/templates/page.c.liquid", "{% include 'tree' %}");
    await terminal.done("up", "--yes", "--skip-preview");
    world.requests();
    terminal.write("theme/snippets/tree.liquid", "<ol>{{ depth }}</ol>");
    const good = await terminal.dev("preview");
    expect(good.all).not.toContain("fails");
    // The theme's id, and the changed file.
    expect(world.requests()).toHaveLength(2);
    terminal.write("theme/snippets/tree.liquid", "<ul>\n{% include 'tree' %}</ul>");
    const bad = await terminal.done("preview", "--json");
    expect(bad.stderr).toMatch(/^after this plan: Page [ac] fails: This page is too large/m);
    const { findings, requests, cost } = JSON.parse(bad.stdout.trim().split("\n").at(-1) ?? "");
    expect(findings).toMatchObject([{ rule: "page-fails", severity: "error" }]);
    expect(world.requests()).toHaveLength(requests);
    expect(cost).toBe(3);
    terminal.write("Pulumi.dev.yaml", JSON.stringify({ config: { "shop:protected": "true" } }));
    const refused = await terminal.dev("up", "--yes", "--skip-preview");
    expect(refused.code, refused.stdout).toBe(1);
    // Two endless pages are one mistake.
    expect(refused.stderr.match(/tree\.liquid:\d:1 Page [ac] fails: This page is too large/g)).toHaveLength(
      1,
    );
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
    await terminal.done("up", "--yes", "--allow", "theme/snippets/tree.liquid");
  },
);

test("theme check names a page that fails although each of its files is right by itself", async () => {
  const terminal = openTerminal("");
  terminal.write("theme/snippets/tree.liquid", "<ul>\n{% include 'tree' %}</ul>");
  terminal.write("theme/templates/collection.liquid", "{% include 'tree' %}");
  terminal.write("theme/templates/page.a.liquid", "{% include 'tree' %}{% include 'nobody' %}");
  terminal.write("theme/templates/page.b.liquid", "{% include 'nobody' %}{{ 'a.css' | asset_url }}");
  for (const name of ["leaf", "leaf.liquid"]) terminal.write(`theme/snippets/${name}`, "<li>");
  const { code, stdout } = await terminal.run("theme", "check");
  expect(code).toBe(1);
  expect(stdout).toContain("theme/templates/page.a.liquid:1:33 error: there is no snippet nobody");
  expect(stdout).toContain(
    `${place} error: Collection All fails: This page is too large for the embedded shop: its snippets include each other without end`,
  );
});
