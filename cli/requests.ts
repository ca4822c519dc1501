/** What a run sent to the shop: the provider and the program leave a line for each request in a file of ours. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
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
  const from = existsSync(path) ? statSync(path).size : 0;
  return {
    env: { SHOP_JOURNAL: path },
    spent() {
      const text = existsSync(path) ? readFileSync(path).subarray(from).toString("utf8") : "";
      const lines = text.split("\n").filter((line) => line !== "");
      const entries = lines.map((line) => JSON.parse(line) as Line);
      const counted = entries.filter(({ used }) => used !== null);
      const last = counted.at(-1);
      return {
        requests: entries.length,
        rejected: entries.filter(({ status }) => status === 429).length,
        used: counted.reduce<number | null>((most, { used }) => Math.max(most ?? 0, used ?? 0), null),
        limit: last?.limit ?? null,
      };
    },
    close: () => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
