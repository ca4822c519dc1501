// The shops of a process: one for each account, opened by the first request.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { closeShops, lazyShop, openShop } from "../../provider/context/open-shop.ts";
import { listings } from "../../provider/native.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { openWorld } from "../support/world.ts";

const spring = { code: "SPRING", discount: 10, typeId: 1 };

async function opened(more: Readonly<Record<string, string>> = {}) {
  const world = await openWorld();
  // Resets a stop by another test file in this process.
  await closeShops();
  onTestFinished(closeShops);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const env = {
    ...world.env,
    PULUMI_BACKEND_URL: `file://${world.folder}`,
    PULUMI_NODEJS_STACK: "dev",
    PULUMI_NODEJS_PROJECT: "p",
    ...more,
  };
  return { world, env, said, say };
}

describe("a shop", () => {
  test("a shop is opened once for each address, application and password", async () => {
    const { env } = await opened();
    const one = openShop({ env });
    expect(openShop({ env })).toBe(one);
    expect(lazyShop({ env }).transport).toBe(one.client.transport);
    const others = [
      { SHOP_PASSWORD: "1".repeat(32) },
      { SHOP_APPLICATION_ID: "another" },
      { SHOP_URL: "https://another.example" },
    ].map((other) => openShop({ env: { ...env, ...other } }));
    expect(new Set([one, ...others]).size).toBe(4);
  });

  test("a closed shop sends nothing, and the next call opens another", async () => {
    const { env, world } = await opened();
    const one = openShop({ env });
    await one.client.themes.list();
    const close = vi.spyOn(one.client.transport, "close");
    await closeShops();
    expect(close).toHaveBeenCalledOnce();
    const next = openShop({ env });
    expect(next).not.toBe(one);
    expect(await world.during(() => next.client.themes.list())).toHaveLength(1);
  });

  test("warnings of a shop go to its listener, or to standard output", async () => {
    const { env: its, world, said, say } = await opened();
    // A folder with the file's name, so that no line can be written.
    const env = { ...its, SHOP_JOURNAL: world.folder };
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    await openShop({ env }, say).client.themes.list();
    expect(said).toHaveLength(1);
    await closeShops();
    await openShop({ env }).client.themes.list();
    expect(log.mock.calls).toEqual([said]);
  });
});

describe("the shop of the verbs", () => {
  test("shops of one account share their reads", async () => {
    const { env, world } = await opened();
    const [one, two] = [lazyShop({ env }), lazyShop({ env })];
    expect(one.memory).toBe(two.memory);
    expect(one.reads).toBe(two.reads);
    expect(one.url).toBe(world.url);
    expect(lazyShop({ env: { ...env, SHOP_APPLICATION_ID: "another" } }).memory).not.toBe(one.memory);
    expect(lazyShop({ env: { PULUMI_BACKEND_URL: "s3://b" } }).memory).not.toBe(one.memory);
  });

  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a preview", { PULUMI_EMBEDDED_ENGINE: "{}", PULUMI_NODEJS_DRY_RUN: "true" }, ["both", "before"]],
    ["a run", { PULUMI_EMBEDDED_ENGINE: "{}", PULUMI_NODEJS_DRY_RUN: "false" }, ["both"]],
    ["one that doesn't say which", {}, ["both", "before"]],
  ])("remaining work in %s: %j", async (_what, more, lines) => {
    const { env, said, say } = await opened(more);
    const shop = lazyShop({ env }, say);
    shop.say("both");
    shop.sayInPreview("before");
    expect(said).toEqual(lines);
  });
});

describe("what could be imported of a kind", () => {
  const of = (kind: string) => listings.find(({ definition }) => definition.kind === kind);

  test("importable objects are listed with id, name and parent", async () => {
    const { env, world } = await opened();
    const shop = openShop({ env });
    const all = async (kind: string, args: Values) => {
      const found: { readonly id: string; readonly name: string }[] = [];
      for await (const one of of(kind)?.each(shop, args) ?? []) found.push(one);
      return found;
    };
    const { id } = await world.client.coupons.create(spring as never);
    expect(await all("Coupon", {})).toEqual([{ id: String(id), name: "SPRING" }]);
    expect([of("Coupon")?.takes, of("Asset")?.takes]).toEqual([[], ["themeId"]]);
    const [theme] = await world.client.themes.list();
    const assets = await all("Asset", { themeId: theme?.id, type: "x" });
    expect(assets.every((one) => one.id.startsWith(`${theme?.id}/`))).toBe(true);
    await expect(all("Asset", {})).rejects.toThrow(
      "a list of Asset objects needs themeId: set it in the query",
    );
  });
});
