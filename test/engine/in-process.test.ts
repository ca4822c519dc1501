// Runs in one process without gRPC, child processes and real files, as campaigns with thousands of runs use them.
import { expect, test } from "vitest";
import { destroy, preview } from "../../engine/index.ts";
import { type Effect, openDisk } from "../support/disk.ts";
import { full } from "../support/size.ts";
import { openCloud, type Program, places, programOf, providerOf, putProject, runUp } from "./in-process.ts";

test("in-process programs, providers and disks give the same states as real ones", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  const first = await runUp(disk, cloud, { a: { n: 1 }, b: { n: 2 } });
  expect(first.error).toBeUndefined();
  expect(first.result).toMatchObject({ outcome: "succeeded", counts: { create: 2 } });
  const again = await runUp(disk, cloud, { a: { n: 1 }, b: { n: 2 } });
  expect(again.result).toMatchObject({ outcome: "succeeded", changed: false });
  const planned = await runUp(disk, cloud, { a: { n: 3 } }, { verb: preview });
  expect(planned.result).toMatchObject({ counts: { update: 1, delete: 1 } });
  const edited = await runUp(disk, cloud, { a: { n: 3 } });
  expect(edited.result).toMatchObject({ counts: { update: 1, delete: 1 } });
  expect(cloud.requests).toEqual(["create a", "create b", "update 1", "delete 2"]);
  expect([...cloud.objects]).toEqual([["1", { n: 3 }]]);
  await runUp(disk, cloud, {}, { verb: destroy });
  expect(cloud.objects.size).toBe(0);
  const kept = disk.paths().filter((path) => path.startsWith("/backend"));
  // Each run except the preview is in the history (test/engine/history.test.ts).
  expect(kept.filter((path) => path.startsWith(`${places.history}/`))).toHaveLength(4);
  expect(kept.filter((path) => !path.startsWith(`${places.history}/`))).toEqual([
    "/backend/.pulumi/meta.yaml",
    places.state,
    `${places.state}.bak`,
  ]);
});

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

test("with --parallel 1, no two operations run at the same time", async () => {
  const cloud = openCloud();
  const provider = providerOf(cloud);
  const counts = { running: 0, most: 0 };
  const create: typeof provider.create = async (urn, inputs) => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await turns(3);
    counts.running -= 1;
    return provider.create(urn, inputs);
  };
  // When the first result is written, others arrive in each of the next turns, one of them when its slot becomes free.
  const written = Promise.withResolvers<void>();
  const check: typeof provider.check = async (urn, olds, news) => {
    if (news.turn !== undefined) await written.promise.then(() => turns(Number(news.turn)));
    return provider.check(urn, olds, news);
  };
  const late = Object.fromEntries(Array.from({ length: 40 }, (_none, turn) => [`late${turn}`, { turn }]));
  const program = programOf({ a: {}, b: {}, c: {}, ...late });
  const plan = ({ name }: Effect) => {
    if (name === "syncData" && counts.most > 0 && counts.running === 0) written.resolve();
    return undefined;
  };
  const parts = { startProvider: async () => ({ ...provider, create, check }), program };
  const { result } = await runUp(putProject(openDisk({ plan })), cloud, {}, { parallel: 1, parts });
  expect(result?.counts).toEqual({ create: 43 });
  expect(counts.most).toBe(1);
});

test("a run that is cancelled during its refresh doesn't start the program", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  await runUp(disk, cloud, { a: { n: 1 } });
  const stop = new AbortController();
  const provider = providerOf(cloud);
  const read: typeof provider.read = (...given) => {
    stop.abort();
    return provider.read(...given);
  };
  let isStarted = false;
  const program: Program = async () => {
    isStarted = true;
    return 0;
  };
  const parts = { startProvider: async () => ({ ...provider, read }), program };
  const { result } = await runUp(disk, cloud, {}, { refresh: true, signal: stop.signal, parts });
  expect(result?.outcome).toBe("cancelled");
  expect(isStarted).toBe(false);
  expect(cloud.objects.size).toBe(1);
});

test("a run that is cancelled while its program loads names no failure of the program", async () => {
  const stop = new AbortController();
  const program: Program = async () => {
    stop.abort();
    return 1;
  };
  const disk = putProject(openDisk());
  const { result } = await runUp(disk, openCloud(), {}, { signal: stop.signal, parts: { program } });
  expect(result).toMatchObject({ outcome: "cancelled", failures: [] });
});

test("each of many consecutive runs continues from the last state", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  for (let run = 0; run < (full ? 1_000 : 100); run += 1) {
    const { result } = await runUp(disk, cloud, { a: { n: run }, b: { n: 1 } });
    expect(result?.outcome).toBe("succeeded");
  }
  expect(cloud.objects.size).toBe(2);
});
