/** `npm run campaign`: `npm test` at full size, everything that test/campaign.ts keeps out of it included. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL("test.ts", import.meta.url)), ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, PULUMI_SHOP_CAMPAIGN: "full" } },
);
process.exit(status ?? 1);
