/** Our engine in scenarios: with its own processes, or with one process for many runs. */
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Parts } from "../../engine/deployment/run.ts";
import {
  destroy,
  openStack,
  outputs,
  preview,
  type Result,
  type RunOptions,
  recorder,
  refresh,
  type Stack,
  up,
} from "../../engine/index.ts";
import { runCommand } from "../support/process.ts";
import { eventErrors } from "./event-law.ts";
import { partsOf } from "./runner.ts";
import type { Engine, Verb } from "./scene.ts";
import { nameOf, stackIn, urnOf } from "./scene.ts";
import { whenAsked } from "./stops.ts";

type Run = (stack: Stack, options: RunOptions & { readonly previewOnly?: boolean }) => Promise<Result>;

const verbs: Readonly<Record<Verb, Run>> = { preview, up, refresh, destroy };

const engineWith = (parts: (stack: Stack, dryRun: boolean, parallel: number) => Parts): Engine => ({
  name: "embedded",
  async run(verb, folder, env, options, now) {
    const { events, watch } = recorder();
    const said: string[] = [];
    let result: Result | undefined;
    const all = { ...process.env, ...env };
    const open = () => openStack({ folder, stack: stackIn(env), env: all, create: true, now: () => now });
    if (options.stops === "kill") {
      const exit = await runAndKill([folder, stackIn(env), now.toISOString()], all);
      return {
        outcome: "failed",
        exit,
        steps: [],
        outputs: outputs(open(), { showSecrets: true }),
        messages: "",
      };
    }
    const stopping = new AbortController();
    const end = whenAsked(folder, (done) => {
      stopping.abort();
      done();
    });
    try {
      const { previewOnly, parallel = 1, replace = [], refresh: refreshes, stops } = options;
      const stack = open();
      const dryRun = verb === "preview" || previewOnly === true;
      result = await verbs[verb](stack, {
        ...(refreshes !== undefined && { refresh: refreshes }),
        ...(stops === "cancel" && { signal: stopping.signal }),
        parallel,
        watch,
        parts: parts(stack, dryRun, parallel),
        replace: replace.map(urnOf),
        ...(previewOnly !== undefined && { previewOnly }),
      });
      said.push(...result.failures.map(({ message }) => message));
    } catch (error) {
      said.push((error as Error).message);
    } finally {
      end();
    }
    expect(eventErrors(events, result, verb === "refresh")).toEqual([]);
    const outcome = result?.outcome === "succeeded" ? "succeeded" : "failed";
    const steps = events.flatMap((event) => {
      if (event.type !== "done" && event.type !== "failed" && event.type !== "refused") return [];
      const { urn, type, found } = event.step;
      // Reads before the program are reported as such, whatever they found.
      const op = found && verb !== "refresh" ? "refresh" : event.step.op;
      // A replacement is reported by its parts here, which have an order.
      if (op === "replace" || type.startsWith("pulumi:")) return [];
      // Pulumi has no step for an adoption.
      return [`${op === "adopt" ? "create" : op} ${nameOf(urn)}${event.type === "done" ? "" : " failed"}`];
    });
    for (const event of events)
      if (event.type === "message" && event.severity !== "info") said.push(event.text);
      else if (event.type === "printed") said.push(event.text);
    return {
      outcome,
      exit: outcome === "succeeded" ? 0 : 1,
      steps,
      outputs: outputs(open(), { showSecrets: true }),
      messages: said.join("\n"),
    };
  },
});

/** An `up` in its own process, which is killed when its provider requests it. */
async function runAndKill(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [folder = ""] = words;
  const command = [process.execPath, fileURLToPath(new URL("killed.ts", import.meta.url)), ...words];
  const { code } = await runCommand(folder, command, env, (child) => {
    const end = whenAsked(folder, (done) => {
      child.once("exit", done);
      child.kill("SIGKILL");
    });
    child.once("exit", end);
  });
  return code;
}

/** Like the command: a process each for program and provider of every run. */
export const embedded = engineWith(() => ({}));
/** With program and provider of all runs in one existing process. */
export const warm = engineWith(partsOf);
