/**
 * Converts documents to values and back, as a definition describes them. An unset value is left out, an unknown element is
 * reported, and a text of the wrong type is an error.
 */
import { type Definition, type Field, type Fields, isRead, isSent } from "../definition/define.ts";
import { canonicalDecimal, integerWire, withFraction } from "../definition/scalars.ts";
import {
  childNames,
  childrenOf,
  DocumentError,
  type Printable,
  type PrintableFields,
  textOf,
  type Wire,
} from "./xml.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface Decoded {
  readonly values: Values;
  readonly unknown: readonly string[];
}

/** A text that isn't of its field's type; the rest of the document is readable. */
export class ValueError extends DocumentError {
  /** The element's path: `variants/price`. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(`element ${field}: ${message}`);
    this.field = field;
  }
}

/** Receives a value that can't be read, which is then left out. Throwing ends the decoding. */
export type OnBadValue = (error: ValueError) => void;

/** A value isn't of its field's type; nothing was sent. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** A field's name in a document. */
export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const readName = (name: string, field: Field) => field.read ?? hyphenated(name);
const sentName = (name: string, field: Field) => field.sent ?? readName(name, field);

interface Reading {
  readonly unknown: string[];
  readonly onBadValue: OnBadValue;
}

const throwIt: OnBadValue = (error) => {
  throw error;
};

/**
 * Decodes one object.
 * @param onBadValue receives unreadable values; without it, they are thrown
 * @throws DocumentError if an element occurs twice; ValueError if a text isn't of its field's type
 */
export function decode(definition: Definition, wire: Wire, onBadValue: OnBadValue = throwIt): Decoded {
  const reading: Reading = { unknown: [], onBadValue };
  const values = decodeFields(definition.fields, wire, "", reading);
  const id = identifierOf(wire, onBadValue);
  const own = id === undefined ? {} : { id };
  return { values: { ...own, ...(definition.derive?.(values) ?? values) }, unknown: reading.unknown };
}

/**
 * An object's id; undefined if it has none.
 * @throws DocumentError if it has several; ValueError if it isn't an integer
 */
export function identifierOf(wire: Wire, onBadValue: OnBadValue = throwIt): number | undefined {
  const text = scalarText(wire, "id", "id");
  if (text === undefined || text === "") return undefined;
  const result = integerWire.decode(text);
  if ("value" in result) return result.value;
  onBadValue(new ValueError("id", result.wrong));
  return undefined;
}

/** Whether the id of an object or item is empty. Then nothing else in the answer can be relied on. */
export const isUnnumbered = (wire: Wire): boolean =>
  childrenOf(wire, "id").some((child) => (textOf(child) ?? "") === "");

function decodeFields(fields: Fields, wire: Wire, path: string, reading: Reading): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const known = new Set(["id"]);
  for (const [name, field] of Object.entries(fields)) {
    const element = readName(name, field);
    known.add(element);
    if (!isRead(field)) continue;
    const { namedBy, each } = field;
    if (namedBy !== undefined && each !== undefined) {
      const names = childNames(wire).filter((child) => namedBy.read.test(child));
      for (const child of names) known.add(child);
      const amounts = names.flatMap((child): [string, unknown][] => {
        const amount = decodeField(each, wire, { element: child, path: `${path}${child}` }, reading);
        return amount === undefined ? [] : [[child, amount]];
      });
      if (amounts.length > 0) values[name] = Object.fromEntries(amounts);
      continue;
    }
    const value = decodeField(field, wire, { element, path: `${path}${element}` }, reading);
    if (value !== undefined) values[name] = value;
  }
  for (const name of childNames(wire)) if (!known.has(name)) reading.unknown.push(`${path}${name}`);
  return values;
}

interface Place {
  readonly element: string;
  readonly path: string;
}

function decodeField(field: Field, wire: Wire, { element, path }: Place, reading: Reading): unknown {
  if (field.type === "nested") {
    const child = childrenOf(wire, element)[0];
    return child === undefined
      ? undefined
      : decodeFields(field.items?.fields ?? {}, child, `${path}/`, reading);
  }
  if (field.items !== undefined) {
    const parent = childrenOf(wire, element)[0];
    return parent === undefined ? undefined : decodeItems(field, parent, path, reading);
  }
  const text = scalarText(wire, element, path);
  // An unset value is an empty text (interface.md, Conventions 3); only text fields can be empty and set.
  if (text === undefined || (text === "" && field.type !== "text")) return undefined;
  return decodeText(field, text, path, reading);
}

function decodeItems(field: Field, parent: Wire, path: string, reading: Reading): readonly unknown[] {
  const { items } = field;
  if (items === undefined) return [];
  const children = childrenOf(parent, items.element);
  const { fields } = items;
  if (fields !== undefined)
    return children.map((child) => {
      if (fields.id !== undefined && isUnnumbered(child))
        throw new DocumentError(`an element of ${path} has an empty id`);
      return decodeFields(fields, child, `${path}/`, reading);
    });
  return children.flatMap((child) => {
    const holder = items.scalar === undefined ? child : (childrenOf(child, items.scalar)[0] ?? "");
    const value = decodeText(field, textOf(holder) ?? "", path, reading);
    return value === undefined ? [] : [value];
  });
}

function decodeText(field: Field, text: string, path: string, { onBadValue }: Reading): unknown {
  const result = field.codec.decode(text);
  if ("value" in result) return result.value;
  onBadValue(new ValueError(path, result.wrong));
  return undefined;
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
 * Encodes values for a request, under the interface's names. Computed fields are never sent. @param without arguments that
 * are in the path
 */
export function encode(fields: Fields, values: Values, without: readonly string[] = []): PrintableFields {
  const printable: Record<string, Printable> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined || without.includes(name) || !isSent(field)) continue;
    if (field.each === undefined) printable[sentName(name, field)] = encodeField(field, value, name);
    // The amounts' keys are already the shop's names (client/titled-amounts.ts).
    else
      for (const [own, amount] of Object.entries(Object(value)))
        printable[own] = encodeScalar(field.each, amount, `${name}.${own}`);
  }
  return printable;
}

function encodeField(field: Field, value: unknown, name: string): Printable {
  const { items } = field;
  if (items?.fields !== undefined) {
    const { fields } = items;
    return {
      item: items.sentElement ?? items.element,
      items: (Array.isArray(value) ? value : []).map((entry) => encodeItem(fields, entry)),
    };
  }
  return encodeScalar(field, value, name);
}

// The id of an item tells the shop which one is meant.
function encodeItem(fields: Fields, entry: Values): PrintableFields {
  const own = fields.id !== undefined && entry.id !== undefined ? { id: String(entry.id) } : {};
  return { ...own, ...encode(fields, entry) };
}

function encodeScalar(field: Field, value: unknown, name: string): Printable {
  if (value === "" && field.type !== "text") return null;
  // A decimal as text may have more digits than a number can hold.
  const text = field.type === "decimal" && typeof value === "string" ? canonicalDecimal(value) : undefined;
  if (text !== undefined) return withFraction(text);
  const result = field.codec.encode(value);
  if ("value" in result) return result.value;
  throw new ArgumentError(`${name} can't be ${JSON.stringify(value)}: ${result.wrong}`);
}
