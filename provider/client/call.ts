/**
 * Sends one operation of a definition as one request, and decodes the response. It works for any kind, and neither waits nor
 * retries.
 */

import { type Definition, type Fields, namesIn, type Operation, operationOf } from "../definition/define.ts";
import {
  ArgumentError,
  decode,
  encode,
  identifierOf,
  isUnnumbered,
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
import {
  type TitleSource as Askable,
  namesNow as namesOfTitles,
  titleProblems as problemsOfTitles,
  withElements,
  withTitles,
} from "./titled-amounts.ts";
import type { Answer, Transport } from "./transport.ts";

/** The values for an operation's path, query and body. */
export type Input = Readonly<Record<string, unknown>>;

/** The result of an operation. */
export type Returned = Values | readonly Values[] | undefined;

/** A value in a list that can't be read. Its object is returned without it; if it is the `id`, the object is left out. */
export interface BadValue {
  readonly kind: string;
  /** The object's id; undefined if it can't be read. */
  readonly id: string | undefined;
  /** The element's path: `variants/price`. */
  readonly field: string;
  /** The text, and the expected type. */
  readonly message: string;
}

export interface ListOptions {
  /** Receives unreadable values, so that the rest of the list is returned. Without it, they are an error. */
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
 * @throws ShopError (a subclass for each cause)
 */
export const call = (
  transport: Transport,
  definition: Definition,
  operation: Operation,
  input: Input,
): Promise<Returned> => sendCall(transport, { definition, operation }, input);

/** The object in the response; undefined if there is none. @throws as `call` */
export async function callObject(...asked: Parameters<typeof call>): Promise<Values | undefined> {
  const answered = await call(...asked);
  return answered === undefined ? undefined : valuesOf(answered);
}

/** The objects of a list. @throws as `call` */
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

/** The titles of amounts that don't name one element of the shop yet. */
export const titleProblems = (transport: Transport, definition: Definition, values: Values) =>
  problemsOfTitles(asked(transport), definition, values);

/** What titles of amounts name in the shop. */
export const namesNow = (transport: Transport, definition: Definition, values: Values) =>
  namesOfTitles(asked(transport), definition, values);

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
  // A value in the path is also sent in the body if the operation changes it.
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
  if (answer.body.trim() === "") {
    // A read answers an element or an array, even if a list has no objects (interface.md, Endpoints and Conventions 7).
    if (operation.method === "GET") throw unreadable("it is empty");
    // Deletes and the edit of a coupon have an empty response (platform-facts.md, section 3).
    return undefined;
  }
  const json = /json/i.test(answer.contentType);
  if (operation.method === "DELETE" && json) return undefined;
  if (!json && !/xml/i.test(answer.contentType)) {
    // An HTML page is a login or a maintenance page, not a confirmation.
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
  // A rejection may have a success status (platform-facts.md, section 3).
  if (root === "errors")
    throw new RefusedError({ ...asked.about, status: answer.status, messages: xmlMessages(value) });
  const roots = [
    ...new Set([definition.one, definition.sent.replaceAll("_", "-"), ...(definition.alsoOne ?? [])]),
  ];
  if (operation.answers === "list") return readList(asked, roots, root, value);
  if (operation.answers === "nothing" && root !== "html" && !roots.includes(root)) return undefined;
  if (!roots.includes(root)) throw unreadable(`its root element is <${root}>, not <${definition.one}>`);
  return readOne(asked, value);
}

function readList(asked: ResponseContext, roots: readonly string[], root: string, value: Wire): Returned {
  const { definition } = asked;
  // Empty lists and lists of mixed classes have other roots (platform-facts.md, section 2).
  if (root !== definition.many && root !== "nil-classes" && root !== "objects") {
    throw unreadable(`its root element is <${root}>, not <${definition.many}>`);
  }
  const objects = roots.flatMap((name) => childrenOf(value, name));
  return readObjects(asked, objects);
}

function readObjects(asked: ResponseContext, objects: readonly Wire[]): readonly Values[] {
  const { definition, about, onBadValue } = asked;
  if (objects.some(isUnnumbered)) throw unreadable("an object in it has an empty id");
  return objects.flatMap((wire) => {
    const objectId = numberOf(wire);
    const take: OnBadValue = (error) => {
      const wrong = wrongValue(asked, error, objectId);
      if (onBadValue === undefined) throw wrong;
      onBadValue({ kind: about.kind, id: objectId, field: error.field, message: error.message }, wrong);
    };
    const { values } = decode(definition, wire, take);
    // An object without an id can't be used.
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
  // A cache or a proxy may mix up responses or break them: such values must not get into the state.
  const { id } = values;
  const isNamed = operation.path.includes("{id}");
  // A shop without a monthly charge answers without values.
  if (id === undefined && (isNamed || operation.method === "GET") && definition.singleton === undefined)
    throw unreadable("it has no id");
  if (isNamed && String(id) !== about.objectId && /^[1-9]\d*$/.test(about.objectId ?? ""))
    throw unreadable(`it is about ${definition.kind} ${id}, not ${about.objectId}`);
  return values;
}

// A read can only be repeated with the same result. A write has happened, so its object is searched for.
function wrongValue({ about }: ResponseContext, error: ValueError, objectId: string | undefined): Error {
  if (about.method !== "GET") return error;
  return new UnreadableValueError(error.field, error.message, { ...about, objectId, cause: error });
}
