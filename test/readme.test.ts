// The README followed to the letter: each of its blocks is run, in its order, by somebody who has an empty home.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { campaignTest } from "./campaign.ts";
import { root } from "./cli/terminal.ts";
import { openWorld } from "./world.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

interface Person {
  readonly home: string;
  readonly env: Record<string, string>;
}

/** Somebody with a home of their own; what npm would fetch is this repository and what it has installed. */
function person(): Person {
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-reader-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  mkdirSync(join(home, "bin"));
  const tool = (name: string, script: string) => {
    writeFileSync(join(home, "bin", name), `#!/bin/sh\nset -e\n${script}\n`);
    chmodSync(join(home, "bin", name), 0o755);
  };
  tool(
    "npx",
    `test "$1" = pulumi-shop; shift; exec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"`,
  );
  tool(
    "npm",
    `case "$1" in install) test -e node_modules || ln -s "${join(root, "node_modules")}" node_modules;; test) exec node_modules/.bin/vitest run --root . ;; *) exit 1;; esac`,
  );
  return {
    home,
    env: {
      PATH: [join(home, "bin"), join(process.execPath, ".."), process.env.PATH].join(delimiter),
      HOME: home,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.test",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.test",
    },
  };
}

/** Runs a block as a shell does that stops at the first error. */
function shell({ env }: Person, cwd: string, text: string): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn("bash", ["-ec", text], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  const ended = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
    child.once("close", (code) => (code === 0 ? resolve(said) : reject(new Error(`${text}\n${said}`))));
  });
  return { child, ended };
}

/** The block that holds a line, and that the README has once. */
function blockWith(line: string): string {
  const found = blocks.filter(({ text }) => text.includes(line));
  expect(found, line).toHaveLength(1);
  return found[0]?.text ?? "";
}

test("it has about a hundred lines, no placeholder, and no block that isn't run here", () => {
  expect(readme.split("\n").length).toBeLessThan(125);
  expect(readme).not.toMatch(/<(?!\/?h1>)[a-z][\w -]*>/);
  expect(blocks.map(({ language }) => language)).toEqual(["ts", "sh", "sh", "sh", "sh", "sh"]);
});

campaignTest(
  "five minutes: a project, a shop beside it, up, up again, the project's test, and the program of the first page",
  async () => {
    const reader = person();
    await shell(reader, reader.home, blockWith("npm install pulumi-shop")).ended;
    rmSync(join(reader.home, "node_modules"));
    const { child, ended } = shell(reader, reader.home, blockWith("serve --stack dev"));
    onTestFinished(async () => {
      process.kill(-(child.pid as number), "SIGTERM");
      await ended.catch(() => undefined);
    });
    await new Promise<void>((resolve, reject) => {
      let seen = "";
      child.stdout?.on("data", (chunk) => {
        seen += chunk;
        if (seen.includes("In another terminal")) resolve();
      });
      ended.catch(reject);
    });
    const folder = join(reader.home, "my-shop");
    const said = await shell(reader, folder, blockWith("again: nothing to do")).ended;
    expect(said).toMatch(/2 created[\s\S]*2 unchanged[\s\S]*1 passed/);
    writeFileSync(join(folder, "index.ts"), blocks.find(({ language }) => language === "ts")?.text ?? "");
    const again = await shell(reader, folder, "npx pulumi-shop up --stack dev --yes").ended;
    expect(again).toContain('address: "mug"');
  },
);

campaignTest(
  "the shop you have: pulled, taken over without a write, committed; then a pull request's file",
  async () => {
    const world = await openWorld();
    await world.client.coupons.create({ code: "SALE", discount: 10, typeId: 1 });
    const reader = person();
    writeFileSync(join(reader.home, "token.txt"), `${world.credentials.password}\n`);
    writeFileSync(join(reader.home, "passphrase.txt"), "correct horse\n");
    const block = blockWith("pulumi-shop pull")
      .replace("https://my-shop.example", world.url)
      .replace("my-app", world.credentials.applicationId);
    const sent = await world.during(() => shell(reader, reader.home, `${block}`).ended);
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    const folder = join(reader.home, "live-shop");
    expect(existsSync(join(folder, ".git"))).toBe(true);
    Object.assign(reader.env, world.env, { PULUMI_CONFIG_PASSPHRASE: "correct horse" });
    await shell(reader, folder, blockWith("--markdown plan.md")).ended;
    expect(readFileSync(join(folder, "plan.md"), "utf8")).toContain("Nothing to change");
  },
);
