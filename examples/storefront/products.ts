import { parse } from "csv-parse/sync";
import { type Problems, quote } from "./problems.ts";

/** One row of the table: a variant. The first row of a product also has the values that its variants share. */
interface Row extends Readonly<Record<Column, string>> {
  readonly line: number;
}

export interface CatalogueProduct {
  readonly line: number;
  readonly permalink: string;
  readonly title: string;
  readonly collection: string;
  readonly summary: string;
  readonly variants: readonly CatalogueVariant[];
}

export interface CatalogueVariant {
  readonly sku: string;
  readonly price: string;
  readonly oldPrice: string;
  readonly quantity?: number;
  readonly weight?: string;
  readonly barcode?: string;
  readonly options?: readonly { readonly title: string; readonly value: string }[];
}

const word = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const line = /^(?=.*\S)[^\r\n]{1,200}$/;
const amount = /^\d{1,7}(\.\d{1,2})?$/;

/** Valid contents of a cell that isn't empty. */
const columns = {
  permalink: [word, "lower-case words with hyphens, such as tea-caddy"],
  title: [line, "a name on one line, at most 200 characters"],
  collection: [word, "a collection's permalink, such as tableware"],
  summary: [line, "a sentence on one line, at most 200 characters"],
  sku: [/^[A-Z0-9]+(-[A-Z0-9]+)*$/, "an article number such as CAD-150-1"],
  option: [line, "what the variants differ in, such as Size"],
  value: [line, "which variant this is, such as Large"],
  price: [amount, "an amount such as 24.50"],
  old_price: [amount, "an amount such as 28.00, or nothing"],
  quantity: [/^\d{1,6}$/, "an integer, or nothing when they aren't counted"],
  weight: [/^\d{1,4}(\.\d{1,3})?$/, "kilograms such as 0.380, or nothing"],
  barcode: [/^\d{13}$/, "the 13 digits of an EAN, or nothing"],
} as const satisfies Record<string, readonly [RegExp, string]>;

type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];
const ofVariants: readonly Column[] = ["permalink", "sku", "price"];
const ofProducts: readonly Column[] = ["title", "collection", "summary"];

/** The place of a mistake, and the expected value. */
type Note = (line: number, text: string) => void;

/** Reads the table. If it has mistakes, all of them are reported and there are no products. */
export function readProducts(csv: string, file: string, problems: Problems): readonly CatalogueProduct[] {
  const found: { line: number; text: string }[] = [];
  const note: Note = (line, text) => found.push({ line, text: `${file}:${line}: ${text}` });
  const rows = rowsOf(csv, note);
  for (const row of rows) checkCells(row, note);
  checkSkus(rows, note);
  const products = productsOf(rows, note);
  for (const { text } of found.sort((a, b) => a.line - b.line)) problems.push(text);
  return found.length === 0 ? products : [];
}

function rowsOf(csv: string, note: Note): readonly Row[] {
  let records: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(csv, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as never;
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number };
    note(
      lines ?? 1,
      `${message}; a cell with a comma or a quote stands in quotes, a quote inside is doubled`,
    );
    return [];
  }
  const header = records.shift()?.record ?? [];
  if (header.join() !== names.join()) {
    note(1, `the first line is ${quote(header.join())}; write ${names.join()}`);
    return [];
  }
  if (records.length === 0) note(1, "there are no products below the first line");
  return records.flatMap(({ record, info }) => {
    if (record.length !== names.length) {
      note(
        info.lines,
        `it has ${record.length} cells; write ${names.length}, one for each of ${names.join()}`,
      );
      return [];
    }
    const cells = Object.fromEntries(names.map((name, index) => [name, record[index]]));
    return [{ ...(cells as Record<Column, string>), line: info.lines }];
  });
}

function checkCells(row: Row, note: Note): void {
  for (const name of names) {
    const [form, wanted] = columns[name];
    if (row[name] === "") {
      if (ofVariants.includes(name)) note(row.line, `${name} is empty; write ${wanted}`);
    } else if (!form.test(row[name])) note(row.line, `${name} is ${quote(row[name])}; write ${wanted}`);
  }
  if ((row.option === "") !== (row.value === ""))
    note(row.line, "only one of option and value is there; write both or neither");
  if (row.old_price !== "" && amount.test(row.old_price) && Number(row.old_price) <= Number(row.price))
    note(
      row.line,
      `old_price ${row.old_price} isn't above price ${row.price}; it is the price from which it fell`,
    );
}

function checkSkus(rows: readonly Row[], note: Note): void {
  const seen = new Map<string, number>();
  for (const { sku, line } of rows) {
    const before = seen.get(sku);
    if (before === undefined) seen.set(sku, line);
    else if (sku !== "") note(line, `sku ${quote(sku)} is in line ${before} too; give each variant its own`);
  }
}

function productsOf(rows: readonly Row[], note: Note): readonly CatalogueProduct[] {
  const groups: [Row, ...Row[]][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0].permalink === row.permalink) {
      last.push(row);
      continue;
    }
    const before = seen.get(row.permalink);
    if (before !== undefined)
      note(row.line, `${quote(row.permalink)} began in line ${before}; keep a product's rows together`);
    else seen.set(row.permalink, row.line);
    groups.push([row]);
  }
  return groups.map((group) => productOf(group, note));
}

function productOf(group: readonly [Row, ...Row[]], note: Note): CatalogueProduct {
  const [first, ...rest] = group;
  for (const name of ofProducts) {
    if (first[name] === "") note(first.line, `${name} is empty; write ${columns[name][1]}`);
    for (const row of rest)
      if (row[name] !== "")
        note(row.line, `${name} belongs in line ${first.line}, the product's first; leave it empty`);
  }
  if (rest.length > 0) checkOptions(group, note);
  return {
    line: first.line,
    permalink: first.permalink,
    title: first.title,
    collection: first.collection,
    summary: first.summary,
    variants: group.map(variantOf),
  };
}

function checkOptions(group: readonly [Row, ...Row[]], note: Note): void {
  const { option } = group[0];
  const seen = new Map<string, number>();
  for (const row of group) {
    if (row.option === "")
      note(row.line, "option is empty; a product with several variants says what they differ in");
    else if (row.option !== option)
      note(row.line, `option is ${quote(row.option)}, above it is ${quote(option)}; write the same`);
    const before = seen.get(row.value);
    if (before === undefined) seen.set(row.value, row.line);
    else if (row.value !== "")
      note(row.line, `value ${quote(row.value)} is in line ${before} too; write another`);
  }
}

function variantOf(row: Row): CatalogueVariant {
  return {
    sku: row.sku,
    price: row.price,
    // An empty cell removes the old price. If the argument were left out, the shop would keep it.
    oldPrice: row.old_price,
    ...(row.quantity !== "" && { quantity: Number(row.quantity) }),
    ...(row.weight !== "" && { weight: row.weight }),
    ...(row.barcode !== "" && { barcode: row.barcode }),
    ...(row.option !== "" && { options: [{ title: row.option, value: row.value }] }),
  };
}
