/** Outputs that are made when they are first looked at: most of a resource's never are, and each is eight promises. */

import type { Resolvers, Rpc } from "../engine/pulumi/sdk-internals.ts";
import { listOutput } from "./keyed.ts";

type Settled = readonly unknown[];

/** What a class of ours says of its resources. */
export interface Shape {
  /** The names of their outputs. */
  readonly names: readonly string[];
  /** Lists whose items travel as objects, with their keys. */
  readonly lists: Readonly<Record<string, string>>;
}

/** Finds the shape of a resource; undefined of one that isn't ours. */
export type ShapeOf = (resource: object) => Shape | undefined;

/** What a resource's outputs need until they are looked at; one record and not closures, for there are thirty of each. */
interface Late {
  readonly resource: object;
  readonly label: string;
  readonly keys: readonly string[];
  readonly settled: Settled[];
  readonly resolvers: Map<string, (...values: unknown[]) => void>;
}

/** All outputs of a resource but those of any: the names of its class, and what the program gave beside. */
export const outputsOf = (shape: Shape, props: object): readonly string[] =>
  [...new Set([...shape.names, ...Object.keys(props)])].filter((key) => key !== "id" && key !== "urn");

/** Properties that run before they are looked at, one for each name: a resource has none of its own. */
export function accessors(
  get: (resource: object, key: string) => unknown,
  set: (resource: object, key: string, value: unknown) => void,
): (key: string) => PropertyDescriptor {
  const known = new Map<string, PropertyDescriptor>();
  return (key) => {
    const made: PropertyDescriptor & ThisType<object> = known.get(key) ?? {
      get() {
        return get(this, key);
      },
      set(value: unknown) {
        set(this, key, value);
      },
      enumerable: true,
      configurable: true,
    };
    known.set(key, made);
    return made;
  };
}

// Most outputs are nothing, known or not.
const nothing: readonly Settled[] = [
  [undefined, false, false],
  [undefined, true, false],
];

/**
 * Makes late outputs for the resources that have a shape.
 * @param rpc the SDK's runtime/rpc
 * @param done is called when a resource is registered, or couldn't be
 */
export function withLateOutputs(
  rpc: Required<Rpc>,
  shapeOf: ShapeOf,
  done: (resource: object) => void,
): void {
  const original = rpc.transferProperties;
  const late = new WeakMap<object, Late>();
  const accessor = accessors(
    (resource, key) => make(resource, key),
    (resource, key, value) =>
      Object.defineProperty(resource, key, { value, writable: true, enumerable: true, configurable: true }),
  );

  function make(resource: object, key: string): unknown {
    const { label, keys, settled, resolvers } = late.get(resource) as Late;
    const names = Reflect.ownKeys(resource);
    Reflect.deleteProperty(resource, key);
    const resolve = original(resource, label, { [key]: undefined })[key];
    const lists = shapeOf(resource)?.lists ?? {};
    if (Object.hasOwn(lists, key))
      Reflect.set(resource, key, listOutput(resource, key, Reflect.get(resource, key)));
    // Where an output stands among the others doesn't tell when it was looked at.
    for (const after of names.slice(names.indexOf(key) + 1)) moveToEnd(resource, after);
    const values = settled[keys.indexOf(key)];
    if (values !== undefined) resolve?.(...values);
    else if (resolve !== undefined) resolvers.set(key, resolve);
    return Reflect.get(resource, key);
  }

  const resolverOf = (record: Late, key: string) => {
    const { resource, keys, settled, resolvers } = record;
    return (...values: unknown[]) => {
      const [value, isKnown, isSecret, deps, error] = values;
      const isNothing = value === undefined && !isSecret && error === undefined && deps === undefined;
      settled[keys.indexOf(key)] = (isNothing && nothing[Number(isKnown)]) || values;
      resolvers.get(key)?.(...values);
      done(resource);
    };
  };
  const handler: ProxyHandler<Late> = {
    ownKeys: ({ keys }) => [...keys],
    getOwnPropertyDescriptor: (record, key) => ({
      value: resolverOf(record, String(key)),
      enumerable: true,
      configurable: true,
    }),
    get: (record, key) => (record.keys.includes(String(key)) ? resolverOf(record, String(key)) : undefined),
  };

  rpc.transferProperties = (onto, label, props) => {
    const shape = shapeOf(onto);
    const keys = shape === undefined ? [] : outputsOf(shape, props);
    // The SDK refuses what is there already.
    if (shape === undefined || keys.some((key) => Object.hasOwn(onto, key)))
      return original(onto, label, props);
    for (const key of keys) Object.defineProperty(onto, key, accessor(key));
    const record: Late = { resource: onto, label, keys, settled: [], resolvers: new Map() };
    late.set(onto, record);
    return new Proxy(record, handler) as unknown as Resolvers;
  };
}

function moveToEnd(object: object, key: string | symbol): void {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor?.configurable && Reflect.deleteProperty(object, key))
    Object.defineProperty(object, key, descriptor);
}
