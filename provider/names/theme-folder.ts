/** A theme as a folder of the project: what lies in templates, snippets, config and media, and nothing else. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** What a theme's file is, in the platform's words. */
export type FileType = "Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration";

/** The type of the component that has a theme's folder. */
export const themeFolderType = "shop:theme:ThemeFolder";

/** Whether a resource is a file of such a component. @param urn or the name that a provider is told, which has its parents' types */
export const isInThemeFolder = (urn: unknown): boolean => String(urn).includes(`${themeFolderType}$`);

export interface FolderFile {
  readonly type: FileType;
  readonly name: string;
  /** From the theme's folder, with slashes. */
  readonly path: string;
}

export const folders: Readonly<Record<string, FileType>> = {
  templates: "Asset::Template",
  snippets: "Asset::Snippet",
  config: "Asset::Configuration",
  media: "Asset::Media",
};

/** A name without the ending that the platform takes a file with and without. */
export const withoutLiquid = (name: unknown): string => String(name).replace(/\.liquid$/, "");

// What editors, git and systems leave beside a file.
const leftovers = "*/4913 */Thumbs.db */desktop.ini **~ **#*# **.tmp **.sw? **.bak **.orig **.rej **___jb_*"
  .split(" ")
  .map(patternOf);

/** Whether no theme means a file of this path: an editor or a system has left it. */
export const isLeftover = (path: string): boolean => leftovers.some((pattern) => pattern.test(path));

/**
 * The files of a theme's folder, by path. Hidden files and leftovers are left out, and so are those that a pattern matches; a folder
 * inside of a folder is named like a file with a slash, which no theme has.
 * @param ignore patterns of paths from the folder, like `media/*.map`
 * @throws Error where there is no theme in the folder
 */
export function themeFilesIn(folder: string, ignore: readonly string[] = []): readonly FolderFile[] {
  const found = Object.entries(folders).flatMap(([part, type]) =>
    entriesOf(join(folder, part)).flatMap((entry): readonly FolderFile[] => {
      if (!entry.isDirectory()) return [{ type, name: entry.name, path: `${part}/${entry.name}` }];
      return entriesOf(join(folder, part, entry.name)).map(({ name }) => ({
        type,
        name: `${entry.name}/${name}`,
        path: `${part}/${entry.name}/${name}`,
      }));
    }),
  );
  const ignored = ignore.map(patternOf);
  const kept = found.filter(
    ({ path }) => !isLeftover(path) && !ignored.some((pattern) => pattern.test(path)),
  );
  if (kept.length > 0) return kept;
  throw new Error(`there is no theme in ${folder}: its files lie in ${whereFiles}`);
}

/** Sources of pages that lie beside the theme's folders, where nothing reads them. */
export function filesBeside(folder: string, ignore: readonly string[] = []): readonly string[] {
  const ignored = ignore.map(patternOf);
  return entriesOf(folder)
    .filter(({ name }) => !Object.hasOwn(folders, name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? entriesOf(join(folder, entry.name)).map(({ name }) => `${entry.name}/${name}`)
        : [entry.name],
    )
    .filter((path) => path.endsWith(".liquid") && !ignored.some((pattern) => pattern.test(path)));
}

/** Where a theme's files belong, for messages. */
export const whereFiles = Object.keys(folders)
  .map((part) => `${part}/`)
  .join(", ");

/** A pattern of paths: * is anything but a slash, ** anything, ? one character. */
function patternOf(pattern: string): RegExp {
  const pieces = pattern.split(/(\*\*|\*|\?)/).map((part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${pieces.join("")}$`, "u");
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
