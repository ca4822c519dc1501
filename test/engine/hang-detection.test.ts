// A provider that doesn't answer: no run waits forever.
import { expect, test } from "vitest";
import { up } from "../../engine/index.ts";
import { answerAlways } from "../../engine/processes/host-answers.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { providerTimeout } from "../../runs/stack/provider-timeout.ts";
import { openDisk } from "../support/disk.ts";
import { embedded } from "./embedded.ts";
import {
  goal,
  inTurn,
  openCloud,
  openMemory,
  programOf,
  providerOf,
  putProject,
  runUp,
} from "./in-process.ts";
import { openScene } from "./scene.ts";

test("an error that no message can carry fails its resource, and the run ends", async () => {
  const scene = openScene([embedded]);
  scene.program(`new Thing("a"); new Thing("b");`);
  scene.world({ "create a": { reasons: ["half made"], unsayable: true } });
  const ran = await scene.up();
  expect(ran.outcome).toBe("failed");
  expect(ran.messages).toContain("the provider failed and could not say why: ");
  expect(scene.saved("b")?.id).toBe("b-1");
});

test("a handler that fails after its answer, or without one, has answered once", async () => {
  const kept: Record<string, (call: unknown, answer?: (...given: unknown[]) => void) => unknown> = {};
  const prototype = {
    addService(_service: unknown, handlers: typeof kept) {
      Object.assign(kept, handlers);
    },
  };
  answerAlways({ status: { UNKNOWN: 2 }, Server: { prototype } });
  prototype.addService(
    {},
    {
      answers: async (_call, answer) => answer?.(null, "done"),
      fails: async () => {
        throw new Error("no words");
      },
      both: async (_call, answer) => {
        answer?.(null, "done");
        throw new Error("too late");
      },
      streams: (call) => call,
    },
  );
  const told: unknown[] = [];
  for (const name of ["answers", "fails", "both"])
    await kept[name]?.({}, (...given: unknown[]) => told.push([name, ...given]));
  expect(told).toEqual([
    ["answers", null, "done"],
    ["fails", { code: 2, details: "the provider failed and could not say why: no words" }],
    ["both", null, "done"],
  ]);
  expect(kept.streams?.("a stream")).toBe("a stream");
});

/** A run whose second create is never answered. @param ticks runs every 15 seconds */
async function hanging(ticks: readonly ("a sign" | "nothing")[], limitMs: number | undefined) {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  const provider = providerOf(cloud);
  let tick: () => void = () => {};
  let signs = 0;
  let creates = 0;
  const create: typeof provider.create = async (urn, inputs) => {
    creates += 1;
    if (creates !== 2) return provider.create(urn, inputs);
    for (const what of ticks) {
      if (what === "a sign") signs += 1;
      tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new Promise(() => {});
  };
  const result = await up(openMemory(disk), {
    watch: () => {},
    hangLimits: { limitMs: () => limitMs, activity: () => signs },
    parts: {
      startProvider: async () => ({ ...provider, create }),
      program: inTurn(["a", "b", "c"].map((name) => goal(name, {}))),
      every: (_ms, work) => {
        tick = work;
        return () => {};
      },
    },
  });
  return { disk, cloud, result, creates };
}

const quiet = (count: number) => Array<"nothing">(count).fill("nothing");

test("a provider without activity for longer than its limit hangs, and the run ends cleanly", async () => {
  const { disk, cloud, result, creates } = await hanging(quiet(10), 60_000);
  expect(result.outcome).toBe("failed");
  expect(result.failures[0]?.message).toMatch(
    /^the provider hangs: it has neither answered nor sent anything for 1 min\./,
  );
  // No operation began afterwards.
  expect(creates).toBe(2);
  const again = await runUp(disk, cloud, { a: {}, b: {}, c: {} });
  expect(
    again.events.flatMap((event) => (event.type === "message" ? `${event.urn}: ${event.text}` : [])),
  ).toEqual([expect.stringMatching(/::b: an earlier run was interrupted while creating it/)]);
  expect(again.result?.counts).toEqual({ same: 1, create: 2 });
});

test("requests count as activity, and only providers with a limit can hang", async () => {
  const lively = await hanging([...quiet(3), "a sign", ...quiet(3), "a sign", ...quiet(6)], 60_000);
  expect(lively.result.failures[0]?.message).toContain("for 1 min");
  const slow = openCloud();
  const provider = providerOf(slow);
  const create: typeof provider.create = async (urn, inputs) => {
    for (let turn = 0; turn < 1_000; turn += 1) ticks?.();
    return provider.create(urn, inputs);
  };
  let ticks: (() => void) | undefined;
  const result = await up(openMemory(putProject(openDisk())), {
    watch: () => {},
    hangLimits: { limitMs: () => undefined, activity: () => 0 },
    parts: {
      startProvider: async () => ({ ...provider, create }),
      program: programOf({ a: {} }),
      every: (_ms, work) => {
        ticks = work;
        return () => {};
      },
    },
  });
  expect(result.outcome).toBe("succeeded");
});

test("our provider's limit covers an exchange, and the wait for the rate limit if that may be used up", () => {
  const stack = openMemory(putProject(openDisk()));
  const usage = { requests: 9, writes: 0, rejected: 0, used: 9, limit: 500 };
  const most = (so: Partial<Record<keyof typeof usage, number | null>>, type = "shop:index:Coupon") =>
    providerTimeout(stack, { usage: () => ({ ...usage, ...so }) as typeof usage }).limitMs(type);
  expect(kindOfType("shop:index:Coupon")).toBe("Coupon");
  expect(most({})).toBe(300_000);
  expect(most({ used: 450 })).toBe(3_900_000);
  expect(most({ rejected: 1 })).toBe(3_900_000);
  expect(most({ used: null })).toBe(3_900_000);
  expect(most({}, "aws:ec2/instance:Instance")).toBeUndefined();
  expect(providerTimeout(stack, { usage: () => usage }).activity()).toBe(9);
});
