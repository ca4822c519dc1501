/** What was thrown, which may be anything. */

/** Why it was thrown, in its own words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a system or a library calls it (`ENOENT`). */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
