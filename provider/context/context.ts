/** What each verb gets: the shop, the plan that the run carries out, and what the run has learned so far. */

import type { Change } from "../change/change.ts";
import type { ProjectOptions } from "../change/check.ts";
import type { Diff } from "../change/diff.ts";
import type { Transport } from "../client/transport.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, objectKey, ownerIn, resourceOf } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import type { Note, Notes } from "./create-notes.ts";
import type { Identity } from "./identity.ts";
import type { Guard } from "./limits.ts";
import type { Notify } from "./notices.ts";
import type { Plan } from "./plan.ts";
import type { Reads } from "./reads.ts";
import type { KeyedHash, ShopKnown } from "./sheet-cells.ts";
import { openValueOwners } from "./value-owners.ts";

export interface Shop extends ProjectOptions {
  readonly transport: Transport;
  /** The shop's address. @throws Error that lists what is missing in the configuration */
  readonly url: string;
  /** A hash that only those can compute who can read the shop. */
  readonly keyedHash: KeyedHash;
  /** Compares this shop with the shop that the state names. */
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The name of the shop's time zone. */
  readonly zone: () => Promise<string>;
  /** How far the shop's clock is ahead, in milliseconds; undefined before the first response. */
  readonly skewMs: () => number | undefined;
  /** Rejects when the run is stopped. */
  readonly wait: (delayMs: number) => Promise<void>;
  readonly say: (line: string) => void;
  readonly sayInPreview: (line: string) => void;
  /** Tells the command that plans. */
  readonly notice: Notify;
  readonly guard: Guard | undefined;
  readonly plan: Plan;
  readonly memory: Memory;
  /** Notes of creates that no state has confirmed. */
  readonly notes: Notes;
  readonly reads: Reads;
}

/** The shop's mark in a state, as far as it is known without a request. */
export const markOfShop = ({ identity, url }: Shop): string => identity.known() ?? url;

/** A resource and the shop of its object, as notes have them. @param values its arguments or outputs */
export const ownerHere = (shop: Shop, values: Values): Pick<Note, "of" | "shop"> => ({
  of: ownerIn(values),
  shop: markOfShop(shop),
});

/** By what notes of sheets in this shop are recognised. */
export const shopKnown = (shop: Shop): ShopKnown => ({
  here: () => markOfShop(shop),
  hash: shop.keyedHash,
});

/** A shop with some members replaced, for one call. */
export const seenAs = (shop: Shop, otherwise: Partial<Shop>): Shop =>
  Object.create(shop, Object.getOwnPropertyDescriptors(otherwise)) as Shop;

/** What the run has learned so far; shared by all kinds. */
export type Memory = Readonly<ReturnType<typeof newMemory>>;

export const newMemory = () => ({
  owners: openOwnership(),
  /** Objects to be replaced, by resource: the create refuses if staff changed them. */
  replaced: new Map<
    string,
    { readonly id: string; readonly olds: Values; readonly verdict: Exclude<Diff, { type: "none" }> }
  >(),
  /** Lines of a preview by resource, held back until the engine says whether it previews. */
  heldLines: new Map<string, Set<string>>(),
  /** Whether this is a preview, as soon as a call of the engine has said so. */
  told: {} as { isPreview?: boolean },
  fromPlugin: new Set<string>(),
  /** Resources in the state: a create of one is a replacement. */
  inState: new Set<string>(),
  /** Objects that a refresh has read: until check is called, their diffs belong to the refresh. */
  refreshed: new Set<string>(),
  /** Objects that were read for an import, or for a `get`. */
  imported: new Set<string>(),
  /** URNs of objects that a refresh found deleted. The state on disk may still have them. */
  deleted: new Set<string>(),
  /** Objects that creates will adopt; `none` if there is none. */
  adoptions: new Map<string, Values | "none">(),
  /** Objects that were read for a write. */
  recentReads: new Map<string, { readonly seen: Values; readonly at: number; readonly mostAgeMs: number }>(),
  /** Reads in progress: two sheets that price one product share one. */
  readsInProgress: new Map<string, Promise<Values | undefined>>(),
  /** What the ends of sheets put back in a preview: by sheet, product, the variant's number, and column. */
  putBack: new Map<string, ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, unknown>>>>(),
  /** Changes that diffs have computed, by object. */
  changes: new Map<string, { readonly of: readonly [olds: Values, args: Values]; readonly change: Change }>(),
  /** Lines printed already: diff, update and delete would repeat them. */
  saidLines: new Set<string>(),
  /** Inline texts from the arguments in the state, which no output has. */
  texts: new Map<string, string>(),
  /** Resources by the unique natural key that they set, in program order. */
  keyClaims: new Map<string, Set<string>>(),
  claimedKeys: new Map<string, string | undefined>(),
  /** Creates checked so far, by kind: a preview may read one page for each. */
  createCounts: new Map<string, number>(),
  valueOwners: openValueOwners(),
  /** The keys by which sheets of prices find their rows, and whether one of the sheets is to come. */
  sheetKeys: new Map<string, boolean>(),
  /** The last create of each kind that the shop numbers. */
  queues: new Map<string, Promise<unknown>>(),
  /** How many adopted objects each other stack manages too. */
  sharedCounts: new Map<string, number>(),
});

/**
 * Which resource manages an object in this run. A plan never deletes an object that it still needs, and two resources
 * never manage one (docs/rules.md, rule 3). Objects are named by `objectKey`, resources by `resourceOf`.
 */
function openOwnership() {
  const makers = new Map<string, string>();
  const takers = new Map<string, string>();
  const keepers = new Map<string, string>();
  const leaving = new Set<string>();
  return {
    /** The resource that created or adopted it in this run, else the one that manages it. */
    owner: (key: string) => makers.get(key) ?? keepers.get(key),
    /** The resource that created or adopted it in this run. */
    maker: (key: string) => makers.get(key),
    /** The resource that adopted it in this run; another may have managed it before. */
    adopter: (key: string) => takers.get(key),
    /** The resource that manages it in the state and in the program. */
    manager: (key: string) => keepers.get(key),
    /** Whether it is to be replaced. */
    leaves: (key: string) => leaving.has(key),
    made: (key: string, resource: string) => void makers.set(key, resource),
    taken(key: string, resource: string) {
      makers.set(key, resource);
      takers.set(key, resource);
    },
    kept: (key: string, resource: string) => void keepers.set(key, resource),
    /** Marks it as to be replaced. */
    left(key: string) {
      keepers.delete(key);
      leaving.add(key);
    },
  };
}

export interface OfKind {
  readonly definition: Definition;
  readonly shop: Shop;
}

/** A resource of the program, which may have no object yet. */
export interface NewObject extends OfKind {
  readonly args: Values;
}

export interface ObjectRef extends OfKind {
  readonly id: string;
}

/** An object with the program's arguments. */
export interface AskedObject extends ObjectRef, NewObject {}

export interface StateObject extends ObjectRef {
  readonly olds: Values;
}

export interface Subject extends StateObject, AskedObject {}

/** The same with the object in the shop. */
export interface ReadSubject extends Subject {
  readonly seen: Values;
}

export const keyIn = ({ definition, id }: Pick<ObjectRef, "definition" | "id">): string =>
  objectKey(definition.kind, id);

export const resourceIn = ({ definition, args }: Pick<Subject, "definition" | "args">): string =>
  resourceOf(definition.kind, args);

/**
 * Whether a refresh asks for this diff, with the old arguments: it sends and replaces nothing, so there is nothing to
 * report or refuse.
 */
export const isOfRefresh = (subject: Subject): boolean =>
  subject.shop.memory.refreshed.has(keyIn(subject)) && !subject.shop.memory.inState.has(resourceIn(subject));

export type NamedObject = ObjectRef & Partial<Pick<Subject, "args">>;

/**
 * Whether the names contain this object, as `Kind:id` or by its resource. A renamed resource has its new name only in
 * its arguments.
 */
export const isNamed = (names: ReadonlySet<string>, object: NamedObject): boolean =>
  names.has(keyIn(object)) || names.has(nameIn(object.args ?? {}));

/** A command that reads the notice shows this with the resource. Everywhere else it is a line, printed once. */
export function sayOnce({ memory, say }: Shop, isRead: boolean, line: string): void {
  if (isRead || memory.saidLines.has(line)) return;
  memory.saidLines.add(line);
  say(line);
}
