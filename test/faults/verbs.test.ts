// Every verb of every kind in a shop with every fault: after at most one more run there is one object and one state of
// it, or none where it was deleted; and it is as it was asked for. A create that costs money takes a run for each time
// that a person says to send it again.
import { afterAll, describe, expect, test } from "vitest";
import { faultNames } from "../../emulator/faults.ts";
import type { Definition } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { sampleOf } from "../provider/samples.ts";
import { partOf } from "../support/campaign.ts";
import { openWorld, resources, type World } from "../support/world.ts";
import { type Row, report, table } from "./table.ts";

const rows: Row[] = [];

const methods = { create: "POST", update: "PUT", delete: "*", read: "GET" } as const;

async function live(world: World): Promise<readonly { readonly id: number; readonly kind: string }[]> {
  const objects = (await world.control("GET", "objects")) as Record<
    string,
    { id: number; archived: boolean; status?: string }[]
  >;
  return Object.entries(objects).flatMap(([kind, list]) =>
    list.filter(({ archived, status }) => !archived && status !== "declined").map(({ id }) => ({ id, kind })),
  );
}

interface Trial {
  readonly world: World;
  readonly definition: Definition;
  readonly inputs: Values;
  readonly changed: Values | undefined;
  readonly before: number;
}

async function prepare(definition: Definition): Promise<Trial> {
  const world = await openWorld();
  const sample = await sampleOf(definition, world);
  const verbs = world.verbs(definition);
  const inputs = await verbs.checked(sample.args);
  const changed =
    sample.change === undefined ? undefined : await verbs.checked({ ...inputs, ...sample.change });
  return { world, definition, inputs, changed, before: (await live(world)).length };
}

/** Runs until it is done, so many times at most, as `up` after `up` would. @returns what it gave and how many runs it took */
async function runs<T>(attempt: () => Promise<T>, most = 2): Promise<{ value: T; count: number }> {
  for (let count = 1; count < most; count += 1)
    try {
      return { value: await attempt(), count };
    } catch {
      // The next run continues from what this one left.
    }
  return { value: await attempt(), count: most };
}

/** The mood holds for so many of the requests of a method; whatever else is sent finds the shop well. */
const moody = (world: World, fault: string, times: number, method: string) =>
  world.fault({ method, path: "*", fault, times, delayMs: 1, retryAfterSeconds: 1 });

/** Notes what a trial came to, before it is judged. @returns the objects that there are beside those of a new shop */
async function note(
  trial: Trial,
  verb: string,
  fault: string,
  count: number,
  wanted: number,
): Promise<number> {
  const requests = trial.world.requests().length;
  const objects = (await live(trial.world)).length - trial.before;
  rows.push([verb, fault, Math.max(0, wanted - objects), Math.max(0, objects - wanted), count, requests]);
  return objects;
}

const kinds = resources.map((definition, index) => ({ kind: definition.kind, definition, index }));

describe.each(kinds)("$kind", ({ definition, index }) => {
  // `npm test` has every fourth fault for a kind, and others for the next.
  const moods = partOf(
    faultNames,
    faultNames.filter((_fault, place) => (place + index) % 4 === 0),
  );
  // Twice is what the verb itself tries; the third time is left to the next run.
  // `npm test` has the one for two kinds, the other for the next two.
  describe.each(partOf([1, 2], [1 + ((index >> 1) % 2)]))("%i times in a row", (times) => {
    test.each(moods)("create under %s: one object, one state", async (fault) => {
      const trial = await prepare(definition);
      const { world, inputs } = trial;
      world.requests();
      await moody(world, fault, times, methods.create);
      // What costs money is sent a second time only where a person says so, and a third time where they say so again.
      const resent = new Set(["any"]);
      resent.has = () => true;
      const { value, count } = await runs(
        () =>
          world
            .verbs(definition, undefined, undefined, { resent: definition.billable ? resent : new Set() })
            .create(inputs),
        definition.billable ? times + 1 : 2,
      );
      expect(await note(trial, "create", fault, count, 1)).toBe(1);
      const verbs = world.verbs(definition);
      const read = await verbs.read(value.id, value.outs);
      expect(await verbs.diff(value.id, read?.props ?? {}, inputs)).toEqual({ type: "none" });
    });

    test.each(moods)("update under %s: as asked, still one", async (fault) => {
      const trial = await prepare(definition);
      const { world, inputs, changed } = trial;
      if (changed === undefined) return;
      const { id, outs } = await world.verbs(definition).create(inputs);
      world.requests();
      await moody(world, fault, times, methods.update);
      const { value, count } = await runs(() => world.verbs(definition).update(id, outs, changed));
      expect(await note(trial, "update", fault, count, 1)).toBe(1);
      const verbs = world.verbs(definition);
      expect(await verbs.diff(id, value, changed)).toEqual({ type: "none" });
      expect(await verbs.diff(id, (await verbs.read(id, value))?.props ?? {}, changed)).toEqual({
        type: "none",
      });
    });

    test.each(moods)("delete under %s: gone, and nothing else", async (fault) => {
      const trial = await prepare(definition);
      const { world, inputs } = trial;
      const { id, outs } = await world.verbs(definition).create(inputs);
      world.requests();
      await moody(world, fault, times, methods.delete);
      const { count } = await runs(() => world.verbs(definition).delete(id, outs));
      expect(await note(trial, "delete", fault, count, 0)).toBe(0);
    });

    test.each(moods)("read under %s: as it is", async (fault) => {
      const trial = await prepare(definition);
      const { world, inputs } = trial;
      const { id, outs } = await world.verbs(definition).create(inputs);
      world.requests();
      await moody(world, fault, times, methods.read);
      const { value, count } = await runs(() => world.verbs(definition).read(id, outs));
      expect(await note(trial, "read", fault, count, 1)).toBe(1);
      expect(await world.verbs(definition).diff(id, value?.props ?? {}, inputs)).toEqual({ type: "none" });
    });
  });
});

afterAll(() => {
  const keys = [...new Set(rows.map(([verb, fault]) => `${verb} ${fault}`))];
  const lines = keys.map((key): Row => {
    const of = rows.filter(([verb, fault]) => `${verb} ${fault}` === key);
    const sum = (column: number) => of.reduce((total, row) => total + Number(row[column]), 0);
    const second = of.filter((row) => Number(row[4]) > 1).length;
    return [
      ...key.split(" "),
      of.length,
      sum(2),
      sum(3),
      second,
      Math.max(...of.map((row) => Number(row[5]))),
    ];
  });
  report(
    "faults",
    table(["verb", "fault", "trials", "lost", "doubled", "needed a second run", "most requests"], lines),
  );
});
