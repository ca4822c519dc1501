/** The program's sources as syntax trees, from its entry through all imports. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { type Expression, type File, type ParserPlugin, parse, parseExpression } from "@babel/parser";

type Statement = File["program"]["body"][number];
type Declarator = Extract<Statement, { type: "VariableDeclaration" }>["declarations"][number];
type Member = Extract<Statement, { type: "ClassDeclaration" }>["body"]["body"][number];
export type Pattern = Declarator["id"] | Extract<Member, { type: "ClassMethod" }>["params"][number];
type Part = Expression | Statement | Declarator | Pattern;
/** A node as Babel names it. */
export type Node =
  | Part
  | File["program"]
  | Extract<Expression, { type: "ObjectExpression" }>["properties"][number]
  | NonNullable<Extract<Expression, { type: "ArrayExpression" }>["elements"][number]>
  | Extract<Statement, { type: "ImportDeclaration" }>["specifiers"][number]
  | Member;
export type NodeOf<Type extends Node["type"]> = Extract<Node, { type: Type }>;

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly root: Node;
  /** How it is written; code if left out. */
  readonly form?: "json" | "cells" | "text";
}

export interface Place {
  readonly source: Source;
  readonly node: Node;
}

export const startOf = ({ start }: Node): number => start ?? 0;
export const endOf = ({ end }: Node): number => end ?? 0;
export const lineOf = ({ source, node }: Place): number => lineAt(source, startOf(node));

const lineStarts = new WeakMap<Source, readonly number[]>();

/** The line of an offset, from 1. */
export function lineAt(source: Source, offset: number): number {
  const starts = lineStarts.get(source) ?? [
    0,
    ...[...source.text.matchAll(/\n/g)].map(({ index }) => index + 1),
  ];
  lineStarts.set(source, starts);
  return starts.findLastIndex((start) => start <= offset) + 1;
}

const parts = new WeakMap<Node, readonly Node[]>();

/** The nodes directly inside a node. A tree is walked several times, and never changes. */
function below(node: Node): readonly Node[] {
  const known = parts.get(node);
  if (known !== undefined) return known;
  const found: Node[] = [];
  const add = (one: unknown) => {
    if (typeof one === "object" && one !== null && "type" in one) found.push(one as Node);
  };
  for (const [name, part] of Object.entries(node) as [string, unknown][]) {
    if (typeof part !== "object" || name.endsWith("Comments") || name === "loc" || name === "extra") continue;
    if (Array.isArray(part)) for (const one of part) add(one);
    else add(part);
  }
  parts.set(node, found);
  return found;
}

const above = new WeakMap<Node, Node>();
export const parentOf = (node: Node): Node | undefined => above.get(node);

/** A node and all nodes inside it. */
export function* within(node: Node): Generator<Node> {
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    open.push(...below(at).toReversed());
  }
}

function linked(root: Node): Node {
  for (const node of within(root)) for (const part of below(node)) above.set(part, node);
  return root;
}

export function jsonSource(path: string, text: string): Source {
  return { path, text, root: linked(parseExpression(text) as Node), form: "json" };
}

/** A file that is no code: its only node is the whole text. */
export const textSource = (path: string, text: string, form: "cells" | "text" = "text"): Source => ({
  ...{ path, text, form },
  root: { type: "EmptyStatement", start: 0, end: text.length } as Node,
});

export type Sources = ReturnType<typeof openSources>;

// JSX and type assertions in angle brackets exclude each other.
const plugins = (path: string): ParserPlugin[] =>
  /\.[cm]?ts$/.test(path) ? ["typescript", "decorators"] : ["typescript", "jsx", "decorators"];

/** A file as a syntax tree; undefined if it can't be parsed. */
export function readSource(path: string): Source | undefined {
  const text = readFileSync(path, "utf8");
  try {
    if (extname(path) === ".json") return jsonSource(path, text);
    const { program } = parse(text, {
      sourceType: "unambiguous",
      errorRecovery: true,
      plugins: plugins(path),
    });
    return { path, text, root: linked(program) };
  } catch {
    // A file that can't be parsed can't be edited; its resources are listed as such.
    return undefined;
  }
}

/**
 * Opens files and all files that they import.
 * @param home the folder that the program runs in
 */
export function openSources(entries: readonly string[], home: string) {
  const known = new Map<string, Source | undefined>();
  const texts = new Map<string, Source>();
  const called = new Map<string, Place[]>();
  const others = new Set<string>();
  const load = (path: string): Source | undefined => {
    if (known.has(path)) return known.get(path);
    const source = readSource(path);
    known.set(path, source);
    if (source === undefined) return undefined;
    for (const node of within(source.root)) {
      const module = moduleIn(node);
      const file = module === undefined ? undefined : fileOf(path, module);
      if (file !== undefined) load(file);
      const name = calledName(node);
      if (name !== undefined) called.set(name, [...(called.get(name) ?? []), { source, node }]);
      for (const other of otherNamesIn(node)) others.add(other);
    }
    return source;
  };
  for (const entry of entries) load(entry);
  return {
    all: [...known.values()].filter((source) => source !== undefined),
    /** A file that was opened; undefined if it can't be parsed. */
    source: (path: string) => known.get(path),
    /** The file that an import resolves to; undefined for a package. */
    imported(from: Source, module: string) {
      const path = fileOf(from.path, module);
      return path === undefined ? undefined : known.get(path);
    },
    /** A JSON file that the program reads itself. */
    json(path: string): Source | undefined {
      const own = resolve(home, path);
      return extname(own) === ".json" && existsSync(own) ? load(own) : undefined;
    },
    /** Any other file that it reads as text. */
    text(path: string): Source | undefined {
      const own = resolve(home, path);
      const source = texts.get(own) ?? (isFile(own) ? textSource(own, readFileSync(own, "utf8")) : undefined);
      if (source !== undefined) texts.set(own, source);
      return source;
    },
    /** The calls and `new` expressions of a name; methods by `.name`. */
    calls: (name: string) => called.get(name) ?? [],
    /** The names that imports and exports give to what has another name where it is declared, or none. */
    otherNames: others as ReadonlySet<string>,
  };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The module that a statement or an expression imports. */
export function moduleIn(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source?.value;
    case "ImportExpression":
      return node.source.type === "StringLiteral" ? node.source.value : undefined;
    case "TSImportEqualsDeclaration": {
      const { moduleReference: of } = node;
      return of.type === "TSExternalModuleReference" ? of.expression.value : undefined;
    }
    default:
      return requiredIn(node);
  }
}

/** The module that `require("...")` means. */
export function requiredIn(node: Node): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined;
  const [module] = node.arguments;
  return node.callee.name === "require" && module?.type === "StringLiteral" ? module.value : undefined;
}

function calledName(node: Node): string | undefined {
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return undefined;
  const { callee } = node;
  if (callee.type === "MemberExpression")
    return callee.property.type === "Identifier" ? `.${callee.property.name}` : undefined;
  return callee.type === "Identifier" ? callee.name : undefined;
}

/** The names that an import or an export gives to what may have another name. */
function otherNamesIn(node: Node): readonly string[] {
  if (node.type === "ImportDefaultSpecifier" || node.type === "ImportSpecifier") {
    const isSame = "imported" in node && "name" in node.imported && node.imported.name === node.local.name;
    return isSame ? [] : [node.local.name];
  }
  if (node.type !== "ExportNamedDeclaration") return [];
  return node.specifiers.flatMap(({ exported }) => ("name" in exported ? exported.name : exported.value));
}

/** The file of a module; undefined for a package or a missing file. */
function fileOf(from: string, module: string): string | undefined {
  if (!module.startsWith(".")) return undefined;
  const path = resolve(dirname(from), module);
  const named = [
    path,
    path.replace(/\.([cm]?)js$/, ".$1ts"),
    ...["ts", "js", "mts", "mjs", "cts", "cjs", "json"].map((ending) => `${path}.${ending}`),
    ...["ts", "js"].map((ending) => resolve(path, `index.${ending}`)),
  ];
  const found = named.find((one) => extname(one) !== "" && existsSync(one));
  // As Node does: a module's own imports begin where it is, and not at a link to it.
  return found && realpathSync(found);
}
