// A preview reports a theme that the shop doesn't have, and those that it has, for new and for moved files.
import { expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openPlug, urn } from "../plugin/engine.ts";
import { openWorld } from "../support/world.ts";
import { sampleOf } from "./samples.ts";

const asset = definitions.assets as unknown as Definition;

test("a new or moved file whose theme doesn't exist is refused in either form of the provider", async () => {
  const world = await openWorld();
  const themes = await world.client.themes.list();
  const has = themes.map(({ id, title }) => `(id ${id}, title "${title}"`);
  const verbs = world.verbs(asset, undefined, undefined, { isPreview: true });
  const { args } = await sampleOf(asset, world);
  const elsewhere = { ...args, themeId: 12345 };
  const made = await verbs.checked({ ...args, __of: "dev::a" });
  const plug = await openPlug(world);
  const native = await plug.call("check", { urn: urn("Asset"), olds: {}, news: elsewhere });
  const checks = [
    (await verbs.check({}, { ...elsewhere, name: "b.liquid", __of: "dev::b" })).failures,
    (await verbs.check(made, { ...elsewhere, __of: "dev::a" })).failures,
  ];
  for (const failures of checks) {
    expect(failures).toEqual([
      {
        property: "themeId",
        reason: expect.stringContaining("there is no Theme 12345 in the shop; the shop has"),
      },
    ]);
    for (const theme of has) expect(failures[0]?.reason).toContain(theme);
  }
  expect(native.failuresList).toHaveLength(1);
});

test("a file that stays, or moves to an existing theme, takes no further request", async () => {
  const world = await openWorld();
  const [first, second] = await world.client.themes.list();
  const verbs = world.verbs(asset, undefined, undefined, { isPreview: true });
  const { args } = await sampleOf(asset, world);
  const made = await verbs.checked({ ...args, themeId: first?.id, __of: "dev::a" });
  const stays = await world.during(() => verbs.check(made, made));
  expect(stays).toEqual([]);
  const moves = await verbs.check(made, { ...made, themeId: second?.id });
  expect(moves.failures).toEqual([]);
  // Whoever carries the plan out doesn't look again.
  const run = world.verbs(asset, undefined, undefined, { isPreview: false });
  expect(await world.during(() => run.check(made, { ...made, themeId: 12345 }))).toEqual([]);
});
