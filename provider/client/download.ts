/**
 * Downloads bodies from addresses that the shop returns. Staff and other apps can set these addresses, so they aren't
 * trusted: only the shop's own address and public addresses by https are allowed, also after a redirect. Size, time and
 * number are limited.
 */

import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import pLimit from "p-limit";
import { messageOf } from "../wire/text.ts";
import { openDeadline } from "./deadline.ts";
import * as errors from "./errors.ts";
import { failure } from "./exchange.ts";
import { header } from "./headers.ts";
import { type Dispatcher, openAgent } from "./pools.ts";
import type { Ports } from "./ports.ts";
import { BodyError, receive } from "./receive.ts";
import { decide, type Outcome } from "./retry.ts";

/** Maximum size of a download. */
const largest = 64 * 1024 * 1024;
/** From the first request to the last byte, with redirects. */
const mostMs = 120_000;
const mostRedirects = 5;
/** Parallel downloads; each may use `largest` bytes of memory. */
const mostAtOnce = 4;

/** @param shop the shop's address: scheme, host and port */
export function openDownloads(ports: Ports, shop: string) {
  let agent: Dispatcher | undefined;
  const dispatcher = () => {
    agent ??= openAgent(
      publicLookup(ports.lookup ?? (systemLookup as LookupFunction), new URL(shop).hostname),
    );
    return agent;
  };
  const seats = pLimit(mostAtOnce);
  return {
    /** @throws ShopError (a subclass for each cause) */
    download: (url: string) => seats(() => download({ ports, shop, dispatcher }, url)),
    async close() {
      await agent?.close();
      agent = undefined;
    },
  };
}

interface Way {
  readonly ports: Ports;
  readonly shop: string;
  readonly dispatcher: () => Dispatcher;
}

/** An address that isn't allowed. */
class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

async function download(way: Way, url: string): Promise<Buffer> {
  const about = { method: "GET", path: url };
  const { clock, stop, random } = way.ports;
  for (let tried = 1; ; tried += 1) {
    if (stop?.aborted) throw new errors.CancelledError({ ...about, cause: stop.reason });
    const { outcome, bytes, cause } = await attempt(way, url);
    const verdict = decide({ isRead: true, tried, rejectedTimes: 0 }, outcome, random());
    if (verdict.type === "accept") return bytes ?? Buffer.alloc(0);
    if (verdict.type === "stopped") throw new errors.CancelledError({ ...about, cause });
    if (verdict.type === "unsent") throw new errors.UnreachableError(verdict.why, { ...about, cause });
    if (verdict.type !== "again") {
      const status = outcome.type === "answer" ? outcome.status : undefined;
      const why = "why" in verdict ? verdict.why : `it was refused with ${status}`;
      throw new errors.NoAnswerError(why, { ...about, status, cause });
    }
    try {
      await clock.wait(verdict.rejected ? 1_000 : verdict.delayMs, stop);
    } catch (reason) {
      throw new errors.CancelledError({ ...about, cause: reason });
    }
  }
}

interface Attempt {
  readonly outcome: Outcome;
  readonly bytes?: Buffer;
  readonly cause?: unknown;
}

async function attempt(way: Way, url: string): Promise<Attempt> {
  const bounds = openDeadline(way.ports, [way.ports.stop], { mostMs, waits: 0 });
  try {
    const { status, bytes } = await follow(way, url, bounds.signal);
    return { outcome: { type: "answer", status, retryAfterMs: undefined }, ...(bytes && { bytes }) };
  } catch (cause) {
    if (cause instanceof errors.ShopError) throw cause;
    const message = messageOf(cause);
    const ended = bounds.ended();
    if (ended !== undefined)
      return { outcome: { type: ended === "late" ? "lost" : ended, why: message }, cause };
    if (cause instanceof BodyError)
      return { outcome: { type: "unreadable", why: message, final: cause.final }, cause };
    if (cause instanceof ForbiddenAddressError)
      return { outcome: { type: "unsent", why: message, final: true }, cause };
    return { outcome: failure(cause, url), cause };
  } finally {
    bounds.close();
  }
}

// Follows redirects by hand, to check each address.
async function follow(
  { shop, dispatcher }: Way,
  first: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly bytes?: Buffer }> {
  let at = permitted(first, shop, undefined);
  for (let redirects = 0; ; redirects += 1) {
    const response = await dispatcher().request({
      origin: at.origin,
      path: `${at.pathname}${at.search}`,
      method: "GET",
      headers: { "user-agent": "pulumi-shop", "accept-encoding": "identity" },
      signal,
    });
    const { statusCode: status, headers, body } = response;
    const location = status >= 300 && status < 400 ? header(headers, "location") : undefined;
    if (status >= 200 && status < 300) return { status, bytes: await receive(response, largest) };
    // The body isn't needed: close the connection.
    body.on("error", () => {}).destroy();
    if (location === undefined) return { status };
    if (redirects === mostRedirects)
      throw new ForbiddenAddressError(`it redirects more than ${mostRedirects} times`);
    at = permitted(location, shop, at);
  }
}

/**
 * Checks an address.
 * @param from the address that redirected to it
 * @throws ForbiddenAddressError if it isn't allowed
 */
function permitted(text: string, shop: string, from: URL | undefined): URL {
  const url = URL.parse(text, from?.href);
  const what = from === undefined ? "it" : `it redirects to ${url?.origin ?? text}, which`;
  if (url === null) throw new ForbiddenAddressError(`${what} is not an address`);
  const isOwn = url.origin === shop;
  // Shops return http addresses for their files (platform-facts.md, section 2); https works too.
  if (url.protocol === "http:" && !isOwn && url.port === "" && isIP(bare(url.hostname)) === 0)
    url.protocol = "https:";
  if (url.protocol !== "https:" && !isOwn)
    throw new ForbiddenAddressError(`${what} is neither https nor the shop's own`);
  if (url.protocol !== "https:" && from?.protocol === "https:")
    throw new ForbiddenAddressError(`${what} isn't encrypted`);
  const host = bare(url.hostname);
  if (!isOwn && host !== bare(new URL(shop).hostname) && isIP(host) !== 0 && !isPublic(host))
    throw new ForbiddenAddressError(`${what} is an address of a private network`);
  return url;
}

const bare = (host: string) => host.replace(/^\[|\]$/g, "");

// Loopback, private, link-local (cloud machines serve credentials there), shared, test, multicast and reserved networks.
const closed = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  closed.addSubnet(network, prefix, "ipv4");
// Only 2000::/3 is public in IPv6; 6to4 and Teredo in it contain IPv4 addresses.
const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");
const carriers = new BlockList();
carriers.addSubnet("2002::", 16, "ipv6");
carriers.addSubnet("2001::", 32, "ipv6");

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, "ipv4");
  return open6.check(address, "ipv6") && !carriers.check(address, "ipv6");
}

/** Resolves host names, and rejects private addresses except for the host `own`. */
function publicLookup(lookup: LookupFunction, own: string): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === "string" ? [{ address: found, family: isIP(found) }] : (found ?? []);
      const inner = addresses.find(({ address }) => !isPublic(address));
      if (error === null && inner !== undefined && host !== own)
        return done(
          new ForbiddenAddressError(`${host} is ${inner.address}, an address of a private network`),
          [],
        );
      if (error !== null || options.all === true) return done(error, addresses);
      const [one] = addresses;
      return done(null, one?.address ?? "", one?.family);
    });
  };
}
