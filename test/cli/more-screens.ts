/** More mistakes that people make, each with the screen that it gives: what screens.test.ts holds. */

import { allExports } from "./screens.ts";

export const moreFiles: Readonly<Record<string, string>> = {
  "prices.csv": "sku,price\nA,1\n",
  "broken.json": "{ bad",
  "list.json": "{}",
  "theme/latin.liquid": "x",
};

export const morePrograms = [
  {
    code: 'const kind = new PriceKind("kind", { title: "Wholesale" }); new Product("x", { title: "X", variants: [{ price: 5, prices: { ["" + kind.title]: 4 } }] });',
    screen: [
      'index.ts:6  Product "x"',
      "  variants[0].prices: has a key made from an Output or another object: write the key as a string, such as { Wholesale: 9 }; dependsOn makes the resource wait for the object of that name",
    ],
  },
  {
    code: 'new Product("x", { title: "X" }, { parent: "x" as never });',
    screen: [
      'the program failed: parent: got "x", expected a resource: write the variable, not its name',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new Product("x", { title: "X" }, { dependsOn: ["mug" as never] });',
    screen: [
      'the program failed: dependsOn: got "mug", expected a resource: write the variable, not its name',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new Product("x", { title: "X" }, { provider: "x" as never });',
    screen: [
      'the program failed: provider: got "x", expected a resource: write the variable, not its name',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new Product("x", { title: "X" }, { protect: "yes" as never });',
    screen: ['the program failed: protect: got "yes", expected true or false', "  at index.ts:6:N"],
  },
  {
    code: 'new Product("x", { title: "X" }, "x" as never);',
    screen: [
      "the program failed: the options of a Product are a string: write an object, such as { protect: true }",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new Product("x", { title: "X", id: "55" } as never);',
    screen: [
      'the program failed: the arguments of a Product have an id, which only the shop sets: to manage an object of the shop by its id, write adopt: "8841"',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new Product("x", ["X"] as never);',
    screen: [
      'the program failed: the arguments of a Product are a list: write an object, new Product("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'import { Product as P } from "pulumi-shop/sdk"; void P;',
    screen: [
      "the program failed: Package subpath './sdk' is not defined by \"exports\" in node_modules/pulumi-shop/package.json imported from index.ts",
      "  The package has pulumi-shop, pulumi-shop/provider, pulumi-shop/client, pulumi-shop/shop, pulumi-shop/engine, pulumi-shop/testing",
      "  at index.ts:6",
    ],
  },
  {
    code: 'import { Product as P } from "pulumi_shop"; void P;',
    screen: [
      "the program failed: Cannot find package 'pulumi_shop' imported from index.ts",
      "  Run npm install; if package.json doesn't have the package, npm install pulumi_shop",
      "  at index.ts:6",
    ],
  },
  ...["~/prices.ts", "@/prices.ts", "node_modules/prices.ts"].map((path) => ({
    code: `import "${path}";`,
    screen: [
      `the program failed: Cannot find package '${path.replace(/(?<=\w)\/.*|(?<=~)\/.*/, "")}' imported from index.ts`,
      "  Node doesn't read paths and baseUrl of tsconfig.json: write a path that begins with ./ or ../, and the file's ending",
      "  at index.ts:6",
    ],
  })),
  {
    code: 'import "#prices";',
    screen: [
      'the program failed: TypeError: Package import specifier "#prices" is not defined in package package.json imported from index.ts',
      "  Name it under imports in package.json",
      "  at index.ts:6",
    ],
  },
  {
    code: 'import all from "pulumi-shop"; void all;',
    screen: [
      "the program failed: index.ts:6",
      'import all from "pulumi-shop"; void all;',
      "       ^^^",
      "SyntaxError: The requested module 'pulumi-shop' does not provide an export named 'default'",
      '  Write import { NAME } from "pulumi-shop", or import * as everything from "pulumi-shop"',
    ],
  },
  {
    code: "await shop.getTheme({ publishd: true } as never);",
    screen: ["the program failed: unknown argument publishd, did you mean published?", "  at index.ts:6:N"],
  },
  {
    code: 'await shop.getTheme("Main" as never);',
    screen: [
      'the program failed: getTheme takes an object, such as getTheme({ id: 640 }); got "Main"',
      "  at index.ts:6:N",
    ],
  },
  {
    code: "await (shop.getThemes as any)({ published: true }, {});",
    screen: [
      "the program failed: getThemes takes no arguments, only options, such as getThemes({ provider }); unknown option published",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "await shop.getTheme({ published: true }, { providr: undefined } as any);",
    screen: [
      "the program failed: getTheme: unknown option providr, did you mean provider?",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "shop.getThemesOutput({ providr: undefined } as any);",
    screen: [
      "the program failed: getThemes takes no arguments, only options, such as getThemes({ provider }); unknown option providr, did you mean provider?",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.Coupon("b", { code: "B", discount: { percent: 1 } }, { deletedWith: new shop.PriceKind("k", { title: "K" }) });',
    screen: [
      "the program failed: deletedWith of b: a shop deletes nothing together with a PriceKind, so the object would stay, and a replacement would create a second one: write dependsOn, or retainOnDelete: true to leave it in the shop",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "await shop.getProduct(55 as never);",
    screen: [
      "the program failed: pulumi-shop has no getProduct, did you mean Product?",
      allExports,
      "  at index.ts:6",
    ],
  },
  {
    code: 'shop.table("nosuch.csv", { key: "sku" });',
    screen: [
      "the program failed: can't read nosuch.csv: there is no such file; write a path relative to the program's folder",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'shop.table("prices.csv", { key: "skuu" } as never);',
    screen: [
      "the program failed: prices.csv: the first line has no column skuu, it has sku, price",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'shop.table("prices.csv", undefined as never);',
    screen: [
      'the program failed: prices.csv: write the column that names a row: table("prices.csv", { key: "sku" })',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'shop.table("theme", { key: "sku" });',
    screen: [
      "the program failed: can't read theme: it is a folder; write a path relative to the program's folder",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'shop.table("broken.json", { key: "sku" } as never);',
    screen: [
      "the program failed: broken.json is not JSON: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'shop.table("list.json", { key: "sku" } as never);',
    screen: ["the program failed: list.json must be a list of objects", "  at index.ts:6:N"],
  },
  {
    code: 'new Product("x", { title: "Big " + mug.title });',
    screen: [
      'index.ts:6  Product "x"',
      "  title: contains an Output that was joined to a string with + or in a template: write a template with pulumi.interpolate before it",
    ],
  },
  {
    code: 'new JsTag("x", { type: "JsTag::TextTag", name: "x", content: JSON.stringify({ id: mug.id }) });',
    screen: [
      'index.ts:6  JsTag "x"',
      "  content: contains an Output that was passed to JSON.stringify: use pulumi.jsonStringify",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { themeId: 1 } as never);',
    screen: [
      'the program failed: ThemeFolder "x": folder must be the path of the theme\'s folder, such as "theme"',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { folder: "theme" } as never);',
    screen: [
      'the program failed: ThemeFolder "x": themeId is required, such as getThemeOutput({ published: true }).id',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { themeId: 1, folder: "nosuch" });',
    screen: [
      "the program failed: there is no theme in nosuch: name the folder that contains templates/, snippets/, config/, media/",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { themeId: 1, folder: "theme", ignore: "x" as never });',
    screen: [
      'the program failed: ThemeFolder "x": ignore must be a list: write [ ] around it',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { themeId: 1, foldr: "theme" } as never);',
    screen: [
      'the program failed: ThemeFolder "x": unknown argument foldr, did you mean folder?',
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.ThemeFolder("x", { themeId: 1, folder: "theme", files: { "templates/nosuch.liquid": false } });',
    screen: [
      "the program failed: there is no theme in theme: name the folder that contains templates/, snippets/, config/, media/",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new shop.Prices("x", { file: "prices.csv", sheet: 1 as never });',
    screen: ['index.ts:6  Prices "x"', "  sheet: got 1, expected the name of a sheet"],
  },
  {
    code: 'new shop.Prices("x", { fil: "prices.csv" } as never);',
    screen: [
      'index.ts:6  Prices "x"',
      "  fil: unknown argument, did you mean file?",
      "  file: is required, or rows",
    ],
  },
  {
    code: 'new shop.Prices("x", { file: "theme" });',
    screen: ['index.ts:6  Prices "x"', "  file: can't read theme: it is a folder; write the path of a file"],
  },
  {
    code: 'new shop.Prices("x", { file: "prices.csv" });',
    screen: [
      'index.ts:6  Prices "x"',
      '  file: prices.csv: row 2, column sku: "A": no variant has this sku; write the sku of one variant of the shop',
    ],
  },
  {
    code: 'new shop.Prices("x", { rows: [{ price: 1 }] as never });',
    screen: [
      'index.ts:6  Prices "x"',
      '  rows: there is no column sku; the sheet has "price". Say which column has it, such as columns: { sku: "Article" }, or set key to barcode',
    ],
  },
  {
    code: 'new shop.Prices("x", { file: "prices.csv", onRemove: "delete" as never });',
    screen: ['index.ts:6  Prices "x"', '  onRemove: got "delete", expected keep or restore'],
  },
  {
    code: 'Promise.reject(new Error("nobody waits"));',
    screen: ["the program failed: nobody waits", "  at index.ts:6:N"],
  },
  {
    code: 'JSON.parse("{ bad");',
    screen: [
      "the program failed: SyntaxError: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "const { price } = undefined as never as { price: number }; void price;",
    screen: [
      "the program failed: TypeError: Cannot destructure property 'price' of 'undefined' as it is undefined.",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'new (shop as never as { Produkt: typeof Product }).Produkt("x", { title: "X" });',
    screen: [
      "the program failed: pulumi-shop has no Produkt, did you mean Product?",
      allExports,
      "  at index.ts:6",
    ],
  },
  {
    code: "(Product as never as () => void)();",
    screen: [
      "the program failed: TypeError: Class constructor Product cannot be invoked without 'new'",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "pulumi.output(undefined).apply((v) => (v as never as { foo: { bar: 1 } }).foo.bar);",
    screen: [
      "the program failed: TypeError: Cannot read properties of undefined (reading 'foo')",
      "  at index.ts:6:N",
    ],
  },
  {
    code: 'require("pulumi-shop");',
    screen: [
      "the program failed: ReferenceError: require is not defined in ES module scope, you can use import instead",
      "  at index.ts:6:N",
    ],
  },
  {
    code: "export = { a: 1 };",
    screen: [
      "the program failed: index.ts:6",
      'const mug = new Product("mug", { title: "Mug", variants: [{ price: 5 }] }); void mug;',
      "export = { a: 1 };",
      "^^^^^^^^^^^^^^^^^^",
      "",
      "SyntaxError: TypeScript export assignment is not supported in strip-only mode",
      "  Write it another way, such as a const object instead of an enum",
    ],
  },
  {
    code: 'new Product("Mug " + undefined, { title: "X" });',
    screen: [
      'the program failed: the name of a Product is "Mug undefined", made from a value that is undefined: write a name of your own first, new Product("name", { ... })',
      "  at index.ts:6:N",
    ],
  },
];

export const moreCommands = [
  {
    typed: "preview --stack dev --cwd index.ts",
    code: 1,
    screen: [
      "error: FOLDER/index.ts is a file: name the project's folder",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "pull --stack dev --cwd index.ts",
    code: 2,
    screen: ["error: --cwd: FOLDER/index.ts is a file: name a folder"],
  },
  {
    typed: "up --stack dev --y",
    code: 2,
    screen: ["error: unknown option --y, did you mean --yes?; --help lists the options"],
  },
  {
    typed: "up --stack dev --plan theme",
    code: 1,
    screen: ["error: the plan theme can't be read: it is a folder", "Nothing was changed in the shop."],
  },
  {
    typed: "serve --fixture nosuch.json",
    code: 2,
    screen: ["error: --fixture nosuch.json can't be read: there is no such file"],
  },
  { typed: "init index.ts", code: 2, screen: ["error: FOLDER/index.ts is a file: name a folder"] },
  {
    typed: "pull --stack dev coupns",
    code: 2,
    screen: [
      "error: there is no kind coupns, did you mean coupons? The kinds are products, coupons, priceKinds, applicationCharges, recurringCharge, assets, files, jsTags",
    ],
  },
  {
    typed: "config set shop:url not-a-url --stack dev",
    code: 2,
    screen: ['error: shop:url must be an address such as https://my-shop.example, got "not-a-url"'],
  },
  {
    typed: "config set shop:url https://shop.example/admin --stack dev",
    code: 2,
    screen: ["error: shop:url must be the host only: https://shop.example"],
  },
  {
    typed: "config set shop:maxDeletes many --stack dev",
    code: 2,
    screen: ['error: shop:maxDeletes must be an integer of at least 0, such as 5, got "many"'],
  },
  {
    typed: "config set shop:maxPriceChange 20% --stack dev",
    code: 2,
    screen: ['error: shop:maxPriceChange must be a percentage such as 20, got "20%"'],
  },
  {
    typed: "config set shop:protected yes --stack dev",
    code: 2,
    screen: ['error: shop:protected must be true or false, got "yes"'],
  },
  {
    typed: "config set percent 10 extra --stack dev",
    code: 2,
    screen: ['error: unexpected argument "extra"; a stack is named with --stack; --help lists the options'],
  },
  {
    typed: "config delete percent --stack dev",
    code: 2,
    screen: ["error: config takes list, set KEY VALUE, get KEY, or remove KEY; --help shows an example"],
  },
  { typed: "config get nosuch --stack dev", code: 1, screen: ["error: configuration key nosuch is not set"] },
  {
    typed: "up --stack dev --auto-approve",
    code: 2,
    screen: ["error: unknown option --auto-approve: use --yes; --help lists the options"],
  },
  {
    typed: "up --stack dev --dry-run",
    code: 2,
    screen: [
      "error: unknown option --dry-run: preview shows what up would change, and changes nothing; --help lists the options",
    ],
  },
  { typed: "up --stack dev --yes=true", code: 2, screen: ["error: option --yes takes no value"] },
  {
    typed: "up -auto-approve",
    code: 2,
    screen: ["error: unknown option -auto-approve: use --yes; --help lists the options"],
  },
  {
    typed: "up -target=mug",
    code: 2,
    screen: ["error: unknown option -target, did you mean --target?; --help lists the options"],
  },
  {
    typed: "terraform plan",
    code: 2,
    screen: ["error: unknown command terraform: leave it out: preview shows the plan, up applies it"],
  },
  {
    typed: "pulumi up",
    code: 2,
    screen: ["error: unknown command pulumi: leave it out: preview shows the plan, up applies it"],
  },
  {
    typed: "watch",
    code: 2,
    screen: [
      "error: unknown command watch: use theme dev to see a theme while you write it; up applies the program once",
    ],
  },
  {
    typed: "logs",
    code: 2,
    screen: ["error: unknown command logs: use history to see who ran what on a stack"],
  },
  {
    typed: "deploy",
    code: 2,
    screen: ["error: unknown command deploy: use up to apply the program to the shop"],
  },
  {
    typed: "stack ls",
    code: 2,
    screen: [
      "error: unknown command stack: use stacks to list the project's stacks, and state list for the resources of one",
    ],
  },
  {
    typed: "state show --stack dev",
    code: 2,
    screen: [
      "error: state takes list, remove NAME, rename NAME NEW, or move NAME... --to STACK; --help shows an example",
    ],
  },
  {
    typed: "state show mug --stack dev",
    code: 2,
    screen: [
      "error: state takes list, remove NAME, rename NAME NEW, or move NAME... --to STACK; --help shows an example",
    ],
  },
  {
    typed: "state rename mug --stack dev",
    code: 2,
    screen: [
      "error: state takes list, remove NAME, rename NAME NEW, or move NAME... --to STACK; --help shows an example",
    ],
  },
  {
    typed: "output nosuch --stack dev",
    code: 6,
    screen: ["error: the stack dev has no state yet: run up to create it"],
  },
  {
    typed: "import --stack dev",
    code: 2,
    screen: ["error: import takes TYPE NAME ID, or --file FILE; --help shows an example"],
  },
  {
    typed: "import --stack dev product a abc",
    code: 1,
    screen: ["Failed:", '  Product "a"', "    the shop URL has no product abc"],
  },
  {
    typed: "import --file nosuch.json --stack dev",
    code: 2,
    screen: ["error: nosuch.json: there is no such file"],
  },
  {
    typed: "import --file broken.json --stack dev",
    code: 2,
    screen: [
      "error: broken.json is not JSON: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
    ],
  },
  {
    typed: "theme dev nosuch",
    code: 1,
    screen: [
      "error: there is no theme in FOLDER/nosuch: name the folder that contains templates/, snippets/, config/, media/",
    ],
  },
  {
    typed: "theme check index.ts",
    code: 1,
    screen: [
      "error: there is no theme in FOLDER/index.ts: name the folder that contains templates/, snippets/, config/, media/",
    ],
  },
  {
    typed: "theme dev --theme abc --stack dev",
    code: 1,
    screen: [
      "error: there is no theme in FOLDER/theme: name the folder that contains templates/, snippets/, config/, media/",
    ],
  },
  {
    typed: "serve --port abc",
    code: 2,
    screen: ["error: --port must be an integer from 0 to 65535, got abc"],
  },
  {
    typed: "serve --limit x",
    code: 2,
    screen: ["error: --limit must be MAX/SECONDS, such as 500/300, or off, got x"],
  },
  {
    typed: "preview --stack dev --at yesterday",
    code: 2,
    screen: [
      'error: --at must be a date and a time of the shop, such as 2026-11-27T00:00, or with an offset: 2026-11-27T00:00+03:00, got "yesterday"',
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack dev --pictures index.ts",
    code: 2,
    screen: ["error: --pictures: index.ts is a file: name a folder", "Nothing was changed in the shop."],
  },
  {
    typed: "preview --stack dev --save-plan theme",
    code: 1,
    screen: [
      "error: the plan theme can't be written: it is a folder; name a file",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack dev --timeout 10",
    code: 2,
    screen: ["error: --timeout must be a time such as 90s, 10m or 1h, got 10"],
  },
  {
    typed: "preview --stack dev --engine terraform",
    code: 2,
    screen: ["error: --engine must be embedded or pulumi, got terraform"],
  },
  {
    typed: "preview dev",
    code: 2,
    screen: ['error: unexpected argument "dev"; a stack is named with --stack; --help lists the options'],
  },
  {
    typed: "up --stack dev --plan prices.csv --yes",
    code: 1,
    screen: [
      "error: the plan prices.csv is damaged (Unexpected token 's', \"sku,price",
      "A,1",
      '" is not valid JSON); make a new plan',
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "up --stack dev --yes --exclude nosuch",
    code: 2,
    screen: [
      'The state of dev is in FOLDER/backend/.pulumi/stacks/user/dev.json. Colleagues who work on this shop need this file too: see "Work in a team" in the documentation.',
      "error: --exclude: neither the program nor the state has nosuch",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "up --stack dev --yes --keep nosuch",
    code: 2,
    screen: [
      'The state of dev is in FOLDER/backend/.pulumi/stacks/user/dev.json. Colleagues who work on this shop need this file too: see "Work in a team" in the documentation.',
      "error: --keep: the stack dev has no resource nosuch, and the plan creates none",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "stacks delete dev",
    code: 2,
    screen: ["error: stacks takes list, or remove NAME; --help shows an example"],
  },
  {
    typed: "unlock --stack nosuch",
    code: 6,
    screen: ["error: the stack nosuch does not exist; the project user has dev, staging"],
  },
  {
    typed: "preview --stack Dev",
    code: 6,
    screen: [
      "error: the stack Dev does not exist (did you mean dev?); the project user has dev, staging; for a new stack, add --create",
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --stack org/proj/dev",
    code: 1,
    screen: [
      'error: "org/proj/dev" is not a valid stack name: letters, digits, hyphens, underscores and periods only',
      "Nothing was changed in the shop.",
    ],
  },
  {
    typed: "preview --json --stack dev --markdown",
    code: 2,
    screen: ["error: option --markdown requires a value: --markdown FILE"],
  },
  {
    typed: "completion",
    code: 2,
    screen: ["error: completion requires a shell: bash, zsh, powershell, fish; got none"],
  },
  {
    typed: "accept a --all --stack dev",
    code: 2,
    screen: ["error: give names or --all, not both"],
  },
  {
    typed: "accept nosuch --stack dev",
    code: 2,
    screen: ["error: the stack dev has no resource nosuch, and there is no such kind"],
  },
  {
    typed: "accept Kupon --stack dev",
    code: 2,
    screen: ["error: the stack dev has no resource Kupon, and there is no such kind, did you mean Coupon?"],
  },
  {
    typed: "history --stack nosuch",
    code: 6,
    screen: ["error: the stack nosuch does not exist; the project user has dev, staging"],
  },
];

/** Stack files that can't be read as meant. */
export const stackFiles = [
  {
    text: "config:\n\tshop:url: http://x\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: Tabs are not allowed as indentation at line 2, column 1:",
  },
  {
    text: "config: [a\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 1:",
  },
  {
    text: "config:\n  a: 1\n  a: 2\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: Map keys must be unique at line 3, column 3:",
  },
  {
    text: "---\nconfig: {}\n---\nconfig: {}\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: it has a second document after ---",
  },
  {
    text: "shop:url: http://127.0.0.1:1\n",
    says: "FOLDER/Pulumi.dev.yaml: shop:url is outside of config: indent it below config:",
  },
  {
    text: "config: yes\n",
    says: "FOLDER/Pulumi.dev.yaml: config must have keys, each on a line of its own: key: value",
  },
  {
    text: "config:\n  - shop:url: x\n",
    says: "FOLDER/Pulumi.dev.yaml: config must have keys, each on a line of its own: key: value",
  },
  {
    text: "confg:\n  shop:url: x\n",
    says: "FOLDER/Pulumi.dev.yaml: unknown key confg, did you mean config?",
  },
  {
    text: "config\n  shop:url: http://x\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: write a colon and a blank after the key at line 1, column 1:",
  },
  {
    text: "config:\n<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> spring\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: git left a conflict in it, at line 2: resolve it",
  },
  {
    text: "encryptionsalt: v1\n  config: {}\n",
    says: "FOLDER/Pulumi.dev.yaml is not YAML: put a value with a colon in quotes, or indent the next line less, at line 1, column 17:",
  },
  { text: "shop\n", says: "FOLDER/Pulumi.dev.yaml must have keys such as config:, each with a colon" },
  {
    text: "config:\n  shop:maxDeletes: many\n",
    says: 'Pulumi.dev.yaml: shop:maxDeletes must be an integer of at least 0, such as 5, got "many"',
  },
  {
    text: "encryptionsalt: 5\nconfig: {}\n",
    says: "FOLDER/Pulumi.dev.yaml: encryptionsalt must be the text that Pulumi wrote; restore it",
  },
] as const;

/** Project files that can't be used, with the message of each. */
export const projectFiles = [
  { text: "runtime: nodejs\n", says: "FOLDER/Pulumi.yaml: name is missing: write name: my-project" },
  {
    text: "name: my shop/x\nruntime: nodejs\n",
    says: 'FOLDER/Pulumi.yaml: name must be at most 100 letters, digits, hyphens, underscores and periods, got "my shop/x"',
  },
  {
    text: "name: user\nmain: index.ts\nbackend:\n  url: file://./backend\n",
    says: "FOLDER/Pulumi.yaml: runtime is missing: write runtime: nodejs",
  },
  {
    text: "hello\n",
    says: "FOLDER/Pulumi.yaml must have keys such as name:, each with a colon",
  },
  {
    text: "name: 5\nruntime: nodejs\n",
    says: "FOLDER/Pulumi.yaml: name must be at most 100 letters, digits, hyphens, underscores and periods, got 5",
  },
  {
    text: "name: user\nruntime: nodejs\nmain: 5\n",
    says: "FOLDER/Pulumi.yaml: main must be a path",
  },
  {
    text: "name: user\nruntime: nodejs\nmian: index.ts\n",
    says: "FOLDER/Pulumi.yaml: unknown key mian, did you mean main?",
  },
  {
    text: "name: user\nruntime: node\nmain: index.ts\n",
    says: "FOLDER/Pulumi.yaml: unknown runtime node, did you mean nodejs?",
  },
  ...["{ name: nodejs, options: yes }", "nodejs\nplugins: []", "nodejs\nconfig: [a]"].map(
    (runtime, index) => ({
      text: `name: user\nmain: index.ts\nruntime: ${runtime}\n`,
      says: `FOLDER/Pulumi.yaml: ${["options of runtime", "plugins", "config"][index]} must have keys, each on a line of its own: key: value`,
    }),
  ),
  // With another backend, the run would not find the states.
  ...["file://./states", "{ url: 5 }", "{ ulr: file://./states }"].map((backend) => ({
    text: `name: user\nruntime: nodejs\nmain: index.ts\nbackend: ${backend}\n`,
    says: "FOLDER/Pulumi.yaml: backend must have the key url alone: backend: { url: file://./states }",
  })),
] as const;

/** Bytes that are no UTF-8, such as a file saved as UTF-16. */
export const notUtf8 = Buffer.from([0xff, 0xfe, 0x61, 0x00]);
