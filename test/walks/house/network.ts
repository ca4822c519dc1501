/** The network between a house's provider and its shop: no sockets; each request is an effect of the process. */
import { Readable } from "node:stream";
import type { ShopAnswer, ShopRequest } from "../../../emulator/answers.ts";
import { resolveConnection } from "../../../provider/client/connection.ts";
import type { Dispatcher } from "../../../provider/client/pools.ts";
import { createTransport } from "../../../provider/client/transport.ts";
import type { Sources } from "../../../provider/settings/settings.ts";
import { noon } from "../../emulator/in-process.ts";
import { CrashError, type Disk } from "../../support/disk.ts";
import type { Site } from "./site.ts";
import type { Options, Place } from "./types.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

export const refusal: ShopAnswer = {
  status: 422,
  headers: { "content-type": "application/xml; charset=utf-8" },
  body: Buffer.from("<errors><error>is not to this shop's taste</error></errors>"),
};
const gatewayTimeout: ShopAnswer = { status: 504, headers: {}, body: Buffer.alloc(0) };

/** The end of the process during an effect; undefined if it continues. */
function crashOf(work: () => unknown, own: Disk): CrashError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!own.isDead()) throw error;
    return error as CrashError;
  }
}

/** The request as the shop accepts it; undefined if the shop rejects it. */
export function asTaken(site: Pick<Site, "whim">, request: ShopRequest): ShopRequest | undefined {
  if (site.whim === undefined || request.method === "GET") return request;
  const { how, element: name } = site.whim;
  const element = new RegExp(`<${name}(?: [^>]*)?>.*?</${name}>`, "s");
  const text = Buffer.from(request.body as Uint8Array).toString();
  // Some kinds are written as JSON, which can be rejected, too.
  const isStated = element.test(text) || (how === "refuses" && text.includes(`"${name}":`));
  if (!isStated) return request;
  site.whim = undefined;
  return how === "refuses" ? undefined : { ...request, body: Buffer.from(text.replace(element, "")) };
}

async function answerTo(
  site: Site,
  { shop }: Place,
  request: ShopRequest,
  delayMs?: number,
): Promise<ShopAnswer> {
  if (delayMs !== undefined) return gatewayTimeout;
  const taken = asTaken(site, request);
  return taken === undefined ? refusal : shop.handle(taken);
}

export const capped = (path: string, most: number | undefined) =>
  most === undefined
    ? path
    : path.replace(/per_page=(\d+)/, (_all, asked: string) => `per_page=${Math.min(Number(asked), most)}`);

const dated = (date: string | undefined, aheadMs: number) =>
  date === undefined ? {} : { date: new Date(Date.parse(date) + aheadMs).toUTCString() };

async function deliver(site: Site): Promise<void> {
  const due = site.late.filter(({ at }) => at <= site.clock.offsetMs);
  site.late = site.late.filter(({ at }) => at > site.clock.offsetMs);
  for (const { request, place } of due) await place.shop.handle(request);
}

/** The network of one process. A sent request arrives even if the process ends right after it. */
function networkOf(site: Site, place: Place, own: Disk, options: Options): Dispatcher {
  const { onRequest, held, late: lateness, dateAheadMs = 0 } = options;
  const network = {
    async request({ method, path, headers, body }: Sent) {
      const line = `${method} ${place === site ? "" : place.url}${path}`;
      site.sent += 1;
      const number = site.sent;
      onRequest?.(line, number);
      // Decompression runs in threads, in random order.
      const plainly = { ...headers, "accept-encoding": "identity" };
      const request = {
        method,
        target: capped(path, site.mostPerPage),
        headers: plainly,
        body: Buffer.from(body ?? ""),
        local: true,
      };
      let isSent = false;
      const send = () => {
        isSent = true;
        site.log.push(line);
      };
      const crash = crashOf(() => own.effect(`send ${line}`, send), own);
      if (crash !== undefined && !isSent) throw crash;
      // Each request takes a moment, so that timestamps have an order.
      site.clock.offsetMs += 50;
      await deliver(site);
      await held?.(line, number);
      const delayMs = lateness?.(line);
      if (delayMs !== undefined) site.late.push({ at: site.clock.offsetMs + delayMs, request, place });
      const answer = await answerTo(site, place, request, delayMs);
      if (crash !== undefined) throw crash;
      own.effect(`answer ${line}`, () => undefined);
      if (answer.disruption === "drop")
        throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      const bytes = Buffer.from(answer.body);
      const whole =
        answer.disruption === "truncate" ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
      return {
        statusCode: answer.status,
        headers: { ...answer.headers, ...dated(answer.headers.date, dateAheadMs) },
        body: Readable.from(whole.length === 0 ? [] : [whole]),
      };
    },
    close: async () => {},
  };
  return network as unknown as Dispatcher;
}

export function openTransport(
  site: Site,
  own: Disk,
  options: Options,
  sources: Sources,
  { say, mayWrite = () => true }: { readonly say: (line: string) => void; readonly mayWrite?: () => boolean },
) {
  const connection = resolveConnection(sources);
  const place = connection.url === site.opened()?.url ? site.other() : site;
  const wait = async (delayMs: number) => {
    if (own.isDead()) throw new CrashError("the process has ended");
    site.clock.offsetMs += delayMs;
  };
  const now = () => noon + site.clock.offsetMs;
  const transport = createTransport(connection, {
    clock: { now, wait },
    random: () => 0,
    say,
    mayWrite,
    dispatcher: networkOf(site, place, own, options),
    timer: () => () => {},
  });
  return { place, connection, transport, wait, now };
}
