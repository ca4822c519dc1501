/** One stage of a command: a preview, a run or a refresh, and what came of it. */
import {
  type Event,
  endedIn,
  type Result,
  type RunOptions,
  recorder,
  refresh,
  type Stack,
  type Step,
} from "../../../engine/index.ts";
import { cutOff } from "../../../provider/lifecycle/cut-off.ts";
import type { Notice } from "../../../provider/run/notices.ts";
import { checkLatest } from "../../../runs/open.ts";
import { refusedSteps } from "../../../runs/plans/guard.ts";
import { refusalText } from "../../../runs/report/refusals.ts";
import { requestCostOf } from "../../../runs/report/request-cost.ts";
import { textsIn } from "../../../runs/report/texts.ts";
import { wrongTold } from "../../engine/told.ts";
import { CrashError } from "../../support/disk.ts";
import { type More, openProvider } from "./provider.ts";
import { programOf } from "./registrations.ts";
import type { Site } from "./site.ts";
import { configured, endedOf, openOn, sought } from "./stacks.ts";
import type { Options, Ran, Resource } from "./types.ts";

const unspent = { requests: 0, writes: 0, rejected: 0, used: null, limit: null };

export async function stage(
  site: Site,
  verb: (stack: Stack, options: RunOptions & { previewOnly?: boolean }) => Promise<Result>,
  dryRun: boolean,
  program: readonly Resource[],
  options: Options,
  { reads, ...more }: Partial<RunOptions> & More = {},
): Promise<Ran> {
  const { events, watch } = recorder();
  const [said, notices]: [string[], Notice[]] = [[], []];
  site.log = [];
  if (options.crash !== undefined)
    site.disk = site.disk.next("all", { counter: { next: 1 }, plan: options.crash.plan });
  const own = site.disk;
  const opened = openProvider(site, own, dryRun, options, said, notices, { reads: reads ?? {} });
  let result: Result | undefined;
  let error: Error | undefined;
  try {
    if (!dryRun && verb !== refresh)
      checkLatest({ verb: "up", stack: openOn(site, own), say: (line) => void said.push(line) });
    result = await verb(openOn(site, own), {
      watch,
      looksBeforeDelete: true,
      refresh: options.refresh === true,
      ...(options.seal !== undefined && { seal: options.seal }),
      ...more,
      parts: {
        startProvider: async ({ env }) => opened.start(env),
        startPlugin: async ({ env }) => opened.startPlugin(env),
        program: programOf(program, options.form ?? "dynamic", site.project),
      },
    });
  } catch (thrown) {
    error = thrown as Error;
  }
  if (error === undefined && !own.isDead() && !dryRun)
    try {
      said.push(...(await cutOff(opened.world, endedOf(openOn(site, own), result))));
    } catch (thrown) {
      error = thrown as Error;
    }
  // What was begun and nobody waits for (the end of a note) is done, or ends the process too.
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const isOver = own.isDead();
  if (isOver) {
    error = new CrashError("the process has ended", { cause: error });
    site.disk = own.next(options.crash?.left ?? "all", {});
  }
  await opened.close();
  const wrong = isOver ? [] : wrongTold(events, result, verb === refresh);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const plan = endedIn(events).done.filter(({ op }) => op !== "same");
  const cutOffs = dryRun && !own.isDead() ? sought(openOn(site, own), opened.world, notices) : 0;
  const asked = cutOffs + (result?.interruptedReads ?? 0);
  const cost = dryRun && !own.isDead() ? requestCostOf(plan, notices, unspent, asked) : undefined;
  return {
    result,
    error,
    events,
    steps: events.flatMap(stepText),
    said,
    requests: site.log,
    effects: own.effects,
    notices,
    plan,
    guarded: dryRun
      ? refusedSteps(configured(openOn(site, own), options), plan, textsIn(notices)).map(refusalText)
      : [],
    requestsNeeded: dryRun ? (cost?.requests ?? 0) : undefined,
    cutOffs,
    reads: cost?.reads ?? {},
  };
}

/** Options of the preview before a run, to which nothing happens. */
export function quiet({ onRequest: _told, crash: _ends, late: _late, ...options }: Options): Options {
  return options;
}

/** Whether a step is one of an object in the shop, and no part of another. */
export const isOwn = ({ type, custom, partOf }: Step): boolean =>
  custom && partOf === undefined && !type.startsWith("pulumi:");

function stepText(event: Event): readonly string[] {
  if (event.type !== "done" && event.type !== "failed" && event.type !== "refused") return [];
  const { step } = event;
  if (!isOwn(step) || (event.type === "done" && step.op === "same")) return [];
  return [`${step.op} ${step.name}${event.type === "done" ? "" : ` ${event.type}`}`];
}
