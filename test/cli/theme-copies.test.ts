// A theme's folder as its makers meet it: staff publish a copy of the theme, upload files again, and write JSON in forms
// of their own.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (more = "") => `import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme"${more} });
`;
const adopting = program(', adopt: "key"');

campaignTest.each(storyForms)(
  "a folder moves to no theme that has its files already: the theme before stays whole, and the files of the new one are taken over on request: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(adopting, plugins);
    terminal.write("theme/snippets/care.liquid", "<p>Care</p>\n");
    terminal.write("theme/media/dot.png", Buffer.from([0xff, 0x00]));
    await terminal.done("up", "--yes", "--skip-preview");
    const own = () =>
      world.rows("asset").filter(({ name }) => ["care.liquid", "dot.png"].includes(String(name)));
    const [first, second] = world.rows("theme");
    for (const { type, name, content } of own())
      await world.client.assets.create({
        themeId: Number(second?.id),
        type: type as "Asset::Snippet",
        name: String(name),
        ...(content === null ? { attachment: "/wA=" } : { content: String(content) }),
      });
    await world.edit({ kind: "theme", id: Number(first?.id), set: { is_published: false } });
    await world.edit({ kind: "theme", id: Number(second?.id), set: { is_published: true } });
    const before = own();
    expect(before).toHaveLength(4);

    for (const verb of [["preview"], ["up", "--yes"]]) {
      const refused = await terminal.dev(...verb);
      expect(refused.code).toBe(1);
      expect(refused.all).toContain(
        "the shop has an object with this themeId, type, name already, and a replacement adopts none: " +
          'to manage that one and leave the old one, run state remove theme, and set adopt: "key"',
      );
      expect(own()).toEqual(before);
    }
    const removed = await terminal.done("state", "remove", "theme");
    expect(removed.stdout).toBe(
      "removed theme, with 2 below it, from the state of dev; the shop is unchanged\n",
    );
    const taken = await terminal.done("up", "--yes");
    expect(taken.stdout).toContain("= 2 adopted");
    expect(own()).toEqual(before);
    terminal.write("theme/snippets/care.liquid", "<p>Dry</p>\n");
    await terminal.done("up", "--yes");
    const now = own().map(({ theme_id, content }) => [theme_id, content]);
    expect(now).toContainEqual([first?.id, "<p>Care</p>\n"]);
    expect(now).toContainEqual([second?.id, "<p>Dry</p>\n"]);
  },
);

campaignTest("accept takes over what staff uploaded again, without a word of names and numbers", async () => {
  const { world, terminal } = await openScene(program());
  terminal.write("theme/snippets/care.liquid", "<p>Care</p>\n");
  await terminal.done("up", "--yes", "--skip-preview");
  const [row] = world.rows("asset").filter(({ name }) => name === "care.liquid");
  const again = { themeId: Number(row?.theme_id), type: "Asset::Snippet", name: "care.liquid" } as const;
  await world.client.assets.remove({ themeId: again.themeId, id: Number(row?.id) });
  const { id } = await world.client.assets.create({ ...again, content: "<p>Again</p>\n" });
  const accepted = await terminal.done("accept", "--all", "--yes", "--force");
  expect(accepted.stdout).toContain(
    `Asset theme/snippets/care.liquid: made again by staff, with the id ${id}\n`,
  );
  expect(accepted.stdout).not.toContain("Not written");
  expect(terminal.read("theme/snippets/care.liquid")).toBe("<p>Again</p>\n");
  await terminal.done("preview", "--expect-no-changes");
});

const mark = "\ufeff";
test.each([
  ["is a list", "[1, 2]\n", "[2,1]"],
  ["has a byte order mark", `${mark}{ "a": 1 }\n`, '{"a":2}'],
  ["has more settings than are compared one by one", long(1), long(2, 0)],
])(
  "accept writes the shop's own text of a JSON file that %s, and nothing is sent back",
  async (_what, ours, theirs) => {
    const { world, terminal } = await openScene(program());
    terminal.write("theme/config/own.json", ours);
    await terminal.done("up", "--yes", "--skip-preview");
    await world.edit({ kind: "asset", where: { name: "own.json" }, set: { content: theirs } });
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("theme/config/own.json")).toBe(theirs);
    await terminal.done("preview", "--expect-no-changes");
  },
);

function long(value: number, indent = 2): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`s${n}`, value])),
    null,
    indent,
  );
}
