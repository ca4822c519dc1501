// Two at once: two runs on one stack, two clients on one shop's window, staff beside a run.
import { expect, onTestFinished, test } from "vitest";
import { serveShop } from "../../emulator/index.ts";
import { openClient } from "../../provider/client/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openTerminal } from "../cli/terminal.ts";
import { openWorld } from "../support/world.ts";

test("two runs on one stack: one does it, the other is refused and says who is at it", async () => {
  const world = await openWorld();
  // Whoever has the lock keeps it until the other one has met it.
  const terminal = openTerminal(
    `import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { runtime } from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
while (!runtime.isDryRun() && !existsSync("other-has-ended")) await setTimeout(20);
for (let i = 0; i < 10; i++) new Coupon("c" + i, { code: "C" + i, discount: 10, typeId: 1 });
`,
    world.env,
  );
  const ended = () => terminal.write("other-has-ended", "");
  let second: ReturnType<typeof terminal.run> | undefined;
  const first = terminal.until(
    /Updating/,
    () => {
      second = terminal.dev("up", "--yes", "--skip-preview");
      void second.then(ended);
    },
    "up",
    "--stack",
    "dev",
    "--yes",
    "--skip-preview",
    "--parallel",
    "1",
  );
  void first.then(ended);
  const both = [await first, await second];
  const refused = both.find((ran) => ran?.code !== 0);
  expect(both.filter((ran) => ran?.code === 0)).toHaveLength(1);
  expect(refused?.stderr).toMatch(/locked by .*@.* \(pid \d+\) since \d{4}-/);
  expect(world.rows("discount_code")).toHaveLength(10);
});

test("two clients share a shop's window: all is done, and each is rejected once a window at most", async () => {
  // One clock for the shop and both clients; who waits moves it.
  let waited = 0;
  const now = () => 1_700_000_000_000 + waited;
  const served = await serveShop({ now, limit: { max: 500, windowMs: 300_000 } });
  const clock = {
    now,
    wait: async (delayMs: number) => {
      waited += delayMs;
    },
  };
  const clients = [1, 2].map(() =>
    openClient({ url: served.url, ...served.shop.credentials }, { clock, random: () => 0, say: () => {} }),
  );
  onTestFinished(async () => {
    await Promise.all(clients.map(({ transport }) => transport.close()));
    await served.close();
  });
  const each = 400;
  await Promise.all(
    clients.flatMap((client, number) =>
      Array.from({ length: each }, (_none, index) =>
        client.coupons.create({ code: `${number}-${index}`, discount: 1, typeId: 1 }),
      ),
    ),
  );
  expect(served.shop.store.list("discount_code")).toHaveLength(2 * each);
  const rejected = served.shop.log.filter(({ status }) => status === 429).length;
  const windows = Math.ceil((served.shop.log.length - rejected) / 500);
  expect(rejected).toBeLessThanOrEqual(clients.length * windows);
});

async function editedMeanwhile(set: Readonly<Record<string, unknown>>) {
  const world = await openWorld();
  const verbs = world.verbs(definitions.products as unknown as Definition);
  const args = { title: "Mug", variants: [{ sku: "A", price: 1 }] };
  const { id, outs } = await verbs.create(await verbs.checked(args));
  await world.fault({ method: "PUT", path: "*", fault: "drop-before", times: 1 });
  const next = await verbs.checked({ ...args, title: "Cup" });
  const update = verbs.update(id, outs, next);
  const settled = Promise.allSettled([update]);
  await world.edit({ kind: "product", id: Number(id), set });
  const [result] = await settled;
  return { world, verbs, id, next, result };
}

test("staff edit an object while its update is under way: what is ours is ours, what is theirs is theirs", async () => {
  const { world, verbs, id, next, result } = await editedMeanwhile({ description: "staff" });
  if (result?.status !== "fulfilled") throw result?.reason;
  expect(await verbs.diff(id, result.value, next)).toEqual({ type: "none" });
  expect(world.rows("product")[0]).toMatchObject({ title: "Cup", description: "staff" });
});

test("staff edit what an update under way changes too: refused, and theirs stays", async () => {
  const { world, result } = await editedMeanwhile({ description: "staff", title: "Staff's mug" });
  expect(result).toMatchObject({ status: "rejected", reason: { name: "ConflictError" } });
  expect(world.rows("product")[0]).toMatchObject({ title: "Staff's mug", description: "staff" });
});

test("staff delete an object before its update: said, with what to do; refresh and up create it again", async () => {
  const world = await openWorld();
  const verbs = world.verbs(definitions.coupons as unknown as Definition);
  const { id, outs } = await verbs.create(await verbs.checked({ code: "A", discount: 1, typeId: 1 }));
  await world.edit({ kind: "discount_code", id: Number(id), delete: true });
  await expect(
    verbs.update(id, outs, await verbs.checked({ code: "A", discount: 2, typeId: 1 })),
  ).rejects.toThrow(/refresh/);
});
