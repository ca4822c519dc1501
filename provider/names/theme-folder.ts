/** A theme as a folder of the project, with the folders templates, snippets, config and media. */
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../engine/common/record.ts";

/** The types of a theme's files, as the platform names them. */
export type FileType = "Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration";

export const themeFolderType = "shop:theme:ThemeFolder";

/** Whether a resource belongs to a ThemeFolder. @param urn or an owner, which contains its parents' types */
export const isInThemeFolder = (urn: unknown): boolean => String(urn).includes(`${themeFolderType}$`);

/** The name of the ThemeFolder that has a file's resource: `theme` of `theme/media/shop.css`. */
export const folderOfFile = (name: string): string => name.split("/").slice(0, -2).join("/");

export interface FolderFile {
  readonly type: FileType;
  readonly name: string;
  /** Relative to the theme's folder, with slashes. */
  readonly path: string;
}

export const folders: Readonly<Record<string, FileType>> = {
  templates: "Asset::Template",
  snippets: "Asset::Snippet",
  config: "Asset::Configuration",
  media: "Asset::Media",
};

/** The types in the order in which their files are sent: first those that others include or name. */
export const sendingOrder: readonly FileType[] = [
  "Asset::Media",
  "Asset::Snippet",
  "Asset::Configuration",
  "Asset::Template",
];

/** The name without `.liquid`: the platform accepts both. */
export const withoutLiquid = (name: unknown): string => String(name).replace(/\.liquid$/, "");

// Leftovers of editors, git and operating systems.
const leftovers = "*/4913 */Thumbs.db */desktop.ini **~ **#*# **.tmp **.sw? **.bak **.orig **.rej **___jb_*"
  .split(" ")
  .map(patternOf);

export const isLeftover = (path: string): boolean => leftovers.some((pattern) => pattern.test(path));

/**
 * The files of a theme's folder, sorted by path, without hidden files, leftovers and ignored ones. A file in a deeper folder
 * gets a name with a slash, which no theme has.
 * @param ignore patterns of relative paths, such as `media/*.map`
 * @throws Error if the folder contains no theme
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
  throw new Error(noThemeText(folder));
}

/** Why a folder has no files of a theme: it is an archive, or the theme is in a folder inside or beside it. */
export function noThemeText(folder: string): string {
  const wanted = `name the folder that contains ${whereFiles}`;
  if (/\.(zip|rar|7z|tar|tgz|gz)$/i.test(folder)) return `${folder} is an archive: unpack it, and ${wanted}`;
  const near = [folder, ...(existsSync(folder) ? [] : [dirname(folder)])]
    .flatMap((place) => entriesOf(place).map(({ name }) => join(place, name)))
    .find((place) => entriesOf(join(place, "templates")).length > 0);
  return `there is no theme in ${folder}: ${wanted}${near === undefined ? "" : `, such as ${near}`}`;
}

/** Sources beside the theme's folders, where they have no effect. */
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

/** The theme's folders, for messages. */
export const whereFiles = Object.keys(folders)
  .map((part) => `${part}/`)
  .join(", ");

/** Converts a pattern: * is anything but a slash, ** anything, ? one character. */
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
    const code = isRecord(error) ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return [];
    throw error;
  }
}
