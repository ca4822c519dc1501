import * as pulumi from "@pulumi/pulumi";
import { Asset, type File, getThemeOutput, type PriceKind } from "pulumi-shop";
import type { Settings } from "./settings.ts";
import type { ThemeFile } from "./theme-files.ts";

/** Values that only the program knows. The shop assigns two of them when it creates the objects. */
export interface ThemeValues {
  readonly settings: Settings;
  readonly sizeChart: File;
  readonly careCard: File;
  readonly wholesale: PriceKind;
}

/** New files in the shop's published theme. Each has a new name, so no file is overwritten. */
export function createTheme(
  files: readonly ThemeFile[],
  values: ThemeValues,
): {
  readonly title: pulumi.Output<string | undefined>;
  readonly assets: readonly Asset[];
} {
  const theme = getThemeOutput({ published: true });
  const fromFiles = files.map(
    ({ type, name, path }) => new Asset(path, { themeId: theme.id, type, name, file: path }),
  );
  const written = new Asset("sf-values", {
    themeId: theme.id,
    type: "Asset::Snippet",
    name: "sf-values.liquid",
    content: valuesSnippet(values),
  });
  return { title: theme.apply(({ title }) => title), assets: [...fromFiles, written] };
}

/** Variables for the other files: {% include 'sf-values' %}. */
function valuesSnippet({ settings, sizeChart, careCard, wholesale }: ThemeValues): pulumi.Output<string> {
  return pulumi.interpolate`{% comment %} Written by theme.ts of the shop's program: edits here are undone. {% endcomment %}
{% assign sf_season = "${settings.season}" %}
{% capture sf_banner %}${settings.banner}{% endcapture %}
{% assign sf_size_chart = "${sizeChart.absoluteUrl}" %}
{% assign sf_care_card = "${careCard.absoluteUrl}" %}
{% assign sf_wholesale_price = "${wholesale.variantPriceMethodName}" %}
`;
}
