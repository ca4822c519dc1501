/** A run of a command: preview, question, run, final messages. */

import { printable } from "../../provider/inventory/index.ts";
import {
  canBeRefused,
  differenceText,
  isPartlyApplied,
  isPlan,
  orphansAfter,
  type PassResult,
  type Preview,
  plural,
  savedPlanText,
} from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { printStale } from "../terminal/json-display.ts";
import { confirm } from "../terminal/prompts.ts";
import { printNote } from "../terminal/terminal.ts";
import { writePlan } from "./plan-options.ts";
import { codeOf, planQuietly, type Session, showPlan, showRun } from "./session.ts";

export interface RunEngine {
  /** Whether to show the plan and ask, to only check its limits, or to make none. */
  readonly previewMode: (session: Session) => "shown" | "unseen" | "none";
  /** Undefined if no limit refuses the plan. */
  readonly planUnseen: (session: Session) => Promise<Preview | undefined>;
  /** Whether the command can end after the plan: for a preview, or without changes. */
  readonly endsWithPlan: boolean;
  /** @returns the exit code if the engine prints the result and asks by itself */
  readonly carryOut: (session: Session, plan: Preview | undefined) => Promise<PassResult | number>;
}

const isPreview = ({ verb, values }: Session) => verb === "preview" || values["preview-only"] === true;

const embedded: RunEngine = {
  previewMode(session) {
    const { verb, values, stack, options } = session;
    // A refresh shows what it finds; a preview of it would read the shop twice.
    const isSkipped = values["skip-preview"] === true || (verb === "refresh" && values.yes === true);
    if (isPreview(session) || !isSkipped) return "shown";
    return isPlan(verb) && canBeRefused(stack, options) ? "unseen" : "none";
  },
  planUnseen: planQuietly,
  endsWithPlan: true,
  carryOut: showRun,
};

/** Runs preview, question and update. @returns the exit code */
export async function orchestrate(session: Session, by: RunEngine = embedded): Promise<number> {
  const { values } = session;
  const looks = by.previewMode(session);
  const plan = looks === "none" ? undefined : await (looks === "shown" ? showPlan : by.planUnseen)(session);
  let isPart = false;
  if (plan !== undefined) {
    const code = codeOf(plan, session);
    // Refused steps are skipped and the rest is applied; the exit code still says that the run failed.
    const isOver = code !== undefined && !(plan.refused.length === 0 && isPartlyApplied(session, plan));
    const stale = finishPlan(session, plan, isOver);
    if (stale !== undefined) return stale;
    if (isOver || (by.endsWithPlan && isPreview(session))) return code ?? codes.success;
    isPart = code !== undefined || plan.stale.length > 0;
    if (by.endsWithPlan && !plan.result.changed)
      return (await finish(session, plan)) ?? (isPart ? codes.failure : codes.success);
    if (by.endsWithPlan && looks === "shown" && !values.yes) await askPerson(session, plan);
  }
  const ran = await by.carryOut(session, plan);
  if (typeof ran === "number") return ran;
  const left = await finish(session, ran);
  return codeOf(ran, session) ?? left ?? (isPart ? codes.failure : codes.success);
}

/** Prints final messages. A destroy that leaves objects of interrupted creates fails. */
async function finish(session: Session, staged: PassResult): Promise<number | undefined> {
  await session.end?.(staged);
  const lines = await orphansAfter(session, staged);
  const isFailure = session.verb === "destroy" && lines.length > 0;
  for (const line of lines) printNote(`${isFailure ? "error" : "warning"}: ${line}`);
  return isFailure ? codes.failure : undefined;
}

async function askPerson({ verb, stop }: Session, { impact }: PassResult): Promise<void> {
  const count = impact.putBack.length + impact.createdAgain.length;
  if (count > 0)
    await confirm(
      `Put back ${plural(count, "edit")} of staff?`,
      "not confirmed. Use accept to write the edits into the program, or up --keep NAMES to leave them in the shop",
      stop,
    );
  await confirm(questions[verb], `not confirmed${verb === "import" ? ": nothing was imported" : ""}`, stop);
}

/**
 * Saves the plan, or compares it with the saved one.
 * @param failed whether there is no complete plan
 * @returns the exit code if the command ends here
 */
function finishPlan(
  { verb, values, options, stack, planFile }: Session,
  { current, stale }: Preview,
  failed: boolean,
): number | undefined {
  const path = values["save-plan"];
  if (planFile?.saves !== undefined && path !== undefined) {
    if (failed) printNote("no plan was saved, because the preview failed");
    else writePlan(path, savedPlanText(verb, { stack, options }, current, planFile.saves));
  }
  if (planFile?.plan === undefined) return undefined;
  if (failed) printNote("The plan was not applied.");
  if (failed || stale.length === 0) return undefined;
  if (values.json) printStale(verb, stale, values.partial !== true);
  const lines = [
    values.partial
      ? `Skipped, because these have changed since ${values.plan} was saved:`
      : `${values.plan} is stale, so nothing was applied. These have changed:`,
    ...stale.map(differenceText),
  ];
  printNote(
    `${printable(lines.join("\n  "))}\nSave a new plan with preview --save-plan, and have it approved.`,
  );
  return values.partial ? undefined : codes.changes;
}

const questions: Readonly<Record<Session["verb"], string>> = {
  preview: "",
  up: "Apply these changes to the shop?",
  refresh: "Update the state to match the shop?",
  destroy: "Delete these objects from the shop?",
  import: "Import these resources?",
};
