// Two users, two checkouts, one state: everybody sees who ran last, from which commit, and which changes a run
// reverts.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HistoryEntry, Step } from "../../engine/index.ts";
import { agoText, commitText, previousRuns, userText } from "../../runs/command.ts";
import { campaignTest } from "../support/campaign.ts";
import { git as gitIn } from "../support/git.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal, type Terminal } from "./terminal.ts";

const coupons = (discounts: readonly number[], more = "") => `import { Coupon } from "pulumi-shop";
${discounts.map((discount, n) => `new Coupon("c${n}", { code: "C${n}", discount: ${discount}, typeId: 2 });`).join("\n")}
${more}`;

const isolated = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
  GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
};

/** Runs git in a user's folder. */
function git({ folder }: Pick<Terminal, "folder">, ...args: readonly string[]): string {
  return gitIn(folder, args, isolated).trim();
}

/** A user at a terminal, named like in a CI job; only the program's folder is in git. */
function person(name: string, env: Readonly<Record<string, string>>, program: string): Terminal {
  const own = { ...isolated, GITHUB_ACTIONS: "true", GITHUB_ACTOR: name, ...env };
  const terminal = openTerminal(program, own);
  // Two folders on one machine; on two machines nobody is warned.
  terminal.warnings.push(/is also named user/);
  git(terminal, "init", "-q", "-b", "main");
  writeFileSync(join(terminal.folder, ".git/info/exclude"), "*\n!index.ts\n!Pulumi.yaml\n!package.json\n");
  return terminal;
}

function commit(terminal: Terminal, message: string): string {
  git(terminal, "add", "-A");
  git(terminal, "commit", "-q", "-m", message);
  return git(terminal, "rev-parse", "HEAD");
}

/** On a slow machine, the runs were some minutes ago. */
const soon = (text: string) => text.replaceAll(/\d+ min ago/g, "just now");

/** Anna has applied main and a branch that Ben's checkout doesn't have. */
async function twoCheckouts() {
  const world = await openWorld();
  const anna = person("anna", world.env, coupons([5, 5, 5]));
  const base = commit(anna, "Begin");
  await anna.done("up", "--yes");
  git(anna, "switch", "-q", "-c", "a");
  anna.write("index.ts", coupons([6, 5, 5], 'new Coupon("brancha", { code: "A", discount: 7, typeId: 2 });'));
  const branch = commit(anna, "Raise c0");
  await anna.done("up", "--yes");
  const ben = person("ben", { ...world.env, PULUMI_BACKEND_URL: anna.env.PULUMI_BACKEND_URL ?? "" }, "");
  git(ben, "fetch", "-q", anna.folder, "main");
  git(ben, "checkout", "-q", "-f", "FETCH_HEAD", "-B", "main");
  return { world, anna, ben, base, branch };
}

test("a preview says that a colleague's unmerged branch was applied last, and which of its steps take it back", async () => {
  const { anna, ben, branch } = await twoCheckouts();
  ben.write("index.ts", coupons([5, 8, 5]));
  const short = branch.slice(0, 7);
  const from = `from branch a (${short})`;
  ben.warnings.push(/steps revert/);
  const preview = await ben.done("preview", "--markdown", "plan.md");
  const [title, last] = soon(preview.stdout).split("\n");
  expect([title, last]).toEqual([
    "Preview: user/dev",
    `last up: anna (GitHub Actions), just now, ${from}, which this checkout doesn't contain`,
  ]);
  const warning = `2 of these 3 steps revert changes of anna (GitHub Actions)'s up ${from}: `;
  expect(preview.stdout).toContain(`warning: ${warning}`);
  expect(preview.stdout).toMatch(/: (Coupon c0, Coupon brancha|Coupon brancha, Coupon c0)\./);
  const comment = soon(readFileSync(join(ben.folder, "plan.md"), "utf8"));
  expect(comment).toContain(`Last up: anna (GitHub Actions), just now, ${from}, which this checkout doesn't`);
  expect(comment).toContain(`⚠️ **${warning}`);
  const lines = (await ben.dev("preview", "--json")).stdout.trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    last: expect.stringContaining("last up: anna"),
    reverts: expect.arrayContaining([expect.stringMatching(/::c0$/), expect.stringMatching(/::brancha$/)]),
  });
  // With the branch, there is no warning.
  const own = await anna.dev("preview");
  expect(soon(own.stdout)).toContain(`\nlast up: anna (GitHub Actions), just now, ${from}\n`);
  expect(own.stdout).not.toContain("warning:");
});

campaignTest("a merged branch, another field and a checkout without git are warned of nothing", async () => {
  const { anna, ben, branch } = await twoCheckouts();
  git(ben, "fetch", "-q", anna.folder, "a");
  git(ben, "merge", "-q", "FETCH_HEAD");
  ben.write("index.ts", coupons([9, 5, 5]));
  const merged = await ben.dev("preview");
  expect(merged.stdout).toContain(`from branch a (${branch.slice(0, 7)})\n`);
  expect(merged.stdout).not.toContain("revert");
  // Without git, the run is shown without a commit.
  ben.env.PATH = join(ben.folder, "nowhere");
  const without = await ben.done("preview");
  expect(without.stdout).toContain("last up: anna");
  expect(without.stdout).not.toContain("doesn't contain");
});

campaignTest(
  "a preview is warned of the cells of a sheet that it reverts, and not of others, nor of those that a run kept",
  async () => {
    const world = await openWorld();
    const variants = [{ sku: "A", price: 10 } as const, { sku: "B", price: 20 } as const];
    const { id } = await world.client.products.create({ title: "Cup", variants });
    const text = 'import { Prices } from "pulumi-shop";\nnew Prices("sheet", { file: "prices.csv" });\n';
    const anna = person("anna", world.env, text);
    writeFileSync(join(anna.folder, ".git/info/exclude"), "*\n!index.ts\n!Pulumi.yaml\n!prices.csv\n");
    const sheet = (a: number, b: number) => anna.write("prices.csv", `sku,price\nA,${a}\nB,${b}\n`);
    sheet(11, 21);
    commit(anna, "Begin");
    await anna.done("up", "--yes");
    git(anna, "switch", "-q", "-c", "a");
    sheet(12, 21);
    commit(anna, "Raise A");
    await anna.done("up", "--yes");
    git(anna, "switch", "-q", "main");
    // The branch came into main by another commit.
    sheet(12, 22);
    expect((await anna.dev("preview")).stdout).not.toContain("revert");
    sheet(11, 22);
    anna.warnings.push(/this step reverts/);
    expect((await anna.dev("preview")).stdout).toContain("this step reverts changes of anna");

    const [, b] = world.rows("product").flatMap((one) => one.variants as readonly { id: number }[]);
    const body = JSON.stringify({ variant: { price: 30 } });
    await world.ask("PUT", `/admin/products/${id}/variants/${b?.id}.json`, body, {
      "content-type": "application/json",
    });
    git(anna, "switch", "-q", "-f", "a");
    await anna.done("refresh", "--yes");
    sheet(13, 21);
    await anna.done("up", "--yes", "--keep", "sheet");
    commit(anna, "Raise A again");
    await anna.done("up", "--yes", "--keep", "sheet");
    git(anna, "switch", "-q", "main");
    sheet(13, 21);
    const plan = (await anna.dev("preview")).stdout;
    expect(plan).toContain("rows[B].price puts back: 21, staff: 30");
    expect(plan).not.toContain("revert");
  },
);

test("history lists who ran what from which commit, the last one first; stacks has the address and the last run", async () => {
  const { anna, ben, base, branch, world } = await twoCheckouts();
  ben.write("index.ts", coupons([5, 5]));
  await ben.dev("refresh", "--yes");
  const history = await ben.dev("history");
  expect(
    soon(history.stdout)
      .split("\n")
      .map((line) => line.replace(/ {2,}/g, " | ")),
  ).toEqual([
    `just now | ben (GitHub Actions) | refresh: nothing changed | from branch main (${base.slice(0, 7)}) with uncommitted changes | Begin`,
    `just now | anna (GitHub Actions) | up: 1 created, 1 updated | from branch a (${branch.slice(0, 7)}) | Raise c0`,
    `just now | anna (GitHub Actions) | up: 3 created | from branch main (${base.slice(0, 7)}) | Begin`,
    "",
  ]);
  const json = JSON.parse((await ben.dev("history", "--json")).stdout);
  expect(json).toMatchObject([
    { run: "refresh", who: "ben (GitHub Actions)", dirty: true, counts: {} },
    { run: "up", outcome: "succeeded", commit: branch, branch: "a", dirty: false, counts: { create: 1 } },
    { run: "up", commit: base, branch: "main", host: expect.stringMatching(/./), counts: { create: 3 } },
  ]);
  await ben.dev("config", "set", "shop:url", world.env.SHOP_URL ?? "");
  const stacks = await ben.run("stacks");
  expect(soon(stacks.stdout)).toMatch(
    /^dev {2}http:\S+ {2}up just now {2}anna \(GitHub Actions\) {2}from branch a \(\w{7}\)\n$/,
  );
  expect(JSON.parse((await ben.run("stacks", "--json")).stdout)).toMatchObject([
    { name: "dev", url: world.env.SHOP_URL, last: { run: "up", commit: branch } },
  ]);
  expect((await anna.run("stacks", "remove", "dev", "--force")).code).toBe(0);
  expect(readdirSync(join(anna.folder, "backend/.pulumi/history/user/dev"))).toEqual([]);
});

test("an approved plan that is carried out is in the history by its digest, and no secret is", async () => {
  const world = await openWorld();
  const anna = person("anna", world.env, coupons([5]));
  commit(anna, "Begin");
  await anna.done("preview", "--save-plan", "plan.json");
  await anna.done("up", "--plan", "plan.json", "--yes");
  const folder = join(anna.folder, "backend/.pulumi/history/user/dev");
  const [file = ""] = readdirSync(folder);
  const text = readFileSync(join(folder, file), "utf8");
  expect(JSON.parse(text).environment).toMatchObject({
    updatePlan: "true",
    "plan.digest": expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  for (const secret of [world.env.SHOP_PASSWORD, anna.env.PULUMI_CONFIG_PASSPHRASE])
    expect(text).not.toContain(secret);
});

describe("a run is told", () => {
  const entry: HistoryEntry = {
    kind: "update",
    startTime: Date.parse("2026-01-01T12:00:00Z") / 1000,
    endTime: 0,
    result: "succeeded",
    message: "",
    environment: {
      "exec.user": "anna",
      "git.head": "3f2c1e7000000000000000000000000000000000",
      "git.headName": "refs/heads/a",
    },
  };

  test.each([
    ["2026-01-01T11:59:00Z", "just now"],
    ["2026-01-01T12:00:59Z", "just now"],
    ["2026-01-01T12:12:00Z", "12 min ago"],
    ["2026-01-02T11:00:00Z", "23 h ago"],
    ["2026-01-04T12:00:00Z", "3 days ago"],
    ["2026-03-04T12:00:00Z", "on 2026-01-01"],
  ])("at %s as one of %s", (now, said) => {
    expect(agoText(entry.startTime, new Date(now))).toBe(said);
  });

  test("with how it ended, where it didn't succeed", () => {
    const now = new Date("2026-01-01T12:12:00Z");
    const last = (more: Partial<HistoryEntry>) =>
      previousRuns({ entry: { ...entry, ...more }, unmerged: [] }, now, []).last;
    expect(last({})).toBe("last up: anna, 12 min ago, from branch a (3f2c1e7)");
    expect(last({ result: "failed" })).toBe("last up failed: anna, 12 min ago, from branch a (3f2c1e7)");
    expect(last({ kind: "destroy", environment: {} })).toBe("last destroy: 12 min ago");
  });

  test("from the commit that pulumi noted, by nobody where it noted nobody", () => {
    const file = new URL("../fixtures/history/pulumi-3.260.0.json", import.meta.url);
    const its = JSON.parse(readFileSync(file, "utf8")) as HistoryEntry;
    expect([userText(its), commitText(its)]).toEqual([
      undefined,
      "from branch prices (86177e9) with uncommitted changes",
    ]);
  });

  test("to be taken back by a step that does over or undoes the same, and by no other", () => {
    const step = (name: string, op: Step["op"], ...paths: readonly string[]): Step => ({
      op,
      urn: name,
      type: "shop:index:Coupon",
      name,
      parent: undefined,
      custom: true,
      id: undefined,
      changes: paths.map((path) => ({ path, old: 1, new: 2 }) as unknown as Step["changes"][number]),
      inputs: {},
      olds: {},
      replaces: [],
      found: false,
    });
    const foreign = [{ ...entry, touched: { changed: ["discount"], made: "made", gone: "ended" } as const }];
    const taken = (...steps: readonly Step[]) =>
      previousRuns({ entry, unmerged: foreign }, new Date(), steps)
        .reverted.flatMap(({ steps: own }) => own)
        .map(({ name, op }) => `${op} ${name}`);
    expect(
      taken(step("changed", "update", "title"), step("gone", "create"), step("other", "delete")),
    ).toEqual(["create gone"]);
    expect(taken(step("changed", "update", "title"), step("other", "update", "discount"))).toEqual([]);
    expect(
      taken(step("changed", "update", "discount"), step("made", "delete"), step("changed", "delete")),
    ).toEqual(["update changed", "delete made", "delete changed"]);
    // One checkout uses the plugin, the other doesn't.
    const urn = (type: string) => `urn:pulumi:dev::user::${type}::spring`;
    const others = [{ ...entry, touched: { [urn("shop:index:Coupon")]: ["discount"] } }];
    const own = { ...step("spring", "update", "discount"), urn: urn("pulumi-nodejs:dynamic/shop:Coupon") };
    expect(previousRuns({ entry, unmerged: others }, new Date(), [own]).reverted[0]?.steps).toEqual([own]);
  });
});

test("the history counts what a run sent, not what the shop had already", async () => {
  const { world, terminal } = await openScene(coupons([5, 5]));
  await terminal.done("up", "--yes");
  await world.edit({ kind: "discount_code", where: { code: "C0" }, set: { discount: "7.0" } });
  terminal.write("index.ts", coupons([7, 8]));
  const { stdout } = await terminal.dev("up", "--yes");
  expect(stdout).toMatch(/~ 1 updated\n +1 unchanged\n/);
  expect((await terminal.dev("history")).stdout).toMatch(/up: 1 updated$/m);
});
