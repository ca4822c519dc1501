/** Plays a case and a normal run after it, and returns the errors. */
import type { Case } from "./case.ts";
import { play } from "./play.ts";
import { wrongIn } from "./verdict.ts";

/** Steps of an `up` without faults. */
const untroubled: Partial<Case> = { operation: "up", troubles: [], throws: false, replace: [], unsure: [] };

/** An operation and how it ended, for the statistics. */
export type Tally = (what: string) => void;

/** @returns the errors, a sentence each */
export async function judged(one: Case, tally: Tally = () => {}): Promise<readonly string[]> {
  const played = await play(one);
  tally(`${one.operation}, ${played.crashed ? "cut off" : (played.result?.outcome ?? "threw")}`);
  const wrong = wrongIn(one, played);
  if (wrong.length > 0) return wrong;
  const next = await played.goOn(untroubled);
  tally(`an up after it, ${next.result?.outcome ?? "threw"}`);
  const wrongNext = wrongIn({ ...one, ...untroubled }, next);
  if (wrongNext.length > 0 || next.result?.outcome !== "succeeded")
    return wrongNext.map((line) => `the next up: ${line}`);
  if (next.after.pending.length > 0) return ["the next up succeeded, and something is pending still"];
  const again = await next.goOn({ ...untroubled, operation: "preview" });
  return again.events.flatMap((event) =>
    event.type === "done" && !["same", "read"].includes(event.step.op)
      ? [`the next up succeeded, and a preview after it would ${event.step.op} ${event.step.name}`]
      : [],
  );
}
