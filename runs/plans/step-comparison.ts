/**
 * Whether a step still is what was planned. One comparison serves a preview and the run after it, and a saved plan and the
 * plan of the run that carries it out.
 */
import {
  changes,
  ends,
  hasUnknown,
  makes,
  type Op,
  type Step,
  touches,
  type Unfinished,
  wholeOf,
} from "../../engine/index.ts";
import { pathSteps } from "../../engine/pulumi/path.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { agrees } from "../../provider/inventory/index.ts";

/** Something of a step that isn't as it was planned. */
export interface Deviation {
  readonly path: string;
  /** Whose value it is; none of a change that wasn't planned at all. */
  readonly side?: "program" | "state";
  readonly planned: unknown;
  readonly now: unknown;
  /** Whether the values are secrets, which are only known to differ. */
  readonly isSecret?: true;
}

/** The step of a plan that another one is, or is a part of. @param hasBegun whether a part of the plan may be done: then what is left of it, too */
export function plannedStep(plan: readonly Step[], now: Step, hasBegun: boolean): Step | undefined {
  const same = plan.filter(({ urn }) => urn === now.urn);
  const whole = (op: Op) => same.find((step) => step.op === op);
  const as = whole(now.op) ?? whole(wholeOf(now.op));
  if (as !== undefined || !hasBegun) return as;
  // What made room is gone, and its successor isn't there yet.
  const rest = now.op === "create" ? (whole("create-replacement") ?? whole("replace")) : undefined;
  return rest ?? (now.unfinished ? same.find(({ op }) => makes(op) || op === "update") : undefined);
}

/** What of a step isn't as it was planned: what the program asks where the step touches it, and from what it is changed. */
export const deviations = (was: Step, now: Step): readonly Deviation[] => [
  ...(ends(now.op) && !makes(now.op) ? [] : argumentDeviations(was, now)),
  ...baseDeviations(was, now),
];

/** What the program asks now and didn't when the plan was made. */
export function argumentDeviations(was: Step, now: Step): readonly Deviation[] {
  const counts = (path: string) =>
    makes(now.op) ||
    now.unfinished === true ||
    [...was.changes, ...now.changes].some((change) => touches(change.path, path));
  const differing = changes(was.inputs, now.inputs).filter(
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

/** From what something is changed: what the state has. */
function baseDeviations(was: Step, now: Step): readonly Deviation[] {
  if (now.unfinished === true) return [];
  // What a create takes over is told by sentences, each with the shop's value in it; what a plan shows as a whole has its parts.
  const isIn = (whole: string, path: string) =>
    touches(whole, path) && pathSteps(whole).length <= pathSteps(path).length;
  const isPart = (path: string) => now.op !== "adopt" && was.changes.some((one) => isIn(one.path, path));
  const moved = now.changes.flatMap(({ path, old, new: next }): Deviation[] => {
    const before = was.changes.find((one) => one.path === path);
    if (before !== undefined)
      return agrees(before.old, old) ? [] : [{ path, side: "state", planned: before.old, now: old }];
    return isPart(path) || isUnknownAt(was, path) ? [] : [{ path, planned: old, now: next }];
  });
  const secrets = differingSecrets(was, now, "old").filter((path) =>
    was.changes.some((one) => touches(one.path, path)),
  );
  return [...moved, ...secrets.map((path): Deviation => ({ ...secret, path, side: "state" }))];
}

/** Paths of secrets that two steps don't have the same of. */
function differingSecrets(was: Step, now: Step, what: "inputs" | "old"): readonly string[] {
  const [before, after] = [was.secrets ?? {}, now.secrets ?? {}];
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const isOne = key.startsWith(`${what} `) && before[key] !== after[key];
    return isOne ? [key.slice(what.length + 1)] : [];
  });
}

/** Whether a plan didn't know yet what stands at a path of its arguments. */
const isUnknownAt = (step: Step, path: string): boolean =>
  step.changes.some((change) => touches(change.path, path) && hasUnknown(change.new)) ||
  Object.entries(step.inputs).some(([name, value]) => touches(name, path) && hasUnknown(value));

/** The preview that a run carries out. */
interface ShownPlan {
  readonly steps: readonly Step[];
  /** What the provider refused in it: the run says the same of the same object. */
  readonly declined: readonly Unfinished[];
  /** Whether nobody saw it: it was made for the limits, which count what ends. */
  readonly isUnseen?: boolean | undefined;
}

/** @returns why a step may not be done */
export function stepGuard({
  steps: plan,
  declined,
  isUnseen,
}: ShownPlan): (step: Step) => string | undefined {
  // What a refresh found is told beside the plan: nothing of it is done.
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
    if (earlier !== undefined) return earlier.message;
    const was = plannedStep(byUrn.get(step.urn) ?? [], step, false);
    // What a program makes inside apply(), of a value that only the run knows, no preview has.
    if (was === undefined && isUnseen === true && !canDelete(plan, step)) return undefined;
    if (was === undefined)
      return `the preview didn't show this ${wholeOf(step.op)}: ${unplannedText(step)}. Nothing was done to it; run again to see what it would be`;
    const [moved] = deviations(was, step);
    if (moved === undefined) return undefined;
    const why =
      moved.side === "program"
        ? "the program or its files have changed since"
        : "it was changed in the shop since";
    return `${moved.path} is not what the preview showed: ${why}. Nothing was done to it; run again to see what it would be`;
  };
}

/** Whether a step ends an object, or may make again under another name what the plan deletes. */
const canDelete = (plan: readonly Step[], { op, urn, type }: Step) =>
  ends(wholeOf(op)) ||
  (makes(op) && plan.some((one) => ends(one.op) && one.type === type && one.urn !== urn));

const unplannedText = ({ op }: Step) =>
  op === "create"
    ? "something has changed since, or the program makes it inside apply(), of a value that only the run knows"
    : "something has changed since";

const isSameFinding = (before: Step | undefined, now: Step) =>
  now.changes.every((change) =>
    before?.changes.some(
      ({ path, old, new: next }) =>
        path === change.path && agrees(old, change.old) && agrees(next, change.new),
    ),
  );
