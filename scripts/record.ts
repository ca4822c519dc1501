/** `npm run record`: runs the engine's scenarios with the real pulumi and writes down what it did (test/fixtures/engine). */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
if (spawnSync("pulumi", ["version"]).status !== 0) {
  process.stderr.write("npm run record needs pulumi on PATH: https://www.pulumi.com/docs/install\n");
  process.exit(1);
}
const recorded = readdirSync(join(root, "test/fixtures/engine")).map((name) => name.replace(/\.json$/, ""));
const asked = process.argv.slice(2);
const files = (asked.length > 0 ? asked : recorded).map((name) => `test/engine/${name}.test.ts`);
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PULUMI_SHOP_RECORD: "true" },
});
process.exit(status ?? 1);
