/** Outputs that are made when they are first looked at: most of a resource's never are, and each is eight promises. */

import type { Resolvers, Rpc, Transfer } from "../pulumi/sdk-internals.ts";

type Settled = readonly unknown[];

/** What a resource's outputs need until they are looked at; one record and not closures, for there are thirty of each. */
interface Late {
  readonly label: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly settled: Map<string, Settled>;
  readonly resolvers: Map<string, (...values: unknown[]) => void>;
}

/**
 * Makes late outputs for the resources that `isOurs` takes.
 * @param rpc the SDK's runtime/rpc; without the function that makes outputs it stays as it is
 */
export function withLateOutputs(rpc: Rpc, isOurs: (resource: object) => boolean): void {
  const original = rpc.transferProperties;
  if (typeof original !== "function") return;
  const late = new WeakMap<object, Late>();
  const accessors = new Map<string, PropertyDescriptor>();

  function accessor(key: string): PropertyDescriptor {
    const known = accessors.get(key);
    if (known !== undefined) return known;
    const made: PropertyDescriptor & ThisType<object> = {
      get() {
        return make(this, key, original as Transfer);
      },
      set(value: unknown) {
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
      enumerable: true,
      configurable: true,
    };
    accessors.set(key, made);
    return made;
  }

  function make(resource: object, key: string, transfer: Transfer): unknown {
    const { label, props, settled, resolvers } = late.get(resource) as Late;
    const keys = Reflect.ownKeys(resource);
    Reflect.deleteProperty(resource, key);
    const resolve = transfer(resource, label, { [key]: props[key] })[key];
    // Where an output stands among the others doesn't tell when it was looked at.
    for (const after of keys.slice(keys.indexOf(key) + 1)) moveToEnd(resource, after);
    const values = settled.get(key);
    if (values !== undefined) resolve?.(...values);
    else if (resolve !== undefined) resolvers.set(key, resolve);
    return Reflect.get(resource, key);
  }

  rpc.transferProperties = (onto, label, props) => {
    if (!isOurs(onto)) return original(onto, label, props);
    const record: Late = { label, props: { ...props }, settled: new Map(), resolvers: new Map() };
    late.set(onto, record);
    const resolvers: Resolvers = {};
    for (const [key, prop] of Object.entries(props)) {
      if (key === "id" || key === "urn") continue;
      if (Object.hasOwn(onto, key)) {
        Object.assign(resolvers, original(onto, label, { [key]: prop }));
        continue;
      }
      resolvers[key] = (...values) => {
        record.settled.set(key, values);
        record.resolvers.get(key)?.(...values);
      };
      Object.defineProperty(onto, key, accessor(key));
      // What isn't there needs no turn of its own when the properties are serialised: it would come to nothing.
      if (prop === undefined) Reflect.deleteProperty(props, key);
    }
    return resolvers;
  };
}

function moveToEnd(object: object, key: string | symbol): void {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor?.configurable && Reflect.deleteProperty(object, key))
    Object.defineProperty(object, key, descriptor);
}
