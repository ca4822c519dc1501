// Which responses the client accepts for each method, by content type and root element.
import { describe, expect, test } from "vitest";

import { failureOf, openScripted } from "./server.ts";

const xml = "application/xml";
const json = "application/json";
const one = "<discount-code><id type='integer'>7</id><code>C</code></discount-code>";
const draft = { code: "C", discount: 1, typeId: 1 } as const;

async function answering(contentType: string, body: string) {
  const { client } = await openScripted((_request, response) =>
    response.writeHead(200, { "content-type": contentType }).end(body),
  );
  return client;
}

describe("an edit or a delete accepts a response without an object", () => {
  test.each([
    ["is empty", xml, " \n", undefined],
    ["is of another type", "text/plain", "ok", undefined],
    ["is of another root", xml, "<ok/>", undefined],
  ] as const)("%s: it was done", async (_what, type, body, expected) => {
    const client = await answering(type, body);
    expect(await client.coupons.edit({ id: 7, ...draft })).toBe(expected);
    expect(await client.coupons.remove({ id: 7 })).toBe(expected);
  });
});

test("an HTML page in response to an edit or a delete makes the client read the object", async () => {
  const client = await answering("text/html", "<html>log in");
  for (const asked of [client.coupons.edit({ id: 7, ...draft }), client.coupons.remove({ id: 7 })])
    expect((await failureOf(asked)).message).toContain("its content type is text/html, not XML or JSON");
});

test("an empty response to a read is unreadable: the object isn't gone", async () => {
  const client = await answering(xml, "");
  expect((await failureOf(client.coupons.get({ id: 7 }))).message).toContain("it is empty");
});

describe("a create or a read requires the object in its response", () => {
  test.each([
    [xml, "<ok/>", "its root element is <ok>, not <discount-code>"],
    [
      "text/html",
      "<html>ok",
      "its content type is text/html, not XML or JSON: check that shop:url is the shop's own address",
    ],
    ["", "ok", "its content type is missing, not XML or JSON"],
  ])("of type '%s' that is %s is unreadable: %s", async (type, body, why) => {
    const { client } = await openScripted((_request, response) =>
      response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body),
    );
    for (const asked of [client.coupons.create(draft), client.coupons.get({ id: 7 })])
      expect((await failureOf(asked)).message).toContain(why);
  });

  test.each(["discount-code", "discount_code"])("a response may have the root %s", async (root) => {
    const client = await answering(xml, one.replaceAll("discount-code", root));
    expect(await client.coupons.get({ id: 7 })).toMatchObject({ id: 7, code: "C" });
    expect(await client.coupons.create(draft)).toMatchObject({ id: 7 });
  });
});

describe("responses to a list", () => {
  test.each([
    [xml, one, "its root element is <discount-code>, not <discount-codes>"],
    [json, '{"id":7}', "it is not a JSON array"],
    [xml, " \n", "it is empty"],
    [json, "", "it is empty"],
  ] as const)("of type %s is unreadable where it is %s", async (type, body, why) => {
    const client = await answering(type, body);
    expect((await failureOf(client.coupons.list())).message).toContain(why);
  });
});
