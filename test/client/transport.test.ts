// Requests to a failing shop: repeated, given up or reported as lost.
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import { openClient } from "../../provider/client/index.ts";
import { decide } from "../../provider/client/retry.ts";
import { openWorld } from "../support/world.ts";
import { failureOf, openScripted } from "./server.ts";

const coupon = { code: "A", discount: 10, typeId: 1 } as const;
const failures = [
  "drop-before",
  "drop-after-commit",
  "500",
  "504-after-commit",
  "truncate",
  "garbage",
  "html",
  "wrong-content-type",
];

describe("a read", () => {
  test.each(failures)("a read is repeated after %s", async (fault) => {
    const world = await openWorld();
    await world.fault({ method: "GET", path: "/admin/themes.xml", fault, times: 2 });
    expect(await world.client.themes.list()).toHaveLength(2);
    expect(world.requests()).toHaveLength(3);
  });

  test.each(["503", "429"])("a read waits after %s as long as the shop says", async (fault) => {
    const world = await openWorld();
    await world.fault({ method: "GET", path: "/admin/themes.xml", fault, times: 1, retryAfterSeconds: 3 });
    expect(await world.client.themes.list()).toHaveLength(2);
    expect(world.requests()).toHaveLength(2);
  });

  test("a read fails after five attempts, with the reason and the next step", async () => {
    const world = await openWorld();
    await world.fault({ method: "GET", path: "/admin/themes.xml", fault: "500", times: 99 });
    const failure = await world.client.themes.list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(errors.NoAnswerError);
    expect((failure as Error).message).toMatch(/Theme.*GET \/admin\/themes\.xml.*500.*Run again/s);
    expect(world.requests()).toHaveLength(5);
  });
});

describe("a write", () => {
  test.each(failures.filter((fault) => fault !== "wrong-content-type"))(
    "a write whose response was lost to %s is not sent again",
    async (fault) => {
      const world = await openWorld();
      await world.fault({ method: "POST", path: "/admin/discount_codes.xml", fault, times: 1 });
      await expect(world.client.coupons.create(coupon)).rejects.toBeInstanceOf(errors.LostAnswerError);
      expect(world.requests()).toHaveLength(1);
    },
  );

  test("a write that was rejected unprocessed is sent again", async () => {
    const world = await openWorld();
    await world.fault({ method: "POST", path: "/admin/discount_codes.xml", fault: "429", times: 1 });
    expect((await world.client.coupons.create(coupon)).code).toBe("A");
    expect(world.rows("discount_code")).toHaveLength(1);
  });
});

describe("an error says status, method, path, kind and the shop's own words", () => {
  test("an error has the shop's messages from XML and JSON", async () => {
    const { client } = await openWorld();
    await client.coupons.create(coupon);
    const taken = (await client.coupons.create(coupon).catch((error: unknown) => error)) as errors.ShopError;
    expect(taken).toBeInstanceOf(errors.ValidationError);
    expect(taken).toMatchObject({
      status: 422,
      method: "POST",
      path: "/admin/discount_codes.xml",
      kind: "Coupon",
      messages: ["Code has already been taken"],
    });
    expect(taken.message).toContain('"Code has already been taken"');
    const json = (await client.priceKinds
      .create({ title: "" })
      .catch((error: unknown) => error)) as errors.ShopError;
    expect(json).toMatchObject({
      status: 422,
      kind: "PriceKind",
      messages: [expect.stringContaining("title")],
    });
  });

  test("an error has no text of an HTML page", async () => {
    const { client } = await openWorld();
    const missing = (await client.coupons
      .get({ id: 999_999 })
      .catch((error: unknown) => error)) as errors.ShopError;
    expect(missing).toBeInstanceOf(errors.NotFoundError);
    expect(missing).toMatchObject({ status: 404, objectId: "999999", messages: [] });
    expect(missing.message).not.toContain("<");
  });

  test("an error about credentials doesn't repeat them", async () => {
    const { url, credentials } = await openWorld();
    const client = openClient({ url, applicationId: "x", password: "0".repeat(32) });
    onTestFinished(() => client.transport.close());
    const refused = (await client.account.get().catch((error: unknown) => error)) as errors.ShopError;
    expect(refused).toBeInstanceOf(errors.UnauthorizedError);
    expect(refused.message).not.toContain("0".repeat(32));
    expect(refused.message).not.toContain(credentials.password);
  });
});

describe("the connection", () => {
  test("a refused connection is reported after retries, with the address", async () => {
    // A fixed port: a system port might be reused by another server.
    const client = openClient(
      { url: "http://127.0.0.1:2", applicationId: "x", password: "0".repeat(32) },
      { clock: { now: Date.now, wait: async () => {} } },
    );
    onTestFinished(() => client.transport.close());
    const failure = (await client.account.get().catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(errors.UnreachableError);
    expect(failure.message).toMatch(
      /nothing answers at this port: ECONNREFUSED .*127\.0\.0\.1:2\); pulumi-shop serve starts a shop on this machine\. /,
    );
  });

  test("a TLS failure isn't retried", async () => {
    const heard: string[] = [];
    const server = createServer((request) => heard.push(request.url ?? "")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const waits: number[] = [];
    const client = openClient(
      { url: `https://127.0.0.1:${port}`, applicationId: "x", password: "0".repeat(32) },
      { clock: { now: Date.now, wait: async (delayMs) => void waits.push(delayMs) } },
    );
    onTestFinished(async () => {
      await client.transport.close();
      server.close();
    });
    const failure = (await client.account.get().catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(errors.UnreachableError);
    expect(failure.message).toContain(`127.0.0.1:${port} answers plain http: write http://127.0.0.1:${port}`);
    expect([heard, waits]).toEqual([[], []]);
  });

  test("an unknown host is tried five times and named in the error", async () => {
    const waits: number[] = [];
    const client = openClient(
      { url: "https://nobody.invalid", applicationId: "x", password: "0".repeat(32) },
      { clock: { now: Date.now, wait: async (delayMs) => void waits.push(delayMs) } },
    );
    onTestFinished(() => client.transport.close());
    const failure = (await client.account.get().catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(errors.UnreachableError);
    expect(failure.message).toContain("nobody.invalid");
    expect(waits).toHaveLength(4);
  });

  test("a redirect isn't followed, so that no other host gets the credentials", async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(
        `${request.url} ${request.headers.authorization === undefined ? "without" : "with"} credentials`,
      );
      response.writeHead(302, { location: "http://elsewhere.invalid/" }).end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const client = openClient({
      url: `http://127.0.0.1:${port}`,
      applicationId: "x",
      password: "0".repeat(32),
    });
    onTestFinished(async () => {
      await client.transport.close();
      server.close();
    });
    const failure = (await client.account.get().catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(errors.RedirectError);
    expect(failure.message).toContain("elsewhere.invalid");
    expect(heard).toEqual(["/admin/account.xml with credentials"]);
  });
});

test.each([
  [true, 1],
  [false, 30],
])(
  "a shop that doesn't know the credentials is asked once where a run says so (%s)",
  async (asksOnce, times) => {
    const shop = await openScripted((_request, response) => response.writeHead(401).end(), { asksOnce });
    const works = Array.from({ length: 30 }, (_, id) => failureOf(shop.client.coupons.get({ id })));
    const failures = await Promise.all(works);
    expect(failures.every((one) => one instanceof errors.UnauthorizedError)).toBe(true);
    expect(shop.heard).toHaveLength(times);
    // The error is about the request that was sent.
    expect(new Set(failures.map(({ message }) => message)).size).toBe(times);
  },
);

test("reads are repeated, writes only if they can't have happened", () => {
  const answer = (status: number, retryAfterMs?: number) =>
    ({ type: "answer", status, retryAfterMs }) as const;
  const verdict = (isRead: boolean, outcome: Parameters<typeof decide>[1]) =>
    decide({ isRead, tried: 1, rejectedTimes: 0 }, outcome, 0.5).type;
  const unsent = { type: "unsent", why: "x", final: false } as const;
  const rows = [
    [unsent, "again", "again"],
    [{ ...unsent, final: true }, "unsent", "unsent"],
    [answer(429), "again", "again"],
    [answer(503, 1000), "again", "again"],
    [{ type: "lost", why: "x" }, "again", "lost"],
    [answer(500), "again", "lost"],
    [answer(503), "again", "lost"],
    [{ type: "unreadable", why: "x", final: false }, "again", "lost"],
    [{ type: "unreadable", why: "x", final: true }, "unanswered", "lost"],
    [{ type: "stopped", why: "x" }, "stopped", "lost"],
    [answer(302), "refused", "refused"],
    [answer(422), "refused", "refused"],
    [answer(200), "accept", "accept"],
  ] as const;
  for (const [outcome, read, write] of rows)
    expect([verdict(true, outcome), verdict(false, outcome)], JSON.stringify(outcome)).toEqual([read, write]);
});
