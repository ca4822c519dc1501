// What is true of single kinds beyond the laws.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { openWorld, type World } from "../support/world.ts";

const verbsOf = (world: World, name: keyof typeof definitions) =>
  world.verbs(definitions[name] as Definition);
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

async function assets(world: World) {
  const [theme] = await world.client.themes.list();
  const verbs = verbsOf(world, "assets");
  return { verbs, themeId: theme?.id as number };
}

describe("products", () => {
  const variants = [
    { sku: "A", price: 10, quantity: 1 },
    { sku: "B", price: 20, quantity: 2 },
  ];

  test("a changed price of one variant is sent alone, with the variant's id", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "products");
    const { id, outs } = await verbs.create(await verbs.checked({ title: "Mug", variants }));
    const next = await verbs.checked({
      title: "Mug",
      variants: [variants[0], { ...variants[1], price: 25 }],
    });
    expect(await verbs.diff(id, outs, next)).toEqual({ type: "update", paths: [["variants", "B", "price"]] });
    await verbs.update(id, outs, next);
    expect(world.rows("product")[0]?.variants).toMatchObject([
      { sku: "A", price: "10.0" },
      { sku: "B", price: "25.0" },
    ]);
    expect(world.rows("product")[0]?.variants).toHaveLength(2);
  });

  test("variants are added and removed, and their order is no difference", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "products");
    const { id, outs } = await verbs.create(await verbs.checked({ title: "Mug", variants }));
    expect(
      await verbs.diff(id, outs, await verbs.checked({ title: "Mug", variants: variants.toReversed() })),
    ).toEqual({ type: "none" });
    const next = await verbs.checked({
      title: "Mug",
      variants: [variants[1], { sku: "C", price: 30, quantity: 0 }],
    });
    const after = await verbs.update(id, outs, next);
    expect(await verbs.diff(id, after, next)).toEqual({ type: "none" });
    const [row] = world.rows("product") as readonly { variants: { sku: string }[] }[];
    expect(row?.variants.map(({ sku }) => sku).toSorted()).toEqual(["B", "C"]);
  });

  test("an update keeps the edits of staff in other fields", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "products");
    const { id, outs } = await verbs.create(await verbs.checked({ title: "Mug", variants }));
    await world.edit({ kind: "product", id: Number(id), set: { description: "by hand" } });
    await verbs.update(id, outs, await verbs.checked({ title: "Cup", variants }));
    expect(world.rows("product")[0]).toMatchObject({ title: "Cup", description: "by hand" });
  });

  test("a missing, an empty, a zero and a false argument are four different values", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "products");
    const args = {
      title: "Mug",
      variants: [{ sku: "A", price: 0, quantity: 0 }],
      description: "text",
      isHidden: true,
    };
    const { id, outs } = await verbs.create(await verbs.checked(args));
    const next = await verbs.checked({ ...args, description: "", isHidden: false });
    expect(await verbs.diff(id, outs, next)).toEqual({
      type: "update",
      paths: [["description"], ["isHidden"]],
    });
    const after = await verbs.update(id, outs, next);
    expect(await verbs.diff(id, after, next)).toEqual({ type: "none" });
    const fewer = await verbs.checked({ title: "Mug" });
    expect(await verbs.diff(id, after, fewer)).toEqual({ type: "none" });
  });

  test("a value in the shop's own spelling is no difference", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "products");
    // A Cyrillic letter between the numbers comes back as a Latin one.
    const inputs = await verbs.checked({ title: "Mug", dimensions: "10\u044520\u044530", variants });
    const { id, outs } = await verbs.create(inputs);
    expect(outs.dimensions).toBe("10x20x30");
    expect(await verbs.diff(id, outs, inputs)).toEqual({ type: "none" });
  });
});

test("a write that the shop accepts without applying is an error that names the field, and the object is kept", async () => {
  // interface.md shows no request key for it, so the strict shop leaves it out.
  const world = await openWorld({ strict: true });
  const verbs = verbsOf(world, "coupons");
  const inputs = await verbs.checked({ code: "SPRING", discount: 10, typeId: 1, minPrice: 30 });
  const failure = await verbs.create(inputs).then(
    () => undefined,
    (error: { id?: string; properties?: Values; reasons?: readonly string[] }) => error,
  );
  expect(failure?.id).toBe(String(world.rows("discount_code")[0]?.id));
  expect(failure?.properties).toMatchObject({ code: "SPRING" });
  expect(failure?.reasons).toEqual([
    expect.stringContaining("without taking minPrice: expected 30, got unset"),
  ]);
});

describe("assets", () => {
  test("a new name and a new text of an asset are updates in place", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const args = { themeId, type: "Asset::Snippet", name: "a.liquid", content: "one" };
    const { id, outs } = await verbs.create(await verbs.checked(args));
    const next = await verbs.checked({ ...args, name: "b.liquid", content: "two" });
    const sent = await world.during(() => verbs.update(id, outs, next));
    expect(sent).toEqual([
      expect.stringMatching(/^GET .*\/\d+\.xml$/),
      expect.stringMatching(/^PUT .*\/\d+\.xml$/),
      expect.stringMatching(/^PUT .*\/rename\.xml$/),
    ]);
    expect(world.rows("asset").find(({ name }) => name === "b.liquid")).toMatchObject({ content: "two" });
  });

  test("another type or theme replaces an asset, and another picture in its place deletes the old one first", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const file = world.file("mark.png", png);
    const args = { themeId, type: "Asset::Media", name: "mark.png", file };
    const { id, outs } = await verbs.create(await verbs.checked(args));
    expect(
      await verbs.diff(id, outs, { ...(await verbs.checked(args)), type: "Asset::Snippet" }),
    ).toMatchObject({
      type: "replace",
      replaces: [["type"]],
      deleteFirst: false,
    });
    const other = world.rows("theme").find((theme) => theme.id !== themeId)?.id;
    expect(other).toBeGreaterThan(0);
    expect(await verbs.diff(id, outs, await verbs.checked({ ...args, themeId: other }))).toMatchObject({
      type: "replace",
      replaces: [["themeId"]],
      deleteFirst: false,
    });
    world.file("mark.png", Buffer.concat([png, png]));
    expect(await verbs.diff(id, outs, await verbs.checked(args))).toMatchObject({
      type: "replace",
      replaces: [["file"]],
      deleteFirst: true,
    });
  });

  test("the state of a file has its path, size and hash, and never its body", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const file = world.file("note.liquid", "a body that is nobody's business");
    const inputs = await verbs.checked({ themeId, type: "Asset::Snippet", name: "note.liquid", file });
    const { outs } = await verbs.create(inputs);
    expect(outs.file).toEqual({
      path: "note.liquid",
      size: 32,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify([inputs, outs])).not.toContain("nobody's business");
  });

  test("a file that changes between check and write is refused", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const file = world.file("note.liquid", "one");
    const inputs = await verbs.checked({ themeId, type: "Asset::Snippet", name: "note.liquid", file });
    world.file("note.liquid", "two");
    await expect(verbs.create(inputs)).rejects.toThrow("note.liquid changed during the run");
    expect(world.requests().filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  test("an edit of a remote text is detected by its hash", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const inputs = await verbs.checked({
      themeId,
      type: "Asset::Snippet",
      name: "a.liquid",
      content: "one\n",
    });
    const { id, outs } = await verbs.create(inputs);
    await world.edit({ kind: "asset", id: Number(id.split("/")[1]), set: { content: "staff\n" } });
    const read = await verbs.read(id, outs);
    expect(read?.props.sha256).not.toBe(outs.sha256);
    expect(await verbs.diff(id, read?.props ?? {}, inputs)).toEqual({ type: "update", paths: [["content"]] });
  });

  test("the changed lines of a file are reported", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const file = world.file("note.liquid", "one\ntwo\nthree\n");
    const { id, outs } = await verbs.create(
      await verbs.checked({ themeId, type: "Asset::Snippet", name: "note.liquid", file }),
    );
    await world.edit({
      kind: "asset",
      id: Number(id.split("/")[1]),
      set: { content: "one\r\n2\r\nthree\r\n" },
    });
    await verbs.read(id, outs);
    expect(world.said.at(-1)).toBe(
      `Asset ${id}: the text was changed in the shop:\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three`,
    );
  });

  test("line ends of another system are no difference", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const file = world.file("a.liquid", "one\r\ntwo\r\n");
    const inputs = await verbs.checked({ themeId, type: "Asset::Snippet", name: "a.liquid", file });
    const { id, outs } = await verbs.create(inputs);
    world.file("a.liquid", "one\ntwo\n");
    expect(
      await verbs.diff(
        id,
        outs,
        await verbs.checked({ themeId, type: "Asset::Snippet", name: "a.liquid", file }),
      ),
    ).toEqual({ type: "none" });
  });

  test("adopting an asset with another text by key sends the program's text", async () => {
    const world = await openWorld();
    const { verbs, themeId } = await assets(world);
    const adopting = await verbs.checked({
      themeId,
      type: "Asset::Template",
      name: "index.liquid",
      content: "mine",
      adopt: "key",
    });
    const { outs } = await verbs.create(adopting);
    expect(await verbs.diff("", outs, adopting)).toEqual({ type: "none" });
    const rows = world.rows("asset").filter((row) => row.theme_id === themeId && row.name === "index.liquid");
    expect(rows).toMatchObject([{ content: "mine" }]);
  });
});

describe("charges", () => {
  test("a pending charge is declined, and an accepted one is only removed from the state, with a warning", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "applicationCharges");
    const inputs = await verbs.checked({ name: "Setup", price: 180, returnUrl: "https://app.example.test/" });
    const first = await verbs.create(inputs);
    expect(await world.during(() => verbs.delete(first.id, first.outs))).toContain(
      `POST /admin/application_charges/${first.id}/decline.xml`,
    );
    const second = await verbs.create(inputs);
    await world.edit({ kind: "application_charge", id: Number(second.id), set: { status: "accepted" } });
    const sent = await world.during(() => verbs.delete(second.id, second.outs));
    expect(sent).toEqual([`GET /admin/application_charges/${second.id}.xml`]);
    expect(world.said.at(-1)).toContain(`ApplicationCharge ${second.id}`);
  });

  test("a recurring charge that exists with other terms is an error, unless adopt is set", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "recurringCharge");
    await world.client.recurringCharge.create({ monthly: 900 });
    await expect(verbs.checked({ monthly: 1000 })).rejects.toThrow(/other terms.*adopt/s);
    expect(await verbs.create(await verbs.checked({ monthly: 900 }))).toBeDefined();
    const taken = await verbs.create(await verbs.checked({ monthly: 1000, adopt: "key" }));
    expect(taken.outs.monthly).toBe(1000);
  });
});

describe("tags", () => {
  const args = { type: "JsTag::TextTag", name: "note", content: "alert(1)" };

  test("on a shop that can't read tags, a refresh keeps the state, and a delete fails with advice", async () => {
    const world = await openWorld({ strict: true });
    const verbs = verbsOf(world, "jsTags");
    const inputs = await verbs.checked({ type: args.type, content: args.content });
    const { id, outs } = await verbs.create(inputs);
    const read = await verbs.read(id, outs);
    expect(read?.props).toEqual(outs);
    await expect(verbs.delete(id, outs)).rejects.toThrow("retainOnDelete");
    expect(world.rows("js_tag")).toHaveLength(1);
  });

  test("any change of a tag replaces it", async () => {
    const world = await openWorld();
    const verbs = verbsOf(world, "jsTags");
    const { id, outs } = await verbs.create(await verbs.checked(args));
    expect(await verbs.diff(id, outs, await verbs.checked({ ...args, content: "alert(2)" }))).toMatchObject({
      type: "replace",
    });
  });
});

test("a text of any kind is the same byte for byte after it went to the shop and back", async () => {
  const world = await openWorld();
  const verbs = verbsOf(world, "products");
  const description = `<p class="x">Кружка &amp; 茶碗 \u{1F3FA}</p>\n\t]]> <![CDATA[ not one ]]> &#x41; "quoted" 'too'  two spaces \u00a0 \u0085 \u2028 end `;
  const { id, outs } = await verbs.create(
    await verbs.checked({ title: " Mug ", description, variants: [{ price: 1 }] }),
  );
  expect(outs.description).toBe(description);
  expect(world.rows("product")[0]).toMatchObject({ description, title: " Mug " });
  expect((await verbs.read(id, outs))?.props.description).toBe(description);
  const { failures } = await verbs.check({}, { title: "bell \u0007", variants: [{ price: 1 }] });
  expect(failures).toEqual([{ property: "title", reason: expect.stringContaining("U+0007") }]);
});
