/** What becomes of a plan when its preview has ended: it is saved, or it is the saved one, or it is not. */
import { printable, printableJson } from "../../provider/inventory/index.ts";
import { type Difference, differences, differenceText, type Staged, savedPlan } from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { writePlan } from "./saved.ts";
import { type Session, tellPerson } from "./stage.ts";

/**
 * Saves the plan of a preview, or compares it with the saved one.
 * @param failed whether the preview shows no plan
 * @returns the exit code where it ends the command, or what of the saved plan is left out
 */
export function endPlan(
  { verb, values, choices, stack, bound }: Session,
  { fresh }: Staged,
  failed: boolean,
): { readonly code: number } | { readonly left: readonly Difference[] } | undefined {
  const path = values["save-plan"];
  if (bound?.saves !== undefined && path !== undefined) {
    if (failed) tellPerson("no plan was saved, because the preview failed");
    else writePlan(path, savedPlan(verb, { stack, choices }, fresh, bound.saves));
  }
  if (bound?.plan === undefined) return undefined;
  const found = failed ? [] : differences(bound.plan, fresh);
  if (values.json && found.length > 0)
    process.stdout.write(
      `${printableJson(JSON.stringify({ run: verb, type: "stale", differences: found }))}\n`,
    );
  if (failed) tellPerson("The plan was not carried out.");
  if (found.length === 0) return undefined;
  const lines = [
    values.partial
      ? `Left out of ${values.plan}, because it has moved since:`
      : `Refused, because ${values.plan} is not what would be done now:`,
    ...found.map(differenceText),
  ];
  tellPerson(`${printable(lines.join("\n  "))}\npreview --save-plan makes a new plan, to be approved again.`);
  return values.partial ? { left: found } : { code: codes.changes };
}
