/** A run as a person conducts it: looked at before, asked about, carried out, and what is to be said at its end. */

import { printable, printableJson } from "../../provider/inventory/index.ts";
import {
  canBeRefused,
  differenceText,
  isPlan,
  isRefusedInPart,
  orphansAfter,
  type PassResult,
  type Preview,
  plural,
  savedPlanText,
} from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { confirm } from "../report/ask.ts";
import { writePlan } from "./saved.ts";
import { codeOf, planUnseen, type Session, showPlan, showRun, tellPerson } from "./stage.ts";
import { questions } from "./texts.ts";

/** Who carries a run out, and how it is looked at before. */
export interface Conductor {
  /** Whether its plan is shown and asked about, is only held against the limits, or isn't made. */
  readonly looks: (session: Session) => "shown" | "unseen" | "none";
  /** Undefined where there is nothing in the plan to stop the run. */
  readonly planUnseen: (session: Session) => Promise<Preview | undefined>;
  /** Whether a plan ends the command: where a preview was asked for, or there is nothing to do. */
  readonly endsWithPlan: boolean;
  /** @returns the exit code where it asks the person and says all there is to say by itself */
  readonly carryOut: (session: Session, plan: Preview | undefined) => Promise<PassResult | number>;
}

const isPreview = ({ verb, values }: Session) => verb === "preview" || values["preview-only"] === true;

const embedded: Conductor = {
  looks(session) {
    const { verb, values, stack, options } = session;
    // What a refresh finds it also shows; asking first would read the shop twice.
    const isSkipped = values["skip-preview"] === true || (verb === "refresh" && values.yes === true);
    if (isPreview(session) || !isSkipped) return "shown";
    return isPlan(verb) && canBeRefused(stack, options) ? "unseen" : "none";
  },
  planUnseen,
  endsWithPlan: true,
  carryOut: showRun,
};

/** Preview, question, run: each may end the command. @returns the exit code */
export async function conduct(session: Session, by: Conductor = embedded): Promise<number> {
  const { values } = session;
  const looks = by.looks(session);
  const plan = looks === "none" ? undefined : await (looks === "shown" ? showPlan : by.planUnseen)(session);
  let isPart = false;
  if (plan !== undefined) {
    const code = codeOf(plan, session);
    // What was refused stays as it is; the rest is done, and the run ends with an error all the same.
    const isOver = code !== undefined && !(plan.refused.length === 0 && isRefusedInPart(plan.result));
    const stale = endPlan(session, plan, isOver);
    if (stale !== undefined) return stale;
    if (isOver || (by.endsWithPlan && isPreview(session))) return code ?? codes.success;
    isPart = code !== undefined || plan.stale.length > 0;
    if (by.endsWithPlan && !plan.result.changed)
      return (await endOf(session, plan)) ?? (isPart ? codes.failure : codes.success);
    if (by.endsWithPlan && looks === "shown" && !values.yes) await ask(session, plan);
  }
  const ran = await by.carryOut(session, plan);
  if (typeof ran === "number") return ran;
  const left = await endOf(session, ran);
  return codeOf(ran, session) ?? left ?? (isPart ? codes.failure : codes.success);
}

/** What is to be said when all is done. A destroy that leaves objects of creates that were cut off has not done what it is for. */
async function endOf(session: Session, staged: PassResult): Promise<number | undefined> {
  await session.end?.(staged);
  const lines = await orphansAfter(session, staged);
  const isFailure = session.verb === "destroy" && lines.length > 0;
  for (const line of lines) tellPerson(`${isFailure ? "error" : "warning"}: ${line}`);
  return isFailure ? codes.failure : undefined;
}

async function ask({ verb, stop }: Session, { impact }: PassResult): Promise<void> {
  const count = impact.putBack.length + impact.createdAgain.length;
  if (count > 0)
    await confirm(
      `Put back ${plural(count, "edit")} of staff?`,
      "not confirmed. accept writes what staff changed into the program; up --keep with names or kinds leaves it in the shop",
      stop,
    );
  await confirm(questions[verb], `not confirmed${verb === "import" ? ": nothing was imported" : ""}`, stop);
}

/**
 * Saves the plan of a preview, or says how it differs from the saved one.
 * @param failed whether the preview shows no plan
 * @returns the exit code where it ends the command
 */
function endPlan(
  { verb, values, options, stack, planFile }: Session,
  { current, stale }: Preview,
  failed: boolean,
): number | undefined {
  const path = values["save-plan"];
  if (planFile?.saves !== undefined && path !== undefined) {
    if (failed) tellPerson("no plan was saved, because the preview failed");
    else writePlan(path, savedPlanText(verb, { stack, options }, current, planFile.saves));
  }
  if (planFile?.plan === undefined) return undefined;
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
