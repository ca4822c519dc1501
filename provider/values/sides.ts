/** One field on its three sides; a side that has nothing there is undefined. */
export interface Sides {
  /** `discount`, or `variants[SKU].price`: an item is named by its key. */
  readonly path: string;
  /** What the state knew. */
  readonly was: unknown;
  /** What the shop has now. */
  readonly is: unknown;
  /** What the program asks; undefined where it no longer asks for the item. */
  readonly asked: unknown;
}

/** A field that the program changes. */
export interface Touched extends Sides {
  /** Whether the shop has what is asked already, so that nothing is sent for it. */
  readonly isDone: boolean;
}

/** How an object's sides are merged. */
export interface Merging {
  /** Where the arguments' files are. */
  readonly folder: string;
  /** Whether what staff changed, and a refresh has read, stays in the shop although the program asks as before. */
  readonly keeps?: boolean;
}

/** What is not done to an object because it was changed in the shop. */
export type Withheld = "update" | "replace" | "delete";

/**
 * An object that was changed in the shop and that the program means to change too, as it is told to whoever plans. It says
 * nothing secret, and nothing that acts on a terminal.
 */
export interface Conflict {
  readonly kind: string;
  readonly id: string;
  /** The resource's name in the program; empty where nobody said it. */
  readonly name: string;
  readonly withheld: Withheld;
  /** Whether it was deleted in the shop: fields are what the program changes of it. */
  readonly isGone?: true;
  readonly fields: readonly ConflictField[];
  /** What the shop goes on having: the object's arguments as it was read. */
  readonly live: Readonly<Record<string, unknown>>;
}

/** One field of a conflict. A side that has nothing there is null; one that nobody knows is left out. */
export interface ConflictField {
  /** `discount`, `variants[MUG-R].price`, `content: colors.link`; of a secret list its name alone. */
  readonly path: string;
  readonly was?: unknown;
  readonly is?: unknown;
  readonly asked?: unknown;
}
