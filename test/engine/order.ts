/** Sorts results by dependencies: independent steps happen in any order, so they are sorted by name. */
import { allDependencies } from "../../engine/state/dependency-order.ts";
import type { State } from "../../engine/state/snapshot.ts";
import type { Properties } from "../../engine/values/values.ts";
import type { NormalState } from "./normal.ts";
import type { RecordedRun } from "./record.ts";
import { nameOf } from "./scene.ts";

/** `names` returns the words of an item that may be names: a name, a label or an id. */
type Ordered = <Item>(items: readonly Item[], names: (item: Item) => readonly string[]) => readonly Item[];

/**
 * Sorts items by the dependencies in states.
 * @param leftovers objects that an earlier run left to delete: only each other depends on them
 * @param dropped URNs of resources that a refresh dropped: the rest no longer depends on what those needed
 */
function orderIn(
  states: readonly NormalState[],
  leftovers: readonly State[] = [],
  dropped: ReadonlySet<string> = new Set(),
): Ordered {
  const all = states.flatMap(({ resources }) => resources as unknown as readonly State[]);
  // A resource that moved under another parent appears twice: the program's new one counts.
  const urns = new Map<string, Set<string>>();
  const know = (known: string, urn: string) => urns.set(known, (urns.get(known) ?? new Set()).add(urn));
  const direct = new Map<string, Set<string>>();
  for (const state of all) {
    for (const known of [nameOf(state.urn), state.urn, state.id, state.inputs?.label])
      if (typeof known === "string") know(known, state.urn);
    // Present dependencies count; for a deleted resource, its former ones.
    if (!state.delete || !direct.has(state.urn)) direct.set(state.urn, new Set(allDependencies(state)));
  }
  const isFresh = ({ urn }: State) => states.length > 1 && !urnsIn(states.slice(0, -1)).has(urn);
  for (const { urn, id } of ((states.at(-1)?.resources ?? []) as unknown as readonly State[]).filter(isFresh))
    for (const known of [nameOf(urn), id]) urns.set(`asked ${known}`, new Set([urn]));
  for (const state of (states.at(-2)?.resources ?? []) as unknown as readonly State[])
    if (!state.delete) for (const known of [nameOf(state.urn), state.id]) know(`deleted ${known}`, state.urn);
  for (const state of leftovers) {
    urns.delete(String(state.id));
    for (const known of [`old ${nameOf(state.urn)}`, String(state.id)]) know(known, `old ${state.urn}`);
    direct.set(`old ${state.urn}`, new Set(allDependencies(state).flatMap((urn) => [urn, `old ${urn}`])));
  }
  // Former dependencies of deleted resources.
  const now = urnsIn(states.slice(-1));
  const then = new Map(
    all
      .filter(({ urn }) => !now.has(urn))
      .map((state) => [state.urn, new Set(allDependencies(state))] as const),
  );
  for (const { resources } of states.slice(0, -1) as unknown as { readonly resources: readonly State[] }[])
    for (const state of resources) if (!state.delete) then.set(state.urn, new Set(allDependencies(state)));
  type Needs = ReadonlyMap<string, ReadonlySet<string>>;
  const reached = (from: string, way: Needs, seen = new Set<string>()): ReadonlySet<string> => {
    for (const urn of dropped.has(from) ? [] : (way.get(from) ?? []))
      if (!seen.has(urn)) {
        seen.add(urn);
        reached(urn, way, seen);
      }
    return seen;
  };
  const isGone = (urn: string) => then.has(urn) && !now.has(urn);
  const needed = new Map([...direct.keys()].map((urn) => [urn, reached(urn, isGone(urn) ? then : direct)]));
  const isRelated = (a: string, b: string) =>
    a === b || needed.get(a)?.has(b) === true || needed.get(b)?.has(a) === true;
  const related = (some: readonly string[], others: readonly string[]) =>
    some.some((one) => others.some((other) => isRelated(one, other)));

  const urnsOf = (names: readonly string[]): readonly string[] => {
    const known = names.map((name) => urns.get(name)).find((one) => one !== undefined);
    return known === undefined ? [names[0] ?? ""] : [...known].toSorted();
  };

  return (items, names) => {
    const left = items.map((item) => ({
      item,
      text: JSON.stringify(item),
      urns: urnsOf(names(item)),
    }));
    const result: (typeof items)[number][] = [];
    while (left.length > 0) {
      const free = left.filter(
        (one, index) => !left.slice(0, index).some((earlier) => related(earlier.urns, one.urns)),
      );
      const [next] = free.toSorted((a, b) => (`${a.urns}${a.text}` < `${b.urns}${b.text}` ? -1 : 1));
      if (next === undefined) break;
      result.push(next.item);
      left.splice(left.indexOf(next), 1);
    }
    return result;
  };
}

const urnsIn = (states: readonly NormalState[]): ReadonlySet<unknown> =>
  new Set(states.flatMap(({ resources }) => resources.map(({ urn }) => urn)));

/** The resources that the refresh of an `up` found gone. */
function droppedBy({ options, steps, before, after }: RecordedRun): ReadonlySet<string> {
  const left = urnsIn([after]);
  const isDeleted = (urn: string) =>
    steps.some((step) => /^(delete|discard)/.test(step) && step.split(" ")[1] === nameOf(urn));
  const urns = options.refresh ? before.resources.map(({ urn }) => String(urn)) : [];
  return new Set(urns.filter((urn) => !left.has(urn) && !isDeleted(urn)));
}

/** A run with its steps, calls and states, sorted. */
export function runInOrder(run: RecordedRun): RecordedRun {
  const leftovers = (run.before.resources as unknown as readonly State[]).filter((state) => state.delete);
  const old = new Set(leftovers.map(({ urn }) => `delete-replaced ${nameOf(urn)}`));
  const order = orderIn([run.before, run.after], leftovers, droppedBy(run));
  // The second word of a step or a call is its resource: `create a failed`, `delete a-1`.
  const words = (line: string) => {
    const [op = "", word = ""] = line.split(" ");
    return [`${/^(delete|discard)/.test(op) ? "deleted" : "asked"} ${word}`, word];
  };
  const components = new Set(
    [...run.before.resources, ...run.after.resources].flatMap(({ custom, urn }) =>
      custom === true ? [] : [nameOf(String(urn))],
    ),
  );
  // Components aren't created: the engines report them before or after their children.
  const stepWords = (line: string) => {
    const word = words(line).at(-1) ?? "";
    if (old.has(line.replace(/ failed$/, ""))) return [`old ${word}`];
    return components.has(word) && !/^(delete|discard) /.test(line) ? [`component ${word}`] : words(line);
  };
  // A refresh reads everything at once, before the program; a preview has no state with the program's dependencies.
  const isInAnyOrder = (line: string) =>
    run.verb === "refresh" ||
    line.startsWith("refresh ") ||
    (run.verb === "preview" && !/^(delete|discard)/.test(line));
  const reads = (line: string) => run.options.refresh === true && line.startsWith("read ");
  return {
    ...run,
    steps: firstSorted(run.steps, isInAnyOrder, (rest) => order(rest, stepWords)),
    // Operations that a killed run was about to begin are in no state.
    calls:
      run.options.stops === "kill"
        ? run.calls.toSorted()
        : firstSorted(run.calls, reads, (rest) => order(rest, words)),
    before: inOrder(run.before),
    after: inOrder(run.after),
  };
}

/** Items that come first in any order, then the rest. */
const firstSorted = (
  lines: readonly string[],
  isFirst: (line: string) => boolean,
  ordered: (rest: readonly string[]) => readonly string[],
): readonly string[] => [
  ...lines.filter(isFirst).toSorted(),
  ...ordered(lines.filter((line) => !isFirst(line))),
];

function inOrder(state: NormalState): NormalState {
  const order = orderIn([state]);
  return {
    resources: order(state.resources, ({ urn }) => [String(urn)]).map(dependenciesInOrder),
    pending: state.pending.toSorted((a, b) => (urnOf(a) < urnOf(b) ? -1 : 1)),
  };
}

// Sets, which pulumi writes in random order.
function dependenciesInOrder(resource: Properties): Properties {
  const { dependencies, propertyDependencies } = resource;
  const sorted = (urns: unknown) => (urns as readonly string[]).toSorted();
  const entries = Object.entries((propertyDependencies ?? {}) as Properties);
  return {
    ...resource,
    ...(dependencies !== undefined && { dependencies: sorted(dependencies) }),
    ...(propertyDependencies !== undefined && {
      propertyDependencies: Object.fromEntries(entries.map(([key, urns]) => [key, sorted(urns)])),
    }),
  };
}

const urnOf = ({ resource }: Properties) => String((resource as Properties).urn);
