// The provider's interface: conversion of lists, errors that have everything in their message, and no secret in any output.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { marked } from "../../provider/change/secrets.ts";
import type { Shop } from "../../provider/context/context.ts";
import { openNotes } from "../../provider/context/create-notes.ts";
import { ProtectedError } from "../../provider/context/limits.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import type { Notice } from "../../provider/context/notices.ts";
import { closeShops, lazyShop } from "../../provider/context/open-shop.ts";
import { type Definition, decimal, edit, get, items, text } from "../../provider/definition/define.ts";
import { definitions, type Handler, handler, handlerOf, interruptedCreates } from "../../provider/index.ts";
import { ConflictError } from "../../provider/lifecycle/conflict.ts";
import { UnfinishedError } from "../../provider/lifecycle/lifecycle.ts";
import { ownerOf, readOwner } from "../../provider/names/owner.ts";
import { nativeHandler, toImport } from "../../provider/native.ts";
import { messageEnv } from "../../provider/settings/protocol.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { openWorld, type World } from "../support/world.ts";
import { kindOf } from "./kind.ts";

const { Struct } = structModule;
const coupon = definitions.coupons as Definition;
const spring = { code: "SPRING", discount: 10, typeId: 1 };
const embedded = { PULUMI_EMBEDDED_ENGINE: "{}" };
const preview = { ...embedded, PULUMI_NODEJS_DRY_RUN: "true" };
const unused: Handler["configure"] = async () => {};

/** What an engine of ours, or Pulumi's, has of a world's shop. */
async function opened(more: Readonly<Record<string, string>> = {}, at?: World) {
  const world = at ?? (await openWorld());
  // What another file of tests has stopped in this process is over.
  await closeShops();
  onTestFinished(closeShops);
  const env = {
    ...world.env,
    PULUMI_BACKEND_URL: `file://${world.folder}`,
    PULUMI_NODEJS_PROJECT: "p",
    PULUMI_NODEJS_STACK: "dev",
    SHOP_ALLOW_OUTSIDE: "true",
    ...more,
  };
  const said: string[] = [];
  const notices: Notice[] = [];
  const shop = lazyShop({ config: () => undefined, env }, (line) => said.push(line));
  const noticed = Object.create(shop, {
    notice: { value: (notice: Notice) => notices.push(notice) > 0 },
  }) as Shop;
  const doorOf = (definition: Definition) => handlerOf(definition, () => noticed, unused);
  return { world, env, said, notices, shop: noticed, doorOf, door: doorOf(coupon) };
}

describe("failures", () => {
  const code = "SPRING-IN-PARIS";
  const refusals = {
    conflict: new ConflictError({
      kind: "Coupon",
      id: "7",
      name: "spring",
      withheld: "update",
      fields: [{ path: "note", was: 1, is: `${code} of staff`, asked: code }],
      live: { note: `${code} of staff` },
    }),
    limit: new ProtectedError("Coupon 7", "a", [code]),
  };

  /** What a delete fails with, where the provider meets an error. */
  async function failing(error: unknown, isEmbedded: boolean) {
    let isFirst = true;
    const notices: Notice[] = [];
    const notice = (one: Notice) => notices.push(one) > 0;
    const shop = () => {
      if (!isFirst) return { plan: { isEmbedded }, notice } as Pick<Shop, "plan" | "notice"> as Shop;
      isFirst = false;
      throw error;
    };
    const args = { code, __secret: "code", __provider: "theirs" };
    const thrown = await handlerOf(coupon, shop, unused)
      .delete("7", args)
      .then(
        () => undefined,
        (one: Error & Values) => one,
      );
    return { thrown, notices };
  }

  test.each<readonly [string, unknown, string]>([
    ["an error", new Error(`no ${code} here`), "no [secret] here"],
    ["what acts on a terminal", new Error("\u001b[2Jgone"), "\\u001b[2Jgone"],
    ["what is no error", `no ${code}`, "no [secret]"],
    [
      "a refusal, under Pulumi's own engine",
      refusals.conflict,
      refusals.conflict.message.replaceAll(code, "[secret]"),
    ],
  ])("a failure has one complete message: %s", async (_what, error, message) => {
    const { thrown, notices } = await failing(error, false);
    expect(notices).toEqual([]);
    expect(thrown?.message).toBe(message);
    // The host takes what has an id for an object that was made, and prints an error's stack beside its message.
    expect([thrown?.id, thrown?.stack, String(thrown)]).toEqual([undefined, "", ""]);
  });

  test.each(["conflict", "limit"] as const)("a refusal (%s) is marked for our engine", async (which) => {
    const { thrown, notices } = await failing(refusals[which], true);
    const values = { path: "note", was: 1, is: "[secret] of staff", asked: "[secret]" };
    const live = { note: "[secret] of staff" };
    const told = { type: "conflict", kind: "Coupon", id: "7", name: "spring", withheld: "update" };
    expect(notices).toEqual(which === "limit" ? [] : [{ ...told, fields: [values], live }]);
    const message = refusals[which].message.replaceAll(code, "[secret]");
    expect([thrown?.message, thrown?.stack, String(thrown)]).toEqual([message, "", ""]);
    expect(thrown).toMatchObject({
      code: 9,
      details: message,
      id: "refused",
      properties: { __refused: true },
      reasons: [message],
    });
  });

  const secret = { code, __secret: "code" };
  test.each<readonly [string, (door: Handler) => Promise<unknown>]>([
    ["check, of the state", (door) => door.check(secret, {})],
    ["check, of the program", (door) => door.check({}, secret)],
    ["diff, of the state", (door) => door.diff("7", secret, {})],
    ["diff, of the program", (door) => door.diff("7", {}, secret)],
    ["create", (door) => door.create(secret)],
    ["read", (door) => door.read("7", secret)],
    ["update, of the state", (door) => door.update("7", secret, {})],
    ["update, of the program", (door) => door.update("7", {}, secret)],
    ["import", (door) => door.import("7", secret)],
  ])("the message of a failure has no secret of the call: %s", async (_what, work) => {
    const shop = () => {
      throw new Error(`no ${code} here`);
    };
    await expect(work(handlerOf(coupon, shop, unused))).rejects.toThrow(/^no \[secret\] here$/);
  });

  test.each([
    ["file", "the shop says: [secret]"],
    ["", "the shop says: second line of it"],
  ])("the message of a failure has no part of a secret file (%j)", async (name, message) => {
    const { world, shop, doorOf } = await opened({ ...embedded, PULUMI_NODEJS_DRY_RUN: "false" });
    const assets = definitions.assets as Definition;
    writeFileSync(join(world.folder, "secret.liquid"), "first line of it\nsecond line of it\n");
    const file = relative(shop.folder, join(world.folder, "secret.liquid"));
    const args = { themeId: 1, type: "Asset::Snippet", name: "a.liquid", file, __secret: name };
    const { inputs, failures } = await doorOf(assets).check({}, args);
    expect(failures).toEqual([]);
    let isFirst = name !== "";
    const failingShop = () => {
      if (!isFirst) throw new Error("the shop says: second line of it");
      isFirst = false;
      return shop;
    };
    const door = handlerOf(assets, failingShop, unused);
    await expect(door.create(inputs)).rejects.toMatchObject({ message });
  });

  test.each([true, false])(
    "an object that was made but differs from the arguments is kept, with its secrets marked",
    async (isEmbedded) => {
      const kept = { id: "7", outs: { code, discount: 1 } };
      const error = new UnfinishedError(kept, [`${code} is taken`, "so it is"]);
      expect((await failing(error, isEmbedded)).thrown).toMatchObject({
        message: "[secret] is taken\nso it is",
        id: "7",
        properties: { code: marked(code), discount: 1, __provider: "theirs" },
        reasons: ["[secret] is taken", "so it is"],
      });
    },
  );

  test.each([TypeError, RangeError, ReferenceError])(
    "an internal error (%o) keeps its stack",
    async (Mistake) => {
      const { thrown } = await failing(new Mistake(`${code} is not a function`), true);
      expect(thrown).toBeInstanceOf(Mistake);
      expect(thrown?.message).toBe("[secret] is not a function");
      expect(thrown?.stack).toContain("handler.test.ts");
      expect(thrown?.stack).not.toContain(code);
    },
  );
});

describe("an object through the handler", () => {
  test("an object is checked, created, read, updated and deleted, without the host's own values in a request or in the state", async () => {
    const { world, door } = await opened();
    const asked = { ...spring, __provider: "theirs", __of: "dev::spring" };
    const { inputs, failures } = await door.check({}, asked);
    expect(failures).toEqual([]);
    const made = await door.create(inputs);
    expect(made.outs).toMatchObject(spring);
    expect(made.outs).not.toHaveProperty("__provider");
    const state = { ...made.outs, __provider: "theirs" };
    expect(await door.diff(made.id, state, inputs)).toEqual({ changes: false, paths: [] });
    const read = await door.read(made.id, state);
    expect(read).toMatchObject({ id: made.id, props: spring });
    // The arguments in the state are right.
    expect(read).not.toHaveProperty("inputs");
    expect(read.props).not.toHaveProperty("__keeps");
    await world.edit({ kind: "discount_code", id: Number(made.id), set: { act_once: true } });
    const edited = await door.read(made.id, state);
    expect(edited).toMatchObject({ id: made.id, inputs: spring });
    expect(edited.inputs).not.toHaveProperty("__keeps");
    const { inputs: news } = await door.check(inputs, { ...asked, discount: 20, description: "for staff" });
    expect(await door.diff(made.id, state, news)).toEqual({
      changes: true,
      paths: ["discount", "description"],
    });
    const changed = await door.update(made.id, state, news);
    expect(changed.outs).toMatchObject({ discount: 20 });
    expect(changed.outs).not.toHaveProperty("__provider");
    world.requests();
    await door.delete(made.id, { ...changed.outs, __provider: "theirs" });
    expect(world.requests().at(-1)).toBe(`DELETE /admin/discount_codes/${made.id}.xml`);
    expect(await door.read(made.id, state)).toEqual({});
  });

  test("secret values are marked in every answer, and hidden in every refusal", async () => {
    const { door, world } = await opened();
    const asked = { ...spring, code: "SPRING-IN-PARIS", __secret: "code", __of: "dev::spring" };
    const { inputs } = await door.check({}, asked);
    const { id, outs } = await door.create(inputs);
    expect(outs.code).toEqual(marked("SPRING-IN-PARIS"));
    const state = { ...asked, ...outs, code: "SPRING-IN-PARIS" };
    await world.edit({ kind: "discount_code", id: Number(id), set: { act_once: true } });
    const read = await door.read(id, state);
    // Of arguments the engine knows it.
    expect([read.props?.code, read.inputs?.code]).toEqual([marked("SPRING-IN-PARIS"), "SPRING-IN-PARIS"]);
    const changed = await door.update(id, state, { ...inputs, discount: 20 });
    expect(changed.outs.code).toEqual(marked("SPRING-IN-PARIS"));
    const secret = { ...spring, discount: "ten-percent-off", __secret: "discount" };
    const { failures } = await door.check({}, secret);
    expect(failures).toEqual([{ property: "discount", reason: expect.stringMatching(/^must be/) }]);
    expect(JSON.stringify(failures)).not.toContain("ten-percent-off");
  });

  test("an import returns the object's arguments, by the verb or by a read that says so, and fails if there is no object", async () => {
    const { world, door, env, said } = await opened();
    const { id } = await world.client.coupons.create(spring as never);
    const urn = "urn:pulumi:dev::p::shop:index:Coupon::spring";
    const of = "urn:pulumi:dev::p::Coupon::spring";
    const byRead = await door.read(String(id), toImport("Coupon", urn));
    expect(byRead).toMatchObject({
      id: String(id),
      inputs: spring,
      props: { ...spring, __of: of },
    });
    expect(byRead.props).not.toHaveProperty("__import");
    expect(await door.import(String(id), { __of: of })).toEqual(byRead);
    const native = nativeHandler("Coupon", { env }, (line) => said.push(line));
    expect(await native.import(String(id), { __of: of })).toEqual(byRead);
    expect(said).toEqual([]);
    expect(await door.read("999", toImport("Coupon", urn))).toEqual({});
    expect(await door.import("999", {})).toBeUndefined();
  });

  test("an object of an older state is deleted as the program's own, also after a refresh", async () => {
    const { world, door } = await opened();
    const { id } = await world.client.coupons.create(spring as never);
    const { props } = await door.read(String(id), spring);
    await door.delete(String(id), props ?? {});
    expect(world.rows("discount_code")).toEqual([]);
  });
});

describe("messages beside the protocol for our engine", () => {
  test.each([
    ["of what a create will take over", preview, true],
    ["nothing where it is Pulumi's", {}, false],
  ])("our engine gets, beside the protocol: %s", async (_what, env, isTold) => {
    const { world, door } = await opened(env);
    const { id } = await world.client.coupons.create({ ...spring, description: "SPRING-IN-PARIS" } as never);
    const asked = {
      ...spring,
      discount: 20,
      description: "SPRING-IN-ROME!",
      adopt: "key",
      __secret: "description",
    };
    const { inputs } = await door.check({}, { ...asked, __of: "dev::spring" });
    expect(Object.keys(inputs).includes("__takes")).toBe(isTold);
    if (!isTold) return;
    const { __takes } = inputs as { readonly __takes: { readonly inputs: Values; readonly olds: Values } };
    expect(__takes).toMatchObject({ id: String(id), inputs: { ...spring, discount: 10 } });
    for (const side of [__takes.inputs, __takes.olds])
      expect(side.description).toEqual(marked("SPRING-IN-PARIS"));
    expect((await door.check({}, { ...spring, code: "OTHER" })).inputs).not.toHaveProperty("__takes");
  });

  test.each([
    ["why a delete would be refused", preview, true],
    ["nothing where nothing is previewed", embedded, false],
    ["nothing where it is Pulumi's", {}, false],
  ])("our engine gets, beside the protocol of an object that exists: %s", async (_what, env, isTold) => {
    const first = await opened();
    const { id, outs } = await first.door.create(
      (await first.door.check({}, { ...spring, __of: "dev::spring" })).inputs,
    );
    await first.world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    const { door } = await opened(env, first.world);
    const { props } = await door.read(id, outs);
    expect(props?.__keeps).toEqual(
      isTold ? expect.stringMatching(/^conflict: Coupon \d+ would be deleted/) : undefined,
    );
  });
});

describe("a change through the handler", () => {
  const ware = kindOf(
    "Ware",
    {
      title: text({ mode: "required" }),
      place: text({ replaces: true }),
      parts: items({ code: text(), size: decimal() }, {
        element: "part",
        key: "code",
        replaces: true,
      } as never),
    },
    { operations: { get: get("/wares/{id}.xml"), edit: edit("/wares/{id}.xml") } },
  );
  const of = async (olds: Values, news: Values) => {
    const { doorOf, world } = await opened({ ...embedded, PULUMI_NODEJS_DRY_RUN: "false" });
    const difference = await doorOf(ware).diff("7", olds, news);
    expect(world.requests()).toEqual([]);
    return difference;
  };

  test.each<readonly [Values, Values, unknown]>([
    [{ title: "Mug" }, { title: "Mug" }, { changes: false, paths: [] }],
    [{ title: "Mug" }, { title: "Jug" }, { changes: true, paths: ["title"] }],
    [
      { title: "Mug", place: "a" },
      { title: "Jug", place: "b" },
      { changes: true, paths: ["title", "place"], replaces: ["place"], deleteBeforeReplace: false },
    ],
    [
      {
        title: "Mug",
        parts: [
          { code: "a", size: 1 },
          { code: "b", size: 1 },
        ],
      },
      {
        title: "Mug",
        parts: [
          { code: "a", size: 2 },
          { code: "b", size: 2 },
        ],
      },
      {
        changes: true,
        paths: ["parts[a].size", "parts[b].size"],
        replaces: ["parts"],
        deleteBeforeReplace: false,
      },
    ],
  ])("a change of %j to %j", async (olds, news, difference) => {
    expect(await of(olds, news)).toEqual(difference);
  });
});

test.each([
  ["texts", 1],
  [undefined, 0],
] as const)(
  "a diff shows the changed lines of a text if the planner asks for it: %j",
  async (diff, count) => {
    const { world, shop, doorOf, notices } = await opened({ ...preview, ...messageEnv({}, { diff }) });
    const [theme] = await world.client.themes.list();
    const door = doorOf(definitions.assets as Definition);
    const asset = { themeId: theme?.id, type: "Asset::Snippet", name: "a.liquid", __of: "dev::a" };
    const { id, outs } = await door.create((await door.check({}, { ...asset, content: "one\n" })).inputs);
    writeFileSync(join(world.folder, "two.liquid"), "two\n");
    const asked = { ...asset, file: relative(shop.folder, join(world.folder, "two.liquid")) };
    const { inputs } = await door.check(outs, asked);
    expect(await door.diff(id, outs, inputs)).toMatchObject({ changes: true });
    const texts = notices.filter(({ type }) => type === "text");
    const lines = "-one\n+two";
    expect(texts).toEqual(
      Array(count).fill({ type: "text", kind: "Asset", id, lines: expect.stringContaining(lines) }),
    );
    world.requests();
    const same = await door.check(outs, { ...asset, content: "one\n" });
    expect(await door.diff(id, outs, same.inputs)).toEqual({ changes: false, paths: [] });
    expect(world.requests()).toEqual([]);
  },
);

test("a preview reports the edits of staff that the program doesn't change", async () => {
  const first = await opened();
  const { inputs } = await first.door.check({}, { ...spring, __of: "dev::spring" });
  const { id, outs } = await first.door.create(inputs);
  await first.world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  const { door, said } = await opened(preview, first.world);
  await door.diff(id, outs, { ...inputs, description: "for staff" });
  expect(said).toEqual([expect.stringContaining("discount")]);
});

test("a program finds the provider of a kind by its URN, whatever its name and parent", () => {
  const type = "shop:index:Coupon";
  for (const one of [type, "pulumi-nodejs:dynamic/shop:Coupon"]) {
    expect(ownerOf(`urn:pulumi:dev::our-shop::${one}::spring`)).toEqual({
      kind: "Coupon",
      of: "urn:pulumi:dev::our-shop::Coupon::spring",
    });
    const { of } = ownerOf(`urn:pulumi:dev::p::a:b:C$d:e:F$${one}::a::b\n`);
    expect(of).toBe("urn:pulumi:dev::p::a:b:C$d:e:F$Coupon::a::b\n");
    const place = "a:b:C$d:e:F$a::b\n";
    expect(readOwner(of)).toEqual({ stack: "dev", project: "p", name: "a::b\n", place });
  }
  for (const wrong of [
    "",
    "spring",
    `urn:pulumi:dev::p::${type}`,
    `x urn:pulumi:dev::p::${type}::spring`,
    "urn:pulumi:dev::p::other:index:Coupon::spring",
  ])
    expect(() => ownerOf(wrong)).toThrow(`${JSON.stringify(wrong)} is not a resource of the package shop`);
  // What older versions wrote into states and notes.
  const older = { stack: "dev", project: undefined, place: "a:b:C$spring", name: "spring" };
  expect(readOwner("dev::a:b:C$spring")).toEqual(older);
  expect(readOwner("x7Yz")).toMatchObject({ place: "x7Yz", name: undefined });
  expect(toImport("Coupon", `urn:pulumi:dev::p::${type}::spring`)).toEqual({
    __provider: 'exports.handler=()=>require("pulumi-shop/provider").handler("Coupon")',
    __of: "urn:pulumi:dev::p::Coupon::spring",
    __import: "true",
  });
});

test("a kind that programs can't create has no provider, and an unconfigured one does nothing", async () => {
  expect(() => handler("Theme")).toThrow();
  expect(() => nativeHandler("Nothing", { env: {} }, () => {})).toThrow();
  await expect(handler("Coupon").delete("7", {})).rejects.toThrow("Coupon was called before configure");
});

test("a wrong setting is an error of the resource, without a stack", async () => {
  const { env } = await openWorld();
  for (const [name, value] of Object.entries({ ...env, SHOP_ADOPT: "id" })) vi.stubEnv(name, value);
  const provider = handler("Coupon");
  await provider.configure({ config: { get: () => undefined } });
  const error: unknown = await provider.check({}, spring).catch((one: unknown) => one);
  expect((error as Error).message).toBe('shop:adopt must be key, got "id"');
  // Pulumi's host prints an error as text.
  expect(String(error)).toBe("");
});

test("the object of an interrupted create is named at the end of the run, and nothing is left open", async () => {
  const { world, env } = await opened();
  const { id } = await world.client.coupons.create(spring as never);
  const notes = openNotes(
    () => diskNoteFile(join(world.folder, "notes")),
    "1",
    (line) => expect(line).toBe(""),
  );
  const print = { by: ["code"], key: "k", content: "c", text: undefined };
  const note = { kind: "Coupon", shop: world.url, at: 1, skewMs: 0, above: {}, print };
  await (await notes.begin({ ...note, of: "dev::spring" })).made(String(id));
  const said: string[] = [];
  const ended = { has: new Set<string>(), failed: new Set<string>() };
  const lines = await interruptedCreates({ env }, notes, ended, (line) => said.push(line));
  expect(lines).toEqual([
    `an earlier run created Coupon ${id} (resource spring), which is in no state: ` +
      `run up with the resource in the program to adopt it, or delete ${id} in the back office`,
  ]);
  expect(said).toEqual([]);
});

test.each(["oldPrice", "costPrice", "weight", "quantity"])(
  "a product whose variant has no %s although the program sets it is updated, and returned in the engine's protocol",
  async (name) => {
    const { doorOf } = await opened({ ...embedded, PULUMI_NODEJS_DRY_RUN: "false" });
    const door = doorOf(definitions.products as Definition);
    const asked = (price: number) => ({
      title: "Mug",
      variants: [{ sku: "MUG-R", price, [name]: "" }],
      __of: "dev::mug",
    });
    const { id, outs } = await door.create((await door.check({}, asked(7))).inputs);
    const { inputs } = await door.check(asked(7), asked(8));
    const changed = await door.update(id, outs, inputs);
    const carried = Struct.fromJavaScript(changed.outs as never).toJavaScript();
    expect(carried).toEqual(changed.outs);
    expect(carried).toMatchObject({ variants: [{ sku: "MUG-R", price: 8 }] });
    expect(await door.diff(id, carried, inputs)).toEqual({ changes: false, paths: [] });
  },
);

test("every value that leaves the handler, also an item that the shop refused, is valid in the engine's protocol", async () => {
  const kept = { id: "7", outs: { code: "A", parts: [{ sku: "A", price: undefined }], half: "\ud800x" } };
  const shop = () => {
    throw new UnfinishedError(kept, ["parts[A].price was not taken"]);
  };
  const door = handlerOf(coupon, shop as never, unused);
  const { properties } = await door.update("7", {}, { __provider: "theirs" }).then(
    () => expect.fail("it failed"),
    (error: Error & { readonly properties: Values }) => error,
  );
  const carried = Struct.fromJavaScript(properties as never).toJavaScript();
  expect(carried).toEqual({ code: "A", parts: [{ sku: "A" }], half: "\ufffdx", __provider: "theirs" });
});

test.each([[10n], [() => 1], [new Date()]])(
  "a value that the protocol can't carry is an error with its path: %s",
  async (value) => {
    const shop = () => {
      throw new UnfinishedError({ id: "7", outs: { parts: [{ price: value }] } }, ["not taken"]);
    };
    const door = handlerOf(coupon, shop as never, unused);
    await expect(door.update("7", {}, {})).rejects.toThrow(/^value\.parts\[0\]\.price is an? /);
  },
);

test("a refresh without the arguments takes a removed one for removed by the state file, and a secret one for set", async () => {
  const { world, door } = await opened();
  const given = {
    ...spring,
    description: "Words",
    __of: "urn:pulumi:dev::p::Coupon::spring",
    __secret: "code",
  };
  const { id, outs } = await door.create((await door.check({}, given)).inputs);
  const { description: _removed, ...rest } = given;
  const code = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x:y",
  };
  const type = "pulumi-nodejs:dynamic/shop:Coupon";
  const resources = [
    { urn: `urn:pulumi:dev::p::${type}::spring`, type, id, inputs: { ...rest, code }, outputs: outs },
  ];
  const place = join(world.folder, ".pulumi/stacks/p/dev.json");
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify({ version: 3, checkpoint: { latest: { resources } } }));
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  const { inputs } = await door.read(id ?? "", outs);
  expect(inputs).toMatchObject({ discount: 55, typeId: 1 });
  expect(inputs).toHaveProperty("code");
  expect(inputs).not.toHaveProperty("description");
});
