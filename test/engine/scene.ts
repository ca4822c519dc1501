/**
 * A project in a folder of its own, with a program, a fake cloud and a provider that writes down its calls
 * (provider.cjs), and the engines that can run it.
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
  /** Names of things to replace, whatever is asked of them; the urn of one that has a parent. */
  readonly replace?: readonly string[];
  /** What is independent of a failure is done by our engine always, by pulumi where it is told so. */
  readonly continueOnError?: boolean;
  /** How the engine ends where the provider asks for it: killed, or told to stop as by Ctrl-C. */
  readonly stops?: Stops;
}

/** What a run did, in words that are the same for every engine. */
export interface Ran {
  readonly outcome: "succeeded" | "failed";
  /** The exit code of the command, or what stands for it. */
  readonly exit: number;
  /** `create a`, in the order in which they were done; those that failed end in "failed". */
  readonly steps: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What was said, errors and warnings only. */
  readonly messages: string;
}

export type Verb = "preview" | "up" | "refresh" | "destroy";
export interface Engine {
  readonly name: "embedded" | "pulumi";
  /** A command that is no run, of the stack that the environment names; only where the engine has such of its own. */
  command?(folder: string, env: Readonly<Record<string, string>>, args: readonly string[]): Promise<void>;
  /** @param now what the clock says, for an engine that can be told */
  run(
    verb: Verb,
    folder: string,
    env: Readonly<Record<string, string>>,
    options: Options,
    now: Date,
  ): Promise<Ran>;
}

/** What watches the runs of a scene, and may put another state before each. */
export interface Watcher {
  /** The state that a run shall begin with; undefined for the one there is. @param number of the run, from 0 */
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
  /** Replaces the program by statements that use pulumi, Thing, Group, config and out (the stack's outputs). */
  program(body: string): void;
  /** Says what the provider does badly from now on. */
  world(rules: Readonly<Record<string, unknown>>): void;
  /** Writes a file of the fake cloud, as somebody else would; undefined removes it. */
  edit(id: string, properties: Readonly<Record<string, unknown>> | undefined): void;
  write(path: string, text: string): void;
  read(path: string): string;
  /** What is there, by id. */
  cloud(id: string): Readonly<Record<string, unknown>> | undefined;
  /** Calls since the last look, without those that only ask. */
  calls(): readonly string[];
  allCalls(): readonly string[];
  state(): Deployment;
  /** Puts a state there before the first run, as if runs had been that left it. */
  begin(state: NormalState): void;
  /** A command of pulumi's own about the state; where our engine goes on, what is said here does the same to the file. */
  command(args: readonly string[], byHand: () => void): Promise<void>;
  /** Gives the stack another name, as `pulumi stack rename`. */
  rename(stack: string): Promise<void>;
  /** Changes the state behind the engines' backs. */
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

/** The stack of a scene: what it was renamed to, or its first name. */
export const stackIn = (env: Readonly<Record<string, string>>): string => env.SCENE_STACK ?? "dev";

/** The urn of a thing that has no parent; a urn is itself. */
export const urnOf = (name: string) =>
  name.startsWith("urn:") ? name : `urn:pulumi:dev::scene::pulumi-nodejs:dynamic/scene:Thing::${name}`;
export const nameOf = (urn: string) => urn.split("::").slice(3).join("::");

/** A day for each run: what an engine of ours notes in it tells which one it was. */
function dayOf(number: number): Span {
  const start = Date.UTC(2026, 0, number + 1);
  return { start, end: start + 86_399_999 };
}

/** The project of a scene, and one whose plugin is named. */
const projectText = "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n";
export const pluggedText = `${projectText}plugins:\n  providers: [{ name: scene, path: ${JSON.stringify(join(root, "test/engine/plugin"))} }]\n`;

const providerCode = `exports.handler = () => require(${JSON.stringify(join(root, "test/engine/provider.cjs"))})`;

/** A fresh project whose runs are done by the engines in turn. */
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
    // It takes the place of all that the runs before left.
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

/** A scene whose things are those of the plugin. */
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
