/**
 * Compares a saved plan with a new plan: it must be the same, or the rest of an interrupted one
 * (docs/decisions/0014-contents-of-a-saved-plan.md).
 */
import {
  type Event,
  endedIn,
  ends,
  type Failure,
  kindOf,
  makes,
  type Result,
  type Step,
  type Unfinished,
  writes,
} from "../../engine/index.ts";
import { topOf } from "../../engine/pulumi/path.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { bodyPath, type Notice, staleFields, withUnit } from "../../provider/inventory/index.ts";
import { fileChange } from "../report/change-lines.ts";
import { unitsAt } from "../report/labels.ts";
import type { SavedPlan, SeenObject } from "./plan-file.ts";
import { argumentDeviations, type Deviation, deviations, plannedStep } from "./step-comparison.ts";

/** A plan that was made just now, with what the provider read for it. */
export interface CurrentPlan {
  readonly steps: readonly Step[];
  readonly unchanged: readonly Step[];
  readonly refused: readonly Unfinished[];
  /** The resources that failed: the plan has no step for them. */
  readonly failed: readonly Failure[];
  /** Whether the plan has no deletes, because the program did not run to its end. */
  readonly lacksDeletes: boolean;
  readonly seen: readonly SeenObject[];
}

export function currentPlan(
  events: readonly Event[],
  notices: readonly Notice[],
  { failures, deletesUnknown }: Pick<Result, "failures" | "deletesUnknown">,
): CurrentPlan {
  const { done, refused } = endedIn(events);
  return {
    steps: done.filter(({ op }) => op !== "same"),
    // A refresh without changes reports no arguments.
    unchanged: done.filter(({ op, found }) => op === "same" && !found),
    refused,
    failed: failures.filter(({ refused: isRefused }) => isRefused !== true),
    lacksDeletes: deletesUnknown === true,
    seen: notices.filter((notice) => notice.type === "sees"),
  };
}

/** A difference between the saved plan and the new one. */
export interface Difference {
  readonly resource: string;
  /** The field and its side, such as `discount in the shop`; empty for the whole resource. */
  readonly field: string;
  readonly planned: string;
  readonly now: string;
  readonly urn?: string;
  /**
   * Whether the rest of the resource can still be applied: for a row of a sheet, which is read again before it
   * is sent.
   */
  readonly isRest?: true;
  /** Whether the program's file differs. */
  readonly isFile?: true;
}

/** Steps that write, without the changes that a refresh found. */
export const writingSteps = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ op, found, type }) => writes(op) && !found && !isPulumisOwn(type));

export function planDifferences(plan: SavedPlan, current: CurrentPlan): readonly Difference[] {
  const steps = writingSteps(current.steps);
  const about = new Set([...steps, ...current.refused.map(({ step }) => step)].map(({ urn }) => urn));
  const found = [
    ...steps.flatMap((now) => withUrn(now, stepDifferences(plan, current, now))),
    ...current.refused.flatMap(({ step, message }) =>
      withUrn(step, refusedDifferences(plan, current, step, message)),
    ),
    ...plan.steps
      .filter(({ urn }) => !about.has(urn))
      .flatMap((step) => withUrn(step, missingDifferences(step, current))),
  ];
  const texts = new Set<string>();
  return found.filter((one) => {
    const text = differenceText(one);
    return !texts.has(text) && texts.add(text).size > 0;
  });
}

const withUrn = ({ urn }: Step, found: readonly Difference[]) => found.map((one) => ({ ...one, urn }));

/** The steps that differ from the approved plan. They are skipped, and the rest is applied. */
export function declinedSteps(current: CurrentPlan, moved: readonly Difference[]): readonly Unfinished[] {
  const texts = Map.groupBy(
    moved.filter(({ isRest }) => !isRest),
    ({ urn }) => urn,
  );
  return writingSteps(current.steps).flatMap((step) => {
    const found = texts.get(step.urn);
    if (found === undefined) return [];
    return { step, message: `differs from the approved plan: ${found.map(differenceText).join("; ")}` };
  });
}

export const differenceText = ({ resource, field, planned, now }: Difference): string =>
  `${resource}: ${field === "" ? "" : `${field}: `}planned ${planned}, now ${now}`;

const resourceOf = ({ type, name }: Step) => `${kindOf(type)} ${name}`;

function stepDifferences(plan: SavedPlan, current: CurrentPlan, now: Step): readonly Difference[] {
  const resource = resourceOf(now);
  const was = plannedStep(plan.steps, now, true);
  if (was === undefined) {
    const [other] = plan.steps.filter(({ urn }) => urn === now.urn);
    return [{ resource, field: "", planned: other === undefined ? "nothing" : other.op, now: stepText(now) }];
  }
  const isMade = makes(was.op) && !makes(now.op);
  if (was.id !== undefined && now.id !== undefined && was.id !== now.id && !isMade)
    return [{ resource, field: "id", planned: was.id, now: now.id }];
  const shop =
    now.id === undefined || now.unfinished === true
      ? []
      : shopDifferences(plan.seen, current.seen, now, resource);
  // An adoption changes the shop's values, and no state has them.
  const own = argumentDifferences(was, now, now.op === "adopt" && shop.length > 0);
  // The provider knows a body only by its hash; the program's side is shown as a text or a file.
  const isTold = ({ field }: Difference) =>
    own.some((one) => one.field === field || (one.isFile && field === `${bodyPath} in the program`));
  return [...own, ...shop.filter((one) => !isTold(one))];
}

/**
 * Differences of the program's arguments. A file counts once, even if several of its properties differ.
 * @param isShopTold whether the values that the step changes from are told as the shop's
 */
function argumentDifferences(was: Step, now: Step, isShopTold: boolean): readonly Difference[] {
  const moved = deviations(was, now).filter(({ side }) => !isShopTold || side === "program");
  const words = fileChange(was.inputs.file, now.inputs.file);
  const isOfFile = ({ path, side }: Deviation) =>
    words !== undefined && side === "program" && topOf(path) === "file";
  const rest = moved.filter((one) => !isOfFile(one)).map((one) => differenceOf(was, now, one));
  if (words === undefined || rest.length === moved.length) return rest;
  const file = {
    field: words.label,
    planned: words.old ?? "another text",
    now: words.new,
    isFile: true as const,
  };
  return [{ resource: resourceOf(now), ...file }, ...rest];
}

function stepText(step: Step): string {
  const parts = step.changes.map(({ path, old, new: next }) => {
    const signs = unitsAt(step, path);
    return `${path} ${valueText(old, signs.old)} => ${valueText(next, signs.new)}`;
  });
  return parts.length === 0 ? step.op : `${step.op} of ${parts.join(", ")}`;
}

const noChange = "no change";

function differenceOf(was: Step, step: Step, { path, side, planned, now, isSecret }: Deviation): Difference {
  const own = { resource: resourceOf(step), field: side === undefined ? path : `${path} in the ${side}` };
  if (isSecret) return { ...own, planned: "a secret", now: "another secret" };
  const signs = unitsAt(step, path);
  if (side !== undefined) {
    const which = side === "program" ? "new" : "old";
    return {
      ...own,
      planned: valueText(planned, unitsAt(was, path)[which]),
      now: valueText(now, signs[which]),
    };
  }
  const change = `${valueText(planned, signs.old)} => ${valueText(now, signs.new)}`;
  return { ...own, planned: noChange, now: change };
}

export const isSeenFor = (
  { provider, kind, id, ends: goes, adopts }: SeenObject,
  step: Pick<Step, "op" | "type" | "id" | "provider">,
): boolean =>
  provider === step.provider &&
  kind === kindOf(step.type) &&
  id === step.id &&
  goes === ends(step.op) &&
  (adopts === true) === (step.op === "adopt");

/** Differences of the shop's values that the step touches. */
function shopDifferences(
  planned: readonly SeenObject[],
  now: readonly SeenObject[],
  step: Step,
  resource: string,
): readonly Difference[] {
  const its = (all: readonly SeenObject[]) => all.findLast((one) => isSeenFor(one, step));
  const [before, seen] = [its(planned), its(now)];
  if (seen === undefined) return [];
  const sign = (path: string) => {
    const { old, new: next } = unitsAt(step, path);
    return old || next;
  };
  return staleFields(before?.fields ?? [], seen.fields, seen.ends).map(
    ({ path, side, planned: was, now: is, isUnplanned }) => ({
      resource,
      field: `${path} in the ${side}`,
      planned: isUnplanned ? noChange : valueText(was, sign(path)),
      now: isSecretText(is) && isSecretText(was) ? "another secret" : valueText(is, sign(path)),
      ...(seen.byItem === true && side === "shop" && { isRest: true as const }),
    }),
  );
}

/** Differences of steps that the provider refuses and the saved plan didn't have as refused. */
function refusedDifferences(
  plan: SavedPlan,
  current: CurrentPlan,
  step: Step,
  message: string,
): readonly Difference[] {
  if (plan.refused[step.urn] !== undefined) return [];
  const resource = resourceOf(step);
  const was = plan.steps.find(({ urn }) => urn === step.urn);
  if (was === undefined) return [{ resource, field: "", planned: "nothing", now: refusalText(message) }];
  const moved = shopDifferences(
    plan.seen,
    current.seen,
    { ...step, op: was.op, id: step.id ?? was.id },
    resource,
  );
  return moved.length > 0 ? moved : [{ resource, field: "", planned: was.op, now: refusalText(message) }];
}

// The lines below the first have a colon before them; the plan's report shows them at the resource.
const refusalText = (message: string) => `refused: ${firstLine(message)}`;

function failureText({ message, wrong: [first] = [] }: Failure): string {
  return `failed: ${first === undefined ? firstLine(message) : `${first.property}: ${first.reason}`}`;
}

const firstLine = (message: string) => message.split("\n")[0]?.replace(/:$/, "");

/**
 * Differences of planned steps that the new plan doesn't have: they are done, or the program no longer asks for
 * them.
 */
function missingDifferences(was: Step, current: CurrentPlan): readonly Difference[] {
  const resource = resourceOf(was);
  const now = current.unchanged.find(({ urn }) => urn === was.urn);
  const failed = current.failed.find(({ urn }) => urn === was.urn);
  if (failed !== undefined) return [{ resource, field: "", planned: was.op, now: failureText(failed) }];
  const isDelete = was.op === "delete" || was.op === "delete-replaced";
  if (isDelete && current.lacksDeletes)
    return [{ resource, field: "", planned: was.op, now: "waiting until the program finishes" }];
  if (isDelete)
    return now === undefined || was.op === "delete-replaced"
      ? []
      : [{ resource, field: "", planned: was.op, now: "kept by the program" }];
  if (now === undefined) return [{ resource, field: "", planned: was.op, now: "no longer in the program" }];
  const step = { ...now, op: was.op };
  return argumentDeviations(was, step).map((moved) => differenceOf(was, step, moved));
}

const isSecretText = (value: unknown) => typeof value === "string" && /^secret [\w-]{43}$/.test(value);

const mostCharacters = 80;

function valueText(value: unknown, sign?: string): string {
  if (value === undefined || value === null || value === "") return "unset";
  const text = isSecretText(value) ? "a secret" : withUnit(value, JSON.stringify(value), sign);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text;
}
