// The number of requests for lists of several pages: at most as many as the preview said, all pages before the first
// write, no object missed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { definitionOf } from "../../provider/resources/index.ts";
import type { Ran, Resource } from "./house/types.ts";
import { openHouse } from "./house.ts";
import { type WalkKind, walkKinds } from "./kinds.ts";

const options = { env: { SHOP_PER_PAGE: "10" } };
const count = 24;

// Kinds with one object per shop have no list; the settings of a theme are one object.
const kinds = walkKinds.filter(
  ({ kind, slots }) => slots > 1 && definitionOf(kind)?.operations.list !== undefined,
);

function open(bodies?: string) {
  const house = openHouse(bodies === undefined ? {} : { bodies });
  onTestFinished(() => house.close());
  for (const { id } of house.rows("asset")) house.shop.edit({ kind: "asset", id, delete: true });
  return house;
}

const coupons = (howMany: number): readonly Resource[] =>
  Array.from({ length: howMany }, (_none, index) => ({
    kind: "Coupon",
    name: `c${index}`,
    args: { code: `C${index}`, discount: 10, typeId: 2 },
  }));

const edited = (one: Resource, { places: [place] }: WalkKind, n: number): Resource => {
  if (place === undefined) return one;
  return { ...one, args: { ...one.args, [place.argument]: place.value(n) } };
};

const isList = (line: string) => /^GET [^?]*\/[a-z_]+\.(xml|json)/.test(line);
const isWrite = (line: string) => !line.startsWith("GET ");

/** Without the reads after an edit whose answer is empty. */
const withoutProofs = (lines: readonly string[]) =>
  lines.filter((line, index) => !lines.slice(0, index).includes(line.replace("GET", "PUT")));

function judge(ran: Ran & { readonly planned: Ran }, what: string): void {
  expect(ran.result?.outcome, what).toBe("succeeded");
  expect(ran.requests, what).toHaveLength(ran.planned.requestsNeeded ?? 0);
  const firstWrite = ran.requests.findIndex(isWrite);
  expect(ran.requests.slice(firstWrite).filter(isList), `${what}: a page after a write`).toEqual([]);
  const pages = Math.ceil(count / 10);
  const lists = ran.requests.filter(isList);
  const changed = ran.planned.steps.length;
  expect(lists.length, `${what}: pages`).toBeLessThanOrEqual(Math.min(pages, changed));
}

describe("what is sent was announced", () => {
  test("of a theme's files, whose list shows neither their text nor whether somebody replaced a picture", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-bodies-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const house = open(folder);
    const themeId = Number(house.rows("theme")[0]?.id);
    const program = (version: string): readonly Resource[] => [
      ...[1, 2, 3].map((n) => ({
        kind: "Asset",
        name: `text${n}`,
        args: { themeId, type: "Asset::Snippet", name: `t${n}.liquid`, content: version },
      })),
      ...[1, 2, 3, 4, 5, 6].map((n) => {
        const file = `${n}-${version}.png`;
        writeFileSync(join(folder, file), Buffer.from([0x89, 0, 0xff, n, version.charCodeAt(0)]));
        return {
          kind: "Asset",
          name: `image${n}`,
          args: { themeId, type: "Asset::Media", name: `i${n}.png`, file },
        };
      }),
    ];
    await house.up(program("a"));
    const ran = await house.up(program("b"));
    expect(ran.steps).toHaveLength(9);
    expect(ran.requests.filter((line) => line.startsWith("GET "))).toHaveLength(9);
    expect(ran.requests).toHaveLength(ran.planned.requestsNeeded ?? 0);
  });

  test.each(kinds.map((kind) => [kind.kind, kind] as const))("%s", async (name, kind) => {
    const house = open();
    const theme = Number(house.rows("theme")[0]?.id);
    let n = 1_000;
    const fresh = () => {
      n += 1;
      return n;
    };
    let program = Array.from({ length: count }, (_none, index): Resource => {
      return { kind: name, name: `one${index}`, args: kind.args(index, fresh(), theme) };
    });
    const steps: Readonly<Record<string, (one: Resource, index: number) => readonly Resource[]>> = {
      "all are updated": (one) => [edited(one, kind, fresh())],
      "every third is updated": (one, index) => [index % 3 === 0 ? edited(one, kind, fresh()) : one],
      "the last three are updated": (one, index) => [
        index >= program.length - 3 ? edited(one, kind, fresh()) : one,
      ],
      "every third is deleted, the one behind it updated": (one, index) =>
        index % 3 === 0 ? [] : [index % 3 === 1 ? edited(one, kind, fresh()) : one],
      "the last two are deleted": (one, index) => (index >= program.length - 2 ? [] : [one]),
      "all are deleted": () => [],
    };
    judge(await house.up(program, options), "all are created");
    for (const [what, change] of Object.entries(steps)) {
      program = program.flatMap(change);
      judge(await house.up(program, options), what);
    }
    expect(house.state()).toEqual([]);
  });
});

test("all pages are read before the first delete, so that a destroy doesn't move what it has yet to read", async () => {
  const house = open();
  await house.up(coupons(30), options);
  const ids = house.rows("discount_code").map(({ id }) => id);
  const ran = await house.up([], options);
  expect(ran.requests).toEqual([
    ...[1, 2, 3].map((page) => `GET /admin/discount_codes.xml?page=${page}&per_page=10`),
    ...ids.map((id) => `DELETE /admin/discount_codes/${id}.xml`),
  ]);
  expect(ran.planned.requestsNeeded).toBe(33);
  expect(house.rows("discount_code")).toEqual([]);
});

test("without a preview a destroy reads again what its deletes have moved: pages, not objects", async () => {
  const house = open();
  await house.up(coupons(120), options);
  const ran = await house.go([], options);
  expect(ran.result?.outcome).toBe("succeeded");
  expect(house.rows("discount_code")).toEqual([]);
  expect(ran.requests.filter((line) => /^GET .*\/\d+\.xml/.test(line))).toEqual([]);
  expect(ran.requests.filter(isList).length).toBeLessThanOrEqual(2 * 12);
});

test("an object that slides to a page that was read already is asked for by itself", async () => {
  const house = open();
  const program = coupons(30);
  await house.up(program, options);
  const first = Number(house.rows("discount_code")[0]?.id);
  const hidden = house.rows("discount_code")[10]?.id;
  // Staff delete an unchanged object between the first page and the second.
  const onRequest = (line: string) => {
    if (line.includes("?page=2&")) house.shop.edit({ kind: "discount_code", id: first, delete: true });
  };
  const changed = program.map((one, index) =>
    index === 0 ? one : { ...one, args: { ...one.args, discount: 11 } },
  );
  const ran = await house.up(changed, { ...options, onRequest });
  expect(withoutProofs(ran.requests).filter((line) => /^GET .*\/\d+\.xml/.test(line))).toEqual([
    `GET /admin/discount_codes/${hidden}.xml`,
  ]);
  expect(house.rows("discount_code").map(({ discount }) => Number(discount))).toEqual(Array(29).fill(11));
});

test("pages that grew old while a run waited are read again, where that is cheaper than each object", async () => {
  const house = open();
  const program = coupons(30);
  await house.up(program, options);
  const changed = program.map((one) => ({ ...one, args: { ...one.args, discount: 11 } }));
  let puts = 0;
  const onRequest = (line: string) => {
    if (isWrite(line)) puts += 1;
    // As at the end of a rate limit window.
    if (puts === 10 && isWrite(line)) house.clock.offsetMs += 300_000;
  };
  const ran = await house.up(changed, { ...options, onRequest });
  expect(ran.result?.outcome).toBe("succeeded");
  expect(ran.requests.filter(isWrite)).toHaveLength(30);
  expect(withoutProofs(ran.requests).filter((line) => !isWrite(line))).toEqual(
    [1, 2, 3, 1, 2, 3].map((page) => `GET /admin/discount_codes.xml?page=${page}&per_page=10`),
  );
});

test("a file that slides to a page that was read already isn't taken for gone", async () => {
  const house = open();
  const files = Array.from({ length: 260 }, (_none, index): Resource => {
    return { kind: "File", name: `f${index}`, args: { filename: `f${index}.txt`, content: `${index}` } };
  });
  await house.go(files);
  const [first, meant] = [0, 250].map((index) => Number(house.rows("file")[index]?.id));
  // The response to its delete is lost. While the list is read to check it, another file disappears.
  house.shop.faults.add({ fault: "500", method: "DELETE", times: 1 });
  const onRequest = (line: string) => {
    if (line.includes("files.xml?page=2&"))
      house.shop.edit({ kind: "file", id: Number(first), delete: true });
  };
  const ran = await house.go(files.toSpliced(250, 1), { onRequest });
  expect(ran.steps).toEqual(["delete f250"]);
  expect(house.rows("file").map(({ id }) => id)).not.toContain(meant);
});

test("a row whose product slides to a page that was read already isn't left out of its sheet", async () => {
  const house = open();
  const products = Array.from({ length: 25 }, (_none, index): Resource => {
    return {
      kind: "Product",
      name: `p${index}`,
      args: { title: `P${index}`, variants: [{ sku: `S${index}`, price: 5 }] },
    };
  });
  await house.go(products);
  const [first] = house.rows("product");
  // Staff delete a product of the first page while the run looks for the sheet's row.
  const onRequest = (line: string) => {
    if (line.includes("products.xml?page=2&"))
      house.shop.edit({ kind: "product", id: Number(first?.id), delete: true });
  };
  const args = { rows: [{ sku: "S10", oldPrice: 7 }], unknown: "report" };
  const ran = await house.go([...products, { kind: "Prices", name: "sale", args }], {
    ...options,
    onRequest,
  });
  expect(ran.result?.outcome).toBe("succeeded");
  expect(house.rows("product").find(({ title }) => title === "P10")).toMatchObject({
    variants: [{ old_price: "7.0" }],
  });
});

test.each(["dynamic", "plugin"] as const)(
  "up --refresh announces the reads of its own refresh too, also where nothing else is to do (%s)",
  async (form) => {
    const house = open();
    const coupons = (discount: number): readonly Resource[] =>
      ["A", "B"].map((code) => ({ kind: "Coupon", name: code, args: { code, discount, typeId: 1 } }));
    await house.up(coupons(10), { form });
    for (const discount of [11, 11]) {
      const ran = await house.up(coupons(discount), { form, refresh: true });
      expect(ran.planned.requestsNeeded).toBe(ran.requests.length);
    }
  },
);
