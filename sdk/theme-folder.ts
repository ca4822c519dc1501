/** A theme as a folder of the project, each file of it a resource. */
import * as pulumi from "@pulumi/pulumi";
import { isMocked } from "../engine/pulumi/sdk-internals.ts";
import { renamedFiles } from "../provider/names/renamed-files.ts";
import {
  type FileType,
  type FolderFile,
  filesBeside,
  themeFilesIn,
  themeFolderType,
  whereFiles,
  withoutLiquid,
} from "../provider/names/theme-folder.ts";
import type { AssetArgs, AssetOutputs } from "./types.ts";

/** A file of a theme's folder. */
export interface ThemeFolderFile {
  readonly type: FileType;
  /** Its name in the theme. */
  readonly name: string;
  /** Its path from the theme's folder: `templates/product.liquid`. */
  readonly path: string;
}

/** What a theme's folder is made of. */
export interface ThemeFolderArgs {
  /** The theme that the files belong to. */
  readonly themeId: pulumi.Input<number>;
  /** The folder, from the program's: with `templates/`, `snippets/`, `config/` and `media/` in it. */
  readonly folder: string;
  /** Files that are left out, as patterns of their paths: `media/*.map`. */
  readonly ignore?: readonly string[];
  /** Single files by their path: what is stated in the place of the file (its `content`, for instance), or false to leave it out. */
  readonly files?: Readonly<Record<string, Partial<AssetArgs> | false>>;
  /** Takes over the files that the theme has already, found by their type and name; without it a file that is there is refused. */
  readonly adopt?: "key";
  /** Names that a file's resource had, in this program or in a loop before it, by which the state finds it. */
  readonly formerNames?: (one: ThemeFolderFile) => string | readonly string[];
  /**
   * Files that were renamed and changed at once, new path to old one: the file keeps its id and is renamed in the shop. A file that
   * has another name, and the same content or most of its lines, is recognised without, where the stack's state is in a folder.
   */
  readonly renamed?: Readonly<Record<string, string>>;
}

type Made = pulumi.CustomResource & AssetOutputs;
type FileClass = new (name: string, args: AssetArgs, opts?: pulumi.CustomResourceOptions) => Made;

/** What a theme's folder has become. */
export interface ThemeFolderResource extends pulumi.ComponentResource {
  /** The files by their path. */
  readonly assets: Readonly<Record<string, Made>>;
}
type FolderClass = new (
  name: string,
  args: ThemeFolderArgs,
  opts?: pulumi.ComponentResourceOptions,
) => ThemeFolderResource;

/** The component, of the class that its files have. */
export const themeFolder = (ThemeFile: FileClass): FolderClass =>
  class extends pulumi.ComponentResource {
    declare readonly assets: Readonly<Record<string, Made>>;

    constructor(name: string, args: ThemeFolderArgs, opts?: pulumi.ComponentResourceOptions) {
      super(themeFolderType, name, {}, opts);
      const { folder, themeId, ignore, files = {}, renamed = {}, adopt } = args;
      if (typeof folder !== "string" || folder === "")
        throw new Error(
          `ThemeFolder "${name}": folder must be the path of the theme's folder, such as "theme"`,
        );
      const found = themeFilesIn(folder, ignore);
      refuseUnusable(found);
      for (const path of filesBeside(folder, ignore))
        pulumi.log.warn(
          `${folder}/${path} is not part of the theme: move it into one of ${whereFiles}`,
          this,
        );
      const unknown = [...Object.keys(files), ...Object.keys(renamed)].filter(
        (path) => !found.some((one) => one.path === path),
      );
      if (unknown.length > 0)
        throw new Error(
          `there is no ${unknown.join(", ")} in ${folder}, or it is ignored; files and renamed may name only files of the folder`,
        );
      const root = folder.replace(/\/+$/, "");
      const moved = isMocked(pulumi.runtime) ? {} : movedIn(name, args, found);
      this.assets = Object.fromEntries(
        found.flatMap(({ type, name: own, path }) => {
          const given = files[path] ?? { file: `${root}/${path}` };
          if (given === false) return [];
          const before = [args.formerNames?.({ type, name: own, path }) ?? []].flat();
          const old = renamed[path] ?? moved[path];
          const aliases = [
            ...(old === undefined ? [] : [{ name: `${name}/${old}` }]),
            ...before.map((one) => ({ name: one, parent: pulumi.rootStackResource })),
          ];
          const stated = { themeId, type, name: own, ...(adopt && { adopt }), ...given };
          return [[path, new ThemeFile(`${name}/${path}`, stated, { parent: this, aliases })] as const];
        }),
      );
      this.registerOutputs({});
    }
  };

/** Files that are known by their content; those that are stated otherwise have none of their own. */
function movedIn(name: string, { folder, files = {} }: ThemeFolderArgs, found: readonly FolderFile[]) {
  const place = {
    stack: pulumi.getStack(),
    project: pulumi.getProject(),
    type: themeFolderType,
    name,
    folder,
  };
  return renamedFiles(
    place,
    found.filter(({ path }) => files[path] === undefined),
  );
}

/** Names that no theme has, and files that would be one. */
function refuseUnusable(found: readonly FolderFile[]): void {
  const below = found.filter(({ name }) => name.includes("/"));
  if (below.length > 0)
    throw new Error(
      `${below.map(({ path }) => path).join(", ")}: a theme has no folders inside of its folders; move the file up, or ignore it`,
    );
  const places = new Map<string, string>();
  for (const { type, name, path } of found) {
    // A snippet is included with its ending and without: both would be one.
    const place = `${type} ${withoutLiquid(name)}`;
    const first = places.get(place);
    if (first !== undefined && type !== "Asset::Media")
      throw new Error(`${first} and ${path} are one file to the theme: remove one of them, or ignore it`);
    places.set(place, path);
  }
}
