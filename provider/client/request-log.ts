/** The request log (`SHOP_JOURNAL`): a line for each request. The command counts them. */

import { diskFiles, type Files, writeAll } from "../../engine/common/disk.ts";
import { messageOf } from "../wire/text.ts";

export interface LogEntry {
  /** End of the request, in milliseconds since 1970. */
  readonly at: number;
  /** Start of the request, in milliseconds since 1970. */
  readonly sent: number;
  readonly pid: number;
  readonly method: string;
  readonly path: string;
  /** Null without a response. */
  readonly status: number | null;
  /** The rate limit in the response; null if it had none. */
  readonly used: number | null;
  readonly limit: number | null;
}

/**
 * Appends entries as lines of JSON; several processes may share the file. A line is one write; a partial write is completed.
 * @returns a function that throws if the line can't be written
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

export type LogLine = Pick<LogEntry, "at" | "sent" | "status" | "used" | "limit"> & {
  /** Null for an incomplete line. */
  readonly method: string | null;
};

/** Parses a line. An incomplete line (full disk) still counts as a request. */
export function parseLogLine(text: string): LogLine {
  let line: Partial<Record<keyof LogLine, unknown>> = {};
  try {
    line = JSON.parse(text) ?? {};
  } catch {
    // An incomplete line.
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
 * A log whose failure doesn't fail the request: it warns once and then stops logging.
 * @param say shows a line to the user
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
