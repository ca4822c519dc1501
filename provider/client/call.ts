/**
 * One operation of a definition as one request: path, query and body out, the answer read back. Nothing here knows a
 * kind, and nothing here waits or repeats.
 */

import { type Definition, type Fields, namesIn, type Operation, operationOf } from "../definition/define.ts";
import {
  ArgumentError,
  decode,
  encode,
  identifierOf,
  type OnBadValue,
  type ValueError,
  type Values,
} from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import {
  childNames,
  childrenOf,
  DocumentError,
  parse,
  parseJson,
  print,
  printJson,
  type Wire,
} from "../wire/xml.ts";
import { InvalidCallError, RefusedError, UnreadableValueError } from "./errors.ts";
import { xmlMessages } from "./messages.ts";
import { type TitleSource as Askable, missingTitles, withElements, withTitles } from "./titled-amounts.ts";
import type { Answer, Transport } from "./transport.ts";

/** What an operation is given: values of its path and query, and those of its body. */
export type Input = Readonly<Record<string, unknown>>;

/** What came of a call: an object, a list, or nothing. */
export type Returned = Values | readonly Values[] | undefined;

/** A value of a list that can't be read; the object comes without it, or not at all where it is its `id`. */
export interface BadValue {
  readonly kind: string;
  /** The object's number; undefined where that can't be read. */
  readonly id: string | undefined;
  /** The element, with those above it: `variants/price`. */
  readonly field: string;
  /** What stood there, and what should. */
  readonly message: string;
}

/** How a list is read. */
export interface ListOptions {
  /** Takes each value that can't be read, so that the rest of the list is; it is an error when left out. */
  readonly onBadValue?: ((bad: BadValue, error: Error) => void) | undefined;
}

const queryKeys = {
  page: "page",
  perPage: "per_page",
  updatedSince: "updated_since",
  fromId: "from_id",
  deleted: "deleted",
} as const;

/**
 * Sends one operation.
 * @throws ShopError of the class that says what happened
 */
export const call = (
  transport: Transport,
  definition: Definition,
  operation: Operation,
  input: Input,
): Promise<Returned> => sendCall(transport, { definition, operation }, input);

/** The object that an operation answers with; undefined where the answer has none. @throws as `call` */
export async function callObject(...asked: Parameters<typeof call>): Promise<Values | undefined> {
  const answered = await call(...asked);
  return answered === undefined ? undefined : valuesOf(answered);
}

/** The objects of a kind that its list shows. @throws as `call` */
export const callList = async (
  transport: Transport,
  definition: Definition,
  input: Input,
  options: ListOptions,
): Promise<readonly Values[]> => {
  const operation = operationOf(definition, "list");
  return listOf(await sendCall(transport, { definition, operation, ...options }, input));
};

async function sendCall(
  transport: Transport,
  { definition, operation, ...options }: Pick<ResponseContext, "definition" | "operation"> & ListOptions,
  input: Input,
): Promise<Returned> {
  const named = namesIn(operation.path);
  const path = fill(definition, operation, named, input) + query(operation, input);
  const given = operation.method === "GET" ? input : await withElements(asked(transport), definition, input);
  const body = requestBody(definition, operation, named, given);
  const about = { kind: definition.kind, ...(input.id !== undefined && { objectId: String(input.id) }) };
  const request = { method: operation.method, path, ...about, ...body };
  const answered = await transport.send(request, (answer) =>
    read({ ...options, definition, operation, about: { ...about, method: operation.method, path } }, answer),
  );
  return withTitles(asked(transport), definition, answered);
}

const asked = (transport: Transport): Askable => ({
  transport,
  read: (definition) => callList(transport, definition, {}, { onBadValue() {} }),
});

/** Titles of amounts that the shop doesn't have. */
export const titlesMissing = (transport: Transport, definition: Definition, values: Values) =>
  missingTitles(asked(transport), definition, values);

function fill(definition: Definition, operation: Operation, named: readonly string[], input: Input): string {
  return named.reduce((path, name) => {
    const value = input[name];
    if (value === undefined || value === "") {
      throw new InvalidCallError(`${operation.method} ${operation.path} needs ${name}`, {
        kind: definition.kind,
      });
    }
    return path.replace(`{${name}}`, encodeURIComponent(String(value)));
  }, operation.path);
}

function query(operation: Operation, input: Input): string {
  if (operation.answers !== "list") return "";
  const pairs = Object.entries(queryKeys).flatMap(([name, key]) => {
    const value = input[name];
    // "sent only when true" (interface.md, Products, query parameters).
    return value === undefined || value === false ? [] : [`${key}=${encodeURIComponent(String(value))}`];
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function requestBody(definition: Definition, operation: Operation, named: readonly string[], input: Input) {
  if (operation.method === "GET" || operation.method === "DELETE") return {};
  const json = operation.path.endsWith(".json");
  const contentType = json ? ("application/json" as const) : ("application/xml" as const);
  if (operation.takes === "nothing") return { contentType };
  const fields = typeof operation.takes === "string" ? definition.fields : operation.takes;
  // A name in the path is still sent where it is the very thing that changes.
  const printable = encoded(definition, fields, input, named);
  return {
    contentType,
    body: json ? printJson(definition.sent, printable) : print(definition.sent, printable),
  };
}

function encoded(definition: Definition, fields: Fields, input: Input, named: readonly string[]) {
  try {
    return encode(fields, input, named);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new InvalidCallError(error.message, { kind: definition.kind, cause: error });
  }
}

/** What an answer is read as. */
interface ResponseContext extends ListOptions {
  readonly definition: Definition;
  readonly operation: Operation;
  readonly about: {
    readonly kind: string;
    readonly objectId?: string;
    readonly method: Operation["method"];
    readonly path: string;
  };
}

function read(asked: ResponseContext, answer: Answer): Returned {
  const { operation } = asked;
  // Deletes and the edit of a coupon answer without a body (platform-facts.md, section 3).
  if (answer.body.trim() === "") {
    if (operation.answers === "list") return [];
    return undefined;
  }
  const json = /json/i.test(answer.contentType);
  if (operation.method === "DELETE" && json) return undefined;
  if (!json && !/xml/i.test(answer.contentType)) {
    // A page says nothing of what was sent: a login, a maintenance.
    if (operation.answers === "nothing" && !/html/i.test(answer.contentType)) return undefined;
    throw unreadable(
      `its content type is ${answer.contentType || "missing"}, not XML or JSON: check that shop:url is the shop's own address`,
    );
  }
  return json ? readJson(asked, answer) : readXml(asked, answer);
}

function unreadable(why: string): Error {
  return new DocumentError(why);
}

function readJson(asked: ResponseContext, answer: Answer): Returned {
  const { definition, operation } = asked;
  const wire = parseJson(answer.body, definition.one);
  if (operation.answers === "list") {
    if (!/^\s*\[/.test(answer.body)) throw unreadable("it is not a JSON array");
    return readObjects(asked, childrenOf(wire, definition.one));
  }
  const [only, ...others] = childNames(wire);
  const wrapped = only === definition.one && others.length === 0 ? childrenOf(wire, only)[0] : undefined;
  return readOne(asked, wrapped ?? wire);
}

function readXml(asked: ResponseContext, answer: Answer): Returned {
  const { definition, operation } = asked;
  const { root, value } = parse(answer.body);
  // A refusal has been seen under a status of success (platform-facts.md, section 3).
  if (root === "errors")
    throw new RefusedError({ ...asked.about, status: answer.status, messages: xmlMessages(value) });
  const roots = [
    ...new Set([definition.one, definition.sent.replaceAll("_", "-"), ...(definition.alsoOne ?? [])]),
  ];
  if (operation.answers === "list") return readList(asked, roots, root, value);
  if (operation.answers === "nothing" && !roots.includes(root)) return undefined;
  if (!roots.includes(root)) throw unreadable(`its root element is <${root}>, not <${definition.one}>`);
  return readOne(asked, value);
}

function readList(asked: ResponseContext, roots: readonly string[], root: string, value: Wire): Returned {
  const { definition } = asked;
  // An empty list and one of mixed classes have roots of their own (platform-facts.md, section 2).
  if (root !== definition.many && root !== "nil-classes" && root !== "objects") {
    throw unreadable(`its root element is <${root}>, not <${definition.many}>`);
  }
  const objects = roots.flatMap((name) => childrenOf(value, name));
  return readObjects(asked, objects);
}

function readObjects(asked: ResponseContext, objects: readonly Wire[]): readonly Values[] {
  const { definition, about, onBadValue } = asked;
  return objects.flatMap((wire) => {
    const objectId = numberOf(wire);
    const take: OnBadValue = (error) => {
      const wrong = wrongValue(asked, error, objectId);
      if (onBadValue === undefined) throw wrong;
      onBadValue({ kind: about.kind, id: objectId, field: error.field, message: error.message }, wrong);
    };
    const { values } = decode(definition, wire, take);
    // Without its number an object can't be spoken of.
    return objectId === undefined && childrenOf(wire, "id").length > 0 ? [] : [values];
  });
}

function numberOf(wire: Wire): string | undefined {
  const number = identifierOf(wire, () => {});
  return number === undefined ? undefined : String(number);
}

function readOne(asked: ResponseContext, wire: Wire): Values {
  const { definition, operation, about } = asked;
  const { values } = decode(definition, wire, (error) => {
    throw wrongValue(asked, error, about.objectId);
  });
  // A cache or a proxy that mixes answers up must not put one object's values into another's state. Some kinds'
  // answers carry no number (interface.md, Recurring application charge).
  const { id } = values;
  const isOther = id !== undefined && String(id) !== about.objectId;
  if (operation.path.includes("{id}") && isOther && isWhole(about.objectId))
    throw unreadable(`it is about ${definition.kind} ${id}, not ${about.objectId}`);
  return values;
}

const isWhole = (text: string | undefined) => /^[1-9]\d*$/.test(text ?? "");

// Of a read nothing else would come; a write has happened, so that its object is looked for.
function wrongValue({ about }: ResponseContext, error: ValueError, objectId: string | undefined): Error {
  if (about.method !== "GET") return error;
  return new UnreadableValueError(error.field, error.message, { ...about, objectId, cause: error });
}
