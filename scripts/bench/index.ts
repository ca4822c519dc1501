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
import { clientAlone, decodingTime, windowTime } from "./client.ts";
import { measureReal } from "./real.ts";
import { type Figures, measurePreview, measureSheet, measureStack, table, type Way } from "./stack.ts";

const root = join(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  options: { sizes: { type: "string" }, write: { type: "boolean" } },
  allowPositionals: true,
});
const sizesOr = (usual: string) => (values.sizes ?? usual).split(",").map(Number);

interface Measured extends Figures {
  readonly size: number;
  readonly way: Way | "embedded, assets";
}

type Alone = Awaited<ReturnType<typeof clientAlone>> & { readonly size: number };

const verbs = {
  up: "first up",
  noop: "no-op up",
  preview: "preview",
  refresh: "refresh",
  edit: "one edit",
  refreshed: "after a refresh",
  destroy: "destroy",
} as const;
const verbNames = Object.keys(verbs) as (keyof typeof verbs)[];

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 9_950 ? 2 : 1);
const say = (line: string) => process.stderr.write(`${line}\n`);

async function productsPage(): Promise<string> {
  const measured: Measured[] = [];
  const alone: Alone[] = [];
  const measure = async (size: number, way: Way) => {
    say(`${size} products, ${way}`);
    measured.push({ size, way, ...(await measureStack(way, size)) });
  };
  for (const size of sizesOr("10,100,1000,10000")) {
    await measure(size, "embedded");
    if (size <= 1_000) await measure(size, "plugin on embedded");
    if (size <= 1_000) await measure(size, "closure on embedded");
    alone.push({ size, ...(await clientAlone(size)) });
  }
  say("a theme of 200 assets");
  measured.push({ size: 200, way: "embedded, assets", ...(await measureStack("embedded", 200, "assets")) });
  return [
    "Seconds, memory of the largest process, bytes of state:",
    table(
      ["products", "way", ...Object.values(verbs), "most memory, MB", "state, bytes each"],
      measured.map((one) => [
        one.size,
        one.way,
        ...verbNames.map((verb) => seconds(one[verb].ms)),
        Math.max(...verbNames.map((verb) => one[verb].megabytes)),
        Math.round(one.stateBytes / one.size),
      ]),
    ),
    "Requests:",
    table(
      ["products", "way", ...Object.values(verbs)],
      measured.map((one) => [one.size, one.way, ...verbNames.map((verb) => one[verb].requests)]),
    ),
    "The client alone:",
    table(
      ["products", "create one after the other, s", "list all, s", "requests of the list"],
      alone.map((one) => [one.size, seconds(one.createMs), seconds(one.listMs), one.listRequests]),
    ),
    "Goals:",
    table(
      ["goal", "wanted", "measured", "met"],
      (await goalsOf(measured, alone)).flatMap(([name, most, value, unit = ""]) =>
        value === undefined
          ? []
          : [
              [
                name,
                `at most ${most}${unit}`,
                `${value < 10 ? value.toFixed(2) : Math.round(value)}${unit}`,
                value <= most ? "yes" : "**no**",
              ],
            ],
      ),
    ),
  ].join("\n\n");
}

/** The value is undefined if its size wasn't measured. */
type Goal = readonly [name: string, most: number, value: number | undefined, unit?: string];

async function goalsOf(measured: readonly Measured[], alone: readonly Alone[]): Promise<readonly Goal[]> {
  const of = (size: number, way: Way = "embedded") =>
    measured.find((one) => one.size === size && one.way === way);
  const client = (size: number) => alone.find((one) => one.size === size);
  const ratio = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one / other;
  const [mid, large] = [of(1_000), of(10_000)];
  const window = await windowTime(1_000);
  return [
    ["refresh of 10,000 products, requests", 101, large?.refresh.requests],
    ["refresh of 10,000 / the client listing them", 3, ratio(large?.refresh.ms, client(10_000)?.listMs)],
    ["no-op up of 1,000, requests", 0, mid?.noop.requests],
    ["preview of 1,000, requests", 0, mid?.preview.requests],
    ["1,000 creates in windows of 500/300 s / the ideal time", 1.02, window.ratio],
    ["rejections meanwhile", 1, window.rejected],
    [
      "state of 1,000 / the closure's",
      0.2,
      ratio(mid?.stateBytes, of(1_000, "closure on embedded")?.stateBytes),
    ],
    [
      "first up of 1,000 / the client creating them one after the other",
      4,
      ratio(mid?.up.ms, client(1_000)?.createMs),
    ],
    ["no-op up of 1,000 / its first up", 0.25, ratio(mid?.noop.ms, mid?.up.ms)],
    ["first up of 10,000 / of 1,000", 11, ratio(large?.up.ms, mid?.up.ms)],
    ["decoding a page of 100 products / the parser alone", 2, await decodingTime()],
    [
      "memory of the largest process at 10,000",
      400,
      large && Math.max(...verbNames.map((verb) => large[verb].megabytes)),
      " MB",
    ],
  ];
}

/** @param of the heading of a part of scripts/bench/figures.md */
function write(text: string, of: string): void {
  const path = join(root, "scripts/bench/figures.md");
  const [begin, end] = [`<!-- ${of} -->`, `<!-- end of ${of} -->`];
  const old = readFileSync(path, "utf8");
  const [before = "", rest = ""] = old.split(begin);
  writeFileSync(path, `${before}${begin}\n\n${text}\n\n${end}${rest.split(end)[1] ?? ""}`);
}

/** Previews without changes: of sheets, and of 10,000 Product resources at the same time. */
async function sheetPage(): Promise<string> {
  const load = (loadavg()[0] ?? 0).toFixed(0);
  say("10,000 products");
  const { cpuMs: cpu } = await measurePreview(10_000);
  const rows = [];
  for (const size of sizesOr("10000,100000")) {
    say(`a sheet of ${size} rows`);
    const { up, preview, edit, stateBytes } = await measureSheet(size);
    const most = Math.max(up.megabytes, preview.megabytes, edit.megabytes);
    const megabytes = `${preview.megabytes} (${most})`;
    const times = [seconds(up.cpuMs), seconds(preview.cpuMs), (preview.cpuMs / cpu).toFixed(2)];
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
  return `With a load of ${load} when it began. CPU seconds of all processes; the preview of 10,000 products: ${seconds(cpu)}.\n\n${table(headings, rows)}`;
}

const pages: Readonly<Record<string, readonly [of: string, make: () => Promise<string>]>> = {
  products: ["figures", productsPage],
  sheets: ["figures of sheets", sheetPage],
  real: ["figures of the real engine", () => measureReal(Number(values.sizes ?? 1_000), say)],
};
const [of, make] = pages[positionals[0] ?? "products"] ?? ["figures", productsPage];
const text = await make();
process.stdout.write(`${text}\n`);
if (values.write) write(text, of);
