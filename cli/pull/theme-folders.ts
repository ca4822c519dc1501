/** Pulls themes into folders, with one component per theme. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ShopObject, shownText } from "../../provider/inventory/index.ts";
import {
  type FolderFile,
  folders,
  isLeftover,
  themeFilesIn,
  withoutLiquid,
} from "../../provider/names/theme-folder.ts";
import { fileName, folderName, freePath, openNames } from "./code.ts";
import type { ExistingKind, StatedFolder } from "./existing-program.ts";
import type { PulledFolder } from "./module-text.ts";
import type { Naming, Pulled, Written } from "./resources.ts";

/**
 * Writes the files of themes into folders. Files that can't be in a folder, and themes whose files the program
 * declares one by one, become single resources.
 */
export function writeFolders(pulled: Pulled, naming: Naming, written: Written) {
  const { definition, objects, known, found } = pulled;
  const field = definition.fields.themeId;
  if (definition.body?.theme === undefined || field === undefined)
    return { folders: [], rest: objects, count: 0 };
  const themes = Map.groupBy(objects, ({ seen }) => String(seen.themeId));
  const names = openNames(known.components);
  const made: PulledFolder[] = [];
  const rest: ShopObject[] = [];
  let count = 0;
  for (const [theme, all] of themes) {
    const before = known.folderOf(theme, found);
    const { files, others } = placeFiles(all, (one) => before === "single" || known.isSingle(one.id));
    rest.push(...others);
    if (before === "single" || files.size === 0) continue;
    const themeId = all[0]?.seen.themeId;
    const label = naming.holders(field, themeId)?.label ?? theme;
    const wish = themes.size === 1 ? "theme" : `themes/${folderName(label)}`;
    const folder = before?.folder ?? freeFolder(naming.home, wish, files);
    for (const [path, content] of files) {
      // The file may have been edited since.
      if (known.adds && before !== undefined && existsSync(join(naming.home, folder, path))) continue;
      count += 1;
      written.files.set(`${folder}/${path}`, content);
      written.paths.add(`${folder}/${path}`.toLowerCase());
    }
    if (before === undefined)
      made.push({ name: names(label), theme, args: { themeId, folder, adopt: "key" } });
    else if (!known.adds) removeOthers({ ...naming, known }, before, files, written);
  }
  return { folders: made, rest, count };
}

type Contents = ReadonlyMap<string, string | Buffer>;

/** The files by path in the folder, and the objects that can't be in it. */
function placeFiles(
  objects: readonly ShopObject[],
  isSingle: (one: ShopObject) => boolean,
): { readonly files: Contents; readonly others: readonly ShopObject[] } {
  const files = new Map<string, string | Buffer>();
  const others: ShopObject[] = [];
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
    // Some file systems ignore case, and a theme ignores a snippet's ending.
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

/** A folder without files that would become part of the theme. */
const freeFolder = (home: string, wish: string, files: Contents) =>
  freePath(wish, (folder) =>
    filesAt(join(home, folder)).every(({ path }) => {
      const content = files.get(path);
      return content !== undefined && readFileSync(join(home, folder, path)).equals(Buffer.from(content));
    }),
  );

/**
 * Removes files that were deleted in the shop, because up would create them again. Files that the shop never had
 * stay.
 */
function removeOthers(
  { home, known }: { readonly home: string; readonly known: ExistingKind },
  { name, folder }: StatedFolder,
  files: Contents,
  written: Written,
): void {
  const others = filesAt(join(home, folder)).filter(({ path }) => !files.has(path));
  const gone = others.filter(({ path }) => known.hasMade(`${name}/${path}`));
  written.removed.push(...gone.map(({ path }) => `${folder}/${path}`));
  const own = others.filter((one) => !gone.includes(one)).map(({ path }) => path);
  if (own.length > 0)
    written.notices.push(`${folder}: kept files that the shop doesn't have: ${own.join(", ")}`);
}
