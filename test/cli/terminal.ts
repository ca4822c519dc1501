/**
 * The built command as a user at a terminal runs it: its own folder, nothing of ours in its environment. In the campaign
 * every run is a process of its own; `npm test` starts one process for many runs where nothing hangs on that.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { newEncryptionSalt } from "../../engine/project/secrets.ts";
import { full } from "../support/campaign.ts";
import { expectCalm } from "../support/warnings.ts";
import type { World } from "../support/world.ts";
import { runWarm } from "../warm/commands.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "dist/cli/main.js");

const passphrase = "correct horse";
// One for all stacks, as one that has had a secret has it: a process that runs many commands makes the key of it once.
const salt = newEncryptionSalt(passphrase);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Terminal {
  readonly folder: string;
  readonly env: Record<string, string>;
  write(path: string, text: string | Buffer): void;
  read(path: string): string;
  run(...args: readonly string[]): Promise<Ran>;
  /** Warnings that the test expects: any other is an error, where the command ends well. */
  readonly warnings: RegExp[];
  /** Runs in a process of its own, also in `npm test`. */
  start(...args: readonly string[]): Promise<Ran>;
  /** Runs until a line comes, then does something to the process, with what it has printed. */
  until(line: RegExp, then: (pid: number, printed: string) => void, ...args: readonly string[]): Promise<Ran>;
}

/** What a process prints until it ends. @param watch takes all of its standard output so far, each time that there is more */
export const ranOf = (
  child: ChildProcessByStdio<null, Readable, Readable>,
  watch: (text: string, pid: number) => void = () => {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      watch(stdout, child.pid as number);
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });

function calm(ran: Ran, expected: readonly RegExp[]): Ran {
  if (ran.code === 0) expectCalm(`${ran.stdout}\n${ran.stderr}`, expected);
  return ran;
}

/** A folder with a project whose program is given, and files of its stacks; `pulumi-shop` is installed in it. */
export function openTerminal(
  program: string,
  env: Readonly<Record<string, string>> = {},
  stacks: readonly string[] = ["dev"],
): Terminal {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-user-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  mkdirSync(join(folder, "backend"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", JSON.stringify({ name: "user", type: "module" }));
  write(
    "Pulumi.yaml",
    "name: user\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.ts\n",
  );
  write("index.ts", program);
  for (const stack of stacks) write(`Pulumi.${stack}.yaml`, `encryptionsalt: ${salt}\nconfig: {}\n`);
  const whole: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TMPDIR: tmpdir(),
    // Compiled once, and not for each home.
    XDG_CACHE_HOME: join(root, "node_modules/.cache"),
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    ...env,
  };
  const warnings: RegExp[] = [];
  const start = (
    args: readonly string[],
    watch: (text: string, pid: number) => void,
    env: Readonly<Record<string, string>> = whole,
  ) =>
    ranOf(
      spawn(process.execPath, [command, ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      }),
      watch,
    );
  return {
    folder,
    env: whole,
    write,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    warnings,
    run: async (...args) =>
      calm(await (full ? start(args, () => {}) : runWarm(args, folder, whole)), warnings),
    start: async (...args) => calm(await start(args, () => {}), warnings),
    until(line, then, ...args) {
      let done = false;
      const watch = (text: string, pid: number) => {
        if (done || !line.test(text)) return;
        done = true;
        then(pid, text);
      };
      // A command that is killed can't remove its temporary files: they go with the project.
      return start(args, watch, { ...whole, TMPDIR: folder });
    },
  };
}

/** Tells a stack which shop it is: address and application as they are, the access token encrypted. */
export async function connectStack(
  { run }: Pick<Terminal, "run">,
  stack: string,
  { url, credentials }: World,
): Promise<void> {
  const set = async (...args: readonly string[]) => {
    const { code, stderr } = await run("config", "set", ...args, "--stack", stack, "--create");
    if (code !== 0) throw new Error(stderr);
  };
  await set("shop:url", url);
  await set("shop:applicationId", credentials.applicationId);
  await set("shop:password", credentials.password, "--secret");
}
