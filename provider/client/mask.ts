/** Masks the connection's credentials: a shop's answer may repeat the request. */
import { hidden } from "../wire/text.ts";
import type { Connection } from "./connection.ts";
import { ShopError } from "./errors.ts";

type Mask = (text: string) => string;

// Shorter texts may be part of any text.
const shortest = 8;

/** Masks each credential in a text, in several spellings. */
export function maskOf(secrets: readonly string[]): Mask {
  const spellings = new Set(
    secrets
      .flatMap((secret) => [
        secret,
        secret.toUpperCase(),
        encodeURIComponent(secret),
        secret.replaceAll("/", "\\/"),
      ])
      .filter(({ length }) => length >= shortest),
  );
  const longestFirst = [...spellings].toSorted((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, hidden), text);
}

/** The credentials as they were configured, and as they are sent (HTTP Basic, with and without padding). */
export function secretsOf({ applicationId, password, secrets }: Connection): readonly string[] {
  const basic = Buffer.from(`${applicationId}:${password}`).toString("base64");
  const own = Buffer.from(password).toString("base64");
  return [...secrets, password, ...[basic, own].flatMap((one) => [one, one.replace(/=+$/, "")])];
}

/** Masks an error of the client. */
export function masked(error: unknown, mask: Mask): unknown {
  if (!(error instanceof ShopError)) return error;
  const { message, messages, stack = "", cause } = error;
  const said = [message, ...messages, stack, ...textsOf(cause)];
  if (said.every((text) => mask(text) === text)) return error;
  return Object.assign(error, {
    message: mask(message),
    messages: messages.map(mask),
    stack: mask(stack),
    cause: cause instanceof Error ? new Error(mask(cause.message)) : undefined,
  });
}

function textsOf(cause: unknown): readonly string[] {
  if (!(cause instanceof Error)) return [];
  const inner = "errors" in cause && Array.isArray(cause.errors) ? cause.errors : [];
  return [cause.message, cause.stack ?? "", ...[cause.cause, ...inner].flatMap(textsOf)];
}
