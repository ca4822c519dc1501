/** What becomes of a plan when its preview has ended: it is saved, or it is the saved one, or it is not. */
import type { Stack } from "../../engine/index.ts";
import { printable, printableJson } from "../../provider/inventory/index.ts";
import { codes } from "../exit.ts";
import type { RunValues, Verb } from "../options.ts";
import { type Binding, frameOf, planOf, writePlan } from "../../runs/plans/saved.ts";
import { differences, differenceText, type Fresh } from "../../runs/plans/stale.ts";

interface Planning {
  readonly verb: Verb;
  readonly values: RunValues;
  readonly stack: Stack;
  readonly bound: Binding | undefined;
}

/**
 * Saves the plan of a preview, or compares it with the saved one.
 * @param failed whether the preview shows no plan
 * @returns the exit code where it ends the command
 */
export function endPlan(
  { verb, values, stack, bound }: Planning,
  fresh: Fresh,
  failed: boolean,
): number | undefined {
  if (bound?.saves !== undefined) {
    if (failed) process.stderr.write("no plan was saved, because the preview failed\n");
    else
      writePlan(bound.saves.path, planOf(frameOf(verb, stack), values, fresh, stack.now()), bound.saves.key);
  }
  if (bound?.plan === undefined) return undefined;
  const found = failed ? [] : differences(bound.plan, fresh);
  if (values.json && found.length > 0)
    process.stdout.write(
      `${printableJson(JSON.stringify({ run: verb, type: "stale", differences: found }))}\n`,
    );
  if (failed) process.stderr.write("The plan was not carried out, and nothing was changed.\n");
  if (found.length === 0) return undefined;
  const lines = [
    `Refused, because ${values.plan} is not what would be done now:`,
    ...found.map(differenceText),
  ];
  process.stderr.write(
    `${printable(lines.join("\n  "))}\nNothing was changed. preview --save-plan makes a new plan, to be approved again.\n`,
  );
  return codes.changes;
}
