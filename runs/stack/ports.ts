/** The processes and files that a run uses; tests replace them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Parts } from "../../engine/index.ts";
import {
  type Approved,
  type Message,
  type Notice,
  printApproved,
  readNotices,
} from "../../provider/inventory/index.ts";
import { parts } from "./in-process-provider.ts";

export interface Ports {
  readonly parts: Parts;
  /** The channel between a pass and the provider. */
  readonly channel: typeof withChannel;
  /** The provider module, for requests of the run itself. */
  readonly provider: () => Promise<
    Pick<typeof import("../../provider/index.ts"), "accountAt" | "interruptedCreates">
  >;
}

/** The processes and files of this machine. */
export const realPorts: Ports = {
  parts,
  channel: withChannel,
  // Loaded on demand, so that a run without changes starts quickly.
  provider: () => import("../../provider/index.ts"),
};

/**
 * Runs a pass and returns the provider's notices.
 * @param approved the changes that the provider may make; undefined if it may make all
 * @param work receives the files for the provider's message
 */
async function withChannel<T>(
  approved: Approved | undefined,
  work: (files: Required<Pick<Message, "approved" | "notices">>) => Promise<T>,
): Promise<readonly [T, readonly Notice[]]> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-run-"));
  const notices = join(folder, "notices.jsonl");
  const plan = approved === undefined ? undefined : join(folder, "approved.json");
  try {
    if (approved !== undefined && plan !== undefined)
      writeFileSync(plan, printApproved(approved), { mode: 0o600 });
    const result = await work({ notices, approved: plan });
    return [result, existsSync(notices) ? readNotices(readFileSync(notices, "utf8")) : []];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
