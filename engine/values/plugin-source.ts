/**
 * The plugin that a program needs: its version and download URL. The engine keeps both among the inputs of a provider
 * resource (pkg/resource/deploy/providers/registry.go).
 */
import { isObject, type Properties } from "./values.ts";

/** The version and URL that a resource, function or provider asks for; empty if it doesn't. */
export interface PluginSource {
  readonly version: string;
  readonly pluginDownloadURL: string;
}

export const anySource: PluginSource = { version: "", pluginDownloadURL: "" };

const internal = "__internal";

/** Inputs without the engine's own, as a plugin receives them. */
export function withoutInternal({ [internal]: _engines, ...rest }: Properties): Properties {
  return rest;
}

/** Adds version and URL to the inputs of a provider. @throws Error for an invalid version */
export function withSource(inputs: Properties, { version, pluginDownloadURL }: PluginSource): Properties {
  if (version !== "") parsed(version);
  else if (pluginDownloadURL === "") return inputs;
  return {
    ...inputs,
    ...(version !== "" && { version }),
    [internal]: pluginDownloadURL === "" ? {} : { pluginDownloadURL },
  };
}

/** Restores the engine's own inputs in a plugin's answer, because a plugin may not change them. */
export function withSourceOf(answered: Properties, asked: Properties): Properties {
  const kept = Object.entries(asked).filter(([key]) => key === "version" || key === internal);
  return { ...answered, ...Object.fromEntries(kept) };
}

/** The version and URL in the inputs of a provider; an invalid version counts as the provider's own input. */
export function sourceOf(inputs: Properties): PluginSource {
  const own = isObject(inputs[internal]) ? inputs[internal] : inputs;
  const { pluginDownloadURL: url } = own;
  const { version } = inputs;
  return {
    version: typeof version === "string" && versionOf(version) !== undefined ? version : "",
    pluginDownloadURL: typeof url === "string" ? url : "",
  };
}

/**
 * The newest of several sources of a plugin. Of equal versions, the last one; a source without a version is the oldest.
 */
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
  throw new Error(`${JSON.stringify(version)} is not a version of a plugin; write it as 1.2.3`);
}

/** The name of a package's default provider for a plugin (pkg/resource/deploy/providers/provider.go, DefaultName). */
export function defaultName({ version, pluginDownloadURL }: PluginSource): string {
  if (version === "") return ["default", ...urlName(pluginDownloadURL)].join("_");
  const { numbers, pre, build } = parsed(version);
  return ["default", ...numbers, ...pre, ...build, ...urlName(pluginDownloadURL)].join("_");
}

/**
 * The URL without empty parts, and with underscores for the bytes that a name can't have (sdk/go/common/tokens,
 * IntoQName).
 */
function urlName(url: string): readonly string[] {
  if (url === "") return [];
  const parts = url.split("/").filter((part) => part !== "");
  return [parts.map((part) => part.replace(/[^A-Za-z0-9_.-]/gu, underscores)).join("/") || "_"];
}

const underscores = (character: string) => "_".repeat(Buffer.byteLength(character));

export interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly number[];
  /** The pre-release identifiers, `rc` and `1` in `1.0.0-rc.1`; empty for a release. */
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

/** Parses a version; undefined if it isn't valid. */
export function versionOf(text: string): Version | undefined {
  const [, major, minor, patch, pre, build] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return {
    numbers: [major, minor, patch].map(Number),
    pre: pre?.split(".") ?? [],
    build: build?.split(".") ?? [],
  };
}

const letters = new Intl.Collator("en", { numeric: true });

/** Negative if the first version is older, positive if it is newer; builds have no order. */
export const compareVersions = (a: Version, b: Version): number =>
  letters.compare(a.numbers.join("."), b.numbers.join(".")) ||
  (a.pre.length === 0 || b.pre.length === 0
    ? b.pre.length - a.pre.length
    : letters.compare(a.pre.join("."), b.pre.join(".")));
