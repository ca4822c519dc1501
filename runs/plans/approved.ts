/** What a person saw in the preview is what the run does: anything more is refused, anything less was done already. */
import {
  type Change,
  ends,
  hasUnknown,
  makes,
  type Properties,
  type Step,
  touches,
  type Unfinished,
  wholeOf,
} from "../../engine/index.ts";
import { agrees } from "../../provider/inventory/index.ts";

/**
 * @param plan the steps of the preview
 * @param refused what the provider refused in the preview: the run says the same of the same object
 * @returns why a step may not be done
 */
export function refusalOf(
  plan: readonly Step[],
  refused: readonly Unfinished[] = [],
): (step: Step) => string | undefined {
  // What a refresh found is told beside the plan: nothing of it is done.
  const byUrn = Map.groupBy(
    plan.filter(({ found }) => !found),
    ({ urn }) => urn,
  );
  const found = new Map(plan.flatMap((step) => (step.found ? [[step.urn, step]] : [])));
  return (step) => {
    if (step.type.startsWith("pulumi:")) return undefined;
    if (step.found)
      return isAsFound(found.get(step.urn), step)
        ? undefined
        : "it was changed in the shop after the preview. It is left as it is; run again to see the change";
    const planned = (byUrn.get(step.urn) ?? []).filter(({ op }) => op === step.op || op === wholeOf(step.op));
    const [first] = planned;
    const earlier = refused.find((one) => one.step.urn === step.urn && one.step.id === step.id);
    if (earlier !== undefined) return earlier.message;
    if (first === undefined)
      return `the preview didn't show this ${wholeOf(step.op)}: something has changed since. Nothing was done to it; run again to see what it would be`;
    const moved = movedSince(first, step);
    if (moved !== undefined)
      return `${moved} is not what the preview showed: it was changed in the shop since. Nothing was done to it; run again to see what it would be`;
    const changed =
      changedInput(first.inputs, step.inputs) ??
      differingSecrets(first, step, "inputs").find((path) => !isUnknownAt(first, path));
    if (changed === undefined || planned.some(({ op }) => ends(op) && !makes(op))) return undefined;
    return `${changed} is not what the preview showed: the program or its files have changed since. Nothing was done to it; run again to see what it would be`;
  };
}

const isAsFound = (before: Step | undefined, now: Step) =>
  now.changes.every((change) =>
    before?.changes.some(
      ({ path, old, new: next }) =>
        path === change.path && agrees(old, change.old) && agrees(next, change.new),
    ),
  );

const changing: ReadonlySet<Step["op"]> = new Set(["adopt", "rename", "replace", "update"]);

/** The first path that would be changed from another value than the preview showed, or that it didn't show. */
function movedSince(planned: Step, step: Step): string | undefined {
  const shown = new Map(planned.changes.map((change) => [change.path, change.old]));
  // What a create takes over is told by sentences, each with the shop's value in it; what a plan shows as a whole has its parts.
  const isPart = ({ path }: Change) =>
    step.op !== "adopt" && [...shown.keys()].some((one) => touches(one, path));
  const isNew = (change: Change) => changing.has(step.op) && !shown.has(change.path) && !isPart(change);
  const isOther = ({ path, old }: Change) => shown.has(path) && !agrees(shown.get(path), old);
  return step.changes.find((change) => isNew(change) || isOther(change))?.path;
}

/** The first argument that a preview knew and that is another now. */
function changedInput(before: Properties, now: Properties): string | undefined {
  return Object.keys({ ...before, ...now }).find((name) => !agrees(before[name], now[name]));
}

/** Paths of secrets that two steps don't have the same of. @param what `inputs`, `old` or `new` */
export function differingSecrets(was: Step, now: Step, what: string): readonly string[] {
  const [before, after] = [was.secrets ?? {}, now.secrets ?? {}];
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const isOne = key.startsWith(`${what} `) && before[key] !== after[key];
    return isOne ? [key.slice(what.length + 1)] : [];
  });
}

/** Whether a plan didn't know yet what stands at a path of its arguments. */
export const isUnknownAt = (step: Step, path: string): boolean =>
  step.changes.some((change) => touches(change.path, path) && hasUnknown(change.new)) ||
  Object.entries(step.inputs).some(([name, value]) => touches(name, path) && hasUnknown(value));
