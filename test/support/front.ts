/** A server in front of a shop, so that others can act while a command reads, or answers change on their way. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/**
 * @param before awaited before each request reaches the shop; a function that it returns changes the text of the answer, and a
 * response comes instead of it
 * @returns the address; it ends with the test
 */
export async function openFront(
  shop: string,
  before: (path: string, method: string) => Promise<unknown>,
): Promise<string> {
  const front = createServer(async (request, response) => {
    const { url: path = "", method = "" } = request;
    const change = await before(path, method);
    const headers = Object.fromEntries(
      ["authorization", "content-type"].map((name) => [name, String(request.headers[name] ?? "")]),
    );
    const body = await text(request);
    const answer =
      change instanceof Response
        ? change
        : await fetch(`${shop}${path}`, { method, headers, ...(body !== "" && { body }) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    const said = await answer.text();
    response.end(typeof change === "function" ? change(said) : said);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void front.close());
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}
