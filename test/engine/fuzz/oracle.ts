/** Asks the real engine what it does in a case, and compares: where ours does something else, ours is wrong. */
import type { Properties } from "../../../engine/values/values.ts";
import { warm } from "../embedded.ts";
import { pulumi } from "../pulumi.ts";
import { compareRun, onlyAsks, type RecordedRun } from "../record.ts";
import { type Engine, nameOf, openScene } from "../scene.ts";
import type { Case, Trouble } from "./case.ts";
import { playIn } from "./onstage.ts";

/**
 * What both can do in the same way: no process is cut off, one thing is done after the other, and a provider that declines
 * only fails, for the real engine knows of no refusal. Two resources that have one alias are an error to both; what was done
 * before it is chance, so that drawn.test.ts has that. A name is of one kind, for steps and calls say no more of a resource.
 * Who needs a component needs all that is in it, so that nothing of it may come behind: a program that waits for itself ends
 * without an answer.
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
  // The real engine asks for a difference after each read of a refresh, ours only where something was changed.
  // What an earlier run deleted to make it again it asks about, and deletes once more.
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
  // What is gone since a delete of it was interrupted ours doesn't know any more; the real one deletes it once more (decision 16).
  const olds = one.olds.map((old) =>
    old.pending === "deleting" && one.gone.includes(old.name) ? { ...old, pending: undefined } : old,
  );
  return { ...one, olds, program, troubles, cut: undefined, parallel: 1 };
}

/**
 * What was interrupted in an earlier run our engine looks at, and remembers until a run did; the real one remembers it only until
 * it writes its first state, but for a create.
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

/** The real engine deletes once more what an earlier run deleted to make it again, and ours doesn't (decision 16). */
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

/** Told otherwise, and meant (docs/decisions/0016-what-is-not-asked-twice.md). */
function asTold(run: RecordedRun, { program, operation }: Case): RecordedRun {
  const names = new Map(program.flatMap(({ alias, name }) => (alias === undefined ? [] : [[alias, name]])));
  const steps = run.steps
    .filter((step) => operation !== "preview" || !/^delete .* failed$/.test(step))
    .map((step) => {
      const [op = "", name = "", ...rest] = step.split(" ");
      return [op, op === "delete-replaced" ? (names.get(name) ?? name) : name, ...rest].join(" ");
    })
    // Pulumi's preview tells of a component again when it has its outputs.
    .filter((step, index, all) => operation !== "preview" || all.indexOf(step) === index);
  return { ...run, steps };
}

async function runBy(engine: Engine, one: Case): Promise<RecordedRun> {
  const runs: RecordedRun[] = [];
  await playIn(openScene([engine], { after: (run) => runs.push(run) }), one);
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was run");
  return run;
}

/**
 * Where a check or a difference failed, or what is protected would be replaced, the real engine begins nothing more, ours
 * does what doesn't need it (docs/decisions/0016-what-is-not-asked-twice.md): the same, and more.
 */
function wentOn({ troubles, program }: Case, ours: RecordedRun, theirs: RecordedRun): boolean {
  const isFailing =
    troubles.some(({ verb }) => verb === "check" || verb === "diff") ||
    program.some(({ options }) => options.protect);
  const within = (few: readonly string[], many: readonly string[]) =>
    few.length < many.length && few.every((line) => many.includes(line));
  return (
    isFailing &&
    ours.exit !== 0 &&
    theirs.exit !== 0 &&
    within(theirs.steps, ours.steps) &&
    theirs.calls.every((call) => onlyAsks(call) || ours.calls.includes(call))
  );
}

interface Compared {
  readonly theirs: RecordedRun;
  /** How they differ. */
  readonly error?: Error;
}

export async function compared(one: Case): Promise<Compared> {
  const theirs = await runBy(pulumi, one);
  const ours = await runBy(warm, one);
  const told = (run: RecordedRun) => asTold(withoutOld(run), one);
  try {
    const [left, right] = [told(ours), told(deletedOnce(theirs))];
    if (!wentOn(one, left, right)) compareRun(0, left, right);
    return { theirs };
  } catch (error) {
    return { theirs, error: error as Error };
  }
}
