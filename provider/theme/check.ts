/**
 * Checks a theme for mistakes before shoppers see them. It reads only the files that it is given: a folder, or those of a
 * plan.
 */
import { gitConflictIn } from "../../engine/common/git-conflict.ts";
import { didYouMean, nearest } from "../../engine/common/nearest.ts";
import { withoutLiquid } from "../names/theme-folder.ts";
import { layouts, objects, templates } from "./dialect.ts";
import { isSource, pathOf, type ThemeFile } from "./files.ts";
import { type Finding, findingOf, type Mistake } from "./finding.ts";
import { jsonMistake } from "./json.ts";
import { type Reference, readLiquid, type Source } from "./liquid.ts";
import { settingsMistakes, unknownMessages, unknownSettings } from "./settings.ts";

/** A file that exists; its content doesn't matter. */
type There = Pick<ThemeFile, "type" | "name">;

/** Maximum bytes of a source; the embedded shop renders as many characters. */
const largestSource = 1_000_000;
/** Maximum bytes of any file: the client's limit for uploads. */
const largestFile = 64 * 1024 * 1024;

interface Checked {
  readonly of: ThemeFile;
  readonly source: Source | undefined;
  readonly mistakes: readonly Mistake[];
}

/**
 * Checks the files of a theme, including references between them.
 * @param beyond other files of the theme in the shop; undefined if unknown
 * @param where the place that was searched, for messages
 */
export function checkTheme(
  files: readonly ThemeFile[],
  beyond?: readonly There[],
  where = beyond === undefined ? "among these files" : "here or in the shop",
): readonly Finding[] {
  const checked = files.map(checkedOnce);
  const theme = { ...openTheme(checked, beyond), where };
  // The first file by path: a plan may have its files in any order.
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

/** Checks one file alone; its references may exist elsewhere. */
export function checkFile(file: ThemeFile): readonly Finding[] {
  const { source, mistakes } = checkAlone(file);
  // Snippets may show the page: only a layout without snippets certainly lacks it.
  const lost =
    source?.references.some(({ type }) => type === "Asset::Snippet") === false
      ? lostPage(file, openTheme([{ of: file, source, mistakes }]))
      : [];
  return [...mistakes, ...lost].map((mistake) => findingOf(pathOf(file), file.text ?? "", mistake));
}

/** A cache: a check at each save passes the unchanged files again. */
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
  const size = text === undefined ? (file.size ?? 0) : Buffer.byteLength(text);
  const most = isSource(file) ? largestSource : largestFile;
  if (size > most) {
    mistakes.push(tooLarge(size, most));
    return { of: file, source: undefined, mistakes };
  }
  if (text === undefined) {
    if (isSource(file) && file.size !== undefined) mistakes.push(noText);
    return { of: file, source: undefined, mistakes };
  }
  mistakes.push(...unmergedMistakes(text));
  if (type === "Asset::Configuration") mistakes.push(...jsonMistakes(name, text));
  const isLiquid = type === "Asset::Template" || type === "Asset::Snippet" || name.endsWith(".liquid");
  if (!isLiquid) return { of: file, source: undefined, mistakes };
  if (text.startsWith("\ufeff")) mistakes.push(byteOrderMark);
  const source = readLiquid(text);
  return { of: file, source, mistakes: [...mistakes, ...source.mistakes] };
}

const noText: Mistake = {
  rule: "not-text",
  severity: "error",
  at: 0,
  message:
    "the file isn't text in UTF-8, or contains control characters such as NUL: pages would show it garbled, or not at all",
  fix: "save it as UTF-8 without them",
};

const byteOrderMark: Mistake = {
  rule: "byte-order-mark",
  severity: "warning",
  at: 0,
  message:
    "the file starts with a byte order mark: pages get it as an invisible character, which can add a blank line",
  fix: "save it as UTF-8 without BOM",
};

function unmergedMistakes(text: string): readonly Mistake[] {
  const at = gitConflictIn(text);
  if (at === undefined) return [];
  return [
    {
      ...{ rule: "unmerged" as const, severity: "error" as const, at },
      message: "an unresolved merge conflict",
      fix: "keep the lines that you want, and remove <<<<<<<, =======, >>>>>>>",
    },
  ];
}

const tooLarge = (size: number, most: number): Mistake => ({
  rule: "too-large",
  severity: "error",
  at: 0,
  message: `the file has ${size.toLocaleString("en")} bytes, more than ${most.toLocaleString("en")}`,
  fix: "split it, or load the large part from its own address",
});

/** A page, product, collection, blog or article may have a template of its own. */
const ownTemplate = /^(page|product|collection|blog|article)\.[^.]+$/;

function nameMistakes({ type, name }: ThemeFile): readonly Mistake[] {
  if (name === "" || /[\s/\\@\p{Cc}]/u.test(name))
    return [
      {
        rule: "bad-name",
        severity: "error",
        at: 0,
        message: `invalid name ${JSON.stringify(name)}: it can't contain blanks or @, nor /, because a theme's folders have no subfolders`,
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
      fix: `rename it${near === "" ? " to a template of the platform" : near.replace(/\?$/, ".liquid?")}; call a page of your own page.<name>.liquid, and put parts that templates include into snippets/`,
    },
  ];
}

function jsonMistakes(name: string, text: string): readonly Mistake[] {
  if (!name.endsWith(".json") && name !== "settings_data") return [];
  // Themes without a setup have an empty file.
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

/** The effect of a configuration that isn't JSON. */
const lostWith = [
  ["settings_data", "no page gets the theme's settings"],
  ["settings", "the back office shows no settings of the theme"],
  ["messages", "no page gets its messages"],
] as const;

/** The name under which other files refer to it: snippets with or without ending, style sheets and scripts as compiled. */
function servedAs({ type, name }: There): string {
  const plain = withoutLiquid(name);
  if (type !== "Asset::Media") return `${type} ${plain}`;
  return `${type} ${plain.replace(/\.(scss|less)$/, ".css").replace(/\.(coffee|ts|jsx)$/, ".js")}`;
}

const byPath = (one: ThemeFile, other: ThemeFile) => (pathOf(one) < pathOf(other) ? -1 : 1);

/** @param places the first file with each name */
function sameNames(file: ThemeFile, places: ReadonlyMap<string, ThemeFile>): readonly Mistake[] {
  const first = places.get(servedAs(file));
  if (first === undefined || first === file) return [];
  return [
    {
      rule: "same-name",
      // Some working themes keep a source beside its compiled style sheet.
      severity: file.type === "Asset::Media" ? "warning" : "error",
      at: 0,
      message: `${pathOf(first)} has the same place in the theme: only one of them is used`,
      fix: "remove one of them, or rename it",
    },
  ];
}

type Theme = ReturnType<typeof openTheme>;

/** The files of a theme and their includes. */
function openTheme(checked: readonly Checked[], beyond?: readonly There[]) {
  const all = [...checked.map(({ of }) => of), ...(beyond ?? [])];
  const there = new Set(all.map(servedAs));
  const snippets = all.flatMap(({ type, name }) => (type === "Asset::Snippet" ? [withoutLiquid(name)] : []));
  const sources = new Map(checked.map((one) => [servedAs(one.of), one] as const));
  const includers = new Map<string, Checked[]>();
  for (const one of checked)
    for (const { type, name } of one.source?.references ?? [])
      if (type === "Asset::Snippet") {
        const key = servedAs({ type: "Asset::Snippet", name });
        includers.set(key, includers.get(key) ?? []);
        includers.get(key)?.push(one);
      }
  return {
    has: (type: There["type"], name: string) => there.has(servedAs({ type, name })),
    sources,
    snippets,
    /** Variables that any of its sources assigns. */
    variables: new Set(checked.flatMap(({ source }) => [...(source?.variables ?? [])])),
    /** The templates that include a file, also indirectly. */
    pagesOf: (file: ThemeFile) => {
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

/** Warns about unknown objects that look like a misspelled one. */
function unknownObjects({ objects: uses, variables }: Source, theme: Theme): readonly Mistake[] {
  return uses.flatMap(({ name, at }) => {
    // Short names are similar by chance, and a snippet may receive an object under its own name.
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
        message: `nothing assigns ${name} here, so it is empty`,
        fix: `correct the name (did you mean ${near}?), or assign it`,
      },
    ];
  });
}

/** In `{% include card %}`, `card` is a variable. If nothing assigns it, the snippet is meant. */
function unquotedSnippets({ unquoted }: Source, theme: Theme): readonly Mistake[] {
  return unquoted
    .filter(
      ({ name }) => theme.has("Asset::Snippet", name) && !theme.variables.has(name) && !objects.has(name),
    )
    .map(({ name, at }) => ({
      ...{ rule: "missing-snippet" as const, severity: "error" as const, at },
      message: `without quotation marks ${name} is a variable that nothing assigns, so the snippet isn't included`,
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

/** A layout without the page's content: all pages of the shop would look the same. */
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
  // A file that can't be read may show it.
  if (found?.source === undefined) return theme.has(file.type, file.name);
  if (found.source.showsPage || found.source.mistakes.some(({ severity }) => severity === "error"))
    return true;
  return found.source.references
    .filter(({ type }) => type === "Asset::Snippet")
    .some(({ name }) => mayShowPage({ type: "Asset::Snippet", name }, theme, seen));
}
