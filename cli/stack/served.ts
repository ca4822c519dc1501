/** A stack whose shop is an embedded one: `serve --stack` writes the connection into its configuration. */
import { spawnSync } from "node:child_process";
import * as engine from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { isOnThisMachine } from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../exit.ts";

/** Whether git would take a file that is there. */
const isCommittable = (folder: string, path: string): boolean =>
  spawnSync("git", ["-C", folder, "check-ignore", "-q", path]).status === 1;

export interface Served {
  readonly url: string;
  readonly applicationId: string;
  readonly password: string;
  /** The id of its account: a shop that is started again in memory has another one. */
  readonly account: string;
}

/**
 * Opens the stack.
 * @param create whether one that isn't there is a new one
 * @throws CommandError where its configuration names a shop that is not on this machine: it would be lost
 */
export function openServedStack(folder: string, name: string, create: boolean): engine.Stack {
  const stack = engine.openStack({ folder, stack: name, env: process.env, create });
  const url = stack.config.get("shop:url");
  if (url === undefined || isOnThisMachine(url)) return stack;
  throw new CommandError(
    `the stack ${name} belongs to ${url}, which serve would replace in Pulumi.${name}.yaml; name another stack, or run config remove shop:url --stack ${name} first`,
    codes.configuration,
  );
}

/**
 * Writes where the shop is. The access token is encrypted where there is a passphrase; without one it is readable, as
 * that of a shop on this machine may be.
 * @returns what the person is told
 */
export async function connectTo(
  stack: engine.Stack,
  served: Served,
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
  // A shop that is kept was served by a version that wrote no account: it is the same.
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
          ...(isKept ? [] : ["A shop that is kept: serve --database FILE."]),
        ]
      : []),
  ];
}
