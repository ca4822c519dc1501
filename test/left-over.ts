/** The folder for temporary files of one run of the tests: what a test, or what it tests, leaves in it fails the run. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder = "";

/** Called before the first test. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "pulumi-shop-tests-"));
  process.env.TMPDIR = folder;
  // Node's own, which processes write when they end.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled");
}

/** Called after the last test. */
export function teardown(): void {
  const left = readdirSync(folder).filter((name) => name.startsWith("pulumi-shop"));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0)
    throw new Error(`the tests left ${left.length} in the folder for temporary files: ${left.join(", ")}`);
}
