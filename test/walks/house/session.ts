/** A command of a house: the product's own run with the house's disk, clock, network and provider. */
import {
  type Event,
  endedIn,
  type Properties,
  recorder,
  type Stack,
  type Step,
  type Watch,
} from "../../../engine/index.ts";
import { secret } from "../../../engine/values/values.ts";
import { shopMarkText } from "../../../provider/change/identity.ts";
import { messageEnv } from "../../../provider/settings/protocol.ts";
import { checkTarget, openRun, type PlanFile, type Run } from "../../../runs/open.ts";
import { isFailed, type PassResult } from "../../../runs/pass.ts";
import { countPendingCreates } from "../../../runs/plans/interrupted-creates.ts";
import type { UpdateOptions } from "../../../runs/plans/options.ts";
import { currentPlan, differenceText } from "../../../runs/plans/plan-differences.ts";
import { savedPlanText } from "../../../runs/plans/saved-plan.ts";
import { sendsNothing } from "../../../runs/report/step-notices.ts";
import type { Verb } from "../../../runs/report/step-words.ts";
import { refusalText } from "../../../runs/report/step-words.ts";
import { carryOut, orphansAfter, type Preview, previewRun } from "../../../runs/run.ts";
import type { Ports } from "../../../runs/stack/ports.ts";
import { parts } from "../../../runs/stack/ports.ts";
import { eventErrors } from "../../engine/event-law.ts";
import { CrashError } from "../../support/disk.ts";
import { openProvider } from "./provider.ts";
import { programOf } from "./registrations.ts";
import type { Site } from "./site.ts";
import { openOn } from "./stacks.ts";
import type { CarriedOut, Options, Ran, Resource } from "./types.ts";

/** A command with its options. */
interface Given {
  readonly verb: Verb;
  readonly program: readonly Resource[];
  readonly options: Options;
  readonly update?: UpdateOptions;
  readonly kept?: PlanFile;
  /** Replaces the stack that is opened. */
  readonly as?: (stack: Stack) => Stack;
}

/** The result of a pass, for the house and for the next pass. */
interface Told {
  readonly ran: Ran;
  readonly staged: PassResult | undefined;
}

const noRequests = { requests: 0, writes: 0, rejected: 0, used: null, limit: null };
function openCommand(site: Site, { verb, program, options, update = {}, kept, as = (it) => it }: Given) {
  let run: Run | undefined;
  const usage = () => ({ ...noRequests, requests: site.log.length });
  const counter = { env: {}, usage, miss() {}, close: () => {} };
  /** Continues the run in a process that knows the earlier messages. */
  const opened = async (stack: Stack, ports: Ports, say: Run["say"]): Promise<Run> => {
    const { refresh, select } = options;
    const asked = {
      verb,
      stack,
      counter,
      say,
      ports,
      showsTexts: false,
      options: { ...update, ...(refresh && { refresh }), ...(select && { [select.by]: select.names }) },
    };
    run =
      run === undefined
        ? await checkTarget(openRun(asked, kept))
        : { ...run, say, ports, stack: { ...stack, env: run.stack.env } };
    return run;
  };

  async function stage(
    isPlan: boolean,
    how: Options,
    work: (run: Run, watch: Watch) => Promise<PassResult>,
  ): Promise<Told> {
    const { events, watch } = recorder();
    const said: string[] = [];
    site.log = [];
    if (how.crash !== undefined)
      site.disk = site.disk.next("all", { counter: { next: 1 }, plan: how.crash.plan });
    const own = site.disk;
    const say = (line: string) => void said.push(line);
    const provider = openProvider(site, own, how, say);
    const ports: Ports = {
      parts: {
        ...(parts.pluginOf !== undefined && { pluginOf: parts.pluginOf }),
        startProvider: async (one) => provider.start(one),
        startPlugin: async (one) => provider.startPlugin(one),
        program: programOf(program, how.form ?? "dynamic", site.project, otherProvider(site, program, how)),
      },
      channel: provider.channel,
      provider: async () => provider,
    };
    let staged: PassResult | undefined;
    let error: Error | undefined;
    try {
      const now = await opened(as(stackOf(site, openOn(site, own), how)), ports, say);
      staged = await work(now, watch);
      if (!isPlan && !own.isDead()) said.push(...(await orphansAfter(now, staged)));
    } catch (thrown) {
      error = thrown as Error;
    }
    // Unawaited work (the end of a note) is finished, or ends the process, too.
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const isOver = own.isDead();
    if (isOver) {
      error = new CrashError("the process has ended", { cause: error });
      site.disk = own.next(how.crash?.left ?? "all", {});
    }
    await provider.close();
    const { notices } = provider;
    if (!isOver) judge(verb, events, staged);
    return {
      staged: isOver ? undefined : staged,
      ran: {
        result: staged?.result,
        error,
        events,
        steps: events.flatMap(stepText),
        said,
        requests: site.log,
        effects: own.effects,
        notices,
        current: staged?.current ?? currentPlan([], [], { failures: [] }),
        plan: staged?.steps ?? endedIn(events).done.filter(({ op }) => op !== "same"),
        guarded: (staged?.refused ?? []).map(refusalText),
        requestsNeeded: isPlan ? (staged?.cost?.requests ?? 0) : undefined,
        cutOffs:
          isPlan && run !== undefined && staged?.cost !== undefined && !isOver
            ? countPendingCreates(run.stack, staged.steps, notices, say)
            : 0,
      },
    };
  }

  return {
    run: () => run as Run,
    plan: () => stage(true, quiet(options), previewRun) as Promise<Told & { staged: Preview | undefined }>,
    /** @param plan the preview, if there was one */
    carryOut: (plan?: Preview) => stage(false, options, (now, watch) => carryOut(now, watch, plan)),
  };
}

/** With its configuration and the shop's identity. */
function stackOf({ shop, url, environment }: Site, stack: Stack, { config, env }: Options): Stack {
  const identity = shopMarkText({ url, account: String(shop.store.list("account")[0]?.id) });
  return {
    ...stack,
    env: { ...stack.env, ...environment, ...messageEnv({}, { identity }), ...env },
    config: { ...stack.config, values: { ...stack.config.values, ...config } },
  };
}

/** The arguments of the provider of the other shop; undefined for a program that makes none. */
function otherProvider(
  site: Site,
  program: readonly Resource[],
  { wrong, hasProvider = program.some(({ shop }) => shop !== undefined) }: Options,
): Properties | undefined {
  if (!hasProvider) return undefined;
  const { environment } = wrong === "url" ? site : site.other();
  const { SHOP_URL = "", SHOP_APPLICATION_ID = "", SHOP_PASSWORD = "" } = environment;
  const password = wrong === "password" ? "0".repeat(32) : SHOP_PASSWORD;
  return { url: SHOP_URL, applicationId: SHOP_APPLICATION_ID, password: secret(password) };
}

function judge(verb: Verb, events: readonly Event[], staged: PassResult | undefined): void {
  const result = staged?.result;
  const sent = events.map((event) =>
    staged !== undefined && "step" in event && sendsNothing(event.step, staged.notices)
      ? { ...event, step: { ...event.step, op: "same" as const } }
      : event,
  );
  const wrong = eventErrors(sent, result, verb === "refresh");
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** Options for the preview before a run, without crashes. */
const quiet = ({ onRequest: _told, crash: _ends, late: _late, ...options }: Options): Options => options;

async function previewed(
  run: ReturnType<typeof openCommand>,
  between: (planned: Ran) => unknown,
): Promise<Ran & { readonly planned: Ran }> {
  const { ran: shown, staged } = await run.plan();
  await between(shown);
  if (staged === undefined || staged.refused.length > 0 || isFailed(staged))
    return { ...shown, planned: shown };
  return { ...(await run.carryOut(staged)).ran, planned: shown };
}

/** The commands of a house that run a program. */
export function commandsOf(site: Site) {
  const command = (verb: Verb, program: readonly Resource[], options: Options) =>
    openCommand(site, { verb, program, options });
  return {
    preview: async (program: readonly Resource[], options: Options = {}) =>
      (await command("preview", program, options).plan()).ran,
    /** A preview, then the run. @param between what others do in between */
    up: (
      program: readonly Resource[],
      options: Options = {},
      between: (planned: Ran) => unknown = () => {},
    ) => previewed(command("up", program, options), between),
    /** The preview of a destroy, then the run. */
    end: (options: Options = {}, between: (planned: Ran) => unknown = () => {}) =>
      previewed(command("destroy", [], options), between),
    /** `up --skip-preview`. */
    go: async (program: readonly Resource[], options: Options = {}) =>
      (await command("up", program, options).carryOut()).ran,
    refresh: async (options: Options = {}) => (await command("refresh", [], options).carryOut()).ran,
    destroy: async (options: Options = {}) => (await command("destroy", [], options).carryOut()).ran,
    /** `preview --save-plan`; the text is undefined if the preview failed. */
    async save(
      program: readonly Resource[],
      options: Options = {},
    ): Promise<Ran & { readonly text: string | undefined }> {
      const preview = openCommand(site, { verb: "preview", program, options, kept: { saves: true } });
      const { ran, staged } = await preview.plan();
      const { verb, planFile, ...run } = preview.run();
      const key = planFile?.saves;
      const isWhole = staged !== undefined && key !== undefined && !isFailed(staged);
      return { ...ran, text: isWhole ? savedPlanText(verb, run, staged.current, key) : undefined };
    },
    /** `up --plan`. @param between what others do after the check */
    async carryOut(
      text: string,
      program: readonly Resource[],
      options: Options = {},
      { between = () => {}, ...as }: Pick<Given, "as"> & { readonly verb?: Verb; between?: () => void } = {},
    ): Promise<CarriedOut> {
      const saved = { text, name: "plan.json" };
      const up = openCommand(site, { verb: "up", program, options, kept: { saved }, ...as });
      const { ran: shown, staged } = await up.plan();
      const refused = [
        ...(shown.error === undefined ? [] : [shown.error.message]),
        ...(staged !== undefined && isFailed(staged)
          ? staged.result.failures.map(({ message }) => message)
          : []),
        ...(staged?.stale ?? []).map(differenceText),
        ...shown.guarded,
      ];
      if (staged === undefined || refused.length > 0) return { refused, planned: shown, ran: undefined };
      between();
      return { refused: [], planned: shown, ran: (await up.carryOut(staged)).ran };
    },
  };
}

/** Whether a step is about an object in the shop, and isn't part of another one. */
export const isOwn = ({ type, custom, partOf }: Step): boolean =>
  custom && partOf === undefined && !type.startsWith("pulumi:");

function stepText(event: Event): readonly string[] {
  if (event.type !== "done" && event.type !== "failed" && event.type !== "refused") return [];
  const { step } = event;
  if (!isOwn(step) || (event.type === "done" && step.op === "same")) return [];
  return [`${step.op} ${step.name}${event.type === "done" ? "" : ` ${event.type}`}`];
}
