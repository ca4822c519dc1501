/** Does steps: each in its turn, told to the watcher, counted, and journalled from before it begins. */

import { LockLostError } from "../disk/lock.ts";
import { InitError, RefusedError, WrongArgumentsError } from "../processes/provider.ts";
import type { Providers } from "../processes/providers.ts";
import { SilentError } from "../processes/silence.ts";
import { isPulumisOwn, parseUrn } from "../pulumi/urn.ts";
import type { Ledger } from "../state/ledger.ts";
import type { State } from "../state/snapshot.ts";
import { digestsOf, type Seal, visible, visibleChanges, visibleOlds } from "../state/visible.ts";
import type { Failure, Op, Step, Watch } from "../values/events.ts";
import { asks } from "../values/ops.ts";
import type { Change, Properties } from "../values/values.ts";
import type { Targets } from "./targets.ts";

export interface Run {
  readonly stack: string;
  readonly project: string;
  /** The project's folder: whose lines of a stack are the program's own. */
  readonly folder: string;
  readonly dryRun: boolean;
  readonly ledger: Ledger;
  readonly providers: Providers;
  /** What a package's default provider is configured with. */
  readonly configOf: (packageName: string) => Properties;
  readonly watch: Watch;
  readonly now: () => Date;
  /** Runs at most so many of the provider's operations at once. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  readonly cancelled: () => boolean;
  /** Stops the run: nothing begins any more, what has begun is finished. */
  readonly stop: () => void;
  /** Why a step may not be done: it wasn't in the plan that a person saw. Undefined where it may. */
  readonly refuses: (step: Step) => string | undefined;
  /** Urns of resources to replace, whatever is asked of them. */
  readonly replace: ReadonlySet<string>;
  readonly targets: Targets;
  /** Whether a plan reads what it would delete, to tell what was changed since. */
  readonly looksBeforeDelete: boolean;
  /** Resources that a plan read because it would delete them, those of which there was nothing, and reads of what a run was interrupted in. */
  readonly looked: { count: number; gone: number; interrupted: number };
  /** Whether resources may have hooks: another engine does what is planned, and runs them. */
  readonly passesHooks: boolean;
  /** Whether the run is there to find what differs: what a refresh finds counts. */
  readonly finding: boolean;
  /** What makes secrets comparable with another run's. */
  readonly seal: Seal | undefined;
}

export type Executor = ReturnType<typeof openExecutor>;

/** What a step has beside what its state says. */
export interface StepParts extends Partial<Step> {
  readonly old?: State;
}

/**
 * A step as a value; what a watcher may see of it.
 * @param more its changes may hold secrets still; `old` is what there was, where the state is the one that it will have
 */
export function step(op: Op, state: State, more: StepParts = {}, seal?: Seal): Step {
  const { name } = parseUrn(state.urn);
  const told = asks(op) || (seal !== undefined && op === "same") ? (state.inputs ?? {}) : {};
  const { changes = [], old = state, ...rest } = more;
  return {
    op,
    urn: state.urn,
    type: state.type,
    name,
    parent: state.parent,
    custom: state.custom,
    id: state.id,
    changes: visibleChanges(changes),
    inputs: visible(told),
    olds: visibleOlds(old.outputs ?? {}, old.inputs ?? {}, state.inputs ?? {}),
    replaces: [],
    found: false,
    ...(seal !== undefined && sealedSecrets(told, changes, seal)),
    ...rest,
  };
}

function sealedSecrets(
  inputs: Properties,
  changes: readonly Change[],
  seal: Seal,
): Pick<Step, "secrets"> | undefined {
  const digests = [
    ...digestsOf(inputs, "inputs", "", seal),
    ...changes.flatMap(({ path, old, new: next }) => [
      ...digestsOf(old, "old", path, seal),
      ...digestsOf(next, "new", path, seal),
    ]),
  ];
  return digests.length === 0 ? undefined : { secrets: Object.fromEntries(digests) };
}

export function openExecutor(run: Run) {
  const counts: Partial<Record<Op, number>> = {};
  const failures: Failure[] = [];
  // What the program was told had failed: it may not have asked for what depends on that.
  let unregistered = false;
  const running = new Set<Promise<unknown>>();

  // A program that dies or is stopped leaves operations behind: the run ends when they have ended.
  function tracked<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  }

  /** Once the run was told to stop nothing begins, and the provider is asked nothing more. */
  function refuseStopped(): void {
    if (run.cancelled()) throw new Error("the run was stopped before this step began");
  }

  const perform: typeof performStep = (...step) => tracked(performStep(...step));

  /** Does one step's work when its turn has come, told to the watcher, counted, and journalled from before it begins. */
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
      const end = kind === undefined || run.dryRun ? undefined : await noted(it, kind, resource);
      try {
        const result = await work(end);
        done(it);
        return result;
      } catch (error) {
        // What hangs may have been done: the next run is told that it was interrupted.
        const isOver = !(error instanceof InitError || error instanceof SilentError);
        if (end !== undefined && isOver) await run.ledger.end(end);
        fail(it, error);
        throw error;
      }
    };
    return kind === undefined ? begun() : run.limit(begun);
  }

  // What can't be noted isn't begun, and that is a failure of its own: the journal's folder may be full.
  async function noted(it: Step, kind: "creating" | "updating" | "deleting", resource: State) {
    try {
      return await run.ledger.begin(kind, resource, it.op === "adopt" ? it.id : undefined);
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
    failures.push({ urn: it.urn, message, ...(error instanceof RefusedError && { refused: true as const }) });
    tellUnfinished(it, error);
  }

  const tellUnfinished = (step: Step, error: unknown) =>
    run.watch({
      type: error instanceof RefusedError ? "refused" : "failed",
      step,
      message: (error as Error).message,
    });

  /** Does a step that others carry out: what failed of it they have counted among the failures. */
  async function performWhole<T>(it: Step, work: () => Promise<T>): Promise<T> {
    run.watch({ type: "started", step: it });
    try {
      const result = await work();
      done(it);
      return result;
    } catch (error) {
      tellUnfinished(it, error);
      throw error;
    }
  }

  return {
    step: (op: Op, state: State, more?: StepParts) => step(op, state, more, run.seal),
    perform,
    performWhole,
    refuseStopped,
    fail,
    /** What failed after a step was done: it is done all the same. */
    /** Does work for a resource; a failure that nobody has told yet is told with the run's. */
    async told<T>(urn: string, work: () => Promise<T>): Promise<T> {
      const before = failures.length;
      try {
        return await work();
      } catch (error) {
        unregistered = true;
        const isTold = failures.slice(before).some((failure) => failure.urn === urn);
        if (!isTold)
          failures.push({
            urn,
            message: (error as Error).message,
            ...(error instanceof WrongArgumentsError && { wrong: error.wrong }),
          });
        throw error;
      }
    },
    /** Whether anything is in doubt: a refusal did nothing, and leaves all else as planned. */
    hasFailed: () => unregistered || failures.some(({ refused }) => refused !== true),
    counts,
    failures,
    async settled() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}
