/**
 * A refresh that asks for what changed since the last one, where a stack says that its shop's times of change can be
 * trusted (`shop:refresh: changes`): the list of changes and that of deleted objects take the place of all pages. No
 * public material says that every edit moves an object's time of change (a variant's price, a picture, a collection), so
 * that nothing is read this way unless told, everything is read whole once a week, and a shop that is seen to be wrong
 * is read whole from then on (docs/decisions/0013-a-refresh-by-changes.md).
 */
import { readOwner } from "../../pulumi/owner.ts";
import type { Input } from "../client/call.ts";
import { changed } from "../client/delta.ts";
import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import { above, where } from "../values/identity.ts";
import { secretsOf } from "../values/secrecy.ts";
import type { Values } from "../wire/codec.ts";
import { type ChangeNotes, hashOf, type ListNotes, type Mark } from "./change-notes.ts";

export interface Changes {
  /**
   * What a refresh knows of an object without asking for it: that it is as the state has it, or how it is now. Undefined
   * where it must be read. Each object is answered once; who asks again wants to look.
   * @param olds the object's state
   * @throws ShopError of the class that says what happened
   */
  find(definition: Definition, id: string, olds: Values): Promise<"unchanged" | Values | undefined>;
  /** An object was read for a refresh, and the state is told so. Resolves when that is noted. */
  read(definition: Definition, id: string, olds: Values, found: Found): Promise<void>;
}

export type Found =
  /** @param isListed whether a page of the whole list showed it */
  { readonly props: Values; readonly seen: Values; readonly isListed: boolean } | "gone";

/** Nothing is known, and nothing noted: every object is read. */
export const noChanges: Changes = { find: async () => undefined, read: async () => undefined };

export interface ChangesOptions {
  readonly transport: () => Transport;
  /** Address of the shop, and its application. */
  readonly shop: () => string;
  readonly perPage: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How far the shop's clock is ahead, in milliseconds; undefined while no answer has said it. */
  readonly skewMs: () => number | undefined;
  /** Those of a stack; undefined where no folder holds its state. */
  readonly notes: (of: string) => ChangeNotes | undefined;
  readonly say: (line: string) => void;
}

/** A change is stamped before it can be seen, by whichever of a shop's machines: so much is asked for again. */
const overlapMs = 5 * 60_000;
/** Clocks of two machines that are right differ by less. */
const toleranceMs = 60_000;
const wholeEveryMs = 7 * 24 * 3_600_000;

interface List {
  readonly name: string;
  readonly definition: Definition;
  readonly given: Input;
  readonly notes: ChangeNotes;
  /** What was noted before this run, of the same shop. */
  readonly before: ListNotes | undefined;
  /** By our clock, when the run began to read it. */
  readonly startedAt: number;
  readonly answered: Set<string>;
  /** What changed since; undefined where everything is read. */
  changes: Promise<Delta | undefined>;
  /** What is read is noted from here on. */
  marked: Promise<void> | undefined;
  deletedSince: Promise<ReadonlyMap<string, Values> | undefined> | undefined;
}

interface Delta {
  readonly live: ReadonlyMap<string, Values>;
  readonly deleted: ReadonlyMap<string, Values>;
}

export function openChanges(options: ChangesOptions): Changes {
  const lists = new Map<string, List>();
  const listOf = (definition: Definition, id: string, olds: Values): List | undefined => {
    if (definition.operations.list?.changes === undefined || !isNotable(olds)) return undefined;
    const of = String(olds.__of);
    const { project = "", stack } = readOwner(of);
    const notes = options.notes(of);
    if (notes === undefined) return undefined;
    const { id: _own, ...place } = where(definition, id);
    const given = { ...above(definition, place), perPage: options.perPage() };
    const name = JSON.stringify([definition.kind, place]);
    const listed = `${project} ${stack} ${name}`;
    const found = lists.get(listed);
    if (found !== undefined) return found;
    const noted = notes.of(name);
    const opened: List = {
      name,
      definition,
      given,
      notes,
      before: noted?.mark.shop === options.shop() ? noted : undefined,
      startedAt: options.now(),
      answered: new Set(),
      changes: Promise.resolve(undefined),
      marked: undefined,
      deletedSince: undefined,
    };
    lists.set(listed, opened);
    opened.changes = ask(opened, options);
    return opened;
  };
  return {
    async find(definition, id, olds) {
      const list = listOf(definition, id, olds);
      const own = ownId(id);
      if (list === undefined || list.answered.has(own)) return undefined;
      list.answered.add(own);
      const delta = await list.changes;
      if (delta === undefined || delta.deleted.has(own)) return undefined;
      const live = delta.live.get(own);
      if (live !== undefined) return live;
      return list.before?.hashes.get(own) === hashOf(olds) ? "unchanged" : undefined;
    },
    async read(definition, id, olds, found) {
      const list = listOf(definition, id, olds);
      if (list === undefined) return;
      const isWhole = (await list.changes) === undefined;
      if (isWhole) await judge(list, { id, olds, found }, options);
      if (found === "gone") return;
      if (isWhole && found.isListed) list.marked ??= beginWhole(list, options);
      if (list.marked === undefined) return;
      await list.marked;
      await list.notes.object(list.name, ownId(id), hashOf(found.props));
    },
  };
}

// What was never read has no state to be as; a hash of a secret that is easily guessed would tell it.
const isNotable = (olds: Values) =>
  olds.__stated !== undefined && olds.__of !== undefined && secretsOf(olds).length === 0;

const ownId = (id: string) => id.split("/").at(-1) ?? id;

/** What changed since the last reading, where that can be said; the reading is noted then. */
async function ask(list: List, options: ChangesOptions): Promise<Delta | undefined> {
  const { before, definition, given, notes, name, startedAt } = list;
  if (before === undefined || notes.distrust(name) !== undefined) return undefined;
  const { since, aheadMs, wholeAt } = before.mark;
  if (startedAt + aheadMs - wholeAt > wholeEveryMs) return undefined;
  const most = mostRequests(list);
  const live = await changed(options.transport(), definition, given, { since, most });
  const clock = shopAt(startedAt, options);
  if (live === undefined || clock === undefined || isBehind(clock, before.mark)) return undefined;
  const deleted = await changed(options.transport(), definition, given, { since, most, deleted: true });
  if (deleted === undefined) return undefined;
  const forget = [...live.keys(), ...deleted.keys()].filter((id) => before.hashes.has(id));
  list.marked = notes.moved(name, markAt(options, clock, wholeAt), forget);
  await list.marked;
  return { live, deleted };
}

/** Half of what all pages cost; a handful in any case. */
function mostRequests({ before, definition, given }: List): number {
  const perPage = Number(given.perPage ?? definition.operations.list?.perPage ?? 1);
  return Math.max(4, Math.ceil((before?.hashes.size ?? 0) / perPage / 2));
}

interface ShopMoment {
  /** Milliseconds since 1970 by the shop's clock. */
  readonly at: number;
  readonly aheadMs: number;
}

/** What the shop's clock showed at a moment of ours; undefined where no answer had a `Date`. */
function shopAt(moment: number, { skewMs }: ChangesOptions): ShopMoment | undefined {
  const aheadMs = skewMs();
  return aheadMs === undefined ? undefined : { at: moment + aheadMs, aheadMs };
}

/** Whether the shop's clock went back since a mark: then its times prove nothing, neither that they are wrong. */
const isBehind = ({ at, aheadMs }: ShopMoment, mark: Mark): boolean =>
  at < mark.since + overlapMs - toleranceMs || aheadMs < mark.aheadMs - toleranceMs;

const markAt = ({ shop }: ChangesOptions, { at, aheadMs }: ShopMoment, wholeAt: number): Mark => ({
  shop: shop(),
  since: at - overlapMs,
  aheadMs,
  wholeAt,
});

/** Everything is read: the notes start over. */
function beginWhole(list: List, options: ChangesOptions): Promise<void> | undefined {
  if (list.notes.distrust(list.name) !== undefined) return undefined;
  const clock = shopAt(list.startedAt, options);
  return clock && list.notes.whole(list.name, markAt(options, clock, clock.at));
}

/** Whether an object that was read changed since it was noted, and its time of change, or its deletion, doesn't say so. */
async function judge(
  list: List,
  { id, olds, found }: { readonly id: string; readonly olds: Values; readonly found: Found },
  options: ChangesOptions,
) {
  const { before, notes, name, definition } = list;
  const own = ownId(id);
  const hash = before?.hashes.get(own);
  if (before === undefined || hash !== hashOf(olds) || notes.distrust(name) !== undefined) return;
  // Where everything is read because of the week, nothing has looked at the clock yet.
  const clock = shopAt(list.startedAt, options);
  if (clock === undefined || isBehind(clock, before.mark)) return;
  const { since } = before.mark;
  const stamp = definition.operations.list?.changes?.stamp ?? "";
  if (found === "gone") {
    list.deletedSince ??= changed(options.transport(), definition, list.given, {
      since,
      most: mostRequests(list),
      deleted: true,
    });
    const deleted = await list.deletedSince;
    if (deleted === undefined || deleted.has(own)) return;
  } else if (hashOf(found.props) === hash || Date.parse(String(found.seen[stamp])) >= since) return;
  const what = found === "gone" ? "was deleted and isn't listed so" : `changed and its ${stamp} didn't`;
  const reason = `${definition.kind} ${id} ${what}`;
  await notes.untrusted(name, reason);
  options.say(
    `${reason}: this shop's times of change can't be trusted, refreshes read everything from now on`,
  );
}
