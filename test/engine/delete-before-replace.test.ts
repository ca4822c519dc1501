// Replacements with deleteBeforeReplace: what is deleted first, what stays, what prevents them.
import { describe, expect, test } from "vitest";
import type { State } from "../../engine/index.ts";
import { type Provider, RefusedError } from "../../engine/processes/provider.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { openDisk } from "../support/disk.ts";
import {
  alterStates,
  goal,
  inTurn,
  openCloud,
  providerOf,
  putProject,
  runUp,
  statesOf,
  urnOf as urn,
} from "./in-process.ts";

/** An input `n` that depends on another resource. */
const of = (name: string): Partial<Goal> => ({
  dependencies: [urn(name)],
  propertyDependencies: { n: [urn(name)] },
});
type Things = Readonly<Record<string, Partial<Goal>>>;

/**
 * Creates resources with `{ n: 1 }`, then runs again with another `n` for the first one, which replaces it and those in
 * `replaced`.
 * @param before changes the state in between
 */
async function made(
  things: Things,
  {
    replaced = [],
    before = () => ({}),
    more = () => ({}),
    again = things,
    first: isFirst = true,
  }: {
    readonly replaced?: readonly string[];
    readonly before?: (name: string) => Partial<State>;
    readonly more?: (own: Provider) => Partial<Provider>;
    readonly again?: Things;
    /** Whether the old object is deleted before the new one is created. */
    readonly first?: boolean;
  } = {},
) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  const [first = ""] = Object.keys(things);
  const own = providerOf(cloud);
  const provider: Provider = {
    ...own,
    diff: async (of, _id, olds, { news }) => {
      const differs = olds.n !== news.n;
      const replaces = differs && [first, ...replaced].some((name) => urn(name) === of) ? ["n"] : [];
      return { changes: differs ? "some" : "none", replaces, deleteBeforeReplace: isFirst };
    },
  };
  const run = async (all: Things, n: number, parts: Partial<Provider>) => {
    const program = inTurn(
      Object.entries(all).map(([name, rest]) => goal(name, { n: name === first ? n : 1 }, rest)),
    );
    return runUp(
      disk,
      cloud,
      {},
      { parts: { startProvider: async () => ({ ...provider, ...parts }), program } },
    );
  };
  await run(things, 1, {});
  alterStates(disk, (one) => ({ ...one, ...before(one.urn.split("::").at(-1) ?? "") }));
  cloud.requests.length = 0;
  const { result, events } = await run(again, 2, more(provider));
  const states = statesOf(disk);
  const failures = (result?.failures ?? []).map(({ message }) => message);
  const done = events.flatMap((event) => (event.type === "done" ? [event.step] : []));
  return {
    done,
    requests: cloud.requests,
    failures,
    result,
    find: (name: string) => states.find((one) => one.urn === urn(name)),
  };
}

describe("deletes before a replacement with deleteBeforeReplace", () => {
  test("dependents that would be replaced are deleted first, with their own dependents", async () => {
    const { requests, result } = await made({ a: {}, b: of("a"), c: of("b") }, { replaced: ["b", "c"] });
    expect(requests).toEqual(["delete 3", "delete 2", "delete 1", "create a", "create b", "create c"]);
    expect(result).toMatchObject({ outcome: "succeeded", counts: { replace: 1, "create-replacement": 2 } });
  });

  test("dependents that would only be updated, or don't use the value, aren't deleted", async () => {
    const { requests } = await made({ a: {}, b: of("a"), c: { dependencies: [urn("a")] }, d: {} });
    expect(requests).toEqual(["delete 1", "create a"]);
  });

  test("gets are not deleted", async () => {
    const before = (name: string) => (name === "b" ? { external: true } : {});
    const { requests } = await made({ a: {}, b: of("a") }, { replaced: ["b"], before });
    expect(requests).toEqual(["delete 1", "create a", "create b"]);
  });

  test("resources that the program has already registered are not deleted", async () => {
    const { requests } = await made({ a: {}, b: of("a") }, { replaced: ["b"], again: { b: of("a"), a: {} } });
    expect(requests).toEqual(["delete 1", "create a"]);
  });
});

describe("refused replacements with deleteBeforeReplace", () => {
  test("a protected resource, or a protected dependent, prevents the replacement", async () => {
    const own = await made({ a: { protect: true } });
    expect(own.failures).toEqual([
      `unable to replace resource "${urn("a")}" as it is currently marked for protection; set protect to false and run up first`,
    ]);
    const other = await made({ a: {}, b: { ...of("a"), protect: true } }, { replaced: ["b"] });
    expect(other.failures).toEqual([
      `unable to replace resource "${urn("b")}" as part of replacing "${urn("a")}" as it is currently marked for protection; set protect to false and run up first`,
    ]);
    expect([...own.requests, ...other.requests]).toEqual([]);
  });

  test("a protection that the program has removed doesn't prevent it", async () => {
    const { requests, failures } = await made({ a: { protect: true } }, { again: { a: {} } });
    expect([requests, failures]).toEqual([["delete 1", "create a"], []]);
  });
});

describe("a delete", () => {
  test("that its provider declines leaves it as it was, and the others go on", async () => {
    const more = () => ({
      delete: async () => {
        throw new RefusedError("somebody changed it");
      },
    });
    const { requests, failures, find, result } = await made({ a: {}, b: of("a") }, { more });
    expect(failures).toEqual(["somebody changed it"]);
    expect(requests).toEqual([]);
    expect(find("a")).toMatchObject({ id: "1", inputs: { n: 1 } });
    expect(result?.failures).toMatchObject([{ refused: true }]);
  });

  test("that fails leaves it as it was", async () => {
    const more = () => ({
      delete: async () => {
        throw new Error("in use");
      },
    });
    const { failures, find } = await made({ a: {} }, { more });
    expect(failures).toEqual(["in use"]);
    expect(find("a")).toMatchObject({ id: "1" });
    expect(find("a")).not.toHaveProperty("pendingReplacement");
  });
});

describe("what goes down with another", () => {
  test("isn't deleted by itself where that is replaced, whichever is done first", async () => {
    const both = { a: {}, b: { deletedWith: urn("a") } };
    expect((await made(both)).requests).toEqual(["delete 1", "create a", "create b"]);
    expect((await made(both, { first: false })).requests).toEqual(["create a", "create b", "delete 1"]);
  });

  test("is where that stays, though an earlier replacement has left an object of the same name", async () => {
    const before = (name: string): Partial<State> => (name === "c" ? { urn: urn("a"), delete: true } : {});
    const things = { z: {}, a: {}, c: {}, b: { deletedWith: urn("a") } };
    const { requests, find } = await made(things, { before, again: { a: {} } });
    expect(requests.toSorted()).toEqual(["delete 1", "delete 3", "delete 4"]);
    expect(find("a")?.id).toBe("2");
  });
});

test("what is created tells no changes, and what it takes the place of", async () => {
  const { done } = await made({ a: {} }, { again: { a: {}, new: {} } });
  const told = done.filter(({ custom, op }) => custom && op.startsWith("create"));
  expect(told.map(({ op, name, changes }) => [op, name, changes.length])).toEqual([
    ["create-replacement", "a", 1],
    ["create", "new", 0],
  ]);
});
