/**
 * The typed client of every operation of interface.md. Its methods follow from the definitions: `client.coupons.get`,
 * `client.assets.rename`, each with one object of path, query and body values.
 *
 * @example
 * const client = openClient({ url: "https://demo.example.test", applicationId: "app", password: "0123..." });
 * const coupon = await client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
 */

import type { Arguments, Definition, Field, Fields, Operation, Read, Sent } from "../definition/define.ts";
import { allDefinitions, type definitions } from "../resources/index.ts";
import type { Settings } from "../settings/settings.ts";
import { type BadValue, call, type ListOptions } from "./call.ts";
import { type Connection, resolveConnection } from "./connection.ts";
import { every, pages } from "./paged-lists.ts";
import { systemClock } from "./ports.ts";
import { fileLog } from "./request-log.ts";
import { createTransport, type Ports, type Transport } from "./transport.ts";

type Definitions = typeof definitions;

type Named<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never;
type Where<O extends Operation> = { readonly [N in Named<O["path"]>]: number | string };

/** Query parameters of lists (interface.md, Products and Discount codes). */
export interface ListFilter {
  /** Only objects that changed since then: YYYY-MM-DD, or a timestamp. */
  readonly updatedSince?: string;
  /** With `updatedSince`: skips objects up to this id that changed at exactly that time. */
  readonly fromId?: number;
  /** Only deleted objects. */
  readonly deleted?: boolean;
}
/** A page of a list; the first is 1. */
export interface Paging {
  readonly page?: number;
  readonly perPage?: number;
}
type Query<O> = (O extends { readonly perPage: number } ? Paging : unknown) &
  (O extends { readonly since: true } ? ListFilter : unknown);

type Body<F extends Fields, O> = O extends { readonly takes: "arguments" }
  ? Sent<F>
  : O extends { readonly takes: "changes" }
    ? Partial<Sent<F>>
    : O extends { readonly takes: infer T extends Fields }
      ? Arguments<T>
      : unknown;

type Answered<F extends Fields, O> = O extends { readonly answers: "list" }
  ? readonly Read<F>[]
  : O extends { readonly method: "DELETE" }
    ? undefined
    : O extends { readonly method: "PUT" }
      ? Read<F> | undefined
      : Read<F>;

type Given<F extends Fields, O extends Operation> = Omit<Body<F, O>, Named<O["path"]>> & Where<O> & Query<O>;
type Method<F extends Fields, O extends Operation> =
  Record<never, never> extends Given<F, O>
    ? (given?: Given<F, O>) => Promise<Answered<F, O>>
    : (given: Given<F, O>) => Promise<Answered<F, O>>;

/** Iterates over all pages of a list, with one request for each. */
type Every<F extends Fields, O extends Operation> = (
  given?: Partial<Where<O> & Query<O>>,
  options?: ListOptions,
) => AsyncIterable<Read<F>>;

type Methods<D> =
  D extends Definition<infer F, infer O>
    ? { readonly [N in keyof O]: Method<F, O[N]> } & (O extends { readonly list: infer L extends Operation }
        ? { readonly every: Every<F, L> }
        : unknown)
    : never;

/** A group of methods for each kind, and a method for each operation. */
export type Client = { readonly [N in keyof Definitions]: Methods<Definitions[N]> } & {
  readonly transport: Transport;
};

/** Creates a client with a transport; usually use `openClient`. */
export function createClient(transport: Transport): Client {
  const groups = Object.entries(allDefinitions).map(([name, definition]) => {
    const methods = Object.entries(definition.operations).map(([verb, operation]) => [
      verb,
      (given: Readonly<Record<string, unknown>> = {}) => call(transport, definition, operation, given),
    ]);
    return [
      name,
      {
        ...Object.fromEntries(methods),
        every: (given = {}, options: ListOptions = {}) => every(transport, definition, given, options),
      },
    ];
  });
  return { ...Object.fromEntries(groups), transport } as Client;
}

/**
 * Opens a client for a shop, with rate limiting, retries and a connection pool. Close it with `client.transport.close()`.
 * @param settings take precedence over the environment (SHOP_URL and so on)
 * @throws Error with all missing settings
 */
export function openClient(settings: Settings = {}, ports: Partial<Ports> = {}): Client {
  const connection = resolveConnection({ settings, env: process.env });
  return createClient(createTransport(connection, defaultPorts(connection, ports)));
}

/** The real clock, randomness and log. */
export function defaultPorts(connection: Connection, ports: Partial<Ports> = {}): Ports {
  const journal = connection.journal === undefined ? undefined : fileLog(connection.journal);
  return {
    clock: systemClock,
    random: Math.random,
    say: (line) => process.stderr.write(`${line}\n`),
    journal,
    ...ports,
  };
}

export { accessToken } from "./connection.ts";
export * from "./errors.ts";
export type { Arguments, BadValue, Field, ListOptions, Read };
export { every, pages };
