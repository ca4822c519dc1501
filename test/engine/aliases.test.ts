// Which old state a registration continues: its own, or that of an alias, which only one resource may use.
import { expect, test } from "vitest";
import type { Goal } from "../../engine/values/goal.ts";
import { openDisk } from "../support/disk.ts";
import {
  goal,
  inTurn,
  openCloud,
  providerOf,
  putProject,
  runUp,
  statesOf,
  urnOf as urn,
} from "./in-process.ts";

const as = (...names: readonly string[]): Partial<Goal> => ({ aliases: names.map((name) => ({ name })) });

/** Runs programs in order; the first one has created object 1 for `old` and 2 for `other`. */
async function open() {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  const up = async (things: readonly (readonly [name: string, more?: Partial<Goal>, n?: number])[]) => {
    cloud.requests.length = 0;
    const program = inTurn(things.map(([name, more = {}, n = 1]) => goal(name, { n }, more)));
    const parts = { startProvider: async () => providerOf(cloud), program };
    const { result } = await runUp(disk, cloud, {}, { parts });
    return (result?.failures ?? []).map(({ message }) => message);
  };
  const ids = () =>
    statesOf(disk)
      .flatMap(({ urn: of, id }) => (of.includes("Thing") ? [`${of.split("::").at(-1)} ${id}`] : []))
      .toSorted();
  await up([["old"], ["other"]]);
  return { cloud, up, ids };
}

test("the first alias that the state has is used, and resources of further aliases are deleted", async () => {
  const { cloud, up, ids } = await open();
  expect(await up([["new", as("never", "other", "old")]])).toEqual([]);
  expect(ids()).toEqual(["new 2"]);
  expect(cloud.requests).toEqual(["delete 1"]);
});

test("a resource's own name is preferred to its aliases", async () => {
  const { cloud, up, ids } = await open();
  expect(await up([["old", as("other")]])).toEqual([]);
  expect(ids()).toEqual(["old 1"]);
  expect(cloud.requests).toEqual(["delete 2"]);
});

test("two resources can't use one alias, and the second is refused without deletes", async () => {
  const { cloud, up, ids } = await open();
  const twice = (name: string, other: string) =>
    `${name} and ${other} both continue "${urn("old")}" of the state, but an old name can belong to one resource only: remove the alias of one of them`;
  expect(await up([["new", as("old")], ["newer", as("old")], ["other"]])).toEqual([twice("newer", "new")]);
  expect(ids()).toEqual(["new 1", "other 2"]);
  expect(cloud.requests).toEqual([]);
  // The new resource has it, although the state no longer has the old URN.
  expect(await up([["old"], ["new", as("old")], ["other"]])).toEqual([]);
  expect(cloud.requests).toEqual(["create old"]);
});

test("an alias of another registered resource is refused", async () => {
  const { cloud, up } = await open();
  expect(await up([["old"], ["new", as("old")], ["other"]])).toEqual([
    `new and old both continue "${urn("old")}" of the state, but an old name can belong to one resource only: remove the alias of one of them`,
  ]);
  expect(cloud.requests).toEqual([]);
  expect((await up([["new", as("old")], ["old"], ["other"]]))[0]).toBe(
    `old and new both continue "${urn("old")}" of the state, but an old name can belong to one resource only: remove the alias of one of them`,
  );
});

test("several resources may have an alias that the state doesn't have, or that this run created", async () => {
  const { cloud, up, ids } = await open();
  expect(await up([["old"], ["other"], ["a", as("never")], ["b", as("never", "a")]])).toEqual([]);
  expect(ids()).toEqual(["a 3", "b 4", "old 1", "other 2"]);
  expect(cloud.requests).toEqual(["create a", "create b"]);
});
