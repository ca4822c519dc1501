/**
 * The package's door for programs that run programs, `pulumi-shop/engine`: the embedded engine as it is, and what makes a run
 * of it a run of a shop's program: its limits, its API requests, its saved plans, its report.
 */
export * from "../engine/index.ts";
export type { Choices } from "./plans/choices.ts";
export type { Difference } from "./plans/stale.ts";
export type { Conflict, ConflictField } from "./report/conflicts.ts";
export type { Impact } from "./report/impact.ts";
export { type Refusal, refusalText } from "./report/refusals.ts";
export type { RequestCost } from "./report/request-cost.ts";
export { type Doing, type Done, type Plan, type PlanOptions, plan, type RunOutcome, report } from "./run.ts";
export { RunError, type RunErrorCode } from "./stack/errors.ts";
export type { Spent } from "./stack/meter.ts";
