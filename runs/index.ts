/**
 * The package's door for programs that run programs, `pulumi-shop/engine`: the embedded engine as it is, and what makes a run
 * of it a run of a shop's program: its limits, its API requests, its saved plans, its report.
 */
export * from "../engine/index.ts";
export type { UpdateOptions } from "./plans/options.ts";
export type { Difference } from "./plans/plan-differences.ts";
export type { Conflict, ConflictField } from "./report/conflicts.ts";
export type { Impact } from "./report/impact.ts";
export { type Refusal, refusalText } from "./report/outcome-texts.ts";
export type { RequestCost } from "./report/request-cost.ts";
export {
  type Plan,
  type PlanOptions,
  plan,
  type RunControls,
  type RunOutcome,
  report,
  type UpResult,
} from "./run.ts";
export { RunError, type RunErrorCode } from "./stack/errors.ts";
export type { RequestUsage } from "./stack/request-counter.ts";
