/**
 * All that the classes and data sources reach of Pulumi's SDK without its documentation's promise, each with what happens
 * in a release that hasn't it. test/sdk/internals.test.ts looks for each in the SDK that is installed.
 */
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";

interface Inner {
  readonly __pulumiType?: string;
  readonly __parentResource?: Inner;
}

/** The type that a resource was made with. Without it policy packs don't know our classes, and a create is of no component. */
export const typeMade = (resource: unknown): string | undefined =>
  (resource as Inner | null | undefined)?.__pulumiType;

/** The types of the components above a resource, the outermost first. Without parents there are none: two of one name are one. */
export function typesAbove(parent: pulumi.Resource | undefined): readonly string[] {
  const above: string[] = [];
  for (let at = parent as Inner | undefined; at !== undefined; at = at.__parentResource) {
    const type = typeMade(at);
    if (type !== undefined) above.unshift(type);
  }
  return above;
}

/** Whether a test stands in for the engine (`pulumi.runtime.setMocks`). Without it data sources ask a shop in such tests too. */
export const isMocked = (): boolean =>
  pulumi.runtime.hasMonitor() &&
  (pulumi.runtime.getMonitor() as unknown as { readonly mocks?: unknown }).mocks !== undefined;

export interface Debuggable {
  /** Takes a stack trace for each promise that is watched. Without it that is done: slower. */
  debuggablePromise?: (promise: Promise<unknown>, context: unknown) => Promise<unknown>;
}
export interface Resources {
  /** Finds where in the program a resource was made. Without it states are a quarter larger. */
  readonly Resource?: { callsites?: () => readonly object[] };
}
export type Resolvers = Record<string, (...settled: unknown[]) => void>;
export type Transfer = (onto: object, label: string, props: object) => Resolvers;
export interface Rpc {
  /** Makes a resource's outputs, all at once. Without it they are: slower. */
  transferProperties?: Transfer;
}

/** The parts of the SDK that sdk/quiet.ts takes something from; empty where another release keeps them elsewhere. */
export function parts(): {
  readonly debuggable: Debuggable;
  readonly resources: Resources;
  readonly rpc: Rpc;
} {
  const require = createRequire(import.meta.url);
  const part = (name: string): object => {
    try {
      return require(`@pulumi/pulumi/${name}`) as object;
    } catch {
      // Elsewhere: slower, and right.
      return {};
    }
  };
  return {
    debuggable: part("runtime/debuggable.js"),
    resources: part("resource.js"),
    rpc: part("runtime/rpc.js"),
  };
}
