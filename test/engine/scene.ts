/**
 * A project in its own folder, with a program, a fake cloud and a logging provider (provider.cjs), and the engines that
 * can run it.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { newEncryptionSalt } from "../../engine/project/secrets.ts";
import { type NormalState, normalised, restored, type Span } from "./normal.ts";
import type { RecordedRun } from "./record.ts";
import type { Stops } from "./stops.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const passphrase = "correct horse";

export interface Options {
  readonly parallel?: number;
  readonly refresh?: boolean;
  readonly previewOnly?: boolean;
  /** Names of resources to replace; URNs for those with a parent. */
  readonly replace?: readonly string[];
  /** Whether pulumi continues independent resources after a failure; our engine always does. */
  readonly continueOnError?: boolean;
  /** How the engine ends when the provider requests it: killed, or cancelled as by Ctrl-C. */
  readonly stops?: Stops;
}

/** The result of a run, in the same form for every engine. */
export interface Ran {
  readonly outcome: "succeeded" | "failed";
  /** The exit code of the command or its equivalent. */
  readonly exit: number;
  /** `create a`, in order of completion; failed steps end in "failed". */
  readonly steps: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Errors and warnings. */
  readonly messages: string;
}

export type Verb = "preview" | "up" | "refresh" | "destroy";
export interface Engine {
  readonly name: "embedded" | "pulumi";
  /** A command other than a run, for the stack in the environment; only if the engine has such commands. */
  command?(folder: string, env: Readonly<Record<string, string>>, args: readonly string[]): Promise<void>;
  /** @param now the time, for engines with a settable clock */
  run(
    verb: Verb,
    folder: string,
    env: Readonly<Record<string, string>>,
    options: Options,
    now: Date,
  ): Promise<Ran>;
}

/** Observes the runs of a scene, and may replace the state before each. */
export interface Watcher {
  /** The state for a run; undefined keeps the present one. @param number the run's number, from 0 */
  readonly before?: (number: number) => NormalState | undefined;
  readonly after: (run: RecordedRun, number: number) => void;
}

export interface StateFile {
  readonly version: number;
  readonly checkpoint: { readonly stack: string; readonly latest: Deployment };
}
export interface Deployment {
  readonly manifest: Readonly<Record<string, string>>;
  readonly secrets_providers?: unknown;
  readonly resources?: readonly Saved[];
  readonly pending_operations?: readonly { readonly resource: Saved; readonly type: string }[];
  readonly [key: string]: unknown;
}
export interface Saved {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export interface Scene {
  readonly folder: string;
  readonly statePath: string;
  /** Replaces the program by statements with pulumi, Thing, Group, config and out (the stack's outputs). */
  program(body: string): void;
  /** Sets the provider's faults. */
  world(rules: Readonly<Record<string, unknown>>): void;
  /** Writes a file of the fake cloud directly; undefined removes it. */
  edit(id: string, properties: Readonly<Record<string, unknown>> | undefined): void;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Existing objects by id. */
  cloud(id: string): Readonly<Record<string, unknown>> | undefined;
  /** Calls since the last look that change something. */
  calls(): readonly string[];
  allCalls(): readonly string[];
  state(): Deployment;
  /** Sets a state before the first run. */
  begin(state: NormalState): void;
  /** A pulumi command that edits the state; for our engine, the function makes the same change. */
  command(args: readonly string[], byHand: () => void): Promise<void>;
  /** Renames the stack, like `pulumi stack rename`. */
  rename(stack: string): Promise<void>;
  /** Edits the state directly. */
  alter(change: (state: Deployment) => Partial<Deployment>): void;
  /** A resource of the state by its name. */
  saved(name: string): Saved | undefined;
  readonly env: Record<string, string>;
  run(verb: Verb, options?: Options): Promise<Ran>;
  readonly preview: (options?: Options) => Promise<Ran>;
  readonly up: (options?: Options) => Promise<Ran>;
  readonly refresh: (options?: Options) => Promise<Ran>;
  readonly destroy: (options?: Options) => Promise<Ran>;
}

/** The stack of a scene, perhaps renamed. */
export const stackIn = (env: Readonly<Record<string, string>>): string => env.SCENE_STACK ?? "dev";

/** The URN of a resource without a parent; URNs are returned unchanged. */
export const urnOf = (name: string) =>
  name.startsWith("urn:") ? name : `urn:pulumi:dev::scene::pulumi-nodejs:dynamic/scene:Thing::${name}`;
export const nameOf = (urn: string) => urn.split("::").slice(3).join("::");

/** A different day for each run, so that times in our states identify it. */
function dayOf(number: number): Span {
  const start = Date.UTC(2026, 0, number + 1);
  return { start, end: start + 86_399_999 };
}

/** The project of a scene, with and without the plugin. */
const projectText = "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n";
export const pluggedText = `${projectText}plugins:\n  providers: [{ name: scene, path: ${JSON.stringify(join(root, "test/engine/plugin"))} }]\n`;

const providerCode = `exports.handler = () => require(${JSON.stringify(join(root, "test/engine/provider.cjs"))})`;

/** A new project whose runs alternate between the engines. */
export function openScene(engines: readonly Engine[], watcher?: Watcher): Scene {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-scene-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  mkdirSync(join(folder, "cloud"));
  mkdirSync(join(folder, "backend"));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const read = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "";
  write("package.json", JSON.stringify({ name: "scene", main: "index.js" }));
  write("Pulumi.yaml", projectText);
  const env: Record<string, string> = {
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_HOME: join(folder, "home"),
  };
  const statePath = () => join(folder, `backend/.pulumi/stacks/scene/${stackIn(env)}.json`);
  const spans: Span[] = [];
  let seen = 0;
  const callLines = () => read("calls.log").split("\n").slice(0, -1);
  const stateText = () => (existsSync(statePath()) ? readFileSync(statePath(), "utf8") : "");
  const salt = () => /^encryptionsalt: (.*)$/m.exec(read(`Pulumi.${stackIn(env)}.yaml`))?.[1];
  const put = (wanted: NormalState) => {
    mkdirSync(dirname(statePath()), { recursive: true });
    // It replaces the results of all runs before.
    rmSync(statePath().replace(/json$/, "journal"), { force: true });
    write("backend/.pulumi/meta.yaml", "version: 1\n");
    const saltOf = () => salt() ?? newEncryptionSalt(passphrase);
    writeFileSync(statePath(), restored(wanted, spans, providerCode, saltOf));
  };
  const run = async (verb: Verb, options: Options = {}) => {
    const number = spans.length;
    const engine = engines[number % engines.length] as Engine;
    const wanted = watcher?.before?.(number);
    if (wanted !== undefined && number > 0) put(wanted);
    const before = normalised(stateText(), spans);
    const called = callLines().length;
    const day = dayOf(number);
    const start = Date.now();
    const ran = await engine.run(verb, folder, env, { parallel: 1, ...options }, new Date(day.start));
    spans.push(engine.name === "pulumi" ? { start, end: Date.now() } : day);
    const { exit, steps, outputs } = ran;
    const after = normalised(stateText(), spans);
    const calls = callLines().slice(called);
    watcher?.after({ verb, options, exit, steps, calls, outputs, before, after }, number);
    return ran;
  };
  const state = () => (JSON.parse(readFileSync(statePath(), "utf8")) as StateFile).checkpoint.latest;
  const newCalls = () => {
    const lines = callLines();
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh;
  };
  const command = async (args: readonly string[], byHand: () => void) => {
    const engine = engines[spans.length % engines.length] as Engine;
    await (engine.command === undefined ? byHand() : engine.command(folder, env, args));
  };
  return {
    folder,
    get statePath() {
      return statePath();
    },
    env,
    write,
    read,
    state,
    begin: put,
    alter: (change) => {
      const file = JSON.parse(stateText()) as StateFile;
      const latest = { ...file.checkpoint.latest, ...change(file.checkpoint.latest) };
      writeFileSync(statePath(), JSON.stringify({ ...file, checkpoint: { ...file.checkpoint, latest } }));
    },
    run,
    command,
    async rename(stack) {
      const [was, from] = [stackIn(env), statePath()];
      await command(["stack", "rename", stack], () => {
        const text = readFileSync(from, "utf8").replaceAll(`urn:pulumi:${was}::`, `urn:pulumi:${stack}::`);
        writeFileSync(
          join(dirname(from), `${stack}.json`),
          text.replaceAll(`scene-${was}`, `scene-${stack}`),
        );
        rmSync(from);
        if (read(`Pulumi.${was}.yaml`) !== "")
          renameSync(join(folder, `Pulumi.${was}.yaml`), join(folder, `Pulumi.${stack}.yaml`));
      });
      env.SCENE_STACK = stack;
    },
    program: (body) => write("index.js", programText(body)),
    world: (rules) => write("world.json", JSON.stringify(rules)),
    edit: (id, properties) =>
      properties === undefined
        ? rmSync(join(folder, `cloud/${id}.json`))
        : write(`cloud/${id}.json`, JSON.stringify(properties)),
    cloud: (id) => {
      const text = read(`cloud/${id}.json`);
      return text === "" ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    },
    calls: () => newCalls().filter((line) => !/^(check|diff) /.test(line)),
    allCalls: newCalls,
    saved: (name) => state().resources?.find(({ urn }) => nameOf(urn) === name),
    preview: (options) => run("preview", options),
    up: (options) => run("up", options),
    refresh: (options) => run("refresh", options),
    destroy: (options) => run("destroy", options),
  };
}

/** A scene with the plugin's resources. */
export function plugged(scene: Scene): Scene {
  scene.write("Pulumi.yaml", pluggedText);
  scene.write("Pulumi.dev.yaml", "config:\n  scene:region: north\n");
  return { ...scene, program: (body) => scene.program(body.replaceAll("new Thing(", "new Plugged(")) };
}

const programText = (body: string) =>
  `const { pulumi, Thing, Plugged, Provider, Group, config } = require(${JSON.stringify(join(root, "test/engine/program.cjs"))});
const out = exports;
${body}
`;
