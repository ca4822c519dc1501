/** Reads all objects of a kind, for pull and compare. */
import { shownText } from "../body/arguments.ts";
import { engineIdOf, parentNames } from "../change/identity.ts";
import { NotFoundError } from "../client/errors.ts";
import { type BadValue, every, pages } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import { type Definition, type Field, isReturnedArgument } from "../definition/define.ts";
import { readObject } from "../lifecycle/observe.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import type { ReferredObjects } from "./comparable.ts";
import { titleOf } from "./program-arguments.ts";

export interface ShopObject {
  readonly id: string;
  readonly seen: Values;
  /** A body without text: its bytes, or the error of the download. */
  readonly bytes?: Buffer | Error;
}

export interface ReadOptions {
  readonly transport: Transport;
  /** The shop's address, for bodies that it serves. */
  readonly url: string;
  readonly perPage?: number | undefined;
  /** Skips objects before their bodies are read; default: none. */
  readonly isWanted?: (id: string) => boolean;
  /** Receives values that can't be read. */
  readonly onBadValue: (value: BadValue) => void;
  /** Number of objects read, and in all; undefined until the list has ended. */
  readonly progress: (read: number, of: number | undefined) => void;
}

/** The shop doesn't list a kind that interface.md doesn't show. */
export class HiddenKindError extends Error {
  override readonly name = "HiddenKindError";
}

/**
 * Reads all objects of a kind, except those that have ended (declined charges).
 * @throws HiddenKindError if the shop doesn't list them
 */
export async function readObjects(
  definition: Definition,
  options: ReadOptions,
): Promise<readonly ShopObject[]> {
  const { progress } = options;
  if (definition.singleton !== undefined) {
    const seen = await readObject(definition, options, definition.one);
    progress(1, 1);
    const isWanted = options.isWanted?.(definition.one) ?? true;
    return typeof seen === "object" && isWanted ? [{ id: definition.one, seen }] : [];
  }
  const { found, bad } = await wholeList(definition, options);
  for (const value of bad) options.onBadValue(value);
  const { cancel } = definition;
  const isOpen = (seen: Values) =>
    cancel === undefined || Object.entries(cancel.when).every(([name, value]) => seen[name] === value);
  const isWanted = (id: string) => options.isWanted?.(id) ?? true;
  const open = [...found].flatMap(([id, seen]) => (isWanted(id) && isOpen(seen) ? [seen] : []));
  let read = 0;
  // The limiter bounds the number of parallel requests.
  return Promise.all(
    open.map(async (seen) => {
      const whole = await withBody(definition, options, seen);
      read += 1;
      progress(read, open.length);
      return whole;
    }),
  );
}

interface Listing {
  readonly found: ReadonlyMap<string, Values>;
  readonly bad: readonly BadValue[];
  /** Whether the list has several pages. */
  readonly isPaged: boolean;
}

/**
 * A delete during the reading moves objects to an earlier page. So a list of several pages is read until no object of the
 * previous reading is missing.
 */
async function wholeList(definition: Definition, options: ReadOptions): Promise<Listing> {
  let last = await readList(definition, options);
  for (let isWhole = !last.isPaged; !isWhole; ) {
    const next = await readList(definition, options);
    isWhole = [...last.found.keys()].every((id) => next.found.has(id));
    last = next;
  }
  return last;
}

async function readList(definition: Definition, options: ReadOptions): Promise<Listing> {
  const { transport, perPage, progress } = options;
  // A list that changes meanwhile may show an object on two pages.
  const found = new Map<string, Values>();
  const bad: BadValue[] = [];
  const onBadValue = (value: BadValue) => void bad.push(value);
  let isPaged = false;
  for (const above of await listsOf(definition, transport)) {
    const given = { ...above, perPage };
    try {
      for await (const { objects, size } of pages(transport, definition, given, { onBadValue })) {
        // A list with a single page doesn't show the page size.
        isPaged ||= size !== undefined;
        for (const seen of objects) {
          const whole = { ...above, ...seen };
          found.set(engineIdOf(definition, whole, whole), whole);
        }
        progress(found.size, undefined);
      }
    } catch (error) {
      if (!(error instanceof NotFoundError) || !definition.operations.list?.undocumented) throw error;
      throw new HiddenKindError(`this shop doesn't list its objects of ${definition.kind}`, { cause: error });
    }
  }
  return { found, bad, isPaged };
}

/** The objects of a kind as their lists show them, by the engine's ids; none if the shop doesn't list them. */
export async function listedObjects(
  definition: Definition,
  transport: Transport,
): Promise<ReadonlyMap<string, Values>> {
  const options = { transport, url: "", onBadValue: () => {}, progress: () => {} };
  try {
    return (await wholeList(definition, options)).found;
  } catch (error) {
    if (error instanceof HiddenKindError) return new Map();
    throw error;
  }
}

/** The lists of a kind: one, or one for each parent object. */
async function listsOf(definition: Definition, transport: Transport): Promise<readonly Values[]> {
  const [name] = parentNames(definition);
  if (name === undefined) return [{}];
  const holder = definitionOf(definition.fields[name]?.refersTo?.kind ?? "");
  if (holder === undefined) throw new Error(`${definition.kind}.${name} refers to no kind`);
  const lists: Values[] = [];
  for await (const seen of every(transport, holder, {})) lists.push({ [name]: seen.id });
  return lists;
}

/** Adds the body to a listed object. Lists have no bodies (interface.md, Assets); bytes are downloaded. */
export async function withBody(
  definition: Definition,
  options: Pick<ReadOptions, "transport" | "url">,
  listed: Values,
): Promise<ShopObject> {
  const id = engineIdOf(definition, listed, listed);
  const { body } = definition;
  if (body === undefined) return { id, seen: listed };
  const read = body.text === undefined ? listed : await readObject(definition, options, id);
  const seen = typeof read === "object" ? { ...listed, ...read } : listed;
  if (shownText(seen) !== undefined) return { id, seen };
  const address = seen[body.address];
  if (typeof address !== "string")
    return { id, seen, bytes: new Error("the shop shows neither its text nor its address") };
  try {
    return { id, seen, bytes: await options.transport.download(new URL(address, options.url).href) };
  } catch (error) {
    return { id, seen, bytes: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * Reads all objects of the kinds that ids refer to, one list for each kind.
 * @param isWanted selects the fields; default: arguments
 */
export async function readReferred(
  transport: Transport,
  groups: readonly { readonly definition: Definition; readonly stated: readonly Values[] }[],
  isWanted: (field: Field) => boolean = isReturnedArgument,
): Promise<ReferredObjects> {
  const holds = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const kinds = new Set(
    groups.flatMap(({ definition, stated }) =>
      Object.entries(definition.fields).flatMap(([name, field]) =>
        field.refersTo?.kind !== undefined && isWanted(field) && stated.some((values) => holds(values[name]))
          ? [field.refersTo.kind]
          : [],
      ),
    ),
  );
  const referred = new Map<string, { definition: Definition; seen: Values }[]>();
  for (const kind of kinds) {
    const definition = definitionOf(kind);
    if (definition === undefined) continue;
    const found = new Map<unknown, { definition: Definition; seen: Values }>();
    for await (const seen of every(transport, definition, {})) found.set(seen.id, { definition, seen });
    referred.set(kind, [...found.values()]);
  }
  return referred;
}

/** The names of objects that have an address, by address. */
export async function readAddresses(
  definitions: readonly Definition[],
  transport: Transport,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const definition of definitions) {
    if (definition.body === undefined || definition.body.text !== undefined) continue;
    for await (const seen of every(transport, definition, {})) {
      const address = seen[definition.body.address];
      if (typeof address === "string" && address !== "")
        names.set(address, `[${definition.kind} ${titleOf(definition, seen)}]`);
    }
  }
  return names;
}
