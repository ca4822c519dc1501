/**
 * The embedded engine: runs an unmodified Pulumi program with dynamic resources where there is no pulumi. Nouns,
 * files and answers are Pulumi's own, so that the real one goes on where this one stopped. Knows nothing of what the resources are.
 */
import { backendRoot, type Places, placesOf, stackNames } from "./backend.ts";
import { type Deployment, openDeployment } from "./deployment.ts";
import type { Counts, Event, Failure, Watch } from "./events.ts";
import type { Run } from "./executor.ts";
import { diskFiles, type Files } from "./files.ts";
import { configArguments, type HostOptions, type Provider, startProgram, startProvider } from "./host.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { liveLock, type Machine, takeLock, thisMachine } from "./lock.ts";
import { serveMonitor } from "./monitor.ts";
import { openConfig, openProject, type Project, passphraseOf, type StackConfig } from "./project.ts";
import { refreshAll } from "./refresh.ts";
import type { Snapshot } from "./snapshot.ts";
import { finish, load, recover } from "./state-file.ts";
import { parseUrn, stackType } from "./urn.ts";
import { bareProperties, type Properties } from "./values.ts";
import { visible } from "./visible.ts";

export type { Counts, Event, Failure, Op, Severity, Step, Watch } from "./events.ts";
export type { State } from "./snapshot.ts";
export { load, NotSavedError } from "./state-file.ts";
export { typeOf } from "./urn.ts";
export type { Change, Properties, Value } from "./values.ts";
export { bareProperties, unknownText } from "./values.ts";

export interface StackOptions {
  /** A folder of the project. */
  readonly folder: string;
  /** The stack's name; the only one there is when left out. */
  readonly stack?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  /** Where everything is read and written; this machine's disk when left out. */
  readonly files?: Files;
  /** Who takes the lock; this process when left out. */
  readonly machine?: Machine;
}

/** A stack, opened: its project, configuration and state. */
export interface Stack {
  readonly name: string;
  readonly project: Project;
  readonly config: StackConfig;
  readonly exists: boolean;
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly files: Files;
  readonly machine: Machine;
}

/** What a run may be given in the place of the processes that it would start. */
export interface Parts {
  /** Starts the provider; its own process when left out. */
  readonly startProvider?: (options: HostOptions) => Promise<Provider>;
  /** Is the program: registers resources with the deployment and resolves with an exit code. */
  readonly program?: (deployment: Deployment) => Promise<number>;
}

export interface RunOptions {
  readonly watch: Watch;
  /** Operations of the provider at once. */
  readonly parallel?: number;
  /** Reads every resource before the program runs. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
  readonly parts?: Parts;
}

export interface Result {
  readonly outcome: "succeeded" | "failed" | "cancelled";
  readonly counts: Counts;
  /** Why it failed: each resource, and the program itself. */
  readonly failures: readonly Failure[];
  /** The stack's outputs, secrets masked. */
  readonly outputs: Properties;
  /** Whether the state differs from what it was; of a preview, whether it would. */
  readonly changed: boolean;
  readonly durationMs: number;
}

/** There is no such stack, or nobody said which. */
export class NoStackError extends Error {
  override readonly name = "NoStackError";
}

const defaultParallel = 16;

/**
 * Opens a stack.
 * @throws Error where there is no project, no such stack, or a choice is needed
 */
export function openStack(options: StackOptions): Stack {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  const root = backendRoot(files, project, options.env);
  const names = stackNames(files, root, project.name);
  const name = options.stack ?? only(names, project);
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new Error(
      `${JSON.stringify(name)} is no name of a stack: letters, digits, hyphens, underscores and periods only`,
    );
  const config = openConfig(project, name, passphraseOf(options.env, files), files);
  return {
    name,
    project,
    config,
    exists: names.includes(name),
    places: placesOf(root, project.name, name),
    env: options.env,
    now: options.now ?? (() => new Date()),
    files,
    machine: options.machine ?? thisMachine(),
  };
}

function only(names: readonly string[], project: Project): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new NoStackError(`the project ${project.name} has no stack yet: name one with --stack`);
  throw new NoStackError(
    `the project ${project.name} has several stacks (${names.join(", ")}): name one with --stack`,
  );
}

/** The stacks of a project, by name. */
export function stacks(options: Omit<StackOptions, "stack">): readonly string[] {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  return stackNames(files, backendRoot(files, project, options.env), project.name);
}

/** Shows what `up` would do; changes nothing. */
export const preview = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: true, program: true });
/** Converges what the provider manages to the program. */
export const up = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: false, program: true });
/** Reads every resource into the state; `previewOnly` leaves the state as it is. */
export const refresh = (
  stack: Stack,
  options: RunOptions & { readonly previewOnly?: boolean },
): Promise<Result> =>
  execute(stack, { ...options, refresh: true }, { dryRun: options.previewOnly === true, program: false });
/** Deletes everything that the state has; `previewOnly` only shows it. */
export const destroy = (
  stack: Stack,
  options: RunOptions & { readonly previewOnly?: boolean },
): Promise<Result> =>
  execute(stack, options, { dryRun: options.previewOnly === true, program: false, destroy: true });

/** The outputs of a stack as its state has them. */
export function outputs(stack: Stack, options: { readonly showSecrets?: boolean } = {}): Properties {
  const root = load(stack).resources.find((state) => state.type === stackType);
  const found = root?.outputs ?? {};
  return options.showSecrets ? bareProperties(found) : visible(found);
}

interface Kind {
  readonly dryRun: boolean;
  readonly program: boolean;
  readonly destroy?: boolean;
}

async function execute(stack: Stack, options: RunOptions, kind: Kind): Promise<Result> {
  const began = performance.now();
  const { files, places, machine } = stack;
  const lock = kind.dryRun ? undefined : takeLock(files, places.locks, machine, stack.now());
  try {
    // Beside a run that is under way nothing was cut off: what its journal has is still being done.
    const beside = kind.dryRun && liveLock(files, places.locks, machine) !== undefined;
    const base = load(stack);
    if (!beside) warnPending(base, options.watch);
    const journal = kind.dryRun ? undefined : openJournal(files, places.journal, recover(stack, base));
    const ledger = openLedger(base, stack.config, journal);
    const run = openRun(stack, options, kind, ledger);
    let result: Pick<Result, "outcome" | "counts" | "failures" | "outputs">;
    try {
      result = await run.perform();
    } finally {
      run.close();
      if (journal !== undefined) await finish(stack, ledger, journal);
    }
    return { ...result, changed: ledger.changed(), durationMs: performance.now() - began };
  } finally {
    lock?.release();
  }
}

function warnPending(base: Snapshot, watch: Watch): void {
  for (const { resource, type } of base.pending) {
    const text = `an earlier run was cut off while ${type} ${resource.urn}; it is tried again where the program still asks for it`;
    watch({ type: "message", severity: "warning", text, urn: resource.urn });
  }
}

/** The parts of one run: the provider's host, the monitor, the program. */
function openRun(stack: Stack, options: RunOptions, kind: Kind, ledger: ReturnType<typeof openLedger>) {
  const { watch, signal, parts = {} } = options;
  const parallel = options.parallel ?? defaultParallel;
  const print = (text: string) => watch({ type: "printed", text });
  let provider: Promise<Provider> | undefined;
  let server: Awaited<ReturnType<typeof serveMonitor>> | undefined;
  const host = (): HostOptions => {
    const { project, name, config } = stack;
    // The SDK's own name for it; its host of providers isn't told otherwise.
    const env = { ...stack.env, PULUMI_NODEJS_DRY_RUN: String(kind.dryRun) };
    return { project, stack: name, config, env, engineAddress: server?.address ?? "", print };
  };
  const run: Run = {
    stack: stack.name,
    project: stack.project.name,
    dryRun: kind.dryRun,
    ledger,
    provider: () => {
      provider ??= (parts.startProvider ?? startProvider)(host());
      return provider;
    },
    providerInputs: configArguments(stack.config),
    watch,
    now: stack.now,
    limit: limiter(parallel),
    cancelled: () => signal?.aborted === true,
    finding: !kind.program && kind.destroy !== true,
  };
  const deployment = openDeployment(run);

  const onStop = () => void provider?.then((started) => started.stop()).catch(() => undefined);
  signal?.addEventListener("abort", onStop);

  async function perform() {
    // Nobody calls where both the program and the provider are functions.
    if (parts.program === undefined || parts.startProvider === undefined)
      server = await serveMonitor(deployment);
    // Both processes take most of a second to start; they start side by side.
    run.provider().catch(() => undefined);
    if (options.refresh) await refreshAll(run, deployment);
    const refreshed = deployment.result().failures.length === 0;
    let failure: Failure | undefined;
    if (kind.program && refreshed) failure = await runProgram();
    if (kind.destroy && refreshed) await deployment.removeAll(ledger.states());
    const { counts, failures, outputs: given } = deployment.result();
    const all = failure === undefined ? failures : [...failures, failure];
    const outcome = signal?.aborted
      ? ("cancelled" as const)
      : all.length > 0
        ? ("failed" as const)
        : ("succeeded" as const);
    const kept = ledger.states().find((state) => state.type === stackType)?.outputs;
    return { outcome, counts, failures: all, outputs: visible(given ?? kept ?? {}) };
  }

  async function runProgram(): Promise<Failure | undefined> {
    const code = await (parts.program ?? startedProgram)(deployment);
    await deployment.settled();
    const { failures } = deployment.result();
    // Deletes come of a program that ran to its end: one that failed did not get to ask for everything.
    if (code === 0 && failures.length === 0 && !signal?.aborted) await deployment.finishDeletes();
    if (code === 0 || failures.length > 0) return undefined;
    return { urn: undefined, message: `the program ended with code ${code}; what it printed says why` };
  }

  async function startedProgram(): Promise<number> {
    const program = startProgram(host(), server?.address ?? "", { dryRun: kind.dryRun, parallel });
    const stop = () => program.kill("SIGTERM");
    signal?.addEventListener("abort", stop);
    const code = await program.ended;
    signal?.removeEventListener("abort", stop);
    return code;
  }

  return {
    perform,
    close: () => {
      signal?.removeEventListener("abort", onStop);
      provider?.then((started) => started.close()).catch(() => undefined);
      server?.close();
    },
  };
}

/** At most so many at once, first come first served. */
function limiter(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** A run's events, gathered; for tests and for machines. */
export function recorder(): { readonly events: readonly Event[]; readonly watch: Watch } {
  const events: Event[] = [];
  return { events, watch: (event) => events.push(event) };
}

/** The name that a person knows a resource by. */
export const nameOf = (urn: string): string => parseUrn(urn).name;
/** The last part of a type: what a program calls the class. */
export const kindOf = (type: string): string => type.split(":").at(-1) ?? type;
