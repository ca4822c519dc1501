/**
 * Resolves the shop's address and credentials: from arguments, the stack's configuration, or the environment, in this order.
 */

import { hash } from "node:crypto";
import { agentIn, journalIn } from "../settings/protocol.ts";
import { integerOf, type SettingName, type Sources, settings, stated } from "../settings/settings.ts";
import { messageOf } from "../wire/text.ts";

export interface Connection {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  readonly applicationId: string;
  /** The access token: 32 hex digits. */
  readonly password: string;
  /** The credentials as they were configured. They are masked in all messages. */
  readonly secrets: readonly string[];
  /** The part of the rate limit that this program may use, in percent. */
  readonly capacityPercent: number;
  /** The longest wait for the rate limit, in milliseconds. */
  readonly maxWaitMs: number;
  /** Objects on a page of a list, 10 to 250; undefined uses each list's default. */
  readonly perPage: number | undefined;
  readonly journal: string | undefined;
  readonly agent?: string;
}

// Twelve rate-limit windows (platform-facts.md, section 3). A longer wait means a broken shop, or "not today".
export const defaultMaxWait = 3_600;

/** Missing or invalid settings. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** One line for each setting; without secrets. */
  readonly wrong: readonly string[];
  constructor(wrong: readonly string[]) {
    super(`the connection to the shop is not complete:\n${wrong.map((line) => `  - ${line}`).join("\n")}`);
    this.wrong = wrong;
  }
}

/** The reason why a value isn't valid for a key of the connection, whatever the other keys are; undefined if it is. */
export function connectionFault(key: string, text: string): string | undefined {
  try {
    resolveConnection({ config: (name) => (name === key ? text : undefined), env: {} });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return error.wrong.find((line) => line.startsWith(`${key} must`) || line.startsWith(`${key} has`));
  }
  return undefined;
}

export const addressOf = (sources: Sources): string => checkUrl(stated(sources, "url"), () => "", []);

/**
 * Resolves the connection (interface.md, Authentication).
 * @throws ConnectionError with all missing and invalid settings, without secrets
 */
export function resolveConnection(sources: Sources): Connection {
  const value = (name: SettingName) => stated(sources, name);
  const wrong: string[] = [];
  const howToSet = sources.howToSet ?? (sources.config && usualHowToSet);
  const missing = (name: SettingName, what: string, isSecret = false) => {
    const set = howToSet === undefined ? "set" : `${howToSet(`shop:${name}`, isSecret)}, or`;
    return `${what} is not set: ${set} ${settings[name].variable} in the environment`;
  };
  const url = checkUrl(value("url"), () => missing("url", "the shop's address"), wrong);
  const applicationId = value("applicationId");
  if (applicationId === undefined) wrong.push(missing("applicationId", "the application's identifier"));
  else if (applicationId.includes(":"))
    wrong.push("shop:applicationId must not contain a colon: HTTP Basic can't carry one");
  const given = { password: value("password"), token: value("token"), secret: value("secret") };
  const password = checkPassword(given, () => missing("password", "the application's password", true), wrong);
  const integer = (name: "capacity" | "perPage" | "maxWait") => {
    try {
      return integerOf(sources, name);
    } catch (error) {
      wrong.push(messageOf(error));
      return undefined;
    }
  };
  const capacityPercent = integer("capacity") ?? 100;
  const perPage = integer("perPage");
  const maxWait = integer("maxWait") ?? defaultMaxWait;
  if (wrong.length > 0 || applicationId === undefined) throw new ConnectionError(wrong);
  return {
    url,
    applicationId,
    password,
    secrets: (["password", "token", "secret"] as const).flatMap((name) => value(name) ?? []),
    capacityPercent,
    maxWaitMs: maxWait * 1000,
    perPage,
    journal: journalIn(sources.env),
    agent: agentIn(sources.env),
  };
}

const usualHowToSet = (key: string, isSecret: boolean) =>
  `pulumi config set ${isSecret ? "--secret " : ""}${key} ...`;

function checkUrl(text: string | undefined, missing: () => string, wrong: string[]): string {
  if (text === undefined) {
    wrong.push(missing());
    return "";
  }
  const { url, hasScheme } = urlIn(text);
  const isShort = url !== null && !/[.:]/.test(url.hostname) && !isLoopback(url.hostname);
  if (url === null || isShort || !/^https?:$/.test(url.protocol))
    wrong.push(
      `shop:url must be an address such as https://my-shop.example${text.includes("@") ? "" : `, got ${JSON.stringify(text)}`}`,
    );
  else if (url.username !== "" || url.password !== "")
    wrong.push("shop:url must not contain credentials: move them to shop:applicationId and shop:password");
  else if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    wrong.push(`shop:url must be the host only: ${url.origin}`);
  else if (!hasScheme && isLoopback(url.hostname))
    wrong.push(`shop:url has no scheme: write http://${url.host}, or https://${url.host}`);
  else if (url.protocol === "http:" && !isLoopback(url.hostname))
    wrong.push(`shop:url must be https, plain http is for this machine only: https://${url.host}`);
  return url?.origin ?? "";
}

function urlIn(text: string) {
  const hasScheme = text.includes("://");
  return { url: URL.parse(hasScheme ? text : `https://${text}`), hasScheme };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export const isOnThisMachine = (address: string): boolean => isLoopback(urlIn(address).url?.hostname ?? "");

function checkPassword(
  { password, token, secret }: Readonly<Record<"password" | "token" | "secret", string | undefined>>,
  missing: () => string,
  wrong: string[],
): string {
  if (password === undefined) {
    if (token !== undefined && secret !== undefined) return accessToken(token, secret);
    if (token === undefined && secret === undefined) wrong.push(missing());
    else
      wrong.push(
        `shop:${token === undefined ? "secret" : "token"} is set without shop:${token === undefined ? "token" : "secret"}: the access token is computed from both`,
      );
    return "";
  }
  if (hexDigits.test(password)) return password;
  // A YAML file without quotes makes a number of it, such as 1.2345678901234568e+31.
  const isNumber = /^(\d(\.\d+)?e\+\d+|infinity)$/i.test(password);
  const found = isNumber
    ? "got a number, which has lost digits: put it in quotes"
    : `got ${password.length} characters${slipIn(password)}`;
  wrong.push(
    `shop:password must be the application's password from the back office, 32 lowercase hex digits; ${found}`,
  );
  return "";
}

const hexDigits = /^[0-9a-f]{32}$/;

/** What a copy has changed. The password itself isn't shown. */
function slipIn(password: string): string {
  if (hexDigits.test(password.toLowerCase())) return ", some in capital letters";
  return hexDigits.test(password.trim()) ? ", with a blank or a line break before or after it" : "";
}

/**
 * The access token: MD5 of the install token and the application's secret, lowercase hex (interface.md, Authentication 2;
 * platform-facts.md, section 1). The secret is never sent.
 */
export function accessToken(token: string, secret: string): string {
  return hash("md5", token + secret);
}
