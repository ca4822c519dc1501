/** Runs a case with Pulumi's engine, too: if ours differs, ours is wrong. */
import type { Properties } from "../../../engine/values/values.ts";
import { warm } from "../embedded.ts";
import { pulumi } from "../pulumi.ts";
import { compareRun, onlyAsks, type RecordedRun } from "../record.ts";
import { type Engine, nameOf, openScene } from "../scene.ts";
import type { Case, Trouble } from "./case.ts";
import { type Form, playIn } from "./onstage.ts";

/**
 * Restricts a case to what both engines do in the same way: no interrupted process, one operation at a time, and
 * refusals as failures, which Pulumi doesn't distinguish. Two resources with the same alias are an error in both, but
 * with random earlier steps, so drawn.test.ts has that case. A name has one kind, because steps and calls contain only
 * the name. A resource that depends on a component depends on all its children, so none may come later: a program that
 * waits for itself doesn't end.
 */
export function comparable(one: Case): Case {
  const kinds = new Map(one.olds.map(({ name, component }) => [name, component]));
  const changed = one.program.filter(
    ({ name, component }) => kinds.has(name) && kinds.get(name) !== component,
  );
  const others = new Map(changed.map(({ name }) => [name, `${name}2`]));
  const called = (name: string) => others.get(name) ?? name;
  const now = (name: string | undefined) => (name === undefined ? undefined : called(name));
  const taken = new Set(one.program.map(({ name }) => called(name)));
  const parents = new Map(one.program.map(({ name, parent }) => [name, parent]));
  const isIn = (component: string, name: string | undefined): boolean =>
    name !== undefined && (name === component || isIn(component, parents.get(name)));
  const isComplete = (component: string, index: number) =>
    one.program.slice(index).every(({ name }) => !isIn(component, name));
  const components = new Set(one.program.flatMap(({ name, component }) => (component ? [name] : [])));
  const program = one.program.map((wanted, index) => {
    const { alias } = wanted;
    const isFree = alias !== undefined && !taken.has(alias);
    if (isFree) taken.add(alias);
    return {
      ...wanted,
      name: called(wanted.name),
      parent: now(wanted.parent),
      of: now(wanted.of),
      deletedWith: now(wanted.deletedWith),
      dependsOn: wanted.dependsOn
        .filter((name) => !components.has(name) || isComplete(name, index))
        .map(called),
      alias: isFree ? alias : undefined,
    };
  });
  // Pulumi calls diff after each read of a refresh, ours only after a change. Pulumi also calls it for a resource that
  // is pending replacement, and deletes that once more.
  const again = new Set(one.olds.flatMap(({ name, status }) => (status === "being replaced" ? [name] : [])));
  const isAsked = ({ verb, name }: Trouble) =>
    (verb !== "diff" || !/refresh/.test(one.operation)) &&
    !((verb === "diff" || verb === "delete") && again.has(name));
  const troubles = one.troubles
    .filter(isAsked)
    .map((trouble) =>
      trouble.fault === "refuses" && trouble.verb !== "check"
        ? { ...trouble, fault: "fails" as const }
        : trouble,
    );
  // Ours no longer has an object that is gone after an interrupted delete; Pulumi deletes it once more. Pulumi leaves an
  // object whose deletedWith has a leftover, and refuses to replace what its refresh has found gone (decision 16).
  const replaced = new Set(one.olds.flatMap(({ name, leftover }) => (leftover ? [name] : [])));
  const olds = one.olds.map((old) => ({
    ...old,
    pending: old.pending === "deleting" && one.gone.includes(old.name) ? undefined : old.pending,
    deletedWith: replaced.has(old.deletedWith ?? "") ? undefined : old.deletedWith,
  }));
  const isFound = (name: string) => one.operation !== "up after refresh" || !one.gone.includes(name);
  const replace = one.replace.filter(isFound);
  return { ...one, olds, program, replace, troubles, cut: undefined, parallel: 1 };
}

/**
 * Our engine reads resources of interrupted operations and remembers them until a run has handled them; Pulumi forgets
 * them when it first writes the state, except creates.
 */
function withoutOld(run: RecordedRun): RecordedRun {
  const had = new Set(run.before.pending.map((one) => JSON.stringify(one)));
  const pending = run.after.pending.filter((one) => !had.has(JSON.stringify(one)));
  const looks = new Set(
    run.before.pending.flatMap(({ resource }) =>
      ["read", "diff"].map((verb) => `${verb} ${(resource as Properties).id}`),
    ),
  );
  const calls = run.calls.filter((call) => run.verb === "refresh" || !looks.has(call));
  return { ...run, calls, after: { ...run.after, pending } };
}

/** Pulumi deletes once more what an earlier run deleted to replace it; ours doesn't (decision 16). */
function deletedOnce(theirs: RecordedRun): RecordedRun {
  const { before, after } = theirs;
  const steps = [...theirs.steps];
  const calls = [...theirs.calls];
  const forget = (lines: string[], line: string) => {
    const at = lines.indexOf(line);
    if (at >= 0) lines.splice(at, 1);
  };
  for (const { urn, id } of before.resources.filter((state) => state.pendingReplacement === true)) {
    const step = `delete-replaced ${nameOf(String(urn))}`;
    const told = steps.filter((one) => one === step || one === `${step} failed`);
    const leftovers = before.resources.filter((state) => state.urn === urn && state.delete === true);
    if (told.length <= leftovers.length) continue;
    forget(steps, step);
    forget(calls, `delete ${id}`);
  }
  const isLeft = (state: Properties) => state.pendingReplacement === true && state.delete === true;
  const resources = after.resources.filter((state) => !isLeft(state));
  return { ...theirs, steps, calls, after: { ...after, resources } };
}

/** Intended differences (docs/decisions/0016-differences-from-pulumis-engine.md). */
function asTold(run: RecordedRun, { program, operation }: Case): RecordedRun {
  const names = new Map(program.flatMap(({ alias, name }) => (alias === undefined ? [] : [[alias, name]])));
  const steps = run.steps
    .filter((step) => operation !== "preview" || !/^delete .* failed$/.test(step))
    .map((step) => {
      const [op = "", name = "", ...rest] = step.split(" ");
      return [op, op === "delete-replaced" ? (names.get(name) ?? name) : name, ...rest].join(" ");
    })
    // Pulumi's preview reports a component again with its outputs.
    .filter((step, index, all) => operation !== "preview" || all.indexOf(step) === index);
  return { ...run, steps };
}

/**
 * Whether `pulumi up --continue-on-error` might wait without end, or delete after a failure: the program gets no answer
 * for a resource whose delete before its replacement failed, and an empty object for a failed read
 * (pkg/resource/deploy/step.go, DeleteStep.Fail, ReadStep.Fail).
 */
const isMisled = ({ operation, troubles, program }: Case): boolean => {
  const reads = new Set(program.flatMap(({ name, external }) => (external ? [name] : [])));
  return (
    operation.startsWith("up") &&
    troubles.some(({ verb, name }) => verb === "delete" || (verb === "read" && reads.has(name)))
  );
};

async function runBy(engine: Engine, one: Case, form: Form): Promise<RecordedRun> {
  const runs: RecordedRun[] = [];
  const keepsOn = /^(up|destroy)/.test(one.operation) && !isMisled(one);
  const patient: Engine = {
    ...engine,
    run: (verb, folder, env, options, now) =>
      engine.run(verb, folder, env, { ...options, continueOnError: keepsOn }, now),
  };
  await playIn(openScene([patient], { after: (run) => runs.push(run) }), one, form);
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was run");
  return run;
}

function mayGoOn(one: Case, ours: RecordedRun, theirs: RecordedRun): boolean {
  const { troubles, program } = one;
  const isFailing =
    isMisled(one) ||
    troubles.some(({ verb }) => verb === "check" || verb === "diff") ||
    program.some(({ options }) => options.protect);
  return isFailing && ours.exit !== 0 && theirs.exit !== 0;
}

/**
 * After a failed check or diff, a protected replacement, or any failure without --continue-on-error, Pulumi begins
 * nothing more; ours continues with independent resources (docs/decisions/0016-differences-from-pulumis-engine.md), so
 * its steps include Pulumi's.
 */
function wentOn(one: Case, ours: RecordedRun, theirs: RecordedRun): boolean {
  const within = (few: readonly string[], many: readonly string[]) =>
    few.length < many.length && few.every((line) => many.includes(line));
  return (
    mayGoOn(one, ours, theirs) &&
    within(theirs.steps, ours.steps) &&
    theirs.calls.every((call) => onlyAsks(call) || ours.calls.includes(call))
  );
}

interface Compared {
  readonly theirs: RecordedRun;
  /** The differences. */
  readonly error?: Error;
}

export async function compared(one: Case, form: Form): Promise<Compared> {
  const theirs = await runBy(pulumi, one, form);
  const ours = await runBy(warm, one, form);
  const told = (run: RecordedRun) => asTold(withoutOld(run), one);
  try {
    const [left, right] = [told(ours), told(deletedOnce(theirs))];
    // Going on may also be a call that fails, and no step.
    const isAsked = (call: string) => !onlyAsks(call) || right.calls.includes(call);
    const shared = mayGoOn(one, left, right) ? { ...left, calls: left.calls.filter(isAsked) } : left;
    if (!wentOn(one, left, right)) compareRun(0, shared, right);
    return { theirs };
  } catch (error) {
    return { theirs, error: error as Error };
  }
}
