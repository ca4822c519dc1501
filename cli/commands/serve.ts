import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type ServeOptions, serveShop } from "../../shop/index.ts";

const help = `Usage: pulumi-shop serve [options]

Starts an embedded shop and prints one line of JSON when it is ready:
{"url","control","applicationId","password","token","secret"}.

  --port N              port, a free one when left out
  --host ADDRESS        address to listen on, 127.0.0.1 when left out
  --database FILE       keep the shop in a file of SQLite (it keeps its credentials too)
  --fixture FILE        JSON {"kind": [objects]} for a new shop
  --limit MAX/SECONDS   requests in a window, 500/300 when left out; "off" counts nothing
  --limit-status N      status of a request beyond the limit: 429, or 503
  --fetch WHERE         where a src may be: loopback (this machine, when left out),
                        public (also the internet), none
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
  "limit-status": { type: "string" },
  fetch: { type: "string" },
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
  let served: Awaited<ReturnType<typeof serveShop>>;
  try {
    served = await serveShop(settings);
  } catch (error) {
    process.stderr.write(`pulumi-shop serve: ${reasonOf(error as NodeJS.ErrnoException, settings)}\n`);
    return 1;
  }
  const { url, control, shop } = served;
  process.stdout.write(`${JSON.stringify({ url, control, ...shop.credentials })}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await served.close();
  return 0;
}

function reasonOf(error: NodeJS.ErrnoException, { port, host, database }: ServeOptions): string {
  if (error.code === "EADDRINUSE")
    return `port ${port} is already in use; choose another with --port, or leave it out`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return `can't listen on ${host}: ${error.message}`;
  return database === undefined ? error.message : `can't open the database ${database}: ${error.message}`;
}

function settingsOf(argv: readonly string[]): ServeOptions | undefined {
  const { values } = parseArgs({ args: [...argv], options });
  if (values.help) return undefined;
  return {
    ...(values.port !== undefined && { port: portOf(values.port) }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.database !== undefined && { database: values.database }),
    ...(values.fixture !== undefined && { fixture: fixtureOf(values.fixture) }),
    ...(values.limit !== undefined && { limit: limitOf(values.limit) }),
    ...(values["limit-status"] !== undefined && { limitStatus: limitStatusOf(values["limit-status"]) }),
    ...(values.fetch !== undefined && { fetch: reachOf(values.fetch) }),
    ...(values.strict && { strict: true }),
    ...(values["application-id"] !== undefined && { applicationId: values["application-id"] }),
    ...(values.token !== undefined && { token: values.token }),
    ...(values.secret !== undefined && { secret: values.secret }),
  };
}

function fixtureOf(file: string): NonNullable<ServeOptions["fixture"]> {
  const fixture = JSON.parse(readFileSync(file, "utf8")) as unknown;
  const isHash = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isRows = (rows: unknown) => Array.isArray(rows) && rows.every(isHash);
  if (isHash(fixture) && Object.values(fixture as object).every(isRows))
    return fixture as NonNullable<ServeOptions["fixture"]>;
  throw new Error(`--fixture takes a file of JSON {"kind": [objects]}, ${file} is something else`);
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

function limitStatusOf(text: string) {
  if (text === "429") return 429;
  if (text === "503") return 503;
  throw new Error(`--limit-status takes 429 or 503, not ${text}`);
}

function reachOf(text: string) {
  if (text === "none" || text === "loopback" || text === "public") return text;
  throw new Error(`--fetch takes loopback, public or none, not ${text}`);
}
