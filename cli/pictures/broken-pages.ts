/**
 * Finds pages that fail although each file is valid by itself: an embedded shop renders them from the project
 * alone, without requests.
 */
import {
  checkTheme,
  type Finding,
  findingOf,
  pathOf,
  type ThemeFile,
  textOf,
  themeFileOf,
  type Values,
} from "../../provider/inventory/index.ts";
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openShops } from "./before-after-shops.ts";
import type { PlannedObject } from "./objects.ts";
import type { Mistake } from "./pages.ts";
import { addressesOf } from "./pages.ts";
import { rowOf } from "./rows.ts";

/** The number of products to render pages with. */
const mostProducts = 20;
const sample = {
  title: "Sample",
  permalink: "sample",
  variants: [{ id: 1, sku: "SAMPLE", price: 1, quantity: 1, options: [] }],
};

const made = (definition: PlannedObject["definition"], after: Values): PlannedObject => ({
  definition,
  id: undefined,
  before: undefined,
  after,
  asked: after,
  isTouched: false,
});

export const isAsset = ({ definition }: PlannedObject): boolean => definition === definitions.assets;

export const sourceOf = (values: Values, folder: string): ThemeFile =>
  themeFileOf(values, textOf(values, folder));

/** Renders the pages of changed templates. @param folder the program's folder */
export async function failingPages(
  objects: readonly PlannedObject[],
  folder: string,
): Promise<readonly Finding[]> {
  const kept = objects.flatMap(({ after, ...one }) => (after === undefined ? [] : [{ ...one, after }]));
  // The theme's id isn't known yet if the program looks it up.
  const files = kept.filter((one) => isAsset(one) && typeof one.after.themeId === "number");
  const products = kept
    .filter(({ definition }) => definition === definitions.products)
    .slice(0, mostProducts);
  const themes = [...new Set(files.map(({ after }) => after.themeId))];
  const sources = files.map(({ after }) => ({ themeId: after.themeId, source: sourceOf(after, folder) }));
  const lacking = themes.flatMap((themeId) =>
    checkTheme(
      sources.flatMap((one) => (one.themeId === themeId ? [one.source] : [])),
      [],
    ).flatMap(({ lacks }) => (lacks === undefined ? [] : [{ ...lacks, themeId, content: "" }])),
  );
  const all = [
    ...onePerPlace([...files, ...lacking.map((one) => made(definitions.assets, one))]),
    ...(products.length > 0 ? products : [made(definitions.products, sample)]),
  ];
  const collections = [{ id: 1, title: "All", permalink: "all" }];
  const rows = themes.map((id) => ({
    id,
    title: String(id),
    isPublished: themes.length === 1,
    isMobile: false,
  }));
  const beside = { account: {}, collections, themes: rows, products: [], files: [] };
  const { shops, touched } = openShops(all, [], beside, {
    ...{ transport: undefined, url: "https://shop.example", folder },
    onMissing: () => {},
  });
  try {
    const around = { collections: collections.map(rowOf), themes: rows.map(rowOf) };
    const found: Finding[] = [];
    for (const { path, title } of addressesOf(shops, around, touched).pages) {
      // Every other page would take as long.
      if (found.some(isEndless)) break;
      const { mistake } = (await shops.after.shop.look(path)) ?? {};
      if (mistake === undefined) continue;
      // A page that fails before the plan, too, is no news.
      const before = (await shops.before.shop.look(path))?.mistake;
      if (before?.source !== mistake.source || before.message !== mistake.message)
        found.push(
          findingIn(
            title,
            mistake,
            sources.map(({ source }) => source),
          ),
        );
    }
    return distinct(found);
  } finally {
    for (const { shop } of Object.values(shops)) shop.close();
  }
}

/** Finds pages of a theme that fail although no file has an error. @param known findings of single files */
export async function brokenTogether(
  files: readonly ThemeFile[],
  known: readonly Finding[],
): Promise<readonly Finding[]> {
  const objects = files.map(({ type, name, text = "" }) => ({
    ...made(definitions.assets, { themeId: 1, type, name, content: text }),
    isTouched: true,
  }));
  const wrong = new Set(known.flatMap(({ severity, path }) => (severity === "error" ? [path] : [])));
  const failing = await failingPages(objects, "");
  const named = failing.map((finding) => {
    const { path = finding.path } =
      files.find(({ type, name }) => pathOf({ type, name }) === finding.path) ?? {};
    return { ...finding, path };
  });
  // Without a shop, the names of included files may be unknown.
  return named.filter(
    ({ path, message }) => !wrong.has(path) && !/: (ENOENT|illegal file path)/.test(message),
  );
}

/** One file per place in the theme; the first wins. */
const onePerPlace = (files: readonly PlannedObject[]): readonly PlannedObject[] => [
  ...new Map(
    files.toReversed().map((one) => {
      const { themeId, type, name } = one.after ?? {};
      return [`${themeId} ${type} ${withoutLiquid(String(name).toLowerCase())}`, one] as const;
    }),
  ).values(),
];

/** An endless page is cut at a random place. */
const isEndless = ({ message }: Pick<Finding, "message">) => message.includes("too large");

/** One finding per mistake, not per page. */
export const distinct = (found: readonly Finding[]): readonly Finding[] =>
  [
    ...new Map(
      found.toReversed().map((one) => [isEndless(one) ? "endless" : `${one.path}:${one.line}`, one]),
    ).values(),
  ].toReversed();

export function findingIn(title: string, mistake: Mistake, files: readonly ThemeFile[]): Finding {
  const { message, line, column, source: name } = mistake;
  const found = files.find((one) => one.name === name && one.type !== "Asset::Media");
  const text = found?.text ?? "";
  const start =
    text
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + (line > 1 ? 1 : 0);
  return findingOf(found === undefined ? name : pathOf(found), text, {
    rule: "page-fails",
    severity: "error",
    at: start + column - 1,
    message: `${title} fails: ${message}`,
    fix: "correct this place; theme dev shows the page",
  });
}
