/**
 * Downloads the address of a `src`. It comes from any client, so the resolved address is checked, the connection goes
 * to exactly that address, and every redirect is checked again.
 */
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Upload } from "./routing.ts";

/** Allowed addresses of a `src`: none, this machine, or also the internet; never a private network. */
export type Reach = "none" | "loopback" | "public";

export interface DownloadOptions {
  readonly reach: Reach;
  /** The shop's own port, which is never contacted. */
  readonly ownPort: number;
  /** Resolves a name; by default the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Maximum number of bytes; 32 MB by default. */
  readonly largest?: number;
  /** Timeout in milliseconds; 20,000 by default. */
  readonly timeoutMs?: number;
}

const mostRedirects = 5;

const reserved = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  reserved.addSubnet(net, bits, "ipv4");
// Global IPv6 addresses, except ranges that embed an IPv4 address.
const worldwide = new BlockList();
worldwide.addSubnet("2000::", 3, "ipv6");
const carriers = new BlockList();
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  carriers.addSubnet(net, bits, "ipv6");

// ::ffff:10.0.0.1 is 10.0.0.1; the URL parser writes it in hexadecimal.
function plain(address: string): string {
  if (!isIPv6(address)) return address;
  const [, inner] = /^::ffff:(.+)$/.exec(new URL(`http://[${address}]`).hostname.slice(1, -1)) ?? [];
  if (inner === undefined) return address;
  const [high = 0, low = 0] = inner.split(":").map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether an address may be contacted. */
export function isAllowed(address: string, port: number, { reach, ownPort }: DownloadOptions): boolean {
  const target = plain(address);
  if (reach === "none") return false;
  if (port === ownPort && isThisMachine(target)) return false;
  if (isLoopback(target)) return true;
  if (reach !== "public") return false;
  if (isIP(target) === 4) return !reserved.check(target, "ipv4");
  return worldwide.check(target, "ipv6") && !carriers.check(target, "ipv6");
}

const isLoopback = (address: string) =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
const isThisMachine = (address: string) =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === address));

const resolveName = async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address);

/** Opens a function that downloads a `src`; it returns undefined if the address isn't allowed, fails, or is too large. */
export function openDownloads(options: DownloadOptions): (src: string) => Promise<Upload | undefined> {
  const { largest = 32 * 1024 * 1024, timeoutMs = 20_000 } = options;
  return async (src) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      let url = new URL(src);
      for (let turn = 0; turn <= mostRedirects; turn += 1) {
        const response = await ask(url, await addressOf(url, options), signal);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
          response.destroy();
          url = new URL(headers.location, url);
          continue;
        }
        if (statusCode < 200 || statusCode > 299) {
          response.destroy();
          return undefined;
        }
        return { bytes: await bytesOf(response, largest), name: nameOf(url) };
      }
      return undefined;
    } catch {
      // All errors get the same answer: different ones would reveal the network.
      return undefined;
    }
  };
}

const portOf = (url: URL) => Number(url.port || (url.protocol === "https:" ? 443 : 80));

async function addressOf(url: URL, options: DownloadOptions): Promise<string> {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("another protocol");
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(name) === 0 ? await (options.resolve ?? resolveName)(name) : [name];
  const [first] = addresses;
  // One forbidden address is enough, because we can't know which one would be used.
  if (first === undefined || !addresses.every((address) => isAllowed(address, portOf(url), options)))
    throw new Error("not an allowed address");
  return first;
}

function ask(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = { host: url.host, accept: "*/*" };
  const tls = isIP(url.hostname) === 0 ? { servername: url.hostname } : {};
  return new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    request({ host: address, port: portOf(url), path, headers, signal, agent: false, ...tls })
      .once("response", resolve)
      .once("error", reject)
      .end();
  });
}

async function bytesOf(response: IncomingMessage, largest: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (size > largest) throw new Error("too large");
    chunks.push(chunk as Buffer);
  }
  if (!response.complete) throw new Error("it broke off");
  return Buffer.concat(chunks);
}

/** The last part of a URL as a file name; undefined if empty. */
export function nameOf(url: URL): string | undefined {
  const part = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(part) || undefined;
  } catch {
    return part;
  }
}
