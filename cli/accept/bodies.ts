/** Files of the program whose content staff changed: merged line by line, settings value by value, in the file's layout. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  fileIn,
  hidden,
  isLeafPath,
  lineFeeds,
  mergedLines,
  withEndsOf,
} from "../../provider/inventory/index.ts";
import type { Drift } from "./drift.ts";
import { edited, jsonEdits } from "./edits.ts";
import { jsonSource } from "./sources.ts";
import { withLeaves } from "./written.ts";

/** What becomes of a file; or why nothing does. */
export type Body =
  | { readonly path: string; readonly text: string | Buffer }
  | { readonly path: string; readonly reason: string };

/** Where the program's files are, and what they were when it last ran. */
export interface Bodies {
  readonly home: string;
  /** The lines of the content that the program last asked of a resource, as the state keeps them. */
  readonly baseOf: (urn: string) => string | undefined;
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
  const theirsFirst = theirs(urn);
  if (is === hidden) return { path, reason: "a secret value" };
  if (Buffer.isBuffer(is))
    return isConflict && !theirsFirst
      ? { path, reason: "both changed it: --theirs takes the shop's" }
      : { path, text: is };
  if (typeof is !== "string") return { path, reason: "the shop doesn't show its content" };
  const inForm = (text: string) => withEndsOf(own, text);
  if (!isConflict) return { path, text: inLayout(path, own, is) ?? inForm(is) };
  const before = baseOf(urn);
  const merged = before === undefined ? undefined : mergedLines(lineFeeds(own), before, is, theirsFirst);
  if (merged !== undefined) return { path, text: inForm(merged) };
  if (theirsFirst) return { path, text: inForm(is) };
  const why =
    before === undefined
      ? "both changed it, and the state doesn't know the lines before"
      : "both changed the same lines";
  return { path, reason: `${why}: --theirs takes the shop's` };
}

/** Settings in the layout that the file has; undefined where one of the two is no JSON. */
function inLayout(path: string, own: string, is: string): string | undefined {
  if (!path.endsWith(".json")) return undefined;
  try {
    return edited(own, jsonEdits(jsonSource(path, own), JSON.parse(is)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
