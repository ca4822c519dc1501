// A preview reads the resources that it would delete, and refuses deletes of changed ones.
import { expect, test } from "vitest";
import { preview, type RunOptions, recorder } from "../../engine/index.ts";
import type { Provider } from "../../engine/processes/provider.ts";
import type { State } from "../../engine/state/snapshot.ts";
import { type Properties, secret } from "../../engine/values/values.ts";
import { openDisk } from "../support/disk.ts";
import {
  alterStates,
  openCloud,
  openMemory,
  programOf,
  providerOf,
  putProject,
  runUp,
} from "./in-process.ts";

/** The result of a preview's delete of a resource created with `made`, and the calls to the provider. */
async function planned(
  made: Properties,
  now: Properties | undefined,
  more: {
    readonly state?: Partial<State>;
    readonly read?: Partial<Awaited<ReturnType<Provider["read"]>>>;
    readonly differs?: boolean;
    readonly looks?: boolean;
    readonly keeps?: Readonly<Record<string, Properties>>;
  } = {},
) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  await runUp(disk, cloud, { a: made });
  alterStates(disk, (one) => (one.urn.endsWith("::a") ? { ...one, ...more.state } : one));
  cloud.requests.length = 0;
  const own = providerOf(cloud);
  const startProvider = async (): Promise<Provider> => ({
    ...own,
    read: async (_urn, id) => {
      cloud.requests.push(`read ${id}`);
      const found = now === undefined ? { id: "", outputs: {} } : { id, outputs: { ...now, id } };
      return { ...found, inputs: now, ...more.read };
    },
    diff: async (_urn, id, outputs, { news: inputs, ...beside }) => {
      cloud.requests.push(`diff ${id} ${JSON.stringify([outputs, inputs, beside?.oldInputs])}`);
      return { changes: more.differs === false ? "none" : "some", replaces: [], deleteBeforeReplace: false };
    },
  });
  const { events, watch } = recorder();
  const options: RunOptions = {
    watch,
    looksBeforeDelete: more.looks ?? true,
    parts: { startProvider, program: programOf({}) },
  };
  const result = await preview(openMemory(disk), options);
  const [why] = events.flatMap((event) => (event.type === "refused" ? [event.message] : []));
  return { result, why, deletes: result.counts.delete ?? 0, requests: cloud.requests };
}
const changed = (how: string) => `was changed since the last run, so it is not deleted: ${how}`;

test("a preview deletes unchanged objects, and those that no longer exist", async () => {
  expect(await planned({ n: 1 }, { n: 1 })).toMatchObject({
    deletes: 1,
    why: undefined,
    requests: ["read 1"],
  });
  expect(await planned({ n: 1 }, undefined)).toMatchObject({
    deletes: 1,
    why: undefined,
    requests: ["read 1"],
  });
});

test("a preview refuses to delete a changed object and names the changes", async () => {
  const { deletes, why, requests, result } = await planned(
    { n: 1, m: "a", gone: 1 },
    { n: 2, m: "b", more: [3] },
  );
  expect(deletes).toBe(0);
  expect(why).toBe(changed('n: 1 => 2; m: "a" => "b"; gone: 1 => unset; more: unset => [3]'));
  expect(requests).toEqual([
    "read 1",
    'diff 1 [{"n":2,"m":"b","more":[3],"id":"1"},{"n":1,"m":"a","gone":1},{"n":2,"m":"b","more":[3]}]',
  ]);
  expect(result).toMatchObject({ outcome: "failed", failures: [{ message: why, refused: true }] });
});

test("values of more than eighty characters are shortened", async () => {
  const [whole, long] = ["x".repeat(78), "x".repeat(79)];
  expect((await planned({ s: whole }, { s: long })).why).toBe(changed(`s: "${whole}" => "${long}...`));
});

test("a refused delete shows no secrets", async () => {
  const inputs = { n: 1, s: secret("old") };
  const { why } = await planned({ n: 1 }, { n: 1, s: "hush" }, { state: { inputs } });
  expect(why).toBe(changed('s: "[secret]" => "[secret]"'));
});

test("a change that the provider doesn't report, or that no program can set, doesn't prevent a delete", async () => {
  expect(await planned({ n: 1 }, { n: 2 }, { differs: false })).toMatchObject({ deletes: 1, why: undefined });
  const own = await planned({ n: 1 }, { n: 1, __etag: "2" });
  expect(own).toMatchObject({ deletes: 1, why: undefined });
  expect(own.requests).toHaveLength(2);
});

test("the provider's own reason for keeping an object comes first", async () => {
  const keeps = (text: string) => planned({ n: 1 }, { n: 2 }, { read: { keeps: text } });
  expect(await keeps("it has a label")).toMatchObject({
    deletes: 0,
    why: "it has a label",
    requests: ["read 1"],
  });
  expect(await keeps("")).toMatchObject({ deletes: 1, why: undefined, requests: ["read 1"] });
});

test("an incomplete object, or one read without inputs, is deleted", async () => {
  const half = await planned({ n: 1 }, { n: 2 }, { state: { initErrors: ["no paint"] } });
  expect(half).toMatchObject({ deletes: 1, why: undefined, requests: ["read 1"] });
  const bare = await planned({ n: 1 }, { n: 2 }, { read: { inputs: undefined } });
  expect(bare).toMatchObject({ deletes: 1, why: undefined, requests: ["read 1"] });
});

test("released objects aren't read, and nothing is read unless the preview asks for it", async () => {
  const kept = await planned({ n: 1 }, { n: 2 }, { state: { retainOnDelete: true } });
  expect(kept).toMatchObject({ deletes: 1, why: undefined, requests: [] });
  expect(await planned({ n: 1 }, { n: 2 }, { looks: false })).toMatchObject({ deletes: 1, requests: [] });
});
