// Attacks on a shop on somebody's machine: by websites, by clients on the network, by hostile templates.
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../../cli/commands/serve.ts";
import { isAllowed, openDownloads } from "../../emulator/downloads.ts";
import { serveShop } from "../../emulator/index.ts";
import { openWorld, type World } from "../support/world.ts";
import { openInProcess } from "./in-process.ts";

/** Sends a request with exactly these headers; fetch doesn't allow setting Host. */
function raw(
  world: World,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, method, path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end(body);
  });
}

describe("protection against other websites in a browser on this machine", () => {
  test("a foreign Origin can't reset the shop, not even with text/plain or with the token", async () => {
    const world = await openWorld();
    await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
    const token = { "x-control-token": "0".repeat(32) };
    for (const headers of [
      { origin: "https://evil.example", "content-type": "text/plain" },
      { origin: "null" },
      { origin: "http://127.0.0.1:1" },
      { origin: "http://localhost.evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { ...token },
      {},
    ] as Record<string, string>[]) {
      const answer = await raw(world, "POST", "/_control/reset", headers, "{}");
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
    expect(world.rows("discount_code")).toHaveLength(1);
  });

  test("a foreign Host can't read control requests and pages (DNS rebinding)", async () => {
    const world = await openWorld();
    const { port } = new URL(world.url);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      "127.0.0.1:1",
      `127.0.0.1.evil.example:${port}`,
      `x@evil.example:${port}`,
    ])
      for (const path of [
        "/_control/objects",
        "//_control/objects",
        "/%5fcontrol/objects",
        "/",
        "/storefront/",
      ]) {
        const answer = await raw(world, "GET", path, { host });
        expect(answer.status, `${host} ${path}`).toBe(403);
        expect(answer.text).not.toContain("Warehouse");
      }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
      expect((await raw(world, "GET", "/_control/objects", { host })).status, host).toBe(200);
  });

  test("a program on this machine may send control requests with the token and without an Origin", async () => {
    const served = await serveShop({ limit: "off" });
    onTestFinished(() => served.close());
    expect(served.control).toBe(served.shop.control);
    expect(served.control).toMatch(/^[0-9a-f]{32}$/);
    const reset = (headers: Readonly<Record<string, string>>) =>
      fetch(`${served.url}/_control/reset`, { method: "POST", headers });
    expect((await reset({})).status).toBe(403);
    expect((await reset({ "x-control-token": served.control })).status).toBe(200);
    expect((await reset({ "x-control-token": served.control, origin: served.url })).status).toBe(200);
    // The token isn't enough if the browser reports another website.
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1:1",
      served.url.replace("http", "https"),
    ])
      expect((await reset({ "x-control-token": served.control, origin })).status, origin).toBe(403);
    const read = (origin: string) => fetch(`${served.url}/_control/objects`, { headers: { origin } });
    expect([(await read("https://evil.example")).status, (await read(served.url)).status]).toEqual([
      403, 200,
    ]);
    expect((await fetch(`${served.url}/_control/stats`)).status).toBe(200);
  });
});

test("control requests without an object are refused with the reason", async () => {
  const { control } = await openWorld();
  const reason = /must be an object|write \{/;
  for (const what of ["faults", "clock", "reset"])
    for (const body of [null, 1, "x", [null]])
      await expect(control("POST", what, body), `${what} ${JSON.stringify(body)}`).rejects.toThrow(reason);
  await expect(control("PATCH", "objects", null)).rejects.toThrow(reason);
  await expect(control("PATCH", "objects", {})).rejects.toThrow('write {"kind"');
  await expect(control("POST", "reset", { fixture: { product: null } })).rejects.toThrow(reason);
});

describe("downloads of a src", () => {
  const at = (address: string, reach: "public" | "loopback" | "none" = "public", port = 80) =>
    isAllowed(address, port, { reach, ownPort: 4000 });

  test("a src in a private network, at the machine's metadata address or without an address isn't downloaded", () => {
    for (const address of [
      "169.254.169.254",
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "100.64.0.1",
      "0.0.0.0",
      "255.255.255.255",
      "224.0.0.1",
      "::",
      "fe80::1",
      "fc00::1",
      "fd12:3456::1",
      "ff02::1",
      "::ffff:10.0.0.1",
      "::ffff:169.254.169.254",
      "64:ff9b::a00:1",
      "2002:a00:1::",
      "2001::1",
    ])
      for (const reach of ["public", "loopback", "none"] as const)
        expect(at(address, reach), `${address} ${reach}`).toBe(false);
  });

  test("a src on this machine is downloaded by default, on the internet by option, from the shop itself never", () => {
    for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
      expect(at(address, "loopback"), address).toBe(true);
      expect(at(address, "none"), address).toBe(false);
      expect(at(address, "public", 4000), address).toBe(false);
    }
    for (const address of ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]) {
      expect(at(address, "public"), address).toBe(true);
      expect(at(address, "loopback"), address).toBe(false);
    }
  });

  test("a name is refused if any of its addresses is forbidden", async () => {
    const { url, asked } = await openSource((_path, response) => response.end("x"));
    const { port } = new URL(url);
    const fetching = (addresses: readonly string[]) =>
      openDownloads({ reach: "loopback", ownPort: 1, resolve: async () => addresses })(
        `http://files.example:${port}/a.txt`,
      );
    expect(await fetching(["10.0.0.1"])).toBeUndefined();
    expect(await fetching(["127.0.0.1", "10.0.0.1"])).toBeUndefined();
    expect(await fetching([])).toBeUndefined();
    expect(asked).toEqual([]);
    expect(Buffer.from((await fetching(["127.0.0.1"]))?.bytes ?? []).toString()).toBe("x");
  });

  test("every redirect is checked, and endless ones are refused", async () => {
    const own = await openSource((_path, response) => response.end("the shop's own"));
    const { url, asked } = await openSource((path, response) => {
      const location =
        path === "/in" ? `${own.url}/_control/objects` : path === "/loop" ? "/loop" : undefined;
      if (path === "/once") response.writeHead(302, { location: "/b.txt" }).end();
      else if (location !== undefined) response.writeHead(302, { location }).end();
      else response.end("body");
    });
    const download = openDownloads({ reach: "loopback", ownPort: Number(new URL(own.url).port) });
    expect(await download(`${url}/in`)).toBeUndefined();
    expect(own.asked).toEqual([]);
    expect(await download(`${url}/once`)).toMatchObject({ name: "b.txt" });
    asked.length = 0;
    expect(await download(`${url}/loop`)).toBeUndefined();
    expect(asked.length).toBeLessThan(10);
  });

  test("an endless download is cut off", async () => {
    let sent = 0;
    const { url } = await openSource((_path, response) => {
      const more = () => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on("drain", more);
      more();
    });
    const download = openDownloads({ reach: "loopback", ownPort: 1, largest: 1_000_000 });
    expect(await download(`${url}/endless`)).toBeUndefined();
    expect(sent).toBeLessThan(64_000_000);
  });

  test("a src can't copy the shop's control answers into a file, but may name a file of the shop", async () => {
    const world = await openWorld();
    const file = (src: string) => world.ask("POST", "/admin/files.xml", `<file><src>${src}</src></file>`);
    const { port } = new URL(world.url);
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "2130706433"])
      expect((await file(`http://${host}:${port}/_control/objects`)).status, host).toBe(422);
    const made = await world.ask(
      "POST",
      "/admin/files.xml",
      "<file><attachment>eHl6</attachment><filename>a.txt</filename></file>",
    );
    const address = /<absolute-url>([^<]+)</.exec(await made.text())?.[1] ?? "";
    const copy = await file(address);
    expect(copy.status).toBe(201);
    const copied = /<absolute-url>([^<]+)</.exec(await copy.text())?.[1] ?? "";
    expect(await (await fetch(copied)).text()).toBe("xyz");
  });

  test("a src is downloaded only for uploads and is an ordinary key elsewhere", async () => {
    const { url, asked } = await openSource((_path, response) => response.end("x"));
    const world = await openWorld();
    const charge = await world.client.applicationCharges.create({
      name: "S",
      price: 1,
      returnUrl: "https://a.test/",
    });
    const body = `<file><src>${url}/x</src></file>`;
    const declined = await world.ask("POST", `/admin/application_charges/${charge.id}/decline.xml`, body);
    expect([declined.status, asked]).toEqual([200, []]);
    const coupon = `<discount-code><code>A</code><discount>1</discount><type-id>1</type-id><src>${url}/x</src></discount-code>`;
    const made = await world.ask("POST", "/admin/discount_codes.xml", coupon);
    expect([made.status, asked]).toEqual([201, []]);
    expect(made.headers.get("warning")).toContain("not kept: src");
  });
});

/** A server on this machine that sends a body. */
async function openSource(answer: (path: string, response: import("node:http").ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request.url ?? "", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe("the database of serve --database", () => {
  const folderOf = () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-attacks-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test("an invalid database ends serve with the reason and frees the port", async () => {
    const file = join(folderOf(), "shop.sqlite");
    writeFileSync(file, "this is a text, and no database of SQLite at all. ".repeat(50));
    await expect(serve.run({ database: file }, [])).rejects.toThrow(
      /can't open the database .*not a database/,
    );
    const refusedAndServed = async (tries: number): Promise<unknown> => {
      const port = await freePort();
      const serving = serveShop({ database: file, port });
      const refused = await serving.then(
        () => new Error("served"),
        (error: Error) => error,
      );
      const served = await serveShop({ port }).catch(() => undefined);
      // Another process may have taken the port meanwhile.
      if (served === undefined && tries > 1) return refusedAndServed(tries - 1);
      await served?.close();
      return [refused.message, served !== undefined];
    };
    expect(await refusedAndServed(3)).toEqual([expect.stringContaining("not a database"), true]);
  });

  test("a database is private to its owner, regardless of the umask and of its former permissions", async () => {
    const file = join(folderOf(), "shop.sqlite");
    await (await serveShop({ database: file })).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const served = await serveShop({ database: file });
    expect(["", "-wal", "-shm"].map((end) => statSync(file + end).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
    await served.close();
  });
});

const freePort = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe("limits of memory and time", () => {
  test("requests without credentials only increase counts, which are bounded", async () => {
    const { shop } = openInProcess({ logLength: 100 });
    for (let index = 0; index < 12_000; index += 1)
      await shop.handle({
        method: "GET",
        target: `/admin/${index}.xml?${"x".repeat(3_000)}`,
        headers: {},
        body: Buffer.from(""),
        local: true,
      });
    expect(shop.log.length).toBeLessThanOrEqual(110);
    expect(shop.log.at(-1)?.path.length).toBeLessThan(2_010);
    expect(shop.stats().total).toBe(12_000);
    const counts = Object.values(shop.stats().requests);
    expect(counts.length).toBeLessThan(5_010);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12_000);
  });

  test("a body is read only after authentication", async () => {
    const { shop } = openInProcess();
    let read = 0;
    const body = async () => {
      read += 1;
      return Buffer.from("<discount_code/>");
    };
    for (const target of ["/admin/discount_codes.xml", "/_control/reset", "/admin/nothing.xml"])
      await shop.handle({ method: "POST", target, headers: {}, body, local: true });
    expect(read).toBe(0);
  });

  test("a request without credentials is answered even if its body never ends", async () => {
    const world = await openWorld();
    const { hostname, port } = new URL(world.url);
    const status = await new Promise((resolve, reject) => {
      const request = send({ hostname, port, method: "POST", path: "/admin/files.xml" }, (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on("error", reject);
      request.write("x".repeat(1_000));
    });
    expect(status).toBe(401);
  });

  test("a client that disconnects during its body is no error", async () => {
    const told: unknown[] = [];
    const served = await serveShop({ onError: (error) => told.push(error), limit: "off" });
    onTestFinished(() => served.close());
    const { hostname, port } = new URL(served.url);
    const { applicationId, password } = served.shop.credentials;
    const auth = `${applicationId}:${password}`;
    const headers = { "content-type": "application/xml", "content-length": "1000" };
    const request = send({ hostname, port, method: "POST", path: "/admin/files.xml", auth, headers });
    const gone = new Promise((resolve) => request.once("close", resolve));
    request.once("error", () => undefined);
    request.write("<file>", () => request.destroy());
    await gone;
    const again = await fetch(`${served.url}/admin/themes.xml`, {
      headers: { authorization: `Basic ${Buffer.from(auth).toString("base64")}` },
    });
    expect([again.status, told]).toEqual([200, []]);
  });

  test("an uploaded page is served without its scripts", async () => {
    const { ask } = openInProcess();
    const body = "<file><attachment>PHNjcmlwdD48L3NjcmlwdD4=</attachment><filename>a.html</filename></file>";
    const address =
      /<absolute-url>([^<]+)</.exec((await ask("POST", "/admin/files.xml", body)).text)?.[1] ?? "";
    expect((await ask("GET", new URL(address).pathname)).headers["content-security-policy"]).toBe("sandbox");
  });

  test("a document of 100,000 repeated elements is parsed in linear time, and a larger one is refused", async () => {
    const { ask } = openInProcess();
    const many = (count: number) => `<discount_code>${"<a/>".repeat(count)}</discount_code>`;
    expect((await ask("POST", "/admin/discount_codes.xml", many(100_000))).status).toBe(422);
    expect((await ask("POST", "/admin/discount_codes.xml", many(200_001))).status).toBe(400);
    const deep = `${"<a>".repeat(100)}${"</a>".repeat(100)}`;
    expect(
      (await ask("POST", "/admin/discount_codes.xml", `<discount_code>${deep}</discount_code>`)).status,
    ).toBe(400);
    const long = `<discount_code><code>${"x".repeat(9_000_000)}</code></discount_code>`;
    expect((await ask("POST", "/admin/discount_codes.xml", long)).status).toBe(413);
  });

  test("an endless loop in a template is stopped by its number of steps", async () => {
    const { shop, ask } = openInProcess();
    const [theme] = shop.store.list("theme");
    const loop = "{% for a in (1..5000) %}{% for b in (1..5000) %}{% endfor %}{% endfor %}";
    const body = `<asset><name>page.loop.liquid</name><type>Asset::Template</type><content>${loop}</content></asset>`;
    expect((await ask("POST", `/admin/themes/${theme?.id}/assets.xml`, body)).status).toBe(201);
    const page = await ask("GET", "/page/loop");
    expect([page.status, page.text]).toEqual([500, expect.stringContaining("more than 30000 steps")]);
  });

  test("an internal error is reported with its request and counted in the header", async () => {
    const told: string[] = [];
    const { shop, ask } = openInProcess({ onError: (error, { path }) => told.push(`${path} ${error}`) });
    shop.store.list("theme");
    Object.assign(shop.store, {
      list: () => {
        throw new Error("the table is gone");
      },
    });
    const answer = await ask("GET", "/admin/themes.xml");
    expect([answer.status, answer.headers["api-usage-limit"]]).toEqual([500, "0/500"]);
    expect(told).toEqual(["/admin/themes.xml Error: the table is gone"]);
    expect(shop.log.at(-1)?.status).toBe(500);
  });
});
