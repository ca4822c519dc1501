/** Format, lint, types and what is generated: everything that can be known without running the product. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generated, missingFiles, strayFiles } from "./generate.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(name: string, command: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  say(status === 0, name);
  return status === 0;
}

const say = (isRight: boolean, name: string) =>
  process.stdout.write(`${isRight ? "ok" : "FAILED"}  ${name.trim()}\n`);

const read = (path: string) =>
  existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, "utf8") : undefined;

/** Generated files that are not what the sources say. */
function staleFiles(): readonly string[] {
  const missing = missingFiles();
  if (missing.length > 0) return missing;
  const pages = generated.flatMap((part) => part());
  return [
    ...pages.filter(({ path, text }) => read(path) !== text).map(({ path }) => path),
    ...strayFiles(pages),
  ];
}

/** Runs all checks. @returns how many passed and failed */
export function check(): { passed: number; failed: number } {
  const results = [
    run("format and lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]),
    run("types", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]),
    run("nothing is exported, listed or kept that nothing uses", ["node_modules/knip/bin/knip.js"]),
  ];
  const wrong = staleFiles();
  say(wrong.length === 0, `what npm run generate writes is up to date ${wrong.join(", ")}`);
  results.push(wrong.length === 0);
  return { passed: results.filter(Boolean).length, failed: results.filter((ok) => !ok).length };
}

if (import.meta.main) process.exit(check().failed === 0 ? 0 : 1);
