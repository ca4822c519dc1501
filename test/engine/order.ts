/**
 * The order that counts: of resources that need each other. What has nothing to do with each other is done in any order,
 * another one each time; it is put by its name.
 */
import { needs } from "../../engine/state/order.ts";
import type { State } from "../../engine/state/snapshot.ts";
import type { Properties } from "../../engine/values/values.ts";
import type { NormalState } from "./normal.ts";
import type { RecordedRun } from "./record.ts";
import { nameOf } from "./scene.ts";

/** `names` gives the words of an item by which it may be known: a name, a label or an id. */
type Ordered = <Item>(items: readonly Item[], names: (item: Item) => readonly string[]) => readonly Item[];

/**
 * Puts items by the needs that states know of.
 * @param leftovers objects that an earlier run was to delete: they need what they needed, and only each other needs them
 */
function orderIn(states: readonly NormalState[], leftovers: readonly State[] = []): Ordered {
  const all = states.flatMap(({ resources }) => resources as unknown as readonly State[]);
  const urns = new Map<string, string>();
  const direct = new Map<string, Set<string>>();
  for (const state of all) {
    for (const known of [nameOf(state.urn), state.urn, state.id, state.inputs?.label])
      if (typeof known === "string") urns.set(known, state.urn);
    // What a resource needs now counts; of one that is gone, what it needed.
    if (!state.delete || !direct.has(state.urn)) direct.set(state.urn, new Set(needs(state)));
  }
  for (const state of leftovers) {
    for (const known of [`old ${nameOf(state.urn)}`, String(state.id)]) urns.set(known, `old ${state.urn}`);
    direct.set(`old ${state.urn}`, new Set(needs(state).flatMap((urn) => [urn, `old ${urn}`])));
  }
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const urn of direct.get(from) ?? [])
      if (!seen.has(urn)) {
        seen.add(urn);
        reached(urn, seen);
      }
    return seen;
  };
  const needed = new Map([...direct.keys()].map((urn) => [urn, reached(urn)]));
  const related = (a: string, b: string) =>
    a === b || needed.get(a)?.has(b) === true || needed.get(b)?.has(a) === true;

  return (items, names) => {
    const left = items.map((item) => ({
      item,
      text: JSON.stringify(item),
      urn: names(item).flatMap((name) => urns.get(name) ?? [])[0] ?? names(item)[0] ?? "",
    }));
    const result: (typeof items)[number][] = [];
    while (left.length > 0) {
      const free = left.filter(
        (one, index) => !left.slice(0, index).some((earlier) => related(earlier.urn, one.urn)),
      );
      const [next] = free.toSorted((a, b) => (a.urn + a.text < b.urn + b.text ? -1 : 1));
      if (next === undefined) break;
      result.push(next.item);
      left.splice(left.indexOf(next), 1);
    }
    return result;
  };
}

/** A run with all that it did, and the states, in the order that counts. */
export function runInOrder(run: RecordedRun): RecordedRun {
  const leftovers = (run.before.resources as unknown as readonly State[]).filter((state) => state.delete);
  const old = new Set(leftovers.map(({ urn }) => `delete-replaced ${nameOf(urn)}`));
  const order = orderIn([run.before, run.after], leftovers);
  // Of a step and of a call the second word says of what: `create a failed`, `delete a-1`.
  const words = (line: string) => [line.split(" ")[1] ?? ""];
  const components = new Set(
    [...run.before.resources, ...run.after.resources].flatMap(({ custom, urn }) =>
      custom === true ? [] : [nameOf(String(urn))],
    ),
  );
  // Of a component nothing is made: one engine tells of it before its children, the other one after them.
  const stepWords = (line: string) => {
    const [word = ""] = words(line);
    if (old.has(line.replace(/ failed$/, ""))) return [`old ${word}`];
    return [components.has(word) && !line.startsWith("delete ") ? `component ${word}` : word];
  };
  // A refresh reads everything at once, and before a program runs.
  const refreshes = (line: string) => run.verb === "refresh" || line.startsWith("refresh ");
  const reads = (line: string) => run.options.refresh === true && line.startsWith("read ");
  return {
    ...run,
    steps: firstSorted(run.steps, refreshes, (rest) => order(rest, stepWords)),
    calls: firstSorted(run.calls, reads, (rest) => order(rest, words)),
    before: inOrder(run.before),
    after: inOrder(run.after),
  };
}

/** What comes first in any order, and then the rest. */
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

// A set: pulumi writes it in another order each time.
const dependenciesInOrder = (resource: Properties): Properties =>
  resource.dependencies === undefined
    ? resource
    : { ...resource, dependencies: (resource.dependencies as readonly string[]).toSorted() };

const urnOf = ({ resource }: Properties) => String((resource as Properties).urn);
