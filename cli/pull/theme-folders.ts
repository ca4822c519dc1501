/** A theme as pull writes it: its files in a folder, and one component that states them all. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Surveyed, shownText } from "../../provider/inventory/index.ts";
import {
  type FolderFile,
  folders,
  isLeftover,
  themeFilesIn,
  withoutLiquid,
} from "../../provider/names/theme-folder.ts";
import type { KnownKind } from "./known.ts";
import type { PulledFolder } from "./module.ts";
import { fileName, folderName, numberedFile, openNames } from "./names.ts";
import type { Naming, Pulled, Written } from "./resources.ts";
import type { StatedFolder } from "./stated-folders.ts";

/** What of a kind's objects stands in folders, and what doesn't. */
export interface Placed {
  /** Components that no module states yet. */
  readonly folders: readonly PulledFolder[];
  readonly rest: readonly Surveyed[];
}

/**
 * Writes the files of themes into folders. What can't stand in one stays a resource of its own, and so do the files of a theme
 * that the program has one by one.
 */
export function writeFolders(pulled: Pulled, naming: Naming, written: Written): Placed {
  const { definition, objects, known } = pulled;
  const field = definition.fields.themeId;
  if (definition.body?.theme === undefined || field === undefined) return { folders: [], rest: objects };
  const themes = Map.groupBy(objects, ({ seen }) => String(seen.themeId));
  const names = openNames(known.components);
  const made: PulledFolder[] = [];
  const rest: Surveyed[] = [];
  for (const [theme, all] of themes) {
    const before = known.folderOf(theme);
    const { files, others } = placed(all, (one) => before === "single" || known.isSingle(one.id));
    rest.push(...others);
    if (before === "single" || files.size === 0) continue;
    const themeId = all[0]?.seen.themeId;
    const label = naming.holders(field, themeId)?.label ?? theme;
    const wish = themes.size === 1 ? "theme" : `themes/${folderName(label)}`;
    const folder = before?.folder ?? freeFolder(naming.home, wish, files);
    for (const [path, content] of files) {
      // What an earlier pull has put there may be edited by now.
      if (known.adds && before !== undefined && existsSync(join(naming.home, folder, path))) continue;
      written.files.set(`${folder}/${path}`, content);
      written.paths.add(`${folder}/${path}`.toLowerCase());
    }
    if (before === undefined)
      made.push({ name: names(label), theme, args: { themeId, folder, adopt: "key" } });
    else if (!known.adds) removeOthers({ ...naming, known }, before, files, written);
  }
  return { folders: made, rest };
}

type Contents = ReadonlyMap<string, string | Buffer>;

/** The files by their paths in the folder; and those for which it has no place. */
function placed(
  objects: readonly Surveyed[],
  isSingle: (one: Surveyed) => boolean,
): { readonly files: Contents; readonly others: readonly Surveyed[] } {
  const files = new Map<string, string | Buffer>();
  const others: Surveyed[] = [];
  const places = new Set<string>();
  for (const one of objects) {
    const { type, name } = one.seen;
    const [part] = Object.entries(folders).find(([, own]) => own === type) ?? [];
    const content = shownText(one.seen) ?? one.bytes;
    const isFile =
      !isSingle(one) &&
      part !== undefined &&
      typeof name === "string" &&
      fileName(name) === name &&
      !isLeftover(`${part}/${name}`) &&
      (typeof content === "string" || Buffer.isBuffer(content));
    // No disk tells `A` from `a` for everybody, and no theme a snippet with its ending from one without.
    const place = `${part}/${withoutLiquid(String(name).toLowerCase())}`;
    if (!isFile || places.has(place)) {
      others.push(one);
      continue;
    }
    places.add(place);
    files.set(`${part}/${name}`, content);
  }
  return { files, others };
}

const filesAt = (place: string): readonly FolderFile[] =>
  Object.keys(folders).some((part) => existsSync(join(place, part))) ? themeFilesIn(place) : [];

/** A folder in which no other file would become one of the theme's. */
function freeFolder(home: string, wish: string, files: Contents): string {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? wish : numberedFile(wish, number);
    const isFree = filesAt(join(home, folder)).every(({ path }) => {
      const content = files.get(path);
      return content !== undefined && readFileSync(join(home, folder, path)).equals(Buffer.from(content));
    });
    if (isFree) return folder;
  }
}

/** What the shop had and has no more would be made again if it stayed in the folder; what it never had is somebody's. */
function removeOthers(
  { home, known }: { readonly home: string; readonly known: KnownKind },
  { name, folder }: StatedFolder,
  files: Contents,
  written: Written,
): void {
  const others = filesAt(join(home, folder)).filter(({ path }) => !files.has(path));
  const gone = others.filter(({ path }) => known.hasMade(`${name}/${path}`));
  written.removed.push(...gone.map(({ path }) => `${folder}/${path}`));
  const own = others.filter((one) => !gone.includes(one)).map(({ path }) => path);
  if (own.length > 0)
    written.notices.push(`${folder}: stays, and the shop doesn't have it: ${own.join(", ")}`);
}
