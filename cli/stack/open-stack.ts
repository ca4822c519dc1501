/** Opens stacks and their shops for commands. */
import { openStack, type Stack } from "../../engine/index.ts";
import { defaultPorts } from "../../provider/client/index.ts";
import {
  type Connection,
  createTransport,
  type Env,
  resolveConnection,
  type Transport,
} from "../../provider/inventory/index.ts";
import { checkConnection } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";

/**
 * Opens the stack from the options, or the project's only one.
 * @throws CommandError if it has no state yet
 */
export function stackWithState(values: { readonly cwd?: string; readonly stack?: string }): Stack {
  const stack = openStack({ folder: values.cwd ?? process.cwd(), stack: values.stack, env: process.env });
  if (stack.exists) return stack;
  throw new CommandError(
    `the stack ${stack.name} has no state yet: run up to create it`,
    codes.stackNotFound,
  );
}

export interface Connected {
  readonly connection: Connection;
  readonly transport: Transport;
}

export type { Env };

/**
 * Connects to a shop.
 * @param stack its configuration overrides the environment; undefined if there is none
 * @param say prints a line while requests wait
 * @throws Error that lists the missing settings
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
