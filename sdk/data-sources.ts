/**
 * The base of all data sources. Dynamic providers have no invoke, so without the plugin the program calls the shop
 * itself; the provider is loaded on the first call.
 */
import * as pulumi from "@pulumi/pulumi";
import { didYouMean } from "../engine/common/nearest.ts";
import { isMocked } from "../engine/pulumi/sdk-internals.ts";
import { pluginType } from "../provider/names/types.ts";
import { usesPlugin } from "./plugin-detection.ts";

/**
 * Calls a data source by its name.
 * @param list the key under which the engine's answer has a list
 */
export function ask<T>(name: string, args: object, list?: string, opts?: pulumi.InvokeOptions): Promise<T> {
  const { stack = "" } = new Error("called");
  const wrong = unknownOption(opts);
  // One that resembles none may belong to a later Pulumi.
  if (wrong?.endsWith("?")) return Promise.reject(new Error(`${name}: ${wrong}`));
  return answered<T>(name, args, list, opts).catch((error) => failed(error, stack));
}

const options = ["async", "dependsOn", "parent", "pluginDownloadURL", "provider", "version"];

function unknownOption(opts: object | undefined): string | undefined {
  const unknown = Object.keys(opts ?? {}).find((one) => !options.includes(one));
  return unknown === undefined ? undefined : `unknown option ${unknown}${didYouMean(unknown, options)}`;
}

/**
 * Calls a data source that takes only options.
 * @throws Error if it is called with arguments: its options would be ignored, and with them its provider
 */
export function askAll<T>(
  name: string,
  given: readonly [opts?: pulumi.InvokeOptions],
  list?: string,
): Promise<T> {
  const [opts, ...more] = given as readonly (pulumi.InvokeOptions | undefined)[];
  const wrong = unknownOption(opts);
  if (more.length === 0 && wrong === undefined) return ask(name, {}, list, opts);
  const what = `${name} takes no arguments, only options, such as ${name}({ provider })`;
  return Promise.reject(new Error(wrong === undefined ? what : `${what}; ${wrong}`));
}

async function answered<T>(
  name: string,
  args: object,
  list: string | undefined,
  opts: pulumi.InvokeOptions | undefined,
): Promise<T> {
  if (typeof args !== "object" || args === null)
    throw new Error(`${name} takes an object, such as ${name}({ id: 640 }); got ${JSON.stringify(args)}`);
  const [later] = Object.entries(args).find(([, value]) => isLater(value)) ?? [];
  if (later !== undefined)
    throw new Error(`${name}: ${later} is an Output or a Promise, known later: call ${name}Output instead`);
  if (usesPlugin() || isMocked(pulumi.runtime)) {
    const answer = await pulumi.runtime.invoke(pluginType(name), args as pulumi.Inputs, opts);
    // An engine answers so in a preview if it doesn't know the provider's configuration yet.
    if (Object.keys(answer ?? {}).length === 0 && pulumi.runtime.isDryRun() && !isMocked(pulumi.runtime))
      throw new UnknownError(
        `${name}: the preview doesn't know its provider's arguments yet; call ${name}Output instead`,
      );
    return list === undefined ? answer : answer[list];
  }
  if (opts?.provider !== undefined) throw new Error(`${name}: a provider of its own ${needsPlugin}`);
  const provider = await import("../provider/index.ts");
  const source = provider.dataSources.find((one) => one.name === name);
  const config = (key: string) => pulumi.runtime.getConfig(key);
  const shop = provider.openShop({ config, env: process.env, by: "program" });
  return source?.ask(shop, args as Readonly<Record<string, unknown>>) as Promise<T>;
}

const isLater = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;

/** The answer isn't known before the run. */
class UnknownError extends Error {}

/** Tells how to switch to the plugin, for features that only the plugin has. */
export const needsPlugin =
  "needs the plugin: state plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] } in Pulumi.yaml";

/** Adds the caller's stack to an error, because it is lost when the answer arrives. */
function failed(error: Error, called: string): never {
  error.stack = `${error.stack}\n${called.slice(called.indexOf("\n") + 1)}`;
  throw error;
}

/** The form of a data source that returns an output. */
export const output = <R>(answer: Promise<R>): pulumi.Output<R> =>
  pulumi.output(orUnknown(answer)) as pulumi.Output<R>;

const orUnknown = <R>(answer: Promise<R>): Promise<R> =>
  answer.catch((error) => {
    if (error instanceof UnknownError) return pulumi.output(pulumi.unknown) as never;
    throw error;
  });

/** Arguments of which each may be an output. A name keeps their descriptions in the package's declarations. */
export type Later<A> = { readonly [K in keyof A]: pulumi.Input<A[K]> };

/** The form of a data source that accepts and returns outputs. */
export function later<A extends object, R>(
  source: (args: A, opts?: pulumi.InvokeOptions) => Promise<R>,
): (args: Later<A>, opts?: pulumi.InvokeOptions) => pulumi.Output<R> {
  return (args, opts) => {
    const { stack = "" } = new Error("called");
    return pulumi
      .output(args)
      .apply((known) =>
        orUnknown(source(known as A, opts)).catch((error) => failed(error, stack)),
      ) as pulumi.Output<R>;
  };
}
