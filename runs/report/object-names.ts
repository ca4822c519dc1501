/** What a shop manager calls what a step is about: its title, or the key that staff know it by. */
import { kindOf, type Step } from "../../engine/index.ts";
import { type Definition, fieldOf } from "../../provider/definition/define.ts";
import {
  isSheet,
  markIn,
  markOf,
  nameOf,
  sheetCalled,
  unknownValue,
} from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";

/** An object of a plan, as both sides call it. */
export interface ObjectName {
  readonly kind: string;
  /** The resource's name in the program, which options like --allow take. */
  readonly name: string;
  /** What it is called in the shop; the program's name where it has no name there. */
  readonly title: string;
  /** Its page in the back office, if it has one that others can open too. */
  readonly office?: string | undefined;
}

const mostNames = 5;

/** `Mug, Jug and 3 more`. */
export function namesText(named: readonly ObjectName[]): string {
  const titles = [...new Set(named.map(({ title }) => title))];
  const more =
    titles.length > mostNames ? ` and ${(titles.length - mostNames).toLocaleString("en-US")} more` : "";
  return `${titles.slice(0, mostNames).join(", ")}${more}`;
}

/** The definition of what a step is about; undefined for a component. */
export const stepDefinition = ({ type }: Pick<Step, "type">): Definition | undefined =>
  definitionOfType(type);

/** How a step's object is called. */
export function objectName(step: Step): ObjectName {
  const { type, name, inputs, olds } = step;
  const definition = stepDefinition(step);
  const title = titleIn(definition, { ...olds, ...inputs }) ?? name;
  return { kind: kindOf(type), name, title, office: officeOf(definition, step) };
}

/** The page of what the shop has, at the address that its state names; a shop on this machine has none for others. */
function officeOf(definition: Definition | undefined, { id, olds }: Step): string | undefined {
  const mark = markIn(olds);
  if (definition?.backOfficePath === undefined || mark === undefined || !/^\d+$/.test(id ?? ""))
    return undefined;
  const { url } = markOf(mark);
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
  return found === undefined ? undefined : found.trim();
}

const isShown = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value !== "[secret]" && value !== unknownValue;

/** A name of the program's in words: `priceKind` is `price kind`. */
export const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : " "}${letter.toLowerCase()}`);

/** `1 request`, `1,200 requests`. */
export const plural = (count: number, called: string): string =>
  `${count.toLocaleString("en-US")} ${called}${count === 1 ? "" : "s"}`;

/** What so many of a kind are called: `2 theme files`. */
export const kindCount = (kind: string, count: number): string =>
  plural(count, isSheet(kind) ? sheetCalled : (definitionOf(kind)?.displayName ?? inWords(kind)));

/** How many there are to sell: `33 pc`. */
export const stockText = (stock: number): string => `${stock.toLocaleString("en-US")} pc`;
