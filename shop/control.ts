/**
 * What a test may do to the shop beside the interface, under /_control/: look, reset, break, and be the staff. Only
 * from this machine, without credentials, and never counted.
 */
import type { Row } from "./documents.ts";
import type { Inner, ShopAnswer, ShopRequest } from "./index.ts";
import type { Stored } from "./store.ts";

/** What a shop can be told to do badly. */
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

/** What befalls the next `times` requests of a method and a path; `*` in the path stands for anything. */
export interface Fault {
  readonly method: string;
  readonly path: string;
  readonly fault: (typeof faultNames)[number];
  times: number;
  readonly delayMs?: number;
  readonly retryAfterSeconds?: number;
}

/** The fault that waits for this request, used once. */
export function takeFault(faults: Fault[], method: string, path: string): Fault | undefined {
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

class BadControl extends Error {}

/** Answers a control request. */
export function control(shop: Inner, request: ShopRequest, url: URL): ShopAnswer {
  try {
    const body =
      request.body.length === 0 ? undefined : (JSON.parse(Buffer.from(request.body).toString()) as unknown);
    return ok(perform(shop, `${request.method} ${url.pathname.slice("/_control/".length)}`, body));
  } catch (error) {
    if (!(error instanceof BadControl || error instanceof SyntaxError)) throw error;
    return {
      status: 400,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ error: error.message })),
    };
  }
}

const ok = (value: unknown): ShopAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value ?? { status: "ok" })),
});

function perform(shop: Inner, what: string, body: unknown): unknown {
  switch (what) {
    case "GET stats":
      return stats(shop);
    case "GET log":
      return shop.log;
    case "GET objects":
      return Object.fromEntries(
        shop.store.kinds().map((kind) => [kind, shop.store.list(kind, { archived: "with" })]),
      );
    case "GET window":
      return shop.window.state();
    case "POST reset":
      shop.reset((body as { fixture?: Record<string, Row[]> } | undefined)?.fixture);
      return forget(shop, true);
    case "POST forget":
      return forget(shop, false);
    case "POST faults":
      return addFaults(shop, body);
    case "POST clock":
      return advance(shop, body as { advanceSeconds?: unknown });
    case "PATCH objects":
      return (Array.isArray(body) ? body : [body]).map((one) => patch(shop, one as Patch));
    default:
      throw new BadControl(
        `there is no ${what}; there are GET stats, log, objects, window, POST reset, forget, faults, clock, PATCH objects`,
      );
  }
}

function stats(shop: Inner) {
  const requests: Record<string, number> = {};
  for (const { method, path } of shop.log) {
    const name = `${method} ${path.split("?")[0]}`;
    requests[name] = (requests[name] ?? 0) + 1;
  }
  return { requests, rejected: shop.rejected.count, total: shop.log.length };
}

function forget(shop: Inner, all: boolean): void {
  shop.log.length = 0;
  shop.rejected.count = 0;
  shop.faults.length = 0;
  if (all) shop.window.close();
}

function addFaults(shop: Inner, body: unknown): void {
  for (const entry of Array.isArray(body) ? body : [body]) {
    const { method = "*", path = "*", fault, times = 1, ...rest } = entry as Partial<Fault>;
    if (!faultNames.includes(fault as Fault["fault"]))
      throw new BadControl(`there is no fault ${fault}; there are ${faultNames.join(", ")}`);
    shop.faults.push({ method, path, fault: fault as Fault["fault"], times, ...rest });
  }
}

function advance(shop: Inner, body: { advanceSeconds?: unknown }): void {
  if (typeof body?.advanceSeconds !== "number") throw new BadControl('write {"advanceSeconds": number}');
  shop.clock.offsetMs += body.advanceSeconds * 1000;
}

/** An edit by the staff: one object by id or by values, changed or deleted. */
interface Patch {
  readonly kind: string;
  readonly id?: number;
  readonly where?: Row;
  readonly set?: Row;
  readonly delete?: boolean;
}

function patch(shop: Inner, { kind, id, where, set, delete: gone }: Patch): Stored | undefined {
  if (typeof kind !== "string") throw new BadControl(`write {"kind", "id" or "where", "set" or "delete"}`);
  const all = shop.store.list(kind, { archived: "with" });
  const found = all.filter(
    (row) =>
      (id === undefined || row.id === id) &&
      Object.entries(where ?? {}).every(([name, value]) => row[name] === value),
  );
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new BadControl(
      `${found.length} objects of ${kind} are meant; the kinds are ${shop.store.kinds().join(", ")}`,
    );
  if (gone) {
    shop.store.remove(kind, only.id);
    return undefined;
  }
  return shop.store.update(kind, only.id, merged(only, set ?? {}), shop.now());
}

// A list of rows is merged row by row, so that one price of one variant can be changed.
function merged(row: Row, set: Row): Row {
  const entries = Object.entries(set).map(([name, value]) => {
    const before = row[name];
    if (!Array.isArray(value) || !Array.isArray(before)) return [name, value];
    return [
      name,
      value.map((entry, index) =>
        typeof entry === "object" && entry !== null ? { ...(before[index] as Row), ...entry } : entry,
      ),
    ];
  });
  return { ...row, ...Object.fromEntries(entries) };
}
