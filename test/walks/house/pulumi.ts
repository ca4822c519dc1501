/** A house with real `pulumi`: its processes, a shop behind a socket, states and notes on disk. */
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedShop, serveShop } from "../../../emulator/index.ts";
import type { Event, State, Step } from "../../../engine/index.ts";
import type { Notice } from "../../../provider/context/notices.ts";
import { kindOfType } from "../../../provider/names/types.ts";
import { currentPlan } from "../../../runs/plans/plan-differences.ts";
import { root } from "../../cli/terminal.ts";
import { type Metadata, runPulumi } from "../../engine/pulumi.ts";
import { projectText } from "../../support/engines.ts";
import { descendantsOf, end } from "../../support/families.ts";
import { freshEnv } from "../../support/process.ts";
import type { House } from "../house.ts";
import { asTaken, capped, refusal } from "./network.ts";
import type { Form, Options, Ran, Resource, Whim } from "./types.ts";

const megabyte = 1_000_000;

/** A program with these resources as a user writes it. */
function programText(program: readonly Resource[]): string {
  const groups = [...new Set(program.flatMap(({ parent }) => parent ?? []))];
  return [
    'import * as pulumi from "@pulumi/pulumi";\nimport * as shop from "pulumi-shop";',
    ...groups.map((name) => `const ${name} = new pulumi.ComponentResource("scene:index:Group", "${name}");`),
    ...program.map((one, at) => {
      const { kind, name, args, aliases = [], parent, ignoreChanges = [], refers } = one;
      const options = {
        ...(aliases.length > 0 && { aliases: aliases.map((alias) => ({ name: alias })) }),
        ...(ignoreChanges.length > 0 && { ignoreChanges }),
        ...(one.retainOnDelete && { retainOnDelete: true }),
        ...(one.protect && { protect: true }),
      };
      const above = parent === undefined ? "" : `, parent: ${parent}`;
      const to = program.findIndex((one) => one.name === refers?.to);
      const joined =
        refers === undefined || to < 0 || to >= at
          ? ""
          : `, ${refers.argument}: pulumi.interpolate\`${args[refers.argument]}-\${r${to}.id}\``;
      return `const r${at} = new shop.${kind}(${JSON.stringify(name)}, { ...${JSON.stringify(args)}${joined} } as never, { ...${JSON.stringify(options)}${above} });`;
    }),
  ].join("\n");
}

/** The variable for `shop:maxWait`. */
const variableOf = (key: string) =>
  key
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replace(":", "_")
    .toUpperCase();

export async function openPulumiHouse(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-walk-"));
  mkdirSync(join(folder, "backend"));
  const site = {
    whim: undefined as Whim | undefined,
    mostPerPage: undefined as number | undefined,
    project: "walk",
  };
  let log: string[] = [];
  let onRequest: Options["onRequest"];
  let onAnswer: ((line: string) => void) | undefined;

  async function serve(): Promise<ServedShop> {
    const served = await serveShop({ limit: "off" });
    const { handle } = served.shop;
    served.shop.handle = async (request) => {
      const line = `${request.method} ${request.target}`;
      onRequest?.(line, log.length + 1);
      log.push(line);
      const { body } = request;
      // Faults inspect the request.
      const isRead = site.whim === undefined || typeof body !== "function";
      const whole = { ...request, body: isRead ? body : ((await body(megabyte)) ?? Buffer.alloc(0)) };
      const taken = asTaken(site, { ...whole, target: capped(request.target, site.mostPerPage) });
      const answer = taken === undefined ? refusal : await handle(taken);
      onAnswer?.(line);
      return answer;
    };
    return served;
  }

  const shops = [await serve()];
  const here = () => shops.at(-1) as ServedShop;
  const own = shops[0] as ServedShop;
  const file = (ending: string) => join(folder, `backend/.pulumi/stacks/${site.project}/dev.${ending}`);
  const state = () => file("json");

  /** Writes the project to disk. @returns its folder */
  function project(program: readonly Resource[], now: Form): string {
    const at = join(folder, site.project);
    if (!existsSync(at)) {
      mkdirSync(at);
      symlinkSync(join(root, "node_modules"), join(at, "node_modules"), "dir");
      writeFileSync(join(at, "package.json"), '{"name":"walk","type":"module"}');
    }
    writeFileSync(join(at, "Pulumi.yaml"), projectText(site.project, now));
    writeFileSync(join(at, "index.ts"), programText(program));
    return at;
  }

  function environmentOf({ config = {}, env }: Options): Record<string, string> {
    const { applicationId, password } = here().shop.credentials;
    const settings = Object.entries(config).map(([key, value]) => [variableOf(key), value]);
    return {
      ...freshEnv(),
      PULUMI_BACKEND_URL: `file://${folder}/backend`,
      PULUMI_CONFIG_PASSPHRASE: "walk",
      PULUMI_HOME: join(root, "node_modules/.cache/pulumi-home"),
      SHOP_URL: here().url,
      SHOP_APPLICATION_ID: applicationId,
      SHOP_PASSWORD: password,
      SHOP_LATE_ANSWERS: "2",
      ...(Object.fromEntries(settings) as Record<string, string>),
      ...env,
    };
  }

  async function run(
    verb: string,
    program: readonly Resource[],
    options: Options,
    args: readonly string[] = [],
  ) {
    const context = { folder: project(program, options.form ?? "dynamic"), env: environmentOf(options) };
    if (!existsSync(state())) await runPulumi(context, ["stack", "init", "dev"]);
    log = [];
    ({ onRequest } = options);
    const killed = killedBy(options, (watch) => {
      onAnswer = watch;
    });
    const refreshes = options.refresh === true && verb !== "refresh" ? ["--refresh"] : [];
    const { by, names = [] } = options.select ?? {};
    const selected = names.flatMap((name) => [`--${by}`, `**::${name}`]);
    const given = ["--stack", "dev", ...refreshes, ...selected, ...args];
    const told = await runPulumi(context, [verb, ...given], killed);
    [onRequest, onAnswer] = [undefined, undefined];
    const locks = join(folder, `backend/.pulumi/locks/organization/${site.project}/dev`);
    if (existsSync(locks) && readdirSync(locks).length > 0)
      await runPulumi(context, ["cancel", "dev", "--yes"]);
    return ranOf(verb, told, log);
  }

  const confirmed = ["--yes", "--skip-preview", "--continue-on-error"];
  const go = (program: readonly Resource[], options: Options = {}) => run("up", program, options, confirmed);
  const preview = (program: readonly Resource[], options: Options = {}) => run("preview", program, options);
  const states = (): readonly State[] => {
    if (!existsSync(state())) return [];
    const { checkpoint } = JSON.parse(readFileSync(state(), "utf8")) as {
      checkpoint: { latest?: { resources?: readonly State[] } };
    };
    const own = (checkpoint.latest?.resources ?? []).filter(({ type }) => kindOfType(type) !== undefined);
    // A failed refresh removes these with any provider.
    return own.map(({ propertyDependencies: _dependencies, ...state }) => state);
  };
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  const forget = (...endings: readonly string[]) => {
    for (const ending of endings) rmSync(file(ending), { force: true });
  };
  const house = {
    isPulumi: true,
    get shop() {
      return own.shop;
    },
    clock: { offsetMs: 0, aheadMs: 0 },
    state: states,
    stateText: () => textOf(state()),
    notes: () => textOf(file("creates")) ?? "",
    // Pulumi writes its state after each step.
    hasJournal: () => false,
    loseState: () => forget("json", "json.attrs", "json.bak", "json.bak.attrs"),
    loseNotes: () => forget("creates"),
    rows: (table: string) => own.shop.store.list(table),
    requests: () => log,
    capPages: (most: number | undefined) => {
      site.mostPerPage = most;
    },
    setWhim: (whim: Whim | undefined) => {
      site.whim = whim;
    },
    preview,
    go,
    async up(
      program: readonly Resource[],
      options: Options = {},
      between: (planned: Ran) => unknown = () => {},
    ) {
      const { onRequest: _told, ...quiet } = options;
      const planned = await preview(program, quiet);
      between(planned);
      if (planned.result?.outcome !== "succeeded") return { ...planned, planned };
      return { ...(await go(program, options)), planned };
    },
    refresh: (options: Options = {}) => run("refresh", [], options, confirmed.slice(0, 2)),
    destroy: (options: Options = {}) => run("destroy", [], options, confirmed),
    async elsewhere<T>(work: () => Promise<T>): Promise<T> {
      shops.push(await serve());
      try {
        return await work();
      } finally {
        await shops.pop()?.close();
      }
    },
    async neighbour<T>(work: () => Promise<T>): Promise<T> {
      site.project = "neighbour";
      try {
        return await work();
      } finally {
        site.project = "walk";
      }
    },
    async close() {
      await own.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return house as unknown as House;
}

/** Kills the command and its children at the response in the options. */
function killedBy({ crash }: Options, watch: (onAnswer: (line: string) => void) => void) {
  if (crash === undefined) return undefined;
  return (child: ChildProcess) =>
    watch((line) => {
      if (crash.plan({ path: `answer ${line}` } as never) === undefined) return;
      const { pid } = child;
      if (pid !== undefined) for (const each of [...descendantsOf(pid), pid]) end(each);
    });
}

type Told = Awaited<ReturnType<typeof runPulumi>>;

// Messages that only repeat that something failed.
const isEcho =
  /^(update|preview|refresh|destroy|destruction) failed$|one or more errors|^Error: resource .* failed to register/;

/** The output of a run: its steps with `--diff`, and messages. */
function ranOf(verb: string, { code, output, events: all }: Told, requests: readonly string[]): Ran {
  const events: Event[] = [];
  const plan: Step[] = [];
  const said: string[] = [];
  const warnings: string[] = [];
  const failures: { urn?: string; message: string }[] = [];
  for (const {
    resourcePreEvent: begun,
    resOutputsEvent: done,
    resOpFailedEvent: failed,
    diagnosticEvent,
  } of all) {
    if (diagnosticEvent !== undefined) {
      const { severity, urn } = diagnosticEvent;
      const message = diagnosticEvent.message.trim();
      if (severity === "error" && !isEcho.test(message))
        failures.push({ ...(urn !== undefined && { urn }), message });
      else if (severity === "warning") warnings.push(message);
      if (severity !== "debug") said.push(...message.split("\n"));
    }
    const metadata = (begun ?? done ?? failed)?.metadata;
    if (metadata === undefined || kindOfType(metadata.type) === undefined) continue;
    const step = stepOf(metadata, verb);
    if (begun !== undefined && step.op !== "same") plan.push(step);
    if (done !== undefined) events.push({ type: "done", step } as never);
    if (failed !== undefined) events.push({ type: "failed", step, message: "" } as never);
  }
  const steps = events.flatMap((event) => {
    if (event.type !== "done" && event.type !== "failed") return [];
    const { op, name } = event.step;
    return event.type === "done" && ["same", "refresh", "read"].includes(op)
      ? []
      : [`${op} ${name}${event.type === "done" ? "" : " failed"}`];
  });
  if (code !== 0 && failures.length === 0) failures.push({ message: output });
  return {
    result: { outcome: code === 0 ? "succeeded" : "failed", failures } as unknown as Ran["result"],
    error: undefined,
    events,
    steps,
    said,
    ...(warnings.length > 0 && { warnings }),
    requests,
    effects: [],
    notices: said.flatMap(noticeIn),
    plan,
    current: currentPlan([], [], { failures: [] }),
    guarded: [],
    requestsNeeded: undefined,
    cutOffs: 0,
  } as Ran;
}

const marks = {
  "puts back what staff changed": "puts-back",
  "overwrites changes made in the shop": "overwrites",
} as const;

/** A property of a step in the embedded engine is a line here. */
function noticeIn(line: string): readonly Notice[] {
  const [, kind = "", id = "", what = "", path = ""] =
    /^(\w+) (\S+): (puts back what staff changed|overwrites changes made in the shop): (.*)$/.exec(line) ??
    [];
  return kind === ""
    ? []
    : ([
        { type: marks[what as keyof typeof marks], kind, id, fields: [{ path }], isOfPulumi: true },
      ] as never);
}

function stepOf({ op, urn, type, old, new: next }: Metadata, verb: string): Step {
  const isRead = verb === "refresh" || op === "refresh";
  const sides = isRead ? [old?.outputs, next?.outputs] : [old?.inputs, next?.inputs];
  const changes = op === "create" || op === "delete" ? [] : changesIn(sides[0], sides[1], "");
  const name = urn.split("::").at(-1);
  // Pulumi shows no value that an argument replaces which the program sets for the first time.
  const rest = { custom: true, found: isRead, olds: {} };
  return { op, urn, type, name, id: old?.id ?? next?.id, changes, ...rest } as never;
}

/** The differences of two values as `--diff` shows them. */
function changesIn(old: unknown, next: unknown, path: string): readonly object[] {
  const isBoth = typeof old === "object" && typeof next === "object" && old !== null && next !== null;
  if (!isBoth)
    return JSON.stringify(old) === JSON.stringify(next)
      ? []
      : [{ path, kind: kindOf(old, next), old, new: next }];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !name.startsWith("__"),
  );
  const at = (value: object, name: string) => (value as Readonly<Record<string, unknown>>)[name];
  return names.flatMap((name) =>
    changesIn(at(old, name), at(next, name), path === "" ? name : `${path}.${name}`),
  );
}

const kindOf = (old: unknown, next: unknown) =>
  old === undefined ? "add" : next === undefined ? "delete" : "update";
