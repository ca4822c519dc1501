/** The real engine, where it is installed: its own log of events, read back. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Engine, Options, Ran, Verb } from "./scene.ts";
import { nameOf } from "./scene.ts";

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
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DEBUG_COMMANDS: "true",
  PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
};

export const pulumi: Engine = {
  name: "pulumi",
  async run(verb, folder, env, options) {
    const context = { folder, env: { ...process.env, ...env, ...quiet } };
    if (!existsSync(join(folder, "backend/.pulumi/stacks/scene/dev.json")))
      await call(context, ["stack", "init", "dev"]);
    const log = join(folder, "events.log");
    rmSync(log, { force: true });
    const { code, text } = await call(context, commandOf(verb, log, options));
    const outputs = await call(context, ["stack", "output", "--json", "--show-secrets", "--stack", "dev"]);
    return ranOf(code, log, text, JSON.parse(outputs.text || "{}") as Ran["outputs"]);
  },
};

function commandOf(verb: Verb, log: string, { parallel = 1, refresh, previewOnly }: Options): string[] {
  const common = ["--stack", "dev", "--non-interactive", "--event-log", log, "--parallel", String(parallel)];
  const skip = verb === "preview" ? [] : previewOnly ? ["--preview-only"] : ["--yes", "--skip-preview"];
  return [verb, ...common, ...skip, ...(refresh ? ["--refresh"] : [])];
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
    steps,
    outputs,
    messages: [...messages, code === 0 ? "" : text].join("\n"),
  };
}
