// Everyday edits that once destroyed something: each through the engine's own path, with staff editing meanwhile.
import { describe, expect, test } from "vitest";
import type { Stored } from "../../emulator/store.ts";
import { unlock } from "../../engine/index.ts";
import { chosenEnv } from "../../provider/settings/protocol.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { impactLines } from "../../runs/report/impact-lines.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";
import type { Effect } from "../support/disk.ts";
import type { Ran, Resource } from "./house/types.ts";
import { walkKinds } from "./kinds.ts";
import type { Move } from "./moves.ts";
import { changesOf, meaning, open, variantsOf, writes } from "./scenes.ts";
import { walk } from "./walk.ts";

const coupon = (name: string, args: object = {}, more: Partial<Resource> = {}): Resource => ({
  kind: "Coupon",
  name,
  args: { code: "SALE10", discount: 10, typeId: 1, ...args },
  ...more,
});
const mug = (variants: readonly Readonly<Record<string, unknown>>[], more: object = {}): Resource => ({
  kind: "Product",
  name: "mug",
  args: { title: "Mug", variants, ...more },
});
const tag = (name: string, args: object = {}): Resource => ({
  kind: "JsTag",
  name,
  args: { type: "JsTag::TextTag", name: "t", content: "1", ...args },
});
const counter = (content: string) => tag("counter", { name: "counter", content });

/** A run that ends when its create was done in the shop, and before it heard so. */
async function cutOff(house: ReturnType<typeof open>, program: readonly Resource[]): Promise<void> {
  await house.go(program, {
    crash: {
      plan: ({ path }) => (path.startsWith("answer POST ") ? { crash: "before" } : undefined),
      left: "all",
    },
  });
}

/** A coupon that staff made, and its id. */
async function staffCoupon(house: ReturnType<typeof open>) {
  const made = await house.up([coupon("first")]);
  expect(made.result?.outcome).toBe("succeeded");
  house.loseState();
  house.loseNotes();
  return String(house.rows("discount_code")[0]?.id);
}

describe("a failure keeps what was known", () => {
  const two = [
    { sku: "S1", price: 1 },
    { sku: "S2", price: 2 },
  ];
  test.each([401, 422, 500] as const)(
    "a failed update (%i) keeps the state and its message; the next run doubles nothing",
    async (status) => {
      const house = open();
      await house.up([mug(two)]);
      const before = house.state()[0]?.outputs;
      const bad = status === 401 ? { env: { SHOP_PASSWORD: "0".repeat(32) } } : {};
      if (status === 500) house.shop.faults.add({ method: "PUT", path: "*", fault: "500", times: 9 });
      const title = status === 422 ? "" : "Cup";
      const failed = await house.go([mug(two, { title })], bad);
      expect(failed.result?.outcome).toBe("failed");
      expect(failed.result?.failures[0]?.message).not.toBe("");
      expect(house.state()[0]?.outputs).toEqual(before);
      house.shop.faults.clear();
      const next = await house.up([mug(two, { title: "Cup" })]);
      expect(next.result?.outcome).toBe("succeeded");
      expect(house.rows("product")[0]).toMatchObject({
        title: "Cup",
        variants: [{ sku: "S1" }, { sku: "S2" }],
      });
    },
  );

  test("what the shop didn't take can be refreshed, previewed and destroyed", async () => {
    const house = open({ strict: true });
    const program = [coupon("a", { minPrice: 30 })];
    const first = await house.go(program);
    expect(first.result?.failures[0]?.message).toContain("minPrice: expected 30, got unset");
    expect((await house.refresh()).result?.outcome).toBe("succeeded");
    expect((await house.destroy()).result?.outcome).toBe("succeeded");
    expect(house.rows("discount_code")).toEqual([]);
  });
});

test("a body that a takeover writes over is told of by the preview, and by nothing is it done before", async () => {
  const house = open();
  const themeId = Number(house.rows("theme")[0]?.id);
  const asset = (more: object = {}): readonly Resource[] => [
    {
      kind: "Asset",
      name: "note",
      args: { themeId, type: "Asset::Snippet", name: "note.liquid", content: "one", ...more },
    },
  ];
  await house.up(asset());
  const id = Number(house.rows("asset").find(({ name }) => name === "note.liquid")?.id);
  house.loseState();
  house.loseNotes();
  house.shop.edit({ kind: "asset", id, set: { content: "staff's" } });
  const again = await house.up(asset({ adopt: `${themeId}/${id}` }));
  expect(again.planned.plan).toMatchObject([
    { op: "adopt", changes: [{ path: "content", old: "staff's", new: "one" }] },
  ]);
  expect(writes(again.planned.requests)).toEqual([]);
  expect(writes(again.requests)).toHaveLength(1);
  expect(house.rows("asset").find((row) => row.id === id)?.content).toBe("one");
});

test("an object that moves to the plugin under its own name is taken over by no other resource of the plan", async () => {
  const house = open();
  await house.up([tag("a")]);
  const id = house.state()[0]?.id;
  const ran = await house.up([tag("a"), tag("b", { adopt: String(id) })], { form: "plugin" });
  expect((ran.result ?? ran.planned.result)?.failures[0]?.message).toContain(
    `b.adopt: can't adopt JsTag ${id}: resource a of this stack has it already`,
  );
  expect(house.state().map(({ id: one }) => one)).toEqual([id]);
});

test("a resource that takes over an object under another name and in the other form is that resource, renamed", async () => {
  const house = open();
  await house.up([tag("a")]);
  const id = house.state()[0]?.id;
  const ran = await house.up([tag("b", { adopt: String(id) })], { form: "plugin" });
  expect(ran.result?.outcome).toBe("succeeded");
  expect(house.state().map(({ id: one, urn }) => [one, urn.split("::").at(-1)])).toEqual([[id, "b"]]);
  expect(house.rows("js_tag")).toHaveLength(1);
});

test("what is being replaced has its object still: nobody takes it over, and where the successor can't be made it keeps it", async () => {
  const house = open();
  await house.up([tag("a")]);
  const id = house.state()[0]?.id;
  const ran = await house.up([tag("a", { name: "u" }), tag("b", { adopt: "77" })]);
  expect(ran.result?.failures[0]?.message).toContain(
    `b can't adopt JsTag ${id}: resource a of this stack has it; two resources can't manage one object`,
  );
  expect(house.state().map(({ id: one }) => one)).toEqual([id]);
  expect(house.rows("js_tag")).toHaveLength(1);
});

test("an item that a takeover renames is told of with the key and the values that it has", async () => {
  const house = open();
  await house.up([mug([{ sku: "STAFF", price: 5 }])]);
  const id = String(house.rows("product")[0]?.id);
  house.loseState();
  house.loseNotes();
  const { planned } = await house.up([mug([{ sku: "OURS", price: 7 }], { adopt: id })]);
  expect(changesOf(planned)).toEqual(["variants[STAFF] renamed OURS", "variants[OURS].price 5 => 7"]);
});

test("a tag that was pulled, replaced and then renamed is found by one reading of the list, as announced", async () => {
  const house = open();
  await house.up([tag("a")]);
  const adopt = String(house.rows("js_tag")[0]?.id);
  house.loseState();
  house.loseNotes();
  await house.up([tag("a", { adopt })]);
  await house.up([tag("a", { adopt, name: "u" })]);
  const renamed = await house.up([tag("b", { adopt, name: "u" })]);
  expect(renamed.steps).toEqual(["rename b"]);
  expect(renamed.requests).toEqual([`GET /admin/js_tags/${adopt}.xml`, "GET /admin/js_tags.xml"]);
  expect(renamed.planned.requestsNeeded).toBe(2);
});

test("what the preview read by itself, and its list showed later, is announced as a part of the list", async () => {
  const house = open();
  const named = (name: string, args: object = {}) => tag(name, { name: `tag ${name[0]}`, ...args });
  await house.up([named("a"), named("b"), named("c")]);
  const adopt = (name: string) => ({
    adopt: String(house.rows("js_tag").find((row) => row.name === `tag ${name}`)?.id),
  });
  const [b, c] = [adopt("b"), adopt("c")];
  house.loseState();
  house.loseNotes();
  await house.up([named("a", adopt("a")), named("b", b), named("c", c)]);
  const program = [named("a2", { content: "2" }), named("b", { ...b, content: "2" }), named("c2", c)];
  const ran = await house.up(program, { env: chosenEnv({ allow: ["a2"] }) });
  expect(ran.result?.outcome).toBe("succeeded");
  expect(ran.requests.filter((line) => line.startsWith("GET "))).toEqual(["GET /admin/js_tags.xml"]);
  expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
});

describe("a replacement never adopts, and what a plan keeps it doesn't delete", () => {
  test.each([
    ["File", { filename: "a.csv", content: "a" }, { filename: "a.csv", content: "b" }, "file"],
    [
      "JsTag",
      { type: "JsTag::TextTag", name: "n", content: "1" },
      { type: "JsTag::TextTag", name: "n", content: "2" },
      "js_tag",
    ],
    [
      "ApplicationCharge",
      { name: "S", price: 1, returnUrl: "https://a.example.test/" },
      { name: "S", price: 2, returnUrl: "https://a.example.test/" },
      "application_charge",
    ],
  ] as const)(
    "%s: what was adopted and then replaced is there afterwards",
    async (kind, args, changed, table) => {
      const house = open();
      await house.up([{ kind, name: "x", args }]);
      const id = String(house.rows(table)[0]?.id);
      house.loseState();
      house.loseNotes();
      const adopting = (values: object) => [{ kind, name: "x", args: { ...values, adopt: id } }];
      const adopted = await house.up(adopting(args));
      expect(adopted.steps).toEqual(["adopt x"]);
      expect(writes(adopted.requests)).toEqual([]);
      const replaced = await house.up(adopting(changed));
      expect(replaced.result?.outcome).toBe("succeeded");
      expect(replaced.steps).toEqual(["replace x"]);
      const live = house.rows(table).filter(({ status }) => status !== "declined");
      expect(live).toHaveLength(1);
      expect(String(live[0]?.id)).not.toBe(id);
      expect(house.state()[0]?.id).toBe(String(live[0]?.id));
      expect((await house.up(adopting(changed))).steps).toEqual([]);
    },
  );

  test.each([
    ["by its id", (id: string) => ({ adopt: id }), {}],
    ["by the stack's word", () => ({}), { "shop:adopt": "key" }],
  ] as const)(
    "an adopted coupon that is renamed without an alias is a rename: %s",
    async (_how, adopt, config) => {
      const house = open();
      const id = await staffCoupon(house);
      await house.up([coupon("sale10", adopt(id))], { config });
      const renamed = await house.up([coupon("sale-ten", adopt(id))], { config });
      expect(renamed.planned.steps).toEqual(["rename sale-ten"]);
      expect(renamed.planned.plan[0]).toMatchObject({ from: "sale10" });
      expect(renamed.steps).toEqual(["rename sale-ten"]);
      expect(writes(renamed.requests)).toEqual([]);
      expect(house.rows("discount_code")).toHaveLength(1);
      expect(renamed.requests).toHaveLength(renamed.planned.requestsNeeded ?? 0);
      expect(house.state().map(({ urn }) => urn.split("::").at(-1))).toEqual(["sale-ten"]);
      const moved = await house.up([coupon("sale-ten", adopt(id), { parent: "campaign" })], { config });
      expect(moved.steps).toEqual(["rename sale-ten"]);
      expect(writes(moved.requests)).toEqual([]);
    },
  );

  test("two resources can't adopt one object: the second is refused by name", async () => {
    const house = open();
    const id = await staffCoupon(house);
    const ran = await house.preview([coupon("a", { adopt: id }), coupon("b", { adopt: id })]);
    expect(ran.result?.outcome).toBe("failed");
    expect(ran.result?.failures.map(({ message }) => message).join()).toMatch(
      /resource "a" of this program asks for code SALE10 too/,
    );
  });

  test("an equal resource added later doesn't take the first one's object", async () => {
    const house = open();
    const file = (name: string) => ({ kind: "File", name, args: { filename: "a.csv", content: "a" } });
    await house.up([file("a")]);
    await house.up([file("b"), file("a")]);
    expect(house.rows("file")).toHaveLength(2);
    expect(new Set(house.state().map(({ id }) => id)).size).toBe(2);
    await house.up([file("a")]);
    expect(house.rows("file")).toHaveLength(1);
  });
});

describe("adoption never blocks the way back", () => {
  test("a coupon that staff deleted comes back after a refresh", async () => {
    const house = open();
    const id = await staffCoupon(house);
    const program = [coupon("sale10", { adopt: id })];
    await house.up(program);
    house.shop.edit({ kind: "discount_code", id: Number(id), delete: true });
    const back = await house.up(program, { refresh: true });
    expect(back.result?.outcome).toBe("succeeded");
    expect(house.rows("discount_code")).toHaveLength(1);
    expect((await house.up(program)).steps).toEqual([]);
  });

  test("one that was removed from the program and put back is created again", async () => {
    const house = open();
    const id = await staffCoupon(house);
    const program = [coupon("sale10", { adopt: id })];
    await house.up(program);
    await house.up([]);
    expect(house.rows("discount_code")).toEqual([]);
    const back = await house.up(program);
    expect(back.planned.said.join()).toMatch(/the shop has no Coupon .*: it is created/);
    expect(back.requests).toHaveLength(back.planned.requestsNeeded ?? 0);
    expect(house.rows("discount_code")).toHaveLength(1);
  });
});

describe("nobody's edit is overwritten unseen", () => {
  const edited = async (set: Record<string, unknown>, args: object, options = {}) => {
    const house = open();
    await house.up([coupon("a", { description: "d" })]);
    house.shop.edit({ kind: "discount_code", id: Number(house.rows("discount_code")[0]?.id), set });
    const ran = await house.up([coupon("a", { description: "d", ...args })], options);
    return { house, ran, row: house.rows("discount_code")[0] };
  };

  test("both changed a field: a conflict with three values; nothing is sent, and overwriting needs a word", async () => {
    const { house, ran, row } = await edited({ discount: "55.0" }, { discount: 15 });
    expect(ran.planned.steps).toEqual(["update a refused"]);
    const [{ message } = { message: "" }] = ran.result?.failures ?? [];
    expect(message).toContain("discount: was 10 %, is 55 % in the shop, the program asks for 15 %");
    expect(message).toContain("--overwrite a");
    expect(ran.result?.outcome).toBe("failed");
    expect(writes(ran.requests)).toEqual([]);
    expect(row).toMatchObject({ discount: "55.0" });
    const again = await house.up([coupon("a", { description: "d", discount: 15 })]);
    expect(again.steps).toEqual(["update a refused"]);
    const id = house.rows("discount_code")[0]?.id;
    const forced = await house.up([coupon("a", { description: "d", discount: 15 })], {
      env: { SHOP_OVERWRITE: `Coupon:${id}` },
    });
    expect(forced.steps).toEqual(["update a"]);
    expect(house.rows("discount_code")[0]).toMatchObject({ discount: "15.0" });
  });

  test("a stack may say that its program always wins", async () => {
    const { row } = await edited(
      { discount: "55.0" },
      { discount: 15 },
      { config: { "shop:conflicts": "overwrite" } },
    );
    expect(row).toMatchObject({ discount: "15.0" });
  });

  test("staff changed another field: it is kept, with a notice", async () => {
    const { house, ran, row } = await edited({ description: "theirs" }, { discount: 15 });
    expect(ran.result?.outcome).toBe("succeeded");
    expect(row).toMatchObject({ discount: "15.0", description: "theirs" });
    expect(ran.said.join()).toContain('description: "d" => "theirs"');
    expect(ran.planned.said.join()).toContain('description: "d" => "theirs"');
    expect((await house.up([coupon("a", { description: "d", discount: 15 })])).steps).toEqual([]);
    await house.refresh();
    expect((await house.preview([coupon("a", { description: "d", discount: 15 })])).steps).toEqual([
      "update a",
    ]);
  });

  test("the shop has already what the program asks: nothing is sent", async () => {
    const { house, ran } = await edited({ discount: "15.0" }, { discount: 15 });
    expect(ran.result?.outcome).toBe("succeeded");
    expect(writes(ran.requests)).toEqual([]);
    expect((await house.up([coupon("a", { description: "d", discount: 15 })])).steps).toEqual([]);
  });

  test("an edit between the preview and the run is a conflict of the run; the rest is done, deletes too", async () => {
    const house = open();
    await house.up([coupon("a"), coupon("b", { code: "B" }), coupon("c", { code: "C" })]);
    const id = Number(house.rows("discount_code").find(({ code }) => code === "SALE10")?.id);
    const ran = await house.up(
      [coupon("a", { discount: 15 }), coupon("b", { code: "B", discount: 20 })],
      {},
      () => house.shop.edit({ kind: "discount_code", id, set: { discount: "55.0" } }),
    );
    expect(ran.planned.steps.toSorted()).toEqual(["delete c", "update a", "update b"]);
    expect(ran.steps.toSorted()).toEqual(["delete c", "update a refused", "update b"]);
    expect(ran.result?.outcome).toBe("failed");
    expect(
      house
        .rows("discount_code")
        .map(({ code, discount }) => [code, discount])
        .toSorted(),
    ).toEqual([
      ["B", "20.0"],
      ["SALE10", "55.0"],
    ]);
  });

  test("deleting what staff changed is a conflict, in the preview as in the run", async () => {
    const house = open();
    await house.up([coupon("a")]);
    house.shop.edit({
      kind: "discount_code",
      id: Number(house.rows("discount_code")[0]?.id),
      set: { discount: "55.0" },
    });
    const ran = await house.up([]);
    expect(ran.planned.steps).toEqual(["delete a refused"]);
    expect(house.rows("discount_code")).toHaveLength(1);
    const blind = await house.go([]);
    expect(blind.result?.failures[0]?.message).toContain("discount: was 10 %, is now 55 %");
    expect(house.rows("discount_code")).toHaveLength(1);
  });

  test("settings of a theme are compared value by value", async () => {
    const house = open();
    const theme = house.rows("theme")[0]?.id;
    const settings = (content: object): Resource => ({
      kind: "Asset",
      name: "settings",
      args: {
        themeId: theme,
        type: "Asset::Configuration",
        name: "shop.json",
        content: `${JSON.stringify(content, undefined, 2)}\n`,
      },
    });
    await house.up([settings({ color: "red", logo: { width: 1 } })]);
    const row = () => house.rows("asset").find(({ name }) => name === "shop.json");
    const edit = (content: object) =>
      house.shop.edit({ kind: "asset", id: Number(row()?.id), set: { content: JSON.stringify(content) } });
    edit({ color: "red", logo: { width: 2 } });
    const ran = await house.up([settings({ color: "blue", logo: { width: 1 } })]);
    expect(ran.result?.outcome).toBe("succeeded");
    expect(JSON.parse(String(row()?.content))).toEqual({ color: "blue", logo: { width: 2 } });
    expect((await house.up([settings({ color: "blue", logo: { width: 1 } })])).steps).toEqual([]);
    edit({ color: "green", logo: { width: 2 } });
    const conflict = await house.up([settings({ color: "black", logo: { width: 1 } })]);
    expect(conflict.result?.failures[0]?.message).toMatch(
      /: color: is "green" in the shop, the program asks for "black"/,
    );
  });
});

describe("items of a list are told apart by their keys", () => {
  const [a, b] = [
    { sku: "M-A", price: 10, quantity: 1 },
    { sku: "M-B", price: 11, quantity: 2 },
  ];

  /** Staff add a variant, number 999,999: one that is there with something else. */
  function addVariant(house: ReturnType<typeof open>, like: number, other: object) {
    const [row] = house.rows("product");
    const variants = row?.variants as object[];
    house.shop.edit({
      kind: "product",
      id: Number(row?.id),
      set: { variants: [...variants, { ...variants[like], id: 999_999, ...other }] },
    });
  }

  test("staff added a variant: the program's price is set, the variant stays and is named", async () => {
    const house = open();
    await house.up([mug([a, b])]);
    addVariant(house, 0, { sku: "M-C" });
    const ran = await house.up([mug([{ ...a, price: 12 }, b])]);
    expect(ran.result?.outcome).toBe("succeeded");
    expect(ran.said.join()).toContain("variants[M-C] was added");
    expect((variantsOf(house) as { sku: string }[]).map(({ sku }) => sku)).toEqual(["M-A", "M-B", "M-C"]);
    expect((await house.up([mug([{ ...a, price: 12 }, b])])).steps).toEqual([]);
  });

  test("staff added the variant that the program puts in another's place: there is one of it, theirs", async () => {
    const house = open();
    await house.up([mug([a, b])]);
    addVariant(house, 1, { sku: "M-C", price: 12 });
    const ran = await house.up([mug([a, { sku: "M-C", price: 12 }])]);
    expect(ran.result?.outcome).toBe("succeeded");
    expect(writes(ran.requests)).toEqual([expect.stringMatching(/^DELETE .*\/variants\/\d+\.xml$/)]);
    expect((variantsOf(house) as { id: number; sku: string }[]).map(({ id, sku }) => [id, sku])).toEqual([
      [expect.any(Number), "M-A"],
      [999_999, "M-C"],
    ]);
    expect((await house.up([mug([a, { sku: "M-C", price: 12 }])])).steps).toEqual([]);
  });

  test("removing a variant is one DELETE of it, and is shown under its key", async () => {
    const house = open();
    await house.up([mug([a, b, { sku: "M-C", price: 12 }])]);
    const ran = await house.up([mug([a, { sku: "M-C", price: 12 }])]);
    expect(ran.planned.plan[0]?.changes.map(({ path, kind }) => [path, kind])).toEqual([
      ["variants.M-B", "delete"],
    ]);
    expect(writes(ran.requests)).toEqual([expect.stringMatching(/^DELETE .*\/variants\/\d+\.xml$/)]);
    expect(ran.requests).toHaveLength(ran.planned.requestsNeeded as number);
  });

  test("stock stays with its variant where the program ignores it, wherever a variant is put", async () => {
    const house = open();
    const ignoreChanges = ["variants[*].quantity"];
    const program = (variants: readonly Readonly<Record<string, unknown>>[]) => [
      { ...mug(variants), ignoreChanges },
    ];
    await house.up(program([a, b]));
    const [row] = house.rows("product");
    const sold = variantsOf(house).map((one, index) => ({ ...one, quantity: 50 + index }));
    house.shop.edit({ kind: "product", id: Number(row?.id), set: { variants: sold } });
    const ran = await house.up(program([{ sku: "M-0", price: 1, quantity: 7 }, a, b]), { refresh: true });
    expect(ran.result?.outcome).toBe("succeeded");
    const stock = (variantsOf(house) as { sku: string; quantity: number }[]).map(({ sku, quantity }) => [
      sku,
      quantity,
    ]);
    expect(stock.toSorted()).toEqual([
      ["M-0", 7],
      ["M-A", 50],
      ["M-B", 51],
    ]);
  });
});

describe("the preview tells the truth", () => {
  test("a protected stack refuses a replacement before anything is done", async () => {
    const house = open();
    await house.up([tag("t")]);
    const config = { "shop:protected": "true" };
    const ran = await house.up([tag("t", { content: "2" })], { config });
    expect(ran.planned.guarded).toEqual([
      "JsTag t would be replaced, because of content (shop:protected); pass --allow t to permit it",
    ]);
    expect(writes(ran.requests)).toEqual([]);
    // An engine that plans by itself is told by the provider.
    const bare = await house.preview([tag("t", { content: "2" })], { config, env: { SHOP_RUN: "" } });
    expect(bare.steps).toEqual(["update t refused"]);
    expect(bare.result?.failures[0]?.message).toMatch(/would be replaced, because of content/);
  });

  test.each(["dynamic", "plugin"] as const)(
    "a protected stack moves a product that staff added a variant to, as its preview says; what it would lose where it is somebody else's is refused (%s)",
    async (form) => {
      const house = open();
      const config = { "shop:protected": "true", "shop:adopt": "key" };
      const mug = (parent?: string): readonly Resource[] => [
        {
          kind: "Product",
          name: "mug",
          args: { title: "Mug", permalink: "mug", variants: [{ sku: "M", price: 9 }] },
          ...(parent !== undefined && { parent }),
        },
      ];
      const variants = () => (house.rows("product")[0]?.variants ?? []) as readonly { sku: string }[];
      const skus = () =>
        variants()
          .map(({ sku }) => sku)
          .toSorted();
      await house.up(mug(), { form });
      const [product] = house.rows("product");
      const theirs = [...variants(), { id: 5_000_000, sku: "Theirs", price: "9.0" }];
      house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants: theirs } });
      const moved = await house.up(mug("group"), { form, config });
      expect([moved.planned.guarded, moved.result?.failures]).toEqual([[], []]);
      expect([moved.steps, skus()]).toEqual([["rename mug"], ["M", "Theirs"]]);
      house.loseState();
      house.loseNotes();
      const refused = [
        (await house.preview(mug(), { form, config })).guarded,
        (await house.go(mug(), { form, config })).result?.failures.map(({ message }) => message),
      ];
      for (const texts of refused)
        expect(texts).toEqual([expect.stringContaining("would lose variants[Theirs] (shop:protected)")]);
      expect(skus()).toEqual(["M", "Theirs"]);
    },
  );

  test.each(["dynamic", "plugin"] as const)(
    "on a protected stack the preview of an adoption refuses what the run would: a variant with another key would be lost (%s)",
    async (form) => {
      const house = open();
      const a = { sku: "A", price: 9 };
      await house.up([mug([a, { sku: "B", price: 9 }])]);
      house.loseState();
      house.loseNotes();
      const [product] = house.rows("product");
      const variants = variantsOf(house).map((one) => (one.sku === "B" ? { ...one, sku: "OTHER" } : one));
      house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants } });
      const config = { "shop:adopt": "key", "shop:protected": "true" };
      const planned = await house.preview([mug([{ sku: "B", price: 10 }, a])], { form, config });
      expect(planned.guarded).toEqual([
        expect.stringContaining("would lose variants[OTHER] (shop:protected)"),
      ]);
    },
  );

  test("a protected stack keeps what its program no longer states, also where nobody looked at a preview", async () => {
    const house = open();
    await house.up([tag("t")]);
    const config = { "shop:protected": "true" };
    expect((await house.preview([], { config })).guarded).toEqual([
      expect.stringContaining("JsTag t would be deleted (shop:protected)"),
    ]);
    const ran = await house.go([], { config });
    expect(ran.result?.failures[0]?.message).toMatch(/would be deleted \(shop:protected\)/);
    expect([house.rows("js_tag").length, house.state().length, writes(ran.requests)]).toEqual([1, 1, []]);
  });

  test("a key that the shop has already is foreseen, with the way out; without a preview the run says the same", async () => {
    const house = open();
    await staffCoupon(house);
    for (const ran of [await house.preview([coupon("again")]), await house.go([coupon("again")])]) {
      expect(ran.result?.outcome).toBe("failed");
      expect(ran.result?.failures.map(({ message }) => message).join()).toMatch(/adopt: "key" .* aliases/);
    }
    expect(house.rows("discount_code")).toHaveLength(1);
  });

  const jug = (name: string, args: object = {}): Resource => ({
    kind: "Product",
    name,
    args: { title: "Jug", permalink: "jug", variants: [{ sku: "J", price: 1 }], ...args },
  });

  test("an address that another product has already is foreseen, with the way out, and at a page nothing is made", async () => {
    const house = open();
    await house.up([jug("jug")]);
    const [before] = house.rows("product");
    const renamed = await house.up([jug("kettle")]);
    expect(renamed.planned.result?.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        `the shop has Product ${before?.id} with permalink jug already: set adopt: "key" .*aliases`,
      ),
    ]);
    expect(renamed.requests.map((line) => line.split("?")[0])).toEqual(["GET /admin/products.xml"]);
    expect(house.rows("product")).toEqual([before]);
    const aliased = await house.up([{ ...jug("kettle"), aliases: ["jug"] }]);
    expect(aliased.result?.outcome).toBe("succeeded");
    expect([aliased.steps, writes(aliased.requests)]).toEqual([[], []]);
    // Two products may have one title, and articles of one number.
    const equal = await house.up([
      { ...jug("kettle"), aliases: ["jug"] },
      jug("other", { permalink: undefined }),
    ]);
    expect(equal.result?.outcome).toBe("succeeded");
    expect(house.rows("product").map(({ permalink }) => permalink)).toEqual(["jug", "jug-2"]);
  });

  test("an address that another product has already, without a preview: the run says which it got, and the other stays as it is", async () => {
    const house = open();
    await house.up([jug("jug")]);
    const [before] = house.rows("product");
    house.loseState();
    house.loseNotes();
    const ran = await house.go([jug("kettle")]);
    expect(ran.result?.failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('permalink: expected "jug", got "jug-2"'),
    ]);
    expect(house.rows("product").map(({ permalink }) => permalink)).toEqual(["jug", "jug-2"]);
    expect(house.rows("product")[0]).toEqual(before);
    // What was made is in the state: it is the program's to change and to delete.
    expect((await house.destroy()).steps).toEqual(["delete kettle"]);
    expect(house.rows("product").map(({ permalink }) => permalink)).toEqual(["jug"]);
  });

  const charge = { name: "S", price: 1, returnUrl: "https://a.example.test/" };
  const script = { type: "JsTag::TextTag", content: "count()" };

  test.each([
    // The interface shows no bytes of a file: its name is all that it is known by.
    ["File", { filename: "a.csv", content: "a" }, { filename: "b.csv", content: "a" }, "file"],
    ["ApplicationCharge", charge, { ...charge, price: 2 }, "application_charge"],
    ["JsTag", script, { ...script, content: "other()" }, "js_tag"],
  ] as const)(
    "an equal %s that nothing but its content tells from others is there: the preview says so, by its id",
    async (kind, args, other, table) => {
      const house = open();
      const program = (more: object): readonly Resource[] => [
        { kind, name: "a", args: { ...args, ...more } },
      ];
      await house.up(program({}));
      house.loseState();
      house.loseNotes();
      const id = house.rows(table)[0]?.id;
      const said = `a: the shop has an equal ${kind} already (${id}): adopt: "${id}" adopts it instead of creating another`;
      expect((await house.preview(program({}))).said).toEqual([said]);
      expect((await house.preview(program(other))).said).toEqual([]);
      const adopted = await house.up(program({ adopt: String(id) }));
      expect([adopted.steps, writes(adopted.requests)]).toEqual([["adopt a"], []]);
    },
  );

  test("the preview of an adoption says that one of two variants with the same SKU is removed", async () => {
    const house = open();
    await house.up([mug([{ sku: "RED", price: 1 }])]);
    const [product] = house.rows("product");
    const doubled = [...variantsOf(house), { id: 77, sku: "RED", price: "2.0", quantity: 3 }];
    house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants: doubled } });
    house.loseState();
    house.loseNotes();
    const ran = await house.up([mug([{ sku: "RED", price: 1 }], { adopt: String(product?.id) })]);
    expect(changesOf(ran.planned)).toEqual([expect.stringMatching(/^variants\[RED\] .* => undefined$/)]);
    expect(variantsOf(house)).toMatchObject([{ sku: "RED", price: "1.0" }]);
  });

  test("a product that has a sku of the program in any of its variants is there: the preview says so, by its id", async () => {
    const house = open();
    const [red, blue] = [
      { sku: "red", price: 1 },
      { sku: "blue", price: 1 },
    ];
    await house.up([mug([red, blue])]);
    house.loseState();
    house.loseNotes();
    const id = house.rows("product")[0]?.id;
    const { said } = await house.preview([mug([blue, red])]);
    expect(said.join()).toContain(`has a Product with variants.sku blue or red already (${id})`);
  });

  test("an equal charge that the client has paid is there too; one that was declined isn't", async () => {
    const house = open();
    const program = [{ kind: "ApplicationCharge", name: "a", args: charge }];
    await house.up(program);
    house.loseState();
    house.loseNotes();
    const id = Number(house.rows("application_charge")[0]?.id);
    const saidOf = async (status: string) => {
      house.shop.edit({ kind: "application_charge", id, set: { status } });
      return (await house.preview(program)).said;
    };
    expect(await saidOf("accepted")).toEqual([
      expect.stringContaining(`an equal ApplicationCharge already (${id})`),
    ]);
    expect(await saidOf("declined")).toEqual([]);
  });

  test("a shop that doesn't let its tags be read is asked for equal ones once, and nothing is said", async () => {
    const house = open({ strict: true });
    const tagOf = (name: string): Resource => ({ kind: "JsTag", name, args: { ...script, content: name } });
    const { said, requests, result } = await house.preview([tagOf("a"), tagOf("b"), tagOf("c")]);
    expect(result?.outcome).toBe("succeeded");
    expect([said, requests]).toEqual([[], ["GET /admin/js_tags.xml"]]);
  });

  test("what wasn't in the preview isn't done", async () => {
    const house = open();
    await house.up([coupon("a")]);
    const ran = await house.up([coupon("a", { discount: 15 })], {}, () => {});
    expect(ran.result?.outcome).toBe("succeeded");
    expect(ran.requests).toHaveLength(ran.planned.requestsNeeded as number);
  });
});

test("a file that is named outright now, as the shop serves it, stays where it is", async () => {
  const house = open();
  const file = (args: Resource["args"]): Resource => ({ kind: "File", name: "a", args });
  await house.up([file({ content: "a", filename: "размер a.csv" })]);
  const id = String(house.rows("file")[0]?.id);
  house.loseState();
  house.loseNotes();
  // An object that was taken over without a name of the program's.
  const src = String(house.rows("file")[0]?.absolute_url);
  await house.up([file({ src, adopt: id })]);
  expect((await house.go([file({ src, adopt: id })])).result?.failures).toEqual([]);
  const named = await house.up([file({ src, filename: "размер a.csv", adopt: id })]);
  expect(named.steps).toEqual([]);
  expect(house.rows("file").map((row) => String(row.id))).toEqual([id]);
});

describe("what walks found", () => {
  test("up --refresh takes back what staff changed: what the refresh found is no step of the plan", async () => {
    const house = open();
    const program = [coupon("a", { description: "d" })];
    await house.up(program);
    house.shop.edit({
      kind: "discount_code",
      id: Number(house.rows("discount_code")[0]?.id),
      set: { description: "theirs" },
    });
    const ran = await house.up(program, { refresh: true });
    expect(ran.result?.failures).toEqual([]);
    expect(house.rows("discount_code")[0]).toMatchObject({ description: "d" });
    expect(ran.planned.requestsNeeded).toBe(4);
  });

  test("what was renamed and then removed is deleted, as the preview says", async () => {
    const house = open();
    const id = await staffCoupon(house);
    await house.up([coupon("a", { adopt: id })]);
    await house.up([coupon("b", { adopt: id })]);
    const ran = await house.up([], { refresh: true });
    expect(ran.planned.steps).toEqual(["delete b"]);
    expect(ran.said).toEqual([]);
    expect(house.rows("discount_code")).toEqual([]);
  });

  const recurring = (name: string, monthly: number, more: Partial<Resource> = {}): Resource => ({
    kind: "RecurringCharge",
    name,
    args: { monthly },
    ...more,
  });

  test("the one charge of a shop under another name is a rename, not another charge", async () => {
    const house = open();
    await house.up([recurring("plan", 10)]);
    const moved = await house.up([recurring("plan", 10, { parent: "billing" })]);
    expect(moved.planned.steps).toEqual(["rename plan"]);
    expect(writes(moved.requests)).toEqual([]);
    expect(house.state()).toHaveLength(1);
    const dearer = await house.up([recurring("monthly", 12)]);
    expect(dearer.planned.result?.failures[0]?.message).toContain("with other terms");
    expect(writes(dearer.requests)).toEqual([]);
    expect(house.rows("recurring_charge")).toMatchObject([{ monthly: "10.0" }]);
  });

  test.each(["dynamic", "plugin"] as const)(
    "a replaced charge that retainOnDelete leaves in the shop keeps the amount that staff set; if the program changes it too, it is a conflict (%s)",
    async (form) => {
      const house = open();
      const select = { by: "replace", names: ["plan"] } as const;
      const plan = (monthly: number) => [recurring("plan", monthly, { retainOnDelete: true })];
      const amount = () => house.rows("recurring_charge")[0]?.monthly;
      await house.up(plan(10), { form });
      const id = Number(house.rows("recurring_charge")[0]?.id);
      house.shop.edit({ kind: "recurring_charge", id, set: { monthly: "12.0" } });
      for (const config of [{}, { "shop:adopt": "key" }]) {
        const kept = await house.up(plan(10), { form, config, select });
        expect([kept.result?.outcome, amount(), kept.said.join()]).toEqual([
          "succeeded",
          "12.0",
          expect.stringContaining("monthly"),
        ]);
      }
      const both = await house.up(plan(11), { form, select });
      expect([both.result?.failures[0]?.message, amount()]).toEqual([
        expect.stringMatching(/^conflict:/),
        "12.0",
      ]);
    },
  );

  test("what staff changed is kept by a rename, and no request is announced for it", async () => {
    const house = open();
    const config = { "shop:adopt": "key" };
    await house.up([recurring("plan", 10)]);
    const id = Number(house.rows("recurring_charge")[0]?.id);
    house.shop.edit({ kind: "recurring_charge", id, set: { monthly: "12.0" } });
    const moved = await house.up([recurring("plan", 10, { parent: "billing" })], { config });
    expect(moved.steps).toEqual(["rename plan"]);
    expect(moved.requests).toHaveLength(moved.planned.requestsNeeded ?? 0);
    expect(house.rows("recurring_charge")).toMatchObject([{ monthly: "12.0" }]);
  });

  test("two resources of what a shop has once: the second is refused by name, also where the shop has none", async () => {
    const house = open();
    const both = await house.up([recurring("plan", 10), recurring("other", 10)]);
    expect(both.planned.result?.failures.map(({ message }) => message).join()).toMatch(
      /resource plan of this stack has it already; two resources/,
    );
    expect(writes(both.requests)).toEqual([]);
    await house.up([recurring("plan", 10)]);
    house.shop.edit({
      kind: "recurring_charge",
      id: Number(house.rows("recurring_charge")[0]?.id),
      delete: true,
    });
    const beside = await house.up([recurring("plan", 10), recurring("other", 10)]);
    expect(beside.planned.result?.failures.map(({ message }) => message).join()).toMatch(
      /two resources can't manage/,
    );
    expect(house.state().map(({ urn }) => urn.split("::").at(-1))).toEqual(["plan"]);
  });

  test("an edit between the preview and up --refresh is not overwritten unseen", async () => {
    const house = open();
    await house.up([coupon("a", { description: "d" })]);
    const set = (description: string) =>
      house.shop.edit({
        kind: "discount_code",
        id: Number(house.rows("discount_code")[0]?.id),
        set: { description },
      });
    set("shown");
    const ran = await house.up(
      [coupon("a", { description: "d" })],
      { refresh: true },
      () => void set("later"),
    );
    expect(ran.result?.failures[0]?.message).toMatch(/changed in the shop after the preview/);
    expect(house.rows("discount_code")[0]).toMatchObject({ description: "later" });
  });

  test("what an earlier run made and staff changed since is not overwritten by a create that finds it", async () => {
    const house = open();
    const theme = house.rows("theme")[0]?.id;
    const program: Resource[] = [
      {
        kind: "Asset",
        name: "note",
        args: { themeId: theme, type: "Asset::Snippet", name: "note.liquid", content: "ours" },
      },
    ];
    await cutOff(house, program);
    const row = () => house.rows("asset").find(({ name }) => name === "note.liquid");
    house.shop.edit({ kind: "asset", id: Number(row()?.id), set: { content: "theirs" } });
    const ran = await house.up(program);
    expect(ran.result?.failures[0]?.message).toMatch(/was interrupted, .* other content: set adopt/);
    expect(row()).toMatchObject({ content: "theirs" });
  });

  test("a tag whose create was interrupted and that staff edited since is named, and not created again unasked", async () => {
    const house = open();
    const program: Resource[] = [
      {
        kind: "JsTag",
        name: "counter",
        args: { type: "JsTag::TextTag", name: "counter", content: "ours()" },
      },
    ];
    await cutOff(house, program);
    const id = Number(house.rows("js_tag")[0]?.id);
    house.shop.edit({ kind: "js_tag", id, set: { content: "theirs()" } });
    const ran = await house.up(program);
    expect(ran.result?.failures[0]?.message).toContain(
      `the shop now has ${id}, created since then, with the same name and other content`,
    );
    expect(house.rows("js_tag")).toMatchObject([{ id, content: "theirs()" }]);
    const word = await house.go(program, { env: { SHOP_RESEND: "counter" } });
    expect(word.result?.outcome).toBe("succeeded");
    expect(house.rows("js_tag")).toHaveLength(2);
  });

  test.each([
    ["Product", "product", { title: "Mug", variants: [{ sku: "M", price: 1 }] }],
    ["File", "file", { filename: "a.txt", content: "a" }],
    ["JsTag", "js_tag", { type: "JsTag::TextTag", content: "count()" }],
  ])(
    "%s: where a proxy's clock is ahead of the shop's, a create whose answer was lost is not sent again: a person decides",
    async (kind, table, args) => {
      const house = open();
      const program = (more: object = {}): Resource[] => [{ kind, name: "x", args: { ...args, ...more } }];
      const dateAheadMs = 600_000;
      house.shop.faults.add({ fault: "drop-after-commit", method: "POST", times: 1 });
      const lost = await house.go(program(), { dateAheadMs });
      const id = String(house.rows(table)[0]?.id);
      const named = `the shop has ${id} with the same content, dated before the create`;
      expect(lost.result?.failures[0]?.message).toContain(named);
      const again = await house.go(program(), { dateAheadMs });
      expect([again.result?.failures[0]?.message, writes(again.requests)]).toEqual([
        expect.stringContaining(named),
        [],
      ]);
      const before = house.moment();
      const adopted = await house.up(program({ adopt: id }), { dateAheadMs });
      expect([adopted.steps, writes(adopted.requests)]).toEqual([["adopt x"], []]);
      expect(house.rows(table)).toHaveLength(1);
      house.goTo(before);
      const word = await house.go(program(), { dateAheadMs, env: { SHOP_RESEND: "x" } });
      expect([word.result?.outcome, house.rows(table).length]).toEqual(["succeeded", 2]);
    },
  );

  test("a tag whose name the shop ignored and whose answer was lost is named, not created again; adopt and --resend lead on", async () => {
    const house = open();
    const program = (more: object = {}) => [tag("counter", { name: "counter", content: "count()", ...more })];
    house.setWhim({ how: "ignores", element: "name" });
    house.shop.faults.add({ fault: "drop-after-commit", method: "POST", times: 1 });
    const lost = await house.up(program());
    const id = Number(house.rows("js_tag")[0]?.id);
    const named = `the shop now has ${id}, created since then, with the same content and another name`;
    expect(lost.result?.failures[0]?.message).toContain(named);
    expect((await house.up(program())).result?.failures[0]?.message).toContain(named);
    expect(house.rows("js_tag")).toHaveLength(1);
    const before = house.moment();
    const adopted = await house.up(program({ name: undefined, adopt: String(id) }));
    expect([adopted.planned.steps, adopted.steps, writes(adopted.requests)]).toEqual([
      ["adopt counter"],
      ["adopt counter"],
      [],
    ]);
    expect(adopted.requests).toHaveLength(adopted.planned.requestsNeeded ?? 0);
    const again = await house.up(program({ name: undefined, adopt: String(id) }));
    expect([adopted.said, again.steps, again.said, again.planned.requestsNeeded]).toEqual([[], [], [], 0]);
    house.goTo(before);
    const word = await house.go(program(), { env: { SHOP_RESEND: "counter" } });
    expect(word.result?.outcome).toBe("succeeded");
    expect(house.rows("js_tag")).toMatchObject([{ id }, { name: "counter" }]);
  });

  test("a tag whose name the shop ignored and that a cut-off create has left is named until it is gone, by a destroy too", async () => {
    const house = open();
    const program = [tag("counter", { name: "counter", content: "count()" })];
    house.setWhim({ how: "ignores", element: "name" });
    await cutOff(house, program);
    const id = String(house.rows("js_tag")[0]?.id);
    for (const run of [() => house.go([]), () => house.destroy(), () => house.go([])]) {
      const { said } = await run();
      expect(said.at(-1)).toContain("a create of JsTag (resource counter) was interrupted");
      expect(said.at(-1)).toContain(id);
    }
    house.shop.store.remove("js_tag", Number(id));
    expect((await house.go([])).said).toEqual([]);
    expect((await house.go([])).requests).toEqual([]);
  });

  test("a create that was interrupted, on a shop that doesn't let such objects be read: a person decides", async () => {
    const house = open({ strict: true });
    const program = [tag("counter", { name: undefined, content: "count()" })];
    await cutOff(house, program);
    const said = "this shop doesn't allow reading such objects: look in the back office";
    const again = await house.go(program);
    expect([again.result?.failures[0]?.message, writes(again.requests)]).toEqual([
      expect.stringContaining(said),
      [],
    ]);
    expect((await house.go([])).said.at(-1)).toContain(said);
    const resend = { env: { SHOP_RESEND: "counter" } };
    // The word holds for what was sent before it: one that is lost in its turn isn't sent twice.
    house.shop.faults.add({ fault: "drop-after-commit", method: "POST", times: 1 });
    const lost = await house.go(program, resend);
    expect([lost.result?.failures[0]?.message, writes(lost.requests)]).toEqual([
      expect.stringContaining(said),
      ["POST /admin/js_tags.xml"],
    ]);
    const word = await house.go(program, resend);
    expect([word.result?.outcome, writes(word.requests)]).toEqual(["succeeded", ["POST /admin/js_tags.xml"]]);
  });

  test.each([
    ["whose answer was lost", "drop-after-commit"],
    ["whose answer can't be read", "garbage"],
  ] as const)(
    "a tag whose name the shop ignored and %s isn't taken for a twin that is seconds older: both are named",
    async (_name, fault) => {
      const house = open();
      const program = (more: object = {}) => [
        tag("counter", { name: "counter", content: "count()", ...more }),
      ];
      await house.go(program());
      house.loseState();
      house.loseNotes();
      house.setWhim({ how: "ignores", element: "name" });
      house.shop.faults.add({ fault, method: "POST", times: 1 });
      const lost = await house.up(program());
      const [older, newer] = house.rows("js_tag").map(({ id }) => Number(id));
      const named = `the shop now has 2 that could be it: ${older}, ${newer}`;
      expect(lost.result?.failures[0]?.message).toContain(named);
      const again = await house.up(program());
      expect([again.result?.failures[0]?.message, writes(again.requests)]).toEqual([
        expect.stringContaining(named),
        [],
      ]);
      const adopted = await house.up(program({ adopt: String(older) }));
      expect([adopted.steps, writes(adopted.requests)]).toEqual([["adopt counter"], []]);
      expect(house.rows("js_tag")).toHaveLength(2);
    },
  );

  test.each([
    [
      "ApplicationCharge",
      { name: "S", price: 1, returnUrl: "https://a.example.test/" },
      { name: "S", price: 2, returnUrl: "https://a.example.test/" },
      "application_charge",
    ],
    ["File", { filename: "a.csv", content: "a" }, { filename: "a.csv", content: "b" }, "file"],
  ])(
    "%s: one that an earlier run made with other arguments is replaced by the next run",
    async (kind, args, changed, table) => {
      const house = open();
      await cutOff(house, [{ kind, name: "x", args }]);
      const id = String(house.rows(table)[0]?.id);
      const first = await house.up([{ kind, name: "x", args: changed }]);
      expect(first.result?.failures[0]?.message).toMatch(/run again to replace it/);
      const second = await house.up([{ kind, name: "x", args: changed }]);
      expect(second.steps).toEqual(["replace x"]);
      const live = house.rows(table).filter(({ status }) => status !== "declined");
      expect(live).toHaveLength(1);
      expect(String(live[0]?.id)).not.toBe(id);
      expect((await house.up([{ kind, name: "x", args: changed }])).steps).toEqual([]);
    },
  );

  test.each([
    ["renamed without an alias", "b"],
    ["removed from the program", undefined],
  ])("a charge whose create was lost, %s: the look for it is announced", async (_how, name) => {
    const house = open();
    const charge = (called: string): Resource => ({
      kind: "ApplicationCharge",
      name: called,
      args: { name: "S", price: 1, returnUrl: "https://a.example.test/" },
    });
    house.shop.faults.add({ fault: "drop-before", method: "POST", times: 1 });
    const lost = await house.up([charge("a")]);
    expect(lost.result?.failures[0]?.message).toContain(
      "It costs money, so pulumi-shop doesn't send it again",
    );
    const ran = await house.up(name === undefined ? [] : [charge(name)]);
    expect(ran.result?.outcome).toBe("succeeded");
    expect(ran.requests).toEqual([
      ...(name === undefined ? [] : ["POST /admin/application_charges.xml"]),
      "GET /admin/application_charges.xml",
    ]);
    expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
    expect((await house.up([])).planned.requestsNeeded).toBe(name === undefined ? 0 : 2);
  });

  test("an object that was left unfinished is looked at before it is deleted: the look is announced", async () => {
    const house = open();
    house.setWhim({ how: "ignores", element: "description" });
    const left = await house.go([coupon("a", { description: "ours" })]);
    expect(left.result?.failures[0]?.message).toContain("the shop answered without taking description");
    const address = `/admin/discount_codes/${house.rows("discount_code")[0]?.id}.xml`;
    const moved = await house.up([coupon("a", { code: "OTHER" }, { parent: "group" })]);
    expect(moved.steps).toEqual(["create a", "delete a"]);
    expect(moved.requests).toEqual(["POST /admin/discount_codes.xml", `GET ${address}`, `DELETE ${address}`]);
    expect(moved.planned.requestsNeeded).toBe(3);
  });

  test("what a replacement that failed has left is a step of its own beside the next one, announced and counted", async () => {
    const house = open();
    const charge = (price: number): Resource => ({
      kind: "ApplicationCharge",
      name: "setup",
      args: { name: "S", price, returnUrl: "https://a.example.test/" },
    });
    await house.up([charge(1)]);
    house.shop.faults.add({ fault: "500", method: "POST", path: "*/decline*", times: 9 });
    const failed = await house.up([charge(2)]);
    expect(failed.result?.outcome).toBe("failed");
    expect(house.state().map((one) => one.delete === true)).toEqual([false, true]);
    house.shop.faults.clear();
    const [first, second] = house.rows("application_charge").map((row) => String(row.id));
    const ran = await house.up([charge(3)]);
    const of = (id: string | undefined) => `/admin/application_charges/${id}`;
    expect(ran.planned.steps).toEqual(["replace setup", "delete-replaced setup"]);
    expect(ran.requests).toEqual([
      "POST /admin/application_charges.xml",
      `GET ${of(first)}.xml`,
      `GET ${of(second)}.xml`,
      `POST ${of(first)}/decline.xml`,
      `POST ${of(second)}/decline.xml`,
    ]);
    expect(ran.planned.requestsNeeded).toBe(5);
  });

  describe("what the shop left unfinished and staff changed since", () => {
    const start = async (house: ReturnType<typeof open>) => {
      house.setWhim({ how: "ignores", element: "description" });
      const first = await house.go([coupon("a", { description: "ours" })]);
      expect(first.result?.failures[0]?.message).toContain("without taking description");
      const id = Number(house.rows("discount_code")[0]?.id);
      house.shop.edit({ kind: "discount_code", id, set: { discount: "55.0" } });
    };
    const expectSame = (ran: Awaited<ReturnType<ReturnType<typeof open>["up"]>>) => {
      const messages = ({ result }: typeof ran | typeof ran.planned) =>
        (result?.failures ?? []).map(({ message }) => message);
      expect(ran.planned.steps).toEqual(ran.steps);
      expect(messages(ran.planned)).toEqual(messages(ran));
      return messages(ran);
    };

    test("a delete of it is a conflict, in the preview as in the run", async () => {
      const house = open();
      await start(house);
      const ran = await house.up([]);
      expect(ran.planned.steps).toEqual(["delete a refused"]);
      expect(expectSame(ran)).toEqual([expect.stringContaining("discount: was 10 %, is now 55 %")]);
      expect(house.rows("discount_code")).toHaveLength(1);
      const word = await house.up([], {
        env: { SHOP_OVERWRITE: `Coupon:${house.rows("discount_code")[0]?.id}` },
      });
      expect(word.planned.steps).toEqual(["delete a"]);
      expect(house.rows("discount_code")).toEqual([]);
    });

    test("an update of what they changed is a conflict, of another field it isn't", async () => {
      const house = open();
      await start(house);
      const both = await house.up([coupon("a", { description: "ours", discount: 20 })]);
      expect(both.planned.steps).toEqual(["update a refused"]);
      expect(expectSame(both)).toHaveLength(1);
      const other = await house.up([coupon("a", { description: "ours" })]);
      expect(other.planned.steps).toEqual(["update a"]);
      expect(expectSame(other)).toEqual([]);
      expect(house.rows("discount_code")).toMatchObject([{ description: "ours", discount: "55.0" }]);
    });
  });

  test("what a replacement left and staff changed since stays; the next replacement is done beside it", async () => {
    const house = open();
    await house.up([counter("a")]);
    house.shop.faults.add({ fault: "500", method: "DELETE", path: "*", times: 9 });
    await house.up([counter("b")]);
    house.shop.faults.clear();
    const [left] = house.rows("js_tag").map(({ id }) => Number(id));
    house.shop.edit({ kind: "js_tag", id: Number(left), set: { content: "theirs" } });
    const ran = await house.up([counter("c")]);
    expect(ran.planned.steps).toEqual(["replace counter", "delete-replaced counter refused"]);
    expect(ran.steps.toSorted()).toEqual(ran.planned.steps.toSorted());
    expect(house.rows("js_tag").map(({ content }) => content)).toEqual(["theirs", "c"]);
  });

  test("a variant that staff add between the run's look and its proof stays, and no later run deletes it unseen", async () => {
    const house = open();
    const two = [
      { sku: "A", price: 1 },
      { sku: "B", price: 2 },
    ];
    await house.up([mug(two)]);
    let last = "";
    const ran = await house.up([mug(two.slice(0, 1))], {
      onRequest: (line) => {
        if (last.startsWith("DELETE ")) {
          const [row] = house.rows("product");
          const variants = [...variantsOf(house), { id: 5_000_001, sku: "theirs", price: "9.0" }];
          house.shop.edit({ kind: "product", id: Number(row?.id), set: { variants } });
        }
        last = line;
      },
    });
    expect(ran.result?.failures).toEqual([]);
    expect(ran.said.join()).toContain("variants[theirs] was added");
    expect(variantsOf(house)).toMatchObject([{ sku: "A" }, { sku: "theirs" }]);
    const next = await house.up([mug([{ sku: "A", price: 3 }])]);
    expect(next.result?.outcome).toBe("succeeded");
    expect(variantsOf(house)).toMatchObject([{ sku: "A", price: "3.0" }, { sku: "theirs" }]);
  });

  describe("what staff edit between a write and the run's look at what came of it is theirs", () => {
    const two = [
      { sku: "A", price: 1 },
      { sku: "B", price: 2 },
    ];
    /** Staff edit the product right after the request whose line begins so. */
    const after = (house: ReturnType<typeof open>, start: string, edit: (row: Stored) => Values) => {
      let last = "";
      return (line: string) => {
        const [row] = house.rows("product");
        if (last.startsWith(start) && row !== undefined)
          house.shop.edit({ kind: "product", id: row.id, set: edit(row) });
        last = line;
      };
    };
    const marks = (ran: Ran) =>
      ran.notices.flatMap((notice) => (notice.type === "puts-back" ? notice.fields : []));

    test.each<readonly [string, more: object, loses: boolean]>([
      ["update", {}, false],
      ["adoption", { adopt: "key" }, true],
    ])("a value of an %s", async (_what, more, loses) => {
      const house = open();
      await house.up([mug(two, { description: "d" })]);
      if (loses) {
        house.loseState();
        house.loseNotes();
      }
      const program = [mug([{ sku: "A", price: 5 }], { permalink: "mug", title: "Ours", ...more })];
      const onRequest = after(house, "DELETE ", ({ variants }) => ({
        title: "Theirs",
        variants: (variants as readonly Stored[]).map((one) => ({ ...one, price: "7.0" })),
      }));
      const ran = await house.up(program, { onRequest });
      expect(ran.result?.failures).toEqual([]);
      expect(ran.said.join()).toContain(
        'kept: title: "Ours" => "Theirs"; variants[A].price: 5 => 7; refresh takes it into the state',
      );
      const next = await house.up(program);
      expect(next.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
      expect(house.rows("product")).toMatchObject([{ title: "Theirs", variants: [{ price: "7.0" }] }]);
      await house.refresh();
      expect(marks((await house.up(program)).planned)).toMatchObject([
        { path: "title", is: "Theirs", asked: "Ours" },
        { path: "variants[A].price", is: 7, asked: 5 },
      ]);
    });

    test("a new variant: its price, or all of it", async () => {
      const house = open();
      await house.up([mug(two)]);
      const program = [mug([...two.slice(0, 1), { sku: "C", price: 3 }, { sku: "D", price: 4 }])];
      const onRequest = after(house, "DELETE ", ({ variants }) => ({
        variants: (variants as readonly Stored[]).flatMap((one) =>
          one.sku === "D" ? [] : [one.sku === "C" ? { ...one, price: "9.0" } : one],
        ),
      }));
      const ran = await house.up(program, { onRequest });
      expect(ran.result?.failures).toEqual([]);
      expect(ran.said.join()).toContain("variants[C].price: 3 => 9; variants[D] was removed");
      const next = await house.up(program);
      expect(next.result?.failures).toEqual([]);
      expect(variantsOf(house)).toMatchObject([{ sku: "A" }, { sku: "C", price: "9.0" }]);
    });

    test("a value of a create, whose answer left something out", async () => {
      const house = open();
      house.setWhim({ how: "ignores", element: "description" });
      const onRequest = after(house, "POST ", () => ({ title: "Theirs", description: "Cup" }));
      const program = [mug(two, { description: "Cup" })];
      const ran = await house.up(program, { onRequest });
      expect(ran.result?.failures).toEqual([]);
      const next = await house.up(program);
      expect(next.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
      expect(house.rows("product")).toMatchObject([{ title: "Theirs", description: "Cup" }]);
    });

    test("where no answer shows whether the shop took it, the next preview marks what it puts back", async () => {
      const house = open();
      await house.up([coupon("a", { minPrice: 10 })]);
      const program = [coupon("a", { discount: 20, minPrice: 30 })];
      let last = "";
      const ran = await house.up(program, {
        onRequest(line) {
          const [row] = house.rows("discount_code");
          if (last.startsWith("PUT ") && row !== undefined)
            house.shop.edit({ kind: "discount_code", id: row.id, set: { discount: "55.0" } });
          last = line;
        },
      });
      expect(ran.result?.failures[0]?.message).toContain(
        "the shop has discount: expected 20, got 55: somebody changed it since, or the shop didn't take it; the next preview shows the values that up would put back",
      );
      expect(marks((await house.up(program)).planned)).toMatchObject([
        { path: "discount", is: 55, asked: 20 },
      ]);
    });
  });

  test("a replacement looks once, also where its successor takes its time: what was announced is sent", async () => {
    const house = open();
    await house.up([counter("a")]);
    const onRequest = (line: string) => {
      if (line.startsWith("POST ")) house.clock.offsetMs += 30_000;
    };
    const ran = await house.up([counter("b")], { onRequest });
    expect(ran.requests).toHaveLength(3);
    expect(ran.planned.requestsNeeded).toBe(3);
  });

  test("a replacement that is refused looks too: that is announced, also where nothing else is to do", async () => {
    const house = open();
    await house.up([counter("a")]);
    house.shop.edit({ kind: "js_tag", id: Number(house.rows("js_tag")[0]?.id), set: { content: "theirs" } });
    const ran = await house.up([counter("b")]);
    expect([ran.planned.steps, ran.steps]).toEqual([["update counter refused"], ["update counter refused"]]);
    expect(ran.requests).toHaveLength(1);
    expect(ran.planned.requestsNeeded).toBe(1);
  });

  test("the preview of what was left unfinished says what is missing", async () => {
    const house = open();
    house.setWhim({ how: "ignores", element: "description" });
    const program = [coupon("a", { description: "ours" })];
    await house.go(program);
    const { planned } = await house.up(program);
    expect(planned.plan.map(({ op, missing }) => [op, missing])).toEqual([
      ["update", [expect.stringContaining('description: expected "ours", got unset')]],
    ]);
  });

  test("up --refresh doesn't delete what was changed after its preview", async () => {
    const house = open();
    await house.up([coupon("a")]);
    const ran = await house.up([], { refresh: true }, () => {
      const id = Number(house.rows("discount_code")[0]?.id);
      house.shop.edit({ kind: "discount_code", id, set: { discount: "55.0" } });
    });
    expect(ran.planned.steps).toEqual(["delete a"]);
    expect(ran.steps).toEqual(["update a refused", "delete a refused"]);
    expect(house.rows("discount_code")).toMatchObject([{ discount: "55.0" }]);
  });

  test("taking an object over changes no more of it than the preview said", async () => {
    const house = open();
    const adopt = await staffCoupon(house);
    const set = { discount: "55.0" };
    const ran = await house.up([coupon("a", { adopt })], {}, () => {
      house.shop.edit({ kind: "discount_code", id: Number(adopt), set });
    });
    expect(ran.planned.steps).toEqual(["adopt a"]);
    expect(ran.steps).toEqual(["adopt a refused"]);
    expect(ran.result?.failures[0]?.message).toContain(
      "discount differs from the preview: it was changed in the shop since",
    );
    expect(house.rows("discount_code")).toMatchObject([set]);
  });
});

describe("a rename that nobody told", () => {
  const product = (name: string, skus: readonly string[], more: Partial<Resource> = {}): Resource => ({
    kind: "Product",
    name,
    args: { title: name, variants: skus.map((sku) => ({ sku, price: 1 })) },
    ...more,
  });
  const file = (name: string): Resource => ({
    kind: "File",
    name,
    args: { filename: "a.csv", content: "a" },
  });

  test.each(["dynamic", "plugin"] as const)(
    "is refused with the line that keeps it, for what has a key, a sku, or only its content (%s)",
    async (form) => {
      const house = open();
      await house.up([product("old", ["a", "b"]), tag("t"), file("f")], { form });
      const program = [product("new", ["c", "b"]), tag("t2"), file("f2")];
      const ran = await house.up(program, { form });
      expect(ran.guarded).toEqual([
        expect.stringMatching(
          /^Product new would be created, and Product old deleted, although both are the same object \(variants\.sku b\): give it aliases: \[\{ name: "old" \}\], or run pulumi-shop state rename old new; pass --allow new to create it anyway$/,
        ),
        expect.stringContaining("JsTag t2 would be created, and JsTag t deleted"),
        expect.stringContaining('aliases: [{ name: "f" }]'),
      ]);
      expect(writes(ran.requests)).toEqual([]);
      const aliased = program.map((one, at) => ({ ...one, aliases: [["old", "t", "f"][at] as string] }));
      const kept = await house.up(aliased, { form });
      expect([kept.result?.outcome, house.rows("product").length, house.rows("file").length]).toEqual([
        "succeeded",
        1,
        1,
      ]);
    },
  );

  test.each(["dynamic", "plugin"] as const)(
    "is refused where another resource takes the old name, and the state's command keeps it (%s)",
    async (form) => {
      const house = open();
      const b = { ...file("b"), args: { filename: "a.csv", content: "b" } };
      await house.up([file("a")], { form });
      const [{ id } = {}] = house.rows("file");
      const program = [
        { ...b, name: "a" },
        { ...file("a"), name: "b" },
      ];
      const ran = await house.up(program, { form });
      expect(ran.guarded).toEqual([
        "File b would be created, and File a replaced, although both are the same object (all values are equal): " +
          "run pulumi-shop state rename a b; pass --allow b to create it anyway",
      ]);
      expect(writes(ran.requests)).toEqual([]);
      // What keeps its name in the shop too is another file.
      const other = [
        { ...b, name: "a" },
        { ...file("c"), args: { filename: "c.csv", content: "a" } },
      ];
      expect((await house.preview(other, { form })).guarded).toEqual([]);
      expect(house.rows("file").map((row) => row.id)).toEqual([id]);
      expect((await house.up(program, { form, env: chosenEnv({ allow: ["b"] }) })).steps.toSorted()).toEqual([
        "create b",
        "replace a",
      ]);
    },
  );

  test("is refused where a resource moves into a component, with its old parent, and permitted by name", async () => {
    const house = open();
    await house.up([product("mug", ["a"])]);
    const program = [product("mug", ["a"], { parent: "group" })];
    const ran = await house.up(program);
    expect(ran.guarded.join()).toContain("aliases: [{ parent: pulumi.rootStackResource }];");
    const permitted = await house.up(program, { env: chosenEnv({ allow: ["mug"] }) });
    expect(permitted.steps).toEqual(["create mug", "delete mug"]);
  });

  test("is none where another object of the kind is made, and its content differs", async () => {
    const house = open();
    await house.up([product("old", ["a"]), file("f")]);
    const other = { kind: "File", name: "f2", args: { filename: "a.csv", content: "b" } };
    expect((await house.up([product("new", ["b"]), other])).guarded).toEqual([]);
  });

  test("is none where both tags keep their names, and one is replaced by an equal of the other, which is replaced as well", async () => {
    const moves: readonly Move[] = [
      { do: "add", kind: 6, slot: 0 },
      { do: "up", how: {} },
      { do: "staff", staff: "make", at: 776 },
      { do: "pull", onlyNew: false },
      { do: "value", at: 0, place: 0 },
      { do: "up", how: {} },
      { do: "items", at: 1, how: "add" },
      { do: "revert", by: 2 },
      { do: "value", at: 1, place: 1 },
    ];
    expect((await walk(moves)).broken).toEqual([]);

    const house = open();
    await house.up([tag("one", { content: "2" }), tag("two")]);
    const ran = await house.up([tag("one"), tag("two", { name: "u" })]);
    expect(ran.guarded).toEqual([]);
    expect(ran.steps).toEqual(["replace one", "replace two"]);
    expect(house.rows("js_tag").map(({ name, content }) => `${String(name)} ${String(content)}`)).toEqual([
      "t 1",
      "u 1",
    ]);
  });
});

test("two files whose ids are gone are looked for in the whole list once, and announced so", async () => {
  const house = open();
  const file = (name: string, args: object): Resource => ({
    kind: "File",
    name,
    args: { filename: `${name}.csv`, content: name, ...args },
  });
  await house.up([file("a", {})]);
  house.capPages(1);
  const program = [file("a", {}), file("b", { adopt: "1" }), file("c", { adopt: "2" })];
  const ran = await house.up(program);
  expect(ran.result?.outcome).toBe("succeeded");
  expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
  expect(ran.requests.filter((line) => line.startsWith("GET ")).length).toBe(2);
});

test("a charge in the place of one that was declined, where the shop has an equal one: the preview says so, by its id", async () => {
  const house = open();
  const setup = (price: number): readonly Resource[] => [
    {
      kind: "ApplicationCharge",
      name: "a",
      args: { name: "Setup", price, returnUrl: "https://a.example.test/" },
    },
  ];
  await house.up(setup(1));
  const older = house.stateText() as string;
  house.clock.offsetMs += 60_000;
  await house.up(setup(2));
  house.putStateBack(older);
  await house.refresh();
  const id = house.rows("application_charge").find(({ status }) => status === "pending")?.id;
  const ran = await house.preview(setup(2));
  expect([ran.steps, ran.said]).toEqual([
    ["replace a"],
    [
      `a: the shop has an equal ApplicationCharge already (${id}): state remove a and adopt: "${id}" adopt it instead of creating another`,
    ],
  ]);
});

test("an older state that is put back a second time, after a refresh and a run, is refused again", async () => {
  const house = open();
  const coupon = (discount: number): readonly Resource[] => [
    { kind: "Coupon", name: "a", args: { code: "A", discount, typeId: 1 } },
  ];
  await house.up(coupon(1));
  const first = house.stateText() as string;
  house.clock.offsetMs += 60_000;
  await house.up(coupon(2));
  const second = house.stateText() as string;
  house.clock.offsetMs += 60_000;
  house.putStateBack(first);
  await house.refresh();
  house.clock.offsetMs += 60_000;
  // A conflict ends the run, so that the newest of the states of before stays kept.
  expect((await house.up(coupon(3))).result?.outcome).toBe("failed");
  house.putStateBack(second);
  expect((await house.go(coupon(3))).error?.message).toContain("an older state of dev was restored");
});

test("the look for what an older state lacks is announced, where the shop has it no more", async () => {
  const house = open();
  const setup: readonly Resource[] = [
    {
      kind: "ApplicationCharge",
      name: "a",
      args: { name: "Setup", price: 1, returnUrl: "https://a.example.test/" },
    },
  ];
  await house.up([]);
  const older = house.stateText() as string;
  house.clock.offsetMs += 60_000;
  await house.up(setup);
  const newer = house.stateText() as string;
  house.clock.offsetMs += 60_000;
  await house.up([]);
  expect(newer).not.toBe(older);
  house.putStateBack(older);
  await house.refresh();
  const ran = await house.up(setup);
  expect(ran.planned.requestsNeeded).toBeGreaterThanOrEqual(ran.requests.length);
});

test("a product that has variants of others isn't deleted with them unseen", async () => {
  const house = open();
  const product: readonly Resource[] = [
    {
      kind: "Product",
      name: "a",
      args: { title: "A", otherVariants: "keep", variants: [{ sku: "A-1", price: 1 }] },
    },
  ];
  await house.up(product);
  const [made] = house.rows("product");
  const own = made?.variants as readonly object[];
  house.shop.edit({
    kind: "product",
    id: Number(made?.id),
    set: { variants: [...own, { sku: "A-2", price: "2.0" }] },
  });
  const ran = await house.up([]);
  expect(JSON.stringify(ran.planned.notices)).toContain("A-2");
  expect(house.rows("product")).toHaveLength(1);
});

test("a variant of others that the program lists again shows their price before it is overwritten, and keeps its stock", async () => {
  const house = open();
  const product = (...variants: readonly object[]): readonly Resource[] => [
    { kind: "Product", name: "a", args: { title: "A", otherVariants: "keep", variants } },
  ];
  const [one, two] = [
    { sku: "A-1", price: 1 },
    { sku: "A-2", price: 2, quantity: 4 },
  ];
  await house.up(product(one, two));
  await house.up(product(one));
  const [made] = house.rows("product");
  const variants = made?.variants as readonly object[];
  const edited = variants.map((variant) =>
    "sku" in variant && variant.sku === "A-2" ? { ...variant, price: "9.5", quantity: 3 } : variant,
  );
  house.shop.edit({ kind: "product", id: Number(made?.id), set: { variants: edited } });
  const ran = await house.up(product(one, two));
  expect(ran.planned.notices).toContainEqual(
    expect.objectContaining({
      type: "puts-back",
      fields: [expect.objectContaining({ path: "variants[A-2].price", is: 9.5, asked: 2 })],
    }),
  );
  expect(house.rows("product")[0]?.variants).toContainEqual(
    expect.objectContaining({ sku: "A-2", price: "2.0", quantity: 3 }),
  );
});

test.each([
  ["a delete", "DELETE", [], mug([{ sku: "M-1", price: 1 }])],
  ["an update", "PUT", [mug([{ sku: "M-1", price: 2 }])], mug([{ sku: "M-1", price: 1 }])],
] as const)("the look at what %s was interrupted in is announced", async (_what, method, cut, whole) => {
  for (const moment of ["send", "answer"]) {
    const house = open();
    await house.up([whole]);
    const plan = ({ path }: { readonly path: string }) =>
      path.startsWith(`${moment} ${method} `) ? ({ crash: "before" } as const) : undefined;
    await house.go(cut, { crash: { plan, left: "all" } });
    const ran = await house.up([whole]);
    expect(ran.result?.outcome).toBe("succeeded");
    expect([moment, ran.planned.requestsNeeded]).toEqual([moment, ran.requests.length]);
  }
});

const sheet = (name: string, rows: readonly object[], more: object = {}): Resource => ({
  kind: "Prices",
  name,
  args: { rows, ...more },
});

/** Products that are nobody's, with two prices each. */
async function goods(house: ReturnType<typeof open>) {
  const variants = ["P-1", "P-2"].map((sku) => ({ sku, price: 50 }));
  await house.go([{ kind: "Product", name: "goods", args: { title: "Goods", variants } }]);
  house.loseState();
  house.loseNotes();
  return () => variantsOf(house).map(({ price }) => price);
}

test("a sheet that gets another name, and states what the old one did, keeps the shop's prices", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const rows = [{ sku: "P-1", price: 40 }];
  const restore = { onRemove: "restore" };
  await house.up([sheet("sale", rows, restore)]);
  const ran = await house.up([sheet("black friday", rows, restore)]);
  const { plan, notices } = ran.planned;
  expect(impactLines(impactOf(plan, "2027-01-15", stepNotices(notices))).map(({ text }) => text)).toEqual([
    "1 price sheet (sale): the shop keeps its current prices",
  ]);
  expect([ran.result?.outcome, writes(ran.requests), pricesNow()]).toEqual([
    "succeeded",
    [],
    ["40.0", "50.0"],
  ]);
  await house.up([]);
  expect(pricesNow()).toEqual(["50.0", "50.0"]);
});

test("a row of a sheet whose variant staff gave another SKU is that row, and puts back what was there before it", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const of = (sku: string, price: number) => [sheet("sale", [{ sku, price }], { onRemove: "restore" })];
  await house.up(of("P-1", 40));
  const variants = variantsOf(house).map((one) => (one.sku === "P-1" ? { ...one, sku: "P-9" } : one));
  house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), set: { variants } });
  const ran = await house.up(of("P-9", 45));
  expect([ran.result?.outcome, pricesNow()]).toEqual(["succeeded", ["45.0", "50.0"]]);
  expect((await house.preview(of("P-9", 45))).plan).toEqual([]);
  await house.up([]);
  expect(pricesNow()).toEqual(["50.0", "50.0"]);
});

test("a sheet that takes a row over from another puts back what was there before both, in either order", async () => {
  const restore = { onRemove: "restore" };
  for (const isFirst of [true, false]) {
    const house = open();
    const pricesNow = await goods(house);
    const of = (name: string, ...rows: readonly object[]) => sheet(name, rows, restore);
    const other = { sku: "P-2", price: 45 };
    await house.up([of("thursday", { sku: "P-1", price: 40 }, other)]);
    const next = [of("thursday", other), of("friday", { sku: "P-1", price: 30 })];
    const ran = await house.up(isFirst ? next : next.toReversed());
    expect([isFirst, ran.result?.outcome, pricesNow()]).toEqual([isFirst, "succeeded", ["30.0", "45.0"]]);
    await house.up([]);
    expect(pricesNow()).toEqual(["50.0", "50.0"]);
  }
});

test("two sheets of one name are two, each in its component, also beside one that had the name before", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const of = (sku: string, price: number, more: Partial<Resource> = {}) => ({
    ...sheet("list", [{ sku, price }]),
    ...more,
  });
  const one = { parent: "group" };
  const renamed = { name: "old", aliases: ["list"] };
  for (const [program, prices] of [
    [
      [of("P-1", 40), of("P-2", 45, one)],
      ["40.0", "45.0"],
    ],
    [
      [of("P-2", 46, one), of("P-1", 41)],
      ["41.0", "46.0"],
    ],
    [
      [of("P-1", 41, renamed), of("P-2", 46, one)],
      ["41.0", "46.0"],
    ],
    [
      [of("P-2", 47), of("P-1", 42, renamed)],
      ["42.0", "47.0"],
    ],
  ] as const) {
    const ran = await house.up(program);
    expect([ran.error?.message, ran.result?.outcome, pricesNow()]).toEqual([undefined, "succeeded", prices]);
  }
  const twice = await house.up([of("P-1", 40), of("P-1", 45, one)]);
  expect(JSON.stringify(twice.planned.result)).toContain("remove it from one of the two");
});

test("a sheet without rows asks nothing, and what its end puts back is shown before", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const restore = { onRemove: "restore" };
  await house.up([sheet("sale", [{ sku: "P-1", price: 40 }], restore), sheet("list", [])]);
  const ran = await house.up([sheet("list", [])]);
  expect(ran.planned.notices).toContainEqual(
    expect.objectContaining({ type: "text", id: "sale", lines: "~ P-1 (Goods) price: 40 => 50 (+25 %)" }),
  );
  expect([ran.result?.outcome, pricesNow()]).toEqual(["succeeded", ["50.0", "50.0"]]);
});

test.each<[what: string, rows: readonly object[], after: readonly string[]]>([
  ["the row", [{ sku: "P-2", price: 40 }], ["50.0", "40.0"]],
  ["every row", [], ["50.0", "50.0"]],
  [
    "the cell",
    [
      { sku: "P-1", oldPrice: 60 },
      { sku: "P-2", price: 40 },
    ],
    ["50.0", "40.0"],
  ],
  ["the column", [{ sku: "P-1", oldPrice: 60 }], ["50.0", "50.0"]],
  ["the column, with another value beside it", [{ sku: "P-1", oldPrice: 61 }], ["50.0", "50.0"]],
])(
  "what a sheet was to put back, and a run that failed did not, the next run puts back: %s",
  async (_what, rows, after) => {
    const house = open();
    const pricesNow = await goods(house);
    const restore = { onRemove: "restore" };
    await house.up([
      sheet(
        "sale",
        [
          { sku: "P-1", price: 40, oldPrice: 60 },
          { sku: "P-2", price: 40 },
        ],
        restore,
      ),
    ]);
    const failed = await house.go([sheet("sale", rows, restore)], { env: { SHOP_PASSWORD: "0".repeat(32) } });
    expect([failed.result?.outcome, pricesNow()]).toEqual(["failed", ["40.0", "40.0"]]);
    await house.up([sheet("sale", rows, restore)]);
    expect(pricesNow()).toEqual(after);
    // It was put back once: what staff make of it is theirs.
    const id = Number(house.rows("product")[0]?.id);
    const variants = variantsOf(house).map((one) => ({ ...one, price: "40.0" }));
    house.shop.edit({ kind: "product", id, set: { variants } });
    await house.up([sheet("sale", [{ sku: "P-2", price: 41 }], restore)]);
    expect(pricesNow()).toEqual(["40.0", "41.0"]);
  },
);

const cutAtWrite = {
  plan: ({ path }: { readonly path: string }) =>
    path.startsWith("answer PUT ") ? ({ crash: "before" } as const) : undefined,
  left: "all",
} as const;

test("a price whose answer was lost, and that nobody could look at, is the sheet's own in the next run", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const sale = (name: string, price: number) => [
    sheet(name, [{ sku: "P-1", price }], { onRemove: "restore" }),
  ];
  await house.up(sale("sale", 45));
  let isLost = false;
  const failed = await house.go(sale("sale", 40), {
    late: (line) => (line.startsWith("PUT ") ? 0 : undefined),
    onRequest(line) {
      if (isLost) throw new Error("the line is down");
      isLost = line.startsWith("PUT ");
    },
  });
  house.clock.offsetMs += 1_000;
  // The shop carries the write out with the next request.
  await house.preview([]);
  expect([failed.result?.outcome, pricesNow()]).toEqual(["failed", ["40.0", "50.0"]]);
  const ran = await house.up(sale("autumn", 30));
  expect([ran.result?.outcome, pricesNow()]).toEqual(["succeeded", ["30.0", "50.0"]]);
  await house.up([]);
  expect(pricesNow()).toEqual(["50.0", "50.0"]);
});

test("after a restoring sheet was interrupted, the next run sends as many requests as its preview said", async () => {
  const house = open();
  const pricesNow = await goods(house);
  house.capPages(1);
  const sale = [
    sheet("list", [{ sku: "P-1", price: 45 }]),
    sheet("sale", [{ sku: "P-2", price: 40 }], { onRemove: "restore" }),
  ];
  await house.go(sale, { crash: cutAtWrite });
  const ran = await house.up(sale);
  expect([ran.result?.outcome, pricesNow()]).toEqual(["succeeded", ["45.0", "40.0"]]);
  expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
  await house.up([]);
  expect(pricesNow()).toEqual(["45.0", "50.0"]);
});

test.each([
  { staff: undefined, prices: ["40.0", "50.0"], line: "~ P-2 (Goods) price: 40 => 50 (+25 %)" },
  {
    staff: "45.0",
    prices: ["40.0", "45.0"],
    line: "  P-2 (Goods) price was changed in the shop and stays 45",
  },
])(
  "a row that an interrupted run wrote, and that its sheet no longer has, gets its price back: %o",
  async (row) => {
    const house = open();
    const pricesNow = await goods(house);
    const sale = (...skus: readonly string[]) => {
      const rows = skus.map((sku) => ({ sku, price: 40 }));
      return [sheet("sale", rows, { onRemove: "restore" })];
    };
    await house.up(sale("P-1"));
    await house.go(sale("P-1", "P-2"), { crash: cutAtWrite });
    const id = Number(house.rows("product")[0]?.id);
    const variants = variantsOf(house).map((one) => (one.sku === "P-2" ? { ...one, price: row.staff } : one));
    if (row.staff !== undefined) house.shop.edit({ kind: "product", id, set: { variants } });
    const ran = await house.up(sale("P-1"));
    expect([ran.result?.outcome, pricesNow()]).toEqual(["succeeded", row.prices]);
    expect(ran.planned.notices).toContainEqual(
      expect.objectContaining({ lines: expect.stringContaining(row.line) }),
    );
    expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
    expect((await house.up(sale("P-1"))).steps).toEqual([]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a row that leaves a restoring sheet in the run that renames the sheet gets its price back: %s",
  async (form) => {
    const { broken } = await walk([
      { do: "form", form },
      { do: "sheet", slot: 1, row: 1, how: "row" },
      { do: "up", how: {} },
      { do: "rename sheet", slot: 1, alias: true },
      { do: "sheet", slot: 1, row: 1, how: "no row" },
      { do: "up", how: {} },
    ]);
    expect(broken).toEqual([]);
  },
);

test("two sheets that price one product send as many requests as were announced", async () => {
  const house = open();
  await goods(house);
  const of = (price: number) => [
    sheet("one", [{ sku: "P-1", price }]),
    sheet("two", [{ sku: "P-2", price }]),
  ];
  for (const price of [40, 45]) {
    const ran = await house.up(of(price));
    expect(ran.planned.requestsNeeded).toBeGreaterThanOrEqual(ran.requests.length);
  }
});

test.each((["dynamic", "plugin"] as const).flatMap((form) => [{ form }, { form, secrets: ["rows"] }]))(
  "a row that no run has stated before is not written over what staff set after its preview: %o",
  async ({ form, ...more }) => {
    const house = open();
    const pricesNow = await goods(house);
    const rows = [{ sku: "P-1", price: 40 }];
    const staff = (price: string) => () => {
      const id = Number(house.rows("product")[0]?.id);
      const variants = variantsOf(house).map((one) => ({ ...one, price }));
      house.shop.edit({ kind: "product", id, set: { variants } });
    };
    const list = (own: readonly object[]) => [{ ...sheet("list", own), ...more }];
    const refusals = ({ result }: Awaited<ReturnType<typeof house.up>>) =>
      (result?.failures ?? []).map(({ message }) => message.replace(/".*?"|\[secret .*?\]/g, "_"));
    const first = await house.up(list(rows), { form }, staff("45.0"));
    expect(refusals(first)).toEqual([
      expect.stringMatching(
        /^rows.* was .*, is .*: it was changed in the shop after the preview\. Nothing was sent for it; run again/,
      ),
    ]);
    expect([writes(first.requests), pricesNow()]).toEqual([[], ["45.0", "45.0"]]);
    expect(refusals(await house.up(list(rows), { form }))).toEqual([]);
    expect(pricesNow()).toEqual(["40.0", "45.0"]);
    // A later row, too; what a run has stated is compared with what it left there, and the rest is done.
    const later = await house.up(
      list([
        { sku: "P-1", price: 41 },
        { sku: "P-2", price: 42 },
      ]),
      { form },
      staff("40.0"),
    );
    expect([refusals(later).length, pricesNow()]).toEqual([1, ["41.0", "40.0"]]);
    // A person who said that the program's values count has not seen this one either.
    const forced = { form, config: { "shop:conflicts": "overwrite" } };
    const over = await house.up(list([{ sku: "P-2", price: 42 }]), forced, staff("39.0"));
    expect([refusals(over).length, pricesNow()]).toEqual([1, ["39.0", "39.0"]]);
  },
);

test.each((["dynamic", "plugin"] as const).flatMap((form) => [{ form }, { form, secrets: ["rows"] }]))(
  "a sheet that overwrites what staff set after the preview says so: %o",
  async ({ form, ...more }) => {
    const house = open();
    const pricesNow = await goods(house);
    const list = (price: number) => [{ ...sheet("list", [{ sku: "P-1", price }]), ...more }];
    await house.up(list(40), { form });
    const forced = { form, config: { "shop:conflicts": "overwrite" } };
    const ran = await house.up(list(41), forced, () => {
      const id = Number(house.rows("product")[0]?.id);
      const variants = variantsOf(house).map((one) => ({ ...one, price: "45.0" }));
      house.shop.edit({ kind: "product", id, set: { variants } });
    });
    const isSecret = "secrets" in more;
    expect(ran.said).toEqual([
      expect.stringMatching(
        isSecret
          ? /^Prices list: overwrites changes made in the shop: rows[^45]*$/
          : /^Prices list: overwrites changes made in the shop: rows\[P-1\]\.price: 45 => 41$/,
      ),
    ]);
    expect(pricesNow()).toEqual(["41.0", "45.0"]);
  },
);

test("what staff changed before a create, whose answer was lost, is found again is marked before it is put back", async () => {
  const { broken } = await walk([
    { do: "add", kind: 1, slot: 0 },
    { do: "fault", fault: "wrong-content-type", method: "POST" },
    { do: "up", how: { meanwhile: { before: 2, edit: { staff: "set", at: 0, place: 1 } } } },
  ]);
  expect(broken).toEqual([]);
});

test("where drift stops a sheet at an edit that another checkout accepted, no plan says that it puts the edit back", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 621, row: 409, how: "no row" },
    { do: "up", how: {} },
    { do: "staff", staff: "set", at: 244, place: 510 },
    { do: "accept", at: 458, theirs: true },
    { do: "value", at: 656, place: 568 },
    { do: "revert", by: 2 },
    { do: "up", how: { drift: "stop" } },
  ]);
  expect(broken).toEqual([]);
});

test("an item that another checkout accepted is still marked after a sale of it that a refresh has read", async () => {
  const { broken } = await walk([
    { do: "add", kind: 288, slot: 507 },
    { do: "up", how: {} },
    { do: "staff", staff: "item", at: 758 },
    { do: "accept", at: 151, theirs: true },
    { do: "revert", by: 1 },
    { do: "staff", staff: "sell", at: 767 },
    { do: "refresh", how: {} },
  ]);
  expect(broken).toEqual([]);
});

test("an item that another checkout accepted is still marked after an update that was paused before it removed the item", async () => {
  const { broken } = await walk([
    { do: "add", kind: 765, slot: 223 },
    { do: "up", how: {} },
    { do: "rename", at: 652, alias: true },
    { do: "staff", staff: "item", at: 977 },
    { do: "accept", theirs: true },
    { do: "revert", by: 2 },
    { do: "value", at: 345, place: 905 },
    { do: "accept", theirs: true },
    { do: "remove", at: 187 },
    { do: "revert", by: 2 },
    { do: "up", how: { refresh: true, overwrite: true, paused: 4 } },
  ]);
  expect(broken).toEqual([]);
});

test("a price that a sheet accepted is still marked where the sheet changes it after a run that failed", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 749, row: 617, how: "row" },
    { do: "up", how: {} },
    { do: "staff", staff: "set", at: 565, place: 2822 },
    { do: "accept", theirs: true },
    { do: "sheet", slot: 735, row: 801, how: "row" },
    { do: "up", how: { adopt: true, badPassword: true, drift: "keep", keep: 741 } },
    { do: "sheet", slot: 711, row: 418, how: "row" },
  ]);
  expect(broken).toEqual([]);
});

test("a tag that staff edited before a create, whose answer was unreadable, was found again is named until a person decides", async () => {
  const { broken } = await walk([
    { do: "add", kind: 420, slot: 800, module: true },
    { do: "fault", fault: "garbage", method: "POST" },
    {
      do: "up",
      how: { adopt: true, meanwhile: { before: 3, edit: { staff: "set", at: 70, place: 712 } } },
    },
  ]);
  expect(broken).toEqual([]);
});

test("a variant that a run which slept added a second time is shown as lost before the next one takes it out", async () => {
  const { broken } = await walk([
    { do: "add", kind: 1, slot: 0 },
    { do: "add", kind: 0, slot: 1 },
    { do: "up", how: {} },
    { do: "items", at: 589, how: "add" },
    { do: "up", how: { refresh: true, paused: 4 } },
  ]);
  expect(broken).toEqual([]);
});

test("an edit of staff that a refresh has read stays marked after a run that was interrupted before it was put back", async () => {
  const product = (...skus: readonly string[]): Resource => ({
    kind: "Product",
    name: "a",
    args: { title: "A", otherVariants: "keep", variants: skus.map((sku) => ({ sku, price: 1 })) },
  });
  const house = open();
  await house.up([product("A-1", "A-2")]);
  const [row] = house.rows("product");
  const variants = variantsOf(house).map((one) => (one.sku === "A-1" ? { ...one, price: "9.0" } : one));
  house.shop.edit({ kind: "product", id: Number(row?.id), set: { variants } });
  await house.refresh();
  await house.go([product("A-1")], {
    crash: {
      plan: ({ path }) => (path.startsWith("send PUT ") ? ({ crash: "before" } as const) : undefined),
      left: "all",
    },
  });
  expect(variantsOf(house)).toMatchObject([{ price: "9.0" }, { price: "1.0" }]);
  const planned = await house.preview([product("A-1")]);
  expect(meaning(planned).find((line) => line.startsWith("! Puts back"))).toContain("A A-1 price 9 → 1");
});

test("a restoring sheet that moves into a component keeps its prices where a refresh has started the plugin of a conflict's object", async () => {
  const { broken } = await walk([
    { do: "form", form: "plugin" },
    { do: "add", kind: 19, slot: 246 },
    { do: "up", how: { adopt: true } },
    { do: "staff", staff: "set", at: 47, place: 47 },
    { do: "value", at: 303, place: 615 },
    { do: "form", form: "dynamic" },
    { do: "sheet", slot: 747, row: 515, how: "row" },
    { do: "up", how: {} },
    { do: "into", at: 929 },
    { do: "up", how: { refresh: true, overwrite: true } },
  ]);
  expect(broken).toEqual([]);
});

test("accept takes out all rows of a sheet whose variants staff deleted", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 1, row: 0, how: "row" },
    { do: "up", how: {} },
    { do: "staff", staff: "delete", at: 0 },
    { do: "accept", theirs: true },
  ]);
  expect(broken).toEqual([]);
});

test("a product that has what another one of the program makes, among variants of others, isn't deleted for it", async () => {
  const house = open();
  const product = (name: string, sku: string): Resource => ({
    kind: "Product",
    name,
    args: { title: "A", otherVariants: "keep", variants: [{ sku, price: 1 }] },
  });
  await house.up([product("a", "A-1")]);
  await house.up([product("a", "A-2")]);
  const ran = await house.up([product("b", "A-1")], { config: { "shop:conflicts": "overwrite" } });
  expect(ran.planned.guarded.join()).toMatch(
    /Product b would be created, and Product a deleted.*variants\.sku A-1/,
  );
  expect(writes(ran.requests)).toEqual([]);
});

test("a row whose variant staff deleted is named by the preview and left out by the run, with no refresh between", async () => {
  const house = open();
  await goods(house);
  const rows = (price: number) => [
    sheet(
      "list",
      ["P-1", "P-2"].map((sku) => ({ sku, price })),
    ),
  ];
  await house.up(rows(40));
  house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), delete: true });
  for (const why of ["the shop no longer has this variant", "no variant has this sku"]) {
    const ran = await house.up(rows(45));
    expect(JSON.stringify(ran.planned.notices)).toContain(`P-1: ${why}`);
    expect([ran.result?.outcome, ran.said.length]).toEqual(["succeeded", 2]);
  }
});

test("a sheet that moves into a component shows nothing that isn't done, and what it changes as ever", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const of = (price: number, more: Partial<Resource> = {}) => ({
    ...sheet("list", [{ sku: "P-1", price }]),
    ...more,
  });
  await house.up([of(40)]);
  const [made] = house.rows("product");
  const edited = variantsOf(house).map((one) => (one.sku === "P-1" ? { ...one, price: "44.0" } : one));
  house.shop.edit({ kind: "product", id: Number(made?.id), set: { variants: edited } });
  const moved = await house.up([of(40, { parent: "group" })]);
  expect(moved.planned.notices.flatMap((one) => (one.type === "text" ? one.lines : []))).toEqual([
    "  P-1 (Goods) price was changed in the shop and stays 44",
  ]);
  expect([writes(moved.requests), pricesNow()]).toEqual([[], ["44.0", "50.0"]]);
  expect(moved.requests.length).toBeLessThanOrEqual(moved.planned.requestsNeeded ?? 0);
  await house.refresh();
  const back = await house.up([of(41)]);
  expect(JSON.stringify(back.planned.notices)).toContain('"is":44');
  expect(back.requests.length).toBeLessThanOrEqual(back.planned.requestsNeeded ?? 0);
});

test("accept takes what staff changed of an object that is to be replaced once", async () => {
  const { broken } = await walk([
    { do: "add", kind: 6, slot: 1 },
    { do: "up", how: {} },
    { do: "staff", staff: "set", at: 0, place: 0 },
    { do: "value", at: 0, place: 0 },
    { do: "accept", theirs: true },
  ]);
  expect(broken).toEqual([]);
});

test("accept --theirs brings a variant that the program took out back with all that was stated of it", async () => {
  const { broken } = await walk([
    { do: "add", kind: 927, slot: 850 },
    { do: "up", how: {} },
    { do: "items", at: 391, how: "rekey" },
    { do: "staff", staff: "set", at: 849, place: 824 },
    { do: "staff", staff: "item", at: 337 },
    { do: "accept", theirs: true },
  ]);
  expect(broken).toEqual([]);
});

test("a colleague's stack states a field of a product while its deletes of what two stacks have are refused", async () => {
  const { broken } = await walk([
    { do: "add", kind: 392, slot: 175 },
    { do: "neighbour", verb: "up", slot: 735 },
    { do: "pull", kind: 473, onlyNew: false },
    { do: "add", kind: 0, slot: 317 },
    { do: "up", how: {} },
    { do: "colleague", at: 625, field: "shortDescription" },
  ]);
  expect(broken).toEqual([]);
});

describe("a variant that staff added and a refresh has read", () => {
  const product = (...variants: readonly Record<string, unknown>[]): Resource => ({
    kind: "Product",
    name: "a",
    args: { title: "A", variants: [{ sku: "A-1", price: 1, oldPrice: "" }, ...variants] },
  });
  const refreshed = async () => {
    const house = open();
    await house.up([product()]);
    const [made] = house.rows("product");
    const added = { ...variantsOf(house)[0], id: 9_001, sku: "A-2", price: "4.0" };
    house.shop.edit({
      kind: "product",
      id: Number(made?.id),
      set: { variants: [...variantsOf(house), added] },
    });
    await house.refresh();
    return house;
  };

  test("is shown as put back where the program lists it with another price", async () => {
    const house = await refreshed();
    const { planned } = await house.up([product({ sku: "A-2", price: 6 })]);
    expect(planned.notices).toContainEqual(
      expect.objectContaining({
        type: "puts-back",
        fields: [expect.objectContaining({ path: "variants[A-2].price", is: 4, asked: 6 })],
      }),
    );
    expect(variantsOf(house).map(({ price }) => Number(price))).toEqual([1, 6]);
  });

  test("states nothing that only the program's own state as empty", async () => {
    const house = await refreshed();
    const { plan } = await house.preview([product({ sku: "A-2", price: 4 })]);
    expect(plan.flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual([]);
  });
});

test("staff's value that a run could not put back, as the shop ignored it, is shown as put back by the next one too", async () => {
  const house = open();
  const product = (title: string): Resource => ({
    kind: "Product",
    name: "a",
    args: { title, description: "ours", variants: [{ sku: "A-1", price: 1 }] },
  });
  await house.up([product("A")]);
  house.shop.edit({
    kind: "product",
    id: Number(house.rows("product")[0]?.id),
    set: { description: "staff's" },
  });
  await house.refresh();
  house.setWhim({ how: "ignores", element: "description" });
  expect((await house.up([product("B")])).result?.outcome).toBe("failed");
  const { notices } = await house.preview([product("B")]);
  expect(notices).toContainEqual(
    expect.objectContaining({
      type: "puts-back",
      fields: [expect.objectContaining({ path: "description", is: "staff's", asked: "ours" })],
    }),
  );
});

test("a variant that the program takes out while staff change its price comes back with its stock by accept --theirs", async () => {
  const { broken } = await walk([
    { do: "add", kind: 180, slot: 763 },
    { do: "items", at: 285, how: "reorder" },
    { do: "up", how: { refresh: true } },
    { do: "staff", staff: "set", at: 837, place: 908 },
    { do: "items", at: 754, how: "remove" },
    { do: "accept", theirs: true },
  ]);
  expect(broken).toEqual([]);
});

test("a sheet that restores keeps its prices where it gets its first name back without an alias", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 695, row: 824, how: "no row" },
    { do: "add", kind: 0, slot: 824 },
    { do: "up", how: {} },
    { do: "rename", at: 298, alias: true },
    { do: "up", how: {} },
    { do: "revert", by: 2 },
    { do: "up", how: {} },
  ]);
  expect(broken).toEqual([]);
});

test("a charge that was replaced, and that the shop didn't let go, is none that staff deleted for accept", async () => {
  const { broken } = await walk([
    { do: "add", kind: 8, slot: 1 },
    { do: "up", how: {} },
    { do: "value", at: 0, place: 1 },
    { do: "up", how: { meanwhile: { before: 3, edit: { staff: "delete", at: 0 } } } },
    { do: "accept", theirs: true },
  ]);
  expect(broken).toEqual([]);
});

test.each(["dynamic", "plugin"] as const)(
  "a variant that staff deleted and made again is that one: only what both changed of it is a conflict: %s",
  async (form) => {
    const house = open();
    const of = (price: number, title = "Mug") =>
      mug(
        [
          { sku: "M-1", price },
          { sku: "M-2", price: 2 },
        ],
        { title },
      );
    await house.up([of(5)], { form });
    const remake = (id: number, more: object) => {
      const [row] = house.rows("product");
      const variants = variantsOf(house).map((one) => (one.sku === "M-1" ? { ...one, ...more, id } : one));
      house.shop.edit({ kind: "product", id: Number(row?.id), set: { variants } });
    };
    remake(9_001, {});
    const raised = await house.up([of(6)], { form });
    expect([raised.result?.outcome, raised.planned.steps]).toEqual(["succeeded", ["update mug"]]);
    expect(variantsOf(house).map(({ id, sku, price }) => [id === 9_001, sku, Number(price)])).toEqual([
      [true, "M-1", 6],
      [false, "M-2", 2],
    ]);
    expect((await house.preview([of(6)], { form })).plan).toEqual([]);
    remake(9_002, { price: "7.0" });
    const refused = await house.preview([of(8)], { form });
    expect(refused.result?.failures.map(({ message }) => message).join()).toMatch(/price.*6.*7.*8/s);
    // The program says nothing of it: what staff set of the new one stays.
    const kept = await house.up([of(6, "A mug")], { form });
    expect([kept.result?.outcome, variantsOf(house).map(({ price }) => Number(price))]).toEqual([
      "succeeded",
      [7, 2],
    ]);
    expect((await house.preview([of(6, "A mug")], { form })).plan).toEqual([]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a sheet's variant that staff deleted and made again is that one, with no look at the list before: %s",
  async (form) => {
    const house = open();
    const pricesNow = await goods(house);
    const of = (price: number) => [
      sheet(
        "sale",
        ["P-1", "P-2"].map((sku) => ({ sku, price })),
        { onRemove: "restore" },
      ),
    ];
    let number = 9_000;
    const remake = (price: string) => {
      number += 1;
      const variants = variantsOf(house).map((one) =>
        one.sku === "P-1" ? { ...one, id: number, price } : one,
      );
      house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), set: { variants } });
    };
    await house.up(of(40), { form });
    remake("40.0");
    const raised = await house.up(of(45), { form });
    expect([raised.result?.outcome, raised.said, pricesNow()]).toEqual(["succeeded", [], ["45.0", "45.0"]]);
    expect((await house.preview(of(45), { form })).plan).toEqual([]);
    remake("44.0");
    const refused = await house.up(of(46), { form });
    expect(JSON.stringify(refused.planned.notices)).toMatch(/rows\[P-1\]\.price.*45.*44.*46/);
    expect(pricesNow()).toEqual(["44.0", "46.0"]);
    remake("45.0");
    await house.refresh({ form });
    expect((await house.preview(of(45), { form })).steps).toEqual(["update sale"]);
    remake("45.0");
    // Its end puts back what was there before the sheet.
    const over = await house.up([], { form });
    expect([over.result?.outcome, pricesNow()]).toEqual(["succeeded", ["50.0", "50.0"]]);
  },
);

test("a delete whose answers are lost one after the other is done where the object is gone", async () => {
  const house = open();
  const coupon: Resource = { kind: "Coupon", name: "a", args: { code: "A", discount: 5, typeId: 1 } };
  await house.go([coupon]);
  house.shop.faults.add({ fault: "drop-before", method: "DELETE", times: 1 });
  house.shop.faults.add({ fault: "drop-after-commit", method: "DELETE", times: 1 });
  const ran = await house.go([]);
  expect([ran.steps, house.rows("discount_code")]).toEqual([["delete a"], []]);
  expect(house.state().filter(({ id }) => id !== undefined)).toEqual([]);
});

test.each<[string, object]>([
  ["created", {}],
  ["to be taken over by a lost id", { adopt: "8841" }],
  ["to be taken over by a lost key", { adopt: "key" }],
])("a Product %s is announced as a second one where another permalink has its SKU", async (_what, more) => {
  const house = open();
  const mug = (permalink: string, given: object = {}): Resource => ({
    kind: "Product",
    name: permalink,
    args: { title: "Mug", permalink, variants: [{ sku: "M-1", price: 5 }], ...given },
  });
  await house.go([mug("mug-2")]);
  const [there] = house.rows("product");
  house.loseState();
  house.loseNotes();
  const { said, plan } = await house.preview([mug("mug", more)]);
  expect(plan.map(({ op }) => op)).toEqual(["create"]);
  expect(said.join()).toContain(
    `a Product with variants.sku M-1 already (${there?.id}): adopt: "${there?.id}"`,
  );
});

test.each<[string, readonly Resource[]]>([
  ["dropped", []],
  ["renamed", [sheet("autumn", [{ sku: "P-2", price: 41 }], { onRemove: "restore" })]],
])(
  "a sheet that was interrupted as it began to restore, and is %s, puts back only what that run wrote",
  async (_what, next) => {
    const house = open();
    const pricesNow = await goods(house);
    await house.up([sheet("sale", [{ sku: "P-2", price: 41 }])]);
    let writes = 0;
    const plan = ({ name, path }: Effect) => {
      writes += name === "request" && path.includes("PUT") ? 1 : 0;
      return writes > 0 ? { crash: "after" as const } : undefined;
    };
    await house.up([sheet("sale", [{ sku: "P-1", price: 32 }], { onRemove: "restore" })], {
      crash: { plan },
    });
    await house.reads(async (_shop, stack) => unlock(stack));
    expect(pricesNow()).toEqual(["32.0", "41.0"]);
    const ended = await house.up(next);
    expect(pricesNow()).toEqual(["50.0", "41.0"]);
    expect(ended.requests.length).toBeLessThanOrEqual(ended.planned.requestsNeeded ?? 0);
  },
);

test("a price that another stack's killed first run has written is that stack's", async () => {
  const house = open();
  const pricesNow = await goods(house);
  const rows = (price: number) => [sheet("sale", [{ sku: "P-1", price }], { onRemove: "restore" })];
  const plan = ({ name, path }: Effect) =>
    name === "request" && path.includes("PUT") ? { crash: "after" as const } : undefined;
  await house.neighbour(async () => {
    await house.up(rows(32), { crash: { plan } });
    await house.reads(async (_shop, stack) => unlock(stack));
  });
  const refused = await house.up(rows(40));
  const failures = (refused.result?.failures ?? []).map(({ message }) => message);
  expect(failures.join()).toContain(
    "price of P-1 is set by Prices sale of the stack neighbour/dev (row P-1) too",
  );
  expect(pricesNow()).toEqual(["32.0", "50.0"]);
  await house.neighbour(() => house.up([]));
  expect(pricesNow()).toEqual(["50.0", "50.0"]);
  expect((await house.up(rows(40))).result?.outcome).toBe("succeeded");
  await house.up([]);
  expect(pricesNow()).toEqual(["50.0", "50.0"]);
});

test.each<[string, (price: number) => readonly Resource[], string]>([
  [
    "replaced",
    (price) => [{ kind: "ApplicationCharge", name: "fee", args: { name: "Fee", price } }],
    "replace fee",
  ],
  ["deleted", () => [], "delete fee"],
])("an object whose resource was moved to another project is %s there", async (_what, next, step) => {
  const house = open();
  const fee = { name: "Fee", price: 5, returnUrl: "https://a.example.test/" };
  await house.up([{ kind: "ApplicationCharge", name: "fee", args: fee }]);
  await house.neighbour(() => house.up([]));
  await house.moveState("fee", "neighbour");
  const program = next(6).map((one) => ({ ...one, args: { ...fee, ...one.args } }));
  const ran = await house.neighbour(() => house.up(program));
  expect([ran.result?.outcome, ran.steps]).toEqual(["succeeded", [step]]);
});

test("a sheet restores the price of a variant that it took over from another sheet and that staff made again", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 573, row: 694, how: "row" },
    { do: "up", how: {} },
    { do: "rename sheet", slot: 553, alias: false },
    { do: "staff", staff: "item", at: 3 },
    { do: "sale", slot: 629, hours: 21 },
    { do: "up", how: {} },
    { do: "pass", hours: 20 },
    { do: "pass", hours: 9 },
    { do: "up", how: {} },
  ]);
  expect(broken).toEqual([]);
});

test.each(walkKinds.map((kind, at) => [`${kind.kind} (${at})`, kind] as const))(
  "%s: an argument that is in ignoreChanges when the object is adopted stays the shop's in later runs",
  async (_name, { kind, args: argsOf }) => {
    const theme = Number(open().rows("theme")[0]?.id);
    const wrong: string[] = [];
    for (const argument of Object.keys(argsOf(0, 1, theme)))
      for (const form of ["dynamic", "plugin"] as const) {
        const house = open();
        const entry = { kind, name: "it", args: argsOf(0, 1_000, theme) };
        await house.up([entry], { form });
        const [{ id = "" } = {}] = house.state();
        house.loseState();
        house.loseNotes();
        const adopt = id.includes("charge") ? "key" : id;
        const adopting = { ...entry, args: { ...entry.args, adopt }, ignoreChanges: [argument] };
        const runs = [
          await house.up([adopting], { form }),
          await house.preview([adopting], { form }),
          await house.refresh({ form }),
          await house.preview([adopting], { form }),
        ];
        const [ran, ...quiet] = runs;
        for (const { result, error } of runs)
          for (const { message } of result?.failures ?? [])
            wrong.push(`${argument}, ${form}: ${message} ${error}`);
        if (writes(ran?.requests ?? []).length > 0) wrong.push(`${argument}, ${form}: ${ran?.requests}`);
        for (const { steps } of quiet) if (steps.length > 0) wrong.push(`${argument}, ${form}: ${steps}`);
      }
    expect(wrong).toEqual([]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a sheet that --replace names is sent as an update: its plan shows the prices, and its end brings the first ones back (%s)",
  async (form) => {
    const house = open();
    const pricesNow = await goods(house);
    const rows = (price: number) => [sheet("sale", [{ sku: "P-1", price }], { onRemove: "restore" })];
    const select = { by: "replace", names: ["sale"] } as const;
    await house.up(rows(40), { form });
    const { planned, requests, result } = await house.up(rows(41), { form, select });
    expect(meaning(planned)).toEqual(["Prices up: sale, P-1: 40 → 41, +2.5 %"]);
    expect(requests.length).toBeLessThanOrEqual(planned.requestsNeeded ?? 0);
    expect(result?.outcome).toBe("succeeded");
    house.shop.edit({
      kind: "product",
      id: Number(house.rows("product")[0]?.id),
      set: { variants: variantsOf(house).map((one) => ({ ...one, price: "44.0" })) },
    });
    const disputed = await house.up(rows(42), { form, select });
    expect(disputed.planned.notices.map(({ type }) => type)).toContain("conflict");
    expect(disputed.result?.outcome).toBe("failed");
    expect(pricesNow()).toEqual(["44.0", "44.0"]);
    await house.up(rows(44), { form, select });
    const other = [sheet("sale", [{ sku: "P-2", price: 45 }], { onRemove: "restore" })];
    const left = await house.up(other, { form, select });
    expect(meaning(left.planned)).toEqual([
      "Prices up: 2, median +8 %, largest +13.6 % (sale, P-1: 44 → 50)",
    ]);
    expect(left.requests.length).toBeLessThanOrEqual(left.planned.requestsNeeded ?? 0);
    expect(pricesNow()).toEqual(["50.0", "45.0"]);
    await house.up([], { form });
    expect(pricesNow()).toEqual(["50.0", "44.0"]);
  },
);

test.each<[string, readonly Move[]]>([
  [
    "staff's value that a run has kept stays when the program ignores it from then on",
    [
      { do: "add", kind: 0, slot: 0 },
      { do: "up", how: {} },
      { do: "staff", staff: "set", at: 0, place: 2 },
      { do: "refresh", how: {} },
      { do: "up", how: { keep: 0 } },
      { do: "ignore", at: 0, place: 3 },
    ],
  ],
  [
    "accept writes a value beside an ignored one that only a replacement would send",
    [
      { do: "add", kind: 123, slot: 111 },
      { do: "up", how: {} },
      { do: "ignore", at: 142, place: 681 },
      { do: "value", at: 205, place: 405 },
      { do: "staff", staff: "set", at: 682, place: 552 },
      { do: "accept", theirs: true },
    ],
  ],
])("%s", async (_name, moves) => {
  for (const form of ["dynamic", "plugin"] as const) {
    const { broken } = await walk([{ do: "form", form }, ...moves]);
    expect(broken, form).toEqual([]);
  }
});

test("a variant with another SKU keeps its stock only where the program sets none", async () => {
  const house = open();
  const plan = async (sku: string, quantity: object) => {
    const { planned } = await house.up([mug([{ sku, price: 5, ...quantity }])]);
    return meaning(planned).join();
  };
  await plan("A", { quantity: 4 });
  expect(await plan("B", { quantity: 4 })).toContain("A → B, keeps 4 in stock");
  expect(await plan("C", {})).toContain("B → C, keeps 4 in stock");
  expect(await plan("D", { quantity: 9 })).toMatch(/C → D\)$/);
});

test.each(["dynamic", "plugin"] as const)(
  "a new variant gets its price where a product ignores prices and keeps the variants that it no longer lists (%s)",
  async (form) => {
    const house = open();
    const pot = (...skus: readonly string[]): Resource => ({
      ...mug(
        skus.map((sku, at) => ({ sku, price: 10 + at })),
        { otherVariants: "keep" },
      ),
      ignoreChanges: ["variants[*].price"],
    });
    await house.up([pot("A", "B")], { form });
    const { result } = await house.up([pot("C", "B")], { form });
    expect(result?.failures).toEqual([]);
    expect(variantsOf(house).map(({ sku, price }) => `${sku} ${Number(price)}`)).toEqual([
      "A 10",
      "B 11",
      "C 10",
    ]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "staff's edit of a value that the program stated as the shop had it is marked before it is put back (%s)",
  async (form) => {
    const house = open();
    const sale = (description?: string) => [
      coupon("sale", { adopt: "key", ...(description !== undefined && { description }) }),
    ];
    await house.go([coupon("sale", { description: "theirs" })], { form });
    house.loseState();
    house.loseNotes();
    await house.up(sale(), { form });
    const stated = await house.up(sale("theirs"), { form });
    expect(writes(stated.requests)).toEqual([]);
    house.shop.edit({
      kind: "discount_code",
      id: Number(house.rows("discount_code")[0]?.id),
      set: { description: "later" },
    });
    await house.refresh({ form });
    const planned = await house.preview(sale("theirs"), { form });
    expect(meaning(planned).join()).toContain("Puts back: 1 edit of staff");
  },
);

test.each(["dynamic", "plugin"] as const)(
  "staff may turn a discount that the program ignores from an amount into percent (%s)",
  async (form) => {
    const house = open();
    const sale = (more: object) => [coupon("sale", { ...more }, { ignoreChanges: ["discount"] })];
    await house.up(sale({}), { form });
    house.shop.edit({
      kind: "discount_code",
      id: Number(house.rows("discount_code")[0]?.id),
      set: { type_id: 2, discount: "15.0" },
    });
    await house.refresh({ form });
    const { planned, requests } = await house.up(sale({ description: "new" }), { form });
    expect(meaning(planned)).toEqual([]);
    expect(writes(requests)).toHaveLength(1);
    const [row] = house.rows("discount_code");
    expect([row?.type_id, Number(row?.discount), row?.description]).toEqual([2, 15, "new"]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a replacement whose key the object that retainOnDelete leaves has is refused with the way out, and it works (%s)",
  async (form) => {
    const house = open();
    const note = (more: Partial<Resource> = {}, args: object = {}): Resource => {
      const named = { type: "Asset::Snippet", name: "note.liquid", content: "note", ...args };
      return {
        kind: "Asset",
        name: "note",
        args: { themeId: Number(house.rows("theme")[0]?.id), ...named },
        ...more,
      };
    };
    await house.up([note()], { form });
    house.loseState();
    house.loseNotes();
    const kept = { ignoreChanges: ["name"], retainOnDelete: true as const };
    await house.up([note(kept, { adopt: "key" })], { form });
    const before = house.state();
    const replace = { form, select: { by: "replace", names: ["note"] } } as const;
    const refused = await house.up([note(kept, { adopt: "key" })], replace);
    expect(refused.planned.result?.failures.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "retainOnDelete leaves it in the shop: run up without retainOnDelete before it",
      ),
    ]);
    expect(writes(refused.requests)).toEqual([]);
    expect(house.state()).toEqual(before);
    await house.up([note({}, { adopt: "key" })], { form });
    expect((await house.up([note()], replace)).steps).toEqual(["replace note"]);
    expect(house.rows("asset").filter(({ name }) => name === "note.liquid")).toHaveLength(1);
  },
);

test("a plan that removes an object with retainOnDelete announces no request for it", async () => {
  const house = open();
  const kept = coupon("sale", {}, { retainOnDelete: true });
  await house.up([kept]);
  const { planned, requests } = await house.up([]);
  expect([planned.steps, planned.requestsNeeded, requests]).toEqual([["delete sale"], 0, []]);
});

test.each(["dynamic", "plugin"] as const)(
  "staff's edit of a text that the program stated as the shop had it is marked before it is put back (%s)",
  async (form) => {
    const house = open();
    const themeId = Number(house.rows("theme")[0]?.id);
    const note = (more: object, ignoreChanges: readonly string[] = []): Resource => ({
      kind: "Asset",
      name: "note",
      args: { themeId, type: "Asset::Snippet", name: "note.liquid", content: "theirs\n", ...more },
      ignoreChanges,
    });
    await house.go([note({})], { form });
    const [{ id = "" } = {}] = house.state();
    house.loseState();
    house.loseNotes();
    const adopt = id.split("/").at(-1);
    await house.up([note({ adopt }, ["content"])], { form });
    const stated = await house.up([note({ adopt })], { form });
    expect(writes(stated.requests)).toEqual([]);
    expect((await house.preview([note({ adopt })], { form })).steps).toEqual([]);
    house.shop.edit({ kind: "asset", id: Number(adopt), set: { content: "later\n" } });
    await house.refresh({ form });
    const planned = await house.preview([note({ adopt })], { form });
    expect(meaning(planned).join()).toContain("Puts back: 1 edit of staff");
  },
);

test("a coupon is deleted although staff changed the unit of its ignored discount", async () => {
  const house = open();
  const sale = [coupon("sale", {}, { ignoreChanges: ["discount"] })];
  await house.up(sale);
  house.shop.edit({
    kind: "discount_code",
    id: Number(house.rows("discount_code")[0]?.id),
    set: { type_id: 2, discount: "15.0" },
  });
  const { planned } = await house.up([]);
  expect([planned.steps, house.rows("discount_code")]).toEqual([["delete sale"], []]);
});

test("staff's price of a product that they made again is marked before a sheet puts it back", async () => {
  const { broken } = await walk([
    { do: "sheet", slot: 214, row: 991, how: "row" },
    { do: "up", how: {} },
    { do: "staff", staff: "delete", at: 87 },
    { do: "staff", staff: "again" },
    { do: "up", how: {} },
    { do: "staff", staff: "set", at: 750, place: 77 },
  ]);
  expect(broken).toEqual([]);
});

test.each(["dynamic", "plugin"] as const)(
  "a sheet's row means the variant that has its key now, also if staff swapped two keys (%s)",
  async (form) => {
    const house = open();
    const mugs = (prices: readonly number[]) => prices.map((price, at) => ({ sku: `M-${at + 1}`, price }));
    await house.up([mug(mugs([10, 20]))], { form });
    house.loseState();
    house.loseNotes();
    const sheet = (prices: readonly number[]): Resource => ({
      kind: "Prices",
      name: "sheet",
      args: { rows: mugs(prices) },
    });
    await house.up([sheet([11, 21])], { form });
    const [row] = house.rows("product");
    const variants = variantsOf(house).map((one) => ({ ...one, sku: one.sku === "M-1" ? "M-2" : "M-1" }));
    house.shop.edit({ kind: "product", id: Number(row?.id), set: { variants } });
    await house.up([sheet([12, 22])], { form, config: { "shop:conflicts": "overwrite" } });
    expect(variantsOf(house).map(({ sku, price }) => [sku, Number(price)])).toEqual([
      ["M-2", 22],
      ["M-1", 12],
    ]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a field that the program ignored when it adopted an object is known as the program's once it isn't ignored (%s)",
  async (form) => {
    const house = open();
    const kind = (more: object, ignoreChanges: readonly string[] = []): Resource => ({
      kind: "PriceKind",
      name: "wholesale",
      args: { title: "Wholesale", ...more },
      ignoreChanges,
    });
    await house.up([kind({})], { form });
    const [{ id: adopt = "" } = {}] = house.state();
    house.loseState();
    house.loseNotes();
    await house.up([kind({ adopt }, ["title"])], { form });
    await house.up([kind({ adopt })], { form });
    house.shop.edit({ kind: "price_kind", id: Number(adopt), set: { title: "Dealers" } });
    await house.refresh({ form });
    const planned = await house.preview([kind({ adopt })], { form });
    expect(meaning(planned).join()).toContain("Puts back: 1 edit of staff");
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a stack that adopts by keys takes over an object whose key the program ignores, and creates no second one (%s)",
  async (form) => {
    const house = open();
    const config = { "shop:adopt": "key" };
    const program = [{ ...counter("1"), ignoreChanges: ["name"] }];
    await house.up(program, { form });
    house.loseState();
    house.loseNotes();
    const ran = await house.up(program, { form, config });
    expect([ran.steps, writes(ran.requests)]).toEqual([["adopt counter"], []]);
    expect((await house.preview(program, { form, config })).steps).toEqual([]);
  },
);

test("a sheet that is replaced when its sale begins is announced with its request and its prices", async () => {
  const moves: readonly Move[] = [
    { do: "sheet", slot: 235, row: 763, how: "row" },
    { do: "sale", slot: 783, from: 5, hours: 39 },
    { do: "up", how: { keep: 968 } },
    { do: "pass", hours: 20 },
    { do: "up", how: { drift: "stop", select: { by: "replace", at: 374 } } },
  ];
  expect((await walk(moves)).broken).toEqual([]);
});

test.each(["dynamic", "plugin"] as const)(
  "a replacement of an object that stays in the shop, and that a run of a few targets made, sends what was announced (%s)",
  async (form) => {
    const house = open();
    const tag: Resource = {
      kind: "JsTag",
      name: "loader",
      args: { type: "JsTag::TextTag", name: "loader", content: "load()" },
      retainOnDelete: true,
    };
    await house.up([tag], { form, select: { by: "target", names: ["loader"] } });
    const { planned, requests } = await house.up([tag], {
      form,
      select: { by: "replace", names: ["loader"] },
    });
    expect(requests).toHaveLength(Number(planned.requestsNeeded));
    expect(writes(requests)).toEqual(["POST /admin/js_tags.xml"]);
    expect((await house.preview([tag], { form })).steps).toEqual([]);
  },
);

describe("an id that the shop has given to another object since", () => {
  const uploaded = { kind: "File", args: { filename: "a.txt", content: "a" } };
  const charged = {
    kind: "ApplicationCharge",
    args: { name: "Setup", price: 5, returnUrl: "https://a.example.test/" },
  };

  test.each(
    (["dynamic", "plugin"] as const).flatMap((form) =>
      ([uploaded, charged] as const).flatMap(({ kind, args }) =>
        (["up without it", "destroy", "refresh"] as const).map((way) => ({ form, kind, args, way })),
      ),
    ),
  )("is no reason to end that object: $way of a $kind ($form)", async ({ form, kind, args, way }) => {
    const house = open();
    const table = kind === "File" ? "file" : "application_charge";
    const kept = coupon("kept");
    const program: readonly Resource[] = [{ kind, name: "x", args }, kept];
    await house.up(program, { form });
    const { tables, ...rest } = house.shop.snapshot();
    const objects = tables.objects.map((row) =>
      row.kind === table ? { ...row, created_at: Number(row.created_at) + 3_600_000 } : row,
    );
    house.shop.restore({ ...rest, tables: { ...tables, objects } });
    const theirs = house.rows(table);
    if (way === "refresh") await house.refresh({ form });
    const { planned, ...next } =
      way === "destroy"
        ? { ...(await house.destroy({ form })), planned: undefined }
        : await house.up([kept], { form });
    const { requests, result, said } = next;
    expect(result?.outcome).toBe("succeeded");
    expect(house.rows(table)).toEqual(theirs);
    expect(house.state().filter(({ type }) => type.includes(kind))).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(planned?.requestsNeeded ?? requests.length);
    if (way !== "refresh")
      expect(said.join("\n")).toContain(
        `${kind} ${theirs[0]?.id} was deleted in the shop, and its id now belongs to another object`,
      );
  });
});

test("pull --new leaves out the object that a pulled resource had before its replacement, which the shop keeps", async () => {
  const { broken } = await walk([
    { do: "add", kind: 261, slot: 614 },
    { do: "add", kind: 71, slot: 835 },
    { do: "up", how: {} },
    { do: "staff", staff: "make", at: 485 },
    { do: "staff", staff: "make", at: 973 },
    { do: "staff", staff: "make", at: 877 },
    { do: "leave" },
    { do: "pull", onlyNew: false },
    { do: "up", how: {} },
    { do: "option", at: 662, name: "retainOnDelete" },
    { do: "staff", staff: "make", at: 97 },
    { do: "staff", staff: "delete", at: 706 },
    { do: "up", how: { adopt: true, guard: true, paused: 5 } },
    { do: "add", kind: 846, slot: 311 },
    { do: "value", at: 152, place: 96 },
    { do: "up", how: {} },
    { do: "staff", staff: "delete", at: 958 },
    { do: "pull", onlyNew: true },
  ]);
  expect(broken).toEqual([]);
});

test("what leaves a sheet is put back if a failed run has renamed the sheet and moved the program to the plugin", async () => {
  const { broken } = await walk([
    { do: "form", form: "dynamic" },
    { do: "sheet", slot: 1, row: 0, how: "row" },
    { do: "add", kind: 1, slot: 0 },
    { do: "up", how: {} },
    { do: "form", form: "plugin" },
    { do: "rename sheet", slot: 1, alias: false },
    { do: "value", at: 1, place: 0 },
    { do: "whim", how: "refuses", element: "discount" },
    { do: "up", how: {} },
    { do: "sheet", slot: 1, row: 1, how: "no row" },
    { do: "up", how: {} },
  ]);
  expect(broken).toEqual([]);
});

test("a resource moves to a stack that has an object with its id in another shop", async () => {
  const { broken } = await walk([
    { do: "add", kind: 4, slot: 0, shop: "other" },
    { do: "add", kind: 4, slot: 0 },
    { do: "up", how: {} },
    { do: "move state", at: 1 },
  ]);
  expect(broken).toEqual([]);
});

test("after a run in which a provider had the stack's own address by mistake, its own address works again", async () => {
  const { broken } = await walk([
    { do: "add", kind: 1, slot: 0, shop: "other" },
    { do: "up", how: {} },
    { do: "up", how: { wrong: "url" } },
  ]);
  expect(broken).toEqual([]);
});

test("the account of another shop is announced where --replace makes its first write", async () => {
  const { broken } = await walk([
    { do: "add", kind: 2, slot: 0, shop: "other" },
    { do: "up", how: {} },
    { do: "up", how: { select: { by: "replace", at: 0 } } },
  ]);
  expect(broken).toEqual([]);
});
