// Downloads only come from permitted addresses, with encryption and limits.
import type { LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { isPublic } from "../../provider/client/download.ts";
import * as errors from "../../provider/client/errors.ts";
import { openClient } from "../../provider/client/index.ts";
import { credentials, failureOf, listen, manualTimers, openScripted } from "./server.ts";

/** A shop that redirects by a table; counts the requests to another server. */
async function openRedirecting(table: (inner: string) => Readonly<Record<string, string>>) {
  const heardInside: string[] = [];
  const inner = await listen((request, response) => {
    heardInside.push(request.url ?? "");
    response.end("the inner service's secret");
  });
  const redirects = table(inner);
  const scripted = await openScripted((request, response) => {
    const location = redirects[request.url ?? ""];
    if (location === undefined) response.end(`body of ${request.url}`);
    else response.writeHead(302, { location }).end();
  });
  const { client, url } = scripted;
  return { ...scripted, heardInside, download: (path: string) => client.transport.download(`${url}${path}`) };
}

describe("a download", () => {
  test("a download from the shop's own address sends no credentials", async () => {
    let authorization: string | undefined = "none seen";
    const { client, url } = await openScripted((request, response) => {
      authorization = request.headers.authorization;
      response.end("body");
    });
    expect((await client.transport.download(`${url}/files/a.txt`)).toString()).toBe("body");
    expect(authorization).toBeUndefined();
  });

  test("a download follows redirects of the shop", async () => {
    const { download, heard } = await openRedirecting(() => ({ "/a": "/b?x=1", "/b?x=1": "c" }));
    expect((await download("/a")).toString()).toBe("body of /c");
    expect(heard).toEqual(["GET /a", "GET /b?x=1", "GET /c"]);
  });

  test.each([
    [200, ["GET /a"]],
    [299, ["GET /a"]],
    [300, ["GET /a", "GET /b"]],
    [399, ["GET /a", "GET /b"]],
    [400, ["GET /a"]],
    [404, ["GET /a"]],
  ] as const)("that is answered with status %i and an address: what is asked for", async (status, asked) => {
    const { client, url, heard } = await openScripted((request, response) =>
      request.url === "/a" ? response.writeHead(status, { location: "/b" }).end("a") : response.end("b"),
    );
    const body = client.transport.download(`${url}/a`);
    if (status >= 400) expect(await failureOf(body)).toBeInstanceOf(errors.ShopError);
    else expect((await body).toString()).toBe(asked.length === 1 ? "a" : "b");
    expect(heard).toEqual(asked);
  });

  test("a redirect without an address is an error", async () => {
    const { client, url } = await openScripted((_request, response) => response.writeHead(302).end("moved"));
    expect(await failureOf(client.transport.download(`${url}/a`))).toBeInstanceOf(errors.ShopError);
  });

  test("a download follows at most five redirects", async () => {
    const { download, heard } = await openRedirecting(() => ({ "/a": "/a" }));
    expect((await failureOf(download("/a"))).message).toContain("redirects more than 5 times");
    expect(heard).toHaveLength(6);
  });

  test.each([
    ["plain http of another host", (inner: string) => inner, "neither https nor the shop's own"],
    [
      "https of this machine",
      (inner: string) => inner.replace("http:", "https:").replace("127.0.0.1", "127.0.0.2"),
      "private network",
    ],
    ["a cloud's credentials", () => "https://169.254.169.254/latest", "private network"],
    ["an address in disguise", () => "https://0x7f000002/", "private network"],
    ["IPv6 in disguise", () => "https://[::ffff:10.0.0.1]/", "private network"],
    ["a file", () => "file:///etc/passwd", "neither https nor the shop's own"],
    ["nothing", () => "https://", "not an address"],
  ])("follows no redirect to %s", async (_name, target, why) => {
    const { download, heard, heardInside } = await openRedirecting((inner) => ({ "/a": target(inner) }));
    const failure = await failureOf(download("/a"));
    expect(failure).toBeInstanceOf(errors.UnreachableError);
    expect(failure.message).toContain(why);
    expect([heard, heardInside]).toEqual([["GET /a"], []]);
  });

  test.each(["10.1.2.3", "::1", "169.254.169.254", "fd00::1"])(
    "a host name that resolves to %s is rejected",
    async (address) => {
      const asked: string[] = [];
      const lookup: LookupFunction = (host, _options, done) => {
        asked.push(host);
        done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
      };
      const { client } = await openScripted((_request, response) => response.end(), { lookup });
      const failure = await failureOf(client.transport.download("https://cdn.example.test/x"));
      expect(failure).toBeInstanceOf(errors.UnreachableError);
      expect(failure.message).toContain(address);
      expect(asked).toEqual(["cdn.example.test"]);
    },
  );

  test("a download by http from another host uses https", async () => {
    const asked: string[] = [];
    const lookup: LookupFunction = (host, _options, done) => {
      asked.push(host);
      done(null, [{ address: "10.0.0.1", family: 4 }]);
    };
    const { client } = await openScripted((_request, response) => response.end(), { lookup });
    // Test servers have no public address, so the address is rejected after the encryption was accepted.
    const failure = await failureOf(client.transport.download("http://static2.example.test/a.gif"));
    expect(failure.message).toContain("static2.example.test is 10.0.0.1, an address of a private network");
    const other = await failureOf(client.transport.download("http://static2.example.test:8080/a.gif"));
    expect(other.message).toContain("neither https nor the shop's own");
    expect(asked).toEqual(["static2.example.test"]);
  });

  test("a shop in a private network may serve downloads from its own host name", async () => {
    const server = await listen((_request, response) => response.end("own"));
    const { port } = new URL(server);
    const client = openClient(
      { url: `http://localhost:${port}`, ...credentials },
      { lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) },
    );
    try {
      expect((await client.transport.download(`http://localhost:${port}/x`)).toString()).toBe("own");
    } finally {
      await client.transport.close();
    }
  });

  test("a download larger than 64 MB is aborted and not retried", async () => {
    let sent = 0;
    const { client, url, heard } = await openScripted((_request, response) => {
      const chunk = Buffer.alloc(1 << 20);
      const more = () => {
        while (!response.destroyed && sent < 500) {
          sent += 1;
          if (!response.write(chunk)) return response.once("drain", more);
        }
        return response.end();
      };
      more();
    });
    expect((await failureOf(client.transport.download(`${url}/x`))).message).toContain("larger than 64 MB");
    expect(heard).toHaveLength(1);
    expect(sent).toBeLessThan(100);
  });

  test("a slow download is given up after two minutes", async () => {
    const timers = manualTimers();
    const { client, url, heard } = await openScripted(
      (_request, response) => {
        response.write("a");
        expect(timers.pending()).toEqual([120_000]);
        timers.ring(120_000);
      },
      { timer: timers.timer },
    );
    const failure = await failureOf(client.transport.download(`${url}/x`));
    expect(failure).toBeInstanceOf(errors.NoAnswerError);
    expect(failure.message).toContain("not complete after 120 s");
    expect(heard).toHaveLength(5);
    expect(timers.pending()).toEqual([]);
  });

  test("a download ends when the run is stopped", async () => {
    const stop = new AbortController();
    const { client, url, heard } = await openScripted(
      (_request, response) => {
        response.write("a");
        stop.abort(new Error("stop"));
      },
      { stop: stop.signal },
    );
    expect(await failureOf(client.transport.download(`${url}/x`))).toBeInstanceOf(errors.CancelledError);
    expect(heard).toHaveLength(1);
  });

  test("four downloads run in parallel", async () => {
    let open = 0;
    let most = 0;
    const answers: (() => void)[] = [];
    const { client, url } = await openScripted((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      answers.push(() => {
        open -= 1;
        response.end("x");
      });
      // The last of each four releases all.
      if (answers.length === 4) for (const answer of answers.splice(0)) answer();
    });
    const bodies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => client.transport.download(`${url}/${index}`)),
    );
    expect(bodies).toHaveLength(12);
    expect(most).toBe(4);
  });

  test("the error of a refused download has the status", async () => {
    const { client, url } = await openScripted((_request, response) => response.writeHead(403).end());
    expect((await failureOf(client.transport.download(`${url}/x`))).message).toContain("refused with 403");
  });
});

test.each([
  ["93.184.215.14", true],
  ["127.0.0.1", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["172.31.255.255", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["100.64.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
  ["::", false],
  ["::1", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["::ffff:127.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
