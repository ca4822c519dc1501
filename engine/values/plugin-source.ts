/**
 * Which plugin a program asks for: its version, and where it is downloaded from. The engine keeps that among the arguments
 * of a provider resource (pkg/resource/deploy/providers/registry.go).
 */
import { isObject, type Properties } from "./values.ts";
import { compareVersions, type Version, versionOf } from "./version.ts";

/** What a resource, a function or a provider says of its plugin; empty where it says nothing. */
export interface PluginSource {
  readonly version: string;
  readonly pluginDownloadURL: string;
}

export const anySource: PluginSource = { version: "", pluginDownloadURL: "" };

const internal = "__internal";

/** Arguments as the plugin is given them. */
export function withoutInternal({ [internal]: _engines, ...rest }: Properties): Properties {
  return rest;
}

/** The arguments of a provider with what the program says of its plugin. @throws Error for a version that is none */
export function withSource(inputs: Properties, { version, pluginDownloadURL }: PluginSource): Properties {
  if (version !== "") parsed(version);
  else if (pluginDownloadURL === "") return inputs;
  return {
    ...inputs,
    ...(version !== "" && { version }),
    [internal]: pluginDownloadURL === "" ? {} : { pluginDownloadURL },
  };
}

/** Arguments as a plugin answered them, with what the engine keeps among those it was asked about: not the plugin's to change. */
export function withSourceOf(answered: Properties, asked: Properties): Properties {
  const kept = Object.entries(asked).filter(([key]) => key === "version" || key === internal);
  return { ...answered, ...Object.fromEntries(kept) };
}

/** What the arguments of a provider resource say of its plugin; undefined of a version that is the provider's own argument. */
export function sourceOf(inputs: Properties): PluginSource {
  const own = isObject(inputs[internal]) ? inputs[internal] : inputs;
  const { pluginDownloadURL: url } = own;
  const { version } = inputs;
  return {
    version: typeof version === "string" && versionOf(version) !== undefined ? version : "",
    pluginDownloadURL: typeof url === "string" ? url : "",
  };
}

/** The newest of some sources of one plugin, the last one of the same version; none has a version is the oldest. */
export function newest(sources: readonly PluginSource[]): PluginSource {
  return sources.reduce((best, one) => (isOlder(one.version, best.version) ? best : one), anySource);
}

function isOlder(version: string, than: string): boolean {
  const [first, second] = [versionOf(version), versionOf(than)];
  if (second === undefined) return false;
  return first === undefined || compareVersions(first, second) < 0;
}

function parsed(version: string): Version {
  const found = versionOf(version);
  if (found !== undefined) return found;
  throw new Error(`${JSON.stringify(version)} is no version of a plugin; write it as 1.2.3`);
}

/** The name of a package's default provider for a plugin (pkg/resource/deploy/providers/provider.go, DefaultName). */
export function defaultName({ version, pluginDownloadURL }: PluginSource): string {
  if (version === "") return ["default", ...urlName(pluginDownloadURL)].join("_");
  const { numbers, pre, build } = parsed(version);
  return ["default", ...numbers, ...pre, ...build, ...urlName(pluginDownloadURL)].join("_");
}

export const isDefaultName = (name: string): boolean => /^default(_|$)/.test(name);

/** Without its empty parts, and each byte that is none of a name's an underscore (sdk/go/common/tokens, IntoQName). */
function urlName(url: string): readonly string[] {
  if (url === "") return [];
  const parts = url.split("/").filter((part) => part !== "");
  return [parts.map((part) => part.replace(/[^A-Za-z0-9_.-]/gu, underscores)).join("/") || "_"];
}

const underscores = (character: string) => "_".repeat(Buffer.byteLength(character));
