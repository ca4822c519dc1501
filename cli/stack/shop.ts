/** The shop of a stack, or the one that the environment names: for commands that read it without a program. */

import type { Stack } from "../../engine/index.ts";
import { defaultPorts } from "../../provider/client/index.ts";
import {
  type Connection,
  createTransport,
  type Env,
  resolveConnection,
  type Transport,
} from "../../provider/inventory/index.ts";

import { checkConnection } from "../../runs/command.ts";

export interface Connected {
  readonly connection: Connection;
  readonly transport: Transport;
}

export type { Env };

/**
 * Connects to a shop.
 * @param stack whose configuration goes before the environment; undefined where there is none
 * @param say what the person is told while requests wait
 * @throws Error that lists what is missing, and what sets it
 */
export function connect(stack: Stack | undefined, env: Env, say: (line: string) => void): Connected {
  if (stack !== undefined) checkConnection(stack);
  const connection = resolveConnection({
    ...(stack !== undefined && { config: (key) => stack.config.values[key] }),
    env,
  });
  return {
    connection,
    transport: createTransport(connection, defaultPorts(connection, { say, asksOnce: true })),
  };
}
