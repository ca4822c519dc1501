/** By what a run reaches the processes that it starts; the stack has the disk and the clock. */
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
  /** Carries what a stage and its provider say to each other. */
  readonly channel: typeof withChannel;
  /** The provider, where a run asks the shop by itself. */
  readonly provider: () => Promise<
    Pick<typeof import("../../provider/index.ts"), "accountAt" | "interruptedCreates">
  >;
}

/** Processes and files of this machine. */
export const realPorts: Ports = {
  parts,
  channel: withChannel,
  // Loaded where it is asked: a run without changes is there to be quick.
  provider: () => import("../../provider/index.ts"),
};

/**
 * Does a stage, and reads what the provider told of it.
 * @param approved what of a saved plan the provider asks before each write; undefined where none is carried out
 * @param work is given the files, for the message to the provider
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
