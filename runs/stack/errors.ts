/** What keeps a run from beginning, or from being carried out: told apart by its code, not by its words. */

/**
 * Why: `option` a choice that means nothing, `setting` a line of the stack's file, `connection` of no complete one to a shop,
 * `shop` of a state whose objects are of another shop, `plan` a saved plan that can't be read, `stale` one that is not what would be done now, `refused` by the limits of the
 * stack, `failed` while it was planned.
 */
export type RunErrorCode =
  | "option"
  | "setting"
  | "connection"
  | "shop"
  | "plan"
  | "stale"
  | "refused"
  | "failed";

/** A run that doesn't begin; nothing was changed. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;
  constructor(code: RunErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
