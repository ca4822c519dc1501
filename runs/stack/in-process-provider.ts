/** Our provider without a process of its own: in a thread of this one, where the program has this very package. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Parts } from "../../engine/index.ts";
import { handledKind } from "../../provider/names/types.ts";
import { isAsProcess, openThread } from "../../provider/threads.ts";

/** What a run of a shop's program is given in the place of processes. */
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

/** Whether the line that the program's resources carry finds this package, and no other version of it. */
function isThisPackage({ project }: Options): boolean {
  try {
    const found = createRequire(join(project.programFolder, "package.json")).resolve("pulumi-shop/provider");
    return realpathSync(found) === ownModule;
  } catch {
    // Not found: the host says so.
    return false;
  }
}
