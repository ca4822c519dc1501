/** Finds the cells of tables that the program reads with `table(...)`. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { amountLike, amountOf, withLineFeeds } from "../../provider/inventory/index.ts";
import { cellText, sheetOf } from "../../provider/names/table.ts";
import { openEvaluator } from "../program/evaluator.ts";
import { openNames } from "../program/scopes.ts";
import {
  jsonSource,
  type Node,
  type Place,
  type Source,
  type Sources,
  textSource,
  within,
} from "../program/sources.ts";
import { plainOf, valuesIn } from "../program/traced-values.ts";
import { type Edit, inFormOf, removal, replacement } from "./edits.ts";

/** A row with its key and its cells. */
interface Row {
  readonly key: string;
  readonly columns: ReadonlyMap<string, { readonly value: unknown; readonly edit: (value: unknown) => Edit }>;
  /** Removes the row from its file. */
  readonly gone: Edit;
}

/** A value to find in a table. */
export interface SearchedCell {
  /** Values of the same item and object; one of them is the row's key. */
  readonly beside: readonly unknown[];
  readonly field: string;
  readonly value: unknown;
}

export type Tables = ReturnType<typeof openTables>;

/** Opens the program's tables. @param home the program's folder */
export function openTables(sources: Sources, home: string) {
  const rows = new Map<string, Row[]>();
  for (const row of tablesIn(sources, home)) rows.set(row.key, [...(rows.get(row.key) ?? []), row]);
  const named = (keys: readonly unknown[]) => {
    const plain = keys.filter((one) => typeof one === "string" || typeof one === "number").map(String);
    return [...new Set(plain)].flatMap((key) => rows.get(key) ?? []);
  };
  return {
    /** Edits for the cells that may hold a value; empty if there is none. A column with the field's name counts first. */
    find({ beside, field, value }: SearchedCell) {
      const cells = named(beside).flatMap((row) => cellOf(row, field, value) ?? []);
      const ofName = cells.filter(({ isNamed }) => isNamed);
      return (ofName.length > 0 ? ofName : cells).map(({ edit }) => edit);
    },
    /** Edits that remove the rows with these keys. */
    rows: (keys: readonly unknown[]) => named(keys).map(({ gone }) => gone),
  };
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** The column with the field's name, or else the only one with this value. */
function cellOf({ columns }: Row, field: string, value: unknown) {
  const alike = [...columns].filter(([, cell]) => isAlike(cell.value, value) || isAmount(cell.value, value));
  const [only, ...others] = alike;
  const named = alike.find(([name]) => plain(name) === plain(field));
  const found = named ?? (others.length === 0 ? only : undefined);
  return found && { edit: found[1].edit, isNamed: found === named };
}

/** Whether a cell has a number as people write it: `1 234,50`. The program makes a number of it. */
const isAmount = (cell: unknown, value: unknown) =>
  typeof cell === "string" && typeof value === "number" && amountOf(cell, ",") === value;

/** A cell's new text: an amount in the form of the one before it. */
function textLike(cell: string, value: unknown): string {
  const isPlain = cell.trim() === "" || Number.isFinite(Number(cell));
  return typeof value === "number" && !isPlain && typeof amountOf(cell, ",") === "number"
    ? amountLike(cell, value, ",")
    : String(inFormOf(cell, value));
}

/** Whether a value in a source may be the input. A text is another one with other digits: `7`, `007`, `7.0`. */
function isAlike(stated: unknown, asked: unknown): boolean {
  if (String(stated ?? "") === String(asked ?? "")) return true;
  return typeof asked === "number" && String(stated ?? "").trim() !== "" && Number(stated) === asked;
}

/** As `isAlike`; the ends of lines of two texts don't count. */
export const isSameValue = (stated: unknown, asked: unknown): boolean =>
  (typeof stated === "string" &&
    typeof asked === "string" &&
    withLineFeeds(stated) === withLineFeeds(asked)) ||
  isAlike(stated, asked);

function tablesIn(sources: Sources, home: string): readonly Row[] {
  const names = openNames(sources);
  const value = openEvaluator(sources, names, undefined);
  return sources.all.flatMap((source) =>
    [...within(source.root)].flatMap((node) => {
      if (node.type !== "CallExpression") return [];
      const called = names.packaged({ source, node: node.callee as Node });
      if (called?.module !== "pulumi-shop" || called.name !== "table") return [];
      const [path, options] = node.arguments.map((one) => value({ source, node: one as Node }, undefined));
      const [file, { key }] = [path && plainOf(path), valuesIn(options)];
      return typeof file === "string" && typeof key === "string" ? rowsOf(resolve(home, file), key) : [];
    }),
  );
}

function rowsOf(path: string, key: string): readonly Row[] {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".json") ? jsonRows(jsonSource(path, text), key) : csvRows(path, text, key);
}

function csvRows(path: string, text: string, key: string): readonly Row[] {
  const { columns, rows, separator } = sheetOf(text);
  const source = textSource(path, text, "cells");
  const lineOf = (cells: (typeof rows)[number]): Edit => {
    const [from, end] = [cells[0]?.from ?? 0, cells.at(-1)?.to ?? 0];
    const after = /^\r?\n/.exec(text.slice(end))?.[0] ?? "";
    // If the last line has no line end, the line before loses its own.
    const before = after === "" ? (/\r?\n$/.exec(text.slice(0, from))?.[0] ?? "") : "";
    return { source, from: from - before.length, to: end + after.length, text: "" };
  };
  return rows.map((cells) => ({
    gone: lineOf(cells),
    key: cells[columns.indexOf(key)]?.text ?? "",
    columns: new Map(
      columns.flatMap((name, index) => {
        const cell = cells[index];
        if (cell === undefined) return [];
        const edit = (value: unknown): Edit => ({
          source,
          from: cell.from,
          to: cell.to,
          text: cellText(textLike(cell.text, value), separator, text.slice(cell.from, cell.to)),
        });
        return [[name, { value: cell.text, edit }] as const];
      }),
    ),
  }));
}

function jsonRows(source: Source, key: string): readonly Row[] {
  const { root } = source;
  if (root.type !== "ArrayExpression") return [];
  return root.elements.flatMap((element) => {
    if (element?.type !== "ObjectExpression") return [];
    const columns = new Map(
      element.properties.flatMap((one) => {
        if (one.type !== "ObjectProperty" || one.key.type !== "StringLiteral") return [];
        const place: Place = { source, node: one.value as Node };
        const value = JSON.parse(source.text.slice(one.value.start ?? 0, one.value.end ?? 0)) as unknown;
        return [
          [
            one.key.value,
            { value, edit: (next: unknown) => replacement(place, inFormOf(value, next)) },
          ] as const,
        ];
      }),
    );
    const gone = removal({ source, node: element });
    return [{ key: String(columns.get(key)?.value ?? ""), columns, gone }];
  });
}
