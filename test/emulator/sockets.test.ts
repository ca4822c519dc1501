// This file has its own process, because its sockets are counted.
import { request as send } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveShop } from "../../emulator/index.ts";

test("a connection whose headers never end is closed", async () => {
  const served = await serveShop({ headersTimeoutMs: 100 });
  onTestFinished(() => served.close());
  const { hostname, port } = new URL(served.url);
  const active = process.getActiveResourcesInfo();
  const before = active.filter((name) => name === "TCPSocketWrap").length;
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  // The client sends nothing more and never closes, so the shop must.
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n");
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.once("end", () => resolve(text));
    socket.once("error", reject);
  });
  expect(answer).toContain("408");
  // Our side stays open, but the shop's is closed.
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  while (sockets() > before + 1) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
});

test("connections beyond the limit are closed, and existing ones continue", async () => {
  const served = await serveShop({ mostConnections: 5, limit: "off" });
  onTestFinished(() => served.close());
  const { hostname, port } = new URL(served.url);
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
      socket.once("error", reject);
    });
  const asked = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
        resolve(text.split("\r\n")[0] ?? "");
      });
      socket.on("error", () => resolve("closed"));
      socket.once("close", () => resolve("closed"));
      socket.write("GET /admin/themes.xml HTTP/1.1\r\nhost: x\r\n\r\n");
    });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let n = 0; n < 5; n += 1) sockets.push(await open());
  const first = [];
  for (const socket of sockets) first.push(await asked(socket));
  expect(first).toEqual(Array.from({ length: 5 }, () => "HTTP/1.1 401 Unauthorized"));
  const sixth = await open();
  sockets.push(sixth);
  expect(await asked(sixth)).toBe("closed");
  expect(await asked(sockets[0] as Socket)).toBe("HTTP/1.1 401 Unauthorized");
});

test("bodies beyond the memory limit are 503, and later ones are accepted again", async () => {
  const served = await serveShop({ mostBodyBytes: 100_000, limit: "off" });
  onTestFinished(() => served.close());
  const { hostname, port } = new URL(served.url);
  const { applicationId, password } = served.shop.credentials;
  const auth = `${applicationId}:${password}`;
  const opened = () => {
    const headers = { "content-type": "application/xml" };
    const path = "/admin/discount_codes.xml";
    const request = send({ hostname, port, method: "POST", path, auth, headers });
    const status = new Promise<number | undefined>((resolve) => {
      request.once("response", (response) => resolve(response.resume().statusCode));
      request.once("error", () => resolve(undefined));
    });
    return { request, status };
  };
  const half = `<discount_code><code>A</code><discount>1</discount><type_id>1</type_id><description>${"x".repeat(60_000)}`;
  const waiting = opened();
  waiting.request.write(half);
  // While the shop holds this, another body exceeds the limit.
  for (let status: number | undefined; status !== 503; ) {
    const other = opened();
    other.request.end(`${half.replace(">A<", ">C<")}</description></discount_code>`);
    status = await other.status;
    expect([201, 422, 503]).toContain(status);
  }
  waiting.request.end("</description></discount_code>");
  expect(await waiting.status).toBe(201);
  const later = opened();
  later.request.end(`${half.replace(">A<", ">B<")}</description></discount_code>`);
  expect(await later.status).toBe(201);
});
