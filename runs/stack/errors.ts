/** Errors that stop a run before it changes anything. */

/**
 * `option`: invalid options. `setting`: an invalid setting in the stack's file. `connection`: an incomplete
 * connection. `shop`: the state belongs to another shop. `plan`: an unreadable plan file. `stale`: a saved plan
 * that differs from the current one. `refused`: beyond the stack's limits. `failed`: the preview failed.
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

/** A run that doesn't start; nothing was changed. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;
  constructor(code: RunErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
