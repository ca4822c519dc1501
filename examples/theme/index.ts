/** A theme alone: each file under theme/ becomes a file of the shop's published theme. */
import { getThemeOutput, ThemeFolder } from "pulumi-shop";

const published = getThemeOutput({ published: true });

const theme = new ThemeFolder("theme", {
  themeId: published.id,
  folder: "theme",
  ignore: ["media/*.map"],
  // An earlier version created the files in a loop, named after their paths. Those resources become part of the folder.
  formerNames: ({ path }) => path,
});

export const title = published.title;
export const files = Object.values(theme.assets).map(({ humanReadableName }) => humanReadableName);
