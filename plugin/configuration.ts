/** The configuration of a provider resource, the default one or the program's own. */

import { message } from "../engine/pulumi/grpc.ts";
import { isDefaultProvider, parseUrn } from "../engine/pulumi/urn.ts";
import { bareValues, marked, type Setting, settings, type Values } from "../provider/native.ts";
import { failures, fromStruct, providerMessages, type Struct, toStruct } from "./wire.ts";

const known: Readonly<Record<string, Setting>> = settings;

type CheckRequest = InstanceType<typeof providerMessages.CheckRequest>;
type DiffRequest = InstanceType<typeof providerMessages.DiffRequest>;

const engines = new Set(["version", "pluginDownloadURL"]);
const isSetting = (name: string) => !engines.has(name) && !name.startsWith("__");

export function checkConfig(request: CheckRequest) {
  const values = bareValues(fromStruct(request.getNews() as Struct | undefined));
  const wrong = Object.keys(values)
    .filter((name) => isSetting(name) && known[name] === undefined)
    .map((property) => ({
      property,
      reason: `is not a setting of the provider; the settings are ${Object.keys(known).join(", ")}`,
    }));
  const inputs = Object.entries(values).map(([name, value]) => [
    name,
    known[name]?.secret === true ? marked(value) : value,
  ]);
  return message(providerMessages.CheckResponse, {
    failuresList: failures(wrong),
    inputs: toStruct(Object.fromEntries(inputs)),
  });
}

/** A change of the configuration never replaces objects: the shop may have moved to another address. */
export function diffConfig(request: DiffRequest) {
  const [olds, news] = [request.getOldInputs() ?? request.getOlds(), request.getNews()].map((message) =>
    bareValues(fromStruct(message as Struct | undefined)),
  ) as [Values, Values];
  const names = new Set([...Object.keys(olds), ...Object.keys(news)]);
  const changed = [...names].filter((name) => isSetting(name) && olds[name] !== news[name]);
  const { DIFF_NONE, DIFF_SOME } = providerMessages.DiffResponse.DiffChanges;
  const changes = changed.length > 0 ? DIFF_SOME : DIFF_NONE;
  return message(providerMessages.DiffResponse, { changes, diffsList: changed });
}

/** The configuration for the provider's lookups by key: `shop:url`. */
export function configOf(args: Struct | undefined): (key: string) => string | undefined {
  const values = bareValues(fromStruct(args));
  return (key) => {
    const value = values[key.replace(/^shop:/, "")];
    return value === undefined || value === null ? undefined : String(value);
  };
}

/** The environment without the variables that belong to another value of a setting than the provider's own. */
export function envBeside(
  config: (key: string) => string | undefined,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const others = Object.values(known).filter(
    ({ of }) => of !== undefined && config(`shop:${of}`) !== undefined,
  );
  return { ...env, ...Object.fromEntries(others.map(({ variable }) => [variable, undefined])) };
}

/**
 * Renames settings in messages if the program creates the provider, because they are its arguments then. Undefined for
 * the default provider.
 * @param urn the provider's URN
 */
export function settingNames(urn: string): ((text: string) => string) | undefined {
  const { name } = parseUrn(urn);
  if (name === "" || isDefaultProvider(name)) return undefined;
  const keys = new RegExp(`\\bshop:(${Object.keys(known).join("|")})\\b`, "g");
  return (text) => text.replace(keys, (_key, setting) => `${setting} of the provider ${name}`);
}
