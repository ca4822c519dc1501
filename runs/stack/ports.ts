/** The processes and files that a run uses; tests replace them. */
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import type { Parts } from "../../engine/index.ts";
import {
  type Approved,
  type Message,
  type Notice,
  printApproved,
  readNotices,
} from "../../provider/inventory/index.ts";
import { handledKind } from "../../provider/names/types.ts";
import { isAsProcess, openThread } from "../../provider/threads.ts";

export interface Ports {
  readonly parts: Parts;
  readonly channel: typeof withChannel;
  /** The provider module, for requests of the run itself. */
  readonly provider: () => Promise<
    Pick<typeof import("../../provider/index.ts"), "accountAt" | "interruptedCreates" | "recoveredSheets">
  >;
}

/**
 * Runs our provider in a thread of this process if the program uses this very package. This saves starting a
 * process.
 */
export const parts: Parts = {
  pluginOf: (provider) => (handledKind(provider) === undefined ? undefined : "shop"),
  async openInProcessProvider(options) {
    const { config, env, print, project } = options;
    if (project.runtime.nodeargs.length > 0 || !isAsProcess(env) || !isThisPackage(options)) return undefined;
    const { ask, ...ends } = openThread({ config: config.values, env, folder: project.programFolder }, print);
    return {
      has: (provider) => handledKind(provider) !== undefined,
      ask: (provider, ...asked) => ask(handledKind(provider) ?? "", ...asked),
      ...ends,
    };
  },
};

type Options = Parameters<NonNullable<Parts["openInProcessProvider"]>>[0];

const ownModule = fileURLToPath(new URL("../../provider/index.js", import.meta.url));

/** Whether the program's `pulumi-shop/provider` is this package, in this version. */
function isThisPackage({ project }: Options): boolean {
  try {
    const found = createRequire(join(project.programFolder, "package.json")).resolve("pulumi-shop/provider");
    return realpathSync(found) === ownModule;
  } catch {
    // The provider host reports the missing package.
    return false;
  }
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
  const folder = temporaryFolder("run");
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
