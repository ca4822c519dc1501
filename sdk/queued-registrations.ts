/**
 * Delays registrations until a free slot or the first access to an output: each pending one takes 60 kB in the SDK, and
 * a loop creates thousands at once (docs/performance.md). A registration that depends on others starts immediately,
 * because it would block independent ones.
 */
import { AsyncResource } from "node:async_hooks";
import type * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/common/record.ts";
import type { KeepAlive, Registering } from "../engine/pulumi/sdk-internals.ts";
import { inBothForms } from "./aliases.ts";
import { holdsOutput } from "./identity.ts";
import { accessors, outputsOf, type ShapeOf } from "./lazy-outputs.ts";

/** Maximum number of pending registrations; more than an engine processes at once. */
const most = 64;

/**
 * Delays registrations of resources with a shape.
 * @param sdk the SDK's modules that register resources and keep the program alive
 * @returns the function to call when a resource is registered, or its registration failed; undefined if the SDK lacks
 * any of these functions
 */
export function withQueuedRegistrations(
  { resources, settings }: { readonly resources: Registering; readonly settings: KeepAlive },
  shapeOf: ShapeOf,
): ((resource: object) => void) | undefined {
  const { registerResource: original } = resources;
  const { rpcKeepAlive } = settings;
  if (typeof original !== "function" || typeof rpcKeepAlive !== "function") return undefined;
  const underWay = new Set<object>();
  const waiting = new Map<object, () => void>();
  const accessor = accessors(
    (resource, key) => {
      waiting.get(resource)?.();
      return Reflect.get(resource, key);
    },
    (resource, key, value) => {
      waiting.get(resource)?.();
      Reflect.set(resource, key, value);
    },
  );

  resources.registerResource = (...args) => {
    const [resource, , type, , , , , props, opts] = args;
    const shape = shapeOf(resource);
    if (shape === undefined) return original(...args);
    // An alias passed earlier would cost three outputs.
    const { aliases, dependsOn } = opts as pulumi.ResourceOptions;
    const how = { ...opts, aliases: inBothForms(type, aliases) };
    const register = (given: object) => original(...(args.with(7, given).with(8, how) as typeof args));
    if (dependsOn !== undefined || holdsOutput(props)) return register(props);
    if (underWay.size < most) {
      underWay.add(resource);
      return register(props);
    }
    const keys = ["urn", "id", ...outputsOf(shape, props)];
    for (const key of keys) Object.defineProperty(resource, key, accessor(key));
    // The program may change the arguments object for its next resource.
    const given = copied(props) as object;
    const registered = rpcKeepAlive();
    const scope = new AsyncResource("pulumi-shop:registration");
    waiting.set(resource, () => {
      waiting.delete(resource);
      underWay.add(resource);
      for (const key of keys.toReversed()) Reflect.deleteProperty(resource, key);
      scope.runInAsyncScope(register, undefined, given);
      registered();
    });
  };
  return (resource) => {
    if (!underWay.delete(resource)) return;
    for (const begin of waiting.values()) {
      if (underWay.size >= most) return;
      begin();
    }
  };
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)]));
}
