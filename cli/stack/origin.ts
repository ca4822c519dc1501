/** The user, commit and CI job of a run, from git and the environment of CI systems. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Origin } from "../../runs/command.ts";
import { version } from "../../runs/stack/version.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A run doesn't wait longer for git. */
const patienceMs = 2_000;

/** Checked first, because starting git takes as long as a small run. */
const isInRepository = (folder: string, env: Env): boolean =>
  env.GIT_DIR !== undefined ||
  existsSync(join(folder, ".git")) ||
  (dirname(folder) !== folder && isInRepository(dirname(folder), env));

/** The output of git; undefined without git, without a repository, or after the time limit. */
function git(folder: string, env: Env, ...args: readonly string[]) {
  if (!isInRepository(resolve(folder), env)) return { code: undefined, text: "" };
  const ran = spawnSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    // `git status` must not lock the repository for others.
    env: { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: patienceMs,
  });
  return { code: ran.status ?? undefined, text: ran.stdout ?? "" };
}

export const originOf = (folder: string, env: Env): Origin => ({
  about() {
    const { message, environment } = commitOf(folder, env);
    return {
      message,
      environment: known({
        "exec.kind": "cli",
        "exec.agent": `pulumi-shop/${version()}`,
        ...environment,
        ...ciOf(env),
      }),
    };
  },
  contains(commit) {
    // The commit comes from a file that others can write.
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
    const { code } = git(folder, env, "merge-base", "--is-ancestor", commit, "HEAD");
    if (code === 0) return true;
    const shallow = git(folder, env, "rev-parse", "--is-shallow-repository");
    // A shallow checkout doesn't know most of its ancestors.
    return shallow.code === 0 && shallow.text.trim() === "false" ? false : undefined;
  },
});

type Values = Readonly<Record<string, string | undefined>>;

const known = (values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined || value === "" ? [] : [[key, value]],
    ),
  );

function commitOf(folder: string, env: Env): { readonly message: string; readonly environment: Values } {
  const log = git(folder, env, "log", "-1", "--format=%H%x00%an%x00%ae%x00%cn%x00%ce%x00%s");
  if (log.code !== 0) return { message: "", environment: {} };
  const [head, author, authorMail, committer, committerMail, subject = ""] = log.text.trim().split("\0");
  const name = git(folder, env, "symbolic-ref", "--quiet", "HEAD").text.trim();
  // Only tracked files: a CI job leaves its plan and its state beside them.
  const status = git(folder, env, "status", "--porcelain", "--untracked-files=no");
  return {
    message: subject,
    environment: {
      "git.head": head,
      "git.headName": name,
      "git.dirty": status.code === 0 ? String(status.text !== "") : undefined,
      "git.author": author,
      "git.author.email": authorMail,
      "git.committer": committer,
      "git.committer.email": committerMail,
    },
  };
}

/** The CI job under Pulumi's names (sdk/go/common/util/ciutil), and the user who started it. */
function ciOf(env: Env): Values {
  const { GITHUB_REPOSITORY: slug, GITHUB_RUN_ID: id } = env;
  if (env.GITHUB_ACTIONS === "true")
    return {
      "ci.system": "GitHub Actions",
      "ci.build.id": id,
      "ci.build.number": env.GITHUB_RUN_NUMBER,
      "ci.build.type": env.GITHUB_EVENT_NAME,
      "ci.build.url":
        slug && id
          ? `${env.GITHUB_SERVER_URL ?? "https://github.com"}/${slug}/actions/runs/${id}`
          : undefined,
      "exec.user": env.GITHUB_ACTOR,
      // A CI job checks out a commit, not a branch.
      ...branchOf(env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME),
    };
  if (env.GITLAB_CI === "true")
    return {
      "ci.system": "GitLab CI/CD",
      "ci.build.id": env.CI_PIPELINE_ID,
      "ci.build.number": env.CI_PIPELINE_IID,
      "ci.build.type": env.CI_PIPELINE_SOURCE,
      "ci.build.url": env.CI_JOB_URL,
      "exec.user": env.GITLAB_USER_LOGIN,
      ...branchOf(env.CI_COMMIT_REF_NAME),
    };
  return env.CI === "true" || env.CI === "1" ? { "ci.system": "Generic CI" } : {};
}

const branchOf = (name: string | undefined): Values =>
  name === undefined || name === "" ? {} : { "git.headName": `refs/heads/${name}` };
