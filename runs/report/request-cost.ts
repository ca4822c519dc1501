/** What carrying out a plan costs at most, in requests and in time, as a person reads it. */
import { nameOf, type Op, type Step } from "../../engine/index.ts";
import { costOf, type Notice, type Planned, type PlannedReads } from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { RequestUsage } from "../stack/request-counter.ts";

const works: Readonly<Record<Op, Planned["work"] | undefined>> = {
  same: undefined,
  create: "create",
  "create-replacement": "create",
  update: "update",
  rename: "update",
  adopt: "adopt",
  replace: "replace",
  delete: "delete",
  "delete-replaced": "delete",
  // What the engine asks for is counted where it plans, as it plans.
  read: undefined,
  refresh: undefined,
  import: undefined,
};

export interface RequestCost {
  readonly requests: number;
  readonly text: string;
  /** How the run that carries the plan out looks at objects most cheaply, by list. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

/**
 * The cost of a plan; undefined where it needs no request.
 * @param sought creates that were cut off, which the run looks for
 */
export function requestCostOf(
  steps: readonly Step[],
  notices: readonly Notice[],
  usage: RequestUsage,
  sought: number,
): RequestCost | undefined {
  const ended = new Map(
    steps.flatMap(({ op, urn, id, type }) =>
      op === "delete-replaced" ? [[`${nameOf(urn)} ${id}`, type]] : [],
    ),
  );
  const planned = steps.flatMap(({ op, custom, urn, type, id, partOf, found }): Planned[] => {
    const work = works[op];
    const kind = kindOfType(type);
    // Each of the two forms of resources has a process of its own.
    const isMoved = op === "replace" && (ended.get(`${nameOf(urn)} ${id}`) ?? type) !== type;
    return work === undefined || !custom || kind === undefined || partOf !== undefined || found
      ? []
      : [{ kind, id, work, isMoved }];
  });
  const { requests, reads } = costOf(planned, notices, sought);
  return requests === 0 ? undefined : { requests, reads, text: requestCostText(requests, usage) };
}

/** Seconds of one request: what a shop across the internet takes, one after the other. */
const usualSeconds = 0.3;
const windowSeconds = 300;
/** The platform's, in those seconds. A shop of another limit, such as `serve --limit` opens, doesn't say how long its window is. */
const usualLimit = 500;

/** `at most 19 (about 6 s); the shop's rate limit: 41 of 500 used`. */
export function requestCostText(requests: number, { used, limit }: RequestUsage): string {
  if (limit === null || used === null) return `at most ${requests} (${timeText(requests * usualSeconds)})`;
  const left = limit - used;
  // What doesn't fit in this window waits for the next ones.
  const windows = requests <= left ? 0 : Math.ceil((requests - left) / limit);
  const seconds = Math.max(requests * usualSeconds, windows * windowSeconds);
  const time = windows > 0 && limit !== usualLimit ? "" : ` (${timeText(seconds)})`;
  return `at most ${requests}${time}; the shop's rate limit: ${used} of ${limit} used`;
}

function timeText(seconds: number): string {
  if (seconds < 1) return "about 1 s";
  return seconds < 100 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`;
}
