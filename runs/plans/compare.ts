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
  wholeOf,
} from "../../engine/index.ts";
import { pathSteps } from "../../engine/pulumi/path.ts";
import { agrees } from "../../provider/inventory/index.ts";

/** Something of a step that isn't as it was planned. */
export interface Moved {
  readonly path: string;
  /** Whose value it is; none of a change that wasn't planned at all. */
  readonly side?: "program" | "state";
  readonly planned: unknown;
  readonly now: unknown;
  /** Whether the values are secrets, which are only known to differ. */
  readonly isSecret?: true;
}

/** The step of a plan that another one is, or is a part of. @param hasBegun whether a part of the plan may be done: then what is left of it, too */
export function plannedAs(plan: readonly Step[], now: Step, hasBegun: boolean): Step | undefined {
  const same = plan.filter(({ urn }) => urn === now.urn);
  const whole = (op: Op) => same.find((step) => step.op === op);
  const as = whole(now.op) ?? whole(wholeOf(now.op));
  if (as !== undefined || !hasBegun) return as;
  // What made room is gone, and its successor isn't there yet.
  const rest = now.op === "create" ? (whole("create-replacement") ?? whole("replace")) : undefined;
  return rest ?? (now.unfinished ? same.find(({ op }) => makes(op) || op === "update") : undefined);
}

/** What of a step isn't as it was planned: what the program asks where the step touches it, and from what it is changed. */
export const movedSteps = (was: Step, now: Step): readonly Moved[] => [
  ...(ends(now.op) && !makes(now.op) ? [] : movedArguments(was, now)),
  ...movedChanges(was, now),
];

/** What the program asks now and didn't when the plan was made. */
export function movedArguments(was: Step, now: Step): readonly Moved[] {
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
      ({ path, old, new: next }): Moved => ({ path, side: "program", planned: old, now: next }),
    ),
    ...secrets.map((path): Moved => ({ ...secret, path, side: "program" })),
  ];
}

const secret = { planned: undefined, now: undefined, isSecret: true } as const;

/** From what something is changed: what the state has. */
function movedChanges(was: Step, now: Step): readonly Moved[] {
  if (now.unfinished === true) return [];
  // What a create takes over is told by sentences, each with the shop's value in it; what a plan shows as a whole has its parts.
  const isIn = (whole: string, path: string) =>
    touches(whole, path) && pathSteps(whole).length <= pathSteps(path).length;
  const isPart = (path: string) => now.op !== "adopt" && was.changes.some((one) => isIn(one.path, path));
  const moved = now.changes.flatMap(({ path, old, new: next }): Moved[] => {
    const before = was.changes.find((one) => one.path === path);
    if (before !== undefined)
      return agrees(before.old, old) ? [] : [{ path, side: "state", planned: before.old, now: old }];
    return isPart(path) || isUnknownAt(was, path) ? [] : [{ path, planned: old, now: next }];
  });
  const secrets = differingSecrets(was, now, "old").filter((path) =>
    was.changes.some((one) => touches(one.path, path)),
  );
  return [...moved, ...secrets.map((path): Moved => ({ ...secret, path, side: "state" }))];
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
