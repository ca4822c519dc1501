/** Format, lint, types and what is generated: everything that can be known without running the product. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { outputsSource } from "./generate.ts";
import { referencePages, strayPages } from "./reference.ts";
import { schemaText } from "./schema.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(name: string, command: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  process.stdout.write(`${status === 0 ? "ok" : "FAILED"}  ${name}\n`);
  return status === 0;
}

const read = (path: string) =>
  existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, "utf8") : undefined;

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
  const stale = referencePages().filter(({ path, text }) => read(path) !== text);
  const schema = "plugin/schema.json";
  const wrong = [
    ...stale.map(({ path }) => path),
    ...strayPages(),
    ...(read(schema) === schemaText() ? [] : [schema]),
  ];
  process.stdout.write(
    `${wrong.length === 0 ? "ok" : "FAILED"}  docs/ and plugin/ are what npm run generate writes ${wrong.join(", ")}\n`,
  );
  results.push(wrong.length === 0);
  return { passed: results.filter(Boolean).length, failed: results.filter((ok) => !ok).length };
}

if (import.meta.main) process.exit(check().failed === 0 ? 0 : 1);
