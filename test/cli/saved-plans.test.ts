// Saved plans, one reason for staleness each; test/walks/plans.test.ts tests random ones.
import { expect, onTestFinished, test } from "vitest";
import type { CarriedOut, Resource } from "../walks/house/types.ts";
import { openHouse } from "../walks/house.ts";

const coupon = (discount: number, secrets: readonly string[] = []): Resource => ({
  kind: "Coupon",
  name: "spring",
  args: { code: "SPRING", discount, typeId: 2 },
  secrets,
});
const mug = (price: number): Resource => ({
  kind: "Product",
  name: "mug",
  args: { title: "Mug", variants: [{ sku: "M1", price, quantity: 4 }] },
});

/** A shop with a coupon of 10 and a mug for 12.5, and a plan for 15 and 14. */
async function planned(secrets: readonly string[] = [], options = {}) {
  const house = openHouse();
  onTestFinished(() => house.close());
  await house.up([coupon(10, secrets), mug(12.5)]);
  const program = [coupon(15, secrets), mug(14)];
  const { text = "" } = await house.save(program, options);
  const edit = (table: string, set: Readonly<Record<string, unknown>>) =>
    house.shop.edit({ kind: table, id: Number(house.rows(table)[0]?.id), set });
  const prices = () => {
    const [row] = house.rows("product");
    const [variant] = (row?.variants ?? []) as readonly { price: string }[];
    return [house.rows("discount_code")[0]?.discount, variant?.price];
  };
  return { house, program, text, edit, prices };
}

const writes = ({ planned: looked, ran }: CarriedOut) =>
  [...(looked?.requests ?? []), ...(ran?.requests ?? [])].filter((line) => !line.startsWith("GET "));

test("a plan is carried out as it was saved", async () => {
  const { house, program, text, prices } = await planned();
  const came = await house.carryOut(text, program);
  expect(came.refused).toEqual([]);
  expect(came.ran?.steps.toSorted()).toEqual(["update mug", "update spring"]);
  expect(prices()).toEqual(["15.0", "14.0"]);
});

test("a field that the plan touches was changed in the shop: all is refused, with both values", async () => {
  const { house, program, text, edit, prices } = await planned();
  edit("discount_code", { discount: "55.0" });
  const came = await house.carryOut(text, program);
  expect(came.refused).toEqual(["Coupon spring: discount in the shop: planned 10, now 55"]);
  expect(writes(came)).toEqual([]);
  expect(prices()).toEqual(["55.0", "12.5"]);
});

test.each(["dynamic", "plugin"] as const)(
  "the plan of an adoption names what staff changed since once, as the shop's, for no state has it (%s)",
  async (form) => {
    const { house, edit } = await planned();
    house.loseState();
    house.loseNotes();
    const program = [coupon(15), mug(14)].map((one) => ({ ...one, args: { ...one.args, adopt: "key" } }));
    const { text = "" } = await house.save(program, { form });
    edit("discount_code", { discount: "20.0" });
    const came = await house.carryOut(text, program, { form });
    expect(came.refused).toEqual(["Coupon spring: discount in the shop: planned 10, now 20"]);
    expect(writes(came)).toEqual([]);
  },
);

test("a field that it doesn't touch was changed: that stays, and the plan is carried out", async () => {
  const { house, program, text, edit, prices } = await planned();
  edit("product", { description: "by staff" });
  expect((await house.carryOut(text, program)).refused).toEqual([]);
  expect([...prices(), house.rows("product")[0]?.description]).toEqual(["15.0", "14.0", "by staff"]);
});

test("somebody did a part of it by hand: the rest is done", async () => {
  const { house, program, text, edit } = await planned();
  edit("discount_code", { discount: "15.0" });
  const came = await house.carryOut(text, program);
  expect(came.refused).toEqual([]);
  expect(writes(came)).toEqual([expect.stringMatching(/^PUT \/admin\/products\//)]);
});

test("the program asks for something else, for more, or no longer for all of it", async () => {
  const { house, text } = await planned();
  const refused = async (...program: Resource[]) => (await house.carryOut(text, program)).refused;
  expect(await refused(coupon(16), mug(14))).toEqual([
    "Coupon spring: discount in the program: planned 15, now 16",
  ]);
  expect(await refused(coupon(15), mug(14), { ...mug(9), name: "cup" })).toEqual([
    "Product cup: planned nothing, now create",
  ]);
  expect(await refused(coupon(10), mug(14))).toEqual([
    "Coupon spring: discount in the program: planned 15, now 10",
  ]);
  expect(await refused(mug(14))).toEqual(["Coupon spring: planned update, now delete"]);
});

test("each value is told with its own unit, and a refusal in one sentence", async () => {
  const { house, program, text } = await planned();
  const offer = (name: string, discount: number, typeId: number): Resource => ({
    kind: "Coupon",
    name,
    args: { code: name.toUpperCase(), discount, typeId },
  });
  const { text: other = "" } = await house.save([...program, offer("new", 20, 1)]);
  const refused = async (...added: Resource[]) =>
    (await house.carryOut(other, [...program, ...added])).refused.filter((one) => one.includes("discount"));
  expect(await refused(offer("new", 25, 1))).toEqual([
    "Coupon new: discount in the program: planned 20 %, now 25 %",
  ]);
  expect(await refused(offer("new", 25, 2))).toEqual([
    "Coupon new: discount in the program: planned 20 %, now 25",
  ]);
  house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), delete: true });
  expect((await house.carryOut(text, program)).refused).toEqual([
    expect.stringMatching(/^Product mug: planned update, now refused: .*, and the program changes it$/),
  ]);
});

test("the program asks for another text: it is told once, and by no hash", async () => {
  const { house } = await planned();
  const page = (content: string): Resource => ({
    kind: "Asset",
    name: "page",
    args: {
      themeId: Number(house.rows("theme")[0]?.id),
      type: "Asset::Template",
      name: "page.a.liquid",
      content,
    },
  });
  await house.up([page("one")]);
  const { text = "" } = await house.save([page("two")]);
  expect((await house.carryOut(text, [page("three")])).refused).toEqual([
    'Asset page: content in the program: planned "two", now "three"',
  ]);
});

test("a field that it doesn't change, and that it would put back by now, is said to be no part of it", async () => {
  const { house, program, text, edit } = await planned();
  edit("product", { title: "Cup" });
  await house.refresh();
  expect((await house.carryOut(text, program)).refused).toEqual([
    'Product mug: title: planned no change, now "Cup" => "Mug"',
    'Product mug: title in the shop: planned no change, now "Cup"',
  ]);
});

test("another run changed the state: from what, is said", async () => {
  const { house, program, text } = await planned();
  await house.up([coupon(12), mug(12.5)]);
  expect((await house.carryOut(text, program)).refused).toEqual([
    "Coupon spring: discount in the state: planned 10, now 12",
    "Coupon spring: discount in the shop: planned 10, now 12",
  ]);
});

test("a plan that may overwrite binds what it overwrites", async () => {
  const { house, program, edit, prices } = await planned();
  edit("discount_code", { discount: "55.0" });
  const options = { config: { "shop:conflicts": "overwrite" } };
  const { text = "" } = await house.save(program, options);
  edit("discount_code", { discount: "66.0" });
  expect((await house.carryOut(text, program, options)).refused).toEqual([
    "Coupon spring: discount in the shop: planned 55, now 66",
  ]);
  edit("discount_code", { discount: "55.0" });
  expect((await house.carryOut(text, program, options)).refused).toEqual([]);
  expect(prices()).toEqual(["15.0", "14.0"]);
});

test("between the check and the write: the object that moved is not written", async () => {
  const { house, program, edit, prices } = await planned();
  edit("discount_code", { discount: "55.0" });
  const options = { config: { "shop:conflicts": "overwrite" } };
  const { text = "" } = await house.save(program, options);
  const between = () => edit("discount_code", { discount: "66.0" });
  const { ran } = await house.carryOut(text, program, options, { between });
  expect(ran?.result?.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Coupon \d+ differs from the approved plan: discount was 55, is 66\. Nothing was sent for it; make a new plan$/,
    ),
  ]);
  expect(prices()).toEqual(["66.0", "14.0"]);
});

test("the provider alone refuses what isn't in the plan, as the real engine would have it", async () => {
  const { house, program } = await planned();
  const approved = { objects: {}, creates: [] };
  const ran = await house.go([...program, { ...mug(1), name: "cup" }], { approved });
  expect(ran.result?.failures.map(({ message }) => message.replace(/\d+/, "N")).toSorted()).toEqual([
    "Coupon N is not in the approved plan. Nothing was sent for it; make a new plan",
    "Product N is not in the approved plan. Nothing was sent for it; make a new plan",
    "Product cup is not created by the approved plan. Nothing was sent for it; make a new plan",
  ]);
  expect(ran.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("a secret is bound and not shown, neither as a value nor as a digest that can be tried", async () => {
  const { house, program, text } = await planned(["discount"]);
  const again = await house.save(program);
  for (const plan of [text, again.text ?? ""]) {
    expect(plan).toContain("[secret]");
    expect(plan).not.toMatch(/"(old|new|is|asked|discount)": 1[05]/);
  }
  const digests = (plan: string) =>
    Object.values(JSON.parse(plan).steps.find((step: { secrets?: object }) => step.secrets).secrets);
  // Each plan has its own key.
  expect(digests(text)).not.toEqual(digests(again.text ?? ""));
  expect((await house.carryOut(text, [coupon(16, ["discount"]), mug(14)])).refused).toEqual([
    "Coupon spring: discount in the program: planned a secret, now another secret",
  ]);
  expect((await house.carryOut(text, program)).refused).toEqual([]);
});

test("a plan that was carried out half is finished, and one that is done does nothing", async () => {
  const { house, program, text, prices } = await planned();
  const broken = await house.carryOut(text, program, {
    onRequest(line) {
      if (line.startsWith("PUT /admin/products"))
        throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    },
  });
  expect(broken.ran?.result?.outcome).toBe("failed");
  expect(prices()).toEqual(["15.0", "12.5"]);
  expect((await house.carryOut(text, program)).refused).toEqual([]);
  expect(prices()).toEqual(["15.0", "14.0"]);
  expect(writes(await house.carryOut(text, program))).toEqual([]);
});

test("a reformatted file is the same plan; one with another value is none", async () => {
  const { house, program, text } = await planned();
  const other = JSON.parse(text) as { steps: { inputs: { discount?: number } }[] };
  for (const { inputs } of other.steps) if (inputs.discount !== undefined) inputs.discount = 90;
  expect((await house.carryOut(JSON.stringify(other), program)).refused).toEqual([
    "the plan plan.json was changed after it was saved; make a new plan",
  ]);
  expect((await house.carryOut(JSON.stringify(JSON.parse(text)), program)).refused).toEqual([]);
});
