// An id means something in its own shop only: every verb of every kind, in both forms, compares shops before it asks anything.
import { expect, onTestFinished, test } from "vitest";
import { closeShops, lazyShop } from "../../provider/context/open-shop.ts";
import { type Handler, handlerOf } from "../../provider/index.ts";
import { nativeHandler } from "../../provider/native.ts";
import { messageEnv } from "../../provider/settings/protocol.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { sampleOf } from "../provider/samples.ts";
import { openWorld, resources, type World } from "../support/world.ts";

type Verbs = Omit<Handler, "configure">;

const env = (world: World, more: Readonly<Record<string, string>> = {}) => ({
  ...world.env,
  PULUMI_BACKEND_URL: `file://${world.folder}`,
  PULUMI_NODEJS_PROJECT: "p",
  PULUMI_NODEJS_STACK: "dev",
  PULUMI_EMBEDDED_ENGINE: "{}",
  ...more,
});

type Opened = (kind: string, world: World, more?: Readonly<Record<string, string>>) => Verbs;

const forms: Readonly<Record<"dynamic" | "plugin", Opened>> = {
  dynamic: (kind, world, more) => {
    const shop = lazyShop({ config: () => undefined, env: env(world, more) }, () => {});
    const definition = resources.find((one) => one.kind === kind) as (typeof resources)[number];
    return handlerOf(
      definition,
      () => shop,
      async () => {},
    );
  },
  plugin: (kind, world, more) =>
    nativeHandler(kind, { config: () => undefined, env: env(world, more) }, () => {}),
};

const cases = (Object.keys(forms) as (keyof typeof forms)[]).flatMap((form) =>
  resources.map(({ kind }) => [kind, form] as const),
);

test.each(cases)("every verb refuses %s of another shop before a request (%s)", async (kind, form) => {
  const [world, other] = [await openWorld(), await openWorld()];
  await closeShops();
  onTestFinished(closeShops);
  const definition = resources.find((one) => one.kind === kind) as (typeof resources)[number];
  const { args, change = {} } = await sampleOf(definition, world);
  const asked = { ...args, __of: "dev::one" };
  const made = await forms[form](kind, world).create(asked);
  expect(made.outs.__shop).toBe(`${world.url}#${world.rows("account")[0]?.id}`);
  // The other shop's own account is known to this process: what follows costs nothing.
  const { outs: theirs } = await forms[form](kind, other).create({ ...asked, ...(await above(kind, other)) });
  other.requests();
  const verbs = forms[form](kind, other, messageEnv({}, { identity: String(theirs.__shop) }));
  const news = { ...asked, ...change };
  const said = /the state belongs to another shop: its objects belong to .*Nothing was read or changed/;
  await expect(verbs.diff(made.id, made.outs, news)).rejects.toThrow(said);
  await expect(verbs.read(made.id, made.outs)).rejects.toThrow(said);
  await expect(verbs.update(made.id, made.outs, news)).rejects.toThrow(said);
  await expect(verbs.delete(made.id, made.outs)).rejects.toThrow(said);
  expect(other.requests()).toEqual([]);
  // Where a person leaves that shop, a refresh forgets its objects and a delete leaves them alone.
  await closeShops();
  const leaving = forms[form](kind, other, { SHOP_FORGET: String(made.outs.__shop) });
  expect(await leaving.read(made.id, made.outs)).toEqual({});
  await leaving.delete(made.id, made.outs);
  await expect(leaving.diff(made.id, made.outs, news)).rejects.toThrow("Run with --refresh");
  expect(other.requests()).toEqual([]);
});

test.each(cases)("%s keeps the mark of its shop through an update and a read (%s)", async (kind, form) => {
  const world = await openWorld();
  await closeShops();
  onTestFinished(closeShops);
  const definition = resources.find((one) => one.kind === kind) as (typeof resources)[number];
  const { args, change = {} } = await sampleOf(definition, world);
  const verbs = forms[form](kind, world);
  const { id, outs } = await verbs.create({ ...args, __of: "dev::one" });
  const { __shop: mark, ...unmarked } = outs;
  expect(mark).toMatch(/^http:.*#\d+$/);
  // A state of an older version is of the shop that the stack has, and gets the mark as it is written.
  const news = { ...args, ...change, __of: "dev::one" };
  expect((await verbs.diff(id, unmarked, { ...args, __of: "dev::one" })).changes).toBe(false);
  const { outs: updated } = await verbs.update(id, unmarked, news);
  expect(updated.__shop).toBe(mark);
  for (const props of [updated, withoutShop(updated)])
    expect(await verbs.read(id, props)).toMatchObject({ props: { __shop: mark } });
});

function withoutShop({ __shop: _shop, ...rest }: Values): Values {
  return rest;
}

/** What a sample stands in, in another shop. */
async function above(kind: string, world: World): Promise<Values> {
  const definition = resources.find((one) => one.kind === kind) as (typeof resources)[number];
  const { args } = await sampleOf(definition, world);
  return args.themeId === undefined ? {} : { themeId: args.themeId };
}

test("a create that began in another shop is not reported as interrupted in this one", async () => {
  const [world, other] = [await openWorld(), await openWorld()];
  await closeShops();
  onTestFinished(closeShops);
  const args = { code: "SPRING", discount: 10, typeId: 1, __of: "dev::spring" };
  await forms.dynamic("Coupon", world).create(args);
  const said: string[] = [];
  const beside = { ...env(other), PULUMI_BACKEND_URL: `file://${world.folder}` };
  const shop = lazyShop({ config: () => undefined, env: beside }, (line) => said.push(line));
  const coupon = resources.find(({ kind }) => kind === "Coupon") as (typeof resources)[number];
  const door = handlerOf(
    coupon,
    () => shop,
    async () => {},
  );
  expect((await door.check({}, args)).failures).toEqual([]);
  expect(said).toEqual([]);
});
