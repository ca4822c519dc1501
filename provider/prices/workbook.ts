/** What the reader of workbooks doesn't tell: errors, formulas that nobody has calculated, per cent, zeros in front, and cells that are one. */
import { createRequire } from "node:module";
import { meantNumber } from "../names/number.ts";

interface Zip {
  readonly unzipSync: (bytes: Uint8Array) => Files;
  readonly zipSync: (files: Files, options: { readonly level: 0 }) => Uint8Array;
}
type Files = Record<string, Uint8Array>;

/** Cells that are one, counted from 0. */
export interface Merged {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

interface Readable {
  /** The workbook with what the reader would leave out as texts. */
  readonly bytes: Buffer;
  /** The merged cells of its sheet at this place. */
  readonly merged: (sheet: number) => readonly Merged[];
  /** Whether nobody sees the sheet at this place. */
  readonly isHidden: (sheet: number) => boolean;
}

export function readable(bytes: Buffer): Readable {
  const reader = createRequire(import.meta.url).resolve("read-excel-file/node");
  const { unzipSync, zipSync }: Zip = createRequire(reader)("fflate");
  let files: Files;
  try {
    files = unzipSync(bytes);
  } catch {
    // The reader says what is wrong with it.
    return { bytes, merged: () => [], isHidden: () => false };
  }
  const styles = shownOtherwise(textOf(files, "xl/styles.xml"));
  const changed = Object.keys(files).flatMap((name) => {
    const text = name.startsWith("xl/worksheets/") ? textOf(files, name) : "";
    const next = withAddresses(text)
      // A column that is formatted to its end has many, and the reader takes as long for each as for a price.
      .replaceAll(/<c\b[^>]*\/>/g, "")
      .replaceAll(/<c\b([^>]*[^/>])>(.*?)<\/c>/gs, (...cell) => textCell(cell, styles));
    return next === text ? [] : [[name, Buffer.from(next)] as const];
  });
  return {
    bytes:
      changed.length === 0
        ? bytes
        : Buffer.from(zipSync({ ...files, ...Object.fromEntries(changed) }, { level: 0 })),
    merged: (sheet) =>
      [
        ...textOf(files, sheetPath(files, sheet)).matchAll(
          /<mergeCell\b[^>]*\bref="([A-Z]+)(\d+):([A-Z]+)(\d+)"/g,
        ),
      ].map(([, left = "", top, right = "", bottom]) => ({
        top: Number(top) - 1,
        left: columnAt(left),
        bottom: Number(bottom) - 1,
        right: columnAt(right),
      })),
    isHidden: (sheet) => /\bstate="(?:very)?hidden"/i.test(sheetTags(files)[sheet] ?? ""),
  };
}

/** A file's XML as Excel writes it: other programs give each name the prefix of a namespace, or use single quotes. */
function textOf(files: Files, name: string): string {
  const text = Buffer.from(files[name] ?? []).toString();
  const [, prefix] = /<(\w+):(?:workbook|worksheet|styleSheet)\b/.exec(text) ?? [];
  const plain =
    prefix === undefined ? text : text.replaceAll(`<${prefix}:`, "<").replaceAll(`</${prefix}:`, "</");
  return plain.includes("='")
    ? plain.replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/='([^'"]*)'/g, '="$1"'))
    : plain;
}

/** Adds the addresses of cells that other programs leave out: such a cell follows the one before it. */
function withAddresses(text: string): string {
  if (!/<c\b(?![^>]*\sr=")/.test(text)) return text;
  let row = 0;
  return text.replaceAll(/<row\b([^>]*?)(?:\/>|>(.*?)<\/row>)/gs, (own, attributes: string, cells = "") => {
    row = Number(/\sr="(\d+)"/.exec(attributes)?.[1] ?? row + 1);
    let column = -1;
    const addressed = String(cells).replaceAll(/<c\b[^>]*/g, (cell) => {
      const name = /\sr="([A-Z]+)/.exec(cell)?.[1];
      column = name === undefined ? column + 1 : columnAt(name);
      return name === undefined ? cell.replace("<c", `<c r="${nameOfCell(row - 1, column)}"`) : cell;
    });
    return cells === "" ? own : `<row${attributes}>${addressed}</row>`;
  });
}

/** The workbook's list of its sheets. */
const sheetTags = (files: Files) => textOf(files, "xl/workbook.xml").match(/<sheet\b[^>]*>/g) ?? [];

/** Where the workbook has the sheet that stands at this place in its list. */
function sheetPath(files: Files, at: number): string {
  const [, id] = /\b\w+:id="([^"]*)"/.exec(sheetTags(files)[at] ?? "") ?? [];
  const relations = textOf(files, "xl/_rels/workbook.xml.rels").match(/<Relationship\b[^>]*>/g) ?? [];
  const target =
    /\bTarget="([^"]*)"/.exec(relations.find((one) => one.includes(`Id="${id}"`)) ?? "")?.[1] ?? "";
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

/** How a style shows a number; undefined where the number itself is meant. */
type Shows = (value: number) => string | undefined;

/** The styles, by their numbers, that show 0.3 as 30 %, or 12 as 00012. */
function shownOtherwise(styles: string): ReadonlyMap<string, Shows> {
  const formats = new Map(
    [...styles.matchAll(/<numFmt\b[^>]*>/g)].map(([own]) => [
      /\bnumFmtId="(\d+)"/.exec(own)?.[1],
      /\bformatCode="([^"]*)"/.exec(own)?.[1] ?? "",
    ]),
  );
  const showsOf = (id = ""): Shows | undefined => {
    const format = formats.get(id) ?? (id === "9" || id === "10" ? "%" : "");
    // A sign that is only written beside the number counts for nothing.
    const own = format.replaceAll(beside, "");
    if (own.includes("%")) return (value) => `${meantNumber(value * 100)}%`;
    if (!/^00+(?:;@)?$/.test(own)) return undefined;
    return (value) => (Number.isInteger(value) && value >= 0 ? padded(value, format) : undefined);
  };
  const used = /<cellXfs\b.*?<\/cellXfs>/s.exec(styles)?.[0].match(/<xf\b[^>]*>/g) ?? [];
  return new Map(
    used.flatMap((own, at) => {
      const shows = showsOf(/\bnumFmtId="(\d+)"/.exec(own)?.[1]);
      return shows === undefined ? [] : [[String(at), shows] as const];
    }),
  );
}

/** What a format writes beside a number: text in quotes, a sign behind a backslash, colours. */
const beside = /&quot;.*?&quot;|\\.|\[.*?\]/g;

/** 12 as `SKU-0012` in the format `"SKU-"0000`. */
function padded(value: number, format: string): string {
  const own = format.replace(/;@$/, "");
  let left = own.replaceAll(beside, "").length;
  const digits = [...String(value).padStart(left, "0")];
  return own.replaceAll(
    /&quot;(.*?)&quot;|\\(.)|\[.*?\]|0/g,
    (sign, text: string | undefined, single: string | undefined) => {
      if (sign !== "0") return text ?? single ?? "";
      left -= 1;
      // Digits that are too many stand before the first.
      return digits.splice(0, digits.length - left).join("");
    },
  );
}

function textCell(
  [cell = "", attributes = "", inner = ""]: readonly string[],
  styles: ReadonlyMap<string, Shows>,
): string {
  const type = /\bt="(\w+)"/.exec(attributes)?.[1];
  const own = `<c${attributes.replace(/\bt="\w+"/, "")} t="str">`;
  if (type === "e") return `${own}${inner}</c>`;
  const formula = /<f\b[^>]*?(?:\/>|>(.*?)<\/f>)/s.exec(inner);
  const isCalculated = /<v>[^<]/.test(inner) || (type === "str" && /<v\b/.test(inner));
  if (formula !== null && !isCalculated) return `${own}<v>=${formula[1] ?? ""}</v></c>`;
  const value = type === undefined || type === "n" ? /<v>([^<]+)<\/v>/.exec(inner)?.[1] : undefined;
  const shows = styles.get(/\bs="(\d+)"/.exec(attributes)?.[1] ?? "");
  const shown = value === undefined ? undefined : shows?.(Number(value));
  return shown === undefined ? cell : `${own}<v>${shown}</v></c>`;
}

/** `AB` of the 27th column. */
export const letters = (at: number): string =>
  `${at < 26 ? "" : letters(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`;

const columnAt = (name: string) =>
  [...name].reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** `B4`. */
export const nameOfCell = (row: number, column: number): string => `${letters(column)}${row + 1}`;
