/**
 * Checks a theme as it is after a plan: mistakes in the files that it writes, and includes of files that don't
 * exist.
 */
import type { Event, Stack, Step, Value } from "../../engine/index.ts";
import {
  checkTheme,
  type Finding,
  findingText,
  hidden,
  isAllowed,
  type Notice,
  pathOf,
  textOf,
  themeFileOf,
} from "../../provider/inventory/index.ts";
import { readOwner } from "../../provider/names/owner.ts";
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import { isThemeFile } from "../../provider/resources/index.ts";
import type { Refusal } from "../report/step-words.ts";
import { limitsIn } from "./limits.ts";

export interface PlanFinding {
  readonly finding: Finding;
  readonly step: Step | undefined;
  readonly names: readonly string[];
  /** Whether it is refused on a protected stack. */
  readonly fails: boolean;
}

export interface ThemeFindings {
  readonly refused: readonly Refusal[];
  readonly warnings: readonly Event[];
  readonly findings: readonly Finding[];
}

/** @param steps all steps of the plan, also unchanged ones */
export function themeFindings(
  stack: Stack,
  steps: readonly Step[],
  notices: readonly Notice[],
): ThemeFindings {
  const told = notices.flatMap((one) => (one.type === "finding" ? [one.finding] : []));
  const broken = brokenByPlan(stack, steps);
  // The provider finds an include without quotation marks too.
  const places = new Set(broken.map(({ finding }) => placeOf(finding)));
  const missing = missingIncludes(steps, notices).filter(({ finding }) => !places.has(placeOf(finding)));
  const judged = judgeFindings(stack, [...missing, ...broken]);
  return { ...judged, findings: [...told, ...judged.findings] };
}

/** Refuses errors on a protected stack unless `--allow` names them; reports the rest as warnings. */
export function judgeFindings(stack: Stack, all: readonly PlanFinding[]): ThemeFindings {
  const guard = limitsIn(stack);
  const found = all.map((one) => ({
    ...one,
    isRefused: guard?.isProtected === true && one.fails && !isAllowed(guard, ...one.names),
  }));
  return {
    refused: found.flatMap(({ isRefused, step, finding, names: [name] }) =>
      isRefused
        ? [
            {
              step,
              text: `${findingText(finding)} (shop:protected)`,
              permit: `pass --allow ${name} to send it anyway`,
            },
          ]
        : [],
    ),
    // As the provider prints those of a file by itself: they are in the comment, too.
    warnings: found.flatMap(({ isRefused, finding, fails }) =>
      isRefused ? [] : [{ type: "printed" as const, text: `${severityOf(fails)}: ${findingText(finding)}` }],
    ),
    findings: found.map(({ finding, fails }) => ({ ...finding, severity: severityOf(fails) })),
  };
}

const severityOf = (fails: boolean): Finding["severity"] => (fails ? "error" : "warning");

/** Includes of files that neither the theme's folder, the shop nor the plan has. */
function missingIncludes(steps: readonly Step[], notices: readonly Notice[]): readonly PlanFinding[] {
  const made = new Set(
    steps
      .filter(({ op }) => op !== "delete" && op !== "delete-replaced")
      .map(({ inputs: { themeId, type, name } }) => `${themeId} ${type} ${withoutLiquid(name)}`),
  );
  return notices.flatMap((one) => {
    if (one.type !== "lacks") return [];
    const { finding, fails, of, kind } = one;
    const { name = "" } = readOwner(of);
    const step = steps.find((other) => other.name === name && other.type.endsWith(`:${kind}`));
    const place = `${step?.inputs.themeId} ${finding.lacks?.type}`;
    // A file with a secret name may be the missing one.
    if ([finding.lacks?.name, hidden].some((lacking) => made.has(`${place} ${withoutLiquid(lacking)}`)))
      return [];
    return [{ finding, fails, step, names: [name, of] }];
  });
}

type Values = Readonly<Record<string, Value>>;

/** Whether a finding is about a file together with the other files of its theme. */
const dependsOnOthers = ({ rule, lacks }: Finding) =>
  lacks === undefined && /^(?:unknown-(?:setting|message|object)|same-name|missing-snippet)$/.test(rule);

/**
 * Finds includes of files that the plan removes or renames, and mistakes that its files make together with the
 * others.
 */
function brokenByPlan(stack: Stack, steps: readonly Step[]): readonly PlanFinding[] {
  const ofThemes = steps.filter(
    ({ custom, found, partOf, type }) => custom && !found && partOf === undefined && isThemeFile(type),
  );
  const isGone = ({ op, stays }: Step) => (op === "delete" || op === "delete-replaced") && !stays;
  const after = ofThemes.flatMap((step) => {
    const values = Object.keys(step.inputs).length > 0 ? step.inputs : step.olds;
    return isGone(step) ? [] : [{ step, values }];
  });
  const keyOf = ({ themeId, type, name }: Values) => `${themeId} ${type} ${name}`;
  const kept = new Set(after.map(({ values }) => keyOf(values)));
  const gone = ofThemes.map(({ olds }) => olds).filter((olds) => "name" in olds && !kept.has(keyOf(olds)));
  const written = new Set(ofThemes.filter((step) => step.op !== "same" && !isGone(step)));
  const themes = new Set(
    [...gone, ...[...written].map(({ inputs }) => inputs)].map(({ themeId }) => themeId),
  );
  return [...themes].flatMap((theme) => {
    const sources = after
      .filter(({ values }) => values.themeId === theme)
      .map(({ step, values }) => ({
        step,
        file: themeFileOf(values, textOf(values, stack.project.programFolder)),
      }));
    const files = sources.map(({ file }) => file);
    const removed = gone.filter(({ themeId }) => themeId === theme).map((one) => themeFileOf(one));
    const was = new Set(checkTheme(files, removed).map(placeOf));
    const unwritten = sources.filter(({ step }) => !written.has(step)).map(({ file }) => file);
    const before = new Set(checkTheme(unwritten).map(placeOf));
    return checkTheme(files, [], "after this plan").flatMap((finding) => {
      const { step } = sources.find(({ file }) => pathOf(file) === finding.path) ?? {};
      const isWritten = step !== undefined && written.has(step);
      const isNews =
        finding.lacks === undefined
          ? dependsOnOthers(finding) &&
            (isWritten || (finding.rule === "same-name" && !before.has(placeOf(finding))))
          : !was.has(placeOf(finding));
      if (!isNews) return [];
      const names = [step?.name ?? "", step?.urn ?? ""];
      return [{ finding, step, names, fails: finding.severity === "error" }];
    });
  });
}

const placeOf = ({ rule, path, line, column }: Finding) => `${rule} ${path}:${line}:${column}`;
