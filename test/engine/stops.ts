/** Interrupts a run when its provider requests it (provider.cjs): kills the engine, or cancels it as by Ctrl-C. */
import { existsSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Stops = "kill" | "cancel";

/**
 * Waits for a provider that requests the end of its engine.
 * @param act ends the engine, then calls its argument so that the provider continues
 * @returns stops waiting
 */
export function whenAsked(folder: string, act: (done: () => void) => void): () => void {
  const [asked, done] = ["stop-asked", "stop-done"].map((name) => join(folder, name)) as [string, string];
  for (const path of [asked, done]) rmSync(path, { force: true });
  const watcher = watch(folder, () => {
    if (!existsSync(asked)) return;
    watcher.close();
    act(() => writeFileSync(done, ""));
  });
  return () => watcher.close();
}
