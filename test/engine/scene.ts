/**
 * A project in a folder of its own, with a program, a fake cloud and a provider that writes down its calls
 * (provider.cjs), and the engines that can run it. A scenario says what must happen; every engine must agree.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, test } from "vitest";
import { embedded } from "./embedded.ts";
import { pulumi } from "./pulumi.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const passphrase = "correct horse";

export interface Options {
  readonly parallel?: number;
  readonly refresh?: boolean;
  readonly previewOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** What a run did, in words that are the same for every engine. */
export interface Ran {
  readonly outcome: "succeeded" | "failed";
  /** `create a`, in the order in which they were done; those that failed end in "failed". */
  readonly steps: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What was said, errors and warnings only. */
  readonly messages: string;
}

export type Verb = "preview" | "up" | "refresh" | "destroy";
export interface Engine {
  readonly name: string;
  run(verb: Verb, folder: string, env: Readonly<Record<string, string>>, options: Options): Promise<Ran>;
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
  /** A resource of the state by its name. */
  saved(name: string): Saved | undefined;
  readonly env: Record<string, string>;
  run(verb: Verb, options?: Options): Promise<Ran>;
  readonly preview: (options?: Options) => Promise<Ran>;
  readonly up: (options?: Options) => Promise<Ran>;
  readonly refresh: (options?: Options) => Promise<Ran>;
  readonly destroy: (options?: Options) => Promise<Ran>;
}

export const nameOf = (urn: string) => urn.split("::").slice(3).join("::");

/** A fresh project whose runs are done by the engines in turn. */
export function openScene(engines: readonly Engine[]): Scene {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-scene-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  mkdirSync(join(folder, "cloud"));
  mkdirSync(join(folder, "backend"));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const read = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "";
  write("package.json", JSON.stringify({ name: "scene", main: "index.js" }));
  write("Pulumi.yaml", "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
  const statePath = join(folder, "backend/.pulumi/stacks/scene/dev.json");
  const env: Record<string, string> = {
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_HOME: join(folder, "home"),
  };
  let turn = 0;
  let seen = 0;
  const run = (verb: Verb, options: Options = {}) => {
    const engine = engines[turn++ % engines.length] as Engine;
    return engine.run(verb, folder, env, { parallel: 1, ...options });
  };
  const state = () => (JSON.parse(readFileSync(statePath, "utf8")) as StateFile).checkpoint.latest;
  const newCalls = () => {
    const lines = read("calls.log").split("\n").slice(0, -1);
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh;
  };
  return {
    folder,
    statePath,
    env,
    write,
    read,
    state,
    run,
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

const programText = (body: string) =>
  `const { pulumi, Thing, Group, config } = require(${JSON.stringify(join(root, "test/engine/program.cjs"))});
const out = exports;
${body}
`;

const found = spawnSync("pulumi", ["version"], { encoding: "utf8" }).status === 0;

/**
 * A scenario, run by the embedded engine; and where there is a pulumi command by that one too, and by both in turn,
 * each continuing from the state that the other left.
 */
export function scenario(sentence: string, play: (scene: Scene) => Promise<void>): void {
  test(sentence, () => play(openScene([embedded])));
  test.skipIf(!found)(`${sentence} (pulumi)`, () => play(openScene([pulumi])));
  test.skipIf(!found)(`${sentence} (embedded, then pulumi)`, () => play(openScene([embedded, pulumi])));
  test.skipIf(!found)(`${sentence} (pulumi, then embedded)`, () => play(openScene([pulumi, embedded])));
}
