/**
 * Control requests under /_control/, with which tests inspect and reset the shop, make it fail, and edit objects as
 * staff. Only from this machine, with the control token for changes (access.ts); they aren't counted.
 */

import type { ShopAnswer } from "./answers.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Row } from "./documents.ts";
import { type Fault, type FaultRequest, faultNames } from "./faults.ts";
import type { ShopState } from "./shop-state.ts";
import { InvalidControl, type Patch } from "./staff-edits.ts";

/** Answers a control request that access.ts has accepted. */
export function control(shop: ShopState, method: string, what: string, body: Uint8Array): ShopAnswer {
  try {
    const value = body.length === 0 ? undefined : (JSON.parse(Buffer.from(body).toString()) as unknown);
    return answer(200, perform(shop, `${method} ${what}`, value) ?? { status: "ok" });
  } catch (error) {
    if (error instanceof InvalidControl || error instanceof SyntaxError)
      return answer(400, { error: error.message });
    throw error;
  }
}

export const answer = (status: number, value: unknown): ShopAnswer => ({
  status,
  headers: { "content-type": "application/json", "x-content-type-options": "nosniff" },
  body: Buffer.from(JSON.stringify(value)),
});

const controls = [
  "GET stats",
  "GET log",
  "GET objects",
  "GET window",
  "POST reset",
  "POST forget",
  "POST faults",
  "POST clock",
  "PATCH objects",
];

function perform(shop: ShopState, what: string, body: unknown): unknown {
  switch (what) {
    case "GET stats":
      return shop.log.stats();
    case "GET log":
      return shop.log.entries;
    case "GET objects":
      return Object.fromEntries(
        shop.store.kinds().map((kind) => [kind, shop.store.list(kind, { archived: "with" })]),
      );
    case "GET window":
      return shop.window.state();
    case "POST reset":
      return reset(shop, body);
    case "POST forget":
      return forget(shop);
    case "POST faults":
      for (const one of many(body)) addFault(shop.faults, one as unknown as FaultRequest);
      return undefined;
    case "POST clock":
      return advance(shop, body);
    case "PATCH objects":
      return many(body).map((one) => shop.edit(one as unknown as Patch));
    default:
      throw new InvalidControl(
        `there is no ${what}${didYouMean(what, controls) || `; there are ${controls.join(", ")}`}`,
      );
  }
}

const isHash = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function many(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  const all: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (!all.every(isHash)) throw new InvalidControl("must be an object or a list of objects");
  return all as readonly Readonly<Record<string, unknown>>[];
}

function reset(shop: ShopState, body: unknown): void {
  const { fixture } = (body === undefined ? {} : many(body)[0]) as { fixture?: unknown };
  if (fixture !== undefined && !(isHash(fixture) && Object.values(fixture).every((rows) => isRows(rows))))
    throw new InvalidControl('write {"fixture": {"kind": [rows]}}');
  shop.reset(fixture as Record<string, Row[]> | undefined);
  forget(shop);
  shop.window.close();
}

const isRows = (rows: unknown) => Array.isArray(rows) && rows.every(isHash);

function forget(shop: ShopState): void {
  shop.log.clear();
  shop.faults.length = 0;
}

/** @throws InvalidControl if there is no such fault */
export function addFault(faults: Fault[], request: FaultRequest): void {
  const { method = "*", path = "*", fault, times = 1, delayMs, retryAfterSeconds } = request;
  if (!faultNames.includes(fault))
    throw new InvalidControl(
      `there is no fault ${fault}${didYouMean(String(fault), faultNames) || `; there are ${faultNames.join(", ")}`}`,
    );
  if (typeof method !== "string" || typeof path !== "string" || typeof times !== "number")
    throw new InvalidControl('write {"method": text, "path": text, "fault": text, "times": number}');
  faults.push({
    method,
    path,
    fault,
    times,
    ...(typeof delayMs === "number" && { delayMs }),
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
  });
}

function advance(shop: ShopState, body: unknown): void {
  const seconds = isHash(body) ? body.advanceSeconds : undefined;
  if (typeof seconds !== "number" || !Number.isFinite(seconds))
    throw new InvalidControl('write {"advanceSeconds": number}');
  shop.clock.offsetMs += seconds * 1000;
}
