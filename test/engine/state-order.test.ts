// A state in the order that any engine reads: each resource behind all that it needs, whatever was said of it before.
import { describe, expect, test } from "vitest";
import { needs, ordered } from "../../engine/state/order.ts";
import type { State } from "../../engine/state/snapshot.ts";

const state = (urn: string, more: Partial<State> = {}): State => ({ urn, type: "t", custom: true, ...more });
const urns = (states: readonly State[]) => states.map(({ urn }) => urn);

const provider = state("p", { id: "1" });
/** Every way in which one needs another. */
const ways: readonly (readonly [way: string, (urn: string) => Partial<State>])[] = [
  ["parent", (urn) => ({ parent: urn })],
  ["provider", (urn) => ({ provider: `${urn}::1` })],
  ["deletedWith", (urn) => ({ deletedWith: urn })],
  ["replaceWith", (urn) => ({ replaceWith: [urn] })],
  ["dependencies", (urn) => ({ dependencies: [urn] })],
  ["propertyDependencies", (urn) => ({ propertyDependencies: { n: [urn] } })],
];

describe("each stands behind all that it needs", () => {
  test.each(ways)("by its %s", (_way, need) => {
    const [one, other] = [state("a", need("b")), state("b")];
    expect(needs(one)).toEqual(["b"]);
    expect(ordered([one, other])).toEqual([other, one]);
    expect(ordered([other, one])).toEqual([other, one]);
  });

  test("however long the chain is in which each needs the next", () => {
    const chain = Array.from({ length: 20_000 }, (_none, at) =>
      state(String(at), { dependencies: [String(at + 1)] }),
    );
    expect(urns(ordered(chain))).toEqual(urns(chain).toReversed());
  });

  test("and otherwise as it was", () => {
    const all = [state("c"), state("a"), state("b", { dependencies: ["a"] })];
    expect(ordered(all)).toEqual(all);
    expect(urns(ordered([state("x", { dependencies: ["z"] }), state("y"), state("z")]))).toEqual([
      "z",
      "x",
      "y",
    ]);
  });

  test("what is only still to be deleted behind what took its place; others need that", () => {
    const old = state("a", { delete: true, id: "old" });
    const all = [old, state("b", { dependencies: ["a"] }), state("a", { id: "new" })];
    expect(ordered(all).map(({ urn, id }) => `${urn} ${id}`)).toEqual(["a new", "b undefined", "a old"]);
  });

  test("or before a resource that stood behind it and isn't of this run: it may need the old one", () => {
    const old = state("a", { delete: true, id: "old" });
    const [b, now] = [state("b", { dependencies: ["a"] }), state("a", { id: "new" })];
    const isNew = ({ urn }: State) => urn === "a";
    const told = (states: readonly State[]) =>
      ordered(states, isNew).map(({ urn, id }) => `${urn} ${id ?? ""}`.trim());
    expect(told([old, b, now])).toEqual(["a new", "a old", "b"]);
    expect(told([b, old, now])).toEqual(["a new", "b", "a old"]);
    const left = state("c", { dependencies: ["a"], delete: true, id: "left" });
    expect(told([old, left, now])).toEqual(["a new", "a old", "c left"]);
  });
});

describe("what it needs that is gone is forgotten, and nothing else", () => {
  const all: Partial<State> = {
    parent: "b",
    deletedWith: "b",
    replaceWith: ["b"],
    dependencies: ["b"],
    propertyDependencies: { n: ["b"], m: [] },
    protect: true,
  };
  test("where all of it is there", () => {
    const whole = state("a", all);
    expect(ordered([state("b"), whole])[1]).toBe(whole);
  });
  test("where all of it is gone", () => {
    expect(ordered([state("a", all)])).toEqual([
      state("a", {
        protect: true,
        replaceWith: [],
        dependencies: [],
        propertyDependencies: { n: [], m: [] },
      }),
    ]);
  });
  test("where some of it is there", () => {
    const some = state("a", { ...all, dependencies: ["b", "c"], propertyDependencies: { n: ["c", "b"] } });
    expect(ordered([state("b"), some])[1]).toEqual({
      ...some,
      dependencies: ["b"],
      propertyDependencies: { n: ["b"] },
    });
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
    ordered(states, are).map((one) => [one.urn, ...needs(one)].join(" "));

  test("of what this run didn't write", () => {
    expect(told(circle, isNew("a", "c"))).toEqual(["z", "f z", "a f", "c a"]);
    expect(told(circle, isNew("f", "c"))).toEqual(["a", "c a", "z", "f c z"]);
    expect(told(circle, isNew("a", "f"))).toEqual(["c", "z", "f c z", "a f"]);
  });

  test("not a parent or a provider, whatever else", () => {
    const [a, , f, z] = circle as [State, State, State, State];
    for (const c of [state("c", { parent: "a" }), state("c", { provider: "a::1" })])
      for (const are of [isNew(), isNew("a", "c", "f"), isNew("a"), isNew("f")])
        expect(told([a, c, f, z], are).filter((line) => line.startsWith("c"))).toEqual(["c a"]);
  });

  test("and then the next circle, until there is none", () => {
    const two = [...circle, state("y", { dependencies: ["x"] }), state("x", { deletedWith: "y" })];
    const result = ordered(two, () => true);
    const place = new Map(result.map(({ urn }, index) => [urn, index]));
    for (const [index, one] of result.entries())
      for (const urn of needs(one)) expect(place.get(urn), `${one.urn} needs ${urn}`).toBeLessThan(index);
    expect(result).toHaveLength(6);
  });

  test("a state that is damaged beyond that is left as it is, and read", () => {
    const damaged = [state("a", { parent: "b" }), state("b", { parent: "a" }), provider];
    expect(urns(ordered(damaged))).toEqual(["b", "a", "p"]);
  });
});
