/** `npm test`: the checks and vitest; ends with one plain line that counts both. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, tell } from "./check.ts";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-test-"));
const file = join(folder, "report.json");

const quick = await check("quick");
tell(quick);
// The compiler reads the whole repository for half a minute: beside the tests, not before them.
const slow = check("slow");
const args = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${file}`,
  ...process.argv.slice(2),
];
const status = await new Promise<number | null>((resolve, reject) => {
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  child.once("error", reject);
  child.once("close", resolve);
});
const checks = [...quick, ...(await slow)];
tell(await slow);
const report = JSON.parse(readFileSync(file, "utf8")) as Report;
rmSync(folder, { recursive: true });

// A file that could not even be loaded has no failed test of its own.
const broken = status !== 0 && report.numFailedTests === 0 ? Math.max(1, report.numFailedTestSuites) : 0;
const failed = report.numFailedTests + broken + checks.filter(({ ok }) => !ok).length;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
process.stdout.write(
  `\n${costs()}\n${report.numPassedTests + checks.filter(({ ok }) => ok).length} passed, ${failed} failed${skipped}\n`,
);
process.exit(failed === 0 && status === 0 ? 0 : 1);

/** How long it took, and the CPU seconds of all processes that it started, as far as the system tells. */
function costs(): string {
  const seconds = `${Math.round(process.uptime())} s`;
  if (process.platform !== "linux") return seconds;
  // Its own and its ended children's time, in user and in system mode, in hundredths (proc_pid_stat(5), fields 14 to 17).
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 15);
  const ticks = fields.reduce((sum, field) => sum + Number(field), 0);
  return `${seconds}, ${Math.round(ticks / 100)} CPU seconds on ${availableParallelism()} cores`;
}
