/** Counts the API requests of a run. The provider and the program write one line per request into a journal file. */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import { journalEnv, journalIn, type LogLine, parseLogLine } from "../../provider/inventory/index.ts";

export interface RequestUsage {
  readonly requests: number;
  /** Requests that may have changed the shop: all writes except rejected ones. Null if not all were counted. */
  readonly writes: number | null;
  /** Requests that the shop's rate limit rejected. */
  readonly rejected: number;
  /** The used part of the rate limit, as the last response said; null if no response said it. */
  readonly used: number | null;
  readonly limit: number | null;
}

export type RequestCounter = ReturnType<typeof openRequestCounter>;

/**
 * Opens a counter. A journal that the environment names is used and kept. Without a place for a journal, nothing
 * is counted.
 */
export function openRequestCounter(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
) {
  const named = journalIn(env);
  const own = named === undefined ? openFolder(say) : undefined;
  const path = named ?? (own === undefined ? undefined : join(own, "requests.jsonl"));
  const lines = path === undefined ? () => [] : openTail(path);
  let sum: Totals = {
    requests: 0,
    writes: path === undefined ? null : 0,
    rejected: 0,
    used: null,
    limit: null,
    at: 0,
  };
  return {
    /** Environment variables for the provider and the program. */
    env: journalEnv(path),
    /** The requests since the counter was opened. */
    usage() {
      sum = lines().reduce(addRequest, sum);
      const { at: _at, ...usage } = sum;
      return usage;
    },
    /** Says that a process ended which may have sent writes that it hasn't noted. */
    miss() {
      sum = { ...sum, writes: null };
    },
    close: () => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

function openFolder(say: (line: string) => void): string | undefined {
  try {
    return temporaryFolder("requests");
  } catch (error) {
    say(`requests are not counted: ${(error as Error).message}`);
    return undefined;
  }
}

/** The usage so far, and the time of the response that last said it. */
interface Totals extends RequestUsage {
  readonly at: number;
}

/** An interrupted request may have changed something. */
const mayHaveChanged = ({ method, status }: LogLine) =>
  method !== "GET" && !(status !== null && status >= 400 && status < 500);

function addRequest(so: Totals, line: LogLine): Totals {
  const { status, used, limit, at, sent } = line;
  const sum = {
    ...so,
    requests: so.requests + 1,
    writes: so.writes === null ? null : so.writes + (mayHaveChanged(line) ? 1 : 0),
    rejected: so.rejected + (status === 429 ? 1 : 0),
    limit: limit ?? so.limit,
  };
  if (used === null) return sum;
  // Responses to parallel requests arrive out of order, so the larger count is the newer one. A smaller count is
  // newer only if its request was sent after the other response: then a new window has begun.
  const isLater = so.used === null || used >= so.used || sent > so.at;
  return isLater ? { ...sum, used, at } : sum;
}

/** Returns a function that reads the lines added since its last call. */
function openTail(path: string): () => readonly LogLine[] {
  let at = existsSync(path) ? statSync(path).size : 0;
  return () => {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size <= at) return [];
    const bytes = Buffer.alloc(size - at);
    const file = openSync(path, "r");
    const read = readSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
    // The next call reads a line that is still being written.
    const end = bytes.subarray(0, read).lastIndexOf("\n") + 1;
    at += end;
    const text = bytes.toString("utf8", 0, end);
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map(parseLogLine);
  };
}

export function usageText({ requests, rejected, used, limit }: RequestUsage): string {
  const limited = rejected > 0 ? ` (${rejected} rejected by the rate limit)` : "";
  return `API requests: ${requests}${limited}${limit === null ? "" : `; the shop's rate limit: ${used} of ${limit} used`}`;
}
