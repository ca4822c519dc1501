// Prepares `npm test`, `npm run demo` and others, on any Node from 20: installs a suitable Node and the packages of the
// lock file, and builds. It prints each of these steps and skips those that are done.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// @pulumi/pulumi needs Node 22 or later, undici 22.19 or later; type stripping without a flag needs 22.18.
const wanted = { major: 22, minor: 19, package: "node@24" };
const [task = "", ...rest] = process.argv.slice(2);

const tasks = {
  build: () => build(),
  // A package must not have the modules of an earlier build that were renamed since.
  prepack: () => {
    rmSync(join(root, "dist"), { recursive: true, force: true });
    return build();
  },
  demo: () => node([join(root, "scripts/demo.ts"), ...rest]),
  test: () => node([join(root, "scripts/test.ts"), ...rest]),
  // All tests at full size, including those that test/support/campaign.ts leaves out of `npm test`; or only walks.
  campaign: () => {
    const isOfWalks = rest.includes("--walks") || rest.includes("--trace");
    const script = isOfWalks ? "scripts/walks.ts" : "scripts/test.ts";
    return node([join(root, script), ...rest], { PULUMI_SHOP_CAMPAIGN: "full" });
  },
  check: () => node([join(root, "scripts/check.ts"), ...rest]),
  format: () =>
    node([join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--write", ...given(".")]),
  // Needs no build, because it may write sources of the build.
  generate: () => node([join(root, "scripts/generate.ts"), ...rest]),
  record: () => node([join(root, "scripts/record.ts"), ...rest]),
  release: () => node([join(root, "scripts/archives.ts"), ...rest]),
  bench: () => node([join(root, "scripts/bench/index.ts"), ...rest]),
};

/** Tasks that run the command itself; tests build it before the first of them (test/support/global-setup.ts). */
const needBuild = new Set(["demo", "bench", "release"]);

const given = (otherwise) => (rest.length > 0 ? rest : [otherwise]);

function main() {
  const run = tasks[task];
  if (run === undefined)
    fail(`there is no task ${JSON.stringify(task)}; there are ${Object.keys(tasks).join(", ")}`);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < wanted.major || (major === wanted.major && minor < wanted.minor)) return withNode();
  install();
  if (needBuild.has(task)) build(["--noCheck"]);
  return run();
}

function withNode() {
  if (process.env.PULUMI_SHOP_NODE !== undefined) fail(`Node ${process.versions.node} is still too old`);
  say(`Node ${process.versions.node} is too old: taking ${wanted.package} from the npm registry`);
  return spawn(
    "npx",
    ["-y", "-p", wanted.package, "--", "node", fileURLToPath(import.meta.url), task, ...rest],
    { PULUMI_SHOP_NODE: "1" },
  );
}

function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules/.installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  say("installing the packages of package-lock.json");
  const code = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0) fail("npm ci failed; is the npm registry reachable?");
  writeFileSync(stamp, lock);
}

// Tests check the types themselves (scripts/check.ts), and a demo needs none.
function build(options = []) {
  mkdirSync(join(root, "dist"), { recursive: true });
  const code = node([
    join(root, "node_modules/typescript-7/bin/tsc"),
    "-p",
    join(root, "tsconfig.build.json"),
    ...options,
  ]);
  if (code !== 0) fail("the build failed");
  return code;
}

const node = (args, env = {}) => spawn(process.execPath, args, env);

function spawn(command, args, env = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32" && command !== process.execPath,
  });
  if (error) fail(`${command} can't be started: ${error.message}`);
  return signal ? 130 : (status ?? 1);
}

function say(line) {
  process.stderr.write(`[pulumi-shop] ${line}\n`);
}

function fail(why) {
  say(why);
  process.exit(1);
}

process.exit(main());
