/** Names of objects for shop managers: the title, or the key that staff know. */
import { kindOf, type Step } from "../../engine/index.ts";
import { type Definition, fieldOf } from "../../provider/definition/define.ts";
import {
  isSheet,
  nameOf,
  parseShopMark,
  sheetCalled,
  shopMarkIn,
  unknownValue,
} from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";

export interface ObjectName {
  readonly kind: string;
  /** The resource's name in the program, which options like --allow take. */
  readonly name: string;
  /** The object's name in the shop, or else the resource's name. */
  readonly title: string;
  /** The object's page in the back office; undefined for a shop on this machine. */
  readonly office?: string | undefined;
}

/** `Mug, Jug and 3 more`. */
export const namesText = (named: readonly ObjectName[]): string =>
  firstOf([...new Set(named.map(({ title }) => title))]);

/** The first texts of a list, and how many more there are. */
export function firstOf(texts: readonly string[], most = 5, separator = ","): string {
  const rest = texts.length - most;
  const end = separator === "," ? " and" : `${separator} and`;
  const more = rest > 0 ? `${end} ${rest.toLocaleString("en-US")} more` : "";
  return `${texts.slice(0, most).join(`${separator} `)}${more}`;
}

export const stepDefinition = ({ type }: Pick<Step, "type">): Definition | undefined =>
  definitionOfType(type);

export function objectName(step: Step): ObjectName {
  const { type, name, inputs, olds } = step;
  const definition = stepDefinition(step);
  const title = titleIn(definition, { ...olds, ...inputs }) ?? name;
  return { kind: kindOf(type), name, title, office: officeOf(definition, step) };
}

/** The address of the object's page, at the shop that its state names. */
function officeOf(definition: Definition | undefined, { id, olds }: Step): string | undefined {
  const mark = shopMarkIn(olds);
  if (definition?.backOfficePath === undefined || mark === undefined || !/^\d+$/.test(id ?? ""))
    return undefined;
  const { url } = parseShopMark(mark);
  return url.startsWith("https://")
    ? url + definition.backOfficePath.replace("{id}", id as string)
    : undefined;
}

function titleIn(
  definition: Definition | undefined,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  if (definition === undefined) return undefined;
  const [field = ""] = fieldOf(definition.fields, "title") ?? [];
  const found = [values[field], nameOf(definition, values)].find(isShown);
  return found === undefined ? undefined : shortened(found.trim().replaceAll(/\s+/g, " "));
}

// Enough to recognise an object by; nothing limits the names in a shop.
const longest = 200;
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

const isShown = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value !== "[secret]" && value !== unknownValue;

/** `priceKind` as `price kind`. */
export const inWords = (name: string): string =>
  name
    .replace(/^is(?=[A-Z])/, "")
    .replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : " "}${letter.toLowerCase()}`);

/** `1 request`, `1,200 requests`. */
export const plural = (count: number, called: string): string =>
  `${count.toLocaleString("en-US")} ${called}${count === 1 ? "" : "s"}`;

/** `2 theme files`. */
export const kindCount = (kind: string, count: number): string =>
  plural(count, isSheet(kind) ? sheetCalled : (definitionOf(kind)?.displayName ?? inWords(kind)));

/** `33 in stock`. */
export const stockText = (stock: number): string => `${stock.toLocaleString("en-US")} in stock`;
