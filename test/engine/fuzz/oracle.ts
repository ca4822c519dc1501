/** Asks the real engine what it does in a case, and compares: where ours does something else, ours is wrong. */
import { warm } from "../embedded.ts";
import { pulumi } from "../pulumi.ts";
import { compareRun, type RecordedRun } from "../record.ts";
import { type Engine, openScene } from "../scene.ts";
import type { Case } from "./case.ts";
import { playIn } from "./onstage.ts";

/**
 * What both can do in the same way: no process is cut off, one thing is done after the other, and a provider that declines
 * only fails, for the real engine knows of no refusal.
 */
export const comparable = (one: Case): Case => ({
  ...one,
  cut: undefined,
  parallel: 1,
  troubles: one.troubles.map((trouble) =>
    trouble.fault === "refuses" && trouble.verb !== "check" ? { ...trouble, fault: "fails" } : trouble,
  ),
});

async function runBy(engine: Engine, one: Case): Promise<RecordedRun> {
  const runs: RecordedRun[] = [];
  await playIn(openScene([engine], { after: (run) => runs.push(run) }), one);
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was run");
  return run;
}

export interface Compared {
  readonly theirs: RecordedRun;
  readonly ours?: RecordedRun;
  /** How they differ. */
  readonly error?: Error & { readonly actual?: unknown; readonly expected?: unknown };
}

export async function compared(one: Case): Promise<Compared> {
  const theirs = await runBy(pulumi, one);
  let ours: RecordedRun | undefined;
  try {
    ours = await runBy(warm, one);
    compareRun(0, ours, theirs);
    return { ours, theirs };
  } catch (error) {
    return { ...(ours && { ours }), theirs, error: error as Error };
  }
}
