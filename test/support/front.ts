/** A server in front of a shop, so that others can act while a command reads. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** @param before awaited before each request reaches the shop @returns the address; it ends with the test */
export async function openFront(shop: string, before: (path: string) => Promise<void>): Promise<string> {
  const front = createServer(async (request, response) => {
    const path = request.url ?? "";
    await before(path);
    const { authorization = "" } = request.headers;
    const answer = await fetch(`${shop}${path}`, { headers: { authorization } });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void front.close());
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}
