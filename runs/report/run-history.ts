/** The last runs of a stack, as a preview tells them: who ran, from which commit, and which steps take it back. */
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

/** Where a run comes from: whoever starts it knows its checkout. */
export interface Origin {
  /** What the history notes of it. */
  about(): About;
  /** Whether its checkout contains a commit; undefined where nobody can tell. */
  contains(commit: string): boolean | undefined;
}

/** The last run that changed something, and what of it this checkout can't know. */
export interface LastRun {
  readonly entry: HistoryEntry;
  /** Runs from commits that this checkout doesn't contain, since one that succeeded from a commit that it does; the latest first. */
  readonly unmerged: readonly HistoryEntry[];
}

/** What a preview tells of the runs before it. */
export interface PreviousRuns {
  /** Who ran last, from which commit. */
  readonly last: string;
  /** The steps that take back what runs changed whose commits this checkout doesn't contain, and a sentence that names them. */
  readonly isReverted: { readonly text: string; readonly steps: readonly Step[] } | undefined;
}

/** Pulumi's kinds of runs that change what a stack manages, as our command calls them. */
const verbs: Readonly<Record<string, string>> = {
  update: "up",
  destroy: "destroy",
  "resource-import": "import",
};

/** What the command calls a run. */
export const commandOf = ({ kind }: HistoryEntry): string => verbs[kind] ?? kind;

// Git is asked of each; more in a row are a history of their own.
const mostSeen = 20;

/** The last run that changed what the stack manages; undefined where there is none. */
export function lastRunOf(
  stack: Pick<Stack, "files" | "paths">,
  contains: Origin["contains"] = () => undefined,
): LastRun | undefined {
  let last: HistoryEntry | undefined;
  const foreign: HistoryEntry[] = [];
  let seen = 0;
  for (const { entry } of history(stack)) {
    if (entry === undefined || verbs[entry.kind] === undefined) continue;
    last ??= entry;
    const commit = entry.environment["git.head"];
    if (commit !== undefined && contains(commit) === false) foreign.push(entry);
    // A run that failed may have left what those before it did.
    else if (entry.result === "succeeded") break;
    if (++seen === mostSeen) break;
  }
  return last && { entry: last, unmerged: foreign };
}

/** What a preview tells. @param steps of the plan; undefined before there is one, or where it takes everything back */
export function previousRuns(
  { entry, unmerged: foreign }: LastRun,
  now: Date,
  steps: readonly Step[] | undefined,
): PreviousRuns {
  const failed = entry.result === "succeeded" ? "" : ` ${outcomeOf(entry)}`;
  const told = [userText(entry), agoText(entry.startTime, now), commitText(entry)].filter(
    (one) => one !== undefined,
  );
  const unknown = foreign.includes(entry) ? ", which this checkout doesn't contain" : "";
  return {
    last: `last ${commandOf(entry)}${failed}: ${told.join(", ")}${unknown}`,
    isReverted: steps && revertedSteps(foreign, steps),
  };
}

/** How a run ended, in a word. */
export const outcomeOf = ({ result, environment }: HistoryEntry): string =>
  environment["exec.outcome"] === "cancelled"
    ? "was stopped"
    : result === "in-progress"
      ? "is running"
      : result;

/** Who ran it: a person, or a job and who started it. Pulumi doesn't say. */
export function userText({ environment }: HistoryEntry): string | undefined {
  const { "exec.user": user, "ci.system": system } = environment;
  return user === undefined ? system : `${user}${system === undefined ? "" : ` (${system})`}`;
}

/** Of which branch and commit its program was. */
export function commitText({ environment }: HistoryEntry): string | undefined {
  const { "git.head": head, "git.headName": name, "git.dirty": dirty } = environment;
  if (head === undefined) return undefined;
  const commit = head.slice(0, 7);
  const branch = name?.replace(/^refs\/(heads|tags|remotes)\//, "");
  const from = branch === undefined ? `from commit ${commit}` : `from branch ${branch} (${commit})`;
  return dirty === "true" ? `${from} with uncommitted changes` : from;
}

const [minute, hour, day] = [60, 3600, 86_400];

/** How long ago, as people say it; the date of what is long ago. */
export function agoText(startTime: number, now: Date): string {
  const seconds = now.getTime() / 1000 - startTime;
  if (seconds < minute) return "just now";
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ago`;
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)} h ago`;
  if (seconds < 30 * day) return `${Math.floor(seconds / day)} days ago`;
  return `on ${new Date(startTime * 1000).toISOString().slice(0, 10)}`;
}

const mostNamed = 20;

function revertedSteps(foreign: readonly HistoryEntry[], steps: readonly Step[]): PreviousRuns["isReverted"] {
  const own = steps.filter(({ partOf, type }) => partOf === undefined && !isPulumisOwn(type));
  const touching = foreign.filter(({ touched }) =>
    own.some((step) => reverts(touchedIn(touched, step.urn), step)),
  );
  const taken = own.filter((step) =>
    touching.some(({ touched }) => reverts(touchedIn(touched, step.urn), step)),
  );
  if (taken.length === 0) return undefined;
  const runs = [...new Set(touching.map(runText))].join(" and ");
  const names = taken.slice(0, mostNamed).map(({ type, name }) => `${kindOf(type)} ${name}`);
  const more = taken.length > mostNamed ? ` and ${taken.length - mostNamed} more` : "";
  const all = taken.length === own.length;
  const whole = all
    ? own.length === 1
      ? "this step"
      : "these steps"
    : `${taken.length} of these ${own.length} steps`;
  const [take, many] = taken.length === 1 ? ["takes", "this step"] : ["take", "these steps"];
  return {
    steps: taken,
    text:
      `${whole} ${take} back what ${runs} changed: ` +
      `${names.join(", ")}${more}. To keep it, merge that commit before ${many} ${taken.length === 1 ? "is" : "are"} done`,
  };
}

/** What a run did to a resource, under either type of ours: a checkout that has the plugin and one that hasn't share a state. */
function touchedIn(touched: HistoryEntry["touched"], urn: string): Touched | undefined {
  return touched?.[urn] ?? touched?.[otherUrn(urn)];
}

/** The same resource under the other type of ours. */
export const otherUrn = (urn: string): string => urn.replace(typeOf(urn), () => otherType(typeOf(urn)));

/** `anna's up from branch a (3f2c1e7)`. */
function runText(entry: HistoryEntry): string {
  const who = userText(entry);
  return `${who === undefined ? "the" : `${who}'s`} ${commandOf(entry)} ${commitText(entry) ?? ""}`;
}

/** Whether a step undoes, or does over, what a run did to its resource. */
function reverts(touched: Touched | undefined, { op, changes }: Step): boolean {
  if (touched === undefined || touched === "gone" || touched === "left") return false;
  if (touched === "ended") return makes(op);
  if (ends(op) || touched === "made") return true;
  return touched.some((path) => changes.some((change) => touches(path, change.path)));
}
