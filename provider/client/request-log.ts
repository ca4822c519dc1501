/** The log of requests: a line for each, for the person who runs us and for the command that counts them. */

import { diskFiles, type Files, writeAll } from "../../engine/pulumi/disk.ts";
import { messageOf } from "../wire/text.ts";

export interface LogEntry {
  /** When it was done with: milliseconds since 1970. */
  readonly at: number;
  /** When it was sent: milliseconds since 1970. */
  readonly sent: number;
  readonly pid: number;
  readonly method: string;
  readonly path: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The window as the answer had it; null where it said nothing. */
  readonly used: number | null;
  readonly limit: number | null;
}

/**
 * Writes each entry as a line of JSON; several processes may share the file. A line is one write; where the system
 * takes a part of it, the rest follows.
 * @returns a function that throws the system's error where the line can't be written whole
 */
export function fileLog(path: string, disk: Pick<Files, "open"> = diskFiles): (entry: LogEntry) => void {
  return (entry) => {
    const file = disk.open(path, "append");
    try {
      writeAll(file, Buffer.from(`${JSON.stringify(entry)}\n`), 0);
    } finally {
      file.close();
    }
  };
}

/** What a count of requests needs of an entry. */
export type LogLine = Pick<LogEntry, "at" | "sent" | "status" | "used" | "limit"> & {
  /** Null where the line was interrupted. */
  readonly method: string | null;
};

/** Reads a line of the log. One that a full disk cut, perhaps with the next one behind it, still stands for a request. */
export function parseLogLine(text: string): LogLine {
  let line: Partial<Record<keyof LogLine, unknown>> = {};
  try {
    line = JSON.parse(text) ?? {};
  } catch {
    // It was interrupted: all that it says is that there was one.
  }
  const number = (name: keyof LogLine) => (typeof line[name] === "number" ? line[name] : null);
  const at = number("at") ?? 0;
  return {
    at,
    sent: number("sent") ?? at,
    method: typeof line.method === "string" ? line.method : null,
    status: number("status"),
    used: number("used"),
    limit: number("limit"),
  };
}

/**
 * A log that never fails what it is about: its first failure is said, and then it is left.
 * @param say takes the line for the person who watches
 */
export function withoutThrowing(
  journal: ((entry: LogEntry) => void) | undefined,
  say: (line: string) => void,
): (entry: LogEntry) => void {
  let isOpen = journal !== undefined;
  return (entry) => {
    if (!isOpen) return;
    try {
      journal?.(entry);
    } catch (error) {
      isOpen = false;
      say(
        `the log of requests can't be written (${messageOf(error)}): requests go on without it, and the count of requests is incomplete`,
      );
    }
  };
}
