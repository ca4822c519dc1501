/** Files of the program that hold values by themselves, whatever language it is in: bodies of objects, and sheets of prices. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bodyPath, fileIn, sheetFile, withCells } from "../../provider/inventory/index.ts";
import { type Bodies, mergedBody } from "./bodies.ts";
import { type Deleted, type Drift, type Left, partsOf } from "./drift.ts";

/** What becomes of such files. */
export interface Files {
  readonly accepted: Map<Drift | Deleted, readonly string[]>;
  readonly left: Left[];
  readonly files: Map<string, string | Buffer>;
}

/** Whether it is the content of a file that the program names. */
export const isOfBody = ({ path, inputs }: Drift): boolean =>
  partsOf(path).top === bodyPath && fileIn(inputs) !== undefined;
const isOfSheet = ({ kind, inputs }: Drift) => sheetFile(kind, inputs) !== undefined;

/** Whether a file of its own has the value. */
export const isOfFile = (drift: Drift): boolean => isOfBody(drift) || isOfSheet(drift);

/** Finds what these files become; writes nothing. */
export async function planFiles(drifts: readonly Drift[], bodies: Bodies): Promise<Files> {
  const accepted = new Map<Drift | Deleted, readonly string[]>();
  const left: Left[] = [];
  const files = new Map<string, string | Buffer>();
  for (const own of Map.groupBy(drifts.filter(isOfBody), ({ urn }) => urn).values()) {
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
  return { accepted, left, files };
}
