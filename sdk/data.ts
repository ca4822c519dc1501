/**
 * What all data sources are made of. They run in the program's own process (dynamic providers have no
 * invoke), so the provider is loaded when the first of them is called.
 */
import * as pulumi from "@pulumi/pulumi";
import type { OpenShop } from "../provider/index.ts";

async function open(): Promise<{ shop: OpenShop; provider: typeof import("../provider/index.ts") }> {
  const provider = await import("../provider/index.ts");
  return {
    provider,
    shop: provider.openShop({ config: (key) => pulumi.runtime.getConfig(key), env: process.env }),
  };
}

type Group = keyof OpenShop["client"] & ("account" | "collections" | "themes");
const lists = new Map<string, Promise<unknown>>();

/** All objects of a group; one request a program, however often it is asked. */
export function all<T>(group: Group): Promise<T> {
  const found = lists.get(group);
  if (found !== undefined) return found as Promise<T>;
  const asked = open().then(async ({ shop }) => {
    const methods = shop.client[group] as unknown as Record<string, () => Promise<unknown>>;
    return (methods.list ?? (methods.get as () => Promise<unknown>))();
  });
  lists.set(group, asked);
  // A failure is not an answer: the next call asks again.
  asked.catch(() => lists.delete(group));
  return asked as Promise<T>;
}

/** One object of a group. */
export async function one<T>(group: Group, wanted: object): Promise<T> {
  const { provider } = await open();
  return provider.pickOne(
    provider.definitions[group],
    await all(group),
    wanted as Record<string, unknown>,
  ) as T;
}

/** The form of a data source that takes and gives values that are known later. */
export function later<A extends object, R>(
  source: (args: A) => Promise<R>,
): (args: { readonly [K in keyof A]: pulumi.Input<A[K]> }) => pulumi.Output<R> {
  return (args) => pulumi.output(args).apply((known) => source(known as A)) as pulumi.Output<R>;
}
