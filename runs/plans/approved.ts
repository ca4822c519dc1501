/** What a person saw in the preview is what the run does: anything more is refused, anything less was done already. */
import { ends, makes, type Step, type Unfinished, wholeOf } from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { agrees } from "../../provider/inventory/index.ts";
import { movedSteps, plannedAs } from "./compare.ts";

/** The preview that a run carries out. */
interface Carried {
  readonly steps: readonly Step[];
  /** What the provider refused in it: the run says the same of the same object. */
  readonly declined: readonly Unfinished[];
  /** Whether nobody saw it: it was made for the limits, which count what ends. */
  readonly isUnseen?: boolean | undefined;
}

/** @returns why a step may not be done */
export function refusalOf({ steps: plan, declined, isUnseen }: Carried): (step: Step) => string | undefined {
  // What a refresh found is told beside the plan: nothing of it is done.
  const byUrn = Map.groupBy(
    plan.filter(({ found }) => !found),
    ({ urn }) => urn,
  );
  const found = new Map(plan.flatMap((step) => (step.found ? [[step.urn, step]] : [])));
  return (step) => {
    if (isPulumisOwn(step.type)) return undefined;
    if (step.found)
      return isAsFound(found.get(step.urn), step)
        ? undefined
        : "it was changed in the shop after the preview. It is left as it is; run again to see the change";
    const earlier = declined.find((one) => one.step.urn === step.urn && one.step.id === step.id);
    if (earlier !== undefined) return earlier.message;
    const was = plannedAs(byUrn.get(step.urn) ?? [], step, false);
    // What a program makes inside apply(), of a value that only the run knows, no preview has.
    if (was === undefined && isUnseen === true && !mayEnd(plan, step)) return undefined;
    if (was === undefined)
      return `the preview didn't show this ${wholeOf(step.op)}: ${unplanned(step)}. Nothing was done to it; run again to see what it would be`;
    const [moved] = movedSteps(was, step);
    if (moved === undefined) return undefined;
    const why =
      moved.side === "program"
        ? "the program or its files have changed since"
        : "it was changed in the shop since";
    return `${moved.path} is not what the preview showed: ${why}. Nothing was done to it; run again to see what it would be`;
  };
}

/** Whether a step ends an object, or may make again under another name what the plan deletes. */
const mayEnd = (plan: readonly Step[], { op, urn, type }: Step) =>
  ends(wholeOf(op)) ||
  (makes(op) && plan.some((one) => ends(one.op) && one.type === type && one.urn !== urn));

const unplanned = ({ op }: Step) =>
  op === "create"
    ? "something has changed since, or the program makes it inside apply(), of a value that only the run knows"
    : "something has changed since";

const isAsFound = (before: Step | undefined, now: Step) =>
  now.changes.every((change) =>
    before?.changes.some(
      ({ path, old, new: next }) =>
        path === change.path && agrees(old, change.old) && agrees(next, change.new),
    ),
  );
