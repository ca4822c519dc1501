/** The limit: a fixed window that opens with its first request (platform-facts.md, section 3). */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export interface Admission {
  readonly admitted: boolean;
  /** used/max, as the header has it; undefined where nothing is counted. */
  readonly usage: string | undefined;
  readonly retryAfterSeconds: number;
}

/** @param limit undefined counts nothing */
export function openWindow(limit: Limit | undefined) {
  let used = 0;
  let endsAt = 0;
  return {
    admit(now: number): Admission {
      if (limit === undefined) return { admitted: true, usage: undefined, retryAfterSeconds: 0 };
      if (now >= endsAt) {
        used = 0;
        endsAt = now + limit.windowMs;
      }
      const admitted = used < limit.max;
      if (admitted) used += 1;
      return {
        admitted,
        usage: `${used}/${limit.max}`,
        retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
      };
    },
    close(): void {
      endsAt = 0;
    },
    state: () => ({ used, max: limit?.max, endsAt }),
  };
}
