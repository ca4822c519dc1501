// One of several processes that take a lock at once: all have looked before one writes, all have written before one
// looks again, and none withdraws before all have seen the others.
import { parentPort, workerData } from "node:worker_threads";
import { diskFiles } from "../../engine/common/disk.ts";
import { takeLock, thisMachine } from "../../engine/state/lock.ts";

export interface Taking {
  readonly folder: string;
  readonly takers: number;
  /** Number of processes that have reached each synchronisation point. */
  readonly meetings: SharedArrayBuffer;
}

const { folder, takers, meetings } = workerData as Taking;
const counts = new Int32Array(meetings);
let meeting = 0;

function meet(): void {
  if (meeting === counts.length) return;
  Atomics.add(counts, meeting, 1);
  Atomics.notify(counts, meeting);
  for (let there = Atomics.load(counts, meeting); there < takers; there = Atomics.load(counts, meeting))
    Atomics.wait(counts, meeting, there);
  meeting += 1;
}

const files = {
  ...diskFiles,
  list(path: string) {
    meet();
    const names = diskFiles.list(path);
    meet();
    return names;
  },
};

takeLock({ files, folder, machine: thisMachine(), now: new Date(0) }).then(
  () => parentPort?.postMessage("got"),
  (error: Error) => parentPort?.postMessage(error.message),
);
