/** Opens all connections: to the shop, and to the hosts of its files. */
import { createRequire } from "node:module";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { MissingPackageError } from "./errors.ts";
import { maxInFlight } from "./limiter.ts";

export type { Dispatcher };

// Loaded late: it has a hundred files, and most commands send no request.
function undici(): typeof import("undici") {
  try {
    return createRequire(import.meta.url)("undici");
  } catch (cause) {
    throw new MissingPackageError("undici", cause);
  }
}

const common = {
  pipelining: 1,
  // Shorter than most servers' timeout, so that a write seldom meets a closing connection.
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

/** Connections to any host, at the addresses that `lookup` returns. */
export function openAgent(lookup: LookupFunction): Dispatcher {
  const { Agent } = undici();
  return new Agent({ ...common, connections: 4, connect: { timeout: 10_000, lookup } });
}
