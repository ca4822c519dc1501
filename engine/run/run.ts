/** One run: under the lock, from the state to the state, with the provider and the program in between. */

import pLimit from "p-limit";
import { type Lock, liveLock, underLock } from "../disk/lock.ts";
import type { HostOptions } from "../processes/children.ts";
import { runEnvironment } from "../processes/environment.ts";
import { configArguments, startProgram } from "../processes/host.ts";
import { type MonitorServer, serveMonitor } from "../processes/monitor.ts";
import { type OpenOwnVerbs, startBeside } from "../processes/own-verbs.ts";
import { type Plugin, startPlugin } from "../processes/plugin.ts";
import { endedEarly } from "../processes/program-failure.ts";
import type { Provider } from "../processes/provider.ts";
import { openProviders } from "../processes/providers.ts";
import { referenceProvider } from "../processes/references.ts";
import { type Every, openSilence, type Silence } from "../processes/silence.ts";
import { checkProgram } from "../project/project.ts";
import { removeWhole } from "../pulumi/disk.ts";
import { stackType } from "../pulumi/urn.ts";
import type { About, HistoryEntry } from "../stack/history.ts";
import { locksOf, type Stack } from "../stack/stack.ts";
import { openJournal } from "../state/journal.ts";
import { openLedger } from "../state/ledger.ts";
import { newerPath } from "../state/put-back.ts";
import type { Snapshot } from "../state/snapshot.ts";
import { finish, type Held, load, NotSavedError, recover } from "../state/state-file.ts";
import { type Seal, visible } from "../state/visible.ts";
import type { Run } from "../steps/executor.ts";
import type { Import } from "../steps/imports.ts";
import { openTargets, type TargetOptions, UnknownNameError } from "../steps/targets.ts";
import type { Counts, Failure, Step, Watch } from "../values/events.ts";
import type { Properties, Value } from "../values/values.ts";
import { type Deployment, openDeployment } from "./deployment.ts";
import { recorded } from "./record.ts";
import { refreshAll, removeAll } from "./refresh.ts";

/** What a run may be given in the place of the processes that it would start. */
export interface Parts {
  /** Starts the provider; its own process when left out. */
  readonly startProvider?: (options: HostOptions) => Promise<Provider>;
  /** Opens dynamic providers that need no process; all are asked in the SDK's host when left out. */
  readonly openOwnVerbs?: OpenOwnVerbs;
  /** The package of the plugin that manages what a dynamic provider does (`__provider`). */
  readonly pluginOf?: (provider: Value | undefined) => string | undefined;
  /** Starts a plugin; its own process when left out. */
  readonly startPlugin?: (options: HostOptions, name: string, folder: string) => Promise<Plugin>;
  /** Is the program: registers resources with the deployment and resolves with an exit code. */
  readonly program?: (deployment: Deployment) => Promise<number>;
  /** What bounds the silence of providers goes by; a timer when left out. */
  readonly every?: Every;
}

export interface RunOptions extends TargetOptions {
  readonly watch: Watch;
  /** What whoever runs it knows of a step beside the engine: it is noted and told with that. */
  readonly marked?: (step: Step) => Step;
  /** Operations of the provider at once. */
  readonly parallel?: number;
  /** Reads every resource before the program runs. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
  /** Urns of resources to replace, whatever the program and the provider say. */
  readonly replace?: readonly string[];
  /** Why a step may not be done, where a person saw a plan without it. */
  readonly refuses?: (step: Step) => string | undefined;
  /** Why a state isn't emptied of so many resources, two or more, of which nothing was found; undefined where it is. */
  readonly refusesEmpty?: (count: number) => string | undefined;
  /** A plan reads what it would delete, and tells what was changed in it since; the provider does the same when it deletes. */
  readonly looksBeforeDelete?: boolean;
  /** Whether a plan takes hooks for run: Pulumi's own engine does what is planned. */
  readonly passesHooks?: boolean | undefined;
  /** Makes secrets comparable with another run's (engine/state/visible.ts). */
  readonly seal?: Seal;
  /** How long providers may give no sign of life; for ever when left out. */
  readonly silence?: Silence;
  /** Who runs it, and from what: noted in the stack's history; this process and its machine when left out. */
  readonly about?: About;
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
  /** The program didn't come to its end: nobody knows which resources of the state it no longer asks for. */
  readonly deletesUnknown?: true;
  /** Reads of what an earlier run was interrupted in: whoever carries a plan out reads that again. */
  readonly interruptedReads?: number;
}

const defaultParallel = 16;

function outcomeOf(signal: AbortSignal | undefined, failures: readonly Failure[]): Result["outcome"] {
  if (signal?.aborted) return "cancelled";
  return failures.length > 0 ? "failed" : "succeeded";
}

/** What a run is for. */
export interface Kind {
  readonly dryRun: boolean;
  readonly program: boolean;
  readonly destroy?: boolean;
  /** Objects to bring under the stack. */
  readonly imports?: readonly Import[];
}

/** Pulumi's names of runs (sdk/go/common/apitype/history.go). */
function recordedAs({ program, destroy, imports }: Kind): HistoryEntry["kind"] {
  if (imports !== undefined) return "resource-import";
  if (destroy === true) return "destroy";
  return program ? "update" : "refresh";
}

/** Performs a run. @throws NotSavedError where what it did could not be written */
export async function execute(stack: Stack, options: RunOptions, kind: Kind): Promise<Result> {
  const began = performance.now();
  const { marked = (step) => step } = options;
  const marking =
    (watch: Watch): Watch =>
    (event) =>
      watch("step" in event ? { ...event, step: marked(event.step) } : event);
  const { files, paths, machine } = stack;
  const ended = (result: Ended) => ({ ...result, durationMs: performance.now() - began });
  if (kind.program) checkProgram(stack.project, files);
  if (!kind.dryRun)
    return underLock(locksOf(stack), async (lock) =>
      ended(
        await recorded(stack, options, recordedAs(kind), (watch) =>
          write(stack, { ...options, watch: marking(watch) }, kind, lock),
        ),
      ),
    );
  const base = load(stack);
  // Beside a run that is under way nothing was interrupted: what its journal has is still being done.
  if (liveLock(files, paths.locks, machine) === undefined) warnPending(base, options.watch);
  const ledger = openLedger(base, stack.config, undefined);
  const run = openRun(stack, { ...options, watch: marking(options.watch) }, kind, { ledger });
  try {
    return ended({ ...(await run.perform()), changed: ledger.changed() });
  } finally {
    run.close();
  }
}

type Ended = Omit<Result, "durationMs">;

/** A run that changes things: whatever happens in it, what was done is in the state file at its end, or in the journal. */
async function write(stack: Stack, options: RunOptions, kind: Kind, lock: Lock): Promise<Ended> {
  const found = load(stack);
  warnPending(found, options.watch);
  const base = recover(stack, found, lock);
  const journal = openJournal(stack.files, stack.paths.journal, base, lock);
  const ledger = openLedger(found, stack.config, journal);
  const held = { lock, base, ledger, journal };
  const run = openRun(stack, options, kind, held);
  const performed = run.perform();
  let complete = false;
  const failed = await performed.then(
    ({ outcome }) => {
      complete = outcome === "succeeded";
      return undefined;
    },
    (error: Error) => error,
  );
  run.close();
  try {
    await finish(stack, held, complete);
    // Whoever asked for all of the program again has met what an older state didn't know of.
    const asksAll = kind.program || kind.destroy === true;
    if (complete && asksAll && options.target === undefined && options.exclude === undefined)
      removeWhole(stack.files, newerPath(stack.paths));
  } catch (error) {
    if (failed === undefined) throw error;
    const { message } = error as Error;
    throw new NotSavedError(`${message}\nBefore that the run had failed: ${failed.message}`, {
      cause: error,
    });
  }
  return { ...(await performed), changed: ledger.changed() };
}

function warnPending(base: Snapshot, watch: Watch): void {
  for (const { resource, type } of base.pending) {
    const text = `an earlier run was interrupted while ${type} ${resource.urn}; it is tried again where the program still asks for it`;
    watch({ type: "message", severity: "warning", text, urn: resource.urn });
  }
}

const failureOf = (message: string | undefined): Failure | undefined =>
  message === undefined ? undefined : { urn: undefined, message };

/** The parts of one run: the provider's host, the monitor, the program. */
function openRun(
  stack: Stack,
  options: RunOptions,
  kind: Kind,
  { ledger, lock }: Pick<Held, "ledger"> & Partial<Pick<Held, "lock">>,
) {
  const { watch, parts = {} } = options;
  // A run also stops itself: where it may not go on.
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const parallel = options.parallel ?? defaultParallel;
  const silence =
    options.silence === undefined ? undefined : openSilence(options.silence, () => own.abort(), parts.every);
  const print = (text: string) => {
    silence?.sign();
    watch({ type: "printed", text });
  };
  let server: MonitorServer | undefined;
  const host = (): HostOptions => {
    const { project, name, config } = stack;
    const told = runEnvironment({ dryRun: kind.dryRun, lock: lock?.path });
    const env = { ...stack.env, ...told };
    return { project, stack: name, config, env, engineAddress: server?.address ?? "", print };
  };
  const configOf = (name: string) => configArguments(stack.config, name);
  const providers = openProviders({
    project: stack.project,
    configOf,
    startDynamic: () => (parts.startProvider ?? startBeside(parts.openOwnVerbs))(host()),
    pluginOf: parts.pluginOf,
    startPlugin: (name, folder) => (parts.startPlugin ?? startPlugin)(host(), name, folder),
    own: referenceProvider(stack),
    find: ledger.find,
  });
  const run: Run = {
    stack: stack.name,
    project: stack.project.name,
    folder: stack.project.folder,
    dryRun: kind.dryRun,
    ledger,
    providers:
      silence === undefined
        ? providers
        : { ...providers, of: (one) => silence.watched(one.type, () => providers.of(one)) },
    configOf,
    watch,
    now: stack.now,
    limit: pLimit(parallel),
    cancelled: () => signal.aborted,
    stop: () => own.abort(),
    refuses: (kind.dryRun ? undefined : options.refuses) ?? (() => undefined),
    looked: { count: 0, gone: 0, interrupted: 0 },
    replace: new Set(options.replace),
    targets: openTargets(options),
    looksBeforeDelete: kind.dryRun && options.looksBeforeDelete === true,
    passesHooks: kind.dryRun && options.passesHooks === true,
    finding: !kind.program && kind.destroy !== true && kind.imports === undefined,
    seal: options.seal,
  };
  const deployment = openDeployment(run);

  const onStop = () => providers.stop();
  signal.addEventListener("abort", onStop);

  // Whether the program came to its end: what it didn't ask for by then is to be deleted.
  let asksAll = false;

  async function perform() {
    // Nobody calls where both the program and the provider are functions.
    if (parts.program === undefined || parts.startProvider === undefined)
      server = await serveMonitor(deployment);
    // Processes take most of a second to start; they start side by side.
    providers.warm(ledger.states());
    if (!kind.program) run.targets.refuseUnknown(ledger.states().map(({ urn }) => urn));
    let failure = options.refresh
      ? failureOf(await refreshAll(run, deployment, options.refusesEmpty))
      : undefined;
    const refreshed = failure === undefined && !deployment.hasFailed() && !signal.aborted;
    if (kind.program && refreshed) failure = await runProgram();
    if (kind.destroy && refreshed)
      failure = failureOf(await removeAll(run, deployment, options.refusesEmpty));
    if (kind.imports !== undefined) await deployment.importAll(kind.imports);
    const { counts, failures, outputs: given } = deployment.result();
    const all = failure === undefined ? failures : [...failures, failure];
    const kept = ledger.states().find((state) => state.type === stackType)?.outputs;
    const deletesUnknown = kind.program && !asksAll && deployment.unasked().length > 0;
    return {
      outcome: outcomeOf(options.signal, all),
      counts,
      failures: all,
      outputs: visible(given ?? kept ?? {}),
      ...(deletesUnknown && { deletesUnknown }),
      ...(run.looked.interrupted > 0 && { interruptedReads: run.looked.interrupted }),
    };
  }

  async function runProgram(): Promise<Failure | undefined> {
    const code = await (parts.program ?? startedProgram)(deployment);
    await deployment.settled();
    const { failures, programFailures, ending } = deployment.result();
    // What was refused stays as it is and keeps nobody else; deletes come of a program that ran to its end: one that failed did not get to ask for everything.
    if (code === 0 && !deployment.hasFailed() && !signal.aborted) {
      asksAll = true;
      const wrong = await deployment.finishDeletes().catch((error: Error) => error);
      if (kind.dryRun && wrong instanceof UnknownNameError) throw wrong;
      if (wrong !== undefined) return { urn: undefined, message: wrong.message };
    }
    if (programFailures.length > 0) return { urn: undefined, message: programFailures.join("\n") };
    if (code === 0 || failures.length > 0) return undefined;
    return {
      urn: undefined,
      message: ending ?? `the program exited with code ${code}; see its output above`,
    };
  }

  async function startedProgram(): Promise<number> {
    server ??= await serveMonitor(deployment);
    const program = startProgram(host(), server, { dryRun: kind.dryRun, parallel });
    const stop = () => program.kill("SIGTERM");
    signal.addEventListener("abort", stop);
    const code = await program.ended;
    signal.removeEventListener("abort", stop);
    if (code !== 0 || deployment.isComplete()) return code;
    deployment.ended(endedEarly(stack.project));
    return 1;
  }

  return {
    perform,
    close: () => {
      signal.removeEventListener("abort", onStop);
      silence?.close();
      providers.close();
      server?.close();
    },
  };
}
