/** A mistake in a theme's file: its place, a message and a fix. */

/** The rule, for machines. */
export type Rule =
  | "liquid-syntax"
  | "unknown-tag"
  | "unknown-filter"
  | "filter-arguments"
  | "unknown-object"
  | "unknown-message"
  | "not-text"
  | "byte-order-mark"
  | "unreadable"
  | "unmerged"
  | "missing-snippet"
  | "missing-file"
  | "json"
  | "settings"
  | "unknown-setting"
  | "layout-content"
  | "too-large"
  | "same-name"
  | "bad-name"
  | "page-fails"
  | "unknown-template"
  | "wrong-folder";

export interface Finding {
  readonly rule: Rule;
  /** An error makes a page fail or a file unusable; a warning makes something look wrong, or not appear. */
  readonly severity: "error" | "warning";
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The line's text; may be empty. */
  readonly source: string;
  readonly message: string;
  readonly fix: string;
  /** The missing file, if that is the mistake. */
  readonly lacks?: { readonly type: string; readonly name: string };
}

export const findingText = ({ path, line, column, message, source, fix }: Finding): string =>
  `${path}:${line}:${column} ${message}${source === "" ? "" : ` (${source})`}; ${fix}`;

/** A mistake at a position in a text. */
export interface Mistake extends Pick<Finding, "rule" | "severity" | "message" | "fix" | "lacks"> {
  /** Offset in characters. */
  readonly at: number;
}

const longest = 160;

/** Adds line and column to a mistake, and the line's text. */
export function findingOf(path: string, text: string, { at, ...mistake }: Mistake): Finding {
  const before = text.slice(0, at);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", start);
  const whole = text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
  const column = at - start + 1;
  // A line of a minified file may be as long as the file.
  const from = whole.length > longest ? Math.max(0, column - longest / 2) : 0;
  return {
    ...mistake,
    path,
    line: before.split("\n").length,
    column,
    source: whole.slice(from, from + longest).trim(),
  };
}
