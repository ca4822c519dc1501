/**
 * Explains a program's use of a name that a module doesn't export. Node names neither the similar name nor, for a member
 * of a namespace, the module. The names are read from the module's text: a program that can't be linked runs nothing.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { nearest } from "../common/nearest.ts";

/** Mistakes in a program's own code: their name and whole stack help. For errors thrown on purpose the message is enough. */
export const mistakes: ReadonlySet<string> = new Set(
  [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError].map(({ name }) => name),
);

/**
 * Explains the text of such an error, with its stack; undefined for any other text.
 * @param folder the compiler's messages name files relative to it
 * @returns the explanation, and the place of the import or the call as `file:line`
 */
export function missingExport(text: string, folder: string) {
  const use = unlinked(text) ?? uncallable(text) ?? uncompiled(text, folder);
  const file = use === undefined ? undefined : fileOf(use.specifier, use.importer);
  if (use === undefined || file === undefined || use.name === "default") return undefined;
  const { values, types } = exportsOf(file);
  if (values.length === 0 || values.includes(use.name)) return undefined;
  const place = `${use.importer}:${use.line}`;
  if (types.includes(use.name)) {
    // Pulumi's name for a function that reads an object of such a type.
    const reads = values.includes(`get${use.name}`) ? `; get${use.name} reads one` : "";
    const message = `${use.specifier} has ${use.name} only as a type${reads}\n  To import the type, write import { type ${use.name} }`;
    return { message, place };
  }
  // Two different letters are few even in a short name: a module has far fewer names than a language has words.
  const found = nearest(use.name, values, Math.max(2, Math.floor(use.name.length / 3)));
  const near = found === undefined ? "" : `, did you mean ${found}?`;
  // The list of a large package would hide the rest.
  const all = values.length > 40 ? "" : `\n  It has ${values.toSorted().join(", ")}`;
  return { message: `${use.specifier} has no ${use.name}${near}${all}`, place };
}

interface Use {
  readonly name: string;
  readonly specifier: string;
  /** The file, and its line, as Node names them. */
  readonly importer: string;
  readonly line: number;
}

/** An import that Node refuses before the program begins. */
function unlinked(text: string): Use | undefined {
  const [, importer = "", line] = /^(?:file:\/\/)?([^\s?]+)(?:\?[^:]*)?:(\d+)$/m.exec(text) ?? [];
  const [, specifier = "", name = ""] =
    /^SyntaxError: The requested module '([^']+)' does not provide an export named '([^']+)'/m.exec(text) ??
    [];
  if (specifier !== "") return { name, specifier, importer, line: Number(line) };
  const [, named = "", from = ""] =
    /^SyntaxError: Named export '([^']+)' not found\. The requested module '([^']+)'/m.exec(text) ?? [];
  return named === "" ? undefined : { name: named, specifier: from, importer, line: Number(line) };
}

/** A call of a member of a namespace, or of a destructured name, that the module doesn't have. */
function uncallable(text: string): Use | undefined {
  const [, owner, name = ""] =
    /^TypeError: (?:(\w+)\.)?(\w+) is not a (?:constructor|function)$/m.exec(text) ?? [];
  const [, importer = "", line] =
    /^\s+at (?:.*\()?(?:file:\/\/)?([^()\s?]+)(?:\?[^:]*)?:(\d+):\d+\)?$/m.exec(text) ?? [];
  if (name === "" || !existsSync(importer)) return undefined;
  // The compiler's name for a module from which single names are imported.
  const isWhole = owner !== undefined && !/_\d+$/.test(owner);
  const specifier = importOf(isWhole ? owner : name, isWhole, readFileSync(importer, "utf8"));
  return specifier === undefined ? undefined : { name, specifier, importer, line: Number(line) };
}

/** The only mistake that the compiler found, if it is such a use. */
function uncompiled(text: string, folder: string): Use | undefined {
  const [mistake, another] = [...text.matchAll(/^(\S+)\((\d+),\d+\): error TS(\d+): (.*)$/gm)];
  if (mistake === undefined || another !== undefined) return undefined;
  const [, path = "", line, , message = ""] = mistake;
  const importer = resolve(folder, path);
  const [, specifier, named = ""] = /^Module '"([^"]+)"' has no exported member '(\w+)'/.exec(message) ?? [];
  if (specifier !== undefined) return { name: named, specifier, importer, line: Number(line) };
  const [, name = ""] = /^Property '(\w+)' does not exist on type 'typeof import\(/.exec(message) ?? [];
  if (name === "" || !existsSync(importer)) return undefined;
  const source = readFileSync(importer, "utf8");
  const owner = new RegExp(`(\\w+)\\s*\\.\\s*${name}\\b`).exec(
    source.split("\n")[Number(line) - 1] ?? "",
  )?.[1];
  const from = owner === undefined ? undefined : importOf(owner, true, source);
  return from === undefined ? undefined : { name, specifier: from, importer, line: Number(line) };
}

/** The module that a file imports under a name: whole, or as one of the names in braces. */
function importOf(name: string, isWhole: boolean, source: string): string | undefined {
  const bound = isWhole ? `(?:\\*\\s*as\\s+)?${name}` : `\\{[^{}]*\\b${name}\\b[^{}]*\\}`;
  const from = "(?:from\\s*|=\\s*(?:await\\s+)?(?:require|import)\\s*\\(\\s*)";
  const type = "(?:\\s*:[^=]*)?";
  const named = new RegExp(`\\b(?:import|const|let|var)\\s+${bound}${type}\\s*${from}["']([^"']+)["']`);
  const then = new RegExp(`\\bimport\\s*\\(\\s*["']([^"']+)["']\\s*\\)\\s*\\.then\\(\\s*\\(?${bound}\\b`);
  return (named.exec(source) ?? then.exec(source))?.[1];
}

function fileOf(specifier: string, importer: string): string | undefined {
  try {
    return createRequire(importer).resolve(specifier);
  } catch {
    // A module that doesn't exist is another error, which Node reports.
    return undefined;
  }
}

interface Exports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const none: Exports = { values: [], types: [] };

/** A package's declarations know its types, and the names of a CommonJS package. */
function exportsOf(file: string): Exports {
  const declared = file.replace(/\.([cm]?)js$/, ".d.$1ts");
  const own = readExports(file, new Set());
  if (declared === file || !existsSync(declared)) return own;
  const { values, types } = readExports(declared, new Set());
  if (own.values.length === 0) return { values, types };
  return { values: own.values, types: [...types, ...values.filter((name) => !own.values.includes(name))] };
}

const declaration =
  /^export\s+(?:declare\s+|default\s+|abstract\s+|async\s+|const\s+(?=enum\b))*(class|function\*?|const|let|var|enum|namespace|interface|type)\s+(\w+)/gm;
const list = /^export\s+(type\s+)?\{([^}]*)\}(?:\s*from\s*["']([^"']+)["'])?/gm;
const all = /^export\s+(type\s+)?\*\s*(?:as\s+(\w+)\s*)?from\s*["']([^"']+)["']/gm;

/** The exports in a file's text, and in the files that it passes on. */
function readExports(file: string, seen: Set<string>): Exports {
  if (seen.has(file) || !/\.[cm]?[jt]s$/.test(file) || !existsSync(file)) return none;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  const found = new Map<string, boolean>();
  const add = (name: string, isType: boolean) => found.set(name, isType && found.get(name) !== false);
  for (const [, keyword = "", name = ""] of source.matchAll(declaration))
    add(name, keyword === "interface" || keyword === "type");
  for (const [, typeOnly, names = "", from] of source.matchAll(list)) {
    const { types } = from === undefined ? none : readExports(besides(file, from), new Set(seen));
    for (const one of names.split(",")) {
      const [, type, original = "", renamed] = /^\s*(type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(one) ?? [];
      if (original !== "")
        add(renamed ?? original, (typeOnly ?? type) !== undefined || types.includes(original));
    }
  }
  for (const [, typeOnly, name, from = ""] of source.matchAll(all)) {
    if (name !== undefined) add(name, typeOnly !== undefined);
    else {
      const { values, types } = readExports(besides(file, from), seen);
      for (const one of values) add(one, typeOnly !== undefined);
      for (const one of types) add(one, true);
    }
  }
  const of = (isType: boolean) => [...found].flatMap(([name, one]) => (one === isType ? [name] : []));
  return { values: of(false), types: of(true) };
}

/** A file named in another one; declarations name the files that they were made from, or leave the ending out. */
function besides(file: string, name: string): string {
  const path = join(dirname(file), name);
  if (!/\.d\.[cm]?ts$/.test(file)) return path;
  const plain = path.replace(/\.[cm]?[jt]s$/, "");
  return [`${plain}.d.ts`, join(plain, "index.d.ts")].find(existsSync) ?? path;
}
