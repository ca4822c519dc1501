/** `npm test`: runs the checks and vitest, and prints one line with the results of both. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { check, tell } from "./check.ts";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-test-"));
const file = join(folder, "report.json");

const clockBefore = processorClock();
const quick = await check("quick");
tell(quick);
// The compiler takes half a minute for the whole repository, so it runs beside the tests.
const slow = check("slow");
const args = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${file}`,
  ...process.argv.slice(2),
];
const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "close");
const checks = [...quick, ...(await slow)];
tell(await slow);
const report = JSON.parse(readFileSync(file, "utf8")) as Report;
rmSync(folder, { recursive: true });

// A test file that could not be loaded has no failed test of its own.
const broken = status !== 0 && report.numFailedTests === 0 ? Math.max(1, report.numFailedTestSuites) : 0;
const failed = report.numFailedTests + broken + checks.filter(({ ok }) => !ok).length;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
process.stdout.write(
  `\n${costs()}\n${report.numPassedTests + checks.filter(({ ok }) => ok).length} passed, ${failed} failed${skipped}\n`,
);
process.exit(failed === 0 && status === 0 ? 0 : 1);

/** Elapsed time, and the CPU seconds of all processes that it started, if the system reports them. */
function costs(): string {
  const seconds = `${Math.round(process.uptime())} s`;
  if (process.platform !== "linux") return seconds;
  // Its own time and that of its ended children, user and system, in hundredths of a second (proc_pid_stat(5), fields
  // 14 to 17).
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 15);
  const ticks = fields.reduce((sum, field) => sum + Number(field), 0);
  return `${seconds}, ${Math.round(ticks / 100)} CPU seconds on ${availableParallelism()} cores${stolen()}`;
}

/** The CPU time of all cores in hundredths of a second: in total, and stolen by the host of a virtual machine. */
function processorClock(): { readonly all: number; readonly stolen: number } | undefined {
  if (process.platform !== "linux") return undefined;
  // proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; later fields are included in these.
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const times = line.split(/ +/).slice(1, 9).map(Number);
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
}

/** If the host of a virtual machine lends its cores to others, both figures before this are too high. */
function stolen(): string {
  const now = processorClock();
  if (clockBefore === undefined || now === undefined) return "";
  const share = (now.stolen - clockBefore.stolen) / (now.all - clockBefore.all);
  return share < 0.01 ? "" : `; the host took ${Math.round(share * 100)} % of the cores away meanwhile`;
}
