/** Measures the client alone: a loop as baseline, the rate limit on a virtual clock, decoding compared with parsing. */
import { XMLParser } from "fast-xml-parser";
import { serveShop } from "../../emulator/index.ts";
import { openClient } from "../../provider/client/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { decode } from "../../provider/wire/codec.ts";
import { childrenOf, parse } from "../../provider/wire/xml.ts";

const product = (index: number) => ({
  title: `Product ${index}`,
  variants: [{ sku: `SKU-${index}`, price: 100 + index, quantity: 5 }],
});

/** Creates products one after the other, then lists them; a shop in its own process would be faster. */
export async function clientAlone(size: number) {
  const served = await serveShop({ limit: "off" });
  const client = openClient({ url: served.url, ...served.shop.credentials });
  const began = performance.now();
  for (let index = 0; index < size; index += 1) await client.products.create(product(index));
  const created = performance.now();
  const before = served.shop.log.length;
  let count = 0;
  for await (const _one of client.products.every()) count += 1;
  const listed = performance.now();
  if (count !== size) throw new Error(`${count} of ${size} products were listed`);
  const listRequests = served.shop.log.length - before;
  await client.transport.close();
  await served.close();
  return { createMs: created - began, listMs: listed - created, listRequests };
}

/** The time for creates in the shop's window, on a clock that only waiting moves. */
export async function windowTime(count: number) {
  let passed = 0;
  const now = () => 1_700_000_000_000 + passed;
  const served = await serveShop({ now, limit: { max: 500, windowMs: 300_000 } });
  const wait = async (delayMs: number) => {
    passed += delayMs;
  };
  const client = openClient(
    { url: served.url, ...served.shop.credentials },
    { clock: { now, wait }, say: () => {} },
  );
  await Promise.all(Array.from({ length: count }, (_none, index) => client.products.create(product(index))));
  const { rejected } = client.transport.usage();
  await client.transport.close();
  await served.close();
  // The requests of the first window are immediate, those of later ones when they open.
  const ideal = (Math.ceil(count / 500) - 1) * 300_000;
  return { passed, ideal, ratio: passed / ideal, rejected };
}

/** Pages of 100 products per second: decoded, and only parsed. */
export async function codecThroughput() {
  const served = await serveShop({ limit: "off" });
  const client = openClient({ url: served.url, ...served.shop.credentials });
  for (let index = 0; index < 100; index += 1) await client.products.create(product(index));
  const basic = Buffer.from(
    `${served.shop.credentials.applicationId}:${served.shop.credentials.password}`,
  ).toString("base64");
  const text = await (
    await fetch(`${served.url}/admin/products.xml`, { headers: { authorization: `Basic ${basic}` } })
  ).text();
  await client.transport.close();
  await served.close();
  const definition = definitions.products as unknown as Definition;
  const plain = new XMLParser({ ignoreAttributes: false });
  const rate = (work: () => void) => {
    const began = performance.now();
    let count = 0;
    while (performance.now() - began < 400) {
      work();
      count += 1;
    }
    return (count * 1000) / (performance.now() - began);
  };
  const parseOnly = () => plain.parse(text);
  const whole = () => {
    for (const child of childrenOf(parse(text).value, "product")) decode(definition, child);
  };
  // Alternating, so that both run under the same conditions; the first round is a warm-up.
  const rounds = Array.from({ length: 8 }, () => [rate(parseOnly), rate(whole)] as const).slice(1);
  const median = (list: readonly number[]) =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  return {
    parsePerSecond: median(rounds.map(([parses]) => parses)),
    decodePerSecond: median(rounds.map(([, decodes]) => decodes)),
    bytes: text.length,
  };
}
