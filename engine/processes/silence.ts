/**
 * A provider that was asked and gives no sign of life any more. How long an answer takes is nobody's to say: it is the
 * silence that is bounded, in which nothing is answered, printed or sent.
 */
import type { Provider } from "./provider.ts";

/** What is known of providers' silence. */
export interface Silence {
  /** So many milliseconds a resource of this type may wait without a sign; undefined where nobody knows. */
  mostMs(type: string): number | undefined;
  /** Grows with what providers do beside answering and printing. */
  signs(): number;
}

/** Does something again and again. @returns a function that ends it */
export type Every = (ms: number, work: () => void) => () => void;

/** A provider is taken for hung. What it was asked may have been done. */
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

/** @param onSilent is called when a provider is taken for hung: the run may not go on */
export function openSilence(silence: Silence, onSilent: () => void, every: Every = wallEvery) {
  const waiting = new Set<Waiting>();
  let heard = 0;
  let before = 0;
  // Counted in ticks: while this process is paused, no time passes.
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
    /** Notes a sign of life. */
    sign: () => {
      heard += 1;
    },
    /** A provider whose silence is bounded, once it is there. */
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
