/** The plugin folders that a Pulumi.yaml names, by package. */

interface Yaml {
  readonly plugins?: { readonly providers?: unknown } | null;
  readonly packages?: unknown;
}

/**
 * Reads `plugins.providers`, and the paths under `packages`, where `pulumi package add` writes them.
 * @param yaml the parsed Pulumi.yaml
 * @returns the paths as they are written there
 * @throws Error if plugins.providers is invalid
 */
export function namedPlugins(yaml: unknown): ReadonlyMap<string, string> {
  const { plugins, packages } = (yaml ?? {}) as Yaml;
  const added = Object.entries((packages ?? {}) as Readonly<Record<string, unknown>>).flatMap(
    ([name, spec]) => {
      const source = typeof spec === "string" ? spec : (spec as { readonly source?: unknown } | null)?.source;
      return typeof source === "string" && isPath(source) ? [[name, source] as const] : [];
    },
  );
  return new Map([...added, ...providersOf(plugins?.providers ?? [])]);
}

function providersOf(providers: unknown): readonly (readonly [string, string])[] {
  const wrong = () =>
    new Error("plugins.providers must be a list of {name, path}, the path of a folder with a plugin");
  if (!Array.isArray(providers)) throw wrong();
  return providers.map((one: { readonly name?: unknown; readonly path?: unknown } | null) => {
    if (typeof one?.name !== "string" || typeof one.path !== "string") throw wrong();
    return [one.name, one.path];
  });
}

// Any other source is a package of a registry or a repository (sdk/go/common/resource/plugin/host.go,
// IsLocalPluginPath).
const isPath = (source: string) => /^(?:\.\.?(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/.test(source);
