/** The options of a run, checked and in the forms of the library and of pulumi; plan files. */
import { readFileSync, writeFileSync } from "node:fs";
import { readFault, writeFault } from "../../engine/common/disk.ts";
import { namesIn } from "../../provider/inventory/index.ts";
import { nameOptions, type UpdateOptions } from "../../runs/command.ts";
import { usageError } from "../exit.ts";
import type { RunValues, RunVerb } from "../run-options.ts";

/** Options that weren't given are left out. */
export const choicesOf = (values: RunValues): UpdateOptions => ({
  ...(values.at !== undefined && { at: values.at }),
  ...(values.refresh && { refresh: true }),
  ...(values["new-shop"] && { newShop: true }),
  ...(values["all-gone"] && { allGone: true }),
  ...(values["target-dependents"] && { targetDependents: true }),
  ...Object.fromEntries(
    nameOptions.flatMap((name) =>
      values[name] === undefined ? [] : [[name, namesIn(values[name])] as const],
    ),
  ),
});

/** The same selection as flags of pulumi, which takes patterns of URNs. */
export const chosenFlags = ({
  target,
  exclude,
  replace,
  targetDependents,
}: UpdateOptions): readonly string[] => [
  ...Object.entries({ target, exclude, replace }).flatMap(([option, names = []]) =>
    names.flatMap((name) => [`--${option}`, name.startsWith("urn:") ? name : `**::${name}`]),
  ),
  ...(targetDependents ? ["--target-dependents"] : []),
];

const previewOptions = ["refresh", "target-dependents", ...nameOptions] as const;

/** @throws CommandError for options that can't be combined */
export function checkPlanOptions(verb: RunVerb, values: RunValues): void {
  const isPreview = verb === "preview" || values["preview-only"] === true;
  if (values["save-plan"] !== undefined && !isPreview)
    throw usageError("--save-plan needs preview or --preview-only");
  if (values["save-plan"] !== undefined && values.at !== undefined)
    throw usageError("--at can't be used with --save-plan: a saved plan is applied for the time of its run");
  const isKept = (values["save-plan"] ?? values.plan) !== undefined;
  if (isKept && values["new-shop"])
    throw usageError(
      "--new-shop can't be used with a saved plan, which belongs to one shop: run up --new-shop first",
    );
  if (values.partial && values.plan === undefined)
    throw usageError(
      "--partial needs --plan: it skips the resources that have changed since the plan was saved",
    );
  if (values.plan === undefined) return;
  if (isPreview) throw usageError("--plan applies a plan: leave out --preview-only");
  if (values["skip-preview"])
    throw usageError("--plan can't be used with --skip-preview: the preview is compared with the plan");
  const [decided] = previewOptions.filter((name) => values[name] !== undefined);
  if (decided !== undefined)
    throw usageError(`--${decided} is part of a saved plan: pass it to preview --save-plan instead`);
}

/**
 * Reads a plan file.
 * @throws Error if it can't be read
 */
export function planText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`the plan ${path} can't be read: ${readFault(cause)}`, { cause });
  }
}

/** Writes a plan file that only its owner can read. */
export function writePlan(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new Error(`the plan ${path} can't be written: ${writeFault(cause)}`, { cause });
  }
}
