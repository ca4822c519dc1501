/**
 * The one door. The engine's host calls `handler(kind)` for resources; the SDK's data sources call `openShop`.
 * Clients are shared by account, not by kind: one limiter must see everything that this process sends.
 */

import { allowOutsideOf } from "./body/project-file.ts";
import { type Connection, resolveConnection, type Sources } from "./client/connection.ts";
import { endWithEngine, openHostStop } from "./client/host-stop.ts";
import { type Client, createClient, defaultPorts } from "./client/index.ts";
import type { Clock } from "./client/limiter.ts";
import { createTransport } from "./client/transport.ts";
import type { Definition } from "./definition/define.ts";
import type { Taken } from "./lifecycle/adoption.ts";
import { RefusalError } from "./lifecycle/conflict.ts";
import { cutOff } from "./lifecycle/cut-off.ts";
import { type Lifecycle, lifecycle, UnfinishedError } from "./lifecycle/lifecycle.ts";
import { definitionOf, definitions } from "./resources/index.ts";
import { noChanges, openChanges } from "./run/changes.ts";
import { type Memory, newMemory, type Plan, type Shop } from "./run/context.ts";
import { guardOf, ProtectedError } from "./run/guard.ts";
import type { Ended, Notes } from "./run/notes.ts";
import { openNotices } from "./run/notices.ts";
import { openReads, type Reads } from "./run/reads.ts";
import { adoptOf, modesOf, planOf, refreshesByChanges } from "./run/settings.ts";
import { changeNotesOf, notesOf } from "./run/stack-notes.ts";
import { textOf } from "./values/body-merge.ts";
import { isBodySecret, type Mask, markedInputs, markedOutputs, maskOf } from "./values/secrecy.ts";
import { asLists, asShaped, withIgnored } from "./values/shapes.ts";
import type { Values } from "./wire/codec.ts";
import { printable } from "./wire/printable.ts";

/** A shop as this process knows it. */
export interface OpenShop {
  readonly connection: Connection;
  readonly client: Client;
  readonly clock: Clock;
  readonly memory: Memory;
  readonly reads: Reads;
}

// Once in the host, whatever the kind; a program that only asks data sources may read its own standard input.
let endsWithEngine = false;

const shops = new Map<string, OpenShop>();

// An engine that stops a run cancels its provider, or goes away.
const gone = new AbortController();
const stopped = AbortSignal.any([openHostStop().signal, gone.signal]);

/**
 * The shop of a connection, the same one for the same account.
 * @throws Error that lists what is missing in the configuration
 */
export function openShop(sources: Sources): OpenShop {
  const connection = resolveConnection(sources);
  const account = JSON.stringify([connection.url, connection.applicationId, connection.password]);
  const found = shops.get(account);
  if (found !== undefined) return found;
  // The host shows what stands on standard output beside the stack.
  const ports = defaultPorts(connection, { say: (line) => console.log(line), stop: stopped });
  const opened: OpenShop = {
    connection,
    client: createClient(createTransport(connection, ports)),
    clock: ports.clock,
    memory: newMemory(),
    reads: openReads({
      transport: () => opened.client.transport,
      perPage: () => connection.perPage,
      now: ports.clock.now,
      mode: modesOf(sources.env),
    }),
  };
  shops.set(account, opened);
  return opened;
}

/** Closes all connections; the next call opens new ones. */
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
  let shop: Shop | undefined;
  return handlerOf(
    definition,
    () => {
      if (shop === undefined) throw new Error(`${kind} was called before configure`);
      return shop;
    },
    async ({ config }) => {
      if (!endsWithEngine) endWithEngine(() => gone.abort(new Error("the engine has ended")));
      endsWithEngine = true;
      shop = lazyShop({ config: (key) => config.get(key), env: process.env });
    },
  );
}

/**
 * A kind's verbs as the engine's host calls them: with the shapes that travel, errors that say all in their message, and
 * no secret of the call in anything that is said.
 */
export function handlerOf(
  definition: Definition,
  opened: () => Shop,
  configure: Handler["configure"],
): Handler {
  const door = <T>(
    values: readonly Values[],
    work: (verbs: Lifecycle, mask: Mask) => Promise<T>,
  ): Promise<T> => {
    const secretBodies = values.filter(isBodySecret);
    const { folder } = secretBodies.length === 0 ? { folder: "" } : opened();
    const mask = maskOf(
      values,
      secretBodies.flatMap((one) => textOf(one, folder) ?? []),
    );
    return atDoor(
      values.at(-1) ?? {},
      mask,
      () => opened().plan,
      async () => work(lifecycle(definition, discreet(opened(), mask)), mask),
    );
  };
  return {
    configure,
    check: (olds, news) =>
      door([olds, news], async (verbs, mask) => {
        const { taken, inputs, failures } = await verbs.check(
          asLists(definition, olds),
          asLists(definition, news),
        );
        return {
          inputs: { ...asShaped(definition, inputs, news), ...takenInput(taken, opened().plan, mask) },
          failures: failures.map(({ property, reason }) => ({
            property: mask(property),
            reason: printable(mask(reason)),
          })),
        };
      }),
    diff: (id, olds, news) =>
      door([olds, news], async (verbs) => {
        const args = withIgnored(definition, olds, asLists(definition, bare(news)));
        const verdict = await verbs.diff(id, olds, args);
        if (verdict.type !== "none" && process.env.SHOP_DIFF === "texts")
          await verbs.showTextChange(id, olds, args);
        if (verdict.type !== "replace") return { changes: verdict.type === "update" };
        return {
          changes: true,
          // Pulumi's paths name arguments, not items by key.
          replaces: [...new Set(verdict.paths.map((path) => path.replace(/\[.*$/s, "")))],
          deleteBeforeReplace: verdict.deleteFirst,
        };
      }),
    create: (inputs) =>
      door([inputs], async (verbs) => {
        const { id, outs } = await verbs.create(asLists(definition, bare(inputs)));
        return { id, outs: markedOutputs(outs, [inputs]) };
      }),
    read: (id, props) =>
      door([props], async (verbs) => {
        const found = await verbs.read(id, bare(props));
        if (found === undefined) return {};
        const inputs = asShaped(definition, found.inputs, undefined);
        const values = [props, found.props];
        return {
          ...found,
          props: markedOutputs(found.props, values),
          inputs: markedInputs(inputs, values),
        };
      }),
    update: (id, olds, news) =>
      door([olds, news], async (verbs) => {
        const args = withIgnored(definition, olds, asLists(definition, bare(news)));
        return { outs: markedOutputs(await verbs.update(id, bare(olds), args), [news]) };
      }),
    delete: (id, props) => door([props], (verbs) => verbs.delete(id, bare(props))),
  };
}

/** The same shop for one call, which says nothing that the call's program marked as secret, nor what acts on a terminal. */
function discreet(shop: Shop, mask: Mask): Shop {
  const shown = (line: string) => printable(mask(line));
  return Object.create(shop, {
    say: { value: (line: string) => shop.say(shown(line)) },
    sayInPreview: { value: (line: string) => shop.sayInPreview(shown(line)) },
  }) as Shop;
}

// An engine that understands it learns at check time that a create will take an object over (engine/host.ts).
const takenInput = (
  taken: Taken | undefined,
  { isEmbedded }: Pick<Plan, "isEmbedded">,
  mask: Mask,
): Values =>
  taken === undefined || !isEmbedded
    ? {}
    : { __takes: { id: taken.id, changes: taken.changes.map((text) => printable(mask(text))) } };

// A program that only checks and compares needs no credentials: the shop is opened by the first request.
function lazyShop(sources: Sources): Shop {
  const opened = () => openShop(sources);
  const say = (line: string) => console.log(line);
  const plan = planOf(sources);
  const memory = newMemory();
  const skewMs = () => {
    // Our own clock while no answer has said one.
    const aheadMs = opened().client.transport.shopTime() - Date.now();
    return aheadMs === 0 ? undefined : aheadMs;
  };
  return {
    get transport() {
      return opened().client.transport;
    },
    get url() {
      return opened().connection.url;
    },
    get memory() {
      return isConnected(sources) ? opened().memory : memory;
    },
    get reads() {
      return opened().reads;
    },
    notes: notesOf(sources, say),
    changes: refreshesByChanges(sources)
      ? openChanges({
          transport: () => opened().client.transport,
          shop: () => `${opened().connection.url} ${opened().connection.applicationId}`,
          perPage: () => opened().connection.perPage,
          now: Date.now,
          skewMs,
          notes: (stack) => changeNotesOf(stack, sources.env, say),
          say,
        })
      : noChanges,
    folder: process.cwd(),
    adopt: adoptOf(sources),
    allowOutside: allowOutsideOf(sources),
    guard: guardOf(sources),
    plan,
    now: Date.now,
    skewMs,
    wait: (delayMs) => opened().clock.wait(delayMs, stopped),
    say,
    sayInPreview: (line) => {
      // An engine that doesn't say which it is checks the same arguments in both.
      if (plan.isPreview !== false) say(line);
    },
    notice: openNotices(sources.env.SHOP_NOTICES, say),
  };
}

function isConnected(sources: Sources): boolean {
  try {
    resolveConnection(sources);
    return true;
  } catch {
    // What only checks needs none; what needs one says what is missing.
    return false;
  }
}

/**
 * What is left of creates that were cut off and that no program asked for again: for the end of a run, when the state is
 * written.
 * @param notes of the stack
 * @returns a sentence for each object that the shop has, or may have, and no state
 */
export async function cutOffCreates(
  sources: Sources,
  notes: Notes,
  ended: Ended,
  say: (line: string) => void,
): Promise<readonly string[]> {
  try {
    return await cutOff({ ...lazyShop(sources), memory: newMemory(), notes, say }, ended);
  } finally {
    await closeShops();
  }
}

function bare({ __provider, ...values }: Values): Values {
  return values;
}

/** The status of gRPC that says that something was refused; the embedded engine reads it (engine/host.ts). */
const failedPrecondition = 9;

/**
 * What leaves the provider says all in its message: the host takes any error that has an `id` for an object that was
 * made and is not as asked (cmd/dynamic-provider, grpcResponseFromError), so that only such an error may have one.
 */
async function atDoor<T>(
  inputs: Values,
  mask: Mask,
  plan: () => Pick<Plan, "isEmbedded">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const shown = (text: string) => printable(mask(text));
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw Object.assign(error, { message: shown(error.message), stack: shown(error.stack ?? "") });
    const message = shown(error instanceof Error ? error.message : String(error));
    // The host prints what it answers with as well (`${error}: ${error.stack}`); once is enough.
    const plain = Object.assign(new Error(message), { stack: "", toString: () => "" });
    if (error instanceof UnfinishedError)
      throw Object.assign(plain, {
        id: error.id,
        // The host looks for the provider in what it was given.
        properties: { ...markedOutputs(error.properties, [inputs]), __provider: inputs.__provider },
        reasons: error.reasons.map(shown),
      });
    if (!(error instanceof RefusalError || error instanceof ProtectedError)) throw plain;
    if (!plan().isEmbedded) throw plain;
    // The host hands on the code of some verbs and the details of others.
    throw Object.assign(plain, {
      code: failedPrecondition,
      details: message,
      id: "refused",
      properties: { __refused: true },
      reasons: [message],
    });
  }
}

export { pickOne } from "./values/lookup.ts";
export { definitions, UnfinishedError };
