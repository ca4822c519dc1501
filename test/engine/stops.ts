/** A run that is cut off where its provider asks for it (provider.cjs): the engine is killed, or told to stop as by Ctrl-C. */
import { existsSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Stops = "kill" | "cancel";

/**
 * Waits for a provider that asks for the end of its engine.
 * @param act ends the engine, and then calls what it is given, so that the provider goes on
 * @returns ends the waiting
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
