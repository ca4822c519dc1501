import { Asset, getThemeOutput } from "pulumi-shop";

const theme = getThemeOutput({ published: true });
new Asset("about", {
  themeId: theme.id,
  type: "Asset::Template",
  name: "page.about.liquid",
  content: "<h1>{{ page.title }}</h1>\n",
});
