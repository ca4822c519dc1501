/** What the verbs stand on: the door to the shop, and what belongs to the run and to the plan that it carries out. */

import type { Transport } from "../client/transport.ts";
import { ownerIn, readOwner } from "../names/owner.ts";
import type { EngineRun } from "../settings/protocol.ts";
import type { Change } from "../values/change.ts";
import type { ProjectOptions } from "../values/check.ts";
import type { Diff } from "../values/diff.ts";
import type { Digest } from "../values/planned-fields.ts";
import type { Values } from "../wire/codec.ts";
import type { Approved } from "./approved.ts";
import type { Identity } from "./identity.ts";
import type { Guard } from "./limits.ts";
import type { Notes } from "./notes.ts";
import type { Notify } from "./notices.ts";
import { type Ownership, openOwnership } from "./ownership.ts";
import type { Reads } from "./reads.ts";
import { openStatedValues, type StatedValues } from "./stated-values.ts";

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

/** How the run is meant. */
export interface Plan extends Pick<EngineRun, "isPreview" | "isEmbedded"> {
  /** Whether only the arguments are wanted, as a comparison reads a program: nothing is looked for in the shop. */
  readonly onlyArguments: boolean;
  /** Whether a diff tells what becomes of a text, line by line. */
  readonly showsTexts: boolean;
  /** Whether what staff changed may be overwritten, for all objects. */
  readonly overwrites: boolean;
  /** What may be overwritten: objects as `Kind:id`, and names of resources. */
  readonly overwritten: ReadonlySet<string>;
  /** Whether what staff changed and a refresh has read stays in the shop where the program asks as before, for all objects. */
  readonly keeps: boolean;
  /** Whether the program may not put it back unless a person says so, as of a conflict. */
  readonly stops: boolean;
  /** Objects of which it stays, as `Kind:id`, and kinds. */
  readonly kept: ReadonlySet<string>;
  /** Names of resources whose create may be sent again although the first may have happened. */
  readonly resent: ReadonlySet<string>;
  /** Names of resources that are replaced: what has their key is what they replace. */
  readonly replaced: ReadonlySet<string>;
  /** Milliseconds to look for a create whose answer was lost before it is sent again. */
  readonly patienceMs: number;
  /** The moment of the run, where whoever started it says one: what is asked for a time is asked by it. */
  readonly at?: string | undefined;
  /** Makes what is secret in a plan comparable; undefined where nobody plans. */
  readonly seal?: Digest | undefined;
  /** The plan that is carried out. */
  readonly approved?: Approved | undefined;
  /** Whether that plan is the run's own preview, and no saved one. */
  readonly isOwnPlan?: true | undefined;
}

/** A shop of which a call sees some things otherwise. */
export const seenAs = (shop: Shop, otherwise: Partial<Shop>): Shop =>
  Object.create(shop, Object.getOwnPropertyDescriptors(otherwise)) as Shop;

/** What this process has learned of the plan it carries out; one for all kinds. */
export interface Memory {
  /** Whose the objects are. */
  readonly owners: Ownership;
  /** Objects that make room, by the resource whose create takes their place and refuses it where staff changed them. */
  readonly room: Map<
    string,
    { readonly id: string; readonly olds: Values; readonly verdict: Exclude<Diff, { type: "none" }> }
  >;
  /** What a preview says of resources' creates, where it isn't known yet whether this is one. */
  readonly announced: Map<string, readonly string[]>;
  /** Resources that are dynamic ones now, and the plugin's in the state. */
  readonly plugins: Set<string>;
  /** Resources that were imported: no run has stated anything of them. */
  readonly imported: Set<string>;
  /** Resources that had a state: what is created for them takes an object's place. */
  readonly known: Set<string>;
  /** Objects that were read for the state: until its resource is checked, a diff of one is the refresh's. */
  readonly refreshed: Set<string>;
  /** URNs whose objects a refresh of this run found gone: the state on the disk may still have them. */
  readonly gone: Set<string>;
  /** Objects that creates will take over, as they were read; `none` where it was seen that there is none. */
  readonly found: Map<string, Values | "none">;
  /** Objects as they were read before they are changed. */
  readonly looks: Map<string, { readonly seen: Values; readonly at: number; readonly mostAgeMs: number }>;
  /** Looks of sheets that are under way: two that price one product share one. */
  readonly looking: Map<string, Promise<Values | undefined>>;
  /** Changes as the engine was told of them, by what they are of. */
  readonly decided: Map<
    string,
    { readonly of: readonly [olds: Values, args: Values]; readonly change: Change }
  >;
  /** Lines that say what becomes of an object: its diff, its change and its delete would each say them. */
  readonly told: Set<string>;
  /** Inline texts as the state's arguments have them: one side of a conflict, which no output holds. */
  readonly texts: Map<string, string>;
  /** Resources of the program that ask for a natural key which only one object can have, in their order. */
  readonly askers: Map<string, Set<string>>;
  /** The key that a resource asks for. */
  readonly keys: Map<string, string | undefined>;
  /** Creates that were checked, by kind: what a preview may spend in pages to look for equal objects. */
  readonly creates: Map<string, number>;
  /** Values that resources of the program state. */
  readonly statedValues: StatedValues;
  /** The last create that was asked for of each kind that the shop numbers; it settles when the create has ended. */
  readonly turns: Map<string, Promise<unknown>>;
  /** How many objects another stack has too, by that stack. */
  readonly shared: Map<string, number>;
}

export const newMemory = (): Memory => ({
  owners: openOwnership(),
  told: new Set(),
  plugins: new Set(),
  announced: new Map(),
  room: new Map(),
  imported: new Set(),
  known: new Set(),
  refreshed: new Set(),
  gone: new Set(),
  found: new Map(),
  looks: new Map(),
  looking: new Map(),
  decided: new Map(),
  texts: new Map(),
  askers: new Map(),
  keys: new Map(),
  creates: new Map(),
  turns: new Map(),
  shared: new Map(),
  statedValues: openStatedValues(),
});

/** How an object is named among those of all kinds: `Coupon:8841`. */
export const objectKey = (kind: string, id: string): string => `${kind}:${id}`;

/** Which resource arguments are of: its kind and URN; without the SDK's word of it nothing tells two apart. */
export const resourceOf = (kind: string, args: Values): string => `${kind} ${ownerIn(args)}`;

/** The resource's name, as a program writes it. */
export const nameIn = (args: Values): string => readOwner(ownerIn(args)).name ?? "";

/** What a message calls a resource: its name, or its kind where nobody has named it. */
export const calledIn = ({ kind }: { readonly kind: string }, args: Values): string => nameIn(args) || kind;

/** The name in what `resourceOf` says of a resource. */
export const nameOf = (resource: string): string => {
  const of = resource.slice(resource.indexOf(" ") + 1);
  return readOwner(of).name ?? of;
};
