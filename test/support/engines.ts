/**
 * The four ways to run a program: dynamic resources or the plugin, with the embedded engine or `pulumi`, if that is on
 * PATH.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { expect } from "vitest";
import { openScene, type Terminal } from "../cli/terminal.ts";
import { plugged } from "./forms.ts";
import { type Finished, freshEnv, runCommand } from "./process.ts";
import { expectCalm } from "./warnings.ts";
import type { World } from "./world.ts";

export const hasPulumi = spawnSync("pulumi", ["version"]).status === 0;

export type Form = "dynamic" | "plugin";
export type EngineName = "embedded" | "pulumi";

export const engines: readonly EngineName[] = hasPulumi ? ["embedded", "pulumi"] : ["embedded"];
const forms: readonly Form[] = ["dynamic", "plugin"];
const waysOf = (names: readonly EngineName[]) =>
  names.flatMap((engine) => forms.map((form) => ({ engine, form })));

/** For `test.each("... ($form, $engine)")`. */
export const ways = waysOf(engines);
export const pulumiWays = waysOf(engines.filter((name) => name === "pulumi"));

export type Way = (typeof ways)[number];

/** The Pulumi.yaml of a project whose program is index.ts. */
export const projectText = (name: string, form: Form): string =>
  `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n${form === "plugin" ? plugged : ""}`;

/** The ways with `pulumi` for a campaign; none without it, with a message. */
export function pulumiWaysFor(what: string): typeof pulumiWays {
  if (!hasPulumi) process.stdout.write(`pulumi isn't on PATH: ${what} under the real engine are left out\n`);
  return pulumiWays;
}

export interface Seat {
  readonly world: World;
  readonly terminal: Terminal;
  readonly folder: string;
  /** Runs the engine's command, by default on the stack dev. @param started receives the process of `pulumi` */
  run(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    started?: (child: ChildProcess) => void,
  ): Promise<Finished>;
  /** A command that must succeed without warnings. @returns its output */
  done(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** `up` without confirmation and preview, which must succeed without warnings. */
  up(...args: readonly string[]): Promise<string>;
  program(text: string): void;
  /** Switches the next run to dynamic resources or the plugin. */
  use(form: Form): void;
}

/** The folder and environment of a person with a shop of their own. */
export async function openSeat(
  { engine, form }: { readonly engine: EngineName; readonly form: Form },
  program: string,
): Promise<Seat> {
  const { world, terminal } = await openScene(program);
  const env = {
    ...freshEnv(),
    ...world.env,
    ...terminal.env,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
    PATH: process.env.PATH ?? "",
  };
  const { folder } = terminal;
  const seat: Seat = {
    world,
    terminal,
    folder,
    async run(args, more = {}, started) {
      const isNamed = args[0] === "stack" || args[1] === "move" || args.includes("--stack");
      const all = isNamed ? args : [...args, "--stack", "dev"];
      if (engine === "pulumi") return runCommand(folder, ["pulumi", ...all], { ...env, ...more }, started);
      Object.assign(terminal.env, more);
      const { code, stdout, stderr } = await terminal.run(...all);
      for (const name of Object.keys(more)) delete terminal.env[name];
      return { code, output: stdout + stderr };
    },
    async done(args, more) {
      const { code, output } = await seat.run(args, more);
      expect(code, output).toBe(0);
      expectCalm(output);
      return output;
    },
    up: (...args) => seat.done(["up", "--yes", "--skip-preview", ...args]),
    program: (text) => terminal.write("index.ts", text),
    use: (next) => terminal.write("Pulumi.yaml", projectText("user", next)),
  };
  seat.use(form);
  if (engine === "pulumi") await seat.done(["stack", "init", "dev"]);
  return seat;
}
