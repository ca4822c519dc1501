/** Mistakes of users with the expected output, for screens.test.ts. */

const head = [
  'import * as pulumi from "@pulumi/pulumi";',
  'import { Asset, Coupon, File, JsTag, PriceKind, Product } from "pulumi-shop";',
  'import * as shop from "pulumi-shop";',
  "void [pulumi, shop, File, Asset, JsTag, PriceKind, Coupon];",
  'const mug = new Product("mug", { title: "Mug", variants: [{ price: 5 }] }); void mug;',
];
export const program = (...lines: readonly string[]) => `${[...head, ...lines].join("\n")}\n`;

/** Arguments, in one program: the first line of the first is line 6. */
export const args = [
  {
    what: "a title that is missing",
    code: ['new Product("a1", {} as never);'],
    screen: ['index.ts:6  Product "a1"', "  title: is required"],
  },
  {
    what: "a text where a number must be",
    code: ['new Product("a2", { title: "A", sortWeight: "first" as never });'],
    screen: ['index.ts:7  Product "a2"', '  sortWeight: got "first", expected an integer'],
  },
  {
    what: "a comma in a price",
    code: ['new Product("a3", { title: "A", variants: [{ sku: "MUG-RED", price: "12,50" }] });'],
    screen: [
      'index.ts:8  Product "a3"',
      '  variants[MUG-RED].price: got "12,50", expected a number (12.5), also as a string ("12.50"), of at most 15 digits',
    ],
  },
  {
    what: "a price that is no number",
    code: ['new Coupon("a4", { code: "A4", discount: { amount: Number.NaN } });'],
    screen: [
      'index.ts:9  Coupon "a4"',
      '  discount: got NaN, expected a number (12.5), also as a string ("12.50"), of at most 15 digits',
    ],
  },
  {
    what: "a price below zero",
    code: ['new Product("a5", { title: "A", variants: [{ sku: "M", oldPrice: -3 }] });'],
    screen: ['index.ts:10  Product "a5"', "  variants[M].oldPrice: got -3, expected at least 0"],
  },
  {
    what: "a discount of over 100 percent",
    code: ['new Coupon("a6", { code: "A6", discount: { percent: 110 } });'],
    screen: ['index.ts:11  Coupon "a6"', "  discount: got 110, expected at most 100 percent"],
  },
  {
    what: "a discount whose unit nobody says",
    code: ['new Coupon("a7", { code: "A7", discount: 10 });'],
    screen: [
      'index.ts:12  Coupon "a7"',
      "  typeId: is required if discount is a plain number; or write discount as { percent: ... } or { amount: ... }",
    ],
  },
  {
    what: "a discount under a name that there isn't",
    code: ['new Coupon("a8", { code: "A8", discount: { procent: 10 } as never });'],
    screen: [
      'index.ts:13  Coupon "a8"',
      "  discount: got { procent }, expected { percent: ... } or { amount: ... }, or a number and typeId",
    ],
  },
  {
    what: "a discount whose unit is said twice",
    code: ['new Coupon("a9", { code: "A9", discount: { percent: 10 }, typeId: 2 });'],
    screen: ['index.ts:14  Coupon "a9"', "  discount: sets typeId too: leave out typeId, which is 2"],
  },
  {
    what: "a unit that there isn't",
    code: ['new Coupon("a10", { code: "A10", discount: 10, typeId: 3 as never });'],
    screen: [
      'index.ts:15  Coupon "a10"',
      "  typeId: got 3, expected 1 (percent of the order) or 2 (money off the order)",
    ],
  },
  {
    what: "a slip of the pen in an argument",
    code: ['new Product("a11", { title: "A", permalnk: "a" } as never);'],
    screen: ['index.ts:16  Product "a11"', "  permalnk: unknown argument, did you mean permalink?"],
  },
  {
    what: "an argument cut short",
    code: ['new Product("a12", { title: "A", variants: [{ sku: "M", qty: 3 } as never] });'],
    screen: ['index.ts:17  Product "a12"', "  variants[M].qty: unknown argument, did you mean quantity?"],
  },
  {
    what: "an argument that there isn't",
    code: [
      'new JsTag("a13", { type: "JsTag::TextTag", name: "a13", content: "x", colour: "red" } as never);',
    ],
    screen: ['index.ts:18  JsTag "a13"', "  colour: unknown argument; JsTag takes type, content, name"],
  },
  {
    what: "an argument that the shop gives",
    code: ['new Coupon("a14", { code: "A14", discount: { percent: 1 }, createdAt: "2030-01-01" } as never);'],
    screen: ['index.ts:19  Coupon "a14"', "  createdAt: is set by the shop; a program can't set it"],
  },
  {
    what: "an option by the wrong name",
    code: [
      'new Product("a15", { title: "A", variants: [{ sku: "M", options: [{ name: "Colour", value: "red" } as never] }] });',
    ],
    screen: [
      'index.ts:20  Product "a15"',
      "  variants[M].options[0].name: unknown argument; an item of variants.options takes title, value",
      "  variants[M].options[0].title: is required",
    ],
  },
  {
    what: "a day that doesn't exist, and a date as other people write it",
    code: [
      'new Coupon("a16", { code: "A16", discount: { percent: 1 }, expiredAt: "2030-02-31" });',
      'new Coupon("a17", { code: "A17", discount: { percent: 1 }, expiredAt: "31.05.2030" });',
    ],
    screen: [
      'index.ts:21  Coupon "a16"  got "2030-02-31"',
      'index.ts:22  Coupon "a17"  got "31.05.2030"',
      "  expiredAt: expected a date that exists, YYYY-MM-DD",
    ],
  },
  {
    what: "a word for yes",
    code: ['new Coupon("a18", { code: "A18", discount: { percent: 1 }, disabled: "yes" as never });'],
    screen: ['index.ts:23  Coupon "a18"', '  disabled: got "yes", expected true or false'],
  },
  {
    what: "an Output in a text",
    code: [
      'new JsTag("a19", { type: "JsTag::TextTag", name: "a19", content: "var a=\'" + mug.permalink + "\'" });',
    ],
    screen: [
      'index.ts:24  JsTag "a19"',
      "  content: contains an Output that was joined to a string with + or in a template: write a template with pulumi.interpolate before it",
    ],
  },
  {
    what: "a file that isn't there",
    code: [
      'new Asset("a20", { themeId: 1, type: "Asset::Template", name: "page.about.liquid", file: "theme/page.abuot.liquid" });',
    ],
    screen: [
      'index.ts:25  Asset "a20"',
      "  file: can't read theme/page.abuot.liquid: there is no such file, did you mean theme/page.about.liquid?",
    ],
  },
  {
    what: "a file outside of the project",
    code: ['new File("a21", { file: "../secret.txt" });'],
    screen: [
      'index.ts:26  File "a21"',
      "  file: can't read ../secret.txt: it is outside the project's folder; move it there, or permit it: set shop:allowOutside to true in the stack's configuration, or SHOP_ALLOW_OUTSIDE=true in the environment",
    ],
  },
  {
    what: "a folder for a file",
    code: ['new File("a22", { file: "theme" });'],
    screen: ['index.ts:27  File "a22"', "  file: can't read theme: it is a folder; write the path of a file"],
  },
  {
    what: "a slip of the pen in one of few words",
    code: [
      'new Asset("a23", { themeId: 1, type: "Asset::Templat" as never, name: "x.liquid", content: "x" });',
    ],
    screen: [
      'index.ts:28  Asset "a23"',
      '  type: got "Asset::Templat", expected one of Asset::Template, Asset::Snippet, Asset::Media, Asset::Configuration (did you mean Asset::Template?)',
    ],
  },
  {
    what: "a body that is stated twice",
    code: [
      'new Asset("a24", { themeId: 1, type: "Asset::Template", name: "y.liquid", content: "x", file: "theme/page.about.liquid" });',
    ],
    screen: ['index.ts:29  Asset "a24"', "  file: only one of content and file may be set"],
  },
  {
    what: "a body that is not stated",
    code: ['new Asset("a25", { themeId: 1, type: "Asset::Template", name: "z.liquid" });'],
    screen: ['index.ts:30  Asset "a25"', "  content: one of content, file and src is required"],
  },
  {
    what: "two of one name",
    code: ['new PriceKind("a26", { title: "A" }); new PriceKind("a26", { title: "B" });'],
    screen: [
      'index.ts:31  PriceKind "a26"',
      '  two PriceKinds are named "a26" (index.ts:31, index.ts:31): give each a name of its own',
    ],
  },
  {
    what: "an object that is to be taken over by a wrong word",
    code: ['new Coupon("a27", { code: "A27", discount: { percent: 1 }, adopt: "yes" });'],
    screen: [
      'index.ts:32  Coupon "a27"',
      '  adopt: got "yes", expected the id of the object to adopt, or "key" to find it by its natural key',
    ],
  },
  {
    what: "two coupons of one code",
    code: [
      'new Coupon("a29", { code: "SAME", discount: { percent: 1 } }); new Coupon("a30", { code: "SAME", discount: { percent: 2 } });',
    ],
    screen: [
      'index.ts:33  Coupon "a30"',
      '  code: resource "a29" of this program asks for code SAME too, and only one Coupon can have it: remove one of the two resources, or change one of the values',
    ],
  },
  {
    what: "a letter that XML can't carry",
    code: ['new JsTag("a31", { type: "JsTag::TextTag", name: "a\\u0001", content: "x" });'],
    screen: [
      'index.ts:34  JsTag "a31"',
      "  name: remove the character U+0001 at position 1: XML can't carry it",
    ],
  },
  {
    what: "a code of blanks",
    code: ['new Coupon("a32", { code: " ", discount: { percent: 1 } });'],
    screen: ['index.ts:35  Coupon "a32"', "  code: must not be empty"],
  },
  {
    what: "one variant without its list",
    code: ['new Product("a33", { title: "A", variants: { sku: "A33" } as never });'],
    screen: ['index.ts:36  Product "a33"', "  variants: got an object, expected a list"],
  },
  {
    what: "a number for a file",
    code: ['new File("a34", { file: 5 as never });'],
    screen: ['index.ts:37  File "a34"', "  file: got 5, expected the path of a file in the project"],
  },
  {
    what: "an option among the arguments",
    code: ['new PriceKind("a35", { title: "A", protect: true } as never);'],
    screen: [
      'index.ts:38  PriceKind "a35"',
      "  protect: is a resource option, not an argument: write it among the options (in TypeScript the third argument)",
    ],
  },
  {
    what: "what a product can't be without, emptied",
    code: ['new Product("a36", { title: "", permalink: "", variants: [] });'],
    screen: [
      'index.ts:39  Product "a36"',
      "  title: must not be empty",
      "  permalink: must not be empty; leave it out to keep the one in the shop",
      "  variants: must have at least one: a shop doesn't delete the last",
    ],
  },
  {
    what: "a promise in a text",
    code: ['new Product("a37", { title: "Mug " + Promise.resolve("x") });'],
    screen: [
      'index.ts:40  Product "a37"',
      "  title: holds [object Promise], which is an object that was joined to a text: join one of its values, or await it where it is a promise. A secret of another stack is an object where its passphrase isn't this stack's",
    ],
  },
];

export const allExports =
  "  It has ApplicationCharge, Asset, AssetType, Coupon, CouponTypeId, File, JsTag, JsTagType, PriceKind, Prices, Product, Provider, RecurringCharge, ThemeFolder, getAccount, getAccountOutput, getCollection, getCollectionOutput, getCollections, getCollectionsOutput, getTheme, getThemeOutput, getThemes, getThemesOutput, table";
const thrown = '  It threw a value that is not an Error, which knows no line: write throw new Error("...")';

export const programs = [
  {
    what: "a name that isn't defined",
    code: 'new Coupon("x", { code: cod, discount: { percent: 1 } });',
    screen: ["the program failed: ReferenceError: cod is not defined", "  at index.ts:6:N"],
  },
  {
    what: "an error of the program's own",
    code: 'throw new Error("the sheet has no rows");',
    screen: ["the program failed: the sheet has no rows", "  at index.ts:6:N"],
  },
  {
    what: "a bracket that is missing",
    code: 'new Coupon("x", { code: "X", discount: { percent: 1 } );',
    screen: [
      "the program failed: index.ts:6",
      'const mug = new Product("mug", { title: "Mug", variants: [{ price: 5 }] }); void mug;',
      'new Coupon("x", { code: "X", discount: { percent: 1 } );',
      "                                                      ^",
      "",
      "SyntaxError: Expected ',', got ')'",
    ],
  },
  {
    what: "an import that isn't there",
    code: 'import { Coupn } from "pulumi-shop"; void Coupn;',
    screen: [
      "the program failed: pulumi-shop has no Coupn, did you mean Coupon?",
      allExports,
      "  at index.ts:6",
    ],
  },
  {
    what: "a class that isn't there, in another language",
    code: 'new shop.Kupon("x", {});',
    screen: [
      "the program failed: pulumi-shop has no Kupon, did you mean Coupon?",
      allExports,
      "  at index.ts:6",
    ],
  },
  {
    what: "a class that the program only reads",
    code: 'import { Collection } from "pulumi-shop"; void Collection;',
    screen: [
      "the program failed: pulumi-shop has Collection only as a type; getCollection reads one",
      "  To import the type, write import { type Collection }",
      "  at index.ts:6",
    ],
  },
  {
    what: "a name that the SDK doesn't have",
    code: 'import { Confg } from "@pulumi/pulumi"; void Confg;',
    screen: ["the program failed: @pulumi/pulumi has no Confg, did you mean Config?", "  at index.ts:6"],
  },
  {
    what: "a type of the SDK, imported as a value",
    code: 'import { Input } from "@pulumi/pulumi"; void Input;',
    screen: [
      "the program failed: @pulumi/pulumi has Input only as a type",
      "  To import the type, write import { type Input }",
      "  at index.ts:6",
    ],
  },
  {
    what: "a name that a file of the program doesn't have",
    code: 'import { price } from "./prices.ts"; void price;',
    screen: [
      "the program failed: ./prices.ts has no price, did you mean prices?",
      "  It has check, prices",
      "  at index.ts:6",
    ],
  },
  {
    what: "a text that is thrown",
    code: 'throw "the sheet has no rows";',
    screen: ["the program failed: the sheet has no rows", thrown, "  at index.ts:6"],
  },
  {
    what: "a text that another file throws",
    code: 'import { check } from "./prices.ts"; check();',
    screen: ["the program failed: no prices", thrown, "  at prices.ts:2"],
  },
  {
    what: "a package that isn't there",
    code: 'import "no-such-package";',
    screen: [
      "the program failed: Cannot find package 'no-such-package' imported from index.ts",
      "  Run npm install; if package.json doesn't have the package, npm install no-such-package",
      "  at index.ts:6",
    ],
  },
  {
    what: "a file that isn't there",
    code: 'import "./nosuch.ts";',
    screen: ["the program failed: Cannot find module 'nosuch.ts' imported from index.ts", "  at index.ts:6"],
  },
  {
    what: "an enum, which Node can't take away",
    code: "enum A { B } void A.B;",
    screen: [
      "the program failed: index.ts:6",
      'const mug = new Product("mug", { title: "Mug", variants: [{ price: 5 }] }); void mug;',
      "enum A { B } void A.B;",
      "^^^^^^^^^^^^",
      "",
      "SyntaxError: TypeScript enum is not supported in strip-only mode",
      "  Write it another way, such as a const object instead of an enum",
    ],
  },
  {
    what: "a configuration value that isn't set",
    code: 'new pulumi.Config().require("percent");',
    screen: [
      "the program failed: the stack's configuration has no user:percent: set it with config set user:percent VALUE",
    ],
  },
  {
    what: "a secret that isn't set",
    code: 'new pulumi.Config("app").requireSecret("key");',
    screen: [
      "the program failed: the stack's configuration has no app:key: set it with config set app:key --secret (asks for it)",
    ],
  },
  {
    what: "a configuration value that is no number",
    code: 'new pulumi.Config("app").requireNumber("word");',
    screen: [
      "the program failed: the value of app:word in the stack's configuration is not a valid number: set it with config set app:word VALUE",
    ],
  },
  {
    what: "a slip of the pen in an option",
    code: 'new Coupon("x", { code: "X", discount: { percent: 1 } }, { protekt: true } as never);',
    screen: ["the program failed: unknown option protekt, did you mean protect?", "  at index.ts:6:N"],
  },
  {
    what: "a name that was forgotten",
    code: 'new PriceKind({ title: "Wholesale" } as never);',
    screen: [
      'the program failed: the name of a PriceKind is not a string: write a name of your own first, new PriceKind("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a name that the shop gives",
    code: 'new PriceKind("kind-" + mug.permalink, { title: "Wholesale" });',
    screen: [
      'the program failed: the name of a PriceKind is a string with an object or an Output in it: write a name of your own first, new PriceKind("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a theme that there isn't",
    code: 'await shop.getTheme({ title: "Nosuch" });',
    screen: [
      'the program failed: there is no Theme with title "Nosuch"; the shop has (id N, title "Main", isPublished true, isMobile false); (id N, title "Mobile", isPublished false, isMobile true)',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a theme that there isn't, asked for as an Output",
    code: 'shop.getThemeOutput({ title: "Nosuch" });',
    screen: [
      'the program failed: there is no Theme with title "Nosuch"; the shop has (id N, title "Main", isPublished true, isMobile false); (id N, title "Mobile", isPublished false, isMobile true)',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a theme that there isn't, which the program waits for later",
    code: 'const early = shop.getTheme({ title: "Nosuch" }); await new Promise((known) => process.once("unhandledRejection", known)); await new Promise(setImmediate); early.catch(() => {}); await new Promise(setImmediate);',
    screen: [
      'the program failed: there is no Theme with title "Nosuch"; the shop has (id N, title "Main", isPublished true, isMobile false); (id N, title "Mobile", isPublished false, isMobile true)',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a get of an object that there isn't, and the program waits for it",
    code: 'export const code = Coupon.get("other", "99999999").code;',
    screen: [
      'index.ts:6  Coupon "other"',
      "  Coupon 99999999 does not exist; check the id that get was given",
    ],
  },
  {
    what: "a function of the SDK without arguments",
    code: "await shop.getCollection({});",
    screen: [
      "the program failed: a query for a Collection takes id, permalink, title: set one of them",
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a slip of the pen in what is ignored",
    code: 'new Product("x", { title: "X" }, { ignoreChanges: ["tilte"] });',
    screen: [
      "the program failed: ignoreChanges: unknown argument tilte, did you mean title?",
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a slip of the pen in an alias",
    code: 'new Product("x", { title: "X" }, { aliases: [{ nmae: "old" } as never] });',
    screen: ["the program failed: aliases: unknown key nmae, did you mean name?", "  at index.ts:6:N"],
  },
  {
    what: "an alias without its list",
    code: 'new Product("x", { title: "X" }, { aliases: { name: "old" } as never });',
    screen: ["the program failed: aliases: must be a list: write [ ] around it", "  at index.ts:6:N"],
  },
  {
    what: "a slip of the pen in a timeout",
    code: 'new Product("x", { title: "X" }, { customTimeouts: { creat: "5m" } as never });',
    screen: [
      "the program failed: customTimeouts: unknown key creat, did you mean create?",
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a text for the arguments",
    code: 'new Product("x", "Mug" as never);',
    screen: [
      'the program failed: the arguments of a Product are a string: write an object, new Product("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "an empty name",
    code: 'new Product("", { title: "X" });',
    screen: [
      'the program failed: the name of a Product is empty: write a name of your own first, new Product("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a name made from nothing",
    code: 'new Product("Mug " + undefined, { title: "X" });',
    screen: [
      'the program failed: the name of a Product is "Mug undefined", made from a value that is undefined: write a name of your own first, new Product("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a file of JSON, imported as a module",
    code: 'import data from "./package.json"; void data;',
    screen: [
      'the program failed: TypeError: Module "package.json" needs an import attribute of "type: json"',
      '  Write it as import data from "./package.json" with { type: "json" }',
    ],
  },
  {
    what: "a folder that is imported",
    code: 'import "./theme";',
    screen: [
      "the program failed: Directory import 'theme' is not supported resolving ES modules imported from index.ts",
      "  It is a folder: import a file in it",
      "  at index.ts:6",
    ],
  },
  {
    what: "a file without its ending",
    code: 'import "./prices";',
    screen: [
      "the program failed: Cannot find module 'prices' imported from index.ts",
      "  The file is prices.ts: write its name with .ts",
      "  at index.ts:6",
    ],
  },
  {
    what: "a part of the package that there isn't",
    code: 'import "pulumi-shop/nosuch";',
    screen: [
      "the program failed: Package subpath './nosuch' is not defined by \"exports\" in node_modules/pulumi-shop/package.json imported from index.ts",
      "  The package has pulumi-shop, pulumi-shop/provider, pulumi-shop/client, pulumi-shop/shop, pulumi-shop/engine, pulumi-shop/testing",
      "  at index.ts:6",
    ],
  },
];

/** Programs that end before their last line. */
export const ends = [
  {
    what: "an end in the middle of the program",
    code: "process.exit(0);",
    screen: [
      "the program failed: it called process.exit; throw an Error to say what is wrong, or let the program reach its last line",
      "  at index.ts:6:N",
    ],
  },
  {
    what: "a promise that never settles",
    code: "await new Promise(() => {});",
    screen: [
      "the program failed: it ended before its last line: it awaits a value that never arrives",
      "  In a preview, the Outputs of a new resource never arrive: use apply instead of await.",
      "  an await at index.ts:6",
    ],
  },
  {
    what: "two resources that wait for each other",
    code: 'const { promise, resolve } = Promise.withResolvers<Coupon>(); const x = new Coupon("x", { code: "X", discount: { percent: 1 } }, { dependsOn: promise }); resolve(new Coupon("y", { code: "Y", discount: { percent: 1 } }, { dependsOn: x }));',
    screen: [
      "the program failed: it ended while resources still waited",
      '  index.ts:6  Coupon "x" waits for what its dependsOn names',
      '  index.ts:6  Coupon "y" waits for what its dependsOn names',
      "  Two of them wait for each other, or a promise never resolves.",
    ],
  },
  {
    what: "an argument that never comes",
    code: 'new PriceKind("x", { title: new Promise<string>(() => {}) });',
    screen: [
      "the program failed: it ended while resources still waited",
      '  index.ts:6  PriceKind "x" waits for its argument title',
      "  Two of them wait for each other, or a promise never resolves.",
    ],
  },
  {
    what: "an end by the system",
    code: 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {});',
    screen: [
      "the program failed: it was ended by SIGKILL; see its output above. A program without enough memory ends so",
    ],
  },
];

export const commands = [
  { typed: "perview", code: 2, screen: ["error: unknown command perview, did you mean preview?"] },
  {
    typed: "diff",
    code: 2,
    screen: [
      "error: unknown command diff: use preview --diff to see every value that would change, or compare A B for two stacks",
    ],
  },
  {
    typed: "cancel",
    code: 2,
    screen: ["error: unknown command cancel: use Ctrl-C to stop a run, and unlock after one that was killed"],
  },
  {
    typed: "config set app:percent --stack dev",
    code: 2,
    screen: [
      "error: no value was given for app:percent: use config set app:percent VALUE, or standard input",
    ],
  },
  {
    typed: "config set shop:password --secret --stack dev",
    code: 2,
    screen: [
      "error: no value was given for shop:password: type it where config set asks for it, or pass it on standard input",
    ],
  },
  {
    typed: "-s dev",
    code: 2,
    screen: ["error: no command given; the commands are ..."],
  },
  {
    typed: "preview --stak dev",
    code: 2,
    screen: ["error: unknown option --stak, did you mean --stack?; --help lists the options"],
  },
  {
    typed: "preview --stack dve",
    code: 6,
    screen: [
      "error: the stack dve does not exist (did you mean dev?); the project user has dev, staging; for a new stack, add --create",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview",
    code: 6,
    screen: [
      "error: the project user has several stacks (dev, staging): name one with --stack",
      "Nothing was changed in the shop.",
    ],
  },
  { typed: "preview --stack", code: 2, screen: ["error: option --stack requires a value: --stack NAME"] },
  {
    typed: "up --stack dev",
    code: 2,
    screen: [
      'The state of dev is in FOLDER/backend/.pulumi/stacks/user/dev.json. Colleagues who work on this shop need this file too: see "Work in a team" in the documentation.',
      "error: no terminal to confirm on; pass --yes",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack dev --target mugg",
    code: 2,
    screen: [
      "error: --target: neither the program nor the state has mugg, did you mean mug?",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "import --stack dev cupon x 3",
    code: 2,
    screen: [
      "error: there is no kind cupon, did you mean Coupon? The kinds are products, coupons, priceKinds, applicationCharges, recurringCharge, assets, files, jsTags",
    ],
  },
  {
    typed: "import --stack dev coupon x 99999999",
    code: 1,
    screen: ["Failed:", '  Coupon "x"', "    the shop URL has no coupon 99999999"],
  },
  {
    typed: "compare dev",
    code: 2,
    screen: ["error: compare takes two sides, such as: compare staging live; --help lists more"],
  },
  {
    typed: "compare live --stack dev",
    code: 2,
    screen: [
      "error: unknown option --stack: name a stack as an argument, where the command takes one; --help lists the options",
    ],
  },
  {
    typed: "config set shop:urll x --stack dev",
    code: 2,
    screen: ["error: shop:urll is not a setting of the provider, did you mean shop:url?"],
  },
  {
    typed: "config set shop:drift kepe --stack dev",
    code: 2,
    screen: ['error: shop:drift must be revert or keep or stop, got "kepe"'],
  },
  {
    typed: "preview --stack dev -s staging",
    code: 2,
    screen: ["error: option --stack is given twice: dev, staging; it takes one value"],
  },
  {
    typed: "up --stack dev --yes --resend mugg",
    code: 2,
    screen: [
      'The state of dev is in FOLDER/backend/.pulumi/stacks/user/dev.json. Colleagues who work on this shop need this file too: see "Work in a team" in the documentation.',
      "error: --resend: the stack dev has no resource mugg, and the plan creates none, did you mean mug?",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack dev --target mugg --target mug",
    code: 2,
    screen: [
      "error: --target: neither the program nor the state has mugg, did you mean mug?",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack dev --markdown nosuch/comment.md",
    code: 2,
    screen: [
      "error: --markdown: the folder FOLDER/nosuch does not exist",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview -C /nonexist",
    code: 1,
    screen: ["error: the folder /nonexist does not exist", "Nothing was changed in the shop."],
  },
  {
    typed: "preview --parallel x --stack dev",
    code: 2,
    screen: ["error: --parallel must be an integer of at least 1, got x"],
  },
  {
    typed: "up --stack dev --yes --plan nosuch.json",
    code: 1,
    screen: [
      "error: the plan nosuch.json can't be read: there is no such file",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "completion powershll",
    code: 2,
    screen: ['error: completion requires a shell: bash, zsh, powershell, fish; got "powershll"'],
  },
  {
    typed: "theme chekc",
    code: 2,
    screen: ["error: theme takes check [FOLDER] or dev [FOLDER]; --help shows an example"],
  },
  {
    typed: "compare dev staging",
    code: 6,
    screen: ["error: the stack dev has no state yet: run up to create it; shop:dev compares its whole shop"],
  },
  {
    typed: "state remove mugg --stack nosuch",
    code: 6,
    screen: ["error: the stack nosuch does not exist; the project user has dev, staging"],
  },
  {
    typed: "theme check nosuch",
    code: 1,
    screen: [
      "error: there is no theme in FOLDER/nosuch: name the folder that contains templates/, snippets/, config/, media/",
    ],
  },
  {
    typed: "accept --stack dve",
    code: 6,
    screen: ["error: the stack dve does not exist (did you mean dev?); the project user has dev, staging"],
  },
  {
    typed: "up --stack dev --yes --allow",
    code: 2,
    screen: ["error: option --allow requires a value: --allow NAMES"],
  },
  {
    typed: "unlock dev x",
    code: 2,
    screen: ['error: unexpected argument "dev"; a stack is named with --stack; --help lists the options'],
  },
  {
    typed: "preview --stack dev --colour",
    code: 2,
    screen: ["error: unknown option --colour; --help lists the options"],
  },
];

/** Files of a stack. */
export const settings = [
  {
    what: "an address that is left empty",
    url: "",
    screen: [
      "error: the stack dev has no complete connection to a shop:",
      "  - the shop's address is not set: npx pulumi-shop config set shop:url https://my-shop.example --stack dev, or SHOP_URL in the environment",
      "Or start a shop on this machine: npx pulumi-shop serve --stack dev",
      "Nothing was changed in the shop.",
    ],
  },
  {
    what: "an address with a path",
    url: "https://my-shop.example/admin",
    screen: [
      "error: the stack dev has no complete connection to a shop:",
      "  - shop:url must be the host only: https://my-shop.example",
      "Or start a shop on this machine: npx pulumi-shop serve --stack dev",
      "Nothing was changed in the shop.",
    ],
  },
  {
    what: "plain http",
    url: "http://my-shop.example",
    screen: [
      "error: the stack dev has no complete connection to a shop:",
      "  - shop:url must be https, plain http is for this machine only: https://my-shop.example",
      "Or start a shop on this machine: npx pulumi-shop serve --stack dev",
      "Nothing was changed in the shop.",
    ],
  },
  {
    what: "credentials in the address",
    url: "https://user:word@my-shop.example",
    screen: [
      "error: the stack dev has no complete connection to a shop:",
      "  - shop:url must not contain credentials: move them to shop:applicationId and shop:password",
      "Or start a shop on this machine: npx pulumi-shop serve --stack dev",
      "Nothing was changed in the shop.",
    ],
  },
  {
    what: "an address that is none",
    url: "my shop",
    screen: [
      "error: the stack dev has no complete connection to a shop:",
      '  - shop:url must be an address such as https://my-shop.example, got "my shop"',
      "Or start a shop on this machine: npx pulumi-shop serve --stack dev",
      "Nothing was changed in the shop.",
    ],
  },
];
