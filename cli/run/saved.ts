/** Saved plans as files, and the options that go with them. */
import { readFileSync, writeFileSync } from "node:fs";
import { wrong } from "../exit.ts";
import type { RunValues, RunVerb } from "../options.ts";

const ofPreview = [
  ...(["refresh", "allow", "overwrite", "keep", "resend"] as const),
  ...(["target", "target-dependents", "exclude", "replace"] as const),
];

/** @throws CommandError for options that don't go together */
export function checkPlanOptions(verb: RunVerb, values: RunValues): void {
  const isPreview = verb === "preview" || values["preview-only"] === true;
  if (values["save-plan"] !== undefined && !isPreview)
    throw wrong("--save-plan goes with preview, or with --preview-only");
  if (values["save-plan"] !== undefined && values.at !== undefined)
    throw wrong("--at can't be used with --save-plan: a plan is carried out as of the moment of its run");
  const isKept = (values["save-plan"] ?? values.plan) !== undefined;
  if (isKept && values["new-shop"])
    throw wrong("--new-shop can't be used with a saved plan, which is of one shop: run up --new-shop first");
  if (values.partial && values.plan === undefined)
    throw wrong("--partial goes with --plan: it does all of a saved plan but what has moved since");
  if (values.plan === undefined) return;
  if (isPreview) throw wrong("--plan carries a plan out: leave --preview-only out");
  if (values["skip-preview"])
    throw wrong("--plan can't be used with --skip-preview: the preview is compared with the plan");
  const [decided] = ofPreview.filter((name) => values[name] !== undefined);
  if (decided !== undefined)
    throw wrong(
      `--${decided} is decided with the plan: give it to preview --save-plan, and leave it out here`,
    );
}

/**
 * The text of a saved plan.
 * @throws Error where it can't be read
 */
export function planText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw new Error(`the plan ${path} can't be read: ${why}`, { cause });
  }
}

/** Writes a plan's file, for its owner alone. */
export function writePlan(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new Error(`the plan ${path} can't be written: ${(cause as Error).message}`, { cause });
  }
}
