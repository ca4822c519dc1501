/** Works on a copy of a stack's state, which replaces the state at the end if the work succeeds. */
import { isDeepStrictEqual } from "node:util";
import { writeWhole } from "../common/disk.ts";
import { pathsOf } from "../project/backend.ts";
import { urlOfFolder } from "../pulumi/backend.ts";
import { underLock } from "../state/lock.ts";
import { load, recover, save, stateText } from "../state/state-file.ts";
import { addToHistory, foundGone, history, type Touched } from "./history.ts";
import { locksOf, type Stack } from "./stack.ts";

export type Copy = ReturnType<typeof copyTo>;

/** Copies a stack's state into a folder. */
export function copyTo(root: string, stack: Stack) {
  const { name, project, files, env } = stack;
  const base = load(stack);
  const paths = pathsOf(root, project.name, name);
  if (files.exists(stack.paths.state)) writeWhole(files, paths.state, stateText(stack, base));
  const copy = { ...stack, paths, env: { ...env, PULUMI_BACKEND_URL: urlOfFolder(root) } };
  noteGone(copy, foundGone(stack));
  return {
    /** The same stack with its state in another folder. */
    stack: copy,
    /**
     * Performs the last part of the work under the stack's lock, then replaces the stack's state and adds the copy's last
     * run to its history.
     * @param work returns the changes that it wrote into the program, by URN; undefined leaves the stack unchanged
     * @throws Error before any work, if the stack has changed since the copy
     */
    adopt: (work: () => Promise<Readonly<Record<string, Touched>> | undefined>) =>
      underLock(locksOf(stack), async (lock) => {
        const last = load(stack);
        if (!isDeepStrictEqual(last, base))
          throw new Error(
            `the state of the stack ${name} has changed since it was read: run this again; nothing was written`,
          );
        const accepted = await work();
        if (accepted === undefined) return;
        recover(stack, last, lock);
        save(stack, load(copy), lock);
        const [past] = history(copy);
        if (past?.entry !== undefined) addToHistory(stack, { ...past.entry, accepted });
      }),
  };
}

/** Notes in a copy's history what the stack's history says is gone. */
function noteGone(copy: Stack, gone: ReturnType<typeof foundGone>): void {
  if (gone.size === 0) return;
  const at = Math.floor(copy.now().getTime() / 1000);
  const touched = Object.fromEntries([...gone.keys()].map((urn) => [urn, "gone" as const]));
  const times = { startTime: at, endTime: at };
  addToHistory(copy, {
    kind: "refresh",
    message: "",
    environment: {},
    result: "succeeded",
    ...times,
    touched,
  });
}
