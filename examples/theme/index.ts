/** A theme alone: each file under theme/ becomes a file of the shop's published theme. */
import { getThemeOutput, ThemeFolder } from "pulumi-shop";

const published = getThemeOutput({ published: true });

const theme = new ThemeFolder("theme", {
  themeId: published.id,
  folder: "theme",
  ignore: ["media/*.map"],
  // Before ThemeFolder a loop made the files, under their paths: the state's resources move in.
  formerNames: ({ path }) => path,
});

export const title = published.title;
export const files = Object.values(theme.assets).map(({ humanReadableName }) => humanReadableName);
