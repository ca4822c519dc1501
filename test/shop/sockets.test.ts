// The process's sockets are counted, so this has a file, and with it a process, of its own.
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveShop } from "../../shop/index.ts";

test("a socket whose headers never end is freed", async () => {
  const served = await serveShop({ headersTimeoutMs: 100 });
  onTestFinished(() => served.close());
  const { hostname, port } = new URL(served.url);
  const active = process.getActiveResourcesInfo();
  const before = active.filter((name) => name === "TCPSocketWrap").length;
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  // The peer says nothing more and never closes: the shop has to.
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
  // Our side stays silent and open: the shop's own is gone though.
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  while (sockets() > before + 1) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
});
