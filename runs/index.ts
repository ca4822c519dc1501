/**
 * `pulumi-shop/engine`, for programs that run Pulumi programs: the embedded engine, with the limits, request
 * counts, saved plans and reports of a shop.
 */
export * from "../engine/index.ts";
export type { UpdateOptions } from "./plans/options.ts";
export type { Difference } from "./plans/plan-differences.ts";
export type { Conflict, ConflictField } from "./report/conflicts.ts";
export type { Impact } from "./report/impact.ts";
export type { RequestCost } from "./report/request-cost.ts";
export { type Refusal, refusalText } from "./report/step-words.ts";
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
