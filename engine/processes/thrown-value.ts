/** Finds the lines of a program that throw a value that is no Error. Such a value has no stack, so the sources are searched. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The places as `file:line`; none if there are too many to help.
 * @param program the path that the SDK was given: a file, or a folder with an index file
 * @param thrown the value's text, which decides between several lines
 */
export function throwsOf(program: string, thrown: string): readonly string[] {
  const found = [...sourcesOf(program)].flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, index) =>
      noError.test(line) ? [{ place: `${file}:${index + 1}`, line }] : [],
    );
  });
  const exact = found.filter(({ line }) => thrown !== "" && line.includes(thrown));
  const places = (exact.length > 0 ? exact : found).map(({ place }) => place);
  return places.length > 3 ? [] : places;
}

// A variable that is called after an error holds one, as in `catch (error) { ... throw error; }`.
const noError =
  /^(?!\s*(?:\/\/|\*)).*\b(?:throw\s+|reject\(\s*)(?!new\b|(?:\w*(?:err|error|cause|reason)|e)\s*(?:[;)}]|$))/i;

/** The program's file, and the files of the project that it imports. */
function sourcesOf(program: string): ReadonlySet<string> {
  const files = new Set<string>();
  const add = (path: string) => {
    const file = [path, join(path, "index.ts"), join(path, "index.js"), `${path}.ts`, `${path}.js`].find(
      isFile,
    );
    if (file === undefined || files.has(file)) return;
    files.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imported))
      add(resolve(dirname(file), name));
  };
  add(program);
  return files;
}

const imported = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();
