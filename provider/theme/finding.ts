/** What is wrong with a file of a theme: where, what, and the way out. */

/** What kind of mistake it is, for machines and for tests. */
export type Rule =
  | "liquid-syntax"
  | "unknown-tag"
  | "unknown-filter"
  | "filter-arguments"
  | "unknown-object"
  | "unknown-message"
  | "not-text"
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
  /** An error is a page that fails or a file that the platform can't use; a warning is what shows wrongly, or not at all. */
  readonly severity: "error" | "warning";
  readonly path: string;
  /** From 1, as editors count. */
  readonly line: number;
  readonly column: number;
  /** The line itself; empty where there is none. */
  readonly source: string;
  readonly message: string;
  readonly fix: string;
  /** What isn't there, where that is the mistake. */
  readonly lacks?: { readonly type: string; readonly name: string };
}

/** A mistake in one line: what a preview says of it. */
export const findingText = ({ path, line, column, message, source, fix }: Finding): string =>
  `${path}:${line}:${column} ${message}${source === "" ? "" : ` (${source})`}; ${fix}`;

/** What a check finds at a place of a text. */
export interface Mistake extends Pick<Finding, "rule" | "severity" | "message" | "fix" | "lacks"> {
  /** Characters from the beginning. */
  readonly at: number;
}

const longest = 160;

/** A mistake as it is told: with line, column, and the line around it. */
export function findingOf(path: string, text: string, { at, ...mistake }: Mistake): Finding {
  const before = text.slice(0, at);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", start);
  const whole = text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
  const column = at - start + 1;
  // A line of a file that was made small is as long as the file.
  const from = whole.length > longest ? Math.max(0, column - longest / 2) : 0;
  return {
    ...mistake,
    path,
    line: before.split("\n").length,
    column,
    source: whole.slice(from, from + longest).trim(),
  };
}
