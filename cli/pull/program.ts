/** Generates the files of a program: one module per kind, bodies in folders, references as variables. */
import type { Definition } from "../../provider/definition/define.ts";
import type { ReferredObjects } from "../../provider/inventory/index.ts";
import { type Adopted, adoptOf, emptyModule, folderClass } from "./existing-program.ts";
import { foldersText, moduleText } from "./module-text.ts";
import { type Config, openReferences, writeNumbers, writeReferences } from "./references.ts";
import { type Pulled, type Written, writeResources } from "./resources.ts";
import { writeFolders } from "./theme-folders.ts";

export interface Program {
  /** Contents by path from the program's folder, with forward slashes. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Files of a theme folder that the shop no longer has. */
  readonly removed: readonly string[];
  /** The number of objects that were written, by the client's name of the kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Modules that the program's entry imports. */
  readonly modules: readonly string[];
  readonly adopted: Adopted;
  /** Ids for the stack's configuration that no data source can look up. */
  readonly config: Config;
  /** Values and bodies that couldn't be pulled, deleted objects, and values that differ between shops. */
  readonly notices: readonly string[];
}

export interface Source {
  readonly url: string;
  /** Whose shop was pulled. */
  readonly stack: string;
  readonly home: string;
  readonly pulled: readonly Pulled[];
  /** Objects that others refer to, by kind. */
  readonly referred: ReferredObjects;
}

export function writeProgram(source: Source): Program {
  const modules: string[] = [];
  const adopted: Record<string, Record<string, string>> = {};
  const config: Record<string, Record<string, number>> = {};
  const counts: Record<string, number> = {};
  const holders = openReferences(source.referred);
  // Existing body files are reserved for their resources.
  const written: Written = {
    files: new Map(),
    notices: [],
    paths: new Set(keptPaths(source.pulled)),
    removed: [],
  };
  const naming = { ...source, holders };
  const prefaceOf = (
    definition: Definition,
    resources: readonly { readonly args: Record<string, unknown> }[],
  ) => {
    const numbers = writeNumbers(definition, resources);
    const preface = writeReferences(definition, resources, holders);
    const own = { ...preface.config, ...numbers.config };
    for (const [name, labels] of Object.entries(own)) config[name] = { ...config[name], ...labels };
    written.notices.push(...preface.notices, ...numbers.notices);
    return { ...preface, config: own };
  };
  for (const pulled of source.pulled) {
    const { definition, known, group, client } = pulled;
    for (const path of known.merged) written.files.set(path, emptyModule(group));
    const { folders, rest, count } = writeFolders(pulled, naming, written);
    if (folders.length > 0) {
      modules.push(known.themes);
      written.files.set(`${known.themes}.ts`, foldersText(folders, prefaceOf(definition, folders)));
      adopted[folderClass] = Object.fromEntries(folders.map(({ name, theme }) => [name, theme]));
    }
    const resources = writeResources({ ...pulled, objects: rest }, naming, written);
    counts[client] = count + resources.length;
    if (resources.length === 0) {
      if (known.exists) written.files.set(`${known.module}.ts`, emptyModule(group));
      continue;
    }
    const preface = prefaceOf(definition, resources);
    modules.push(known.module);
    written.files.set(`${known.module}.ts`, moduleText(definition, resources, preface, source.stack));
    adopted[definition.kind] = Object.fromEntries(resources.map(({ name, adopt }) => [name, adopt]));
  }
  return { ...written, counts, modules, adopted, config };
}

function keptPaths(pulled: readonly Pulled[]): readonly string[] {
  return pulled.flatMap(({ definition, objects, known }) =>
    objects.flatMap(({ id }) => {
      const name = known.nameOf(adoptOf(definition, id));
      const path = name === undefined ? undefined : known.bodyOf(name);
      return path === undefined ? [] : [path.toLowerCase()];
    }),
  );
}
