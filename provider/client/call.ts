/**
 * One operation of a definition as one request: path, query and body out, the answer read back. Nothing here knows a
 * kind, and nothing here waits or repeats.
 */
import { ArgumentError, decode, encode, type Values } from "../codec.ts";
import type { Definition, Fields, Operation } from "../define.ts";
import {
  childNames,
  childrenOf,
  DocumentError,
  parse,
  parseJson,
  print,
  printJson,
  type Wire,
} from "../xml.ts";
import { InvalidCallError, RefusedError } from "./errors.ts";
import { xmlMessages } from "./messages.ts";
import type { Answer, Transport } from "./transport.ts";

/** What an operation is given: values of its path and query, and those of its body. */
export type Input = Readonly<Record<string, unknown>>;

/** What came of a call: an object, a list, or nothing. */
export type Outcome = Values | readonly Values[] | undefined;

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
export function call(
  transport: Transport,
  definition: Definition,
  operation: Operation,
  input: Input,
): Promise<Outcome> {
  const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const path = fill(definition, operation, named, input) + query(operation, input);
  const body = requestBody(definition, operation, named, input);
  const about = { kind: definition.kind, ...(input.id !== undefined && { id: String(input.id) }) };
  const request = { method: operation.method, path, ...about, ...body };
  return transport.send(request, (answer) =>
    read(definition, operation, answer, { ...about, method: operation.method, path }),
  );
}

function fill(definition: Definition, operation: Operation, named: readonly string[], input: Input): string {
  return named.reduce((path, name) => {
    const value = input[name];
    if (value === undefined || value === "") {
      throw new InvalidCallError(`${definition.kind}: ${operation.method} ${operation.path} needs ${name}`, {
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

interface About {
  readonly kind: string;
  readonly id?: string;
  readonly method: string;
  readonly path: string;
}

function read(definition: Definition, operation: Operation, answer: Answer, about: About): Outcome {
  // Deletes and the edit of a coupon answer without a body (platform-facts.md, section 3).
  if (answer.body.trim() === "") {
    if (operation.answers === "list") return [];
    return undefined;
  }
  const json = /json/i.test(answer.contentType);
  if (operation.method === "DELETE" && json) return undefined;
  if (!json && !/xml/i.test(answer.contentType)) {
    if (operation.answers === "nothing") return undefined;
    throw unreadable(`its content type is ${answer.contentType || "missing"}, not XML or JSON`);
  }
  return json ? readJson(definition, operation, answer) : readXml(definition, operation, answer, about);
}

function unreadable(why: string): Error {
  return new DocumentError(why);
}

function readJson(definition: Definition, operation: Operation, answer: Answer): Outcome {
  const wire = parseJson(answer.body, definition.one);
  if (operation.answers === "list")
    return childrenOf(wire, definition.one).map((child) => decode(definition, child).values);
  const [only, ...others] = childNames(wire);
  const wrapped = only === definition.one && others.length === 0 ? childrenOf(wire, only)[0] : undefined;
  return decode(definition, wrapped ?? wire).values;
}

function readXml(definition: Definition, operation: Operation, answer: Answer, about: About): Outcome {
  const { root, value } = parse(answer.body);
  // A refusal has been seen under a status of success (platform-facts.md, section 3).
  if (root === "errors")
    throw new RefusedError({ ...about, status: answer.status, messages: xmlMessages(value) });
  const roots = [
    ...new Set([definition.one, definition.sent.replaceAll("_", "-"), ...(definition.alsoOne ?? [])]),
  ];
  if (operation.answers === "list") return readList(definition, roots, root, value);
  if (operation.answers === "nothing" && !roots.includes(root)) return undefined;
  if (!roots.includes(root)) throw unreadable(`its root element is <${root}>, not <${definition.one}>`);
  return decode(definition, value).values;
}

function readList(definition: Definition, roots: readonly string[], root: string, value: Wire): Outcome {
  // An empty list and one of mixed classes have roots of their own (platform-facts.md, section 2).
  if (root !== definition.many && root !== "nil-classes" && root !== "objects") {
    throw unreadable(`its root element is <${root}>, not <${definition.many}>`);
  }
  return roots.flatMap((name) => childrenOf(value, name)).map((child) => decode(definition, child).values);
}
