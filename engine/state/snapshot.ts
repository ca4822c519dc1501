/** The state of a stack: Pulumi's deployment, version 3 or 4, in memory and on disk. */

import { hash } from "node:crypto";
import { gitConflictIn } from "../common/git-conflict.ts";
import { isRecord } from "../common/record.ts";
import { type Crypter, SecretsProviderError } from "../project/secrets.ts";
import type { PendingOf, Standing } from "../pulumi/journal.ts";
import { kindOf, parseUrn } from "../pulumi/urn.ts";
import {
  encrypted,
  hasSecret,
  isObject,
  isSecret,
  mapValue,
  type Properties,
  secret,
  secretValue,
  type Value,
} from "../values/values.ts";
import { damaged, faultIn } from "./damage.ts";

/** One resource, under Pulumi's own names (sdk/go/common/apitype, ResourceV3). */
export interface State {
  readonly urn: string;
  readonly custom: boolean;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly protect?: boolean;
  readonly external?: boolean;
  readonly importID?: string;
  /** Replaced, and still to be deleted. */
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
  readonly initErrors?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  readonly aliases?: readonly string[];
  readonly customTimeouts?: Readonly<Record<string, number>>;
  readonly retainOnDelete?: boolean;
  readonly deletedWith?: string;
  readonly replaceWith?: readonly string[];
  /** Will be replaced by the next run. */
  readonly taint?: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly hideDiff?: readonly string[];
  readonly replacementTrigger?: Value;
  /** Names of hooks, by the moment when they run; only Pulumi's own engine runs them. */
  readonly resourceHooks?: Readonly<Record<string, readonly string[]>>;
  readonly created?: string;
  readonly modified?: string;
}

/** An operation that had begun and had not ended when the state was last written. */
export type Pending = PendingOf<State>;

export type Snapshot = Standing<State>;

export const emptySnapshot: Snapshot = { resources: [], pending: [] };

/** The engine version in the manifest, which Pulumi compares with its own. */
const engineVersion = "v3.270.0";

/**
 * Features that a state must declare, because an engine that doesn't know them would lose them. They are named as in
 * pkg/resource/stack/deployment.go; a state that has any is of version 4.
 */
const features: Readonly<Record<string, (state: State) => boolean>> = {
  replaceWith: ({ replaceWith = [] }) => replaceWith.length > 0,
  taint: ({ taint }) => taint === true,
  hooks: ({ resourceHooks = {} }) => Object.keys(resourceHooks).length > 0,
};

/** The first fields of a state file with these resources. */
export function versionFields(resources: readonly State[]): {
  version: number;
  features?: readonly string[];
} {
  const used = Object.entries(features).flatMap(([name, isIn]) => (resources.some(isIn) ? [name] : []));
  return used.length === 0 ? { version: 3 } : { version: 4, features: used };
}

interface Checkpoint {
  readonly version?: number;
  readonly features?: unknown;
  readonly checkpoint?: {
    readonly stack?: string;
    readonly latest?: {
      readonly resources?: readonly State[];
      readonly pending_operations?: readonly Pending[];
      readonly secrets_providers?: { readonly type?: string; readonly state?: { readonly salt?: unknown } };
    };
  };
}

type Latest = NonNullable<NonNullable<Checkpoint["checkpoint"]>["latest"]>;

/** @throws Error that says what is wrong with the file and what to do */
function readLatest(text: string, path: string): Latest | undefined {
  let file: Checkpoint;
  try {
    file = JSON.parse(text) as Checkpoint;
  } catch (cause) {
    if (gitConflictIn(text) === undefined) throw damaged(path, (cause as Error).message, cause);
    throw new Error(
      `the state file ${path} has a conflict that git left. Take one side of it whole (git checkout --ours or --theirs); then run refresh, and adopt the objects that only the other side has`,
      { cause },
    );
  }
  const version = file?.version;
  if (typeof version === "number" && version > 4)
    throw new Error(
      `the state file ${path} has version ${version}, and this engine reads versions 3 and 4: a newer version of Pulumi wrote it; use --engine pulumi`,
    );
  if (!(version === 3 || version === 4) || !isRecord(file.checkpoint))
    throw damaged(path, "it has no version 3 or 4 with a checkpoint");
  const needed = Array.isArray(file.features) ? file.features.map(String) : [];
  const missing = needed.filter((name) => !Object.hasOwn(features, name));
  if (missing.length > 0)
    throw new Error(
      `the state file ${path} has ${missing.join(", ")}, which the embedded engine can't keep; use --engine pulumi`,
    );
  const { latest } = file.checkpoint;
  if (latest !== undefined && latest !== null && !isRecord(latest))
    throw damaged(path, "latest is not an object");
  const provider = latest?.secrets_providers?.type;
  if (provider !== undefined && provider !== "passphrase" && provider !== "") {
    throw new SecretsProviderError(
      `the state file ${path} keeps its secrets with ${JSON.stringify(provider)}, the embedded engine opens passphrase only; use --engine pulumi`,
      provider,
    );
  }
  return latest ?? undefined;
}

/** The salt of a state's secrets. @throws Error like `parseSnapshot` */
export const saltOf = (text: string, path: string): string | undefined => saltIn(readLatest(text, path));

function saltIn(latest: Latest | undefined): string | undefined {
  const salt = latest?.secrets_providers?.state?.salt;
  return typeof salt === "string" && salt !== "" ? salt : undefined;
}

/**
 * Reads a state file.
 * @param crypterOf returns the crypter for a salt: the state has its own
 * @throws Error that says what is wrong with the file and what to do
 */
export function parseSnapshot(
  text: string,
  path: string,
  crypterOf: (salt: string | undefined) => Crypter,
): Snapshot {
  const latest = readLatest(text, path);
  const salt = saltIn(latest);
  const crypter = () => crypterOf(salt);
  if (latest?.resources !== undefined && !Array.isArray(latest.resources))
    throw damaged(path, "resources is not a list");
  const opened = (state: State, called: string, hasEnded?: boolean) => {
    const fault = faultIn(state, called, hasEnded);
    if (fault !== undefined) throw damaged(path, fault);
    return decryptedState(state, crypter, (cause) =>
      damaged(
        path,
        `${called} (${kindOf(state.urn)} ${parseUrn(state.urn).name}) has a secret that can't be decrypted`,
        cause,
      ),
    );
  };
  const resources = (latest?.resources ?? []).map((state, index) => opened(state, `resource ${index}`));
  if (latest?.pending_operations !== undefined && !Array.isArray(latest.pending_operations))
    throw damaged(path, "pending_operations is not a list");
  const pending = (latest?.pending_operations ?? []).map((one, index) => ({
    ...one,
    resource: opened(one?.resource, `the resource of pending operation ${index}`, false),
  }));
  return { resources, pending };
}

/**
 * A resource of a file with its secrets decrypted.
 * @param fault the error for a secret that can't be decrypted
 */
export function decryptedState(
  state: State,
  crypter: () => Crypter,
  fault: (cause: unknown) => unknown = (cause) => cause,
): State {
  const open = (value: Value): Value => {
    if (!isSecret(value) || typeof value.ciphertext !== "string") return value;
    const opener = crypter();
    try {
      return secret(JSON.parse(opener.decrypt(value.ciphertext)) as Value);
    } catch (cause) {
      throw fault(cause);
    }
  };
  return withSecrets(state, (properties) => mapValue(properties, open) as Properties);
}

// Most resources have no secret and are not copied, because the journal keeps them all.
function withSecrets(state: State, change: (properties: Properties) => Properties): State {
  const changed = (properties: Properties) => (hasSecret(properties) ? change(properties) : properties);
  return {
    ...state,
    ...(state.inputs !== undefined && { inputs: changed(state.inputs) }),
    ...(state.outputs !== undefined && { outputs: changed(state.outputs) }),
  };
}

/** A resource with its secrets encrypted; equal values get the same ciphertext. */
export function encryptedState(state: State, crypter: () => Crypter, known: Map<string, string>): State {
  return withSecrets(state, (properties) => encryptedValue(properties, crypter, known) as Properties);
}

function encryptedValue(value: Value, crypter: () => Crypter, known: Map<string, string>): Value {
  if (isSecret(value)) {
    const plaintext = JSON.stringify(secretValue(value));
    const ciphertext = known.get(plaintext) ?? crypter().encrypt(plaintext);
    known.set(plaintext, ciphertext);
    return encrypted(ciphertext);
  }
  if (Array.isArray(value)) return value.map((entry: Value) => encryptedValue(entry, crypter, known));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, encryptedValue(entry, crypter, known)]),
    );
  return value;
}

/** The text of a state file; secrets must already be encrypted. It isn't indented, because larger files cost time. */
export function printSnapshot(
  stack: string,
  snapshot: Snapshot,
  encryptionSalt: string | undefined,
  now: Date,
): string {
  const time = now.toISOString();
  const manifest = {
    time,
    magic: hash("sha256", engineVersion),
    version: engineVersion,
  };
  const secrets =
    encryptionSalt === undefined
      ? {}
      : { secrets_providers: { type: "passphrase", state: { salt: encryptionSalt } } };
  const resources = snapshot.resources.length > 0 ? { resources: snapshot.resources } : {};
  const pending = snapshot.pending.length > 0 ? { pending_operations: snapshot.pending } : {};
  return `${JSON.stringify({ ...versionFields(snapshot.resources), checkpoint: { stack, latest: { manifest, ...secrets, ...resources, ...pending, metadata: {} } } })}\n`;
}
