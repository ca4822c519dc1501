/** Adds imports of new modules to the program's entry file. */
import { existsSync, readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";

export interface Entry {
  /** From the program's folder. */
  readonly path: string;
  /** The new text; undefined if the file isn't changed. */
  readonly text: string | undefined;
  /** Lines that the user must add. */
  readonly notices: readonly string[];
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
    return { path, text: `${head}${modules.map(importLine).join("")}`, notices: [] };
  }
  const before = readFileSync(place, "utf8");
  const missing = modules.filter((module) => !imports(before, module)).map(importLine);
  if (missing.length === 0) return { path, text: undefined, notices: [] };
  if (!isCompiled && takesImports(path, before))
    return { path, text: `${before.replace(/\n?$/, "\n")}${missing.join("")}`, notices: [] };
  const how = isCompiled
    ? [
        "Pulumi.yaml: set runtime.options.typescript to false, because Node runs pulled files without a compiler",
      ]
    : [];
  return {
    path,
    text: undefined,
    notices: [...how, ...missing.map((line) => `${path}: add the line ${line.trim()}`)],
  };
}

const importLine = (module: string) => `import "./${module}.ts";\n`;

const imports = (text: string, module: string) =>
  new RegExp(`["'\`]\\./${module}(?:\\.[cm]?[jt]s)?["'\`]`).test(
    text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""),
  );

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
  if (!existsSync(path)) return undefined;
  const { main } = JSON.parse(readFileSync(path, "utf8")) as { readonly main?: unknown };
  return typeof main === "string" ? posix.normalize(main) : undefined;
}

// CommonJS files and files in other folders can't import these .ts files.
function takesImports(path: string, text: string): boolean {
  if (path.includes("/")) return false;
  if (![".ts", ".mts", ".js", ".mjs"].includes(extname(path))) return false;
  return !/\brequire\s*\(|\bmodule\.exports\b|^export\s*=/m.test(text);
}
