/** Objects that staff deleted and created again: the program can't create them a second time. Other edits are still accepted. */
import { join } from "node:path";
import { kindOf, nameOf, typeOf } from "../../engine/index.ts";
import { isRefusedInPart, type PassResult } from "../../runs/command.ts";
import type { Skipped } from "./drift.ts";

type Ran = Pick<PassResult, "result">;

/** Whether all failures are refused steps, or creates of deleted objects. */
export function isWhole({ result: { outcome, failures } }: Ran, gone: ReadonlySet<string>): boolean {
  if (outcome !== "failed" || failures.length === 0) return outcome === "succeeded";
  const others = failures.filter(({ urn = "" }) => !gone.has(urn));
  return others.length === 0 || isRefusedInPart({ outcome, failures: others });
}

/** Deleted objects that a preview can't create. @param folder the program's folder */
export const recreatedObjects = (
  { result: { failures } }: Ran,
  gone: ReadonlySet<string>,
  folder: string,
): readonly Skipped[] =>
  failures.flatMap(({ urn = "", place = "", message, wrong = [] }) => {
    if (!gone.has(urn)) return [];
    const [, path, line] = /^(.*):(\d+)$/.exec(place) ?? [];
    const why = wrong.map(({ property, reason }) => `${property}: ${reason}`).join("; ");
    return [
      {
        change: { urn, kind: kindOf(typeOf(urn)), name: nameOf(urn), inputs: {} },
        reason: why === "" ? message : why,
        place: path === undefined ? undefined : { path: join(folder, path), line: Number(line) },
      },
    ];
  });
