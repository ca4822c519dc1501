/** A conflict as a value, for whoever plans. */

/** What is not done to an object because it was changed in the shop. */
export type RefusedStep = "update" | "replace" | "delete";

/**
 * An object that was changed in the shop and that the program means to change too, as it is told to whoever plans. It says
 * nothing secret, and nothing that acts on a terminal.
 */
export interface Conflict {
  readonly kind: string;
  readonly id: string;
  /** The resource's name in the program; empty where nobody said it. */
  readonly name: string;
  readonly withheld: RefusedStep;
  /** Whether it was deleted in the shop: fields are what the program changes of it. */
  readonly isGone?: true;
  /** Whether staff alone changed it, which a stack's word keeps (`shop:drift: stop`): the program asks what it last asked. */
  readonly isStaffs?: true;
  /** Whether all but these fields is done: each row of a sheet stands by itself. */
  readonly isRest?: true;
  readonly fields: readonly ConflictField[];
  /** What the shop goes on having: the object's arguments as it was read. */
  readonly live: Readonly<Record<string, unknown>>;
}

/** Whether the program adopts another object in the place of one that is gone. */
export const adoptsInstead = ({ fields }: Pick<Conflict, "fields">): boolean =>
  fields.some(({ path }) => path === "adopt");

/** Why what was done but for its conflicts is not as asked. */
export const partlyDoneText =
  "what somebody changed in the shop too stays as it is there; the rest was done, and the next run tries again";

/** One field of a conflict. A side that has nothing there is null; one that nobody knows is left out. */
export interface ConflictField {
  /** `discount`, `variants[MUG-R].price`, `content: colors.link`; of a secret list its name alone. */
  readonly path: string;
  /** After the last run. */
  readonly was?: unknown;
  /** In the shop now. */
  readonly is?: unknown;
  /** By the program; left out where the object is to go. */
  readonly asked?: unknown;
  /** What stands behind the numbers: `%`. A side without one is left out. */
  readonly units?: { readonly was?: string; readonly is?: string; readonly asked?: string };
}
