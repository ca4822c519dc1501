/** docs/api/: what each door of the package exports, type by type, so that a change of it is seen in a diff. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Page } from "./reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = "docs/api";

/** The package's doors: the name that a program imports, and the source behind it. */
function doors(): readonly (readonly [string, string])[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([name, to]) =>
    typeof to === "string"
      ? []
      : [[join("pulumi-shop", name), to.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
  );
}

/** One page for each door. */
export function typePages(): readonly Page[] {
  const all = doors();
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    all.map(([, path]) => join(root, path)),
    options,
  );
  const checker = program.getTypeChecker();
  const exported = all.map(([name, path]) => {
    const door = checker.getSymbolAtLocation(program.getSourceFile(join(root, path)) as ts.SourceFile);
    const symbols = checker.getExportsOfModule(door as ts.Symbol).map((symbol) => ({
      name: symbol.name,
      of: symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }));
    return { door: name, symbols: symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  });
  // What a door exports is written on its page alone.
  const known = new Set(exported.flatMap(({ symbols }) => symbols.map(({ of }) => of)));
  return exported.map(({ door, symbols }) => {
    const printer = openPrinter(checker, known);
    const shown = symbols.map(({ name, of }) => printer.declare(name, of));
    return {
      path: `${folder}/${door.replace("pulumi-shop/", "").replace("pulumi-shop", "index")}.md`,
      text: pageOf(door, shown, printer.behind()),
    };
  });
}

function pageOf(name: string, shown: readonly string[], behind: readonly string[]): string {
  return `<!-- Written by npm run generate out of the sources. -->
# ${name}

What it exports. A change here is a change for whoever imports it: say it in the changelog.

\`\`\`ts
${shown.join("\n")}
\`\`\`
${behind.length === 0 ? "" : `\nTypes that these are made of, and that have no name of their own outside:\n\n\`\`\`ts\n${behind.join("\n")}\n\`\`\`\n`}`;
}

interface Printer {
  declare(name: string, symbol: ts.Symbol): string;
  /** The types that were named on the way and that the door doesn't export, each once. */
  behind(): readonly string[];
}

/** What is longer is written out, a member a line. */
const longest = 120;
const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags;
const { Interface, Class, TypeAlias, Optional, Alias } = ts.SymbolFlags;

// The compiler renumbers well-known symbols whenever a file is added.
const memberName = ({ name }: ts.Symbol) => name.replace(/^__@(\w+)@\d+$/, "[Symbol.$1]");

const isForeign = (symbol: ts.Symbol) =>
  symbol.declarations?.every((one) => one.getSourceFile().fileName.includes("/node_modules/")) === true;

function openPrinter(checker: ts.TypeChecker, exported: ReadonlySet<ts.Symbol>): Printer {
  const met = new Set<ts.Symbol>();
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol);
  const membersOf = (type: ts.Type) =>
    checker.getPropertiesOfType(type).filter((property) => !isForeign(property));
  const signaturesOf = (type: ts.Type) => [...type.getCallSignatures(), ...type.getConstructSignatures()];
  const isReference = (type: ts.Type): type is ts.TypeReference =>
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0;
  const argumentsOf = (type: ts.Type) => [
    ...(type.aliasTypeArguments ?? []),
    ...(isReference(type) ? checker.getTypeArguments(type) : []),
  ];
  /** The name by which a type is called; undefined where it has to be written out. */
  const nameOf = (type: ts.Type): ts.Symbol | undefined =>
    type.aliasSymbol ?? (type.symbol?.flags & (Interface | Class) ? type.symbol : undefined);

  /** Notes the names that a type is written with. */
  const meet = (type: ts.Type, seen = new Set<ts.Type>()): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const argument of argumentsOf(type)) meet(argument, seen);
    const name = nameOf(type);
    if (name !== undefined) {
      if (!isForeign(name) && !exported.has(name)) met.add(name);
      return;
    }
    if (type.isUnionOrIntersection()) for (const part of type.types) meet(part, seen);
    if (type.flags & ts.TypeFlags.Object) for (const member of membersOf(type)) meet(typeOf(member), seen);
    for (const signature of signaturesOf(type)) {
      for (const parameter of signature.parameters) meet(typeOf(parameter), seen);
      meet(signature.getReturnType(), seen);
    }
  };

  const print = (type: ts.Type, indent: string, isTop = false): string => {
    const short = checker.typeToString(type, undefined, NoTruncation | (isTop ? InTypeAlias : 0));
    const isNamed = nameOf(type) !== undefined && !isTop;
    const isLong = short.length > longest;
    if ((isNamed && !isLong) || (!isObject(type) && !isLong)) {
      meet(type);
      return short;
    }
    const text = written(type, indent);
    if (text === undefined) meet(type);
    return text ?? short;
  };
  const isObject = (type: ts.Type) =>
    (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 &&
    !checker.isArrayLikeType(type) &&
    signaturesOf(type).length === 0 &&
    membersOf(type).length > 0;
  /** A type by its parts. */
  const written = (type: ts.Type, indent: string): string | undefined => {
    if (type.isUnion()) {
      const parts = type.types.map((part) => print(part, indent));
      return [...new Set(parts.map((part) => (/^(true|false)$/.test(part) ? "boolean" : part)))].join(" | ");
    }
    if (checker.isArrayLikeType(type) && isReference(type)) {
      const [item] = checker.getTypeArguments(type);
      return item === undefined ? undefined : `readonly (${print(item, indent)})[]`;
    }
    const name = nameOf(type);
    if (name !== undefined && (isForeign(name) || (type.aliasSymbol === undefined && indent !== ""))) {
      if (!isForeign(name) && !exported.has(name)) met.add(name);
      const given = argumentsOf(type).map((argument) => print(argument, indent));
      return given.length === 0 ? undefined : `${name.name}<${given.join(", ")}>`;
    }
    if (isObject(type)) return `{\n${members(type, `${indent}  `)}${indent}}`;
    const [signature, other] = signaturesOf(type);
    if (signature !== undefined && other === undefined && membersOf(type).length === 0)
      return `${parameters(signature, indent)} => ${print(signature.getReturnType(), indent)}`;
    return undefined;
  };
  const parameters = (signature: ts.Signature, indent: string): string =>
    `(${signature.parameters
      .map((one) => `${memberName(one)}${isOptional(one) ? "?" : ""}: ${print(typeOf(one), indent)}`)
      .join(", ")})`;
  const isOptional = ({ flags, valueDeclaration: said }: ts.Symbol) =>
    (flags & Optional) !== 0 ||
    (said !== undefined && ts.isParameter(said) && checker.isOptionalParameter(said));
  const members = (type: ts.Type, indent: string): string =>
    membersOf(type)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        (one) => `${indent}${memberName(one)}${isOptional(one) ? "?" : ""}: ${print(typeOf(one), indent)};\n`,
      )
      .join("");

  const declare = (name: string, symbol: ts.Symbol): string => {
    if (symbol.flags & Class) {
      const made = typeOf(symbol).getConstructSignatures();
      const given = made.map((one) => `  new ${parameters(one, "  ")};\n`);
      return `class ${name} {\n${given.join("")}${members(checker.getDeclaredTypeOfSymbol(symbol), "  ")}}`;
    }
    if (symbol.flags & (Interface | TypeAlias))
      return `type ${name} = ${print(checker.getDeclaredTypeOfSymbol(symbol), "", true)};`;
    return `const ${name}: ${print(typeOf(symbol), "")};`;
  };
  return {
    declare,
    behind() {
      const lines: string[] = [];
      const done = new Set<ts.Symbol>();
      // What is written out may name others.
      for (let next = [...met]; next.length > 0; next = [...met].filter((one) => !done.has(one)))
        for (const symbol of next) {
          done.add(symbol);
          lines.push(declare(symbol.name, symbol));
        }
      return lines.toSorted();
    },
  };
}
