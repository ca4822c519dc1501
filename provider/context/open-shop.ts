/** The shops that this process has open, one for each account, so that one limiter counts all requests. */
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { allowOutsideOf } from "../body/body.ts";
import { type Connection, resolveConnection } from "../client/connection.ts";
import { exitWithEngine, openHostStop } from "../client/host-stop.ts";
import { type Client, createClient, defaultPorts } from "../client/index.ts";
import type { Clock } from "../client/limiter.ts";
import { systemClock } from "../client/ports.ts";
import { watchTitles } from "../client/titled-amounts.ts";
import { createTransport } from "../client/transport.ts";
import { programFolder } from "../settings/folder.ts";
import { engineRunIn, messageIn } from "../settings/protocol.ts";
import type { Sources } from "../settings/settings.ts";
import { newMemory, type Shop } from "./context.ts";
import { noIdentity, openIdentity } from "./identity.ts";
import { guardOf } from "./limits.ts";
import { type Notify, openNotices } from "./notices.ts";
import { adoptOf, plannedReadsOf, planOf } from "./plan.ts";
import { openReads } from "./reads.ts";
import { stackNotes } from "./stack-notes.ts";

export interface OpenShop extends Pick<Shop, "memory" | "reads" | "notice" | "identity" | "zone"> {
  readonly connection: Connection;
  readonly client: Client;
  readonly clock: Clock;
}

const shops = new Map<string, OpenShop>();
let stacks = stackNotes();

export type Say = (line: string) => void;

// Pulumi's host shows standard output beside the stack.
const print: Say = (line) => console.log(line);

// An engine that stops a run cancels its provider, or ends.
const gone = new AbortController();
function openStop() {
  const { signal, close } = openHostStop();
  return { signal: AbortSignal.any([signal, gone.signal]), close };
}
let stop = openStop();

let endsWithEngine = false;

/** Ends this process when the engine ends. Only for hosts: a program may read its standard input. */
export function endWithHost(): void {
  if (!endsWithEngine) exitWithEngine(() => gone.abort(new Error("the engine has ended")));
  endsWithEngine = true;
}

/** The shop of a connection; one for each account. @throws Error that lists what is missing in the configuration */
export const openShop = (sources: Sources, say: Say = print): OpenShop =>
  shopOf(resolveConnection(sources), sources, say);

function shopOf(connection: Connection, sources: Sources, say: Say): OpenShop {
  const account = JSON.stringify([connection.url, connection.applicationId, connection.password]);
  const found = shops.get(account);
  if (found !== undefined) return found;
  const { lock } = engineRunIn(sources.env);
  const mayWrite = () => lock === undefined || existsSync(lock);
  const ports = defaultPorts(connection, { say, stop: stop.signal, mayWrite, asksOnce: true });
  const opened: OpenShop = {
    connection,
    client: createClient(createTransport(connection, ports)),
    clock: ports.clock,
    memory: newMemory(),
    reads: openReads({
      transport: () => opened.client.transport,
      perPage: () => connection.perPage,
      now: ports.clock.now,
      planned: plannedReadsOf(sources),
      shown: ({ kind }, above, page) =>
        opened.notice({ type: "shows", kind, above: JSON.stringify(above), ...page }),
    }),
    notice: noticesOf(sources, say),
    identity: openIdentity({
      url: connection.url,
      sources,
      ask: () => accountOf(opened.client),
      say,
    }),
    zone: () => (zone ??= askZone(opened)),
  };
  let zone: Promise<string> | undefined;
  // The run reads the price kinds again, as the preview did.
  watchTitles(opened.client.transport, (group) =>
    opened.notice({ type: "asks", shop: connection.url, group, requests: 1 }),
  );
  shops.set(account, opened);
  return opened;
}

/** Reads the shop's time zone. The run reads it again. */
async function askZone({ client, connection, notice }: OpenShop): Promise<string> {
  notice({ type: "asks", shop: connection.url, group: "the time zone", requests: 1 });
  return String((await client.account.get()).timeZone);
}

/** The run reads the account before it writes a state, if no state has told it by then. */
export function noticeMark({ identity, url, notice }: Pick<Shop, "identity" | "url" | "notice">): void {
  if (identity.known() === undefined) notice({ type: "asks", shop: url, group: "the account", requests: 1 });
}

export const accountOf = async ({ account }: Client): Promise<string> => String((await account.get()).id);

/** Closes all connections and notes. The next call opens new ones, for the next run. */
export async function closeShops(): Promise<void> {
  stop.close();
  stop = openStop();
  const open = [...shops.values()];
  shops.clear();
  stacks = stackNotes();
  await Promise.all(open.map(({ client }) => client.transport.close()));
}

/** The shop for the verbs. It connects with the first request, so that checks and diffs need no credentials. */
export function lazyShop(sources: Sources, say: Say = print): Shop {
  // Cached: every call needs it. An incomplete one is resolved again.
  let known: Connection | undefined;
  const connection = () => {
    known ??= resolveConnection(sources);
    return known;
  };
  const opened = () => shopOf(connection(), sources, say);
  const isConnected = () => {
    try {
      connection();
      return true;
    } catch {
      // The first request reports what is missing.
      return false;
    }
  };
  const plan = planOf(sources);
  const memory = newMemory();
  return {
    get transport() {
      return opened().client.transport;
    },
    get url() {
      return opened().connection.url;
    },
    keyedHash: (text) =>
      createHmac("sha256", connection().password).update(text).digest("base64url").slice(0, 22),
    // A diff needs no connection, and then compares no shops.
    get identity() {
      return isConnected() ? opened().identity : noIdentity;
    },
    get memory() {
      return isConnected() ? opened().memory : memory;
    },
    get reads() {
      return opened().reads;
    },
    notes: stacks.notesOf(sources, say),
    folder: programFolder(),
    adopt: adoptOf(sources),
    allowOutside: allowOutsideOf(sources),
    guard: guardOf(sources),
    plan,
    now: systemClock.now,
    zone: () => opened().zone(),
    skewMs: () => opened().client.transport.shopAheadMs(),
    wait: (delayMs) => opened().clock.wait(delayMs, stop.signal),
    say,
    sayInPreview: (line) => {
      // An engine that doesn't say whether this is a preview checks in both.
      if (plan.isPreview !== false) say(line);
    },
    notice: noticesOf(sources, say),
  };
}

const noticesOf = (sources: Sources, say: Say): Notify =>
  openNotices(messageIn(sources.env).notices, say, engineRunIn(sources.env).isPreview !== false, sources);
