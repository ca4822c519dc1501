/** serve: runs an embedded shop until it is interrupted. */

import { spawnSync } from "node:child_process";
import { InvalidControl, type ServedShop, type ServeOptions, serveShop } from "../../emulator/index.ts";
import { readFault, readJson, writeFault } from "../../engine/common/disk.ts";
import { isRecord } from "../../engine/common/record.ts";
import * as engine from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { isOnThisMachine, settingsEnv } from "../../provider/inventory/index.ts";
import { plural } from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { runOptions } from "../run-options.ts";

const options = {
  port: { type: "string", value: "N", text: "port (default: a free one)" },
  host: { type: "string", value: "ADDRESS", text: "address to listen on (default 127.0.0.1)" },
  stack: {
    ...stackOptions.stack,
    text: "write the shop's address and credentials into this stack's file",
  },
  create: runOptions.create,
  cwd: stackOptions.cwd,
  env: { type: "boolean", text: "print the address and credentials as export lines for a shell" },
  database: {
    type: "string",
    value: "FILE",
    text: "keep the shop and its credentials in an SQLite file",
  },
  fixture: { type: "string", value: "FILE", text: 'fill a new shop from a JSON file: {"kind": [objects]}' },
  limit: {
    type: "string",
    value: "MAX/SECONDS",
    text: 'the rate limit (default 500/300); "off" for none',
  },
  "limit-status": {
    type: "string",
    value: "N",
    choices: ["429", "503"],
    text: "HTTP status of a request over the limit: 429 (default) or 503",
  },
  fetch: {
    type: "string",
    value: "WHERE",
    choices: ["loopback", "public", "none"],
    text: "from where the shop may download the files that src names: loopback (this machine, default), public (also the internet), none",
  },
  strict: { type: "boolean", text: "disable everything that docs/interface.md doesn't document" },
  "application-id": {
    type: "string",
    value: "ID",
    text: "the application's identifier; it and the next two are generated if you leave them out",
  },
  token: { type: "string", value: "TOKEN", text: "the shop's token" },
  secret: { type: "string", value: "SECRET", text: "the application's secret" },
  help: stackOptions.help,
} as const;

export const serve = defineCommand({
  usage: "serve [options]",
  description:
    "Starts a shop on this machine. With --stack, connects that stack to the shop. Without a stack, prints the connection when the " +
    'shop is ready: as JSON {"url","control","applicationId","password","token","secret"}, or as export lines with --env.',
  example: "pulumi-shop serve --stack dev",
  options,
  run,
});

async function run(values: Parsed<typeof options>): Promise<number> {
  const settings = settingsOf(values);
  if (values.env && values.stack !== undefined) throw usageError("use either --env or --stack");
  const stack =
    values.stack === undefined
      ? undefined
      : openServedStack(values.cwd ?? process.cwd(), values.stack, values.create === true);
  let served: ServedShop;
  try {
    served = await serveShop(settings);
  } catch (error) {
    if (error instanceof InvalidControl) throw usageError(`--fixture ${values.fixture}: ${error.message}`);
    throw new CommandError(reasonOf(error as NodeJS.ErrnoException, settings), codes.failure);
  }
  // Registered before the shop's address is printed: whoever reads it may stop the shop at once.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  try {
    const { url, control, shop } = served;
    const account = String(shop.store.list("account")[0]?.id);
    if (stack !== undefined) {
      const kept = values.database !== undefined;
      const lines = await writeConnection(stack, { url, account, ...shop.credentials }, kept);
      process.stdout.write(`${lines.join("\n")}\n`);
    } else if (values.env) process.stdout.write(exportLines({ url, account, ...shop.credentials }));
    else process.stdout.write(`${JSON.stringify({ url, control, ...shop.credentials })}\n`);
    if (process.stdout.isTTY) process.stderr.write(`The shop is at ${url}/; Ctrl-C stops it.\n`);
    await stopped;
  } finally {
    await served.close();
  }
  return codes.success;
}

/** Lines for `eval` in a POSIX shell, with quotes escaped. */
function exportLines({ url, applicationId, password, account }: ServedConnection) {
  const line = (name: string, value: string) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`;
  return Object.entries(settingsEnv({ url, applicationId, password, account }))
    .map(([name, value]) => line(name, value))
    .join("");
}

function reasonOf(error: NodeJS.ErrnoException, { port, host, database }: ServeOptions): string {
  if (error.code === "EADDRINUSE")
    return `port ${port} is already in use; choose another with --port, or leave it out`;
  if (error.code === "EACCES" && error.syscall === "listen")
    return `port ${port} needs more rights than this user has; choose one above 1023`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return `can't listen on ${host}: ${error.message}`;
  if (database === undefined) return error.message;
  // A code of the system; SQLite's own messages are words.
  const why = error.syscall === undefined ? error.message : writeFault(error);
  return `can't open the database ${database}: ${why}`;
}

function settingsOf(values: Parsed<typeof options>): ServeOptions {
  return {
    ...(values.port !== undefined && { port: portOf(values.port) }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.database !== undefined && { database: values.database }),
    ...(values.fixture !== undefined && { fixture: fixtureOf(values.fixture) }),
    ...(values.limit !== undefined && { limit: limitOf(values.limit) }),
    ...(values["limit-status"] !== undefined && {
      limitStatus: values["limit-status"] === "429" ? 429 : 503,
    }),
    ...(values.fetch !== undefined && { fetch: values.fetch }),
    ...(values.strict && { strict: true }),
    ...(values["application-id"] !== undefined && { applicationId: values["application-id"] }),
    ...(values.token !== undefined && { token: values.token }),
    ...(values.secret !== undefined && { secret: values.secret }),
  };
}

function fixtureOf(file: string): NonNullable<ServeOptions["fixture"]> {
  const fixture = valuesIn(file);
  const isRows = (rows: unknown) => Array.isArray(rows) && rows.every(isRecord);
  if (isRecord(fixture) && Object.values(fixture).every(isRows))
    return fixture as NonNullable<ServeOptions["fixture"]>;
  throw usageError(`--fixture must be a JSON file {"kind": [objects]}, got ${file}`);
}

function valuesIn(file: string): unknown {
  try {
    return readJson(file);
  } catch (error) {
    throw usageError(`--fixture ${file} can't be read: ${readFault(error)}`);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw usageError(`--port must be an integer from 0 to 65535, got ${text}`);
}

function limitOf(text: string) {
  if (text === "off") return "off" as const;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match === null || Number(match[1]) === 0)
    throw usageError(`--limit must be MAX/SECONDS, such as 500/300, or off, got ${text}`);
  return { max: Number(match[1]), windowMs: Number(match[2]) * 1000 };
}

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
    `the stack ${name} belongs to ${url}, which serve would replace in ${engine.configFile(stack.project, name)}; name another stack, or run config remove shop:url --stack ${name} first`,
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
  const file = engine.configFile(stack.project, name);
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
    ...(hasPassphrase || !isCommittable(stack.project.stackFolder, file)
      ? []
      : [`${file} has its address and its password, unencrypted: add ${file} to .gitignore.`]),
    ...(managed > 0 && isOther
      ? [
          `The state of ${name} has ${plural(managed, "resource")} of an earlier shop: up --new-shop --stack ${name} creates everything in this one.`,
          ...(isKept ? [] : ["To keep a shop, use serve --database FILE."]),
        ]
      : []),
  ];
}
