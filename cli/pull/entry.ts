/** Adds imports of new modules to the program's entry file. */
import { existsSync, readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";
import { readJson } from "../../engine/common/disk.ts";
import { moduleIn, type Node, readSource, requiredIn, within } from "../program/sources.ts";

export interface Entry {
  /** From the program's folder. */
  readonly path: string;
  /** The new text; undefined if the file isn't changed. */
  readonly text: string | undefined;
  /** Lines that the user must add. */
  readonly notices: readonly string[];
  readonly isCommonJs: boolean;
}

export interface EntryOptions {
  readonly home: string;
  /** `main` of Pulumi.yaml: a file, or "." for the one in package.json. */
  readonly stated: string;
  /** Whether the TypeScript is compiled first: such a program can't import a .ts file. */
  readonly isCompiled: boolean;
  readonly url: string;
}

export function entryOf({ home, stated, isCompiled, url }: EntryOptions, modules: readonly string[]): Entry {
  const path = entryPath(home, stated);
  const place = join(home, path);
  if (!existsSync(place)) {
    const head = `/** The shop at ${url}, as code. */\n`;
    const text = `${head}${modules.map((module) => lineOf(pathTo(path, module))).join("")}`;
    return { path, text, notices: [], isCommonJs: false };
  }
  const before = readFileSync(place, "utf8");
  const nodes = [...within(readSource(place)?.root ?? noProgram)];
  const isCommonJs = isCommonJsFile(path, nodes);
  const imported = new Set(nodes.map((node) => moduleIn(node)?.replace(/\.[cm]?[jt]s$/, "")));
  const missing = modules
    .map((module) => pathTo(path, module))
    .filter((module) => !imported.has(module))
    .map((module) => lineOf(module, isCommonJs));
  if (missing.length === 0) return { path, text: undefined, notices: [], isCommonJs };
  if (!isCompiled && !isCommonJs && takesImports(path))
    return { path, text: `${before.replace(/\n?$/, "\n")}${missing.join("")}`, notices: [], isCommonJs };
  const how = isCompiled
    ? [
        "Pulumi.yaml: set runtime.options.typescript to false, because Node runs pulled files without a compiler",
      ]
    : [];
  return {
    path,
    text: undefined,
    notices: [...how, ...missing.map((line) => `${path}: add the line ${line.trim()}`)],
    isCommonJs,
  };
}

/** A module without its ending, as the entry names it. */
function pathTo(entry: string, module: string): string {
  const path = posix.relative(posix.dirname(entry), module);
  return path.startsWith("../") ? path : `./${path}`;
}

const lineOf = (path: string, isCommonJs = false) =>
  isCommonJs ? `require("${path}.ts");\n` : `import "${path}.ts";\n`;

/** The file from package.json, or else a usual name, or else index.ts. */
export function entryPath(home: string, stated: string): string {
  if (stated !== ".") return stated;
  const main = packageMain(join(home, "package.json"));
  const usual = ["index.ts", "index.js", "index.mjs", "index.mts", "index.cjs"];
  return (
    [...(main === undefined ? [] : [main]), ...usual].find((path) => existsSync(join(home, path))) ??
    "index.ts"
  );
}

function packageMain(path: string): string | undefined {
  const { main } = packageIn(path);
  return typeof main === "string" ? posix.normalize(main) : undefined;
}

/** The values of a package.json; none without one. */
export function packageIn(path: string): { readonly main?: unknown; readonly type?: unknown } {
  if (!existsSync(path)) return {};
  try {
    return readJson(path) as object;
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${(cause as Error).message}; correct it`, { cause });
  }
}

// A file in another folder may be a compiler's.
const takesImports = (path: string) =>
  !path.includes("/") && [".ts", ".mts", ".js", ".mjs"].includes(extname(path));

const noProgram = { type: "EmptyStatement" } as Node;

function isCommonJsFile(path: string, nodes: readonly Node[]): boolean {
  const ending = extname(path);
  if ([".cjs", ".cts", ".mjs", ".mts"].includes(ending)) return ending.startsWith(".c");
  const [root] = nodes;
  const isScript = root?.type === "Program" && root.sourceType === "script";
  return nodes.some(
    (node) =>
      node.type === "TSExportAssignment" || (isScript && (requiredIn(node) !== undefined || isExports(node))),
  );
}

/** `module.exports`. */
const isExports = (node: Node) =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "module" &&
  node.property.type === "Identifier" &&
  node.property.name === "exports";
