// A refresh by what changed since the last one never differs from one that reads everything.
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Stored } from "../../emulator/store.ts";
import { noon } from "../emulator/in-process.ts";
import { places, putProject } from "../engine/in-process.ts";
import { full } from "../support/campaign.ts";
import { type Disk, openDisk } from "../support/disk.ts";
import type { Ran, Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";
import { changesPlace } from "./note-disk.ts";

const howMany = Number(process.env.PULUMI_SHOP_REFRESHES ?? (full ? 1_000 : 12));
const day = 24 * 3_600_000;
const byChanges = { config: { "shop:refresh": "changes", "shop:perPage": "10" } };
const whole = { config: { "shop:perPage": "10" } };

const product = (n: number): Resource => ({
  kind: "Product",
  name: `p${n}`,
  args: {
    title: `Product ${n}`,
    permalink: `p-${n}`,
    variants: [{ sku: `S${n}`, price: n + 0.5, quantity: 5 }],
  },
});
const programOf = (count: number) => Array.from({ length: count }, (_, index) => product(index));

function opened(): House {
  const house = openHouse();
  onTestFinished(() => house.close());
  return house;
}

const gets = (ran: Ran) =>
  ran.requests.map((line) => line.replace(/updated_since=[^&]+/, "updated_since=..."));

test("of unchanged products costs one request for changes and one for deleted ones", async () => {
  const house = opened();
  await house.up(programOf(60));
  house.clock.offsetMs += day;
  expect((await house.refresh(byChanges)).requests).toHaveLength(6);
  house.clock.offsetMs += day;
  const ran = await house.refresh(byChanges);
  expect([ran.steps, ran.result?.outcome]).toEqual([[], "succeeded"]);
  expect(gets(ran)).toEqual([
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...",
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...&deleted=true",
  ]);
  // Five minutes before the reading of the day before, by the shop's clock.
  expect(ran.requests[0]).toContain("2027-01-16T11%3A55%3A");
});

/** A house whose products were read whole a day ago. */
async function read(count: number) {
  const house = opened();
  await house.up(programOf(count));
  house.clock.offsetMs += day;
  await house.refresh(byChanges);
  house.clock.offsetMs += day;
  return house;
}
const isByChanges = ({ requests }: Ran) => requests.some((line) => line.includes("updated_since"));
const shopNow = ({ clock }: House) => noon + clock.offsetMs + clock.aheadMs;

test("finds what changed and what is gone, and reads what the state doesn't have as it was read", async () => {
  const house = await read(40);
  const [first, second] = house.rows("product");
  house.shop.edit({ kind: "product", id: first?.id as number, set: { title: "Theirs" } });
  house.shop.edit({ kind: "product", id: second?.id as number, delete: true });
  const old = house.disk().text(places.state) as string;
  house.clock.offsetMs += 600_000;
  const ran = await house.refresh(byChanges);
  expect(ran.steps.toSorted()).toEqual(["delete p1", "update p0"]);
  expect(gets(ran)).toEqual([
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...",
    "GET /admin/products.xml?page=2&per_page=10&updated_since=...",
    "GET /admin/products.xml?page=1&per_page=10&updated_since=...&deleted=true",
    "GET /admin/products.xml?page=2&per_page=10&updated_since=...&deleted=true",
    `GET /admin/products/${second?.id}.xml`,
  ]);
  // A state from before knows neither: both are read, one by one.
  house.clock.offsetMs += day;
  house.disk().put(places.state, old);
  const again = await house.refresh(byChanges);
  expect(again.steps.toSorted()).toEqual(["delete p1", "update p0"]);
  expect(
    gets(again)
      .filter((line) => !line.includes("updated_since"))
      .sort(),
  ).toEqual([first, second].map((row) => `GET /admin/products/${row?.id}.xml`).sort());
});

test("reads everything once a week, when the clock went back, and where nothing is noted", async () => {
  for (const [change, byThem] of [
    [() => undefined, true],
    [(house: House) => (house.clock.offsetMs += 7 * day), false],
    [(house: House) => (house.clock.aheadMs -= 1.5 * day), false],
    [(house: House) => (house.clock.aheadMs -= 120_000), false],
    [(house: House) => (house.clock.aheadMs += 3_600_000), true],
    [(house: House) => house.disk().files.remove(changesPlace), false],
    [(house: House) => house.disk().put(changesPlace, 'null\n17\n{}\n{"list":1}\nx'), false],
  ] as const) {
    const house = await read(30);
    change(house);
    const ran = await house.refresh(byChanges);
    const pages = ran.requests.filter((line) => !line.includes("updated_since"));
    expect([pages.length, ran.steps], String(change)).toEqual([byThem ? 0 : 3, []]);
    // Whatever was read whole is where the next one begins.
    house.clock.offsetMs += 3_600_000;
    expect((await house.refresh(byChanges)).requests, String(change)).toHaveLength(2);
  }
});

test("is only done where the stack says so, and never for what is about to be deleted", async () => {
  const house = await read(30);
  expect(isByChanges(await house.refresh(whole))).toBe(false);
  const ran = await house.up([], { config: { "shop:refresh": "changes" } });
  expect([isByChanges(ran), isByChanges(ran.planned), ran.planned.requestsNeeded]).toEqual([
    false,
    false,
    ran.requests.length,
  ]);
  const other = await read(30);
  const change = programOf(30).with(3, { ...product(3), args: { ...product(3).args, title: "New" } });
  const both = await other.up(change, { ...byChanges, refresh: true });
  // The run reads the changes again; beside them it sends what was announced.
  expect(both.planned.requests.filter((line) => line.includes("updated_since"))).toHaveLength(2);
  expect(both.requests.slice(2)).toHaveLength(both.planned.requestsNeeded as number);
  await expect(house.refresh({ config: { "shop:refresh": "sometimes" } })).rejects.toThrow(
    'shop:refresh must be whole or changes, got "sometimes"',
  );
});

test("of a shop that moves no time of change, or lists no deleted object, ends with the first that is seen", async () => {
  for (const break_ of [
    (house: House, row: Stored) =>
      house.shop.store.update("product", row.id, { ...row, title: "X" }, row.updated_at),
    (house: House, row: Stored) => house.shop.store.remove("product", row.id),
  ]) {
    const house = await read(30);
    const [row] = house.rows("product");
    break_(house, row as Stored);
    expect((await house.refresh(byChanges)).steps).toEqual([]);
    house.clock.offsetMs += 8 * day;
    const found = await house.refresh(byChanges);
    expect(found.steps).toHaveLength(1);
    expect(found.said.join()).toMatch(
      /^Product \d+ (changed and its updatedAt didn't|was deleted and isn't listed so): this shop's times of change can't be trusted, refreshes read everything from now on$/,
    );
    house.clock.offsetMs += day;
    const next = await house.refresh(byChanges);
    expect([isByChanges(next), next.said]).toEqual([false, []]);
  }
});

test("on a disk that takes nothing reads everything, and says so once", async () => {
  const house = await read(30);
  house.disk().files.remove(changesPlace);
  const ran = await house.refresh({
    ...byChanges,
    crash: {
      plan: ({ path, name }) =>
        path.startsWith(changesPlace) && name === "write" ? { error: "ENOSPC" } : undefined,
    },
  });
  expect(ran.result?.outcome).toBe("succeeded");
  expect(ran.said).toEqual([
    expect.stringMatching(/^what was read can't be noted, the next refresh reads everything: ENOSPC/),
  ]);
});

test("notes no object that has a secret", async () => {
  const house = opened();
  const secret = { ...product(0), secrets: ["title"] };
  await house.up([secret, ...programOf(30).slice(1)]);
  house.clock.offsetMs += day;
  await house.refresh(byChanges);
  const id = house.rows("product").find(({ title }) => title === "Product 0")?.id;
  expect(house.disk().text(changesPlace)).not.toContain(`"${id}"`);
  house.clock.offsetMs += day;
  expect((await house.refresh(byChanges)).requests.at(-1)).toContain(`/admin/products/${id}.xml`);
});

// ---- the property ----

type Move =
  | { readonly do: "set"; readonly at: number; readonly what: number }
  | { readonly do: "all" | "again" }
  | { readonly do: "delete"; readonly at: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "jump"; readonly ms: number }
  | { readonly do: "stack" | "save" | "restore" }
  | { readonly do: "up"; readonly at: number; readonly refresh: boolean }
  | { readonly do: "crash"; readonly effect: number; readonly left: "all" | "nothing" }
  | { readonly do: "refresh" };

const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("set" as const), at: fc.nat(99), what: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("all" as const, "again" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), at: fc.nat(99) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 400, 1_000, 59_000, 600_000, day, 4 * day, 8 * day),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("jump" as const),
      ms: fc.constantFrom(-20_000, -400_000, -3_600_000, -day, 30_000, 3_600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("stack" as const, "save", "restore") }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("up" as const), at: fc.nat(99), refresh: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("crash" as const),
      effect: fc.integer({ min: 1, max: 90 }),
      left: fc.constantFrom("all" as const, "nothing" as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("refresh" as const) }) },
);

/** Edits by staff, each of another part of a product. */
const edits: readonly ((row: Stored, n: number) => object)[] = [
  (_row, n) => ({ title: `Title ${n}` }),
  (_row, n) => ({ description: `About ${n}` }),
  (row, n) => ({ variants: (row.variants as object[]).map((one) => ({ ...one, price: `${n}.25` })) }),
  (row, n) => ({ variants: (row.variants as object[]).map((one) => ({ ...one, quantity: n })) }),
  (row, n) => ({
    variants: [
      ...(row.variants as object[]),
      { ...(row.variants as object[])[0], id: 5_000_000 + n, sku: `N${n}` },
    ],
  }),
  (_row, n) => ({ images: [{ id: n, product_id: 1, position: 1, title: `I${n}`, filename: "a.png" }] }),
  (_row, n) => ({ collections_ids: [n] }),
];

function openScene() {
  const house = openHouse();
  const disks: Disk[] = [house.disk(), putProject(openDisk())];
  let program = programOf(12);
  let [n, stack] = [1_000, 0];
  const saved: (string | undefined)[] = [undefined, undefined];
  // Whether the clock went back since each state was last refreshed, the saved ones too.
  let wentBack = { states: [false, false], saved: [false, false] };
  const deleted: Stored[] = [];
  const counts = { refreshes: 0, byChanges: 0, differing: 0 };
  const rows = () => house.rows("product");
  const stateText = () => house.disk().text(places.state);
  const seen = (ran: Ran) => ({
    steps: [...ran.steps].sort(),
    failures: ran.result?.failures,
    error: ran.error,
    state: house.state().map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs })),
  });
  async function refresh(): Promise<void> {
    const before = house.moment();
    const one = await house.refresh(byChanges);
    const [found, after] = [seen(one), house.moment()];
    house.goTo(before);
    const all = await house.refresh(whole);
    expect(found).toEqual(seen(all));
    house.goTo(after);
    counts.refreshes += 1;
    if (one.requests.length <= 5 && all.requests.length > 0) counts.byChanges += 1;
    if (one.steps.length > 0) counts.differing += 1;
    wentBack.states[stack] = false;
  }
  const edit = (row: Stored, set: object) =>
    house.shop.edit({ kind: "product", id: row.id, set: set as never });
  async function step(move: Move): Promise<void> {
    const row = "at" in move ? rows()[move.at % Math.max(1, rows().length)] : undefined;
    n += 1;
    switch (move.do) {
      case "set":
        if (row !== undefined) edit(row, (edits[move.what % edits.length] as (typeof edits)[number])(row, n));
        return;
      case "all":
        for (const one of rows()) edit(one, { unit: `u${n}` });
        return;
      case "delete":
        if (row === undefined) return;
        deleted.push(row);
        house.shop.edit({ kind: "product", id: row.id, delete: true });
        return;
      case "again": {
        const last = deleted.pop();
        // Its place may have been taken by what up created since: a shop has one product under an address.
        if (last !== undefined && !rows().some(({ permalink }) => permalink === last.permalink))
          house.shop.store.recover("product", last.id, shopNow(house));
        return;
      }
      case "wait":
        house.clock.offsetMs += move.ms;
        return;
      case "jump":
        // A clock that went back and forth between two refreshes of a state leaves no trace that anybody could see.
        if (move.ms > 0 && [...wentBack.states, ...wentBack.saved].includes(true)) return;
        if (move.ms < 0) wentBack = { states: [true, true], saved: saved.map((text) => text !== undefined) };
        house.clock.aheadMs += move.ms;
        return;
      case "stack":
        disks[stack] = house.disk();
        stack = 1 - stack;
        house.goTo({ ...house.moment(), disk: disks[stack] as Disk });
        return;
      case "save":
        saved[stack] = stateText();
        wentBack.saved[stack] = wentBack.states[stack] === true;
        return;
      case "restore": {
        const text = saved[stack];
        if (text === undefined) return;
        house.disk().put(places.state, text);
        wentBack.states[stack] = wentBack.saved[stack] === true;
        return;
      }
      case "up": {
        const index = move.at % program.length;
        program = program.with(index, {
          ...product(index),
          args: { ...product(index).args, title: `Ours ${n}` },
        });
        await house.up(program, {
          config: { ...byChanges.config, "shop:adopt": "key", "shop:conflicts": "overwrite" },
          refresh: move.refresh,
        });
        return;
      }
      case "crash":
        await house.refresh({
          ...byChanges,
          crash: {
            plan: ({ number }) => (number === move.effect ? { crash: "after" } : undefined),
            left: move.left,
          },
        });
        // The next process has another fate.
        house.goTo(house.moment());
        return;
      case "refresh":
        return refresh();
    }
  }
  const start = async () => {
    for (const each of [0, 1]) {
      stack = each;
      house.goTo({ ...house.moment(), disk: disks[each] as Disk });
      await house.up(program, { config: { "shop:adopt": "key" } });
      disks[each] = house.disk();
    }
  };
  return { house, counts, step, start, refresh };
}

test("never differs from one of everything: staff, deletes, clocks, old states, crashes, two stacks", async () => {
  const totals = { refreshes: 0, byChanges: 0, differing: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { minLength: 4, maxLength: 40 }), async (walk) => {
      const scene = openScene();
      try {
        await scene.start();
        for (const move of walk) await scene.step(move);
        await scene.refresh();
      } finally {
        scene.house.close();
      }
      for (const name of ["refreshes", "byChanges", "differing"] as const) totals[name] += scene.counts[name];
    }),
    { numRuns: howMany },
  );
  console.log(
    Object.entries(totals)
      .map(([name, count]) => `${name} ${count}`)
      .join(", "),
  );
  expect(totals.byChanges).toBeGreaterThan(totals.refreshes / 10);
}, 3_600_000);
