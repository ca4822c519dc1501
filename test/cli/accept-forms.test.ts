// Values that programs write in rarer forms: each is written, or listed with its place; nothing else changes.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

// Each number is one coupon's percentage.
const program = `import { Coupon } from "pulumi-shop";

const coupon = (code: string, discount: number) => new Coupon(code, { code, discount, typeId: 1 });
class Holder {
  percent: number;
  constructor(percent: number) {
    this.percent = percent;
    coupon("own", this.percent);
  }
}
new Holder(13);
coupon("satisfies", 15 satisfies number);
const fixed = { percent: 16 } as const;
coupon("const", fixed.percent);
const base = { percent: 17, other: 1 };
coupon("spread", { ...base, other: 2 }.percent);
const maybe: { deep?: { percent: number } } | undefined = { deep: { percent: 18 } };
coupon("chained", maybe?.deep?.percent ?? 19);
coupon("from-entries", Object.fromEntries([["percent", 20]]).percent!);
[{ code: "destructured", rest: { percent: 21 } }].map(({ code, rest: { percent } }) => coupon(code, percent));
for (const [code, { percent }] of Object.entries({ entry: { percent: 22 } })) coupon(code, percent);
coupon("concat", Number("2" + "3"));
coupon("separated", 2_4);
coupon("bigint", Number(25n));
coupon("hex", 0x1a);
let changed = 26;
changed += 1;
coupon("changed", changed);
coupon("comma", (0, 28));
coupon("nullish", undefined ?? 29);
coupon("non-null", ({ percent: 30 } as { percent?: number }).percent!);
coupon("at-once", (() => 31)());
const made = (function () { return { percent: 32 }; })();
coupon("made", made.percent);
const given = (percent: number) => percent;
coupon("maybe-called", given?.( 33 ));
const methods: { of?: (percent: number) => number } = { of: (percent) => percent };
coupon("maybe-method", methods.of?.( 34 ));
`;
// By the literal that a value comes from.
const listed = { 23: "concat", 25: "bigint", 27: "changed", 28: "comma" };

test("accept writes each form of a literal, or lists it with its place and both values", async () => {
  const { world, terminal } = await openScene(program);
  await terminal.done("up", "--yes", "--skip-preview");
  const rows = world.rows("discount_code");
  for (const { id, discount } of rows)
    await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(ran.code, ran.all).toBe(2);
  for (const [percent, code] of Object.entries(listed))
    expect(ran.stdout).toMatch(
      new RegExp(
        `^  index\\.ts:\\d+  Coupon ${code}: discount: ${percent} % => ${Number(percent) + 50} % \\(the program computes it\\)$`,
        "m",
      ),
    );
  const written = [
    "13",
    "15",
    "16",
    "17",
    "18",
    "20",
    "21",
    "22",
    "2_4",
    "0x1a",
    "29",
    "30",
    "31",
    "32",
    "33",
    "34",
  ];
  const after = written.reduce((text, literal) => {
    const next = String(Number(literal.replace("_", "")) + 50);
    return text.replace(new RegExp(`(?<=[ (])${literal}(?=[ ,)\\]}])`), next);
  }, program);
  expect(terminal.read("index.ts")).toBe(after);
  const preview = await terminal.dev("preview");
  expect(preview.stdout).toContain(`${rows.length - 4} unchanged`);
  expect(preview.stdout).toContain("! Puts back  4 edits of staff: ");
});

test("accept writes a discount's unit only together with its number, which the program may compute", async () => {
  const source = `import { Coupon } from "pulumi-shop";
const base = Number("5");
new Coupon("computed", { code: "A", discount: { amount: 10 * base } });
new Coupon("written", { code: "B", discount: { amount: 60 } });
`;
  const { world, terminal } = await openScene(source);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id } of world.rows("discount_code"))
    await world.edit({ kind: "discount_code", id, set: { type_id: 1, discount: "15.0" } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect([ran.code, terminal.read("index.ts")]).toEqual([
    2,
    source.replace("{ amount: 60 }", "{ percent: 15 }"),
  ]);
});

const made = (code: string) => `new Coupon(${code}, { code: ${code}, discount, typeId: 1 })`;
const kinds: Readonly<Record<string, string>> = {
  "named.ts": `export default function build(code: string, discount: number) { ${made("code")}; }\n`,
  "plain.ts": `export default (code: string, discount: number) => ${made("code")};\n`,
  "renamed.ts": `const own = (code: string, discount: number) => ${made("code")};\nexport { own as other };\n`,
};
const imports = `import * as pulumi from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
import named from "./named.ts";
import plain from "./plain.ts";
import { other } from "./renamed.ts";
import { other as third } from "./renamed.ts";
`;
const own = `named("named", 11);
plain("plain", 12);
other("other", 13);
third("third", 14);
new Coupon("output", { code: "output", discount: pulumi.output(15), typeId: 1 });
`;
const pair = `const PRICE = 27;
new Coupon("quoted", { "code": "quoted", "discount": PRICE, "typeId": 1 });
new Coupon("beside", { "code": "beside", "discount": PRICE, "typeId": 1 });
`;

test("accept follows a function under each name that a module gives it, and a key in quotation marks", async () => {
  const text = `${imports}${own}${pair}`;
  const { world, terminal } = await openScene(text);
  for (const [path, module] of Object.entries(kinds))
    terminal.write(path, `import { Coupon } from "pulumi-shop";\n${module}`);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id, code, discount } of world.rows("discount_code"))
    if (code !== "beside")
      await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
  await terminal.done("accept", "--all", "--yes", "--force");
  const written = own.replaceAll(/\b1[1-5]\b/g, (one) => String(Number(one) + 50));
  expect(terminal.read("index.ts")).toBe(`${imports}${written}${pair.replace(": PRICE", ": 77")}`);
  await terminal.done("preview", "--expect-no-changes");
});

const lib = `import { Coupon } from "pulumi-shop";
export const coupon = (code: string, discount: number) => new Coupon(code, { code, discount, typeId: 1 });
const own = (code: string, discount: number) => coupon(code, discount);
export { own as other };
export const rate = (code: string) => (code === "x" ? 12 : 90);
`;
const whole = `import * as lib from "./lib.ts";
lib.coupon("called", 11);
lib.coupon("rate", lib.rate("x"));
lib.other("renamed", 13);
[{ code: "row", percent: 14 }].map(({ code, percent }) => lib.coupon(code, percent));
`;

test("accept follows functions of a module that is imported as a whole", async () => {
  const { world, terminal } = await openScene(whole);
  terminal.write("lib.ts", lib);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id, discount } of world.rows("discount_code"))
    await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(whole.replaceAll(/\b1[1-4]\b/g, (one) => String(Number(one) + 50)));
  expect(terminal.read("lib.ts")).toBe(lib.replace("12", "62"));
  await terminal.done("preview", "--expect-no-changes");
});

const text = (title: string, last: string) => `import { Product } from "pulumi-shop";
new Product("mug", {
  title: \`${title}\`,
  description: \`<p>${"A long line stays one line. ".repeat(8)}</p>
\\\`marks\\\`, \\\${dollars}, a \\\\ and a caf\\u00e9
joined \\
to this
${last}\`,
  variants: [{ sku: "MUG", price: 5 }],
});
`;

test("a text between backticks stays one, and its lines stay as they are written", async () => {
  const { world, terminal } = await openScene(text("Mug", "last"));
  await terminal.done("up", "--yes", "--skip-preview");
  const description = String(world.rows("product")[0]?.description);
  const set = { title: "Cup", description: `${description}\`!\`` };
  await world.edit({ kind: "product", where: { title: "Mug" }, set });
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(text("Cup", "last\\`!\\`"));
  await terminal.done("preview", "--expect-no-changes");
});

const classes = `import { readFile } from "node:fs/promises";
import { Coupon } from "pulumi-shop";
import { default as percentOf, fixed } from "./rates.ts";

class Sale extends Coupon {
  constructor(code: string, discount: number) {
    super(code, { code, discount, typeId: 1 });
  }
}
new Sale("extended", 11);
new Sale("renamed", percentOf(12));
new Sale("exported", fixed);
const rates = JSON.parse(await readFile("rates.json", "utf8"));
new Sale("awaited", rates["awaited:x".split(":")[0]!]);
new Sale("gone", 19);
`;
const rates =
  "const of = (percent: number) => percent;\nconst own = 13;\nexport { of as default, own as fixed };\n";

test("accept follows classes that extend a resource, renamed exports, and files that a program awaits", async () => {
  const { world, terminal } = await openScene(classes);
  terminal.write("rates.ts", rates);
  terminal.write("rates.json", '{ "awaited": 14 }\n');
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id, code, discount } of world.rows("discount_code"))
    await world.edit({
      kind: "discount_code",
      id,
      ...(code === "gone" ? { delete: true } : { set: { discount: `${Number(discount) + 50}.0` } }),
    });
  await terminal.done("accept", "--all", "--yes", "--force");
  const written = classes.replaceAll(/\b1[12]\b/g, (one) => String(Number(one) + 50));
  expect(terminal.read("index.ts")).toBe(written.replace('new Sale("gone", 19);\n', ""));
  expect(terminal.read("rates.ts")).toBe(rates.replace("13", "63"));
  expect(terminal.read("rates.json")).toBe('{ "awaited": 64 }\n');
  await terminal.done("preview", "--expect-no-changes");
});

test("a secret value that staff changed is listed with the line of its resource", async () => {
  const source = `import * as pulumi from "@pulumi/pulumi";
import { Coupon, Product } from "pulumi-shop";
new Coupon("secret", { code: "S", discount: 5, typeId: 1, description: pulumi.secret("ours") });
new Product("mug", { title: "Mug", variants: [{ sku: "M1", price: 5 }, { sku: "M2", price: pulumi.secret(6) }] });
`;
  const { world, terminal } = await openScene(source);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "S" }, set: { description: "staff's" } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(ran.code).toBe(2);
  expect(ran.stdout).toMatch(/^ {2}index\.ts:3 {2}Coupon secret: description: .*\(a secret value\)$/m);

  for (const { id, variants } of world.rows("product")) {
    const raised = (variants as readonly object[]).map((one) => ({ ...one, price: "9.0" }));
    await world.edit({ kind: "product", id, set: { variants: raised } });
  }
  await terminal.done("refresh", "--yes");
  expect((await terminal.done("preview")).stdout).toContain(
    "! Puts back  2 edits of staff: S description [secret] → [secret]; Mug variants [secret] → [secret] (",
  );
});

const compiled = `import { Coupon } from "pulumi-shop";
enum Rate {
  Small = 11,
  Large = 12, // of all
}
class Sale {
  percent = 13;
  constructor(
    private readonly code: string,
    readonly first: number,
  ) {
    new Coupon(this.code, { code: this.code, discount: this.first, typeId: 1 });
  }
  again(code: string) {
    new Coupon(code, { code, discount: this.percent, typeId: 1 });
  }
}
new Sale("parameter", 14).again("property");
new Coupon("small", { code: "small", discount: Rate.Small, typeId: 1 });
new Coupon("large", { code: "large", discount: Rate["Large"], typeId: 1 });
`;

campaignTest(
  "accept writes values of enums, parameter properties and fields in a program that is compiled",
  async () => {
    const { world, terminal } = await openScene(compiled);
    terminal.write("Pulumi.yaml", "name: user\nruntime: nodejs\nmain: index.ts\n");
    terminal.write("package.json", '{ "name": "user" }');
    // Checking the types of each run's program takes longer than all else.
    terminal.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
    await terminal.done("up", "--yes", "--skip-preview");
    for (const { id, discount } of world.rows("discount_code"))
      await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(
      compiled.replaceAll(/\b1[1-4]\b/g, (one) => String(Number(one) + 50)),
    );
    await terminal.done("preview", "--expect-no-changes");
  },
);

const hidden: Readonly<Record<string, string>> = {
  "index.ts": `import { Coupon, table } from "pulumi-shop";
import { Builder, make } from "./util.ts";
function* generated() {
  yield { code: "GEN", percent: 10 };
}
for (const { code, percent } of generated())
  new Coupon(code, { code, discount: { percent } });
const queue = [{ code: "QUEUE", percent: 11 }];
while (queue.length > 0) {
  const { code, percent } = queue.shift()!;
  new Coupon(code, { code, discount: { percent } });
}
make("CURRIED")(12);
new Builder("BUILT").percent(13).build();
for (const file of ["a.csv"])
  for (const { code, percent } of table(file, { key: "code" }))
    new Coupon(code, { code, discount: { percent: Number(percent) } });
`,
  "a.csv": "code,percent\nROW,14\n",
  "util.ts": `import { Coupon } from "pulumi-shop";
export const make = (code: string) => (percent: number) => new Coupon(code, { code, discount: { percent } });
export class Builder {
  code: string;
  of = 0;
  constructor(code: string) {
    this.code = code;
  }
  percent(of: number) {
    this.of = of;
    return this;
  }
  build() {
    return new Coupon(this.code, { code: this.code, discount: { percent: this.of } });
  }
}
`,
};

test("accept lists a value of a resource whose name is computed with the line that creates that resource", async () => {
  const { world, terminal } = await openScene(hidden["index.ts"] ?? "");
  for (const [path, text] of Object.entries(hidden)) terminal.write(path, text);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const { id, discount } of world.rows("discount_code"))
    await world.edit({ kind: "discount_code", id, set: { discount: `${Number(discount) + 50}.0` } });
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  const listed = ran.stdout.split("\n").filter((line) => line.includes("=>"));
  expect([ran.code, listed]).toEqual([
    2,
    [
      "  index.ts:7  Coupon GEN: discount: 10 % => 60 % (the program computes it)",
      "  index.ts:11  Coupon QUEUE: discount: 11 % => 61 % (the program computes it)",
      "  index.ts:17  Coupon ROW: discount: 14 % => 64 % (the program computes it)",
      "  util.ts:2  Coupon CURRIED: discount: 12 % => 62 % (the program computes it)",
      "  util.ts:14  Coupon BUILT: discount: 13 % => 63 % (the program computes it)",
    ],
  ]);
  for (const [path, text] of Object.entries(hidden)) expect(terminal.read(path)).toBe(text);
});

test("accept names the command for a value that is a setting of the stack", async () => {
  const { world, terminal } = await openScene(`import * as pulumi from "@pulumi/pulumi";
import { Config } from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
import "./autumn.ts";
const config = new pulumi.Config();
const percent = config.requireNumber("percent");
new Coupon("spring", { code: "SPRING", discount: { percent }, description: new Config("texts").get("spring") });
new Coupon("summer", { code: "SUMMER", discount: { percent: percent * 2 } });
`);
  terminal.write(
    "own.ts",
    "const all: Record<string, number> = { percent: 40 };\nexport const made = () => class { get(key: string) { return all[key]; } };\n",
  );
  terminal.write("settings.ts", 'import { made } from "./own.ts";\nexport const Config = made();\n');
  terminal.write(
    "autumn.ts",
    'import { Coupon } from "pulumi-shop";\nimport { Config } from "./settings.ts";\nnew Coupon("autumn", { code: "AUTUMN", discount: { percent: new Config().get("percent") } });\n',
  );
  await terminal.done("config", "set", "percent", "10");
  await terminal.done("config", "set", "texts:spring", "Spring");
  await terminal.done("up", "--yes", "--skip-preview");
  const set = { discount: "15.0", description: "It's spring" };
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set });
  await world.edit({ kind: "discount_code", where: { code: "SUMMER" }, set: { discount: "30.0" } });
  await world.edit({ kind: "discount_code", where: { code: "AUTUMN" }, set: { discount: "50.0" } });
  const listed = async () => {
    const { code, stdout } = await terminal.dev("accept", "--all", "--yes", "--force");
    return [code, stdout.split("\n").filter((line) => line.includes("=>"))];
  };
  const sets = "a setting of the stack: npx pulumi-shop config set";
  expect(await listed()).toEqual([
    2,
    [
      "  autumn.ts:3  Coupon autumn: discount: 40 % => 50 % (the program computes it)",
      `  index.ts:6  Coupon spring: discount: 10 % => 15 % (${sets} percent 15 --stack dev)`,
      `  index.ts:7  Coupon spring: description: "Spring" => "It's spring" (${sets} texts:spring 'It'\\''s spring' --stack dev)`,
      "  index.ts:8  Coupon summer: discount: 20 % => 30 % (the program computes it)",
    ],
  ]);
  terminal.write("own.ts", terminal.read("own.ts").replace("40", "50"));
  await terminal.done("config", "set", "percent", "15");
  await terminal.done("config", "set", "texts:spring", "It's spring");
  await terminal.done("preview", "--expect-no-changes");
});

test("a literal from which the program computes other values stays, and staff's value is written beside it", async () => {
  const world = await openWorld();
  const program = `import { Coupon } from "pulumi-shop";
const base = 10;
const rate = 7;
new Coupon("one", { code: "ONE", discount: { percent: base } });
new Coupon("two", { code: "TWO", discount: { percent: base + 5 } });
new Coupon("three", { code: "THREE", discount: { percent: 20 }, description: \`\${rate} of 100\` });
new Coupon("four", { code: "FOUR", discount: { percent: rate }, minPrice: Math.round(base * 1.5) });
new Coupon("five", { code: "FIVE", discount: { percent: 5 } });
`;
  const terminal = openTerminal(program, world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["ONE", "FOUR", "FIVE"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "12.0" } });
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(
    program
      .replace('"ONE", discount: { percent: base }', '"ONE", discount: { percent: 12 }')
      .replace('"FOUR", discount: { percent: rate }', '"FOUR", discount: { percent: 12 }')
      .replace('"FIVE", discount: { percent: 5 }', '"FIVE", discount: { percent: 12 }'),
  );
});
