/** The maximum number of requests, and the time, that applying a plan needs. */
import type { Op, Step } from "../../engine/index.ts";
import { costOf, type Notice, type PlannedReads, type PlannedStep } from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { RequestUsage } from "../stack/request-counter.ts";
import { idOf } from "./step-notices.ts";

const works: Readonly<Record<Op, PlannedStep["work"] | undefined>> = {
  same: undefined,
  create: "create",
  "create-replacement": "create",
  update: "update",
  rename: "update",
  adopt: "adopt",
  replace: "replace",
  delete: "delete",
  "delete-replaced": "delete",
  // The preview itself reads these.
  read: undefined,
  refresh: undefined,
  import: undefined,
};

export interface RequestCost {
  readonly requests: number;
  readonly text: string;
  /** How the run should read each list: as a whole or object by object. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

/**
 * The cost of a plan; undefined if it needs no request.
 * @param sought the number of interrupted creates that the run searches for
 */
export function requestCostOf(
  steps: readonly Step[],
  notices: readonly Notice[],
  usage: RequestUsage,
  sought: number,
): RequestCost | undefined {
  const planned = steps.flatMap((step): PlannedStep[] => {
    const { op, custom, type, partOf, found, stays, provider } = step;
    const work = stays ? leaving(works[op]) : works[op];
    const kind = kindOfType(type);
    return work === undefined || !custom || kind === undefined || partOf !== undefined || found
      ? []
      : [{ provider, kind, id: idOf(step), work }];
  });
  const { requests, reads } = costOf(planned, notices, sought);
  return requests === 0 ? undefined : { requests, reads, text: requestCostText(requests, usage) };
}

/** The work of a step that leaves the old object in the shop. */
const leaving = (work: PlannedStep["work"] | undefined) =>
  work === "replace" ? "create" : work === "delete" ? undefined : work;

/** Seconds per request for a remote shop, one request after the other. */
const usualSeconds = 0.3;
const windowSeconds = 300;
/**
 * The platform's limit per window. A shop with another limit, such as `serve --limit`, doesn't say how long its
 * window is.
 */
const usualLimit = 500;

export function requestCostText(requests: number, { used, limit }: RequestUsage): string {
  if (limit === null || used === null) return `at most ${requests} (${timeText(requests * usualSeconds)})`;
  const left = limit - used;
  // Requests beyond this window wait for the next ones.
  const windows = requests <= left ? 0 : Math.ceil((requests - left) / limit);
  const seconds = Math.max(requests * usualSeconds, windows * windowSeconds);
  const time = windows > 0 && limit !== usualLimit ? "" : ` (${timeText(seconds)})`;
  return `at most ${requests}${time}; the shop's rate limit: ${used} of ${limit} used`;
}

function timeText(seconds: number): string {
  if (seconds < 1) return "about 1 s";
  return seconds < 100 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`;
}
