/** The shop of a stack, or the one that the environment names: for commands that read it without a program. */
import type { Stack } from "../../engine/index.ts";
import { defaultPorts } from "../../provider/client/index.ts";
import {
  type Connection,
  ConnectionError,
  createTransport,
  resolveConnection,
  type Transport,
} from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../exit.ts";

export interface Connected {
  readonly connection: Connection;
  readonly transport: Transport;
}

/** Variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

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
  return { connection, transport: createTransport(connection, defaultPorts(connection, { say })) };
}

/**
 * Checks that a stack says which shop it is, before its program runs.
 * @throws CommandError with what sets each that is missing
 */
export function checkConnection({ name, config, env }: Stack): void {
  const howToSet = (key: string, isSecret: boolean) =>
    isSecret
      ? `npx pulumi-shop config set ${key} --secret --stack ${name} < token.txt`
      : `npx pulumi-shop config set ${key} ${examples[key] ?? "..."} --stack ${name}`;
  try {
    resolveConnection({ config: (key) => config.values[key], env, howToSet });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const lines = error.wrong.map((line) => `\n  - ${line}`).join("");
    throw new CommandError(
      `the stack ${name} has no complete connection to a shop:${lines}\nWithout a shop of your own: npx pulumi-shop serve --stack ${name}`,
      codes.failure,
    );
  }
}

const examples: Readonly<Record<string, string>> = {
  "shop:url": "https://my-shop.example",
  "shop:applicationId": "my-app",
};
