/**
 * `npm run bench`: requests, seconds, memory and bytes of whole runs, with two baselines at the same time: the usual
 * Pulumi way (a dynamic resource with a closure that reads objects one by one), and the client alone in a loop. Times
 * are ratios to a baseline; waiting for the rate limit is counted on a virtual clock.
 * `npm run bench -- real --write` measures the same with Pulumi's own engine, if `pulumi` is on PATH
 * (scripts/bench/real.ts);
 * `npm run bench -- sheets --write` measures sheets of 10,000 and 100,000 rows, and 10,000 products;
 * `npm run bench -- --sizes 10,100 --write` measures some sizes, and writes scripts/bench/figures.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clientAlone, codecThroughput, windowTime } from "./client.ts";
import { measureReal } from "./real.ts";
import { type Figures, measurePreview, measureSheet, measureStack, table, type Way } from "./stack.ts";

const root = join(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  options: {
    sizes: { type: "string" },
    write: { type: "boolean" },
    json: { type: "boolean" },
  },
  allowPositionals: true,
});
const sizes = (values.sizes ?? "10,100,1000,10000").split(",").map(Number);

interface Measured {
  readonly size: number;
  readonly way: Way;
  readonly figures: Figures;
}

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 9_950 ? 2 : 1);
const ratio = (a: number, b: number) => (b === 0 ? "-" : (a / b).toFixed(2));
const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const measured: Measured[] = [];
  for (const size of sizes) {
    const ways: readonly Way[] = [
      "embedded",
      ...(size <= 1_000 ? (["plugin on embedded"] as const) : []),
      ...(size <= 1_000 ? (["closure on embedded"] as const) : []),
    ];
    for (const way of ways) {
      say(`${size} products, ${way}`);
      measured.push({ size, way, figures: await measureStack(way, size) });
    }
  }
  say("a theme of 200 assets");
  const theme = await measureStack("embedded", 200, "assets");
  say("the client alone");
  const alone = new Map<number, Awaited<ReturnType<typeof clientAlone>>>();
  for (const size of sizes) alone.set(size, await clientAlone(size));
  const window = await windowTime(1_000);
  const codec = await codecThroughput();
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ measured, theme, alone: Object.fromEntries(alone), window, codec })}\n`,
    );
  const text = page(measured, theme, alone, window, codec);
  process.stdout.write(`${text}\n`);
  if (values.write) write(text);
}

function page(
  measured: readonly Measured[],
  theme: Figures,
  alone: ReadonlyMap<number, Awaited<ReturnType<typeof clientAlone>>>,
  window: Awaited<ReturnType<typeof windowTime>>,
  codec: Awaited<ReturnType<typeof codecThroughput>>,
): string {
  const verbs = ["up", "noop", "preview", "refresh", "edit", "refreshed", "destroy"] as const;
  const runs = ["first up", "no-op up", "preview", "refresh", "one edit", "after a refresh", "destroy"];
  const all = [...measured, { size: 200, way: "embedded, assets" as const, figures: theme }];
  const of = (size: number, way: Way) =>
    measured.find((one) => one.size === size && one.way === way)?.figures;
  const times = table(
    ["products", "way", ...runs, "most memory, MB", "state, bytes each"],
    all.map(({ size, way, figures }) => [
      size,
      way,
      ...verbs.map((verb) => seconds(figures[verb].ms)),
      Math.max(...verbs.map((verb) => figures[verb].megabytes)),
      Math.round(figures.stateBytes / size),
    ]),
  );
  const requests = table(
    ["products", "way", ...runs],
    all.map(({ size, way, figures }) => [size, way, ...verbs.map((verb) => figures[verb].requests)]),
  );
  const client = table(
    ["products", "create one after the other, s", "list all, s", "requests of the list"],
    [...alone].map(([size, { createMs, listMs, listRequests }]) => [
      size,
      seconds(createMs),
      seconds(listMs),
      listRequests,
    ]),
  );
  return [
    "Seconds, memory of the largest process, bytes of state:",
    times,
    "Requests:",
    requests,
    "The client alone:",
    client,
    "Goals:",
    table(["goal", "wanted", "measured", "met"], goals(of, alone, window, codec)),
  ].join("\n\n");
}

type Goal = readonly [string, string, string, string];

function goals(
  of: (size: number, way: Way) => Figures | undefined,
  alone: ReadonlyMap<number, Awaited<ReturnType<typeof clientAlone>>>,
  window: Awaited<ReturnType<typeof windowTime>>,
  codec: Awaited<ReturnType<typeof codecThroughput>>,
): readonly Goal[] {
  const rows: Goal[] = [];
  const goal = (name: string, most: number, value: number | undefined, unit = "") => {
    if (value === undefined || Number.isNaN(value)) return;
    rows.push([
      name,
      `at most ${most}${unit}`,
      `${value < 10 ? value.toFixed(2) : Math.round(value)}${unit}`,
      value <= most ? "yes" : "**no**",
    ]);
  };
  const [large, largeClient] = [of(10_000, "embedded"), alone.get(10_000)];
  const [mid, midClient] = [of(1_000, "embedded"), alone.get(1_000)];
  goal("refresh of 10,000 products, requests", 101, large?.refresh.requests);
  if (large && largeClient)
    goal("refresh of 10,000 / the client listing them", 3, large.refresh.ms / largeClient.listMs);
  goal("no-op up of 1,000, requests", 0, mid?.noop.requests);
  goal("preview of 1,000, requests", 0, mid?.preview.requests);
  goal("1,000 creates in windows of 500/300 s / the ideal time", 1.02, window.ratio);
  goal("rejections meanwhile", 1, window.rejected);
  const closure = of(1_000, "closure on embedded");
  if (mid && closure) goal("state of 1,000 / the closure's", 0.2, mid.stateBytes / closure.stateBytes);
  if (mid && midClient)
    goal(
      "first up of 1,000 / the client creating them one after the other",
      4,
      mid.up.ms / midClient.createMs,
    );
  if (mid) goal("no-op up of 1,000 / its first up", 0.25, mid.noop.ms / mid.up.ms);
  if (mid && large) goal("first up of 10,000 / of 1,000", 11, large.up.ms / mid.up.ms);
  rows.push([
    "decoding a page of 100 products / the parser alone",
    "at least 0.5",
    ratio(codec.decodePerSecond, codec.parsePerSecond),
    codec.decodePerSecond >= codec.parsePerSecond / 2 ? "yes" : "**no**",
  ]);
  if (large)
    goal(
      "memory of the largest process at 10,000",
      400,
      Math.max(...[large.up, large.noop, large.refresh, large.destroy].map(({ megabytes }) => megabytes)),
      " MB",
    );
  return rows;
}

/** @param of the heading of a part of scripts/bench/figures.md */
function write(text: string, of = "figures"): void {
  const path = join(root, "scripts/bench/figures.md");
  const [begin, end] = [`<!-- ${of} -->`, `<!-- end of ${of} -->`];
  const old = readFileSync(path, "utf8");
  const [before = "", rest = ""] = old.split(begin);
  writeFileSync(path, `${before}${begin}\n\n${text}\n\n${end}${rest.split(end)[1] ?? ""}`);
}

/** Previews without changes: of sheets, and of 10,000 Product resources at the same time. */
async function sheetPage(): Promise<string> {
  say("10,000 products");
  const { cpuMs: cpu } = await measurePreview(10_000);
  const rows = [];
  for (const size of (values.sizes ?? "10000,100000").split(",").map(Number)) {
    say(`a sheet of ${size} rows`);
    const { up, preview, edit, stateBytes } = await measureSheet(size);
    const most = Math.max(up.megabytes, preview.megabytes, edit.megabytes);
    const megabytes = `${preview.megabytes} (${most})`;
    const times = [seconds(up.cpuMs), seconds(preview.cpuMs), ratio(preview.cpuMs, cpu)];
    rows.push([size, ...times, megabytes, Math.round(stateBytes / size), edit.requests]);
  }
  const headings = [
    "rows",
    "first up",
    "preview",
    "/ 10,000 products",
    "MB (of all runs)",
    "state, bytes each",
    "requests of one changed row",
  ];
  return `CPU seconds of all processes; the preview of 10,000 products: ${seconds(cpu)}.\n\n${table(headings, rows)}`;
}

if (positionals[0] === "sheets") {
  const text = `With a load of ${(loadavg()[0] ?? 0).toFixed(0)} when it began. ${await sheetPage()}`;
  process.stdout.write(`${text}\n`);
  if (values.write) write(text, "figures of sheets");
} else if (positionals[0] === "real") {
  const text = await measureReal(Number(values.sizes ?? 1_000), say);
  process.stdout.write(`${text}\n`);
  if (values.write) write(text, "figures of the real engine");
} else await main();
