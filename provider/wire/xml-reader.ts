/**
 * Reads XML into structure, once from left to right: the time is proportional to the text whatever stands in it, and
 * what grows - elements, depth - is bounded. A general reader searches again and again in texts that are made for it.
 */
import type { Document, Wire } from "./document.ts";

/** Deeper than any document of the interface; beyond it a document is an attack. */
export const deepest = 50;
/** A page of 250 products with fifty variants each has fewer; a value takes many times the memory of its text. */
export const mostElements = 500_000;
/** The interface's tags have type and nil. */
const mostAttributes = 100;

interface Element {
  /** As it stands, for its closing tag. */
  readonly raw: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  children: Record<string, Wire[]> | undefined;
  text: string;
}

interface Cursor {
  readonly text: string;
  readonly open: Element[];
  at: number;
  elements: number;
  root: Element | undefined;
  /** Throws: what is wrong with the whole. */
  readonly refuse: (why: string) => never;
  /** Throws: what is wrong here. */
  readonly malformed: (why: string) => never;
}

const start =
  "A-Za-z_:\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\uD7FF";
const name = new RegExp(`[${start}][${start}\\u00B7\\u0300-\\u036F\\u203F\\u2040\\d.-]*`, "y");
const blanks = /[ \t\n]*/y;
const equals = /[ \t\n]*=[ \t\n]*/y;

/**
 * Reads a document.
 * @param refuse throws; it is told what is wrong
 */
export function readXml(body: string, refuse: (why: string) => never): Document {
  // Line ends are line feeds (XML 1.0, 2.11).
  const text = (body.startsWith("\uFEFF") ? body.slice(1) : body).replace(/\r\n?/g, "\n");
  const cursor: Cursor = {
    text,
    open: [],
    at: 0,
    elements: 0,
    root: undefined,
    refuse,
    malformed: (why) => refuse(`it is not well-formed XML: ${why} at position ${cursor.at}`),
  };
  while (cursor.at < text.length) {
    const next = text.indexOf("<", cursor.at);
    if (next !== cursor.at) addText(cursor, text.slice(cursor.at, next < 0 ? undefined : next));
    cursor.at = next < 0 ? text.length : next;
    if (next >= 0) readMarkup(cursor);
  }
  const unclosed = cursor.open.at(-1);
  if (unclosed !== undefined) return cursor.malformed(`<${unclosed.raw}> is not closed`);
  if (cursor.root === undefined) return refuse("it has no root element");
  return { root: spelled(cursor.root.raw), value: wireOf(cursor.root) };
}

function readMarkup(cursor: Cursor): void {
  const { text, at } = cursor;
  if (text.startsWith("</", at)) readClosingTag(cursor);
  else if (text.startsWith("<?", at)) upTo(cursor, "?>", 2);
  else if (text.startsWith("<!--", at)) upTo(cursor, "-->", 4);
  else if (text.startsWith("<![CDATA[", at)) {
    const element = cursor.open.at(-1) ?? cursor.malformed("CDATA outside the root element");
    element.text += upTo(cursor, "]]>", 9);
  } else if (text.startsWith("<!", at))
    cursor.refuse("it declares a document type or an entity, which the interface never does");
  else readOpeningTag(cursor);
}

/** Goes behind an end. @returns what stands before it, from so many characters on */
function upTo(cursor: Cursor, end: string, from: number): string {
  const found = cursor.text.indexOf(end, cursor.at + from);
  if (found < 0) return cursor.malformed(`what begins here has no ${end}`);
  const between = cursor.text.slice(cursor.at + from, found);
  cursor.at = found + end.length;
  return between;
}

/** What the pattern finds just here; goes behind it. */
function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  cursor.at += found?.length ?? 0;
  return found;
}

function readOpeningTag(cursor: Cursor): void {
  cursor.at += 1;
  const raw = take(cursor, name) ?? cursor.malformed("a < that begins no tag");
  const attributes = readAttributes(cursor);
  const isEmpty = cursor.text.startsWith("/>", cursor.at);
  if (!isEmpty && cursor.text[cursor.at] !== ">") cursor.malformed(`the tag <${raw}> doesn't end`);
  cursor.at += isEmpty ? 2 : 1;
  cursor.elements += 1;
  if (cursor.elements > mostElements) cursor.refuse(`it has more than ${mostElements} elements`);
  if (cursor.open.length === deepest) cursor.refuse(`it nests deeper than ${deepest}`);
  const element: Element = { raw, attributes, children: undefined, text: "" };
  if (isEmpty) place(cursor, element);
  else cursor.open.push(element);
}

type Attributes = Element["attributes"];
const none: Attributes = [];

function readAttributes(cursor: Cursor): Attributes {
  const { text } = cursor;
  if (text[cursor.at] === ">" || text[cursor.at] === "/") return none;
  const attributes = new Map<string, string>();
  for (;;) {
    const isApart = take(cursor, blanks) !== "";
    const attribute = take(cursor, name);
    if (attribute === undefined) return [...attributes];
    if (!isApart) cursor.malformed(`no blank before the attribute ${attribute}`);
    if (attributes.has(`@${attribute}`)) cursor.malformed(`the attribute ${attribute} twice`);
    if (take(cursor, equals) === undefined) cursor.malformed(`the attribute ${attribute} has no value`);
    const quote = text[cursor.at] ?? "";
    if (quote !== '"' && quote !== "'") cursor.malformed(`the attribute ${attribute} has no quotes`);
    const value = upTo(cursor, quote, 1);
    if (value.includes("<")) cursor.malformed(`a < in the attribute ${attribute}`);
    attributes.set(`@${attribute}`, resolved(cursor, value));
    if (attributes.size > mostAttributes)
      cursor.refuse(`it has a tag with more than ${mostAttributes} attributes`);
  }
}

function readClosingTag(cursor: Cursor): void {
  cursor.at += 2;
  const raw = take(cursor, name);
  take(cursor, blanks);
  const element = cursor.open.pop();
  if (element === undefined || element.raw !== raw || cursor.text[cursor.at] !== ">")
    cursor.malformed(`a closing tag that is not </${element?.raw ?? ""}>`);
  cursor.at += 1;
  place(cursor, element);
}

function place(cursor: Cursor, element: Element): void {
  const parent = cursor.open.at(-1);
  if (parent === undefined) {
    if (cursor.root !== undefined) cursor.refuse("it has more than one root element");
    cursor.root = element;
    return;
  }
  parent.children ??= {};
  const key = spelled(element.raw);
  // An element may be called constructor; none is called __proto__, for it is spelled with hyphens.
  if (Object.hasOwn(parent.children, key)) parent.children[key]?.push(wireOf(element));
  else parent.children[key] = [wireOf(element)];
}

// interface.md mixes hyphens and underscores (asset_url): inside there is one spelling.
const spelled = (raw: string) => raw.replaceAll("_", "-");

function wireOf({ attributes, children, text }: Element): Wire {
  if (children === undefined && attributes.length === 0) return text;
  const value: Record<string, string | Wire[]> = children ?? {};
  for (const [key, content] of attributes) value[key] = content;
  if (text !== "") value["#text"] = text;
  return value;
}

function addText(cursor: Cursor, text: string): void {
  const element = cursor.open.at(-1);
  if (element !== undefined) element.text += resolved(cursor, text);
  else if (text.trim() !== "") cursor.malformed("text outside the root element");
}

// An ampersand that begins none of the references that XML has without a document type.
const stray = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/;
const numeric = /&#(?:x([\dA-Fa-f]+)|(\d+));/g;

function resolved(cursor: Cursor, text: string): string {
  if (!text.includes("&")) return text;
  const bad = stray.exec(text);
  if (bad !== null)
    return cursor.malformed(
      `a reference to nothing, ${text.slice(bad.index, bad.index + 12)}, in what begins`,
    );
  return pieces(text)
    .map((piece) => replaced(cursor, piece))
    .join("");
}

// A replacement keeps all that it found: in pieces that is little at a time.
const longestPiece = 65_536;

/** The text in pieces, none of which ends within a reference. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  while (text.length - from > longestPiece) {
    const last = text.lastIndexOf("&", from + longestPiece);
    const end = last > from ? last : from + longestPiece;
    found.push(text.slice(from, end));
    from = end;
  }
  return [...found, text.slice(from)];
}

// The ampersand last: what it gives begins no reference.
const named = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
] as const;

// Split and joined: a million replacements by pattern take five times as long and four times the memory.
function replaced(cursor: Cursor, text: string): string {
  return named.reduce(
    (rest, [entity, character]) => rest.split(entity).join(character),
    characters(cursor, text),
  );
}

function characters(cursor: Cursor, text: string): string {
  if (!text.includes("&#")) return text;
  return text.replace(numeric, (whole: string, hex: string | undefined, decimal: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    // It is replaced with the other ampersands: what follows it begins no reference.
    if (code === 0x26) return "&amp;";
    if (isCharacter(code)) return String.fromCodePoint(code);
    return cursor.refuse(`it refers to a character that XML can't carry: ${whole}`);
  });
}

/** XML 1.0, 2.2. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code < 0x110000);
}
