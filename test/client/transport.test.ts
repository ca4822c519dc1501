// What becomes of a request when the shop fails: repeated, given up or looked for, and said so.
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
  test.each(failures)("is repeated after %s", async (fault) => {
    const world = await openWorld();
    await world.fault({ method: "GET", path: "/admin/themes.xml", fault, times: 2 });
    expect(await world.client.themes.list()).toHaveLength(2);
    expect(world.requests()).toHaveLength(3);
  });

  test.each(["503", "429"])("waits after %s for as long as the shop says", async (fault) => {
    const world = await openWorld();
    await world.fault({ method: "GET", path: "/admin/themes.xml", fault, times: 1, retryAfterSeconds: 3 });
    expect(await world.client.themes.list()).toHaveLength(2);
    expect(world.requests()).toHaveLength(2);
  });

  test("is given up after five, with what was tried and what to do", async () => {
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
    "whose answer was lost to %s is not sent again by the client",
    async (fault) => {
      const world = await openWorld();
      await world.fault({ method: "POST", path: "/admin/discount_codes.xml", fault, times: 1 });
      await expect(world.client.coupons.create(coupon)).rejects.toBeInstanceOf(errors.LostAnswerError);
      expect(world.requests()).toHaveLength(1);
    },
  );

  test("that was rejected before any work is sent again", async () => {
    const world = await openWorld();
    await world.fault({ method: "POST", path: "/admin/discount_codes.xml", fault: "429", times: 1 });
    expect((await world.client.coupons.create(coupon)).code).toBe("A");
    expect(world.rows("discount_code")).toHaveLength(1);
  });
});

describe("an error says status, method, path, kind and the shop's own words", () => {
  test("in XML and in JSON", async () => {
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

  test("and never a page", async () => {
    const { client } = await openWorld();
    const missing = (await client.coupons
      .get({ id: 999_999 })
      .catch((error: unknown) => error)) as errors.ShopError;
    expect(missing).toBeInstanceOf(errors.NotFoundError);
    expect(missing).toMatchObject({ status: 404, objectId: "999999", messages: [] });
    expect(missing.message).not.toContain("<");
  });

  test("and of wrong credentials only that they are wrong", async () => {
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
  test("that nobody answers at is said after some tries, with the address", async () => {
    // No system gives this port to a server that takes any, as one that was just closed may be.
    const client = openClient(
      { url: "http://127.0.0.1:2", applicationId: "x", password: "0".repeat(32) },
      { clock: { now: Date.now, wait: async () => {} } },
    );
    onTestFinished(() => client.transport.close());
    const failure = (await client.account.get().catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(errors.UnreachableError);
    expect(failure.message).toMatch(/nothing answers at this port: ECONNREFUSED .*127\.0\.0\.1:2/);
  });

  test("whose TLS fails is given up at once: it would fail again, and nothing was sent", async () => {
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

  test("to a name that isn't there is tried five times, and the name is said", async () => {
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

  test("follows no redirect: credentials go to no other host", async () => {
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
    // The one that was sent is the one that is told.
    expect(new Set(failures.map(({ message }) => message)).size).toBe(times);
  },
);

test("the decision is a table: reads may be repeated, writes only where nothing can have happened", () => {
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
