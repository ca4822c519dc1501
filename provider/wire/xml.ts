/** Parses and prints documents: names, texts, attributes, order. The codec knows their meaning. */
import { SaxesParser } from "saxes";
import { forbiddenAt } from "../definition/scalars.ts";
import { messageOf } from "./text.ts";

/** A text, or an element with children. Each child is a list, so that one and many look alike. */
export type Wire = string | WireElement;

/** Children by hyphenated name; `@type` and `@nil` are attributes, `#text` is text beside children. */
export interface WireElement {
  readonly [name: string]: string | readonly Wire[];
}

export interface Document {
  readonly root: string;
  readonly value: Wire;
}

/** A document that can't be read, and why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

/** The interface's documents are less deep. */
const deepest = 50;
/** A page of 250 products with fifty variants each has fewer. */
const mostElements = 500_000;
/** The interface's tags have only type and nil. */
const mostAttributes = 100;

interface Element {
  readonly name: string;
  readonly value: Record<string, string | Wire[]>;
  text: string;
}

// The interface mixes hyphens and underscores (asset_url).
const spelled = (raw: string) => raw.replaceAll("_", "-");

/** @throws DocumentError if it is malformed, has a document type, or exceeds a limit */
function readXml(body: string): Document {
  const refuse = (why: string): never => {
    throw new DocumentError(why);
  };
  const parser = new SaxesParser();
  const open: Element[] = [];
  let elements = 0;
  let attributes = 0;
  let root: Document | undefined;
  parser.on("error", ({ message }) => refuse(`it is not well-formed XML: ${message.replace(/\.$/, "")}`));
  parser.on("doctype", () => refuse("it declares a document type, which the interface never does"));
  parser.on("opentagstart", () => {
    elements += 1;
    attributes = 0;
    if (elements > mostElements) refuse(`it has more than ${mostElements} elements`);
    if (open.length === deepest) refuse(`it nests deeper than ${deepest}`);
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > mostAttributes) refuse(`it has a tag with more than ${mostAttributes} attributes`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const value: Element["value"] = {};
    for (const [key, text] of Object.entries(attributes)) value[`@${key}`] = String(text);
    open.push({ name: spelled(name), value, text: "" });
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed === undefined) return;
    const { name, value, text } = closed;
    const parent = open.at(-1);
    const hasOnlyText = Object.keys(value).length === 0;
    if (!hasOnlyText && text !== "") value["#text"] = text;
    const wire = hasOnlyText ? text : value;
    if (parent === undefined) root = { root: name, value: wire };
    // An element may be called `constructor`. None is called `__proto__`, because underscores become hyphens.
    else {
      const there = Object.hasOwn(parent.value, name) ? parent.value[name] : undefined;
      if (Array.isArray(there)) there.push(wire);
      else parent.value[name] = [wire];
    }
  });
  parser.write(body).close();
  return root ?? refuse("it has no root element");
}

/** A value to print: a scalar, `null` to unset a value, nested fields, or a list. */
export type Printable = string | null | PrintableFields | PrintableItems;
export interface PrintableFields {
  readonly [name: string]: Printable;
}
export interface PrintableItems {
  readonly item: string;
  readonly items: readonly Printable[];
}

/** Larger than any document of the interface, in characters. */
const longest = 32 * 1024 * 1024;

const refuse = (why: string): never => {
  throw new DocumentError(why);
};

/**
 * Parses an XML document in linear time.
 * @throws DocumentError if it isn't XML, has a document type, is longer than 32 Mi characters, nests deeper than 50 or has
 * more than 500,000 elements
 */
export function parse(body: string): Document {
  if (body.length > longest) refuse(`it is longer than ${longest} characters`);
  const raw = forbiddenAt(body);
  if (raw !== undefined) refuse(`it holds a character that XML can't carry, at position ${raw}`);
  return readXml(body);
}

/**
 * Parses JSON into the same structure. Numbers and booleans become texts, null becomes nil.
 * @throws DocumentError if it isn't JSON, or exceeds the limits of `parse`
 */
export function parseJson(body: string, item: string): Wire {
  if (body.length > longest) refuse(`it is longer than ${longest} characters`);
  boundValues(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw new DocumentError(`it is not JSON: ${messageOf(cause)}`, { cause });
  }
  return fromJson(parsed, item, 0);
}

// Counts the values before they are created, since a value takes many times the memory of its text.
function boundValues(body: string): void {
  if (body.length <= mostElements) return;
  let values = 1;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code === 0x22) isText = !isText;
    else if (isText && code === 0x5c) at += 1;
    else if (!isText && (code === 0x2c || code === 0x5b || code === 0x7b)) values += 1;
  }
  if (values > mostElements) refuse(`it has more than ${mostElements} values`);
}

function fromJson(value: unknown, item: string, depth: number): Wire {
  if (depth > deepest) refuse(`it nests deeper than ${deepest}`);
  if (value === null || value === undefined) return { "@nil": "true" };
  if (Array.isArray(value)) return { [item]: value.map((entry) => fromJson(entry, item, depth + 1)) };
  if (typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name.replaceAll("_", "-"),
        [fromJson(entry, name, depth + 1)],
      ]),
    );
  }
  return String(value);
}

export function print(root: string, fields: PrintableFields): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element(root, fields)}`;
}

function element(name: string, value: Printable): string {
  if (value === null) return `<${name} nil="true"/>`;
  const isList = typeof value !== "string" && isItems(value);
  const tag = isList ? `${name} type="array"` : name;
  const content = typeof value === "string" ? escaped(value) : isList ? list(value) : children(value);
  return content === "" ? `<${tag}/>` : `<${tag}>${content}</${name}>`;
}

const list = ({ item, items }: PrintableItems) => items.map((one) => element(item, one)).join("");
const children = (fields: PrintableFields) =>
  Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join("");

/** Prints fields as JSON, with underscores in names (platform-facts.md, section 2). */
export function printJson(root: string, fields: PrintableFields): string {
  return JSON.stringify({ [underscored(root)]: json(fields) });
}

function json(value: Printable): unknown {
  if (value === null || typeof value === "string") return value;
  if (isItems(value)) return value.items.map(json);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [underscored(name), json(entry)]));
}

function isItems(value: PrintableFields | PrintableItems): value is PrintableItems {
  return "items" in value && Array.isArray(value.items);
}

const underscored = (name: string) => name.replaceAll("-", "_");

// A raw carriage return would be read as a line feed (XML 1.0, 2.11).
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

export function textOf(value: Wire): string | undefined {
  if (typeof value === "string") return value;
  if (value["@nil"] === "true") return undefined;
  const text = value["#text"];
  return typeof text === "string" ? text : "";
}

/** The children with a name; empty if there are none. */
export function childrenOf(value: Wire, name: string): readonly Wire[] {
  const children = typeof value === "string" ? undefined : value[name];
  return Array.isArray(children) ? children : [];
}

export function childNames(value: Wire): readonly string[] {
  return typeof value === "string" ? [] : Object.keys(value).filter((name) => Array.isArray(value[name]));
}
