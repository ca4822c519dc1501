/** More mistakes: sheets that `table` reads, an argument without an end, names in other forms of an import. */
import { allExports } from "./screens.ts";

export const furtherFiles: Readonly<Record<string, string>> = {
  "empty.csv": "",
  "head.csv": "sku;price\n",
  "twice.csv": "sku,price,price\nA,1,2\n",
  "comma.csv": "sku,price\nA,12,50\n",
  "quote.csv": 'sku,price\n"A,1\n',
  "wide.csv": "sku,price,,\nA,1,,\n",
};

const failed = (code: string, ...[message, ...more]: readonly string[]) => ({
  code,
  screen: [`the program failed: ${message}`, ...more, "  at index.ts:6:N"],
});
const sheet = (name: string, message: string) =>
  failed(`shop.table("${name}", { key: "sku" });`, `${name}${message}`);

export const furtherPrograms = [
  sheet("empty.csv", ": the first line has no column sku, it has none"),
  failed(
    'shop.table("head.csv", { key: "article" });',
    "head.csv: the first line has no column article, it has sku, price",
  ),
  sheet("twice.csv", ': two columns are called "price"'),
  sheet(
    "comma.csv",
    ": row 1 has more cells than the first line: A,12,50; write a cell that has a , between quotation marks",
  ),
  sheet("quote.csv", " is not CSV: the quotation mark before A,1 has no end"),
  failed('if (shop.table("wide.csv", { key: "sku" }).length === 1) throw new Error("one row");', "one row"),
  failed(
    'const args = { title: "X" }; Object.assign(args, { self: { of: [args] } }); new Product("x", args);',
    'Product "x": self holds itself, so it has no end',
  ),
  ...[
    'await import("pulumi-shop").then((all: any) => new all.Produkt("x", {}));',
    'const all: any = await import("pulumi-shop"); new all.Produkt("x", {});',
  ].map((code) => ({
    code,
    screen: [
      "the program failed: pulumi-shop has no Produkt, did you mean Product?",
      allExports,
      "  at index.ts:6",
    ],
  })),
];

export const furtherCommands = [
  {
    typed: "preview --stack dev --timeout 0s",
    code: 2,
    screen: ["error: --timeout must be a time such as 90s, 10m or 1h, got 0s"],
  },
];
