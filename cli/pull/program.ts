/** What a shop has, as the files of a program: one file a kind, bodies in folders, references by variable. */

import type { Values } from "../../provider/codec.ts";
import type { Referred } from "../../provider/comparison.ts";
import type { Definition, Field } from "../../provider/define.ts";
import { lineFeeds } from "../../provider/diff.ts";
import { lookupOf, portraitOf, titleOf } from "../../provider/portrait.ts";
import type { Surveyed } from "../../provider/survey.ts";
import { Code, print, printLine } from "./code.ts";
import { fileName, openNames, slug, variable } from "./names.ts";

/** All objects of a kind. */
export interface Pulled {
  readonly definition: Definition;
  /** The client's name of the kind, which its file is called by. */
  readonly group: string;
  readonly objects: readonly Surveyed[];
}

/** What was pulled before: ids by resource name, by class. */
export type Adopted = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Program {
  /** Texts and bytes by path, with forward slashes. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Modules that index.ts imports. */
  readonly modules: readonly string[];
  readonly adopted: Adopted;
  /** The stack's own configuration: numbers that differ from shop to shop and that nothing finds. */
  readonly config: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What a person must know: values and bodies that couldn't be pulled. */
  readonly notices: readonly string[];
}

export interface Source {
  readonly url: string;
  readonly pulled: readonly Pulled[];
  /** Objects that others refer to, by kind. */
  readonly referred: Referred;
  readonly before: Adopted;
  /** Whether a file may be called so: what only adds to a program takes no name that is there. */
  readonly isFree: (path: string) => boolean;
}

/** From so many objects of a kind on, they are a table. */
const table = 25;

/** Writes the program of what was pulled. */
export function writeProgram(source: Source): Program {
  const files = new Map<string, string | Buffer>();
  const modules: string[] = [];
  const adopted: Record<string, Record<string, string>> = {};
  const config: Record<string, Record<string, number>> = {};
  const notices: string[] = [];
  const paths = openNames([], (path) => path.toLowerCase(), source.isFree);
  for (const pulled of source.pulled) {
    if (pulled.objects.length === 0) continue;
    const kind = nameObjects(source, pulled, { files, notices, paths });
    const numbers = foreignNumbers(pulled.definition, kind);
    Object.assign(config, numbers);
    const module = freeModule(source, hyphenated(pulled.group));
    modules.push(module);
    files.set(`${module}.ts`, moduleText(source, pulled, kind, Object.keys(numbers)));
    adopted[pulled.definition.kind] = Object.fromEntries(kind.map(({ name, adopt }) => [name, adopt]));
  }
  return { files, modules, adopted, config, notices };
}

/** What `adopt` says of an object: its number, or "key" where a shop has one at most. */
export function adoptOf(definition: Definition, id: string): string {
  return definition.singleton === undefined ? (id.split("/").at(-1) ?? id) : "key";
}

function freeModule({ isFree }: Source, wish: string): string {
  for (let number = 1; ; number += 1) {
    const module = number === 1 ? wish : `${wish}-${number}`;
    if (isFree(`${module}.ts`)) return module;
  }
}

interface Resource {
  readonly name: string;
  readonly adopt: string;
  readonly args: Record<string, unknown>;
}

interface Shared {
  readonly files: Map<string, string | Buffer>;
  readonly notices: string[];
  readonly paths: ReturnType<typeof openNames>;
}

const hyphenated = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function nameObjects(
  source: Source,
  { definition, group, objects }: Pulled,
  shared: Shared,
): readonly Resource[] {
  const names = openNames(Object.keys(source.before[definition.kind] ?? {}));
  return objects.flatMap((object) => {
    const { seen, id } = object;
    const { args, leftOut } = portraitOf(definition, seen);
    const title = titleOf(definition, seen);
    const holders = referencesOf(definition, seen).flatMap(
      ([, field]) => holderOf(source, field, seen) ?? [],
    );
    const name = names(slug(title), slug([...holders.map(holderTitle), title].join(" ")));
    for (const { path, reason } of leftOut)
      shared.notices.push(`${definition.kind} ${name}: ${path} is left out: ${reason}`);
    const lacks = Object.entries(definition.fields).filter(
      ([field, { mode }]) => mode === "required" && args[field] === undefined,
    );
    const body = bodyArgument(
      source,
      { definition, group, objects },
      object,
      holders.map(holderTitle),
      shared,
      name,
    );
    if (lacks.length > 0 || body === undefined) {
      if (lacks.length > 0)
        shared.notices.push(
          `${definition.kind} ${id} is left out: it has no ${lacks.map(([field]) => field).join(", ")}`,
        );
      return [];
    }
    return [{ name, adopt: adoptOf(definition, id), args: { ...args, ...body } }];
  });
}

/** The fields of a kind that are numbers of other objects, where this object has one. */
const referencesOf = (definition: Definition, seen: Values) =>
  Object.entries(definition.fields)
    .filter(([name, field]) => field.refers?.kind !== undefined && seen[name] !== undefined)
    .map(([name, field]) => [name, { ...field, name }] as const);

function holderOf(source: Source, { refers, name }: Field & { readonly name: string }, seen: Values) {
  return source.referred.get(refers?.kind ?? "")?.find((other) => other.seen.id === seen[name]);
}

const holderTitle = ({ definition, seen }: { readonly definition: Definition; readonly seen: Values }) =>
  titleOf(definition, seen);

/** The argument of an object's body; undefined where nothing of it can be had. */
function bodyArgument(
  source: Source,
  { definition, group }: Pulled,
  { seen, bytes }: Surveyed,
  holders: readonly string[],
  shared: Shared,
  name: string,
): Values | undefined {
  const { body } = definition;
  if (body === undefined) return {};
  const text = typeof seen.content === "string" ? lineFeeds(seen.content) : undefined;
  if (text === undefined && !Buffer.isBuffer(bytes)) {
    const why = bytes instanceof Error ? bytes.message : "the shop doesn't show it";
    const address = seen[body.address];
    if (typeof address !== "string") {
      shared.notices.push(`${definition.kind} ${name} is left out: its body can't be had: ${why}`);
      return undefined;
    }
    shared.notices.push(`${definition.kind} ${name}: its body stays at its address: ${why}`);
    return { src: new URL(address, source.url).href };
  }
  // What a kind is told apart by, beside its name: the folders that a theme has on everybody's disk.
  const marks = Object.entries(definition.fields).flatMap(([field, { values }]) =>
    values === undefined || typeof seen[field] !== "string"
      ? []
      : [(seen[field] as string).split("::").at(-1) ?? ""],
  );
  const folders = [hyphenated(group), ...holders.map(slug), ...marks.map(slug)];
  const file = shared.paths(
    [...folders, fileName(titleOf(definition, seen))].join("/"),
    undefined,
    (path, number) => path.replace(/([^./]*)([^/]*)$/, `$1-${number}$2`),
  );
  shared.files.set(file, text ?? (bytes as Buffer));
  return { file };
}

/** Numbers that nothing finds become the stack's configuration; where all objects have the same, the shop's own will do. */
function foreignNumbers(definition: Definition, resources: readonly Resource[]) {
  const config: Record<string, Record<string, number>> = {};
  for (const [name, { refers }] of Object.entries(definition.fields)) {
    if (refers === undefined || refers.kind !== undefined) continue;
    const numbers = new Set(resources.flatMap(({ args }) => (args[name] as number | undefined) ?? []));
    for (const { args } of resources) {
      const number = args[name];
      if (number === undefined) continue;
      if (numbers.size === 1) delete args[name];
      else args[name] = new Code(`${name}s.n${number}`);
    }
    if (numbers.size > 1)
      config[`${name}s`] = Object.fromEntries([...numbers].map((number) => [`n${number}`, number]));
  }
  return config;
}

function moduleText(
  source: Source,
  { definition }: Pulled,
  resources: readonly Resource[],
  config: readonly string[],
): string {
  const { kind } = definition;
  const { functions, lines } = references(source, definition, resources);
  const isTable = resources.length >= table;
  const imports = [kind, ...(isTable ? [`type ${kind}Args`] : []), ...functions].toSorted((a, b) =>
    a.replace("type ", "").localeCompare(b.replace("type ", ""), "en"),
  );
  const head = [
    ...(config.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    `import { ${imports.join(", ")} } from "pulumi-shop";`,
    'import { adopt } from "./adopt.ts";',
    "",
  ];
  const settings = config.map(
    (name) =>
      `// No data source finds these; they differ from shop to shop, so each stack has its own.\nconst ${name} = new pulumi.Config().requireObject<Record<string, number>>("${name}");`,
  );
  const before = [...settings, ...lines, ...(settings.length + lines.length > 0 ? [""] : [])];
  return `${[...head, ...before, isTable ? tableText(kind, resources) : statements(kind, resources)].join("\n")}\n`;
}

function statements(kind: string, resources: readonly Resource[]): string {
  return resources
    .map(({ name, args }) => {
      const own = new Code(`adopt(${JSON.stringify(kind)}, ${JSON.stringify(name)})`);
      return `new ${kind}(${JSON.stringify(name)}, ${print({ ...args, adopt: own })});`;
    })
    .join("\n\n");
}

function tableText(kind: string, resources: readonly Resource[]): string {
  const rows = resources.map(({ name, args }) => `  ${JSON.stringify(name)}: ${printLine(args)},`);
  return `/** A line each, by the resource's name. */
const table: Readonly<Record<string, ${kind}Args>> = {
${rows.join("\n")}
};

for (const [name, args] of Object.entries(table))
  new ${kind}(name, { ...args, adopt: adopt(${JSON.stringify(kind)}, name) });`;
}

/** Data sources of the objects that these refer to; the arguments get their variables. */
function references(source: Source, definition: Definition, resources: readonly Resource[]) {
  const functions = new Set<string>();
  const lines: string[] = [];
  const variables = openNames(["pulumi", "adopt", "table", "name", "args", definition.kind]);
  const known = new Map<string, string>();
  for (const { args } of resources) {
    for (const [name, field] of referencesOf(definition, args)) {
      const found = holderOf(source, field, args);
      if (found === undefined) continue;
      const key = `${found.definition.kind} ${found.seen.id}`;
      const all = source.referred.get(found.definition.kind) ?? [];
      if (!known.has(key)) {
        const own = variables(
          variable(titleOf(found.definition, found.seen)),
          undefined,
          (one, number) => `${one}${number}`,
        );
        const by = lookupOf(
          found.definition,
          found.seen,
          all.map(({ seen }) => seen),
        );
        functions.add(`get${found.definition.kind}Output`);
        lines.push(`const ${own} = get${found.definition.kind}Output(${printLine(by)});`);
        known.set(key, own);
      }
      args[name] = new Code(`${known.get(key)}.id`);
    }
  }
  return { functions: [...functions], lines };
}
