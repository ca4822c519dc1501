import { RunError } from "@pulumi/pulumi";

const shown = 20;

/**
 * Mistakes in the inputs, one per line. A reader adds its mistakes and continues, so that one run lists all of them. Its values are
 * then unusable: call `refuse` before you create resources from them.
 */
export type Problems = string[];

/** Ends the run with the list of all mistakes. Does nothing if there are none. */
export function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const rest = problems.length - shown;
  throw new RunError(
    [
      `${what}:`,
      ...problems.slice(0, shown).map((problem) => `  ${problem}`),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ].join("\n"),
  );
}

/** A value for an error message: on one line, and shortened. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
