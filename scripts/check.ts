/** Format, lint, types and what is generated: everything that can be known without running the product. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { outputsSource } from "./generate.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(name: string, command: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  process.stdout.write(`${status === 0 ? "ok" : "FAILED"}  ${name}\n`);
  return status === 0;
}

/** Runs all checks. @returns how many passed and failed */
export function check(): { passed: number; failed: number } {
  const results = [
    run("format and lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]),
    run("types", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]),
  ];
  const normal = (text: string) => text.replace(/[\s,]+/g, "");
  const fresh = normal(readFileSync(`${root}/sdk/outputs.ts`, "utf8")) === normal(outputsSource());
  process.stdout.write(`${fresh ? "ok" : "FAILED"}  sdk/outputs.ts is what npm run generate writes\n`);
  results.push(fresh);
  return { passed: results.filter(Boolean).length, failed: results.filter((ok) => !ok).length };
}

if (import.meta.main) process.exit(check().failed === 0 ? 0 : 1);
