/** A component for a theme in a folder of the project, with a resource for each file. */
import * as pulumi from "@pulumi/pulumi";
import { didYouMean } from "../engine/common/nearest.ts";
import { isMocked } from "../engine/pulumi/sdk-internals.ts";
import { renamedFiles } from "../provider/names/renamed-files.ts";
import {
  type FileType,
  type FolderFile,
  filesBeside,
  sendingOrder,
  themeFilesIn,
  themeFolderType,
  whereFiles,
  withoutLiquid,
} from "../provider/names/theme-folder.ts";
import { refuseNoArguments } from "./refusals.ts";
import type { AssetArgs, AssetOutputs } from "./types.ts";

/** A file of a theme folder. */
export interface ThemeFolderFile {
  /** Its type, such as `Asset::Template`. */
  readonly type: FileType;
  /** Its name in the theme. */
  readonly name: string;
  /** Its path from the theme's folder: `templates/product.liquid`. */
  readonly path: string;
}

/** Arguments of `ThemeFolder`. */
export interface ThemeFolderArgs {
  /** The theme to which the files belong. */
  readonly themeId: pulumi.Input<number>;
  /** The theme's folder, relative to the program: contains `templates/`, `snippets/`, `config/` and `media/`. */
  readonly folder: string;
  /** Patterns of paths to leave out: `media/*.map`. */
  readonly ignore?: readonly string[];
  /** Settings for single files by path: arguments that replace the file (such as `content`), or false to leave it out. */
  readonly files?: Readonly<Record<string, Partial<AssetArgs> | false>>;
  /** Adopts files that the theme already has, found by type and name; without it, an existing file is an error. */
  readonly adopt?: "key";
  /** Former names of a file's resource, so that it is found in the state. */
  readonly formerNames?: (one: ThemeFolderFile) => string | readonly string[];
  /**
   * Files that were renamed and changed at once, new path to old path: the file keeps its id and is renamed in the
   * shop. If a file's content is the same, or most of its lines are, the rename is detected automatically if the
   * stack's state is in a folder.
   */
  readonly renamed?: Readonly<Record<string, string>>;
}

type FileResource = pulumi.CustomResource & AssetOutputs;
type FileClass = new (name: string, args: AssetArgs, opts?: pulumi.CustomResourceOptions) => FileResource;

/** A theme folder's resource. */
export interface ThemeFolderResource extends pulumi.ComponentResource {
  /** The file resources by path. */
  readonly assets: Readonly<Record<string, FileResource>>;
}
type FolderClass = new (
  name: string,
  args: ThemeFolderArgs,
  opts?: pulumi.ComponentResourceOptions,
) => ThemeFolderResource;

/** Creates the component class for a class of files. */
export const themeFolder = (ThemeFile: FileClass): FolderClass =>
  class extends pulumi.ComponentResource {
    declare readonly assets: Readonly<Record<string, FileResource>>;

    constructor(name: string, args: ThemeFolderArgs, opts?: pulumi.ComponentResourceOptions) {
      super(themeFolderType, name, {}, opts);
      refuseNoArguments("ThemeFolder", args);
      refuseUnknown(name, args ?? {});
      const { folder, themeId, ignore, files = {}, renamed = {}, adopt } = args ?? {};
      if (themeId === undefined)
        throw new Error(
          `ThemeFolder "${name}": themeId is required, such as getThemeOutput({ published: true }).id`,
        );
      if (ignore !== undefined && !Array.isArray(ignore))
        throw new Error(`ThemeFolder "${name}": ignore must be a list: write [ ] around it`);
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
      const paths = found.map(({ path }) => path);
      if (unknown.length > 0)
        throw new Error(
          `ThemeFolder "${name}": ${unknown.join(", ")} of files or renamed is not in ${folder}, or is ignored${didYouMean(unknown[0] ?? "", paths)}`,
        );
      const root = folder.replace(/\/+$/, "");
      const moved = isMocked(pulumi.runtime) ? {} : movedIn(name, args, found);
      const assetOf = ({ type, name: own, path }: FolderFile, sent: ReturnType<typeof allSent>) => {
        const given = files[path] ?? { file: `${root}/${path}` };
        if (given === false) return [];
        const before = [args.formerNames?.({ type, name: own, path }) ?? []].flat();
        const old = renamed[path] ?? moved[path];
        const aliases = [
          ...(old === undefined ? [] : [{ name: `${name}/${old}` }]),
          ...before.map((one) => ({ name: one, parent: pulumi.rootStackResource })),
        ];
        const stated = { themeId, type, name: own, ...(adopt && { adopt }), ...given };
        const opts = { parent: this, aliases, ...(sent && { dependsOn: sent }) };
        return [[path, new ThemeFile(`${name}/${path}`, stated, opts)] as const];
      };
      const made: (readonly [path: string, asset: FileResource])[] = [];
      for (const type of sendingOrder) {
        const sent = allSent(made.map(([, asset]) => asset));
        made.push(...found.filter((one) => one.type === type).flatMap((one) => assetOf(one, sent)));
      }
      this.assets = Object.fromEntries(made);
      this.registerOutputs({});
    }
  };

/**
 * Resolves once files are sent, so that no page includes one that the shop doesn't have yet. It names none of them: the state
 * would list all of them for each file that waits. A preview tells what is wrong with all files at once.
 */
function allSent(files: readonly FileResource[]): Promise<[]> | undefined {
  if (pulumi.runtime.isDryRun()) return undefined;
  const sent = Promise.all(files.map(({ urn }) => (urn as unknown as Settling).promise())).then((): [] => []);
  // A file that waits reports it.
  sent.catch(() => {});
  return sent;
}
interface Settling {
  promise(): Promise<unknown>;
}

const argumentNames = ["themeId", "folder", "ignore", "files", "renamed", "formerNames", "adopt"];

/** A component has no provider that checks its arguments. */
function refuseUnknown(name: string, args: object): void {
  for (const one of Object.keys(args))
    if (!argumentNames.includes(one))
      throw new Error(
        `ThemeFolder "${name}": unknown argument ${one}${didYouMean(one, argumentNames) || `; it takes ${argumentNames.join(", ")}`}`,
      );
}

/** Detects renames by content; files with other arguments have no content of their own. */
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

/** @throws Error for names that a theme can't have, and for files that the theme would treat as one */
function refuseUnusable(found: readonly FolderFile[]): void {
  const below = found.filter(({ name }) => name.includes("/"));
  if (below.length > 0)
    throw new Error(
      `${below.map(({ path }) => path).join(", ")}: a theme's folders have no subfolders; move the file up, or ignore it`,
    );
  const places = new Map<string, string>();
  for (const { type, name, path } of found) {
    // A snippet can be included with and without its ending, so both names are the same.
    const place = `${type} ${withoutLiquid(name)}`;
    const first = places.get(place);
    if (first !== undefined && type !== "Asset::Media")
      throw new Error(`${first} and ${path} are one file to the theme: remove one of them, or ignore it`);
    places.set(place, path);
  }
}
