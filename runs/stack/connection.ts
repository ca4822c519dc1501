/** Checks that a stack has a complete connection to a shop. */
import type { Stack } from "../../engine/index.ts";
import { ConnectionError, resolveConnection } from "../../provider/inventory/index.ts";
import { RunError } from "./errors.ts";

/** @throws RunError that lists each missing setting and how to set it */
export function checkConnection(stack: Stack): void {
  const { name } = stack;
  const howToSet = (key: string, isSecret: boolean) =>
    isSecret
      ? `npx pulumi-shop config set ${key} --secret --stack ${name} (asks for it)`
      : `npx pulumi-shop config set ${key} ${examples[key] ?? "..."} --stack ${name}`;
  try {
    resolveConnection({ ...settingSources(stack), howToSet });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const lines = error.wrong.map((line) => `\n  - ${line}`).join("");
    throw new RunError(
      "connection",
      `the stack ${name} has no complete connection to a shop:${lines}\n${localShopHint(name)}`,
      { cause: error },
    );
  }
}

const localShopHint = (name: string): string =>
  name === "dev"
    ? "Or start a shop on this machine: npx pulumi-shop serve --stack dev"
    : "Or try it in a shop on this machine: npx pulumi-shop serve --stack dev --create, then this command with --stack dev";

const examples: Readonly<Record<string, string>> = {
  "shop:url": "https://my-shop.example",
  "shop:applicationId": "my-app",
};

export const settingSources = ({ config, env }: Pick<Stack, "config" | "env">) => ({
  config: (key: string) => config.values[key],
  env,
});
