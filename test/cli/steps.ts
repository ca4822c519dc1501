/** Steps of a plan without an engine, for code that only reads them. */

import type { Result, Step } from "../../engine/index.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";

/** A step for an object of a kind. */
export function stepOf(
  op: Step["op"],
  kind: string,
  name: string,
  more: Partial<
    Pick<Step, "olds" | "inputs" | "changes" | "replaces" | "id" | "from" | "stays" | "found">
  > = {},
): Step {
  const type = `pulumi-nodejs:dynamic/shop:${kind}`;
  return {
    op,
    urn: `urn:pulumi:live::shop::${type}::${name}`,
    type,
    name,
    parent: undefined,
    custom: true,
    id: op === "create" ? undefined : "1",
    changes: [],
    inputs: {},
    olds: {},
    replaces: [],
    found: false,
    ...more,
  };
}

/** The result of a run with these steps. */
export function resultOf(steps: readonly Step[], failures: Result["failures"] = []): Result {
  const counts = Object.fromEntries(
    [...Map.groupBy(steps, ({ op }) => op)].map(([op, list]) => [op, list.length]),
  );
  return {
    outcome: failures.length > 0 ? "failed" : "succeeded",
    counts,
    failures,
    outputs: {},
    changed: true,
    places: new Map(),
    formerly: new Map(),
    durationMs: 1,
  };
}

/** The summary of a run without impact. */
export const nothing = {
  steps: [],
  impact: impactOf([], "2026-11-21"),
  refused: [],
  conflicts: [],
  isPreview: true,
  unchanged: true,
  notices: stepNotices([]),
  cost: undefined,
  findings: [],
};
