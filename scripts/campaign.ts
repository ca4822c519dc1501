/**
 * `npm run campaign`: all tests at full size, including those that test/support/campaign.ts leaves out of `npm test`;
 * or only walks.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const isOfWalks = args.includes("--walks") || args.includes("--trace");
const script = isOfWalks ? "walks.ts" : "test.ts";
const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
  stdio: "inherit",
  env: { ...process.env, PULUMI_SHOP_CAMPAIGN: "full" },
});
process.exit(status ?? 1);
