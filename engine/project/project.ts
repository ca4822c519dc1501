/** Reads Pulumi.yaml and Pulumi.<stack>.yaml, and writes the latter; comments are kept. */
import { isUtf8 } from "node:buffer";
import { basename, dirname, join, resolve } from "node:path";
import { Document, isMap, parseDocument, type Scalar } from "yaml";
import { diskFiles, type Files, writeWhole } from "../common/disk.ts";
import { didYouMean } from "../common/nearest.ts";
import { isRecord } from "../common/record.ts";
import { backendUrlOf, projectFile } from "../pulumi/backend.ts";
import { namedPlugins } from "../pulumi/plugins.ts";
import {
  type Crypter,
  newEncryptionSalt,
  openCrypter,
  type Passphrase,
  SecretsProviderError,
} from "./secrets.ts";
import { yamlFault } from "./yaml-fault.ts";

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

function readText(files: Files, path: string): string {
  if (files.isFolder(path)) throw new Error(`${path} is a folder, and must be a YAML file`);
  const bytes = files.read(path);
  if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8: save it as UTF-8`);
  return bytes.toString("utf8");
}

function documentOf(path: string, text: string): { readonly document: Document; readonly values: unknown } {
  const document = parseDocument(text);
  try {
    const [error] = document.errors;
    if (error?.code === "MULTIPLE_DOCS") throw new Error("it has a second document after ---");
    if (error !== undefined) throw error;
    // Undefined aliases are found only on conversion.
    return { document, values: document.toJS() };
  } catch (cause) {
    throw new Error(`${path} is not YAML: ${yamlFault(text, cause as Error)}`, { cause });
  }
}

/** The values of recent texts, because a run opens its project and stack more than once. */
const read = new Map<string, unknown>();

/** The values of a YAML file. They are shared. */
function readYaml(files: Files, path: string): unknown {
  const text = readText(files, path);
  if (!read.has(text)) {
    const { values } = documentOf(path, text);
    if (read.size >= 16) read.clear();
    read.set(text, values);
  }
  return read.get(text);
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

/** @throws Error for values that Pulumi would refuse too: they would be taken for missing */
function refuseMistyped(path: string, yaml: unknown): asserts yaml is Readonly<Record<string, unknown>> {
  if (!isRecord(yaml)) throw new Error(`${path} must have keys such as name:, each with a colon`);
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

/** A stack's configuration; secrets are decrypted on first use. */
export interface StackConfig {
  /** `namespace:key` to text; objects are JSON, as the SDK reads them. */
  readonly values: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  /** A value by its key; the project's own namespace may be left out. */
  get(key: string): string | undefined;
  isSecret(key: string): boolean;
  readonly crypter: () => Crypter;
  readonly encryptionSalt: () => string | undefined;
  /** @throws PassphraseError if the passphrase isn't set */
  readonly checkPassphrase: () => void;
  /** A crypter for another salt and the same passphrase; without a salt, the stack's own. */
  readonly crypterOf: (salt: string | undefined) => Crypter;
  /** Creates a salt for the stack's passphrase, without storing it. */
  readonly newSalt: () => string;
  /** Writes a value to the stack's file. @param comment a line above it */
  set(key: string, value: string, isSecret: boolean, comment?: string): void;
  /** Removes a value from the stack's file. @returns whether it was there */
  remove(key: string): boolean;
}

export const configPath = (project: Project, stack: string): string =>
  join(project.stackFolder, `Pulumi.${stack}.yaml`);

export interface ConfigOptions {
  readonly files?: Files;
  /** The salt of the stack's state, used if the stack's file has none because it was lost. */
  readonly stateSalt?: () => string | undefined;
}

/** The top-level keys of a stack file in Pulumi. */
const stackFileKeys = ["config", "encryptionsalt", "encryptedkey", "secretsprovider", "environment"];

/** Rejects values that nobody would read because they stand in the wrong place of a stack file. */
function refuseMisplaced(path: string, yaml: unknown): void {
  if (yaml === null || yaml === undefined) return;
  if (!isRecord(yaml)) throw new Error(`${path} must have keys such as config:, each with a colon`);
  for (const key of Object.keys(yaml)) {
    if (key.includes(":")) throw new Error(`${path}: ${key} is outside of config: indent it below config:`);
    const near = stackFileKeys.includes(key) ? "" : didYouMean(key, stackFileKeys);
    if (near !== "") throw new Error(`${path}: unknown key ${key}${near}`);
  }
  const { config, encryptionsalt } = yaml;
  if (typeof (encryptionsalt ?? "") !== "string")
    throw new Error(`${path}: encryptionsalt must be the text that Pulumi wrote; restore it`);
  if (config !== undefined && config !== null && !isRecord(config))
    throw new Error(`${path}: config must have keys, each on a line of its own: key: value`);
}

/** Reads Pulumi.<stack>.yaml; a stack without one has the project's defaults only. */
export function openConfig(
  project: Project,
  stack: string,
  passphrase: Passphrase,
  { files = diskFiles, stateSalt = () => undefined }: ConfigOptions = {},
): StackConfig {
  const path = configPath(project, stack);
  const content = files.exists(path) ? readYaml(files, path) : {};
  refuseMisplaced(path, content);
  const yaml = (content ?? {}) as {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly encryptionsalt?: string;
    readonly secretsprovider?: string;
  };
  const documentNow = () =>
    files.exists(path) ? documentOf(path, readText(files, path)).document : new Document({});
  if (yaml.secretsprovider !== undefined && yaml.secretsprovider !== "passphrase") {
    throw new SecretsProviderError(
      `${path}: secretsprovider ${yaml.secretsprovider} is not supported by the embedded engine, only passphrase; use --engine pulumi`,
      yaml.secretsprovider,
    );
  }
  /** Reads the file again and changes it: it may have changed during a long run. */
  const change = (work: (document: Document) => void) => {
    const now = documentNow();
    work(now);
    // The file keeps its permissions.
    writeWhole(files, path, printed(now), files.exists(path) ? files.mode(path) : 0o644);
  };
  const { crypter, crypterOf, salt } = openSalts(passphrase, yaml.encryptionsalt, stateSalt, (made) =>
    change((now) => now.set("encryptionsalt", made)),
  );
  const full = (key: string) => fullKey(project.name, key);
  // The file may leave the project's name out of the key.
  const placeOf = (key: string, now: Document): readonly string[] => {
    const short = full(key).slice(project.name.length + 1);
    const isShort = full(key) === `${project.name}:${short}` && now.hasIn(["config", short]);
    return ["config", isShort ? short : full(key)];
  };
  const { values, secretKeys } = readValues(project, yaml.config ?? {}, crypter);
  return {
    values,
    secretKeys,
    get: (key) => values[full(key)],
    isSecret: (key) => secretKeys.includes(full(key)),
    crypter,
    crypterOf,
    encryptionSalt: salt,
    checkPassphrase: () => void passphrase((salt() ?? stateSalt()) === undefined),
    newSalt: () => newEncryptionSalt(passphrase((salt() ?? stateSalt()) === undefined)),
    set(key, value, isSecret, comment) {
      const sealed = isSecret ? { secure: crypter().encrypt(value) } : value;
      change((now) => {
        asBlocks(now);
        const place = placeOf(key, now);
        now.setIn(place, sealed);
        if (comment !== undefined) commentOn(now, place, comment);
      });
    },
    remove(key) {
      const before = documentNow();
      if (!before.hasIn(placeOf(key, before))) return false;
      change((now) => now.deleteIn(placeOf(key, now)));
      return true;
    },
  };
}

/** Creates the crypters of a stack and of other salts when they are first needed; each takes most of a second. */
function openSalts(
  passphrase: Passphrase,
  own: string | undefined,
  stateSalt: () => string | undefined,
  keep: (salt: string) => void,
) {
  const opened = new Map<string, Crypter>();
  let salt = own;
  const crypterOf = (of: string | undefined): Crypter => {
    if (of === undefined) return crypter();
    const known = opened.get(of) ?? openCrypter(passphrase(), of);
    opened.set(of, known);
    return known;
  };
  const crypter = (): Crypter => {
    if (salt === undefined) {
      salt = stateSalt() ?? newEncryptionSalt(passphrase(true));
      keep(salt);
    }
    return crypterOf(salt);
  };
  return { crypter, crypterOf, salt: () => salt };
}

const printed = (document: Document) => document.toString({ lineWidth: 0 }).replace(/^\{\}\n/, "");

/** Adds a comment above a key that exists. */
export function commentOn(document: Document, path: readonly string[], comment: string): void {
  const map = document.getIn(path.slice(0, -1));
  const pair = isMap(map) ? map.items.find(({ key }) => String(key) === path.at(-1)) : undefined;
  if (pair === undefined) return;
  const key = document.createNode(path.at(-1)) as Scalar;
  key.commentBefore = ` ${comment}`;
  pair.key = key;
}

// A value added to a map that is written as `{}` would stand on the same line.
function asBlocks(document: Document): void {
  for (const map of [document.contents, document.get("config")])
    if (isMap(map) && map.items.length === 0) map.flow = false;
}

/** The key with the name of the project, unless it has one: `my-project:season`. */
export const fullKey = (project: string, key: string) => (key.includes(":") ? key : `${project}:${key}`);

/** The values of a stack's file and their keys. A secret is decrypted when it is first read. */
function readValues(project: Project, config: Readonly<Record<string, unknown>>, crypter: () => Crypter) {
  const values: Record<string, string> = {};
  const secretKeys: string[] = [];
  for (const [key, entry] of Object.entries({ ...project.defaults, ...config })) {
    const full = fullKey(project.name, key);
    const isSecret = isSealed(entry);
    if (isSecret) secretKeys.push(full);
    let known: string | undefined;
    const get = () => {
      known ??= textOf(decryptNamed(full, entry, crypter));
      return known;
    };
    Object.defineProperty(values, full, {
      ...(isSecret ? { get } : { value: get() }),
      enumerable: true,
      configurable: true,
    });
  }
  return { values, secretKeys };
}

// Pulumi treats a key without a value as an empty text.
function textOf(value: unknown): string {
  const given = value ?? "";
  return typeof given === "string" ? given : JSON.stringify(given);
}

function decryptNamed(key: string, entry: unknown, crypter: () => Crypter): unknown {
  try {
    return decrypt(entry, crypter);
  } catch (cause) {
    throw new Error(`the configuration ${key} can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** Whether a value is a secret, or has one inside. */
const isSealed = (entry: unknown): boolean =>
  typeof entry === "object" &&
  entry !== null &&
  (typeof (entry as { secure?: unknown }).secure === "string" || Object.values(entry).some(isSealed));

function decrypt(entry: unknown, crypter: () => Crypter): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const { secure } = entry as { secure?: unknown };
  if (typeof secure === "string") return crypter().decrypt(secure);
  if (Array.isArray(entry)) return entry.map((inner) => decrypt(inner, crypter));
  return Object.fromEntries(Object.entries(entry).map(([key, inner]) => [key, decrypt(inner, crypter)]));
}
