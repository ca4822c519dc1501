/** What is asked of a house, and what a command comes to in it. */

import type { ShopRequest } from "../../../emulator/answers.ts";
import type { ShopSnapshot } from "../../../emulator/index.ts";
import type { Event, Result, Step } from "../../../engine/index.ts";
import type { Notice } from "../../../provider/run/notices.ts";
import type { Approved } from "../../../provider/run/plan.ts";
import type { Values } from "../../../provider/wire/codec.ts";
import type { CurrentPlan } from "../../../runs/plans/plan-differences.ts";
import type { Disk, Effect, Fault, Left } from "../../support/disk.ts";

/** One resource of a program. */
export interface Resource {
  readonly kind: string;
  readonly name: string;
  readonly args: Values;
  /** Names that it had. */
  readonly aliases?: readonly string[];
  /** The component it stands in. */
  readonly parent?: string;
  readonly ignoreChanges?: readonly string[];
  /** Arguments that the program marked as secret; of a list's item `variants[0].price`. */
  readonly secrets?: readonly string[];
}

/** What a run came to. */
export interface Ran {
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly events: readonly Event[];
  /** Steps that change something, in order: `update sale10`; refused and failed ones say so. */
  readonly steps: readonly string[];
  readonly said: readonly string[];
  /** What an engine told as a warning, where it knows such. */
  readonly warnings?: readonly string[];
  /** `METHOD path`, in order. */
  readonly requests: readonly string[];
  /** What the plan said that carrying it out costs; undefined of a run. */
  readonly requestsNeeded: number | undefined;
  /** Creates of earlier runs that were cut off and that a plan says are looked for. */
  readonly cutOffs: number;
  /** What a protected stack refuses of the plan; then nothing of it is done. */
  readonly guarded: readonly string[];
  readonly notices: readonly Notice[];
  readonly plan: readonly Step[];
  /** What a plan stands on, with the arguments of what stays as it is. */
  readonly current: CurrentPlan;
  /** What the process did to the world, numbered from 1 where `crash` was given. */
  readonly effects: readonly Effect[];
}

/** How a program's resources reach the provider: by the engine's host of dynamic providers, or by the plugin. */
export type Form = "dynamic" | "plugin";

export interface Options {
  /** Dynamic where left out. */
  readonly form?: Form;
  /** The stack's configuration beside the connection. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly refresh?: boolean;
  /** Ran before each request that reaches the shop; what it throws is the socket's error. */
  readonly onRequest?: (line: string, number: number) => void;
  /** The process ends as this says; requests are effects `send METHOD path` and `answer METHOD path`. */
  readonly crash?: { readonly plan: (effect: Effect) => Fault | undefined; readonly left?: Left };
  /** What the provider asks before each write, where the command says nothing of it. */
  readonly approved?: Approved;
  /** What a request waits for, once it was sent, before the shop takes it. */
  readonly held?: (line: string, number: number) => Promise<void> | undefined;
  /** Writes that are answered with 504 at once and done so many milliseconds later; undefined of all others. */
  readonly late?: (line: string) => number | undefined;
}

/** A house as it is at a moment, to continue from there more than once. */
export interface Moment {
  readonly shop: ShopSnapshot;
  readonly disk: Disk;
  readonly clock: { readonly offsetMs: number; readonly aheadMs: number };
  readonly late: readonly Late[];
}

/** What the shop does with the next write that states an element: answers as if it had never been stated, or refuses it. */
export interface Whim {
  readonly how: "ignores" | "refuses";
  readonly element: string;
}

/** A request whose effect is still to come. */
export interface Late {
  readonly at: number;
  readonly request: ShopRequest;
}

/** What came of a saved plan: why it was refused as a whole, or the run. */
export interface CarriedOut {
  readonly refused: readonly string[];
  readonly planned: Ran | undefined;
  readonly ran: Ran | undefined;
}
