/**
 * The shop's documents: reads requests and writes answers as Rails does (platform-facts.md, section 2). The XML parser
 * is @rgrove/parse-xml, deliberately another one than our client's.
 */
import { parseXml, XmlDocumentType, XmlElement } from "@rgrove/parse-xml";

/** A request's value, like Rails' Hash.from_xml: names underscored, all values texts. */
export type Param = string | null | readonly Param[] | Params;
export interface Params {
  readonly [name: string]: Param;
}

/** A body that can't be parsed in its format: status 400. */
export class MalformedBody extends Error {}

const deepest = 60;
// Not attested. Chosen: more than any client sends, small enough to be parsed at once.
const mostElements = 200_000;

/**
 * Reads an XML body: the root's name, underscored, and its value. Takes linear time.
 * @throws MalformedBody
 */
export function readXml(body: string): { readonly root: string; readonly value: Param } {
  const { children, root } = documentOf(body);
  if (root === null) throw new MalformedBody("it has no root element");
  // The parser doesn't expand it, but no client of the interface sends one.
  if (children.some((node) => node instanceof XmlDocumentType))
    throw new MalformedBody("a document type is not accepted");
  return { root: underscored(root.name), value: paramOf(root, { elements: 0 }, 1) };
}

function documentOf(body: string) {
  try {
    return parseXml(body, { preserveDocumentType: true });
  } catch (error) {
    // Not only the parser's own errors: deep nesting overflows the stack.
    throw new MalformedBody((error as Error).message);
  }
}

function paramOf(element: XmlElement, read: { elements: number }, depth: number): Param {
  read.elements += 1;
  if (read.elements > mostElements) throw new MalformedBody(`it has more than ${mostElements} elements`);
  if (depth > deepest) throw new MalformedBody("it nests too deep");
  const { attributes } = element;
  const children = element.children
    .filter((node) => node instanceof XmlElement)
    .map((node): [string, Param] => [underscored(node.name), paramOf(node, read, depth + 1)]);
  if (attributes.nil === "true") return null;
  if (attributes.type === "array") return children.map(([, value]) => value);
  if (children.length === 0) return element.text;
  // Repeated elements are a list; a single one is a value, even if it was meant as a list.
  const byName = new Map<string, Param[]>();
  for (const [name, value] of children) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  const hash: Record<string, Param> = Object.create(null);
  for (const [name, values] of byName) hash[name] = values.length === 1 ? (values[0] as Param) : values;
  return hash;
}

export function readJson(body: string): Param {
  try {
    return toParam(JSON.parse(body), 0);
  } catch (error) {
    if (error instanceof MalformedBody) throw error;
    throw new MalformedBody("it is not JSON");
  }
}

function toParam(value: unknown, depth: number): Param {
  if (depth > deepest) throw new MalformedBody("it nests too deep");
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((entry) => toParam(entry, depth + 1));
  if (typeof value !== "object") return String(value);
  const hash: Record<string, Param> = Object.create(null);
  for (const [name, entry] of Object.entries(value)) hash[name] = toParam(entry, depth + 1);
  return hash;
}

// Characters that XML 1.0 can't contain (section 2.2), not even as references.
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Whether a text has characters that XML can't contain: control characters, unpaired surrogates. */
export const isUnwritable = (text: string): boolean => unwritable.test(text);

const underscored = (name: string) => name.replaceAll("-", "_");
export const hyphenated = (name: string) => name.replaceAll("_", "-");

/** Types as Rails writes them; time formats A and B are those of interface.md, Conventions 4. */
export type Type =
  | "string"
  | "integer"
  | "boolean"
  | "decimal"
  | "float"
  | "date"
  | "timeA"
  | "timeB"
  | "plain_underscore"
  | Nested
  | List;
/** An object inside an object. */
export interface Nested {
  readonly nested: Shape;
}
/** A list: the element name of an item, and its fields or its type. */
export interface List {
  readonly item: string;
  readonly of: Shape | "integer" | "decimal";
}
/** Fields, in the order in which they are written. */
export type Shape = Readonly<Record<string, Type>>;
export type Row = Readonly<Record<string, unknown>>;

const attributeOf = {
  integer: "integer",
  boolean: "boolean",
  decimal: "decimal",
  float: "float",
  date: "date",
  timeA: "dateTime",
  timeB: "timestamp",
} as const;

const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** One object as XML. `offset` is the shop's time zone, `+03:00`. */
export function writeXml(root: string, shape: Shape, row: Row, offset: string): string {
  return `${prolog}<${root}>${fieldsXml(shape, row, offset)}</${root}>\n`;
}

/** An empty list as Rails writes it, regardless of its kind. */
export const emptyXmlList = `${prolog}<nil-classes type="array"/>\n`;

export function writeXmlList(
  root: string,
  item: string,
  shape: Shape,
  rows: readonly Row[],
  offset: string,
): string {
  return `${prolog}<${root} type="array">${rows.map((row) => `<${item}>${fieldsXml(shape, row, offset)}</${item}>`).join("")}</${root}>\n`;
}

export function writeXmlErrors(messages: readonly string[]): string {
  return `${prolog}<errors>${messages.map((text) => `<error>${escaped(text)}</error>`).join("")}</errors>\n`;
}

function fieldsXml(shape: Shape, row: Row, offset: string): string {
  return Object.entries(shape)
    .filter(([name]) => row[name] !== undefined)
    .map(([name, type]) =>
      fieldXml(type === "plain_underscore" ? name : hyphenated(name), type, row[name], offset),
    )
    .join("");
}

function fieldXml(element: string, type: Type, value: unknown, offset: string): string {
  if (typeof type === "object" && "item" in type)
    return listXml(element, type, (value ?? []) as readonly unknown[], offset);
  if (typeof type === "object")
    return `<${element}>${fieldsXml(type.nested, value as Row, offset)}</${element}>`;
  const attribute = type === "string" || type === "plain_underscore" ? "" : ` type="${attributeOf[type]}"`;
  if (value === null) return `<${element}${attribute} nil="true"/>`;
  return `<${element}${attribute}>${escaped(scalar(type, value, offset))}</${element}>`;
}

function listXml(element: string, list: List, values: readonly unknown[], offset: string): string {
  if (values.length === 0) return `<${element} type="array"/>`;
  const { of } = list;
  const items = values.map((value) =>
    typeof of === "string"
      ? `<${list.item} type="${of}">${value}</${list.item}>`
      : `<${list.item}>${fieldsXml(of, value as Row, offset)}</${list.item}>`,
  );
  return `<${element} type="array">${items.join("")}</${element}>`;
}

/** One object as JSON; decimals are texts there, too (platform-facts.md, section 2). */
export function jsonOf(shape: Shape, row: Row, offset: string): Record<string, unknown> {
  const entries = Object.entries(shape).filter(([name]) => row[name] !== undefined);
  return Object.fromEntries(entries.map(([name, type]) => [name, jsonValue(type, row[name], offset)]));
}

function jsonValue(type: Type, value: unknown, offset: string): unknown {
  if (typeof type === "object" && "item" in type) {
    const { of } = type;
    return typeof of === "string"
      ? (value ?? [])
      : ((value ?? []) as readonly Row[]).map((row) => jsonOf(of, row, offset));
  }
  if (typeof type === "object") return jsonOf(type.nested, value as Row, offset);
  if (value === null || type === "integer" || type === "boolean" || type === "float") return value;
  // Rails writes times in JSON with milliseconds, regardless of their format in XML (platform-facts.md, section 4).
  if (type === "timeA" || type === "timeB") return stamp(value as number, offset, 23);
  return scalar(type, value, offset);
}

function scalar(type: Type, value: unknown, offset: string): string {
  if (type === "timeA") return stamp(value as number, offset);
  if (type === "timeB")
    return stamp(value as number, offset)
      .replace("T", " ")
      .replace(/([+-]\d\d):(\d\d)$/, " $1$2");
  return String(value);
}

/** Milliseconds as a time of format A. @param length 19 for seconds, 23 for milliseconds */
function stamp(atMs: number, offset: string, length = 19): string {
  const [hours, minutes] = offset.slice(1).split(":").map(Number) as [number, number];
  const shift = (hours * 60 + minutes) * (offset.startsWith("-") ? -1 : 1);
  return `${new Date(atMs + shift * 60_000).toISOString().slice(0, length)}${offset}`;
}

// Rails' builder writes a carriage return as a reference, because a raw one would be read as a line feed, and replaces
// characters that XML can't contain (a fixture may have them).
function escaped(text: string): string {
  const held = isUnwritable(text) ? text.replace(new RegExp(unwritable, "gu"), "\ufffd") : text;
  return held
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
