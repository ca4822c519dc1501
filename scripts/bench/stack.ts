/**
 * Measures the life of a stack from outside: the command as a user runs it, the memory of its processes, the shop's
 * counts.
 */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { settingsEnv } from "../../provider/inventory/index.ts";
import { startShop } from "../serve.ts";

const root = join(import.meta.dirname, "../..");
const command = join(root, "dist/cli/main.js");

/** The form of the resources, and the engine. */
export type Way =
  | "embedded"
  | "plugin on embedded"
  | "closure on embedded"
  | "pulumi"
  | "plugin on pulumi"
  | "closure on pulumi";

export interface Figure {
  readonly ms: number;
  /** Of all processes of the run, except the last fifth of a second of each. */
  readonly cpuMs: number;
  readonly requests: number;
  /** Of the largest process of the run. */
  readonly megabytes: number;
}

export interface Figures {
  readonly up: Figure;
  readonly noop: Figure;
  readonly preview: Figure;
  readonly refresh: Figure;
  readonly edit: Figure;
  /** Another edit, after another refresh. */
  readonly refreshed: Figure;
  readonly destroy: Figure;
  /** A first up for which Pulumi writes the state once, at its end; undefined with the embedded engine. */
  readonly skipping: Figure | undefined;
  readonly stateBytes: number;
}

type What = "products" | "assets" | "rows";

const ours = (what: What) =>
  what === "rows"
    ? `import { Prices } from "pulumi-shop";
new Prices("list", { file: "prices.csv" });
`
    : what === "products"
      ? `import { Product } from "pulumi-shop";
for (let i = 0; i < Number(process.env.SIZE); i++)
  new Product("p" + i, { title: (i === 7 ? process.env.EDIT ?? "" : "") + "Product " + i, variants: [{ sku: "SKU-" + i, price: 100 + i, quantity: 5 }] });
`
      : `import { Asset, getThemeOutput } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
for (let i = 0; i < Number(process.env.SIZE); i++)
  new Asset("a" + i, { themeId, type: "Asset::Snippet", name: "bench-" + i + ".liquid", content: "<p>" + (i === 7 ? process.env.EDIT ?? "" : "") + i + "</p>" });
`;

/** The program of a team without a provider: a closure for each operation, a GET for each read. */
const closure = `import * as pulumi from "@pulumi/pulumi";
const provider = {
  async send(method, path, body) {
    const basic = Buffer.from(process.env.SHOP_APPLICATION_ID + ":" + process.env.SHOP_PASSWORD).toString("base64");
    const response = await fetch(process.env.SHOP_URL + path, { method, body, headers: { authorization: "Basic " + basic, "content-type": "application/xml" } });
    if (!response.ok) throw new Error(method + " " + path + ": " + response.status);
    return response.text();
  },
  xml(inputs) {
    return "<product><title>" + inputs.title + "</title><variants-attributes type=\\"array\\"><variant><sku>" + inputs.sku + "</sku><price>" + inputs.price + "</price><quantity>" + inputs.quantity + "</quantity></variant></variants-attributes></product>";
  },
  async create(inputs) {
    const text = await provider.send("POST", "/admin/products.xml", provider.xml(inputs));
    return { id: /<id[^>]*>(\\d+)</.exec(text)[1], outs: { ...inputs, permalink: /<permalink>([^<]*)</.exec(text)[1] } };
  },
  async read(id, props) {
    const text = await provider.send("GET", "/admin/products/" + id + ".xml");
    return { id, props: { ...props, title: /<title>([^<]*)</.exec(text)[1] } };
  },
  async update(id, olds, news) {
    await provider.send("PUT", "/admin/products/" + id + ".xml", "<product><title>" + news.title + "</title></product>");
    return { outs: { ...olds, ...news } };
  },
  async delete(id) {
    await provider.send("DELETE", "/admin/products/" + id + ".xml");
  },
};
class Product extends pulumi.dynamic.Resource {
  constructor(name, props) {
    super(provider, name, { permalink: undefined, ...props });
  }
}
for (let i = 0; i < Number(process.env.SIZE); i++)
  new Product("p" + i, { title: (i === 7 ? process.env.EDIT ?? "" : "") + "Product " + i, sku: "SKU-" + i, price: 100 + i, quantity: 5 });
`;

/** Pulumi writes the state once, at the end. */
const skipping = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

type Run = (
  verb: string,
  more?: Readonly<Record<string, string>>,
  flags?: readonly string[],
) => Promise<Figure>;

/** Measures first up, no-op up, preview, refresh, an edit and destroy with a number of objects. */
export const measureStack = (way: Way, size: number, what: What = "products"): Promise<Figures> =>
  withStack(way, size, what, async ({ run, stateBytes }) => {
    const up = await run("up", {}, ["--create"]);
    const bytes = stateBytes();
    const isReal = way.endsWith("pulumi");
    return {
      up,
      noop: await run("up"),
      preview: await run("preview"),
      refresh: await run("refresh"),
      edit: await run("up", { EDIT: "New " }),
      refreshed: await afterRefresh(run),
      destroy: await run("destroy", isReal ? skipping : {}),
      skipping: isReal ? await run("up", skipping) : undefined,
      stateBytes: bytes,
    };
  });

async function afterRefresh(run: Run): Promise<Figure> {
  await run("refresh", { EDIT: "New " });
  return run("up", { EDIT: "Newer " });
}

/** A sheet with a number of rows, for products with ten variants each. */
export const measureSheet = (
  size: number,
): Promise<Pick<Figures, "up" | "preview" | "edit" | "stateBytes">> =>
  withStack("embedded", size, "rows", async ({ run, project, stateBytes }) => {
    const sheet = (first: number) =>
      writeFileSync(
        join(dirname(project), "prices.csv"),
        `sku,price\n${skus(size)
          .map((sku, index) => `${sku},${index === 0 ? first : priceOf(index)}\n`)
          .join("")}`,
      );
    sheet(100);
    const up = await run("up", {}, ["--create"]);
    const preview = await run("preview");
    const bytes = stateBytes();
    sheet(101);
    return { up, preview, edit: await run("up"), stateBytes: bytes };
  });

/** Thousands of different prices, as in a catalogue. */
const priceOf = (index: number) => 100 + (index % 4_999) / 100;

const skus = (size: number) => Array.from({ length: size }, (_none, index) => `SKU-${index}`);

/** The shop's objects for a sheet. */
function stocked(size: number): string {
  const variants = skus(size).map((sku, index) => ({ sku, price: priceOf(index) }));
  const product = Array.from({ length: size / 10 }, (_none, index) => ({
    title: `Product ${index}`,
    variants: variants.slice(index * 10, index * 10 + 10),
  }));
  return JSON.stringify({ product });
}

export const measurePreview = (size: number): Promise<Figure> =>
  withStack("embedded", size, "products", async ({ run }) => {
    await run("up", {}, ["--create"]);
    return run("preview");
  });

interface Scene {
  readonly run: Run;
  /** The path of its Pulumi.yaml. */
  readonly project: string;
  readonly stateBytes: () => number;
}

const plugged = "plugins: {providers: [{name: shop, path: node_modules/pulumi-shop/plugin}]}\n";

/** A shop and a stack with a number of objects; removed at the end. */
async function withStack<T>(
  way: Way,
  size: number,
  what: What,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-bench-"));
  const fixture = join(folder, "fixture.json");
  if (what === "rows") writeFileSync(fixture, stocked(size));
  const filled = what === "rows" ? ["--fixture", fixture] : [];
  const { child: shop, ready } = await startShop(["--limit", "off", ...filled]);
  try {
    const isClosure = way.startsWith("closure");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    mkdirSync(join(folder, "backend"));
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "bench", type: isClosure ? "commonjs" : "module" }),
    );
    const main = isClosure ? "index.cjs" : "index.ts";
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      `name: bench\nruntime: {name: nodejs, options: {typescript: false}}\nmain: ${main}\n${way.startsWith("plugin") ? plugged : ""}`,
    );
    writeFileSync(
      join(folder, main),
      isClosure
        ? closure.replace(/^import \* as pulumi.*$/m, 'const pulumi = require("@pulumi/pulumi");')
        : ours(what),
    );
    const env = {
      ...process.env,
      SIZE: String(size),
      ...settingsEnv(ready),
      PULUMI_BACKEND_URL: `file://${folder}/backend`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const engine = way.endsWith("pulumi") ? ["--engine", "pulumi"] : [];
    const run: Run = (verb, more = {}, flags = []) => {
      const skip = verb === "preview" || verb === "refresh" ? [] : ["--skip-preview"];
      const yes = verb === "preview" ? [] : ["--yes"];
      return measure(
        [command, verb, "--stack", "dev", ...yes, ...skip, ...engine, ...flags],
        folder,
        { ...env, ...more },
        ready,
      );
    };
    const state = join(folder, "backend/.pulumi/stacks/bench/dev.json");
    return await work({
      run,
      project: join(folder, "Pulumi.yaml"),
      stateBytes: () => (existsSync(state) ? statSync(state).size : 0),
    });
  } finally {
    shop.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { url, control }: { readonly url: string; readonly control: string },
): Promise<Figure> {
  await fetch(`${url}/_control/forget`, { method: "POST", headers: { "x-control-token": control } });
  const began = performance.now();
  const child = spawn(process.execPath, [...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  let kilobytes = 0;
  const cpuOf = new Map<number, number>();
  // The kernel keeps a process's peak while it lives, so it is read often.
  const timer = setInterval(() => {
    for (const pid of family(child.pid as number)) {
      kilobytes = Math.max(kilobytes, peak(pid));
      cpuOf.set(pid, Math.max(cpuOf.get(pid) ?? 0, cpu(pid)));
    }
  }, 200);
  const code = await new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? 1)));
  const ms = performance.now() - began;
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.slice(1).join(" ")} ended with ${code}: ${errors}`);
  const { total } = (await (await fetch(`${url}/_control/stats`)).json()) as { total: number };
  const cpuMs = [...cpuOf.values()].reduce((sum, one) => sum + one, 0);
  return { ms, cpuMs, requests: total, megabytes: Math.round(kilobytes / 1024) };
}

function family(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const found = [pid];
  for (const parent of found) for (const [child, above] of parents) if (above === parent) found.push(child);
  return found;
}

const parentOf = (pid: number) => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]);
// In hundredths of a second: the fields after the name, which may contain spaces (proc(5), utime and stime).
function cpu(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
}
const peak = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}

type Cell = string | number;

export function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
