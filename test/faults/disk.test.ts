// A disk that fails or a process that ends at each effect of a run: thousands of runs on a disk in memory. Exit 0 only if
// the state on the disk is whole; what the next run finds is lost nowhere, doubled nowhere, forgotten nowhere.
import { afterAll, describe, expect, test } from "vitest";
import { load } from "../../engine/index.ts";
import { removeLocks } from "../../engine/state/lock.ts";
import { openMemory, places } from "../engine/in-process.ts";
import { campaignTest, full, partOf } from "../support/campaign.ts";
import {
  copied,
  endsOf,
  harm,
  isWhole,
  leftovers,
  noHarm,
  planOf,
  prepared,
  run,
  type Story,
  stories,
  type Trouble,
  troubles,
  type World,
} from "./disk.ts";
import { type Row, report, table } from "./table.ts";

const diskRows: Row[] = [];
const crashRows: Row[] = [];

/** What went wrong in one trial, in words; none where nothing did. */
type Wrong = readonly string[];

const whole = (world: World): Wrong =>
  [places.state, `${places.state}.bak`]
    .filter((path) => !isWhole(world.disk, path))
    .map((path) => `${path} cut`);

/** The next run, and one more that must find nothing to do. */
async function afterwards(world: World, { wanted }: Story): Promise<{ wrong: Wrong; unlocked: number }> {
  const wrong = [...whole(world)];
  let next = await run(world, wanted);
  let unlocked = 0;
  if (next.error?.message.includes("locked")) {
    unlocked = removeLocks(world.disk.files, places.locks).length;
    next = await run(world, wanted);
  }
  if (!next.succeeded)
    wrong.push(`the next run: ${next.error?.message ?? JSON.stringify(next.result?.failures)}`);
  wrong.push(...whole(world));
  const found = harm(world, wanted);
  if (JSON.stringify(found) !== JSON.stringify(noHarm)) wrong.push(JSON.stringify(found));
  const requests = world.cloud.requests.length;
  const last = await run(world, wanted);
  if (!last.succeeded || last.result?.changed)
    wrong.push(`the run after it: ${last.error?.message ?? "changes"}`);
  if (world.cloud.requests.length > requests) wrong.push("the run after it asked for something");
  return { wrong, unlocked };
}

describe("a disk that fails at an effect of a run", () => {
  test.each(troubles.map((trouble, index) => ({ name: trouble.name, trouble, index })))(
    "$name: nothing is lost or doubled, and success is said of a whole state only",
    async ({ trouble, index }) => {
      const sum = { trials: 0, failed: 0, named: 0, wrong: [] as string[] };
      for (const story of stories) {
        const start = await prepared(story);
        const clean = copied(start);
        expect((await run(clean, story.wanted)).succeeded).toBe(true);
        // `npm test` tries every sixth, beginning with another for each kind of trouble.
        const effects = clean.disk.effects.filter(({ number }) => full || number % 6 === index % 6);
        for (const { number, name, path } of effects) {
          if (
            name === "request" ||
            (trouble.once !== undefined && "short" in trouble.once && name !== "write")
          )
            continue;
          const { wrong, failed, named } = await fail(start, story, trouble, number);
          sum.trials += 1;
          sum.failed += failed ? 1 : 0;
          sum.named += named;
          sum.wrong.push(...wrong.map((what) => `${story.name}, effect ${number}, ${name} ${path}: ${what}`));
        }
      }
      diskRows.push([
        trouble.name,
        sum.trials,
        sum.failed,
        sum.trials - sum.failed,
        sum.named,
        sum.wrong.length,
      ]);
      expect(sum.wrong).toEqual([]);
      if (!trouble.onlyTold) expect(sum.named, "objects that only a message knows").toBe(0);
    },
  );
  afterAll(() => {
    const head = [
      "fault",
      "effects hit",
      "runs that failed",
      "runs that succeeded",
      "objects only named",
      "wrong",
    ];
    report("disk", table(head, diskRows));
  });
});

async function fail(start: World, story: Story, trouble: Trouble, number: number) {
  const world: World = copied(
    start,
    planOf(trouble, number, () => world.disk),
  );
  const hit = await run(world, story.wanted);
  const wrong: string[] = [];
  const durable = { ...world, disk: world.disk.next("nothing") };
  if (hit.succeeded && JSON.stringify(harm(durable, story.wanted)) !== JSON.stringify(noHarm))
    wrong.push("it succeeded, and the state on the disk is not what it did");
  if (!hit.succeeded && hit.error === undefined && hit.result?.failures.length === 0)
    wrong.push("it failed without a word");
  world.disk.limit({});
  const named = asToldBy(hit.error?.message ?? "", world);
  const { wrong: later } = await afterwards(world, story);
  return { wrong: [...wrong, ...later], failed: !hit.succeeded, named };
}

/** A person does what the error says: what is nowhere else is noted, and here taken away again. @returns how many objects */
function asToldBy(message: string, { disk, cloud }: World): number {
  const known = new Set(load(openMemory(disk)).resources.map(({ id }) => id));
  const ids = [...message.matchAll(/ has the id (\S+)/g)].map(([, id]) => id ?? "");
  const unknown = ids.filter((id) => !known.has(id));
  for (const id of unknown) cloud.objects.delete(id);
  return unknown.length;
}

describe("a process that ends at an effect of a run", () => {
  test.each(stories)(
    "$name: the next run goes on, whatever of the unsynced is left",

    async (story) => {
      const start = await prepared(story);
      const clean = copied(start);
      await run(clean, story.wanted);
      const ends = clean.disk.effects.flatMap((effect) => endsOf(effect).map((end) => ({ effect, end })));
      for (const [index, left] of partOf(leftovers, ["all", "nothing", 1]).entries()) {
        const sum = { crashes: 0, unlocked: 0, wrong: [] as string[] };
        for (const [number, { effect, end }] of ends.entries()) {
          // `npm test` tries each end with one of them.
          if (!full && number % 3 !== index) continue;
          const world = copied(start, (at) => (at.number === effect.number ? end : undefined));
          await run(world, story.wanted);
          expect(world.disk.isDead()).toBe(true);
          world.disk = world.disk.next(left);
          const { wrong, unlocked } = await afterwards(world, story);
          sum.crashes += 1;
          sum.unlocked += unlocked;
          const where = `effect ${effect.number}, ${effect.name} ${effect.path}, ${JSON.stringify(end)}`;
          sum.wrong.push(...wrong.map((what) => `${where}: ${what}`));
        }
        crashRows.push([
          story.name,
          typeof left === "number" ? `by chance ${left}` : left,
          sum.crashes,
          sum.unlocked,
          sum.wrong.length,
        ]);
        expect(sum.wrong).toEqual([]);
      }
    },
  );
  campaignTest("and the next one ends at one of its effects too: the third goes on", async () => {
    const [, story] = stories as readonly [Story, Story];
    const start = await prepared(story);
    const clean = copied(start);
    await run(clean, story.wanted);
    const sum = { crashes: 0, unlocked: 0, wrong: [] as string[] };
    for (const first of clean.disk.effects) {
      const once = copied(start, ({ number }) => (number === first.number ? { crash: "after" } : undefined));
      await run(once, story.wanted);
      const second = { ...once, disk: once.disk.next(first.number % 2 === 0 ? "all" : "nothing") };
      const undisturbed = copied(second);
      await run(undisturbed, story.wanted);
      for (const { number: end } of undisturbed.disk.effects)
        for (const left of ["all", "nothing"] as const) {
          const world = copied(second, ({ number }) => (number === end ? { crash: "after" } : undefined));
          await run(world, story.wanted);
          world.disk = world.disk.next(left);
          const { wrong, unlocked } = await afterwards(world, story);
          sum.crashes += 1;
          sum.unlocked += unlocked;
          sum.wrong.push(...wrong.map((what) => `effects ${first.number}, then ${end}, ${left}: ${what}`));
        }
    }
    crashRows.push(["edit, twice", "all or nothing", sum.crashes, sum.unlocked, sum.wrong.length]);
    expect(sum.wrong).toEqual([]);
  });
  afterAll(() => {
    const head = ["run", "left of the unsynced", "crashes", "unlocked by hand", "wrong"];
    report("crashes of the storage", table(head, crashRows));
  });
});
