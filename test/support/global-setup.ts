/**
 * Before the first test: the build, which tests of commands start, so that `npx vitest FILE` needs nothing before it; a folder for
 * temporary files, in which nothing may be left; and a home folder, so that no test reads or writes a person's own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
let folder = "";

/** Called before the first test. */
export function setup(): void {
  // The checks look at the types.
  const tsc = [join(root, "node_modules/typescript-7/bin/tsc"), "-p", "tsconfig.build.json", "--noCheck"];
  const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
  // What a process loads is known by its real path.
  folder = mkdtempSync(join(realpathSync(tmpdir()), "pulumi-shop-tests-"));
  process.env.TMPDIR = folder;
  // npm keeps its packages and its registry: tests that install would load everything again.
  process.env.npm_config_cache ??= join(homedir(), ".npm");
  process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
  process.env.HOME = join(folder, "home");
  mkdirSync(process.env.HOME);
  // Node's own, which processes write when they end.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
}

/** Called after the last test. */
export function teardown(): void {
  const left = readdirSync(folder).filter((name) => name.startsWith("pulumi-shop"));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0)
    throw new Error(`the tests left ${left.length} in the folder for temporary files: ${left.join(", ")}`);
}
