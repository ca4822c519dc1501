/** Provider resources: each package's default provider, and providers that the program creates. */
import { randomUUID } from "node:crypto";
import type { Invoked } from "../processes/provider.ts";
import { isProviderType, makeUrn, packageOf, parseUrn, referenceParts } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Call, Goal, Registered } from "../values/goal.ts";
import {
  anySource,
  defaultName,
  newest,
  type PluginSource,
  sourceOf,
  withoutInternal,
  withSource,
} from "../values/plugin-source.ts";
import { changes, equal, type Properties, unknownText } from "../values/values.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";

/**
 * The newest plugin version that the state has for each package (pkg/engine/plugins.go,
 * computeDefaultProviderPackages).
 */
function sourcesByPackage(states: readonly State[]): ReadonlyMap<string, PluginSource> {
  const byPackage = new Map<string, PluginSource>();
  for (const { type, inputs = {} } of states) {
    if (!isProviderType(type)) continue;
    const { version, pluginDownloadURL } = sourceOf(inputs);
    const name = packageOf(type);
    byPackage.set(name, newest([byPackage.get(name) ?? anySource, { version, pluginDownloadURL }]));
  }
  return byPackage;
}

/** Completes a resource's plugin source from the state (pkg/resource/deploy/default_providers.go). */
const completed = (
  { version, pluginDownloadURL: url }: PluginSource,
  known: PluginSource = anySource,
): PluginSource => ({
  version: version || known.version,
  pluginDownloadURL: url.replace(/\/$/, "") || known.pluginDownloadURL,
});

export type ProviderResources = ReturnType<typeof openProviderResources>;

/** @param seen URNs that the program has registered in this run; default providers are added */
export function openProviderResources(
  run: Run,
  { perform, step }: Executor,
  { stamps, stamp }: Operations,
  seen: Set<string>,
) {
  const defaults = new Map<string, Promise<string>>();
  const knownSources = sourcesByPackage(run.snapshots.states());

  /** The reference to a package's default provider. @throws Error for an invalid version */
  async function defaultOf(type: string, asked: PluginSource): Promise<string> {
    const name = packageOf(type);
    const source = completed(asked, knownSources.get(name));
    const urn = makeUrn(run.stack, run.project, undefined, `pulumi:providers:${name}`, defaultName(source));
    const known = defaults.get(urn) ?? makeDefault(urn, name, source);
    defaults.set(urn, known);
    return known;
  }

  async function makeDefault(urn: string, name: string, source: PluginSource): Promise<string> {
    const old = run.snapshots.find(urn);
    seen.add(urn);
    const inputs = await checked(urn, old, withSource(run.configOf(name), source));
    run.providers.configure(urn, inputs);
    const id = old?.id ?? randomUUID();
    const type = `pulumi:providers:${name}`;
    const outputs = withoutInternal(inputs);
    await run.snapshots.put({ ...old, urn, custom: true, id, type, inputs, outputs, ...stamps(old) });
    return `${urn}::${id}`;
  }

  async function checked(urn: string, old: State | undefined, news: Properties): Promise<Properties> {
    const { inputs, failures } = await run.providers.check(urn, old?.inputs ?? {}, news);
    if (failures.length === 0) return inputs;
    const { name } = parseUrn(urn);
    const lines = failures.map(({ property, reason }) => `\n  ${name}.${property}: ${reason}`);
    throw new Error(
      `invalid ${failures.length === 1 ? "argument" : "arguments"} of the provider:${lines.join("")}`,
    );
  }

  /** Registers a provider that the program creates. */
  async function register(goal: Goal, base: State, old: State | undefined, key: string | undefined) {
    const { urn } = base;
    const { version, pluginDownloadURL } = goal.source;
    const isSaid = version !== "" || pluginDownloadURL !== "";
    const source = isSaid ? goal.source : { ...goal.source, ...knownSources.get(packageOf(goal.type)) };
    const inputs = await checked(urn, old, withSource(goal.inputs, source));
    const verdict =
      old?.id === undefined ? undefined : await run.providers.diff(urn, old.id, old.inputs ?? {}, inputs);
    if (verdict !== undefined && verdict.replaces.length > 0)
      throw new Error(
        `${verdict.replaces.join(", ")} of the provider ${goal.name} can't be changed without replacing all that it manages, ` +
          `which is not supported by the embedded engine; use --engine pulumi`,
      );
    const outputs = withoutInternal(inputs);
    const isSame =
      verdict === undefined || verdict.changes === "unknown"
        ? equal(withoutInternal(old?.inputs ?? {}), outputs)
        : verdict.changes === "none";
    const id = old?.id ?? (run.dryRun ? unknownText : randomUUID());
    const state: State = {
      ...base,
      id,
      inputs,
      outputs,
      ...stamps(old),
      ...(!isSame && { modified: stamp() }),
    };
    const op = old === undefined ? "create" : isSame ? "same" : "update";
    const differing =
      old !== undefined && op === "update" ? { old, changes: changes(old.inputs ?? {}, inputs) } : {};
    const it = step(op, state, differing);
    run.providers.configure(urn, inputs);
    await perform(it, state, undefined, () => run.snapshots.put(state, { over: key }));
    const registered: Registered = {
      urn,
      // In a preview, a new provider has no id yet.
      id: id === unknownText ? undefined : id,
      properties: outputs,
    };
    return registered;
  }

  /** The reference to a resource's provider: the program's, or the package's default provider. */
  const referenceOf = ({
    provider,
    type,
    source,
  }: Pick<Goal, "provider" | "type" | "source">): Promise<string> =>
    provider === "" ? defaultOf(type, source) : Promise.resolve(provider);

  return {
    register,
    referenceOf,
    async invoke({ token, args, ...asked }: Call): Promise<Invoked> {
      const provider = await referenceOf({ type: token, ...asked });
      const host = await run.providers.of({ type: token, provider });
      if (host.invoke === undefined) throw new Error(`the provider of ${token} has no functions`);
      return host.invoke(token, args);
    },
    /** Whether a change from one provider to another replaces the resource; only the provider knows. */
    async replaces(before: string | undefined, now: string): Promise<boolean> {
      if (before === undefined || before === now) return false;
      const [old, next] = [referenceParts(before), referenceParts(now)];
      const [was, is] = [run.snapshots.find(old.urn), run.snapshots.find(next.urn)];
      if (was === undefined || is === undefined) return false;
      const verdict = await run.providers.diff(next.urn, next.id, was.inputs ?? {}, is.inputs ?? {});
      return verdict !== undefined && verdict.replaces.length > 0;
    },
  };
}
