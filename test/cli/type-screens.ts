/** Mistakes of type: arguments, options, ids and files that are something else than the program takes them for. */

export const typeFiles: Readonly<Record<string, string | Buffer>> = {
  "latin.csv": Buffer.from("sku;title\nA;Tasse \xe4\n", "latin1"),
  "same.csv": "sku,price\nA,1\nB,1\nA,2\n",
  "zeros.csv": "sku,price\nA,1\0\n",
};

const failed = (code: string, message: string) => ({
  code,
  screen: [`the program failed: ${message}`, "  at index.ts:6:N"],
});
const unread = (kind: string, file: string, why: string, shown = file) => ({
  code: `new shop.${kind}("x", { file: "${file}" });`,
  screen: [`index.ts:6  ${kind} "x"`, `  file: can't read ${shown}: ${why}`],
});
const coupon = (options: string, message: string) =>
  failed(`new Coupon("x", { code: "X", discount: { percent: 1 } }, { ${options} } as any);`, message);
const noResource = "expected a resource: write the variable that new ... was assigned to";

export const typePrograms = [
  {
    code: 'await Promise.any([Promise.reject(new Error("no sheet")), Promise.reject("no backup")]);',
    screen: [
      "the program failed: All promises were rejected",
      "  no sheet",
      "  'no backup'",
      "  at index.ts:6:N",
    ],
  },
  failed('throw new Error("");', "it threw an Error without a message"),
  failed(
    "await shop.getTheme({ title: mug.title } as any);",
    "getTheme: title is an Output or a Promise, known later: call getThemeOutput instead",
  ),
  unread("File", "https://x.example/a.png", "there is no such file; an address belongs in src"),
  unread(
    "File",
    "~/a.png",
    "there is no such file; ~ is no folder here: write a path relative to the program's folder",
  ),
  unread(
    "File",
    "a\\0",
    "its name has a character that no path can have; write a path relative to the program's folder",
    "a\\u0000",
  ),
  unread("Prices", "zeros.csv", "it is neither a text nor a workbook: save it as .xlsx or as CSV"),
  {
    code: 'new shop.Prices("x", { rows: [null] as any });',
    screen: [
      'index.ts:6  Prices "x"',
      "  rows: got a list, expected a list of rows, each an object such as { sku, price }",
    ],
  },
  failed(
    'new Product("x", Promise.resolve({ title: "X" }) as any);',
    'the arguments of a Product are a Promise, which has to be awaited: write an object, new Product("name", { ... })',
  ),
  failed(
    'new Product("x", pulumi.output({ title: "X" }) as any);',
    'the arguments of a Product are an Output, and only each of them may be one: write an object, new Product("name", { ... })',
  ),
  failed(
    'new Product("x", { title: new URL("https://x.example") } as any);',
    'Product "x": title is a URL: write its text, url.href',
  ),
  {
    code: 'new Product("x", { title: "X", variants: [, { sku: "S", price: 1 }] as any });',
    screen: ['index.ts:6  Product "x"', "  variants[0]: got null, expected an object"],
  },
  coupon("parent: {}", `parent: got an object, ${noResource}`),
  coupon("parent: Coupon", `parent: got a class or a function, ${noResource}`),
  coupon("dependsOn: [Coupon]", `dependsOn: got a class or a function, ${noResource}`),
  coupon("provider: {}", `provider: got an object, ${noResource}`),
  coupon("ignoreChanges: [5]", "ignoreChanges: got 5, expected the name of an argument"),
  coupon("ignoreChanges: [undefined]", "ignoreChanges: got undefined, expected the name of an argument"),
  coupon("aliases: [5]", 'aliases: got 5, expected an object such as { name: "old-name" }'),
  coupon('customTimeouts: "5m"', 'customTimeouts: got "5m", expected an object such as { create: "5m" }'),
  coupon(
    "customTimeouts: { create: 5 }",
    'customTimeouts.create: got 5, expected a string with its unit, such as "5m"',
  ),
  coupon("import: 55", 'import: got 55, expected a string: "55"'),
  coupon(
    'import: "spring"',
    'import: got "spring", expected the id of an object in the shop, such as "8841"',
  ),
  coupon('import: ""', 'import: got "", expected the id of an object in the shop, such as "8841"'),
  // An option that is null is unset.
  failed(
    'new PriceKind("x", { title: "X" }, { parent: null, protect: null, ignoreChanges: null, aliases: null } as any); throw new Error("later");',
    "later",
  ),
  failed(
    'Coupon.get("x", undefined as any);',
    `the id in Coupon.get is undefined: write the object's id as a string, Coupon.get("x", "8841")`,
  ),
  failed(
    'Coupon.get("x", "");',
    `the id in Coupon.get is empty: write the object's id as a string, Coupon.get("x", "8841")`,
  ),
  failed(
    'Coupon.get("x", 55 as any);',
    `the id in Coupon.get is 55, a number: write the object's id as a string, Coupon.get("x", "55")`,
  ),
  failed(
    'new shop.ThemeFolder("x", "theme" as any);',
    'the arguments of a ThemeFolder are a string: write an object, new ThemeFolder("name", { ... })',
  ),
  failed(
    'new shop.ThemeFolder("x", undefined as any);',
    'ThemeFolder "x": themeId is required, such as getThemeOutput({ published: true }).id',
  ),
  failed(
    'shop.table("latin.csv", { key: "sku" });',
    'latin.csv is not UTF-8: save it as UTF-8, in Excel as "CSV UTF-8"',
  ),
  failed('shop.table("same.csv", { key: "sku" });', 'same.csv: rows 1 and 3 have the same sku, "A"'),
  failed(
    'shop.table("index.ts/x.csv", { key: "sku" });',
    "can't read index.ts/x.csv: there is no such file; write a path relative to the program's folder",
  ),
];
