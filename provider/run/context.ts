/** What the verbs stand on: the door to the shop, and what belongs to the run and to the plan that it carries out. */

import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import { objectKey, resourceOf } from "../names/owner.ts";
import type { Change } from "../values/change.ts";
import type { ProjectOptions } from "../values/check.ts";
import type { Diff } from "../values/diff.ts";
import type { Values } from "../wire/codec.ts";
import type { Notes } from "./create-notes.ts";
import type { Identity } from "./identity.ts";
import type { Guard } from "./limits.ts";
import type { Notify } from "./notices.ts";
import type { Plan } from "./plan.ts";
import type { Reads } from "./reads.ts";
import { openValueOwners, type ValueOwners } from "./value-owners.ts";

/** A shop as the verbs see it. */
export interface Shop extends ProjectOptions {
  readonly transport: Transport;
  /** The shop's address. @throws Error that lists what is missing in the configuration */
  readonly url: string;
  /** Which shop it is, for what the state has. */
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The shop's time zone, as it calls it. */
  readonly zone: () => Promise<string>;
  /** How far the shop's clock is ahead, in milliseconds; undefined while no answer has said it. */
  readonly skewMs: () => number | undefined;
  /** Waits so many milliseconds; rejects when the run is stopped. */
  readonly wait: (delayMs: number) => Promise<void>;
  /** A line for the person who watches. */
  readonly say: (line: string) => void;
  /** A line about what has yet to be done: for a preview, which is where a person reads it. */
  readonly sayInPreview: (line: string) => void;
  /** What the plan means to this shop, for whoever plans. */
  readonly notice: Notify;
  /** What a protected stack refuses. */
  readonly guard: Guard | undefined;
  readonly plan: Plan;
  readonly memory: Memory;
  /** Of creates that no state has shown. */
  readonly notes: Notes;
  readonly reads: Reads;
}

/** The shop as a state marks it, as far as it is known without a request. */
export const markOfShop = ({ identity, url }: Shop): string => identity.known() ?? url;

/** A shop of which a call sees some things otherwise. */
export const seenAs = (shop: Shop, otherwise: Partial<Shop>): Shop =>
  Object.create(shop, Object.getOwnPropertyDescriptors(otherwise)) as Shop;

/** What this process has learned of the plan it carries out; one for all kinds. */
export interface Memory {
  /** Whose the objects are. */
  readonly owners: Ownership;
  /** Objects that make room, by the resource whose create takes their place and refuses it where staff changed them. */
  readonly replaced: Map<
    string,
    { readonly id: string; readonly olds: Values; readonly verdict: Exclude<Diff, { type: "none" }> }
  >;
  /** What a preview says of resources' creates, where it isn't known yet whether this is one. */
  readonly createLines: Map<string, readonly string[]>;
  /** Resources that are dynamic ones now, and the plugin's in the state. */
  readonly fromPlugin: Set<string>;
  /** Resources that were imported: no run has stated anything of them. */
  readonly imported: Set<string>;
  /** Resources that had a state: what is created for them takes an object's place. */
  readonly inState: Set<string>;
  /** Objects that were read for the state: until its resource is checked, a diff of one is the refresh's. */
  readonly refreshed: Set<string>;
  /** URNs whose objects a refresh of this run found gone: the state on the disk may still have them. */
  readonly deleted: Set<string>;
  /** Objects that creates will take over, as they were read; `none` where it was seen that there is none. */
  readonly adoptions: Map<string, Values | "none">;
  /** Objects as they were read before they are changed. */
  readonly recentReads: Map<
    string,
    { readonly seen: Values; readonly at: number; readonly mostAgeMs: number }
  >;
  /** Looks of sheets that are under way: two that price one product share one. */
  readonly readsInProgress: Map<string, Promise<Values | undefined>>;
  /** Changes as the engine was told of them, by what they are of. */
  readonly changes: Map<
    string,
    { readonly of: readonly [olds: Values, args: Values]; readonly change: Change }
  >;
  /** Lines that say what becomes of an object: its diff, its change and its delete would each say them. */
  readonly saidLines: Set<string>;
  /** Inline texts as the state's arguments have them: one side of a conflict, which no output holds. */
  readonly texts: Map<string, string>;
  /** Resources of the program that ask for a natural key which only one object can have, in their order. */
  readonly keyClaims: Map<string, Set<string>>;
  /** The key that a resource asks for. */
  readonly claimedKeys: Map<string, string | undefined>;
  /** Creates that were checked, by kind: what a preview may spend in pages to look for equal objects. */
  readonly createCounts: Map<string, number>;
  /** Values that resources of the program state. */
  readonly valueOwners: ValueOwners;
  /** The last create that was asked for of each kind that the shop numbers; it settles when the create has ended. */
  readonly queues: Map<string, Promise<unknown>>;
  /** How many objects another stack has too, by that stack. */
  readonly sharedCounts: Map<string, number>;
}

export const newMemory = (): Memory => ({
  owners: openOwnership(),
  saidLines: new Set(),
  fromPlugin: new Set(),
  createLines: new Map(),
  replaced: new Map(),
  imported: new Set(),
  inState: new Set(),
  refreshed: new Set(),
  deleted: new Set(),
  adoptions: new Map(),
  recentReads: new Map(),
  readsInProgress: new Map(),
  changes: new Map(),
  texts: new Map(),
  keyClaims: new Map(),
  claimedKeys: new Map(),
  createCounts: new Map(),
  queues: new Map(),
  sharedCounts: new Map(),
  valueOwners: openValueOwners(),
});

/** Whose an object is in this run: what a plan keeps it doesn't delete, and two resources never own one (docs/rules.md, rule 3). */

/** Objects as `objectKey` names them, resources as `resourceOf` does. */
export interface Ownership {
  /** The resource that made an object in this run, or took it over; else the one that keeps it. */
  owner(key: string): string | undefined;
  /** The resource that made it in this run, or took it over. */
  maker(key: string): string | undefined;
  /** The resource that took it over in this run: another may have had it before. */
  adopter(key: string): string | undefined;
  /** The resource that has it in the state, and keeps it. */
  manager(key: string): string | undefined;
  /** Whether it makes room for another. */
  leaves(key: string): boolean;
  made(key: string, resource: string): void;
  taken(key: string, resource: string): void;
  kept(key: string, resource: string): void;
  /** It makes room, whoever kept it. */
  left(key: string): void;
}

export function openOwnership(): Ownership {
  const makers = new Map<string, string>();
  const takers = new Map<string, string>();
  const keepers = new Map<string, string>();
  const leaving = new Set<string>();
  return {
    owner: (key) => makers.get(key) ?? keepers.get(key),
    maker: (key) => makers.get(key),
    adopter: (key) => takers.get(key),
    manager: (key) => keepers.get(key),
    leaves: (key) => leaving.has(key),
    made: (key, resource) => void makers.set(key, resource),
    taken(key, resource) {
      makers.set(key, resource);
      takers.set(key, resource);
    },
    kept: (key, resource) => void keepers.set(key, resource),
    left(key) {
      keepers.delete(key);
      leaving.add(key);
    },
  };
}

export interface OfKind {
  readonly definition: Definition;
  readonly shop: Shop;
}

export interface ObjectRef extends OfKind {
  readonly id: string;
}

/** An object as the state knows it. */
export interface StateObject extends ObjectRef {
  readonly olds: Values;
}

/** An object as the state knows it, and as the program asks for it. */
export interface Subject extends StateObject {
  readonly args: Values;
}

/** The same, and as the shop has it now. */
export interface ReadSubject extends Subject {
  readonly seen: Values;
}

export const keyIn = ({ definition, id }: Pick<ObjectRef, "definition" | "id">): string =>
  objectKey(definition.kind, id);

export const resourceIn = ({ definition, args }: Pick<Subject, "definition" | "args">): string =>
  resourceOf(definition.kind, args);

/** A refresh asks how the arguments before it differ: it keeps, sends, renames and replaces nothing, so there is nothing to tell or refuse. */
export const isOfRefresh = (subject: Subject): boolean =>
  subject.shop.memory.refreshed.has(keyIn(subject)) && !subject.shop.memory.inState.has(resourceIn(subject));
