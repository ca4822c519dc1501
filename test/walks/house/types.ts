/** Options and results of a house's commands. */

import type { ShopRequest } from "../../../emulator/answers.ts";
import type { createShop, ShopSnapshot } from "../../../emulator/index.ts";
import type { Event, Result, Step } from "../../../engine/index.ts";
import type { Notice } from "../../../provider/context/notices.ts";
import type { Approved } from "../../../provider/context/plan.ts";
import type { Values } from "../../../provider/wire/codec.ts";
import type { CurrentPlan } from "../../../runs/plans/plan-differences.ts";
import type { Disk, Effect, Fault, Left } from "../../support/disk.ts";

type Shop = ReturnType<typeof createShop>;

/** One resource of a program. */
export interface Resource {
  readonly kind: string;
  readonly name: string;
  readonly args: Values;
  /** Its aliases. */
  readonly aliases?: readonly string[];
  /** Its parent component. */
  readonly parent?: string;
  readonly ignoreChanges?: readonly string[];
  /** A delete or a replacement leaves its object. */
  readonly retainOnDelete?: true;
  /** Pulumi deletes it only after somebody took this back. */
  readonly protect?: true;
  /** An argument that ends with the id of an earlier resource of the program: unknown before that has one. */
  readonly refers?: { readonly argument: string; readonly to: string };
  /** Secret arguments; for a list item `variants[0].price`. */
  readonly secrets?: readonly string[];
  /** Its shop, if it isn't the stack's: a provider of the program has its address. Only plugin resources have one. */
  readonly shop?: "other";
}

/** The result of a run. */
export interface Ran {
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly events: readonly Event[];
  /** Steps that change something, in order: `update sale10`; refused and failed ones are marked. */
  readonly steps: readonly string[];
  readonly said: readonly string[];
  /** Warnings of the engine, if it has any. */
  readonly warnings?: readonly string[];
  /** `METHOD path`, in order. */
  readonly requests: readonly string[];
  /** The estimated requests of a plan; undefined for a run. */
  readonly requestsNeeded: number | undefined;
  /** The interrupted creates that a plan says the run searches for. */
  readonly cutOffs: number;
  /** Steps that a protected stack refuses; nothing is applied then. */
  readonly guarded: readonly string[];
  readonly notices: readonly Notice[];
  readonly plan: readonly Step[];
  /** The plan with the arguments of unchanged resources. */
  readonly current: CurrentPlan;
  /** The effects of the process, numbered from 1 if `crash` was given. */
  readonly effects: readonly Effect[];
}

/** The form of the resources: dynamic, or the plugin's. */
export type Form = "dynamic" | "plugin";

export interface Options {
  /** Default dynamic. */
  readonly form?: Form;
  /** Configuration beside the connection. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The wrong argument of the other shop's provider: a wrong password, or the address of the stack's own shop. */
  readonly wrong?: "password" | "url" | undefined;
  /** Whether the program makes that provider even if no resource uses it. */
  readonly hasProvider?: boolean;
  readonly refresh?: boolean;
  /** The only resources that the run handles, those that it leaves out, or those that it replaces. */
  readonly select?: { readonly by: "target" | "exclude" | "replace"; readonly names: readonly string[] };
  /** Called before each request; its error is the socket's error. */
  readonly onRequest?: (line: string, number: number) => void;
  /** When the process ends; requests are effects `send METHOD path` and `answer METHOD path`. */
  readonly crash?: { readonly plan: (effect: Effect) => Fault | undefined; readonly left?: Left };
  /** The approved changes, unless the command says them. */
  readonly approved?: Approved;
  /** Awaited after a request is sent, before the shop handles it. */
  readonly held?: (line: string, number: number) => Promise<void> | undefined;
  /** Writes that get 504 at once and are carried out so many milliseconds later; undefined for all others. */
  readonly late?: (line: string) => number | undefined;
  /** How far the `Date` header is ahead of the clock that dates objects, as behind a proxy. */
  readonly dateAheadMs?: number;
}

/** A copy of a house, to continue from it more than once. */
export interface Moment {
  readonly shop: ShopSnapshot;
  readonly other: ShopSnapshot | undefined;
  readonly disk: Disk;
  readonly clock: { readonly offsetMs: number; readonly aheadMs: number };
  readonly late: readonly Late[];
}

/** A shop with its address and credentials. */
export interface Place {
  readonly shop: Shop;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The fault of the next write with an element: the shop ignores it, or rejects it. */
export interface Whim {
  readonly how: "ignores" | "refuses";
  readonly element: string;
}

/** A request whose effect is still to come. */
export interface Late {
  readonly at: number;
  readonly request: ShopRequest;
  readonly place: Place;
}

/** The result of a saved plan: the reasons why it was refused, or the run. */
export interface CarriedOut {
  readonly refused: readonly string[];
  readonly planned: Ran | undefined;
  readonly ran: Ran | undefined;
}
