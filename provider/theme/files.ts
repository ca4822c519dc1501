/** The files of a theme: their folders, names and types (platform-facts: folders of a theme). */

import { type FileType, folders } from "../names/theme-folder.ts";

export type { FileType };

export interface ThemeFile {
  readonly type: FileType;
  readonly name: string;
  /** Undefined if it isn't text or wasn't read. */
  readonly text: string | undefined;
  /** The path for messages; default: folder and name. */
  readonly path?: string | undefined;
  /** Size in bytes, if the text wasn't read. */
  readonly size?: number | undefined;
}

/** Whether the platform compiles the file, so that it must be text. */
export const isSource = ({ type, name }: Pick<ThemeFile, "type" | "name">): boolean =>
  type !== "Asset::Media" || name.endsWith(".liquid");

/** A file's path for messages. */
export const pathOf = ({ type, name, path }: Pick<ThemeFile, "type" | "name" | "path">): string =>
  path ?? `${Object.keys(folders).find((folder) => folders[folder] === type) ?? "media"}/${name}`;
