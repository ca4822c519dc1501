// Requests of the platform's official libraries beyond the interface, byte by byte: Rails' XML with types, JSON without
// a root.
import { describe, expect, test } from "vitest";
import { element, openInProcess } from "./in-process.ts";

type World = ReturnType<typeof openInProcess>;

async function made(world: World, path: string, body: object) {
  const answer = await world.json("POST", `/admin/${path}.json`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.value;
}
const productOf = (world: World, more: object = {}) =>
  made(world, "products", { product: { title: "Mug", variants_attributes: [{ price: 10 }], ...more } });
const errorsOf = (text: string) => [...text.matchAll(/<error>([^<]*)</g)].map(([, message]) => message);

describe("requests for many objects, as official clients send them", () => {
  test("one request changes prices of variants of several products", async () => {
    const world = openInProcess();
    const [one, other] = [await productOf(world), await productOf(world)];
    const [{ id: first }] = one.variants;
    const [{ id: second }] = other.variants;
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<variants type="array">
  <variant>
    <id type="integer">${first}</id>
    <price type="integer">340</price>
    <quantity type="integer">4</quantity>
  </variant>
  <variant>
    <id type="integer">${second}</id>
    <price type="integer">350</price>
  </variant>
</variants>
`;
    expect((await world.ask("PUT", "/admin/variants/group_update.xml", body)).status).toBe(200);
    const prices = (await world.json("GET", "/admin/products.json")).value.map(
      ({ variants: [variant] }: { variants: { price: string; quantity: number | null }[] }) => [
        variant?.price,
        variant?.quantity,
      ],
    );
    expect(prices).toEqual([
      ["340.0", 4],
      ["350.0", null],
    ]);
  });

  test("one request puts products into collections, and those already there stay", async () => {
    const world = openInProcess();
    const [one, other] = [await productOf(world), await productOf(world)];
    const [, kitchen] = world.shop.store.list("collection");
    await made(world, "collects", { collect: { product_id: one.id, collection_id: kitchen?.id } });
    const body = (id: number) => `<?xml version="1.0" encoding="UTF-8"?>
<group-create>
  <collection-ids type="array">
    <collection-id type="integer">${kitchen?.id}</collection-id>
  </collection-ids>
  <product-ids type="array">
    <product-id type="integer">${one.id}</product-id>
    <product-id type="integer">${id}</product-id>
  </product-ids>
</group-create>
`;
    expect((await world.ask("POST", "/admin/collects/group_create.xml", body(other.id))).status).toBe(200);
    const { value } = await world.json("GET", `/admin/products.json?collection_id=${kitchen?.id}`);
    expect(value.map(({ id }: { id: number }) => id)).toEqual([one.id, other.id]);
    expect((await world.json("GET", "/admin/collects/count.json")).value).toEqual({ count: 2 });
    // All or nothing.
    const third = await productOf(world);
    const partly = body(third.id).replace(String(one.id), "1");
    const refused = await world.ask("POST", "/admin/collects/group_create.xml", partly);
    expect([refused.status, errorsOf(refused.text)]).toEqual([422, ["Product must exist"]]);
    expect((await world.json("GET", "/admin/collects/count.json")).value).toEqual({ count: 2 });
  });

  test("one request puts products into a category", async () => {
    const world = openInProcess();
    const [one, other] = [await productOf(world), await productOf(world)];
    const { id } = await made(world, "categories", { category: { title: "Tools" } });
    const body = (category: number) => `<?xml version="1.0" encoding="UTF-8"?>
<new-category>
  <id type="integer">${category}</id>
  <product-ids type="array">
    <product-id type="integer">${other.id}</product-id>
  </product-ids>
</new-category>
`;
    const path = "/admin/categories/set_products_category.xml";
    expect((await world.ask("PUT", path, body(id))).status).toBe(200);
    const categories = (await world.json("GET", "/admin/products.json")).value.map(
      ({ category_id: category }: { category_id: number }) => category,
    );
    expect(categories).toEqual([one.category_id, id]);
    expect((await world.ask("PUT", path, body(1))).status).toBe(422);
  });
});

describe("option names, properties and their values, as official clients use them", () => {
  const options = [{ title: "Colour", value: "red" }];
  const properties_attributes = [{ title: "Material", value: "Clay" }];
  const worded = async () => {
    const world = openInProcess();
    const variants_attributes = [{ price: 10, options }];
    const one = await productOf(world, { variants_attributes, properties_attributes });
    const other = await productOf(world, { variants_attributes, properties_attributes });
    const [name] = one.option_names;
    const [value] = one.variants[0].option_values;
    const [characteristic] = one.characteristics;
    const words = {
      option_name: `/admin/option_names/${name.id}.json`,
      option_value: `/admin/option_names/${name.id}/option_values/${value.id}.json`,
      property: `/admin/properties/${characteristic.property_id}.json`,
      characteristic: `/admin/properties/${characteristic.property_id}/characteristics/${characteristic.id}.json`,
    };
    return { ...world, one, other, words };
  };

  test("products share option names, properties and their values", async () => {
    const { one, other } = await worded();
    for (const field of ["option_names", "properties", "characteristics"])
      expect(other[field], field).toEqual(one[field]);
    expect(other.variants[0].option_values).toEqual(one.variants[0].option_values);
  });

  test("renaming one changes all products and the titles of variants", async () => {
    const { json, words, other } = await worded();
    for (const [root, path] of Object.entries(words)) {
      const answer = await json("PUT", path, { [root]: { title: `${root} 2` } });
      expect([answer.status, answer.value.title], path).toEqual([200, `${root} 2`]);
    }
    const { value } = await json("GET", `/admin/products/${other.id}.json`);
    expect(value).toMatchObject({
      option_names: [{ title: "option_name 2", permalink: "colour" }],
      properties: [{ title: "property 2" }],
      characteristics: [{ title: "characteristic 2" }],
      variants: [{ title: "option_value 2", option_values: [{ title: "option_value 2" }] }],
    });
    // The name is found by its new title only.
    const variant = { price: 1, options: [{ title: "option_name 2", value: "option_value 2" }] };
    const added = await json("POST", `/admin/products/${other.id}/variants.json`, { variant });
    expect(added.value.option_values).toEqual(value.variants[0].option_values);
  });

  test("one that a product has can't be deleted, even if the product is deleted", async () => {
    const { ask, words, one, other } = await worded();
    const refused = async () => {
      for (const path of Object.values(words)) {
        const answer = await ask("DELETE", path);
        expect([answer.status, answer.text], path).toEqual([
          422,
          '{"base":["is used by products and can\'t be deleted"]}',
        ]);
        expect((await ask("GET", path)).status, path).toBe(200);
      }
    };
    await refused();
    for (const { id } of [one, other]) await ask("DELETE", `/admin/products/${id}.json`);
    await refused();
  });

  test("they are created, listed and deleted on their own", async () => {
    const world = openInProcess();
    const { json, ask } = world;
    const name = await made(world, "option_names", { title: "Size" });
    const values = `option_names/${name.id}/option_values`;
    const value = await made(world, values, { option_value: { title: "L" } });
    const property = await made(world, "properties", { property: { title: "Weight" } });
    const characteristics = `properties/${property.id}/characteristics`;
    const heavy = await made(world, characteristics, { characteristic: { title: "heavy" } });
    for (const [list, { id }] of [
      [values, value],
      [characteristics, heavy],
    ] as const) {
      const again = await json("POST", `/admin/${list}.json`, { title: list === values ? "L" : "heavy" });
      expect([again.status, again.value], list).toEqual([422, { title: ["has already been taken"] }]);
      expect((await json("GET", `/admin/${list}.json`)).value, list).toMatchObject([{ id }]);
      expect((await json("GET", `/admin/${list}/${id}.json`)).value, list).toMatchObject({ id });
      // An id under another owner isn't found.
      const elsewhere = list.replace(/\d+/, "1");
      expect((await ask("GET", `/admin/${elsewhere}/${id}.json`)).status, list).toBe(404);
      expect((await ask("DELETE", `/admin/${list}/${id}.json`)).text, list).toBe('{"status":"ok"}');
      expect((await ask("GET", `/admin/${list}/${id}.json`)).status, list).toBe(404);
    }
    // Its values are deleted, too.
    await made(world, values, { option_value: { title: "M" } });
    expect((await ask("DELETE", `/admin/option_names/${name.id}.xml`)).status).toBe(200);
    expect((await json("GET", "/admin/option_values.json")).value).toEqual([]);
  });

  test("a product's field value is read, created once, changed and deleted on its own", async () => {
    const world = openInProcess();
    const { ask, json } = world;
    const { id } = await productOf(world);
    const field = await made(world, "product_fields", { product_field: { title: "Note" } });
    const path = `/admin/products/${id}/product_field_values`;
    const body = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>
<product-field-value>
  <product-field-id type="integer">${field.id}</product-field-id>
  <value>${text}</value>
</product-field-value>
`;
    const created = await ask("POST", `${path}.xml`, body("a &amp; b"));
    expect([created.status, element(created.text, "value")]).toEqual([201, "a &amp; b"]);
    expect((await ask("POST", `${path}.xml`, body("c"))).status).toBe(422);
    const own = `${path}/${element(created.text, "id")}`;
    expect((await ask("PUT", `${own}.xml`, body("c"))).status).toBe(200);
    expect((await json("GET", `/admin/products/${id}.json`)).value.product_field_values).toMatchObject([
      { product_field_id: field.id, value: "c" },
    ]);
    expect((await ask("DELETE", `/admin/product_fields/${field.id}.xml`)).status).toBe(422);
    expect((await ask("DELETE", `${own}.xml`)).status).toBe(200);
    expect((await json("GET", `${path}.json`)).value).toEqual([]);
    expect((await ask("DELETE", `/admin/product_fields/${field.id}.xml`)).status).toBe(200);
    expect((await ask("POST", `${path}.xml`, body("c"))).status).toBe(422);
  });
});

describe("categories and collections, as official clients use them", () => {
  test("a category is changed, can't be below itself, and is deleted when it is empty", async () => {
    const world = openInProcess();
    const { json, ask } = world;
    const above = await made(world, "categories", { category: { title: "Tools" } });
    const below = await made(world, "categories", { category: { title: "Saws", parent_id: above.id } });
    const { id } = await productOf(world, { category_id: below.id });
    const path = (category: { id: number }) => `/admin/categories/${category.id}.json`;
    expect((await json("PUT", path(above), { category: { title: "Hand tools" } })).value.title).toBe(
      "Hand tools",
    );
    const loop = await json("PUT", path(above), { category: { parent_id: below.id } });
    expect([loop.status, loop.value]).toEqual([
      422,
      { parent_id: ["is not a category that it can be under"] },
    ]);
    for (const category of [above, below]) expect((await ask("DELETE", path(category))).status).toBe(422);
    const elsewhere = { product: { category_id: above.id } };
    expect((await json("PUT", `/admin/products/${id}.json`, elsewhere)).status).toBe(200);
    expect((await ask("DELETE", path(below))).status).toBe(200);
    expect((await ask("GET", path(below))).status).toBe(404);
  });

  test("a product's collections follow a moved or deleted collection", async () => {
    const world = openInProcess();
    const { json, ask, shop } = world;
    const { id } = await productOf(world);
    const [root] = shop.store.list("collection");
    const above = await made(world, "collections", { collection: { title: "Above", parent_id: root?.id } });
    const own = await made(world, "collections", { collection: { title: "Own", parent_id: above.id } });
    await made(world, "collects", { collect: { product_id: id, collection_id: own.id } });
    const inside = async () => (await json("GET", `/admin/products/${id}.json`)).value.collections_ids;
    expect(await inside()).toEqual([root?.id, above.id, own.id]);
    await json("PUT", `/admin/collections/${own.id}.json`, { collection: { parent_id: root?.id } });
    expect(await inside()).toEqual([root?.id, own.id]);
    expect((await ask("DELETE", `/admin/collections/${own.id}.json`)).status).toBe(200);
    expect(await inside()).toEqual([]);
  });
});

test("lists without pages ignore the query of a former list", async () => {
  const world = openInProcess();
  const { json } = world;
  await made(world, "application_charges", { application_charge: { name: "Setup", price: 1 } });
  const stale = "?page=2&per_page=100&updated_since=2030-01-01&deleted=true";
  for (const path of [
    "application_charges",
    "themes",
    `themes/${world.shop.store.list("theme")[0]?.id}/assets`,
  ])
    expect((await json("GET", `/admin/${path}.json${stale}`)).value, path).toEqual(
      (await json("GET", `/admin/${path}.json`)).value,
    );
  for (const path of ["collections", "categories", "files"])
    expect((await json("GET", `/admin/${path}.json?page=1&deleted=true`)).value, path).toEqual(
      (await json("GET", `/admin/${path}.json`)).value,
    );
});

test("free days move the paid date, not the trial", async () => {
  const world = openInProcess();
  const path = "/admin/recurring_application_charge";
  const days = (count: string) => `<?xml version="1.0" encoding="UTF-8"?>
<recurring-application-charge>
  <days-count type="integer">${count}</days-count>
</recurring-application-charge>
`;
  expect((await world.ask("PATCH", `${path}/add_free_days.xml`, days("3"))).status).toBe(404);
  const charge = { monthly: 100, trial_expired_at: "2027-02-01" };
  await made(world, "recurring_application_charge", { recurring_application_charge: charge });
  for (const count of ["0", "-1", "x", ""])
    expect((await world.ask("PATCH", `${path}/add_free_days.xml`, days(count))).status, count).toBe(422);
  const answer = await world.ask("PATCH", `${path}/add_free_days.xml`, days("3"));
  expect([
    answer.status,
    element(answer.text, "paid-till"),
    element(answer.text, "trial-expired-at"),
  ]).toEqual([200, "2027-02-04", "2027-02-01"]);
  const untyped = await world.ask("PATCH", `${path}/add_free_days.json`, '{"days_count":1}', {
    "content-type": "text/plain",
  });
  expect([untyped.status, untyped.text]).toEqual([
    422,
    '{"message":"incorrect Content-Type, should be application/json"}',
  ]);
});

// The Ruby library extracts the field from a full message by its words.
test("errors in XML are Rails' full messages, and in JSON they are grouped by field", async () => {
  const world = openInProcess();
  const coupon = { code: "A", type_id: 3, discount: "x", expired_at: "soon" };
  const refused = await world.ask(
    "POST",
    "/admin/discount_codes.xml",
    "<discount-code><code>A</code><type-id>3</type-id><discount>x</discount><expired-at>soon</expired-at></discount-code>",
  );
  expect([refused.status, errorsOf(refused.text)]).toEqual([
    422,
    ["Discount is not a number", "Expired at is not a date", "Type is not included in the list"],
  ]);
  const json = await world.json("POST", "/admin/discount_codes.json", { discount_code: coupon });
  expect(json.value).toEqual({
    discount: ["is not a number"],
    expired_at: ["is not a date"],
    type_id: ["is not included in the list"],
  });
  const good = { discount_code: { ...coupon, type_id: 1, discount: 1, expired_at: null } };
  await made(world, "discount_codes", good);
  const again = await world.json("POST", "/admin/discount_codes.json", good);
  expect([again.status, again.value]).toEqual([422, { code: ["has already been taken"] }]);
});
