/**
 * Detects a provider that hangs. An answer may take any time; the limit is on the time in which the provider neither
 * answers, prints nor sends anything.
 */
import type { Provider } from "./provider.ts";

export interface HangLimits {
  /** Milliseconds that a resource of this type may wait without activity; undefined for no limit. */
  limitMs(type: string): number | undefined;
  /** A counter of provider activity other than answers and output. */
  activity(): number;
}

/** Repeats some work at an interval. @returns a function that ends it */
export type RunAtInterval = (ms: number, work: () => void) => () => void;

/** A provider hangs. Its operation may still have happened. */
export class HangError extends Error {
  override readonly name = "SilentError";
}

const tickMs = 15_000;

const wallEvery: RunAtInterval = (ms, work) => {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
};

interface Waiting {
  readonly type: string;
  readonly reject: (error: HangError) => void;
}

export interface HangDetection {
  sign(): void;
  /** Wraps a provider, and its start, with hang detection. */
  watched(type: string, opened: () => Promise<Provider>): Promise<Provider>;
  close(): void;
}

const off: HangDetection = { sign: () => {}, watched: (_type, opened) => opened(), close: () => {} };

/**
 * @param limits without them nothing is detected
 * @param onHang called when a provider hangs, to stop the run
 */
export function openHangDetection(
  limits: HangLimits | undefined,
  onHang: () => void,
  every: RunAtInterval = wallEvery,
): HangDetection {
  if (limits === undefined) return off;
  const waiting = new Set<Waiting>();
  let signs = 0;
  let before = 0;
  // Counted in ticks, so that time in which this process is suspended doesn't count.
  let idleMs = 0;
  const stop = every(tickMs, () => {
    const now = signs + limits.activity();
    idleMs = waiting.size > 0 && now === before ? idleMs + tickMs : 0;
    before = now;
    for (const one of [...waiting]) {
      const most = limits.limitMs(one.type);
      if (most === undefined || idleMs < most) continue;
      onHang();
      one.reject(
        new HangError(
          `the provider hangs: it has neither answered nor sent anything for ${Math.round(idleMs / 60_000)} min. The run ends. ` +
            `Its last operations may have been carried out; the next run checks`,
        ),
      );
    }
  });

  function watch<T>(type: string, work: () => Promise<T>): Promise<T> {
    signs += 1;
    return new Promise((resolve, reject) => {
      const one: Waiting = { type, reject };
      waiting.add(one);
      work()
        .then(resolve, reject)
        .finally(() => {
          signs += 1;
          waiting.delete(one);
        });
    });
  }

  return {
    sign: () => {
      signs += 1;
    },
    async watched(type, opened) {
      const provider = await watch(type, opened);
      const { invoke } = provider;
      return {
        ...provider,
        check: (...given) => watch(type, () => provider.check(...given)),
        diff: (...given) => watch(type, () => provider.diff(...given)),
        create: (...given) => watch(type, () => provider.create(...given)),
        read: (...given) => watch(type, () => provider.read(...given)),
        update: (...given) => watch(type, () => provider.update(...given)),
        delete: (...given) => watch(type, () => provider.delete(...given)),
        ...(invoke !== undefined && { invoke: (...given) => watch(type, () => invoke(...given)) }),
      };
    },
    close: stop,
  };
}
