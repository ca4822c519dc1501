/** Runs that are killed: a program of five kinds on a shop of its own, and what is there after the next run. */
import { spawn } from "node:child_process";
import {
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
import { quiet, runPulumi } from "../engine/pulumi.ts";
import { randomOf } from "../support/disk.ts";
import { projectText, type Way } from "../support/engines.ts";
import { descendantsOf, end, isAlive, lineOf } from "../support/families.ts";
import { mendState } from "../support/killed.ts";
import { full } from "../support/size.ts";
import { runWarm } from "../warm/commands.ts";

// The moments of a kill are the same where there is less of each kind.
const scale = full ? 5 : 1;
const size = 12 * scale;
const of = (count: number, each: string) => `for (let i = 0; i < ${count * scale}; i++) ${each};`;

/** The program, and what an edit makes of it: each kind has objects that are changed, replaced, made and deleted. */
const programs = (isEdited: boolean) => {
  const [n, text] = isEdited ? [1, "edited"] : [0, "text"];
  return [
    'import { Asset, Coupon, File, getThemeOutput, PriceKind, Product } from "pulumi-shop";',
    "const theme = getThemeOutput({ published: true });",
    of(
      4,
      `new Product("product" + (i + ${n}), { title: "${text} " + i, variants: [{ sku: "S" + (i + ${n}), price: i, quantity: i }] })`,
    ),
    of(3, `new Coupon("coupon" + (i + ${n}), { code: "C" + (i + ${n}), discount: 1${n}, typeId: 1 })`),
    of(
      2,
      `new File("file" + (i + ${n}), { content: "${text} " + i, filename: "file" + (i + ${n}) + ".txt" })`,
    ),
    of(
      2,
      `new Asset("asset" + (i + ${n}), { themeId: theme.id, type: "Asset::Snippet", name: "crash" + (i + ${n}) + ".liquid", content: "${text} " + i })`,
    ),
    of(1, `new PriceKind("kind" + (i + ${n}), { title: "${text} " + i })`),
  ].join("\n");
};

const verbs = { up, edit: up, refresh, destroy };

/** What is run: a first up, one of an edited program, a refresh, a destroy. */
export const crashVerbs = ["up", "edit", "refresh", "destroy"] as const;
export type Verb = (typeof crashVerbs)[number];
/** What is killed; or the engine is asked to stop, as by Ctrl-C. */
export const victims = ["engine", "host", "both", "Ctrl-C"] as const;
export type Victim = (typeof victims)[number];

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

export function trialOf(verb: Verb, seed: number): Trial {
  const random = randomOf(seed * 7919 + verb.length);
  const victim = victims[Math.floor(random() * victims.length)] as Victim;
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

/** Performs a trial: the run that is cut off, then the next run of the same command by the same engine. */
export async function perform({ verb, victim, moment }: Trial, { engine: by, form }: Way): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-crash-"));
  const served = await serveShop({ limit: "off" });
  try {
    mkdirSync(join(folder, "backend/.pulumi/stacks/crash"), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "Pulumi.yaml"), projectText("crash", form));
    const write = (isEdited: boolean) => writeFileSync(join(folder, "index.ts"), programs(isEdited));
    write(false);
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
    if (verb !== "up") await (by === "pulumi" ? runAgain(folder, env, "up") : run("up"));
    write(verb === "edit");
    const killed = await runAndKill(served, folder, env, verb, victim, moment, by);
    const result = await (by === "pulumi" ? runAgain(folder, env, verb) : run(verb)).catch(
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

const commandOf = (verb: Verb) => (verb === "edit" ? "up" : verb);
const argumentsOf = (verb: Verb) => [commandOf(verb), "--stack", "dev", "--yes", "--skip-preview"];

type Served = Awaited<ReturnType<typeof serveShop>>;

/** Starts the command and kills at the moment. @returns whether it came before the end */
async function runAndKill(
  served: Served,
  folder: string,
  env: Record<string, string>,
  verb: Verb,
  victim: Victim,
  moment: Moment,
  by: Way["engine"],
): Promise<boolean> {
  const args = argumentsOf(verb);
  if (by === "pulumi") await initStack(folder, env);
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
    const hosts = family.filter((pid) => /dynamic-provider|run-plugin|plugin.main/.test(lineOf(pid)));
    if (victim === "Ctrl-C") return void child.kill("SIGINT");
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
  ...quiet,
  PULUMI_HOME: join(folder, "home"),
  PULUMI_CONFIG_PASSPHRASE: "crash",
});

/** What a person does after the real engine died: its lock is taken away, and the same command is given again. */
async function runAgain(
  folder: string,
  env: Record<string, string>,
  verb: Verb,
): Promise<{ outcome: string }> {
  mendState(join(folder, "backend/.pulumi/stacks/crash/dev.json"));
  const locks = join(folder, "backend/.pulumi/locks/organization/crash/dev");
  if (existsSync(locks) && readdirSync(locks).length > 0)
    await runPulumi({ folder, env }, ["cancel", "dev", "--yes"]);
  await initStack(folder, env);
  const { code, output } = await runPulumi({ folder, env }, argumentsOf(verb));
  return { outcome: code === 0 ? "succeeded" : output };
}

async function initStack(folder: string, env: Record<string, string>): Promise<void> {
  if (!existsSync(join(folder, "backend/.pulumi/stacks/crash/dev.json")))
    await runPulumi({ folder, env }, ["stack", "init", "dev"]);
}
