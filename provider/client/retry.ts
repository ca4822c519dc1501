/**
 * What to do after an exchange: a pure decision. The rule behind the table: a read may be repeated; a write that
 * surely never arrived is sent again; a write that may have happened is not, its object is looked for instead.
 *
 * | outcome                              | read  | write |
 * |--------------------------------------|-------|-------|
 * | no connection, no name               | again | again |
 * | certificate not trusted              | fail  | fail  |
 * | 429, 503 with Retry-After            | again when the window opens | the same: rejected before work |
 * | reset or time-out after sending      | again | lost  |
 * | 500, 502, 503, 504 and other 5xx     | again | lost  |
 * | 2xx that is cut, garbage or HTML     | again | lost  |
 * | 2xx that is too large                | fail  | lost  |
 * | the run was stopped                  | fail  | lost  |
 * | 3xx, 4xx                             | fail  | fail  |
 */

/** What became of one exchange. */
export type Outcome =
  | { readonly type: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  /** `final` where sending again would bring the same. */
  | { readonly type: "unreadable"; readonly why: string; readonly final: boolean }
  | { readonly type: "unsent"; readonly why: string; readonly final: boolean }
  | { readonly type: "lost"; readonly why: string }
  /** The run was stopped while it was on its way. */
  | { readonly type: "stopped"; readonly why: string };

export type Verdict =
  | { readonly type: "accept" }
  /** Wait so long and send again; `rejected` leaves the waiting to the limiter. */
  | { readonly type: "again"; readonly delayMs: number; readonly rejected: boolean }
  | { readonly type: "refused" | "stopped" }
  | { readonly type: "lost" | "unsent" | "unanswered" | "limit"; readonly why: string };

/** Attempts at one request beside those that the limit rejected. */
const attempts = 5;
/** Times that one request is rejected before it is given up. */
const rejections = 4;

/** A request that was sent so often. */
export interface Attempts {
  readonly isRead: boolean;
  readonly tried: number;
  readonly rejectedTimes: number;
}

/** @param random from 0 to 1, spreads what failed together */
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
      return { type: "limit", why: `the window was used up ${rejectedTimes} times in a row` };
    return { type: "again", delayMs: 0, rejected: true };
  }
  if (status < 500) return { type: "refused" };
  const why = `the shop answered ${status}`;
  if (!isRead) return { type: "lost", why };
  return tried >= attempts ? { type: "unanswered", why } : again;
}

/** Rejected before any work: 429, or 503 as documented before 2023 (platform-facts.md, section 3). */
export function isRejection(status: number, retryAfterMs: number | undefined): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined);
}
