/** What staff deleted and made again: no program can create it beside theirs, and what else they changed is accepted. */
import { join } from "node:path";
import { kindOf, nameOf, typeOf } from "../../engine/index.ts";
import { isRefusedInPart, type PassResult } from "../../runs/command.ts";
import type { Left } from "./drift.ts";

type Ran = Pick<PassResult, "result">;

/** Whether nothing failed but what was refused, and the create of what is gone. */
export function isWhole({ result: { outcome, failures } }: Ran, gone: ReadonlySet<string>): boolean {
  if (outcome !== "failed" || failures.length === 0) return outcome === "succeeded";
  const others = failures.filter(({ urn = "" }) => !gone.has(urn));
  return others.length === 0 || isRefusedInPart({ outcome, failures: others });
}

/** What is gone and a preview can't create. @param folder the program's */
export const remadeOf = (
  { result: { failures } }: Ran,
  gone: ReadonlySet<string>,
  folder: string,
): readonly Left[] =>
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
