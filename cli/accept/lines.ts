/** Accepted edits in words: the patch, each edit with its place in the program, and those that can't be written. */

import { isUtf8 } from "node:buffer";
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { relative, sep } from "node:path";
import { printable, sheetText } from "../../provider/inventory/index.ts";
import { plural } from "../../runs/command.ts";
import type { Files } from "../stack/write-files.ts";
import type { Acceptance } from "./acceptance.ts";
import { type Change, driftText, type FilePlace, isDrift } from "./drift.ts";

/** The files by their paths from the project's folder. */
export const filesOf = (folder: string, files: Acceptance["files"]): Files =>
  new Map([...files].map(([path, text]) => [shortPath(folder, path), text]));
export const shortPaths = (folder: string, paths: readonly string[]) =>
  paths.map((path) => shortPath(folder, path));
const shortPath = (folder: string, path: string) => relative(folder, path).split(sep).join("/");

/** The changed files as a patch, in the order of `git diff`. */
export function patchOf(folder: string, { files, removed }: Acceptance): string {
  const { createTwoFilesPatch } = createRequire(import.meta.url)("diff") as typeof import("diff");
  const home = realpathSync(folder);
  return (
    [...files, ...removed.map((path) => [path, undefined] as const)]
      // Git tracks the file that a link leads to.
      .map(([path, text]) => ({ name: shortPath(home, realpathSync(path)), path, text }))
      .toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
      .map(({ name, path, text }) => {
        const [old = "", next = ""] = [readFileSync(path), Buffer.from(text ?? "")].map((one) =>
          isUtf8(one) ? one.toString() : sheetText(one, undefined),
        );
        if (next.includes("\0"))
          return `Binary file ${name}: ${plural(Buffer.byteLength(text ?? ""), "byte")}\n`;
        const after = text === undefined ? "/dev/null" : `b/${name}`;
        return createTwoFilesPatch(`a/${name}`, after, old, next).replace(/^=+\n/, "");
      })
      .join("")
  );
}

/** The patch without characters that act on a terminal. The signs of UTF-8 and the ends of lines are parts of it. */
export const printablePatch = (patch: string): string =>
  patch
    .split(/(\r(?=\n)|(?<=^[-+ ])\uFEFF)/m)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join("");

export const changeText = (change: Change): string =>
  `${change.kind} ${change.name}: ${isDrift(change) ? driftText(change) : "deleted by staff"}`;

const placeText = (folder: string, { path, line }: FilePlace) =>
  shortPath(folder, path) + (line === undefined ? "" : `:${line}`);

/** Sorts by file and line, because a preview ends its steps in any order. */
const byPlace = <T>(all: readonly T[], placeOf: (one: T) => FilePlace | undefined): readonly T[] =>
  all.toSorted((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)];
    return (a?.path ?? "").localeCompare(b?.path ?? "") || (a?.line ?? 0) - (b?.line ?? 0);
  });

/** `Coupon spring: discount: 10 % => 15 %  (index.ts:4)`. */
export function acceptedLines(folder: string, { accepted: all }: Acceptance): readonly string[] {
  return byPlace([...all], ([, [at]]) => at).map(([change, places]) => {
    const at = [...new Set(places.map((one) => placeText(folder, one)))].join(", ");
    return `  ${changeText(change)}${at === "" ? "" : `  (${at})`}`;
  });
}

/** The edits that can't be written, each with its place and the reason. */
export function leftLines(folder: string, left: Acceptance["left"]): readonly string[] {
  if (left.length === 0) return [];
  return [
    `Not written, ${left.length}:`,
    ...byPlace(left, ({ place }) => place).map(({ change, reason, place }) => {
      const at = place === undefined ? "" : `${placeText(folder, place)}  `;
      return `  ${at}${changeText(change)} (${reason})`;
    }),
  ];
}

/** The last line. @param preview the command that shows the rest */
export function endText(done: readonly Change[], left: Acceptance["left"], preview: string): string {
  if (done.length > 0)
    return `Wrote ${plural(done.length, "edit")} of staff. Look at the diff and commit it; ${preview} no longer shows ${done.length === 1 ? "it" : "them"}.`;
  return left.length > 0
    ? "Nothing was written."
    : "Nothing was written: staff changed nothing that the program sets.";
}
