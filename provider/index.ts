/**
 * The one door. The engine's host calls `handler(kind)` for resources; the SDK's data sources call `openShop`.
 * Clients are shared by account, not by kind: one limiter must see everything that this process sends.
 */

import { type Connection, resolveConnection, type Sources } from "./client/connection.ts";
import { type Client, createClient, worldly } from "./client/index.ts";
import { createTransport } from "./client/transport.ts";
import type { Values } from "./codec.ts";
import { guardOf } from "./guard.ts";
import { type Lifecycle, lifecycle, type Shop, UnfinishedError } from "./lifecycle.ts";
import { type Notes, notesFile, openNotes } from "./notes.ts";
import { openReads, type Reads } from "./reads.ts";
import { definitionOf, definitions } from "./resources/index.ts";

/** A shop as this process knows it. */
export interface OpenShop {
  readonly connection: Connection;
  readonly client: Client;
  /** Ids that this process has made or taken over. */
  readonly claimed: Set<string>;
  /** Objects that creates will take over, as they were looked at. */
  readonly looked: Map<string, Values>;
  readonly reads: Reads;
}

const shops = new Map<string, OpenShop>();

// The embedded engine says so when a run is stopped (engine/child.ts); other engines end the process.
const stopped = new AbortController();
process.once("stopRun" as never, () => stopped.abort(new Error("the run was stopped")));

/**
 * The shop of a connection, the same one for the same account.
 * @throws Error that lists what is missing in the configuration
 */
export function openShop(sources: Sources): OpenShop {
  const connection = resolveConnection(sources);
  const account = JSON.stringify([connection.url, connection.applicationId, connection.password]);
  const found = shops.get(account);
  if (found !== undefined) return found;
  // The host shows what stands on standard output beside the stack (pulumi-facts.md, Dynamic resources).
  const ports = worldly(connection, { say: (line) => console.log(line), stop: stopped.signal });
  const opened: OpenShop = {
    connection,
    client: createClient(createTransport(connection, ports)),
    claimed: new Set<string>(),
    looked: new Map<string, Values>(),
    reads: openReads(
      () => opened.client.transport,
      () => connection.perPage,
    ),
  };
  shops.set(account, opened);
  return opened;
}

/** Closes all connections; the next call opens them anew. */
export async function closeShops(): Promise<void> {
  const open = [...shops.values()];
  shops.clear();
  await Promise.all(open.map(({ client }) => client.transport.close()));
}

/** What the engine's host hands to `configure`. */
interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

/** A dynamic provider, as the engine's host calls it. */
export interface Handler {
  configure(request: ConfigureRequest): Promise<void>;
  check(olds: Values, news: Values): Promise<unknown>;
  diff(id: string, olds: Values, news: Values): Promise<unknown>;
  create(inputs: Values): Promise<unknown>;
  read(id: string, props: Values): Promise<unknown>;
  update(id: string, olds: Values, news: Values): Promise<unknown>;
  delete(id: string, props: Values): Promise<void>;
}

/**
 * The dynamic provider of a kind.
 * @throws Error where no definition has that name
 */
export function handler(kind: string): Handler {
  const definition = definitionOf(kind);
  if (definition?.operations.create === undefined)
    throw new Error(
      `pulumi-shop has no kind ${kind}: the state was written by a newer version, upgrade the package`,
    );
  let verbs: Lifecycle | undefined;
  const opened = (): Lifecycle => {
    if (verbs === undefined) throw new Error(`${kind} was called before configure`);
    return verbs;
  };
  return {
    configure: async ({ config }) => {
      verbs = lifecycle(definition, lazyShop({ config: (key) => config.get(key), env: process.env }));
    },
    check: (olds, news) => plainly(() => opened().check(olds, news)),
    diff: (id, olds, news) =>
      plainly(async () => {
        const verdict = opened().diff(id, olds, news);
        if (verdict.type !== "none" && process.env.SHOP_DIFF === "texts")
          await opened().foresee(id, olds, news);
        if (verdict.type !== "replace") return { changes: verdict.type === "update" };
        return { changes: true, replaces: verdict.paths, deleteBeforeReplace: verdict.deleteFirst };
      }),
    create: (inputs) => plainly(() => opened().create(bare(inputs))),
    read: (id, props) => plainly(async () => (await opened().read(id, bare(props))) ?? {}),
    update: (id, olds, news) =>
      plainly(async () => ({ outs: await opened().update(id, bare(olds), bare(news)) })),
    delete: (id, props) => plainly(() => opened().delete(id, bare(props))),
  };
}

// A program that only checks and compares needs no credentials: the shop is opened by the first request.
function lazyShop(sources: Sources): Shop {
  const opened = () => openShop(sources);
  const notes = notesOf(sources);
  return {
    get transport() {
      return opened().client.transport;
    },
    get claimed() {
      return opened().claimed;
    },
    get looked() {
      return opened().looked;
    },
    notes,
    get reads() {
      return opened().reads;
    },
    folder: process.cwd(),
    adopt: adoptOf(sources),
    guard: guardOf(sources),
    now: Date.now,
    say: (line) => console.log(line),
    foretell: (line) => {
      // An engine that doesn't say which it is checks the same arguments in both.
      if (sources.env.PULUMI_NODEJS_DRY_RUN !== "false") console.log(line);
    },
  };
}

function adoptOf({ config, env }: Sources): "key" | undefined {
  const stated = config?.("shop:adopt") ?? env.SHOP_ADOPT;
  if (stated === undefined || stated === "") return undefined;
  if (stated === "key") return stated;
  throw new Error(`shop:adopt takes key, or is left out; not ${JSON.stringify(stated)}`);
}

const allNotes = new Map<string, Notes>();

// One file, one set of notes, whatever the kind.
function notesOf({ config, env }: Sources): Notes {
  const shop = config?.("shop:url") ?? env.SHOP_URL ?? "";
  const file = notesFile(shop, process.cwd(), env);
  const found = allNotes.get(file) ?? openNotes(() => file);
  allNotes.set(file, found);
  return found;
}

function bare({ __provider, ...values }: Values): Values {
  return values;
}

// The host prints an error's stack beside its message: our messages say where, a stack of ours says nothing.
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && !(error instanceof TypeError)) error.stack = "";
    throw error;
  }
}

export { pickOne } from "./lookup.ts";
export { definitions, UnfinishedError };
