/** Runs workflows: a checkout, a bare repository as origin, and a logging `gh`. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parse } from "yaml";
import { root } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "./process.ts";

export const folder = join(root, "examples/workflows");
export const passphrase = "correct horse";

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
export interface Job {
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
export interface Workflow {
  readonly concurrency?: { readonly group: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const read = (name: string) => parse(readFileSync(join(folder, name), "utf8")) as Workflow;

/** An empty checkout with an origin that has a branch for each stack's state. */
export function openHome() {
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-runner-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = join(home, "work");
  mkdirSync(workspace);
  const git = (cwd: string, ...args: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@example.test", "-c", "init.defaultBranch=state", ...args],
      { cwd, encoding: "utf8" },
    );
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const origin = join(home, "origin.git");
  mkdirSync(origin);
  git(origin, "init", "--bare", "--quiet");
  const seed = join(home, "seed");
  git(home, "clone", "--quiet", origin, seed);
  git(seed, "commit", "--quiet", "--allow-empty", "-m", "state");
  git(seed, "push", "--quiet", "origin", "HEAD:state/staging", "HEAD:state/live");
  const command = (name: string, script: string) => {
    mkdirSync(join(home, "bin"), { recursive: true });
    writeFileSync(join(home, "bin", name), `#!/bin/sh\n${script}`);
    chmodSync(join(home, "bin", name), 0o755);
  };
  command(
    "gh",
    `echo "$@" | sed 1q >> "${home}/gh.log"
while [ $# -gt 0 ]; do
  case "$1" in
    --body-file) cp "$2" "${home}/body.md" ;;
    body=@*) cp "\${1#body=@}" "${home}/body.md" ;;
    */commits/main) cat "${home}/main"; exit ;;
  esac
  shift
done
cat "${home}/gh.answer" 2>/dev/null || true
`,
  );
  const base: Record<string, string> = {
    ...freshEnv(),
    PATH: [join(home, "bin"), freshEnv().PATH].join(delimiter),
    GITHUB_WORKSPACE: workspace,
    GITHUB_SHA: "0123456789abcdef",
    GITHUB_REPOSITORY: "us/our-shop",
    GITHUB_STEP_SUMMARY: join(home, "summary.md"),
    GITHUB_OUTPUT: join(workspace, ".output"),
  };
  writeFileSync(join(home, "main"), "0123456789abcdef");
  return {
    home,
    workspace,
    base,
    git,
    origin,
    command,
    read: (path: string) => (existsSync(join(home, path)) ? readFileSync(join(home, path), "utf8") : ""),
    write: (path: string, text: string) => writeFileSync(join(home, path), text),
  };
}

export type Home = ReturnType<typeof openHome>;

// Like GitHub's runner: a step's script with bash -e and pipefail.
export const sh = (script: string, cwd: string, env: Readonly<Record<string, string>>) =>
  runCommand(cwd, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], env);

/** Evaluates an expression; unknown ones are errors. */
function value(
  expression: string,
  outputs: ReadonlyMap<string, string>,
  workspace: string,
  more: Readonly<Record<string, string>>,
): string {
  const known: Readonly<Record<string, string>> = {
    ...more,
    "github.workspace": workspace,
    "github.token": "token",
    "github.event.pull_request.number": "17",
    "secrets.PULUMI_CONFIG_PASSPHRASE": passphrase,
  };
  const found = known[expression] ?? outputs.get(expression);
  if (found === undefined) throw new Error(`the test knows nothing of ${expression}`);
  return found;
}

/**
 * Runs a job's steps in order; after a failure only steps with `always` run.
 * @param between runs after each step
 */
export async function runJob(
  runner: Pick<Home, "home" | "workspace" | "base" | "git" | "origin"> & {
    /** Outputs of earlier jobs: `needs.look.outputs.code`. */
    readonly needs?: ReadonlyMap<string, string>;
  },
  { env = {} }: Workflow,
  job: Job,
  stack = "",
  between: (step: string) => Promise<void> = async () => {},
) {
  const { home, workspace, base, git, origin } = runner;
  const outputs = new Map<string, string>(runner.needs);
  const filled = (text: string) =>
    text.replace(/\$\{\{ *(.*?) *\}\}/g, (_all, inner: string) =>
      value(inner, outputs, workspace, {
        "matrix.stack": stack,
        "job.status": failed ? "failure" : "success",
      }),
    );
  const log: { name: string; id: string | undefined; code: number; output: string }[] = [];
  let failed = false;
  for (const step of job.steps) {
    const isAlways = /^always\(\)/.test(step.if ?? "");
    const after = /steps\.(\w+)\.outcome == 'success'/.exec(step.if ?? "")?.[1];
    if (after !== undefined && !log.some(({ id, code }) => id === after && code === 0)) continue;
    const condition = /^(\S+) == '(.*)'$/.exec(step.if ?? "");
    if ((failed && !isAlways) || (condition !== null && outputs.get(condition[1] ?? "") !== condition[2]))
      continue;
    if (step.uses !== undefined) {
      if (step.with?.path === ".state") {
        rmSync(join(workspace, ".state"), { recursive: true, force: true });
        git(workspace, "clone", "--quiet", "--branch", filled(step.with.ref ?? ""), origin, ".state");
      } else if (step.uses.startsWith("actions/upload-artifact@")) {
        const [path, name] = [step.with?.path ?? "", filled(step.with?.name ?? "")];
        const isThere = existsSync(join(workspace, path));
        if (isThere || step.with?.["if-no-files-found"] !== "ignore")
          cpSync(join(workspace, path), join(home, "artifacts", name, basename(path)), { recursive: true });
        const url = isThere ? `https://github.test/artifacts/${name}` : "";
        outputs.set(`steps.${step.id}.outputs.artifact-url`, url);
      } else if (step.uses.startsWith("actions/download-artifact@"))
        cpSync(join(home, "artifacts", step.with?.name ?? ""), workspace, { recursive: true });
      else
        expect(step.uses).toMatch(
          /^(actions\/(checkout|setup-node)|pulumi\/actions|aws-actions\/configure-aws-credentials)@[\da-f]{40}$/,
        );
      continue;
    }
    rmSync(join(workspace, ".output"), { force: true });
    const own = Object.fromEntries(
      Object.entries({ ...env, ...job.env, ...step.env }).map(([key, text]) => [key, filled(text)]),
    );
    const { code, output } = await sh(filled(step.run ?? ""), workspace, { ...base, ...own });
    log.push({ name: step.name ?? "", id: step.id, code, output });
    const outputPath = join(workspace, ".output");
    const lines = existsSync(outputPath) ? readFileSync(outputPath, "utf8").split("\n").filter(Boolean) : [];
    for (const line of lines) {
      const [key, text] = line.split("=");
      outputs.set(`steps.${step.id}.outputs.${key}`, text ?? "");
    }
    if (code !== 0) failed = true;
    await between(step.name ?? "");
  }
  return {
    failed,
    log,
    outputs,
    ran: log.map(({ name }) => name),
    text: log.map(({ name, output }) => `${name}\n${output}`).join("\n"),
  };
}
