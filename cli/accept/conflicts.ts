/** Conflicts: values that staff and the program both changed. Texts are merged line by line; the user decides about the others. */
import {
  bodyPath,
  fileIn,
  mergedLines,
  printLineHashes,
  withLineFeeds,
} from "../../provider/inventory/index.ts";
import { askYesNo } from "../terminal/prompts.ts";
import { type Change, type Drift, isDrift, type Skipped, skipped } from "./drift.ts";
import type { FileContext } from "./file-edits.ts";
import { changeText } from "./lines.ts";
import { type ProgramInputs, usersOfTitle } from "./verify.ts";

/** The text with the lines of both, if they can be merged. */
function withMergedLines(change: Drift, { theirs, baseOf }: Bodies): Drift {
  const { path, was, asked, is, isConflict } = change;
  if (!isConflict || isMergedText(change)) return change;
  const before = path === bodyPath ? baseOf(change) : lineHashesOf(was);
  const merged = linesOfBoth(asked, before, { is, theirs });
  return merged === undefined ? change : { ...change, is: merged, isConflict: false, isMerged: true };
}

export const lineHashesOf = (text: unknown): string | undefined =>
  typeof text === "string" ? printLineHashes(withLineFeeds(text)) : undefined;

interface OtherSide {
  readonly is: unknown;
  /** Whether it wins where both changed the same lines. */
  readonly theirs: boolean;
}

/** A text of several lines with the changes of both sides; undefined for any other value, or in a conflict. */
export function linesOfBoth(
  mine: unknown,
  before: string | undefined,
  { is, theirs }: OtherSide,
): string | undefined {
  if (before === undefined || typeof mine !== "string" || typeof is !== "string") return undefined;
  const [own, staffs] = [withLineFeeds(mine), withLineFeeds(is)];
  return `${own}${staffs}`.includes("\n") ? mergedLines(own, before, staffs, theirs) : undefined;
}

type Bodies = Pick<FileContext, "theirs" | "baseOf">;

/** Asks about each conflict on a terminal. Without one, only `--theirs` accepts conflicts. */
export async function resolveConflicts(all: readonly Change[], bodies: Bodies) {
  const { theirs } = bodies;
  const changes = all.map((change) => (isDrift(change) ? withMergedLines(change, bodies) : change));
  const both = changes.filter((change) =>
    isDrift(change) ? change.isConflict && !isMergedText(change) : change.isConflict,
  );
  const left: Skipped[] = [];
  const taken = new Set<Change>(theirs ? both : []);
  for (const change of theirs ? [] : both) {
    const isTaken =
      process.stdin.isTTY && (await askYesNo(`${changeText(change)}: both changed it. Take the shop's?`));
    if (isTaken) taken.add(change);
    else
      left.push(
        skipped(
          change,
          `both changed it; --theirs accepts the shop's ${isDrift(change) ? "value" : "delete"}`,
        ),
      );
  }
  return { changes: changes.filter((change) => !both.includes(change) || taken.has(change)), left };
}

type Wanted = Awaited<ReturnType<typeof resolveConflicts>>;

/** Skips titles that other resources use for their amounts: the user must change them together. */
export function withoutSharedTitles(wanted: Wanted, asked: ProgramInputs): Wanted {
  const left = wanted.changes.flatMap((change) => {
    const by = isDrift(change) ? usersOfTitle(change, asked) : [];
    const verb = by.length === 1 ? "names" : "name";
    return by.length === 0 ? [] : [skipped(change, `write it where ${by.join(", ")} ${verb} it too`)];
  });
  const held = new Set(left.map(({ change }) => change));
  return {
    ...wanted,
    changes: wanted.changes.filter((change) => !held.has(change)),
    left: [...wanted.left, ...left],
  };
}

/** Whether the value is a text in a file, where the lines of both sides are merged. */
const isMergedText = ({ path, inputs }: Drift) => path === bodyPath && fileIn(inputs) !== undefined;
