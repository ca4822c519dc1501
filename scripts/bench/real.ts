/** `npm run bench -- real`: the ways to run one program with Pulumi's own engine, and the usual way there, in one run. */
import { loadavg } from "node:os";
import { type Figure, type Figures, measureStack, table, type Way } from "./stack.ts";

const ours = ["pulumi", "plugin on pulumi"] as const satisfies readonly Way[];
const ways = [...ours, "closure on pulumi"] as const;
const verbs = {
  up: "first up",
  skipping: "first up, checkpoints skipped",
  noop: "no-op up",
  preview: "preview",
  refresh: "refresh",
  edit: "one edit",
  refreshed: "after a refresh",
} as const;
type Verb = keyof typeof verbs;
type Measured = Readonly<Record<(typeof ways)[number], Figures>>;

/** A goal compares a time of one of our ways with another time. */
type Goal = readonly [name: string, most: number, own: Figure, other: Figure];

/** Measures each way with a number of products. @returns a part of scripts/bench/figures.md */
export async function measureReal(size: number, say: (line: string) => void): Promise<string> {
  const load = loadavg()[0] as number;
  const measured: Partial<Record<Way, Figures>> = {};
  for (const way of ways) {
    say(`${size} products, ${way}`);
    measured[way] = await measureStack(way, size);
  }
  const all = measured as Measured;
  const rows = (of: (figure: Figure) => number) =>
    table(
      ["way", ...Object.values(verbs)],
      ways.map((way) => [
        way,
        ...(Object.keys(verbs) as Verb[]).map((verb) => (of(all[way][verb] as Figure) / 1000).toFixed(1)),
      ]),
    );
  const goals = ours.flatMap((way) => goalsOf(way, all));
  return [
    `${size} products, \`npm run bench -- real --sizes ${size}\`, with a load of ${load.toFixed(1)} when it began. Seconds:`,
    rows(({ ms }) => ms),
    "Processor time of all processes, seconds, which other work changes less:",
    rows(({ cpuMs }) => cpuMs),
    "Bytes of state for each product, and requests of an edit after a refresh:",
    table(
      ["way", "state", "requests"],
      ways.map((way) => [way, Math.round(all[way].stateBytes / size), all[way].refreshed.requests]),
    ),
    "Goals:",
    table(["goal", "wanted", "measured", "in processor time", "met"], goals.map(judged)),
  ].join("\n\n");
}

function goalsOf(way: (typeof ours)[number], all: Measured): readonly Goal[] {
  const own = all[way];
  const usual = all["closure on pulumi"];
  const most = way === "pulumi" ? 0.6 : 0.5;
  const beside = (verb: Verb, at: number): Goal => [
    `${verbs[verb]}, ${way} / the closure's`,
    at,
    own[verb] as Figure,
    usual[verb] as Figure,
  ];
  return [
    beside("up", 0.4),
    beside("skipping", 0.4),
    beside("noop", most),
    beside("preview", most),
    [`an edit after a refresh / an edit, ${way}`, 1.1, own.refreshed, own.edit],
  ];
}

function judged([name, most, own, other]: Goal): readonly string[] {
  const ratio = own.ms / other.ms;
  return [
    name,
    `at most ${most}`,
    ratio.toFixed(2),
    (own.cpuMs / other.cpuMs).toFixed(2),
    ratio <= most ? "yes" : "**no**",
  ];
}
