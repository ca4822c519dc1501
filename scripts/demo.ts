/**
 * `npm run demo`: an embedded shop with the storefront's program: preview, up, up again, an edit by hand in the shop, a
 * refresh that finds it, an up that repairs it. The last line has the figures, counted by the shop; the demo fails if
 * one is wrong.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { settingsEnv } from "../provider/inventory/index.ts";
import { type Ready, startShop } from "./serve.ts";

const root = join(import.meta.dirname, "..");
const command = join(root, "dist/cli/main.js");
const stack = "demo";

const { values: options } = parseArgs({
  options: { engine: { type: "string" }, keep: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (options.help) {
  process.stdout.write(
    "npm run demo -- [--engine embedded|pulumi] [--keep]\n--keep leaves the shop running\n",
  );
  process.exit(0);
}

type Row = Readonly<Record<string, unknown>>;
type Objects = Readonly<Record<string, readonly Row[]>>;
interface Edit {
  readonly what: string;
  readonly kind: string;
  readonly where: Row;
  readonly set?: Row;
  readonly delete?: true;
}
/** Number of steps by sign: "+" created, "~" changed, "-" deleted. */
type Steps = Readonly<Record<string, number>>;

const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-demo-"));
const say = (line: string) => process.stdout.write(`\n\u2014 ${line}\n`);

async function main(): Promise<number> {
  say("an embedded shop starts");
  const { child, ready } = await startShop([], options.keep);
  const { url } = ready;
  process.stdout.write(`  it listens at ${url}\n`);
  try {
    const failed = await story(ready);
    if (options.keep) keep(child, ready);
    return failed;
  } finally {
    // Pulumi's own engine writes the salt of its secrets into the project.
    rmSync(join(root, `Pulumi.${stack}.yaml`), { force: true });
    if (!options.keep) {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function story(ready: Ready): Promise<number> {
  const control = controlOf(ready);
  const before = await control.objects();

  say("preview: what the program would make of this empty shop");
  const planned = await pulumiShop(ready, "preview", "--create");
  say("up: the shop converges");
  await pulumiShop(ready, "up", "--create", "--yes", "--skip-preview");
  const converged = await control.objects();
  const created = countNew(before, converged);

  say("up again: nothing is left to do");
  const writes = await control.writes();
  const again = await pulumiShop(ready, "up", "--yes", "--skip-preview");
  const second = changesOf(again) + (await control.writes()) - writes;

  const edits = JSON.parse(readFileSync(join(root, "examples/storefront/hand-edits.json"), "utf8")) as Edit[];
  say("somebody edits the shop by hand");
  for (const edit of edits) {
    await control.edit(edit);
    process.stdout.write(`  ${edit.what}\n`);
  }

  say("refresh: finds it");
  const drift = changesOf(await pulumiShop(ready, "refresh", "--yes", "--diff"));
  say("up: heals it");
  await pulumiShop(ready, "up", "--yes", "--skip-preview", "--diff");
  const after = await control.objects();
  const healed = edits.filter((edit) => isHealed(edit, converged, after)).length;

  const { total: requests, rejected } = await control.stats();
  const wanted = planned["+"] ?? 0;
  const stackItself = options.engine === "pulumi" ? 1 : 0;
  const wrong = [
    ...(created > 0 && created === wanted - stackItself
      ? []
      : [`preview said ${wanted} to create, the shop has ${created} new`]),
    ...(second === 0 ? [] : ["the second up changed something"]),
    ...(drift === edits.length ? [] : [`${edits.length} hand edits, refresh found ${drift}`]),
    ...(healed === edits.length ? [] : [`${edits.length} hand edits, up healed ${healed}`]),
    ...(rejected === 0 ? [] : [`the shop rejected ${rejected} requests`]),
  ];
  for (const line of wrong) process.stdout.write(`wrong: ${line}\n`);
  const figures = `created=${created} second=${second} drift=${drift} healed=${healed} requests=${requests} rejected=${rejected}`;
  process.stdout.write(`\ndemo ${wrong.length === 0 ? "ok" : "failed"}: ${figures}\n`);
  return wrong.length === 0 ? 0 : 1;
}

/** Environment variables with the shop's address and our folder for the state. */
function environment({ url, applicationId, password }: Ready): Record<string, string> {
  return {
    ...settingsEnv({ url, applicationId, password }),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/** Runs a command like a user, shows its output, and parses the summary. */
async function pulumiShop(ready: Ready, ...args: readonly string[]): Promise<Steps> {
  const engine = options.engine === undefined ? [] : ["--engine", options.engine];
  const shown = [...args, "--stack", stack, ...engine];
  process.stdout.write(`$ pulumi-shop ${shown.join(" ")}\n`);
  const child = spawn(process.execPath, [command, ...shown], {
    cwd: root,
    env: { ...process.env, ...environment(ready) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const steps: Record<string, number> = {};
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    process.stdout.write(`  ${line}\n`);
    const match = /^\s+(\+|~|-|\+-|\+\+|--) (\d+) /.exec(line);
    if (match?.[1] !== undefined) steps[match[1]] = Number(match[2]);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`pulumi-shop ${args[0]} exited with code ${code}`);
  return steps;
}

const changesOf = (steps: Steps) => Object.values(steps).reduce((sum, count) => sum + count, 0);

/** The shop's own statistics, from a control request. */
function controlOf({ url, control }: Ready) {
  const ask = async (path: string, init?: RequestInit) => {
    const headers = { "x-control-token": control };
    const response = await fetch(`${url}/_control/${path}`, { ...init, headers });
    if (!response.ok)
      throw new Error(`the shop answered ${response.status} to ${path}: ${await response.text()}`);
    return (await response.json()) as unknown;
  };
  const stats = async () =>
    (await ask("stats")) as { requests: Readonly<Record<string, number>>; total: number; rejected: number };
  return {
    stats,
    objects: async () => (await ask("objects")) as Objects,
    writes: async () =>
      Object.entries((await stats()).requests).reduce(
        (sum, [request, count]) => (request.startsWith("GET ") ? sum : sum + count),
        0,
      ),
    edit: ({ what: _what, ...patch }: Edit) =>
      ask("objects", { method: "PATCH", body: JSON.stringify(patch) }),
  };
}

const key = (kind: string, { id }: Row) => `${kind} ${String(id)}`;

function countNew(before: Objects, after: Objects): number {
  const known = new Set(Object.entries(before).flatMap(([kind, rows]) => rows.map((row) => key(kind, row))));
  return Object.entries(after).flatMap(([kind, rows]) => rows.filter((row) => !known.has(key(kind, row))))
    .length;
}

/** Whether the edited object has its original values; found by its key, because a deleted one gets another id. */
function isHealed({ kind, where, set }: Edit, before: Objects, after: Objects): boolean {
  const find = (objects: Objects) =>
    objects[kind]
      ?.filter(({ archived }) => archived !== true)
      .find((row) => Object.entries(where).every(([name, value]) => row[name] === value));
  const [was, is] = [find(before), find(after)];
  if (was === undefined || is === undefined) return false;
  return Object.keys(set ?? {}).every((name) => JSON.stringify(was[name]) === JSON.stringify(is[name]));
}

function keep(child: ChildProcess, ready: Ready): void {
  child.unref();
  (child.stdout as unknown as { unref(): void } | null)?.unref();
  const lines = Object.entries(environment(ready)).map(([name, value]) => `export ${name}='${value}'`);
  process.stdout.write(
    `\nThe shop goes on at ${ready.url}; end it with: kill ${child.pid}\nTo go on with it:\n${lines.join("\n")}\n`,
  );
}

process.exitCode = await main().catch((error: Error) => {
  process.stdout.write(`\ndemo failed: ${error.message}\n`);
  return 1;
});
