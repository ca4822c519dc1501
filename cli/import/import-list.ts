/** The resources to import, from arguments or from a file in Pulumi's format (pulumi import --file). */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readJson } from "../../engine/common/disk.ts";
import { isRecord } from "../../engine/common/record.ts";
import { type Import, load, nameOf, type Stack, urnOfImport } from "../../engine/index.ts";
import { didYouMeanAny, typeOf } from "../../engine/pulumi/urn.ts";
import { folders, themeFolderType } from "../../provider/names/theme-folder.ts";
import { dynamicType, kindOfType, pluginType } from "../../provider/names/types.ts";
import { toImport } from "../../provider/native.ts";
import { usageError } from "../exit.ts";
import { kindNamed } from "../stack/kinds.ts";

/** The imports, and names for the resources that they refer to. */
export interface ImportList {
  /** Parents before their children. */
  readonly imports: readonly Import[];
  /** Variable names by URN. */
  readonly variables: ReadonlyMap<string, string>;
}

/** @throws CommandError for invalid arguments or an invalid file */
export function importList(
  stack: Stack,
  words: readonly string[],
  values: {
    readonly path?: string | undefined;
    readonly parent?: string | undefined;
    readonly provider?: string | undefined;
    readonly protect: boolean;
  },
): ImportList {
  if (values.path === undefined) return fromArguments(stack, words, values);
  if (words.length > 0 || values.parent !== undefined || values.provider !== undefined)
    throw usageError("--file names the resources already: leave out TYPE NAME ID, --parent and --provider");
  return fromFile(stack, values.path, values.protect);
}

function fromArguments(
  stack: Stack,
  [type, name, id, ...more]: readonly string[],
  { parent, provider, protect }: Parameters<typeof importList>[2],
): ImportList {
  if (type === undefined || !name || id === undefined || more.length > 0)
    throw usageError("import takes TYPE NAME ID, or --file FILE; --help shows an example");
  const named = [parent, provider].map((text) => (text === undefined ? undefined : namedIn(stack, text)));
  const variables = new Map(named.flatMap((one) => (one === undefined ? [] : [[one.urn, one.variable]])));
  const [above, by] = named.map((one) => one?.urn);
  return { imports: [importOf(stack, { type, name, id, parent: above, provider: by, protect })], variables };
}

/** A resource as `VARIABLE=URN`, or by name or URN. @throws CommandError */
function namedIn(stack: Stack, text: string): { readonly urn: string; readonly variable: string } {
  const [, variable, named = text] = /^([^=:]+)=(.+)$/s.exec(text) ?? [];
  const urns = load(stack).resources.flatMap(({ urn }) =>
    urn === named || nameOf(urn) === named ? [urn] : [],
  );
  const [urn, ...others] = new Set(urns);
  if (urn === undefined)
    throw usageError(
      `the stack ${stack.name} has no resource ${named}${didYouMeanAny(
        [named],
        load(stack).resources.map((one) => one.urn),
      )}`,
    );
  if (others.length > 0)
    throw usageError(
      `several resources are named ${named}; use the URN of one:\n  ${[urn, ...others].join("\n  ")}`,
    );
  return { urn, variable: variable ?? nameOf(urn) };
}

interface Named extends Omit<ImportEntry, "variable"> {
  readonly protect: boolean;
}

const isFileOf = (folder: string, name: string): boolean => {
  const [part = "", file, ...more] = name.startsWith(`${folder}/`)
    ? name.slice(folder.length + 1).split("/")
    : [];
  return Object.hasOwn(folders, part) && Boolean(file) && more.length === 0;
};

/** With the plugin's type if the project uses the plugin, or else the dynamic type. */
function importOf({ name: stack, project }: Stack, { type, ...rest }: Named): Import {
  const { name, parent = "" } = rest;
  const folder = nameOf(parent);
  if (typeOf(parent) === themeFolderType && !isFileOf(folder, name))
    throw usageError(
      `${name} names no file of ThemeFolder ${folder}: it must be the folder's name and the file's path, such as ${folder}/snippets/card.liquid`,
    );
  // The module may be left out of a type token.
  const [, short = type] = /^shop:(\w+)$/.exec(type) ?? [];
  const token = kindOfType(type) ?? short;
  const [, { kind }] = kindNamed(token);
  if (project.plugins.has("shop")) return { ...rest, type: pluginType(kind) };
  const dynamic = { ...rest, type: dynamicType(kind) };
  return { ...dynamic, known: toImport(kind, urnOfImport(stack, project.name, dynamic)) };
}

function fromFile(stack: Stack, file: string, protect: boolean): ImportList {
  const { nameTable, resources } = readImportFile(file);
  const named = new Map(Object.entries(nameTable));
  const variables = new Map([...named].map(([variable, urn]) => [urn, variable]));
  const imports: Import[] = [];
  const urns = new Map(named);
  const refer = (what: string, name: string, by: string | undefined) => {
    const urn = by === undefined ? undefined : urns.get(by);
    if (by !== undefined && urn === undefined)
      throw usageError(
        `${file}: the ${what} ${by} of ${name} is neither in nameTable nor among the resources`,
      );
    return urn;
  };
  for (const { type, name, id, parent, provider, variable } of parentsFirst(file, resources)) {
    const above = refer("parent", name, parent);
    const by = refer("provider", name, provider);
    const one = importOf(stack, { type, name, id, parent: above, provider: by, protect });
    const urn = urnOfImport(stack.name, stack.project.name, one);
    urns.set(variable, urn);
    if (!variables.has(urn)) variables.set(urn, variable);
    imports.push(one);
  }
  return { imports, variables };
}

/** An entry of an import file, before validation. */
interface Entry {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly id?: unknown;
  readonly parent?: unknown;
  readonly provider?: unknown;
  readonly logicalName?: unknown;
}

/** Fields of Pulumi's format without effect here: Pulumi.yaml names the plugin. */
const ignored = ["version", "pluginDownloadUrl"];
const known = [...ignored, "type", "name", "id", "parent", "provider", "logicalName"];

export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** The name by which other entries refer to it. */
  readonly variable: string;
  readonly parent: string | undefined;
  readonly provider: string | undefined;
}

/** Sorts parents before children. @throws CommandError for a cycle */
function parentsFirst(file: string, all: readonly ImportEntry[]): readonly ImportEntry[] {
  const sorted: ImportEntry[] = [];
  for (let left = all; left.length > 0; ) {
    const waits = ({ parent }: ImportEntry) => left.some(({ variable }) => variable === parent);
    const ready = left.filter((one) => !waits(one));
    if (ready.length === 0)
      throw usageError(`${file}: circular parents: ${left.map(({ name }) => name).join(", ")}`);
    sorted.push(...ready);
    left = left.filter(waits);
  }
  return sorted;
}

/** @throws CommandError for an invalid file */
function readImportFile(file: string): {
  readonly nameTable: Readonly<Record<string, string>>;
  readonly resources: readonly ImportEntry[];
} {
  if (!existsSync(resolve(file))) throw usageError(`${file}: there is no such file`);
  let read: unknown;
  try {
    read = readJson(resolve(file));
  } catch (error) {
    throw usageError(`${file} is not JSON: ${(error as Error).message}`);
  }
  const { nameTable = {}, resources } = isRecord(read) ? read : {};
  if (!isRecord(nameTable) || !Object.values(nameTable).every((urn) => typeof urn === "string"))
    throw usageError(`${file}: nameTable must be an object of URNs by name`);
  if (!Array.isArray(resources) || resources.length === 0)
    throw usageError(`${file}: resources must be a list of {type, name, id}`);
  return {
    nameTable: nameTable as Readonly<Record<string, string>>,
    resources: resources.map((entry: unknown, index) => entryOf(`${file}: resource ${index + 1}`, entry)),
  };
}

function entryOf(where: string, entry: unknown): ImportEntry {
  if (!isRecord(entry)) throw usageError(`${where} must be an object of type, name and id`);
  const unsupported = Object.keys(entry).filter((key) => !known.includes(key) && entry[key] !== false);
  if (unsupported.length > 0)
    throw usageError(`${where}: ${unsupported.join(", ")} can't be used here; it takes ${known.join(", ")}`);
  const { type, id, parent, provider, logicalName, name = logicalName } = entry as Entry;
  const text = (key: string, value: unknown): string => {
    if (typeof value === "string" && value !== "") return value;
    throw usageError(`${where} has no ${key}`);
  };
  const maybe = (key: string, value: unknown) => (value === undefined ? undefined : text(key, value));
  return {
    type: text("type", type),
    name: text("name", logicalName ?? name),
    variable: text("name", name),
    id: text("id", id),
    parent: maybe("parent", parent),
    provider: maybe("provider", provider),
  };
}
