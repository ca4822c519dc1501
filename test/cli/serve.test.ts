// serve: lines for a shell, a connected stack, a port in use.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../support/process.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal, root, type Terminal } from "./terminal.ts";

const program = `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n`;

/** Starts `serve` and waits for its first lines; it is stopped when the test ends. */
async function served({ folder, env }: Terminal, lines: number, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "serve", ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const text = await new Promise<string>((resolve) => {
    let seen = "";
    child.stdout.on("data", (chunk) => {
      seen += chunk;
      if (seen.split("\n").length > lines) resolve(seen);
    });
  });
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { text, stop };
}

test("--env prints what a shell evaluates, and up reaches the shop with it", async () => {
  const terminal = openTerminal(program);
  const { text, stop } = await served(terminal, 3, "--env", "--secret", "it's");
  for (const line of text.trimEnd().split("\n")) {
    const [, name = "", value = ""] = /^export (\w+)='([^']*)'$/.exec(line) ?? [];
    terminal.env[name] = value;
  }
  expect(Object.keys(terminal.env)).toEqual(
    expect.arrayContaining(["SHOP_URL", "SHOP_APPLICATION_ID", "SHOP_PASSWORD"]),
  );
  expect(await terminal.dev("up", "--yes")).toMatchObject({ code: 0 });
  expect(await stop()).toBe(0);
});

test("--stack connects a stack, also a new one, and keeps the access token encrypted", async () => {
  const terminal = openTerminal(program);
  const { text } = await served(terminal, 2, "--stack", "trial", "--create");
  expect(text).toMatch(/^A shop is at http:.*\n {2}npx pulumi-shop up --stack trial\n$/);
  const file = readFileSync(join(terminal.folder, "Pulumi.trial.yaml"), "utf8");
  expect(file).toMatch(/shop:password:\n +secure: v1:/);
  expect(await terminal.run("up", "--stack", "trial", "--yes")).toMatchObject({ code: 0 });
  const again = await served(terminal, 4, "--stack", "trial");
  expect(again.text).toContain(
    "The state of trial has 1 resource of an earlier shop: up --new-shop --stack trial creates everything in this one.",
  );
  expect(await terminal.run("up", "--stack", "trial", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Without --database FILE, serve starts a new shop each time"),
  });
  expect(await terminal.run("up", "--stack", "trial", "--yes", "--new-shop")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("+ 1 created"),
  });
});

test("--stack never takes a stack from a shop elsewhere", async () => {
  const terminal = openTerminal(program);
  terminal.write("Pulumi.live.yaml", "config:\n  shop:url: https://my-shop.example\n");
  expect(await terminal.run("serve", "--stack", "live")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the stack live belongs to https://my-shop.example"),
  });
  expect(readFileSync(join(terminal.folder, "Pulumi.live.yaml"), "utf8")).toContain("my-shop.example");
});

test("a port that is taken is named, with what to do", async () => {
  const { url } = await openWorld();
  const { port } = new URL(url);
  expect(await openTerminal("").run("serve", "--port", port)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `error: port ${port} is already in use; choose another with --port, or leave it out\n`,
  });
});

test("a password that is readable in the stack's file is shown by no list, and git is kept from it", async () => {
  const terminal = openTerminal(program, {}, "", []);
  delete terminal.env.PULUMI_CONFIG_PASSPHRASE;
  execFileSync("git", ["init", "-q", terminal.folder]);
  const { text } = await served(terminal, 3, "--stack", "trial", "--create");
  expect(text).toContain("unencrypted: add Pulumi.trial.yaml to .gitignore");
  const [, password = "none"] =
    /shop:password: ["']?([0-9a-f]{32})/.exec(terminal.read("Pulumi.trial.yaml")) ?? [];
  for (const how of [[], ["--json"]]) {
    const { stdout } = await terminal.run("config", "--stack", "trial", ...how);
    expect(stdout).toContain("[secret]");
    expect(stdout).not.toContain(password);
  }
  const shown = await terminal.run("config", "--stack", "trial", "--show-secrets");
  expect(shown.stdout).toContain(`shop:password: ${password}`);
  terminal.write(".gitignore", "Pulumi.trial.yaml\n");
  expect((await served(terminal, 2, "--stack", "trial")).text).not.toContain("gitignore");
});

test("a project that init writes keeps the stack of serve out of git", async () => {
  const terminal = openTerminal("");
  expect((await terminal.run("init", "my-shop")).code).toBe(0);
  expect(terminal.read("my-shop/.gitignore").split("\n")).toContain("Pulumi.dev.yaml");
  expect(terminal.read("my-shop/.gitignore").split("\n")).toContain("plan.json");
});

test.each([
  ["products", "did you mean product?"],
  ["coupon", "the kinds are account, product, discount_code"],
])("a fixture with the kind %s, which doesn't exist, starts no shop", async (kind, help) => {
  const terminal = openTerminal(program);
  terminal.write("shop.json", JSON.stringify({ [kind]: [{ title: "Mug" }] }));
  const typed = [process.execPath, join(root, "dist/cli/main.js"), "serve", "--fixture", "shop.json"];
  const { code, output } = await runCommand(terminal.folder, typed, terminal.env);
  expect(code, output).toBe(2);
  expect(output).toContain(`error: --fixture shop.json: there is no kind ${kind}`);
  expect(output).toContain(help);
});

test("the account in a fixture is the shop's: its time zone is that of the program's times", async () => {
  const terminal = openTerminal(program.replace("typeId: 1", 'typeId: 1, from: "2040-03-01T00:00"'));
  terminal.write("shop.json", JSON.stringify({ account: [{ time_zone: "Berlin" }] }));
  await served(terminal, 2, "--stack", "dev", "--fixture", "shop.json");
  const { stdout } = await terminal.done("preview", "--diff");
  expect(stdout).toContain('from: "2040-03-01T00:00:00+01:00"');
  terminal.write("shop.json", JSON.stringify({ account: [{}, {}] }));
  const typed = [process.execPath, join(root, "dist/cli/main.js"), "serve", "--fixture", "shop.json"];
  expect(await runCommand(terminal.folder, typed, terminal.env)).toEqual({
    code: 2,
    output: "error: --fixture shop.json: a shop has one account\n",
  });
});
