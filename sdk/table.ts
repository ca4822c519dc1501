/** Rows of a file that a program makes resources of, in which `pulumi-shop accept` finds a value's place again. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFault } from "../engine/common/disk.ts";
import { sheetOf } from "../provider/names/table.ts";

/** The column that identifies the rows of a table. */
export interface TableOptions<Key extends string = string> {
  /** Its name, such as `sku`. No two rows may have the same value in it. */
  readonly key: Key;
}

/**
 * Reads the rows of a CSV or JSON file. Each row of a CSV file is an object by the names in the file's first line, and its
 * values are strings. A JSON file must contain a list of objects.
 * @example `for (const { sku, price } of table("prices.csv", { key: "sku" })) ...`
 * @param path relative to the program, like `file`. Write it as a string in the call, so that `accept` finds the file.
 * @throws Error if a row has no key, or the key of another row
 */
export function table<Row extends object = Readonly<Record<string, string>>>(
  path: string,
  options: TableOptions<NoInfer<Extract<keyof Row, string>>>,
): readonly Row[] {
  if (typeof path !== "string")
    throw new Error('write the path of a file: table("prices.csv", { key: "sku" })');
  const { key } = options ?? {};
  if (key === undefined)
    throw new Error(`${path}: write the column that names a row: table("${path}", { key: "sku" })`);
  const rows = (path.endsWith(".json") ? jsonRows(path) : csvRows(path, key)) as readonly Row[];
  const seen = new Map<unknown, number>();
  for (const [index, row] of rows.entries()) {
    const name = row[key];
    if (name === undefined || name === "")
      throw new Error(
        `${path}: row ${index + 1} has no ${key}, by which the program tells rows apart; it has ${Object.keys(row).join(", ")}`,
      );
    const first = seen.get(name);
    if (first !== undefined)
      throw new Error(
        `${path}: rows ${first} and ${index + 1} have the same ${key}, ${JSON.stringify(name)}`,
      );
    seen.set(name, index + 1);
  }
  return rows;
}

function csvRows(path: string, key: string): readonly object[] {
  const { columns, rows, separator } = parsed(path, "CSV", sheetOf);
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${path}: two columns are called ${JSON.stringify(twice)}`);
  if (!columns.includes(key))
    throw new Error(`${path}: the first line has no column ${key}, it has ${columns.join(", ") || "none"}`);
  return rows.map((cells, row) => {
    // A cell that is cut at a comma of its own would be a wrong price.
    if (cells.slice(columns.length).some(({ text }) => text !== ""))
      throw new Error(
        `${path}: row ${row + 1} has more cells than the first line has columns: ${cells.map(({ text }) => text).join(separator)}; write a cell that has a ${separator} between quotation marks`,
      );
    return Object.fromEntries(columns.map((name, index) => [name, cells[index]?.text ?? ""]));
  });
}

function jsonRows(path: string): readonly object[] {
  const rows: unknown = parsed(path, "JSON", JSON.parse);
  if (!Array.isArray(rows)) throw new Error(`${path} must be a list of objects`);
  return rows as readonly object[];
}

function parsed<Parsed>(path: string, form: string, parse: (text: string) => Parsed): Parsed {
  const text = textOf(path);
  try {
    return parse(text);
  } catch (cause) {
    throw new Error(`${path} is not ${form}: ${(cause as Error).message}`);
  }
}

function textOf(path: string): string {
  const bytes = bytesOf(path);
  if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8: save it as UTF-8, in Excel as "CSV UTF-8"`);
  return bytes.toString();
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`can't read ${path}: ${readFault(cause)}; write a path relative to the program's folder`);
  }
}
