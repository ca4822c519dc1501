/**
 * `npm run record`: runs the engine's scenarios with the real pulumi and records its steps (test/fixtures/engine). With
 * `--twice`, it records again and prints differing records; there must be none.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
if (spawnSync("pulumi", ["version"]).status !== 0) {
  process.stderr.write("npm run record needs pulumi on PATH: https://www.pulumi.com/docs/install\n");
  process.exit(1);
}
const folder = join(root, "test/fixtures/engine");
const recorded = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
const given = process.argv.slice(2);
const asked = given.filter((name) => name !== "--twice");
const names = asked.length > 0 ? asked : recorded;

/** Records all scenarios; one that fails keeps its former record. */
function record(): { readonly failed: boolean; readonly texts: readonly string[] } {
  const files = names.map((name) => `test/engine/${name}.test.ts`);
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PULUMI_SHOP_RECORD: "true" },
  });
  return {
    failed: status !== 0,
    texts: names.map((name) => readFileSync(join(folder, `${name}.json`), "utf8")),
  };
}

const passes = [record(), ...(given.includes("--twice") ? [record()] : [])];
const differing = names.filter((_name, index) => passes[0]?.texts[index] !== passes.at(-1)?.texts[index]);
for (const name of differing) process.stderr.write(`${name}: the second record differs from the first\n`);
process.exit(differing.length > 0 || passes.some(({ failed }) => failed) ? 1 : 0);
