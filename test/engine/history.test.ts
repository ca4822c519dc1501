// The history: an entry in Pulumi's format for each run that changes the state.
import { readFileSync } from "node:fs";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { destroy, history, preview, refresh, removeStack } from "../../engine/index.ts";
import { openDisk } from "../support/disk.ts";
import { openCloud, openMemory, places, putProject, runUp } from "./in-process.ts";

const recorded = readFileSync(new URL("../fixtures/history/pulumi-3.260.0.json", import.meta.url));

const entriesOf = (disk: ReturnType<typeof openDisk>) =>
  [...history(openMemory(disk))].map(({ entry }) => entry);

const inHistory = (disk: ReturnType<typeof openDisk>) =>
  disk.paths().filter((path) => path.startsWith(`${places.history}/`));

test("the history has each up, refresh and destroy, newest first, with user, counts and outcome, but no previews", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  await runUp(disk, cloud, { a: { n: 1 }, b: { n: 2 } });
  const about = { message: "Raise a", environment: { "git.head": "3f2c1e7", "exec.user": "anna" } };
  await runUp(disk, cloud, { a: { n: 3 } }, { about });
  await runUp(disk, cloud, { a: { n: 4 } }, { verb: preview });
  await runUp(disk, cloud, {}, { verb: refresh });
  await runUp(disk, cloud, {}, { verb: destroy });
  const time = Date.parse("2026-01-01T00:00:00Z") / 1000;
  const own = {
    "exec.kind": "auto.inline",
    "exec.user": "ann",
    "exec.host": "desk",
    "exec.folder": "/project",
  };
  const frame = { startTime: time, endTime: time, result: "succeeded", config: {}, version: 0 };
  const urn = (name: string) => expect.stringMatching(new RegExp(`::${name}$`));
  const found = entriesOf(disk).map((entry) => ({ ...entry, touched: Object.entries(entry?.touched ?? {}) }));
  expect(found).toEqual([
    {
      ...frame,
      kind: "destroy",
      message: "",
      environment: own,
      resourceChanges: { delete: 1 },
      touched: [[urn("a"), "ended"]],
    },
    {
      ...frame,
      kind: "refresh",
      message: "",
      environment: own,
      resourceChanges: { same: 1 },
      touched: [],
    },
    {
      ...frame,
      kind: "update",
      message: "Raise a",
      environment: { ...own, ...about.environment },
      resourceChanges: { update: 1, delete: 1 },
      touched: [
        [urn("a"), ["n"]],
        [urn("b"), "ended"],
      ],
    },
    {
      ...frame,
      kind: "update",
      message: "",
      environment: own,
      resourceChanges: { create: 2 },
      touched: [
        [urn("a"), "made"],
        [urn("b"), "made"],
      ],
    },
  ]);
});

test("a failed or cancelled run is in the history as failed", async () => {
  const disk = putProject(openDisk());
  const program = async () => 1;
  await runUp(disk, openCloud(), {}, { parts: { program } });
  await runUp(disk, openCloud(), {}, { signal: AbortSignal.abort() });
  const parts = {
    program: async () => {
      throw new Error("no port is free");
    },
  };
  expect((await runUp(disk, openCloud(), {}, { parts })).error?.message).toBe("no port is free");
  expect(entriesOf(disk).map((entry) => [entry?.result, entry?.environment["exec.outcome"]])).toEqual([
    ["failed", undefined],
    ["failed", "cancelled"],
    ["failed", undefined],
  ]);
});

test("a history that can't be written causes a warning", async () => {
  const disk = putProject(
    openDisk({ plan: ({ path }) => (path.includes("/history") ? { error: "ENOSPC" } : undefined) }),
  );
  const ran = await runUp(disk, openCloud(), { a: { n: 1 } });
  expect([ran.error, ran.result?.outcome]).toEqual([undefined, "succeeded"]);
  expect(ran.events.filter(({ type }) => type === "message")).toEqual([
    {
      type: "message",
      severity: "warning",
      text: expect.stringMatching(/^the run could not be added to the history in .*ENOSPC/),
      urn: undefined,
    },
  ]);
  expect(inHistory(disk)).toEqual([]);
});

test("entries of pulumi are read, compressed ones too, and damaged ones are reported", () => {
  const disk = putProject(openDisk());
  const put = (name: string, bytes: Buffer | string) => disk.put(`${places.history}/${name}`, bytes);
  put("dev-1795398950000000001.history.json", recorded);
  put("dev-1795398950000000001.checkpoint.json", "{}");
  put("dev-1795398950000000001.history.json.attrs", "{}");
  put("dev-1795398950000000002.history.json.gz", gzipSync(recorded));
  put("dev-1795398950000000003.history.json.zst", zstdCompressSync(recorded));
  put("dev-1795398950000000004.history.json", recorded.subarray(0, 100));
  const found = [...history(openMemory(disk))];
  expect(found.map(({ entry }) => entry?.environment["git.headName"])).toEqual([
    undefined,
    "refs/heads/prices",
    "refs/heads/prices",
    "refs/heads/prices",
  ]);
  expect(found[0]?.path).toMatch(/0004\.history\.json$/);
  expect(found[1]?.entry).toMatchObject({
    kind: "update",
    message: "Lower the prices",
    result: "succeeded",
    startTime: 1795398950,
    resourceChanges: { create: 1 },
  });
});

test("a state is copied beside its entry only if checkpoints are retained", async () => {
  const disk = putProject(openDisk());
  await runUp(disk, openCloud(), { a: { n: 1 } });
  expect(inHistory(disk)).toHaveLength(1);
  const stack = openMemory(disk);
  const retaining = { ...stack, env: { ...stack.env, PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS: "true" } };
  await refresh(retaining, { watch() {}, parts: { startProvider: () => Promise.reject(new Error("none")) } });
  const copies = inHistory(disk).filter((path) => path.endsWith(".checkpoint.json"));
  expect(copies.map((path) => disk.text(path))).toEqual([disk.text(places.state)]);
});

test("removing a stack removes its history", async () => {
  const disk = putProject(openDisk());
  await runUp(disk, openCloud(), {});
  expect(inHistory(disk)).toHaveLength(1);
  await removeStack(openMemory(disk), { force: false, keepConfig: false });
  expect(inHistory(disk)).toEqual([]);
});
