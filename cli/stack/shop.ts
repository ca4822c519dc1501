/** The shop of a stack, or the one that the environment names: for commands that read it without a program. */
import { defaultPorts } from "../../provider/client/index.ts";
import {
  type Connection,
  createTransport,
  type Env,
  resolveConnection,
  type Transport,
} from "../../provider/inventory/index.ts";

export interface Connected {
  readonly connection: Connection;
  readonly transport: Transport;
}

export type { Env };

/**
 * Connects to a shop.
 * @param config the stack's configuration, which goes before the environment
 * @param say what the person is told while requests wait
 * @throws ConnectionError that lists what is missing
 */
export function connect(
  config: Readonly<Record<string, string>>,
  env: Env,
  say: (line: string) => void,
): Connected {
  const connection = resolveConnection({ config: (key) => config[key], env });
  return {
    connection,
    transport: createTransport(connection, defaultPorts(connection, { say, asksOnce: true })),
  };
}
