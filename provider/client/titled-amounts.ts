/**
 * Amounts by the titles of other objects (prices by their kind): programs and states have the titles, documents the names
 * that this shop has for them. They are asked for once, where an amount is written or an answer has one.
 */
import type { Definition, Fields, NamedBy } from "../definition/define.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { InvalidCallError, NotFoundError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Titles by the names of their elements. */
type Titles = Map<string, string>;

interface TitleCache {
  /** By kind; undefined until somebody asks. */
  readonly titles: Map<string, Promise<Titles>>;
  /** Titles that the program gives objects of this run, by the names of their elements: from then on they have them. */
  readonly given: Map<string, string>;
  /** The titles that the states of this run still have, and those that took their place. */
  readonly retitled: Map<string, string>;
  readonly listen: (kind: string) => void;
}

/** A shop that can be asked. */
export interface TitleSource {
  readonly transport: Transport;
  readonly read: (definition: Definition) => Promise<readonly Values[]>;
}

const known = new WeakMap<Transport, TitleCache>();

/** Calls when the titles of a kind are asked for, which is a request. */
export function watchTitles(transport: Transport, listen: (kind: string) => void): TitleCache {
  const opened = { titles: new Map(), given: new Map(), retitled: new Map(), listen };
  known.set(transport, opened);
  return opened;
}

const numbersOf = (kind: string) =>
  definitionOf(kind) as Definition & { readonly sequential: NonNullable<Definition["sequential"]> };

const knownOf = (transport: Transport) => known.get(transport) ?? watchTitles(transport, () => {});

/** Notes that an object is renamed: amounts that are stated under its new title are its own. */
export async function noteRename(
  transport: Transport,
  {
    definition,
    olds,
    args,
  }: { readonly definition: Definition; readonly olds: Values; readonly args: Values },
) {
  const { sequential } = definition;
  if (sequential === undefined || olds[sequential.element] === undefined) return;
  const { titles, given, retitled } = knownOf(transport);
  const [element, title] = [String(olds[sequential.element]), args[sequential.title]];
  if (typeof title !== "string" || title === olds[sequential.title] || title === unknownValue) return;
  given.set(element, title);
  retitled.set(String(olds[sequential.title]), title);
  (await titles.get(definition.kind))?.set(element, title);
}

/** Which titles this run's renames put in the place of others: states from before it have their amounts under those. */
export const renamedTitles = (transport: Transport): ReadonlyMap<string, string> =>
  knownOf(transport).retitled;

function titlesOf({ transport, read: list }: TitleSource, { kind }: NamedBy): Promise<Titles> {
  const { titles, given, listen } = knownOf(transport);
  const found = titles.get(kind);
  if (found !== undefined) return found;
  listen(kind);
  const read = ask(list, kind).then((asked) => new Map([...asked, ...given]));
  titles.set(kind, read);
  // A failure is no answer: the next one asks again.
  read.catch(() => titles.delete(kind));
  return read;
}

async function ask(read: TitleSource["read"], kind: string): Promise<Titles> {
  const definition = numbersOf(kind);
  const titles: Titles = new Map();
  try {
    for (const one of await read(definition)) add(definition, titles, one);
  } catch (error) {
    // A shop without the list has the names of the elements, and nothing else.
    if (!(error instanceof NotFoundError)) throw error;
  }
  return titles;
}

function add({ sequential }: Definition, titles: Titles, one: Values): void {
  if (sequential !== undefined && one[sequential.element] !== undefined)
    titles.set(String(one[sequential.element]), String(one[sequential.title] ?? ""));
}

/** The titles that amounts are stated under. */
export function titlesIn(definition: Definition, values: Values): readonly string[] {
  const titles = new Set<string>();
  withRenamedTitles(definition.fields, values, (name) => {
    titles.add(name);
    return name;
  });
  return [...titles].toSorted();
}

/** Those of them that the shop doesn't have; asks it where nobody has yet. */
export async function missingTitles(shop: TitleSource, definition: Definition, values: Values) {
  const named = namedIn(definition.fields, values);
  if (named === undefined) return { kind: "", missing: [] };
  const titles = await titlesOf(shop, named);
  const isMissing = (title: string) => elementOf(titles, title) === undefined;
  return { kind: named.kind, missing: titlesIn(definition, values).filter(isMissing) };
}

/** The element of a title that only one object has; an element's own name is its own. */
function elementOf(titles: Titles, name: string): string | undefined {
  if (titles.has(name)) return name;
  const [found, ...others] = [...titles].filter(([, title]) => title === name);
  return others.length > 0 ? undefined : found?.[0];
}

/**
 * What is sent, its amounts by the names of this shop.
 * @throws InvalidCallError for a title that the shop doesn't have, or has twice
 */
export async function withElements(
  shop: TitleSource,
  definition: Definition,
  input: Values,
): Promise<Values> {
  const { kind } = definition;
  const named = namedIn(definition.fields, input);
  if (named === undefined) return input;
  const titles = await titlesOf(shop, named);
  return withRenamedTitles(definition.fields, input, (name) => {
    const element = elementOf(titles, name);
    if (element !== undefined) return element;
    const there = [...new Set(titles.values())].join(", ");
    const isTwice = [...titles.values()].includes(name);
    throw new InvalidCallError(
      isTwice
        ? `the shop has several objects of ${named.kind} called ${JSON.stringify(name)}: name one by its attribute, ${[...titles].flatMap(([one, title]) => (title === name ? [one] : [])).join(" or ")}`
        : `the shop has no ${named.kind} ${JSON.stringify(name)}${there === "" ? "" : `, only ${there}`}`,
      { kind },
    );
  });
}

/** What was answered, its amounts by their titles. */
export async function withTitles<T extends Values | readonly Values[] | undefined>(
  shop: TitleSource,
  definition: Definition,
  answered: T,
): Promise<T> {
  if (answered === undefined) return answered;
  const all = Array.isArray(answered) ? listOf(answered) : [valuesOf(answered)];
  if (definition.sequential !== undefined && !Array.isArray(answered)) {
    // What a run made or renamed itself needs no second question.
    const titles = await known.get(shop.transport)?.titles.get(definition.kind);
    if (titles !== undefined) {
      add(definition, titles, valuesOf(answered));
      for (const [element, title] of knownOf(shop.transport).given) titles.set(element, title);
    }
  }
  for (const one of all) {
    const named = namedIn(definition.fields, one);
    if (named === undefined) continue;
    const titles = await titlesOf(shop, named);
    const count = Map.groupBy(titles.values(), (title) => title);
    const titleOf = (element: string) => {
      const title = titles.get(element);
      return title === undefined || title === "" || count.get(title)?.length !== 1 ? element : title;
    };
    const shown = all.map((values) => withRenamedTitles(definition.fields, values, titleOf));
    return (Array.isArray(answered) ? shown : shown[0]) as T;
  }
  return answered;
}

/** What an object's amounts are of, in a field of its own or in an item's; undefined where it has none. */
function namedIn(fields: Fields, values: Values): NamedBy | undefined {
  for (const [name, { namedBy, items }] of Object.entries(fields)) {
    if (namedBy !== undefined && typeof values[name] === "object" && values[name] !== null) return namedBy;
    const inner = items?.fields;
    if (inner === undefined) continue;
    for (const item of listOf(values[name])) {
      const found = namedIn(inner, item);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Values with their amounts under other titles; the same values where they have none. */
export function withRenamedTitles(fields: Fields, values: Values, rename: (name: string) => string): Values {
  const changed = Object.entries(fields).flatMap(([name, { namedBy, items }]): [string, unknown][] => {
    const value = values[name];
    if (namedBy !== undefined && typeof value === "object" && value !== null)
      return [[name, Object.fromEntries(Object.entries(value).map(([own, one]) => [rename(own), one]))]];
    const inner = items?.fields;
    if (inner === undefined || namedIn(fields, { [name]: value }) === undefined) return [];
    return [[name, listOf(value).map((item) => withRenamedTitles(inner, item, rename))]];
  });
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
}
