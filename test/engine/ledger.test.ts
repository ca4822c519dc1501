// The state while a run changes it: what is found in it, what its journal is told, what is written at the end.
import { describe, expect, test } from "vitest";
import type { StackConfig } from "../../engine/project/project.ts";
import { type Entry, fold, type Journal } from "../../engine/state/journal.ts";
import { emptySnapshot, type Pending, type Snapshot, type State } from "../../engine/state/snapshot.ts";
import { openSnapshotManager } from "../../engine/state/snapshot-manager.ts";
import { encrypted, secret } from "../../engine/values/values.ts";

const state = (urn: string, more: Partial<State> = {}): State => ({ urn, custom: true, type: "t", ...more });
const [a, b, c] = [state("a", { id: "1" }), state("b", { id: "2" }), state("c", { id: "3" })];
const left = (urn: string): Pending => ({ resource: state(urn), type: "updating" });

let ciphertexts = 0;
const crypter = {
  encrypt: (plaintext: string) => {
    ciphertexts += 1;
    return `sealed ${plaintext} ${ciphertexts}`;
  },
  decrypt: (text: string) => text,
};
const config = { crypter: () => crypter } as unknown as StackConfig;

/** @param refuses whether the disk refuses what is to begin, or all */
function open(base: Snapshot = emptySnapshot, refuses?: (entry: Entry) => boolean) {
  const entries: Entry[] = [];
  const journal: Journal = {
    append: async (entry) => {
      if (refuses?.(entry)) throw new Error("no room");
      entries.push(entry);
    },
    saved: async () => {},
    unwritten: () => [],
    late: () => [],
    close: () => {},
  };
  return { entries, snapshots: openSnapshotManager(base, config, journal) };
}
const urns = (states: readonly State[]) => states.map(({ urn, id }) => `${urn} ${id}`);

describe("what stands", () => {
  test("is found by urn, and by type and id as long as it has them", async () => {
    const { snapshots } = open({ resources: [a, b], pending: [] });
    expect(snapshots.find("a")).toBe(a);
    expect(snapshots.find("c")).toBeUndefined();
    expect(snapshots.withId("t", "1")).toEqual([a]);
    expect(snapshots.withId("other", "1")).toEqual([]);
    await snapshots.put(state("c", { id: "1" }));
    expect(urns(snapshots.withId("t", "1"))).toEqual(["a 1", "c 1"]);
    await snapshots.put(state("a", { id: "9" }));
    expect(urns(snapshots.withId("t", "1"))).toEqual(["c 1"]);
    expect(urns(snapshots.withId("t", "9"))).toEqual(["a 9"]);
    await snapshots.drop(state("a"));
    expect(snapshots.withId("t", "9")).toEqual([]);
    expect(snapshots.find("a")).toBeUndefined();
    expect(urns(snapshots.states())).toEqual(["b 2", "c 1"]);
  });
});

describe("what changes", () => {
  test("is noted and counts; what stays as it is does neither, unless it ends an operation", async () => {
    const { snapshots, entries } = open({ resources: [a], pending: [] });
    await snapshots.put({ ...a }, { over: "a" });
    expect([snapshots.changed(), entries]).toEqual([false, []]);
    const number = await snapshots.begin("updating", a);
    expect(snapshots.changed()).toBe(false);
    await snapshots.end(number);
    expect(snapshots.changed()).toBe(false);
    const next = await snapshots.begin("updating", a);
    expect(next).not.toBe(number);
    await snapshots.put({ ...a }, { end: next });
    expect(snapshots.changed()).toBe(true);
    expect(entries.slice(2)).toMatchObject([
      { begin: next, type: "updating", resource: a },
      { put: a, end: next },
    ]);
  });

  test("is a new one, another one, or one that goes", async () => {
    for (const change of [
      (snapshots: ReturnType<typeof openSnapshotManager>) => snapshots.put(b),
      (snapshots: ReturnType<typeof openSnapshotManager>) => snapshots.put({ ...a, protect: true }),
      (snapshots: ReturnType<typeof openSnapshotManager>) => snapshots.drop(a),
    ]) {
      const { snapshots, entries } = open({ resources: [a], pending: [] });
      await change(snapshots);
      expect(snapshots.changed()).toBe(true);
      expect(entries).toHaveLength(1);
    }
  });

  test("has its secrets encrypted in the journal and the snapshot, equal ones as equal texts", async () => {
    const { snapshots, entries } = open();
    await snapshots.put({ ...a, inputs: { s: secret("x"), n: 1 }, outputs: { s: secret("x") } });
    await snapshots.begin("updating", { ...b, inputs: { s: secret("x"), other: secret("y") } });
    const x = encrypted('sealed "x" 1');
    expect(entries).toMatchObject([
      { put: { inputs: { s: x, n: 1 }, outputs: { s: x } } },
      { resource: { inputs: { s: x, other: encrypted('sealed "y" 2') } } },
    ]);
    expect(snapshots.snapshot(true).resources[0]?.inputs).toEqual({ s: x, n: 1 });
    expect(snapshots.find("a")?.inputs).toEqual({ s: secret("x"), n: 1 });
  });
});

describe("what an earlier run was interrupted in", () => {
  const base: Snapshot = { resources: [a], pending: [left("a"), left("gone")] };

  test("is known by its urn, and makes the state another one", () => {
    const { snapshots } = open(base);
    expect(snapshots.interrupted("a")).toBe("updating");
    expect(snapshots.interrupted("b")).toBeUndefined();
    expect(snapshots.changed()).toBe(true);
  });

  test("is pending until the run did all, or began it again", async () => {
    const { snapshots } = open(base);
    expect(snapshots.snapshot(true).pending).toEqual([]);
    expect(snapshots.snapshot(false).pending).toEqual(base.pending);
    await snapshots.end(await snapshots.begin("updating", a));
    expect(snapshots.snapshot(false).pending).toEqual([left("gone")]);
  });
});

test("what is called otherwise now is called so by all that need it", async () => {
  const whole: Partial<State> = {
    parent: "a",
    dependencies: ["a", "b"],
    propertyDependencies: { n: ["a"] },
    deletedWith: "a",
    replaceWith: ["a"],
    provider: "a::1",
  };
  const needing = state("d", whole);
  const { snapshots } = open({ resources: [a, b, needing], pending: [] });
  const now = state("c", { id: "1" });
  const renamed = state("d", {
    parent: "c",
    dependencies: ["c", "b"],
    propertyDependencies: { n: ["c"] },
    deletedWith: "c",
    replaceWith: ["c"],
    provider: "c::1",
  });
  expect(snapshots.states()).toEqual([a, b, needing]);
  await snapshots.put(now, { over: "a" });
  expect(snapshots.states()).toEqual([b, renamed, now]);
  expect(snapshots.snapshot(true).resources).toEqual([now, b, renamed]);
});

describe("a journal is folded into a snapshot", () => {
  const folded = (entries: readonly Entry[], pending: readonly Pending[] = []) =>
    fold({ resources: [a, b], pending }, entries);

  test("with what began and didn't end as pending", () => {
    const begin = (number: number, resource: State): Entry => ({ begin: number, type: "creating", resource });
    const creating = (resource: State): Pending => ({ type: "creating", resource });
    expect(folded([begin(1, c)]).pending).toEqual([creating(c)]);
    expect(folded([begin(1, c), { put: c, end: 1 }]).pending).toEqual([]);
    expect(folded([begin(1, c), { drop: "c", end: 1 }]).pending).toEqual([]);
    expect(folded([begin(1, c), begin(2, a), { end: 1 }]).pending).toEqual([creating(a)]);
    expect(folded([begin(1, c), { put: c }]).pending).toEqual([creating(c)]);
  });

  test("in the order of needs, of which those are given up first that the journal didn't write", () => {
    const needing = (one: State, urn: string) => ({ ...one, dependencies: [urn] });
    const base: Snapshot = { resources: [a, needing(b, "a")], pending: [] };
    expect(fold(base, [{ put: needing(a, "b") }]).resources).toEqual(
      [needing(b, "a"), needing(a, "b")].map((one) => (one.urn === "b" ? { ...b, dependencies: [] } : one)),
    );
  });
});
