// A theme's folder as one component: files from a loop move in, files are renamed, single files are declared in
// another way.
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { forms, storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const head = `import { Asset, getThemeOutput, ThemeFolder } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
`;
const loop = `${head}for (const [folder, type, name] of [["snippets", "Asset::Snippet", "a.liquid"], ["media", "Asset::Media", "b.css"]])
  new Asset(folder + "/" + name, { themeId, type, name, file: "theme/" + folder + "/" + name });
`;
const folder = (more: string) => `${head}new ThemeFolder("theme", { themeId, folder: "theme", ${more} });\n`;

interface State {
  readonly checkpoint: {
    readonly latest: {
      readonly resources: readonly { readonly urn: string; readonly inputs?: object }[];
      pending_operations: unknown;
    };
  };
}

test.each(forms)(
  "a folder's files are sent after those that they include or name: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(folder(""), plugins);
    const sent = () => world.requests().filter((line) => !line.startsWith("GET "));
    const names = () => world.rows("asset").map(({ name }) => name);
    const before = names();
    terminal.write("theme/templates/page.new.liquid", "{% include 'new' %}");
    terminal.write("theme/snippets/new.liquid", "<p>");
    terminal.write("theme/media/new.css", "a { b: c }");
    await world.fault({ fault: "slow", method: "POST", path: "/admin/themes/*", times: 2, delayMs: 100 });
    await terminal.done("up", "--yes", "--skip-preview");
    expect(names()).toEqual([...before, "new.css", "new.liquid", "page.new.liquid"]);

    terminal.write("theme/templates/page.new.liquid", "{% include 'new' %}{% include 'other' %}");
    terminal.write("theme/snippets/other.liquid", "<b>");
    sent();
    await terminal.done("up", "--yes", "--skip-preview");
    expect(sent()).toEqual([expect.stringMatching(/^POST /), expect.stringMatching(/^PUT /)]);
  },
);

test.each(storyForms)(
  "files that the theme has already are one mistake of the folder: %s",
  async (_how, plugins) => {
    const { terminal } = await openScene(folder(""), plugins);
    for (const name of ["blog", "cart", "index", "layout", "page", "product"])
      terminal.write(`theme/templates/${name}.liquid`, "<p>");
    const { stderr, code } = await terminal.dev("preview");
    const shown = ["blog", "cart", "index", "layout"].map(
      (name) => `  index.ts:3  Asset "theme/templates/${name}.liquid"`,
    );
    expect(stderr).toContain(
      [
        "Failed:",
        ...shown,
        "  and 2 more",
        '    name: the shop has each of these already: set adopt: "key" to adopt it; ',
      ].join("\n"),
    );
    expect(code).toBe(1);
  },
);

test.each(storyForms)(
  "a loop's files move into a folder's component, and are renamed in place: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(loop, plugins);
    terminal.write("theme/snippets/a.liquid", "<p>");
    terminal.write("theme/media/b.css", "a { b: c }");
    let printed = "";
    const up = async () => {
      world.requests();
      const { stdout } = await terminal.done("up", "--yes", "--skip-preview");
      printed = stdout;
      return world
        .requests()
        .filter((line) => !line.startsWith("GET "))
        .map((line) => line.replace(/\d+/g, "N"));
    };
    expect(await up()).toHaveLength(2);
    // It would be created a second time; a component's resources can't get aliases.
    terminal.write("index.ts", folder(""));
    const refused = await terminal.dev("preview");
    expect(refused.stderr).toContain(
      'give the ThemeFolder formerNames: ({ path }) => (path === "snippets/a.liquid" ? "snippets/a.liquid" : [])',
    );
    terminal.write("index.ts", folder("formerNames: ({ path }) => path"));
    expect(await up()).toEqual([]);
    terminal.write("theme/snippets/c.liquid", "<p>");
    terminal.write("theme/snippets/d.liquid", "<b>");
    terminal.write(
      "index.ts",
      folder(
        'ignore: ["snippets/a.liquid"], renamed: { "snippets/c.liquid": "snippets/a.liquid" }, files: { "snippets/d.liquid": false, "media/b.css": { content: "d { e: f }" } }',
      ),
    );
    expect((await up()).toSorted()).toEqual([
      expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\.xml/),
      expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\/rename\.xml/),
    ]);
    // Recognised by its content alone.
    terminal.write("theme/page.liquid", "<p>");
    terminal.warnings.push(/theme\/page\.liquid is not part of the theme: move it into one of templates\//);
    terminal.write("theme/snippets/e.liquid", "<p>");
    rmSync(join(terminal.folder, "theme/snippets/c.liquid"));
    terminal.write(
      "index.ts",
      folder(
        'ignore: ["snippets/a.liquid", "snippets/d.liquid"], files: { "media/b.css": { content: "d { e: f }" } }',
      ),
    );
    expect(await up()).toEqual([expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\/rename\.xml/)]);
    expect(printed).toContain("theme/page.liquid is not part of the theme");

    // Recognised by most of its lines: renamed, changed, and changed by staff. Backup files of editors are ignored.
    const lines = (first: string, last: string) => [first, "<b>", "<i>", "<u>", last].join("\n");
    terminal.write("theme/snippets/f.liquid", lines("f", "end"));
    expect(await up()).toEqual([expect.stringMatching(/^POST /)]);
    const staff = world.rows("asset").find(({ name }) => name === "f.liquid");
    await world.edit({ kind: "asset", id: staff?.id, set: { content: lines("f", "staff") } });
    rmSync(join(terminal.folder, "theme/snippets/f.liquid"));
    terminal.write("theme/snippets/g.liquid", lines("g", "end"));
    // As after an update that was killed: the state has the new name and the old file.
    const place = "backend/.pulumi/stacks/user/dev.json";
    const state = JSON.parse(terminal.read(place)) as State;
    const [old] = state.checkpoint.latest.resources.filter(({ urn }) => urn.endsWith("/f.liquid"));
    const begun = { ...old, urn: old?.urn.replace("/f.liquid", "/g.liquid") };
    state.checkpoint.latest.pending_operations = [{ resource: begun, type: "updating" }];
    terminal.write(place, JSON.stringify(state, null, 4));
    terminal.warnings.push(/g\.liquid: an earlier run was interrupted while updating/);
    for (const left of ["snippets/g.liquid~", "snippets/4913", "media/#b.css#", "media/b.css.orig"])
      terminal.write(`theme/${left}`, "");
    expect((await up()).toSorted()).toEqual([
      expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\.xml/),
      expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\/rename\.xml/),
    ]);
    expect(world.rows("asset").find(({ id }) => id === staff?.id)).toMatchObject({
      name: "g.liquid",
      content: lines("g", "staff"),
    });
    // Killed after the shop renamed it to h, and the file was renamed once more: the shop's name is ours.
    const again = JSON.parse(terminal.read(place)) as State;
    const [known] = again.checkpoint.latest.resources.filter(({ urn }) => urn.endsWith("/g.liquid"));
    const sent = {
      ...{ ...known, urn: known?.urn.replace("/g.liquid", "/h.liquid") },
      inputs: { ...known?.inputs, name: "h.liquid" },
    };
    again.checkpoint.latest.pending_operations = [{ resource: sent, type: "updating" }];
    terminal.write(place, JSON.stringify(again, null, 4));
    terminal.warnings.push(/h\.liquid: an earlier run was interrupted|h\.liquid; this run tries again/);
    await world.edit({ kind: "asset", id: staff?.id, set: { name: "h.liquid" } });
    terminal.write("theme/snippets/i.liquid", lines("g", "end"));
    rmSync(join(terminal.folder, "theme/snippets/g.liquid"));
    expect(await up()).toContainEqual(
      expect.stringMatching(/^PUT \/admin\/themes\/N\/assets\/N\/rename\.xml/),
    );
    expect(world.rows("asset").find(({ id }) => id === staff?.id)).toMatchObject({
      name: "i.liquid",
      content: lines("g", "staff"),
    });
    // The component has another name, and so have its files.
    const renamed = await terminal.dev("state", "rename", "theme", "shop");
    expect(renamed.stdout).toContain("renamed theme to shop, with 3 below it (shop/...) in the state of dev");
    terminal.write(
      "index.ts",
      terminal.read("index.ts").replace('ThemeFolder("theme"', 'ThemeFolder("shop"'),
    );
    expect(await up()).toEqual([]);
    symlinkSync("nothing.liquid", join(terminal.folder, "theme/snippets/h.liquid"));
    const dangling = await terminal.dev("preview");
    expect(dangling.stderr).toContain(
      "can't read theme/snippets/h.liquid: there is no such file: a symbolic link leads there",
    );
  },
);

test.each([
  [
    "a folder inside of a folder",
    { "snippets/a/b.liquid": "" },
    "",
    "snippets/a/b.liquid: a theme's folders have no subfolders",
  ],
  [
    "a snippet with its ending and without",
    { "snippets/a": "", "snippets/a.liquid": "" },
    "",
    "snippets/a and snippets/a.liquid are one file to the theme",
  ],
  [
    "a path that isn't there",
    { "snippets/a.liquid": "" },
    'files: { "snippets/b.liquid": false }',
    "snippets/b.liquid of files or renamed is not in theme, or is ignored, did you mean snippets/a.liquid?",
  ],
  ["no theme at all", { "other/a.liquid": "" }, "", "there is no theme in theme"],
])("a folder is refused for %s", async (_what, files, more, message) => {
  const { terminal } = await openScene(folder(more));
  for (const [path, text] of Object.entries(files)) terminal.write(`theme/${path}`, text);
  const { code, all } = await terminal.dev("preview");
  expect(code).toBe(1);
  expect(all).toContain(message);
});

campaignTest.each(storyForms)(
  "pictures that staff and the folder change are conflicts, before a refresh and after it: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(folder(""), plugins);
    const names = ["a.png", "b.png", "c.png", "d.woff2", "e.jpg"];
    const bytes = (text: string) => Buffer.from([0xff, 0x00, ...Buffer.from(text)]);
    for (const name of names) terminal.write(`theme/media/${name}`, bytes(`ours ${name}`));
    const run = async (...args: readonly string[]) => (await terminal.dev(...args)).all;
    await run("up", "--yes", "--skip-preview");
    await world.control("POST", "clock", { advanceSeconds: 5 });
    const rows = world.rows("asset").filter(({ name }) => names.includes(String(name)));
    expect(rows).toHaveLength(names.length);
    for (const { id, theme_id, name } of rows)
      await world.client.assets.edit({
        themeId: Number(theme_id),
        id: Number(id),
        attachment: bytes(`staff's ${name}`).toString("base64"),
      });
    // The last one is unchanged, the one before has staff's edit.
    for (const name of names.slice(0, 3)) terminal.write(`theme/media/${name}`, bytes(`new ${name}`));
    terminal.write("theme/media/d.woff2", bytes("staff's d.woff2"));
    world.requests();
    const conflict = (name: string) => expect.stringMatching(new RegExp(`! Asset theme/media/${name} `));
    const first = await run("up", "--yes");
    expect(first).toContain("content: in the shop now other content, not replaced");
    for (const name of names.slice(0, 3)) expect(first).toEqual(conflict(name));
    expect(await run("refresh", "--yes")).toContain("5 changed in the shop");
    expect(await run("refresh", "--yes")).toContain("5 unchanged");
    const second = await run("up", "--yes");
    for (const name of names.slice(0, 3)) expect(second).toEqual(conflict(name));
    expect(second).toContain("1 theme file (d.woff2): the shop already has these values");
    expect(second).toContain("1 edit of staff: e.jpg");
    const writes = world.requests().filter((line) => !line.startsWith("GET "));
    expect(writes.map((line) => line.split(" ")[0]).toSorted()).toEqual(["DELETE", "POST"]);
  },
);
