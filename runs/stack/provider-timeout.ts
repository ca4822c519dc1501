/**
 * How long a provider may be silent before the run stops: depends on whether it waits for a response, for the
 * rate limit or for a late answer.
 */
import type { RunOptions, Stack } from "../../engine/index.ts";
import {
  defaultMaxWait,
  defaultPatience,
  exchangeTimeoutMs,
  type SettingName,
  stated,
} from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { settingSources } from "./other-shops.ts";
import type { RequestCounter } from "./request-counter.ts";

/** Extra time on a busy machine. */
const slackMs = 150_000;
/** Requests that may be in flight and use up the rate limit. */
const parallelRequests = 64;

export function providerTimeout(
  stack: Stack,
  counter: Pick<RequestCounter, "usage">,
): NonNullable<RunOptions["hangLimits"]> {
  // An invalid setting is reported elsewhere.
  const numberOf = (name: SettingName, usual: number) => Number(stated(settingSources(stack), name)) || usual;
  const capacity = numberOf("capacity", 100);
  const openMs = exchangeTimeoutMs + slackMs + numberOf("lateAnswers", defaultPatience) * 1_000;
  const closedMs = openMs + numberOf("maxWait", defaultMaxWait) * 1_000;
  const mayBeClosed = () => {
    const { rejected, used, limit } = counter.usage();
    return (
      rejected > 0 || used === null || limit === null || used + parallelRequests >= (limit * capacity) / 100
    );
  };
  return {
    limitMs: (type) => {
      if (kindOfType(type) === undefined) return undefined;
      return mayBeClosed() ? closedMs : openMs;
    },
    activity: () => counter.usage().requests,
  };
}
