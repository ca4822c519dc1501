// Price sheets: each cell is read as meant, or rejected with its place.
import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRowsOf, printSheetState, type RowState, textOfRows } from "../../provider/names/rows.ts";
import { sheetArgs, sheetOf, textOf } from "../../provider/prices/rows.ts";
import { readSheet, readText } from "../../provider/prices/sheet.ts";
import { withCells } from "../../provider/prices/write-cells.ts";

// The reader's own.
const { unzipSync, zipSync } = createRequire(createRequire(import.meta.url).resolve("read-excel-file/node"))(
  "fflate",
) as {
  unzipSync(bytes: Uint8Array): Readonly<Record<string, Uint8Array>>;
  zipSync(files: Readonly<Record<string, Uint8Array>>): Uint8Array;
};

const otherwise = "write a number such as 1234.50, or leave it empty to change nothing";

const office = "http://schemas.openxmlformats.org";
const main = `xmlns="${office}/spreadsheetml/2006/main"`;

/** A workbook with the headings sku and price and these cells for C-1 and C-2. */
function workbook(cells: string, second?: string, more = ""): Buffer {
  const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
  const relations = (...all: readonly string[]) =>
    `<Relationships xmlns="${office}/package/2006/relationships">${all.join("")}</Relationships>`;
  const files = {
    "_rels/.rels": relations(relation(1, "officeDocument", "xl/workbook.xml")),
    "xl/_rels/workbook.xml.rels": relations(
      relation(1, "worksheet", "worksheets/sheet1.xml"),
      relation(2, "styles", "styles.xml"),
    ),
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Spring" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/styles.xml": `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="0.00&quot;%&quot;"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet ${main}><sheetData><row r="1">${text("A1", "sku")}${text("B1", "price")}</row><row r="2">${text("A2", "C-1")}${cells}</row>${second === undefined ? "" : `<row r="3">${text("A3", "C-2")}${second}</row>`}</sheetData>${more}</worksheet>`,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, own]) => [name, Buffer.from(own)]))),
  );
}

/** A workbook as another program writes it. */
const written = (bytes: Buffer, by: (xml: string) => string) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(unzipSync(bytes)).map(([name, own]) => [
          name,
          name.startsWith("xl/") && !name.includes("_rels")
            ? Buffer.from(by(Buffer.from(own).toString()))
            : own,
        ]),
      ),
    ),
  );
/** A workbook with one more sheet, before the one with a price. */
function withSheet(attributes: string, kind: string, xml: string): Buffer {
  const files = unzipSync(workbook('<c r="B2"><v>12</v></c>'));
  const edited = (name: string, from: string, to: string) => ({
    [name]: Buffer.from(
      Buffer.from(files[name] ?? [])
        .toString()
        .replace(from, to),
    ),
  });
  return Buffer.from(
    zipSync({
      ...files,
      ...edited("xl/workbook.xml", "<sheets>", `<sheets><sheet name="Before" sheetId="2" ${attributes}/>`),
      ...edited(
        "xl/_rels/workbook.xml.rels",
        "</R",
        `<Relationship Id="rId3" Type="${office}/officeDocument/2006/relationships/${kind}" Target="before.xml"/></R`,
      ),
      "xl/before.xml": Buffer.from(xml),
    }),
  );
}
const prefixed = (xml: string) => xml.replaceAll(/(<\/?)(?=\w)/g, "$1x:").replace('xmlns="', 'xmlns:x="');
const percentAndFormula = workbook('<c r="B2" s="2"><v>0.3</v></c>', '<c r="B3"><f>1+1</f></c>');
const neither = [
  `row 2, column price: "30%" is not an amount; ${otherwise}`,
  `row 3, column price: "=1+1" is a formula without a calculated value: open the workbook and save it; ${otherwise}`,
];

/** The prices in a file by SKU, or the errors. */
async function pricesIn(bytes: Buffer | string): Promise<unknown> {
  const table = await readSheet(Buffer.from(bytes)).catch((error: Error) => error.message);
  if (typeof table === "string") return table;
  const { rows, mistakes } = sheetOf(table, sheetArgs({}));
  if (mistakes.length > 0) return mistakes.map(({ row, text }) => `row ${row}, ${text}`);
  return Object.fromEntries([...rows].map(([sku, values]) => [sku, values.get("price")]));
}

test.each<[what: string, file: Buffer | string, read: unknown]>([
  [
    "a decimal comma that separates cells",
    "sku,price\nC-1,12,50\nC-2,9\n",
    ['row 2, "50" is beyond the last column, price; put quotes around a cell that contains the separator'],
  ],
  ["separators at the end of rows", "sku,price,,\nC-1,12,,\nC-2,9\n", { "C-1": 12, "C-2": 9 }],
  ["a title above the headings", "Prices 2026;;\n\nsku;price;\nC-1;12,5;\n", { "C-1": 12.5 }],
  [
    "a column that has both signs before its decimals",
    "sku;price\nC-1;1,5\nC-2;2.5\nC-3;1.234\n",
    [`row 4, column price: "1.234" may be 1234 or 1.234: set decimal: "," or decimal: "."; ${otherwise}`],
  ],
  [
    "a text among decimal commas that is not an amount",
    "sku;price\nC-1;12,50\nC-2;1,2,3\nC-3;1.234\n",
    [
      'row 3, column price: "1,2,3" is not an amount; write a number such as 1234,50, or leave it empty to change nothing',
    ],
  ],
  [
    "a price that is taken away, which a shop refuses",
    "sku,price,old price\nC-1,-,-\nC-2,9,-\n",
    [`row 2, column price: "-" removes the price, and a variant must have one; ${otherwise}`],
  ],
  [
    "more digits than a number holds",
    "sku;price\nC-1;12345678901234567\n",
    [`row 2, column price: "12345678901234567" has more than 15 digits; ${otherwise}`],
  ],
  [
    "amounts of several countries",
    "sku;price\nA;12,- Kč\nB;CHF 1'234.–\nC;R$ 1.234,50\nD;1 234 Ft\nE;12:-\nF;1,23,456.50\nG;1.234,00 TL\n",
    { A: 12, B: 1234, C: 1234.5, D: 1234, E: 12, F: 123_456.5, G: 1234 },
  ],
  [
    "signs without width, and a minus that isn't a hyphen",
    "sku;price\nA;\u200e12,50\u200b €\u200f\nB;\u00ad9\nC;\u22125\n",
    [`row 4, column price: "\u22125" is below zero; ${otherwise.replace(".50", ",50")}`],
  ],
  [
    "more commas in its title than semicolons",
    "Prices, spring, 2026; all\nsku;price\nC-1;12,5\nC-2;\n",
    { "C-1": 12.5 },
  ],
  [
    "a mark that is never closed",
    'sku;price\nC-1;1\nC-2;"2\nC-3;3\n',
    "row 3: the quotation mark before 2 has no end",
  ],
  [
    "text behind a mark",
    'sku;price\nC-1;1\n"C-2" x;2\n',
    'row 3: the cell "C-2" continues after its closing quotation mark',
  ],
  [
    "the bytes of a workbook of LibreOffice",
    "PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    "it is a workbook of LibreOffice (.ods): save it as .xlsx or as CSV",
  ],
  ...(
    [
      [0xff, 0xfe, 0, 0],
      [0, 0, 0xfe, 0xff],
      [0x73, 0, 0, 0],
      [0x10, 0x04, 0, 0],
      [0, 0, 0x04, 0x10],
    ] as const
  ).map((first): [string, Buffer, string] => [
    `UTF-32 that begins with the bytes ${first.join(" ")}`,
    Buffer.from([...first, 0, 0, 0, 0]),
    "it is a text in UTF-32: save it as .xlsx or as CSV",
  ]),
  ...([0, 2, 4, 8] as const).map((version): [string, Buffer, string] => [
    `the records of an old Excel: ${version}`,
    Buffer.from([9, version, 6, 0, 0, 0, 0x10, 0]),
    "it is a worksheet of an Excel before 97 (BIFF): save it as .xlsx or as CSV",
  ]),
  ["UTF-16 without a mark", Buffer.from("sku;price\nC-1;1,5\n", "utf16le"), { "C-1": 1.5 }],
  ["nothing", "", ["row 0, it is empty; write a row of headings, and a row for each variant"]],
  [
    "a web page that is called .xls",
    "<html><table><tr><td>sku</td></tr></table></html>",
    "it is a web page or XML that a spreadsheet shows as a table: save it as .xlsx or as CSV",
  ],
  [
    "a formula's value, with its last digits",
    workbook('<c r="B2"><f>0.1+0.2</f><v>0.30000000000000004</v></c>'),
    { "C-1": 0.3 },
  ],
  [
    "a formula that nobody has calculated",
    workbook('<c r="B2"><f>B3*2</f><v></v></c>'),
    [
      `row 2, column price: "=B3*2" is a formula without a calculated value: open the workbook and save it; ${otherwise}`,
    ],
  ],
  ["a formula that comes to an empty text", workbook('<c r="B2" t="str"><f>""</f><v></v></c>'), {}],
  [
    "a formula's error",
    workbook('<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
    [`row 2, column price: "#DIV/0!" is not an amount; ${otherwise}`],
  ],
  [
    "a date for a price",
    workbook('<c r="B2" s="1"><v>46000</v></c>'),
    [
      `row 2, column price: "2025-12-09" is a date to the spreadsheet: format the column as numbers, and type it again; ${otherwise}`,
    ],
  ],
  [
    "per cent for a price, beside a format that only writes the sign",
    workbook('<c r="B2" s="2"><v>0.3</v></c>', '<c r="B3" s="3"><v>12</v></c>'),
    [`row 2, column price: "30%" is not an amount; ${otherwise}`],
  ],
  ["the prefixes of another writer", written(percentAndFormula, prefixed), neither],
  ["single quotes of another writer", written(percentAndFormula, (xml) => xml.replaceAll('"', "'")), neither],
  [
    "SKUs that are numbers whose format shows zeros in front",
    written(workbook('<c r="B2"><v>12</v></c>', '<c r="B3" s="4"><v>9</v></c>'), (xml) =>
      xml
        .replace(/<c r="A2".*?<\/c>/, '<c r="A2" s="4"><v>456</v></c>')
        .replace("</numFmts>", '<numFmt numFmtId="165" formatCode="00000"/></numFmts>')
        .replace("</cellXfs>", '<xf numFmtId="165"/></cellXfs>'),
    ),
    { "00456": 12, "C-2": 9 },
  ],
  [
    "SKUs that are numbers whose format writes text beside them",
    written(workbook('<c r="B2"><v>12</v></c>', '<c r="B3"><v>9</v></c>'), (xml) =>
      xml
        .replace(/<c r="A2".*?<\/c>/, '<c r="A2" s="4"><v>12</v></c>')
        .replace(/<c r="A3".*?<\/c>/, '<c r="A3" s="5"><v>1234567</v></c>')
        .replace(
          "</numFmts>",
          '<numFmt numFmtId="165" formatCode="&quot;CUP-&quot;0000;@"/><numFmt numFmtId="166" formatCode="000\\-000"/></numFmts>',
        )
        .replace("</cellXfs>", '<xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>'),
    ),
    { "CUP-0012": 12, "1234-567": 9 },
  ],
  [
    "a hidden sheet before the one that a person sees",
    withSheet('state="hidden" r:id="rId3"', "worksheet", `<worksheet ${main}><sheetData/></worksheet>`),
    { "C-1": 12 },
  ],
  [
    "a chart on a sheet of its own before the prices",
    withSheet('r:id="rId3"', "chartsheet", `<chartsheet ${main}/>`),
    { "C-1": 12 },
  ],
  ["signs without width in its headings", "\u200Bsku;pri\u00ADce\u200E\nC-1;12\n", { "C-1": 12 }],
  [
    "line ends in cells, which are counted as the rows that a spreadsheet has",
    'sku;note;price\nC-1;"two\nlines";12\nC-2;;n/a\n"C-3\nred";;n/a\n',
    [
      `row 3, column price: "n/a" is not an amount; ${otherwise}`,
      `row 4, column price: "n/a" is not an amount; ${otherwise}`,
    ],
  ],
  [
    "a conflict that git left in it",
    "sku;price\n<<<<<<< HEAD\n=======\nC-1;12\n>>>>>>> spring\n",
    "git left a conflict in it, at line 2: resolve it",
  ],
  [
    "a workbook that lost its end",
    workbook("").subarray(0, -40),
    "it can't be read as a workbook: Couldn't unzip `.xlsx` file contents; open it in a spreadsheet program and save it again",
  ],
  [
    "cells without addresses, which follow one another",
    written(workbook('<c r="B2"><v>12</v></c>', '<c r="B3"><v>9.5</v></c>'), (xml) =>
      xml.replaceAll(/(<(?:c|row)) r="\w+"/g, "$1"),
    ),
    { "C-1": 12, "C-2": 9.5 },
  ],
  [
    "a cell without an address behind one that has it",
    written(workbook('<c r="B2"><v>12</v></c>'), (xml) => xml.replaceAll(' r="B2"', "")),
    { "C-1": 12 },
  ],
  [
    "a price in merged cells",
    workbook('<c r="B2"><v>12</v></c>', "", '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>'),
    [`row 3, column price: "12 (merged with B2)" is not an amount; ${otherwise}`],
  ],
])("a sheet with %s is read, or rejected with a reason", async (_what, file, read) => {
  expect(await pricesIn(file)).toEqual(read);
});

test("a heading of a price kind is found however it is written, as the others are", async () => {
  const table = readText("SKU;Price;Prices [ Opt ]\nC-1;12;9\n");
  const { columns, mistakes } = sheetOf(table, sheetArgs({}));
  expect({ columns, mistakes }).toEqual({ columns: ["price", "prices[Opt]"], mistakes: [] });
});

test("a text that says it is UTF-8 is read as that, whatever the argument encoding says", async () => {
  const bytes = Buffer.from("\uFEFFsku;price\nЧ-1;12\n");
  const [, row] = await readSheet(bytes, { encoding: "windows-1251" });
  expect(row?.cells).toEqual(["Ч-1", "12"]);
});

test.each<[what: string, prices: readonly (number | string)[], read: readonly number[]]>([
  ["alone", [1149.425, 12.5], [1149.425, 12.5]],
  ["in a column of nothing else", [1149.425, 10.125], [1149.425, 10.125]],
  ["beside a text with a decimal comma", ["12,50", 1.125], [12.5, 1.125]],
])("a number with three decimals isn't written as thousands: %s", async (_what, prices, read) => {
  const text = textOfRows(prices.map((price, at) => ({ sku: `C-${at}`, price })));
  const { rows, mistakes } = sheetOf(await readText(text), sheetArgs({}));
  expect(mistakes).toEqual([]);
  expect([...rows.values()].map((values) => values.get("price"))).toEqual(read);
});

// Few different values, so that rows are often equal or similar.
const key = fc.constantFrom("A", "A-1", "A<1", "A>1|2", 'A"', "A\nB", "B", "12");
const value = fc.constantFrom<number | "">("", 1, 10, 1.5);
const cells = fc.dictionary(fc.constantFrom("price", "oldPrice"), value, { minKeys: 1 });
const asked = fc.dictionary(key, cells);
const columns = ["price", "oldPrice"];
/** The state of a cell after a run: set by the run, changed by staff, and the value before. */
const known = fc.tuple(
  fc.option(cells),
  fc.option(value, { nil: undefined }),
  fc.option(value, { nil: undefined }),
);

test("comparing a sheet with its state as text finds what parsing both finds, but for keys in quotes", () => {
  let found = 0;
  fc.assert(
    fc.property(asked, fc.dictionary(key, known, { maxKeys: 2 }), (sheet, other) => {
      const rows = new Map(
        Object.entries(sheet).map(([own, values]) => [own, new Map(Object.entries(values))]),
      );
      // Usually as in the sheet.
      const state = [...new Set([...rows.keys(), ...Object.keys(other)])].flatMap(
        (own): [string, RowState][] => {
          const [values, read, before] = other[own] ?? [];
          const set = values ? new Map(Object.entries(values)) : rows.get(own);
          if (set === undefined) return [];
          const noted = { ...(read !== undefined && { read }), ...(before !== undefined && { before }) };
          return [
            [
              own,
              {
                product: "1",
                variant: "22",
                cells: new Map([...set].map(([column, one]) => [column, { asked: one, ...noted }])),
              },
            ],
          ];
        },
      );
      const isSame =
        state.length === rows.size &&
        state.every(
          ([own, { cells: all }]) =>
            all.size === rows.get(own)?.size &&
            [...all].every(
              ([column, one]) => one.read === undefined && one.asked === rows.get(own)?.get(column),
            ),
        );
      const text = textOf({ columns, rows }, sheetArgs({}));
      const has = hasRowsOf(printSheetState({ columns, rows: new Map(state) }), text);
      if (has) expect(isSame, text).toBe(true);
      // Quoted cells are parsed.
      else expect(isSame && !text.includes('"'), text).toBe(false);
      if (has && rows.size > 0) found += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(20);
});

test("a cell to change by hand is named with its sheet, which may not be the workbook's first one", async () => {
  const hidden = `<worksheet ${main}><sheetData/></worksheet>`;
  const bytes = withSheet('state="hidden" r:id="rId3"', "worksheet", hidden);
  const change = { path: "rows[C-1].price", is: 13 };
  const { done } = await withCells(bytes, {}, [change]);
  expect(done.get(change)).toEqual({
    line: 2,
    why: "change the workbook by hand: sheet Spring, cell B2",
  });
});
