/**
 * Meaning: documents to values and back, as a definition says. Decoding invents nothing and guesses nothing: an
 * unset value is absent, an unknown element is left out and counted, a text that is not of its type is an error.
 */
import type { Definition, Field, Fields, Items } from "./define.ts";
import { canonicalDecimal, integerWire, withFraction } from "./wire.ts";
import {
  childNames,
  childrenOf,
  DocumentError,
  type Printable,
  type Fields as PrintableFields,
  textOf,
  type Wire,
} from "./xml.ts";

export type Values = Readonly<Record<string, unknown>>;

/** What was read, and which elements no definition knows. */
export interface Decoded {
  readonly values: Values;
  readonly unknown: readonly string[];
}

/** A value that is not of its field's type; nothing was sent. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** The name of a field in a document: hyphens. */
export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const readName = (name: string, field: Field) => field.read ?? hyphenated(name);
const sentName = (name: string, field: Field) => field.sent ?? readName(name, field);
const isRead = (field: Field) =>
  field.mode !== "program" && field.mode !== "client" && field.mode !== "derived" && !field.unread;

/**
 * Reads one object.
 * @throws DocumentError naming the element whose text is not of its type, or that occurs twice
 */
export function decode(definition: Definition, wire: Wire): Decoded {
  const unknown: string[] = [];
  const values = decodeFields(definition.fields, wire, "", unknown);
  const id = scalarText(wire, "id", "id");
  const own = id === undefined || id === "" ? {} : { id: identifier(id) };
  return { values: { ...own, ...(definition.derive?.(values) ?? values) }, unknown };
}

function identifier(text: string): number {
  const result = integerWire.safeDecode(text);
  if (result.success) return result.data;
  throw new DocumentError(`element id: ${result.error.issues[0]?.message}`);
}

function decodeFields(fields: Fields, wire: Wire, path: string, unknown: string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const known = new Set(["id"]);
  for (const [name, field] of Object.entries(fields)) {
    const element = readName(name, field);
    known.add(element);
    if (!isRead(field)) continue;
    const value = decodeField(field, wire, element, `${path}${element}`, unknown);
    if (value !== undefined) values[name] = value;
  }
  for (const name of childNames(wire)) if (!known.has(name)) unknown.push(`${path}${name}`);
  return values;
}

function decodeField(field: Field, wire: Wire, element: string, path: string, unknown: string[]): unknown {
  if (field.type === "nested") {
    const child = childrenOf(wire, element)[0];
    return child === undefined
      ? undefined
      : decodeFields(field.items?.fields ?? {}, child, `${path}/`, unknown);
  }
  if (field.items !== undefined) {
    const parent = childrenOf(wire, element)[0];
    return parent === undefined ? undefined : decodeItems(field, field.items, parent, path, unknown);
  }
  const text = scalarText(wire, element, path);
  // An unset value is an empty text (interface.md, Conventions 3); only a text can be empty and set.
  if (text === undefined || (text === "" && field.type !== "text")) return undefined;
  return decodeText(field, text, path);
}

function decodeItems(
  field: Field,
  items: Items,
  parent: Wire,
  path: string,
  unknown: string[],
): readonly unknown[] {
  const children = childrenOf(parent, items.element);
  const { fields } = items;
  if (fields !== undefined) return children.map((child) => decodeFields(fields, child, `${path}/`, unknown));
  return children.map((child) => {
    const holder = items.scalar === undefined ? child : (childrenOf(child, items.scalar)[0] ?? "");
    return decodeText(field, textOf(holder) ?? "", path);
  });
}

function decodeText(field: Field, text: string, path: string): unknown {
  const result = field.codec.safeDecode(text);
  if (result.success) return result.data;
  throw new DocumentError(`element ${path}: ${result.error.issues[0]?.message ?? "is not of its type"}`);
}

function scalarText(wire: Wire, element: string, path: string): string | undefined {
  const children = childrenOf(wire, element);
  if (children.length > 1) throw new DocumentError(`element ${path} occurs ${children.length} times`);
  const child = children[0];
  if (child === undefined) return undefined;
  if (childNames(child).length > 0)
    throw new DocumentError(`element ${path} holds elements where a value belongs`);
  return textOf(child);
}

/**
 * Prepares values for a request: those that are given, under the names the interface shows. Computed fields are
 * never sent. `without` names arguments that travel in the path.
 */
export function encode(fields: Fields, values: Values, without: readonly string[] = []): PrintableFields {
  const printable: Record<string, Printable> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined || without.includes(name) || !isSent(field)) continue;
    printable[sentName(name, field)] = encodeField(field, value, name);
  }
  return printable;
}

function isSent(field: Field): boolean {
  return field.mode !== "computed" && field.mode !== "derived" && field.mode !== "program";
}

function encodeField(field: Field, value: unknown, name: string): Printable {
  const { items } = field;
  if (items?.fields !== undefined) {
    const { fields } = items;
    const entries = value as readonly Values[];
    return { item: items.sentElement, items: entries.map((entry) => encodeItem(fields, entry)) };
  }
  return encodeScalar(field, value, name);
}

// The number of an item says which one is meant, although the shop gave it.
function encodeItem(fields: Fields, entry: Values): PrintableFields {
  const own = fields.id !== undefined && entry.id !== undefined ? { id: String(entry.id) } : {};
  return { ...own, ...encode(fields, entry) };
}

function encodeScalar(field: Field, value: unknown, name: string): Printable {
  if (value === "" && field.type !== "text") return null;
  // A decimal may be stated as its text, so that more digits than a number holds get through.
  const text = field.type === "decimal" && typeof value === "string" ? canonicalDecimal(value) : undefined;
  if (text !== undefined) return withFraction(text);
  const result = field.codec.safeEncode(value);
  if (result.success) return result.data as string;
  throw new ArgumentError(`${name} can't be ${JSON.stringify(value)}: ${result.error.issues[0]?.message}`);
}
