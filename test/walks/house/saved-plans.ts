/** Plans that are saved and carried out later: `preview --save-plan`, `up --plan`. */

import { endedIn, preview, up } from "../../../engine/index.ts";
import { sealOf } from "../../../provider/run/plan.ts";
import { refusalOf } from "../../../runs/plans/approved.ts";
import type { Choices } from "../../../runs/plans/choices.ts";
import { type Frame, newKey, printPlan, readPlan } from "../../../runs/plans/plan-file.ts";
import { approvedOf, planOf } from "../../../runs/plans/saved.ts";
import { differences, differenceText, freshOf } from "../../../runs/plans/stale.ts";
import type { Site } from "./site.ts";
import { openOn } from "./stacks.ts";
import { quiet, stage } from "./stage.ts";
import type { CarriedOut, Options, Ran, Resource } from "./types.ts";

/** What the runs of a house are, for plans. */
export const frame: Frame = {
  package: "0.1.0",
  project: "memory",
  stack: "dev",
  shop: "http://127.0.0.1:4000",
  verb: "up",
};

export function savedPlansOf(site: Site) {
  /** `preview --save-plan`; the text of the file is undefined where the preview failed. */
  async function save(
    program: readonly Resource[],
    options: Options = {},
    decided: Pick<Choices, "overwrite"> = {},
  ): Promise<Ran & { readonly text: string | undefined }> {
    const stack = openOn(site, site.disk);
    const planKey = newKey(stack);
    const ran = await stage(site, preview, true, program, { ...options, seal: sealOf(planKey.key) });
    const failures = ran.result?.failures ?? [];
    if (ran.error !== undefined || failures.some(({ refused }) => refused !== true))
      return { ...ran, text: undefined };
    const values = { ...decided, ...(options.refresh === true && { refresh: true }) };
    const plan = planOf(frame, values, freshOf(ran.events, ran.notices), stack.now());
    return { ...ran, text: printPlan(plan, planKey) };
  }

  /** `up --plan`. @param between what others do after the check */
  async function carryOut(
    text: string,
    program: readonly Resource[],
    options: Options = {},
    { as = frame, between = () => {} }: { readonly as?: Frame; readonly between?: () => void } = {},
  ): Promise<CarriedOut> {
    let read: ReturnType<typeof readPlan>;
    try {
      read = readPlan(text, "plan.json", as, openOn(site, site.disk));
    } catch (error) {
      return { refused: [(error as Error).message], planned: undefined, ran: undefined };
    }
    const { plan, key } = read;
    const whole = { ...options, seal: sealOf(key), refresh: plan.refresh };
    const planned = await stage(site, preview, true, program, quiet(whole));
    const failures = planned.result?.failures ?? [];
    if (planned.error !== undefined || failures.some(({ refused }) => refused !== true))
      return {
        refused: [planned.error?.message ?? "", ...failures.map(({ message }) => message)],
        planned,
        ran: undefined,
      };
    const fresh = freshOf(planned.events, planned.notices);
    const moved = differences(plan, fresh);
    if (moved.length > 0) return { refused: moved.map(differenceText), planned, ran: undefined };
    between();
    const ran = await stage(
      site,
      up,
      false,
      program,
      { ...whole, approved: approvedOf(plan, fresh) },
      {
        refuses: refusalOf(planned.plan, endedIn(planned.events).refused),
        reads: planned.reads,
      },
    );
    return { refused: [], planned, ran };
  }
  return { save, carryOut };
}
