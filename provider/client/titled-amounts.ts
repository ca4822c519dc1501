/**
 * Converts the keys of amounts (prices by their kind): programs and states use titles, documents use element names that
 * differ from shop to shop. The titles are read once, when the first amount is sent or received.
 */
import type { Definition, Fields, NamedBy } from "../definition/define.ts";
import { definitionOf } from "../resources/index.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { InvalidCallError, NotFoundError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Titles by element name. */
type Titles = Map<string, string>;

type TitleCache = ReturnType<typeof watchTitles>;

export interface TitleSource {
  readonly transport: Transport;
  readonly read: (definition: Definition) => Promise<readonly Values[]>;
}

const known = new WeakMap<Transport, TitleCache>();

/** Calls `listen` when the titles of a kind are requested. */
export function watchTitles(transport: Transport, listen: (kind: string) => void) {
  const opened = {
    /** By kind; undefined until the first use. */
    titles: new Map<string, Promise<Titles>>(),
    /** New titles that the program gives in this run, by element name. */
    given: new Map<string, string>(),
    /** Old titles in the states of this run, with the new ones. */
    retitled: new Map<string, string>(),
    listen,
  };
  known.set(transport, opened);
  return opened;
}

const knownOf = (transport: Transport) => known.get(transport) ?? watchTitles(transport, () => {});

/** Records a rename, so that amounts with the new title find their element. */
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

/** The titles that this run renames: older states have the amounts under the old ones. */
export const renamedTitles = (transport: Transport): ReadonlyMap<string, string> =>
  knownOf(transport).retitled;

function titlesOf({ transport, read: list }: TitleSource, { kind }: NamedBy): Promise<Titles> {
  const { titles, given, listen } = knownOf(transport);
  const found = titles.get(kind);
  if (found !== undefined) return found;
  listen(kind);
  const read = ask(list, kind).then((asked) => new Map([...asked, ...given]));
  titles.set(kind, read);
  // After a failure, the next call tries again.
  read.catch(() => titles.delete(kind));
  return read;
}

async function ask(read: TitleSource["read"], kind: string): Promise<Titles> {
  const definition = definitionOf(kind);
  const titles: Titles = new Map();
  if (definition === undefined) return titles;
  try {
    for (const one of await read(definition)) add(definition, titles, one);
  } catch (error) {
    // Without the list, amounts are named by their elements.
    if (!(error instanceof NotFoundError)) throw error;
  }
  return titles;
}

function add({ sequential }: Definition, titles: Titles, one: Values): void {
  if (sequential !== undefined && one[sequential.element] !== undefined)
    titles.set(String(one[sequential.element]), String(one[sequential.title] ?? ""));
}

/** The titles of an object's amounts. */
export function titlesIn(definition: Definition, values: Values): readonly string[] {
  const titles = new Set<string>();
  withRenamedTitles(definition.fields, values, (name) => {
    titles.add(name);
    return name;
  });
  return [...titles].toSorted();
}

/** The titles that don't name one element of the shop yet; reads the shop's titles if necessary. */
export async function titleProblems(shop: TitleSource, definition: Definition, values: Values) {
  const named = namedIn(definition.fields, values);
  if (named === undefined) return [];
  const titles = await titlesOf(shop, named);
  return titlesIn(definition, values).flatMap((title) => {
    if (elementOf(titles, title) !== undefined) return [];
    const isLater = ![...titles.values()].includes(title);
    const text = problemOf(titles, named, title);
    const advice = isLater ? "; if the program creates it, name that resource in dependsOn" : "";
    return [{ kind: named.kind, title, text: text + advice }];
  });
}

/** What titles name in the shop, and what an element is called there now. Reads the shop's titles if necessary. */
export async function namesNow(shop: TitleSource, definition: Definition, values: Values) {
  const named = namedIn(definition.fields, values);
  const titles: Titles = named === undefined ? new Map() : await titlesOf(shop, named);
  return {
    elementOf: (title: string) => elementOf(titles, title),
    /** Undefined if the shop no longer has the element. */
    titleOf(element: string): string | undefined {
      const title = titles.get(element);
      return title !== undefined && elementOf(titles, title) !== element ? element : title;
    },
  };
}

function problemOf(titles: Titles, { kind }: NamedBy, title: string): string {
  const all = [...titles];
  const same = all.flatMap(([element, one]) => (one === title ? [element] : []));
  if (same.length > 0)
    return `the shop has several objects of ${kind} called ${JSON.stringify(title)}: name one by its attribute, ${same.join(" or ")}`;
  const there = [...new Set(titles.values())].join(", ");
  return `the shop has no ${kind} ${JSON.stringify(title)}${there === "" ? "" : `, only ${there}`}`;
}

/** The element with a title that is unique; an element's own name also works. */
function elementOf(titles: Titles, name: string): string | undefined {
  if (titles.has(name)) return name;
  const [found, ...others] = [...titles].filter(([, title]) => title === name);
  return others.length > 0 ? undefined : found?.[0];
}

/**
 * Converts titles to the shop's element names for a request.
 * @throws InvalidCallError if the shop doesn't have the title, or has it twice
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
    throw new InvalidCallError(problemOf(titles, named, name), { kind });
  });
}

/** Converts element names to titles in a response. */
export async function withTitles<T extends Values | readonly Values[] | undefined>(
  shop: TitleSource,
  definition: Definition,
  answered: T,
): Promise<T> {
  if (answered === undefined) return answered;
  const all = Array.isArray(answered) ? listOf(answered) : [valuesOf(answered)];
  if (definition.sequential !== undefined && !Array.isArray(answered)) {
    // Titles that this run created or changed need no second request.
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

/** The kind of an object's amounts, its own or those of list items; undefined if it has none. */
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

/** Renames the keys of amounts; returns the same values if there are none. */
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
