/** The last runs of a stack: who ran them, from which commit, and which steps would revert their changes. */
import {
  type About,
  ends,
  type HistoryEntry,
  history,
  kindOf,
  makes,
  type Stack,
  type Step,
  type Touched,
  touches,
  typeOf,
} from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { otherType } from "../../provider/names/types.ts";
import { firstOf } from "./object-names.ts";

/** Where a run comes from. */
export interface Origin {
  /** User, commit and CI job for the history. */
  about(): About;
  /** Whether the checkout contains a commit; undefined if unknown. */
  contains(commit: string): boolean | undefined;
}

/** The last run that changed the stack, and the runs that this checkout doesn't contain. */
export interface LastRun {
  readonly entry: HistoryEntry;
  /**
   * Runs from commits that this checkout doesn't contain, newest first, back to a successful run from a commit
   * that it does contain.
   */
  readonly unmerged: readonly HistoryEntry[];
  /**
   * The same runs, and one with uncommitted changes: each with the edits of staff that `accept` had written into its program
   * since the run before.
   */
  readonly accepted?: readonly HistoryEntry[];
}

/** The part of a preview about earlier runs. */
export interface PreviousRuns {
  /** Who ran last, and from which commit. */
  readonly last: string;
  readonly reverted: readonly Reverted[];
}

/** A step, with the earlier URNs of its resource. */
type NamedStep = Step & { readonly formerly?: readonly string[] };

/** Steps that revert changes which this checkout lacks, and a sentence about them. */
interface Reverted {
  readonly text: string;
  readonly steps: readonly Step[];
}

/** Pulumi's names of the operations that change a stack, and ours. */
const verbs: Readonly<Record<string, string>> = {
  update: "up",
  destroy: "destroy",
  "resource-import": "import",
};

export const commandOf = ({ kind }: HistoryEntry): string => verbs[kind] ?? kind;

// Git is asked about each run.
const mostSeen = 20;

// The files of runs are small, but a nightly job adds one each day.
const mostRead = 100;

/** The last run that changed the stack; undefined if there is none. */
export function lastRunOf(
  stack: Pick<Stack, "files" | "paths">,
  contains: Origin["contains"] = () => undefined,
): LastRun | undefined {
  let last: HistoryEntry | undefined;
  const foreign: HistoryEntry[] = [];
  const accepted: HistoryEntry[] = [];
  let after: HistoryEntry | undefined;
  let [seen, isOver] = [0, false];
  for (const { entry } of history(stack)) {
    if (entry?.accepted !== undefined && after !== undefined)
      accepted.push({ ...after, touched: entry.accepted });
    if (entry === undefined || verbs[entry.kind] === undefined) continue;
    if (isOver || seen++ === mostSeen) break;
    last ??= entry;
    const { "git.head": commit, "git.dirty": dirty } = entry.environment;
    const isForeign = commit !== undefined && contains(commit) === false;
    if (isForeign) foreign.push(entry);
    // A failed run may have left the changes of the runs before it.
    else isOver = entry.result === "succeeded";
    if (isForeign || dirty === "true") after = entry;
  }
  return last && { entry: last, unmerged: foreign, accepted };
}

/**
 * @param steps of the plan; undefined before there is a plan, or if everything is deleted anyway
 * @param accepted steps that revert edits of staff that `accept` wrote into another program
 */
export function previousRuns(
  { entry, unmerged: foreign, accepted: had = [] }: LastRun,
  now: Date,
  steps: readonly NamedStep[] | undefined,
  accepted: readonly Reverted[] = [],
): PreviousRuns {
  const failed = entry.result === "succeeded" ? "" : ` ${outcomeOf(entry)}`;
  const told = [userText(entry), agoText(entry.startTime, now), commitText(entry)].filter(
    (one) => one !== undefined,
  );
  const unknown = foreign.includes(entry) ? ", which this checkout doesn't contain" : "";
  return {
    last: `last ${commandOf(entry)}${failed}: ${told.join(", ")}${unknown}`,
    reverted: steps === undefined ? [] : [...revertedSteps([...foreign, ...had], steps), ...accepted],
  };
}

export const outcomeOf = ({ result, environment }: HistoryEntry): string =>
  environment["exec.outcome"] === "cancelled"
    ? "was stopped"
    : result === "in-progress"
      ? "is running"
      : result;

/** The user, and the CI system if there is one. Pulumi doesn't record users. */
export function userText({ environment }: HistoryEntry): string | undefined {
  const { "exec.user": user, "ci.system": system } = environment;
  return user === undefined ? system : `${user}${system === undefined ? "" : ` (${system})`}`;
}

export function commitText({ environment }: HistoryEntry): string | undefined {
  const { "git.head": head, "git.headName": name, "git.dirty": dirty } = environment;
  if (head === undefined) return undefined;
  const commit = head.slice(0, 7);
  const branch = name?.replace(/^refs\/(heads|tags|remotes)\//, "");
  const from = branch === undefined ? `from commit ${commit}` : `from branch ${branch} (${commit})`;
  return dirty === "true" ? `${from} with uncommitted changes` : from;
}

const [minute, hour, day] = [60, 3600, 86_400];

/** `5 min ago`; a date for older runs. */
export function agoText(startTime: number, now: Date): string {
  const seconds = now.getTime() / 1000 - startTime;
  if (seconds < minute) return "just now";
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ago`;
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)} h ago`;
  if (seconds < 30 * day) return `${Math.floor(seconds / day)} days ago`;
  return `on ${new Date(startTime * 1000).toISOString().slice(0, 10)}`;
}

const mostNamed = 20;

/**
 * The accepts whose edits a plan reverts.
 * @param steps of the plan that revert accepted edits, or create again an object that staff deleted
 */
export function revertedAccepts(
  stack: Pick<Stack, "files" | "paths" | "now">,
  steps: readonly NamedStep[],
): readonly Reverted[] {
  if (steps.length === 0) return [];
  const left = new Set(steps);
  const found: Reverted[] = [];
  let seen = 0;
  for (const { entry } of history(stack)) {
    if (left.size === 0 || ++seen > mostRead) break;
    const own = [...left].filter((step) => {
      const touched = touchedIn(entry?.accepted, step);
      return touched !== undefined && (touched === "ended") === (step.again === true);
    });
    if (entry === undefined || own.length === 0) continue;
    for (const step of own) left.delete(step);
    const told = [userText(entry), agoText(entry.startTime, stack.now()), commitText(entry)];
    const how = told.filter((one) => one !== undefined).join(", ");
    const verb = own.length === 1 ? "this step reverts" : "these steps revert";
    found.push({
      steps: own,
      text: `${verb} edits of staff that accept wrote into a program (${how}): ${namesOf(own)}. To keep them, merge that program first`,
    });
  }
  return found;
}

const namesOf = (steps: readonly Step[]): string =>
  firstOf(
    steps.map(({ type, name }) => `${kindOf(type)} ${name}`),
    mostNamed,
  );

function revertedSteps(foreign: readonly HistoryEntry[], steps: readonly NamedStep[]): readonly Reverted[] {
  const own = steps.filter(({ partOf, type }) => partOf === undefined && !isPulumisOwn(type));
  const touching = foreign.filter(({ touched }) =>
    own.some((step) => reverts(touchedIn(touched, step), step)),
  );
  const taken = own.filter((step) => touching.some(({ touched }) => reverts(touchedIn(touched, step), step)));
  if (taken.length === 0) return [];
  const runs = [...new Set(touching.map(runText))].join(" and ");
  const all = taken.length === own.length;
  const whole = all
    ? own.length === 1
      ? "this step"
      : "these steps"
    : `${taken.length} of these ${own.length} steps`;
  const verb = taken.length === 1 ? "reverts" : "revert";
  const text = `${whole} ${verb} changes of ${runs}: ${namesOf(taken)}. To keep these changes, merge that commit first`;
  return [{ steps: taken, text }];
}

/** The changes that a run made to a resource. The same resource has another type with the plugin than without it. */
function touchedIn(touched: HistoryEntry["touched"], { urn, formerly = [] }: NamedStep): Touched | undefined {
  const found = [urn, ...formerly].flatMap((one) => [one, otherUrn(one)]).find((one) => touched?.[one]);
  return found === undefined ? undefined : touched?.[found];
}

export const otherUrn = (urn: string): string => urn.replace(typeOf(urn), () => otherType(typeOf(urn)));

/** `anna's up from branch a (3f2c1e7)`. */
function runText(entry: HistoryEntry): string {
  const who = userText(entry);
  return `${who === undefined ? "the" : `${who}'s`} ${commandOf(entry)} ${commitText(entry) ?? ""}`;
}

/** Whether a step reverts or repeats the change that a run made to its resource. */
function reverts(touched: Touched | undefined, { op, changes }: Step): boolean {
  if (touched === undefined || touched === "gone" || touched === "left") return false;
  if (touched === "ended") return makes(op);
  if (ends(op) || touched === "made") return true;
  return touched.some((path) => changes.some((change) => touches(path, change.path)));
}
