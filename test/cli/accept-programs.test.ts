// Programs in many shapes and random edits of staff: after `accept`, the program has the shop's values and nothing
// else changed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { planAcceptance } from "../../cli/accept/acceptance.ts";
import { openTables } from "../../cli/accept/tables.ts";
import { readDeclarations } from "../../cli/program/declarations.ts";
import { openSources } from "../../cli/program/sources.ts";
import { full } from "../support/campaign.ts";

interface Product {
  readonly title: string;
  readonly unit: string;
  readonly variants: readonly { readonly sku: string; readonly price: number | string }[];
}
type Asked = Readonly<Record<string, Product>>;

/** Each shape declares the same products in another way. */
const shapes: Readonly<Record<string, (all: Asked) => string>> = {
  literals: (all) =>
    Object.entries(all)
      .map(([name, args]) => `new Product(${q(name)}, ${q(args)}); // ${name}`)
      .join("\n"),
  constants: (all) =>
    `const unit = "pce";\n${Object.entries(all)
      .map(
        ([name, { title, unit, variants }], n) =>
          `/* ${n} */ const title${n} = ${q(title)};\nnew Product('${name}', {\n  title: title${n},\n  unit${unit === "pce" ? "" : `: ${q(unit)}`},\n  variants: [\n${variants.map((one) => `    ${q(one)}, // a variant\n`).join("")}  ],\n});`,
      )
      .join("\n")}`,
  "a table, as pull writes it": (all) =>
    `const shared = { unit: "pce" } as const;\n/** By name. */\nconst table: Record<string, object> = {\n${Object.entries(
      all,
    )
      .map(([name, { unit, ...args }]) => `  ${q(name)}: ${q(unit === "pce" ? args : { ...args, unit })},\n`)
      .join(
        "",
      )}};\nfor (const [name, args] of Object.entries(table)) new Product(name, { ...shared, ...args });`,
  "a list that is mapped": (all) =>
    `const of = (title: string, price: number | string, sku: string) => ({ title, variants: [{ sku, price }] });\nconst rows = [\n${Object.entries(
      all,
    )
      .map(
        ([
          name,
          {
            title,
            unit,
            variants: [one],
          },
        ]) =>
          `  { name: ${q(name)}, unit: ${q(unit)}, ...of(${q(title)}, ${q(one?.price)}, ${q(one?.sku)}) },\n`,
      )
      .join("")}];\nrows.map(({ name, ...args }) => new Product(\`\${name}\`, args));`,
  "rest parameters, and those in lists": (
    all,
  ) => `const v = (sku: string, price: number | string) => ({ sku, price });
function product(name: string, [title, unit = "kg"]: readonly [string, string?], ...[first, ...more]: readonly object[]) {
  new Product(name, { title, unit, variants: [first, ...more] });
}
${Object.entries(all)
  .map(
    ([name, { title, unit, variants }]) =>
      `product(${q(name)}, [${q(title)}, ${q(unit)}], ${variants.map((one) => `v(${q(one.sku)}, ${q(one.price)})`).join(", ")});\n`,
  )
  .join("")}`,
  "a callback with the number of its item": (all) =>
    `const first = 0;\nconst items = [\n${Object.values(all)
      .map((args) => `  ${q(args)},\n`)
      .join("")}];\nitems.forEach((args, index) => new Product(\`p-\${index + first}\`, args));`,
  "parts of a list, one behind the other": (all) =>
    `const rows = [\n${Object.entries(all)
      .map(([name, args]) => `  { name: ${q(name)}, ...${q(args)} },\n`)
      .join(
        "",
      )}];\nfor (const { name, ...args } of rows.slice(0, 1).concat(rows.slice(1))) new Product(name, args);`,
  "a list by number and a Map": (all) => {
    const own = Object.entries(all);
    const half = Math.ceil(own.length / 2);
    return `let unit = "pce", n0 = 0;
const list = [
${own
  .slice(0, half)
  .map(
    ([name, { unit, ...args }]) =>
      `  { name: ${q(name)}, ...${q(args)}, unit${unit === "pce" ? "" : `: ${q(unit)}`} },\n`,
  )
  .join("")}];
for (let n = 0; n < list.length; n++) {
  const { name, ...args } = list[n]!;
  n0 += 1;
  new Product(name, args);
}
const map = new Map([
${own
  .slice(half)
  .map(([name, args]) => `  [${q(name)}, ${q(args)}], // ${name}\n`)
  .join("")}] as const);
for (const [name, args] of map) new Product(name, { ...args });`;
  },
  "enums, static constants and branches": (all) => {
    const own = Object.entries(all);
    const prices = own.flatMap(([, { variants }], n) =>
      variants.map((one, k) => `  p${n}_${k} = ${q(one.price)}, // a variant\n`),
    );
    const made = own.map(([name, { unit, variants }], n) => {
      const items = variants.map((one, k) => `{ sku: ${q(one.sku)}, price: Price.p${n}_${k} }`);
      return `  new Product(${q(name)}, { title: Title.t${n}, unit: ${q(unit)}, variants: [${items.join(", ")}] });\n`;
    });
    return `enum Price {
${prices.join("")}}
class Title {
${own.map(([, { title }], n) => `  static readonly t${n} = ${q(title)};\n`).join("")}}
const size: number = 2;
if (size > 1) {
${made.join("")}} else {
  for (const [n, name] of ${q(Object.keys(all))}.entries()) new Product(name, { title: \`\${n}\`, unit: "kg", variants: [] });
}`;
  },
};
const q = (value: unknown) => JSON.stringify(value);

function run(text: string): Asked {
  const asked: Record<string, Product> = {};
  class Made {
    constructor(name: string, args: Product) {
      asked[name] = args;
    }
  }
  new Function("Product", stripTypeScriptTypes(text.replace(/^import.*$/m, ""), { mode: "transform" }))(Made);
  return asked;
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 999 }),
  fc.integer({ min: 100, max: 9_999 }).map((cents) => (cents / 100).toFixed(2)),
);
const title = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."ab'\"`$ {}\\\nжé\u202e") });
const product = fc.record({
  title,
  unit: fc.constantFrom("pce", "kg"),
  prices: fc.array(price, { minLength: 1, maxLength: 3 }),
});

test.each(Object.keys(shapes))(
  "of %s, whatever staff edit, the program then asks that, and each other value as before",
  async (shape) => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-accept-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const entry = join(folder, "index.ts");
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.tuple(fc.boolean(), title, price)),
        async (drawn, stream) => {
          const isMapped = shape === "a list that is mapped";
          const before: Asked = Object.fromEntries(
            drawn.map(({ prices, ...rest }, n) => [
              `p-${n}`,
              {
                ...rest,
                variants: prices
                  .slice(0, isMapped ? 1 : 3)
                  .map((one, k) => ({ sku: `S${n}-${k}`, price: one })),
              },
            ]),
          );
          const text = `import { Product } from "pulumi-shop";\n${shapes[shape]?.(before)}\n`;
          expect(run(text)).toEqual(before);
          writeFileSync(entry, text);
          const draws = stream[Symbol.iterator]();
          const wanted: Record<string, Product> = {};
          const changes = Object.entries(before).flatMap(([name, args]) => {
            const drift = (path: string, asked: unknown, is: unknown) => ({
              urn: name,
              kind: "Product",
              name,
              path,
              asked,
              is,
              isConflict: false,
              inputs: args as never,
            });
            const [edits, nextTitle] = draws.next().value as [boolean, string, unknown];
            const variants = args.variants.map((one) => {
              const [isEdited, , next] = draws.next().value as [boolean, string, number | string];
              return isEdited ? { ...one, price: next } : one;
            });
            const unit = edits ? (args.unit === "kg" ? "pce" : "kg") : args.unit;
            wanted[name] = { title: edits ? nextTitle : args.title, unit, variants };
            return [
              ...(edits ? [drift("title", args.title, nextTitle), drift("unit", args.unit, unit)] : []),
              ...variants.flatMap((one, k) =>
                one === args.variants[k]
                  ? []
                  : [drift(`variants[${one.sku}].price`, args.variants[k]?.price, one.price)],
              ),
            ];
          });
          const sources = openSources([entry], folder);
          const program = {
            sources,
            statements: readDeclarations(sources, "dev"),
            tables: openTables(sources, folder),
            others: () => new Map(),
            created: () => undefined,
          };
          const { accepted, left, files } = await planAcceptance(changes, program, {
            home: folder,
            stack: "dev",
            baseOf: () => undefined,
            theirs: false,
          });
          expect(left).toEqual([]);
          expect(accepted.size).toBe(changes.length);
          const after = run(String(files.get(entry) ?? text));
          expect(plain(after)).toEqual(plain(wanted));
          const lines = (one: string) =>
            one.split("\n").filter((line) => /^import|^\/\*\*|^for|^rows|^const of|a variant/.test(line))
              .length;
          expect(lines(String(files.get(entry) ?? text))).toBe(lines(text));
        },
      ),
      { numRuns: full ? 150 : 40 },
    );
  },
);

/** Numbers stay numbers. */
const plain = (asked: Asked) =>
  Object.entries(asked).map(([name, { variants, ...rest }]) => [
    name,
    rest,
    variants.map(({ sku, price: one }) => [sku, Number(one)]),
  ]);
