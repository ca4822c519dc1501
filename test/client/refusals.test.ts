// Errors for each status, for invalid calls, and for responses about something else.
import { describe, expect, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import { parseJson } from "../../provider/wire/xml.ts";
import { failureOf, openScripted, xml } from "./server.ts";

const coupon = "<discount-code><id>7</id><code>A</code></discount-code>";

describe("a status has its error", () => {
  test.each<
    [
      status: number,
      kind: typeof errors.NotFoundError | typeof errors.RedirectError,
      code: string,
      said: string,
    ]
  >([
    [300, errors.RedirectError, "redirect", "an unnamed address"],
    [304, errors.RedirectError, "redirect", "an unnamed address"],
    [399, errors.RedirectError, "redirect", "an unnamed address"],
    [400, errors.ValidationError, "validation", '"no"'],
    [401, errors.UnauthorizedError, "unauthorized", "the shop doesn't know these credentials"],
    [403, errors.ForbiddenError, "forbidden", "the application has no right to it"],
    [404, errors.NotFoundError, "not-found", "not found"],
    [409, errors.ValidationError, "validation", '"no"'],
    [410, errors.NotFoundError, "not-found", "not found"],
    [422, errors.ValidationError, "validation", '"no"'],
    [426, errors.ForbiddenError, "tariff", "the shop's tariff doesn't include this interface"],
  ])("%d", async (status, kind, code, said) => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(status, xml).end(status === 304 ? "" : "<errors><error>no</error></errors>");
    });
    const failure = await failureOf(shop.client.coupons.get({ id: 7 }));
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({
      code,
      status,
      kind: "Coupon",
      objectId: "7",
      method: "GET",
      path: "/admin/discount_codes/7.xml",
    });
    expect(failure.message).toMatch(/^Coupon 7: GET \/admin\/discount_codes\/7\.xml /);
    expect(failure.message).toContain(said);
    expect(shop.heard).toEqual(["GET /admin/discount_codes/7.xml"]);
  });

  test("an error shows at most twenty of the shop's messages", async () => {
    const words = Array.from({ length: 30 }, (_none, index) => `<error>word ${index}</error>`).join("");
    const shop = await openScripted((_request, response) => {
      response.writeHead(422, xml).end(`<errors>${words}</errors>`);
    });
    const failure = (await failureOf(shop.client.coupons.get({ id: 7 }))) as errors.ShopError;
    expect(failure.messages).toHaveLength(30);
    expect(failure.message).toContain('"word 19"');
    expect(failure.message).not.toContain("word 20");
  });

  test("an error without the shop's messages quotes nothing", async () => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(422, xml).end("<errors/>");
    });
    const failure = await failureOf(shop.client.coupons.get({ id: 7 }));
    expect(failure.message).not.toMatch(/: \.|""/);
  });
});

describe("a call that can't be sent is refused, and nothing is sent", () => {
  const refused = async (
    work: (client: Awaited<ReturnType<typeof openScripted>>["client"]) => Promise<unknown>,
  ) => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(200, xml).end(coupon);
    });
    const failure = await failureOf(work(shop.client));
    expect(failure).toBeInstanceOf(errors.InvalidCallError);
    expect(failure).toMatchObject({ kind: "Coupon" });
    expect(shop.heard).toEqual([]);
    return failure.message;
  };

  test("a call without a value for its path is rejected", async () => {
    for (const id of ["", undefined])
      expect(await refused(({ coupons }) => coupons.get({ id } as never))).toMatch(
        /^Coupon: GET \/admin\/discount_codes\/{id}.xml needs id\. Nothing was sent$/,
      );
  });

  test("a call with a value that can't be encoded is rejected", async () => {
    expect(
      await refused(({ coupons }) => coupons.create({ code: "A", discount: "x", typeId: 1 } as never)),
    ).toContain('discount can\'t be "x"');
  });
});

describe("an answer", () => {
  const got = async (body: string, id: string | number = 7) => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(200, xml).end(body);
    });
    return shop.client.coupons.get({ id } as never);
  };

  test("a response about another object is rejected", async () => {
    expect(await got(coupon)).toMatchObject({ id: 7 });
    const other = await failureOf(got(coupon, 8));
    expect(other).toBeInstanceOf(errors.NoAnswerError);
    expect(other.message).toContain("it is about Coupon 7, not 8");
    // An object that wasn't requested by id isn't compared.
    for (const id of ["a7", "7a", "07", "0"]) expect(await got(coupon, id)).toMatchObject({ id: 7 });
  });

  test("a response without an id is rejected", async () => {
    for (const id of ["", "<id/>", '<id nil="true"/>']) {
      const failure = await failureOf(got(`<discount-code>${id}<code>A</code></discount-code>`));
      expect(failure).toBeInstanceOf(errors.NoAnswerError);
      expect(failure.message).toContain("it has no id");
    }
  });

  test("an error document with a success status is an error", async () => {
    const failure = await failureOf(got("<errors><error>no</error></errors>"));
    expect(failure).toBeInstanceOf(errors.RefusedError);
    expect(failure).toMatchObject({ status: 200, messages: ["no"] });
  });
});

describe("an answer in JSON", () => {
  const json = { "content-type": "application/json" };
  const kinds = async (body: string) => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(200, json).end(body);
    });
    return shop.client.priceKinds;
  };

  test("a JSON response may be wrapped in the kind's name", async () => {
    for (const body of ['{"id":7,"title":"a"}', '{"price_kind":{"id":7,"title":"a"}}'])
      expect(await (await kinds(body)).get({ id: 7 })).toMatchObject({ id: 7, title: "a" });
    expect(parseJson('{"price_kind":{"id":7}}', "price-kind")).toEqual({ "price-kind": [{ id: ["7"] }] });
  });

  test("a JSON list must be an array", async () => {
    expect(await (await kinds(' \n[{"id":7,"title":"a"},{"id":8}]')).list()).toMatchObject([
      { id: 7 },
      { id: 8 },
    ]);
    const failure = await failureOf((await kinds('{"list":[{"id":7}]}')).list());
    expect(failure.message).toContain("it is not a JSON array");
  });

  test("a JSON object without an id is returned, one with an invalid id is left out", async () => {
    expect(await (await kinds('[{"title":"a"}]')).list()).toMatchObject([{ title: "a" }]);
    await expect((await kinds('[{"id":"x","title":"a"}]')).list()).rejects.toBeInstanceOf(
      errors.UnreadableValueError,
    );
  });
});
