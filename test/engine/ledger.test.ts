// The state while a run changes it: what is found in it, what its journal is told, what is written at the end.
import { describe, expect, test } from "vitest";
import type { StackConfig } from "../../engine/project/project.ts";
import { type Entry, fold, type Journal } from "../../engine/state/journal.ts";
import { openLedger } from "../../engine/state/ledger.ts";
import { emptySnapshot, type Pending, type Snapshot, type State } from "../../engine/state/snapshot.ts";
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
  return { entries, ledger: openLedger(base, config, journal) };
}
const urns = (states: readonly State[]) => states.map(({ urn, id }) => `${urn} ${id}`);

describe("what stands", () => {
  test("is found by urn, and by type and id as long as it has them", async () => {
    const { ledger } = open({ resources: [a, b], pending: [] });
    expect(ledger.find("a")).toBe(a);
    expect(ledger.find("c")).toBeUndefined();
    expect(ledger.withId("t", "1")).toEqual([a]);
    expect(ledger.withId("other", "1")).toEqual([]);
    await ledger.put(state("c", { id: "1" }));
    expect(urns(ledger.withId("t", "1"))).toEqual(["a 1", "c 1"]);
    await ledger.put(state("a", { id: "9" }));
    expect(urns(ledger.withId("t", "1"))).toEqual(["c 1"]);
    expect(urns(ledger.withId("t", "9"))).toEqual(["a 9"]);
    await ledger.drop(state("a"));
    expect(ledger.withId("t", "9")).toEqual([]);
    expect(ledger.find("a")).toBeUndefined();
    expect(urns(ledger.states())).toEqual(["b 2", "c 1"]);
  });
});

describe("what changes", () => {
  test("is noted and counts; what stays as it is does neither, unless it ends an operation", async () => {
    const { ledger, entries } = open({ resources: [a], pending: [] });
    await ledger.put({ ...a }, { over: "a" });
    expect([ledger.changed(), entries]).toEqual([false, []]);
    const number = await ledger.begin("updating", a);
    expect(ledger.changed()).toBe(false);
    await ledger.end(number);
    expect(ledger.changed()).toBe(false);
    const next = await ledger.begin("updating", a);
    expect(next).not.toBe(number);
    await ledger.put({ ...a }, { end: next });
    expect(ledger.changed()).toBe(true);
    expect(entries.slice(2)).toMatchObject([
      { begin: next, type: "updating", resource: a },
      { put: a, end: next },
    ]);
  });

  test("is a new one, another one, or one that goes", async () => {
    for (const change of [
      (ledger: ReturnType<typeof openLedger>) => ledger.put(b),
      (ledger: ReturnType<typeof openLedger>) => ledger.put({ ...a, protect: true }),
      (ledger: ReturnType<typeof openLedger>) => ledger.drop(a),
    ]) {
      const { ledger, entries } = open({ resources: [a], pending: [] });
      await change(ledger);
      expect(ledger.changed()).toBe(true);
      expect(entries).toHaveLength(1);
    }
  });

  test("has its secrets encrypted in the journal and the snapshot, equal ones as equal texts", async () => {
    const { ledger, entries } = open();
    await ledger.put({ ...a, inputs: { s: secret("x"), n: 1 }, outputs: { s: secret("x") } });
    await ledger.begin("updating", { ...b, inputs: { s: secret("x"), other: secret("y") } });
    const x = encrypted('sealed "x" 1');
    expect(entries).toMatchObject([
      { put: { inputs: { s: x, n: 1 }, outputs: { s: x } } },
      { resource: { inputs: { s: x, other: encrypted('sealed "y" 2') } } },
    ]);
    expect(ledger.snapshot(true).resources[0]?.inputs).toEqual({ s: x, n: 1 });
    expect(ledger.find("a")?.inputs).toEqual({ s: secret("x"), n: 1 });
  });
});

describe("what an earlier run was interrupted in", () => {
  const base: Snapshot = { resources: [a], pending: [left("a"), left("gone")] };

  test("is known by its urn, and makes the state another one", () => {
    const { ledger } = open(base);
    expect(ledger.interrupted("a")).toBe("updating");
    expect(ledger.interrupted("b")).toBeUndefined();
    expect(ledger.changed()).toBe(true);
  });

  test("is pending until the run did all, or began it again", async () => {
    const { ledger } = open(base);
    expect(ledger.snapshot(true).pending).toEqual([]);
    expect(ledger.snapshot(false).pending).toEqual(base.pending);
    await ledger.end(await ledger.begin("updating", a));
    expect(ledger.snapshot(false).pending).toEqual([left("gone")]);
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
  const { ledger } = open({ resources: [a, b, needing], pending: [] });
  const now = state("c", { id: "1" });
  const renamed = state("d", {
    parent: "c",
    dependencies: ["c", "b"],
    propertyDependencies: { n: ["c"] },
    deletedWith: "c",
    replaceWith: ["c"],
    provider: "c::1",
  });
  expect(ledger.states()).toEqual([a, b, needing]);
  await ledger.put(now, { over: "a" });
  expect(ledger.states()).toEqual([b, renamed, now]);
  expect(ledger.snapshot(true).resources).toEqual([now, b, renamed]);
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
