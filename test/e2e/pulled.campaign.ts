// A shop that people filled, as code, and then lived with: each everyday edit does what its preview says, and nothing else.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ranOf, type Terminal } from "../cli/terminal.ts";
import type { World } from "../support/world.ts";
import { changedIn, daysOf, howMany, isWrite, openPulled, snapshot } from "./pulled-shop.ts";

interface Line {
  readonly run: string;
  readonly type: string;
  readonly step?: {
    readonly op: string;
    readonly type: string;
    readonly name: string;
    readonly partOf?: string;
  };
  /** Sent by the run. */
  readonly requests?: number;
  /** Announced by the preview. */
  readonly cost?: number;
}

const stepsOf = (lines: readonly Line[]) =>
  lines
    .flatMap(({ type, step }) =>
      type !== "done" || step === undefined || step.op === "same" || step.partOf !== undefined
        ? []
        : [`${step.op} ${step.name}`],
    )
    .toSorted();

/** Requests, each look once: a run of a slow machine looks again before it deletes what it looked at too long ago. */
const costOf = (requests: readonly string[]) =>
  new Set(requests.filter((line) => !isWrite(line))).size + requests.filter(isWrite).length;

/**
 * Runs up, and holds it to its preview: the same steps, the same number of requests.
 * @param own requests of the program itself, which are announced with the others
 * @returns the requests that are not the program's own
 */
async function up(terminal: Terminal, world: World, own: readonly string[], ...options: readonly string[]) {
  const before = snapshot(world);
  world.requests();
  const ran = await terminal.run("up", "-C", "shop", "--stack", "live", "--yes", "--json", ...options);
  const lines = ran.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
  const summaries = lines.filter(({ type }) => type === "summary");
  expect(ran.code, ran.stderr + JSON.stringify(summaries)).toBe(0);
  const [plan, result] = ["preview", "up"].map((name) => summaries.find(({ run }) => run === name));
  const [planned, done] = ["preview", "up"].map((name) => stepsOf(lines.filter(({ run }) => run === name)));
  expect(done).toEqual(planned);
  const all = world.requests();
  const from = all.length - (result?.requests ?? 0);
  expect(all.slice(0, from).filter(isWrite), "the preview writes nothing").toEqual([]);
  const sent = all.slice(from);
  const requests = plan?.cost ?? 0;
  // What a refresh looks at, before the program begins, is no part of the plan.
  const start = options.includes("--refresh") ? sent.lastIndexOf(own[0] ?? "") : 0;
  if (result !== undefined) expect(costOf(sent.slice(start)), sent.join("\n")).toBe(requests);
  return { steps: planned, requests: requests - costOf(own), changed: changedIn(before, snapshot(world)) };
}

test(`a pulled shop of ${howMany} messy objects: every edit does what its preview says, and nothing else changes`, async () => {
  const pulled = await openPulled();
  const { world, terminal } = pulled;
  world.requests();
  await terminal.done("up", "-C", "shop", "--stack", "live", "--yes");
  expect(world.requests().filter(isWrite)).toEqual([]);
  // What the program itself asks, in each run: its themes.
  await terminal.done("preview", "-C", "shop", "--stack", "live", "--expect-no-changes");
  const own = world.requests();
  for (const { what, edit, refresh, ours, requests, changed } of daysOf(pulled)) {
    await edit();
    // What one left undone, the next would announce.
    const ran = await up(terminal, world, own, ...(refresh ? ["--refresh"] : []));
    expect(ran, what).toEqual({ steps: ours, requests, changed });
  }
});

/** A line of the real engine's JSON. */
interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
}

const quiet = new Set(["same", "read", "refresh"]);

/** A verb of the real engine: its steps, what it sent, how long it took. */
async function byPulumi({ folder, env }: Terminal, world: World, ...args: readonly string[]) {
  world.requests();
  const began = performance.now();
  const child = spawn("pulumi", [...args, "--stack", "live", "--non-interactive", "--json"], {
    cwd: join(folder, "shop"),
    env: {
      ...env,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
      // The state is written at the end: 400 objects else write it 400 times.
      PULUMI_EXPERIMENTAL: "true",
      PULUMI_SKIP_CHECKPOINTS: "true",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stdout, stderr } = await ranOf(child);
  expect(code, stderr + stdout.slice(-4_000)).toBe(0);
  const events = stdout
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as EngineEvent] : []));
  const steps = events.flatMap(({ resourcePreEvent: event }) =>
    event === undefined || quiet.has(event.metadata.op)
      ? []
      : [`${event.metadata.op} ${event.metadata.urn.split("::").at(-1)}`],
  );
  return { steps: steps.toSorted(), sent: world.requests(), seconds: (performance.now() - began) / 1000 };
}

test.skipIf(spawnSync("pulumi", ["version"]).status !== 0)(
  `so it is under the real engine, of ${howMany} objects`,
  async () => {
    const pulled = await openPulled();
    const { world, terminal, folder } = pulled;
    const init = spawnSync("pulumi", ["stack", "select", "--create", "live", "--non-interactive"], {
      cwd: folder,
      env: { ...terminal.env, PULUMI_HOME: join(terminal.folder, "home"), PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    expect(init.status, String(init.stderr)).toBe(0);
    const figures: string[] = [];
    const note = (
      what: string,
      ...runs: readonly { readonly sent: readonly string[]; readonly seconds: number }[]
    ) =>
      figures.push(
        `${what}: ${runs.map(({ sent, seconds }) => `${sent.length} requests in ${seconds.toFixed(0)} s`).join(", ")}`,
      );
    const first = await byPulumi(terminal, world, "up", "--yes", "--skip-preview");
    note("all adopted", first);
    expect(first.sent.filter(isWrite)).toEqual([]);
    for (const { what, edit, refresh, theirs, changed } of daysOf(pulled)) {
      await edit();
      const before = snapshot(world);
      const how = refresh ? ["--refresh"] : [];
      const planned = await byPulumi(terminal, world, "preview", ...how);
      expect(planned.sent.filter(isWrite), `${what}: the preview writes nothing`).toEqual([]);
      const done = await byPulumi(terminal, world, "up", "--yes", "--skip-preview", ...how);
      note(what, planned, done);
      expect([planned.steps, done.steps], what).toEqual([theirs, theirs]);
      expect(changedIn(before, snapshot(world)), what).toEqual(changed);
    }
    console.log(figures.join("\n"));
  },
);
