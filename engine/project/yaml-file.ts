/** Reads the YAML files of a project. */
import { isUtf8 } from "node:buffer";
import { type Document, parseDocument } from "yaml";
import type { Files } from "../common/disk.ts";
import { didYouMean } from "../common/nearest.ts";
import { yamlFault } from "./yaml-fault.ts";

export function readText(files: Files, path: string): string {
  if (files.isFolder(path)) throw new Error(`${path} is a folder, and must be a YAML file`);
  const bytes = files.read(path);
  if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8: save it as UTF-8`);
  return bytes.toString("utf8");
}

export function documentOf(
  path: string,
  text: string,
): { readonly document: Document; readonly values: unknown } {
  const document = parseDocument(text);
  try {
    const [error] = document.errors;
    if (error?.code === "MULTIPLE_DOCS") throw new Error("it has a second document after ---");
    if (error !== undefined) throw error;
    // Undefined aliases are found only on conversion.
    return { document, values: document.toJS() };
  } catch (cause) {
    throw new Error(`${path} is not YAML: ${yamlFault(text, cause as Error)}`, { cause });
  }
}

/** The values of recent texts, because a run opens its project and stack more than once. */
const read = new Map<string, unknown>();

/** The values of a YAML file. They are shared. */
export function readYaml(files: Files, path: string): unknown {
  const text = readText(files, path);
  if (!read.has(text)) {
    const { values } = documentOf(path, text);
    if (read.size >= 16) read.clear();
    read.set(text, values);
  }
  return read.get(text);
}

/** @throws Error for a key that resembles a known one: nobody would read its value */
export function refuseUnknown(path: string, yaml: object, known: readonly string[]): void {
  for (const key of Object.keys(yaml)) {
    const near = known.includes(key) ? "" : didYouMean(key, known);
    if (near !== "") throw new Error(`${path}: unknown key ${key}${near}`);
  }
}
