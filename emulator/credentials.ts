/** Authenticates requests (interface.md, Authentication; platform-facts.md, section 1). */
import { hash } from "node:crypto";
import { equal } from "./access.ts";
import type { Credentials, ShopOptions } from "./shop-state.ts";
import type { Store } from "./store.ts";

/** 32 random hexadecimal digits. */
export const hex = (random: () => number) =>
  Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");

/** The credentials from the options, the database, or new ones; stored in the database. */
export function keepCredentials(options: ShopOptions, store: Store): Credentials {
  const fact = (name: "applicationId" | "token" | "secret", fallback: string) => {
    const value = options[name] ?? store.fact(name) ?? fallback;
    store.setFact(name, value);
    return value;
  };
  const token = fact("token", hex(options.random));
  const secret = fact("secret", hex(options.random));
  return {
    applicationId: fact("applicationId", "pulumi-shop"),
    token,
    secret,
    password: hash("md5", token + secret),
  };
}

/** Whether the header is HTTP Basic with these credentials; the scheme's case doesn't matter (RFC 9110, 11.1). */
export function authorized({ applicationId, password }: Credentials, header = ""): boolean {
  const given = /^basic +(\S+)\s*$/i.exec(header)?.[1] ?? "";
  return equal(
    given.replace(/=+$/, ""),
    Buffer.from(`${applicationId}:${password}`).toString("base64").replace(/=+$/, ""),
  );
}
