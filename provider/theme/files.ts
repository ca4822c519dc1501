/** A theme as files: which folder and name make which type (platform-facts: folders of a theme). */

import { type FileType, folders } from "../names/theme-folder.ts";

export type { FileType };

export interface ThemeFile {
  readonly type: FileType;
  readonly name: string;
  /** Undefined where it is no text, or nobody has read it: the file is there, and that is all. */
  readonly text: string | undefined;
  /** Where a person finds it; its folder and name when left out. */
  readonly path?: string | undefined;
  /** Bytes, where the text isn't there to be measured. */
  readonly size?: number | undefined;
}

/** The type of what lies in a folder of a theme: what is in none of the three others is media. */
export const typeIn = (folder: string): FileType =>
  (Object.hasOwn(folders, folder) ? folders[folder] : undefined) ?? "Asset::Media";

const folderOf = (type: FileType): string =>
  Object.keys(folders).find((folder) => folders[folder] === type) ?? "media";

/** How messages name a file. */
export const pathOf = ({ type, name, path }: Pick<ThemeFile, "type" | "name" | "path">): string =>
  path ?? `${folderOf(type)}/${name}`;
