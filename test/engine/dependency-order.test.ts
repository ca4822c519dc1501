// The order of resources in a state: each after its dependencies.
import { describe, expect, test } from "vitest";
import { allDependencies, sortedByDependencies } from "../../engine/state/dependency-order.ts";
import type { State } from "../../engine/state/snapshot.ts";

const state = (urn: string, more: Partial<State> = {}): State => ({ urn, type: "t", custom: true, ...more });
const urns = (states: readonly State[]) => states.map(({ urn }) => urn);

describe("sorting resources by dependencies", () => {
  test("a long chain of dependencies is sorted", () => {
    const chain = Array.from({ length: 20_000 }, (_none, at) =>
      state(String(at), { dependencies: [String(at + 1)] }),
    );
    expect(urns(sortedByDependencies(chain))).toEqual(urns(chain).toReversed());
  });

  test("objects that are still to be deleted come after their replacements, on which others depend", () => {
    const old = state("a", { delete: true, id: "old" });
    const all = [old, state("b", { dependencies: ["a"] }), state("a", { id: "new" })];
    expect(sortedByDependencies(all).map(({ urn, id }) => `${urn} ${id}`)).toEqual([
      "a new",
      "b undefined",
      "a old",
    ]);
  });

  test("such an object stays before a resource that this run didn't register", () => {
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

describe("removing dependencies from cycles", () => {
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

  test("a dependency of a resource that this run didn't register is removed first", () => {
    expect(told(circle, isNew("a", "c"))).toEqual(["z", "f z", "a f", "c a"]);
    expect(told(circle, isNew("f", "c"))).toEqual(["a", "c a", "z", "f c z"]);
    expect(told(circle, isNew("a", "f"))).toEqual(["c", "z", "f c z", "a f"]);
  });
});
