/** What a run sent to the shop: the provider and the program leave a line for each request in a file of ours. */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JournalLine, journalEnv, journalIn, journalLine } from "../../provider/inventory/index.ts";

export interface RequestUsage {
  /** Requests that went out. */
  readonly requests: number;
  /** Those of them that may have changed something in the shop: what it refused has not. Null where nothing was counted. */
  readonly writes: number | null;
  /** Requests that the shop's rate limit rejected. */
  readonly rejected: number;
  /** The window as the last answer had it; null where no answer named it. */
  readonly used: number | null;
  readonly limit: number | null;
}

export interface RequestCounter {
  /** What the children are given. */
  readonly env: Readonly<Record<string, string>>;
  /** What was spent since the counter was opened. */
  usage(): RequestUsage;
  close(): void;
}

/**
 * Opens a counter; a journal that the environment already names is used and kept. Where there is no place for one nothing
 * is counted.
 */
export function openRequestCounter(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): RequestCounter {
  const named = journalIn(env);
  const own = named === undefined ? temporaryFolder(say) : undefined;
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
    env: journalEnv(path),
    usage() {
      sum = lines().reduce(addRequest, sum);
      const { at: _at, ...usage } = sum;
      return usage;
    },
    close: () => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

function temporaryFolder(say: (line: string) => void): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), "pulumi-shop-"));
  } catch (error) {
    say(`requests are not counted: ${(error as Error).message}`);
    return undefined;
  }
}

/** What was spent, and when the answer came that named the window so. */
interface Totals extends RequestUsage {
  readonly at: number;
}

/** A line that was interrupted may be any request. */
const mayHaveChanged = ({ method, status }: JournalLine) =>
  method !== "GET" && !(status !== null && status >= 400 && status < 500);

function addRequest(so: Totals, line: JournalLine): Totals {
  const { status, used, limit, at, sent } = line;
  const sum = {
    ...so,
    requests: so.requests + 1,
    writes: (so.writes ?? 0) + (mayHaveChanged(line) ? 1 : 0),
    rejected: so.rejected + (status === 429 ? 1 : 0),
    limit: limit ?? so.limit,
  };
  if (used === null) return sum;
  // Answers of parallel requests come out of order, so that the larger count is the later one; but a request that was
  // sent after an answer was there, and counts less, is of a window that opened since.
  const isLater = so.used === null || used >= so.used || sent > so.at;
  return isLater ? { ...sum, used, at } : sum;
}

/** Lines that come to a file from now on; each call gives those that are new. */
function openTail(path: string): () => readonly JournalLine[] {
  let at = existsSync(path) ? statSync(path).size : 0;
  return () => {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size <= at) return [];
    const bytes = Buffer.alloc(size - at);
    const file = openSync(path, "r");
    const read = readSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
    // A line that is just being written is read with the next look.
    const end = bytes.subarray(0, read).lastIndexOf("\n") + 1;
    at += end;
    const text = bytes.toString("utf8", 0, end);
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map(journalLine);
  };
}

/** `API requests: 19 (2 rejected by the rate limit); the shop's rate limit: 41 of 500 used`. */
export function usageText({ requests, rejected, used, limit }: RequestUsage): string {
  const limited = rejected > 0 ? ` (${rejected} rejected by the rate limit)` : "";
  return `API requests: ${requests}${limited}${limit === null ? "" : `; the shop's rate limit: ${used} of ${limit} used`}`;
}
