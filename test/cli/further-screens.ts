/** More mistakes: sheets that `table` reads, an argument without an end, names in other forms of an import. */
import { allExports } from "./screens.ts";

export const furtherFiles: Readonly<Record<string, string | Buffer>> = {
  "empty.csv": "",
  "head.csv": "sku;price\n",
  "twice.csv": "sku,price,price\nA,1,2\n",
  "comma.csv": "sku,price\nA,12,50\n",
  "quote.csv": 'sku,price\n"A,1\n',
  "latin.csv": Buffer.from("sku,title\nA,caf\xe9\n", "latin1"),
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
    ": row 1 has more cells than the first line has columns: A,12,50; write a cell that has a , between quotation marks",
  ),
  sheet("quote.csv", " is not CSV: the quotation mark before A,1 has no end"),
  sheet("latin.csv", ' is not UTF-8: save it as UTF-8, in Excel as "CSV UTF-8"'),
  failed('if (shop.table("wide.csv", { key: "sku" }).length === 1) throw new Error("one row");', "one row"),
  failed(
    'const args = { title: "X" }; Object.assign(args, { self: { of: [args] } }); new Product("x", args);',
    'Product "x": self.of[0] contains itself, so it never ends',
  ),
  ...[
    [
      "[{ sku: 'A', price: 10n }]",
      "variants[0].price is a bigint: write a number, or its digits as a string",
    ],
    ["new Map([['A', { price: 1 }]])", "variants is a Map: write an object, Object.fromEntries(map)"],
    ["new Set([{ sku: 'A' }])", "variants is a Set: write a list, [...set]"],
    [
      "[{ sku: 'A', weight: () => 1 }]",
      "variants[0].weight is a function: write its result: add () to its name",
    ],
    [
      "[{ sku: Symbol('A') }]",
      "variants[0].sku is a symbol: write a string, a number, true, false, a list or an object",
    ],
    [
      "[{ sku: 'a\\ud83fb' }]",
      'variants[0].sku contains half of a character at position 1: cut a text by its characters, [...text].slice(0, 60).join("")',
    ],
    [
      "[{ sku: 'A', prices: { 'b\\ud83f': 1 } }]",
      'a key of variants[0].prices contains half of a character at position 1: cut a text by its characters, [...text].slice(0, 60).join("")',
    ],
    ["[{ sku: new Date(0) }]", 'variants[0].sku is a Date: write a string such as "2027-01-31"'],
    [
      "[{ sku: Buffer.from('A') }]",
      "variants[0].sku is a Buffer: write a string, a number, true, false, a list or an object",
    ],
  ].map(([variants, message]) =>
    failed(`new Product("x", { title: "X", variants: ${variants} as any });`, `Product "x": ${message}`),
  ),
  ...[
    ["prices: new Map()", "prices is a Map: write an object, Object.fromEntries(map)"],
    ["price: new Date(0)", 'price is a Date: write a string such as "2027-01-31"'],
  ].map(([value, message]) =>
    failed(`new shop.Prices("x", { rows: [{ ${value} } as any] });`, `Prices "x": rows[0].${message}`),
  ),
  {
    code: 'new shop.Prices("x", { rows: [{ sku: Promise.resolve("\\ud83f") } as any] });',
    screen: [
      'the program failed: Prices "x": rows[0].sku contains half of a character at position 0: cut a text by its characters, [...text].slice(0, 60).join("")',
    ],
  },
  failed("shop.table(5 as any);", 'write the path of a file: table("prices.csv", { key: "sku" })'),
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
  ...[
    "config set  x --stack dev",
    "config get shop:url shop:drift --stack dev",
    "config remove percent drift --stack dev",
  ].map((typed) => ({
    typed,
    code: 2,
    screen: ["error: config takes list, set KEY VALUE, get KEY, or remove KEY; --help shows an example"],
  })),
  {
    typed: "config set maxDeletes 3 --stack dev",
    code: 0,
    screen: [
      "Pulumi.dev.yaml: maxDeletes is a key of the program; write shop:maxDeletes if the provider is to read it",
    ],
  },
  {
    typed: "accept --stack nosuch",
    code: 6,
    screen: ["error: the stack nosuch does not exist; the project user has dev, staging"],
  },
  ...[
    [
      "preview --stack dev --save-plan nosuch/plan",
      "the plan nosuch/plan can't be written: its folder does not exist",
    ],
    [
      "preview --stack dev --save-plan index.ts/plan",
      "the plan index.ts/plan can't be written: its folder is a file",
    ],
    [
      "preview --stack dev --markdown index.ts/c.md",
      "--markdown: index.ts/c.md can't be written: its folder is a file",
    ],
  ].map(([typed = "", why]) => ({
    typed,
    code: 1,
    screen: [`error: ${why}`, "Nothing was changed in the shop."],
  })),
  ...[
    ["nosuch/shop.db", "its folder does not exist"],
    ["theme", "it is a folder; name a file"],
    ["index.ts/shop.db", "its folder is a file"],
    ["index.ts", "file is not a database"],
  ].map(([path, why]) => ({
    typed: `serve --database ${path}`,
    code: 1,
    screen: [`error: can't open the database ${path}: ${why}`],
  })),
  {
    typed: "config set shop:capacity 101 --stack dev",
    code: 2,
    screen: ['error: shop:capacity must be an integer from 1 to 100, got "101"'],
  },
  {
    typed: "config set shop:perPage 5 --stack dev",
    code: 2,
    screen: ['error: shop:perPage must be an integer from 10 to 250, got "5"'],
  },
  {
    typed: "config set shop:maxWait 100000 --stack dev",
    code: 2,
    screen: ['error: shop:maxWait must be an integer from 0 to 86400, got "100000"'],
  },
  {
    typed: "config set shop:applicationId my:app --stack dev",
    code: 2,
    screen: ["error: shop:applicationId must not contain a colon: HTTP Basic can't carry one"],
  },
  {
    typed: "config set shop:password secret --stack dev --plaintext",
    code: 2,
    screen: [
      "error: shop:password must be the application's password from the back office, 32 lowercase hex digits; got 6 characters",
    ],
  },
  {
    typed: "import coupon  5 --stack dev",
    code: 2,
    screen: ["error: import takes TYPE NAME ID, or --file FILE; --help shows an example"],
  },
  {
    typed: "init theme --name 2b",
    code: 2,
    screen: [
      'error: "2b" is not a valid project name: it must begin with a lower-case letter, and have at most 100 lower-case letters, digits, hyphens, underscores and periods. Set one with --name, such as --name my-shop',
    ],
  },
];
