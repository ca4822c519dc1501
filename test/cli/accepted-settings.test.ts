// Several accepts of a theme's settings: a checkout that lacks some of them is told which values it would put back.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const file = "own_data.json";
const settings = (values: object) =>
  JSON.stringify({ current: { colour: "red", font: "serif", size: 1, own: 1, ...values } }, undefined, 2);
const program = `import { Asset, getThemeOutput } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new Asset("settings", { themeId, type: "Asset::Configuration", name: "${file}", file: "${file}" });
`;
const unmerged = (name: string, ours: unknown, staffs: unknown) =>
  `current.${name} puts back: ${JSON.stringify(ours)}, staff: ${JSON.stringify(staffs)} (accepted, but not in this program)`;

test.each(storyForms)(
  "accepted settings that a checkout lacks stay marked after a refresh has read a later edit: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openScene(program, plugins);
    terminal.warnings.push(/ reverts? (edits of staff|changes of) /);
    const edit = (values: object) =>
      world.edit({ kind: "asset", where: { name: file }, set: { content: settings(values) } });
    const preview = async (values: object) => {
      terminal.write(file, settings(values));
      return (await terminal.done("preview", "--diff")).stdout;
    };
    terminal.write(file, settings({}));
    await terminal.done("up", "--yes", "--skip-preview");
    for (const values of [{ colour: "green" }, { colour: "green", font: "sans" }]) {
      await edit(values);
      await terminal.done("accept", "--all", "--yes", "--force");
    }
    await edit({ colour: "green", font: "sans", size: 5 });
    await terminal.done("refresh", "--yes");

    const [colour, font] = [unmerged("colour", "red", "green"), unmerged("font", "serif", "sans")];
    const later = "current.size puts back: 1, staff: 5\n";
    const [none, first] = [await preview({ own: 2 }), await preview({ colour: "green", own: 2 })];
    for (const line of [colour, font, later, "current.own: 1 => 2"]) expect(none).toContain(line);
    expect(first).not.toContain("current.colour");
    for (const line of [font, later, "current.own: 1 => 2"]) expect(first).toContain(line);
    const all = await preview({ colour: "green", font: "sans", own: 2 });
    expect(all).toMatch(/edit of staff: .*current\.size 5 → 1 /);

    terminal.write(file, settings({ own: 2 }));
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read(file)).toBe(settings({ colour: "green", font: "sans", size: 5, own: 2 }));
  },
);
