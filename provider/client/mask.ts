/** The connection's own credentials, kept out of what is said: a shop may answer with the request that it was sent. */
import { hidden } from "../wire/text.ts";
import type { Connection } from "./connection.ts";
import { ShopError } from "./errors.ts";

type Mask = (text: string) => string;

// What is shorter may be a part of any text.
const shortest = 8;

/** Replaces each credential in a text, however it is spelt there. */
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

/** What a connection must not show: what it was stated with, and what travels (HTTP Basic, with and without its padding). */
export function secretsOf({ applicationId, password, secrets }: Connection): readonly string[] {
  const basic = Buffer.from(`${applicationId}:${password}`).toString("base64");
  const own = Buffer.from(password).toString("base64");
  return [...secrets, password, ...[basic, own].flatMap((one) => [one, one.replace(/=+$/, "")])];
}

/** An error without credentials: whatever a shop wrote leaves the client in one. */
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
