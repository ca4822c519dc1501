/**
 * Detects a provider that hangs. An answer may take any time; the limit is on the time in which the provider neither
 * answers, prints nor sends anything.
 */
import type { Provider } from "./provider.ts";

/** Limits and activity of providers. */
export interface Silence {
  /** Milliseconds that a resource of this type may wait without activity; undefined for no limit. */
  mostMs(type: string): number | undefined;
  /** A counter of provider activity other than answers and output. */
  signs(): number;
}

/** Repeats some work at an interval. @returns a function that ends it */
export type Every = (ms: number, work: () => void) => () => void;

/** A provider hangs. Its operation may still have happened. */
export class SilentError extends Error {
  override readonly name = "SilentError";
}

const tickMs = 15_000;

const wallEvery: Every = (ms, work) => {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
};

interface Waiting {
  readonly type: string;
  readonly reject: (error: SilentError) => void;
}

/** @param onSilent called when a provider hangs, to stop the run */
export function openSilence(silence: Silence, onSilent: () => void, every: Every = wallEvery) {
  const waiting = new Set<Waiting>();
  let heard = 0;
  let before = 0;
  // Counted in ticks, so that time in which this process is suspended doesn't count.
  let silentMs = 0;
  const stop = every(tickMs, () => {
    const now = heard + silence.signs();
    silentMs = waiting.size > 0 && now === before ? silentMs + tickMs : 0;
    before = now;
    for (const one of [...waiting]) {
      const most = silence.mostMs(one.type);
      if (most === undefined || silentMs < most) continue;
      onSilent();
      one.reject(
        new SilentError(
          `the provider has answered nothing and sent nothing for ${Math.round(silentMs / 60_000)} min: it hangs, and the run ends. ` +
            `What it was asked may have been done; the next run looks`,
        ),
      );
    }
  });

  function watch<T>(type: string, work: () => Promise<T>): Promise<T> {
    heard += 1;
    return new Promise((resolve, reject) => {
      const one: Waiting = { type, reject };
      waiting.add(one);
      work()
        .then(resolve, reject)
        .finally(() => {
          heard += 1;
          waiting.delete(one);
        });
    });
  }

  return {
    /** Notes activity of a provider. */
    sign: () => {
      heard += 1;
    },
    /** Wraps a provider, and its start, with hang detection. */
    async watched(type: string, opened: () => Promise<Provider>): Promise<Provider> {
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
