/** Pulumi's engine, if installed, with its event log. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStack, outputs } from "../../engine/index.ts";
import { descendantsOf, end, lineOf } from "../support/families.ts";
import { runCommand } from "../support/process.ts";
import type { Engine, Options, Ran, Verb } from "./scene.ts";
import { nameOf, stackIn, urnOf } from "./scene.ts";
import { type Stops, whenAsked } from "./stops.ts";

interface Side {
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}
export interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old?: Side | null;
  readonly new?: Side | null;
}
interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: Metadata };
  readonly resOutputsEvent?: { readonly metadata: Metadata };
  readonly resOpFailedEvent?: { readonly metadata: Metadata };
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string; readonly urn?: string };
}

export const quiet = {
  // Half of a run's time is compiling the SDK.
  NODE_COMPILE_CACHE: join(
    import.meta.dirname,
    "../..",
    "node_modules/.cache/pulumi-shop/compiled-by-pulumi",
  ),
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DEBUG_COMMANDS: "true",
  PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
};

/** The version of pulumi on PATH; undefined if there is none. */
export function pulumiVersion(): string | undefined {
  const { status, stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

export const pulumi: Engine = {
  name: "pulumi",
  async command(folder, env, args) {
    const context = { folder, env: { ...process.env, ...env } };
    const { code, output } = await runPulumi(context, [...args, "--stack", stackIn(env)]);
    if (code !== 0) throw new Error(output);
  },
  async run(verb, folder, env, options) {
    const context = { folder, env: { ...process.env, ...env } };
    const stack = stackIn(env);
    if (!existsSync(join(folder, `backend/.pulumi/stacks/scene/${stack}.json`)))
      await runPulumi(context, ["stack", "init", stack]);
    const locks = join(folder, `backend/.pulumi/locks/organization/scene/${stack}`);
    if (existsSync(locks) && readdirSync(locks).length > 0)
      await runPulumi(context, ["cancel", stack, "--yes"]);
    const { stops } = options;
    const watch = stops && ((child: ChildProcess) => stopWhenAsked(folder, child, stops));
    const told = await runPulumi(context, commandOf(verb, stack, options), watch);
    const opened = openStack({ folder, stack, env: context.env });
    return ranOf(told, outputs(opened, { showSecrets: true }), options);
  },
};

function commandOf(
  verb: Verb,
  stack: string,
  { parallel = 1, refresh, previewOnly, continueOnError, replace = [] }: Options,
): string[] {
  const common = ["--stack", stack, "--parallel", String(parallel)];
  const skip = verb === "preview" ? [] : previewOnly ? ["--preview-only"] : ["--yes", "--skip-preview"];
  const replaces = replace.flatMap((name) => ["--replace", urnOf(name)]);
  const more = [...(refresh ? ["--refresh"] : []), ...(continueOnError ? ["--continue-on-error"] : [])];
  return [verb, ...common, ...skip, ...more, ...replaces];
}

interface Context {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a command and reads its event log. @param started receives the process */
export async function runPulumi(
  { folder, env }: Context,
  args: readonly string[],
  started?: (child: ChildProcess) => void,
) {
  const log = join(folder, "events.log");
  rmSync(log, { force: true });
  const events = ["preview", "up", "refresh", "destroy"].includes(args[0] ?? "") ? ["--event-log", log] : [];
  const command = ["pulumi", ...args, "--non-interactive", ...events];
  const { code, output } = await runCommand(folder, command, { ...env, ...quiet }, started);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  return { code, output, events: lines.flatMap(eventIn) };
}

/** Parses a line of the log; undefined if its writer was killed. */
function eventIn(line: string): readonly EngineEvent[] {
  try {
    return [JSON.parse(line) as EngineEvent];
  } catch {
    return [];
  }
}

/** Kills the engine with all its processes, or cancels it and waits for its confirmation. */
function stopWhenAsked(folder: string, child: ChildProcess, stops: Stops): void {
  const unwatch = whenAsked(folder, (done) => {
    if (stops === "cancel") child.stdout?.on("data", (text) => /cancel/i.test(String(text)) && done());
    else {
      child.once("exit", done);
      // Processes started by a plugin end with its provider.
      for (const pid of descendantsOf(child.pid ?? 0)) if (!/plugin|provider/.test(lineOf(pid))) end(pid);
    }
    child.kill(stops === "cancel" ? "SIGINT" : "SIGKILL");
  });
  child.once("exit", unwatch);
}

function ranOf(
  { code, output, events }: Awaited<ReturnType<typeof runPulumi>>,
  outputs: Ran["outputs"],
  { stops }: Options,
): Ran {
  // A killed engine has no further events.
  if (stops === "kill") return { outcome: "failed", exit: code, steps: [], outputs, messages: "" };
  const steps = events.flatMap(({ resOutputsEvent: done, resOpFailedEvent: failed }) => {
    const metadata = done?.metadata ?? failed?.metadata;
    // Pulumi also reports the planned replacement as a step; performed are its two parts.
    if (metadata === undefined || metadata.type.startsWith("pulumi:") || metadata.op === "replace") return [];
    return [`${metadata.op} ${nameOf(metadata.urn)}${failed === undefined ? "" : " failed"}`];
  });
  const messages = events.flatMap(({ diagnosticEvent: said }) =>
    said === undefined || !["error", "warning"].includes(said.severity) ? [] : [said.message],
  );
  return {
    outcome: code === 0 ? "succeeded" : "failed",
    exit: code,
    steps,
    outputs,
    messages: [...messages, code === 0 ? "" : output].join("\n"),
  };
}
