/** Runs a program: each registration becomes a decision, then a step, then calls to the provider. */

import { failureText, programFailure } from "../processes/program-failure.ts";
import {
  type Adoption,
  InitError,
  type ProviderDiff,
  RefusedError,
  WrongArgumentsError,
} from "../processes/provider.ts";
import { keyOf } from "../pulumi/journal.ts";
import { exportedWhole } from "../pulumi/sdk-internals.ts";
import { isProviderType, makeUrn, parseUrn, stackType, typeOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import { openAdoptions } from "../steps/adoption.ts";
import { openAliases } from "../steps/aliases.ts";
import { openDeletes } from "../steps/deletes.ts";
import { type Executor, openExecutor, type Run } from "../steps/executor.ts";
import { refuseUnsupported, stateOf } from "../steps/goal-state.ts";
import { type Import, importAll, isImport, openImports } from "../steps/import-deployment.ts";
import { answer as answerOf, type Existing, openOperations, type Renamed } from "../steps/operations.ts";
import { compared, type Previous, withoutDeleted } from "../steps/pending-operations.ts";
import { type Decision, decide, decideForced, isTriggered, withIgnored } from "../steps/plan.ts";
import { openProviderResources } from "../steps/provider-resources.ts";
import { openReadSteps } from "../steps/read-steps.ts";
import { openReplacements } from "../steps/replacements.ts";
import { openSkipped } from "../steps/skipped.ts";
import { openSourcePositions } from "../steps/source-positions.ts";
import type { Severity } from "../values/events.ts";
import { type Goal, inherited, type Reading, type Registered } from "../values/goal.ts";
import {
  annotateSecrets,
  changes,
  isObject,
  mapValue,
  type Properties,
  unknownText,
} from "../values/values.ts";

/** Forces a replacement, whatever the provider's diff says. */
interface Forced {
  readonly keys: readonly string[];
  readonly forgetsOld: boolean;
}

/** The old state of a resource that the program registers. */
interface Found extends Previous {
  readonly isImported?: boolean;
  readonly forced?: Forced | undefined;
  /** Whether staff deleted its object. */
  readonly isGone?: boolean;
}

export type Deployment = ReturnType<typeof openDeployment>;

/** Opens a deployment; the resource monitor calls its methods. */
export function openDeployment(run: Run) {
  const executor = openExecutor(run);
  const { perform, fail, failWith, step, refuseStopped } = executor;
  const seen = new Set<string>();
  const aliases = openAliases(run, seen);
  const positions = openSourcePositions(run.program.folder);
  const deleting = new Set<string>();
  const programLog = openProgramLog(run, executor);
  const { duplicate, formerOwner, dropDuplicates } = openAdoptions(run.snapshots, seen, (state) =>
    replacements.isLeaving(state),
  );
  const operations = openOperations(run, executor, deleting);
  const { same, create, update, keep } = operations;
  const replacements = openReplacements(run, executor, operations, seen);
  const removeAll = openDeletes(run, operations, replacements, deleting);
  const providers = openProviderResources(run, executor, operations, seen);
  const imports = openImports(run, executor, operations);
  const skipped = openSkipped(run, executor);
  const reads = openReadSteps(run, executor, { ...operations, ...providers }, seen);
  const unregistered = () => run.snapshots.states().filter((state) => state.delete || !seen.has(state.urn));
  let outputs: Properties | undefined;

  function register(stated: Goal): Promise<Registered> {
    const goal = inherited(stated, aliases.goalOf(stated.parent));
    const urn = makeUrn(run.stack, run.project, goal.parent || undefined, goal.type, goal.name);
    return executor.reportOnce(urn, () => markRegistered(registerGoal(goal, urn), urn));
  }

  function read(reading: Reading): Promise<Registered> {
    const urn = makeUrn(run.stack, run.project, reading.parent || undefined, reading.type, reading.name);
    if (!seen.has(urn)) positions.note(urn, reading.position);
    return executor.reportOnce(urn, () => markRegistered(reads.read(reading, urn)));
  }

  /** Marks a resource as registered, also if its provider left it incomplete (InitError). */
  async function markRegistered(work: Promise<Registered>, urn?: string): Promise<Registered> {
    try {
      const result = await work;
      if (!skipped.has(result.urn)) run.snapshots.markRegistered(result.urn);
      return result;
    } catch (error) {
      if (urn !== undefined && error instanceof InitError) run.snapshots.markRegistered(urn);
      throw error;
    }
  }

  async function registerGoal(goal: Goal, urn: string): Promise<Registered> {
    refuseUnsupported(goal, run.passesHooks);
    if (seen.has(urn)) {
      aliases.refuseTaken(goal, urn);
      throw duplicate(goal, urn, positions.both(urn, goal.position));
    }
    seen.add(urn);
    positions.note(urn, goal.position);
    const found = await withoutDeleted(run, aliases.previous(goal, urn));
    const wanted = stateOf(goal, urn, goal.provider === "" ? undefined : goal.provider, found.old);
    if (!run.targets.includes(wanted)) return skipped.keep(goal, urn, found);
    const gone = found.old === undefined ? run.targets.ifGone(urn, aliases.of(urn)) : undefined;
    if (gone === "left") return skipped.leaveGone(goal, wanted);
    skipped.refuseMissing(wanted);
    if (!goal.custom) {
      // Components have no provider: only their state is written.
      const { old, key } = found;
      const kept = { inputs: goal.inputs, outputs: old?.outputs ?? {}, ...operations.stamps(old) };
      const state = { ...stateOf(goal, urn, undefined, old), ...kept };
      const work = () => run.snapshots.put(state, { over: key });
      await perform(step(old === undefined ? "create" : "same", state), state, undefined, work);
      return { urn, id: undefined, properties: goal.inputs };
    }
    if (isProviderType(goal.type))
      return providers.register(goal, stateOf(goal, urn, undefined, found.old), found.old, found.key);
    const provider = await providers.referenceOf(goal);
    if (isImport(goal, found.old)) {
      const old = await imports.read(stateOf(goal, urn, provider, undefined), goal.importId, found.old);
      return reconcile(goal, urn, provider, { old, key: keyOf(old), isImported: true });
    }
    // The state has the resource as external (a `get`). The new resource is created first, then the external
    // one leaves the state.
    const read = found.old?.external ? found.old : undefined;
    if (read !== undefined) return createOverExternal(goal, urn, provider, found.key);
    const forced = await forcedBy(goal, urn, found.old, provider);
    return reconcile(goal, urn, provider, { ...found, forced, isGone: gone === "again" });
  }

  /** Brings a resource from its old state, if it has one, to the goal. */
  async function reconcile(
    goal: Goal,
    urn: string,
    provider: string,
    { forced, ...found }: Found,
  ): Promise<Registered> {
    // With --replace or taint, ignoreChanges doesn't apply. The provider still reads the old inputs, or its
    // check would report a duplicate of the object itself.
    const resource = { urn, provider };
    const stated = forced?.forgetsOld === true ? goal.inputs : withIgnored(goal, found.old, goal.inputs);
    const first = await checked(goal, resource, found.old ?? aliases.leftOf(urn), stated);
    const owner =
      found.old === undefined && first.takes !== undefined ? formerOwner(goal, urn, first.takes) : undefined;
    const { key } = owner ?? found;
    let { old } = owner ?? found;
    // The provider adopts an object that the state has under another name: check again with that resource's
    // old inputs.
    const { inputs } =
      owner === undefined ? first : await checked(goal, resource, old, withIgnored(goal, old, goal.inputs));
    const base = stateOf(goal, urn, provider, old);
    const state = { ...base, inputs };
    let answer: ProviderDiff | undefined;
    refuseStopped();
    try {
      if (old !== undefined && !old.pendingReplacement && forced === undefined)
        ({ old, answer } = await compared(run, state, old, goal.ignoreChanges));
    } catch (error) {
      if (!(error instanceof RefusedError) || old === undefined) throw error;
      fail(step("update", state, { old, changes: changes(old.inputs ?? {}, inputs) }), error);
      return keep(old, key);
    }
    const decision =
      forced === undefined ? decide(goal, old, inputs, answer) : decideForced(goal, old, inputs, forced.keys);
    const from = owner === undefined ? undefined : { from: parseUrn(owner.urn).name };
    if (owner !== undefined) aliases.add(urn, owner.urn);
    // An import of an object that already matches the program needs no further step.
    if (found.isImported && old !== undefined && decision.type === "same") return answerOf(old);
    if (decision.type === "create" && first.takes !== undefined) return adopt(goal, state, first.takes);
    const registeredAs = await carryOut(goal, decision, state, { ...found, old, key, from });
    if (decision.type === "create") await dropDuplicates(goal, registeredAs);
    return registeredAs;
  }

  async function createOverExternal(
    goal: Goal,
    urn: string,
    provider: string,
    key: string | undefined,
  ): Promise<Registered> {
    const { inputs } = await checked(goal, { urn, provider }, undefined, goal.inputs);
    const state = { ...stateOf(goal, urn, provider, undefined), inputs };
    return create(goal, state, key, { op: "create-replacement" });
  }

  /** Why a resource is replaced regardless of its provider (pkg/resource/deploy/step_generator.go, diff). */
  async function forcedBy(
    goal: Goal,
    urn: string,
    old: State | undefined,
    provider: string,
  ): Promise<Forced | undefined> {
    if (old === undefined) return undefined;
    if (run.replace.has(urn) || old.taint) return { keys: ["id"], forgetsOld: true };
    if (goal.replaceWith.some(replacements.isReplaced)) return { keys: ["replaceWith"], forgetsOld: false };
    if (isTriggered(goal.replacementTrigger, old.replacementTrigger))
      return { keys: ["replacementTrigger"], forgetsOld: false };
    if (await providers.replaces(old.provider, provider)) return { keys: ["provider"], forgetsOld: false };
    return replacements.isReplaced(goal.deletedWith)
      ? { keys: ["deletedWith"], forgetsOld: false }
      : undefined;
  }

  const adopt = (goal: Goal, state: State, { id, inputs, olds }: Adoption) =>
    create(goal, state, undefined, {
      op: "adopt",
      id,
      old: { ...state, outputs: annotateSecrets(olds ?? {}, state.inputs ?? {}) },
      changes: changes(annotateSecrets(inputs, state.inputs ?? {}), state.inputs ?? {}),
    });

  async function checked(
    goal: Goal,
    { urn, provider }: { readonly urn: string; readonly provider: string },
    old: State | undefined,
    inputs: Properties,
  ): Promise<{ inputs: Properties; takes: Adoption | undefined }> {
    refuseStopped();
    const host = await run.providers.of({ type: goal.type, provider });
    const answered = await host.check(urn, old?.inputs ?? {}, inputs);
    const { inputs: normal, failures: wrong, takes } = answered;
    if (wrong.length === 0) return { inputs: annotateSecrets(normal, inputs), takes };
    throw new WrongArgumentsError(goal.name, wrong);
  }

  async function carryOut(
    goal: Goal,
    decision: Decision,
    state: State,
    { old, key, from, isGone }: Found & { readonly from: Renamed | undefined },
  ): Promise<Registered> {
    switch (decision.type) {
      case "same":
        return same(state, old as State, key, from);
      case "create":
        await replacements.goOn(goal, state, old);
        return create(goal, state, key, {
          // An earlier run, or this one, deleted the old object first.
          op:
            old?.pendingReplacement || replacements.isDeletedFirst(state.urn)
              ? "create-replacement"
              : "create",
          ...(isGone === true && { again: true }),
        });
      case "update":
        return update(goal, state, { old: old as State, key }, { changes: decision.changes, renamed: from });
      case "replace":
        if (goal.importId !== "" || old?.outputs?.__retained === true)
          refuseReplacement(goal, state, old, decision);
        return replaceWith(goal, state, { old: old as State, key }, decision);
    }
  }

  // The replacement would have another id than the `import` option, or duplicate a partly owned object.
  function refuseReplacement(
    goal: Goal,
    state: State,
    old: State | undefined,
    { changes: differing, keys }: Extract<Decision, { type: "replace" }>,
  ): never {
    const why =
      goal.importId === ""
        ? "owns a part of an object that others own, too,"
        : `was imported as ${goal.importId}`;
    const instead =
      goal.importId === ""
        ? "run up without --replace (a mark of taint: pulumi state untaint)"
        : "remove the option import, or the change";
    return failWith(
      step("replace", state, { ...(old && { old }), changes: differing, replaces: keys }),
      `${goal.name} ${why} and would be replaced, because of ${keys.join(", ")}: ${instead}`,
    );
  }

  /** The new object reads the program's inputs without ignoreChanges, which kept values of the old object. */
  async function replaceWith(
    goal: Goal,
    state: State,
    held: Existing,
    decision: Extract<Decision, { type: "replace" }>,
  ): Promise<Registered> {
    if (goal.ignoreChanges.length === 0) return replacements.replace(goal, state, held, decision);
    const resource = { urn: state.urn, provider: state.provider ?? "" };
    const { inputs } = await checked(goal, resource, held.old, goal.inputs);
    const differing = changes(held.old.inputs ?? {}, inputs);
    return replacements.replace(goal, { ...state, inputs }, held, { ...decision, changes: differing });
  }

  async function registerOutputs(urn: string, registered: Properties): Promise<void> {
    // The SDK registers the stack's outputs after the program's last line.
    if (typeOf(urn) === stackType) programLog.complete();
    if (skipped.has(urn)) return;
    const given = typeOf(urn) === stackType ? stackOutputs(registered) : registered;
    const state = run.snapshots.find(urn);
    if (state === undefined)
      throw new Error(`outputs were registered for ${urn}, which is not a resource of this run`);
    if (typeOf(urn) === stackType) outputs = given;
    await run.snapshots.put({ ...state, outputs: given });
  }

  return {
    register,
    read,
    invoke: providers.invoke,
    outputs: registerOutputs,
    ...programLog,
    hasFailed: executor.hasFailed,
    settled: executor.idle,
    unregistered,
    /** Deletes resources that the program didn't register. @throws Error if a target aliases no resource */
    async finishDeletes(): Promise<void> {
      const all = run.snapshots.states();
      run.targets.refuseUnknown([...seen, ...all.map(({ urn }) => urn)]);
      await removeAll(run.targets.deletable(unregistered(), all));
    },
    removeAll,
    importAll: (wanted: readonly Import[]) =>
      importAll(run, { executor, operations, providers, imports }, wanted),
    result: () => ({
      counts: executor.counts,
      failures: executor.failures.map(positions.placed),
      places: positions.places,
      formerly: aliases.all(),
      ...programLog.said(),
      outputs,
    }),
    perform,
  };
}

/** The stack's outputs. A resource that is exported whole loses the SDK's marker and its unknown properties. */
const stackOutputs = (outputs: Properties): Properties =>
  mapValue(outputs, (value) => {
    if (!isObject(value) || value[exportedWhole] === undefined) return value;
    const known = Object.entries(value).filter(([key, one]) => key !== exportedWhole && one !== unknownText);
    return Object.fromEntries(known);
  }) as Properties;

function openProgramLog(run: Run, executor: Pick<Executor, "failures">) {
  const programFailures = new Set<string>();
  let ending: string | undefined;
  let isComplete = false;
  return {
    log(severity: Severity, text: string, urn: string | undefined): void {
      const failure =
        severity === "error" && urn === undefined ? programFailure(text, run.program) : undefined;
      if (failure === undefined) run.watch({ type: "message", severity, text, urn });
      // If a resource failed, the program fails because it awaits that resource: only the first failure is
      // reported.
      else if (!/failed to (?:register|read resource)/.test(text) || executor.failures.length === 0)
        programFailures.add(failure);
    },
    ended(why: string): void {
      ending ??= failureText(why, run.program);
    },
    /** Notes that the program ran to its last line. */
    complete(): void {
      isComplete = true;
    },
    /** Whether the program ran to its last line, so that resources it didn't register can be deleted. */
    isComplete: () => isComplete,
    said: () => ({ programFailures: [...programFailures], ending }),
  };
}
