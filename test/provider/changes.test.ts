// What a refresh knows without asking for each object: by what changed since the last one, as far as a shop's times can be trusted.
import { describe, expect, test } from "vitest";
import { NotFoundError } from "../../provider/client/errors.ts";
import type { Transport } from "../../provider/client/transport.ts";
import { type Definition, get, listing, text } from "../../provider/definition/define.ts";
import { openChangeNotes } from "../../provider/run/change-notes.ts";
import { noChanges, openChanges } from "../../provider/run/changes.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const fields = { name: text(), movedAt: text({ mode: "computed" }) };
const changes = { stamp: "movedAt" };
const thing = kindOf("Thing", fields, {
  operations: { get: get("/things/{id}.xml"), list: listing("/things.xml", { perPage: 10, changes }) },
});
const shelved = kindOf("Thing", fields, {
  operations: { list: listing("/shelves/{shelfId}/things.xml", { perPage: 10, changes }) },
});

const noon = Date.UTC(2027, 0, 15, 12);
const [second, minute, day] = [1_000, 60_000, 86_400_000];
const iso = (ms: number) => new Date(ms).toISOString();

interface Row {
  name: string;
  movedAt: number;
  isDeleted: boolean;
}

/** A shop of so many things that nobody touched since the day before, the notes of a stack, and the states of its things. */
function opened(count = 3, definition: Definition = thing) {
  const shop = { url: "https://a.test 1", aheadMs: 0 as number | undefined, isSilentOfDeleted: false };
  const clock = { ms: noon };
  const row = (n: number): [string, Row] => [
    String(n),
    { name: `T${n}`, movedAt: noon - day + n * second, isDeleted: false },
  ];
  const rows = new Map(Array.from({ length: count }, (_none, n) => row(n + 1)));
  const states = new Map(
    [...rows].map(([id, { name }]) => [id, { name, __stated: "name", __of: `dev::t${id}` } as Values]),
  );
  const file = { text: undefined as string | undefined };
  const shown = ([id, { name, movedAt }]: readonly [string, Row]) => ({
    id: id.split("/").at(-1),
    name,
    movedAt: iso(movedAt),
  });
  const change = (id: string, patch: Partial<Row>) => void Object.assign(rows.get(id) as Row, patch);
  /** A run of its own: all that it has of those before is the file. */
  const run = (more: { readonly perPage?: number; readonly hasNotes?: boolean } = {}) => {
    const requests: string[] = [];
    const said: string[] = [];
    const send = async ({ path }: { readonly path: string }) => {
      const asked = new URL(path, "https://a.test").searchParams;
      const since = Date.parse(asked.get("updated_since") ?? "");
      const isOfDeleted = asked.get("deleted") !== null;
      requests.push(`${isOfDeleted ? "deleted" : "changed"} since ${iso(since)}`);
      if (isOfDeleted && shop.isSilentOfDeleted) throw new NotFoundError({ method: "GET", path });
      const perPage = Number(asked.get("per_page"));
      const shelf = /^\/shelves\/(\d+\/)/.exec(path)?.[1] ?? "";
      return [...rows]
        .filter(([id]) => id.startsWith(shelf))
        .filter(([, { isDeleted, movedAt }]) => isDeleted === isOfDeleted && movedAt >= since)
        .toSorted(([, one], [, two]) => one.movedAt - two.movedAt)
        .map(shown)
        .slice((Number(asked.get("page")) - 1) * perPage)
        .slice(0, perPage);
    };
    const notes = openChangeNotes(
      () => ({
        read: () => file.text,
        async append(lines) {
          file.text = (file.text ?? "") + lines;
        },
        async replace(whole) {
          file.text = whole();
        },
      }),
      (line) => said.push(line),
    );
    const known = openChanges({
      transport: () => ({ send }) as unknown as Transport,
      shop: () => shop.url,
      perPage: () => more.perPage,
      now: () => clock.ms,
      skewMs: () => shop.aheadMs,
      notes: () => (more.hasNotes === false ? undefined : notes),
      say: (line) => said.push(line),
    });
    const find = (id: string, state = states.get(id) as Values) => known.find(definition, id, state);
    /** As a refresh reads an object: it is asked for where nothing is known of it. @returns what was known */
    const refreshOne = async (id: string, isListed: boolean) => {
      const state = states.get(id) as Values;
      const found = await find(id, state);
      const its = rows.get(id);
      if (found === "unchanged") return found;
      if (its === undefined || its.isDeleted) await known.read(definition, id, state, "gone");
      else {
        const props = { ...state, name: its.name };
        await known.read(definition, id, state, { props, seen: shown([id, its]), isListed });
        states.set(id, props);
      }
      return found === undefined ? "read" : "changed";
    };
    const refresh = async (isListed = true) => {
      const how: string[] = [];
      for (const id of [...states.keys()]) how.push(await refreshOne(id, isListed));
      return { how, requests, said };
    };
    return { known, find, refresh, refreshOne, requests, said };
  };
  return { shop, clock, rows, states, change, file, run };
}

/** The same after a first refresh, a day later. */
async function read(count = 3) {
  const scene = opened(count);
  await scene.run().refresh();
  scene.clock.ms += day;
  return scene;
}
type Scene = Awaited<ReturnType<typeof read>>;

const since = noon - 5 * minute;
const changedAndDeleted = [`changed since ${iso(since)}`, `deleted since ${iso(since)}`];

test("a stack that doesn't ask for changes knows nothing, and notes nothing", async () => {
  expect(await noChanges.find(thing, "1", {})).toBeUndefined();
  expect(await noChanges.read(thing, "1", {}, "gone")).toBeUndefined();
});

describe("the refresh of the day after", () => {
  test.each<readonly [string, (scene: Scene) => unknown, readonly string[]]>([
    ["nothing changed", () => {}, ["unchanged", "unchanged", "unchanged"]],
    [
      "one changed",
      ({ change }) => change("2", { name: "Theirs", movedAt: noon + 1 }),
      ["unchanged", "changed", "unchanged"],
    ],
    [
      "one changed just before it was read the first time, and shows that only now",
      ({ change }) => change("2", { name: "Theirs", movedAt: since }),
      ["unchanged", "changed", "unchanged"],
    ],
    [
      "one was deleted",
      ({ change }) => change("2", { isDeleted: true, movedAt: noon + 1 }),
      ["unchanged", "read", "unchanged"],
    ],
    [
      "the state of one is another than was noted",
      ({ states }) => states.set("2", { ...states.get("2"), name: "Older" }),
      ["unchanged", "read", "unchanged"],
    ],
    [
      "one came into the state since",
      ({ rows, states }) => {
        rows.set("4", { ...(rows.get("1") as Row) });
        states.set("4", { ...states.get("1"), __of: "dev::t4" });
      },
      ["unchanged", "unchanged", "unchanged", "read"],
    ],
    [
      "the shop's clock went back by a minute",
      ({ shop }) => (shop.aheadMs = -minute),
      Array(3).fill("unchanged"),
    ],
    ["the shop's clock went forward", ({ shop }) => (shop.aheadMs = day), Array(3).fill("unchanged")],
    [
      "both clocks show a minute before the first",
      ({ clock }) => (clock.ms = noon - minute),
      Array(3).fill("unchanged"),
    ],
    ["a week has passed", ({ clock }) => (clock.ms = noon + 7 * day), Array(3).fill("unchanged")],
  ])("asks for changes where %s", async (_what, between, how) => {
    const scene = await read();
    between(scene);
    const { requests, ...found } = await scene.run().refresh();
    expect([found, [...new Set(requests)]]).toEqual([{ how, said: [] }, changedAndDeleted]);
    // A page that has something may be cut: the second one tells.
    const isShort = how.includes("changed") || scene.rows.get("2")?.isDeleted === true;
    expect(requests.length).toBe(isShort ? 3 : 2);
  });

  test.each<readonly [string, (scene: Scene) => unknown, readonly string[]]>([
    ["more than a week has passed", ({ clock }) => (clock.ms = noon + 7 * day + 1), []],
    ["it is another shop, or another of its applications", ({ shop }) => (shop.url = "https://a.test 2"), []],
    ["nothing is noted", ({ file }) => (file.text = undefined), []],
    [
      "the shop's clock went back by more than a minute",
      ({ shop }) => (shop.aheadMs = -minute - 1),
      changedAndDeleted.slice(0, 1),
    ],
    [
      "both clocks show more than a minute before the first",
      ({ clock }) => (clock.ms = noon - minute - 1),
      changedAndDeleted.slice(0, 1),
    ],
    [
      "no answer says the shop's time",
      ({ shop }) => (shop.aheadMs = undefined),
      changedAndDeleted.slice(0, 1),
    ],
    [
      "the list of what was deleted can't be had",
      ({ shop }) => (shop.isSilentOfDeleted = true),
      changedAndDeleted,
    ],
  ])("reads everything where %s", async (_what, between, requests) => {
    const scene = await read();
    between(scene);
    expect(await scene.run().refresh()).toEqual({ how: Array(3).fill("read"), requests, said: [] });
  });

  // Each page of changes shows ten, the last of which comes again.
  test.each([
    [30, 4],
    [80, 4],
    [81, 5],
    [140, 7],
  ])(
    "of %d things that all changed spends %d requests, half of what all pages cost, before it reads everything",
    async (count, most) => {
      const scene = await read(count);
      for (const id of scene.rows.keys()) scene.change(id, { movedAt: noon + Number(id) * second });
      const { how, requests } = await scene.run().refresh();
      expect([requests.length, how.at(-1)]).toEqual(count === 30 ? [5, "changed"] : [most, "read"]);
    },
  );

  test("asks for as many on a page as the stack says", async () => {
    const scene = await read(81);
    for (const id of scene.rows.keys()) scene.change(id, { movedAt: noon + Number(id) * second });
    const { how, requests } = await scene.run({ perPage: 100 }).refresh();
    expect([how[0], requests.length]).toEqual(["changed", 3]);
  });

  test("is what the next one begins at, by the shop's clock; all is read again a week after it was", async () => {
    const scene = await read();
    scene.shop.aheadMs = 30 * second;
    scene.change("2", { name: "Theirs", movedAt: noon + 1 });
    await scene.run().refresh();
    scene.clock.ms += day;
    const { how, requests } = await scene.run().refresh();
    expect(how).toEqual(Array(3).fill("unchanged"));
    expect(requests[0]).toBe(`changed since ${iso(since + day + 30 * second)}`);
    scene.clock.ms = noon + 7 * day;
    expect((await scene.run().refresh()).how).toEqual(Array(3).fill("read"));
  });

  test("that ended before an object was read leaves it to be read by the next", async () => {
    const scene = await read();
    scene.change("2", { name: "Theirs", movedAt: noon + 1 });
    await scene.run().find("1");
    scene.clock.ms += day;
    expect((await scene.run().refresh()).how).toEqual(["unchanged", "read", "unchanged"]);
  });

  test("answers of each object once: who asks again wants to look", async () => {
    const { run } = await read();
    const { find } = run();
    expect([await find("1"), await find("1"), await find("2")]).toEqual([
      "unchanged",
      undefined,
      "unchanged",
    ]);
  });
});

describe("what is noted", () => {
  const next = async (scene: Scene) => (await scene.run().refresh()).how;

  test("is what pages of the whole list showed, and all that is read after that", async () => {
    const scene = opened();
    const { refreshOne } = scene.run();
    expect([await refreshOne("1", false), await refreshOne("2", true), await refreshOne("3", false)]).toEqual(
      Array(3).fill("read"),
    );
    scene.clock.ms += day;
    expect(await next(scene)).toEqual(["read", "unchanged", "unchanged"]);
  });

  test("is nothing where each object is read by itself", async () => {
    const scene = opened();
    await scene.run().refresh(false);
    expect(scene.file.text).toBeUndefined();
    expect(await next(scene)).toEqual(Array(3).fill("read"));
  });

  test("is nothing while no answer says the shop's time", async () => {
    const scene = opened();
    scene.shop.aheadMs = undefined;
    await scene.run().refresh();
    expect(scene.file.text).toBeUndefined();
  });

  test.each<readonly [string, Values]>([
    ["what a program never stated", { name: "T1", __of: "dev::t1" }],
    ["what says of no resource", { name: "T1", __stated: "name" }],
    ["what holds a secret", { name: "T1", __stated: "name", __of: "dev::t1", __secret: "name" }],
  ])("isn't %s, and it is read each time", async (_what, state) => {
    const scene = opened(1);
    scene.states.set("1", state);
    expect(await scene.run().refresh()).toEqual({ how: ["read"], requests: [], said: [] });
    expect(scene.file.text).toBeUndefined();
  });

  test.each<readonly [string, Definition]>([
    ["no list", kindOf("Thing", fields, { operations: { get: get("/things/{id}.xml") } })],
    [
      "a list that tells no changes",
      kindOf("Thing", fields, { operations: { list: listing("/things.xml") } }),
    ],
  ])("isn't a kind with %s", async (_what, definition) => {
    const scene = opened(1, definition);
    expect((await scene.run().refresh()).how).toEqual(["read"]);
    expect(scene.file.text).toBeUndefined();
  });

  test("is nothing where no folder holds the state", async () => {
    const scene = opened();
    const { how } = await scene.run({ hasNotes: false }).refresh();
    expect([how, scene.file.text]).toEqual([Array(3).fill("read"), undefined]);
  });

  test("is of each list by itself where things stand in others", async () => {
    const scene = opened(0, shelved);
    const add = (id: string) => {
      scene.rows.set(id, { name: id, movedAt: noon - day, isDeleted: false });
      scene.states.set(id, { name: id, __stated: "name", __of: `dev::${id}` });
    };
    for (const id of ["7/1", "7/2"]) add(id);
    await scene.run().refresh();
    scene.clock.ms += day;
    add("8/1");
    expect((await scene.run().refresh()).how).toEqual(["unchanged", "unchanged", "read"]);
    scene.clock.ms += day;
    scene.change("7/1", { name: "Theirs", movedAt: scene.clock.ms - 1 });
    const { how, requests } = await scene.run().refresh();
    expect([how, requests.length]).toEqual([["changed", "unchanged", "unchanged"], 5]);
  });
});

const told = (what: string) =>
  `${what}: this shop's times of change can't be trusted, refreshes read everything from now on`;

describe("a reading of everything", () => {
  const week = 7 * day;
  const old = noon - day;
  const theirs = { name: "Theirs" };
  test.each<readonly [string, (scene: Scene) => unknown, readonly string[]]>([
    ["nothing changed", () => {}, []],
    ["what changed says so", ({ change }) => change("2", { ...theirs, movedAt: noon + 1 }), []],
    [
      "what changed says a time that was asked for",
      ({ change }) => change("2", { ...theirs, movedAt: since }),
      [],
    ],
    [
      "what changed says an older time",
      ({ change }) => change("2", { ...theirs, movedAt: since - 1 }),
      ["Thing 2 changed and its movedAt didn't"],
    ],
    [
      "two changed and say an older time",
      ({ change }) => ["1", "2"].map((id) => change(id, { ...theirs, movedAt: old })),
      ["Thing 1 changed and its movedAt didn't"],
    ],
    [
      "what is gone is listed as deleted",
      ({ change }) => change("2", { isDeleted: true, movedAt: noon }),
      [],
    ],
    [
      "what is gone isn't listed so",
      ({ rows }) => rows.delete("2"),
      ["Thing 2 was deleted and isn't listed so"],
    ],
    [
      "one of two that are gone isn't listed so",
      ({ change, rows }) => {
        change("1", { isDeleted: true, movedAt: noon });
        rows.delete("3");
      },
      ["Thing 3 was deleted and isn't listed so"],
    ],
    [
      "of what is gone the list of deleted ones can't be had",
      ({ rows, shop }) => {
        rows.delete("2");
        shop.isSilentOfDeleted = true;
      },
      [],
    ],
    [
      "the state is another than was noted",
      ({ change, states }) => {
        change("2", { ...theirs, movedAt: old });
        states.set("2", { ...states.get("2"), name: "Older" });
      },
      [],
    ],
    [
      "nothing was noted of it",
      ({ rows, states }) => {
        rows.set("4", { name: "Theirs", movedAt: old, isDeleted: false });
        states.set("4", { ...states.get("1"), __of: "dev::t4" });
      },
      [],
    ],
    [
      "the notes are of another shop",
      ({ change, shop }) => {
        change("2", { ...theirs, movedAt: old });
        shop.url = "https://b.test 1";
      },
      [],
    ],
  ])("where %s: %j", async (_what, between, reasons) => {
    const scene = await read();
    between(scene);
    scene.clock.ms = noon + week + 1;
    const { said, requests } = await scene.run().refresh();
    expect(said).toEqual(reasons.map(told));
    // What is gone is looked for in the list of deleted ones, once: two pages.
    expect(requests.length).toBeLessThan(3);
    // A shop that was seen to be wrong is read whole from then on, and nothing more is said or noted.
    scene.clock.ms += day;
    const noted = scene.file.text;
    const next = await scene.run().refresh();
    if (reasons.length > 0) expect(scene.file.text).toBe(noted);
    expect([next.requests.some((line) => line.startsWith("changed")), next.said]).toEqual([
      reasons.length === 0,
      [],
    ]);
  });

  test.each([
    ["asked for changes before", day],
    ["is that of the week", 8 * day],
  ])("accuses no shop whose clock was set back since, where it %s", async (_what, later) => {
    const scene = opened();
    scene.shop.aheadMs = 36 * 3_600_000;
    await scene.run().refresh();
    // The clock is set right, then somebody edits: by the old clock that was before the first reading.
    scene.shop.aheadMs = 0;
    scene.change("2", { ...theirs, movedAt: noon + 3_600_000 });
    scene.rows.delete("3");
    scene.clock.ms = noon + later;
    const { how, said } = await scene.run().refresh();
    expect([how, said]).toEqual([Array(3).fill("read"), []]);
  });
});
