/** What becomes of a plan when its preview has ended: it is saved, or it is the saved one, or it is not. */
import { printable, printableJson } from "../../provider/inventory/index.ts";
import { differenceText, type Planned, savedPlan } from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { writePlan } from "./saved.ts";
import { type Session, tellPerson } from "./stage.ts";

/**
 * Saves the plan of a preview, or says how it differs from the saved one.
 * @param failed whether the preview shows no plan
 * @returns the exit code where it ends the command
 */
export function endPlan(
  { verb, values, choices, stack, bound }: Session,
  { fresh, stale }: Planned,
  failed: boolean,
): number | undefined {
  const path = values["save-plan"];
  if (bound?.saves !== undefined && path !== undefined) {
    if (failed) tellPerson("no plan was saved, because the preview failed");
    else writePlan(path, savedPlan(verb, { stack, choices }, fresh, bound.saves));
  }
  if (bound?.plan === undefined) return undefined;
  if (failed) tellPerson("The plan was not carried out.");
  if (failed || stale.length === 0) return undefined;
  if (values.json)
    process.stdout.write(
      `${printableJson(JSON.stringify({ run: verb, type: "stale", differences: stale }))}\n`,
    );
  const lines = [
    values.partial
      ? `Left out of ${values.plan}, because it has moved since:`
      : `Refused, because ${values.plan} is not what would be done now:`,
    ...stale.map(differenceText),
  ];
  tellPerson(`${printable(lines.join("\n  "))}\npreview --save-plan makes a new plan, to be approved again.`);
  return values.partial ? undefined : codes.changes;
}
