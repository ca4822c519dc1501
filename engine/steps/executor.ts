/** Performs steps: waits for a free slot, reports and counts each step, and writes it to the journal before it begins. */

import { HangError } from "../processes/hang-detection.ts";
import { InitError, LostProviderError, RefusedError, WrongArgumentsError } from "../processes/provider.ts";
import type { Providers } from "../processes/providers.ts";
import type { Project } from "../project/project.ts";
import { isDefaultProvider, isPulumisOwn, parseUrn, referenceParts } from "../pulumi/urn.ts";
import { LockLostError } from "../state/lock.ts";
import { masked, maskedChanges, maskedOutputs, type SecretDigest, secretDigests } from "../state/masking.ts";
import type { State } from "../state/snapshot.ts";
import type { SnapshotManager } from "../state/snapshot-manager.ts";
import type { Failure, Op, Step, Watch } from "../values/events.ts";
import { asks } from "../values/events.ts";
import type { Change, Properties } from "../values/values.ts";
import type { Targets } from "./targets.ts";

export interface Run {
  readonly stack: string;
  readonly project: string;
  /** Where the program is, to find its own lines in a stack trace, and how it is compiled. */
  readonly program: Pick<Project, "folder" | "programFolder" | "runtime">;
  readonly dryRun: boolean;
  readonly snapshots: SnapshotManager;
  readonly providers: Providers;
  /** Returns the configuration of a package's default provider. */
  readonly configOf: (packageName: string) => Properties;
  readonly watch: Watch;
  readonly now: () => Date;
  /** Limits the number of concurrent provider operations. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  readonly cancelled: () => boolean;
  /** Stops the run: no further step begins, running ones finish. */
  readonly stop: () => void;
  /** Returns why a step is refused because the approved preview doesn't contain it; undefined if it may run. */
  readonly refuses: (step: Step) => string | undefined;
  /** URNs of resources to replace, whatever the program and the provider say. */
  readonly replace: ReadonlySet<string>;
  readonly targets: Targets;
  /** Whether a preview reads each resource that it would delete, to detect changes since the last run. */
  readonly looksBeforeDelete: boolean;
  /** Whether equal inputs make a resource unchanged without a diff. */
  readonly comparesInputs: boolean;
  /**
   * Counts reads of a preview: resources it would delete, those that no longer exist, and requests for resources of
   * interrupted operations.
   */
  readonly looked: { count: number; gone: number; interrupted: number };
  /** Whether resources may have hooks, because another engine applies the plan and runs them. */
  readonly passesHooks: boolean;
  /** Whether the run only looks for differences (refresh): then its findings are counted. */
  readonly finding: boolean;
  /** Computes keyed digests of secrets, so that two runs can compare them. */
  readonly digest: SecretDigest | undefined;
}

export type Executor = ReturnType<typeof openExecutor>;

/** The fields of a step that don't follow from its state. */
export interface StepParts extends Partial<Step> {
  readonly old?: State;
}

/**
 * A step as an event reports it, with secrets masked.
 * @param more its changes may contain secrets; `old` is the state before the step, if it differs from `state`
 */
export function step(op: Op, state: State, more: StepParts = {}, digest?: SecretDigest): Step {
  const { name } = parseUrn(state.urn);
  const inputs = asks(op) || (digest !== undefined && op === "same") ? (state.inputs ?? {}) : {};
  const { changes = [], old = state, ...rest } = more;
  return {
    op,
    urn: state.urn,
    type: state.type,
    name,
    parent: state.parent,
    custom: state.custom,
    id: state.id,
    ...ownProvider(state),
    ...(state.ignoreChanges !== undefined && { ignoreChanges: state.ignoreChanges }),
    changes: maskedChanges(changes, state.hideDiff),
    inputs: masked(inputs),
    olds: maskedOutputs(old.outputs ?? {}, old.inputs ?? {}, state.inputs ?? {}),
    replaces: [],
    found: false,
    ...(digest !== undefined && digestsOfSecrets(inputs, changes, digest)),
    ...rest,
  };
}

function ownProvider({ provider }: State): Pick<Step, "provider"> {
  const { urn } = referenceParts(provider ?? "");
  return urn === "" || isDefaultProvider(parseUrn(urn).name) ? {} : { provider: urn };
}

function digestsOfSecrets(
  inputs: Properties,
  changes: readonly Change[],
  digest: SecretDigest,
): Pick<Step, "secrets"> | undefined {
  const digests = [
    ...secretDigests(inputs, "inputs", "", digest),
    ...changes.flatMap(({ path, old, new: next }) => [
      ...secretDigests(old, "old", path, digest),
      ...secretDigests(next, "new", path, digest),
    ]),
  ];
  return digests.length === 0 ? undefined : { secrets: Object.fromEntries(digests) };
}

export function openExecutor(run: Run) {
  const counts: Partial<Record<Op, number>> = {};
  const failures: Failure[] = [];
  // The program received an error for a registration, so it may not have registered dependents.
  let unregistered = false;
  const running = new Set<Promise<unknown>>();

  // Tracks operations that outlive a program that failed or was stopped: the run ends after them.
  function tracked<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  }

  /** Throws if the run was stopped: then no step begins and no provider is called. */
  function refuseStopped(): void {
    if (run.cancelled()) throw new Error("the run was stopped before this step began");
  }

  const perform: typeof performStep = (...step) => tracked(performStep(...step));

  /** Performs one step: waits for a free slot, reports and counts it, and writes it to the journal before it begins. */
  function performStep<T>(
    it: Step,
    resource: State,
    kind: "creating" | "updating" | "deleting" | undefined,
    work: (end: number | undefined) => Promise<T>,
  ): Promise<T> {
    const begun = async () => {
      refuseStopped();
      const why = kind === undefined && it.op !== "import" ? undefined : run.refuses(it);
      if (why !== undefined) {
        const error = new RefusedError(why);
        fail(it, error);
        throw error;
      }
      run.watch({ type: "started", step: it });
      const end = kind === undefined || run.dryRun ? undefined : await journaled(it, kind, resource);
      try {
        const result = await work(end);
        done(it);
        return result;
      } catch (error) {
        // A hanging operation may still succeed: its journal entry stays open, so the next run treats it as
        // interrupted.
        const isOver = !(error instanceof InitError || error instanceof HangError);
        if (end !== undefined && isOver) await run.snapshots.end(end);
        fail(it, error);
        throw error;
      }
    };
    return kind === undefined ? begun() : run.limit(begun);
  }

  // An operation that can't be written to the journal doesn't begin, for example if the disk is full.
  async function journaled(it: Step, kind: "creating" | "updating" | "deleting", resource: State) {
    try {
      return await run.snapshots.begin(kind, resource, it.op === "adopt" ? it.id : undefined);
    } catch (error) {
      if (error instanceof LockLostError) run.stop();
      fail(it, error);
      throw error;
    }
  }

  function done(it: Step): void {
    if (counted(it) && it.partOf === undefined) counts[it.op] = (counts[it.op] ?? 0) + 1;
    run.watch({ type: "done", step: it });
  }

  const counted = (it: Step) => it.custom && !isPulumisOwn(it.type) && (run.finding || !it.found);

  function fail(it: Step, error: unknown): void {
    const { message } = error as Error;
    const how = {
      ...(error instanceof RefusedError && { refused: true as const }),
      ...(error instanceof LostProviderError && { unanswered: true as const }),
    };
    failures.push({ urn: it.urn, message, ...how });
    reportUnfinished(it, error);
  }

  /** Reports a step as failed before it begins. */
  function failWith(it: Step, message: string): never {
    const error = new Error(message);
    fail(it, error);
    throw error;
  }

  const reportUnfinished = (step: Step, error: unknown) =>
    run.watch({
      type: error instanceof RefusedError ? "refused" : "failed",
      step,
      message: (error as Error).message,
    });

  /** Performs a step that consists of other steps; these report their own failures. */
  async function performWhole<T>(it: Step, work: () => Promise<T>): Promise<T> {
    run.watch({ type: "started", step: it });
    try {
      const result = await work();
      done(it);
      return result;
    } catch (error) {
      reportUnfinished(it, error);
      throw error;
    }
  }

  return {
    step: (op: Op, state: State, more?: StepParts) => step(op, state, more, run.digest),
    perform,
    performWhole,
    refuseStopped,
    fail,
    failWith,
    /** Runs work for a resource and reports its error once. */
    async reportOnce<T>(urn: string, work: () => Promise<T>): Promise<T> {
      const before = failures.length;
      try {
        return await work();
      } catch (error) {
        unregistered = true;
        const isReported = failures.slice(before).some((failure) => failure.urn === urn);
        if (!isReported)
          failures.push({
            urn,
            message: (error as Error).message,
            ...(error instanceof WrongArgumentsError && { wrong: error.wrong }),
          });
        throw error;
      }
    },
    /** Whether the run failed apart from refusals, which change nothing and don't affect other resources. */
    hasFailed: () => unregistered || failures.some(({ refused }) => refused !== true),
    counts,
    failures,
    async idle() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}
