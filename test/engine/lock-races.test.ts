// Runs that start together: one gets the lock, and a run that has lost it writes nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { type Event, load, NotSavedError, preview, removeStack, unlock, up } from "../../engine/index.ts";
import { takeLock, thisMachine } from "../../engine/state/lock.ts";
import { openDisk } from "../support/disk.ts";
import {
  type Cloud,
  openCloud,
  openMemory,
  places,
  programOf,
  providerOf,
  putProject,
  runUp,
  thing,
} from "./in-process.ts";
import type { Taking } from "./lock-taker.ts";

test("of four processes that take the lock at once, one gets it, and the others name its holder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-locks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const takers = 4;
  const meetings = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
  const workerData: Taking = { folder, takers, meetings };
  const told = await Promise.all(
    Array.from(
      { length: takers },
      () =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker(new URL("./lock-taker.ts", import.meta.url), {
            workerData,
            execArgv: [],
          });
          worker.once("message", resolve).once("error", reject);
        }),
    ),
  );
  expect(told.filter((text) => text === "got")).toHaveLength(1);
  expect(told.filter((text) => text.includes(`(pid ${process.pid})`))).toHaveLength(takers - 1);
});

// Only Linux tells when a process started.
test.runIf(thisMachine().started !== undefined)(
  "a lock of a process whose number another process has by now keeps nobody out",
  async () => {
    const disk = putProject(openDisk());
    const machine = { ...thisMachine(), pause: async () => {} };
    const locks = { files: disk.files, folder: places.locks, machine, now: new Date(0) };
    const hold = (started: string | undefined) =>
      disk.put(`${places.locks}/one.json`, JSON.stringify({ ...machine, timestamp: "2026-01-01", started }));
    for (const started of [machine.started, undefined]) {
      hold(started);
      await expect(takeLock(locks)).rejects.toThrow(`pid ${process.pid}`);
    }
    hold("1");
    (await takeLock(locks)).release();
    expect(disk.paths().filter((path) => path.startsWith(places.locks))).toEqual([]);
  },
);

const things = { a: { n: 1 }, b: { n: 2 }, c: { n: 3 }, d: { n: 4 } };

/** A run that is suspended in its second create, with other runs meanwhile, and its result. */
async function paused(meanwhile: (cloud: Cloud, disk: ReturnType<typeof openDisk>) => Promise<unknown>) {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  const provider = providerOf(cloud);
  let creates = 0;
  const create: typeof provider.create = async (urn, inputs) => {
    creates += 1;
    if (creates === 2) await meanwhile(cloud, disk);
    return provider.create(urn, inputs);
  };
  const error = await up(openMemory(disk), {
    watch: () => {},
    parallel: 1,
    parts: { startProvider: async () => ({ ...provider, create }), program: programOf(things) },
  }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { disk, cloud, error, creates };
}

const named = (cloud: Cloud) => [...cloud.objects.keys()].map((id) => cloud.names.get(id)).sort();

test("a run that was suspended while another one ran stops and leaves the newer state", async () => {
  let newer: string | undefined;
  const { disk, cloud, error, creates } = await paused(async (there, own) => {
    expect(unlock(openMemory(own))).toBe(1);
    expect((await runUp(own, there, things)).result?.outcome).toBe("succeeded");
    newer = own.text(places.state);
  });
  expect(error).toBeInstanceOf(NotSavedError);
  expect(error?.message).toMatch(/the lock .* is gone: somebody removed it[\s\S]*::b has the id 5/);
  // Running operations were finished, and none began afterwards.
  expect(creates).toBe(2);
  expect(disk.text(places.state)).toBe(newer);
  expect(named(cloud)).toEqual(["a", "b", "b", "c", "d"]);
  const told: Event[] = [];
  const parts = { startProvider: async () => providerOf(cloud), program: programOf(things) };
  await preview(openMemory(disk), { watch: (event) => told.push(event), parts });
  const planned = told.flatMap((event) =>
    event.type === "done" && event.step.custom && event.step.op !== "same"
      ? [`${event.step.op} ${event.step.name} ${event.step.id}`]
      : [],
  );
  expect(planned).toEqual(["delete-replaced b 5"]);
  expect((await runUp(disk, cloud, things)).result?.outcome).toBe("succeeded");
  expect(named(cloud)).toEqual(["a", "b", "c", "d"]);
  const states = load(openMemory(disk)).resources.filter(({ type }) => type === thing);
  expect(states.map(({ id }) => id).sort()).toEqual([...cloud.objects.keys()].sort());
  expect(disk.paths().filter((path) => path.includes("dev.journal"))).toEqual([]);
});

test("objects that a suspended run created meanwhile are in the next run's state", async () => {
  const { a, c, d } = things;
  const { disk, cloud, error } = await paused(async (there, own) => {
    unlock(openMemory(own));
    await runUp(own, there, { a, c, d });
  });
  expect(error).toBeInstanceOf(NotSavedError);
  expect((await runUp(disk, cloud, things)).result?.counts).toEqual({ same: 4 });
  expect(named(cloud)).toEqual(["a", "b", "c", "d"]);
});

test("a run whose lock was removed leaves its journal to the next run", async () => {
  const { disk, cloud, error, creates } = await paused(async (_there, own) => unlock(openMemory(own)));
  expect(error).toBeInstanceOf(NotSavedError);
  expect(creates).toBe(2);
  expect((await runUp(disk, cloud, things)).result?.counts).toEqual({ create: 2, same: 2 });
  expect(named(cloud)).toEqual(["a", "b", "c", "d"]);
});

test("a state that somebody else wrote during a run isn't overwritten, and the next run explains how to continue", async () => {
  const other = '{"version":3,"checkpoint":{"latest":{}}}';
  const { disk, cloud, error } = await paused(async (_there, own) => own.put(places.state, other));
  expect(error?.message).toMatch(
    /is not the one that this run started from: another process has written it since/,
  );
  expect(disk.text(places.state)).toBe(other);
  expect(named(cloud)).toEqual(["a", "b", "c", "d"]);
  expect((await runUp(disk, cloud, things)).error?.message).toMatch(/continues from another state than/);
});

test("removing a stack removes the entries of runs that had lost their locks", async () => {
  const { disk } = await paused(async (there, own) => {
    unlock(openMemory(own));
    await runUp(own, there, things);
  });
  await removeStack(openMemory(disk), { force: true, keepConfig: false });
  expect(disk.paths().filter((path) => path.includes("dev"))).toEqual([]);
});
