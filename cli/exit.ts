/** Exit codes, which are Pulumi's (sdk/go/common/util/cmdutil/exit.go). */
export const codes = {
  success: 0,
  /** Something failed: a resource, the program, the connection. */
  failure: 1,
  /** A wrong option, or a confirmation that nobody could give. */
  configuration: 2,
  stackNotFound: 6,
  /** --expect-no-changes, and there were some; --plan, and there were others; compare, and the sides differ. */
  changes: 7,
  cancelled: 8,
  timeout: 9,
} as const;

/** What ends a command with a code of its own. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** What ends a command whose words are wrong. */
export const wrong = (text: string): CommandError => new CommandError(text, codes.configuration);
