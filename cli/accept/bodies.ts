/** Files of the program whose content staff changed: merged line by line, settings value by value, in the file's layout. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileIn, hidden, isLeafPath, lineFeeds } from "../../provider/inventory/index.ts";
import type { Drift } from "./drift.ts";
import { edited, jsonEdits } from "./edits.ts";
import { jsonSource } from "./sources.ts";
import { withLeaves } from "./written.ts";

/** What becomes of a file; or why nothing does. */
export type Body =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly reason: string };

/** Where the program's files are, and what they were when it last ran. */
export interface Bodies {
  /** The program's folder. */
  readonly home: string;
  /** The digest of the content that the program last asked of a resource. */
  readonly baseOf: (urn: string) => unknown;
  /** Whether staff's lines of a resource's text go before the program's where both changed the same ones. */
  readonly theirs: (urn: string) => boolean;
}

/** @param drifts of one resource's body, which a file states */
export function mergedBody(drifts: readonly Drift[], { home, baseOf, theirs }: Bodies): Body {
  const [first] = drifts as readonly [Drift];
  const path = resolve(home, fileIn(first.inputs)?.path ?? "");
  if (!existsSync(path)) return { path, reason: "the file is gone" };
  const own = readFileSync(path, "utf8");
  if (drifts.every((one) => isLeafPath(one.path))) {
    const value = JSON.parse(withLeaves(own, drifts)) as unknown;
    return { path, text: edited(own, jsonEdits(jsonSource(path, own), value)) };
  }
  const { is, isConflict, urn } = first;
  if (is === hidden) return { path, reason: "a secret value" };
  if (typeof is !== "string") return { path, reason: "its content isn't text" };
  const ends = own.includes("\r\n") ? "\r\n" : "\n";
  const inForm = (text: string) => text.replaceAll("\n", ends);
  if (!isConflict) return { path, text: inForm(is) };
  const before = committedText(path, baseOf(urn));
  const theirsFirst = theirs(urn);
  const merged = before === undefined ? undefined : mergedLines(lineFeeds(own), before, is, theirsFirst);
  if (merged !== undefined) return { path, text: inForm(merged) };
  if (theirsFirst) return { path, text: inForm(is) };
  const why =
    before === undefined
      ? "both changed it, and no commit has the text before"
      : "both changed the same lines";
  return { path, reason: `${why}: --theirs takes the shop's` };
}

/** Both sides' changes of a text; undefined where both changed the same lines, unless those of one side go before. */
function mergedLines(mine: string, before: string, theirs: string, theirsFirst: boolean): string | undefined {
  const { diff3Merge } = createRequire(import.meta.url)("node-diff3") as typeof import("node-diff3");
  const [a, o, b] = [mine, before, theirs].map((text) => text.split("\n")) as [string[], string[], string[]];
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: true });
  if (!theirsFirst && regions.some(({ conflict }) => conflict)) return undefined;
  return regions.flatMap(({ ok, conflict }) => ok ?? conflict?.b ?? []).join("\n");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The text of a file as a commit has it, by its digest; undefined where none has. */
function committedText(path: string, digest: unknown): string | undefined {
  const folder = resolve(path, "..");
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout ?? "";
  const name = path.slice(folder.length + 1);
  for (const commit of git("log", "--format=%H", "-n", "200", "--", name).split("\n").filter(Boolean)) {
    const text = lineFeeds(git("show", `${commit}:./${name}`));
    if (sha256(text) === digest) return text;
  }
  return undefined;
}
