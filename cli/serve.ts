import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { serveShop } from "../shop/index.ts";

const help = `Usage: pulumi-shop serve [options]

Starts an embedded shop and prints one line of JSON when it is ready:
{"url","applicationId","password","token","secret"}.

  --port N              port, a free one when left out
  --host ADDRESS        address to listen on, 127.0.0.1 when left out
  --database FILE       keep the shop in a file of SQLite (it keeps its credentials too)
  --fixture FILE        JSON {"kind": [objects]} for a new shop
  --limit MAX/SECONDS   requests in a window, 500/300 when left out; "off" counts nothing
  --strict              leave out whatever interface.md does not show
  --application-id ID   --token TOKEN   --secret SECRET
                        credentials, made up when left out

Example:
  pulumi-shop serve --port 4000 --database shop.sqlite
`;

const options = {
  port: { type: "string" },
  host: { type: "string" },
  database: { type: "string" },
  fixture: { type: "string" },
  limit: { type: "string" },
  strict: { type: "boolean" },
  "application-id": { type: "string" },
  token: { type: "string" },
  secret: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** `pulumi-shop serve`: until it is interrupted. @returns the exit code */
export async function serve(argv: readonly string[]): Promise<number> {
  let settings: ReturnType<typeof settingsOf>;
  try {
    settings = settingsOf(argv);
  } catch (error) {
    process.stderr.write(`pulumi-shop serve: ${(error as Error).message}\nSee pulumi-shop serve --help\n`);
    return 2;
  }
  if (settings === undefined) {
    process.stdout.write(help);
    return 0;
  }
  const served = await serveShop(settings);
  process.stdout.write(`${JSON.stringify({ url: served.url, ...served.shop.credentials })}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await served.close();
  return 0;
}

function settingsOf(argv: readonly string[]) {
  const { values } = parseArgs({ args: [...argv], options });
  if (values.help) return undefined;
  return {
    ...(values.port !== undefined && { port: portOf(values.port) }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.database !== undefined && { database: values.database }),
    ...(values.fixture !== undefined && { fixture: JSON.parse(readFileSync(values.fixture, "utf8")) }),
    ...(values.limit !== undefined && { limit: limitOf(values.limit) }),
    ...(values.strict && { strict: true }),
    ...(values["application-id"] !== undefined && { applicationId: values["application-id"] }),
    ...(values.token !== undefined && { token: values.token }),
    ...(values.secret !== undefined && { secret: values.secret }),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Error(`--port takes a number from 0 to 65535, not ${text}`);
}

function limitOf(text: string) {
  if (text === "off") return "off" as const;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match === null || Number(match[1]) === 0)
    throw new Error(`--limit takes MAX/SECONDS, 500/300 for instance, or off, not ${text}`);
  return { max: Number(match[1]), windowMs: Number(match[2]) * 1000 };
}
