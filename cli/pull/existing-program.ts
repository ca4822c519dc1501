/** The existing program and stack: names of objects, and the files that declare them. */

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import type { Definition } from "../../provider/definition/define.ts";
import {
  filePath,
  hasKey,
  keysOf,
  ownId,
  parentNames,
  pickOne,
  type ReferredObjects,
  type Values,
} from "../../provider/inventory/index.ts";
import { folderOfFile, themeFolderType } from "../../provider/names/theme-folder.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import type { ManagedObject } from "../../runs/command.ts";
import { usageError } from "../exit.ts";
import { type Declaration, readDeclarations } from "../program/declarations.ts";
import { openNames } from "../program/scopes.ts";
import { openSources, type Source, within } from "../program/sources.ts";
import { entryOf, knownIn, type Lookup, plainOf, type Traced, valuesIn } from "../program/traced-values.ts";
import { freePath } from "./code.ts";

/** Ids by resource name, by class, from earlier pulls. */
export type Adopted = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ExistingKind {
  /** The file for this kind, without its extension. */
  readonly module: string;
  /** Files of earlier pulls that this file replaces. */
  readonly merged: readonly string[];
  readonly exists: boolean;
  readonly taken: ReadonlySet<string>;
  nameOf(adopt: string): string | undefined;
  /** The name of the resource whose object was deleted and created again. @param adopts ids of existing objects */
  remadeName(seen: Values, adopts: ReadonlySet<string>): string | undefined;
  /** Whether another file declares the object, so that it isn't pulled. */
  isManagedElsewhere(adopt: string): boolean;
  /** Whether `adopterOf` needs the objects that data sources find. */
  readonly looksUp: boolean;
  /**
   * The name of the resource in another file that adopts the object by its natural key; no state has it yet.
   * @param referred the objects that data sources find
   */
  adopterOf(seen: Values, referred: ReferredObjects): string | undefined;
  bodyOf(name: string): string | undefined;
  /** Whether a body file belongs to a replaced module. */
  ownsBody(path: string): boolean;
  /** Whether the pull only adds files. */
  readonly adds: boolean;
  /** The module for new theme folders; existing modules belong to the user. */
  readonly themes: string;
  /** Names of existing theme folder components. */
  readonly components: readonly string[];
  /**
   * The component with a theme's files; "single" if the program declares the files one by one.
   * @param referred the objects that data sources find
   */
  folderOf(theme: string, referred: ReferredObjects): StatedFolder | "single" | undefined;
  /** Whether the program declares the object by itself, outside a theme folder. */
  isSingle(id: string): boolean;
  hasMade(name: string): boolean;
  /** Objects of earlier pulls that are no longer in the shop. */
  deletedObjects(adopts: ReadonlySet<string>): readonly { readonly name: string; readonly adopt: string }[];
}

export interface Before {
  /** The folder of the program's entry file. */
  readonly home: string;
  readonly stack: string;
  readonly adopted: Adopted;
  readonly held: readonly ManagedObject[];
  readonly onlyNew: boolean;
}

/** The value of `adopt`: the object's id, or "key" for a kind with one object per shop. */
export function adoptOf(definition: Definition, id: string): string {
  return definition.singleton === undefined ? ownId(id) : "key";
}

/** Whether an earlier pull wrote objects of this kind. */
export const wasPulled = (adopted: Adopted, { kind, body }: Definition): boolean =>
  adopted[kind] !== undefined || (body?.theme !== undefined && adopted[folderClass] !== undefined);

/** The text of a module without resources. */
export const emptyModule = (group: string): string =>
  `// Written by pulumi-shop pull: no ${group} here.\nexport {};\n`;

const skipped = new Set(["node_modules", "dist", "build"]);

function filesIn(folder: string, below = ""): readonly string[] {
  if (!existsSync(join(folder, below))) return [];
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): readonly string[] => {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) || entry.name.startsWith(".") ? [] : filesIn(folder, path);
    const isProgram = /\.[cm]?[jt]sx?$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name);
    return entry.isFile() && isProgram ? [path] : [];
  });
}

function isPulled({ text, root }: Source): boolean {
  if (text.startsWith("// Written by pulumi-shop pull:")) return true;
  return (
    root.type === "Program" &&
    root.body.some(
      (one) =>
        one.type === "ImportDeclaration" &&
        one.source.value === "./adopt.ts" &&
        one.specifiers.some(({ local }) => local.name === "adopt"),
    )
  );
}

/** All texts of a file that may be a name that the program computes: strings and keys. */
function* textsIn({ root }: Source): Generator<string> {
  for (const node of within(root)) {
    if (node.type === "StringLiteral") yield node.value;
    if (node.type === "TemplateLiteral") for (const { value } of node.quasis) yield value.cooked ?? "";
    if (node.type === "ObjectProperty" && node.key.type === "Identifier") yield node.key.name;
  }
}

function namesOf({ name, options }: Declaration): readonly string[] {
  const aliases = options && entryOf(options, "aliases");
  const before = aliases?.type === "list" ? aliases.items : [];
  const olds = before.map((one) => plainOf(one) ?? valuesIn(one).name);
  return [name, ...olds].flatMap((one) => (typeof one === "string" ? (one.split("::").at(-1) ?? []) : []));
}

/** The id that a resource adopts. */
const adoptedBy = ({ args, options }: Declaration) =>
  /^(?:\d+\/)?(\d+)$/.exec(String(valuesIn(args).adopt ?? valuesIn(options).import))?.[1];

type Lookups = readonly (readonly [argument: string, lookup: Lookup])[];

const lookupsIn = (args: Traced): Lookups =>
  args.type === "object"
    ? [...args.entries].flatMap(([name, one]) =>
        one.type === "computed" && one.lookup !== undefined ? [[name, one.lookup] as const] : [],
      )
    : [];

/** The ids that data sources find, by argument. */
const foundBy = (lookups: Lookups, referred: ReferredObjects): Values =>
  Object.fromEntries(
    lookups.flatMap(([name, lookup]) => {
      const id = idFoundBy(
        lookup,
        (referred.get(lookup.kind) ?? []).map(({ seen }) => seen),
      );
      return id === undefined ? [] : [[name, id]];
    }),
  );

function idFoundBy({ kind, by }: Lookup, all: readonly Values[]): unknown {
  const definition = definitionOf(kind);
  // What the program computes may be anything.
  if (definition === undefined || Object.values(by).includes(undefined)) return undefined;
  try {
    return pickOne(definition, all, by).id;
  } catch {
    // The program's run says so.
    return undefined;
  }
}

function adoptsByKey(definition: Definition, args: Values, seen: Values): boolean {
  if (definition.singleton !== undefined) return true;
  const isBeside = parentNames(definition).every((name) => args[name] === seen[name]);
  return isBeside && keysOf(definition, args).some((key) => hasKey(seen, key));
}

/** A body file of an earlier pull: it is in the program's folder, and not beside the program. */
function bodyIn({ args }: Declaration): string | undefined {
  const path = posix.normalize(filePath(valuesIn(args)) ?? "");
  return /^(?!\.\.\/)[^/].*\//.test(path) ? path : undefined;
}

export const folderClass = themeFolderType.split(":").at(-1) ?? "";

export function exportsName(path: string, name: string): boolean {
  const sources = openSources([path], dirname(path));
  const source = sources.source(path);
  const module = `./${basename(path)}`;
  return source !== undefined && openNames(sources).exported(source, { module, name }) !== undefined;
}

export function openExistingProgram({ home, stack, adopted, held, onlyNew }: Before) {
  const files = filesIn(home);
  const sources = openSources(
    files.map((path) => join(home, path)),
    home,
  );
  const sourceOf = (path: string) => sources.source(join(home, path));
  const { all, unknown } = readDeclarations(sources, stack);
  // A stack's branches may make resources that this stack doesn't have.
  const anyStack = readDeclarations(sources, undefined).all;
  const folders = openFolders(all, adopted[folderClass] ?? {}, held);

  return (group: string, definition: Definition): ExistingKind => {
    const { kind } = definition;
    const family = files.filter((path) => new RegExp(`^${group}(-\\d+)?\\.ts$`).test(path));
    const replaced = new Set(
      onlyNew ? [] : family.map(sourceOf).filter((source) => source !== undefined && isPulled(source)),
    );
    const module = moduleFor(group, (path) => {
      if (!existsSync(join(home, path))) return true;
      const source = sourceOf(path);
      if (source === undefined && !onlyNew) throw unreadable(join(home, path));
      return source !== undefined && replaced.has(source);
    });
    const ofKind = all.filter((one) => one.kind === kind);
    const isReplaced = ({ at }: Pick<Declaration, "at">) => replaced.has(at.source);
    const own = ofKind.filter((one) => !isReplaced(one));
    const isComputed = own.some(({ name }) => name === undefined);
    const others = sources.all.filter((source) => !replaced.has(source));
    const elsewhere = new Set([
      ...own.flatMap(namesOf),
      ...(isComputed ? others.flatMap((source) => [...textsIn(source)]) : []),
    ]);
    const replacedNames = new Set(ofKind.filter(isReplaced).flatMap(namesOf));
    const isStated = (name: string) => replacedNames.has(name) || (!onlyNew && folders.have(name));
    const ofState = held.filter((one) => one.kind === kind);
    const pulled = Object.entries(adopted[kind] ?? {});
    const inState = new Set(ofState.map(({ id }) => adoptOf(definition, id)));
    // The state is newer than the last pull: resources may have been renamed, or objects created again.
    const ownNames = new Map(
      ofState.flatMap(({ id, name, isReplaced: isLeaving }) =>
        isLeaving ? [] : [[name, adoptOf(definition, id)] as const],
      ),
    );
    const byAdopt = new Map(
      [...pulled.filter(([name]) => !ownNames.has(name)), ...ownNames].map(([name, adopt]) => [adopt, name]),
    );
    const wasPulled = new Set(pulled.map(([, adopt]) => adopt));
    const isUnknown = isComputed || unknown.some((at) => !replaced.has(at.source));
    const bodies = new Map(
      ofKind.filter(isReplaced).flatMap((one) => {
        const path = bodyIn(one);
        return path === undefined || one.name === undefined ? [] : [[one.name, path] as const];
      }),
    );
    const paths = new Set([...bodies.values()].map((path) => path.toLowerCase()));
    const takenOver = new Set(own.map(adoptedBy));
    const adopters = own.flatMap(({ name, args }) =>
      valuesIn(args).adopt === "key"
        ? [{ name: name ?? kind, args: knownIn(args) as Values, lookups: lookupsIn(args) }]
        : [],
    );
    const reserved = anyStack.filter((one) => one.kind === kind && !isReplaced(one)).flatMap(namesOf);
    return {
      module,
      merged: family.filter((path) => path !== `${module}.ts` && replaced.has(sourceOf(path))),
      exists: replaced.size > 0,
      taken: new Set([...pulled.map(([name]) => name), ...ofState.map(({ name }) => name), ...reserved]),
      nameOf: (adopt) => byAdopt.get(adopt),
      remadeName: (seen, adopts) =>
        ofState.find(
          ({ id, name, key, isReplaced: isLeaving }) =>
            !isLeaving && isStated(name) && !adopts.has(adoptOf(definition, id)) && key && hasKey(seen, key),
        )?.name,
      isManagedElsewhere(adopt) {
        if (takenOver.has(adopt)) return true;
        const name = byAdopt.get(adopt);
        // A resource that was replaced has another object by now, and its row still names the one that was pulled.
        if (onlyNew) return name !== undefined || wasPulled.has(adopt) || inState.has(adopt);
        if (name === undefined) return inState.has(adopt);
        if (isStated(name)) return false;
        if (elsewhere.has(name)) return true;
        return !wasPulled.has(adopt) && isUnknown;
      },
      looksUp:
        adopters.some(({ lookups }) => lookups.length > 0) ||
        (definition.body?.theme !== undefined && folders.lookUp),
      adopterOf: (seen, referred) =>
        adopters.find(({ args, lookups }) =>
          adoptsByKey(definition, { ...args, ...foundBy(lookups, referred) }, seen),
        )?.name,
      bodyOf: (name) => bodies.get(name),
      ownsBody: (path) => paths.has(path.toLowerCase()),
      adds: onlyNew,
      themes: moduleFor("themes", (path) => !existsSync(join(home, path))),
      components: folders.names,
      folderOf(theme, referred) {
        const isMade = ofState.some(({ id }) => id.startsWith(`${theme}/`));
        const wasSingle = adopted[kind] !== undefined && adopted[folderClass] === undefined;
        return folders.of(theme, referred) ?? (isMade || wasSingle ? "single" : undefined);
      },
      isSingle(id) {
        const name = byAdopt.get(adoptOf(definition, id));
        return name !== undefined && !folders.have(name);
      },
      hasMade: (name) => ownNames.has(name),
      deletedObjects: (adopts) =>
        [...pulled, ...[...ownNames].filter(([name]) => folders.have(name))].flatMap(([name, adopt]) =>
          // The object was replaced since the last pull.
          adopts.has(ownNames.get(name) ?? adopt) ||
          !(isStated(name) || elsewhere.has(name) || folders.have(name))
            ? []
            : [{ name, adopt }],
        ),
    };
  };
}

const unreadable = (path: string) =>
  usageError(`${path} can't be read as a program: fix it or remove it; nothing was written`);

const moduleFor = (group: string, isFree: (path: string) => boolean) =>
  freePath(`${group}.ts`, isFree).replace(/\.ts$/, "");

/** A theme folder component in a program. */
export interface StatedFolder {
  readonly name: string;
  readonly folder: string;
  readonly args: Traced;
}

/** @param pulled theme ids by component name */
function openFolders(
  all: readonly Declaration[],
  pulled: Readonly<Record<string, string>>,
  held: readonly ManagedObject[],
) {
  const stated = all.flatMap(({ kind, name, args }): readonly StatedFolder[] => {
    const { folder } = valuesIn(args);
    if (kind !== folderClass || name === undefined || typeof folder !== "string") return [];
    return [{ name, folder: folder.replace(/^\.\/|\/+$/g, ""), args }];
  });
  const themes = new Set(Object.values(pulled));
  // A component that was renamed in the program has its new name in the state.
  const named = new Map([
    ...Object.entries(pulled),
    ...held.flatMap(({ id, name }) => {
      const [theme = ""] = id.split("/");
      return themes.has(theme) ? [[folderOfFile(name), theme] as const] : [];
    }),
  ]);
  // Written by hand, for a theme that has files already.
  const isAdopting = ({ args }: StatedFolder) => valuesIn(args).adopt === "key";
  const own = stated.filter((one) => named.has(one.name) || isAdopting(one));
  const themeOf = ({ name, args }: StatedFolder, referred: ReferredObjects): unknown =>
    named.get(name) ?? { ...valuesIn(args), ...foundBy(lookupsIn(args), referred) }.themeId;
  return {
    names: stated.map(({ name }) => name),
    /** Whether a data source finds a component's theme. */
    lookUp: own.some(({ args }) => lookupsIn(args).length > 0),
    /** Whether a resource is a file of a pulled component. */
    have: (name: string) => own.some((one) => one.name === folderOfFile(name)),
    /** The component with a theme's files. */
    of: (theme: string, referred: ReferredObjects) =>
      own.find((one) => String(themeOf(one, referred)) === theme),
  };
}
