/** The providers of a run, by the reference that a resource's state has: `<urn>::<id>`; each started when it is first asked. */

import type { Project } from "../project/project.ts";
import {
  dynamicPackageName,
  isProviderType,
  ownPackageName,
  packageOf,
  parseUrn,
  referenceParts,
  typeOf,
} from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import {
  isDefaultName,
  sourceOf,
  withoutInternal,
  withSource,
  withSourceOf,
} from "../values/plugin-source.ts";
import { equal, hasUnknown, type Properties, type Value } from "../values/values.ts";
import type { Plugin } from "./plugin.ts";
import { type Provider, type ProviderDiff, withPlainSecrets } from "./provider.ts";

export interface ProviderOptions {
  readonly project: Project;
  /** What a package's default provider is configured with. */
  readonly configOf: (name: string) => Properties;
  readonly startDynamic: () => Promise<Provider>;
  /** The package whose plugin manages what such a dynamic provider does (`__provider`); undefined where none does. */
  readonly pluginOf?: ((provider: Value | undefined) => string | undefined) | undefined;
  /** The provider of Pulumi's own package. */
  readonly own: Provider;
  readonly startPlugin: (name: string, folder: string) => Promise<Plugin>;
  /** The resource of a urn, as the state has it now. */
  readonly find: (urn: string) => State | undefined;
}

/** A resource, as far as its provider goes. */
export type Provided = Pick<State, "type" | "provider" | "outputs">;

interface Instance {
  readonly inputs: Properties;
  readonly version: string;
  readonly plugin: Promise<Plugin>;
  provider?: Promise<Provider>;
}

export type Providers = ReturnType<typeof openProviders>;

const isPlugin = (name: string) => name !== dynamicPackageName && name !== ownPackageName;
const isDefault = (urn: string) => isDefaultName(parseUrn(urn).name);

export function openProviders(options: ProviderOptions) {
  const { project, configOf, startDynamic, pluginOf, startPlugin, own, find } = options;
  const instances = new Map<string, Instance>();
  const plugins: Promise<Plugin>[] = [];
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

  /** The plugin of a provider resource, which has these arguments from now on. */
  function instance(urn: string, inputs: Properties): Instance {
    const known = instances.get(urn);
    const isSame = known !== undefined && known.version === versionIn(inputs);
    if (isSame && equal(known.inputs, withoutInternal(inputs))) return known;
    // One that nobody has configured yet takes any arguments.
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

  /** The plugin that has taken over from a dynamic resource's provider in this run: one process then knows all that is done. */
  function successorOf({ type, outputs }: Provided): string | undefined {
    const name = packageOf(type) === dynamicPackageName ? pluginOf?.(outputs?.__provider) : undefined;
    return [...instances.keys()].find((urn) => isDefault(urn) && packageOf(typeOf(urn)) === name);
  }

  return {
    /** The provider of a resource. @throws Error where it can't be started, or its plugin isn't named */
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
    /** Checks the arguments of a provider resource; unknown ones pass. */
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
      return { inputs: withSourceOf(inputs, news), failures };
    },
    /** From now on a provider resource has these arguments. */
    configure(urn: string, inputs: Properties): void {
      if (isPlugin(packageOf(typeOf(urn)))) instance(urn, inputs);
    },
    /** What of a provider's arguments differs; undefined where it has no opinion. */
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
    /** Starts what a run will surely ask: processes take most of a second. */
    warm(states: readonly State[]): void {
      const isDynamic = states.some(({ type }) => packageOf(type) === dynamicPackageName);
      // A program without plugins can only have dynamic resources.
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

/** Another one starts another plugin. */
const versionIn = (inputs: Properties): string => sourceOf(inputs).version;

const notKnown = () =>
  Promise.reject(
    new Error("the provider has arguments that are not known before the run, so it can't be asked yet"),
  );

/** In a preview, of a provider whose arguments aren't known yet: what it would say isn't known either. */
const unconfigured: Provider = {
  acceptsSecrets: true,
  previews: true,
  check: async (_urn, _olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: "unknown", replaces: [], deleteBeforeReplace: false }),
  create: async () => ({ id: "", outputs: {} }),
  update: async () => ({ outputs: {} }),
  read: notKnown,
  delete: notKnown,
  invoke: notKnown,
  stop: () => {},
  close: () => {},
};
