/** Texts that a program in YAML reads from files: `description: { fn::readFile: mug.html }`. */
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Document, isMap, visit } from "yaml";
import { lineHashesOf, linesOfBoth } from "./conflicts.ts";
import type { Drift } from "./drift.ts";
import { inLineEndsOf } from "./edits.ts";
import type { FileContext, Files } from "./file-edits.ts";
import { isSameValue } from "./tables.ts";

/** Returns the file whose text a value is; undefined for any other value. @param home the program's folder */
function textFileIn(node: unknown, home: string): string | undefined {
  const file = isMap(node) && node.items.length === 1 ? node.get("fn::readFile") : undefined;
  return typeof file === "string" ? resolve(home, file) : undefined;
}

/** The new text, or the reason why it isn't written. */
type NewText = { readonly text: string } | { readonly reason: string };

function newText(path: string, { asked, is }: Drift, theirs: boolean): NewText {
  if (!existsSync(path)) return { reason: "the file doesn't exist" };
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) return { reason: "the file isn't UTF-8: save it as UTF-8" };
  if (is !== null && typeof is !== "string") return { reason: "its content isn't text" };
  const own = bytes.toString();
  const isMine = theirs || isSameValue(own, asked) || isSameValue(own, is);
  const text = isMine ? (is ?? "") : linesOfBoth(own, lineHashesOf(asked), { is, theirs });
  if (text === undefined) return { reason: "both changed the same lines; --theirs accepts the shop's" };
  return { text: isSameValue(own, text) ? own : inLineEndsOf(own, text) };
}

/**
 * Returns a function that plans a drift of a text that is read from a file, and says whether it is one.
 * @param planned the plan so far
 */
export function openTextFiles(
  document: Document,
  { accepted, left, files }: Files,
  { home, theirs }: Pick<FileContext, "home" | "theirs">,
) {
  const used: string[] = [];
  visit(document, { Map: (_key, node) => void used.push(...[textFileIn(node, home) ?? []].flat()) });
  return (node: unknown, change: Drift): boolean => {
    const path = textFileIn(node, home);
    if (path === undefined) return false;
    const place = { path, line: 1 };
    const isShared = used.filter((one) => one === path).length > 1;
    const next = isShared ? { reason: "other resources read the same file" } : newText(path, change, theirs);
    if ("reason" in next) left.push({ change, reason: next.reason, place });
    else {
      accepted.set(change, [place]);
      files.set(path, next.text);
    }
    return true;
  };
}
