import { appendFileSync } from "node:fs";

/** One request that went out. */
export interface JournalEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly pid: number;
  readonly method: string;
  readonly path: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The window as the answer had it; null where it said nothing. */
  readonly used: number | null;
  readonly limit: number | null;
}

/** Writes each entry as a line of JSON; several processes may share the file, a line is appended whole. */
export function fileJournal(path: string): (entry: JournalEntry) => void {
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}
