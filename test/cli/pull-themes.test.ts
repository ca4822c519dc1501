// A pulled theme: a folder and one component, whatever the files are named, and whatever staff or users change.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, root } from "./terminal.ts";

function openFolder(world: World) {
  const terminal = openTerminal("", world.env);
  const folder = join(terminal.folder, "shop");
  mkdirSync(folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const at = (path: string) => join(folder, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const run = async (verb: string, ...args: readonly string[]) => {
    world.requests();
    const own = verb === "pull" ? ["--cwd", "shop"] : ["-C", "shop", "--stack", "live"];
    const ran = await terminal.run(verb, ...own, ...args);
    return { ...ran, writes: world.requests().filter((line) => !line.startsWith("GET ")) };
  };
  return {
    ...{ terminal, at, write, run },
    read: (path: string) => readFileSync(at(path), "utf8"),
    /** @returns the requests that wrote */
    succeed: async (verb: string, ...args: readonly string[]) => {
      const { code, stdout, stderr, writes } = await run(verb, ...args);
      expect(code, stdout + stderr).toBe(0);
      return { stdout, writes: writes.map((line) => line.replace(/\d+/g, "N")) };
    },
  };
}

const binary = Buffer.from([137, 80, 250, 255, 0]);

async function openTheme() {
  const world = await openWorld();
  const [main] = world.rows("theme");
  const make = async (type: string, name: string, content: string | Buffer) => {
    const body = typeof content === "string" ? { content } : { attachment: content.toString("base64") };
    const one = { themeId: main?.id, type: `Asset::${type}`, name, ...body };
    return (await world.client.assets.create(one as never)) as { readonly id: number };
  };
  return { world, make, edit: (id: number, set: object) => world.edit({ kind: "asset", id, set }) };
}

campaignTest.each(storyForms)(
  "a pulled theme is a folder that later pulls, accept and a second shop go by: %s",
  async (_how, plugins) => {
    const { world, make, edit } = await openTheme();
    const { terminal, at, read, write, run, succeed } = openFolder(world);
    const card = await make("Snippet", "card.liquid", "<i>one</i>\r\n<i>two</i>\r\n");
    const old = await make("Snippet", "old.liquid", "<i>old</i>\n");
    const gone = await make("Snippet", "gone.liquid", "<i>gone</i>");
    const price = await make("Snippet", "цена.liquid", "{{ x }}");
    await make("Media", "logo.png", binary);
    for (const name of ["Shop.css", "shop.css", "my(1).css"]) await make("Media", name, `/* ${name} */`);
    await succeed("pull", "assets");
    appendFileSync(at("Pulumi.yaml"), plugins);
    expect(read("themes.ts")).toContain(
      'new ThemeFolder("main", { themeId: main.id, folder: "themes/main", adopt: "key" });\n',
    );
    expect(read("themes/main/snippets/цена.liquid")).toBe("{{ x }}");
    expect(readFileSync(at("themes/main/media/logo.png"))).toEqual(binary);
    // Two names that some disks can't tell apart, and an invalid name, become resources of their own.
    expect(read("assets.ts").match(/(?<=file: ")[^"]+/g)).toEqual([
      "assets/main/media/shop.css",
      "assets/main/media/my-1-.css",
    ]);
    // The component is no object of the shop.
    expect((await succeed("preview")).stdout).not.toMatch(/ThemeFolder .*to create/);
    expect((await succeed("up", "--yes", "--skip-preview")).writes).toEqual([]);
    await succeed("preview", "--expect-no-changes");

    // The user's files stay, edits of staff are pulled.
    write(
      "themes.ts",
      read("themes.ts").replace('adopt: "key" }', 'adopt: "key", ignore: ["media/*.map"] }'),
    );
    write("themes/main/snippets/own.liquid", "<i>own</i>");
    write("themes/main/media/a.map", "{}");
    const hand = read("themes.ts");
    await edit(card.id, { content: "<i>one</i>\n<i>2</i>\n" });
    await world.edit({ kind: "asset", id: gone.id, delete: true });
    await edit(old.id, { name: "newer.liquid", content: "<i>newer</i>\n" });
    await edit(price.id, { name: "preis.liquid" });
    await make("Snippet", "staff.liquid", "<i>staff</i>");
    const asked = await run("pull", "assets");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(
      /themes\/main\/snippets\/card\.liquid[\s\S]*snippets\/gone\.liquid[\s\S]*nothing was written/,
    );
    const { stdout } = await succeed("pull", "assets", "--force");
    expect(stdout).toContain(
      "themes/main: kept files that the shop doesn't have: snippets/own.liquid, media/a.map",
    );
    expect(read("themes.ts")).toBe(hand);
    expect(readdirSync(at("themes/main/snippets"))).toEqual(
      ["card", "newer", "own", "preis", "product_card", "staff"].map((name) => `${name}.liquid`),
    );
    expect((await succeed("up", "--yes", "--skip-preview")).writes).toEqual([
      "POST /admin/themes/N/assets.xml",
    ]);
    await succeed("preview", "--refresh", "--expect-no-changes");

    // accept: an edit, a delete and a new file; a rename is named with the file.
    await edit(card.id, { content: "<i>one</i>\n<i>22</i>\n" });
    const staff = world.rows("asset").find(({ name }) => name === "staff.liquid");
    await world.edit({ kind: "asset", id: staff?.id, delete: true });
    await edit(old.id, { name: "newest.liquid" });
    await make("Snippet", "later.liquid", "<i>later</i>");
    const accepted = await run("accept", "--all", "--yes", "--force");
    expect(accepted.code, accepted.all).toBe(2);
    expect(accepted.stdout).toContain(
      'themes/main/snippets/newer.liquid:1  Asset main/snippets/newer.liquid: name: "newer.liquid" => "newest.liquid" (rename the file to newest.liquid)',
    );
    expect(readdirSync(at("themes/main/snippets"))).toEqual(
      ["card", "later", "newer", "own", "preis", "product_card"].map((name) => `${name}.liquid`),
    );
    expect(read("themes/main/snippets/card.liquid")).toContain("<i>22</i>");
    const { stdout: shown } = await run("preview");
    expect(shown).toMatch(/= Asset +main\/snippets\/later\.liquid +to adopt/);
    expect(shown).toMatch(/~ Asset +main\/snippets\/newer\.liquid +to update \[name\]\s/);
    expect(shown).toMatch(/Resources:\n.*1 to update\n.*1 to adopt\n/);

    // Another shop has some of the files: those are adopted, the others created.
    const other = await openWorld();
    write("Pulumi.live.yaml", "config: {}\n");
    Object.assign(terminal.env, other.env);
    write("Pulumi.staging.yaml", JSON.stringify({ config: { "shop:url": other.url } }));
    const staging = ["-C", "shop", "--stack", "staging"];
    const made = await terminal.run("up", ...staging, "--yes", "--skip-preview");
    expect(made.code, made.all).toBe(0);
    expect(other.requests().filter((line) => line.startsWith("POST "))).toHaveLength(9);
    expect(other.requests().filter((line) => line.startsWith("PUT "))).toEqual([]);
    const same = await terminal.run("preview", ...staging, "--expect-no-changes");
    expect(same.code, same.all).toBe(0);
  },
);

test("a theme that an earlier pull wrote file by file stays so, in every later pull", async () => {
  const { world, make, edit } = await openTheme();
  const { at, read, write, run, succeed } = openFolder(world);
  const [main] = world.rows("theme");
  for (const { id } of world.rows("asset")) await world.edit({ kind: "asset", id, delete: true });
  const card = await make("Snippet", "card.liquid", "<i>one</i>\n");
  await succeed("pull", "coupons");
  write(
    "assets.ts",
    `import { Asset } from "pulumi-shop";
import { adopt } from "./adopt.ts";

new Asset("card", {
  themeId: ${main?.id},
  type: "Asset::Snippet",
  name: "card.liquid",
  file: "assets/main/snippet/card.liquid",
  adopt: adopt("Asset", "card"),
});
`,
  );
  write("index.ts", 'import "./assets.ts";\n');
  write("assets/main/snippet/card.liquid", "<i>one</i>\n");
  write("adopt.live.json", JSON.stringify({ Asset: { card: String(card.id) } }));
  expect((await succeed("up", "--yes", "--skip-preview")).writes).toEqual([]);
  await edit(card.id, { content: "<i>1</i>\n" });
  await make("Snippet", "staff.liquid", "<i>staff</i>");
  await succeed("pull", "assets", "--force");
  expect(read("assets/main/snippet/card.liquid")).toBe("<i>1</i>\n");
  expect(read("assets.ts")).toMatch(/new Asset\("card"[\s\S]*new Asset\("staff-liquid"/);
  await make("Snippet", "later.liquid", "<i>later</i>");
  await succeed("pull", "assets", "--new");
  expect(read("assets-2.ts")).toContain('new Asset("later-liquid"');
  expect(readdirSync(at("."))).not.toContain("themes.ts");
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.stdout, up.stderr).toMatch(/2 adopted\n +1 unchanged/);
  expect(up.writes).toEqual([]);
});

test("pull --new before the first up counts only the files that it adds", async () => {
  const { world, make } = await openTheme();
  const { read, write, run, succeed } = openFolder(world);
  await succeed("pull", "assets");
  write("themes/main/templates/index.liquid", "<h1>mine</h1>");
  await make("Snippet", "late.liquid", "<i>late</i>");
  for (const count of [1, 0]) {
    const { stdout } = await run("pull", "assets", "--new", "--json", "--force");
    expect(JSON.parse(stdout).objects).toEqual({ assets: count });
  }
  expect(read("themes/main/templates/index.liquid")).toBe("<h1>mine</h1>");
});
