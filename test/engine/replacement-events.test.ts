// The events of replacements and their parts. All scenarios and fuzz cases are checked with event-law.ts, too.
import { describe, expect, test } from "vitest";
import type { Event } from "../../engine/index.ts";
import { recorder, up } from "../../engine/index.ts";
import { type Provider, RefusedError } from "../../engine/processes/provider.ts";
import { openDisk } from "../support/disk.ts";
import { eventErrors } from "./event-law.ts";
import { type Cloud, goal, openCloud, openMemory, providerOf, putProject, runUp } from "./in-process.ts";

/** A provider that replaces on a change of key. @param first whether it deletes first */
function replacing(cloud: Cloud, first: boolean, more: Partial<Provider> = {}): Provider {
  const base = providerOf(cloud);
  return {
    ...base,
    diff: async (_urn, _id, olds, { news }) => ({
      changes: olds.key === news.key ? "none" : "some",
      replaces: olds.key === news.key ? [] : ["key"],
      deleteBeforeReplace: first,
    }),
    ...more,
  };
}

const told = (events: readonly Event[]) =>
  events.flatMap((event) =>
    "step" in event && !event.step.type.startsWith("pulumi:")
      ? [`${event.type} ${event.step.op}${event.step.partOf === undefined ? "" : " (part)"}`]
      : [],
  );

async function replaced(first: boolean, more: (cloud: Cloud) => Partial<Provider>) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  await runUp(disk, cloud, { a: { key: "k1" } });
  const { events, watch } = recorder();
  const result = await up(openMemory(disk), {
    watch,
    parts: {
      startProvider: async () => replacing(cloud, first, more(cloud)),
      program: async (deployment) =>
        deployment.register(goal("a", { key: "k2" })).then(
          () => 0,
          () => 1,
        ),
    },
  });
  return { events, result, lines: told(events), wrong: eventErrors(events, result, false) };
}

const fails = async (): Promise<never> => {
  throw new Error("no room");
};
const refuses = async (): Promise<never> => {
  throw new RefusedError("somebody changed it");
};

describe("events of a replacement", () => {
  test("a replacement is done together with its create, and names its changes and reasons", async () => {
    const { events, lines, wrong } = await replaced(false, () => ({}));
    expect(lines).toEqual([
      "started replace",
      "started create-replacement (part)",
      "done create-replacement (part)",
      "done replace",
      "started delete-replaced (part)",
      "done delete-replaced (part)",
    ]);
    expect(wrong).toEqual([]);
    const [done] = events.flatMap((event) =>
      event.type === "done" && event.step.op === "replace" ? [event.step] : [],
    );
    expect(done).toMatchObject({
      replaces: ["key"],
      changes: [{ path: "key", kind: "update", old: "k1", new: "k2" }],
    });
  });

  test.each([
    ["the successor can't be made", false, { create: fails }, "create-replacement", "failed"],
    [
      "it was deleted, and the successor can't be made",
      true,
      { create: fails },
      "create-replacement",
      "failed",
    ],
    ["what is deleted first can't be", true, { delete: fails }, "delete-replaced", "failed"],
    ["what is deleted first may not be", true, { delete: refuses }, "delete-replaced", "refused"],
  ])("a replacement ends like its failed part: %s", async (_why, first, more, part, how) => {
    const { lines, wrong, result } = await replaced(first, () => more as Partial<Provider>);
    expect(lines.slice(-2)).toEqual([`${how} ${part} (part)`, `${how} replace`]);
    expect(wrong).toEqual([]);
    // One failure is reported once, however many steps it ends.
    expect(result.failures).toHaveLength(1);
    expect(result.counts.replace).toBeUndefined();
  });

  test("a replacement stays done if only the old object can't be deleted", async () => {
    const { lines, wrong, result } = await replaced(false, () => ({ delete: fails }));
    expect(lines.slice(-3)).toEqual([
      "done replace",
      "started delete-replaced (part)",
      "failed delete-replaced (part)",
    ]);
    expect(wrong).toEqual([]);
    expect([result.outcome, result.counts.replace]).toEqual(["failed", 1]);
  });
});
