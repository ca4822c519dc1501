/** git in the folders of users. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

const as = ["-c", "user.name=Anna", "-c", "user.email=anna@shop.example", "-c", "init.defaultBranch=main"];

/** Runs git as Anna, without this machine's settings; it must succeed. @returns its output */
export function git(
  folder: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...more };
  const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...as, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Commits all that is in the folder. */
export function commit(folder: string, message = "So it is"): void {
  git(folder, ["add", "-A"]);
  git(folder, ["commit", "-q", "-m", message]);
}

/** Begins a repository with all of a project but what stays out of git. */
export function begin(folder: string): void {
  git(folder, ["init", "-q"]);
  writeFileSync(join(folder, ".git/info/exclude"), "backend\nnode_modules\n.pulumi-shop*\n");
  commit(folder, "Begin");
}
