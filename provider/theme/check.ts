/**
 * What is wrong with a theme, before shoppers see it. It reads files that are given, and nothing else: the command gives
 * it a folder, the provider what a plan writes.
 */
import { didYouMean, nearest } from "../../engine/pulumi/nearest.ts";
import { withoutLiquid } from "../names/theme-folder.ts";
import { layouts, objects, templates } from "./dialect.ts";
import { pathOf, type ThemeFile } from "./files.ts";
import { type Finding, findingOf, type Mistake } from "./finding.ts";
import { jsonMistake } from "./json.ts";
import { type Reference, readLiquid, type Source } from "./liquid.ts";
import { settingsMistakes, unknownMessages, unknownSettings } from "./settings.ts";

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
  // The first by path: a plan has its files in the order in which they were looked at.
  const places = new Map(
    files
      .toSorted(byPath)
      .toReversed()
      .map((file) => [servedAs(file), file] as const),
  );
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
              ...unknownMessages(source.messages, files),
              ...unknownObjects(source, theme),
              ...unquotedSnippets(source, theme),
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
  if (text === undefined) {
    if (isSource && file.size !== undefined) mistakes.push(noText);
    return { of: file, source: undefined, mistakes };
  }
  mistakes.push(...unmergedMistakes(text));
  if (type === "Asset::Configuration") mistakes.push(...jsonMistakes(name, text));
  const isLiquid = type === "Asset::Template" || type === "Asset::Snippet" || name.endsWith(".liquid");
  if (!isLiquid) return { of: file, source: undefined, mistakes };
  const source = readLiquid(text);
  return { of: file, source, mistakes: [...mistakes, ...source.mistakes] };
}

const noText: Mistake = {
  rule: "not-text",
  severity: "error",
  at: 0,
  message: "the file isn't text in UTF-8: pages would show it garbled, or not at all",
  fix: "save it in UTF-8",
};

/** What git leaves where two sides changed the same lines. */
function unmergedMistakes(text: string): readonly Mistake[] {
  const at = text.search(/^<{7} .*$(?=[\s\S]*^={7}\r?$[\s\S]*^>{7} )/m);
  if (at === -1) return [];
  return [
    {
      ...{ rule: "unmerged" as const, severity: "error" as const, at },
      message: "a conflict of a merge isn't resolved here",
      fix: "keep the lines that you want, and remove <<<<<<<, =======, >>>>>>>",
    },
  ];
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
  const plain = withoutLiquid(name);
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
  // A theme that sets nothing up has such a file.
  if (text === "" && name === "setup.json") return [];
  const found = jsonMistake(text);
  if (found === undefined) return settingsMistakes(name, text);
  const lost = lostWith.find(([file]) => name.startsWith(file))?.[1];
  return [
    {
      rule: "json",
      severity: "error",
      at: Math.min(found.at, text.trimEnd().length),
      message: `invalid JSON: expected ${found.expected}`,
      fix: `correct this place${lost === undefined ? "" : `; ${lost} otherwise`}`,
    },
  ];
}

/** What a theme does without where its configuration is no JSON. */
const lostWith = [
  ["settings_data", "the theme's settings are lost to every page"],
  ["settings", "the back office shows no settings of the theme"],
  ["messages", "every page is without its messages"],
] as const;

/** What others call the file: a snippet with or without its ending, a style sheet or script by what it is compiled to. */
function servedAs({ type, name }: There): string {
  const plain = withoutLiquid(name);
  if (type !== "Asset::Media") return `${type} ${plain}`;
  return `${type} ${plain.replace(/\.(scss|less)$/, ".css").replace(/\.(coffee|ts|jsx)$/, ".js")}`;
}

const byPath = (one: ThemeFile, other: ThemeFile) => (pathOf(one) < pathOf(other) ? -1 : 1);

/** @param places the first file of each */
function sameNames(file: ThemeFile, places: ReadonlyMap<string, ThemeFile>): readonly Mistake[] {
  const first = places.get(servedAs(file));
  if (first === undefined || first === file) return [];
  return [
    {
      rule: "same-name",
      // Themes that keep a style sheet beside what it is compiled to show their pages.
      severity: file.type === "Asset::Media" ? "warning" : "error",
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
  readonly snippets: readonly string[];
  /** Names that any of its sources makes. */
  readonly variables: ReadonlySet<string>;
  /** Templates that show a file, by way of snippets. */
  readonly pagesOf: (file: ThemeFile) => readonly string[];
}

const snippetKey = (name: string) => servedAs({ type: "Asset::Snippet", name });

function openTheme(checked: readonly Checked[], beyond?: readonly There[]): Theme {
  const all = [...checked.map(({ of }) => of), ...(beyond ?? [])];
  const there = new Set(all.map(servedAs));
  const snippets = all.flatMap(({ type, name }) => (type === "Asset::Snippet" ? [withoutLiquid(name)] : []));
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
    snippets,
    variables: new Set(checked.flatMap(({ source }) => [...(source?.variables ?? [])])),
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
    .map((one) => missingFile(one, theme.pagesOf(file), theme));
}

/** Objects that nothing gives: only those that look like one that something does. */
function unknownObjects({ objects: uses, variables }: Source, theme: Theme): readonly Mistake[] {
  return uses.flatMap(({ name, at }) => {
    // Short names are alike by chance, and a snippet that is given an object has it under its own name.
    if (
      name.length < 4 ||
      objects.has(name) ||
      theme.variables.has(name) ||
      theme.has("Asset::Snippet", name)
    )
      return [];
    const near = nearest(name, [...variables, ...objects], 1);
    if (near === undefined || near.startsWith(name)) return [];
    return [
      {
        ...{ rule: "unknown-object" as const, severity: "warning" as const, at },
        message: `nothing gives ${name} here: it is empty`,
        fix: `correct the name (did you mean ${near}?), or assign it`,
      },
    ];
  });
}

/** `{% include card %}` includes what the variable card names; where nobody makes one, the snippet is meant. */
function unquotedSnippets({ unquoted }: Source, theme: Theme): readonly Mistake[] {
  return unquoted
    .filter(
      ({ name }) => theme.has("Asset::Snippet", name) && !theme.variables.has(name) && !objects.has(name),
    )
    .map(({ name, at }) => ({
      ...{ rule: "missing-snippet" as const, severity: "error" as const, at },
      message: `without quotation marks ${name} is a variable, and nothing gives it: the snippet isn't included`,
      fix: `write "${name}"`,
    }));
}

const mostPages = 5;

function missingFile(
  { type, name, at }: Reference,
  pages: readonly string[],
  { where, snippets }: Theme & { readonly where: string },
): Mistake {
  const last = name.split("/").at(-1) ?? name;
  const shown = pages.slice(0, mostPages).join(", ") + (pages.length > mostPages ? " and others" : "");
  if (type === "Asset::Snippet")
    return {
      rule: "missing-snippet",
      severity: "error",
      at,
      message: `there is no snippet ${name} ${where}${shown === "" ? "" : `: ${shown} will fail`}`,
      fix: `add snippets/${withoutLiquid(last)}.liquid, or correct the name${didYouMean(last, snippets)}`,
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
