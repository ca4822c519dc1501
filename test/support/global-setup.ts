/**
 * Runs before the first test: builds the product, which tests of commands start, so that `npx vitest FILE` needs no
 * preparation; creates a folder for temporary files, which must be empty at the end; and a home folder, so that no test
 * uses a person's own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
let folder = "";

/** Called before the first test. */
export function setup(): void {
  // The checks include types.
  const tsc = [join(root, "node_modules/typescript-7/bin/tsc"), "-p", "tsconfig.build.json", "--noCheck"];
  const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
  // Processes report real paths.
  folder = mkdtempSync(join(realpathSync(tmpdir()), "pulumi-shop-tests-"));
  process.env.TMPDIR = folder;
  // Keeps npm's cache and registry: tests that install would download everything again.
  process.env.npm_config_cache ??= join(homedir(), ".npm");
  process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
  process.env.HOME = join(folder, "home");
  mkdirSync(process.env.HOME);
  // Files of Node, written when processes end.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
}

/** Called after the last test. */
export async function teardown(): Promise<void> {
  const left = readdirSync(folder).filter((name) => name.startsWith("pulumi-shop"));
  // Processes that end write here, and rmSync gives up without an error where a file goes meanwhile.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0)
    throw new Error(`the tests left ${left.length} in the folder for temporary files: ${left.join(", ")}`);
}
