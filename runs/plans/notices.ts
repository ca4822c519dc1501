/** What the provider tells of a stage beside Pulumi's protocol: it leaves a line for each notice in a file of ours. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Notice, readNotices, tell } from "../../provider/inventory/index.ts";

/**
 * Does a stage, and reads what the provider told of it.
 * @param work is given the environment that tells the provider where
 */
export async function noticed<T>(
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<readonly [T, readonly Notice[]]> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-plan-"));
  const path = join(folder, "notices.jsonl");
  try {
    const result = await work(tell({ notices: path }));
    return [result, existsSync(path) ? readNotices(readFileSync(path, "utf8")) : []];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
