/** What a folder's program and its stack know already: which object has which name, and which file states it. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Definition } from "../../provider/definition/define.ts";
import { hasKey, ownId, type Values } from "../../provider/inventory/index.ts";
import type { ManagedObject } from "../../runs/command.ts";
import { folderClass, openFolders, type StatedFolder } from "./stated-folders.ts";

/** What was pulled before: ids by resource name, by class. */
export type Adopted = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is known of one kind before it is pulled. */
export interface KnownKind {
  /** The file that the kind is written to, without its extension. */
  readonly module: string;
  /** Files of earlier pulls whose objects come into that one now. */
  readonly merged: readonly string[];
  readonly isThere: boolean;
  /** Names that an object of this kind may not be given. */
  readonly taken: ReadonlySet<string>;
  /** The name that an object has had so far. */
  nameOf(adopt: string): string | undefined;
  /** The name of a resource whose object is gone, where an object was made again in its place. @param adopts what there is */
  remadeName(seen: Values, adopts: ReadonlySet<string>): string | undefined;
  /** Whether an object is another file's, or the program's own, and not to be written. */
  isHeld(adopt: string): boolean;
  /** The file of a resource's body, as the module that is replaced states it. */
  bodyOf(name: string): string | undefined;
  /** Whether a body's file belongs to a module that is replaced. */
  ownsBody(path: string): boolean;
  /** Whether a pull adds to what is there, and replaces nothing. */
  readonly adds: boolean;
  /** The file for components that have folders of themes: a new one, as those that are there are their owner's. */
  readonly themes: string;
  /** Names that a component may not be given. */
  readonly components: readonly string[];
  /** The component of a pull that has a theme's files; "single" where the program has them one by one. */
  folderOf(theme: string): StatedFolder | "single" | undefined;
  /** Whether a resource of its own has the object, which lies in no folder. */
  isSingle(id: string): boolean;
  hasMade(name: string): boolean;
  /** Objects of earlier pulls that none of these is, where the program states them. */
  gone(adopts: ReadonlySet<string>): readonly { readonly name: string; readonly adopt: string }[];
}

export interface Before {
  readonly home: string;
  readonly adopted: Adopted;
  readonly held: readonly ManagedObject[];
  /** Adds files to what is there, and replaces none. */
  readonly onlyNew: boolean;
}

/** What `adopt` says of an object: its number, or "key" where a shop has one at most. */
export function adoptOf(definition: Definition, id: string): string {
  return definition.singleton === undefined ? ownId(id) : "key";
}

/** Whether a pull has written objects of a kind. */
export const wasPulled = (adopted: Adopted, { kind, body }: Definition): boolean =>
  adopted[kind] !== undefined || (body?.theme !== undefined && adopted[folderClass] !== undefined);

/** What a module says that has nothing to state any more. */
export const emptyModule = (group: string): string =>
  `// Written by pulumi-shop pull: no ${group} to state here.\nexport {};\n`;

/** Whether a file is one that a pull wrote. */
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

/** All that may be a name in a program's text: what stands between quotes, and keys. Too many rather than too few. */
function namesIn(text: string): ReadonlySet<string> {
  const quoted = text.matchAll(/(["'`])(?=((?:\\.|(?!\1)[^\\\n])*)\1)/g);
  const keys = text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*:/gu);
  return new Set([
    ...[...quoted].map((match) => match[2] ?? ""),
    ...[...keys].map((match) => match[1] ?? ""),
  ]);
}

// A literal in double quotes; one with escapes of another sort is taken as it stands.
function textOf(inner: string): string {
  const json = inner.replace(/\\u\{([0-9A-Fa-f]+)\}/g, (_all, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    // Somebody's own spelling: no name that a pull gave.
    return inner;
  }
}

/** Body files by resource name, as a pulled module states them. */
function bodiesIn(text: string, kind: string): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  const pattern = new RegExp(
    `(?:new ${kind}\\(\\s*|^\\s*)"((?:[^"\\\\]|\\\\.)+)"(?:,|:)\\s*\\{|\\bfile:\\s*"((?:[^"\\\\]|\\\\.)+)"|^\\s*([\\w$]+):\\s*\\{`,
    "gm",
  );
  let name: string | undefined;
  for (const match of text.matchAll(pattern)) {
    // A formatter takes the quotes off a key that needs none.
    if (match[1] !== undefined) name = textOf(match[1]);
    else if (match[3] !== undefined) name = match[3];
    else if (name !== undefined && !bodies.has(name)) {
      const path = posix.normalize(textOf(match[2] ?? ""));
      // What somebody keeps elsewhere, or beside the program, isn't a pull's to write.
      if (/^(?!\.\.\/)[^/].*\//.test(path)) bodies.set(name, path);
    }
  }
  return bodies;
}

/** The objects that resources of a kind take over by their numbers, as a program's text states them. */
function adoptsIn(text: string, kind: string): readonly string[] {
  return text
    .split(/\bnew\s+(?:\w+\.)?(?=[A-Z])/)
    .filter((part) => new RegExp(`^${kind}\\s*\\(`).test(part))
    .flatMap((part) => /\badopt["']?\s*:\s*["'`](?:\d+\/)?(\d+)["'`]/.exec(part)?.[1] ?? []);
}

/** Components with folders aside, whose files are known by their names. */
const made = new RegExp(`\\bnew (?!${folderClass}\\()`);

/** Reads the program of a folder; what it knows of a kind is asked for one by one. */
export function openKnown({ home, adopted, held, onlyNew }: Before) {
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

  return (group: string, definition: Definition): KnownKind => {
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
    // The state is newer: a resource may have been renamed, or its object made again, since it was pulled.
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
    const own = others.flatMap(({ text }) =>
      [...text.matchAll(new RegExp(`new (?:\\w+\\.)?${kind}\\(\\s*["'\`]([^"'\`]+)`, "g"))].map(
        (match) => match[1] ?? "",
      ),
    );
    return {
      module,
      merged: replaced.flatMap(({ path }) => (path === `${module}.ts` ? [] : [path])),
      isThere: replaced.length > 0,
      taken: new Set([...pulled.map(([name]) => name), ...ofState.map(({ name }) => name), ...own]),
      nameOf: (adopt) => byAdopt.get(adopt),
      remadeName: (seen, adopts) =>
        ofState.find(
          ({ id, name, key, isReplaced: isLeaving }) =>
            !isLeaving && isStated(name) && !adopts.has(adoptOf(definition, id)) && key && hasKey(seen, key),
        )?.name,
      isHeld(adopt) {
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
      gone: (adopts) =>
        [...pulled, ...[...ownNames].filter(([name]) => folders.have(name))].flatMap(([name, adopt]) =>
          // Replaced or created again since: the state has the object that it is now.
          adopts.has(ownNames.get(name) ?? adopt) ||
          !(isStated(name) || elsewhere.has(name) || folders.have(name))
            ? []
            : [{ name, adopt }],
        ),
    };
  };
}

function moduleFor(group: string, mayBe: (path: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const module = number === 1 ? group : `${group}-${number}`;
    if (mayBe(`${module}.ts`)) return module;
  }
}
