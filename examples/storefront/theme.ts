import * as pulumi from "@pulumi/pulumi";
import { Asset, type File, getThemeOutput, type PriceKind } from "pulumi-shop";
import type { Settings } from "./settings.ts";
import type { ThemeFile } from "./theme-files.ts";

/** Values that only the program knows, among them two that the shop gives when it makes the objects. */
export interface ThemeValues {
  readonly settings: Settings;
  readonly sizeChart: File;
  readonly careCard: File;
  readonly wholesale: PriceKind;
}

/** Our files beside those that the shop's published theme came with: every name is new, so nothing is overwritten. */
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

/** What the other files read, as variables: {% include 'sf-values' %}. */
function valuesSnippet({ settings, sizeChart, careCard, wholesale }: ThemeValues): pulumi.Output<string> {
  return pulumi.interpolate`{% comment %} Written by theme.ts of the shop's program: edits here are undone. {% endcomment %}
{% assign sf_season = "${settings.season}" %}
{% capture sf_banner %}${settings.banner}{% endcapture %}
{% assign sf_size_chart = "${sizeChart.absoluteUrl}" %}
{% assign sf_care_card = "${careCard.absoluteUrl}" %}
{% assign sf_wholesale_price = "${wholesale.variantPriceMethodName}" %}
`;
}
