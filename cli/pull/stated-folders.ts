/** Components with folders of themes that a program states, and which of them a pull has written. */

import { themeFolderType } from "../../provider/names/theme-folder.ts";
import type { ManagedObject } from "../../runs/command.ts";

/** What the component is called in a program, and in what a pull keeps of it. */
export const folderClass = themeFolderType.split(":").at(-1) ?? "";

/** A component as a program states it. */
export interface StatedFolder {
  readonly name: string;
  readonly folder: string;
}

/** The components that a program's text states with literals. */
function foldersIn(text: string): readonly StatedFolder[] {
  const pattern = new RegExp(
    `\\bnew (?:\\w+\\.)?${folderClass}\\(\\s*["'\`]([^"'\`]+)["'\`](?:(?!\\bnew\\s)[\\s\\S])*?\\bfolder["']?:\\s*["'\`]([^"'\`]+)["'\`]`,
    "g",
  );
  return [...text.matchAll(pattern)].map(([, name = "", folder = ""]) => ({
    name,
    folder: folder.replace(/^\.\/|\/+$/g, ""),
  }));
}

/** The component whose file a resource is: what stands before the file's path. */
const componentOf = (name: string): string => name.split("/").slice(0, -2).join("/");

export interface KnownFolders {
  readonly names: readonly string[];
  /** Whether a resource is a file of a component that a pull has written. */
  have(name: string): boolean;
  /** The component that has a theme's files. */
  of(theme: string): StatedFolder | undefined;
}

/** @param pulled themes by the name that their component got in a pull */
export function openFolders(
  texts: readonly string[],
  pulled: Readonly<Record<string, string>>,
  held: readonly ManagedObject[],
): KnownFolders {
  const stated = texts.flatMap(foldersIn);
  const themes = new Set(Object.values(pulled));
  // Whoever gives it another name in the program has its files in the state under that.
  const named = new Map([
    ...Object.entries(pulled),
    ...held.flatMap(({ id, name }) => {
      const [theme = ""] = id.split("/");
      return themes.has(theme) ? [[componentOf(name), theme] as const] : [];
    }),
  ]);
  const own = stated.filter(({ name }) => named.has(name));
  return {
    names: stated.map(({ name }) => name),
    have: (name) => own.some((one) => one.name === componentOf(name)),
    of: (theme) => own.find(({ name }) => named.get(name) === theme),
  };
}
