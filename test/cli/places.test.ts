// At a terminal: a full disk, a stale lock, an edited state, keys that look like secrets.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal, type Ran, ranOf, root, type Terminal } from "./terminal.ts";

const coupons = (count: number, discount: number) =>
  `import { Coupon } from "pulumi-shop";\nfor (let i = 0; i < ${count}; i++) new Coupon("c" + i, { code: "C" + i, discount: ${discount}, typeId: 1 });\n`;
const up = ["up", "--stack", "dev", "--yes", "--skip-preview"];
const stateOf = ({ folder }: Terminal) => join(folder, "backend/.pulumi/stacks/user/dev.json");

/** Runs the command in a script of bash, as `"$@"`. */
function runInBash({ folder, env }: Terminal, script: string, args: readonly string[]): Promise<Ran> {
  const command = [process.execPath, join(root, "dist/cli/main.js"), ...args];
  const child = spawn("bash", ["-c", script, "bash", ...command], {
    cwd: folder,
    env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return ranOf(child);
}

/** Runs it with a maximum file size: a write is cut, later writes fail. */
const runWithSmallFiles = (terminal: Terminal, blocks: number, args: readonly string[]) =>
  runInBash(terminal, `ulimit -f ${blocks}; exec "$@"`, args);

campaignTest.skipIf(process.platform === "win32")(
  "an update goes on when the pipe that it prints into ends, and its exit code is its own",
  async () => {
    const { world, terminal } = await openScene(coupons(100, 10));
    const piped = await runInBash(terminal, 'set -o pipefail; "$@" | head -1', [...up, "--verbose"]);
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Updating user\/dev\n$/) });
    expect(world.rows("discount_code")).toHaveLength(100);
    expect((await terminal.run(...up)).stdout).toContain("100 unchanged");
    terminal.write("index.ts", 'throw new Error("no sheet");\n');
    expect(await runInBash(terminal, 'set -o pipefail; "$@" 2>&1 | head -1', up)).toMatchObject({ code: 1 });
  },
);

// `ulimit -f` counts blocks of 1024 bytes in bash.
campaignTest.skipIf(process.platform === "win32")(
  "a file that can't grow ends the run with what to do; state and backup stay whole, and the next run goes on",

  async () => {
    const { world, terminal } = await openScene(coupons(100, 10));
    expect((await terminal.run(...up)).code).toBe(0);
    const path = stateOf(terminal);
    const before = readFileSync(path, "utf8");
    expect(before.length).toBeGreaterThan(81_920);
    terminal.write("index.ts", coupons(100, 10).replace("discount: 10", "discount: i === 7 ? 20 : 10"));
    const cut = await runWithSmallFiles(terminal, 80, up);
    expect(cut.code, cut.stdout).toBe(1);
    expect(cut.stderr).toMatch(/the state file \S+dev\.json could not be written: EFBIG[\s\S]*make room/);
    expect(readFileSync(path, "utf8")).toBe(before);
    const next = await terminal.run(...up);
    expect(next, next.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("100 unchanged") });
    for (const file of [path, `${path}.bak`]) JSON.parse(readFileSync(file, "utf8"));
    expect(world.rows("discount_code").filter(({ discount }) => discount === "20.0")).toHaveLength(1);
    expect(world.rows("discount_code")).toHaveLength(100);
  },
);

test("a lock that nobody can read is named, shown and removed by unlock", async () => {
  const { terminal } = await openScene(coupons(1, 10));
  const locks = join(terminal.folder, "backend/.pulumi/locks/organization/user/dev");
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "left.json"), "");
  const refused = await terminal.run(...up);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("left.json can't be read") });
  expect(await terminal.dev("unlock")).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("locked by an unknown process"),
    stderr: expect.stringContaining("pass --yes"),
  });
  expect(await terminal.dev("unlock", "--yes")).toMatchObject({ code: 0 });
  expect((await terminal.dev("unlock")).stdout).toBe("the stack dev is not locked\n");
  expect((await terminal.run(...up)).code).toBe(0);
});

test("a stack that was mistyped is no new one: nothing is created, and the exit code says so", async () => {
  const { world, terminal } = await openScene(coupons(1, 10), "", ["live"]);
  const mistyped = await terminal.run("up", "--stack", "lvie", "--yes");
  expect(mistyped).toMatchObject({ code: 6, stderr: expect.stringContaining("did you mean live?") });
  terminal.env.PULUMI_BACKEND_URL += "s";
  const elsewhere = await terminal.run("up", "--stack", "live", "--yes");
  expect(elsewhere).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("backends, which should keep"),
  });
  expect(world.rows("discount_code")).toEqual([]);
});

test("the resources of a state are listed, removed and renamed; a stack is removed when it has none", async () => {
  const { world, terminal } = await openScene(coupons(2, 10));
  expect(await terminal.dev("state", "list")).toMatchObject({ code: 6 });
  await terminal.run(...up);
  const idOf = (code: string) => world.rows("discount_code").find((row) => row.code === code)?.id;
  // Two parallel creates: the state has them in the order of the responses.
  const { stdout: listed } = await terminal.run("state", "list");
  expect(listed.trimEnd().split("\n").toSorted()).toEqual([
    `Coupon  c0  ${idOf("C0")}`,
    `Coupon  c1  ${idOf("C1")}`,
  ]);
  const { stdout: json } = await terminal.run("state", "list", "--json");
  const inJson = JSON.parse(json) as { kind: string; name: string }[];
  expect(inJson.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual(["Coupon c0", "Coupon c1"]);
  expect(await terminal.run("state", "rename", "c1", "autumn")).toMatchObject({ code: 0 });
  terminal.write(
    "index.ts",
    coupons(1, 10).concat('new Coupon("autumn", { code: "C1", discount: 10, typeId: 1 });\n'),
  );
  expect(await terminal.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await terminal.run("state", "remove", "nobody")).toMatchObject({ code: 1 });
  expect(await terminal.run("state", "remove", "autumn")).toMatchObject({ code: 0 });
  expect(world.rows("discount_code")).toHaveLength(2);
  // A component is no object of the shop, so it isn't counted.
  const group =
    'import { ComponentResource } from "@pulumi/pulumi";\nnew ComponentResource("user:index:Group", "group");\n';
  terminal.write("index.ts", group.concat(coupons(1, 10)));
  expect(await terminal.run("up", "--yes")).toMatchObject({ code: 0 });
  expect(await terminal.run("stacks", "remove", "dev")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("still has 1 resource:"),
  });
  expect(await terminal.run("stacks", "remove", "dev", "--force")).toMatchObject({ code: 0 });
  expect((await terminal.run("stacks")).stdout).toBe("");
});

test("a script that the shop doesn't let be deleted is taken out of the state by its id, while its new copy stays", async () => {
  const world = await openWorld({ strict: true });
  const program = (content: string) =>
    `import { Coupon, JsTag } from "pulumi-shop";
const tag = new JsTag("chat", { type: "JsTag::TextTag", content: "${content}" });
new Coupon("sale", { code: "SALE", discount: { percent: 5 } }, { dependsOn: [tag] });\n`;
  const terminal = openTerminal(program("one()"), world.env);
  await terminal.run(...up);
  const [old] = world.rows("js_tag");
  terminal.write("index.ts", program("two()"));
  expect(await terminal.run(...up)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `Remove it in the back office, then remove it from the state (state remove ${old?.id});`,
    ),
  });
  await world.edit({ kind: "js_tag", id: old?.id, delete: true });
  // A refresh can't find that it was deleted: the shop has no such list.
  await terminal.dev("refresh", "--yes");
  expect(await terminal.run("state", "remove", String(old?.id))).toMatchObject({ code: 0 });
  expect((await terminal.run("state", "list")).stdout).toContain(String(world.rows("js_tag")[0]?.id));
  expect(await terminal.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a key that looks like a secret's is not kept readable without a word; a key is removed", async () => {
  const terminal = openTerminal("", {});
  const file = join(terminal.folder, "Pulumi.dev.yaml");
  const set = (...args: readonly string[]) => terminal.dev("config", "set", ...args);
  expect(await set("shop:password", "0123")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("shop:password looks like a secret: store it with --secret"),
  });
  expect(readFileSync(file, "utf8")).not.toContain("0123");
  expect(await set("apiToken", "0123", "--plaintext")).toMatchObject({ code: 0 });
  expect(await set("word", "0123", "--secret")).toMatchObject({ code: 0 });
  expect(await set("word", "4567")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("word is a secret"),
  });
  expect((await terminal.dev("config")).stdout).toBe("user:apiToken: [secret]\nuser:word: [secret]\n");
  expect(await terminal.dev("config", "remove", "word")).toMatchObject({ code: 0 });
  expect(await terminal.dev("config", "remove", "word")).toMatchObject({ code: 1 });
  expect((await terminal.dev("config", "get", "apiToken")).stdout).toBe("0123\n");
});

test("a key that the stack's file has without the project's name is set and removed there, and stands there once", async () => {
  const terminal = openTerminal("", {});
  const file = join(terminal.folder, "Pulumi.dev.yaml");
  writeFileSync(file, 'config:\n  # The first order.\n  percent: "10"\n');
  const config = (...args: readonly string[]) => terminal.dev("config", ...args);
  expect(await config("set", "user:percent", "15")).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe('config:\n  # The first order.\n  percent: "15"\n');
  expect((await config()).stdout).toBe("user:percent: 15\n");
  expect(await config("remove", "percent")).toMatchObject({ code: 0 });
  expect((await config()).stdout).toBe("");
});
