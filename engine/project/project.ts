/** Reads Pulumi.yaml. */
import { basename, dirname, join, resolve } from "node:path";
import { diskFiles, type Files } from "../common/disk.ts";
import { didYouMean } from "../common/nearest.ts";
import { isRecord } from "../common/record.ts";
import { backendUrlOf, projectFile } from "../pulumi/backend.ts";
import { namedPlugins } from "../pulumi/plugins.ts";
import { readYaml, refuseUnknown } from "./yaml-file.ts";

export interface Project {
  readonly name: string;
  readonly folder: string;
  /** The working directory of the program and its provider. */
  readonly programFolder: string;
  /** The program: a file in that folder, or "." for the `main` of package.json (pkg/engine/project.go, GetPwdMain). */
  readonly entry: string;
  readonly path: string;
  /** Folders of plugins, by package (`plugins.providers`, `packages`). */
  readonly plugins: ReadonlyMap<string, string>;
  readonly backendUrl: string | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly stackFolder: string;
  readonly runtime: RuntimeOptions;
}

/** `runtime.options` of Pulumi.yaml (sdk/nodejs/cmd/pulumi-language-nodejs/main.go). */
export interface RuntimeOptions {
  /** `nodejs`, `yaml`, `python`: only Pulumi runs programs of other runtimes than the first. */
  readonly name: string;
  /** Whether the project's own compiler compiles TypeScript; otherwise Node strips the types. */
  readonly typescript: boolean;
  readonly tsconfig: string | undefined;
  readonly nodeargs: readonly string[];
}

/**
 * Finds and reads the project of a folder or of one above it.
 * @throws Error if there is none, or if it needs something that this engine doesn't support
 */
export function openProject(start: string, files: Files = diskFiles): Project {
  if (!files.exists(resolve(start))) throw new Error(`the folder ${resolve(start)} does not exist`);
  if (!files.isFolder(resolve(start)))
    throw new Error(`${resolve(start)} is a file: name the project's folder`);
  // As for a command that runs in the folder: the program's imports and the state know no links.
  const path = projectFile(files, files.real(resolve(start)));
  if (path === undefined)
    throw new Error(
      `no Pulumi project found: there is no Pulumi.yaml in ${resolve(start)} or above it; ` +
        "create one with the command init, or name its folder with --cwd",
    );
  const folder = dirname(path);
  const yaml = readYaml(files, path) ?? {};
  refuseMistyped(path, yaml);
  if (yaml.name === undefined || yaml.name === null)
    throw new Error(`${path}: name is missing: write name: my-project`);
  if (typeof yaml.name !== "string" || !/^[\w.-]{1,100}$/.test(yaml.name) || /^\.+$/.test(yaml.name))
    throw new Error(
      `${path}: name must be at most 100 letters, digits, hyphens, underscores and periods, got ${JSON.stringify(yaml.name)}`,
    );
  const { name: runtime, options } =
    typeof yaml.runtime === "string"
      ? { name: yaml.runtime, options: {} }
      : ((yaml.runtime ?? {}) as { name?: string; options?: Readonly<Record<string, unknown>> });
  const main = typeof yaml.main === "string" ? join(folder, yaml.main) : folder;
  // As in Pulumi, a path for config is the folder of the stack files.
  const settings = isRecord(yaml.config) ? yaml.stackConfigDir : (yaml.config ?? yaml.stackConfigDir);
  // A project may exist before its program.
  const isFile = files.exists(main) ? !files.isFolder(main) : /\.\w+$/.test(main);
  return {
    name: yaml.name,
    folder,
    programFolder: isFile ? dirname(main) : main,
    entry: isFile ? basename(main) : ".",
    path,
    plugins: ofFile(path, () => pluginsOf(path, yaml)),
    backendUrl: ofFile(path, () => backendUrlOf(yaml)),
    defaults: configDefaults(yaml.name, isRecord(yaml.config) ? yaml.config : {}),
    runtime: { name: String(runtime), ...runtimeOptions(options ?? {}) },
    stackFolder: join(folder, String(settings ?? "")),
  };
}

/** The top-level keys of Pulumi.yaml (sdk/go/common/workspace/project.go), and those of a program in YAML. */
const projectKeys = [
  ...["name", "runtime", "main", "description", "author", "website", "license", "config", "stackConfigDir"],
  ...["template", "backend", "options", "packages", "plugins", "requiredPulumiVersion"],
  ...["configuration", "variables", "resources", "outputs", "components"],
];

/** @throws Error for keys and values that would be taken for missing */
function refuseMistyped(path: string, yaml: unknown): asserts yaml is Readonly<Record<string, unknown>> {
  if (!isRecord(yaml)) throw new Error(`${path} must have keys such as name:, each with a colon`);
  refuseUnknown(path, yaml, projectKeys);
  for (const key of ["main", "stackConfigDir"])
    if (typeof (yaml[key] ?? "") !== "string") throw new Error(`${path}: ${key} must be a path`);
  const { config, runtime } = yaml;
  const maps = { config, plugins: yaml.plugins, "options of runtime": isRecord(runtime) && runtime.options };
  for (const [key, map] of Object.entries(maps))
    if (map && !isRecord(map) && (key !== "config" || typeof map !== "string"))
      throw new Error(`${path}: ${key} must have keys, each on a line of its own: key: value`);
}

function ofFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
}

const pluginsOf = (path: string, yaml: unknown) =>
  new Map([...namedPlugins(yaml)].map(([name, folder]) => [name, resolve(dirname(path), folder)]));

function runtimeOptions({
  typescript,
  tsconfig,
  nodeargs,
}: Readonly<Record<string, unknown>>): Omit<RuntimeOptions, "name"> {
  return {
    typescript: typescript !== false,
    tsconfig: typeof tsconfig === "string" ? tsconfig : undefined,
    nodeargs: typeof nodeargs === "string" ? nodeargs.split(/\s+/).filter((arg) => arg !== "") : [],
  };
}

function configDefaults(project: string, config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(config)) {
    const value =
      typeof entry === "object" && entry !== null
        ? ((entry as { value?: unknown; default?: unknown }).value ??
          (entry as { default?: unknown }).default)
        : entry;
    if (value !== undefined) defaults[fullKey(project, key)] = value;
  }
  return defaults;
}

/** @throws Error if the program doesn't exist, or this engine can't run it */
export function checkProgram({ path, programFolder, entry, runtime }: Project, files: Files): void {
  if (runtime.name === "undefined") throw new Error(`${path}: runtime is missing: write runtime: nodejs`);
  if (runtime.name !== "nodejs") {
    const near = didYouMean(runtime.name, ["nodejs"]);
    const others = `only Pulumi runs programs of the runtime ${runtime.name}: use --engine pulumi, or pulumi itself`;
    throw new Error(`${path}: ${near === "" ? others : `unknown runtime ${runtime.name}${near}`}`);
  }
  const main = join(programFolder, entry);
  if (files.exists(main)) return;
  throw new Error(`${path}: main names ${main}, which doesn't exist: create it, or correct main`);
}

/** The key with the name of the project, unless it has one: `my-project:season`. */
export const fullKey = (project: string, key: string) => (key.includes(":") ? key : `${project}:${key}`);
