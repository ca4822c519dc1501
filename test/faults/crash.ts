/** Runs that are killed: a program of five kinds on a shop of its own, and what is there after the next run. */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { serveShop } from "../../emulator/index.ts";
import { destroy, openStack, refresh, up } from "../../engine/index.ts";
import { root } from "../cli/terminal.ts";
import { full } from "../support/size.ts";
import { runWarm } from "../warm/commands.ts";

// The moments of a kill are the same where there is less of each kind.
const scale = full ? 5 : 2;
const size = 12 * scale;
const program = `
import { Asset, Coupon, File, getThemeOutput, PriceKind, Product } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
for (let i = 0; i < ${4 * scale}; i++) new Product("product" + i, { title: "Product " + i, variants: [{ sku: "S" + i, price: i, quantity: i }] });
for (let i = 0; i < ${3 * scale}; i++) new Coupon("coupon" + i, { code: "C" + i, discount: 10, typeId: 1 });
for (let i = 0; i < ${2 * scale}; i++) new File("file" + i, { content: "file " + i, filename: "file" + i + ".txt" });
for (let i = 0; i < ${2 * scale}; i++) new Asset("asset" + i, { themeId: theme.id, type: "Asset::Snippet", name: "crash" + i + ".liquid", content: "snippet " + i });
for (let i = 0; i < ${scale}; i++) new PriceKind("kind" + i, { title: "Kind " + i });
`;

const verbs = { up, refresh, destroy };

export type Verb = "up" | "refresh" | "destroy";
export type Victim = "engine" | "host" | "both";

/** When to kill: as a request arrives, before or after it has had its effect, or as a file of the state is written. */
export type Moment = { readonly request: number; readonly after: boolean } | { readonly write: number };

export interface Trial {
  readonly verb: Verb;
  readonly victim: Victim;
  readonly moment: Moment;
}

export interface Outcome {
  /** Whether the moment came before the run had ended by itself. */
  readonly killed: boolean;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly orphaned: readonly string[];
  /** Whether the next run said that it was done; otherwise what it said. */
  readonly converged: boolean;
  readonly said: string;
}

/** A random number from 0 to 1 that is the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function trialOf(verb: Verb, seed: number): Trial {
  const random = randomOf(seed * 7919 + verb.length);
  const victim = (["engine", "host", "both"] as const)[Math.floor(random() * 3)] as Victim;
  // A refresh reads pages and writes little: its moments lie closer together.
  const [requests, writes] = verb === "refresh" ? [13, 3] : [size, 8 * scale];
  const moment =
    random() < 0.3
      ? { write: 1 + Math.floor(random() * writes) }
      : { request: 1 + Math.floor(random() * requests), after: random() < 0.5 };
  return { verb, victim, moment };
}

interface Live {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** Which engine is killed, and which one goes on. */
export type By = "embedded" | "pulumi";

/** Performs a trial: the run that is killed, then the next run of the same command. */
export async function perform({ verb, victim, moment }: Trial, by: By = "embedded"): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-crash-"));
  const served = await serveShop({ limit: "off" });
  try {
    mkdirSync(join(folder, "backend/.pulumi/stacks/crash"), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      "name: crash\nruntime: {name: nodejs, options: {typescript: false}}\nmain: index.ts\n",
    );
    writeFileSync(join(folder, "index.ts"), program);
    writeFileSync(join(folder, "Pulumi.dev.yaml"), "config: {}\n");
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      // Who is killed leaves what it had there.
      TMPDIR: folder,
      SHOP_URL: served.url,
      SHOP_APPLICATION_ID: served.shop.credentials.applicationId,
      SHOP_PASSWORD: served.shop.credentials.password,
      // What this shop was doing when its client was killed, it had done a second later.
      SHOP_LATE_ANSWERS: "2",
      PULUMI_BACKEND_URL: `file://${folder}/backend`,
    };
    const objects = (): readonly Live[] =>
      served.shop.store.kinds().flatMap((kind) =>
        served.shop.store.list(kind).map((row) => ({
          kind,
          id: row.id,
          name:
            String(row.code ?? row.title ?? row.name ?? row.absolute_url ?? row.id)
              .split("/")
              .at(-1) ?? "",
        })),
      );
    const given = new Set(objects().map(({ kind, id }) => `${kind} ${id}`));
    const run = async (which: Verb): Promise<{ readonly outcome: string }> => {
      if (full)
        return verbs[which](openStack({ folder, stack: "dev", env, create: true }), { watch: () => {} });
      // Only the run that is killed needs processes of its own.
      const { code, stdout, stderr } = await runWarm(argumentsOf(which), folder, env);
      return { outcome: code === 0 ? "succeeded" : stdout + stderr };
    };
    if (by === "pulumi") Object.assign(env, pulumiEnvironment(folder));
    if (verb !== "up") await run("up");
    const killed = await runAndKill(served, folder, env, verb, victim, moment, by);
    const result = await (by === "pulumi" ? runPulumi(folder, env, verb) : run(verb)).catch(
      (error: Error) => ({
        outcome: error.message,
      }),
    );
    const wanted = verb === "destroy" ? 0 : size;
    const shop = objects().filter(({ kind, id }) => !given.has(`${kind} ${id}`));
    const state = statesOf(folder);
    const ids = new Set(state.map(({ id }) => id.split("/").at(-1)));
    const names = shop.map(({ kind, name }) => `${kind} ${name}`);
    return {
      killed,
      converged: result.outcome === "succeeded" && state.length === wanted,
      said: result.outcome.slice(-2_000),
      lost: state
        .filter(({ id }) => !shop.some((one) => String(one.id) === id.split("/").at(-1)))
        .map(({ urn }) => urn),
      doubled: names.filter((name, index) => names.indexOf(name) !== index),
      orphaned: shop.filter(({ id }) => !ids.has(String(id))).map(({ kind, name }) => `${kind} ${name}`),
    };
  } finally {
    await served.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function statesOf(folder: string): readonly { readonly urn: string; readonly id: string }[] {
  const path = join(folder, "backend/.pulumi/stacks/crash/dev.json");
  const file = JSON.parse(readFileSync(path, "utf8")) as {
    checkpoint: { latest: { resources?: { urn: string; id?: string; type: string }[] } };
  };
  return (file.checkpoint.latest.resources ?? []).flatMap(({ urn, id, type }) =>
    id === undefined || type.startsWith("pulumi:") ? [] : [{ urn, id }],
  );
}

const argumentsOf = (verb: Verb) => [verb, "--stack", "dev", "--yes", "--skip-preview"];

type Served = Awaited<ReturnType<typeof serveShop>>;

/** Starts the command and kills at the moment. @returns whether it came before the end */
async function runAndKill(
  served: Served,
  folder: string,
  env: Record<string, string>,
  verb: Verb,
  victim: Victim,
  moment: Moment,
  by: By,
): Promise<boolean> {
  const args = argumentsOf(verb);
  if (by === "pulumi") await pulumi(folder, env, ["stack", "select", "--create", "dev"]);
  const child =
    by === "pulumi"
      ? spawn("pulumi", [...args, "--non-interactive"], { cwd: folder, env, stdio: "ignore" })
      : spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
          cwd: folder,
          env,
          stdio: "ignore",
        });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let killed = false;
  const family: number[] = [];
  const kill = () => {
    if (killed || child.exitCode !== null || child.pid === undefined) return;
    killed = true;
    family.push(...descendantsOf(child.pid));
    const hosts = family.filter((pid) => commandOf(pid).includes("dynamic-provider"));
    for (const pid of [...(victim === "engine" ? [] : hosts), ...(victim === "host" ? [] : [child.pid])])
      end(pid);
  };
  const restore = "request" in moment ? onRequest(served, moment, kill) : onWrite(folder, moment.write, kill);
  await ended;
  restore();
  // The real engine's children outlive it for long: they go down with it, as with their machine.
  if (by === "pulumi") for (const pid of family) end(pid);
  // What a dead engine of ours left running ends by itself; the next run of a person comes later than that.
  for (const pid of family) while (isAlive(pid)) await pause(2);
  return killed;
}

function onRequest(
  { shop }: Served,
  { request, after }: { request: number; after: boolean },
  kill: () => void,
): () => void {
  const { handle } = shop;
  let count = 0;
  shop.handle = async (one) => {
    count += 1;
    if (count !== request) return handle(one);
    if (!after) kill();
    const answer = await handle(one);
    if (after) kill();
    return answer;
  };
  return () => {
    shop.handle = handle;
  };
}

function onWrite(folder: string, write: number, kill: () => void): () => void {
  let count = 0;
  const watcher = watch(join(folder, "backend/.pulumi/stacks/crash"), () => {
    count += 1;
    if (count === write) kill();
  });
  return () => watcher.close();
}

const pulumiEnvironment = (folder: string) => ({
  PULUMI_HOME: join(folder, "home"),
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_CONFIG_PASSPHRASE: "crash",
});

/** What a person does after the real engine died: its lock is taken away, and the same command is given again. */
async function runPulumi(
  folder: string,
  env: Record<string, string>,
  verb: Verb,
): Promise<{ outcome: string }> {
  restore(join(folder, "backend/.pulumi/stacks/crash/dev.json"));
  await pulumi(folder, env, ["cancel", "dev", "--yes"]);
  await pulumi(folder, env, ["stack", "select", "--create", "dev"]);
  const { code, text } = await pulumi(folder, env, [verb, "--stack", "dev", "--yes", "--skip-preview"]);
  return { outcome: code === 0 ? "succeeded" : text };
}

// Killed inside the write of its state, the real engine may leave an empty file ("failed to load checkpoint: EOF"). What
// stood there before is beside it; where that is empty too the state is lost, and the stack starts over.
function restore(state: string): void {
  // The real engine's file store keeps what it knows of a file in one beside it, and writes both in two steps.
  if (!isJson(`${state}.attrs`)) rmSync(`${state}.attrs`, { force: true });
  if (isJson(state)) return;
  if (isJson(`${state}.bak`)) copyFileSync(`${state}.bak`, state);
  else rmSync(state, { force: true });
}

function isJson(path: string): boolean {
  try {
    JSON.parse(read(path));
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}

function pulumi(folder: string, env: Record<string, string>, args: readonly string[]) {
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  return new Promise<{ code: number; text: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, text }));
  });
}

function descendantsOf(pid: number): readonly number[] {
  const found = childrenOf(pid);
  for (const child of found) found.push(...childrenOf(child));
  return found;
}

const childrenOf = (parent: number) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
const parentOf = (pid: number) => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]);
const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`);
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z/.test(read(`/proc/${pid}/stat`));

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended while we looked.
    return "";
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
