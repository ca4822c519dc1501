// The fields that interface.md lists, read from that file: the strict shop answers with exactly these fields in their
// types.
import { readFileSync } from "node:fs";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { describe, expect, test } from "vitest";
import { element, openInProcess } from "./in-process.ts";

const text = readFileSync(new URL("../../docs/interface.md", import.meta.url), "utf8");

/** The fields of a resource with their description in the interface. */
function fieldsOf(resource: string): Readonly<Record<string, string>> {
  const section = text.split(/^##+ /m).find((one) => one.startsWith(resource)) ?? "";
  // Rows of a table, or a list of names; a row may have several fields of one type.
  const rows = [...section.matchAll(/^(?:\| ([a-z][\w, -]*) \| ([^|]*)|- ([\w-]+)(.*)$)/gm)];
  return Object.fromEntries(
    rows.flatMap(([, names, type, name, note]) =>
      (names ?? name ?? "").split(", ").map((one): [string, string] => [one, (type ?? note ?? "").trim()]),
    ),
  );
}

const patterns: readonly (readonly [RegExp, RegExp])[] = [
  [/format A/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
  [/format B/, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/],
  [/boolean/, /^(true|false)$/],
  [/decimal/, /^-?\d+\.\d+$/],
  [/integer/, /^\d+$/],
  [/^date/, /^\d{4}-\d\d-\d\d$/],
  [/URL/, /^https?:\/\/\S+$/],
  [/path string/, /^\/\S+$/],
];

/** Deviations of an answer: `name: value` of each field that differs from the interface. */
function wrongIn(answer: string, fields: Readonly<Record<string, string>>): readonly string[] {
  const children = (parseXml(answer).root?.children ?? []).filter((node) => node instanceof XmlElement);
  expect(children.map(({ name }) => name).toSorted()).toEqual(Object.keys(fields).toSorted());
  return children.flatMap(({ name, text: value }) => {
    const type = fields[name] ?? "";
    const pattern = patterns.find(([known]) => known.test(type))?.[1];
    const isFine = pattern === undefined || pattern.test(value) || (value === "" && /empty/.test(type));
    return isFine ? [] : [`${name}: ${value}`];
  });
}

type World = ReturnType<typeof openInProcess>;
const open = () =>
  openInProcess({
    strict: true,
    download: async (url) => ({ bytes: Buffer.from("GIF89a"), name: url.split("/").at(-1) }),
  });
const post = async ({ ask }: World, path: string, body: string) =>
  (await ask("POST", `/admin/${path}.xml`, body)).text;
const mug =
  "<product><title>Mug</title><variants-attributes><variants-attribute><sku>M</sku><quantity>1</quantity><price>5</price></variants-attribute></variants-attributes></product>";
const coupon = (more = "") =>
  `<discount_code><code>A</code><act_once>1</act_once><discount>10</discount><type_id>1</type_id><disabled>0</disabled><expired-at>2030-06-09</expired-at>${more}</discount_code>`;
/** The last collection; the first one has no parent. */
const last = (list: string, name: string) =>
  list.slice(list.lastIndexOf(`<${name}>`), list.lastIndexOf("</"));
const themeOf = ({ shop }: World) => shop.store.list("theme")[0]?.id;
const without = (fields: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

describe("fields of the shop's answers", () => {
  test.each([
    [
      "Application charge",
      (world: World) =>
        post(
          world,
          "application_charges",
          "<application-charge><name>S</name><price>180</price><return-url>https://a.test/</return-url></application-charge>",
        ),
    ],
    [
      "Recurring application charge",
      (world: World) =>
        post(
          world,
          "recurring_application_charge",
          "<recurring-application-charge><monthly>1000</monthly></recurring-application-charge>",
        ),
    ],
    ["Discount code", (world: World) => post(world, "discount_codes", coupon())],
    ["Product", (world: World) => post(world, "products", mug)],
    [
      "Collection",
      async ({ ask }: World) => last((await ask("GET", "/admin/collections.xml")).text, "collection"),
    ],
    ["Theme", async ({ ask }: World) => last((await ask("GET", "/admin/themes.xml")).text, "theme")],
    ["File", (world: World) => post(world, "files", "<file><src>https://a.test/a.gif</src></file>")],
  ] as const)("%s", async (resource, answer) => {
    const fields = fieldsOf(resource);
    expect(Object.keys(fields)).toContain("id");
    const world = open();
    expect(wrongIn(await answer(world), fields)).toEqual([]);
  });

  test("the account and its owner have the fields of interface.md", async () => {
    const answer = (await open().ask("GET", "/admin/account.xml")).text;
    expect(wrongIn(answer, fieldsOf("Account"))).toEqual([]);
    const owner = answer.slice(answer.indexOf("<owner>"), answer.indexOf("</account>"));
    const fields = { "created-at": "timestamp, format B", email: "", id: "integer", name: "" };
    expect(wrongIn(owner, fields)).toEqual([]);
  });

  test("a price kind has the fields of interface.md in JSON", async () => {
    const { json } = open();
    const { value } = await json("POST", "/admin/price_kinds.json", { price_kind: { title: "Wholesale" } });
    const types = Object.entries(value).map(([name, one]) => [
      name,
      Number.isInteger(one) ? "integer" : typeof one,
    ]);
    expect(Object.fromEntries(types)).toEqual(fieldsOf("Price kind"));
  });

  test("an asset has content by itself, none in a list, and its address after an upload", async () => {
    const world = open();
    const path = `themes/${themeOf(world)}/assets`;
    const fields = fieldsOf("Asset");
    const listed = last((await world.ask("GET", `/admin/${path}.xml`)).text, "asset");
    expect(wrongIn(listed, without(fields, "content", "asset_url"))).toEqual([]);
    const one = await world.ask("GET", `/admin/${path}/${element(listed, "id")}.xml`);
    expect(wrongIn(one.text, without(fields, "asset_url"))).toEqual([]);
    const body = "<asset><name>a.gif</name><src>https://a.test/a.gif</src><type>Asset::Media</type></asset>";
    expect(wrongIn(await post(world, path, body), without(fields, "content"))).toEqual([]);
  });

  test("a JS tag's answer lacks the type of its request", async () => {
    const answer = await post(
      open(),
      "js_tags",
      "<js-tag><type>JsTag::TextTag</type><content>x</content></js-tag>",
    );
    expect(wrongIn(answer, without(fieldsOf("JS tag"), "type"))).toEqual([]);
  });
});

test("a blank boolean that interface.md never shows empty is false", async () => {
  const world = open();
  const blank = (xml: string, name: string) => xml.replace(/<\/(\w+)>$/, `<${name}/></$1>`);
  const sent = coupon().replace(/<(act_once|disabled)>.<\/\1>/g, "<$1/>");
  const code = await post(world, "discount_codes", sent);
  expect(wrongIn(code, fieldsOf("Discount code"))).toEqual([]);
  const product = await post(world, "products", blank(mug, "is-hidden"));
  expect(wrongIn(product, fieldsOf("Product"))).toEqual([]);
});

test("a coupon's type may have blanks around it, and other types are refused", async () => {
  const world = open();
  const typed = (type: string) =>
    world.ask("POST", "/admin/discount_codes.xml", coupon().replace("<type_id>1", `<type_id>${type}`));
  for (const type of ["3", "0", "percent", ""]) expect((await typed(type)).status, type).toBe(422);
  const made = await typed("\n  2.0 ");
  expect([made.status, element(made.text, "type-id")]).toEqual([201, "2"]);
});

type Row = Readonly<Record<string, unknown>>;

describe("default and maximum page sizes of lists", () => {
  const defaults = [...text.matchAll(/^\| (\w+) list \| per_page \| (\d+) \|$/gm)];
  const lists: Readonly<Record<string, readonly [path: string, kind: string, row: (index: number) => Row]>> =
    {
      product: ["products", "product", (index) => ({ title: `P${index}`, permalink: `p${index}` })],
      coupon: [
        "discount_codes",
        "discount_code",
        (index) => ({ code: `C${index}`, discount: "1.0", type_id: 1 }),
      ],
      file: ["files", "file", (index) => ({ absolute_url: `https://a.test/${index}` })],
    };
  test("every list of interface.md has a default page size", () => {
    expect(defaults.map(([, name]) => name)).toEqual(Object.keys(lists));
  });

  test.each(defaults.map(([, name = "", size]) => [name, Number(size)] as const))(
    "%s: %i",
    async (name, size) => {
      const [path, kind, row] = lists[name] as (typeof lists)[string];
      const fixture = { [kind]: Array.from({ length: size + 1 }, (_none, index) => row(index)) };
      const { ask } = openInProcess({ strict: true, fixture });
      const lengthOf = async (query: string) =>
        parseXml((await ask("GET", `/admin/${path}.xml${query}`)).text).root?.children.length;
      expect(await lengthOf("")).toBe(size);
      expect(await lengthOf("?page=2")).toBe(1);
      // "Clamps to 250" (platform-facts.md, section 4).
      expect(await lengthOf("?per_page=1000")).toBe(Math.min(size + 1, 250));
    },
  );
});

test("a product with a blank category gets the default one", async () => {
  const world = open();
  const own = String(world.shop.store.list("category")[0]?.id);
  const sent = mug.replace("<title>", "<category-id/><title>");
  const made = await post(world, "products", sent);
  const path = `/admin/products/${element(made, "id")}.xml`;
  const changed = await world.ask("PUT", path, "<product><category-id></category-id></product>");
  expect([element(made, "category-id"), element(changed.text, "category-id")]).toEqual([own, own]);
});
