import { createHash } from "node:crypto";

/**
 * The access token that the shop's applications authenticate with: md5 of the install token and the application's
 * secret, lowercase hex (interface.md, Authentication 2; platform-facts.md, section 1). The secret never travels.
 */
export function accessToken(token: string, secret: string): string {
  return createHash("md5")
    .update(token + secret)
    .digest("hex");
}
