/** A theme alone: each file under theme/ becomes a file of the shop's published theme. */
import { readdirSync } from "node:fs";
import { Asset, getThemeOutput } from "pulumi-shop";

const types = {
  templates: "Asset::Template",
  snippets: "Asset::Snippet",
  media: "Asset::Media",
  config: "Asset::Configuration",
} as const;

const theme = getThemeOutput({ published: true });

const assets = Object.entries(types).flatMap(([folder, type]) =>
  readdirSync(`${import.meta.dirname}/theme/${folder}`)
    .sort()
    .map(
      (name) =>
        new Asset(`${folder}/${name}`, { themeId: theme.id, type, name, file: `theme/${folder}/${name}` }),
    ),
);

export const published = theme.apply(({ title }) => title);
export const files = assets.map(({ humanReadableName }) => humanReadableName);
