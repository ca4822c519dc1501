/** What accepting comes to: the files with their new texts, and what can't be written. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileIn } from "../../provider/inventory/index.ts";
import { isInThemeFolder } from "../../provider/names/theme-folder.ts";
import type { Bodies } from "./bodies.ts";
import type { Deleted, Drift, Left } from "./drift.ts";
import { type Edit, edited } from "./edits.ts";
import { isOfFile, planFiles } from "./files.ts";
import { lineOf, type Place } from "./sources.ts";
import { othersOf, type Program, withoutResource, written } from "./written.ts";

export const isDrift = (change: Drift | Deleted): change is Drift => "path" in change;

export interface Acceptance {
  /** What is written, each with the places that it changes. */
  readonly accepted: ReadonlyMap<Drift | Deleted, readonly string[]>;
  readonly left: readonly Left[];
  /** New texts by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly removed: readonly string[];
}

const placeOf = (at: Place | undefined) =>
  at === undefined ? undefined : { path: at.source.path, line: lineOf(at) };

/** Finds where all of this is stated; writes nothing. */
export async function planAcceptance(
  changes: readonly (Drift | Deleted)[],
  program: Program,
  bodies: Bodies,
): Promise<Acceptance> {
  const drifts = changes.filter(isDrift);
  const own = drifts.filter(isOfFile);
  const { accepted, left, files } = await planFiles(own, bodies);
  const edits: Edit[] = [];
  const others = changes.filter((change) => !(isDrift(change) && own.includes(change)));
  const ofFolders = inFolders(others, bodies);
  const beside = othersOf(drifts, program);
  for (const [change, path] of ofFolders)
    if (!isDrift(change)) accepted.set(change, [path]);
    else left.push({ change, reason: `rename the file to ${change.is}`, place: { path, line: 1 } });
  for (const change of others.filter((one) => !ofFolders.has(one))) {
    const result = isDrift(change) ? written(change, program, beside) : withoutResource(change, program);
    if ("reason" in result) {
      left.push({ change, reason: result.reason, place: placeOf(result.at) });
      continue;
    }
    const taken = result.edits.find(({ source }) => files.has(source.path));
    if (taken !== undefined) {
      const reason = "another resource's values are written into this file first: run accept again";
      left.push({ change, reason, place: { path: taken.source.path, line: 1 } });
      continue;
    }
    edits.push(...result.edits);
    accepted.set(
      change,
      result.edits.map(
        ({ source, from }) => `${source.path}:${source.text.slice(0, from).split("\n").length}`,
      ),
    );
  }
  for (const [path, all] of Map.groupBy(edits, ({ source }) => source.path))
    files.set(path, edited(all[0]?.source.text ?? readFileSync(path, "utf8"), all));
  const removed = [...ofFolders].flatMap(([change, path]) => (isDrift(change) ? [] : [path]));
  return { accepted, left, files, removed };
}

/** The files that state resources by lying in a theme's folder, with their names. */
const inFolders = (changes: readonly (Drift | Deleted)[], { home }: Bodies) =>
  new Map(
    changes.flatMap((change) => {
      const { path } = fileIn(change.inputs) ?? {};
      return isInThemeFolder(change.urn) && path !== undefined
        ? [[change, resolve(home, path)] as const]
        : [];
    }),
  );
