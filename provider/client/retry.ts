/**
 * Decides what happens after an exchange. Reads are repeated. A write is repeated only if it certainly never arrived; if it
 * may have happened, the caller searches for its object.
 *
 * | result                               | read  | write |
 * |--------------------------------------|-------|-------|
 * | no connection, unknown host          | again | again |
 * | untrusted certificate                | fail  | fail  |
 * | 429, 503 with Retry-After            | again when the rate limit permits | again: it was rejected unprocessed |
 * | reset or time-out after sending      | again | lost  |
 * | 408, 500, 502, 503 and other 5xx     | again | lost  |
 * | 2xx that is cut, invalid or HTML     | again | lost  |
 * | 2xx that is too large                | fail  | lost  |
 * | the run was stopped                  | fail  | lost  |
 * | 3xx, other 4xx                       | fail  | fail  |
 */

/** The result of one exchange. */
export type Outcome =
  | { readonly type: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  /** `final` if a retry would return the same. */
  | { readonly type: "unreadable"; readonly why: string; readonly final: boolean }
  | { readonly type: "unsent"; readonly why: string; readonly final: boolean }
  | { readonly type: "lost"; readonly why: string }
  /** The run was stopped during the exchange. */
  | { readonly type: "stopped"; readonly why: string };

export type Verdict =
  | { readonly type: "accept" }
  /** Wait and send again. If it was `rejected`, the limiter waits instead. */
  | { readonly type: "again"; readonly delayMs: number; readonly rejected: boolean }
  | { readonly type: "refused" | "stopped" }
  | { readonly type: "lost" | "unsent" | "unanswered" | "limit"; readonly why: string };

/** Maximum attempts, without rejections by the rate limit. */
const attempts = 5;
/** Maximum rejections by the rate limit. */
const rejections = 4;

export interface Attempts {
  readonly isRead: boolean;
  readonly tried: number;
  readonly rejectedTimes: number;
}

/** @param random 0 to 1; spreads the retries of parallel requests */
export function decide(request: Attempts, outcome: Outcome, random: number): Verdict {
  const { isRead, tried } = request;
  const again = {
    type: "again",
    delayMs: Math.round(200 * 2 ** (tried - 1) * (0.5 + random / 2)),
    rejected: false,
  } as const;
  switch (outcome.type) {
    case "unsent":
      return outcome.final || tried >= attempts ? { type: "unsent", why: outcome.why } : again;
    case "lost":
    case "unreadable": {
      if (!isRead) return { type: "lost", why: outcome.why };
      const isFinal = outcome.type === "unreadable" && outcome.final;
      return isFinal || tried >= attempts ? { type: "unanswered", why: outcome.why } : again;
    }
    case "stopped":
      return isRead ? { type: "stopped" } : { type: "lost", why: outcome.why };
    case "answer":
      return decideStatus(request, outcome, again);
  }
}

function decideStatus(
  { isRead, tried, rejectedTimes }: Attempts,
  { status, retryAfterMs }: Extract<Outcome, { type: "answer" }>,
  again: Verdict,
): Verdict {
  if (status >= 200 && status < 300) return { type: "accept" };
  if (isRejection(status, retryAfterMs)) {
    if (rejectedTimes >= rejections)
      return { type: "limit", why: `the rate limit was used up ${rejectedTimes} times in a row` };
    return { type: "again", delayMs: 0, rejected: true };
  }
  // 408: something on the way gave up waiting.
  if (status < 500 && status !== 408) return { type: "refused" };
  const why = `the shop answered ${status}`;
  if (!isRead) return { type: "lost", why };
  return tried >= attempts ? { type: "unanswered", why } : again;
}

/** Rejected unprocessed: 429, or 503 as documented before 2023 (platform-facts.md, section 3). */
export function isRejection(status: number, retryAfterMs: number | undefined): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined);
}
