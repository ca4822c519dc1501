/** How long our provider may give no sign of life, by what its client does: it asks, it waits for the window, it looks again. */
import type { RunOptions, Stack } from "../../engine/index.ts";
import {
  defaultMaxWait,
  exchangeMs,
  type SettingName,
  stated,
  usualPatience,
} from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { settingSources } from "./connection.ts";
import type { RequestCounter } from "./request-counter.ts";

/** What a process may take for its answer beside the exchange, on a machine that is busy. */
const slackMs = 150_000;
/** Requests under way: answers of theirs may use the window up. */
const parallelRequests = 64;

/** The silence that a run of the stack bears. */
export function providerTimeout(
  stack: Stack,
  counter: Pick<RequestCounter, "usage">,
): NonNullable<RunOptions["hangLimits"]> {
  // What can't be read is said by whoever uses it.
  const numberOf = (name: SettingName, usual: number) => Number(stated(settingSources(stack), name)) || usual;
  const capacity = numberOf("capacity", 100);
  const openMs = exchangeMs + slackMs + numberOf("lateAnswers", usualPatience) * 1_000;
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
