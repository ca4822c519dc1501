/** Which shop, and as whom: argument before stack configuration before environment. */
import { accessToken } from "./token.ts";

/** All that a transport needs to know, resolved once. */
export interface Connection {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  readonly applicationId: string;
  /** The access token: 32 hex digits. */
  readonly password: string;
  /** How much of the window this program may use, in percent. */
  readonly capacityPercent: number;
  /** The longest wait for the shop's window, in milliseconds. */
  readonly maxWaitMs: number;
  /** Objects on a page of a list, 10 to 250; each list's own default when undefined. */
  readonly perPage: number | undefined;
  /** A file that gets a line for each request. */
  readonly journal: string | undefined;
}

/** What may be stated; names are those of the configuration's namespace `shop`. */
export interface Settings {
  readonly url?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  readonly secret?: string | undefined;
  readonly capacity?: string | number | undefined;
  readonly perPage?: string | number | undefined;
  /** Seconds, 0 to 86,400. */
  readonly maxWait?: string | number | undefined;
}

/** Where settings come from. */
export interface Sources {
  readonly settings?: Settings;
  /** The stack's configuration: `shop:url` and so on, secrets decrypted. */
  readonly config?: (key: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const variables = {
  url: "SHOP_URL",
  applicationId: "SHOP_APPLICATION_ID",
  password: "SHOP_PASSWORD",
  token: "SHOP_TOKEN",
  secret: "SHOP_SECRET",
  capacity: "SHOP_CAPACITY",
  perPage: "SHOP_PER_PAGE",
  maxWait: "SHOP_MAX_WAIT",
} as const;
type Name = keyof typeof variables;

// Twelve windows (platform-facts.md, section 3): a shop that wants more is broken, or means "not today".
const defaultMaxWait = 3_600;
// A day; a timer takes 24.8.
const longestMaxWait = 86_400;

/** The shop's address; empty where none is stated. */
export const addressOf = (sources: Sources): string => checkUrl(stated(sources, "url"), []);

function stated({ settings, config, env }: Sources, name: Name): string | undefined {
  const found = settings?.[name] ?? config?.(`shop:${name}`) ?? env[variables[name]];
  return found === undefined || found === "" ? undefined : String(found);
}

/**
 * Resolves the connection (design: Connection; interface.md, Authentication).
 * @throws Error that lists everything that is missing or wrong, without showing a secret
 */
export function resolveConnection(sources: Sources): Connection {
  const value = (name: Name) => stated(sources, name);
  const wrong: string[] = [];
  const url = checkUrl(value("url"), wrong);
  const applicationId = value("applicationId");
  if (applicationId === undefined) wrong.push(missing("applicationId", "the application's identifier"));
  else if (applicationId.includes(":"))
    wrong.push("shop:applicationId holds a colon, which HTTP Basic can't carry");
  const password = checkPassword(value("password"), value("token"), value("secret"), wrong);
  const capacityPercent =
    within(value("capacity"), 100, 1, 100, "shop:capacity is a percentage", wrong) ?? 100;
  const perPage = within(value("perPage"), undefined, 10, 250, "shop:perPage is a number of objects", wrong);
  const maxWait =
    within(
      value("maxWait"),
      defaultMaxWait,
      0,
      longestMaxWait,
      "shop:maxWait is a number of seconds",
      wrong,
    ) ?? defaultMaxWait;
  if (wrong.length > 0)
    throw new Error(
      `The connection to the shop is not complete:\n${wrong.map((line) => `  - ${line}`).join("\n")}`,
    );
  return {
    url,
    applicationId: applicationId as string,
    password,
    capacityPercent,
    maxWaitMs: maxWait * 1000,
    perPage,
    journal: sources.env.SHOP_JOURNAL,
  };
}

function missing(name: Name, what: string, secret = ""): string {
  return `${what} is missing: pulumi config set ${secret}shop:${name} ..., or set ${variables[name]}`;
}

function checkUrl(text: string | undefined, wrong: string[]): string {
  if (text === undefined) {
    wrong.push(missing("url", "the shop's address"));
    return "";
  }
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    wrong.push(`shop:url is no address of a shop: write https://shop.example.com`);
  else if (url.username !== "" || url.password !== "")
    wrong.push("shop:url holds credentials: move them to shop:applicationId and shop:password");
  else if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    wrong.push(`shop:url has more than a host: write ${url.origin}`);
  else if (url.protocol === "http:" && !isLoopback(url.hostname))
    wrong.push(`shop:url is plain http, which is for this machine only: write https://${url.host}`);
  return url?.origin ?? "";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function checkPassword(
  password: string | undefined,
  token: string | undefined,
  secret: string | undefined,
  wrong: string[],
): string {
  if (password === undefined) {
    if (token !== undefined && secret !== undefined) return accessToken(token, secret);
    if (token === undefined && secret === undefined)
      wrong.push(missing("password", "the access token", "--secret "));
    else
      wrong.push(
        `shop:${token === undefined ? "secret" : "token"} is set without shop:${token === undefined ? "token" : "secret"}: the access token is computed from both`,
      );
    return "";
  }
  if (/^[0-9a-f]{32}$/.test(password)) return password;
  wrong.push(
    `shop:password is not an access token: it has ${password.length} characters, and should be 32 lowercase hex digits`,
  );
  return "";
}

function within<T extends number | undefined>(
  text: string | undefined,
  fallback: T,
  least: number,
  most: number,
  what: string,
  wrong: string[],
): number | T {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  wrong.push(`${what} from ${least} to ${most}, not ${JSON.stringify(text)}`);
  return fallback;
}
