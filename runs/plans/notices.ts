/** What the provider tells of a plan beside Pulumi's protocol: it leaves a line for each notice in a file of ours. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Notice, readNotices, tell } from "../../provider/inventory/index.ts";

export interface NoticeFile {
  /** What the provider is given. */
  readonly env: Readonly<Record<string, string>>;
  read(): readonly Notice[];
  close(): void;
}

/** Opens a file for the notices of one plan. */
export function openNoticeFile(): NoticeFile {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-plan-"));
  const path = join(folder, "notices.jsonl");
  return {
    env: tell({ notices: path }),
    read: () => (existsSync(path) ? readNotices(readFileSync(path, "utf8")) : []),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
