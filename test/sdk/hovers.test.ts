// Hovers and compiler errors for a program's author, from the package's types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { type Field, type Fields, isArgument, isOutput } from "../../provider/definition/define.ts";
import { fileOf, sentences } from "../../scripts/reference.ts";
import { root } from "../cli/terminal.ts";
import { resources } from "../support/world.ts";

const pathOf = (name: string) => join(root, `test/program-${name}.ts`);
const programs = new Map<string, string>();
/** A required argument with its own type tells the editor which argument type is meant: that of a new object. */
const given = (field: { readonly mode: string; readonly type: string } | undefined) =>
  field?.mode !== "required" ? "any" : field.type === "text" ? '"x"' : "1";
/** A list with an item that has all arguments, each on a line of its own. */
const listText = (fields: Fields, path: string): string =>
  `[{ ${Object.entries(fields)
    .filter(([, field]) => isArgument(field))
    .map(([name, { items }]) => {
      const inner = items?.fields === undefined ? "any" : listText(items.fields, `${path}${name}.`);
      return `\n/* ${path} */ ${name}: ${inner},`;
    })
    .join("")} }]`;
for (const { kind, fields } of resources) {
  const names = (isShown: (field: (typeof fields)[string]) => boolean) =>
    Object.keys(fields).filter((name) => isShown(fields[name] as never));
  programs.set(
    pathOf(kind),
    [
      `import { ${kind} } from "pulumi-shop";`,
      "declare const any: any;",
      `const one = new ${kind}("x", {`,
      ...[...names(isArgument), "adopt"].map((name) => {
        const inner = fields[name]?.items?.fields;
        return `  ${name}: ${inner === undefined ? given(fields[name]) : listText(inner, `${name}.`)},`;
      }),
      "});",
      ...names(isOutput).map((name) => `one.${name};`),
    ].join("\n"),
  );
}

/** An argument that the compiler refuses: its path, and the arguments with it. */
interface Refused {
  readonly path: string;
  readonly args: string;
}

const wrongOf: Partial<Record<Field["type"], readonly string[]>> = {
  boolean: ['"yes"', "1"],
  integer: ["true", '"5"', "{ a: 1 }", "[5]"],
  decimal: ["true", "{ a: 1 }", "[5]"],
  amounts: ["5", "[5]", "{ Wholesale: true }", "{ Wholesale: { amount: 1 } }"],
  items: ['"x"', "5", "[5]", '["x"]', "[{ nosuch: 1 }]", "[null]"],
};
const wrongTexts = ["5", "true", "{ a: 1 }", '["x"]', "new Date(0)"];

/** Wrong values of every argument, and slips of the pen in the names inside lists and short forms. */
function refusedIn(fields: Fields, path: string, put: (args: string) => string): readonly Refused[] {
  const own = Object.entries(fields).filter(([, field]) => isArgument(field));
  return own.flatMap(([name, field]): readonly Refused[] => {
    const needed = own.flatMap(([other, { mode, type, values = {} }]) => {
      const [first = given({ mode, type })] = Object.keys(values);
      const value = type === "text" && first !== given({ mode, type }) ? JSON.stringify(first) : first;
      return mode === "required" && other !== name ? [`${other}: ${value}`] : [];
    });
    const args = (value: string) => put([...needed, `${name}: ${value}`].join(", "));
    const wrong = wrongOf[field.type] ?? wrongTexts;
    const forms = Object.keys(field.forms ?? {}).flatMap((form) => [
      `{ ${form}: true }`,
      `{ ${form}s: 1 }`,
      `{ ${form}: 1, nosuch: 1 }`,
    ]);
    const inner = Object.entries(field.items?.fields ?? {}).filter(([, one]) => isArgument(one));
    const slips = inner.map(([one]) => `[{ ${one}s: any }]`);
    const below = refusedIn(field.items?.fields ?? {}, `${path}${name}[].`, (item) => args(`[{ ${item} }]`));
    return [
      ...[...wrong, ...forms, ...slips].map((value) => ({
        path: `${path}${name} = ${value}`,
        args: args(value),
      })),
      ...below,
    ];
  });
}

const refused = new Map(
  resources.map(({ kind, fields }) => [kind, refusedIn(fields, "", (args) => args)] as const),
);
for (const [kind, all] of refused)
  programs.set(
    pathOf(`${kind}-refused`),
    [
      `import { ${kind} } from "pulumi-shop";`,
      "declare const any: any;",
      "void any;",
      ...all.map(({ args }) => `new ${kind}("x", { ${args} });`),
    ].join("\n"),
  );

/** Programs with a mistake, and the compiler's messages. */
const mistakes: Readonly<Record<string, readonly [program: string, said: string]>> = {
  "a product without its title": [
    `new Product("mug", { variants: [] });`,
    `Argument of type '{ variants: never[]; }' is not assignable to parameter of type 'AdoptedProductArgs | ProductArgs'.
  Property 'title' is missing in type '{ variants: never[]; }' but required in type 'ProductArgs'.`,
  ],
  "an adopted product with a slip of the pen": [
    `new Product("mug", { adopt: "key", variants: [], permalnk: "mug" });`,
    `Object literal may only specify known properties, but 'permalnk' does not exist in type 'AdoptedProductArgs | ProductArgs'. Did you mean to write 'permalink'?`,
  ],
  "an argument with a slip of the pen": [
    `new Product("mug", { title: "Mug", permalnk: "mug" });`,
    `Object literal may only specify known properties, but 'permalnk' does not exist in type 'ProductArgs'. Did you mean to write 'permalink'?`,
  ],
  "a variant with a slip of the pen": [
    `new Product("mug", { title: "Mug", variants: [{ sku: "M", qty: 3 }] });`,
    `Object literal may only specify known properties, and 'qty' does not exist in type 'Input<ProductVariantArgs>'.`,
  ],
  "a number for a text": [
    `new Product("mug", { title: 5 });`,
    `Type 'number' is not assignable to type 'Input<string> | undefined'.`,
  ],
  "a unit that there is none of": [
    `new Coupon("spring", { code: "SPRING", discount: 10, typeId: 3 });`,
    `Type '3' is not assignable to type 'Input<1 | 2 | undefined>'.`,
  ],
};
for (const [name, [program]] of Object.entries(mistakes))
  programs.set(
    pathOf(name.replaceAll(" ", "-")),
    `import { Coupon, Product } from "pulumi-shop";\n${program}\nvoid Coupon;\nvoid Product;\n`,
  );

programs.set(pathOf("types"), 'export * from "pulumi-shop";\n');

/** One language service for all programs, so that common files are read once. */
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  }),
  getScriptFileNames: () => [...programs.keys()],
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = programs.get(file) ?? ts.sys.readFile(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => programs.has(file) || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
});

/** The hover of the name after a text. */
function hover(path: string, before: string, move = 0) {
  const at = (programs.get(path) ?? "").indexOf(before) + before.length + move;
  const info = service.getQuickInfoAtPosition(path, at);
  const text = (parts: ts.SymbolDisplayPart[] | undefined) => ts.displayPartsToString(parts);
  return {
    shown: text(info?.displayParts),
    about: text(info?.documentation).replaceAll("\n", " "),
    tags: (info?.tags ?? []).map(({ name, text: parts }) => `${name}: ${text(parts)}`),
  };
}

test.each(resources)(
  "hovering over an argument or an output of a $kind shows its sentence",
  ({ kind, fields }) => {
    const texts = sentences(kind);
    for (const [name, field] of Object.entries(fields)) {
      const sentence = texts.get(name) ?? "";
      if (isArgument(field)) expect(hover(pathOf(kind), `\n  ${name.slice(0, 1)}`).about, name).not.toBe("");
      for (const before of [...(isArgument(field) ? ["\n  "] : []), ...(isOutput(field) ? ["one."] : [])]) {
        const at = `${before}${name}`;
        const { about, shown } = hover(pathOf(kind), at.slice(0, -1));
        expect(about, at).toContain(sentence);
        expect(shown, at).not.toContain("import(");
      }
    }
    for (const [, path = "", name = ""] of (programs.get(pathOf(kind)) ?? "").matchAll(
      /\/\* (.*) \*\/ (\w+)/g,
    )) {
      const { about, shown } = hover(pathOf(kind), `/* ${path} */ ${name}:`, -2);
      expect(about, path + name).toContain(texts.get(path + name) ?? "no sentence");
      expect(shown, path + name).not.toContain("import(");
    }
    expect(hover(pathOf(kind), "\n  adop").about).toContain("instead of creating one");
  },
);

const checker = service.getProgram()?.getTypeChecker() as ts.TypeChecker;
const exported = checker.getExportsOfModule(
  checker.getSymbolAtLocation(
    service.getProgram()?.getSourceFile(pathOf("types")) as ts.SourceFile,
  ) as ts.Symbol,
);

test("hovering over a member of any exported type shows a sentence: sheets, theme folders, data sources", () => {
  const silent = exported.flatMap((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
    return type.getProperties().flatMap((property) => {
      const isOurs = property.declarations?.some((one) => one.getSourceFile().fileName.includes("/dist/"));
      const text = ts.displayPartsToString(property.getDocumentationComment(checker));
      return isOurs && text === "" ? [`${symbol.name}.${property.name}`] : [];
    });
  });
  expect(silent).toEqual([]);
});

test("hovering over each exported name shows a sentence", () => {
  const silent = exported.filter((symbol) => {
    const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return ts.displayPartsToString(original.getDocumentationComment(checker)) === "";
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test.each(resources)("the arguments of a $kind show the example of its page", ({ kind }) => {
  const example = readFileSync(join(root, "examples/kinds", fileOf(kind), "index.ts"), "utf8").trim();
  const path = join(root, "dist/sdk/types.d.ts");
  const at = readFileSync(path, "utf8").indexOf(`interface ${kind}Args`) + "interface ".length;
  const { tags = [] } = service.getQuickInfoAtPosition(path, at) ?? {};
  expect(tags.map(({ text }) => ts.displayPartsToString(text)).join("\n")).toContain(example);
});

test.each(Object.entries(mistakes))(
  "the compiler names the arguments' type and the property of %s",
  (name, [, said]) => {
    const found = service.getSemanticDiagnostics(pathOf(name.replaceAll(" ", "-")));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([
      said,
    ]);
  },
);

test.each(resources)(
  "each wrong argument of a $kind gets one short message at its line, with no type written out",
  ({ kind }) => {
    const file = pathOf(`${kind}-refused`);
    const text = programs.get(file) ?? "";
    const found = service.getSemanticDiagnostics(file);
    const byLine = Map.groupBy(found, ({ start = 0 }) => text.slice(0, start).split("\n").length - 4);
    for (const [index, { path }] of (refused.get(kind) ?? []).entries()) {
      const [only, ...others] = byLine.get(index) ?? [];
      expect([path, others.length]).toEqual([path, 0]);
      const said = ts.flattenDiagnosticMessageText(only?.messageText ?? "", "\n");
      expect([path, said]).toEqual([
        path,
        expect.stringMatching(/^[^{}\n]*(?:\{[^{}]*\})?[^{}\n]*(?:\n[^{}\n]+){0,2}$/),
      ]);
      expect(said).not.toContain("import(");
    }
  },
);
