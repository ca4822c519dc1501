// Runs of the workflows side by side, their steps in a real bash against a bare repository: two pull requests, a deploy, a
// night's look and the staff of the shop, in every order. The command is a model: a shop is one value, a plan leads from one
// value to another, and what it refuses is what test/walks/plans.test.ts holds the real one to.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partOf } from "./support/campaign.ts";
import { type Home, type Job, openHome, read, runJob } from "./support/runner.ts";

const [deploy, drift] = [read("deploy.yml"), read("drift.yml")];

/** The command, npm and a shop whose only value is in a file. `$PROGRAM` is what the checkout's program asks for. */
function openModel() {
  const runner = openHome();
  const { home, command, write } = runner;
  write("shop", "10");
  write("log", "");
  command("npm", "exit 0\n");
  command(
    "npx",
    `shop=$(cat "${home}/shop"); verb=$2; plan=; save=; same=; program=$(cat program); known="${home}/known"; test -d .state && known=.state/known
while [ $# -gt 0 ]; do
  case "$1" in
    --save-plan) save=$2 ;;
    --plan) plan=$2 ;;
    --expect-no-changes) same=1 ;;
    --markdown) echo "$shop to $program" > "$2" ;;
  esac
  shift
done
case "$verb" in
  preview)
    if [ -n "$save" ]; then echo "$shop $program" > "$save"; fi
    if [ -n "$same" ] && [ "$shop" != "$program" ]; then exit 7; fi ;;
  up)
    test -z "$plan" && exit 0
    read -r from to < "$plan"
    if [ "$program" != "$to" ]; then exit 7; fi
    if [ "$shop" != "$to" ]; then
      if [ "$shop" != "$from" ]; then exit 7; fi
      echo "$from to $to" >> "${home}/log"; echo "$to" > "${home}/shop"
    fi
    echo "$to" > "$known" ;;
  compare) test "$shop" = "$program" ;;
  accept) echo "Wrote 1 change" ;;
  refresh) test "$shop" = "$(cat "$known" 2>/dev/null || echo 10)" || exit 7 ;;
esac
`,
  );
  /** A checkout of its own, of a program. */
  const checkout = (name: string, program: string): Home => {
    const workspace = join(home, name);
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "program"), program);
    runner.git(workspace, "init", "-q");
    const base = { ...runner.base, GITHUB_WORKSPACE: workspace, GITHUB_OUTPUT: join(workspace, ".output") };
    return { ...runner, workspace, base };
  };
  const heads = () => runner.git(runner.origin, "for-each-ref", "--format=%(refname) %(objectname)");
  return {
    ...runner,
    checkout,
    heads,
    shop: () => readFileSync(join(home, "shop"), "utf8").trim(),
    staff: (value: string) => write("shop", value),
    applied: () => runner.read("log").split("\n").filter(Boolean),
    kept: () => runner.git(runner.origin, "log", "--format=%s", "state/live").trim().split("\n"),
  };
}

type Model = ReturnType<typeof openModel>;

const deployJob = (at: Home, name: string, between?: (step: string) => Promise<void>) =>
  runJob(at, deploy, deploy.jobs[name] as Job, "", between);

/** Without what comes of a look: test/workflows.test.ts runs that. */
const lookOnly = (job: Job): Job => ({
  ...job,
  steps: job.steps.filter((step) => step.if === undefined),
});

/** Somebody else's job: it works on a checkout of its own, and changes neither the shop nor a state. */
async function looks(model: Model, name: "first" | "second" | "night", by = "preview.yml"): Promise<void> {
  const before = [model.heads(), model.shop(), model.applied()];
  const at = model.checkout(name, name === "second" ? "30" : "20");
  const { failed, text } =
    name === "night"
      ? await runJob(at, drift, lookOnly(drift.jobs.look as Job))
      : await runJob(at, read(by), read(by).jobs.preview as Job, "live");
  expect(failed, text).toBe(false);
  expect([model.heads(), model.shop(), model.applied()]).toEqual(before);
}

describe("a deploy", () => {
  test("does what was approved, and keeps the state before and after", async () => {
    const model = openModel();
    const at = model.checkout("deploy", "20");
    for (const name of ["staging", "plan", "live"]) {
      const { failed, text } = await deployJob(at, name);
      expect(failed, text).toBe(false);
    }
    expect(model.applied()).toEqual(["10 to 20"]);
    expect(model.kept()).toEqual(["0123456789abcdef success", "0123456789abcdef begins", "state"]);
    expect(model.git(model.origin, "show", "state/live:known").trim()).toBe("20");
  });

  test("refuses a plan that is stale, makes it again and asks again", async () => {
    const model = openModel();
    const at = model.checkout("deploy", "20");
    await deployJob(at, "plan");
    model.staff("55");
    const stale = await deployJob(at, "live");
    expect([stale.failed, stale.outputs.get("steps.up.outputs.code")], stale.text).toEqual([false, "7"]);
    expect(stale.ran).toEqual([
      "Refuse what main has left behind",
      "Install",
      "Begin",
      "Up",
      "Keep the state",
    ]);
    expect([model.shop(), model.applied()]).toEqual(["55", []]);
    // What the job after it waits for.
    expect(deploy.jobs.again).toMatchObject({ needs: "live", if: "needs.live.outputs.code == '7'" });
    expect(deploy.jobs.live).toMatchObject({
      outputs: { code: expect.stringContaining("steps.up.outputs.code") },
    });
    const again = await deployJob(at, "again");
    expect(again.failed, again.text).toBe(false);
    expect(model.read("gh.log").trim().split("\n").at(-1)).toBe(
      "workflow run deploy.yml --repo us/our-shop --ref main",
    );
    // The reviewers see what it is now.
    await deployJob(at, "plan");
    expect(model.read("summary.md").trim()).toBe("55 to 20");
    expect((await deployJob(at, "live")).failed).toBe(false);
    expect(model.applied()).toEqual(["55 to 20"]);
  });

  test("is finished after its runner was killed in the middle", async () => {
    const model = openModel();
    const at = model.checkout("deploy", "20");
    await deployJob(at, "plan");
    await expect(
      deployJob(at, "live", async (step) => {
        if (step === "Up") throw new Error("the runner is gone");
      }),
    ).rejects.toThrow("the runner is gone");
    expect(model.kept()[0]).toBe("0123456789abcdef begins");
    const next = await deployJob(at, "live");
    expect(next.text).toContain("the run of 0123456789abcdef was interrupted");
    expect([next.failed, model.applied(), model.kept()[0]]).toEqual([
      false,
      ["10 to 20"],
      "0123456789abcdef success",
    ]);
  });
});

const others = ["first", "second", "night", "staff"] as const;
const moments = ["before", "Install", "Begin", "Up", "Keep the state"] as const;

/** For each of the others the moment of the live job at which it comes. Together they have each at every moment once. */
const schedules = Array.from({ length: moments.length }, (_, n) =>
  Object.fromEntries(others.map((who, index) => [who, moments[(n * (index + 1) + index) % moments.length]])),
);

test.each(
  partOf(schedules, schedules.slice(0, 2)).map((schedule) => [JSON.stringify(schedule), schedule] as const),
)("two pull requests, a deploy and a night's look at once: %s", async (_name, schedule) => {
  const model = openModel();
  const at = model.checkout("deploy", "20");
  await deployJob(at, "plan");
  const come = async (moment: string) => {
    for (const who of others)
      if (schedule[who] === moment) await (who === "staff" ? model.staff("55") : looks(model, who));
  };
  await come("before");
  const live = await deployJob(at, "live", come);
  const isBefore = moments.indexOf(schedule.staff ?? "before") < moments.indexOf("Up");
  // Staff came first: nothing was done, and it is asked again. Later: what was approved was done before.
  expect(model.applied(), live.text).toEqual(isBefore ? [] : ["10 to 20"]);
  expect(live.outputs.get("steps.up.outputs.code")).toBe(isBefore ? "7" : "0");
  expect(model.shop()).toBe("55");
  // Nobody's job lost a state: the branch has each run's beginning and end.
  expect(model.kept().toReversed().slice(0, 2)).toEqual(["state", "0123456789abcdef begins"]);
  expect(model.kept()).toHaveLength(3);
  expect(existsSync(join(at.workspace, ".state/.pulumi/locks"))).toBe(false);
});

describe("with states in a bucket", () => {
  const shared = read("deploy-pulumi.yml");
  const job = (at: Home, name: string, between?: (step: string) => Promise<void>) =>
    runJob(at, shared, shared.jobs[name] as Job, "", between);

  test("a deploy does what was approved", async () => {
    const model = openModel();
    const at = model.checkout("deploy", "20");
    for (const name of ["staging", "plan", "live"]) {
      const { failed, text } = await job(at, name);
      expect(failed, text).toBe(false);
    }
    expect(model.read("summary.md").trim()).toBe("10 to 20");
    expect([model.applied(), model.kept()]).toEqual([["10 to 20"], ["state"]]);
  });

  test.each(partOf(["before", "Install", "Up", "Prove it"], ["before", "Up"]))(
    "staff edit the shop at once with it: %s",
    async (moment) => {
      const model = openModel();
      const at = model.checkout("deploy", "20");
      await job(at, "plan");
      const come = async (step: string) => {
        if (step !== moment) return;
        model.staff("55");
        await looks(model, "first", "preview-pulumi.yml");
      };
      await come("before");
      const live = await job(at, "live", come);
      const isBefore = moment === "before" || moment === "Install";
      expect(model.applied(), live.text).toEqual(isBefore ? [] : ["10 to 20"]);
      expect(live.outputs.get("steps.up.outputs.code")).toBe(isBefore ? "7" : "0");
      // An edit after the run is found by the look at its end.
      expect(live.failed).toBe(moment === "Up");
      if (!isBefore) return;
      expect(shared.jobs.again).toMatchObject({ needs: "live", if: "needs.live.outputs.code == '7'" });
      expect((await job(at, "again")).failed).toBe(false);
      expect(model.read("gh.log").trim().split("\n").at(-1)).toBe(
        "workflow run deploy-pulumi.yml --repo us/our-shop --ref main",
      );
      await job(at, "plan");
      expect((await job(at, "live")).failed).toBe(false);
      expect(model.applied()).toEqual(["55 to 20"]);
    },
  );
});
