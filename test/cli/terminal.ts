/**
 * The built command at a terminal, with a folder and environment of its own. In the campaign every run is a
 * process of its own; in `npm test` one process serves many runs.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { newEncryptionSalt } from "../../engine/project/secrets.ts";
import { full } from "../support/campaign.ts";
import { expectCalm } from "../support/warnings.ts";
import { openWorld, type World } from "../support/world.ts";
import { runWarm } from "../warm/commands.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "dist/cli/main.js");

const passphrase = "correct horse";
// One salt for all stacks, so that a process derives its key only once.
const salt = newEncryptionSalt(passphrase);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Said extends Ran {
  /** Both streams. */
  readonly all: string;
}

export interface Terminal {
  readonly folder: string;
  readonly env: Record<string, string>;
  write(path: string, text: string | Buffer): void;
  read(path: string): string;
  run(...args: readonly string[]): Promise<Said>;
  /** Runs on the stack `dev`. */
  dev(...args: readonly string[]): Promise<Said>;
  /** Runs on the stack `dev` if no other is named, and must succeed. */
  done(...args: readonly string[]): Promise<Said>;
  /** Expected warnings; any other warning of a successful command is an error. */
  readonly warnings: RegExp[];
  /** Always runs in a process of its own. */
  start(...args: readonly string[]): Promise<Said>;
  /** Runs until a line is printed, then calls back with the output and the process. */
  until(line: RegExp, then: (pid: number, printed: string) => void, ...args: readonly string[]): Promise<Ran>;
}

/** The output of a process until it ends. @param watch receives all of standard output so far, after each chunk */
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

function calm(ran: Ran, expected: readonly RegExp[]): Said {
  const all = `${ran.stdout}\n${ran.stderr}`;
  if (ran.code === 0) expectCalm(all, expected);
  return { ...ran, all };
}

/** A folder with a project, its program and files of its stacks; `pulumi-shop` is installed in it. */
export function openTerminal(
  program: string,
  env: Readonly<Record<string, string>> = {},
  plugins = "",
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
    `name: user\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.ts\n${plugins}`,
  );
  write("index.ts", program);
  for (const stack of stacks) write(`Pulumi.${stack}.yaml`, `encryptionsalt: ${salt}\nconfig: {}\n`);
  const whole: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TMPDIR: tmpdir(),
    // Compiled once for all homes.
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
  const run = async (...args: readonly string[]) =>
    calm(await (full ? start(args, () => {}) : runWarm(args, folder, whole)), warnings);
  const dev = (...args: readonly string[]) => run(...args, "--stack", "dev");
  return {
    folder,
    env: whole,
    write,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    warnings,
    run,
    dev,
    async done(...args) {
      const ran = await (args.includes("--stack") ? run : dev)(...args);
      expect(ran.code, `${args.join(" ")}\n${ran.all}`).toBe(0);
      return ran;
    },
    start: async (...args) => calm(await start(args, () => {}), warnings),
    until(line, then, ...args) {
      let done = false;
      const watch = (text: string, pid: number) => {
        if (done || !line.test(text)) return;
        done = true;
        then(pid, text);
      };
      // A killed command can't remove its temporary files, so they are in the project.
      return start(args, watch, { ...whole, TMPDIR: folder });
    },
  };
}

/** A shop, and a terminal with a program for it. */
export async function openScene(program: string, plugins?: string, stacks?: readonly string[]) {
  const world = await openWorld();
  return { world, terminal: openTerminal(program, world.env, plugins, stacks) };
}

/** Connects a stack to a shop, with the access token encrypted. */
export async function connectStack(
  { run }: { run(...args: readonly string[]): Promise<Ran> },
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
