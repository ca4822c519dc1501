import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttempts } from "../../cli/theme/dev.ts";
import { type LocalFile, openFolder } from "../../cli/theme/folder.ts";
import { openSync } from "../../cli/theme/sync.ts";
import { openShopTheme, type ShopTheme } from "../../cli/theme/theme-client.ts";
import { broken, right } from "../provider/themes.ts";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

interface Told {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
}

/** A folder with a theme, and the command in it. */
function openTheme(files: Readonly<Record<string, string>>) {
  const terminal = openTerminal("");
  for (const [path, text] of Object.entries(files)) terminal.write(`theme/${path}`, text);
  return terminal;
}

const numbered = broken.map((one, at) => ({ ...one, root: `themes/${at}` }));

test("each broken theme is named at its line by check, by a preview and by dev, and no right one is", async () => {
  const world = await openWorld({
    fixture: { theme: broken.map(({ what }, id) => ({ id: id + 1, title: what })) },
  });
  const terminal = openTerminal(
    `import { ThemeFolder } from "pulumi-shop";
for (const id of ${JSON.stringify(numbered.map((_one, at) => at))})
  new ThemeFolder("t" + id, { themeId: id + 1, folder: "themes/" + id });
`,
    world.env,
  );
  for (const { root, path, text, beside } of numbered)
    for (const [place, content] of Object.entries({ ...beside, [path]: text }))
      terminal.write(`${root}/${place}`, content);
  const expected = numbered.map(({ root, path, rule, line }) => `${root}/${path}:${line} ${rule}`);
  const placeOf = ({ path, line, rule }: Told) => `${path}:${line} ${rule}`;

  const preview = await terminal.done("preview", "--json");
  const { findings } = JSON.parse(preview.stdout.trim().split("\n").at(-1) ?? "") as {
    readonly findings: readonly Told[];
  };
  expect(findings.map(placeOf)).toEqual(expect.arrayContaining(expected));

  const byDev = await Promise.all(numbered.map(({ root }) => heardOf(terminal.folder, root)));
  expect(byDev.flat().map(({ path, line }) => `${path}:${line}`)).toEqual(
    expect.arrayContaining(numbered.map(({ root, path, line }) => `${root}/${path}:${line}`)),
  );

  for (const [at, [, files]] of right.entries())
    for (const [place, content] of Object.entries(files)) terminal.write(`right/${at}/${place}`, content);
  const heard = await Promise.all(right.map((_one, at) => heardOf(terminal.folder, `right/${at}`)));
  expect(heard.flat()).toEqual([]);
});

test("what somebody else deletes or makes alike while dev works is no problem of dev's", async () => {
  const world = await openWorld();
  const terminal = openTerminal("");
  terminal.write("theme/snippets/old.liquid", "<i>old</i>");
  const themeId = Number(world.rows("theme")[0]?.id);
  const make = (name: string, content: string) =>
    world.client.assets.create({ themeId, type: "Asset::Snippet", name, content });
  let problems: readonly unknown[] = [];
  const sync = openSync({
    theme: openShopTheme(world.client, themeId, world.url),
    folder: openFolder(join(terminal.folder, "theme"), "theme", []),
    now: () => 0,
    say: () => {},
    warn: () => {},
    show: (now) => {
      problems = now;
    },
  });
  await sync.begin("ours", () => undefined);
  const old = world.rows("asset").find(({ name }) => name === "old.liquid");
  await world.client.assets.remove({ themeId, id: Number(old?.id) });
  rmSync(join(terminal.folder, "theme/snippets/old.liquid"));
  await make("new.liquid", "<i>new</i>");
  terminal.write("theme/snippets/new.liquid", "<i>new</i>");
  await sync.saved();
  expect(problems).toHaveLength(1);
  await sync.look();
  await sync.end();
  expect(problems).toEqual([]);
});

/** The output of dev when all files of a folder are saved at once. */
async function heardOf(home: string, root: string): Promise<readonly Omit<Told, "rule">[]> {
  const heard: Omit<Told, "rule">[] = [];
  let made = 0;
  let isSaved = false;
  const folder = openFolder(join(home, root), root, []);
  const create = async ({ type, name }: LocalFile) => ({ id: ++made, type, name, size: 0 });
  const sync = openSync({
    theme: { list: async () => new Map(), create } as unknown as ShopTheme,
    folder: { ...folder, scan: async () => (isSaved ? folder.scan() : undefined) },
    now: () => 0,
    say: () => {},
    show: (problems) => void heard.push(...problems),
    warn: (warning) => void heard.push(warning),
  });
  await sync.begin("ours", () => undefined);
  isSaved = true;
  await sync.saved();
  return heard;
}

describe("theme check", () => {
  test("counts the files of a theme that is right, and exits with 1 where one is broken", async () => {
    const terminal = openTheme({ "templates/page.a.liquid": "<p>" });
    const { stdout, code } = await terminal.run("theme", "check", "--json");
    expect(JSON.parse(stdout)).toEqual({ files: 1, findings: [] });
    expect(code).toBe(0);
    for (const file of ["templates/page.a", "media/a.css"])
      terminal.write(`theme/${file}.liquid`, Buffer.from("<p>Чашка</p>", "utf16le"));
    const binary = await terminal.run("theme", "check", "--json");
    const wrong = { rule: "not-text", line: 1 };
    expect(JSON.parse(binary.stdout)).toMatchObject({ findings: [wrong, wrong] });
    expect(binary.code).toBe(1);
    terminal.write("theme/templates/page.a.liquid", "<p>a\0b</p>");
    expect((await terminal.run("theme", "check")).stdout).toContain(
      "or contains control characters such as NUL",
    );
  });

  test("shows place, line and way out of each mistake, and counts them", async () => {
    const terminal = openTheme({
      "templates/product.liquid": "{% if product %}\n  <h1>{{ product.title }</h1>",
      "config/settings_data.json": '{\n  "colour" "red"\n}\n',
      "media/logo.png": "\u0000",
      "page.care.liquid": "<p>",
      "notes.md": "",
    });
    const { stdout, code } = await terminal.run("theme", "check");
    expect(
      stdout,
    ).toBe(`theme/config/settings_data.json:2:12 error: invalid JSON: expected a colon after the key
    "colour" "red"
    correct this place; no page gets the theme's settings otherwise
theme/templates/product.liquid:2:7 error: {{ is not closed
    <h1>{{ product.title }</h1>
    add }}, and end each text inside with a quotation mark
theme/page.care.liquid:1:1 warning: the file is not part of the theme
    move it into one of templates/, snippets/, config/, media/
3 files: 2 errors, 1 warning
`);
    expect(code).toBe(1);
  });

  test("annotates a pull request's lines", async () => {
    const terminal = openTheme({ "snippets/a, b.liquid": "", "templates/index.liquid": "\n{{ a | mony }}" });
    const { stdout } = await terminal.run("theme", "check", "--github");
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "::error file=theme/snippets/a%2C b.liquid,line=1,col=1,title=bad-name::invalid name \"a, b.liquid\": it can't contain blanks or @, nor /, because a theme's folders have no subfolders. rename the file",
      "::warning file=theme/templates/index.liquid,line=2,col=8,title=unknown-filter::the platform has no filter mony: the value is shown as it is. write a filter of the platform, did you mean money?, or remove it",
    ]);
  });

  test("names a file that can't be read, and checks the others", async () => {
    const terminal = openTheme({ "snippets/a.liquid": "{% include 'b' %}", "snippets/c.liquid": "{{ x" });
    symlinkSync("/nowhere", join(terminal.folder, "theme/snippets/b.liquid"));
    const { stdout, code } = await terminal.run("theme", "check", "theme");
    expect(stdout).toMatch(/snippets\/b\.liquid.*can't read .*: a symbolic link leads there/s);
    expect(stdout).toContain("{{ is not closed");
    expect([stdout, code]).toEqual([expect.stringMatching(/3 files: 2 errors, 0 warnings\n$/), 1]);
  });

  test("leaves out what is ignored, and says where there is no theme", async () => {
    const terminal = openTheme({ "media/app.js.map": "{", "media/my app.js": "", "config/a.json": "{}" });
    expect((await terminal.run("theme", "check", "theme", "--ignore", "media/*.map, **app.js")).stdout).toBe(
      "1 file: 0 errors, 0 warnings\n",
    );
    const { stderr, code } = await terminal.run("theme", "check", "themes");
    expect(stderr).toMatch(
      /^error: there is no theme in .*themes: name the folder that contains templates\/, snippets\/, config\/, media\/\n$/,
    );
    expect(code).toBe(1);
  });

  test.each([
    ["theme", "theme", /no theme in .*theme: name the folder .*, such as .*theme\/Spring\n/],
    ["beside", "them", /no theme in .*them: name the folder .*, such as .*\/theme\n/],
    [
      "archive",
      "spring.zip",
      /^error: .*spring\.zip is an archive: unpack it, and name the folder that contains/,
    ],
  ])("finds the theme of an archive that was unpacked: %s", async (where, typed, message) => {
    const inside = where === "theme" ? "Spring/" : "";
    const terminal = openTheme({ [`${inside}templates/page.liquid`]: "" });
    for (const verb of ["check", "dev"])
      expect((await terminal.run("theme", verb, typed)).stderr, verb).toMatch(message);
  });
});

/** Three mistakes in one change: a template, a snippet's name, settings. */
const program = `import { Asset, getThemeOutput } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new Asset("product", { themeId, type: "Asset::Template", name: "product.liquid", file: "theme/templates/product.liquid" });
new Asset("settings", { themeId, type: "Asset::Configuration", name: "settings_data.json", file: "theme/config/settings_data.json" });
`;
const good = {
  "templates/product.liquid": "<h1>{{ product.title }}</h1>\n",
  "config/settings_data.json": '{"a": 1}\n',
};
const bad = {
  "templates/product.liquid": "{% if product %}\n<h1>{{ product.title }</h1>\n",
  "config/settings_data.json": '{\n  "a" 1\n}\n',
};

async function openStack(plugins: string) {
  const world = await openWorld();
  const terminal = openTerminal(program, { ...world.env, SHOP_ADOPT: "key" }, plugins);
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) terminal.write(`theme/${path}`, text);
  };
  write(good);
  await terminal.done("up", "--yes", "--skip-preview");
  world.requests();
  return { terminal, write, writes: () => world.requests().filter((line) => !line.startsWith("GET ")) };
}

describe.each(storyForms)("with %s", (_how, plugins) => {
  test("a preview warns of broken sources that it changes, with their lines", async () => {
    const { terminal, write } = await openStack(plugins);
    write(bad);
    const { code, stdout, stderr } = await terminal.run("preview");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(
      "error: theme/templates/product.liquid:2:5 {{ is not closed (<h1>{{ product.title }</h1>); add }}, and end each text inside with a quotation mark",
    );
    expect(stdout).toContain(
      "error: theme/config/settings_data.json:2:7 invalid JSON: expected a colon after the key",
    );
  });

  campaignTest(
    "a preview names a snippet that neither the folder nor the shop has, and refuses it on a protected stack",
    async () => {
      const world = await openWorld();
      const terminal = openTerminal(
        `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
`,
        world.env,
      );
      terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
      // The embedded shop's theme has product_card, which this folder hasn't.
      terminal.write("theme/snippets/price.liquid", "{{ product.price | money }}\n");
      terminal.write("theme/templates/page.a.liquid", "{% include 'product_card' %}{% include 'price' %}\n");
      const first = await terminal.done("preview");
      expect(first.stdout).not.toContain("there is no snippet");
      terminal.write("theme/templates/page.b.liquid", "<p>\n{% include 'prise' %}\n");
      const { code, stdout } = await terminal.dev("preview", "--markdown", "plan.md");
      expect(code).toBe(0);
      const missing =
        "error: theme/templates/page.b.liquid:2:13 there is no snippet prise here or in the shop: page.b.liquid will fail";
      expect(stdout).toContain(`\n     ${missing}`);
      expect(terminal.read("plan.md")).toContain(`\n${missing}`);
      // The provider and the check of the whole plan both find it.
      terminal.write("theme/templates/page.c.liquid", "{% include price %}\n");
      const unquoted = await terminal.dev("preview");
      expect(unquoted.stdout.match(/without quotation marks price is a variable/g)).toHaveLength(1);
      terminal.write("theme/templates/page.c.liquid", "{% include 'price' %}\n");
      terminal.write("Pulumi.dev.yaml", JSON.stringify({ config: { "shop:protected": "true" } }));
      const refused = await terminal.dev("up", "--yes", "--skip-preview");
      expect(refused.code, refused.stdout).toBe(1);
      expect(refused.all).toContain("theme/templates/page.b.liquid:2:13");
      expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
      // A file that the program declares beside the folder exists, in either order.
      const beside = `import { Asset } from "pulumi-shop";
new Asset("prise", { themeId: 1, type: "Asset::Snippet", name: "prise.liquid", content: "<i>9</i>" });
`;
      const program = terminal.read("index.ts");
      terminal.write(
        "index.ts",
        program + beside.replace("themeId: 1", `themeId: ${world.rows("theme")[0]?.id}`),
      );
      const made = await terminal.done("up", "--yes");
      expect(made.stdout).not.toContain("there is no snippet");
    },
  );

  test("a protected stack refuses them before anything is sent, unless a person names them", async () => {
    const { terminal, write, writes } = await openStack(plugins);
    terminal.write("Pulumi.dev.yaml", JSON.stringify({ config: { "shop:protected": "true" } }));
    write(bad);
    for (const command of [["preview"], ["up", "--yes"], ["up", "--yes", "--skip-preview"]]) {
      const { code, stdout, all } = await terminal.run(...command);
      expect(code, stdout).toBe(1);
      expect(all).toContain("theme/templates/product.liquid:2:5 {{ is not closed");
    }
    expect(writes()).toEqual([]);
    const { code, stdout, stderr } = await terminal.run("up", "--yes", "--allow", "product,settings");
    expect(code, stdout + stderr).toBe(0);
    expect(writes()).toHaveLength(2);
    // Mistakes that the shop has already don't block anything.
    expect((await terminal.run("preview", "--expect-no-changes")).code).toBe(0);
  });
});

test("theme dev says an error of a shop that doesn't answer once, however often it looks meanwhile", async () => {
  const said: string[] = [];
  const { attempt, alone } = openAttempts((line) => said.push(line));
  let fail = () => {};
  let looks = 0;
  const look = alone(() => {
    looks += 1;
    return new Promise((_done, failed) => {
      fail = () => failed(new Error("no answer"));
    });
  });
  for (let at = 0; at < 3; at += 1) {
    const all = [look(), look()];
    fail();
    await Promise.all(all);
  }
  expect([looks, said]).toEqual([3, ["error: no answer"]]);
  await attempt(async () => {})();
  await attempt(() => Promise.reject(new Error("no answer")))();
  expect(said).toHaveLength(2);
});

test("up says what the shop couldn't compile of a theme whose style sheet it has changed", async () => {
  const world = await openWorld();
  const terminal = openTerminal(
    `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
`,
    world.env,
  );
  const up = async () => (await terminal.done("up", "--yes", "--skip-preview")).stderr;
  const id = world.rows("theme").find((one) => one.is_published && !one.is_mobile)?.id;
  await world.edit({ kind: "theme", id, set: { errors_text: "shop.scss: line 1: expected }" } });
  terminal.write("theme/media/shop.scss", "a { b: c");
  terminal.warnings.push(/couldn't compile/);
  expect(await up()).toContain(
    `warning: the shop couldn't compile the theme Main (${id}): shop.scss: line 1: expected }`,
  );
  // Snippets aren't compiled.
  terminal.write("theme/snippets/a.liquid", "<p>");
  world.requests();
  expect(await up()).not.toContain("compile");
});

test("a preview names the line of an include whose snippet it removes, and tells it to machines", async () => {
  const world = await openWorld();
  const head =
    'import { Asset, getThemeOutput, ThemeFolder } from "pulumi-shop";\nconst themeId = getThemeOutput({ published: true }).id;\n';
  const folder = 'new ThemeFolder("theme", { themeId, folder: "theme" });\n';
  const terminal = openTerminal(head + folder, world.env);
  for (const name of ["card", "price", "tile"])
    terminal.write(`theme/snippets/${name}.liquid`, `<i>${name}</i>`);
  terminal.write("theme/media/shop.css", "a { b: c }");
  terminal.write("theme/media/tile.scss", "a { b: c }");
  terminal.write("theme/templates/page.a.liquid", "<p>\n{% include 'card' %}{% include 'price' %}");
  terminal.write("theme/templates/page.b.liquid", "{{ 'shop.css' | stylesheet_tag }}");
  await terminal.done("up", "--yes", "--skip-preview");
  // One is removed, one renamed, one isn't included anywhere.
  for (const name of ["card", "price", "tile"])
    rmSync(join(terminal.folder, `theme/snippets/${name}.liquid`));
  rmSync(join(terminal.folder, "theme/media/shop.css"));
  terminal.write("theme/snippets/cost.liquid", "<i>price</i>");
  terminal.write("theme/templates/page.c.liquid", "{{ a | mony }}");
  // It takes the place of an unchanged one.
  terminal.write("theme/media/tile.css", "a { b: c }");
  // Files that no program has: the first includes a removed one.
  const themeId = Number(world.rows("theme").find((one) => one.is_published)?.id);
  for (const name of ["card", "tile_2"])
    await world.client.assets.create({
      ...{ themeId, type: "Asset::Template", name: `page.${name}.liquid` },
      content: `<b>\n{% include '${name}' %}`,
    });
  const preview = await terminal.done("preview", "--json", "--github");
  const { findings } = JSON.parse(preview.stdout.trim().split("\n").at(-1) ?? "") as {
    readonly findings: readonly (Told & { readonly severity: string; readonly message: string })[];
  };
  expect(findings.map((one) => [one.severity, one.rule, `${one.path}:${one.line}`, one.message])).toEqual([
    ["warning", "unknown-filter", "theme/templates/page.c.liquid:1", expect.stringContaining("mony")],
    [
      "warning",
      "same-name",
      "theme/media/tile.scss:1",
      "theme/media/tile.css has the same place in the theme: only one of them is used",
    ],
    [
      "error",
      "missing-snippet",
      "theme/templates/page.a.liquid:2",
      "there is no snippet card after this plan: page.a.liquid will fail",
    ],
    [
      "error",
      "missing-snippet",
      "theme/templates/page.a.liquid:2",
      "there is no snippet price after this plan: page.a.liquid will fail",
    ],
    [
      "warning",
      "missing-file",
      "theme/templates/page.b.liquid:1",
      "there is no file shop.css after this plan: page.b.liquid will miss it",
    ],
    [
      "error",
      "missing-snippet",
      "templates/page.card.liquid:2",
      "there is no snippet card after this plan: page.card.liquid will fail",
    ],
  ]);
  expect(preview.stderr).toContain("theme files that only the shop has, one request each");
  expect(preview.stderr).toContain(
    "::error file=theme/templates/page.a.liquid,line=2,col=13,title=missing-snippet::",
  );
  terminal.write("Pulumi.dev.yaml", JSON.stringify({ config: { "shop:protected": "true" } }));
  // Refused findings are annotated, too.
  const shown = await terminal.dev("preview", "--github");
  expect(shown.code).toBe(1);
  expect(shown.stderr).toContain("::error file=theme/templates/page.a.liquid,line=2,");
  const refused = await terminal.dev(
    "up",
    "--yes",
    "--skip-preview",
    "--allow",
    "theme/snippets/*,theme/media/*",
  );
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("there is no snippet card after this plan");
  expect(refused.stderr).toContain("pass --allow theme/templates/page.a.liquid to send it anyway");

  // Staff publish another theme: a snippet that they changed stays in the old one, and the new one needs its own.
  for (const name of ["card", "price"]) terminal.write(`theme/snippets/${name}.liquid`, `<i>${name}</i>`);
  const staffs = world.rows("asset").filter(({ name }) => name === "card.liquid" || name === "price.liquid");
  for (const { id } of staffs) await world.edit({ kind: "asset", id, set: { content: "<b>staff</b>" } });
  const draft = Number(world.rows("theme").find((one) => !one.is_published)?.id);
  await world.edit({ kind: "theme", id: themeId, set: { is_published: false } });
  await world.edit({ kind: "theme", id: draft, set: { is_published: true } });
  const price = { themeId: draft, type: "Asset::Snippet" as const, name: "price.liquid", content: "own" };
  const own = await world.client.assets.create(price);
  terminal.write("Pulumi.dev.yaml", JSON.stringify({ config: {} }));
  const taken = await terminal.dev("preview");
  expect([taken.code, taken.all]).toEqual([
    1,
    expect.stringContaining("already, and a replacement adopts none"),
  ]);
  await world.client.assets.remove({ themeId: draft, id: own.id });
  const moved = await terminal.dev("preview");
  expect(moved.code).toBe(1);
  expect(moved.all).toContain("page.a.liquid:2:13 there is no snippet card after this plan");
});
