import { createRequire } from "node:module";

export function version(): string {
  const { version: own } = createRequire(import.meta.url)("pulumi-shop/package.json") as { version: string };
  return own;
}
