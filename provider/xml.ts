/**
 * The one place that parses and prints documents. It knows structure only: names, texts, attributes, order of
 * equals. What a text means is the codec's affair.
 */
import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";

/** A text, or an element with children; every child is a list, so that one and many look the same. */
export type Wire = string | WireElement;

/** Children by hyphenated name; `@type` and `@nil` are attributes, `#text` is the text beside children. */
export interface WireElement {
  readonly [name: string]: string | readonly Wire[];
}

/** A document: its root element's name and the root itself. */
export interface Document {
  readonly root: string;
  readonly value: Wire;
}

/** What is printed: a scalar, `null` for a value that is taken away, nested fields, or a list of equals. */
export type Printable = string | null | Fields | Items;
export interface Fields {
  readonly [name: string]: Printable;
}
export interface Items {
  readonly item: string;
  readonly items: readonly Printable[];
}

/** A document that can't be read: what is wrong with it, in words for the error that names the request. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

/** Deeper than any document of the interface; beyond it a document is an attack. */
const deepest = 50;

// Every option on purpose: structure only, nothing guessed, nothing trimmed, nothing lost.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  attributesGroupName: false,
  textNodeName: "#text",
  cdataPropName: false,
  commentPropName: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  alwaysCreateTextNode: false,
  preserveOrder: false,
  removeNSPrefix: false,
  allowBooleanAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: deepest,
  // A list of one is a list (platform-facts.md, section 2: attribute-less readers get an object there).
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  // Numeric references need the larger table; the sizes are bounded by the transport, not here.
  htmlEntities: true,
  processEntities: { enabled: true, maxExpandedLength: Number.MAX_SAFE_INTEGER },
  // interface.md mixes hyphens and underscores (asset_url): inside there is one spelling.
  transformTagName: (name) => name.replaceAll("_", "-"),
});

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: "#text",
  format: false,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  suppressUnpairedNode: false,
  processEntities: false,
});

// A declaration (DOCTYPE, ENTITY): `<!` that opens neither a comment nor a CDATA section.
const declaration = /<!(?!--|\[CDATA\[)/;
const opaque = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g;
// References to characters that XML 1.0 can't carry; the parser would drop them in silence.
const forbiddenReference = /&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[0-9a-f]));/i;
const forbiddenCharacter = new RegExp(
  "[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]" +
    "|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]",
);

/**
 * Where a text holds a character that XML 1.0 can't carry.
 * @returns the character's position from 0, or undefined when the text is fine
 */
export function forbiddenAt(text: string): number | undefined {
  const found = forbiddenCharacter.exec(text);
  return found === null ? undefined : found.index;
}

/**
 * Reads an XML document.
 * @throws DocumentError where it is not one, declares a document type, or nests deeper than 50
 */
export function parse(body: string): Document {
  // A template in CDATA may well say <!DOCTYPE html>, so only what stands outside counts.
  if (declaration.test(body) && declaration.test(body.replace(opaque, ""))) {
    throw new DocumentError("it declares a document type or an entity, which the interface never does");
  }
  const verdict = XMLValidator.validate(body.slice(body.startsWith("\uFEFF") ? 1 : 0), {
    allowBooleanAttributes: false,
  });
  if (verdict !== true) {
    throw new DocumentError(
      `it is not well-formed XML: line ${verdict.err.line}, column ${verdict.err.col}: ${verdict.err.msg}`,
    );
  }
  const raw = forbiddenAt(body);
  if (raw !== undefined)
    throw new DocumentError(`it holds a character that XML can't carry, at position ${raw}`);
  const bad = forbiddenReference.exec(body);
  if (bad !== null) throw new DocumentError(`it refers to a character that XML can't carry: ${bad[0]}`);
  let parsed: Record<string, unknown>;
  try {
    parsed = parser.parse(body) as Record<string, unknown>;
  } catch (cause) {
    throw new DocumentError(`it can't be parsed: ${(cause as Error).message}`, { cause });
  }
  const [root, ...more] = Object.keys(parsed).filter((name) => !name.startsWith("#"));
  const values = root === undefined ? [] : (parsed[root] as readonly Wire[]);
  const value = values[0];
  if (root === undefined || value === undefined) throw new DocumentError("it has no root element");
  if (more.length > 0 || values.length > 1) throw new DocumentError("it has more than one root element");
  return { root, value };
}

/** Reads a JSON document into the same structure; numbers and booleans become their texts, null becomes nil. */
export function parseJson(body: string, item: string): Wire {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw new DocumentError(`it is not JSON: ${(cause as Error).message}`, { cause });
  }
  return fromJson(parsed, item, 0);
}

function fromJson(value: unknown, item: string, depth: number): Wire {
  if (depth > deepest) throw new DocumentError("it nests too deep");
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

/** Prints one root element with its fields as an XML document. */
export function print(root: string, fields: Fields): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ [root]: printable(fields) })}`;
}

/** Prints the same fields as JSON, where names are underscored (platform-facts.md, section 2). */
export function printJson(root: string, fields: Fields): string {
  return JSON.stringify({ [underscored(root)]: json(fields) });
}

function printable(value: Printable): unknown {
  if (value === null) return { "@nil": "true" };
  if (typeof value === "string") return escaped(value);
  if (isItems(value)) return { "@type": "array", [value.item]: value.items.map(printable) };
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, printable(entry)]));
}

function json(value: Printable): unknown {
  if (value === null || typeof value === "string") return value;
  if (isItems(value)) return value.items.map(json);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [underscored(name), json(entry)]));
}

function isItems(value: Fields | Items): value is Items {
  return Array.isArray((value as Items).items);
}

const underscored = (name: string) => name.replaceAll("-", "_");

// A raw carriage return would come back as a line feed (XML 1.0, 2.11), so it travels as a reference.
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** The text of a value: undefined where the element says nil. */
export function textOf(value: Wire): string | undefined {
  if (typeof value === "string") return value;
  if (value["@nil"] === "true") return undefined;
  const text = value["#text"];
  return typeof text === "string" ? text : "";
}

/** The children of one name; none where the value is a text or lacks them. */
export function childrenOf(value: Wire, name: string): readonly Wire[] {
  const children = typeof value === "string" ? undefined : value[name];
  return Array.isArray(children) ? children : [];
}

/** The names of all children. */
export function childNames(value: Wire): readonly string[] {
  return typeof value === "string" ? [] : Object.keys(value).filter((name) => Array.isArray(value[name]));
}
