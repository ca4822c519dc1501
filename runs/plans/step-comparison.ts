/** Compares a step with the planned one. `up` compares with its own preview, `up --plan` with the saved plan. */
import {
  changes,
  ends,
  hasUnknown,
  makes,
  type Op,
  type Result,
  type Step,
  touches,
  type Unfinished,
  wholeOf,
} from "../../engine/index.ts";
import { pathSteps } from "../../engine/pulumi/path.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { matchesPlan } from "../../provider/inventory/index.ts";
import { withCellChanges } from "../report/cell-changes.ts";

/** A difference between a planned step and the actual one. */
export interface Deviation {
  readonly path: string;
  /** Whether the program's value differs or the state's; undefined for a change that wasn't planned. */
  readonly side?: "program" | "state";
  readonly planned: unknown;
  readonly now: unknown;
  /** Whether the values are secrets, of which only the difference is known. */
  readonly isSecret?: true;
}

/**
 * Finds the planned step for an actual one. @param hasBegun whether a part of the plan may have been applied
 * already
 */
export function plannedStep(plan: readonly Step[], now: Step, hasBegun: boolean): Step | undefined {
  const same = plan.filter(({ urn }) => urn === now.urn);
  const whole = (op: Op) => same.find((step) => step.op === op);
  const as = whole(now.op) ?? whole(wholeOf(now.op));
  if (as !== undefined || !hasBegun) return as;
  // The old object is deleted, and its replacement isn't created yet.
  const rest = now.op === "create" ? (whole("create-replacement") ?? whole("replace")) : undefined;
  return rest ?? (now.unfinished ? same.find(({ op }) => makes(op) || op === "update") : undefined);
}

/** All differences of a step: in the program's arguments that it touches, and in the values that it changes from. */
export const deviations = (was: Step, now: Step): readonly Deviation[] => [
  ...(ends(now.op) && !makes(now.op) ? [] : argumentDeviations(was, now)),
  ...baseDeviations(was, now),
];

/** Differences in the program's arguments. */
export function argumentDeviations(was: Step, now: Step): readonly Deviation[] {
  const counts = (path: string) =>
    makes(now.op) ||
    now.unfinished === true ||
    [...was.changes, ...now.changes].some((change) => touches(change.path, path));
  const differing = withCellChanges({ ...now, olds: was.inputs }, changes(was.inputs, now.inputs)).filter(
    ({ path, old }) => counts(path) && !hasUnknown(old),
  );
  const secrets = differingSecrets(was, now, "inputs").filter(
    (path) =>
      counts(path) && !isUnknownAt(was, path) && !differing.some((change) => touches(change.path, path)),
  );
  return [
    ...differing.map(
      ({ path, old, new: next }): Deviation => ({ path, side: "program", planned: old, now: next }),
    ),
    ...secrets.map((path): Deviation => ({ ...secret, path, side: "program" })),
  ];
}

const secret = { planned: undefined, now: undefined, isSecret: true } as const;

/** Differences in the values that the step changes from, as the state has them. */
function baseDeviations(was: Step, now: Step): readonly Deviation[] {
  if (now.unfinished === true) return [];
  // An adoption describes its changes in sentences that contain the shop's values. A change that was planned as a
  // whole covers its parts.
  const isIn = (whole: string, path: string) =>
    touches(whole, path) && pathSteps(whole).length <= pathSteps(path).length;
  const isPart = (path: string) => now.op !== "adopt" && was.changes.some((one) => isIn(one.path, path));
  const moved = now.changes.flatMap(({ path, old, new: next }): Deviation[] => {
    const before = was.changes.find((one) => one.path === path);
    if (before !== undefined)
      return matchesPlan(before.old, old) ? [] : [{ path, side: "state", planned: before.old, now: old }];
    return isPart(path) || isUnknownAt(was, path) ? [] : [{ path, planned: old, now: next }];
  });
  const secrets = differingSecrets(was, now, "old").filter((path) =>
    was.changes.some((one) => touches(one.path, path)),
  );
  return [...moved, ...secrets.map((path): Deviation => ({ ...secret, path, side: "state" }))];
}

function differingSecrets(was: Step, now: Step, what: "inputs" | "old"): readonly string[] {
  const [before, after] = [was.secrets ?? {}, now.secrets ?? {}];
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const isOne = key.startsWith(`${what} `) && before[key] !== after[key];
    return isOne ? [key.slice(what.length + 1)] : [];
  });
}

/** Whether the plan didn't know the value at a path yet. */
const isUnknownAt = (step: Step, path: string): boolean =>
  step.changes.some((change) => touches(change.path, path) && hasUnknown(change.new)) ||
  Object.entries(step.inputs).some(([name, value]) => touches(name, path) && hasUnknown(value));

/** The preview that a run applies. */
interface ShownPlan {
  readonly steps: readonly Step[];
  /** The steps that the provider refused in the preview. The run refuses them with the same message. */
  readonly declined: readonly Unfinished[];
  /** The resources that failed in the preview. The run refuses them with the same message. */
  readonly result?: Pick<Result, "failures">;
  /** Whether the preview was made only to check limits, which count deletes. */
  readonly isUnseen?: boolean | undefined;
}

/** Returns a function that says why a step may not be applied; undefined for one that may. */
export function stepGuard({
  steps: plan,
  declined,
  result: { failures } = { failures: [] },
  isUnseen,
}: ShownPlan): (step: Step) => string | undefined {
  // The changes that a refresh found are shown beside the plan and are no steps of it.
  const byUrn = Map.groupBy(
    plan.filter(({ found }) => !found),
    ({ urn }) => urn,
  );
  const found = new Map(plan.flatMap((step) => (step.found ? [[step.urn, step]] : [])));
  return (step) => {
    if (isPulumisOwn(step.type)) return undefined;
    if (step.found)
      return isSameFinding(found.get(step.urn), step)
        ? undefined
        : "it was changed in the shop after the preview. It is left as it is; run again to see the change";
    const earlier = declined.find((one) => one.step.urn === step.urn && one.step.id === step.id);
    // A refused step may be one of several steps of its resource.
    const failed = failures.find(({ urn, refused }) => urn === step.urn && refused !== true);
    const { message } = earlier ?? failed ?? {};
    if (message !== undefined) return message;
    const was = plannedStep(byUrn.get(step.urn) ?? [], step, false);
    // No preview can show resources that a program creates inside apply(), from a value that is known only during the
    // run.
    if (was === undefined && isUnseen === true && !canDelete(plan, step)) return undefined;
    if (was === undefined)
      return `the preview didn't show this ${wholeOf(step.op)}: ${unplannedText(step)}. It was not applied; run again to preview it`;
    const [moved] = deviations(was, step);
    if (moved === undefined) return undefined;
    const why =
      moved.side === "program"
        ? "the program or its files have changed since"
        : "it was changed in the shop since";
    return `${moved.path} differs from the preview: ${why}. It was not applied; run again to preview it`;
  };
}

/** Whether a step deletes an object, or creates one of a kind that the plan deletes under another name. */
const canDelete = (plan: readonly Step[], { op, urn, type }: Step) =>
  ends(wholeOf(op)) ||
  (makes(op) && plan.some((one) => ends(one.op) && one.type === type && one.urn !== urn));

const unplannedText = ({ op }: Step) =>
  op === "create"
    ? "something has changed since, or the program creates it inside apply() from a value that is known only during the run"
    : "something has changed since";

const isSameFinding = (before: Step | undefined, now: Step) =>
  now.changes.every((change) =>
    before?.changes.some(
      ({ path, old, new: next }) =>
        path === change.path && matchesPlan(old, change.old) && matchesPlan(next, change.new),
    ),
  );
