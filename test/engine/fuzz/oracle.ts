/** Asks the real engine what it does in a case, and compares: where ours does something else, ours is wrong. */
import { warm } from "../embedded.ts";
import { pulumi } from "../pulumi.ts";
import { compareRun, type RecordedRun } from "../record.ts";
import { type Engine, openScene } from "../scene.ts";
import type { Case } from "./case.ts";
import { playIn } from "./onstage.ts";

/**
 * What both can do in the same way: no process is cut off, one thing is done after the other, and a provider that declines
 * only fails, for the real engine knows of no refusal. Two resources that have one alias are an error to both; what was done
 * before it is chance, so that drawn.test.ts has that. A name is of one kind, for steps and calls say no more of a resource.
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
  const program = one.program.map((wanted) => {
    const { alias } = wanted;
    const isFree = alias !== undefined && !taken.has(alias);
    if (isFree) taken.add(alias);
    return {
      ...wanted,
      name: called(wanted.name),
      parent: now(wanted.parent),
      of: now(wanted.of),
      deletedWith: now(wanted.deletedWith),
      dependsOn: wanted.dependsOn.map(called),
      alias: isFree ? alias : undefined,
    };
  });
  const troubles = one.troubles.map((trouble) =>
    trouble.fault === "refuses" && trouble.verb !== "check"
      ? { ...trouble, fault: "fails" as const }
      : trouble,
  );
  return { ...one, program, troubles, cut: undefined, parallel: 1 };
}

/**
 * What was cut off in an earlier run our engine remembers until a run looked at it, the real one only until it writes its
 * first state, but for a create.
 */
function withoutOld(run: RecordedRun): RecordedRun {
  const had = new Set(run.before.pending.map((one) => JSON.stringify(one)));
  const pending = run.after.pending.filter((one) => !had.has(JSON.stringify(one)));
  return { ...run, after: { ...run.after, pending } };
}

/** Told otherwise, and meant (docs/decisions/0016-what-is-not-asked-twice.md). */
function asTold(run: RecordedRun, { program, operation }: Case): RecordedRun {
  const names = new Map(program.flatMap(({ alias, name }) => (alias === undefined ? [] : [[alias, name]])));
  const steps = run.steps
    .filter((step) => operation !== "preview" || !/^delete .* failed$/.test(step))
    .map((step) => {
      const [op = "", name = "", ...rest] = step.split(" ");
      return [op, op === "delete-replaced" ? (names.get(name) ?? name) : name, ...rest].join(" ");
    });
  return { ...run, steps };
}

async function runBy(engine: Engine, one: Case): Promise<RecordedRun> {
  const runs: RecordedRun[] = [];
  await playIn(openScene([engine], { after: (run) => runs.push(run) }), one);
  const [run] = runs;
  if (run === undefined) throw new Error("nothing was run");
  return run;
}

interface Compared {
  readonly theirs: RecordedRun;
  /** How they differ. */
  readonly error?: Error;
}

export async function compared(one: Case): Promise<Compared> {
  const theirs = await runBy(pulumi, one);
  try {
    const comparableOf = (run: RecordedRun) => asTold(withoutOld(run), one);
    compareRun(0, comparableOf(await runBy(warm, one)), comparableOf(theirs));
    return { theirs };
  } catch (error) {
    return { theirs, error: error as Error };
  }
}
