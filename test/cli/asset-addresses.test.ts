// The address at which the shop serves a file of a theme, as another resource uses it.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (
  colour: string,
  name = "shop.js",
) => `import { Asset, getThemeOutput, JsTag } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
const { assetUrl } = new Asset("script", { themeId, type: "Asset::Media", name: "${name}", content: "colour = '${colour}'" });
new JsTag("tag", { type: "JsTag::FileTag", name: "note", content: assetUrl.apply((path) => \`https://shop.example\${path}\`) });
new Asset("note", { themeId, type: "Asset::Snippet", name: "note.liquid", content: "Hi" });
`;
const home = "backend/.pulumi/stacks/user/dev.json";

test.each(storyForms)(
  "the address of a theme's file is the shop's after an edit, a rename and a refresh: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openScene(program("red"), plugins);
    const served = async () => {
      const [theme] = world.rows("theme").filter((row) => row.is_published);
      const [script] = world
        .rows("asset")
        .filter((row) => row.type === "Asset::Media" && /\.js$/.test(String(row.name)));
      const read = await world.ask("GET", `/admin/themes/${theme?.id}/assets/${script?.id}.xml`);
      return `https://shop.example${/<asset_url>(.*)<\/asset_url>/.exec(await read.text())?.[1]}`;
    };
    for (const next of [program("red"), program("blue"), program("blue", "new.js")]) {
      terminal.write("index.ts", next);
      await terminal.done("up", "--yes");
      expect(world.rows("js_tag")).toMatchObject([{ content: await served() }]);
      const state = terminal.read(home);
      await terminal.done("refresh", "--yes");
      const outputs = (text: string) =>
        JSON.parse(text).checkpoint.latest.resources.map((one: { readonly outputs?: object }) => one.outputs);
      expect(outputs(terminal.read(home))).toEqual(outputs(state));
    }
  },
);
