/**
 * Registrations that begin when it is their turn, or when somebody looks at an output: the SDK holds 60 kB for each that is
 * under way, and a loop makes thousands at once (docs/performance.md). One that waits for another begins at once: it would hold up
 * those that wait for nothing.
 */
import { AsyncResource } from "node:async_hooks";
import type * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/pulumi/record.ts";
import type { KeepAlive, Registering } from "../engine/pulumi/sdk-internals.ts";
import { inBothForms } from "./aliases.ts";
import { holdsOutput } from "./identity.ts";
import { accessors, outputsOf, type ShapeOf } from "./late-outputs.ts";

/** So many are under way at once: more than an engine works on. */
const most = 64;

/**
 * Makes late registrations for the resources that have a shape.
 * @param sdk what it registers with, and what holds a program until that is done
 * @returns what to call when a resource is registered, or couldn't be; undefined where the SDK lacks any of it
 */
export function withLateRegistrations(
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
    // An alias that the SDK is told earlier costs three outputs.
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
    // What a program changes afterwards is for its next resource.
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
