// No output of the client contains the connection's credentials, whatever the shop answers.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { resolveConnection } from "../../provider/client/connection.ts";
import { ShopError } from "../../provider/client/errors.ts";
import { createTransport } from "../../provider/client/transport.ts";
import { credentials, failureOf, openScripted, xml } from "./server.ts";

const { applicationId, password } = credentials;
const pair = Buffer.from(`${applicationId}:${password}`).toString("base64");
const json = { "content-type": "application/json" };
const html = { "content-type": "text/html" };
const said = `${password} Basic ${pair} ${encodeURIComponent(pair)} ${pair.replace(/=+$/, "")} ${password.toUpperCase()}`;

const asked: Record<string, readonly [status: number, headers: Record<string, string>, body: string]> = {
  "a refusal in XML": [422, xml, `<errors><error>${said}</error></errors>`],
  "a refusal in JSON": [422, json, JSON.stringify({ errors: { base: [said] } })],
  "a refusal in JSON with its slashes escaped": [422, json, JSON.stringify([said]).replaceAll("/", "\\/")],
  "a bad request": [400, xml, `<errors>${said}</errors>`],
  "a page": [404, html, said],
  "a redirect": [302, { location: `http://${applicationId}:${password}@elsewhere.invalid/${pair}` }, ""],
  "errors under a status of success": [200, xml, `<errors><error>${said}</error></errors>`],
  "another document": [200, xml, `<a${password}/>`],
  "another type": [200, { "content-type": `text/${password}` }, "x"],
  "a value that isn't of its type": [200, xml, `<account><id type="integer">${said}</id></account>`],
};

describe("what a shop echoes is said without the credentials", () => {
  test.each(Object.entries(asked))("%s", async (_what, [status, headers, body]) => {
    const shop = await openScripted((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    const { account, coupons } = shop.client;
    for (const ask of [() => account.get(), () => coupons.edit({ id: 1, discount: 2 })]) {
      const failure = await failureOf(ask());
      const all = inspect(failure, { depth: 9, showHidden: true }) + inspect((failure as ShopError).messages);
      for (const secret of [password, password.toUpperCase(), pair, pair.replace(/=+$/, "")])
        expect(all).not.toContain(secret);
    }
  });
});

test("token and secret are masked, and an error without credentials is unchanged", async () => {
  const stated = { token: "token-of-the-app", secret: "the-app's-secret" };
  const connection = resolveConnection({
    settings: { url: "https://shop.invalid", applicationId: "app", ...stated },
    env: {},
  });
  const failing = (text: string) => {
    const cause = new Error(text);
    const transport = createTransport(connection, {
      clock: { now: () => 0, wait: async () => {} },
      random: () => 0,
      say: () => {},
      dispatcher: { request: async () => Promise.reject(cause), close: async () => {} } as never,
    });
    const request = { method: "POST", path: "/x" } as const;
    return failureOf(transport.send(request, () => undefined));
  };
  const echoed = await failing(`sent ${stated.token} and ${stated.secret}`);
  expect(echoed).toBeInstanceOf(ShopError);
  expect(echoed.message).toContain("sent [secret] and [secret]");
  expect(inspect(echoed, { depth: 9 })).not.toMatch(/token-of-the-app|the-app's-secret/);
  expect((await failing("no route")).cause).toEqual(new Error("no route"));
});
