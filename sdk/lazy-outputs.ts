/** Creates outputs on first access: most of a resource's outputs are never read, and each needs eight promises. */

import type { Resolvers, Rpc } from "../engine/pulumi/sdk-internals.ts";
import { listOutput } from "./keyed-lists.ts";

type Settled = readonly unknown[];

/** The outputs of a class. */
export interface Shape {
  /** The names of their outputs. */
  readonly names: readonly string[];
  /** Key fields of the lists that are sent as objects. */
  readonly lists: Readonly<Record<string, string>>;
}

/** The shape of a resource; undefined for classes of other packages. */
export type ShapeOf = (resource: object) => Shape | undefined;

/**
 * The data of a resource's outputs before first access; a record instead of closures, because a resource has thirty
 * outputs.
 */
interface Late {
  readonly resource: object;
  readonly label: string;
  readonly keys: readonly string[];
  readonly settled: Settled[];
  readonly resolvers: Map<string, (...values: unknown[]) => void>;
}

/** All outputs of a resource except id and urn: those of its class, and further arguments. */
export const outputsOf = (shape: Shape, props: object): readonly string[] =>
  [...new Set([...shape.names, ...Object.keys(props)])].filter((key) => key !== "id" && key !== "urn");

/** Property descriptors that run code on access, shared between resources. */
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

// Most outputs are undefined; they share these values.
const nothing: readonly Settled[] = [
  [undefined, false, false],
  [undefined, true, false],
];

/**
 * Creates outputs on first access for resources with a shape.
 * @param rpc the SDK's runtime/rpc
 * @param done called when a resource is registered, or its registration failed
 */
export function withLazyOutputs(
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
    // The order of properties must not depend on the order of access.
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
    // The SDK refuses properties that already exist.
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
