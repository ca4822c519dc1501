// A template that staff and the program edit: both edits are kept, and a conflict shows the lines.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const program = (theme: unknown) => `import { Asset } from "pulumi-shop";
new Asset("footer", { themeId: ${theme}, type: "Asset::Snippet", name: "notes.liquid", file: "notes.liquid" });
`;
const page = (first: string, last: string) => `${first}\n${"<p>words</p>\n".repeat(6)}\n${last}\n`;

test.each(storyForms)(
  "a state that knows no lines never makes staff's the base of a merge: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const terminal = openTerminal(program(world.rows("theme")[0]?.id), world.env, plugins);
    const drift = terminal.read("Pulumi.dev.yaml").replace("config: {}", "config:\n  shop:drift: keep");
    terminal.write("Pulumi.dev.yaml", drift);
    terminal.write("notes.liquid", page("<h1>1</h1>", "<i>1</i>"));
    const run = (...args: readonly string[]) => terminal.dev(...args, "--yes");
    expect((await run("up")).code).toBe(0);
    // As an earlier version, which kept no lines, left it.
    const state = "backend/.pulumi/stacks/user/dev.json";
    terminal.write(
      state,
      terminal
        .read(state)
        .replaceAll(/"__lines":"[^"]*",?/g, "")
        .replaceAll(",}", "}"),
    );
    const shown = () => world.rows("asset").find(({ name }) => name === "notes.liquid");
    const theirs = page("<h1>by staff</h1>", "<i>1</i>");
    await world.edit({ kind: "asset", id: shown()?.id, set: { content: theirs } });
    expect((await run("refresh")).code).toBe(0);
    terminal.write("notes.liquid", page("<h1>1</h1>", "<i>2</i>"));
    const { code, stdout } = await run("up");
    expect(shown()?.content, stdout).toBe(theirs);
    expect([code, stdout]).toEqual([1, expect.stringContaining("Conflicts:")]);
  },
);

test.each(storyForms)(
  "edits in different places of one template are both kept: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const terminal = openTerminal(program(world.rows("theme")[0]?.id), world.env, plugins);
    const shown = () => world.rows("asset").find(({ name }) => name === "notes.liquid");
    const run = async (command: string, first: string, last: string, ...more: readonly string[]) => {
      terminal.write("notes.liquid", page(first, last));
      world.requests();
      const { code, all } = await terminal.dev(command, ...(command === "up" ? ["--yes"] : []), ...more);
      return {
        code,
        text: all,
        writes: world.requests().filter((line) => !line.startsWith("GET")),
      };
    };
    const staff = (first: string, last: string) =>
      world.edit({ kind: "asset", id: shown()?.id, set: { content: page(first, last) } });

    expect((await run("up", "<h1>1</h1>", "<i>1</i>")).code).toBe(0);
    await staff("<h1>by staff</h1>", "<i>1</i>");
    const plan = await run("preview", "<h1>1</h1>", "<i>2</i>", "--diff");
    expect(plan.text).toContain("changed in the shop since the last run and kept: content (other lines)");
    expect(plan.text).toMatch(/- <i>1<\/i>\n +\+ <i>2<\/i>/);
    expect(plan.text).not.toMatch(/[-+] <h1>/);
    const up = await run("up", "<h1>1</h1>", "<i>2</i>");
    expect([up.code, up.writes.length]).toEqual([0, 1]);
    expect(shown()?.content).toBe(page("<h1>by staff</h1>", "<i>2</i>"));

    // The same the next time, compared with the last values; an equal edit isn't sent.
    await staff("<h1>by staff, twice</h1>", "<i>3</i>");
    const next = await run("up", "<h1>1</h1>", "<i>3</i>");
    expect([next.code, next.writes]).toEqual([0, []]);
    expect((await run("up", "<h1>1</h1>", "<i>4</i>")).code).toBe(0);
    expect(shown()?.content).toBe(page("<h1>by staff, twice</h1>", "<i>4</i>"));

    // The same lines are a conflict, and nothing is sent.
    const clash = await run("up", "<h1>2</h1>", "<i>4</i>");
    expect([clash.code, clash.writes]).toEqual([1, []]);
    expect(clash.text).toContain("- <h1>by staff, twice</h1>");
    expect((await run("up", "<h1>2</h1>", "<i>4</i>", "--overwrite", "footer")).code).toBe(0);
    expect(shown()?.content).toBe(page("<h1>2</h1>", "<i>4</i>"));
  },
);

campaignTest.each(storyForms)(
  "blocks that staff and the program change, add and move in settings are both kept, and accept writes staff's: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const theme = world.rows("theme")[0]?.id;
    const terminal = openTerminal(
      `import { Asset } from "pulumi-shop";
new Asset("own", { themeId: ${theme}, type: "Asset::Configuration", name: "settings_own.json", file: "own.json" });
`,
      world.env,
    );
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
    const block = (id: string, title: string) => ({ id, title });
    const text = (...blocks: readonly object[]) => `${JSON.stringify({ page: { blocks } }, undefined, 2)}\n`;
    const shown = () => world.rows("asset").find(({ name }) => name === "settings_own.json");
    const run = async (command: string, ...more: readonly string[]) => {
      const { code, all } = await terminal.dev(command, ...more);
      return { code, text: all };
    };
    terminal.write("own.json", text(block("hero", "Hi"), block("list", "All")));
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);

    const byStaff = text(block("list", "All"), block("hero", "Hi"), block("news", "News"));
    await world.edit({ kind: "asset", id: shown()?.id, set: { content: byStaff } });
    terminal.write("own.json", text(block("hero", "Hello"), block("list", "All")));
    const plan = await run("preview");
    expect(plan.text).toContain('page.blocks[hero].title: "Hi" => "Hello"');
    expect(plan.text).toMatch(/kept: .*page\.blocks\[news\]\.title/s);
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    const both = text(block("list", "All"), block("hero", "Hello"), block("news", "News"));
    expect(shown()?.content).toBe(both);

    const later = both.replace("News", "Fresh news");
    await world.edit({ kind: "asset", id: shown()?.id, set: { content: later } });
    const accepted = await run("accept", "own", "--yes", "--force");
    expect(accepted.code, accepted.text).toBe(0);
    expect(terminal.read("own.json")).toBe(later);
    expect((await run("preview", "--expect-no-changes")).code).toBe(0);

    // If both change one value, nothing is written.
    await world.edit({ kind: "asset", id: shown()?.id, set: { content: later.replace("Hello", "Hey") } });
    terminal.write("own.json", later.replace("Hello", "Welcome"));
    const refused = await run("up", "--yes");
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining("page.blocks[hero].title")]);
    expect(shown()?.content).toContain("Hey");
  },
);

test.each(storyForms)(
  "the preview of an adoption shows how texts and settings change, as that of an update does; hideDiffs hides them: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const themeId = Number(world.rows("theme")[0]?.id);
    const make = (type: "Asset::Snippet" | "Asset::Configuration", name: string, content: string) =>
      world.client.assets.create({ themeId, type, name, content });
    await make("Asset::Snippet", "notes.liquid", "one\ntwo\n");
    await make("Asset::Snippet", "quiet.liquid", "hush\n");
    await make("Asset::Configuration", "colours.json", '{"link":{"colour":"red"},"size":1}');
    await world.client.coupons.create({ code: "SALE", discount: 10, typeId: 1 });
    const terminal = openTerminal(
      `import { Asset, Coupon } from "pulumi-shop";
const own = { themeId: ${themeId}, type: "Asset::Snippet", adopt: "key" };
new Asset("notes", { ...own, name: "notes.liquid", file: "notes.liquid" });
new Asset("quiet", { ...own, name: "quiet.liquid", file: "quiet.liquid" }, { hideDiffs: ["file"] });
new Asset("colours", { ...own, type: "Asset::Configuration", name: "colours.json", file: "colours.json" });
new Coupon("sale", { code: "SALE", discount: { percent: 20 }, adopt: "key" });
`,
      world.env,
      plugins,
    );
    terminal.write("notes.liquid", "one\nzwei\n");
    terminal.write("quiet.liquid", "secretive\n");
    terminal.write("colours.json", '{"link":{"colour":"blue"},"size":1}');
    const { stdout } = await terminal.done("preview", "--diff");
    expect(stdout).toMatch(/- two\n +\+ zwei/);
    expect(stdout).toContain('~ link.colour: "red" => "blue"');
    expect(stdout).toContain("~ discount: 10 % => 20 %");
    expect(stdout).not.toMatch(/hush|secretive/);
  },
);
