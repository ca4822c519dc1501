/** A run of the program: registrations become decisions, decisions become steps, steps go to the provider. */
import { randomUUID } from "node:crypto";
import type { Severity } from "./events.ts";
import { openExecutor, type Run } from "./executor.ts";
import type { Goal, Reading, Registered } from "./goal.ts";
import { type ProviderDiff, RefusedError, type Takes } from "./host.ts";
import { compared, withoutDeleted } from "./interrupted.ts";
import { keyOf, needs } from "./journal.ts";
import { answer, openOperations, type Renamed } from "./operations.ts";
import {
  aliasUrns,
  type Decision,
  decide,
  deletionWaves,
  inputsAfter,
  timeoutMs,
  withIgnored,
  withSecretOutputs,
} from "./plan.ts";
import { programFailure } from "./program-failure.ts";
import type { State } from "./snapshot.ts";
import { openTakeovers } from "./takeovers.ts";
import { makeUrn, quoted, stackType, typeOf } from "./urn.ts";
import { annotateSecrets, bareProperties, changes, type Properties, unknownText } from "./values.ts";

export type Deployment = ReturnType<typeof openDeployment>;

const dynamicPackage = /^pulumi-nodejs:/;

/** Opens a deployment; its methods are what the monitor calls. */
export function openDeployment(run: Run) {
  const executor = openExecutor(run);
  const { perform, fail, done, step } = executor;
  const seen = new Set<string>();
  const aliases = new Map<string, readonly string[]>();
  const deletedFirst = new Set<string>();
  const replaced = new Set<string>();
  const deleting = new Set<string>();
  const programFailures = new Set<string>();
  const { duplicate, takeFrom, forgetTwins } = openTakeovers(run.ledger, seen);
  const { stamps, same, create, update, remove, keep } = openOperations(run, executor, deleting);
  let outputs: Properties | undefined;
  let providerRef: Promise<string> | undefined;

  function ensureProvider(): Promise<string> {
    providerRef ??= (async () => {
      const urn = makeUrn(run.stack, run.project, undefined, "pulumi:providers:pulumi-nodejs", "default");
      const old = run.ledger.find(urn);
      seen.add(urn);
      const id = old?.id ?? randomUUID();
      const state: State = {
        ...old,
        urn,
        custom: true,
        id,
        type: "pulumi:providers:pulumi-nodejs",
        inputs: run.providerInputs,
        outputs: run.providerInputs,
        ...stamps(old),
      };
      await run.ledger.put(state);
      return `${urn}::${id}`;
    })();
    return providerRef;
  }

  /** Finds the old state under the resource's own urn or one of its aliases, and takes its urn over. */
  function previous(goal: Goal, urn: string): { old: State | undefined; key: string | undefined } {
    const others = aliasUrns(goal, urn, run.stack, run.project, aliases.get(goal.parent) ?? []);
    aliases.set(urn, others);
    const direct = run.ledger.find(urn);
    if (direct !== undefined) return { old: direct, key: keyOf(direct) };
    const found = others
      .map((alias) => run.ledger.find(alias))
      .find((state) => state !== undefined && !seen.has(state.urn));
    if (found === undefined) return { old: undefined, key: undefined };
    seen.add(found.urn);
    return { old: { ...found, urn }, key: keyOf(found) };
  }

  /** Registers a resource; whatever keeps it from that is told with the run's failures, once. */
  function register(goal: Goal): Promise<Registered> {
    const urn = makeUrn(run.stack, run.project, goal.parent || undefined, goal.type, goal.name);
    return executor.told(urn, () => registered(goal, urn));
  }

  async function registered(goal: Goal, urn: string): Promise<Registered> {
    refuse(goal);
    if (seen.has(urn)) throw duplicate(goal, urn);
    seen.add(urn);
    const found = await withoutDeleted(run, previous(goal, urn));
    if (!goal.custom) return component(goal, urn, found.old, found.key);
    const provider = await ensureProvider();
    const first = await checked(goal, urn, found.old, withIgnored(goal, found.old, goal.inputs));
    const owner =
      found.old === undefined && first.takes !== undefined ? takeFrom(goal, urn, first.takes) : undefined;
    const { key } = owner ?? found;
    let { old } = owner ?? found;
    // To the provider it is the same resource under another name, which had arguments already.
    const { inputs } =
      owner === undefined ? first : await checked(goal, urn, old, withIgnored(goal, old, goal.inputs));
    const base = stateOf(goal, urn, provider, old);
    const state = { ...base, inputs };
    let answer: ProviderDiff | undefined;
    try {
      if (old !== undefined && !old.pendingReplacement)
        ({ old, answer } = await compared(run, urn, old, inputs));
    } catch (error) {
      if (!(error instanceof RefusedError) || old === undefined) throw error;
      fail(step("update", state, { old, changes: changes(old.inputs ?? {}, inputs) }), error);
      return keep(old, key);
    }
    const decision = decide(goal, old, inputs, answer);
    const from = owner === undefined ? undefined : { from: owner.from };
    if (decision.type === "create" && first.takes !== undefined) return adopt(goal, state, first.takes);
    const registeredAs = await carryOut(goal, decision, state, old, key, from);
    if (decision.type === "create") await forgetTwins(goal.type, registeredAs.id, urn);
    return registeredAs;
  }

  const adopt = (goal: Goal, state: State, { id, changes: sentences, olds }: Takes) =>
    create(goal, state, undefined, "adopt", [], {
      id,
      old: { ...state, outputs: annotateSecrets(olds, state.inputs ?? {}) },
      changes: sentences.map((path) => ({ path, kind: "update" })),
    });

  function stateOf(goal: Goal, urn: string, provider: string | undefined, old: State | undefined): State {
    const timeouts = Object.entries(goal.timeouts).flatMap(([name, text]) =>
      text ? [[name, (timeoutMs(text) ?? 0) / 1000] as const] : [],
    );
    const properties = Object.fromEntries(
      Object.entries(goal.propertyDependencies).filter(([, urns]) => urns.length > 0),
    );
    return {
      urn,
      custom: goal.custom,
      type: goal.type,
      ...(old?.id !== undefined && { id: old.id }),
      ...(goal.parent !== "" && { parent: goal.parent }),
      ...(provider !== undefined && { provider }),
      ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
      ...(Object.keys(properties).length > 0 && { propertyDependencies: properties }),
      ...(goal.protect && { protect: true }),
      ...(goal.retainOnDelete && { retainOnDelete: true }),
      ...(goal.deletedWith !== "" && { deletedWith: goal.deletedWith }),
      ...(goal.additionalSecretOutputs.length > 0 && {
        additionalSecretOutputs: goal.additionalSecretOutputs,
      }),
      ...(timeouts.length > 0 && { customTimeouts: Object.fromEntries(timeouts) }),
      ...(old?.created !== undefined && { created: old.created }),
      ...(old?.modified !== undefined && { modified: old.modified }),
    };
  }

  async function checked(
    goal: Goal,
    urn: string,
    old: State | undefined,
    inputs: Properties,
  ): Promise<{ inputs: Properties; takes: Takes | undefined }> {
    const host = await run.provider();
    const {
      inputs: normal,
      failures: wrong,
      takes,
    } = await host.check(urn, bareProperties(old?.inputs ?? {}), bareProperties(inputs));
    if (wrong.length === 0) return { inputs: annotateSecrets(normal, inputs), takes };
    const lines = wrong.map(({ property, reason }) => `\n  ${goal.name}.${property}: ${reason}`);
    throw new Error(`invalid ${wrong.length === 1 ? "argument" : "arguments"}:${lines.join("")}`);
  }

  async function component(
    goal: Goal,
    urn: string,
    old: State | undefined,
    key: string | undefined,
  ): Promise<Registered> {
    const state: State = {
      ...stateOf(goal, urn, undefined, old),
      inputs: goal.inputs,
      outputs: old?.outputs ?? {},
      ...stamps(old),
    };
    await perform(step(old === undefined ? "create" : "same", state), state, undefined, () =>
      run.ledger.put(state, key === undefined ? {} : { over: key }),
    );
    return { urn, id: undefined, properties: goal.inputs };
  }

  function carryOut(
    goal: Goal,
    decision: Decision,
    state: State,
    old: State | undefined,
    key: string | undefined,
    from: Renamed | undefined,
  ): Promise<Registered> {
    switch (decision.type) {
      case "same":
        return same(state, old as State, key, from);
      case "create":
        return create(goal, state, old, deletedFirst.has(state.urn) ? "create-replacement" : "create", []);
      case "update":
        return update(goal, state, old as State, key, decision.changes, from);
      case "replace":
        return replace(goal, state, old as State, key, decision);
    }
  }

  async function replace(
    goal: Goal,
    state: State,
    old: State,
    key: string | undefined,
    decision: Extract<Decision, { type: "replace" }>,
  ): Promise<Registered> {
    const it = step("replace", state, { old, changes: decision.changes, replaces: decision.keys });
    if (old.protect) {
      const error = new Error(
        `unable to replace resource ${quoted(state.urn)} as it is currently marked for protection; set protect to false and run up first`,
      );
      fail(it, error);
      throw error;
    }
    run.watch({ type: "started", step: it });
    const successor = async (before: State | undefined) => {
      const made = await create(goal, state, before, "create-replacement", decision.changes, {
        partOf: "replace",
      });
      done(it);
      return made;
    };
    if (decision.deleteFirst) {
      try {
        await deleteFirst(old);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        return keep(old, key);
      }
      return successor(run.ledger.find(state.urn));
    }
    const leaving: State = { ...old, delete: true };
    if (key !== undefined) await run.ledger.put(leaving, { over: key });
    replaced.add(keyOf(leaving));
    try {
      return await successor(undefined);
    } catch (error) {
      // Nothing took its place: it is the live one again.
      if (run.ledger.find(state.urn) === undefined) await run.ledger.put(old, { over: keyOf(leaving) });
      throw error;
    }
  }

  /** Deletes a resource that makes room for its successor, and before it all dependents that must be replaced with it. */
  async function deleteFirst(old: State): Promise<void> {
    const gone = new Map([[old.urn, old]]);
    for (const state of run.ledger.states()) {
      if (!state.custom || state.external || state.delete || gone.has(state.urn) || seen.has(state.urn))
        continue;
      const inputs = inputsAfter(state, new Set(gone.keys()), unknownText);
      if (inputs === undefined || state.id === undefined) continue;
      const host = await run.provider();
      const verdict = await host.diff(
        state.urn,
        state.id,
        bareProperties(state.outputs ?? {}),
        bareProperties(inputs),
      );
      if (verdict.replaces.length > 0) gone.set(state.urn, state);
    }
    for (const wave of deletionWaves([...gone.values()], needs)) {
      await Promise.all(
        wave.map(async (state) => {
          await remove(state, "delete-replaced", {
            comesBack: true,
            ...(state.urn === old.urn && { partOf: "replace" as const }),
          });
          deletedFirst.add(state.urn);
        }),
      );
    }
  }

  async function read(reading: Reading): Promise<Registered> {
    if (!dynamicPackage.test(reading.type))
      throw new Error(
        `resources of type ${reading.type} are not supported by the embedded engine, only dynamic ones; use --engine pulumi`,
      );
    const urn = makeUrn(run.stack, run.project, reading.parent || undefined, reading.type, reading.name);
    if (seen.has(urn)) throw new Error(`duplicate resource URN '${urn}'; try giving it a unique name`);
    seen.add(urn);
    const old = run.ledger.find(urn);
    const provider = await ensureProvider();
    const base: State = {
      urn,
      custom: true,
      external: true,
      type: reading.type,
      id: reading.id,
      provider,
      inputs: reading.inputs,
      ...(reading.parent !== "" && { parent: reading.parent }),
      ...(reading.dependencies.length > 0 && { dependencies: reading.dependencies }),
    };
    return perform(step("read", base), base, undefined, async () => {
      const host = await run.provider();
      const found = await run.limit(() =>
        host.read(urn, reading.id, bareProperties(reading.inputs), undefined),
      );
      if (found.id === "") throw new Error(`resource ${quoted(urn)} with id ${reading.id} does not exist`);
      const outs = withSecretOutputs(
        annotateSecrets(found.outputs, reading.inputs),
        reading.additionalSecretOutputs,
      );
      const state: State = { ...base, id: found.id, outputs: outs, ...stamps(old) };
      await run.ledger.put(state);
      return answer(state);
    });
  }

  /** After the program: what it no longer asks for, in reverse order of dependency. */
  async function finishDeletes(): Promise<void> {
    const all = run.ledger.states();
    const leaving = all.filter((state) => (state.delete ? true : !seen.has(state.urn)));
    await removeAll(leaving.filter((state) => !state.pendingReplacement));
    for (const state of leaving)
      if (state.pendingReplacement && !seen.has(state.urn)) await run.ledger.drop(state);
  }

  async function removeAll(leaving: readonly State[]): Promise<void> {
    for (const state of leaving) if (!state.delete) deleting.add(state.urn);
    const stuck = new Set<string>();
    for (const wave of deletionWaves(leaving, needs)) {
      const results = await Promise.allSettled(
        wave.map(async (state) => {
          if (stuck.has(state.urn)) throw new Error("something that needs it could not be deleted");
          await remove(
            state,
            state.delete ? "delete-replaced" : "delete",
            // What an earlier replacement has left, of the same resource too, is a step of its own.
            replaced.has(keyOf(state)) ? { partOf: "replace" } : {},
          );
        }),
      );
      // What couldn't be deleted keeps alive all that it needs.
      results.forEach((result, index) => {
        if (result.status === "fulfilled") return;
        for (const urn of needs(wave[index] as State)) stuck.add(urn);
        stuck.add((wave[index] as State).urn);
      });
    }
  }

  return {
    register,
    read,
    outputs: async (urn: string, given: Properties) => {
      const state = run.ledger.find(urn);
      if (state === undefined)
        throw new Error(`outputs were registered for ${urn}, which is not a resource of this run`);
      if (typeOf(urn) === stackType) outputs = given;
      await run.ledger.put({ ...state, outputs: given });
    },
    log: (severity: Severity, text: string, urn: string | undefined) => {
      const failure = severity === "error" ? programFailure(text, run.folder) : undefined;
      if (failure === undefined) run.watch({ type: "message", severity, text, urn });
      // A program that waited for a resource that failed dies of it: the failure itself is told.
      else if (!text.includes("failed to register") || executor.failures.length === 0)
        programFailures.add(failure);
    },
    shutdown: async () => {},
    settled: executor.settled,
    hasFailed: executor.hasFailed,
    finishDeletes,
    removeAll,
    result: () => ({
      counts: executor.counts,
      failures: executor.failures,
      programFailures: [...programFailures],
      outputs,
    }),
    perform,
  };
}

/** What this engine does not do, by name. */
function refuse(goal: Goal): void {
  const other = "is not supported by the embedded engine; use --engine pulumi";
  if (goal.remote) throw new Error(`the remote component ${goal.type} ${other}`);
  if (goal.importId !== "")
    throw new Error(
      `the resource option import ${other}; dynamic resources can't be imported by the real one either: state adopt instead`,
    );
  if (goal.custom && goal.type.startsWith("pulumi:providers:"))
    throw new Error(`the explicit provider ${goal.type} ${other}`);
  if (goal.custom && !dynamicPackage.test(goal.type))
    throw new Error(`resources of type ${goal.type} need a plugin, which ${other}`);
}
