/**
 * Generates docs/json-lines.schema.json: the JSON schema of a line that commands print with `--json`, from its
 * TypeScript types.
 */
import { join } from "node:path";
import ts from "typescript";
import type { Page } from "./reference.ts";

const root = join(import.meta.dirname, "..");
const lines = join(root, "cli/terminal/json-display.ts");

type Schema = Readonly<Record<string, unknown>>;

interface Scope {
  readonly checker: ts.TypeChecker;
  /** Interfaces by name. */
  readonly definitions: Record<string, Schema>;
}

/** Values of any type: arguments and outputs. */
const anything = new Set(["Value", "Values", "Properties"]);

export function jsonLinesPage(): Page {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([lines], options);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(lines) as ts.SourceFile);
  const all = checker.getExportsOfModule(module as ts.Symbol);
  const line = all.find(({ name }) => name === "JsonLine") as ts.Symbol;
  const definitions: Record<string, Schema> = {};
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A line that pulumi-shop prints with --json",
    ...schemaOf({ checker, definitions }, checker.getDeclaredTypeOfSymbol(line)),
    definitions,
  };
  return { path: "docs/json-lines.schema.json", text: `${JSON.stringify(schema, undefined, 2)}\n` };
}

function schemaOf(scope: Scope, type: ts.Type): Schema {
  if (anything.has((type.aliasSymbol ?? type.symbol)?.name ?? "")) return {};
  if (type.isUnion()) return unionOf(scope, type.types);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: scope.checker.typeToString(type) === "true" };
  if (type.flags & ts.TypeFlags.Null) return { type: "null" };
  if (type.flags & ts.TypeFlags.StringLike) return { type: "string" };
  if (type.flags & ts.TypeFlags.NumberLike) return { type: "number" };
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return {};
  if (scope.checker.isArrayLikeType(type)) return listOf(scope, type as ts.TypeReference);
  // An intersection has no declaration.
  const symbol = type.symbol as ts.Symbol | undefined;
  if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.Interface) || type.aliasSymbol !== undefined)
    return objectOf(scope, type);
  scope.definitions[symbol.name] ??= objectOf(scope, type);
  return { $ref: `#/definitions/${symbol.name}` };
}

function listOf(scope: Scope, type: ts.TypeReference): Schema {
  const items = scope.checker.getTypeArguments(type).map((one) => schemaOf(scope, one));
  return scope.checker.isTupleType(type)
    ? { type: "array", items }
    : { type: "array", items: items[0] ?? {} };
}

function objectOf(scope: Scope, type: ts.Type): Schema {
  const any = scope.checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (any !== undefined) return { type: "object", additionalProperties: schemaOf(scope, any) };
  const all = scope.checker.getPropertiesOfType(type).map((symbol) => {
    const about = ts
      .displayPartsToString(symbol.getDocumentationComment(scope.checker))
      .replaceAll("\n", " ");
    const schema = schemaOf(scope, scope.checker.getTypeOfSymbol(symbol));
    return { symbol, schema: { ...schema, ...(about !== "" && { description: about }) } };
  });
  const isGiven = ({ symbol }: (typeof all)[number]) =>
    !(symbol.flags & ts.SymbolFlags.Optional) && !isUndefinable(scope.checker.getTypeOfSymbol(symbol));
  return {
    type: "object",
    required: all.filter(isGiven).map(({ symbol }) => symbol.name),
    properties: Object.fromEntries(all.map(({ symbol, schema }) => [symbol.name, schema])),
  };
}

const isUndefinable = (type: ts.Type) =>
  type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);

function unionOf(scope: Scope, types: readonly ts.Type[]): Schema {
  const shown = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  const all = shown.map((type) => schemaOf(scope, type));
  const booleans = all.filter((one) => typeof one.const === "boolean");
  const rest = all.filter((one) => !booleans.includes(one));
  if (rest.every(({ const: value }) => value !== undefined) && booleans.length === 0 && rest.length > 1)
    return { enum: rest.map(({ const: value }) => value) };
  const flat = [...rest, ...(booleans.length === 2 ? [{ type: "boolean" }] : booleans)];
  return flat.length === 1 ? (flat[0] as Schema) : { anyOf: flat };
}
