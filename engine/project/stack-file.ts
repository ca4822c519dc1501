/** Reads and writes Pulumi.<stack>.yaml; comments are kept. */
import { basename, extname, join } from "node:path";
import { Document, isMap, type Scalar } from "yaml";
import { diskFiles, type Files, writeWhole } from "../common/disk.ts";
import { isRecord } from "../common/record.ts";
import { fullKey, type Project } from "./project.ts";
import {
  type Crypter,
  newEncryptionSalt,
  openCrypter,
  type Passphrase,
  SecretsProviderError,
} from "./secrets.ts";
import { documentOf, readText, readYaml, refuseUnknown } from "./yaml-file.ts";

/** A stack's configuration; secrets are decrypted on first use. */
export type StackConfig = Readonly<ReturnType<typeof openConfig>>;

/** The name of a stack's file: it has the ending of the project's (DetectProjectStackPath of sdk/go/common/workspace/paths.go). */
export const configFile = ({ path }: Pick<Project, "path">, stack: string): string =>
  `Pulumi.${stack}${extname(path)}`;

/** The stack whose file has this name. */
export function stackOfFile(project: Project, name: string): string | undefined {
  const stack = /^Pulumi\.(.+)\.ya?ml$/.exec(name)?.[1];
  return stack !== undefined && configFile(project, stack) === name ? stack : undefined;
}

export const configPath = (project: Project, stack: string): string =>
  join(project.stackFolder, configFile(project, stack));

/** @throws Error if the stack's file has the other ending, with which neither engine reads it */
export function refuseOtherEnding(files: Files, project: Project, stack: string): void {
  const path = configPath(project, stack);
  const other = path.replace(/\.ya?ml$/, (ending) => (ending === ".yml" ? ".yaml" : ".yml"));
  if (files.exists(other) && !files.exists(path))
    throw new Error(`${other} isn't read: name it ${basename(path)}, with the ending of the project's file`);
}

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
  const outside = Object.keys(yaml).find((key) => key.includes(":"));
  if (outside !== undefined)
    throw new Error(`${path}: ${outside} is outside of config: indent it below config:`);
  refuseUnknown(path, yaml, stackFileKeys);
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
) {
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
    /** `namespace:key` to text; objects are JSON, as the SDK reads them. */
    values,
    secretKeys,
    /** A value by its key; the project's own namespace may be left out. */
    get: (key: string) => values[full(key)],
    isSecret: (key: string) => secretKeys.includes(full(key)),
    crypter,
    /** A crypter for another salt and the same passphrase; without a salt, the stack's own. */
    crypterOf,
    encryptionSalt: salt,
    /** @throws PassphraseError if the passphrase isn't set */
    checkPassphrase: () => void passphrase((salt() ?? stateSalt()) === undefined),
    /** Creates a salt for the stack's passphrase, without storing it. */
    newSalt: () => newEncryptionSalt(passphrase((salt() ?? stateSalt()) === undefined)),
    /** Writes a value to the stack's file. @param comment a line above it */
    set(key: string, value: string, isSecret: boolean, comment?: string) {
      const sealed = isSecret ? { secure: crypter().encrypt(value) } : value;
      change((now) => {
        asBlocks(now);
        const place = placeOf(key, now);
        now.setIn(place, sealed);
        if (comment !== undefined) commentOn(now, place, comment);
      });
    },
    /** Removes a value from the stack's file. @returns whether it was there */
    remove(key: string) {
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
