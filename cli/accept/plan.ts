/** What accepting comes to: the files with their new texts, and what can't be written. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bodyPath, fileIn, sheetFile, withCells } from "../../provider/inventory/index.ts";
import { isInThemeFolder } from "../../pulumi/theme-folder.ts";
import { type Bodies, mergedBody } from "./bodies.ts";
import { type Deleted, type Drift, partsOf } from "./drift.ts";
import { type Edit, edited } from "./edits.ts";
import { lineOf, type Place } from "./sources.ts";
import { othersOf, type Program, withoutResource, written } from "./written.ts";

export const isDrift = (change: Drift | Deleted): change is Drift => "path" in change;

/** A change of staff's that can't be written. */
export interface Left {
  readonly change: Drift | Deleted;
  readonly reason: string;
  /** `index.ts:5`; undefined where nobody knows. */
  readonly place: { readonly path: string; readonly line: number } | undefined;
}

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

const isOfSheet = ({ kind, inputs }: Drift) => sheetFile(kind, inputs) !== undefined;

/** Finds where all of this is stated; writes nothing. */
export async function planAcceptance(
  changes: readonly (Drift | Deleted)[],
  program: Program,
  bodies: Bodies,
): Promise<Acceptance> {
  const drifts = changes.filter(isDrift);
  const accepted = new Map<Drift | Deleted, readonly string[]>();
  const left: Left[] = [];
  const files = new Map<string, string | Buffer>();
  const edits: Edit[] = [];
  const isOfFile = (drift: Drift) =>
    partsOf(drift.path).top === bodyPath && fileIn(drift.inputs) !== undefined;
  for (const own of Map.groupBy(drifts.filter(isOfFile), ({ urn }) => urn).values()) {
    const body = mergedBody(own, bodies);
    const isOther = "text" in body && (files.get(body.path) ?? body.text) !== body.text;
    if ("text" in body && !isOther) {
      files.set(body.path, body.text);
      for (const drift of own) accepted.set(drift, [body.path]);
      continue;
    }
    const reason =
      "text" in body
        ? "several resources have the file, and staff changed them in different ways"
        : body.reason;
    for (const change of own) left.push({ change, reason, place: { path: body.path, line: 1 } });
  }
  for (const own of Map.groupBy(drifts.filter(isOfSheet), ({ urn }) => urn).values()) {
    const { kind = "", inputs = {} } = own[0] ?? {};
    const path = resolve(bodies.home, sheetFile(kind, inputs) ?? "");
    const written = await withCells(Buffer.from(files.get(path) ?? readFileSync(path)), inputs, own);
    for (const [change, done] of written.done) {
      const { line } = done;
      if ("why" in done) left.push({ change, reason: done.why, place: { path, line } });
      else accepted.set(change, [`${path}:${line}`]);
    }
    if (own.some((drift) => accepted.has(drift))) files.set(path, written.bytes);
  }
  const others = changes.filter((change) => !(isDrift(change) && (isOfFile(change) || isOfSheet(change))));
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
  for (const [path, own] of Map.groupBy(edits, ({ source }) => source.path))
    files.set(path, edited(own[0]?.source.text ?? readFileSync(path, "utf8"), own));
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
