/**
 * Pages whose templates fail, though each file by itself is right: rendered by an embedded shop of what the project has, without
 * a request. What only a shop has is empty here.
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
import { addressesOf } from "./addresses.ts";
import type { Planned } from "./objects.ts";
import type { Mistake } from "./pages.ts";
import { rowOf } from "./rows.ts";
import { openShops } from "./shops.ts";

/** Products that pages are tried with; a catalogue is no theme. */
const mostProducts = 20;
const sample = {
  title: "Sample",
  permalink: "sample",
  variants: [{ id: 1, sku: "SAMPLE", price: 1, quantity: 1, options: [] }],
};

const made = (definition: Planned["definition"], after: Values): Planned => ({
  definition,
  id: undefined,
  before: undefined,
  after,
  asked: after,
  isTouched: false,
});

export const isAsset = ({ definition }: Planned): boolean => definition === definitions.assets;

/** A theme's file, as an object of a plan has it. */
export const sourceOf = (values: Values, folder: string): ThemeFile =>
  themeFileOf(values, textOf(values, folder));

/** Renders the pages of the templates that these objects touch. @param folder the program's */
export async function failingPages(objects: readonly Planned[], folder: string): Promise<readonly Finding[]> {
  const kept = objects.flatMap(({ after, ...one }) => (after === undefined ? [] : [{ ...one, after }]));
  // A theme that the program is yet to find has no number.
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
      // Each of the others would take as long.
      if (found.some(isEndless)) break;
      const { mistake } = (await shops.after.shop.look(path)) ?? {};
      if (mistake === undefined) continue;
      // What fails of files that stay as they are is no news; of those that change nothing is known before.
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

/** Pages of a theme that fail although no file of theirs is wrong by itself. @param known what is wrong with files */
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
  // Which snippet a template names by what a shop has nobody knows here.
  return named.filter(
    ({ path, message }) => !wrong.has(path) && !/: (ENOENT|illegal file path)/.test(message),
  );
}

/** What is missing is missing in many files, and two files may have one place: the first has it. */
const onePerPlace = (files: readonly Planned[]): readonly Planned[] => [
  ...new Map(
    files.toReversed().map((one) => {
      const { themeId, type, name } = one.after ?? {};
      return [`${themeId} ${type} ${withoutLiquid(String(name).toLowerCase())}`, one] as const;
    }),
  ).values(),
];

/** Where a page is cut that has no end is by chance, and each page around it is cut elsewhere. */
const isEndless = ({ message }: Pick<Finding, "message">) => message.includes("too large");

/** A mistake of a snippet once, and not for each of its pages. */
export const distinct = (found: readonly Finding[]): readonly Finding[] =>
  [
    ...new Map(
      found.toReversed().map((one) => [isEndless(one) ? "endless" : `${one.path}:${one.line}`, one]),
    ).values(),
  ].toReversed();

/** A page's mistake, at its place in the file. */
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
