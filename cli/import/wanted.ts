/** What to import, as a person writes it: in words, or in a file of Pulumi's own format (pulumi import --file). */

import { type Import, load, nameOf, type Stack, urnOfImport } from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/nearest.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { folders, themeFolderType } from "../../provider/names/theme-folder.ts";
import { dynamicType, kindOfType, pluginType } from "../../provider/names/types.ts";
import { toImport } from "../../provider/native.ts";
import { wrong } from "../exit.ts";
import { kindNamed } from "../stack/kinds.ts";
import { parentsFirst, readImportFile } from "./file.ts";

/** What is imported, and what the program calls that which it refers to. */
export interface Wanted {
  /** Parents before their children. */
  readonly imports: readonly Import[];
  /** Variables of the program by the URN that they stand for. */
  readonly variables: ReadonlyMap<string, string>;
}

/** @throws CommandError that says what of the words or of the file is wrong */
export function wantedOf(
  stack: Stack,
  words: readonly string[],
  values: {
    /** Of a file of imports. */
    readonly path?: string | undefined;
    readonly parent?: string | undefined;
    readonly provider?: string | undefined;
    readonly protect: boolean;
  },
): Wanted {
  if (values.path === undefined) return ofWords(stack, words, values);
  if (words.length > 0 || values.parent !== undefined || values.provider !== undefined)
    throw wrong("--file names what to import: leave TYPE NAME ID, --parent and --provider out");
  return ofFile(stack, values.path, values.protect);
}

function ofWords(
  stack: Stack,
  [type, name, id, ...more]: readonly string[],
  { parent, provider, protect }: Parameters<typeof wantedOf>[2],
): Wanted {
  if (type === undefined || name === undefined || id === undefined || more.length > 0)
    throw wrong("import takes TYPE NAME ID, or --file FILE; --help shows an example");
  const named = [parent, provider].map((text) => (text === undefined ? undefined : namedIn(stack, text)));
  const variables = new Map(named.flatMap((one) => (one === undefined ? [] : [[one.urn, one.variable]])));
  const [above, by] = named.map((one) => one?.urn);
  return { imports: [importOf(stack, { type, name, id, parent: above, provider: by, protect })], variables };
}

/** `VARIABLE=URN` as Pulumi takes it, or a resource of the state by its name or URN. @throws CommandError */
function namedIn(stack: Stack, text: string): { readonly urn: string; readonly variable: string } {
  const [, variable, named = text] = /^([^=:]+)=(.+)$/s.exec(text) ?? [];
  const urns = load(stack).resources.flatMap(({ urn }) =>
    urn === named || nameOf(urn) === named ? [urn] : [],
  );
  const [urn, ...others] = new Set(urns);
  if (urn === undefined)
    throw wrong(
      `the stack ${stack.name} has no resource ${named}${didYouMeanAny(
        [named],
        load(stack).resources.map((one) => one.urn),
      )}`,
    );
  if (others.length > 0)
    throw wrong(
      `several resources are named ${named}; use the URN of one:\n  ${[urn, ...others].join("\n  ")}`,
    );
  return { urn, variable: variable ?? nameOf(urn) };
}

interface Named {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly provider: string | undefined;
  readonly protect: boolean;
}

const isFileOf = (folder: string, name: string): boolean => {
  const [part = "", file, ...more] = name.startsWith(`${folder}/`)
    ? name.slice(folder.length + 1).split("/")
    : [];
  return Object.hasOwn(folders, part) && Boolean(file) && more.length === 0;
};

/** Of the type that the program's class has: the plugin's where the project names it, else the dynamic one. */
function importOf({ name: stack, project }: Stack, { type, ...rest }: Named): Import {
  const { name, parent = "" } = rest;
  const folder = nameOf(parent);
  if (typeOf(parent) === themeFolderType && !isFileOf(folder, name))
    throw wrong(
      `${name} names no file of ThemeFolder ${folder}: it must be the folder's name and the file's path, such as ${folder}/snippets/card.liquid`,
    );
  // A person may leave the module out.
  const [, short = type] = /^shop:(\w+)$/.exec(type) ?? [];
  const token = kindOfType(type) ?? short;
  const [, { kind }] = kindNamed(token);
  if (project.plugins.has("shop")) return { ...rest, type: pluginType(kind) };
  const dynamic = { ...rest, type: dynamicType(kind) };
  return { ...dynamic, known: toImport(kind, urnOfImport(stack, project.name, dynamic)) };
}

function ofFile(stack: Stack, file: string, protect: boolean): Wanted {
  const { nameTable, resources } = readImportFile(file);
  const named = new Map(Object.entries(nameTable));
  const variables = new Map([...named].map(([variable, urn]) => [urn, variable]));
  const imports: Import[] = [];
  const urns = new Map(named);
  const refer = (what: string, name: string, by: string | undefined) => {
    const urn = by === undefined ? undefined : urns.get(by);
    if (by !== undefined && urn === undefined)
      throw wrong(`${file}: the ${what} ${by} of ${name} is neither in nameTable nor among the resources`);
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
