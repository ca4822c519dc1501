/**
 * Runs our provider in a thread of this process if the program uses this very package. This saves starting a
 * process.
 */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Parts } from "../../engine/index.ts";
import { handledKind } from "../../provider/names/types.ts";
import { isAsProcess, openThread } from "../../provider/threads.ts";

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
