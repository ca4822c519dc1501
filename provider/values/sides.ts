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
