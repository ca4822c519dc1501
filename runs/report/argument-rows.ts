/** Arguments for people who don't write programs: field names in words, values with their meaning. */

import { kindOf, type Step, unknownText, type Value } from "../../engine/index.ts";
import { type Path, pathIn } from "../../engine/pulumi/path.ts";
import type { Definition, Field, Fields } from "../../provider/definition/define.ts";
import {
  asLists,
  excerptsOf,
  isBodyPath,
  isFileFact,
  isLeafPath,
  isSheet,
  itemName,
  percentOf,
  type Values,
  withShownSpaces,
  withUnit,
} from "../../provider/inventory/index.ts";
import { fileChange, fileText, isText, textHunks } from "./change-lines.ts";
import { type ShownChange, shownChanges } from "./changes.ts";
import { numberText, percentText } from "./impact-lines.ts";
import { cut, labelText, mostLetters, unitsAt } from "./labels.ts";
import { inWords, stepDefinition, stockText } from "./object-names.ts";
import type { StepNotices } from "./step-notices.ts";

/** One property of an object: a line, or the changed lines of a text. */
export interface Row {
  /** `MUG-R price`; empty for the lines of an object's own text. */
  readonly label: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** `+10 %` for a changed price. */
  readonly note: string | undefined;
  readonly percent?: number;
  /** Whether it is the price that shoppers pay. */
  readonly isPaid?: boolean;
  /** Changed lines of a text, each with its sign. Such a row has no old value. */
  readonly hunks: readonly string[] | undefined;
}

/** The field at a path such as `variants[MUG-R].price`. */
function fieldAt(fields: Fields, path: Path): Field | undefined {
  const [name = "", , ...rest] = path;
  const field = fields[name];
  const inner = field?.items?.fields;
  return rest.length === 0 || inner === undefined ? field : fieldAt(inner, rest);
}

/** Several values of one field in words. Long values are shortened to the parts that differ. */
export function comparedWords(
  definition: Definition | undefined,
  path: string,
  values: readonly unknown[],
): readonly string[] {
  const field = definition === undefined ? undefined : fieldAt(definition.fields, pathIn(path));
  const isNone = (value: unknown) => value === undefined || value === null || value === "";
  // A missing boolean counts as false.
  const stated =
    field?.type === "boolean" && values.includes(true)
      ? values.map((value) => (isNone(value) ? false : value))
      : values;
  const plain = stated.map((value) => withoutTags(field, value));
  // If only the HTML tags differ, or one that does more than format its words, they are shown.
  const isPlain = new Set(plain).size === new Set(stated).size && new Set(stated.map(tellingTags)).size === 1;
  const words = (isPlain ? plain : stated).map((value) => valueWords(field, value));
  return withShownSpaces(excerptsOf(words, mostLetters));
}

/** Tags with attributes, such as the address of a link, and scripts and styles. */
const tellingTags = (value: unknown): string =>
  typeof value === "string"
    ? (value.match(/<(?:[a-z][\w-]*\s+[^\s/>][^<>]*|(?:script|style)\s*)>/gi) ?? []).join("")
    : "";

/** The words of a text, unless it is plain: shoppers then see the tags. */
function withoutTags(field: Field | undefined, value: unknown): unknown {
  const isPlain = field !== undefined && field.format !== "html";
  if (isPlain || typeof value !== "string" || !/<\/?[a-z][^<>]*>/i.test(value)) return value;
  const words = value
    .replaceAll(/<\/?[a-z][^<>]*>/gi, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === "" ? value : words;
}

/** The first line of an HTML text is often only a tag. */
const inOneLine = (value: unknown) =>
  typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : value;

function valueWords(field: Field | undefined, value: unknown): string {
  if (value === undefined || value === null || value === "") return "nothing";
  if (value === unknownText) return "known after up";
  if (value === "[secret]") return "a secret";
  const meaning = field?.values?.[String(value)];
  if (meaning !== undefined) return meaning;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return isMoney(field) ? numberText(value) : String(value);
  if (isFileFact(value)) return fileText(value);
  if (typeof value === "string") {
    const lines = value.trim().split("\n");
    return lines.length === 1 ? value : `${lines[0]} … (${lines.length} lines)`;
  }
  if (Array.isArray(value)) return value.map((one) => valueWords(undefined, one)).join("; ");
  const { title, value: choice, ...rest } = value as Values;
  // An option is shown as `Colour: Red`.
  if (typeof title === "string" && choice !== undefined && Object.keys(rest).length === 0)
    return `${title}: ${valueWords(undefined, choice)}`;
  const own = Object.entries(value as Values).filter(
    ([name, inner]) => name !== field?.items?.key && inner !== "",
  );
  const entries = own.map(
    ([name, inner]) => `${inWords(name)} ${valueWords(field?.items?.fields?.[name], inner)}`,
  );
  return entries.join(", ");
}

const isMoney = (field: Field | undefined) =>
  field?.role === "price" ||
  field?.role === "cost" ||
  field?.role === "charge" ||
  field?.role === "monthly-charge";

const row = (label: string, value: string): Row => ({
  label,
  old: undefined,
  new: value,
  note: undefined,
  hunks: undefined,
});

/** `price 5`, `12 in stock`. */
const itemValue = (name: string, field: Field | undefined, value: unknown): string =>
  field?.role === "stock" && typeof value === "number"
    ? stockText(value)
    : `${labelText(name)} ${valueWords(field, value)}`;

/** The values of an object that is created or deleted, in the order of its definition. */
export function valueRows(step: Step, isShown: (field: Field) => boolean = () => true): readonly Row[] {
  const definition = stepDefinition(step);
  const values: Values = step.op === "delete" ? step.olds : step.inputs;
  if (definition === undefined) return [];
  const listed = asLists(definition, values);
  return Object.entries(definition.fields).flatMap(([name, field]): readonly Row[] => {
    const value = listed[name];
    if (value === undefined || value === "" || field.role === "title") return [];
    const { items } = field;
    if (items?.fields !== undefined && Array.isArray(value)) {
      const inner = items.fields;
      return (value as readonly Values[]).flatMap((item, index) => {
        const shown = Object.entries(item ?? {}).filter(
          ([own]) => own !== items.key && inner[own] !== undefined && isShown(inner[own]),
        );
        const text = shown.map(([own, one]) => itemValue(own, inner[own], one)).join(", ");
        return text === "" ? [] : [row(cut(itemName(items, item, index)), cut(text))];
      });
    }
    // `15 %` has the unit.
    if (!isShown(field) || (field.role === "unit" && value === field.percent)) return [];
    // The text of a new object is shown as a whole.
    if (isText(value as Value) && isBodyPath(name))
      return [
        {
          ...row("", ""),
          new: undefined,
          hunks: String(value)
            .trimEnd()
            .split("\n")
            .map((line) => `+${line}`),
        },
      ];
    const text = cut(valueWords(field, field.format === "html" ? inOneLine(value) : value));
    const signs = unitsAt(step, name);
    return [row(labelText(name), withUnit(value, text, step.op === "delete" ? signs.old : signs.new))];
  });
}

/** The changes of an object. @param notices with the hunks of its body */
export function changeRows(step: Step, notices: StepNotices): readonly Row[] {
  const text = notices.of(step);
  const rows = shownChanges(step, notices).map((change) => changeRow(step, change));
  if (text === undefined) return rows;
  const lines = text.split("\n");
  const hunks = isSheet(kindOf(step.type)) ? sheetLines(lines) : lines;
  return [...rows, { ...row("", ""), new: undefined, hunks }];
}

/** A longer list of prices would push everything else out of the comment. */
const mostSheetLines = 100;

/** The prices that a sheet changes, the largest change first. */
function sheetLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostSheetLines;
  return [
    ...lines.slice(0, mostSheetLines).map((line) => line.replace(" => ", " → ")),
    ...(more > 0 ? [`  … and ${more.toLocaleString("en-US")} more`] : []),
  ];
}

function changeRow(step: Step, change: ShownChange): Row {
  const { path, old, new: next, becomes, note } = change;
  const [definition, signs] = [stepDefinition(step), unitsAt(step, path)];
  const label = labelText(path);
  const text = textHunks(change);
  if (becomes !== undefined) return { ...row(label, becomes), hunks: text };
  // If an object is only a text, the text needs no label.
  if (text !== undefined)
    return { ...row(isBodyPath(path) ? "" : label, ""), new: undefined, note, hunks: text };
  const files = fileChange(old, next);
  if (files !== undefined) return { ...row(files.label, files.new), old: files.old };
  const field = definition === undefined ? undefined : fieldAt(definition.fields, pathIn(path));
  const percent =
    isMoney(field) && typeof old === "number" && typeof next === "number" ? percentOf(old, next) : Number.NaN;
  const [before, after] = comparedWords(definition, path, [old, next]) as [string, string];
  const isItem = pathIn(path).length === 2;
  if (isItem && old === undefined) return row(label, `new: ${after}`);
  // A refresh can't read the content of an upload: that the state has none doesn't mean that there was none.
  const isUnread = old === undefined && isBodyPath(path) && !isLeafPath(path);
  return {
    label,
    old: isUnread ? undefined : withUnit(old, before, signs.old),
    new: isItem && next === undefined ? "removed" : withUnit(next, after, signs.new),
    // A percentage needs both values.
    note: note ?? (Number.isFinite(percent) ? percentText(percent) : undefined),
    ...(Number.isFinite(percent) && { percent, isPaid: field?.role === "price" }),
    hunks: undefined,
  };
}
