/** Where a setting of a stack may be stated. */
import type { Stack } from "../../engine/index.ts";

export const sourcesOf = ({ config, env }: Pick<Stack, "config" | "env">) => ({
  config: (key: string) => config.values[key],
  env,
});
