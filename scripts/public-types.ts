/** docs/api.md: what each entry point of the package exports, a line for each name, so that a change shows in a diff. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { jsonLinesPage } from "./json-lines.ts";
import type { Page } from "./reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { Alias, Class, Interface, Optional, TypeAlias } = ts.SymbolFlags;

/** The name that a program imports, and the source behind it. */
function entryPoints(): readonly (readonly [string, string])[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([name, to]) =>
    typeof to === "string"
      ? []
      : [[join("pulumi-shop", name), to.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
  );
}

/** Where what `--json` prints has its type. */
const lines = "cli/report/json-display.ts";

export function typePages(): readonly Page[] {
  const all = entryPoints();
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    [...all.map(([, path]) => path), lines].map((path) => join(root, path)),
    options,
  );
  const checker = program.getTypeChecker();
  const sections = all.map(([name, path]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, path)) as ts.SourceFile);
    const names = checker
      .getExportsOfModule(module as ts.Symbol)
      .map((symbol) =>
        lineOf(checker, symbol.name, symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol),
      );
    return `## ${name}\n\n\`\`\`ts\n${names.toSorted().join("\n")}\n\`\`\`\n`;
  });
  const head = `<!-- Written by npm run generate out of the sources. -->
# What the package exports

A line for each name. A change here is a change for whoever imports it: say it in the changelog.
`;
  const printed = checker.getSymbolAtLocation(program.getSourceFile(join(root, lines)) as ts.SourceFile);
  return [
    { path: "docs/api.md", text: [head, ...sections].join("\n") },
    jsonLinesPage(checker, printed as ts.Symbol),
  ];
}

function lineOf(checker: ts.TypeChecker, name: string, symbol: ts.Symbol): string {
  if (symbol.flags & Class) {
    const [made] = checker.getTypeOfSymbol(symbol).getConstructSignatures();
    const given = made === undefined ? "()" : checker.signatureToString(made).replace(/: \w+$/, "");
    return `class ${name}${given} ${membersOf(checker, checker.getDeclaredTypeOfSymbol(symbol))}`;
  }
  if (symbol.flags & (Interface | TypeAlias)) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.InTypeAlias);
    return `type ${name} = ${type.isUnion() || !isObject(type) ? text : membersOf(checker, type)}`;
  }
  const type = checker.getTypeOfSymbol(symbol);
  const isPlain = type.getCallSignatures().length === 0 && isObject(type);
  return `const ${name}: ${isPlain ? membersOf(checker, type) : checker.typeToString(type)}`;
}

const isObject = (type: ts.Type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;

/** The members that are ours, each with its type, as short as the compiler prints it in an error. */
function membersOf(checker: ts.TypeChecker, type: ts.Type): string {
  const own = checker
    .getPropertiesOfType(type)
    .filter(
      ({ declarations = [] }) =>
        !declarations.every((one) => /node_modules/.test(one.getSourceFile().fileName)),
    );
  if (own.length === 0) return type.symbol?.flags & Class ? "{}" : checker.typeToString(type);
  // The compiler renumbers well-known symbols whenever a file is added.
  const names = own.map((member) => {
    const short = checker.typeToString(checker.getTypeOfSymbol(member)).replace(/\s+/g, " ");
    const type = short.length > 60 ? `${short.slice(0, 57)}...` : short;
    return `${member.name.replace(/^__@(\w+)@\d+$/, "[Symbol.$1]")}${member.flags & Optional ? "?" : ""}: ${type}`;
  });
  return `{ ${names.toSorted().join("; ")} }`;
}
