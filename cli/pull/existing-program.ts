/** The existing program and stack: names of objects, and the files that declare them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Definition } from "../../provider/definition/define.ts";
import { hasKey, ownId, type Values } from "../../provider/inventory/index.ts";
import { themeFolderType } from "../../provider/names/theme-folder.ts";
import { resources } from "../../provider/resources/index.ts";
import type { ManagedObject } from "../../runs/command.ts";
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
  /** The file of a resource's body, from the replaced module. */
  bodyOf(name: string): string | undefined;
  /** Whether a body file belongs to a replaced module. */
  ownsBody(path: string): boolean;
  /** Whether the pull only adds files. */
  readonly adds: boolean;
  /** The module for new theme folders; existing modules belong to the user. */
  readonly themes: string;
  /** Names of existing theme folder components. */
  readonly components: readonly string[];
  /** The component with a theme's files; "single" if the program declares the files one by one. */
  folderOf(theme: string): StatedFolder | "single" | undefined;
  /** Whether the program declares the object by itself, outside a theme folder. */
  isSingle(id: string): boolean;
  hasMade(name: string): boolean;
  /** Objects of earlier pulls that are no longer in the shop. */
  deletedObjects(adopts: ReadonlySet<string>): readonly { readonly name: string; readonly adopt: string }[];
}

export interface Before {
  readonly home: string;
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

const isPulled = (text: string) =>
  /^import \{ adopt \} from ["']\.\/adopt\.ts["'];?$/m.test(text) ||
  text.startsWith("// Written by pulumi-shop pull:");

interface Source {
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(["node_modules", "dist", "build"]);

function sourcesIn(folder: string, below = ""): readonly Source[] {
  if (!existsSync(join(folder, below))) return [];
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): readonly Source[] => {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) || entry.name.startsWith(".") ? [] : sourcesIn(folder, path);
    if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name) || /\.d\.[cm]?ts$/.test(entry.name)) return [];
    return [{ path, text: readFileSync(join(folder, path), "utf8") }];
  });
}

/** All possible names in a text: quoted strings and keys. It may find too many. */
function namesIn(text: string): ReadonlySet<string> {
  const quoted = text.matchAll(/(["'`])(?=((?:\\.|(?!\1)[^\\\n])*)\1)/g);
  const keys = text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*:/gu);
  return new Set([
    ...[...quoted].map((match) => match[2] ?? ""),
    ...[...keys].map((match) => match[1] ?? ""),
  ]);
}

// Parses a double-quoted literal; returns one with other escapes as it is.
function textOf(inner: string): string {
  const json = inner.replace(/\\u\{([0-9A-Fa-f]+)\}/g, (_all, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    // Not a literal that pull wrote.
    return inner;
  }
}

/** Body files by resource name, from a pulled module. */
function bodiesIn(text: string, kind: string): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  const pattern = new RegExp(
    `(?:new ${kind}\\(\\s*|^\\s*)"((?:[^"\\\\]|\\\\.)+)"(?:,|:)\\s*\\{|\\bfile:\\s*"((?:[^"\\\\]|\\\\.)+)"|^\\s*([\\w$]+):\\s*\\{`,
    "gm",
  );
  let name: string | undefined;
  for (const match of text.matchAll(pattern)) {
    // A formatter may have removed the quotes of a key.
    if (match[1] !== undefined) name = textOf(match[1]);
    else if (match[3] !== undefined) name = match[3];
    else if (name !== undefined && !bodies.has(name)) {
      const path = posix.normalize(textOf(match[2] ?? ""));
      // A pull doesn't write files outside the program's folder, or beside the program.
      if (/^(?!\.\.\/)[^/].*\//.test(path)) bodies.set(name, path);
    }
  }
  return bodies;
}

/** Ids that a program adopts for a kind. */
function adoptsIn(text: string, kind: string): readonly string[] {
  return text
    .split(/\bnew\s+(?:\w+\.)?(?=[A-Z])/)
    .filter((part) => new RegExp(`^${kind}\\s*\\(`).test(part))
    .flatMap((part) => /\badopt["']?\s*:\s*["'`](?:\d+\/)?(\d+)["'`]/.exec(part)?.[1] ?? []);
}

export const folderClass = themeFolderType.split(":").at(-1) ?? "";

const classes = new Set([folderClass, "Prices", ...resources.map(([, { kind }]) => kind)]);

/** Names that a text gives to resources of a kind. A class that is no kind's may be an alias of it. */
const namesMadeIn = (text: string, kind: string): readonly string[] =>
  [...text.matchAll(/\bnew\s+(?:[\w$]+\.)?([\w$]+)\(\s*["'`]([^"'`]+)/g)].flatMap(
    ([, made = "", name = ""]) => (made === kind || !classes.has(made) ? [name] : []),
  );

/** Any class except theme folders. */
const made = new RegExp(`\\bnew (?!${folderClass}\\()`);

export function openExistingProgram({ home, adopted, held, onlyNew }: Before) {
  const sources = sourcesIn(home);
  const sourceText = (path: string) => sources.find((source) => source.path === path)?.text;
  const names = new Map<string, ReadonlySet<string>>();
  const namesOf = ({ path, text }: Source) => {
    const found = names.get(path) ?? namesIn(text);
    names.set(path, found);
    return found;
  };
  const folders = openFolders(
    sources.map(({ text }) => text),
    adopted[folderClass] ?? {},
    held,
  );

  return (group: string, definition: Definition): ExistingKind => {
    const { kind } = definition;
    const module = moduleFor(group, (path) => {
      const text = sourceText(path);
      return (text === undefined && !existsSync(join(home, path))) || (!onlyNew && isPulled(text ?? ""));
    });
    const family = new RegExp(`^${group}(-\\d+)?\\.ts$`);
    const replaced = onlyNew ? [] : sources.filter(({ path, text }) => family.test(path) && isPulled(text));
    const others = sources.filter((source) => !replaced.includes(source));
    const replacedNames = new Set(replaced.flatMap((source) => [...namesOf(source)]));
    const isStated = (name: string) => replacedNames.has(name) || (!onlyNew && folders.have(name));
    const elsewhere = new Set(others.flatMap((source) => [...namesOf(source)]));
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
    const makesSomething = others.some(({ text }) => made.test(text));
    const bodies = new Map(replaced.flatMap(({ text }) => [...bodiesIn(text, kind)]));
    const paths = new Set([...bodies.values()].map((path) => path.toLowerCase()));
    const takenOver = new Set(others.flatMap(({ text }) => adoptsIn(text, kind)));
    const own = others.flatMap(({ text }) => namesMadeIn(text, kind));
    return {
      module,
      merged: replaced.flatMap(({ path }) => (path === `${module}.ts` ? [] : [path])),
      exists: replaced.length > 0,
      taken: new Set([...pulled.map(([name]) => name), ...ofState.map(({ name }) => name), ...own]),
      nameOf: (adopt) => byAdopt.get(adopt),
      remadeName: (seen, adopts) =>
        ofState.find(
          ({ id, name, key, isReplaced: isLeaving }) =>
            !isLeaving && isStated(name) && !adopts.has(adoptOf(definition, id)) && key && hasKey(seen, key),
        )?.name,
      isManagedElsewhere(adopt) {
        if (takenOver.has(adopt)) return true;
        const name = byAdopt.get(adopt);
        if (onlyNew) return name !== undefined || inState.has(adopt);
        if (name === undefined) return inState.has(adopt);
        if (isStated(name)) return false;
        if (elsewhere.has(name)) return true;
        return !wasPulled.has(adopt) && makesSomething;
      },
      bodyOf: (name) => bodies.get(name),
      ownsBody: (path) => paths.has(path.toLowerCase()),
      adds: onlyNew,
      themes: moduleFor("themes", (path) => !existsSync(join(home, path))),
      components: folders.names,
      folderOf(theme) {
        const isMade = ofState.some(({ id }) => id.startsWith(`${theme}/`));
        const wasSingle = adopted[kind] !== undefined && adopted[folderClass] === undefined;
        return folders.of(theme) ?? (isMade || wasSingle ? "single" : undefined);
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

const moduleFor = (group: string, isFree: (path: string) => boolean) =>
  freePath(`${group}.ts`, isFree).replace(/\.ts$/, "");

/** A theme folder component in a program. */
export interface StatedFolder {
  readonly name: string;
  readonly folder: string;
}

/** The components that a text declares with literals. */
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

const componentOf = (name: string): string => name.split("/").slice(0, -2).join("/");

/** @param pulled theme ids by component name */
function openFolders(
  texts: readonly string[],
  pulled: Readonly<Record<string, string>>,
  held: readonly ManagedObject[],
) {
  const stated = texts.flatMap(foldersIn);
  const themes = new Set(Object.values(pulled));
  // A component that was renamed in the program has its new name in the state.
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
    /** Whether a resource is a file of a pulled component. */
    have: (name: string) => own.some((one) => one.name === componentOf(name)),
    /** The component with a theme's files. */
    of: (theme: string) => own.find(({ name }) => named.get(name) === theme),
  };
}
