import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Problems } from "./problems.ts";

const largestBytes = 1024 * 1024;

/** Every path of this program is below its own folder, which is also its working directory when Pulumi runs it. */
export const folder = import.meta.dirname;

/** Reads UTF-8. Reports characters that the shop would refuse or change. */
export function readText(path: string, problems: Problems, root = folder): string {
  try {
    const { size } = statSync(join(root, path));
    if (size <= largestBytes) return decodeText(path, readFileSync(join(root, path)), problems);
    problems.push(`${path}: it has ${size} bytes; text files of this shop stay below ${largestBytes}`);
  } catch (error) {
    problems.push(`${path}: it can't be read: ${(error as Error).message}`);
  }
  return "";
}

/** The same check for bytes that are already read. */
export function decodeText(path: string, bytes: Uint8Array, problems: Problems): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    problems.push(`${path}: it isn't UTF-8; save it as UTF-8`);
    return "";
  }
  // XML can't contain them, and uploads with them fail (platform-facts.md, section 8).
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.exec(text);
  if (control === null) return text;
  const line = text.slice(0, control.index).split("\n").length;
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  problems.push(`${path}:${line}: it holds the control character U+${code}; take it out`);
  return "";
}
