// Lists with repeated pages, duplicate objects, unreadable values, or another object's response.
import { describe, expect, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import type { BadValue } from "../../provider/client/index.ts";
import { failureOf, openScripted, xml } from "./server.ts";

const productXml = (id: number | string, price = "10.0") =>
  `<product><id>${id}</id><title>P${id}</title><variants><variant><id>1</id><price>${price}</price></variant></variants></product>`;
const productsXml = (...products: readonly string[]) => `<products>${products.join("")}</products>`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A shop with a scripted list of products. */
const openList = (page: (number: number) => string) =>
  openScripted((request, response) => {
    const number = Number(new URL(request.url ?? "", "http://x").searchParams.get("page"));
    response.writeHead(200, xml).end(page(number));
  });

async function idsOf(list: AsyncIterable<{ readonly id: number }>): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe("a list", () => {
  test("a list that repeats its page is an error", async () => {
    const { client, heard } = await openList(() => productsXml(...range(1, 10).map((id) => productXml(id))));
    const failure = await failureOf(idsOf(client.products.every({ perPage: 10 })));
    expect(failure).toBeInstanceOf(errors.StuckListError);
    expect(failure.message).toMatch(/page 2.*doesn't advance/);
    expect(heard).toHaveLength(2);
  });

  test("a list that alternates between pages is an error", async () => {
    const { client, heard } = await openList((page) =>
      productsXml(...range(1, 10).map((id) => productXml(id + 10 * (page % 2)))),
    );
    expect(await failureOf(idsOf(client.products.every({ perPage: 10 })))).toBeInstanceOf(
      errors.StuckListError,
    );
    expect(heard).toHaveLength(3);
  });

  test("an object on two pages is returned once", async () => {
    const { client } = await openList((page) =>
      productsXml(...(page === 1 ? range(1, 10) : range(10, 15)).map((id) => productXml(id))),
    );
    expect(await idsOf(client.products.every({ perPage: 10 }))).toEqual(range(1, 15));
  });

  test("a list without pages is requested without a page", async () => {
    const { client, heard } = await openScripted((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    expect(await idsOf(client.priceKinds.every({ perPage: 10 } as object))).toEqual([]);
    expect(heard).toEqual(["GET /admin/price_kinds.json"]);
  });

  test("an empty page ends the list", async () => {
    const { client, heard } = await openList((page) =>
      productsXml(...(page === 1 ? range(1, 10) : []).map((id) => productXml(id))),
    );
    expect(await idsOf(client.products.every({ perPage: 10 }))).toEqual(range(1, 10));
    expect(heard).toHaveLength(2);
  });
});

describe("a value that can't be read", () => {
  const lossy = "123456789012345678.99";
  const pageOf = (...prices: readonly (readonly [number, string])[]) =>
    productsXml(...prices.map(([id, price]) => productXml(id, price)));

  test("an unreadable value is an error without retries that names object, field and value", async () => {
    const { client, heard } = await openList(() => pageOf([1, "10.0"], [2, lossy]));
    const failure = (await failureOf(idsOf(client.products.every()))) as errors.UnreadableValueError;
    expect(failure).toBeInstanceOf(errors.UnreadableValueError);
    expect(failure).toMatchObject({ kind: "Product", objectId: "2", field: "variants/price" });
    expect(failure.message).toContain(lossy);
    expect(failure.message).not.toContain("Run again later");
    expect(heard).toHaveLength(1);
  });

  test("an unreadable value is reported while the rest of the list is returned", async () => {
    const { client } = await openList(() => pageOf([1, "10.0"], [2, lossy], [3, "30.0"]));
    const bad: BadValue[] = [];
    const found: unknown[] = [];
    for await (const product of client.products.every({}, { onBadValue: (one) => bad.push(one) }))
      found.push([product.id, product.variants?.[0]?.price]);
    expect(found).toEqual([
      [1, 10],
      [2, undefined],
      [3, 30],
    ]);
    expect(bad).toEqual([
      { kind: "Product", id: "2", field: "variants/price", message: expect.stringContaining(lossy) },
    ]);
  });

  test("an object with an unreadable id is left out and counts for the page's length", async () => {
    const { client, heard } = await openList((page) =>
      page === 1
        ? productsXml(...range(1, 9).map((id) => productXml(id)), productXml("x"))
        : productsXml(productXml(20)),
    );
    const bad: BadValue[] = [];
    const ids = await idsOf(client.products.every({ perPage: 10 }, { onBadValue: (one) => bad.push(one) }));
    expect(ids).toEqual([...range(1, 9), 20]);
    expect(bad).toMatchObject([{ id: undefined, field: "id" }]);
    expect(heard).toHaveLength(2);
  });

  test("an unreadable value in a single object is an error without retries", async () => {
    const { client, heard } = await openList(() => productXml(2, lossy));
    expect(await failureOf(client.products.get({ id: 2 }))).toBeInstanceOf(errors.UnreadableValueError);
    expect(heard).toHaveLength(1);
  });

  test("an unreadable value in a write's response is a lost response", async () => {
    const { client, heard } = await openScripted((_request, response) =>
      response.writeHead(201, xml).end(productXml(2, lossy)),
    );
    const failure = await failureOf(client.products.create({ title: "P2", categoryId: 1, variants: [] }));
    expect(failure).toBeInstanceOf(errors.LostAnswerError);
    expect(heard).toHaveLength(1);
  });
});

describe("another object's answer", () => {
  const coupon = (id: number) => `<discount-code><id>${id}</id><code>A</code></discount-code>`;

  test("a read that returns another object is retried and then fails", async () => {
    const { client, heard } = await openScripted((_request, response, index) =>
      response.writeHead(200, xml).end(coupon(index === 0 ? 666 : 2)),
    );
    expect(await client.coupons.get({ id: 2 })).toMatchObject({ id: 2 });
    expect(heard).toHaveLength(2);
  });

  test("an edit that returns another object is a lost response", async () => {
    const { client } = await openScripted((_request, response) =>
      response.writeHead(200, xml).end(coupon(666)),
    );
    const failure = await failureOf(client.coupons.edit({ id: 2, code: "B" }));
    expect(failure).toBeInstanceOf(errors.LostAnswerError);
    expect(failure.message).toContain("it is about Coupon 666, not 2");
  });

  test("responses without an id are accepted for kinds without an id", async () => {
    const { client } = await openScripted((_request, response) =>
      response
        .writeHead(200, xml)
        .end("<recurring-application-charge><monthly>5.0</monthly></recurring-application-charge>"),
    );
    expect(await client.recurringCharge.get()).toMatchObject({ monthly: 5 });
  });
});

test("JSON that isn't an array is rejected as a list", async () => {
  const { client } = await openScripted((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"message": "later"}'),
  );
  expect((await failureOf(client.priceKinds.list())).message).toContain("not a JSON array");
});
