/** What a program gave where something else must stand, as the reason of a failure says it. */

// What is longer is read in the program.
const longest = 40;

/** The reason with the value that was given. @param value hidden by whoever calls where it is a secret */
export function withGiven(reason: string, value: unknown): string {
  const shown = givenText(value);
  // What isn't of the kind "must be ..." says by itself what is there.
  return shown === undefined || !reason.startsWith("must be ") ? reason : `${reason}; got ${shown}`;
}

/** A reason, and the value that was given: many equal reasons are told once. */
export function withoutGiven(reason: string): { readonly reason: string; readonly given?: string } {
  const [, rest, given] =
    /^(must be [\s\S]*); got ("(?:[^"\\]|\\.)*"|-?[\w.+-]+|an? \w+)$/.exec(reason) ?? [];
  return rest === undefined || given === undefined ? { reason } : { reason: rest, given };
}

function givenText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > longest ? `${value.slice(0, longest - 1)}…` : value);
    case "number":
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    default:
      return undefined;
  }
}
