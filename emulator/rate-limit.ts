/** The request limit: a fixed window that opens with its first request (platform-facts.md, section 3). */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export interface Admission {
  readonly admitted: boolean;
  readonly retryAfterSeconds: number;
  /** Whether it was the last request of the window. */
  readonly isLast?: boolean;
}

export interface WindowState {
  readonly used: number;
  /** Milliseconds since 1970; 0 if no window is open. */
  readonly endsAt: number;
}

export type RequestWindow = ReturnType<typeof openRateLimit>;

// Sent without a limit, because clients wait for the header (platform-facts.md, section 3: "on every answer").
const uncounted = "0/500";

/** @param limit undefined counts nothing */
export function openRateLimit(limit: Limit | undefined) {
  let used = 0;
  let endsAt = 0;
  const renew = (now: number) => {
    if (now < endsAt) return;
    used = 0;
    endsAt = 0;
  };
  return {
    admit(now: number): Admission {
      if (limit === undefined) return { admitted: true, retryAfterSeconds: 0 };
      renew(now);
      if (endsAt === 0) endsAt = now + limit.windowMs;
      const admitted = used < limit.max;
      if (admitted) used += 1;
      const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
      return { admitted, retryAfterSeconds, isLast: admitted && used === limit.max };
    },
    /** used/max, as the header has it. */
    usage(now: number): string {
      if (limit === undefined) return uncounted;
      renew(now);
      return `${used}/${limit.max}`;
    },
    close(): void {
      used = 0;
      endsAt = 0;
    },
    state: () => ({ used, max: limit?.max, endsAt }),
    restore(state: WindowState): void {
      used = state.used;
      endsAt = state.endsAt;
    },
  };
}
