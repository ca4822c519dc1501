/** The one place that opens connections: to the shop, and to whoever serves what the shop's addresses name. */
import { createRequire } from "node:module";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { maxInFlight } from "./limiter.ts";

export type { Dispatcher };

// A hundred files, and a command's own process asks no shop for anything: loaded when a connection is opened.
const undici = () => createRequire(import.meta.url)("undici") as typeof import("undici");

const common = {
  pipelining: 1,
  // Below what servers usually keep, so that a write seldom meets a connection about to close.
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 30_000,
  // The platform itself gives up after 50 s (platform-facts.md, section 3).
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  allowH2: false,
} as const;

export function openPool(url: string): Dispatcher {
  const { Pool } = undici();
  return new Pool(url, { ...common, connections: maxInFlight, connect: { timeout: 10_000 } });
}

/** Connections to any host, each to an address that `lookup` gives. */
export function openAgent(lookup: LookupFunction): Dispatcher {
  const { Agent } = undici();
  return new Agent({ ...common, connections: 4, connect: { timeout: 10_000, lookup } });
}
