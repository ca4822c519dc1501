/** `npm run campaign`: `npm test` at full size, everything that test/support/campaign.ts keeps out of it included; or walks alone. */
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
