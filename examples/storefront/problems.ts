import { RunError } from "@pulumi/pulumi";

const shown = 20;

/**
 * What is wrong with the inputs, a line each. Whatever reads an input adds to it and goes on; the values it gives
 * then are of no use, and nobody sees them: `refuse` comes before anything is made of them.
 */
export type Problems = string[];

/** Ends the run with all that is wrong, not with the first of it; does nothing where nothing is. */
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

/** A value as an error quotes it: on one line, and never long. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
