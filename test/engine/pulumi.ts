/** The real engine, where it is installed: its own log of events, read back. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStack, outputs } from "../../engine/index.ts";
import type { Engine, Options, Ran, Verb } from "./scene.ts";
import { nameOf, urnOf } from "./scene.ts";

interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
}
interface EngineEvent {
  readonly resOutputsEvent?: { readonly metadata: Metadata };
  readonly resOpFailedEvent?: { readonly metadata: Metadata };
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string; readonly urn?: string };
}

const quiet = {
  // Half of what a run takes is Node compiling the SDK.
  NODE_COMPILE_CACHE: join(
    import.meta.dirname,
    "../..",
    "node_modules/.cache/pulumi-shop/compiled-by-pulumi",
  ),
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DEBUG_COMMANDS: "true",
  PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
};

/** The version of the pulumi on PATH; undefined where there is none. */
export function pulumiVersion(): string | undefined {
  const { status, stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

export const pulumi: Engine = {
  name: "pulumi",
  async run(verb, folder, env, options) {
    const context = { folder, env: { ...process.env, ...env, ...quiet } };
    if (!existsSync(join(folder, "backend/.pulumi/stacks/scene/dev.json")))
      await call(context, ["stack", "init", "dev"]);
    const log = join(folder, "events.log");
    rmSync(log, { force: true });
    const { code, text } = await call(context, commandOf(verb, log, options));
    const stack = openStack({ folder, stack: "dev", env: context.env });
    return ranOf(code, log, text, outputs(stack, { showSecrets: true }));
  },
};

function commandOf(
  verb: Verb,
  log: string,
  { parallel = 1, refresh, previewOnly, replace = [] }: Options,
): string[] {
  const common = ["--stack", "dev", "--non-interactive", "--event-log", log, "--parallel", String(parallel)];
  const skip = verb === "preview" ? [] : previewOnly ? ["--preview-only"] : ["--yes", "--skip-preview"];
  const replaces = replace.flatMap((name) => ["--replace", urnOf(name)]);
  return [verb, ...common, ...skip, ...(refresh ? ["--refresh"] : []), ...replaces];
}

interface Context {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

function call({ folder, env }: Context, args: readonly string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, text: code === 0 ? text : text + errors }));
  });
}

function ranOf(code: number, log: string, text: string, outputs: Ran["outputs"]): Ran {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  const events = lines.map((line) => JSON.parse(line) as EngineEvent);
  const steps = events.flatMap(({ resOutputsEvent: done, resOpFailedEvent: failed }) => {
    const metadata = done?.metadata ?? failed?.metadata;
    // The real engine tells of the plan to replace as of a step; what is done are the two steps that follow from it.
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
    messages: [...messages, code === 0 ? "" : text].join("\n"),
  };
}
