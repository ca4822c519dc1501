// A state in the order that any engine reads: each resource behind all that it needs, whatever was said of it before.
import { describe, expect, test } from "vitest";
import { allDependencies, sortedByDependencies } from "../../engine/state/dependency-order.ts";
import type { State } from "../../engine/state/snapshot.ts";

const state = (urn: string, more: Partial<State> = {}): State => ({ urn, type: "t", custom: true, ...more });
const urns = (states: readonly State[]) => states.map(({ urn }) => urn);

describe("each stands behind all that it needs", () => {
  test("however long the chain is in which each needs the next", () => {
    const chain = Array.from({ length: 20_000 }, (_none, at) =>
      state(String(at), { dependencies: [String(at + 1)] }),
    );
    expect(urns(sortedByDependencies(chain))).toEqual(urns(chain).toReversed());
  });

  test("what is only still to be deleted behind what took its place; others need that", () => {
    const old = state("a", { delete: true, id: "old" });
    const all = [old, state("b", { dependencies: ["a"] }), state("a", { id: "new" })];
    expect(sortedByDependencies(all).map(({ urn, id }) => `${urn} ${id}`)).toEqual([
      "a new",
      "b undefined",
      "a old",
    ]);
  });

  test("or before a resource that stood behind it and isn't of this run: it may need the old one", () => {
    const old = state("a", { delete: true, id: "old" });
    const [b, now] = [state("b", { dependencies: ["a"] }), state("a", { id: "new" })];
    const isNew = ({ urn }: State) => urn === "a";
    const told = (states: readonly State[]) =>
      sortedByDependencies(states, isNew).map(({ urn, id }) => `${urn} ${id ?? ""}`.trim());
    expect(told([old, b, now])).toEqual(["a new", "a old", "b"]);
    expect(told([b, old, now])).toEqual(["a new", "b", "a old"]);
    const left = state("c", { dependencies: ["a"], delete: true, id: "left" });
    expect(told([old, left, now])).toEqual(["a new", "a old", "c left"]);
  });
});

describe("where needs go round in a circle, one is given up", () => {
  const isNew =
    (...names: readonly string[]) =>
    ({ urn }: State) =>
      names.includes(urn);
  const circle = [
    state("a", { dependencies: ["f"] }),
    state("c", { dependencies: ["a"] }),
    state("f", { dependencies: ["c", "z"] }),
    state("z"),
  ];
  const told = (states: readonly State[], are: (one: State) => boolean) =>
    sortedByDependencies(states, are).map((one) => [one.urn, ...allDependencies(one)].join(" "));

  test("of what this run didn't write", () => {
    expect(told(circle, isNew("a", "c"))).toEqual(["z", "f z", "a f", "c a"]);
    expect(told(circle, isNew("f", "c"))).toEqual(["a", "c a", "z", "f c z"]);
    expect(told(circle, isNew("a", "f"))).toEqual(["c", "z", "f c z", "a f"]);
  });
});
