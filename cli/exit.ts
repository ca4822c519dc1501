/** Exit codes, the same as Pulumi's (sdk/go/common/util/cmdutil/exit.go). */
export const codes = {
  success: 0,
  /** A resource, the program or the connection failed. */
  failure: 1,
  /** An invalid option, or no terminal to confirm on. */
  configuration: 2,
  stackNotFound: 6,
  /** Changes despite --expect-no-changes, a stale plan, or a comparison with differences. */
  changes: 7,
  cancelled: 8,
  timeout: 9,
} as const;

/** An error with an exit code of its own. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** An error for invalid options or arguments. */
export const usageError = (text: string): CommandError => new CommandError(text, codes.configuration);
