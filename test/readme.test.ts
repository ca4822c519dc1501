// Follows the README: each block runs in its order, in an empty home.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./cli/terminal.ts";
import { campaignTest } from "./support/campaign.ts";
import { openWorld } from "./support/world.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

interface Person {
  readonly home: string;
  readonly env: Record<string, string>;
}

/** A user with a home of their own; npm installs this repository and its packages. */
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

/** Runs a block in a shell that stops at the first error. @param typed the input, as at a terminal */
function shell(
  { env }: Person,
  cwd: string,
  text: string,
  typed?: string,
): { child: ChildProcess; ended: Promise<string> } {
  // The command only checks whether its input is a terminal.
  const seated = { NODE_OPTIONS: "--import data:text/javascript,process.stdin.isTTY=true" };
  const child = spawn("bash", ["-ec", text], {
    cwd,
    env: { ...env, ...(typed !== undefined && seated) },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin?.end(typed);
  let said = "";
  const ended = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
    child.once("close", (code) => (code === 0 ? resolve(said) : reject(new Error(`${text}\n${said}`))));
  });
  return { child, ended };
}

/** The only block of the README with a line. */
function blockWith(line: string): string {
  const found = blocks.filter(({ text }) => text.includes(line));
  expect(found, line).toHaveLength(1);
  return found[0]?.text ?? "";
}

/** The commands of a block, without its comments. */
const commandsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, ""));

test("the README is short, has no placeholder, and no block that isn't run here", () => {
  expect(readme.split("\n").length).toBeLessThan(160);
  expect(readme).not.toMatch(/<(?!\/?h1>)[a-z][\w -]*>/);
  expect(blocks.map(({ language }) => language).join(" ")).toBe("sh sh ts sh sh powershell sh sh");
});

test("the README's program is the one that init writes", () => {
  expect(blocks.find(({ language }) => language === "ts")?.text).toBe(
    readFileSync(join(root, "examples/template/index.ts"), "utf8"),
  );
});

test("the README's commands of a checkout are scripts of the package, each with what it does and how long", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const lines = blockWith("npm run demo").trim().split("\n");
  for (const line of lines) {
    const [, name = ""] = /^npm (?:run )?(\w+) +# \d+/.exec(line) ?? [];
    expect(Object.keys(scripts), line).toContain(name);
  }
});

test("the README's lines for PowerShell set what those for a POSIX shell set, and no more", () => {
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
  const posix = blockWith("npx pulumi-shop pull");
  const power = blocks.find(({ language }) => language === "powershell")?.text ?? "";
  expect(namesIn(power, /\$env:(\w+) = /g)).toEqual(namesIn(posix, /(?<=export .*)(\w+)=/g));
  expect(power).toContain('echo "$env:PULUMI_CONFIG_PASSPHRASE"');
  expect(power).not.toMatch(/export|\$\(cat|&&|openssl/);
});

// The change in the README's comment: two prices and the coupon's discount are raised.
const products = (
  mug: number,
  bowl: number,
) => `${readFileSync(join(root, "examples/template/index.ts"), "utf8")}
import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "MUG-RED", price: ${mug}, quantity: 40 }] });
new Product("bowl", { title: "Bowl", variants: [{ sku: "BOWL", price: ${bowl}, quantity: 12 }] });
`;

campaignTest(
  "the README from nothing: a project, a shop beside it, up, up again, the project's test, and the comment that it shows",
  async () => {
    const reader = person();
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
    const [up = "", again = ""] = commandsOf(blockWith("answer y"));
    expect(await shell(reader, folder, up, "y\n").ended).toContain("2 created");
    expect(await shell(reader, folder, again).ended).toContain("2 unchanged");
    const said = await shell(reader, folder, blockWith("npx pulumi-shop preview --stack dev --diff")).ended;
    expect(said).toMatch(/2 unchanged[\s\S]*2 unchanged[\s\S]*1 passed/);
    writeFileSync(join(folder, "index.ts"), products(12.5, 24));
    await shell(reader, folder, "npx pulumi-shop up --stack dev --yes").ended;
    writeFileSync(join(folder, "index.ts"), products(13.5, 26));
    const comment = await shell(
      reader,
      folder,
      "npx pulumi-shop config set welcomePercent 15 --stack dev; npx pulumi-shop preview --stack dev --markdown - 2>&-",
    ).ended;
    const shown = readme
      .split("\n")
      .flatMap((line) => /^> ?(.*)$/.exec(line)?.[1] ?? [])
      .join("\n");
    // Who ran it, and when, differs.
    const plain = (text: string) =>
      text.replace(/\n+<sub>[\s\S]*/, "").replace(/^Last up: \S+, .*\.$/m, "Last up");
    expect(plain(comment)).toBe(plain(shown));
  },
);

campaignTest(
  "the README with a shop that is there: pulled, taken over without a write, committed; then a pull request's file",
  async () => {
    const world = await openWorld();
    await world.client.coupons.create({ code: "SALE", discount: 10, typeId: 1 });
    const reader = person();
    writeFileSync(join(reader.home, "token.txt"), `${world.credentials.password}\n`);
    const block = blockWith("pulumi-shop pull")
      .replace("https://my-shop.example", world.url)
      .replace("my-app", world.credentials.applicationId);
    let said = "";
    const sent = await world.during(async () => {
      said = await shell(reader, reader.home, block).ended;
    });
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    const folder = join(reader.home, "live-shop");
    expect(existsSync(join(folder, ".git"))).toBe(true);
    const [passphrase = ""] = said.split("\n");
    expect(passphrase).toMatch(/^[\w+/]{32}$/);
    Object.assign(reader.env, world.env, { PULUMI_CONFIG_PASSPHRASE: passphrase });
    await shell(reader, folder, blockWith("--markdown plan.md")).ended;
    expect(readFileSync(join(folder, "plan.md"), "utf8")).toContain("Nothing to change");
  },
);
