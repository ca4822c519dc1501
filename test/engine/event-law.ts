/** Checks the events of a run: each step that started has ended once, and the counts match. */
import { type Event, endedIn, kindOf, makes, type Op, type Result, type Step } from "../../engine/index.ts";
import { isSheet } from "../../provider/inventory/index.ts";

type Ends = Extract<Event, { type: "done" | "failed" | "refused" }>;

const isEnd = (event: Event): event is Ends =>
  event.type === "done" || event.type === "failed" || event.type === "refused";
const nameOf = ({ op, name, partOf }: Step) =>
  `${op} ${name}${partOf === undefined ? "" : `, of its ${partOf}`}`;

/**
 * @param result undefined for a run that threw
 * @param finding whether the run is a refresh, which counts its findings
 */
export function eventErrors(
  events: readonly Event[],
  result: Result | undefined,
  finding: boolean,
): readonly string[] {
  const totals = result === undefined ? [] : wrongTotals(events, result, finding);
  return [...wrongEnds(events), ...wrongWholes(events), ...totals];
}

/** The identity of a step in events; a create has no id before it is done. */
const keyOf = ({ urn, op, partOf, id, found }: Step) =>
  `${urn} ${found} ${op} ${partOf} ${makes(op) ? "" : id}`;

/** A sheet of prices and the one that it replaces have the same id: a refresh may read both. */
const mayBeTwo = ({ type, found, op }: Step) => isSheet(kindOf(type)) && (found || op === "same");

function wrongEnds(events: readonly Event[]): readonly string[] {
  const started = new Map<string, Step>();
  const ended = new Map<string, Event["type"]>();
  const wrong: string[] = [];
  for (const event of events) {
    if (!("step" in event)) continue;
    const { step, type } = event;
    if (mayBeTwo(step)) continue;
    const key = keyOf(step);
    const before = ended.get(key);
    if (before !== undefined) wrong.push(`${nameOf(step)} is ${type} after it was ${before}`);
    if (type === "started" && started.has(key)) wrong.push(`${nameOf(step)} started twice`);
    if (type === "started") started.set(key, step);
    else ended.set(key, type);
    if (type === "done" && !started.has(key)) wrong.push(`${nameOf(step)} is done and never started`);
    if (type === "done" && step.op === "replace" && step.replaces.length === 0)
      wrong.push(`${nameOf(step)} says no reason`);
  }
  for (const [key, step] of started)
    if (!ended.has(key)) wrong.push(`${nameOf(step)} started and never ended`);
  return wrong;
}

/** A part belongs to a replacement of its resource, which fails or is refused with it. */
function wrongWholes(events: readonly Event[]): readonly string[] {
  return events.flatMap((event, at) => {
    if (!("step" in event) || event.step.partOf === undefined) return [];
    const { urn, partOf } = event.step;
    const isWhole = (one: Event) => "step" in one && one.step.urn === urn && one.step.op === partOf;
    const start = events.findIndex((one) => isWhole(one) && one.type === "started");
    if (start === -1 || start > at) return [`${nameOf(event.step)} is part of nothing`];
    const end = events.findIndex((one) => isWhole(one) && isEnd(one));
    if (event.type !== "failed" && event.type !== "refused") return [];
    return end < at || events[end]?.type === event.type
      ? []
      : [`${nameOf(event.step)} is ${event.type}, and the whole ${events[end]?.type}`];
  });
}

function wrongTotals(
  events: readonly Event[],
  { counts, failures }: Result,
  finding: boolean,
): readonly string[] {
  const told: Partial<Record<Op, number>> = {};
  for (const { op, custom, type, found, partOf } of endedIn(events).done)
    if (partOf === undefined && custom && !type.startsWith("pulumi:") && (finding || !found))
      told[op] = (told[op] ?? 0) + 1;
  const ops = [...new Set([...Object.keys(told), ...Object.keys(counts)])] as readonly Op[];
  const messages = new Set(failures.map(({ message }) => message));
  return [
    ...ops
      .filter((op) => told[op] !== counts[op])
      .map((op) => `${told[op] ?? 0} times ${op}, counted ${counts[op] ?? 0}`),
    ...events.flatMap((event) =>
      (event.type === "failed" || event.type === "refused") && !messages.has(event.message)
        ? [`${nameOf(event.step)} is ${event.type}, and the result doesn't say so`]
        : [],
    ),
  ];
}
