/** Measures the client alone: a loop as baseline, the rate limit on a virtual clock, decoding compared with parsing. */
import { XMLParser } from "fast-xml-parser";
import { type ServedShop, type ServeOptions, serveShop } from "../../emulator/index.ts";
import { type Client, openClient } from "../../provider/client/index.ts";
import { basic } from "../../provider/client/transport.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { decode } from "../../provider/wire/codec.ts";
import { childrenOf, parse } from "../../provider/wire/xml.ts";

const product = (index: number) => ({
  title: `Product ${index}`,
  variants: [{ sku: `SKU-${index}`, price: 100 + index, quantity: 5 }],
});

async function withShop<T>(
  options: ServeOptions,
  ports: Parameters<typeof openClient>[1],
  work: (client: Client, served: ServedShop) => Promise<T>,
): Promise<T> {
  const served = await serveShop(options);
  const client = openClient({ url: served.url, ...served.shop.credentials }, ports);
  try {
    return await work(client, served);
  } finally {
    await client.transport.close();
    await served.close();
  }
}

/** Creates products one after the other, then lists them; a shop in its own process would be faster. */
export const clientAlone = (size: number) =>
  withShop({ limit: "off" }, {}, async (client, { shop }) => {
    const began = performance.now();
    for (let index = 0; index < size; index += 1) await client.products.create(product(index));
    const created = performance.now();
    const before = shop.log.length;
    let count = 0;
    for await (const _one of client.products.every()) count += 1;
    if (count !== size) throw new Error(`${count} of ${size} products were listed`);
    const listMs = performance.now() - created;
    return { createMs: created - began, listMs, listRequests: shop.log.length - before };
  });

/** The time for creates in the shop's window, on a clock that only waiting moves, as a multiple of the shortest time. */
export async function windowTime(count: number) {
  let passed = 0;
  const now = () => 1_700_000_000_000 + passed;
  const wait = async (delayMs: number) => {
    passed += delayMs;
  };
  const limit = { max: 500, windowMs: 300_000 };
  const ports = { clock: { now, wait }, say: () => {} };
  return withShop({ now, limit }, ports, async (client) => {
    await Promise.all(
      Array.from({ length: count }, (_none, index) => client.products.create(product(index))),
    );
    // The requests of the first window are immediate, those of later ones when they open.
    const ideal = (Math.ceil(count / limit.max) - 1) * limit.windowMs;
    return { ratio: passed / ideal, rejected: client.transport.usage().rejected };
  });
}

/** The time to decode a page of 100 products, as a multiple of the time to parse it. */
export async function decodingTime(): Promise<number> {
  const text = await withShop({ limit: "off" }, {}, async (client, { url, shop }) => {
    for (let index = 0; index < 100; index += 1) await client.products.create(product(index));
    const response = await fetch(`${url}/admin/products.xml`, { headers: basic(shop.credentials) });
    return response.text();
  });
  const definition = definitions.products as unknown as Definition;
  const plain = new XMLParser({ ignoreAttributes: false });
  const msOf = (work: () => void) => {
    const began = performance.now();
    let count = 0;
    for (; performance.now() - began < 400; count += 1) work();
    return (performance.now() - began) / count;
  };
  const parseOnly = () => plain.parse(text);
  const whole = () => {
    for (const child of childrenOf(parse(text).value, "product")) decode(definition, child);
  };
  // Alternating, so that both run under the same conditions; the first round is a warm-up.
  const rounds = Array.from({ length: 8 }, () => [msOf(whole), msOf(parseOnly)] as const).slice(1);
  const [decoded = 0, parsed = 1] = [0, 1].map(
    (at) => rounds.map((one) => one[at] ?? 0).toSorted((a, b) => a - b)[3],
  );
  return decoded / parsed;
}
