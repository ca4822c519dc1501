/** Connects a stack to an embedded shop, for `serve --stack`. */

import { spawnSync } from "node:child_process";
import * as engine from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { isOnThisMachine } from "../../provider/inventory/index.ts";
import { usageError } from "../exit.ts";

/** Whether git would add a file. */
const isCommittable = (folder: string, path: string): boolean =>
  spawnSync("git", ["-C", folder, "check-ignore", "-q", path]).status === 1;

export interface ServedConnection {
  readonly url: string;
  readonly applicationId: string;
  readonly password: string;
  /** The account's id. A shop in memory gets a new one each time it starts. */
  readonly account: string;
}

/**
 * Opens the stack.
 * @param create whether it may be new
 * @throws CommandError if its configuration names a shop elsewhere, which would be lost
 */
export function openServedStack(folder: string, name: string, create: boolean): engine.Stack {
  const stack = engine.openStack({ folder, stack: name, env: process.env, create });
  const url = stack.config.get("shop:url");
  if (url === undefined || isOnThisMachine(url)) return stack;
  throw usageError(
    `the stack ${name} belongs to ${url}, which serve would replace in Pulumi.${name}.yaml; name another stack, or run config remove shop:url --stack ${name} first`,
  );
}

/**
 * Writes the shop's address and credentials into the stack's configuration. The password is encrypted if there
 * is a passphrase.
 * @returns lines for the user
 */
export async function writeConnection(
  stack: engine.Stack,
  served: ServedConnection,
  isKept: boolean,
): Promise<readonly string[]> {
  const { name, env } = stack;
  const hasPassphrase =
    env.PULUMI_CONFIG_PASSPHRASE !== undefined || env.PULUMI_CONFIG_PASSPHRASE_FILE !== undefined;
  const before = await engine.changeConfig(stack, (config) => {
    config.set("shop:url", served.url, false);
    config.set("shop:applicationId", served.applicationId, false);
    config.set("shop:password", served.password, hasPassphrase);
    const account = config.get("shop:account");
    config.set("shop:account", served.account, false);
    return account;
  });
  const managed = stack.exists
    ? engine.load(stack).resources.filter(({ type }) => !isPulumisOwn(type)).length
    : 0;
  // Earlier versions wrote no account, so a kept shop without one is the same shop.
  const isOther = before !== served.account && !(isKept && before === undefined);
  return [
    `A shop is at ${served.url}; open it in a browser. Ctrl-C stops it. In another terminal:`,
    `  npx pulumi-shop up --stack ${name}`,
    ...(hasPassphrase || !isCommittable(stack.project.stackFolder, `Pulumi.${name}.yaml`)
      ? []
      : [
          `Pulumi.${name}.yaml has its address and its password, unencrypted: add Pulumi.${name}.yaml to .gitignore.`,
        ]),
    ...(managed > 0 && isOther
      ? [
          `The state of ${name} has ${managed === 1 ? "1 resource" : `${managed} resources`} of an earlier shop: up --new-shop --stack ${name} creates everything in this one.`,
          ...(isKept ? [] : ["To keep a shop, use serve --database FILE."]),
        ]
      : []),
  ];
}
