// Commands as people type them: answers, names from other tools, options in any order, mistyped names.
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { noteInTime } from "../../cli/deploy/run-commands.ts";
import { help } from "../../cli/options.ts";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { type Answer, runWarm } from "../warm/commands.ts";
import { openScene, openTerminal, type Terminal } from "./terminal.ts";

const coupon = `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n`;

const opened = (stacks?: readonly string[]) => openScene(coupon, "", stacks);

/** Types each answer after its question; then the input ends. */
const typing = ({ folder, env }: Terminal, answers: readonly Answer[], ...args: readonly string[]) =>
  runWarm(args, folder, env, answers);

const question = "Apply these changes to the shop? (yes/no)";

test.for(["y", "yes", "Y", "YES"])("a question is answered with %s, and the run goes on", async (answer) => {
  const { world, terminal } = await opened();
  const ran = await typing(terminal, [[question, answer]], "up", "--stack", "dev");
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("1 created") });
  expect(world.rows("discount_code")).toHaveLength(1);
});

test("a question that was answered with neither yes nor no is asked again, and no is not an error", async () => {
  const { world, terminal } = await opened();
  const again = "Please answer yes or no:";
  const ran = await typing(
    terminal,
    [
      [question, "sure"],
      [again, ""],
      [again, "n"],
    ],
    ...["up", "--stack", "dev"],
  );
  expect(ran.code).toBe(8);
  expect(ran.stderr).toContain("not confirmed\nNothing was changed in the shop.\n");
  expect(ran.stderr).not.toContain("error:");
  // Without an answer, as after Ctrl-C, the next line is not behind the question.
  const ended = await typing(terminal, [[question, "sure"]], "up", "--stack", "dev");
  expect(ended).toMatchObject({ code: 8, stderr: expect.stringContaining(`${again} \nnot confirmed\n`) });
  expect(world.rows("discount_code")).toEqual([]);
});

test("what up would put back of staff's edits is asked about by itself; --keep leaves it, accept takes it", async () => {
  const { world, terminal } = await opened();
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "55.0" } });
  await terminal.done("refresh", "--yes");
  const ask = "Put back 1 edit of staff? (yes/no)";
  const no = await typing(terminal, [[ask, "no"]], "up", "--stack", "dev");
  expect(no.code).toBe(8);
  expect(no.stderr).toContain("Use accept to write the edits into the program, or up --keep NAMES");
  await terminal.done("up", "--yes", "--keep", "spring");
  await terminal.done("up", "--yes", "--keep", "Coupon");
  expect(world.rows("discount_code")).toMatchObject([{ discount: "55.0" }]);
  // Not asked without a terminal: with drift: stop, the edit is a conflict.
  terminal.write(
    "Pulumi.dev.yaml",
    `${terminal.read("Pulumi.dev.yaml").replace("config: {}", "config:")}  shop:drift: stop\n`,
  );
  const stopped = await terminal.dev("up", "--yes");
  expect([stopped.code, stopped.stdout]).toEqual([
    1,
    expect.stringContaining("last run 10 %, in the shop now 55 %, the program asks for 10 %"),
  ]);
  expect(stopped.stdout).toContain(
    "accept spring writes the shop's values into the program; --keep spring leaves them in the shop",
  );
  const took = await typing(
    terminal,
    [["Write this into the program? (yes/no)", "y"]],
    "accept",
    "--force",
    "--stack",
    "dev",
  );
  expect(took.code, took.stderr).toBe(0);
  expect(terminal.read("index.ts")).toBe(coupon.replace("10", "55"));
  await terminal.done("preview", "--expect-no-changes");
});

test("no command has one letter for two of its options", async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const letters = Object.values((await load()).options).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size, name).toBe(letters.length);
  }
});

test("the stack may be named before the command, in each of its forms", async () => {
  const { terminal } = await opened();
  const forms = [
    ["-s", "dev"],
    ["--stack", "dev"],
    ["--stack=dev"],
    ["--json", "-C", terminal.folder, "-s", "dev"],
  ];
  for (const before of forms)
    expect(await terminal.run(...before, "preview"), before.join(" ")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("spring"),
    });
  expect((await terminal.run("-v")).stdout).toBe((await terminal.run("--version")).stdout);
});

test("plan is preview, apply is up, and other tools' commands are told what to use instead", async () => {
  const { world, terminal } = await opened();
  expect(await terminal.run("plan", "-s", "dev")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Preview: user\/dev/),
  });
  expect((await terminal.run("apply", "--help")).stdout).toContain("Usage: pulumi-shop up");
  expect(await terminal.run("apply", "-s", "dev", "--yes")).toMatchObject({ code: 0 });
  expect(world.rows("discount_code")).toHaveLength(1);
  const hints = {
    diff: "preview --diff",
    deploy: "use up",
    status: "refresh --preview-only",
    login: "config set",
  };
  for (const [name, hint] of Object.entries(hints)) {
    const { code, stderr } = await terminal.run(name);
    expect(code, name).toBe(2);
    expect(stderr, name).toMatch(new RegExp(`^error: unknown command ${name}: .*${hint}`));
  }
});

test("where a project has several stacks, the one is asked for, and without a terminal it is an error", async () => {
  const { world, terminal } = await opened(["dev", "live", "staging"]);
  await terminal.dev("up", "--yes", "--skip-preview");
  const before = world.rows("discount_code");
  for (const command of ["preview", "output", "refresh", "destroy"]) {
    const { code, stderr } = await terminal.run(command);
    expect(code, command).toBe(6);
    expect(stderr, command).toContain("has several stacks (dev, live, staging): name one with --stack");
  }
  const list = "Which stack: dev, live, staging?";
  const ran = await typing(
    terminal,
    [
      [list, "prod"],
      ["Please type one of dev, live, staging:", "staging"],
    ],
    "preview",
  );
  expect(ran).toMatchObject({ stdout: expect.stringContaining("user/staging") });
  expect(world.rows("discount_code")).toEqual(before);
});

test("the files of a project in Pulumi.yml have its ending, as Pulumi names them", async () => {
  const { terminal } = await opened();
  const { folder } = terminal;
  renameSync(join(folder, "Pulumi.dev.yaml"), join(folder, "Pulumi.dev.yml"));
  expect(await terminal.dev("preview")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `${join(folder, "Pulumi.dev.yml")} isn't read: name it Pulumi.dev.yaml, with the ending of the project's file\n`,
    ),
  });
  renameSync(join(folder, "Pulumi.yaml"), join(folder, "Pulumi.yml"));
  await terminal.done("config", "set", "greeting", "hello");
  await terminal.done("up", "--yes", "--skip-preview");
  await terminal.done("pull", "coupons");
  expect(terminal.read("Pulumi.dev.yml")).toMatch(/^ {2}user:greeting: hello$/m);
  expect(readdirSync(folder).filter((name) => name.startsWith("Pulumi."))).toEqual([
    "Pulumi.dev.yml",
    "Pulumi.yml",
  ]);
});

test("a folder that does not exist is named, also inside of a project", async () => {
  const { terminal } = await opened();
  for (const folder of ["/nonexist", join(terminal.folder, "typo")])
    expect((await terminal.run("preview", "-s", "dev", "-C", folder)).stderr).toContain(
      `error: the folder ${folder} does not exist`,
    );
  mkdirSync(join(terminal.folder, "typo"));
  expect((await terminal.run("preview", "-s", "dev", "-C", join(terminal.folder, "typo"))).code).toBe(0);
});

test("a name of a resource or of a kind that is nearly right is told the right one", async () => {
  const { terminal } = await opened();
  await terminal.dev("up", "--yes", "--skip-preview");
  const said = async (...args: readonly string[]) => {
    const { code, all } = await terminal.dev(...args);
    expect(code).not.toBe(0);
    return all;
  };
  for (const option of ["--target", "--exclude", "--replace", "--overwrite", "--allow"])
    expect(await said("preview", option, "sprng"), option).toContain("did you mean spring?");
  expect(await said("state", "remove", "sprng")).toContain("did you mean spring?");
  expect(await said("import", "cupon", "one", "1")).toContain("there is no kind cupon, did you mean Coupon?");
});

test("a stack without a shop is named by each command, and no stack with a shop of its own is told to serve", async () => {
  const terminal = openTerminal(coupon, {}, "", ["dev", "staging"]);
  for (const args of [
    ["preview", "--stack", "staging"],
    ["up", "-s", "staging", "--yes"],
    ["compare", "staging", "dev"],
  ]) {
    const { code, stderr } = await terminal.run(...args);
    expect(code, args[0]).toBe(1);
    expect(stderr, args[0]).toContain("the stack staging has no complete connection to a shop:");
    expect(stderr, args[0]).toContain(
      "npx pulumi-shop config set shop:url https://my-shop.example --stack staging",
    );
    expect(stderr, args[0]).toContain("npx pulumi-shop serve --stack dev --create");
  }
});

test("a shop that answers plain http, and an address without a scheme, say what to write", async () => {
  const { world, terminal } = await opened();
  const { host } = new URL(world.url);
  terminal.env.SHOP_URL = `https://${host}`;
  const said = await terminal.run("preview", "-s", "dev");
  expect(said.all).toContain(`${host} answers plain http: write http://${host}`);
  expect(said.all).not.toContain("routines");
  terminal.env.SHOP_URL = host;
  expect((await terminal.run("preview", "-s", "dev")).stderr).toContain(
    `shop:url has no scheme: write http://${host}, or https://${host}`,
  );
});

test("serve wants --create for a new stack, as every command does, and needs no program yet", async () => {
  const { terminal } = await opened();
  rmSync(join(terminal.folder, "index.ts"));
  expect(await terminal.run("serve", "--stack", "dve")).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("the stack dve does not exist (did you mean dev?)"),
  });
  const served = await terminal.until(
    /A shop is at/,
    (pid) => process.kill(pid, "SIGINT"),
    "serve",
    "-s",
    "dev",
  );
  expect(served).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("A shop is at http:"),
  });
  expect((await terminal.run("up", "-s", "dev", "--yes")).stderr).toMatch(
    /main names .*index\.ts, which doesn't exist: create it, or correct main/,
  );
});

const setSecret = ["config", "set", "shop:token", "--secret", "--stack", "dev"];

function withoutPassphrase(): Terminal {
  const terminal = openTerminal(coupon);
  delete terminal.env.PULUMI_CONFIG_PASSPHRASE;
  return terminal;
}

test("without a terminal the first secret says how to make a passphrase, in PowerShell too, and that it must be kept", async () => {
  const terminal = withoutPassphrase();
  terminal.write("Pulumi.dev.yaml", "config: {}\n");
  const { code, stderr } = await terminal.run(...setSecret, "abc");
  expect(code).toBe(1);
  expect(stderr).toContain("export PULUMI_CONFIG_PASSPHRASE=$(openssl rand -base64 24)");
  expect(stderr).toContain('$env:PULUMI_CONFIG_PASSPHRASE = "$(New-Guid)$(New-Guid)"');
  expect(stderr).toContain("keep it: without it the secrets are lost");
  expect(terminal.read("Pulumi.dev.yaml")).toBe("config: {}\n");
});

test("commands that need no secret work without the passphrase, and the others name the setting", async () => {
  const { terminal } = await openScene(
    'import * as pulumi from "@pulumi/pulumi"; import { Coupon } from "pulumi-shop"; ' +
      'new Coupon("c", { code: pulumi.secret("HIDDEN"), discount: { percent: 5 } }); export const word = pulumi.secret("HIDDEN"); export const open = 5;',
  );
  await terminal.done(
    "config",
    "set",
    "shop:password",
    String(terminal.env.SHOP_PASSWORD),
    "--secret",
    "--stack",
    "dev",
  );
  await terminal.done("up", "--yes", "--skip-preview");
  delete terminal.env.PULUMI_CONFIG_PASSPHRASE;
  const all = await Promise.all(
    ["history", "config", "stacks", "unlock --yes", "state list", "next --json", "output"].map((typed) =>
      terminal.run(...typed.split(" "), ...(typed === "stacks" ? [] : ["--stack", "dev"])),
    ),
  );
  expect(all.slice(4).map(({ stdout }) => stdout)).toEqual([
    expect.stringMatching(/^Coupon {2}c {2}\d+\n$/),
    "[]\n",
    'open: 5\nword: "[secret]"\n',
  ]);
  expect((await terminal.dev("output", "word", "--show-secrets")).stderr).toContain("passphrase must be set");
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
  expect((await terminal.dev("preview")).stderr).toContain(
    "error: the configuration shop:password can't be read: passphrase must be set",
  );
  expect((await terminal.run("stacks", "remove", "dev", "--force")).code).toBe(0);
});

test("on a terminal the passphrase is asked for, twice for the first secret, and the value without showing it", async () => {
  const terminal = withoutPassphrase();
  terminal.write("Pulumi.dev.yaml", "config: {}\n");
  const [ask, again] = ["Passphrase for the stack's secrets:", "Repeat the passphrase:"];
  const first = await typing(
    terminal,
    [
      [ask, "correct horse"],
      [again, "wrong horse"],
      ["The passphrases differ. Repeat the first one:", "correct horse"],
      ["shop:token:", "abcdef"],
    ],
    ...setSecret,
  );
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr + first.stdout).not.toMatch(/horse|abcdef/);
  const get = ["config", "get", "shop:token", "--stack", "dev"];
  const stopped = await typing(terminal, [[ask, "\u0003"]], ...get);
  expect(stopped).toMatchObject({ code: 8, stderr: `${ask} \nstopped\n` });
  expect((await terminal.run(...get)).stderr).toContain("use the one that encrypted the stack's secrets");
  expect(await typing(terminal, [[ask, "correct horse"]], ...get)).toMatchObject({
    code: 0,
    stdout: "abcdef\n",
  });
});

campaignTest(
  "TypeScript that can't be run by taking its types away says how to write it, or how to have it compiled",
  async () => {
    const { terminal } = await opened();
    terminal.write("index.ts", `enum Size { S, L }\n${coupon}console.log(Size.S);\n`);
    const ofModule = await terminal.start("preview", "-s", "dev");
    expect(ofModule.code).toBe(1);
    expect(ofModule.stderr).toContain("enum is not supported in strip-only mode");
    expect(ofModule.stderr).toContain("such as a const object instead of an enum\n");
    terminal.write("package.json", '{ "name": "user" }');
    const { code, stderr } = await terminal.start("preview", "-s", "dev");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("; or remove typescript: false from Pulumi.yaml: then"),
    ]);
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml").replace("    typescript: false\n", ""));
    const { code: done, stderr: why } = await terminal.start("preview", "-s", "dev");
    expect(done, why).toBe(0);
  },
);

test("a preview says where the program's types are wrong, which Node runs all the same", async () => {
  const world = await openWorld();
  const program = `import { Coupon } from "pulumi-shop";
const percent: number = "10" as unknown as string;
new Coupon("spring", { code: "SPRING", discount: percent, typeId: 1 });
`;
  const terminal = openTerminal(program, world.env);
  const options = { module: "nodenext", strict: true, skipLibCheck: true, types: [], noEmit: true };
  terminal.write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  terminal.warnings.push(/has type errors/);
  const wrong = await terminal.done("preview");
  expect(wrong.stdout).toContain("+ 1 to create");
  expect(wrong.stderr).toContain(
    "warning: the program has type errors, which Node ignores when it runs the program; npx tsc --noEmit lists them:\n" +
      "  index.ts:2: Type 'string' is not assignable to type 'number'.\n",
  );
});

test("a preview that waits for the compiler says so after a moment, a quick one doesn't", async () => {
  const said: string[] = [];
  const timers: (() => void)[] = [];
  const timer = (delayMs: number, done: () => void) => {
    expect(delayMs).toBe(300);
    const index = timers.push(done) - 1;
    return () => void timers.splice(index, 1);
  };
  const say = (line: string) => void said.push(line);
  expect(await noteInTime({ note: async () => "wrong" }, say, timer)).toBe("wrong");
  expect([timers, said]).toEqual([[], []]);
  const compiled = Promise.withResolvers<string | undefined>();
  const note = noteInTime({ note: () => compiled.promise }, say, timer);
  timers[0]?.();
  compiled.resolve(undefined);
  expect(await note).toBe(undefined);
  expect([timers, said]).toEqual([[], ["Checking the program's types"]]);
});

test("no line of a command's help is longer than 100 characters", async () => {
  const loaded = await Promise.all(Object.values(commands).map(({ load }) => load()));
  expect(loaded.flatMap((command) => help(command).split("\n")).filter((line) => line.length > 100)).toEqual(
    [],
  );
});
