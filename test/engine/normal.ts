/**
 * States in the form of the records: values that differ between machines and runs get names. Named are times (by the
 * number of the run), the default provider's id, the provider's code, and secrets (their plaintext). Left out are the
 * manifest, source positions, and empty values, because an empty list and a missing one mean the same.
 */
import { type Crypter, newEncryptionSalt, openCrypter } from "../../engine/project/secrets.ts";
import { type State, versionFields } from "../../engine/state/snapshot.ts";
import { isSecret, mapValue, type Properties, type Value } from "../../engine/values/values.ts";
import { type Deployment, passphrase, type Saved, type StateFile } from "./scene.ts";

/** A state by resources and interrupted operations. */
export interface NormalState {
  readonly resources: readonly Properties[];
  readonly pending: readonly Properties[];
}

/** Begin and end of a run in milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const provider = "<provider>";
const providerId = "<id>";
const machines = new Set(["sourcePosition", "stackTrace"]);
const isProvider = (type: Value | undefined) => String(type).startsWith("pulumi:providers:");
const isEmpty = (value: Value | undefined) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** @param runs the times of all runs, the first one first */
export function normalised(text: string, runs: readonly Span[]): NormalState {
  if (text === "") return { resources: [], pending: [] };
  const { latest } = (JSON.parse(text) as StateFile).checkpoint;
  const crypter = crypterOf(latest);
  const ids = (latest.resources ?? []).filter(({ type }) => isProvider(type)).map(({ id }) => String(id));
  const leaf = (value: Value): Value => {
    if (isSecret(value) && typeof value.ciphertext === "string") {
      const { ciphertext, ...rest } = value;
      return { ...rest, plaintext: JSON.parse(crypter().decrypt(ciphertext)) as Value };
    }
    if (typeof value !== "string") return value;
    return ids.reduce((said, id) => said.replaceAll(id, providerId), timeName(value, runs));
  };
  const resource = (saved: Saved): Properties => {
    const named = mapValue(saved as unknown as Value, leaf) as Properties;
    return tidy({
      ...named,
      ...(isProvider(saved.type) && { id: providerId }),
      ...(named.inputs !== undefined && { inputs: withoutCode(named.inputs as Properties) }),
      ...(named.outputs !== undefined && { outputs: withoutCode(named.outputs as Properties) }),
    });
  };
  return {
    resources: (latest.resources ?? []).map(resource),
    pending: (latest.pending_operations ?? []).map(({ type, resource: one }) => ({
      type,
      resource: resource(one),
    })),
  };
}

const withoutCode = (properties: Properties): Properties =>
  "__provider" in properties ? { ...properties, __provider: provider } : properties;

function tidy(resource: Properties): Properties {
  const entries = Object.entries(resource).flatMap(([key, value]): [string, Value][] => {
    if (machines.has(key)) return [];
    const kept =
      key === "propertyDependencies" ? withoutEmpty(value as Properties) : (value as Value | undefined);
    return isEmpty(kept) ? [] : [[key, kept as Value]];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const withoutEmpty = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !isEmpty(value)));

function timeName(text: string, runs: readonly Span[]): string {
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return text;
  const time = Date.parse(text);
  const index = runs.findIndex(({ start, end }) => start <= time && time <= end);
  return index < 0 ? text : `run ${index + 1}`;
}

function crypterOf({ secrets_providers: of }: Deployment) {
  const { salt } = (of as { state?: { salt?: string } } | undefined)?.state ?? {};
  let crypter: Crypter | undefined;
  return () => {
    crypter ??= openCrypter(passphrase, salt ?? newEncryptionSalt(passphrase));
    return crypter;
  };
}

/**
 * The text of a state file with a record's state, as if it had been written here.
 * @param saltOf the stack's salt, for a state with secrets; deriving its key takes a second
 */
export function restored(
  state: NormalState,
  runs: readonly Span[],
  code: string,
  saltOf: () => string,
): string {
  let salt: string | undefined;
  let crypter: Crypter | undefined;
  const encrypt = (text: string) => {
    salt ??= saltOf();
    crypter ??= openCrypter(passphrase, salt);
    return crypter.encrypt(text);
  };
  const leaf = (value: Value): Value => {
    if (isSecret(value) && value.plaintext !== undefined) {
      const { plaintext, ...rest } = value;
      return { ...rest, ciphertext: encrypt(JSON.stringify(plaintext)) };
    }
    if (typeof value !== "string") return value;
    const [, number] = /^run (\d+)$/.exec(value) ?? [];
    if (number !== undefined) return new Date(runs[Number(number) - 1]?.start ?? 0).toISOString();
    return value === provider ? code : value.replaceAll(providerId, "5f5d1a3c-8d0e-4a51-9a52-3c1b8e0a7d11");
  };
  const { resources, pending } = mapValue(state as unknown as Value, leaf) as unknown as NormalState;
  const latest = {
    manifest: { time: new Date(0).toISOString(), magic: "", version: "" },
    ...(salt !== undefined && { secrets_providers: { type: "passphrase", state: { salt } } }),
    ...(resources.length > 0 && { resources }),
    ...(pending.length > 0 && { pending_operations: pending }),
    metadata: {},
  };
  return JSON.stringify({
    ...versionFields(resources as unknown as readonly State[]),
    checkpoint: { stack: "organization/scene/dev", latest },
  });
}
