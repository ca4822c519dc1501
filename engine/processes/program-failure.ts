/** Shortens the SDK's message about a failed program to the error's message and the program's own lines. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { nearest } from "../common/nearest.ts";
import type { Project } from "../project/project.ts";
import { missingExport, mistakes } from "../pulumi/missing-export.ts";
import { programFailed } from "../pulumi/sdk-internals.ts";
import { isInstalled } from "./host.ts";
import { throwsOf } from "./thrown-value.ts";

type Program = Pick<Project, "folder" | "programFolder" | "runtime">;

// For work in the background, such as a resource whose argument was rejected, the SDK logs the error alone.
const thrown = /^(?:error: )?(?:Uncaught )?\w*Error(?: \[\w+\])?: [\s\S]*?\n\s+at /;

/** The SDK's message about a failed program, shortened; undefined for any other text. */
export function programFailure(text: string, project: Program): string | undefined {
  const plain = stripVTControlCharacters(text);
  const unset = configured(plain);
  if (unset !== undefined) return `the program failed: ${unset}`;
  if (!programFailed.test(plain) && !thrown.test(plain)) return undefined;
  return failureText(plain, project);
}

/** Shortens an error with its stack to the message and the program's own lines. */
export function failureText(plain: string, project: Program): string {
  const { folder } = project;
  const lines = plain
    .replace(programFailed, "")
    .replace(/^error: /, "")
    .replace(/^<ref \*\d+> ?/, "")
    // An error of Node without a stack, followed by its cause.
    .replace(/^\[(\w*Error: [^\n]*)\] \{\n {2}\[cause\]: [^\n]*/, "$1")
    .replace(/^\[(\w*Error: [^\n]*)\] \{\n {2}\[errors\]: \[\n([\s\S]*)/, withFrames)
    .replace(requiredAwait, awaitText)
    .trimEnd()
    .split("\n");
  if (noError.test(lines.join("\n")))
    return withoutFolder(
      [`the program failed: ${noErrorText}`, ...thrownAt(plain, "", folder)].join("\n"),
      folder,
    );
  const missing = missingExport(lines.join("\n"), folder);
  if (missing !== undefined)
    return withoutFolder(`the program failed: ${missing.message}\n  at ${missing.place}`, folder);
  const first = lines.findIndex((line) => isFrame(line));
  // A compiler's messages, and thrown values that are no errors, have no stack.
  if (first === -1) {
    const text = lines.join("\n");
    const cure = [...cureOf(text, project), ...importOf(text)];
    const places = cure.length > 0 || named.test(text) ? [] : thrownAt(plain, text, folder);
    const hint = places.length > 0 ? [textHint] : [];
    return withoutFolder([`the program failed: ${text}`, ...cure, ...hint, ...places].join("\n"), folder);
  }
  const [name, said] = split(lines.slice(0, first).join("\n"));
  const after = lines.slice(first);
  const end = after.findIndex((line) => !isFrame(line));
  const frames = after
    .slice(0, end === -1 ? undefined : end)
    .map((line) => `  ${line.trim().replace(/ \{$/, "")}`);
  const places = [folder, pathToFileURL(folder).href];
  const own = frames.filter(
    (line) => places.some((place) => line.includes(place)) && !line.includes("node_modules"),
  );
  const isBug = mistakes.has(name);
  // If a programming error has no line of the program in its stack, the whole stack is shown.
  const message = isBug ? `${name}: ${said}` : said.replace(/^\d+ [A-Z_]+: /, "") || unnamed;
  const cause = [...causeOf(plain, message), ...partsOfError(plain)];
  const cure = cureOf(message, project);
  // A hint is more useful than a stack without lines of the program.
  const hints = [...cure, ...importOf(said)];
  const shown = own.length > 0 ? [...cure, ...new Set(own)] : isBug && hints.length === 0 ? frames : hints;
  return withoutFolder([`the program failed: ${message}`, ...cause, ...shown].join("\n"), folder);
}

/** Describes why a program ended before its last line without any error. */
export function endedEarly({ programFolder, entry }: Pick<Project, "programFolder" | "entry">): string {
  const file = join(programFolder, entry);
  const lines = extname(file) === "" ? [] : readFileSync(file, "utf8").split("\n");
  const places = lines.flatMap((line, index) => (/^[^/*]*\bawait\b/.test(line) ? [index + 1] : []));
  return [
    "it ended before its last line: it awaits a value that never arrives",
    "  In a preview, the Outputs of a new resource never arrive: use apply instead of await.",
    // With many candidates, none is named.
    ...(places.length > 3 ? [] : places.map((line) => `  an await at ${file}:${line}`)),
  ].join("\n");
}

export const killedText = (signal: string): string =>
  `it was ended by ${signal}; see its output above. A program without enough memory ends so`;

// The SDK's text for a thrown object; for undefined and null the SDK itself fails with this TypeError.
const noError =
  /^undefined$|^null$|^\[object \w+\]$|^TypeError: Cannot read properties of \w+ \(reading 'name'\)\n.*uncaughtHandler/;
const noErrorText =
  'it threw a value that is not an Error; write throw new Error("..."), which tells the reason and the line';

const textHint = '  It threw a value that is not an Error, which knows no line: write throw new Error("...")';
const unnamed = "it threw an Error without a message";
// The text of an error or of the compiler's messages.
const named = /^\S*Error\b|\berror TS\d+/m;

/** The lines that may have thrown a value that has no stack. */
function thrownAt(plain: string, thrown: string, folder: string): readonly string[] {
  const program = /^(?:error: )?Running program '([^'\n]+)'/.exec(plain)?.[1];
  const places = program === undefined ? [] : throwsOf(resolve(folder, program), thrown);
  return places.map((place) => (places.length === 1 ? `  at ${place}` : `  perhaps at ${place}`));
}

// Node's message if it strips types and the program needs a compiler (lib/internal/modules/typescript.js).
const stripOnly = /not supported in strip-only mode/;
function stripOnlyCure({ programFolder, runtime }: Program): string {
  const cure = "  Write it another way, such as a const object instead of an enum";
  // Node loads an ES module itself, whether the project has a compiler or not.
  if (manifestOf(programFolder).type === "module") return cure;
  const steps = [
    ...(runtime.typescript ? [] : ["remove typescript: false from Pulumi.yaml"]),
    ...(isInstalled("typescript", programFolder) ? [] : ["npm install --save-dev typescript"]),
  ];
  return `${cure}; or ${steps.join(" and ")}: then the project's own compiler compiles the program`;
}

// Node's message for a file that is no module (lib/internal/modules/esm/assert.js).
const noModule = /^(?:TypeError: )?Module "([^"]+)" needs an import attribute of "type: json"/;

// Node's message for a CommonJS package (lib/internal/modules/esm/utils.js), with the SDK's files that asked for the program.
const requiredAwait =
  /^(?:\w*Error[^\n]*: )?require\(\) cannot be used on an ESM graph with top-level await[\s\S]*/;
const awaitText =
  'it awaits outside of a function, which only an ES module can\n  Write "type": "module" in package.json beside Pulumi.yaml';

function cureOf(message: string, project: Program): readonly string[] {
  if (stripOnly.test(message)) return [stripOnlyCure(project)];
  const [, from] =
    /The requested module '([^']+)' does not provide an export named 'default'/.exec(message) ?? [];
  if (from !== undefined)
    return [`  Write import { NAME } from "${from}", or import * as everything from "${from}"`];
  if (/^No entrypoint found in /.test(message))
    return ["  Write the program there as index.ts, or name its file in Pulumi.yaml: main: index.ts"];
  const [, file] = noModule.exec(message) ?? [];
  return file === undefined
    ? []
    : [`  Write it as import data from "./${basename(file)}" with { type: "json" }`];
}

/** The line of an import that failed: Node names only the file. */
function importOf(message: string): readonly string[] {
  const [, name = "", file = ""] =
    /^(?:Cannot find (?:module|package)|Directory import|Package subpath|Package import specifier) ['"]([^'"]+)['"].* imported from (.+)$/m.exec(
      message,
    ) ?? [];
  if (!existsSync(file)) return [];
  const written = basename(name);
  const lines = readFileSync(file, "utf8").split("\n");
  const index = lines.findIndex((line) => /\b(?:import|from)\b/.test(line) && line.includes(written));
  const cure = importCure(message, name, file);
  return [...cure, ...(index === -1 ? [] : [`  at ${file}:${index + 1}`])];
}

// A path that a compiler finds by paths or baseUrl begins otherwise ("~/prices", "@/prices"), or with the name of a folder.
const packageName = /^(?:@[^/]+\/)?\w/;
const pathCure =
  "  Node doesn't read paths and baseUrl of tsconfig.json: write a path that begins with ./ or ../, and the file's ending";

function importCure(message: string, name: string, file: string): readonly string[] {
  const [, manifest = ""] = /^Package subpath .* by "exports" in (\S+package\.json)/m.exec(message) ?? [];
  if (manifest !== "") return [`  The package has ${partsOf(manifest).join(", ")}`];
  const isPackage = /^Cannot find package/m.test(message);
  if (isPackage && (!packageName.test(name) || existsSync(join(dirname(file), name)))) return [pathCure];
  const near = isPackage ? nearest(name, packagesOf(dirname(file))) : undefined;
  if (near !== undefined) return [`  Did you mean ${near}?`];
  if (isPackage) return [`  Run npm install; if package.json doesn't have the package, npm install ${name}`];
  if (/^Package import specifier/m.test(message)) return ["  Name it under imports in package.json"];
  if (/^Directory import/m.test(message)) return ["  It is a folder: import a file in it"];
  const ending = ["ts", "js", "json"].find((one) => existsSync(`${name}.${one}`));
  return ending === undefined
    ? []
    : [`  The file is ${basename(name)}.${ending}: write its name with .${ending}`];
}

interface Manifest {
  readonly name?: string;
  readonly type?: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Manifest;

/** The parts of a package that a program can import. */
function partsOf(path: string): readonly string[] {
  const { name = "", exports = {} } = manifestIn(path);
  return Object.keys(exports)
    .filter((part) => part.startsWith(".") && !part.endsWith(".json"))
    .map((part) => name + part.slice(1));
}

/** The package.json of a folder or of one above it. */
function manifestOf(folder: string): Manifest {
  const path = join(folder, "package.json");
  if (existsSync(path)) return manifestIn(path);
  return dirname(folder) === folder ? {} : manifestOf(dirname(folder));
}

function packagesOf(folder: string): readonly string[] {
  const { dependencies, devDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...devDependencies });
}

/**
 * The SDK's message about a missing or invalid configuration value (config.js), and how to set it. The value isn't
 * shown: it may be a secret.
 */
function configured(text: string): string | undefined {
  const [, missing, command = ""] =
    /^(?:error: )?Missing required configuration variable '([^']+)'([\s\S]*)/.exec(text) ?? [];
  const [, key, why] =
    /^(?:error: )?Configuration '([^']+)' value '[\s\S]*' (is not [^\n]*|does not [^\n]*)/.exec(text) ?? [];
  if (missing !== undefined)
    return `the stack's configuration has no ${missing}: ${settingOf(missing, command.includes("--secret"))}`;
  return key === undefined
    ? undefined
    : `the value of ${key} in the stack's configuration ${why}: ${settingOf(key, false)}`;
}

const settingOf = (key: string, isSecret: boolean) =>
  isSecret ? `set it with config set ${key} --secret (asks for it)` : `set it with config set ${key} VALUE`;

/** Paths are relative to the project's folder. */
function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(`${pathToFileURL(folder).href}/`, "").replaceAll(`${folder}${sep}`, "");
}

const isFrame = (line: string) => /^\s+at /.test(line);

/** An error's name, and its message without the SDK's prefix. */
function split(head: string): readonly [string, string] {
  const [, name = "Error", message = head] =
    /^(?:Uncaught )?(\w*Error)(?: \[\w+\])?: ([\s\S]*)$/.exec(head) ?? [];
  return [name, message.replace(/^(?:error serializing property "[^"]*": )+/, "")];
}

/** An error without a stack, with those of the errors in it. */
const withFrames = (_text: string, head: string, parts: string) =>
  [head, ...parts.split("\n").filter(isFrame)].join("\n");

/** The messages of the errors in an AggregateError, such as that of Promise.any. */
function partsOfError(text: string): readonly string[] {
  const [, parts = ""] = /^ {2}\[errors\]: \[\n([\s\S]*)/m.exec(text) ?? [];
  const all = [...parts.matchAll(/^ {4}\[?(?:\w*Error(?: \[\w+\])?: )?(.+?)\]?,?$/gm)].flatMap(
    ([line, said]) => (isFrame(line) || said === undefined ? [] : [`  ${said}`]),
  );
  return [...new Set(all)];
}

function causeOf(text: string, message: string): readonly string[] {
  const [, cause] = /\[cause\]: (?:\w*Error: )?([^\n]*?)(?: \{)?$/m.exec(text) ?? [];
  return cause === undefined || message.includes(cause) ? [] : [`  caused by: ${cause}`];
}
