/** Paths of arguments as a person reads them: an item of a list by its key, `variants[MUG-R].price`. */
import { kindOf } from "../../engine/index.ts";
import { keyedLists } from "../../sdk/outputs.ts";

/**
 * @param type of the resource, as the engine has it
 * @param path as the engine has it: keyed lists travel as objects (sdk/keyed.ts)
 */
export function pathText(type: string, path: string): string {
  for (const list of Object.keys(keyedLists[kindOf(type)] ?? {})) {
    const [, key, rest = ""] =
      new RegExp(`^${list}(?:\\.([^.[]+)|\\["(?:[^"\\\\]|\\\\.)*"\\])(.*)$`, "s").exec(path) ?? [];
    if (key !== undefined) return `${list}[${key}]${rest}`;
    const quoted = new RegExp(`^${list}\\[("(?:[^"\\\\]|\\\\.)*")\\](.*)$`, "s").exec(path);
    if (quoted !== null) return `${list}[${JSON.parse(quoted[1] as string) as string}]${quoted[2]}`;
  }
  return path;
}
