/**
 * The provider's interface: Pulumi's host calls `handler(kind)` for resources, the SDK's data sources call `openShop`.
 * Processes that implement Pulumi's protocol themselves use `native.ts`.
 */

import { pathText } from "../engine/pulumi/path.ts";
import { silently } from "../engine/pulumi/sdk-internals.ts";
import { textOf } from "./body/arguments.ts";
import type { Failure } from "./change/check-lists.ts";
import { shopMarkIn, shopMarkText, withoutShopMark, withShopMark } from "./change/identity.ts";
import { asKeyedLists, asLists, withoutIgnoredItems } from "./change/keyed-lists.ts";
import { plannedOutputs } from "./change/preview-outputs.ts";
import {
  isBodySecret,
  type Mask,
  markedInputs,
  markedOutputs,
  markedState,
  maskOf,
} from "./change/secrets.ts";
import { argumentsInFile, withoutRemovedPaths } from "./change/state.ts";
import { newMemory, type Shop, seenAs } from "./context/context.ts";
import type { Notes, RunEnd } from "./context/create-notes.ts";
import { type Identity, refuseOther } from "./context/identity.ts";
import { ProtectedError } from "./context/limits.ts";
import { discreetNotice, maskedConflict } from "./context/notices.ts";
import { accountOf, closeShops, endWithHost, lazyShop, noticeMark, openShop } from "./context/open-shop.ts";
import type { Plan } from "./context/plan.ts";
import type { Definition } from "./definition/define.ts";
import { type Imported, importKey, readForImport } from "./inventory/importing.ts";
import { importedName } from "./lifecycle/check.ts";
import { ConflictError, RefusalError } from "./lifecycle/conflict.ts";
import { type Lifecycle, type Read, UnfinishedError } from "./lifecycle/lifecycle.ts";
import type { AdoptionPreview } from "./lifecycle/preview-create.ts";
import { ownerIn } from "./names/owner.ts";
import { reportInterrupted, tellInterruptedSheets } from "./prices/leftover.ts";
import { definitions } from "./resources/index.ts";
import type { Sources } from "./settings/settings.ts";
import { verbsOf, verbsOfKind } from "./verbs.ts";
import type { Values } from "./wire/codec.ts";
import { encodable, withinBytes } from "./wire/encodable.ts";
import { cutAfter, messageOf, printable } from "./wire/text.ts";

interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

/** A dynamic provider, as the engine's host calls it. */
export interface Handler {
  configure(request: ConfigureRequest): Promise<void>;
  check(
    olds: Values,
    news: Values,
  ): Promise<{ readonly inputs: Values; readonly failures: readonly Failure[] }>;
  diff(id: string, olds: Values, news: Values): Promise<Difference>;
  create(inputs: Values): Promise<{ readonly id: string; readonly outs: Values }>;
  /** @param inputs the arguments in the state, if the engine passes them: they give the form of lists in the result */
  read(id: string, props: Values, inputs?: Values): Promise<Partial<Imported>>;
  update(id: string, olds: Values, news: Values): Promise<{ readonly outs: Values }>;
  /**
   * Reports what a create or an update would be refused for, for engines that preview through these calls. Pulumi's
   * host doesn't call it.
   * @returns the outputs, as far as they are known
   */
  preview(news: Values, updated?: { readonly id: string; readonly olds: Values }): Promise<Values>;
  delete(id: string, props: Values): Promise<void>;
  /**
   * Reads an object to import, with all its arguments. Pulumi's host doesn't call it.
   * @param facts the engine's facts about the resource, such as its URN
   * @returns undefined if there is none
   */
  import(id: string, facts: Values): Promise<Imported | undefined>;
}

/** The result of a diff. */
export interface Difference {
  readonly changes: boolean;
  /** Names of arguments. */
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** All differing paths, with list items by key: `variants[MUG-R].price`. */
  readonly paths: readonly string[];
}

/** The dynamic provider of a kind. @throws Error if there is no such kind */
export function handler(kind: string): Handler {
  const { definition, on } = verbsOf(kind);
  let sources: Sources | undefined;
  let shop: Shop | undefined;
  return handlerOf(
    definition,
    () => {
      if (sources === undefined) throw new Error(`${kind} was called before configure`);
      shop ??= lazyShop(sources); // In configure, the host would print an error's stack.
      return shop;
    },
    async ({ config }) => {
      endWithHost();
      sources = { config: (key) => config.get(key), env: process.env };
    },
    on,
  );
}

/**
 * Wraps a kind's verbs for Pulumi's host: converts lists, puts errors into their messages, and hides the secrets of the
 * call.
 */
export function handlerOf(
  definition: Definition,
  opened: () => Shop,
  configure: Handler["configure"],
  on = verbsOfKind(definition),
): Handler {
  let saidPreview: boolean | undefined;
  const door = <T>(
    values: readonly Values[],
    work: (verbs: Lifecycle, mask: Mask, identity: Identity) => Promise<T>,
  ): Promise<T> => {
    const bodies = () => values.filter(isBodySecret).flatMap((one) => textOf(one, opened().folder) ?? []);
    return atDoor(values, bodies, opened, async (mask) => {
      const shop = discreet(opened(), mask, saidPreview);
      return work(on(shop), mask, shop.identity).catch((error: unknown) => {
        if (!(error instanceof UnfinishedError)) throw error;
        const outs = withShopMark(error.properties, shop.identity.known());
        throw new UnfinishedError({ id: error.id, outs }, error.reasons);
      });
    });
  };
  return {
    configure,
    check: (olds, news) => {
      saidPreview = previewSaid(news) ?? saidPreview;
      return door([olds, news], async (verbs, mask) => {
        tellInterruptedSheets(opened(), ownerIn(news));
        if (Object.keys(olds).length === 0) noticeMark(opened());
        const { taken, inputs, failures } = await verbs.check(
          asLists(definition, olds),
          asLists(definition, news),
        );
        return {
          inputs: {
            ...asKeyedLists(definition, inputs, news),
            ...takenInput(definition, taken, opened().plan, news),
          },
          failures: failures.map(({ property, reason }) => ({
            property: mask(property),
            reason: printable(mask(reason)),
          })),
        };
      });
    },
    diff: (id, known, news) =>
      door([known, news], async (verbs, _mask, identity) => {
        await refuseOther(identity, definition.kind, id, known);
        const olds = withoutShopMark(withoutProvider(known));
        const args = withoutIgnoredItems(definition, olds, asLists(definition, withoutProvider(news)));
        const verdict = await verbs.diff(id, olds, args);
        if (verdict.type !== "none" && opened().plan.showsTexts) await verbs.showTextChange(id, olds, args);
        if (verdict.type === "none") return { changes: false, paths: [] };
        noticeMark(opened());
        const paths = verdict.paths.map(pathText);
        if (verdict.type === "update") return { changes: true, paths };
        return {
          changes: true,
          paths,
          // Pulumi's `replaces` names arguments, not items.
          replaces: [...new Set(verdict.replaces.map(([name = ""]) => name))],
          deleteBeforeReplace: verdict.deleteFirst,
        };
      }),
    create: (inputs) =>
      door([inputs], async (verbs, _mask, identity) => {
        const shopMark = await identity.mark();
        const { id, outs } = await verbs.create(asLists(definition, withoutProvider(inputs)));
        return { id, outs: withShopMark(markedState(outs, [inputs]), shopMark) };
      }),
    read: (id, props, came) =>
      door([props], async (verbs, mask, identity) => {
        if (props[importKey] !== undefined)
          return (await readImported(definition, opened(), id, { __of: props.__of })) ?? {};
        const shopMark = shopMarkIn(props);
        if ((await identity.compare(shopMark)) === "forgotten") return {};
        const before = withoutShopMark(withoutProvider(props));
        // Pulumi's host of dynamic providers doesn't pass the arguments in the state.
        const args = came ?? argumentsInFile(opened().notes.heldBy(ownerIn(props))?.inputs, before);
        const read = await verbs.read(id, withoutRemovedPaths(definition, before, asLists(definition, args)));
        if (read === undefined) {
          await identity.confirm(shopMark);
          return {};
        }
        const { keeps, requests, inputs, isKnown = false, ...found } = read;
        const values = [props, found.props];
        const imported = came?.[importedName] === undefined ? {} : { [importedName]: true };
        return {
          ...found,
          props: {
            ...withShopMark(markedState(found.props, values), await readMark(opened(), props)),
            ...keptOutput(keeps, opened(), mask),
            ...(opened().plan.isEmbedded && requests !== undefined && { __requests: requests }),
          },
          ...(!isKnown && {
            inputs: { ...markedInputs(asKeyedLists(definition, inputs, came), values), ...imported },
          }),
        };
      }),
    update: (id, known, news) =>
      door([known, news], async (verbs, _mask, identity) => {
        await refuseOther(identity, definition.kind, id, known);
        const olds = withoutShopMark(withoutProvider(known));
        const args = withoutIgnoredItems(definition, olds, asLists(definition, withoutProvider(news)));
        const shopMark = await identity.mark();
        const outs = await verbs.update(id, olds, args);
        return { outs: withShopMark(markedState(outs, [news], known), shopMark) };
      }),
    preview: (news, updated) =>
      door([updated?.olds ?? {}, news], async (verbs) => {
        const olds = withoutShopMark(withoutProvider(updated?.olds ?? {}));
        const args = withoutIgnoredItems(definition, olds, asLists(definition, withoutProvider(news)));
        // A forced replacement has no diff.
        noticeMark(opened());
        await verbs.preview(args, updated && { id: updated.id, olds });
        return markedOutputs(plannedOutputs(definition, args, updated && olds), [news], olds);
      }),
    delete: (id, props) =>
      door([props], async (verbs, _mask, identity) => {
        tellInterruptedSheets(opened(), ownerIn(props));
        if ((await identity.compare(shopMarkIn(props))) === "ours")
          await verbs.delete(id, withoutProvider(props));
      }),
    import: (id, facts) => door([facts], () => readImported(definition, opened(), id, facts)),
  };
}

async function readImported(
  definition: Definition,
  shop: Shop,
  id: string,
  facts: Values,
): Promise<Imported | undefined> {
  const found = await readForImport(definition, shop, id, facts);
  if (found === undefined) return undefined;
  noticeMark(shop);
  const mark = shop.plan.isPreview === true ? shop.identity.known() : await shop.identity.mark();
  const inputs = { ...found.inputs, [importedName]: true };
  return { ...found, props: withShopMark(found.props, mark), inputs };
}

/** The mark for an object that was read: the old one if it has this address and an account, else a new one. */
async function readMark({ identity, plan, url }: Shop, props: Values): Promise<string | undefined> {
  const before = shopMarkIn(props);
  if (before?.startsWith(shopMarkText({ url, account: "" }))) return before;
  const isKept = plan.isPreview !== true && String(props.__stated ?? "") !== "";
  return isKept ? identity.mark() : (before ?? identity.known());
}

/** Whether this is a preview, according to the program: Pulumi's host doesn't know. */
const previewSaid = ({ __preview }: Values): boolean | undefined =>
  typeof __preview === "boolean" ? __preview : undefined;

/** The shop for one call, whose output has neither the call's secrets nor control characters. */
function discreet(shop: Shop, mask: Mask, saidPreview: boolean | undefined): Shop {
  const shown = (line: string) => printable(mask(line));
  const isPreview = shop.plan.isPreview ?? saidPreview;
  return seenAs(shop, {
    plan: { ...shop.plan, isPreview },
    say: (line) => shop.say(shown(line)),
    sayInPreview: (line) => isPreview !== false && shop.sayInPreview(shown(line)),
    notice: (notice) => shop.notice(discreetNotice(notice, mask)),
  });
}

// Tells the embedded engine in check which object a create will adopt (engine/processes/provider-client.ts).
const takenInput = (
  definition: Definition,
  taken: AdoptionPreview | undefined,
  { isEmbedded }: Pick<Plan, "isEmbedded">,
  news: Values,
): Values =>
  taken === undefined || !isEmbedded
    ? {}
    : {
        __takes: {
          id: taken.id,
          inputs: markedOutputs(asKeyedLists(definition, taken.inputs, news), [news]),
          olds: markedOutputs(taken.olds, [news]),
        },
      };

// Tells the embedded engine in a preview's read that a delete would be refused (engine/processes/host.ts).
function keptOutput(keeps: Read["keeps"], shop: Pick<Shop, "plan" | "notice">, mask: Mask): Values {
  if (keeps === undefined || !shop.plan.isEmbedded) return {};
  if (keeps === "") return { __keeps: "" };
  if (keeps instanceof ConflictError) noticeConflict(keeps, shop, mask);
  return { __keeps: printable(mask(keeps.message)) };
}

/** Sends the conflict's values to the command that plans; the message is for others. */
const noticeConflict = ({ conflict }: ConflictError, { notice }: Pick<Shop, "notice">, mask: Mask) =>
  notice({ type: "conflict", ...maskedConflict(conflict, mask) });

/**
 * At the end of a run: objects of interrupted creates that the program no longer asks for.
 * @param notes the stack's
 * @returns a sentence for each object that the shop has, or may have, and no state has
 */
export async function interruptedCreates(
  sources: Sources,
  notes: Notes,
  ended: RunEnd,
  say: (line: string) => void,
): Promise<readonly string[]> {
  try {
    return await reportInterrupted({ ...lazyShop(sources), memory: newMemory(), say }, notes, ended);
  } finally {
    await closeShops();
  }
}

/** The id of a shop's account, for a command that compares shops first. */
export async function accountAt(sources: Sources, say: (line: string) => void): Promise<string> {
  try {
    return await accountOf(openShop(sources, say).client);
  } finally {
    await closeShops();
  }
}

const withoutProvider = ({ __provider, ...values }: Values): Values => values;

/** Errors are sent in headers. Node's HTTP/2 rejects headers over 64 kB, and all pending calls with them. */
const mostErrorBytes = 56_000;
const mostLetters = 5_000; // One that isn't Latin takes six bytes in a header.

/** gRPC's status for a refused operation, which the embedded engine reads (engine/processes/provider-client.ts). */
const failedPrecondition = 9;

/**
 * Turns errors into ones that have everything in their message. Pulumi's host takes an error with an `id` for an object
 * that was created but differs (cmd/dynamic-provider, grpcResponseFromError): only such errors may have one.
 */
async function atDoor<T>(
  values: readonly Values[],
  secretBodies: () => readonly string[],
  opened: () => Pick<Shop, "plan" | "notice">,
  work: (mask: Mask) => Promise<T>,
): Promise<T> {
  let mask = maskOf(values);
  try {
    const bodies = secretBodies();
    if (bodies.length > 0) mask = maskOf(values, bodies);
    return encodable(await work(mask));
  } catch (error) {
    const shown = (text: string) => printable(mask(text));
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw Object.assign(error, { message: shown(error.message), stack: shown(error.stack ?? "") });
    const message = cutAfter(shown(messageOf(error)), mostLetters);
    const plain = silently(message);
    if (error instanceof UnfinishedError) {
      // The host needs the provider in the properties, and sends nothing if it can't encode them.
      const { __provider } = values.at(-1) ?? {};
      const kept = encodable({ ...markedState(error.properties, values.slice(-1), values[0]), __provider });
      const properties = withinBytes(kept, Math.max(0, mostErrorBytes - 8 * Buffer.byteLength(message)));
      // Properties that are too large stay as the state has them; a created object is found by its note.
      if (properties === undefined) throw plain;
      const reasons = error.reasons.map(shown);
      throw Object.assign(plain, {
        id: error.id,
        properties,
        reasons: reasons.join("\n") === message ? reasons : [message],
      });
    }
    if (!(error instanceof RefusalError || error instanceof ProtectedError)) throw plain;
    const shop = opened();
    if (!shop.plan.isEmbedded) throw plain;
    if (error instanceof ConflictError) noticeConflict(error, shop, mask);
    // The host passes on the code for some verbs and the details for others.
    throw Object.assign(plain, {
      code: failedPrecondition,
      details: message,
      id: "refused",
      properties: { __refused: true },
      reasons: [message],
    });
  }
}

export type { OpenShop } from "./context/open-shop.ts";
export { type DataSource, dataSources } from "./data-sources.ts";
export { recoveredSheets } from "./prices/recovered.ts";
export { definitions, openShop, UnfinishedError };
