/** What a run sent to the shop: the provider and the program leave a line for each request in a file of ours. */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Line {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly used: number | null;
  readonly limit: number | null;
}

export interface Spent {
  /** Requests that went out. */
  readonly requests: number;
  /** Requests that the shop's limit turned away. */
  readonly rejected: number;
  /** The window as the last answer had it; null where no answer named it. */
  readonly used: number | null;
  readonly limit: number | null;
}

export interface Meter {
  /** What the children are given. */
  readonly env: Readonly<Record<string, string>>;
  /** What was spent since the meter was opened. */
  spent(): Spent;
  close(): void;
}

/** Opens a meter; a journal that the environment already names is used and kept. */
export function openMeter(env: Readonly<Record<string, string | undefined>>): Meter {
  const own = env.SHOP_JOURNAL === undefined ? mkdtempSync(join(tmpdir(), "pulumi-shop-")) : undefined;
  const path = env.SHOP_JOURNAL ?? join(own as string, "requests.jsonl");
  const lines = openLines(path);
  let spent: Spent = { requests: 0, rejected: 0, used: null, limit: null };
  return {
    env: { SHOP_JOURNAL: path },
    spent() {
      spent = lines().reduce(counted, spent);
      return spent;
    },
    close: () => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

const counted = (so: Spent, { status, used, limit }: Line): Spent => ({
  requests: so.requests + 1,
  rejected: so.rejected + (status === 429 ? 1 : 0),
  used: used === null ? so.used : Math.max(so.used ?? 0, used),
  limit: limit ?? so.limit,
});

/** Lines that come to a file from now on; each call gives those that are new. */
function openLines(path: string): () => readonly Line[] {
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
      .map((line) => JSON.parse(line) as Line);
  };
}

/** `Requests: 19, window 41/500, 2 rejected`. */
export function spentText({ requests, rejected, used, limit }: Spent): string {
  const window = limit === null ? "" : `, window ${used}/${limit}`;
  return `Requests: ${requests}${window}${rejected > 0 ? `, ${rejected} rejected` : ""}`;
}
