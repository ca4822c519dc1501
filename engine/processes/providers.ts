/**
 * The providers of a run, by the reference in a resource's state: `<urn>::<id>`. Each is started when it is first used.
 */

import type { Project } from "../project/project.ts";
import {
  dynamicPackageName,
  isDefaultProvider,
  isProviderType,
  ownPackageName,
  packageOf,
  parseUrn,
  referenceParts,
  typeOf,
} from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import { sourceOf, withoutInternal, withSource, withSourceOf } from "../values/plugin-source.ts";
import { annotateSecrets, equal, hasUnknown, type Properties, type Value } from "../values/values.ts";
import type { Plugin } from "./plugin.ts";
import { type Provider, type ProviderDiff, withPlainSecrets } from "./provider.ts";

export interface ProviderOptions {
  readonly project: Project;
  /** Returns the configuration of a package's default provider. */
  readonly configOf: (name: string) => Properties;
  readonly startDynamic: () => Promise<Provider>;
  /** The package of the plugin that replaces a dynamic provider (`__provider`); undefined if there is none. */
  readonly pluginOf?: ((provider: Value | undefined) => string | undefined) | undefined;
  /** The provider of Pulumi's own package. */
  readonly own: Provider;
  readonly startPlugin: (name: string, folder: string) => Promise<Plugin>;
  /** The present state of a resource. */
  readonly find: (urn: string) => State | undefined;
}

/** The parts of a resource that determine its provider. */
export type Provided = Pick<State, "type" | "provider" | "outputs">;

interface Instance {
  readonly inputs: Properties;
  readonly version: string;
  readonly plugin: Promise<Plugin>;
  provider?: Promise<Provider>;
}

export type Providers = ReturnType<typeof openProviders>;

const isPlugin = (name: string) => name !== dynamicPackageName && name !== ownPackageName;
const isDefault = (urn: string) => isDefaultProvider(parseUrn(urn).name);

export function openProviders(options: ProviderOptions) {
  const { project, configOf, startDynamic, pluginOf, startPlugin, own, find } = options;
  const instances = new Map<string, Instance>();
  const plugins: Promise<Plugin>[] = [];
  /** The providers that the program has registered; a state may have others. */
  const registered = new Set<string>();
  let dynamic: Promise<Provider> | undefined;
  let stopped = false;

  function startDynamicOnce(): Promise<Provider> {
    dynamic ??= startDynamic().then(withPlainSecrets);
    return dynamic;
  }

  function start(name: string): Promise<Plugin> {
    const folder = project.plugins.get(name);
    if (folder === undefined)
      return Promise.reject(
        new Error(
          `the provider of the package ${name} is a plugin, and neither plugins.providers nor packages of ${project.path} names its ` +
            `folder; name it there, or use --engine pulumi`,
        ),
      );
    const plugin = startPlugin(name, folder);
    plugins.push(plugin);
    if (stopped) plugin.then((one) => one.stop()).catch(() => undefined);
    return plugin;
  }

  /** The plugin instance of a provider resource with these inputs. */
  function instance(urn: string, inputs: Properties): Instance {
    const known = instances.get(urn);
    const isSame = known !== undefined && known.version === versionIn(inputs);
    if (isSame && equal(known.inputs, withoutInternal(inputs))) return known;
    // An instance that isn't configured yet can take other inputs.
    const plugin = isSame && known.provider === undefined ? known.plugin : start(packageOf(typeOf(urn)));
    const fresh: Instance = { inputs: withoutInternal(inputs), version: versionIn(inputs), plugin };
    instances.set(urn, fresh);
    return fresh;
  }

  function known(urn: string): Instance {
    const there = instances.get(urn);
    if (there !== undefined) return there;
    const state = find(urn);
    if (isDefault(urn) && state?.parent === undefined)
      return instance(urn, withSource(configOf(packageOf(typeOf(urn))), sourceOf(state?.inputs ?? {})));
    if (state === undefined)
      throw new Error(`the state has no provider ${urn}, which a resource of it refers to`);
    return instance(urn, state.inputs ?? {});
  }

  async function configured(urn: string, one: Instance): Promise<Provider> {
    if (hasUnknown(one.inputs)) return unconfigured;
    const plugin = await one.plugin;
    return withPlainSecrets(await plugin.configure(urn, one.inputs));
  }

  /** The plugin that replaced a dynamic resource's provider in this run, so that one process performs all operations. */
  function successorOf({ type, outputs }: Provided): string | undefined {
    const name = packageOf(type) === dynamicPackageName ? pluginOf?.(outputs?.__provider) : undefined;
    return [...registered].find((urn) => isDefault(urn) && packageOf(typeOf(urn)) === name);
  }

  return {
    /** The provider of a resource. @throws Error if it can't be started, or its plugin isn't configured */
    async of(resource: Provided): Promise<Provider> {
      const { type, provider } = resource;
      const urn =
        successorOf(resource) ?? (provider === undefined ? undefined : referenceParts(provider).urn);
      const name = packageOf(urn === undefined ? type : typeOf(urn));
      if (name === dynamicPackageName) return startDynamicOnce();
      if (name === ownPackageName) return own;
      if (urn === undefined) throw new Error(`the resource of type ${type} has no provider in the state`);
      const one = known(urn);
      one.provider ??= configured(urn, one);
      return one.provider;
    },
    /** Checks the inputs of a provider resource; unknown ones are accepted. */
    async check(urn: string, olds: Properties, news: Properties) {
      if (!isPlugin(packageOf(typeOf(urn)))) return { inputs: news, failures: [] };
      const there = instances.get(urn);
      const isSame = there !== undefined && there.version === versionIn(news);
      const plugin = await (isSame ? there : instance(urn, news)).plugin;
      const { inputs, failures } = await plugin.checkConfig(
        urn,
        withoutInternal(olds),
        withoutInternal(news),
      );
      // A plugin may answer with plain values, as it does for Pulumi's engine, which sends it no marks.
      return { inputs: withSourceOf(annotateSecrets(inputs, news), news), failures };
    },
    /** Sets the inputs of a provider resource that the program registers. */
    configure(urn: string, inputs: Properties): void {
      if (!isPlugin(packageOf(typeOf(urn)))) return;
      instance(urn, inputs);
      registered.add(urn);
    },
    /** Compares the inputs of a provider resource; undefined if the plugin doesn't implement it. */
    async diff(
      urn: string,
      id: string,
      olds: Properties,
      news: Properties,
    ): Promise<ProviderDiff | undefined> {
      if (!isPlugin(packageOf(typeOf(urn)))) return undefined;
      const plugin = await known(urn).plugin;
      return plugin.diffConfig(urn, id, withoutInternal(olds), withoutInternal(news));
    },
    /** Starts providers that the run will need, because a process takes most of a second to start. */
    warm(states: readonly State[]): void {
      const isDynamic = states.some(({ type }) => packageOf(type) === dynamicPackageName);
      // A program without plugins can have dynamic resources only.
      if (isDynamic || project.plugins.size === 0) startDynamicOnce().catch(() => undefined);
      for (const { type, urn } of states)
        if (isProviderType(type) && isPlugin(packageOf(type)) && project.plugins.has(packageOf(type)))
          known(urn).plugin.catch(() => undefined);
    },
    stop(): void {
      stopped = true;
      dynamic?.then((started) => started.stop()).catch(() => undefined);
      for (const plugin of plugins) plugin.then((started) => started.stop()).catch(() => undefined);
    },
    close(): void {
      dynamic?.then((started) => started.close()).catch(() => undefined);
      for (const plugin of plugins) plugin.then((started) => started.close()).catch(() => undefined);
    },
  };
}

/** Another version needs another plugin process. */
const versionIn = (inputs: Properties): string => sourceOf(inputs).version;

const notKnown = () =>
  Promise.reject(
    new Error("the provider has arguments that are not known before the run, so it can't be asked yet"),
  );

/** Stands for a provider with unknown inputs in a preview: its results are unknown. */
const unconfigured: Provider = {
  acceptsSecrets: true,
  previews: true,
  check: async (_urn, _olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: "unknown", replaces: [], deleteBeforeReplace: false }),
  create: async () => ({ id: "", outputs: {} }),
  update: async () => ({ outputs: {} }),
  read: notKnown,
  delete: notKnown,
  // As Pulumi's engine answers.
  invoke: async () => ({ result: {}, failures: [] }),
  stop: () => {},
  close: () => {},
};
