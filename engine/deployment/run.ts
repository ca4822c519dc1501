/** Performs one run: takes the lock, loads the state, runs provider and program, writes the state. */

import pLimit from "p-limit";
import { removeWhole } from "../common/disk.ts";
import { type HostOptions, runVariables } from "../processes/child-process.ts";
import { type HangLimits, openHangDetection, type RunAtInterval } from "../processes/hang-detection.ts";
import { configArguments, startProgram } from "../processes/host.ts";
import { type OpenInProcessProvider, startDynamicProviders } from "../processes/in-process-provider.ts";
import { type MonitorServer, serveMonitor } from "../processes/monitor.ts";
import { type Plugin, startPlugin } from "../processes/plugin.ts";
import { endedEarly, killedText } from "../processes/program-failure.ts";
import type { Provider } from "../processes/provider.ts";
import { openProviders } from "../processes/providers.ts";
import { referenceProvider } from "../processes/stack-references.ts";
import { checkProgram } from "../project/project.ts";
import { referenceParts, stackType } from "../pulumi/urn.ts";
import type { HistoryEntry } from "../stack/history.ts";
import { locksOf, type Stack } from "../stack/stack.ts";
import { openJournal } from "../state/journal-writer.ts";
import { type Lock, liveLock, underLock } from "../state/lock.ts";
import { masked, type SecretDigest } from "../state/masking.ts";
import { newerStatePath } from "../state/restored-state.ts";
import type { Pending, Snapshot, State } from "../state/snapshot.ts";
import { openSnapshotManager } from "../state/snapshot-manager.ts";
import { finish, load, NotSavedError, type RunFiles, recover } from "../state/state-file.ts";
import type { Run } from "../steps/executor.ts";
import type { Import } from "../steps/import-deployment.ts";
import { openTargets, UnknownNameError } from "../steps/targets.ts";
import type { Failure, Step, Watch } from "../values/events.ts";
import type { Properties, Value } from "../values/values.ts";
import { type Deployment, openDeployment } from "./deployment.ts";
import { type RecordedOptions, type RunSummary, withHistoryEntry } from "./history-entry.ts";
import { refreshAll, removeAll } from "./refresh.ts";

/** Replaces the processes of a run; used by tests and embedders. */
export interface Parts {
  /** Starts the host of dynamic providers; by default its own process. */
  readonly startProvider?: (options: HostOptions) => Promise<Provider>;
  /** Opens dynamic providers that run in this process; by default all run in the SDK's host. */
  readonly openInProcessProvider?: OpenInProcessProvider;
  /** The package of the plugin that replaces a dynamic provider (`__provider`). */
  readonly pluginOf?: (provider: Value | undefined) => string | undefined;
  /** Starts a plugin; by default its own process. */
  readonly startPlugin?: (options: HostOptions, name: string, folder: string) => Promise<Plugin>;
  /** Runs the program: registers resources with the deployment and resolves with an exit code. */
  readonly program?: (deployment: Deployment) => Promise<number>;
  /** Replaces the timer that detects hanging providers. */
  readonly every?: RunAtInterval;
}

export interface RunOptions extends RecordedOptions {
  /** Adds the caller's marks to a step before it is refused, reported and recorded. */
  readonly marked?: (step: Step) => Step;
  /** Maximum number of concurrent provider operations; 16 by default. */
  readonly parallel?: number;
  /** Reads every resource before the program runs. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
  /** URNs of resources to replace, whatever the program and the provider say. */
  readonly replace?: readonly string[];
  /** Returns why a step is refused because the approved preview doesn't contain it; undefined if it may run. */
  readonly refuses?: (step: Step) => string | undefined;
  /**
   * Returns why a refresh or destroy may not find all `count` resources (two or more) missing; undefined if
   * it may.
   */
  readonly refusesEmpty?: (count: number) => string | undefined;
  /**
   * A preview reads each resource that it would delete and refuses the delete if the object has changed. At
   * the delete itself the provider checks.
   */
  readonly looksBeforeDelete?: boolean;
  /** Whether a resource whose checked inputs are those of the state, just refreshed, is unchanged without a diff. */
  readonly comparesInputs?: boolean | undefined;
  /** Whether a preview accepts resource hooks, because Pulumi's own engine applies the plan and runs them. */
  readonly passesHooks?: boolean | undefined;
  /**
   * Finds resources whose create an earlier run was interrupted in, as far as it got. The run has them in its state, so that
   * it continues them, or deletes them if the program no longer has them.
   * @param creates the resources that were being created
   */
  readonly recovers?: (creates: readonly State[]) => Promise<readonly State[]>;
  /** Whether an interrupted operation on a resource needs no warning, because somebody else says it. */
  readonly isSaid?: (operation: Pending) => boolean;
  /** Computes keyed digests of secrets, so that two runs can compare them. */
  readonly secretDigest?: SecretDigest;
  /** Detects hanging providers; without it a run waits for them without limit. */
  readonly hangLimits?: HangLimits;
  readonly parts?: Parts;
}

export interface Result extends RunSummary {
  /** Errors of single resources and of the program itself. */
  readonly failures: readonly Failure[];
  /** The position in the program that creates each resource, `index.ts:4`, by URN; undefined if unknown. */
  readonly places: ReadonlyMap<string, string | undefined>;
  /** The earlier URNs of each resource: of its aliases, and of an object that it adopts. */
  readonly formerly: ReadonlyMap<string, readonly string[]>;
  /** The stack's outputs, with secrets masked. */
  readonly outputs: Properties;
  /** Whether the run changed the state; for a preview, whether it would. */
  readonly changed: boolean;
  readonly durationMs: number;
  /** The program didn't run to its end, so it is unknown which resources of the state it would delete. */
  readonly deletesUnknown?: true;
  /** Number of requests that read resources whose change was interrupted; applying the plan sends them again. */
  readonly interruptedReads?: number;
}

const defaultParallel = 16;

function outcomeOf(signal: AbortSignal | undefined, failures: readonly Failure[]): Result["outcome"] {
  if (signal?.aborted) return "cancelled";
  return failures.length > 0 ? "failed" : "succeeded";
}

export interface Kind {
  readonly dryRun: boolean;
  readonly program: boolean;
  readonly destroy?: boolean;
  readonly imports?: readonly Import[];
}

/** Pulumi's names of the kinds of runs (sdk/go/common/apitype/history.go). */
function recordedAs({ program, destroy, imports }: Kind): HistoryEntry["kind"] {
  if (imports !== undefined) return "resource-import";
  if (destroy === true) return "destroy";
  return program ? "update" : "refresh";
}

/** Performs a run. @throws NotSavedError if its results could not be written to the state */
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
        await withHistoryEntry(stack, options, recordedAs(kind), (watch) =>
          write(stack, { ...options, watch: marking(watch) }, kind, lock),
        ),
      ),
    );
  const base = load(stack);
  // If another run is in progress, the pending operations in its journal aren't interrupted.
  const isAlone = liveLock(files, paths.locks, machine) === undefined;
  const recovered = isAlone ? await recoveredIn(base, options) : [];
  if (isAlone) warnPending(base, recovered, options, kind);
  const snapshots = openSnapshotManager(base, stack.config, undefined);
  for (const state of recovered) await snapshots.put(state);
  const run = openRun(stack, { ...options, watch: marking(options.watch) }, kind, { snapshots, recovered });
  try {
    return ended({ ...(await run.perform()), changed: snapshots.changed() });
  } finally {
    run.close();
  }
}

type Ended = Omit<Result, "durationMs">;

/** Performs a run that changes resources. At its end, its results are in the state file or in the journal. */
async function write(stack: Stack, options: RunOptions, kind: Kind, lock: Lock): Promise<Ended> {
  const found = load(stack);
  const recovered = await recoveredIn(found, options);
  warnPending(found, recovered, options, kind);
  const base = recover(stack, found, lock);
  const journal = openJournal(stack.files, stack.paths.journal, base, lock);
  const snapshots = openSnapshotManager(found, stack.config, journal);
  for (const state of recovered) await snapshots.put(state);
  const held = { lock, base, snapshots, journal };
  const run = openRun(stack, options, kind, { ...held, recovered });
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
    // A successful run of the whole program or a whole destroy knows all resources: a newer state kept beside
    // a restored one is no longer needed.
    const asksAll = kind.program || kind.destroy === true;
    if (complete && asksAll && options.target === undefined && options.exclude === undefined)
      removeWhole(stack.files, newerStatePath(stack.paths));
  } catch (error) {
    if (failed === undefined) throw error;
    const { message } = error as Error;
    throw new NotSavedError(`${message}\nBefore that the run had failed: ${failed.message}`, {
      cause: error,
    });
  }
  return { ...(await performed), changed: snapshots.changed() };
}

/** Resources whose create was interrupted, as far as it got. */
async function recoveredIn(
  { resources, pending }: Snapshot,
  { recovers = async () => [] }: RunOptions,
): Promise<readonly State[]> {
  const known = new Set(resources.map(({ urn }) => urn));
  const creates = pending.flatMap(({ type, resource }) =>
    type === "creating" && !known.has(resource.urn) ? [resource] : [],
  );
  const recovered = creates.length === 0 ? [] : await recovers(creates);
  // Without its provider or its parent a state can't have a resource.
  return recovered.filter(({ parent, provider }) =>
    [parent, provider && referenceParts(provider).urn].every((urn) => !urn || known.has(urn)),
  );
}

function warnPending(
  base: Snapshot,
  recovered: readonly State[],
  { watch, isSaid = () => false }: RunOptions,
  kind: Kind,
): void {
  for (const operation of base.pending) {
    if (isSaid(operation)) continue;
    const { resource, type } = operation;
    const isRecovered = recovered.some(({ urn }) => urn === resource.urn);
    const then = isRecovered
      ? "this run continues it if the program still asks for it, and deletes it otherwise"
      : continuation(type, kind);
    const text = `an earlier run was interrupted while ${type} it; ${then}`;
    watch({ type: "message", severity: "warning", text, urn: resource.urn });
  }
}

/** What becomes of an operation that was interrupted. */
function continuation(type: Snapshot["pending"][number]["type"], { program, destroy }: Kind): string {
  if (destroy === true && type !== "creating") return "this run deletes it";
  const condition = type === "deleting" ? "it should still be deleted" : "the program still asks for it";
  return `${program ? "this run" : "the next up"} tries again if ${condition}`;
}

const failureOf = (message: string | undefined): Failure | undefined =>
  message === undefined ? undefined : { urn: undefined, message };

/** Sets up one run: the provider host, the monitor and the program. */
function openRun(
  stack: Stack,
  options: RunOptions,
  kind: Kind,
  {
    snapshots,
    lock,
    recovered,
  }: Pick<RunFiles, "snapshots"> & Partial<Pick<RunFiles, "lock">> & { readonly recovered: readonly State[] },
) {
  const { watch, parts = {} } = options;
  // Also stops the run from inside, for example if its lock is lost.
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const parallel = options.parallel ?? defaultParallel;
  const hangs = openHangDetection(options.hangLimits, () => own.abort(), parts.every);
  const print = (text: string) => {
    hangs.sign();
    watch({ type: "printed", text });
  };
  let server: MonitorServer | undefined;
  const host = (): HostOptions => {
    const { project, name, config } = stack;
    const urns = recovered.map(({ urn }) => urn);
    const env = { ...stack.env, ...runVariables(kind.dryRun, lock?.path, urns, options.refresh) };
    return { project, stack: name, config, env, engineAddress: server?.address ?? "", print };
  };
  const configOf = (name: string) => configArguments(stack.config, name);
  const providers = openProviders({
    project: stack.project,
    configOf,
    startDynamic: () => (parts.startProvider ?? startDynamicProviders(parts.openInProcessProvider))(host()),
    // Pulumi's engine, where it applies the plan, uses the provider that the state names.
    pluginOf: options.passesHooks === true ? undefined : parts.pluginOf,
    startPlugin: (name, folder) => (parts.startPlugin ?? startPlugin)(host(), name, folder),
    own: referenceProvider(stack),
    find: snapshots.find,
  });
  const run: Run = {
    stack: stack.name,
    project: stack.project.name,
    program: stack.project,
    dryRun: kind.dryRun,
    snapshots,
    providers: { ...providers, of: (one) => hangs.watched(one.type, () => providers.of(one)) },
    configOf,
    watch,
    now: stack.now,
    limit: pLimit(parallel),
    cancelled: () => signal.aborted,
    stop: () => own.abort(),
    refuses: (step) => (kind.dryRun ? undefined : options.refuses?.(options.marked?.(step) ?? step)),
    looked: { count: 0, gone: 0, interrupted: 0 },
    replace: new Set(options.replace),
    targets: openTargets(options),
    looksBeforeDelete: kind.dryRun && options.looksBeforeDelete === true,
    comparesInputs: kind.dryRun && options.comparesInputs === true,
    passesHooks: kind.dryRun && options.passesHooks === true,
    finding: !kind.program && kind.destroy !== true && kind.imports === undefined,
    digest: options.secretDigest,
  };
  const deployment = openDeployment(run);

  const onStop = () => providers.stop();
  signal.addEventListener("abort", onStop);
  let ranToEnd = false;

  async function perform() {
    // Without processes nobody connects to the monitor.
    if (parts.program === undefined || parts.startProvider === undefined)
      server = await serveMonitor(deployment);
    // Processes take most of a second to start, so they start side by side.
    providers.warm(snapshots.states());
    if (!kind.program) run.targets.refuseUnknown(snapshots.states().map(({ urn }) => urn));
    let failure = options.refresh
      ? failureOf(await refreshAll(run, deployment, options.refusesEmpty))
      : undefined;
    const refreshed = failure === undefined && !deployment.hasFailed() && !signal.aborted;
    if (kind.program && refreshed) failure = await runProgram();
    if (kind.destroy && refreshed)
      failure = failureOf(await removeAll(run, deployment, options.refusesEmpty));
    if (kind.imports !== undefined) await deployment.importAll(kind.imports);
    const { counts, failures, places, formerly, outputs: given } = deployment.result();
    const all = failure === undefined ? failures : [...failures, failure];
    const kept = snapshots.states().find((state) => state.type === stackType)?.outputs;
    const deletesUnknown = kind.program && !ranToEnd && deployment.unregistered().length > 0;
    return {
      outcome: outcomeOf(options.signal, all),
      counts,
      failures: all,
      places,
      formerly,
      outputs: masked(given ?? kept ?? {}),
      ...(deletesUnknown && { deletesUnknown }),
      ...(run.looked.interrupted > 0 && { interruptedReads: run.looked.interrupted }),
    };
  }

  async function runProgram(): Promise<Failure | undefined> {
    const code = await (parts.program ?? startedProgram)(deployment);
    await deployment.settled();
    const { failures, programFailures, ending } = deployment.result();
    // Refused steps leave their resources unchanged and don't prevent deletes. A program that failed may not
    // have registered everything, so nothing is deleted.
    if (code === 0 && !deployment.hasFailed() && !signal.aborted) {
      ranToEnd = true;
      const wrong = await deployment.finishDeletes().catch((error: Error) => error);
      if (kind.dryRun && wrong instanceof UnknownNameError) throw wrong;
      if (wrong !== undefined) return { urn: undefined, message: wrong.message };
    }
    if (programFailures.length > 0) return { urn: undefined, message: programFailures.join("\n") };
    // A stopped program is killed, so its exit code says nothing.
    if (code === 0 || failures.length > 0 || signal.aborted) return undefined;
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
    const { code, signal: by } = await program.ended;
    signal.removeEventListener("abort", stop);
    if (by !== null && !signal.aborted) deployment.ended(killedText(by));
    if (code !== 0 || deployment.isComplete()) return code;
    deployment.ended(endedEarly(stack.project));
    return 1;
  }

  return {
    perform,
    close: () => {
      signal.removeEventListener("abort", onStop);
      hangs.close();
      providers.close();
      server?.close();
    },
  };
}
