/**
 * What is wrong with a theme, before shoppers see it. It reads files that are given, and nothing else: the command gives
 * it a folder, the provider what a plan writes.
 */
import { didYouMean } from "../../pulumi/nearest.ts";
import { layouts, templates } from "./dialect.ts";
import { pathOf, type ThemeFile } from "./files.ts";
import { type Finding, findingOf, type Mistake } from "./finding.ts";
import { jsonMistake } from "./json.ts";
import { type Reference, readLiquid, type Source } from "./liquid.ts";
import { settingsMistakes, unknownSettings } from "./settings.ts";

/** A file that is there, whatever is in it. */
type There = Pick<ThemeFile, "type" | "name">;

/** Bytes of a source beyond which nothing renders it in time: what the embedded shop reads at most. */
const largestSource = 1_000_000;
/** Bytes of any file beyond which the client uploads none. */
const largestFile = 64 * 1024 * 1024;

interface Checked {
  readonly of: ThemeFile;
  readonly source: Source | undefined;
  readonly mistakes: readonly Mistake[];
}

/**
 * Checks files of one theme, with each other.
 * @param beyond what the shop has beside them; undefined where nobody has looked
 * @param where it was looked, in the words of a message
 */
export function checkTheme(
  files: readonly ThemeFile[],
  beyond?: readonly There[],
  where = beyond === undefined ? "among these files" : "here or in the shop",
): readonly Finding[] {
  const checked = files.map(checkedOnce);
  const theme = { ...openTheme(checked, beyond), where };
  const places = new Map(files.toReversed().map((file) => [servedAs(file), file] as const));
  return checked
    .flatMap(({ of: file, source, mistakes }) =>
      [
        ...mistakes,
        ...sameNames(file, places),
        ...(source === undefined
          ? []
          : [
              ...missing(file, source, theme),
              ...lostPage(file, theme),
              ...unknownSettings(source.settings, files),
            ]),
      ].map((mistake) => findingOf(pathOf(file), file.text ?? "", mistake)),
    )
    .toSorted((one, other) =>
      one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line,
    );
}

/** Checks one file by itself: what it names may be anywhere. */
export function checkFile(file: ThemeFile): readonly Finding[] {
  const { source, mistakes } = checkAlone(file);
  // With its snippets unseen, only a layout without any has surely lost its page.
  const lost =
    source?.references.some(({ type }) => type === "Asset::Snippet") === false
      ? lostPage(file, openTheme([{ of: file, source, mistakes }]))
      : [];
  return [...mistakes, ...lost].map((mistake) => findingOf(pathOf(file), file.text ?? "", mistake));
}

/** Who checks a theme at every save hands over the files that stayed as they were. */
const known = new WeakMap<ThemeFile, Checked>();

function checkedOnce(file: ThemeFile): Checked {
  const before = known.get(file);
  if (before !== undefined) return before;
  const checked = checkAlone(file);
  known.set(file, checked);
  return checked;
}

function checkAlone(file: ThemeFile): Checked {
  const { type, name, text } = file;
  const mistakes: Mistake[] = [...nameMistakes(file)];
  const isSource = type !== "Asset::Media";
  const size = text === undefined ? (file.size ?? 0) : Buffer.byteLength(text);
  const most = isSource ? largestSource : largestFile;
  if (size > most) {
    mistakes.push(tooLarge(size, most));
    return { of: file, source: undefined, mistakes };
  }
  if (text === undefined) return { of: file, source: undefined, mistakes };
  if (type === "Asset::Configuration") mistakes.push(...jsonMistakes(name, text));
  const isLiquid = type === "Asset::Template" || type === "Asset::Snippet" || name.endsWith(".liquid");
  if (!isLiquid) return { of: file, source: undefined, mistakes };
  const source = readLiquid(text);
  return { of: file, source, mistakes: [...mistakes, ...source.mistakes] };
}

const tooLarge = (size: number, most: number): Mistake => ({
  rule: "too-large",
  severity: "error",
  at: 0,
  message: `the file has ${size.toLocaleString("en")} bytes, more than ${most.toLocaleString("en")}`,
  fix: "split it, or let the page load what is large by its address",
});

/** One page, product, collection, blog or article may have a template of its own. */
const ownTemplate = /^(page|product|collection|blog|article)\.[^.]+$/;

function nameMistakes({ type, name }: ThemeFile): readonly Mistake[] {
  if (name === "" || /[\s/\\@\p{Cc}]/u.test(name))
    return [
      {
        rule: "bad-name",
        severity: "error",
        at: 0,
        message: `invalid name ${JSON.stringify(name)}: a theme's file has no blanks, / or @ in its name, and lies in no folder below`,
        fix: "rename the file",
      },
    ];
  if (type !== "Asset::Template") return [];
  const plain = name.replace(/\.liquid$/, "");
  if (name.endsWith(".liquid") && (templates.has(plain) || ownTemplate.test(plain))) return [];
  const near = didYouMean(plain, [...templates]);
  return [
    {
      rule: "unknown-template",
      severity: "warning",
      at: 0,
      message: `the platform shows no page with the template ${name}`,
      fix: `rename it${near === "" ? " to a template of the platform" : near.replace(/\?$/, ".liquid?")}; a page of your own is page.<name>.liquid, and what templates include is a snippet`,
    },
  ];
}

function jsonMistakes(name: string, text: string): readonly Mistake[] {
  if (!name.endsWith(".json") && name !== "settings_data") return [];
  const found = jsonMistake(text);
  if (found === undefined) return settingsMistakes(name, text);
  return [
    {
      rule: "json",
      severity: "error",
      at: Math.min(found.at, text.trimEnd().length),
      message: `invalid JSON: expected ${found.expected}`,
      fix: "correct this place; the theme's settings are lost to every page otherwise",
    },
  ];
}

/** What others call the file: a snippet with or without its ending, a style sheet or script by what it is compiled to. */
function servedAs({ type, name }: There): string {
  const plain = name.replace(/\.liquid$/, "");
  if (type !== "Asset::Media") return `${type} ${plain}`;
  return `${type} ${plain.replace(/\.(scss|less)$/, ".css").replace(/\.(coffee|ts|jsx)$/, ".js")}`;
}

/** @param places the first file of each */
function sameNames(file: ThemeFile, places: ReadonlyMap<string, ThemeFile>): readonly Mistake[] {
  const first = places.get(servedAs(file));
  if (first === undefined || first === file) return [];
  return [
    {
      rule: "same-name",
      severity: "error",
      at: 0,
      message: `${pathOf(first)} has the same place in the theme: only one of them is used`,
      fix: "remove one of them, or rename it",
    },
  ];
}

/** The graph of includes. */
interface Theme {
  readonly has: (type: There["type"], name: string) => boolean;
  readonly sources: ReadonlyMap<string, Checked>;
  /** Templates that show a file, by way of snippets. */
  readonly pagesOf: (file: ThemeFile) => readonly string[];
}

const snippetKey = (name: string) => servedAs({ type: "Asset::Snippet", name });

function openTheme(checked: readonly Checked[], beyond?: readonly There[]): Theme {
  const there = new Set([...checked.map(({ of }) => of), ...(beyond ?? [])].map(servedAs));
  const sources = new Map(checked.map((one) => [servedAs(one.of), one] as const));
  const includers = new Map<string, Checked[]>();
  for (const one of checked)
    for (const { type, name } of one.source?.references ?? [])
      if (type === "Asset::Snippet") {
        const key = snippetKey(name);
        includers.set(key, includers.get(key) ?? []);
        includers.get(key)?.push(one);
      }
  return {
    has: (type, name) => there.has(servedAs({ type, name })),
    sources,
    pagesOf: (file) => {
      const seen = new Set<string>();
      const pages = new Set<string>();
      const visit = (one: ThemeFile) => {
        const key = servedAs(one);
        if (seen.has(key)) return;
        seen.add(key);
        if (one.type === "Asset::Template") pages.add(one.name);
        for (const { of: next } of includers.get(key) ?? []) visit(next);
      };
      visit(file);
      return [...pages].toSorted();
    },
  };
}

function missing(
  file: ThemeFile,
  { references }: Source,
  theme: Theme & { readonly where: string },
): readonly Mistake[] {
  return references
    .filter(({ type, name }) => !theme.has(type, name))
    .map((one) => missingFile(one, theme.pagesOf(file), theme.where));
}

const mostPages = 5;

function missingFile({ type, name, at }: Reference, pages: readonly string[], where: string): Mistake {
  const shown = pages.slice(0, mostPages).join(", ") + (pages.length > mostPages ? " and others" : "");
  if (type === "Asset::Snippet")
    return {
      rule: "missing-snippet",
      severity: "error",
      at,
      message: `there is no snippet ${name} ${where}${shown === "" ? "" : `: ${shown} will fail`}`,
      fix: `add snippets/${name.replace(/\.liquid$/, "")}.liquid, or correct the name`,
      lacks: { type, name },
    };
  return {
    rule: "missing-file",
    severity: "warning",
    at,
    message: `there is no file ${name} ${where}${shown === "" ? "" : `: ${shown} will miss it`}`,
    fix: `add media/${name}, or correct the name`,
    lacks: { type, name },
  };
}

/** A layout that shows no page: every address of the shop would look the same. */
function lostPage(file: ThemeFile, theme: Theme): readonly Mistake[] {
  if (file.type !== "Asset::Template" || !layouts.has(file.name) || mayShowPage(file, theme, new Set()))
    return [];
  return [
    {
      rule: "layout-content",
      severity: "error",
      at: Math.max(0, (file.text ?? "").search(/<body\b/)),
      message:
        "the layout doesn't show the page: content_for_layout is missing, and every page would be empty",
      fix: "write {{ content_for_layout }} where the page belongs",
    },
  ];
}

function mayShowPage(file: There, theme: Theme, seen: Set<string>): boolean {
  const key = servedAs(file);
  if (seen.has(key)) return false;
  seen.add(key);
  const found = theme.sources.get(key);
  // What can't be read may show it.
  if (found?.source === undefined) return theme.has(file.type, file.name);
  if (found.source.showsPage || found.source.mistakes.some(({ severity }) => severity === "error"))
    return true;
  return found.source.references
    .filter(({ type }) => type === "Asset::Snippet")
    .some(({ name }) => mayShowPage({ type: "Asset::Snippet", name }, theme, seen));
}
