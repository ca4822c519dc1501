/** Faults that a test can trigger. */

import type { ShopAnswer } from "./answers.ts";
import { page, withHeaders } from "./answers.ts";

export const faultNames = [
  "drop-before",
  "drop-after-commit",
  "500",
  "503",
  "504-after-commit",
  "429",
  "truncate",
  "garbage",
  "html",
  "slow",
  "wrong-content-type",
] as const;

/** A fault for the next `times` requests of a method and path; `*` in the path matches anything. */
export interface Fault {
  readonly method: string;
  readonly path: string;
  readonly fault: (typeof faultNames)[number];
  times: number;
  readonly delayMs?: number;
  readonly retryAfterSeconds?: number;
}

/** A fault as requested: by default for any method and path, once. */
export type FaultRequest = Partial<Fault> & Pick<Fault, "fault">;

/** Finds the fault for a request and uses it up. */
export function takeFault(faults: readonly Fault[], method: string, path: string): Fault | undefined {
  const found = faults.find(
    (fault) =>
      fault.times > 0 && (fault.method === "*" || fault.method === method) && matches(fault.path, path),
  );
  if (found !== undefined) found.times -= 1;
  return found;
}

function matches(pattern: string, path: string): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`).test(path);
}

/** Answers a request with a fault. @param work returns the normal answer */
export async function withFault(
  fault: Fault | undefined,
  work: () => Promise<ShopAnswer>,
): Promise<ShopAnswer> {
  const retryAfter = { "retry-after": String(fault?.retryAfterSeconds ?? 1) };
  switch (fault?.fault) {
    case undefined:
      return work();
    case "drop-before":
      return { ...page(200, ""), disruption: "drop" };
    case "drop-after-commit":
      return { ...(await work()), disruption: "drop" };
    case "500":
      return page(500, "Internal error");
    case "503":
      return withHeaders(page(503, "Service unavailable"), retryAfter);
    case "504-after-commit":
      await work();
      return page(504, "Gateway time-out");
    case "429":
      return withHeaders(page(429, "Too many requests"), retryAfter);
    case "truncate":
      return { ...(await work()), disruption: "truncate" };
    case "garbage":
      return { ...(await work()), body: Buffer.from("\u0001\u0002<<not a document>>") };
    case "html":
      return {
        ...page(200, "Please log in"),
        headers: { ...(await work()).headers, "content-type": "text/html; charset=utf-8" },
      };
    case "wrong-content-type":
      return withHeaders(await work(), { "content-type": "application/octet-stream" });
    case "slow":
      return { ...(await work()), delayMs: fault.delayMs ?? 2_000 };
  }
}
